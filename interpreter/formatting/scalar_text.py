"""How a single value is written: plain where that is safe, in quotes where it is not."""

from __future__ import annotations

import re
from functools import lru_cache

from interpreter.diagnostics import Problems
from interpreter.diagnostics.source import Source
from interpreter.syntax import document, portable
from interpreter.syntax.document import Mapping, Scalar


def plain_or_quoted(text: str, flow: bool, is_key: bool, was_quoted: bool) -> str:
    """A value on one line, inside `{ }` and `[ ]` or outside. What was quoted keeps quotes that other readers need."""
    if _SURELY_PLAIN.fullmatch(text) and not was_quoted:
        return text
    if is_plain(text, flow, is_key) and (not was_quoted or not portable.is_typed_by_others(text)):
        return text
    return quote(text)


_SURELY_PLAIN = re.compile(r"[A-Za-z0-9_][\w.]*")


@lru_cache(maxsize=4096)
def is_plain(text: str, flow: bool, is_key: bool) -> bool:
    """Whether a text needs no quotes, for the reader of rulesets or for any other: none of the traps of YAML."""
    if not text or "\n" in text or not text.isprintable() or not portable.is_portable(text, flow):
        return False
    inside = f"{text}: x" if is_key else f"x: {text}"
    problems = Problems()
    tree = document.parse(Source("", f"{{a: b, {inside}, c: d}}" if flow else f"{inside}\n"), problems)
    if len(problems) or not isinstance(tree, Mapping) or len(tree.entries) != (3 if flow else 1):
        return False
    entry = tree.entries[1 if flow else 0]
    key, value = (text, "x") if is_key else ("x", text)
    return _is_read_as(entry.key, key) and isinstance(entry.value, Scalar) and _is_read_as(entry.value, value)


def _is_read_as(scalar: Scalar, text: str) -> bool:
    return scalar.text == text and not scalar.style


def quote(text: str) -> str:
    """A text in double quotes, or in single quotes where double ones would need a backslash."""
    if text.isprintable() and ('"' in text or "\\" in text) and "'" not in text:
        return f"'{text}'"
    return '"' + "".join(_ESCAPED.get(sign) or _escape(sign) for sign in text) + '"'


_ESCAPED = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\t": "\\t"}


def _escape(sign: str) -> str:
    if sign.isprintable():
        return sign
    code = ord(sign)
    return f"\\x{code:02X}" if code < 0x100 else f"\\u{code:04X}" if code < 0x10000 else f"\\U{code:08X}"
