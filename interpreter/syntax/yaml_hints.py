"""Turn syntax errors of PyYAML into diagnostics that name the mistake.

PyYAML reports the position of an error and what it was reading. The mistake is guessed from the text around that
position. Most mistakes are inside one value, `YamlProblem.value`; the parser drops it and reads on, so that all other
problems of the file are found too.
"""

from __future__ import annotations

import re

import yaml

from interpreter import diagnostics as say
from interpreter.diagnostics import Diagnostic
from interpreter.diagnostics.source import Source, Span
from interpreter.frozen import dataclass
from interpreter.syntax import grammar

_VALUE = re.compile(
    r"""\s*(?:-\ +)*(?P<key>[^\s'"\[\]{}\#&*!|>%@`-][^:\#]*?|'[^']*'|"[^"]*")\ *:\ +(?P<value>\S.*?)(?:\s+\#.*)?$""",
    re.VERBOSE,
)
_KEY_WITHOUT_SPACE = re.compile(r"\s*(?:- +)*(?P<key>[^\W\d_]\w*):(?P<rest>[^\s:].*)$")


@dataclass(frozen=True, slots=True)
class YamlProblem:
    """A diagnostic, and the value that the parser can drop to read on; None if it must stop."""

    diagnostic: Diagnostic
    value: Span | None = None


def yaml_problem(source: Source, error: yaml.MarkedYAMLError) -> YamlProblem:
    """The diagnostic for a syntax error of PyYAML."""
    place = _Place(source, error)
    context = error.context or ""
    if place.tab is not None:
        return YamlProblem(say.tab_indents(place.tab))
    if (comment := _sign_of_other_comment(place)) is not None:
        return YamlProblem(say.other_comment(comment))
    if (quote := _unclosed_quote(place)) is not None:
        return YamlProblem(say.quote_not_closed(quote))
    if "quoted scalar" in context:
        if place.at >= len(source.text.rstrip()):
            return YamlProblem(say.quote_not_closed(place.start))
        return YamlProblem(say.bad_escape(place.span(2)), place.value)
    if "block scalar" in context:
        value = place.value or place.start
        key = re.search(r"(\w+):[ \t]*$", source.text[: value.start])
        return YamlProblem(say.block_by_sign(value, key is not None and key[1] in grammar.TEXT_KEYS), place.value)
    if "flow" in context and "node" not in context:
        return _unfinished_flow(place)
    if "directive" in context:  # the loaders report different characters, and no ruleset needs a directive
        return YamlProblem(say.not_yaml(tag_at(source, place.start.start).span))
    if "tag" in context:
        return YamlProblem(tag_at(source, place.start.start))
    if "anchor" in context or "alias" in context:
        return _text_after_value(place) if place.follows_a_value else _cannot_start(place)
    if "simple key" in context:
        return _missing_colon(place)
    if "token" in context or "node" in context:
        return _cannot_start(place)
    if "document start" in (error.problem or ""):
        return YamlProblem(say.second_document(place.span()))
    if place.is_first_on_its_line and place.character == "-":
        return YamlProblem(say.item_among_keys(place.span()))
    if place.is_first_on_its_line:
        return _line_in_other_column(place)
    if place.character == ":":
        return _unexpected_colon(place)
    if place.character == "-":
        return _cannot_start(place)
    return _text_after_value(place)


def _sign_of_other_comment(place: _Place) -> Span | None:
    """The sign of a comment of another language that begins the line of the error, or one beside it."""
    lines = place.source.text.split("\n")
    for number in range(max(place.line - 1, 1), min(place.line + 1, len(lines)) + 1):
        begun = re.match(r"\s*(//|/\*|<!--|--\s|;)", lines[number - 1])
        if begun is not None:
            start = place.source.offset(number - 1, begun.start(1))
            return Span(place.source, start, start + len(begun[1].rstrip()))
    return None


