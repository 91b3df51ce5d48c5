"""Conformance on generated mechanics: random small rulesets, on which every faster way is held to plain enumeration.

`grow` makes them, `hold` compares, `shrink` makes a failing one small. `python -m tests.generated 10000` runs many.
"""
