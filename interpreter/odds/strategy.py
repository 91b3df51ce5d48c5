"""A strategy in sentences: for each choice, which answer is best when, in as few words as possible.

burn: yes, when face is 1, 2 or 3; otherwise no
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import combinations, groupby
from typing import Any

from interpreter.odds.answer import Advice, sort_values
from interpreter.odds.hand_rules import Advised, HandRule, ReadingCondition, RuleSearch
from interpreter.values import in_words

Words = tuple[str, ...]
_NOTHING = ("no", "0", "[]", "(missing)")
"""Answers that do nothing: they come last, as `otherwise no`."""


def sentences(strategy: Iterable[Advice]) -> list[str]:
    """One sentence for each choice."""
    by_path: dict[str, list[Advice]] = {}
    for one in strategy:
        by_path.setdefault(one.path, []).append(one)
    return [f"{path}: {_sentence_of_choice(advice)}" for path, advice in by_path.items()]


def _sentence_of_choice(advice: list[Advice]) -> str:
    if len({in_words(one.answer) for one in advice}) == 1:
        return f"{in_words(advice[0].answer)}, always"
    names = _fewest_deciding_names(advice)
    by_names = _sentence_by_names(advice, names) if names is not None else None
    search = RuleSearch(advice)
    exact = [*filter(None, (by_names, _sentence_by_reading(advice)))]
    if names is None or len(names) > 1 or any(one.hands for one in advice):
        rules = sorted(search.exact(), key=lambda rule: rule.otherwise.answer not in _NOTHING)
        picks = [_rule_in_words(rule) for rule in rules if rule.otherwise.picks is not None]
        exact = picks or exact + [_rule_in_words(rule) for rule in rules]
    if exact:
        return min(exact, key=len)
    almost = search.with_exceptions()
    by_rule = _rule_in_words(almost) if almost is not None else None
    return _sentence_with_exceptions(advice) or by_rule or _sentence_by_chance(advice)


def _rule_in_words(rule: HandRule) -> str:
    """A rule as a sentence: `what shows 5 or more, when nth is 1; otherwise what shows 4 or more`."""
    said = _advised_in_words(rule.otherwise)
    if rule.clauses:
        parts = [
            f"{_advised_in_words(then)}, when {'; or when '.join(_condition_in_words(when) for when, _ in same)}"
            for then, same in groupby(rule.clauses, lambda clause: clause[1])
        ]
        said = "; ".join([*parts, f"otherwise {said}"])
    but = [f"{_answer_in_words(one)} when {_seen_in_words(one)}" for one in rule.exceptions]
    return f"{said}; but {'; '.join(but)}" if but else said


def _answer_in_words(one: Advice) -> str:
    return "none" if one.picked == () else in_words(one.answer)


def _seen_in_words(one: Advice) -> str:
    return " and ".join(f"{name} is {in_words(value)}" for name, value in one.seen.items())


def _condition_in_words(condition: ReadingCondition) -> str:
    return f"{condition.reading} is {_bound_in_words(condition.sign, in_words(condition.value))}"


def _bound_in_words(sign: str, value: str) -> str:
    return {"<=": f"{value} or less", ">=": f"{value} or more"}.get(sign, value)


def _advised_in_words(advised: Advised) -> str:
    """What is done, in words: an answer, or which dice."""
    one = advised.count == 1
    bound = f"shows {_bound_in_words(advised.sign, str(advised.limit))}"
    match advised.picks:
        case None:
            return advised.answer
        case "all" if advised.sign:
            return f"what {bound}"
        case "all" | "none":
            return advised.picks
        case "paired":
            return "what shows the same as another"
        case "commonest":
            return "the most that show the same"
    some = f"the {advised.picks}" if one else f"the {advised.picks} {advised.count}"
    if not advised.sign:
        return some
    return (
        f"{some} if it {bound}" if one else f"of {some} what shows {_bound_in_words(advised.sign, str(advised.limit))}"
    )


def _sentence_by_names(advice: list[Advice], names: Words) -> str:
    """The sentence of a choice whose answer these names decide."""
    answers = list(dict.fromkeys(in_words(one.answer) for one in advice))
    values = {
        name: sort_values({in_words(v): v for one in advice for v in [one.seen.get(name)]}.values()) for name in names
    }
    cells = {tuple(in_words(one.seen.get(name)) for name in names): in_words(one.answer) for one in advice}
    when = {
        answer: _conditions_for(names, values, [cell for cell, of in cells.items() if of == answer])
        for answer in answers
    }
    often = Counter(cells.values())
    last = max(answers, key=lambda answer: (len(when[answer]), answer in _NOTHING, often[answer]))
    parts = [f"{answer}, when {'; or when '.join(when[answer])}" for answer in answers if answer != last]
    return "; ".join([*parts, f"otherwise {last}"])


def _sentence_by_reading(advice: list[Advice]) -> str | None:
    """The sentence by one reading of a roll, such as its lowest die, from which each answer follows; None if there is
    no such reading."""
    common = [name for name in advice[0].readings if all(name in one.readings for one in advice)]
    candidates = []
    for name in common:
        answers: dict[int, str] = {}
        if len({one.readings[name] for one in advice}) > MOST_CELLS:
            continue
        if all(answers.setdefault(one.readings[name], in_words(one.answer)) == in_words(one.answer) for one in advice):
            said = _sentence_by_names([replace(one, seen={name: one.readings[name]}) for one in advice], (name,))
            candidates.append(said)
    return min(candidates, key=len) if candidates else None


def _sentence_with_exceptions(advice: list[Advice]) -> str | None:
    """A sentence by one short name, with a few exceptions; None if there are too many of these."""
    short = [name for name in _names(advice) if not _is_long(name, advice)]
    for name in short:
        usual: dict[str, Counter[str]] = {}
        for one in advice:
            usual.setdefault(in_words(one.seen.get(name)), Counter())[in_words(one.answer)] += 1
        mostly = {key: answers.most_common(1)[0][0] for key, answers in usual.items()}
        exceptions = [one for one in advice if in_words(one.answer) != mostly[in_words(one.seen.get(name))]]
        if len(exceptions) > MOST_EXCEPTIONS or len(mostly) > MOST_CELLS:
            continue
        main = _sentence_by_names(
            [replace(one, answer=mostly[in_words(one.seen.get(name))]) for one in advice], (name,)
        )
        others = [other for other in _names(advice) if other != name]
        but = [f"{in_words(one.answer)} when {_distinguish(one, advice, others)}" for one in exceptions]
        return f"{main}; but {'; '.join(but)}" if but else main
    return None


def _distinguish(one: Advice, advice: list[Advice], names: list[str]) -> str:
    """What distinguishes a decision from all with another answer: one name if possible, else all of them."""
    for name in names:
        if all(a.seen.get(name) != one.seen.get(name) for a in advice if in_words(a.answer) != in_words(one.answer)):
            return f"{name} is {in_words(one.seen.get(name))}"
    return " and ".join(f"{name} is {in_words(one.seen.get(name))}" for name in names)


def _names(advice: list[Advice]) -> list[str]:
    return list(dict.fromkeys(name for one in advice for name in one.seen))


def _is_long(name: str, advice: list[Advice]) -> bool:
    """Whether the values of a name are long, as those of a roll are."""
    return any(isinstance(value := one.seen.get(name), str) and len(value) > MOST_LETTERS for one in advice)


def _sentence_by_chance(advice: list[Advice]) -> str:
    """How often each answer is best, for a choice whose conditions would be too long."""
    whole = sum(one.chance for one in advice)
    chances: dict[str, Fraction] = {}
    for one in advice:
        answer = _answer_in_words(one)
        chances[answer] = chances.get(answer, Fraction(0)) + one.chance / whole
    shown = list(chances) if len(chances) <= MOST_ANSWERS else sorted(chances, key=lambda one: -chances[one])
    parts = [f"{answer} in {float(chances[answer]):.1%}" for answer in shown[:MOST_ANSWERS]]
    if rest := shown[MOST_ANSWERS:]:
        parts.append(f"{len(rest)} others in {float(sum(chances[one] for one in rest)):.1%}")
    often = f"{', '.join(parts)} of the times it is asked"
    names = [f"`{name}`" for name in _names(advice)]
    if not names:
        return often
    seen = " and ".join(filter(None, (", ".join(names[:-1]), names[-1])))
    shows = "shows" if len(names) == 1 else "show"
    return f"{often}, depending on what {seen} {shows}; `--format json` lists each case under `strategy`"


MOST_CELLS = 60
"""The limit on combinations of values in a sentence."""

MOST_LONG = 8
"""The same where some of the values are long."""

MOST_EXCEPTIONS = 3
"""The limit on exceptions in a sentence."""

MOST_ANSWERS = 6
"""The limit on answers of which it is told how often they are best."""

MOST_LETTERS = 16
"""The limit on letters of a short value."""


def _fewest_deciding_names(advice: list[Advice]) -> Words | None:
    """The fewest names that decide the answer; None if that takes too many names or values.

    Names with short values come first.
    """
    all_names = sorted(_names(advice), key=lambda name: _is_long(name, advice))
    for count in range(1, min(len(all_names), 3) + 1):
        for names in combinations(all_names, count):
            answers: dict[Words, str] = {}
            keys = [(tuple(in_words(one.seen.get(name)) for name in names), in_words(one.answer)) for one in advice]
            if all(answers.setdefault(key, answer) == answer for key, answer in keys):
                few = MOST_LONG if any(_is_long(name, advice) for name in names) else MOST_CELLS
                return names if len(answers) <= few else None
    return None


def _conditions_for(names: Words, values: Mapping[str, Sequence[Any]], cells: list[Words]) -> list[str]:
    """Conditions that hold for these cells; values of the first name with the same rest share one condition."""
    if not names:
        return []
    name, rest = names[0], names[1:]
    under: dict[str, list[Words]] = {}
    for cell in cells:
        under.setdefault(cell[0], []).append(cell[1:])
    if not rest:
        return [f"{name} is {_values_in_words(values[name], under)}"]
    together: dict[tuple[Words, ...], list[str]] = {}
    for value, inner in under.items():
        together.setdefault(tuple(sorted(inner)), []).append(value)
    made = []
    for inner_cells, of in together.items():
        head = "" if len(of) == len(values[name]) else f"{name} is {_values_in_words(values[name], of)}"
        whole = 1
        for other in rest:
            whole *= len(values[other])
        if len(inner_cells) == whole and head:
            made.append(head)
            continue
        made += [f"{head} and {tail}" if head else tail for tail in _conditions_for(rest, values, list(inner_cells))]
    return made


def _values_in_words(known: Sequence[Any], chosen: Iterable[str]) -> str:
    """Some of the known values in words: `1, 2 or 3`, `4 or more`, `2 to 6`."""
    wanted = set(chosen)
    places = [place for place, value in enumerate(known) if in_words(value) in wanted]
    run = len(places) > 2 and places == list(range(places[0], places[-1] + 1))
    if run and all(isinstance(known[place], int) for place in places):
        low, high = in_words(known[places[0]]), in_words(known[places[-1]])
        if places[-1] == len(known) - 1:
            return f"{low} or more"
        if places[0] == 0 or len(places) > 3:
            return f"{high} or less" if places[0] == 0 else f"{low} to {high}"
    words = [in_words(known[place]) for place in places]
    between = "; " if any(", " in word for word in words) else ", "
    return " or ".join(filter(None, [between.join(words[:-1]), words[-1]]))
