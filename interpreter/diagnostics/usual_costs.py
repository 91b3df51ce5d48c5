"""Costs and limits of actions as rulebooks write them: `2 hope`, `once per scene`, `3/day`."""

from __future__ import annotations

import re

_NUMBERS = {
    **dict.fromkeys(("a", "an", "one", "once", "single"), "1"),
    **dict.fromkeys(("two", "twice"), "2"),
    **dict.fromkeys(("three", "thrice"), "3"),
    "four": "4",
    "five": "5",
    "six": "6",
    "ten": "10",
}
_SPANS = {
    **dict.fromkeys(("turn", "turns"), "turn"),
    **dict.fromkeys(("round", "rounds", "rd"), "round"),
    **dict.fromkeys(("scene", "scenes", "encounter", "fight", "combat", "battle", "conflict"), "scene"),
    **dict.fromkeys(("game", "games", "session", "adventure", "campaign", "day", "rest", "ever", "mission"), "game"),
}
_NAMES_OF_SPANS = ("turn", "round", "scene", "game")
_FILLERS = r"(?:points?|of|from|the|actor'?s?|pay|pays|spend|spends|lose|loses|costs?|-|x|×|times)"


def costs_meant(text: str) -> str | None:
    """Of `2 hope and 1 luck`, the costs as the language writes them; None where they cannot be told."""
    found: dict[str, str] = {}
    for part in re.split(r"\s*(?:,|;|\+|&|\band\b)\s*", text.strip("[]{}\"' ")):
        words = re.findall(r"\d+|[^\W\d_]\w*(?:\.\w+)*", part)
        numbers = [_NUMBERS.get(word.lower(), word) for word in words if word.isdigit() or word.lower() in _NUMBERS]
        names = [
            one for one in words if not (one.isdigit() or one.lower() in _NUMBERS or re.fullmatch(_FILLERS, one, re.I))
        ]
        if len(names) != 1 or len(numbers) > 1:
            return None
        found[names[0].rpartition(".")[2]] = numbers[0] if numbers else "1"
    return f"{{{', '.join(f'{name}: {number}' for name, number in found.items())}}}"


def limit_in_words(text: str) -> str:
    """How a limit is written that an author says as `once per scene`."""
    words = [_NUMBERS.get(word, word) for word in re.findall(r"\d+|[a-z]+", text.lower())]
    times = next((word for word in words if word.isdigit()), "1")
    said = next((word for word in reversed(words) if word in _SPANS), None)
    span = _SPANS[said] if said is not None else "round"
    written = f"write `{{times: {times}, per: {span}}}`"
    if said is None or said.rstrip("s") not in _NAMES_OF_SPANS:
        written += f"; the spans are {', '.join(f'`{one}`' for one in _NAMES_OF_SPANS)}"
    return written


def span_meant(text: str) -> str | None:
    """The span that a word of other games stands for; None of one of the language, and of any other word."""
    return _SPANS.get(text.lower()) if text not in _NAMES_OF_SPANS else None
