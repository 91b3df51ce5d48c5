"""Formulas that are written word by word: `to: {pistol: 6, rifle: 30}`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from interpreter.ir.expressions import Conditional, Constant, Expr, Formula, Local, Relation
from interpreter.ir.rules import WORD
from interpreter.ir.steps import Lvalue
from interpreter.ir.types import Word


def formulas_by_word(of: Formula) -> Mapping[str, Formula] | None:
    """The formulas that are written for each word, by word; None for one that is written for all of them."""
    found: dict[str, Formula] = {}
    body = of.body
    words: tuple[str, ...] = ()
    while isinstance(body, Conditional) and (key := _word_before_value(body.condition)) is not None:
        assert isinstance(key.type, Word), "a word is of a list"
        found[key.value] = replace(of, body=body.then, type=body.then.type, span=body.then.span)
        body, words = body.otherwise, key.type.words
    left = [word for word in words if word not in found]
    return found | {word: replace(of, body=body, type=body.type, span=body.span) for word in left} if words else None


def purse_name(target: Lvalue) -> str:
    """What the points of a payment are called that may be paid in several kinds of them: `coins`, `rifle_ammo`."""
    key = target.key.body if target.key is not None else None
    return f"{key.value}_{target.name}" if isinstance(key, Constant) else target.name


def _word_before_value(condition: Expr) -> Constant | None:
    """The word that is written before a value; a condition that an author writes names `word` at a place of its own."""
    match condition:
        case Relation("==", Local(name, _, at), Constant() as key) if name == WORD and at is key.span:
            return key
    return None
