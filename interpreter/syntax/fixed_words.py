"""Words of the language that stand for values, and not for keys: relations, spans, how sure a citation is."""

from __future__ import annotations

STATUSES = ("stated", "inferred", "consequence", "assumed", "elsewhere", "flavour")
RELATION_SIGNS = {"at least": ">=", "more than": ">", "at most": "<=", "less than": "<", "equal to": "=="}
RELATIONS = tuple(RELATION_SIGNS)
ROUNDINGS = ("down", "up", "nearest")
SPANS = ("turn", "round", "scene", "game")
"""The span that ends; the end of a span also ends the shorter ones."""
BOUNDARIES = (*(f"{span}_{way}" for span in ("scene", "round", "turn") for way in ("begins", "ends")), "game_ends")
"""The events that the language itself causes, if a ruleset declares them."""
EVERYBODY = "everybody"
"""All people at the table, under `seen_by` of a value and `by` of an event."""
