"""The one layout of a file of a ruleset.

- Two spaces indent a block, also the items of a list below their key. A value stands on the line of its key.
- What the author wrote in braces or brackets stays there if it fits on a line of 120 characters. Otherwise each of its
  entries gets a line, without braces; so does what has a comment inside.
- What the author wrote as a block stays a block, and the order stays as it is.
- Values on adjoining lines that the author put in one column stay in one, as near as the longest key allows. All
  others stand one space behind their key.
- Quotes, double ones, stand where some reader of YAML needs them (`syntax/portable.py`), and stay where one would take
  a text for a number.
- A text that is too long for its line is folded after `>-`; the lines of a block of text stay as they are.
- A comment stays at its line: in its column if it had one and there is room, otherwise two spaces behind. One that has
  a line of its own is indented like what follows it, or like the block that it ends.
- One blank line stays of several. No white space ends a line, and one line break ends the file.

The layout is written from the tree of the events, not with the round trip of ruamel.yaml: that keeps comments with the
token before them, so that they move when a value changes its form, cannot say how long a line is before it writes it,
and breaks a mapping in braces in the middle of an entry. All that is needed beside the reader of rulesets is a place
for each comment, in `tree.py`; and its word on what is plain and what needs quotes is the one that counts.
"""

from __future__ import annotations

import textwrap
from dataclasses import dataclass, field

from interpreter.diagnostics.source import Source
from interpreter.formatting.scalar_text import plain_or_quoted
from interpreter.formatting.tree import Collection, Comment, Document, Item, Leaf, read
from interpreter.work_count import spend

WIDTH = 120
"""The most characters of a line that can be broken."""

_LEAST_COLUMN_GAP = 4
"""The least number of blanks before a comment that somebody put in a column."""

_LEAST_FOLDED = 40
"""The least width of folded text, however deep it stands."""

OF_AN_ITEM = 8
"""The units of work in which an item is written."""


def lay_out(source: Source) -> str:
    """A text in which `document.parse` finds no problem, in the one layout."""
    tree = read(source)
    if not isinstance(tree.root, Collection):
        return source.text  # a single value, or nothing: no ruleset has that form
    lines: list[str] = []
    _write_comments(tree.top, 0, lines)
    _write_root(tree, tree.root, lines)
    _write_comments(tree.end, 0, lines)
    return "\n".join(lines) + "\n"


def _write_root(tree: Document, root: Collection, lines: list[str]) -> None:
    whole = _inline(root) if root.in_flow or not root.items else None
    if not root.items or (whole is not None and len(whole) <= WIDTH):
        _write_comments(root.end, 0, lines)
        lines.append(whole or "{}")
        return
    _write_rows(_rows(root, 0), 0, lines)
    _write_comments(root.end, 0, lines)


# Items ---------------------------------------------------------------------------------------------------------------


@dataclass(eq=False, slots=True)
class _Row:
    """An item as it will stand. `text` is its value on the line of its key; None if lines of its own follow."""

    item: Item
    key: str
    text: str | None
    above: list[Comment]
    beside: Comment | None
    end: list[Comment]
    column: int = 0
    """Where the value begins, from the start of the key."""
    inner: list[_Row] = field(default_factory=list)
    """The items of a block that begins on the line of a dash."""


def _rows(block: Collection, indent: int) -> list[_Row]:
    rows = [_row(item, indent) for item in block.items]
    _align(rows)
    return rows


def _write_rows(rows: list[_Row], indent: int, lines: list[str]) -> None:
    for row in rows:
        _write_comments(row.above, indent, lines)
        if row.item.after_blank_line:
            _write_blank_line(lines)
        _write_row(row, indent, lines)


def _row(item: Item, indent: int) -> _Row:
    spend(OF_AN_ITEM)
    key = f"{_scalar(item.key, False, True)}:" if item.key is not None else "-"
    text = _inline_value(item.value, WIDTH - indent - len(key) - 1)
    if isinstance(item.value, Collection) and text is None:
        return _row_of_block(item, item.value, key, indent)
    inside = item.value.end if isinstance(item.value, Collection) else []  # of an empty collection
    behind = [*item.before_value, *inside, *item.beside]
    comment = behind.pop() if behind and behind[-1].column >= 0 else None
    return _Row(item, key, text, [*item.above, *behind], comment, [], len(key) + 1)


def _row_of_block(item: Item, block: Collection, key: str, indent: int) -> _Row:
    above, header, end = [*item.above], [*item.before_value], [*block.end]
    if _has_comments(block):
        end += item.beside
    else:
        header += item.beside
    if item.key is None:
        inner = _rows(block, indent + 2)
        inner[0].item.after_blank_line = False
        above += header + inner[0].above
        inner[0].above = []
        return _Row(item, key, None, above, None, end, inner=inner)
    comment = header.pop() if header and header[-1].column >= 0 else None
    return _Row(item, key, None, above + header, comment, end)


def _align(rows: list[_Row]) -> None:
    """Give the values of adjoining rows that stood in one column the least column that they can share."""
    for group in _comment_columns(rows):
        column = max(len(row.key) + 1 for row in group)
        for row in group:
            row.column = column
        _align_entries(group)


def _comment_columns(rows: list[_Row]) -> list[list[_Row]]:
    groups: list[list[_Row]] = []
    last = 0
    for row in rows:
        offset = row.item.offset if row.text else 0
        if offset and offset == last and not row.item.after_blank_line:
            groups[-1].append(row)
        elif offset:
            groups.append([row])
        last = offset
    return groups


