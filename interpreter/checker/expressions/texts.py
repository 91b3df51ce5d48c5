"""Check texts for people that have values in them: `ask: "Do you shield {event.target}?"`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from interpreter import diagnostics as say
from interpreter import ir
from interpreter.checker.expressions import formula
from interpreter.checker.scope import Scope
from interpreter.diagnostics.source import Span
from interpreter.syntax.document import Mapping, Scalar
from interpreter.syntax.lexer import raw

if TYPE_CHECKING:
    from interpreter.checker.world import World

_PIECE = re.compile(r"(?P<brace>\{\{|\}\})|\{(?P<value>[^{}]*)(?P<end>\}?)|(?P<text>[^{}]+|\})")


def question(world: World, node: Mapping, scope: Scope, key: str = "ask") -> ir.Question:
    """The text under a key of a node, with its values checked; `{{` and `}}` are braces of the text itself."""
    text = node.get(key)
    if not isinstance(text, Scalar):
        return ir.NO_QUESTION
    written, start = raw(text)
    end = len(written.rstrip())
    first = end - len(written[:end].lstrip())
    parts: list[str | ir.Formula] = []
    for piece in _PIECE.finditer(written, first, end):
        if piece["value"] is None:
            parts.append(piece["brace"][0] if piece["brace"] else re.sub(r"\s+", " ", piece["text"]))
            continue
        span = Span(text.span.source, start + piece.start("value"), start + piece.end("value"))
        opened = Span(span.source, span.start - 1, span.start)
        if not piece["end"]:
            world.problems.add(say.value_not_closed(opened))
        elif not piece["value"].strip():
            world.problems.add(say.no_value_in_braces(opened))
        else:
            value = piece["value"]
            blank = len(value) - len(value.lstrip())
            inside = Span(span.source, span.start + blank, span.start + len(value.rstrip()))
            parts.append(formula(world, Scalar(value.strip(), inside), scope))
    return ir.Question(" ".join(text.text.split()), tuple(parts))
