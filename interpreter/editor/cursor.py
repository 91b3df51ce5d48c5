"""Where a cursor stands in the keys of a text that may be unfinished.

`document.parse` refuses a text that is no YAML, and while somebody types it mostly is none. This scan reads only what
stands before the cursor, and goes on after whatever it does not understand.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import field

from interpreter.frozen import dataclass
from interpreter.work_count import spend

OF_A_LINE, OF_A_SIGN = 5, 3
"""The units of work in which a line is read, and a sign inside brackets."""

Key = str | int
"""A key of a mapping, or the number of an item of a list."""


@dataclass(frozen=True)
class Cursor:
    """A place between keys.

    `path` leads to the value that the cursor is in; with `in_value` false, to the mapping in which a key may begin.
    `beside` holds, for each mapping on the path and the last, the keys above the cursor with their values on one line.
    `typed` is what stands between the beginning of the key or value and the cursor.
    """

    path: tuple[Key, ...]
    beside: tuple[Mapping[str, str], ...]
    in_value: bool
    typed: str


@dataclass
class _Level:
    """A key on the way to the cursor, at a column; `keys` are those right under it."""

    column: int
    key: Key
    keys: dict[str, str] = field(default_factory=dict)
    items: int = 0
    has_value: bool = False
    value_at: int = 0


_KEY = re.compile(r"""(?:"(?P<double>[^"\n]*)"|'(?P<single>[^'\n]*)'|(?P<plain>[^\s\[\]{},"'#&*!|>%@`?-][^:\n]*?|-\w+))
                      \ *:(?=[ \n]|$)""", re.VERBOSE)  # fmt: skip
_SIGN = re.compile(r"[{}\[\](),:#\"'\n]")


def cursor_at(text: str, offset: int) -> Cursor | None:
    """The place of an offset; None in a comment."""
    return _Scan(text[:offset]).cursor()


class _Scan:
    """A scan of the text before a cursor, line by line; flow collections sign by sign."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.levels = [_Level(-1, "")]

    def cursor(self) -> Cursor | None:
        start, prose = 0, -1  # `prose` is the column of the key of a block scalar
        while True:
            spend(OF_A_LINE)
            end = self.text.find("\n", start)
            last = end < 0
            line = self.text[start : len(self.text) if last else end]
            column = len(line) - len(line.lstrip(" "))
            blank = column == len(line)
            if prose >= 0 and (blank or column > prose):
                if last:
                    return self._cursor_in_value(self.text[self.levels[-1].value_at :].partition("\n")[2])
                start = end + 1
                continue
            prose = -1
            if not last and (blank or line[column] == "#"):
                start = end + 1
                continue
            rest = self._open_list_items(line, start, column)
            match = _KEY.match(self.text, rest)
            if match is None:
                first = self.text[rest : rest + 1]
                opened = first in ("{", "[") and self.levels[-1].column < rest - start
                if opened and first:
                    flow = self._scan_flow(rest, self.levels[-1].column)
                    if isinstance(flow, Cursor) or flow is None:
                        return flow
                    start = flow
                    continue
                if last:
                    return self._cursor_in_unfinished_line(line, rest - start, start)
                start = end + 1
                continue
            value = self._open_key(match, rest - start)
            head = self.text[value : value + 1]
            if head in ("|", ">") and head:
                prose = rest - start
                if last:
                    return self._cursor_in_value("")
            elif head in ("{", "[") and head:
                flow = self._scan_flow(value, rest - start)
                if isinstance(flow, Cursor) or flow is None:
                    return flow
                start = flow
                continue
            elif last:
                written = self.text[value:]
                return None if re.search(r"(^|\s)#", written) else self._cursor_in_value(written)
            if last:
                return self._cursor_in_value(self.text[value:])
            start = end + 1

    def _open_list_items(self, line: str, start: int, column: int) -> int:
        """Open the items of a list that a line begins; the offset of what comes behind the dashes."""
        while line[column : column + 2] in ("- ", "-"):
            while self.levels[-1].column > column or (
                self.levels[-1].column == column and isinstance(self.levels[-1].key, int)
            ):
                self.levels.pop()
            above = self.levels[-1]
            self.levels.append(_Level(column, above.items))
            above.items += 1
            column += 1
            while line[column : column + 1] == " ":
                column += 1
        return start + column

    def _open_key(self, match: re.Match[str], column: int) -> int:
        """Open a key; the offset of its value."""
        while self.levels[-1].column >= column:
            self.levels.pop()
        key = next(one for one in match.group("double", "single", "plain") if one is not None)
        value = match.end()
        while self.text[value : value + 1] == " ":
            value += 1
        end = self.text.find("\n", value)
        written = self.text[value : end if end >= 0 else len(self.text)]
        self.levels[-1].keys[key] = written.split(" #")[0].strip()
        self.levels.append(_Level(column, key, has_value=bool(written.strip()), value_at=value))
        return value

    def _cursor_in_unfinished_line(self, line: str, column: int, start: int) -> Cursor | None:
        """The cursor in a line that is no key yet, or that continues a value."""
        written = line[column:]
        if re.search(r"(^|\s)#", written):
            return None
        above = self.levels[-1]
        if above.has_value and column > above.column and written:
            return self._cursor_in_value(self.text[above.value_at :])
        while self.levels[-1].column >= column and not (self.levels[-1].column < column):
            self.levels.pop()
        return Cursor(self._path(), self._keys_of_levels(), False, written)

    def _cursor_in_value(self, typed: str) -> Cursor:
        return Cursor(self._path(), self._keys_of_levels(), True, typed)

    def _path(self) -> tuple[Key, ...]:
        return tuple(one.key for one in self.levels[1:])

    def _keys_of_levels(self) -> tuple[Mapping[str, str], ...]:
        return tuple(dict(one.keys) for one in self.levels)

    def _scan_flow(self, start: int, column: int) -> Cursor | int | None:
        """Scan a flow collection that opens at an offset, under a key at a column.

        The offset of the line behind it, or the cursor if the text ends in it; None in a comment.
        """
        flow = _Flow(self.text, self.levels, column, start)
        end = flow.end()
        if end == _IN_COMMENT:
            return None
        if end == _UNFINISHED:
            return Cursor(self._path(), self._keys_of_levels(), flow.keyed, self.text[flow.begun :].lstrip())
        if flow.given_up:
            return end
        line = self.text.find("\n", end)
        if line >= 0:
            return line + 1
        return None if self.text[end:].strip() else self._cursor_in_value("")