def _line_in_other_column(place: _Place) -> YamlProblem:
    """A line that begins in another column than those around it, or whose key only looks like one."""
    if without_space := _key_without_space(place):
        return YamlProblem(say.no_space_after_colon(without_space))
    for number in (place.line, place.line - 1):
        line = place.source.line(number) if number > 0 else ""
        if assigned := re.match(r"\s*([^\W\d_]\w* = \S.*?)\s*$", line):
            start = place.source.offset(number - 1, assigned.start(1))
            return YamlProblem(say.no_colon(Span(place.source, start, start + len(assigned[1]))))
    above = next((text for number in range(place.line - 1, 0, -1) if (text := place.source.line(number)).strip()), "")
    item = re.match(r" *- ", above)
    if item and len(item[0]) == place.indent(place.at):
        return YamlProblem(say.no_dash(place.first))
    shifted = _shifted_line(place) or place.first
    name = re.match(r" *name:", place.source.line(shifted.line))
    if name and re.search(rf"^ {{{shifted.column - 1}}}- name:", place.source.text, re.MULTILINE):
        return YamlProblem(say.no_dash(shifted))
    return YamlProblem(say.indented_otherwise(shifted))


def _shifted_line(place: _Place) -> Span | None:
    """The line above that stands too far left, so that YAML stumbles over the right one that follows it; None if the
    line of the error itself is shifted."""
    lines = place.source.text.splitlines()
    here = place.line - 1
    around = [number for number, text in enumerate(lines) if text.strip() and not text.lstrip().startswith("#")]
    indents = {number: len(lines[number]) - len(lines[number].lstrip()) for number in around}
    above, below = [n for n in reversed(around) if n < here], [n for n in around if n > here]
    at = indents.get(here, 0)
    if not above:
        return None
    if indents[above[0]] < at:  # the line before it has a value already
        odd = any(near and indents[near[0]] == at for near in (above[1:], below))
        return _start_of(place.source, above[0], indents) if odd else None
    parent = next((n for n in above if indents[n] < at), None)
    sibling = next((n for n in below if indents[n] <= at), None)
    if parent is None or sibling is None or indents[sibling] < at:
        return None
    return _start_of(place.source, parent, indents)


def _start_of(source: Source, number: int, indents: dict[int, int]) -> Span:
    start = source.offset(number, indents[number])
    return Span(source, start, start + 1)


_OPEN_QUOTE = re.compile(r"^ *(?:- +)*[\w ]+: +(?P<quote>[\"'])(?:(?!(?P=quote)).)*$")
_LIKE_A_KEY = re.compile(r" *(?:- +)*[^\W\d_][\w ]*:(?: |$)")


def _unclosed_quote(place: _Place) -> Span | None:
    """The first quote above an error that is not closed on its line, where the line below it looks like a key."""
    for number in range(1, place.line):
        opened = _OPEN_QUOTE.match(place.source.line(number))
        if opened and _LIKE_A_KEY.match(place.source.line(number + 1)):
            start = place.source.offset(number - 1, opened.start("quote"))
            return Span(place.source, start, start + 1)
    return None


def _key_without_space(place: _Place) -> Span | None:
    """The key of a line without a space after its `:`."""
    key = _KEY_WITHOUT_SPACE.match(place.source.line(place.line))
    return Span(place.source, place.line_start + key.start("key"), place.line_start + key.end("key")) if key else None


_TAG = re.compile(r"[^\s,\[\]{}]*")


def tag_at(source: Source, start: int) -> Diagnostic:
    """The diagnostic for a YAML tag, valid or not, that starts at an offset."""
    written = _TAG.match(source.text, start)
    span = Span(source, start, written.end() if written else start)
    return say.yaml_tag(span, span.text)


_OPENING = {"[": "a list", "{": "entries in braces", "'": "quoted text", '"': "quoted text"}


