"""A strategy in sentences: for each choice, which answer when, as short as what was seen allows.

burn: yes, when face is 1, 2 or 3; otherwise no
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from typing import Any

from interpreter.odds.answer import Advice, ordered
from interpreter.values import in_words

Seen = tuple[str, ...]
_NOTHING = ("no", "0", "[]", "(missing)")
"""Answers that do nothing: when to do something is what a reader asks."""


def sentences(strategy: Iterable[Advice]) -> list[str]:
    """What to do when, one sentence for each choice."""
    by_path: dict[str, list[Advice]] = {}
    for one in strategy:
        by_path.setdefault(one.path, []).append(one)
    return [f"{path}: {_of_one(advice)}" for path, advice in by_path.items()]


def _of_one(advice: list[Advice]) -> str:
    answers = list(dict.fromkeys(in_words(one.answer) for one in advice))
    if len(answers) == 1:
        return f"{answers[0]}, always"
    names = _deciding(advice)
    values = {
        name: ordered({in_words(v): v for one in advice for v in [one.seen.get(name)]}.values()) for name in names
    }
    cells = {tuple(in_words(one.seen.get(name)) for name in names): in_words(one.answer) for one in advice}
    said = {answer: _when(names, values, [cell for cell, of in cells.items() if of == answer]) for answer in answers}
    often = Counter(cells.values())
    last = max(answers, key=lambda answer: (len(said[answer]), answer in _NOTHING, often[answer]))
    parts = [f"{answer}, when {'; or when '.join(said[answer])}" for answer in answers if answer != last]
    return "; ".join([*parts, f"otherwise {last}"])


def _deciding(advice: list[Advice]) -> Seen:
    """The fewest of what was seen that decide the answer."""
    every = list(dict.fromkeys(name for one in advice for name in one.seen))
    for count in range(1, len(every)):
        for names in combinations(every, count):
            answers: dict[Seen, str] = {}
            keys = [(tuple(in_words(one.seen.get(name)) for name in names), in_words(one.answer)) for one in advice]
            if all(answers.setdefault(key, answer) == answer for key, answer in keys):
                return names
    return tuple(every)


def _when(names: Seen, values: Mapping[str, Sequence[Any]], cells: list[Seen]) -> list[str]:
    """Conditions that hold for these cells: values of the first name that go with the same rest go together."""
    if not names:
        return []
    name, rest = names[0], names[1:]
    under: dict[str, list[Seen]] = {}
    for cell in cells:
        under.setdefault(cell[0], []).append(cell[1:])
    if not rest:
        return [f"{name} is {_among(values[name], under)}"]
    together: dict[tuple[Seen, ...], list[str]] = {}
    for value, inner in under.items():
        together.setdefault(tuple(sorted(inner)), []).append(value)
    made = []
    for inner_cells, of in together.items():
        head = "" if len(of) == len(values[name]) else f"{name} is {_among(values[name], of)}"
        whole = 1
        for other in rest:
            whole *= len(values[other])
        if len(inner_cells) == whole and head:
            made.append(head)
            continue
        made += [f"{head} and {tail}" if head else tail for tail in _when(rest, values, list(inner_cells))]
    return made


def _among(known: Sequence[Any], chosen: Iterable[str]) -> str:
    """`1, 2 or 3`, `4 or more`, `2 to 6`: some of the values that may be seen."""
    wanted = set(chosen)
    places = [place for place, value in enumerate(known) if in_words(value) in wanted]
    run = len(places) > 2 and places == list(range(places[0], places[-1] + 1))
    if run and all(isinstance(known[place], int) for place in places):
        low, high = in_words(known[places[0]]), in_words(known[places[-1]])
        if places[-1] == len(known) - 1 and len(places) > 3:
            return f"{low} or more"
        if len(places) > 3:
            return f"{high} or less" if places[0] == 0 else f"{low} to {high}"
    words = [in_words(known[place]) for place in places]
    return " or ".join(filter(None, [", ".join(words[:-1]), words[-1]]))
