"""What authors write in one value or a list where names stand: `given: who=ann`, `inputs: [what]`, lists of names."""

from __future__ import annotations

import re
from collections.abc import Iterable

_PAIR = r"\s*[\"']?([^\W\d]\w*|-?\d+)[\"']?\s*[:=](?!=)\s*(\S.*?)\s*"
_NAME = r"\s*([^\W\d_]\w*)\s*"
_DECLARED = ("`inputs`", "`takes`", "`has`")
_HOOKS = ("`when_empty`", "`when_full`", "`when_hit_full`")


def entries_meant(what: str, text: str) -> str | None:
    """What stands at `what`, a key in backticks, as entries with names; None where that cannot be told."""
    if "\n" in text:
        return None
    inside = text.strip().strip("\"'")
    inside = inside[1:-1] if inside[:1] in "[(" and inside[-1:] in "])" else inside
    parts = _split_at_commas(inside)
    pairs = [re.fullmatch(_PAIR, part) for part in parts]
    if parts and all(pairs):
        return _braces((pair[1], pair[2]) for pair in pairs if pair is not None)
    names = [found[1] for part in parts if (found := re.fullmatch(_NAME, part)) is not None]
    of_names = bool(names) and len(names) == len(parts)
    if what in _DECLARED and of_names:
        return _braces((name, "number") for name in names)
    if what == "`roles`" and of_names:
        return _braces((name, "Who decides.") for name in names)
    if what == "`requires`":
        return _braces((f"reason_{number}", one.strip()) for number, one in enumerate(parts, 1))
    if what == "`rows`" and not of_names:
        return _braces((str(number), one.strip()) for number, one in enumerate(parts, 1))
    if what == "`change`" and (read := re.search(r"\bevent\.(\w+)", inside)):
        return _braces([(read[1], inside)])
    if what == "`choices`" and of_names:
        return _braces((name, "yes") for name in names)
    if what == "`with`" and parts:
        return _braces((one if re.fullmatch(_NAME, one) else "its_input", one) for one in map(str.strip, parts))
    if what in _HOOKS or what in ("`steps`", "`each`", "`then`"):
        return _step_meant(inside) or ("{its_name: {gain: 1, to: owner.luck}}" if what in _HOOKS else None)
    return None


def _step_meant(text: str) -> str | None:
    """Of `add what to actor.hold`, the step with a name."""
    if thrown := re.fullmatch(r"(?:roll|throw)\s+(\d*d\d+)", text):
        return f"{{rolled: {{roll: {thrown[1]}}}}}"
    said = re.fullmatch(r"(gain|lose|pay|set|add|remove|put|take|draw)\s+(\S+)\s+(to|from|into|in)\s+(\S+)", text)
    return f"{{its_name: {{{said[1]}: {said[2]}, {said[3]}: {said[4]}}}}}" if said else None


def _braces(pairs: Iterable[tuple[str, str]]) -> str:
    return "{" + ", ".join(f"{name}: {value}" for name, value in pairs) + "}"


def _split_at_commas(text: str) -> list[str]:
    """The parts of a text between the commas that are in no brackets."""
    parts, depth = [""], 0
    for letter in text:
        depth += (letter in "([{") - (letter in ")]}")
        if letter == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += letter
    return [part for part in parts if part.strip()]


def shape_meant(wanted: str, what: str, text: str) -> str | None:
    """What is meant by a single value or a list where a form has keys of its own; None where that cannot be told."""
    words = " ".join(text.strip("\"'").split())
    if wanted == "a declaration":
        kind = "yes_no" if words in ("yes", "no") else "number" if re.fullmatch(r"-?\d+", words) else None
        return f"{{type: {kind}, default: {words}}}" if kind is not None else None
    if wanted == "a function":
        takes = re.search(r"\((\w+(?:,\s*\w+)*)\)", what)
        names = re.split(r",\s*", takes[1]) if takes else ["n"]
        written = f"{{takes: {_braces((name, 'number') for name in names)}, gives: {words}}}"
        return f"{what.strip('`').partition('(')[0]}: {written}" if takes else written
    if ("a declaration" in wanted or "what a thing has" in wanted) and re.fullmatch(r"\[\w+(?:,\s*\w+)+\]", words):
        return f"{{one_of: {words}}}"
    steps = re.fullmatch(r"d(\d+)\s*(?:-|–|to|\.\.+)\s*d(\d+)", words)
    if steps is not None and wanted in ("a list or a ladder", "a ladder"):
        sizes = [size for size in (4, 6, 8, 10, 12, 20) if int(steps[1]) <= size <= int(steps[2])]
        return f"[{', '.join(f'd{size}' for size in sizes)}]"
    if "what a thing has" in wanted and (of := re.fullmatch(r"\[\s*(\w+)\s*\]", words)):
        return f"{{list_of: {of[1]}, default: []}}"
    rungs = re.split(r"\s*(?:->|→|<|>|,|/|\bthen\b)\s*", words)
    if wanted in ("a list or a ladder", "a ladder") and len(rungs) > 1:
        highest_first = ">" in words and "->" not in words
        return f"[{', '.join(reversed(rungs) if highest_first else rungs)}]"
    return None
