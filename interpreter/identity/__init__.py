"""What identifies rules: a hash of each named part of a program, what a rule uses of it, and what its things hold.

A comment, the layout, the order of declarations, a title, a question or a case is no part of it: rules that play the
same have the same parts. `fields.py` says of every field of the program whether play follows from it, `units.py` hashes
the named parts, `closure.py` says which of them a rule may reach, and `shape.py` what a stored value must fit.
"""
