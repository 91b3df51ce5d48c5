"""A YAML text with everything that a layout must keep: values as they are written, comments and blank lines.

`syntax.document` keeps what a text says and drops how it is written; this tree keeps both. It is made of the same
events. Comments are looked for in the text between two events, where only white space, indicators and comments can
stand, so none is lost, whatever stands around it.

A comment belongs to an item, which is an entry of a mapping or an item of a sequence:

- behind a value, or behind a key whose value begins on a later line, it is *beside* that item;
- on a line of its own it is *above* the item that follows, unless it is indented like the block that ends before it:
  then it stands at the end of that block.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

import yaml

from interpreter.diagnostics.source import Source
from interpreter.syntax import portable, yaml_events
from interpreter.syntax.names import normalize
from interpreter.work_count import spend


@dataclass(eq=False, slots=True)
class Comment:
    """`# why`, without white space at its end.

    `column` is where it stands if it is behind something else, after a `gap` of blanks, and -1 if it has a line of its
    own. It `hugs` a value in
    `the #2 die`, where it may be no comment for whoever wrote it; `check` warns of that.
    """

    text: str
    column: int = -1
    after_blank_line: bool = False
    gap: int = 0
    hugs: bool = False


@dataclass(eq=False, slots=True)
class Leaf:
    """A key or a value; `style` is YAML's. A block of text has a `header` and its `lines` without their indentation.

    A key `is_like_another` where some reader of YAML takes both for the same.
    """

    text: str
    style: str
    column: int
    in_flow: bool = False
    is_missing: bool = False
    has_several_lines: bool = False
    header: str = ""
    lines: tuple[str, ...] = ()
    is_like_another: bool = False


@dataclass(eq=False, slots=True)
class Collection:
    """A mapping or a sequence; `end` are the comments after its last item."""

    is_mapping: bool
    in_flow: bool
    column: int
    items: list[Item] = field(default_factory=list)
    end: list[Comment] = field(default_factory=list)


@dataclass(eq=False, slots=True)
class Item:
    """`key: value` or `- value`.

    `column` is where it begins. `before_value` are comments between the key and the value or its first item, `beside`
    those behind the value. `offset` is how far a value on the line of its key is from the start of the key, and 0 for
    other values.
    """

    key: Leaf | None
    value: Leaf | Collection | None
    column: int
    above: list[Comment] = field(default_factory=list)
    after_blank_line: bool = False
    before_value: list[Comment] = field(default_factory=list)
    beside: list[Comment] = field(default_factory=list)
    offset: int = 0


@dataclass(eq=False, slots=True)
class Document:
    """A text: its only value, the comments above it and those after it."""

    root: Leaf | Collection | None = None
    top: list[Comment] = field(default_factory=list)
    end: list[Comment] = field(default_factory=list)


def read(source: Source) -> Document:
    """The tree of a text in which `document.parse` finds no problem. Raises yaml.YAMLError for what is not YAML."""
    return _read(source).document


def comments(source: Source) -> list[str]:
    """Every comment of a text, in order. Raises yaml.YAMLError for what is not YAML."""
    return [one.text for one in _read(source).comments]


def _read(source: Source) -> _Reader:
    reader = _Reader(source.text)
    for event in yaml_events.events(source.text):
        reader.take(event)
    return reader


OF_AN_EVENT = 8
"""The units of work in which an event gets its place in the tree."""
_COMMENT = re.compile(r"#[^\n]*")
_HEADER = re.compile(r"([|>][-+0-9]*)[ \t]*(#[^\n]*)?")
_BEFORE_AN_ITEM = re.compile(r"[ \t-]*")
_NEXT_ITEM = -1
"""The column of a comment that stands behind the dash or the comma of the item after it."""


class _Reader:
    """Builds the tree from events, and gives each comment its place."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.document = Document()
        self.comments: list[Comment] = []
        self.at = 0
        """Where the text of the events so far ends."""
        self.open: list[Collection] = []
        self.closed: list[Collection] = []
        """The blocks that have ended since the last item began, from the innermost."""
        self.last: Item | None = None
        """The item that a comment behind the last event is about."""

    def take(self, event: yaml.Event) -> None:
        """Use one event."""
        spend(OF_AN_EVENT)
        if isinstance(event, yaml.ScalarEvent):
            self._scalar(event)
        elif isinstance(event, yaml.CollectionStartEvent):
            self._start_collection(event)
        elif isinstance(event, yaml.CollectionEndEvent):
            self._end_collection(event)
        elif isinstance(event, yaml.StreamEndEvent):
            self._end_text()

    # Events ----------------------------------------------------------------------------------------------------------

    def _scalar(self, event: Any) -> None:
        start, end = event.start_mark.index, min(event.end_mark.index, len(self.text))
        style = event.style if event.style in ("'", '"', "|", ">") else ""
        in_flow = bool(self.open) and self.open[-1].in_flow
        written = self.text[start:end]
        leaf = Leaf(normalize(event.value), style, event.start_mark.column, in_flow, start == end, "\n" in written)
        item = self._add_to_tree(leaf, start)
        self.at = max(self.at, end)
        if style in ("|", ">"):
            leaf.header, leaf.lines = _block(written, event.value)
            header = _HEADER.match(written)
            if header is not None and header[2]:
                comment = self._comment(header[2], start + header.start(2))
                (item.beside if item is not None else self.document.end).append(comment)

    def _start_collection(self, event: Any) -> None:
        start, in_flow = event.start_mark.index, bool(event.flow_style)
        collection = Collection(isinstance(event, yaml.MappingStartEvent), in_flow, event.start_mark.column)
        if in_flow or not self.open or not self.open[-1].is_mapping:
            self._add_to_tree(collection, start)
            has_bracket = in_flow and self.text[start : start + 1] in ("{", "[")  # `[a: 1]` has no brace
            self.at = max(self.at, start + has_bracket)
        else:  # its first item is where the text goes on, and takes the comments before it
            self.open[-1].items[-1].value = collection
        self.open.append(collection)

    def _end_collection(self, event: Any) -> None:
        collection = self.open.pop()
        if collection.is_mapping:
            keys = [one.key for one in collection.items if one.key is not None]
            alike = portable.keys_alike_for_others((key.text, not key.style) for key in keys)
            for key in keys:
                key.is_like_another = key.text in alike
        if not collection.in_flow:
            self.closed.append(collection)
            return
        end = min(event.end_mark.index, len(self.text))
        for comment, column in self._comments_up_to(end):
            if column is None:
                self._attach_comment(comment, collection)
            else:
                collection.end.append(comment)
        self.at = max(self.at, end)
        self.last = self.open[-1].items[-1] if self.open else None

    def _end_text(self) -> None:
        for comment, column in self._comments_up_to(len(self.text)):
            if column is None:
                self._attach_comment(comment)
            elif self.document.end or not self._end_block_with(comment, column, -1):
                self.document.end.append(comment)

    # Items -----------------------------------------------------------------------------------------------------------

    def _add_to_tree(self, node: Leaf | Collection, start: int) -> Item | None:
        """Put a key or a value into the tree. The item that it begins, or whose value it is; None for the root."""
        if not self.open:
            self.document.root = node
            self.document.top += [comment for comment, _ in self._comments_up_to(start)]
            return None
        inside = self.open[-1]
        if inside.is_mapping and inside.items and inside.items[-1].value is None:
            item = inside.items[-1]
            if item.key is not None and "\n" not in self.text[self.at : start] and not item.key.has_several_lines:
                item.offset = node.column - item.key.column
            item.before_value += [comment for comment, _ in self._comments_up_to(start)]
            item.value = node
            self.last = item
            return item
        begins = node.column if inside.in_flow else inside.column
        if inside.is_mapping and isinstance(node, Leaf):
            item = Item(node, None, begins)
        else:
            item = Item(None, node, begins)
        for comment, column in self._comments_up_to(start):
            if column is None:
                self._attach_comment(comment, inside)
            elif item.above or not self._end_block_with(comment, column, inside.column):
                item.above.append(comment)
        item.after_blank_line = self._follows_blank_line(start)
        self.closed.clear()
        inside.items.append(item)
        self.last = item
        return item

    # Comments --------------------------------------------------------------------------------------------------------

    def _comments_up_to(self, end: int) -> list[tuple[Comment, int | None]]:
        """The comments up to `end`, each with its column, or None behind what stands before it on its line."""
        comments: list[tuple[Comment, int | None]] = []
        for match in _COMMENT.finditer(self.text, self.at, max(end, self.at)):
            start = match.start()
            line = self.text.rfind("\n", 0, start) + 1
            before = self.text[line:start]
            if line <= self.at and before.strip():
                comments.append((self._comment(match[0], start), None))
                continue
            comment = self._comment(match[0], start)
            comment.column, comment.hugs = -1, False
            comment.after_blank_line = self._follows_blank_line(start)
            comments.append((comment, _NEXT_ITEM if before.strip() else len(before)))
        return comments

    def _comment(self, text: str, start: int) -> Comment:
        line = self.text.rfind("\n", 0, start) + 1
        before = self.text[line:start]
        gap = len(before) - len(before.rstrip())
        hugs = text[1:2].isalnum() and before.endswith(" ") and gap == 1
        comment = Comment(text.rstrip(), len(before), False, gap, hugs)
        self.comments.append(comment)
        return comment

    def _follows_blank_line(self, start: int) -> bool:
        """Whether what begins at an offset is the first of its line, after a blank line."""
        line = self.text.rfind("\n", 0, start) + 1
        if line == 0 or not _BEFORE_AN_ITEM.fullmatch(self.text, line, start):
            return False
        return not self.text[self.text.rfind("\n", 0, line - 1) + 1 : line].strip()

    def _attach_comment(self, comment: Comment, inside: Collection | None = None) -> None:
        """Put a comment behind the last item, or behind its key, if the next event stands `inside` its value."""
        if self.last is None:
            is_above = self.document.root is None or inside is not None
            (self.document.top if is_above else self.document.end).append(comment)
        elif self.last.value is None or (inside is not None and self.last.value is inside):
            self.last.before_value.append(comment)
        else:
            self.last.beside.append(comment)

    def _end_block_with(self, comment: Comment, column: int, outer: int) -> bool:
        """Put a comment at the end of a block that has ended, if it is indented like it, and more than `outer`."""
        if column <= outer:
            return False
        for number, block in enumerate(self.closed):
            if block.column <= column:
                block.end.append(comment)
                del self.closed[:number]
                return True
        return False


def _block(written: str, text: str) -> tuple[str, tuple[str, ...]]:
    """The header and the lines of a block of text as it is `written`, without its indentation.

    The header is empty if the block has white space alone, whose indentation cannot be told.
    """
    found = _HEADER.match(written)
    assert found is not None
    header = "".join(sign for sign in found[1] if not sign.isdigit())
    if text and not text.endswith("\n"):  # at the end of a file, which has no line break yet
        header = f"{header[0]}-"
    if not text.strip():
        return ("" if text else header), ()
    lines = written.split("\n")[1:]
    first = next(line for line in lines if line.strip())
    own = next(line for line in text.split("\n") if line.strip())
    indent = (len(first) - len(first.lstrip(" "))) - (len(own) - len(own.lstrip(" ")))
    kept = [line[indent:] for line in lines]
    if kept and not kept[-1]:
        kept.pop()
    while not header.endswith("+") and kept and not kept[-1]:
        kept.pop()
    return header, tuple(kept)