def _cannot_start(place: _Place) -> YamlProblem:
    if not place.source.text[place.at :].strip() and (opened := _last_opened(place)) is not None:
        return YamlProblem(say.bracket_not_closed(opened, commented_out=False))
    value = place.value_here
    return YamlProblem(say.cannot_start(value or place.span()), value)


def _last_opened(place: _Place) -> Span | None:
    """The last bracket that is open where the text ends, in the value of the last line that has one."""
    text = place.source.text[: place.at].rstrip()
    line = text.rfind("\n") + 1
    open_brackets: list[int] = []
    for at in range(line, len(text)):
        if text[at] in "{[":
            open_brackets.append(at)
        elif text[at] in "}]" and open_brackets:
            open_brackets.pop()
    return Span(place.source, open_brackets[-1], open_brackets[-1] + 1) if open_brackets else None


def _text_after_value(place: _Place) -> YamlProblem:
    """`[1, 3] & total`: text after a complete value."""
    value = place.value
    if value is not None and value.text[0] == "{" and (inner := place.value_here) and inner.end < value.end:
        opened = place.source.text.rfind("[", value.start, place.at)
        value = Span(place.source, opened, inner.end) if opened >= 0 else None
    if (
        value is not None
        and value.text[0] in "{["
        and re.fullmatch(r"\s*,", value.text[_closing_bracket(value.text) + 1 :])
    ):
        return YamlProblem(say.comma_behind(value.part(len(value.text) - 1, len(value.text))), value)
    if value is not None and value.text[0] in _OPENING:
        return YamlProblem(say.something_follows(value, _OPENING[value.text[0]]), value)
    if without_space := _key_without_space(place):
        return YamlProblem(say.no_space_after_colon(without_space))
    return YamlProblem(say.not_yaml(place.span()), value)


def _unexpected_colon(place: _Place) -> YamlProblem:
    """An unexpected `: `: the second of its line, or one after a line whose `:` has no space."""
    if place.value is not None and place.value.start < place.at:
        return YamlProblem(say.second_colon(place.span(), value=place.value), place.value)
    if (before := place.line_before() or _key_without_space(place)) is not None:
        return YamlProblem(say.no_space_after_colon(before))
    return _line_in_other_column(place)


def _missing_colon(place: _Place) -> YamlProblem:
    start = place.start.start
    if place.at - start > 1024:
        return YamlProblem(say.key_too_long(Span(place.source, start, start + 1)))
    text = place.source.line(place.start.line)[place.start.column - 1 :]
    without_space = _KEY_WITHOUT_SPACE.match(text)
    if without_space:
        return YamlProblem(say.no_space_after_colon(Span(place.source, start, start + without_space.end("key"))))
    return YamlProblem(say.no_colon(Span(place.source, start, start + len(text.split(" #")[0].rstrip()))))


def _unfinished_flow(place: _Place) -> YamlProblem:
    """Inside `{ }` or `[ ]`: the bracket is not closed, or a comma or quotes are missing."""
    opened = place.start
    later = place.source.position(place.at)[0] > opened.line
    at_end = place.at >= len(place.source.text.rstrip())
    if at_end or (later and place.indent(place.at) <= place.indent(opened.start)):
        rest = place.source.line(opened.line)[opened.column :]
        return YamlProblem(say.bracket_not_closed(opened, " #" in rest and ("}" in rest or "]" in rest)))
    closing = place.source.text.find("\n", place.at)
    whole = place.source.text[opened.start : closing if closing >= 0 else None]
    last = _closing_bracket(whole)
    value = Span(opened.source, opened.start, opened.start + last + 1) if last > 0 and not later else None
    if (question := _question_in_braces(place)) is not None:
        return YamlProblem(say.refused_elsewhere(question, here=True), question)
    if place.character in ":?":
        return YamlProblem(say.second_colon(place.span(), in_braces=True), value)
    return YamlProblem(say.comma_missing(place.span()), value)