_UNFINISHED, _IN_COMMENT = -1, -2


class _Flow:
    """A scan of one flow collection, from sign to sign.

    `keyed` says whether what is read now, from `begun`, is a value and no key. `opened` holds the collections that are
    open, each with the number of levels around it, and `depth` counts the brackets inside an expression.
    """

    def __init__(self, text: str, levels: list[_Level], column: int, start: int) -> None:
        self.text, self.levels, self.column = text, levels, column
        self.opened: list[tuple[str, int]] = []
        self.at = self.begun = start
        self.depth, self.keyed, self.given_up = 0, True, False

    def end(self) -> int:
        """The offset behind the collection. `_UNFINISHED` if the text ends in it, `_IN_COMMENT` if in a comment there.

        A line that is not indented more than the key gives up a collection that nobody has closed; its offset then.
        """
        while (match := _SIGN.search(self.text, self.at)) is not None:
            spend(OF_A_SIGN)
            sign, here = match.group(), match.start()
            self.at = match.end()
            fresh = not self.text[self.begun : here].strip()
            if sign == "\n":
                if self._is_outdented():
                    del self.levels[self.opened[0][1] :]
                    self.given_up = True
                    return self.at
            elif sign in "\"'" and fresh:
                closing = self.text.find(sign, self.at)
                if closing < 0:
                    return _UNFINISHED
                self.at = closing + 1
            elif sign == "#" and self.text[here - 1] in " \n":
                self.at = self.text.find("\n", self.at)
                if self.at < 0:
                    return _IN_COMMENT
            elif sign == "(" or (sign in "{[" and not fresh):
                self.depth += 1
            elif self.depth:
                self.depth -= sign in ")]}"
            elif self._use_sign(sign, here):
                return self.at
        return _UNFINISHED

    def _is_outdented(self) -> bool:
        """Whether the next line has something, and is not indented more than the key."""
        start = self.at
        while text_at(self.text, start) == " ":
            start += 1
        return text_at(self.text, start) not in ("", "\n") and start - self.at <= self.column

    def _use_sign(self, sign: str, here: int) -> bool:
        """Use a sign outside of expressions; True if it closes the collection."""
        if sign == ":" and not self.keyed and text_at(self.text, self.at) in ("", " ", "\n"):
            key = self.text[self.begun : here].strip().strip("\"'")
            self.levels[-1].keys[key] = _plain_value(self.text, self.at)
            self.levels.append(_Level(self.column, key))
            self.keyed, self.begun = True, self.at
        elif sign in ("{", "["):
            self.opened.append((sign, len(self.levels)))
            self._begin_entry(0)
        elif sign == ",":
            last = self.levels[-1].key
            del self.levels[self.opened[-1][1] :]
            self._begin_entry(last + 1 if isinstance(last, int) else 0)
        elif sign in ("}", "]"):
            del self.levels[self.opened.pop()[1] :]
            self.keyed, self.begun = True, self.at
        return not self.opened

    def _begin_entry(self, number: int) -> None:
        """Begin an entry of a mapping, or the item of a list with this number."""
        self.keyed, self.begun = self.opened[-1][0] == "[", self.at
        if self.keyed:
            self.levels.append(_Level(self.column, number))


def text_at(text: str, offset: int) -> str:
    """The character at an offset; nothing behind the end."""
    return text[offset : offset + 1]


def _plain_value(text: str, at: int) -> str:
    """The value of a key in a flow collection, if it is one word."""
    match = re.compile(r" *([\w.-]+)").match(text, at)
    return match[1] if match else ""
