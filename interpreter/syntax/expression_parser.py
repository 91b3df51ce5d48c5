"""A precedence parser: tokens become allow-listed Python `ast` nodes with the columns of the source.

Forms that Python's grammar lacks become calls of names that start with a dot, which no expression can contain:

    xs where c         .where(xs, c)          2d12          .pool(2, die)
    xs by key          .by(xs, key)           d8 armor      .tagged(die, armor)
    a otherwise b      .otherwise(a, b)       3D            .code(3)
    a beats b          .compare(a, beats, b)

`col_offset` and `end_col_offset` count characters from the start of the source. From loosest to tightest:

    where, by          left to right
    otherwise
    a if c else b
    or / and / not
    == != < <= > >=, comparators, is, in       not chained, but for 1 <= x <= 6
    &
    + -
    * /
    unary -
    dice and their tags, field access, look-ups
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Set
from dataclasses import replace
from typing import NamedTuple

from interpreter import diagnostics as say
from interpreter.diagnostics.source import Source, Span
from interpreter.syntax.dice_notation import DiceTerm, dice_terms
from interpreter.syntax.document import Scalar
from interpreter.syntax.lexer import RESERVED, Token, TokenKind, raw_text, tokens_of
from interpreter.syntax.other_notations import likely_texts

COMPARISONS: dict[str, type[ast.cmpop]] = {
    "==": ast.Eq,
    "!=": ast.NotEq,
    "<": ast.Lt,
    "<=": ast.LtE,
    ">": ast.Gt,
    ">=": ast.GtE,
}


LONGEST_REWRITTEN = 200
"""The most characters of a text that is tried in other words."""
_BETWEEN = ("and", "or", "if", "else", "in", "is", "where", "by", "otherwise")


Agrees = Callable[[ast.expr, Scalar], bool]
"""Whether an expression, a tree and its text, can stand at a place."""


def parse(scalar: Scalar, comparators: Set[str], agrees: Agrees = lambda tree, text: True) -> ast.expr:
    """The tree of an expression. `comparators` are the infix words of the ruleset, such as `beats`.

    Raises PlayError with exactly one diagnostic where the text is no expression. It proposes in other words only what
    `agrees` accepts.
    """
    try:
        return _Parser(tokens_of(scalar), comparators).whole_expression()
    except RecursionError:
        # A host with a deep call stack leaves little of it.
        raise say.PlayError(say.expression_too_deep(scalar.span)) from None
    except say.PlayError as slip:
        term = _dice_of_others(scalar, slip.diagnostic.span)
        if term is not None:
            start = raw_text(scalar)[1]
            place = scalar.span.source.part(start, term.start, term.end)
            edits = ((place, term.pool),) if term.is_pool else ()
            raise say.PlayError(replace(slip.diagnostic, help=term.help, edits=edits)) from None
        written, start = raw_text(scalar)
        likely = _likely_meaning(written.strip(), comparators, agrees)
        if likely is None:
            raise slip from None
        whole = _place_for(likely.text, scalar, written, start)
        raise say.PlayError(say.suggest_other_words(slip.diagnostic, *likely[:2], whole, likely.alone)) from None


_NOT_PLAIN = re.compile(r"[,\[\]{}\n\\\"'#]|: |:$|^[^\w(-]")
"""What a text without quotes cannot hold, wherever it stands in YAML."""


def _place_for(meant: str, scalar: Scalar, written: str, start: int) -> Span | None:
    """The place of the text of a scalar, if another expression can stand there as it is."""
    place = scalar.span.source.part(start, len(written) - len(written.lstrip()), len(written.rstrip()))
    if place.text != written.strip() or "\n" in place.text or "\n" in meant or "\\" in meant:
        return None
    fits = scalar.style not in meant if scalar.style in ("'", '"') else scalar.style or not _NOT_PLAIN.search(meant)
    return place if fits else None


def _dice_of_others(scalar: Scalar, slip: Span) -> DiceTerm | None:
    """The dice in the notation of other tools at which a text is no expression, if that is why."""
    text, offset = raw_text(scalar)
    at = scalar.span.source.distance(offset, slip.start)
    for term in dice_terms(text) if len(text) <= LONGEST_REWRITTEN else ():
        if term.start <= at < term.end:
            return term
    return None


class _Meant(NamedTuple):
    """What a text says in other words, which `words` of it are none of the language, and whether it can say no more."""

    text: str
    words: str
    alone: bool


def _likely_meaning(text: str, comparators: Set[str], agrees: Agrees) -> _Meant | None:
    """What a text that is no expression says in other words, if that can stand at its place."""
    readings: dict[str, _Meant] = {}
    for other, words in likely_texts(text) if len(text) <= LONGEST_REWRITTEN else ():
        if other == "otherwise":  # the condition of a last outcome, which is no expression
            return _Meant(other, words, True)
        scalar = Scalar(other, Span(Source.of("", other), 0, len(other)))
        try:
            tree = _Parser(tokens_of(scalar), comparators).whole_expression()
            if agrees(tree, scalar):
                readings.setdefault(ast.dump(tree), _Meant(other, words, True))
        except (say.PlayError, RecursionError):
            continue
    first = next(iter(readings.values()), None)
    return first if first is None or len(readings) == 1 else first._replace(alone=False)


def span_of(node: ast.expr, near: Span) -> Span:
    """The place of a node in the source of `near`."""
    return Span(near.source, node.col_offset, node.end_col_offset or node.col_offset)


_CHAINS: tuple[tuple[str, type[ast.boolop]], ...] = (("or", ast.Or), ("and", ast.And))
"""Words between parts that are joined in chains, the loosest first."""

_OPERATORS: dict[str, tuple[int, type[ast.operator]]] = {
    "&": (1, ast.BitAnd),
    "+": (2, ast.Add),
    "-": (2, ast.Sub),
    "*": (3, ast.Mult),
    "/": (3, ast.Div),
}
"""How tightly each sign between two parts binds, from 1, and what it becomes."""

_NO_OPERATOR: tuple[int, type[ast.operator]] = (0, ast.operator)
_COMPARING = frozenset((*COMPARISONS, "is", "in"))
_WITH_WORDS = (TokenKind.SIGN, TokenKind.NAME)


class _Parser:
    """Goes through tokens. `words` are the texts of those that are signs or names, and empty for the others."""

    def __init__(self, tokens: list[Token], comparators: Set[str]) -> None:
        self.tokens, self.comparators = tokens, comparators
        self.words = [one.text if one.kind in _WITH_WORDS else "" for one in tokens]
        self.at = 0

    # Looking at tokens

    @property
    def here(self) -> Token:
        return self.tokens[self.at]

    @property
    def at_end(self) -> bool:
        return self.here.kind is TokenKind.END

    def is_next(self, text: str) -> bool:
        return self.words[self.at] == text

    def next(self) -> Token:
        token = self.tokens[self.at]
        self.at += 1
        return token

    def expect_token(self, text: str, opened: Token) -> Token:
        if not self.is_next(text):
            if self.at_end:
                raise say.PlayError(say.bracket_never_closed(opened.span, opened.text))
            raise say.PlayError(say.unexpected_token(self.here.span, self.here.text, text))
        return self.next()

    def with_span(self, node: ast.expr, start: int) -> ast.expr:
        node.lineno = node.end_lineno = 1
        node.col_offset = start
        node.end_col_offset = self.tokens[self.at - 1].span.end
        return node

    def special_form(self, name: str, start: int, *arguments: ast.expr) -> ast.expr:
        head = self.with_span(ast.Name(name, ast.Load()), start)
        return self.with_span(ast.Call(head, list(arguments), []), start)

    # From loosest to tightest

    def whole_expression(self) -> ast.expr:
        if self.at_end:
            raise say.PlayError(say.nothing_there(self.here.span))
        tree = self.where_or_by()
        if not self.at_end:
            raise say.PlayError(say.left_over(self.here.span, self.here.text, [*self.comparators, *_BETWEEN]))
        return tree

    def where_or_by(self) -> ast.expr:
        start = self.here.span.start
        left = self.fallback()
        while (word := self.words[self.at]) in ("where", "by"):
            self.next()
            left = self.special_form(f".{word}", start, left, self.fallback())
        return left

    def fallback(self) -> ast.expr:
        start = self.here.span.start
        left = self.conditional()
        if self.is_next("otherwise"):
            self.next()
            left = self.special_form(".otherwise", start, left, self.fallback())
        return left

    def conditional(self) -> ast.expr:
        start = self.here.span.start
        value = self.joined_parts()
        if not self.is_next("if"):
            return value
        opened = self.next()
        condition = self.joined_parts()
        if not self.is_next("else"):
            raise say.PlayError(say.if_without_else(opened.span))
        self.next()
        return self.with_span(ast.IfExp(condition, value, self.conditional()), start)

    def joined_parts(self, level: int = 0) -> ast.expr:
        """Parts joined by the word of a level, each of them of the next level."""
        if level == len(_CHAINS):
            return self.negation()
        word, operator = _CHAINS[level]
        start = self.here.span.start
        parts = [self.joined_parts(level + 1)]
        while self.is_next(word):
            self.next()
            parts.append(self.joined_parts(level + 1))
        return self.with_span(ast.BoolOp(operator(), parts), start) if len(parts) > 1 else parts[0]

    def negation(self) -> ast.expr:
        if not self.is_next("not"):
            return self.comparison()
        start = self.next().span.start
        return self.with_span(ast.UnaryOp(ast.Not(), self.negation()), start)

    def comparison(self) -> ast.expr:
        start = self.here.span.start
        left = self.binary()
        if self.words[self.at] in self.comparators:
            comparator = self._name(self.next())
            compared = self.special_form(".compare", start, left, comparator, self.binary())
            self._refuse_chain()
            return compared
        operators: list[ast.cmpop] = []
        operands: list[ast.expr] = []
        denied = False
        while (word := self.words[self.at]) in _COMPARING or word == "not":
            token = self.next()
            if token.text == "not":
                if not self.is_next("in"):
                    raise say.PlayError(say.not_in_the_middle(token.span, self.here.text))
                denied, token = True, self.next()
            if token.text == "is" and self.is_next("not"):
                self.next()
                denied = True
            operator = {"is": ast.Is, "in": ast.In}.get(token.text) or COMPARISONS[token.text]
            operators.append(operator())
            operands.append(self.binary())
            directions = {type(operator).__name__[:2] for operator in operators}
            if len(operators) > 1 and (len(directions) > 1 or directions & {"Eq", "No", "Is", "In"}):
                raise say.PlayError(say.chained_comparison(token.span))
        if not operators:
            return left
        self._refuse_chain()
        compared = self.with_span(ast.Compare(left, operators, operands), start)
        return self.with_span(ast.UnaryOp(ast.Not(), compared), start) if denied else compared

    def _refuse_chain(self) -> None:
        if self.words[self.at] in _COMPARING or self.words[self.at] in self.comparators:
            raise say.PlayError(say.chained_comparison(self.here.span))

    def binary(self, above: int = 0) -> ast.expr:
        """Parts joined by signs that bind tighter than `above`, by precedence climbing.

        Source: K. Clarke, "The top-down parsing of expressions" (1986).
        """
        start = self.here.span.start
        left = self.unary()
        while True:
            binding, operator = _OPERATORS.get(self.words[self.at], _NO_OPERATOR)
            if binding <= above:
                return left
            self.next()
            left = self.with_span(ast.BinOp(left, operator(), self.binary(binding)), start)

    def unary(self) -> ast.expr:
        if self.is_next("+") and self.tokens[self.at + 1].kind is TokenKind.NUMBER:  # `+1`, as people write a bonus
            self.next()
        if not self.is_next("-"):
            return self.dice_and_tags()
        start = self.next().span.start
        return self.with_span(ast.UnaryOp(ast.USub(), self.unary()), start)

    def dice_and_tags(self) -> ast.expr:
        """Dice with the tags that follow them: `(n)d6 wild`, `d8 trait body`."""
        start = self.here.span.start
        node, is_dice = self.postfix()
        tags: list[ast.expr] = []
        while is_dice and self._is_plain_name(self.here):
            tags.append(self._name(self.next()))
        return self.special_form(".tagged", start, node, *tags) if tags else node

    def _is_plain_name(self, token: Token) -> bool:
        return token.kind is TokenKind.NAME and token.text not in RESERVED and token.text not in self.comparators

    def postfix(self) -> tuple[ast.expr, bool]:
        start = self.here.span.start
        first = self.here
        node, is_dice = self.primary()
        while True:
            word = self.words[self.at]
            if word == ".":
                self.next()
                if self.here.kind is not TokenKind.NAME:
                    raise say.PlayError(say.no_field_name(self.here.span))
                node = self.with_span(ast.Attribute(node, self.next().text, ast.Load()), start)
            elif word == "(":
                if not isinstance(node, (ast.Name, ast.Attribute)):
                    raise say.PlayError(say.unexpected_token(self.here.span, "(", None))
                node = self.with_span(ast.Call(node, self._items(self.next(), ")"), []), start)
            elif not word and self.here.kind is TokenKind.DICE and self._follows_bracket(first):
                die = self.next()
                if die.text[0] != "d":
                    raise say.PlayError(say.unexpected_token(die.span, die.text, None))
                size = self.with_span(ast.Constant(int(die.text[1:])), die.span.start + 1)
                node, is_dice = self.special_form(".pool", start, node, size), True
            else:
                return node, is_dice

    def _follows_bracket(self, first: Token) -> bool:
        previous = self.tokens[self.at - 1]
        return previous.text == ")" and first.text == "(" and previous.span.end == self.here.span.start

    def primary(self) -> tuple[ast.expr, bool]:
        token = self.here
        start = token.span.start
        if token.kind is TokenKind.NUMBER:
            self.next()
            return self.with_span(ast.Constant(int(token.text)), start), False
        if token.kind is TokenKind.DICE:
            self.next()
            number, _, size = token.text.partition("d")
            sides = self.with_span(ast.Constant(int(size)), start)
            if not number:
                return self.special_form(".die", start, sides), True
            return self.special_form(".pool", start, self.with_span(ast.Constant(int(number)), start), sides), True
        if token.kind is TokenKind.CODE:
            self.next()
            return self.special_form(".code", start, self.with_span(ast.Constant(int(token.text[:-1])), start)), False
        if token.kind is TokenKind.NAME:
            self.next()
            if token.text in ("yes", "no"):
                return self.with_span(ast.Constant(token.text == "yes"), start), False
            if token.text == "none":
                return self.with_span(ast.Constant(None), start), False
            if token.text in RESERVED or token.text in self.comparators:
                raise say.PlayError(say.word_out_of_place(token.span, token.text))
            return self._name(token), False
        if self.is_next("("):
            opened = self.next()
            inside = self.where_or_by()
            self.expect_token(")", opened)
            return inside, False
        if self.is_next("["):
            opened = self.next()
            return self.with_span(ast.List(self._items(opened, "]"), ast.Load()), start), False
        if token.kind is TokenKind.END:
            raise say.PlayError(say.something_missing(token.span))
        raise say.PlayError(say.unexpected_token(token.span, token.text, None))

    def _name(self, token: Token) -> ast.expr:
        return self.with_span(ast.Name(token.text, ast.Load()), token.span.start)

    def _items(self, opened: Token, closing: str) -> list[ast.expr]:
        items: list[ast.expr] = []
        while not self.is_next(closing):
            items.append(self.where_or_by())
            if not self.is_next(","):
                break
            self.next()
        self.expect_token(closing, opened)
        return items
