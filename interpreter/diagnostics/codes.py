"""What the codes of messages mean, each with a wrong and a right example, from `codes.yaml` beside this file."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import yaml

from interpreter import diagnostics as say
from interpreter.diagnostics import PlayError


@cache
def codes() -> dict[str, dict[str, str]]:
    """Every code with its `about`, and where there is one its `wrong` and its `right` example."""
    text = (Path(__file__).parent / "codes.yaml").read_text("utf-8")
    found: dict[str, dict[str, str]] = yaml.safe_load(text)
    return found


def explained_code(code: str) -> str:
    """A code in sentences. Raises PlayError for one that there is not."""
    if code not in codes():
        raise PlayError(say.nothing_to_explain(code, codes()))
    one = codes()[code]
    parts = [f"{code}: {one['about'].strip()}"]
    for key, title in (("wrong", "Wrong:"), ("right", "Right:")):
        if key in one:
            parts.append(title + "\n\n" + "\n".join(f"    {line}" for line in one[key].rstrip().splitlines()))
    return "\n\n".join(parts) + "\n"
