"""The engine of the page: the calls of a page, with the files that somebody has open in a folder of their own."""

import importlib
import json
import os
import random
from pathlib import Path

from interpreter.host import page

FOLDER = page.FOLDER
answer = page.reply

_SMALL = """ruleset: small
mechanics:
  test:
    inputs: {bonus: {type: number, default: 1}}
    steps: {dice: {roll: 2d6}, total: sum(dice) + bonus}
    outcomes: {hit: total > 7, miss: otherwise}
"""
_EXAMPLE = """ruleset: example
extends: dnd5e
changes:
  options.critical_from.default: {set: 19, because: It is an example.}
"""


def restored() -> None:
    """Begin in a memory that was written at the build: its files, its folder and its seed belong to another run."""
    FOLDER.mkdir(exist_ok=True)
    os.chdir(FOLDER)
    importlib.invalidate_caches()
    random.seed()


def warm() -> None:
    """Import and run once what somebody needs who writes, before the memory is written; nothing of it is kept."""
    folder = Path("/warm")
    folder.mkdir()
    os.chdir(folder)
    bench = page.Page(folder)
    inputs = {"bonus": "5", "armour_class": "15", "damage": "d8"}
    attack = {"mechanic": "attack", "inputs": inputs, "of": "dealt"}
    for call in (
        {"do": "check", "files": {"small.yaml": _SMALL}, "main": "small.yaml"},
        {"do": "odds", "mechanic": "test", "inputs": {}, "of": "total", "tail": "at_least"},
        {"do": "roll", "mechanic": "test", "inputs": {}, "seed": 1},
        {"do": "check", "files": {"small.yaml": _SMALL.replace("sum", "smu")}, "main": "small.yaml"},
        {"do": "check", "files": {"a.yaml": _EXAMPLE}, "main": "a.yaml"},
        {"do": "odds", **attack, "tail": "at_most"},
        {"do": "odds", **attack},
        {"do": "sweep", **attack, "of": None, "along": "armour_class", "values": ["15"]},
        {"do": "hover", "file": "a.yaml", "text": _EXAMPLE, "at": _EXAMPLE.index("critical")},
        {"do": "complete", "file": "a.yaml", "text": _EXAMPLE, "at": _EXAMPLE.index("19")},
        {"do": "roll", "mechanic": "attack", "inputs": inputs, "seed": 1},
        {"do": "base"},
        {"do": "check", "files": {"a.yaml": _EXAMPLE.replace("options", "option")}, "main": "a.yaml"},
        {"do": "check", "files": {"a.yaml": "ruleset: a\nmechanic: {a: }\n"}, "main": "a.yaml"},
    ):
        reply = json.loads(bench.reply(json.dumps(call)))
        assert reply["ok"], reply