def _align_entries(group: list[_Row]) -> None:
    """Align the entries of rows like `{hit: done,  miss: nothing}` that have the same keys, each below the other."""
    values = [row.item.value for row in group]
    tables = [one for one in values if isinstance(one, Collection) and one.is_mapping and one.in_flow and one.items]
    if len(tables) < max(len(group), 2) or len({_columns(one) for one in tables}) > 1:
        return
    cells = [[f"{_scalar(one.key, True, True)}: {_inline(one.value)}" for one in table.items] for table in tables]
    widths = [max(map(len, column)) + 2 for column in zip(*cells, strict=True)]
    for row, own in zip(group, cells, strict=True):
        padded = [f"{cell}, ".ljust(width) for cell, width in zip(own[:-1], widths, strict=False)]
        row.text = f"{{{''.join(padded)}{own[-1]}}}"


def _columns(table: Collection) -> tuple[tuple[str, int], ...]:
    """The keys of a mapping in braces, and where they stood from its start."""
    return tuple((one.key.text, one.key.column - table.column) for one in table.items if one.key is not None)


def _write_row(row: _Row, indent: int, lines: list[str]) -> None:
    start, moved = " " * indent + row.key, indent - row.item.column
    value = row.item.value
    if row.text is not None:
        lines.append(_with_comment(f"{start}{' ' * (row.column - len(row.key))}{row.text}".rstrip(), row.beside, moved))
    elif isinstance(value, Leaf):
        header, body = _block_of_text(value, indent + 2)
        lines.append(_with_comment(f"{start} {header}", row.beside, moved))
        lines += body
    elif value is not None and row.item.key is not None:
        lines.append(_with_comment(start, row.beside, moved))
        _write_rows(_rows(value, indent + 2), indent + 2, lines)
    elif value is not None:
        inner: list[str] = []
        _write_rows(row.inner, indent + 2, inner)
        lines.append(f"{start} {inner[0][indent + 2 :]}")
        lines += inner[1:]
    _write_comments(row.end, indent + 2, lines)


# Comments and blank lines --------------------------------------------------------------------------------------------


def _write_comments(comments: list[Comment], indent: int, lines: list[str]) -> None:
    for one in comments:
        if one.after_blank_line:
            _write_blank_line(lines)
        lines.append(" " * indent + one.text)


def _write_blank_line(lines: list[str]) -> None:
    if lines and lines[-1]:
        lines.append("")


def _with_comment(line: str, comment: Comment | None, moved: int) -> str:
    """A line with the comment behind it, which moves as far as the start of the line has moved."""
    if comment is None:
        return line
    column = comment.column + moved
    if comment.gap < _LEAST_COLUMN_GAP or column < len(line) + _LEAST_COLUMN_GAP:
        column = len(line) + (1 if comment.hugs else 2)
    return line.ljust(column) + comment.text


def _has_comments(node: Leaf | Collection | None) -> bool:
    """Whether a comment stands inside a value."""
    if not isinstance(node, Collection):
        return False
    return bool(node.end) or any(
        one.above or one.before_value or one.beside or _has_comments(one.value) for one in node.items
    )


# Values --------------------------------------------------------------------------------------------------------------


def _inline_value(value: Leaf | Collection | None, room: int) -> str | None:
    """A value as it stands on the line of its key; None if it needs lines of its own."""
    if isinstance(value, Collection):
        if not value.items:
            return "{}" if value.is_mapping else "[]"
        text = _inline(value) if value.in_flow else None
        return text if text is not None and len(text) <= room else None
    if value is None:
        return ""
    if _is_block_of_text(value):
        return None
    text = _scalar(value, False, False)
    return text if len(text) <= room or not _can_be_folded(value.text) else None


def _inline(value: Leaf | Collection | None) -> str | None:
    """A value within braces or brackets; None if a comment stands inside."""
    if not isinstance(value, Collection):
        return _scalar(value, True, False)
    if _has_comments(value):
        return None
    spend(OF_AN_ITEM * len(value.items))
    items = [f"{f'{_scalar(one.key, True, True)}: ' if one.key is not None else ''}{_inline(one.value)}"
             for one in value.items]  # fmt: skip
    return f"{{{', '.join(items)}}}" if value.is_mapping else f"[{', '.join(items)}]"


def _scalar(leaf: Leaf | None, flow: bool, is_key: bool) -> str:
    if leaf is None or leaf.is_missing:
        return ""
    return plain_or_quoted(leaf.text, flow, is_key, bool(leaf.style) or leaf.is_like_another)


def _is_block_of_text(leaf: Leaf) -> bool:
    if leaf.style in ("|", ">"):
        return bool(leaf.header)
    return leaf.has_several_lines and _can_be_a_block(leaf.text)


def _can_be_a_block(text: str) -> bool:
    """Whether a text has several lines that a block of text shows as they are."""
    lines = text.split("\n")
    return len(lines) > 1 and bool(lines[-1]) and all(one.isprintable() and one == one.strip() for one in lines)


def _can_be_folded(text: str) -> bool:
    return " " in text and "  " not in text and text == text.strip() and text.isprintable()


def _block_of_text(leaf: Leaf, indent: int) -> tuple[str, list[str]]:
    """The header of a block of text, and its lines."""
    if leaf.header:
        header, lines = leaf.header, list(leaf.lines)
        if next((line for line in lines if line.strip()), "").startswith(" "):
            header = f"{header[0]}2{header[1:]}"
    elif "\n" in leaf.text:
        header, lines = "|-", leaf.text.split("\n")
    else:
        width = max(WIDTH - indent, _LEAST_FOLDED)
        header, lines = ">-", textwrap.wrap(leaf.text, width, break_long_words=False, break_on_hyphens=False)
    return header, [" " * indent + line if line else "" for line in lines]
