"""What other readers of YAML refuse, or read as another text or another structure.

Rulesets are read with libyaml where it is there, and with PyYAML's reader in Python where it is not. Editors and other
programs read them with readers of their own, of YAML 1.1 or 1.2. `tests/test_portable.py` holds all of these to what is
said here.

Which type a reader gives a plain value does not matter, as long as the text stays: `yes`, `010` and `1:30` are left
alone, as the type that a ruleset expects decides what they mean. But a type may make a reader refuse the file (`=`), or
take two keys of one mapping for the same (`1` and `01`).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Set
from functools import lru_cache

import yaml

from interpreter.work_count import spend

OF_A_KEY = 10
"""The units of work in which it is found as what others may see a key."""

_REFUSED = re.compile(
    r"""---|\.\.\.           # the sign of a document, wherever it stands for some
      | (?:=|<<)$            # types of YAML 1.1 that stand for no value
      | [-+]?0[bx]_+$        # a number of YAML 1.1 without digits
      | [-+]?[\d_:.]{4000}   # a number too long for Python
      | \d{4}-\d\d?-\d\d?(?:$|[Tt]|[ ])  # a date of YAML 1.1, which may not exist, and is no key in JavaScript
    """,
    re.VERBOSE | re.ASCII,
)
_PERHAPS_TYPED = re.compile(r"[-+.~\d]|(?i:null|true|false|yes|no|on|off|y|n)?$")


def is_portable(text: str, flow: bool) -> bool:
    """Whether every reader takes a plain text, in braces or brackets or outside, for this text.

    A question mark ends a plain text in braces for readers of YAML 1.1, and a lone `-` stands for no item there.
    Some allow no tab.
    """
    if "\t" in text or (flow and ("?" in text or text == "-")):
        return False
    return _REFUSED.match(text) is None


BLANK = re.compile(r"(?:\s|(?<!\S)#[^\n]*)*")
"""White space and comments."""


def odd_sign(text: str, start: int, end: int) -> int | None:
    """Where some readers stumble between two values: at a tab, at the `?` before a key, at a comment without a blank,
    at the `:` of `{a:[b]}`.

    There is only white space, indicators and comments.
    """
    if _ODD_SIGN.search(text, start, end + 1) is None:  # nearly always
        return None
    first = max(start - 1, 0)  # what a comment and a `:` stand behind
    match = _ODD_SIGN.search(_COMMENT.sub(_blank_out, text[first : end + 1]), start - first)
    return first + match.start() if match and first + match.start() < end else None


_ODD_SIGN = re.compile(r"""[\t?#]|(?<!["']):(?=[,[\]{}])""")
_COMMENT = re.compile(r"(?<!\S)#[^\n]*")


def _blank_out(match: re.Match[str]) -> str:
    return " " * len(match[0])


def shallow_line(text: str, start: int, end: int, indent: int) -> int | None:
    """Where a line of what stands in brackets or quotes begins that is not indented further than the block around."""
    before = text.rfind("\n", 0, start)
    if text.find("\n", start, end) < 0 and text[before + 1 : start].strip():
        return None
    for line in _LINE.finditer(text, max(before, 0), end):
        if line.start(1) - line.start() - 1 <= indent and line.start(1) >= start:
            return line.start(1)
    return None


def odd_block(written: str, text: str) -> int | None:
    """Where a block of text has a comment without a blank before it, or begins if it ends with the file, without the
    line break that others put at its end."""
    header = _HEADER.match(written)
    if header is not None and header[2]:
        return header.start(2)
    keeps_break = header is not None and "-" not in header[1]
    return 0 if keeps_break and text and not text.endswith("\n") else None


_HEADER = re.compile(r"[|>]([-+0-9]*)(#)?")
_LINE = re.compile(r"\n *([^ \n])")


def keys_alike_for_others(keys: Iterable[tuple[str, bool]]) -> set[str]:
    """The plain keys of one mapping that some reader takes for the same as another key. A key is (text, is plain)."""
    several = [(text, plain) for text, plain in keys if _PERHAPS_TYPED.match(text)]
    if len(several) < 2:
        return set()
    seen = {text: _readings_of_key(text) if plain else {text} for text, plain in several}
    counts = Counter(form for forms in seen.values() for form in forms)
    return {text for text, plain in several if plain and any(counts[form] > 1 for form in seen[text])}


def is_typed_by_others(text: str) -> bool:
    """Whether some reader takes a plain text for a number, a date, a truth value or nothing."""
    tag: str = _TYPES.resolve(yaml.ScalarNode, text, (True, False))  # type: ignore[no-untyped-call]
    return tag != "tag:yaml.org,2002:str" or _readings_of_key(text) != {text}


_NOTHING = re.compile(r"(?:~|null|Null|NULL)?")
_TRUE, _FALSE = re.compile(r"(?i:y|yes|true|on)"), re.compile(r"(?i:n|no|false|off)")
_NUMBER = re.compile(r"[-+]?(?:\.\d+|\d+(?:\.\d*)?)(?:[eE][-+]?\d+)?", re.ASCII)
_OF_BASE = re.compile(r"0o[0-7]+|0x[0-9a-fA-F]+")
_TYPES = yaml.SafeLoader("")


@lru_cache(maxsize=512)
def _readings_of_key(text: str) -> Set[str]:
    """As what some reader sees a plain key: texts, as keys of objects of JavaScript are, where 1.0 is 1.

    `yes` is 1 too, as truth is in Python.
    """
    spend(OF_A_KEY)
    if _NOTHING.fullmatch(text):
        return {"null"}
    if _TRUE.fullmatch(text):
        return {text, "true", "1"}
    if _FALSE.fullmatch(text):
        return {text, "false", "0"}
    readings: list[object] = [text]
    node = yaml.ScalarNode(_TYPES.resolve(yaml.ScalarNode, text, (True, False)), text)  # type: ignore[no-untyped-call]
    if node.tag in ("tag:yaml.org,2002:int", "tag:yaml.org,2002:float"):
        readings.append(_TYPES.construct_object(node))
    if _NUMBER.fullmatch(text):
        readings.append(float(text))
    elif _OF_BASE.fullmatch(text):
        readings.append(int(text, 0))
    return {one if isinstance(one, str) else _number(one) for one in readings}


def _number(value: object) -> str:
    number = float(value)  # type: ignore[arg-type]
    return str(int(number)) if number.is_integer() else str(number)
