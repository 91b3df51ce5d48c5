"""The expression language as text: tokens, and the precedence parser that makes allow-listed `ast` of them."""
