"""What the beginning of a file says of it, without reading the rest: its name, its title, what it extends."""

from __future__ import annotations

import re
from pathlib import Path

HEAD = 4_000
"""How many characters of a file are looked at: the plain keys stand before the sections."""

_ENTRY = re.compile(r"^(?P<key>\w+): +(?:[>|][-+]?\n(?P<block>(?: +.*\n|\n)+)|(?P<value>.+?)(?: +#.*)?$)", re.MULTILINE)


def file_head(path: Path) -> dict[str, str]:
    """The plain values at the beginning of a file, by key, each in one line; nothing of a file that cannot be read."""
    try:
        text = path.read_text("utf-8")[:HEAD]
    except (OSError, UnicodeDecodeError):
        return {}
    found = {}
    for entry in _ENTRY.finditer(text):
        block, value = entry["block"], entry["value"]
        found[entry["key"]] = " ".join(block.split()) if block is not None else value.strip("'\" ")
    return found