_PLAIN_TO_QUESTION = re.compile(r"(?:^|[\[{,]|: ) *(?P<text>[^\s\[\]{},:#'\"](?:[^\[\]{},:\n]|:(?! ))*)$")


def _question_in_braces(place: _Place) -> Span | None:
    """The plain value with the `?` at which PyYAML's reader in Python ends it; libyaml reads it whole."""
    before = _PLAIN_TO_QUESTION.search(place.source.text[place.line_start : place.at])
    if place.character != "?" or before is None:
        return None
    rest = re.match(r"[^,\]}\n]*", place.source.text[place.at :])
    return Span(place.source, place.line_start + before.start("text"), place.at + len(rest[0].rstrip() if rest else ""))


def _closing_bracket(text: str) -> int:
    """The index at which the opening bracket of `text` is closed; the last closing bracket if they are unbalanced."""
    depth = 0
    for at, sign in enumerate(text):
        depth += (sign in "{[") - (sign in "}]")
        if depth == 0:
            return at
    return max(text.rfind("}"), text.rfind("]"))


class _Place:
    """The text around an error: its offset `at`, and the place `start` where the construct with the error starts."""

    def __init__(self, source: Source, error: yaml.MarkedYAMLError) -> None:
        self.source = source
        mark = error.problem_mark or error.context_mark
        began = error.context_mark or mark
        self.at = source.offset(mark.line, mark.column) if mark else 0
        start = source.offset(began.line, began.column) if began else 0
        self.start = Span(source, start, min(start + 1, len(source.text)))
        self.line = source.position(self.at)[0]
        self.line_start = self.at - source.position(self.at)[1] + 1

    @property
    def character(self) -> str:
        return self.source.text[self.at : self.at + 1]

    def span(self, width: int = 1) -> Span:
        return Span(self.source, self.at, min(self.at + width, len(self.source.text)))

    @property
    def value(self) -> Span | None:
        """The value after the first key of the line, without a comment."""
        match = _VALUE.match(self.source.line(self.line))
        if match is None:
            return None
        return Span(self.source, self.line_start + match.start("value"), self.line_start + match.end("value"))

    @property
    def value_here(self) -> Span | None:
        """The value that starts at the error: the value of the line, or one inside its braces."""
        value, at = self.value, self.start.start if self.start.line == self.line else self.at
        if value is None or at <= value.start or value.text[0] not in "[{":
            return value
        inside = re.match(r"[^,\]}\n]*", self.source.text[at : value.end])
        return Span(self.source, at, at + len(inside[0].rstrip())) if inside and inside[0].strip() else None

    @property
    def follows_a_value(self) -> bool:
        before = self.source.text[self.line_start : self.start.start].rstrip()
        return before[-1:] in ("]", "}", "'", '"')

    def indent(self, at: int) -> int:
        line = self.source.line(self.source.position(at)[0])
        return len(line) - len(line.lstrip())

    @property
    def first(self) -> Span:
        start = self.line_start + self.indent(self.at)
        return Span(self.source, start, min(start + 1, len(self.source.text)))

    @property
    def is_first_on_its_line(self) -> bool:
        return self.line_start + self.indent(self.at) == self.at

    @property
    def tab(self) -> Span | None:
        """The tab in the indentation of the line, if there is one."""
        line = self.source.line(self.line)
        before = line[: len(line) - len(line.lstrip())].find("\t")
        start = self.line_start + before
        return Span(self.source, start, start + 1) if before >= 0 else None

    def line_before(self) -> Span | None:
        """The key of the line above if there is no space after its `:`."""
        for number in range(self.line - 1, 0, -1):
            text = self.source.line(number)
            if not text.strip() or text.lstrip().startswith("#"):
                continue
            match = _KEY_WITHOUT_SPACE.match(text)
            start = self.source.offset(number - 1, 0)
            return Span(self.source, start + match.start("key"), start + match.end("key")) if match else None
        return None
