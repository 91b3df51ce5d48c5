"""What identifies rules: every part that play follows from changes a hash, and nothing else does."""

from __future__ import annotations

import dataclasses
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import games
import pytest
import yaml
from marks import sample

import interpreter
from interpreter import RulesetError, ir
from interpreter.identity.closure import hashes_used
from interpreter.identity.fields import FIELDS
from interpreter.identity.units import units_of
from interpreter.ir import types as t
from interpreter.ir.traversal import NODE_TYPES
from interpreter.layers.effective import effective_ruleset

RULESETS = Path(__file__).parent.parent / "rulesets"
BUNDLED = sorted(path.name for path in RULESETS.iterdir() if path.is_dir())
SMALLEST_FIRST = sorted(BUNDLED, key=lambda name: (RULESETS / name / f"{name}.yaml").stat().st_size)

WITHOUT_UNIT = {ir.Program, ir.Claim, ir.Citation, ir.DieIdentity, ir.OwnAttribute}
"""The program is divided into units; the others are tests, citations, and what the checker found out."""

TELLING = re.compile(
    r"title|about|cites|notes|ask|shows|tells|says?|summary|bookkeeping|version|cases|claims|typical|else_say|because"
)
"""The keys whose values only tell people something, and those of tests."""


def test_every_field_is_classified_once() -> None:
    types = {one for one in vars(t).values() if isinstance(one, type) and one.__module__ == t.__name__}
    assert {*FIELDS} == (NODE_TYPES | types) - WITHOUT_UNIT
    for kind, fields in FIELDS.items():
        named = " ".join((fields.rule, fields.tells, fields.follows, fields.policy)).split()
        assert sorted(named) == sorted(one.name for one in dataclasses.fields(kind)), kind


@cache
def text_of(ruleset: str) -> str:
    """The whole text of a bundled ruleset, in one file."""
    loaded = games.loaded(ruleset)
    assert loaded.merged is not None and loaded.world is not None
    return "\n".join(line.text for line in effective_ruleset(loaded.merged, loaded.world.base_places)) + "\n"


def hashes(text: str) -> dict[str, str]:
    return {path: unit.hash for path, unit in units_of(interpreter.loads(text).program).items()}


@pytest.mark.parametrize("ruleset", BUNDLED)
def test_the_text_of_the_whole_ruleset_has_the_same_units(ruleset: str) -> None:
    of_files = {path: unit.hash for path, unit in units_of(interpreter.load(ruleset).program).items()}
    assert hashes(text_of(ruleset)) == of_files


def test_hashes_do_not_depend_on_the_process() -> None:
    code = "import interpreter; from interpreter.identity.units import units_of;"
    code += "print(sorted((k, u.hash) for k, u in units_of(interpreter.load('dnd5e').program).items()))"
    seen = set()
    for seed in ("1", "2"):
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=environment)
        seen.add(run.stdout)
    assert len(seen) == 1


def test_comments_layout_order_and_texts_are_no_part_of_units() -> None:
    before = """ruleset: a
kinds: {ship: {has: {sail: {type: number, from: 0, default: 2}, crew: {type: points, from: 0, to: 6, starts: 3}}}}
actions: {ram: {actor: {type: ship}, steps: {die: {roll: d6}, hit: {lose: die, from: actor.crew}}}}
"""
    after = """ruleset: a
version: 7
title: Ships
# A comment.

actions:
  ram: {title: Ram it, actor: {type: ship}, steps: {die: {roll: d6, about: one}, hit: {lose: die, from: actor.crew}}}

kinds:
  ship:
    about: Wood.
    has:
      crew: {starts: 3, type: points, to: 6, from: 0}
      sail: {type: number, from: 0, default: 2, about: Cloth.}
"""
    assert hashes(before) == hashes(after)


EACH = 6
"""How many changes are tried together."""


def _scalars(node: yaml.Node, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], yaml.ScalarNode]]:
    if isinstance(node, yaml.MappingNode):
        for key, value in node.value:
            yield from _scalars(value, (*path, key.value))
    elif isinstance(node, yaml.SequenceNode):
        for value in node.value:
            yield from _scalars(value, path)
    elif isinstance(node, yaml.ScalarNode):
        yield path, node


def _changes(text: str) -> Iterator[str]:
    """One number, size of dice, sign, function or truth of this text is another."""
    for found in re.finditer(r"\d+", text):
        yield text[: found.start()] + str(int(found[0]) + 1) + text[found.end() :]
    swapped = {">=": "<", "<=": ">", "+": "-", "highest": "lowest", " and ": " or ", "yes": "no"}
    for sign, other in swapped.items():
        if sign in text:
            yield text.replace(sign, other, 1)


def _variants(ruleset: str, rules: bool) -> list[str]:
    """The text of a ruleset with one change each, of a rule or of what only tells something."""
    text = text_of(ruleset)
    found = []
    for path, node in _scalars(yaml.compose(text, Loader=yaml.CSafeLoader)):
        is_sentence = node.value[:1].isupper() and node.value.endswith(".")  # as the meanings of words are
        is_sentence = is_sentence and path[-1] != "text"  # which is a value of the type text
        telling = is_sentence or any(TELLING.fullmatch(key) for key in path) or path[:1] == ("ruleset",)
        if telling == rules or node.value.strip() == "":
            continue
        written = text[node.start_mark.index : node.end_mark.index]
        others = _changes(written) if rules else [re.sub(r"[a-z]{3,}", "other", written, count=1)]
        found += [text[: node.start_mark.index] + one + text[node.end_mark.index :] for one in others if one != written]
    return Random(5).sample(found, len(found))


@pytest.mark.parametrize(
    ("ruleset", "share"), sample([(one, n) for n in range(8) for one in SMALLEST_FIRST], 1, 2 * len(BUNDLED))
)
@pytest.mark.parametrize("rules", [True, False])
def test_a_change_changes_a_unit_exactly_if_it_is_a_rule(ruleset: str, share: int, rules: bool) -> None:
    before = hashes(text_of(ruleset))
    for changed in _variants(ruleset, rules)[share * EACH : share * EACH + EACH]:
        try:
            after = hashes(changed)
        except RulesetError:
            continue
        assert (after != before) == rules, _difference(text_of(ruleset), changed)


def _difference(before: str, after: str) -> Any:
    lines = zip(before.splitlines(), after.splitlines(), strict=False)
    return [pair for pair in lines if pair[0] != pair[1]][:3]


@pytest.mark.parametrize("ruleset", BUNDLED)
def test_a_rule_uses_itself_and_units_that_exist(ruleset: str) -> None:
    program = interpreter.load(ruleset).program
    for rules in program.playable.values():
        for rule in rules.values():
            used = hashes_used(program, rule.path)
            assert rule.path in used and {*used} <= {*units_of(program)}
