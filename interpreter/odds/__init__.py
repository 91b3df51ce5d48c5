"""Exact odds of everything that can be rolled, as fractions, and what to do for the best of them."""
