"""Other libraries of dice, those that are there."""

from __future__ import annotations

from importlib import import_module
from types import ModuleType

MISSING: list[str] = []
"""Libraries that are not installed, and so left out."""


def _if_there(library: str, module: str) -> ModuleType | None:
    try:
        return import_module(module, __package__)
    except ModuleNotFoundError as missing:
        if missing.name != library:
            raise
        MISSING.append(library)
        return None


icepool = _if_there("icepool", ".by_icepool")
dyce = _if_there("dyce", ".by_dyce")
numpy = _if_there("numpy", ".by_numpy")
d20 = _if_there("d20", "d20")
