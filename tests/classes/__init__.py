"""Whole classes of rules by program: every function, operator and verb of the language with every type of operand, in
every place where it may stand, asked in every way that there is to ask.

`operands` says what values there are, `operations` what is done with them, `places` where that stands; `cells` puts
the three together, `ask` holds what comes of a cell, and `__main__` prints the table.
"""
