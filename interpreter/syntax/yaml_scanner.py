"""Parse YAML into events, with the same result whether PyYAML was built with libyaml or not.

PyYAML's scanner in Python differs from libyaml: it ends a plain value in braces at a `?`, refuses a tab between words,
and reports some errors at other positions. `PythonLoader` behaves like libyaml; `tests/defects/test_16_yaml_loaders.py`
compares the two.
"""

from __future__ import annotations

import re
import string
from collections.abc import Iterator
from typing import Any

import yaml
from yaml.scanner import ScannerError
from yaml.tokens import FlowEntryToken, FlowSequenceEndToken, ScalarToken, TagToken, ValueToken

_END = "\0"
_BREAK = "\n"
_SPACE = " \t"
_SPACE_OR_END = " \t\n\0"
"""`document.parse` accepts no other line breaks and blanks."""
_HANDLE = re.compile(r"![\w-]*!", re.ASCII)
_IN_TAGS = frozenset(string.ascii_letters + string.digits + "-_;/?:@&=+$.%!~*'()")


class PythonLoader(yaml.SafeLoader):
    """PyYAML's loader in Python, with a scanner that behaves like libyaml's."""

    # PyYAML's classes have no type annotations.
    peek: Any
    prefix: Any
    forward: Any
    get_mark: Any
    get_token: Any
    peek_token: Any
    parse_flow_node: Any
    flow_level: int
    indent: int
    line: int
    column: int
    allow_simple_key: bool

    def fetch_stream_end(self) -> None:
        """The end of a text is on a new line, even if its last line has no line break."""
        if self.column:
            self.line, self.column = self.line + 1, 0
        self.unwind_indent(-1)
        for key in self.possible_simple_keys.values():
            if key.required:
                problem = "could not find expected ':'"
                raise ScannerError("while scanning a simple key", key.mark, problem, self.get_mark())
        super().fetch_stream_end()

    # An empty key or value in braces or brackets is placed right before the character that ends it.

    def parse_flow_mapping_key(self, first: bool = False) -> Any:
        return self._before_its_end(super().parse_flow_mapping_key(first))

    def parse_flow_mapping_value(self) -> Any:
        return self._before_its_end(super().parse_flow_mapping_value())  # type: ignore[no-untyped-call]

    def parse_flow_sequence_entry_mapping_value(self) -> Any:
        return self._before_its_end(super().parse_flow_sequence_entry_mapping_value())  # type: ignore[no-untyped-call]

    def _before_its_end(self, event: Any) -> Any:
        if event.start_mark is event.end_mark:
            event.start_mark = event.end_mark = self.peek_token().start_mark
        return event

    def parse_flow_sequence_entry_mapping_key(self) -> Any:
        """A key after `?` in a list. After an empty key, libyaml skips a `:` or `,`, and before 0.2.6 a `]`, too."""
        self.get_token()
        if self.check_token(FlowSequenceEndToken):
            self.state = self.parse_flow_sequence_entry_mapping_value
            return self._before_its_end(self.process_empty_scalar(self.peek_token().start_mark))
        if self.check_token(ValueToken, FlowEntryToken):
            self.state = self.parse_flow_sequence_entry_mapping_value
            return self.process_empty_scalar(self.get_token().end_mark)
        self.states.append(self.parse_flow_sequence_entry_mapping_value)
        return self.parse_flow_node()

    # Directives and tags are errors in a ruleset, but the position where they end decides which error comes first.

    def scan_directive_name(self, start: Any) -> str:
        name: str = super().scan_directive_name(start)  # type: ignore[no-untyped-call]
        if name not in ("YAML", "TAG"):
            raise ScannerError("while scanning a directive", start, "found unknown directive name", self.get_mark())
        return name

    def scan_yaml_directive_number(self, start: Any) -> int:
        digits = 0
        while self.peek(digits).isdigit():
            digits += 1
            if digits > 9:
                self.forward(digits)
                problem = "found extremely long version number"
                raise ScannerError("while scanning a %YAML directive", start, problem, self.get_mark())
        return super().scan_yaml_directive_number(start)

    def scan_tag(self) -> TagToken:
        """A tag. Its text is only split roughly, since `document.parse` refuses every tag."""
        start = self.get_mark()
        verbatim = self.peek(1) == "<"
        length = 2 if verbatim else 1
        signs = _IN_TAGS | set(",[]" if verbatim else "")
        while (sign := self.peek(length)) in signs:
            if sign == "%" and not all(self.peek(length + more) in string.hexdigits for more in (1, 2)):
                problem = "did not find URI escaped octet"
                raise ScannerError("while parsing a tag", start, problem, self.get_mark())
            length += 1
        if verbatim and self.peek(length) == ">":
            length += 1
        named = None if verbatim else _HANDLE.match(self.prefix(length))
        self.forward(length)
        if named and named.end() == length:
            problem = "did not find expected tag URI"
            raise ScannerError("while parsing a tag", start, problem, self.get_mark())
        if self.peek() not in _SPACE_OR_END and not (self.flow_level and self.peek() == ","):
            problem = "did not find expected whitespace or line break"
            raise ScannerError("while scanning a tag", start, problem, self.get_mark())
        return TagToken((named[0] if named else None, "!"), start, self.get_mark())

    def check_plain(self) -> bool:
        """Whether a plain value starts here. A `-` before a blank does not start one."""
        first, second = self.peek(), self.peek(1)
        if first == "-":
            return second not in _SPACE
        if first in "?:":
            return not self.flow_level and second not in _SPACE_OR_END
        return first not in "\0 \t\n,[]{}#&*!|>'\"%@`"

    def scan_to_next_token(self) -> None:
        """Skip blanks and comments. A tab counts as a blank if no key can start here."""
        while True:
            while self.peek() == " " or (self.peek() == "\t" and (self.flow_level or not self.allow_simple_key)):
                self.forward()
            self._skip_comment()
            if self.peek() != _BREAK:
                return
            self.forward()
            if not self.flow_level:
                self.allow_simple_key = True

    def _skip_comment(self) -> None:
        if self.peek() == "#":
            while self.peek() not in "\n\0":
                self.forward()

    def _at_document_sign(self) -> bool:
        return self.column == 0 and self.prefix(3) in ("---", "...") and self.peek(3) in _SPACE_OR_END

    # Plain values ----------------------------------------------------------------------------------------------------

    def scan_plain(self) -> ScalarToken:
        start = end = self.get_mark()
        indent = self.indent + 1
        text, blanks, crossed = "", "", False
        while not self._at_document_sign() and self.peek() != "#":
            length = self._plain_length(start)
            if length:
                text += blanks + self.prefix(length)
                self.forward(length)
                end, blanks, crossed = self.get_mark(), "", False
            if self.peek() not in _SPACE + _BREAK:
                break
            blanks, crossed = self._blanks(crossed, indent, start)
            if not self.flow_level and self.column < indent:
                break
        if crossed:
            self.allow_simple_key = True
        return ScalarToken(text, True, start, end)

    def _plain_length(self, start: Any) -> int:
        """The number of characters of a plain value up to a blank or a character that ends the value."""
        length = 0
        while (sign := self.peek(length)) not in _SPACE_OR_END:
            if self.flow_level and sign == ":" and self.peek(length + 1) in ",?[]{}":
                self.forward(length)
                raise ScannerError("while scanning a plain scalar", start, "found unexpected ':'", self.get_mark())
            if (sign == ":" and self.peek(length + 1) in _SPACE_OR_END) or (self.flow_level and sign in ",[]{}"):
                break
            length += 1
        return length

    def _blanks(self, crossed: bool, indent: int, start: Any) -> tuple[str, bool]:
        """The text for the blanks and line breaks here in a plain value, and whether there is a line break."""
        spaces, breaks = "", 0
        while (sign := self.peek()) in _SPACE + _BREAK:
            if sign == _BREAK:
                breaks += 1
                crossed = True
            elif not crossed:
                spaces += sign
            elif self.column < indent and sign == "\t":
                problem = "found a tab character that violates indentation"
                raise ScannerError("while scanning a plain scalar", start, problem, self.get_mark())
            self.forward()
        return (_folded(breaks) if crossed else spaces), crossed

    # Quoted values ---------------------------------------------------------------------------------------------------

    def scan_flow_scalar(self, style: str) -> ScalarToken:
        start = self.get_mark()
        self.forward()
        text = ""
        while True:
            if self._at_document_sign():
                problem = "found unexpected document indicator"
                raise ScannerError("while scanning a quoted scalar", start, problem, self.get_mark())
            if self.peek() == _END:
                problem = "found unexpected end of stream"
                raise ScannerError("while scanning a quoted scalar", start, problem, self.get_mark())
            part, crossed = self._quoted_part(style, start)
            text += part
            if self.peek() == style:
                break
            text += self._quoted_blanks(crossed)
        self.forward()
        return ScalarToken(text, False, start, self.get_mark(), style)

    def _quoted_part(self, style: str, start: Any) -> tuple[str, bool]:
        """Quoted text up to a blank or its end, and whether it ends with an escaped line break."""
        text = ""
        while (sign := self.peek()) not in _SPACE_OR_END:
            if style == sign == "'" and self.peek(1) == "'":
                text += "'"
                self.forward(2)
            elif sign == style:
                break
            elif style == '"' and sign == "\\" and self.peek(1) == _BREAK:
                self.forward(2)
                return text, True
            elif style == '"' and sign == "\\":
                text += self._escape(start)
            else:
                text += sign
                self.forward()
        return text, False

    def _escape(self, start: Any) -> str:
        sign = self.peek(1)
        if sign in self.ESCAPE_REPLACEMENTS:
            self.forward(2)
            return str(self.ESCAPE_REPLACEMENTS[sign])
        if sign not in self.ESCAPE_CODES:
            problem = "found unknown escape character"
            raise ScannerError("while parsing a quoted scalar", start, problem, self.get_mark())
        length = self.ESCAPE_CODES[sign]
        self.forward(2)
        digits = self.prefix(length)
        if len(digits) < length or not all(digit in string.hexdigits for digit in digits):
            problem = "did not find expected hexadecimal number"
            raise ScannerError("while parsing a quoted scalar", start, problem, self.get_mark())
        code = int(digits, 16)
        if 0xD800 <= code <= 0xDFFF or code > 0x10FFFF:
            problem = "found invalid Unicode character escape code"
            raise ScannerError("while parsing a quoted scalar", start, problem, self.get_mark())
        self.forward(length)
        return chr(code)

    def _quoted_blanks(self, crossed: bool) -> str:
        """The text for the blanks and line breaks here in quoted text; only the breaks after an escaped line break."""
        escaped, spaces, breaks = crossed, "", 0
        while (sign := self.peek()) in _SPACE + _BREAK:
            if sign == _BREAK:
                breaks += 1
                crossed = True
            elif not crossed:
                spaces += sign
            self.forward()
        if escaped:
            return _BREAK * breaks
        return _folded(breaks) if crossed else spaces

    # Blocks of text --------------------------------------------------------------------------------------------------

    def scan_block_scalar(self, style: str) -> ScalarToken:
        start = self.get_mark()
        self.forward()
        chomping, increment = self._block_header(start)
        indent = max(self.indent, 0) + increment if increment else 0
        breaks, indent, end = self._block_breaks(indent, start)
        text, ended, led_by_blank = "", "", False
        while self.column == indent and self.peek() != _END:
            is_blank = self.peek() in _SPACE
            if style == ">" and ended and not led_by_blank and not is_blank:
                text += "" if breaks else " "
            else:
                text += ended
            text += _BREAK * breaks
            led_by_blank, ended = is_blank, ""
            while self.peek() not in "\n\0":
                text += self.peek()
                self.forward()
            if self.peek() == _BREAK:
                ended = _BREAK
                self.forward()
            breaks, indent, end = self._block_breaks(indent, start)
        if chomping != "-":
            text += ended
        if chomping == "+":
            text += _BREAK * breaks
        return ScalarToken(text, False, start, end, style)

    def _block_header(self, start: Any) -> tuple[str, int]:
        """Read a header such as `|+2` to the end of its line: the chomping indicator, and the indentation or 0."""
        chomping, increment = "", 0
        while (sign := self.peek()) in "+-0123456789":
            if (sign in "+-" and chomping) or (sign.isdigit() and increment):
                break
            if sign == "0":
                problem = "found an indentation indicator equal to 0"
                raise ScannerError("while scanning a block scalar", start, problem, self.get_mark())
            if sign in "+-":
                chomping = sign
            else:
                increment = int(sign)
            self.forward()
        while self.peek() in _SPACE:
            self.forward()
        self._skip_comment()
        if self.peek() not in "\n\0":
            problem = "did not find expected comment or line break"
            raise ScannerError("while scanning a block scalar", start, problem, self.get_mark())
        if self.peek() == _BREAK:
            self.forward()
        return chomping, increment

    def _block_breaks(self, indent: int, start: Any) -> tuple[int, int, Any]:
        """Skip empty lines of a block: their number, the indentation (found here if it is 0), and where they end."""
        breaks, deepest, end = 0, 0, self.get_mark()
        while True:
            while (not indent or self.column < indent) and self.peek() == " ":
                self.forward()
            deepest = max(deepest, self.column)
            if (not indent or self.column < indent) and self.peek() == "\t":
                problem = "found a tab character where an indentation space is expected"
                raise ScannerError("while scanning a block scalar", start, problem, self.get_mark())
            if self.peek() != _BREAK:
                return breaks, indent or max(deepest, self.indent + 1, 1), end
            self.forward()
            breaks, end = breaks + 1, self.get_mark()


def _folded(breaks: int) -> str:
    """Folded line breaks: one becomes a space, several become one fewer."""
    return _BREAK * (breaks - 1) or " "


LOADER: Any = getattr(yaml, "CSafeLoader", PythonLoader)
"""The loader of PyYAML that is used: libyaml if it is available."""


def events(text: str) -> Iterator[yaml.Event]:
    """The events of a text. Raises yaml.YAMLError if it is not YAML."""
    return yaml.parse(text, Loader=LOADER)
