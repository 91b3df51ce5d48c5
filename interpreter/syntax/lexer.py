"""Cut the text of an expression into tokens with their places."""

from __future__ import annotations

import re
from enum import Enum, auto

from interpreter import diagnostics as say
from interpreter.diagnostics.source import Span
from interpreter.frozen import dataclass
from interpreter.syntax.document import Scalar
from interpreter.syntax.names import NAME, WORD, normalize
from interpreter.work_count import spend

OF_A_TOKEN = 20
"""The units of work in which a token is read and what it is part of is checked."""


class TokenKind(Enum):
    NUMBER = auto()  # 12
    DICE = auto()  # d8, 2d12
    CODE = auto()  # 3D
    NAME = auto()  # margin
    SIGN = auto()  # + - * / & ( ) [ ] , . and the comparisons
    END = auto()


@dataclass(frozen=True, slots=True)
class Token:
    kind: TokenKind
    text: str
    span: Span


@dataclass(frozen=True)
class Bounds:
    """The limits of an expression: characters, tokens, and depth of brackets."""

    characters: int = 1000
    tokens: int = 300
    depth: int = 40


USUAL = Bounds()

RESERVED = frozenset(["and", "or", "not", "if", "else", "in", "is", "where", "by", "otherwise", "yes", "no", "none"])
"""Keywords of expressions. No name of a ruleset may be one of them."""

_TOKEN = re.compile(
    rf"""(?P<space>[ \t\n\r\f\v]+)
      | (?P<SLIP>&&|<>|\*\*|//)
      | (?P<DICE>[0-9]*d[0-9]+)(?!{WORD})
      | (?P<CODE>[0-9]+D)(?!{WORD})
      | (?P<NUMBER>[0-9]+)(?!{WORD}|\.)
      | (?P<NAME>{NAME})
      | (?P<SIGN><=|>=|==|!=|[-+*/&()\[\],.<>])
    """,
    re.VERBOSE,
)


def tokens_of(scalar: Scalar, bounds: Bounds = USUAL) -> list[Token]:
    """The tokens of an expression written as a YAML value, the last of kind END.

    The text is read from the file, so that columns are right in block scalars and over several lines too.
    Raises PlayError with one diagnostic for an invalid token or a text that is too long.
    """
    text, offset = raw_text(scalar)
    if len(text) > bounds.characters:
        raise say.PlayError(say.expression_too_long(scalar.span, bounds.characters, "characters"))
    source = scalar.span.source
    tokens: list[Token] = []
    position = depth = 0
    while position < len(text):
        match = _TOKEN.match(text, position)
        group = match.lastgroup if match is not None else None
        if match is None or group is None or group == "SLIP" or (group == "NAME" and not match[0].isidentifier()):
            raise say.PlayError(say.not_a_token(source.part(offset, position, position + 1), text[position:]))
        if group != "space":
            word = normalize(match.group())
            depth += _NESTING.get(word, 0)
            if depth > bounds.depth:
                raise say.PlayError(say.expression_too_deep(source.part(offset, position, position + 1), bounds.depth))
            if len(tokens) >= bounds.tokens:
                raise say.PlayError(say.expression_too_long(scalar.span, bounds.tokens, "words and signs"))
            if len(word) > 18 and word[0].isdigit():
                raise say.PlayError(say.number_too_large(source.part(offset, position, position + 1)))
            tokens.append(Token(_KINDS[group], word, source.part(offset, position, match.end())))
        position = match.end()
    end = len(text.rstrip())
    tokens.append(Token(TokenKind.END, "", source.part(offset, end, end)))
    spend(OF_A_TOKEN * len(tokens))
    return tokens


_KINDS = {one.name: one for one in TokenKind}
_NESTING = {"(": 1, "[": 1, ")": -1, "]": -1}
"""How each bracket changes the depth."""


def raw_text(scalar: Scalar) -> tuple[str, int]:
    """The text of the expression in the source, and its start."""
    written, start = scalar.span.text, scalar.span.start
    if not scalar.style:
        return (written, start) if normalize(written).split() == scalar.text.split() else (scalar.text, start)
    if scalar.style in "|>":
        header, _, body = written.partition("\n")
        return body, start + len(header) + 1
    inside = written[1:-1]
    return (inside, start + 1) if normalize(inside).split() == scalar.text.split() else (scalar.text, start + 1)
