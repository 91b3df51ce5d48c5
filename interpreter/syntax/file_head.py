"""What the beginning of a file says of it, without reading the rest: its name, its title, what it extends."""

from __future__ import annotations

import re
from pathlib import Path

from interpreter.shown_text import visible
from interpreter.syntax import files
from interpreter.syntax.document import USUAL

HEAD = 4_000
"""How many bytes of a file are looked at: the plain keys stand before the sections."""

_ENTRY = re.compile(r"^(?P<key>\w+): +(?:[>|][-+]?\n(?P<block>(?: +.*\n|\n)+)|(?P<value>.+?)(?: +#.*)?$)", re.MULTILINE)


def file_head(path: Path) -> dict[str, str]:
    """The plain values at the beginning of a file, by key, each in one line; nothing of a file that cannot be read."""
    text = files.beginning(path, HEAD).decode("utf-8", errors="ignore").replace("\r\n", "\n")
    found = {}
    for entry in _ENTRY.finditer(text):
        block, value = entry["block"], entry["value"]
        text = " ".join(block.split()) if block is not None else value.strip("'\" ")
        found[entry["key"]] = visible(text)  # nobody has checked the file
    return found


def has_key(path: Path, *keys: str) -> bool:
    """Whether a file has one of these keys at the left margin; False for one that cannot be read."""
    begin = tuple(f"{key}:".encode() for key in keys)
    return any(line.startswith(begin) for line in files.beginning(path, USUAL.size).splitlines())
