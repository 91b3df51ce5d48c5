"""The events of a YAML text, from libyaml where PyYAML was built with it, otherwise from PyYAML's reader in Python.

The two differ in texts that are no good for other readers either, and `portable.py` warns of those. Both are bounded by
`document.Limits`, and give the same places.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import yaml

LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
"""The loader of PyYAML that is used: libyaml if it is available."""


def events(text: str) -> Iterator[yaml.Event]:
    """The events of a text. Raises yaml.YAMLError if it is not YAML."""
    loader = LOADER(text)
    try:
        while loader.check_event():
            yield loader.get_event()
    except ValueError:  # PyYAML's reader in Python lets Python refuse some numbers and escapes
        here = loader.get_mark()
        raise yaml.MarkedYAMLError("while parsing a quoted scalar", here, "found an invalid escape", here) from None
    finally:
        loader.dispose()
