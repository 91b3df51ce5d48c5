"""Build a tree from YAML events, in which every key and value has its place in the text.

The events come from PyYAML. The tree is built without recursion, so that no depth of nesting exhausts the stack.
Scalars keep their raw text: what `yes` or `08` means is decided by the type that is expected there. Anchors, aliases,
merges, tags, doubled keys and what exceeds the limits are refused.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Set
from dataclasses import field
from fractions import Fraction
from typing import Any

import yaml

from interpreter import diagnostics as say
from interpreter.diagnostics import Problems
from interpreter.diagnostics.source import RewrittenSource, Source, Span
from interpreter.frozen import dataclass
from interpreter.shown_text import UNSEEN, find_unseen
from interpreter.syntax import grammar, portable, yaml_events
from interpreter.syntax.names import NAME, WORD, normalize
from interpreter.syntax.yaml_hints import YamlProblem, tag_at, yaml_problem
from interpreter.values import MOST_BITS, in_words
from interpreter.work_count import foresee, spend


@dataclass(frozen=True)
class FileLimits:
    """The limits of a file: bytes of text, depth of nesting, number of nodes."""

    size: int = 1 << 20
    depth: int = 64
    nodes: int = 200_000


USUAL = FileLimits()
OF_A_NODE = 5
"""The units of work in which a node is read, and in which its shape is checked."""


@dataclass(frozen=True, eq=False, slots=True)
class Scalar:
    """`2d6 & d4`: one value, as raw text. `style` is YAML's: empty for plain, or one of `' " | >`.

    `base` is the expression that a house rule replaces with this one.
    `value` is a value that a host passed and that is no text, such as rolled dice.
    """

    text: str
    span: Span
    style: str = ""
    value: object = None
    base: Scalar | None = None

    @property
    def is_empty(self) -> bool:
        return not self.text and not self.style and self.value is None


@dataclass(frozen=True, eq=False, slots=True)
class Entry:
    """`key: value`"""

    key: Scalar
    value: Node


@dataclass(frozen=True, eq=False, slots=True)
class Mapping:
    """`{key: value, …}`, in the order of the text."""

    entries: tuple[Entry, ...]
    span: Span
    by_key: dict[str, Entry] = field(repr=False)

    def __contains__(self, key: str) -> bool:
        return key in self.by_key

    def get(self, key: str) -> Node | None:
        entry = self.by_key.get(key)
        return entry.value if entry else None

    def key(self, key: str) -> Scalar:
        return self.by_key[key].key


@dataclass(frozen=True, eq=False, slots=True)
class Sequence:
    """`[item, …]`"""

    items: tuple[Node, ...]
    span: Span


@dataclass(frozen=True, eq=False, slots=True)
class Broken:
    """An error node: its problem is reported, and it suppresses follow-up diagnostics."""

    span: Span


Node = Scalar | Mapping | Sequence | Broken


def entries_of(node: Node | None) -> tuple[Entry, ...]:
    """The entries of a mapping; none of another node."""
    return node.entries if isinstance(node, Mapping) else ()


def values_of(node: Node | None) -> dict[str, Node]:
    """The values of a mapping by key; none of another node."""
    return {entry.key.text: entry.value for entry in entries_of(node)}


def value_at(node: Node | None, key: str) -> Node | None:
    """The value under a key of a mapping; None where there is none."""
    return node.get(key) if isinstance(node, Mapping) else None


def items_of(node: Node | None) -> tuple[Node, ...]:
    """The items of a list; none of another node."""
    return node.items if isinstance(node, Sequence) else ()


def text_of(node: Node | None) -> str:
    """The raw text of a single value; empty for another node."""
    return node.text if isinstance(node, Scalar) else ""


def one_line_text(node: Node) -> str:
    """A value as an author writes it on one line: `{rank: 3, suit: 1}`."""
    match node:
        case Scalar():
            return node.text
        case Sequence():
            return f"[{', '.join(map(one_line_text, node.items))}]"
        case Mapping():
            return f"{{{', '.join(f'{one.key.text}: {one_line_text(one.value)}' for one in node.entries)}}}"
    return ""


def parse(source: Source, problems: Problems, limits: FileLimits = USUAL) -> Node | None:
    """The tree of a YAML text; None if it has none. Every problem is added to `problems`."""
    if len(source.text.encode("utf-8", "surrogatepass")) > limits.size:
        problems.add(say.file_too_large(Span(source, 0, 0), limits.size))
        return None
    unseen = _UNSEEN.search(source.text)
    if unseen is not None:
        span = Span(source, unseen.end() - 1, unseen.end())
        problems.add(say.unseen_character(span, ord(span.text)))
        return None
    text, left_out = source.text, set[int]()
    while True:
        own_problems = Problems()
        builder = _Builder(source, own_problems, limits, left_out)
        problem = _parse_into(text, builder)
        if problem is not None:
            problems.add(problem.diagnostic)
            value = problem.value
            if value is not None and value.start not in left_out and len(left_out) < MOST_SYNTAX_ERRORS:
                # Drop the value with the error and parse again, so that the rest of the file is checked too.
                left_out.add(value.start)
                text = text[: value.start] + "x" * (value.end - value.start) + text[value.end :]
                continue
        elif builder.root is None and not own_problems.errors:
            problems.add(say.empty_file(Span(source, 0, 0)))
        for one in (*own_problems, *(() if problem or own_problems.errors else builder.odd)):
            problems.add(one)
        return None if problem or builder.gave_up else builder.root


def _parse_into(text: str, builder: _Builder) -> YamlProblem | None:
    """Pass the events of a text to a builder. The problem if the text is not YAML."""
    try:
        for event in yaml_events.events(text):
            if not builder.take(event):
                builder.gave_up = True
                return None
    except yaml.MarkedYAMLError as error:
        return yaml_problem(builder.source, error)
    except yaml.YAMLError:
        return YamlProblem(say.not_yaml(Span(builder.source, 0, 0)))
    return None


MOST_SYNTAX_ERRORS = 20
"""The number of values with syntax errors after which the parser stops."""

_KEY_WITHOUT_SPACE = re.compile(rf"({NAME}):[{{\[(]")
_TORN_KEY = re.compile(rf"({WORD}+)\s*[{{\[]")
_UNSEEN = re.compile(f"{UNSEEN.pattern}|^[ ]*[^\\S\n\t ]", re.MULTILINE)
"""What nobody sees, and an indentation that is no space."""


@dataclass(slots=True)
class _Open:
    """A collection that is still open."""

    start: int
    flow: bool
    is_mapping: bool
    parts: list[Node] = field(default_factory=list)
    keys: dict[str, Scalar] = field(default_factory=dict)


class _Builder:
    """Builds the tree from events with a stack of open collections."""

    def __init__(self, source: Source, problems: Problems, limits: FileLimits, left_out: Set[int]) -> None:
        self.source, self.problems, self.limits, self.left_out = source, problems, limits, left_out
        self.size = len(source.text)
        self.stack: list[_Open] = []
        self.root: Node | None = None
        self.count = 0
        self.documents = 0
        self.gave_up = False
        self.at = 0
        """Where the text of the last event ends."""
        self.odd: list[say.Diagnostic] = []
        """What other readers refuse, which is told where there is no error."""

    def take(self, event: yaml.Event) -> bool:
        """Use one event; False if parsing must stop."""
        if isinstance(event, yaml.NodeEvent):  # most of them
            return self._node(event)
        if isinstance(event, yaml.CollectionEndEvent):
            opened = self.stack.pop()
            span = Span(self.source, opened.start, self._end_offset(event))
            if opened.flow:
                self._warn_of_gap(span.end)
                self._warn_of_indentation(span)
                self.at = span.end
            self._add_node(self._close(opened, span))
        elif isinstance(event, yaml.StreamEndEvent):
            self._warn_of_gap(self.size)
        elif isinstance(event, yaml.DocumentStartEvent):
            self.documents += 1
            if self.documents > 1:
                self.problems.add(say.second_document(self._span(event)))
                return False
        return True

    def _node(self, event: Any) -> bool:
        if isinstance(event, yaml.AliasEvent):
            self.problems.add(say.anchor_or_alias(self._span(event)))
            return False
        self.count += 1
        spend(OF_A_NODE)
        if self.count > self.limits.nodes:
            self.problems.add(say.too_many_nodes(self._span(event), self.limits.nodes))
            return False
        if event.anchor is not None:
            self.problems.add(say.anchor_or_alias(self._span(event)))
            return False
        if event.tag is not None:
            self.problems.add(tag_at(self.source, self._span(event).start))
            return False
        self._warn_of_gap(event.start_mark.index)
        if isinstance(event, yaml.ScalarEvent):
            span = self._span(event)
            self.at = span.end
            style = event.style if event.style and event.style != "plain" else ""
            if span.start in self.left_out:
                self._add_node(Broken(span))
                return True
            unseen = find_unseen(event.value) if style else None  # only an escape writes one
            if unseen is not None:
                self.problems.add(say.unseen_character(span, ord(unseen)))
            self._warn_of_text(event.value, span, style)
            self._add_node(Scalar(normalize(event.value), _span_without_escapes(span, style), style))
            return True
        if len(self.stack) >= self.limits.depth:
            self.problems.add(say.too_deep(self._span(event), self.limits.depth))
            return False
        start = self._offset(event.start_mark)
        opened = _Open(start, bool(event.flow_style), isinstance(event, yaml.MappingStartEvent))
        self.at = start + (opened.flow and self.source.text[start : start + 1] in ("[", "{"))  # `[a: 1]` has no brace
        self.stack.append(opened)
        return True

    # What other readers refuse ---------------------------------------------------------------------------------------

    def _warn_of_text(self, text: str, span: Span, style: str) -> None:
        if style:
            self._warn_of_indentation(span)
            odd = portable.odd_block(span.text, text) if style in ("|", ">") else None
            if odd is not None:
                place = Span(self.source, span.start + odd, span.start + odd + 1)
                self.odd.append(say.layout_refused_elsewhere(place))
        elif not portable.is_portable(text, self._in_flow) or self.source.text.find("\t", span.start, span.end) >= 0:
            self.odd.append(say.refused_elsewhere(span))

    def _warn_of_gap(self, end: int) -> None:
        """Warn of a tab, a `?` or a comment between the last event and the next that others read otherwise."""
        sign = portable.odd_sign(self.source.text, self.at, end)
        if sign is not None:
            self.odd.append(say.layout_refused_elsewhere(Span(self.source, sign, sign + 1)))

    def _warn_of_indentation(self, span: Span) -> None:
        """Warn of text in brackets or quotes that begins or goes on further left than others allow."""
        block = self.stack[-1] if self.stack else None
        if block is None or block.flow or (block.is_mapping and len(block.parts) % 2 == 0):  # a key
            return
        indent = self.source.position(block.start)[1] - 1
        line = portable.shallow_line(self.source.text, span.start, span.end, indent)
        if line is not None:
            self.odd.append(say.layout_refused_elsewhere(Span(self.source, line, line + 1)))

    @property
    def _in_flow(self) -> bool:
        return bool(self.stack) and self.stack[-1].flow

    # The tree --------------------------------------------------------------------------------------------------------

    def _add_node(self, node: Node) -> None:
        if self.stack:
            self.stack[-1].parts.append(node)
        else:
            self.root = node

    def _close(self, opened: _Open, span: Span) -> Node:
        parts = opened.parts
        if opened.flow:
            parts = _without_comma_traps(opened, self.problems)
        if not opened.is_mapping:
            return Sequence(tuple(parts), span)
        entries: dict[str, Entry] = {}
        foresee(2 * len(parts))
        for key, value in zip(parts[::2], parts[1::2], strict=True):
            if isinstance(key, Scalar) and not key.style and not opened.flow:
                key, value = self._with_its_colon(key, value)
            if not isinstance(key, Scalar):
                if not isinstance(key, Broken):
                    self.problems.add(say.key_is_no_word(key.span))
                continue
            if "\n" in key.text:
                self.problems.add(say.key_in_several_lines(key.span))
                continue
            if key.text == "<<" and not key.style:
                self.problems.add(say.merge_key(key.span))
                continue
            if key.text in entries and self._is_item and key.text == next(iter(entries)):
                self.problems.add(say.item_without_dash(key.span, key.text, entries[key.text].key.span))
                break
            if key.text in entries:
                self.problems.add(say.doubled_key(key.span, key.text, entries[key.text].key.span))
                continue
            entries[key.text] = Entry(key, value)
        alike = portable.keys_alike_for_others((text, not one.key.style) for text, one in entries.items())
        for text in alike:
            self.odd.append(say.same_key_elsewhere(entries[text].key.span))
        return Mapping(tuple(entries.values()), span, entries)

    @property
    def _is_item(self) -> bool:
        """Whether the mapping that ends here is an item of a list."""
        return bool(self.stack) and not self.stack[-1].is_mapping

    def _with_its_colon(self, key: Scalar, value: Node) -> tuple[Scalar, Node]:
        """The key `total` of `total {roll: d6}`, which YAML reads as the key `total {roll`."""
        if match := _KEY_WITHOUT_SPACE.match(key.text):
            span = Span(self.source, key.span.start, key.span.start + match.end(1))
            self.problems.add(say.no_space_after_colon(span))
            return Scalar(match[1], span), Broken(value.span)
        match = _TORN_KEY.match(key.text)
        if match is None:
            return key, value
        span = Span(self.source, key.span.start, key.span.start + match.end(1))
        self.problems.add(say.no_colon(span))
        return Scalar(match[1], span), Broken(value.span)

    def _span(self, event: Any) -> Span:
        start, end = self._offset(event.start_mark), self._end_offset(event)
        if start == end and self._in_flow:  # nothing: the readers place it before or behind the blanks that follow
            start = end = portable.BLANK.match(self.source.text, start).end()  # type: ignore[union-attr]
        return Span(self.source, start, end)

    def _offset(self, mark: Any) -> int:
        """The character at a mark; the mark of the end may be behind the last one."""
        index: int = mark.index
        return index if index < self.size else self.size

    def _end_offset(self, event: Any) -> int:
        # A block collection ends where the next token starts; step back over the white space between.
        text, start, end = self.source.text, event.start_mark.index, self._offset(event.end_mark)
        while end > start and text[end - 1] in " \n":
            end -= 1
        return end


_ESCAPES = {
    "'": re.compile("''"),
    '"': re.compile(r"\\(?:x(?P<x>..)|u(?P<u>....)|U(?P<U>.{8})|(?P<line>\n[ \t]*)|(?P<one>.))"),
}


def _span_without_escapes(span: Span, style: str) -> Span:
    """The place of a text in quotes, with the characters that its escapes stand for."""
    escape = _ESCAPES.get(style)
    if escape is None or ("\\" if style == '"' else "''") not in (inside := span.text[1:-1]):
        return span
    start = span.start + 1
    escapes = [(start + one.start(), start + one.end(), _character(one)) for one in escape.finditer(inside)]
    return Span(RewrittenSource.of_parts(span.source, escapes), span.start, span.end)


def _character(escape: re.Match[str]) -> str:
    """The character that an escape in a text without syntax errors stands for."""
    if escape[0] == "''":
        return "'"
    if escape["line"]:
        return ""
    code = escape["x"] or escape["u"] or escape["U"]
    return chr(int(code, 16)) if code else yaml.scanner.Scanner.ESCAPE_REPLACEMENTS[escape["one"]]


def _without_comma_traps(opened: _Open, problems: Problems) -> list[Node]:
    """The parts of a flow collection. An expression that was split at a comma is reported and becomes `Broken`.

    YAML reads `{to: max(0, x)}` as two keys: `to` with the value `max(0`, and `x)` without a value.
    """
    parts, step = opened.parts, 2 if opened.is_mapping else 1
    kept: list[Node] = []
    position = 0
    while position < len(parts):
        entry = parts[position : position + step]
        position += step
        if opened.is_mapping and kept and _is_torn_off(*entry):
            whole = kept[-1].span.to(entry[0].span)
            problems.add(
                say.torn_at_comma(
                    entry[0].span, entry[0].span.text, whole, _is_continued_after_comma(kept[-2], entry[0])
                )
            )
            kept[-1] = Broken(whole)
            continue
        depth = _open_brackets(entry[-1])
        if depth <= 0:
            kept += entry
            continue
        end = entry[-1].span
        while position < len(parts) and depth > 0:
            following = parts[position : position + step]
            position += step
            depth += sum(_open_brackets(part) for part in following)
            end = following[0].span
        problems.add(say.comma_trap(entry[-1].span.to(end)))
        kept += [*entry[:-1], Broken(entry[-1].span.to(end))]
    return kept


def _is_continued_after_comma(key: Node, torn: Node) -> bool:
    """Whether the text at a key goes on after a comma: people read it, and what follows is no key without its colon."""
    if not isinstance(key, Scalar) or key.text not in grammar.TEXT_KEYS or not isinstance(torn, Scalar):
        return False
    return torn.text.rstrip()[-1:] in ".?!" or torn.text.split()[0] not in grammar.ALL_KEYS


def _is_torn_off(key: Node, value: Node) -> bool:
    """Whether a key has no `:`, because it is the part of a value after a comma."""
    if not isinstance(key, Scalar) or not isinstance(value, Scalar) or not value.is_empty:
        return False
    behind = key.span.source.text[key.span.end : key.span.end + 80].lstrip()
    return behind[:1] in (",", "}", "#")


def _open_brackets(node: Node) -> int:
    if not isinstance(node, Scalar) or node.style:
        return 0
    return node.text.count("(") - node.text.count(")")


_WHOLE_NUMBER = re.compile(r"-?\d{1,18}", re.ASCII)


def parse_whole_number(text: str) -> int | None:
    """The whole number that a text is, with at most 18 ASCII digits; None for any other text."""
    return int(text) if _WHOLE_NUMBER.fullmatch(text.strip()) else None


MOST_SHARE_DIGITS = 4_000
"""The most digits of a numerator or denominator: as many as Python converts to text."""

_DIGITS = rf"\d{{1,{MOST_SHARE_DIGITS}}}"
_SHARE = re.compile(rf"-?{_DIGITS}(?:/{_DIGITS}|\.{_DIGITS})?", re.ASCII)


def parse_share(text: str) -> Fraction | None:
    """The value of `5/18` or `0.25`. Exponents are refused, since they could make the number arbitrarily long."""
    try:
        return Fraction(text.strip()) if _SHARE.fullmatch(text.strip()) else None
    except ZeroDivisionError:
        return None


def scalars(node: Node) -> Iterator[Scalar]:
    """Every scalar value of a tree, without keys, in the order of the text."""
    stack = [node]
    while stack:
        here = stack.pop()
        if isinstance(here, Scalar):
            yield here
        elif isinstance(here, Sequence):
            stack += reversed(here.items)
        elif isinstance(here, Mapping):
            stack += [entry.value for entry in reversed(here.entries)]


def to_python(node: Node) -> Any:
    """What is written at a node as mappings, tuples and texts, without places and comments."""
    if isinstance(node, Mapping):
        return {entry.key.text: to_python(entry.value) for entry in node.entries}
    return tuple(map(to_python, node.items)) if isinstance(node, Sequence) else text_of(node)


def from_python(value: object, label: str) -> Node:
    """The tree of data that a host passes. Its source, which problems show, is one line of text after `label`.

    Mappings, lists, tuples, text, whole numbers and truth values become the nodes that YAML would make of them; any
    other value is kept in a scalar, and its type is checked later.
    """
    if not isinstance(value, (dict, list, tuple)):  # the usual case
        text, keep = _scalar_text(value)
        source = Source(label, f"{label}: {text}")
        return _scalar(text, source, len(source.text) - len(text), keep)
    pieces = _Pieces(f"{label}: ")
    plan: list[tuple[Any, ...]] = []
    _plan_nodes(value, pieces, plan, 0)
    source = Source(label, "".join(pieces.texts))
    return _node_from_plan(iter(plan), source)


class _Pieces:
    """A text under construction, with its length."""

    def __init__(self, start: str) -> None:
        self.texts, self.length = [start], len(start)

    def add(self, text: str) -> int:
        """Append a text; the offset where it starts."""
        self.texts.append(text)
        self.length += len(text)
        return self.length - len(text)


def _plan_nodes(value: object, pieces: _Pieces, plan: list[tuple[Any, ...]], depth: int) -> None:
    if depth > USUAL.depth:
        raise say.PlayError(say.too_deep(Span(Source("", ""), 0, 0), USUAL.depth))
    if len(plan) > USUAL.nodes:
        raise say.PlayError(say.too_many_nodes(Span(Source("", ""), 0, 0), USUAL.nodes))
    if isinstance(value, dict):
        mark = len(plan)
        plan.append(())
        start = pieces.add("{")
        for number, (key, item) in enumerate(value.items()):
            if number:
                pieces.add(", ")
            name = _scalar_text(key)[0]
            plan.append(("key", name, pieces.add(f"{name}: ")))
            _plan_nodes(item, pieces, plan, depth + 1)
        pieces.add("}")
        plan[mark] = ("mapping", len(value), start, pieces.length)
    elif isinstance(value, (list, tuple)) and not hasattr(value, "_fields"):
        mark = len(plan)
        plan.append(())
        start = pieces.add("[")
        for number, item in enumerate(value):
            if number:
                pieces.add(", ")
            _plan_nodes(item, pieces, plan, depth + 1)
        pieces.add("]")
        plan[mark] = ("sequence", len(value), start, pieces.length)
    else:
        text, keep = _scalar_text(value)
        plan.append(("scalar", text, pieces.add(text), keep))


def _scalar_text(value: object) -> tuple[str, Any]:
    """A value as text, with the value itself if the text does not express all of it."""
    if isinstance(value, int) and value.bit_length() > MOST_BITS:
        return in_words(value), value
    text = ("yes" if value else "no") if isinstance(value, bool) else "none" if value is None else normalize(str(value))
    return text, None if isinstance(value, (str, bool, int)) else value


def _scalar(text: str, source: Source, start: int, value: Any) -> Scalar:
    return Scalar(text, Span(source, start, start + len(text)), "" if text else "'", value)


def _node_from_plan(plan: Iterator[tuple[Any, ...]], source: Source) -> Node:
    kind, *rest = next(plan)
    if kind == "scalar":
        text, start, value = rest
        return _scalar(text, source, start, value)
    count, start, end = rest
    span = Span(source, start, end)
    if kind == "sequence":
        return Sequence(tuple(_node_from_plan(plan, source) for _ in range(count)), span)
    entries: dict[str, Entry] = {}
    for _ in range(count):
        _, key, at = next(plan)
        entries[key] = Entry(Scalar(key, Span(source, at, at + len(key))), _node_from_plan(plan, source))
    return Mapping(tuple(entries.values()), span, entries)
