"""Conformance on generated games: whatever combines, every way of playing and counting comes to the same.

`games` grows them, `hold` compares, `shrink` makes a failing one small. `python -m tests.generated 20000` runs many.
"""
