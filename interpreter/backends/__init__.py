"""Readings of a program: one run at a time, every way at once."""
