"""Mistakes that authors make, planted in the bundled rulesets by program, and a score of the messages about them.

`python -m tests.mistakes` prints the table by kind; `--show KIND` prints what was said where something is missed.
"""
