"""Saves of every kind, taken up after every kind of change of their rules: what is told of each, line by line.

`told.txt` has the lines; `python -m tests.record adoption` writes it anew.
"""
