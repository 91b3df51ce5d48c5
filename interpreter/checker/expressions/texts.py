"""Check texts for people, with values and parts under conditions in them: `ask: "Do you shield {event.target}?"`."""

from __future__ import annotations

import re
from itertools import pairwise

from interpreter import diagnostics as say
from interpreter import ir
from interpreter.checker import bounds
from interpreter.checker.expressions import condition, formula
from interpreter.checker.scope import Scope
from interpreter.checker.world import World
from interpreter.ir import types as t
from interpreter.ir.question import Counted
from interpreter.syntax.document import Broken, Mapping, Node, Scalar, Sequence, value_at
from interpreter.syntax.lexer import raw_text

_PIECE = re.compile(r"(?P<brace>\{\{|\}\})|\{(?P<value>[^{}]*)(?P<end>\}?)|(?P<text>[^{}]+|\})")


def question(world: World, node: Mapping, scope: Scope, key: str = "ask") -> ir.Question:
    """The text under a key of a node: one text, one part, or a list of parts, each with its values checked.

    A part reads what its condition has narrowed. A question must ask something, whatever holds.
    """
    said = node.get(key)
    written = said.items if isinstance(said, Sequence) else () if said is None else (said,)
    parts = tuple([part for one in written if (part := _part(world, one, scope)) is not None])
    cut = False
    for one, other in pairwise(written):
        cut, before = _is_cut_at_comma(one, other), cut
        if cut and not before:
            world.problems.add(say.text_cut_at_comma(one.span.to(other.span), one.span.text, other.span.text))
    if key == "ask" and parts and len(parts) == len(written) and not any(one.is_always_said for one in parts):
        assert said is not None
        world.problems.add(say.question_without_sure_part(node.key(key).span))
    return ir.Question(parts)


def _is_cut_at_comma(one: Node, other: Node) -> bool:
    """Whether two parts without quotes are likely one text that has a comma: the first ends no sentence."""
    if not (isinstance(one, Scalar) and isinstance(other, Scalar)) or one.style or other.style:
        return False
    source, start, end = one.span.source, one.span.end, other.span.start
    between = source.text[start:end] if source is other.span.source and start < end else ""
    return between.strip() == "," and one.text[-1:] not in (*".?!:;…",)


def _part(world: World, node: Node, scope: Scope) -> ir.TextPart | None:
    """A part of a text; None for one with an error that is reported."""
    if isinstance(node, Scalar):
        return ir.TextPart(_text_with_values(world, node, scope))
    text = value_at(node, "say")
    if not isinstance(node, Mapping) or not isinstance(text, Scalar):
        return None
    test, other = node.get("if"), node.get("else")
    if test is None or isinstance(test, Broken):
        if other is not None and test is None:
            world.problems.add(say.missing_key(node.key("else").span, "if", "a part of a text with `else`"))
        return ir.TextPart(_text_with_values(world, text, scope))
    if isinstance(test, Scalar) and test.text.strip() == "otherwise" and "otherwise" not in scope.names:
        world.problems.add(say.otherwise_of_a_part(test.span))
        return None
    holds = condition(world, test, scope)
    said = _text_with_values(world, text, scope.narrow(bounds.facts_of(holds.body, True)))
    if not isinstance(other, Scalar):
        return ir.TextPart(said, holds)
    return ir.TextPart(said, holds, _text_with_values(world, other, scope.narrow(bounds.facts_of(holds.body, False))))


def _text_with_values(world: World, text: Scalar, scope: Scope) -> ir.Said:
    """A text with its values checked; `{{` and `}}` are braces of the text itself."""
    written, start = raw_text(text)
    source = text.span.source
    end = len(written.rstrip())
    first = end - len(written[:end].lstrip())
    pieces: list[str | ir.Formula | Counted] = []
    counted: ir.Formula | None = None
    for piece in _PIECE.finditer(written, first, end):
        if piece["value"] is None:
            pieces.append(piece["brace"][0] if piece["brace"] else re.sub(r"\s+", " ", piece["text"]))
            continue
        opened = source.part(start, piece.start("value") - 1, piece.start("value"))
        if not piece["end"]:
            world.problems.add(say.value_not_closed(opened))
        elif "|" in piece["value"]:
            place = source.part(start, piece.start("value") - 1, piece.end("value") + 1)
            one, _, other = (words.strip() for words in piece["value"].partition("|"))
            if counted is None or not one or not other or "|" in other:
                world.problems.add(say.words_without_number(place))
            else:
                pieces.append(Counted(one, other, counted))
        elif not piece["value"].strip():
            world.problems.add(say.no_value_in_braces(opened))
        elif piece["value"].strip() == "base" and "base" not in scope.names:
            place = source.part(start, piece.start("value") - 1, piece.end("value") + 1)
            world.problems.add(say.base_in_a_text(place))
        else:
            value = piece["value"]
            blank = len(value) - len(value.lstrip())
            at = piece.start("value")
            inside = source.part(start, at + blank, at + len(value.rstrip()))
            said = formula(world, Scalar(value.strip(), inside), scope)
            counted = said if isinstance(t.without_maybe(said.type), t.Number | t.Anything) else None
            pieces.append(said)
    return ir.Said(" ".join(text.text.split()), tuple(pieces))
