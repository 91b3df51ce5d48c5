"""A trace as a record of play: who acted, what was rolled and what resulted, without how it was computed."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import groupby

from interpreter.report.trace import STARTS, Line
from interpreter.syntax.grammar import BOUNDARIES
from interpreter.values import pieces

HEADS = ("scene", "round", "phase", "turn", "act", "cause", "guard")
CHANGES = (
    "move", "set", "include", "exclude", "make", "destroy", "draw", "refill", "put", "take", "denied", "cancel",
    "change", "lapse",
)  # fmt: skip
NOTHING = ("no", "pass", "[]", "none")
"""Answers by which nothing happens, which are left out."""

DECLINED = "declined"
"""The kind of a line that tells a reaction which somebody has declined."""


def recorded(
    lines: Iterable[Line], over: bool = True, depth: int | None = None, reactions: Collection[str] = ()
) -> list[Line]:
    """The lines of a trace that matter to players, with depths that skip the lines left out.

    An answer by which nothing happens is left out, except where it declines one of these `reactions`.

    If the play is not `over`, a last phase or event in which nothing has happened yet is kept, unless the `depth` of
    the step that asks tells that it has ended.
    """
    kept: list[Line] = []
    depths: list[int] = []
    around: list[Line] = []
    for line in _with_stages(_passed_on_once(lines)):
        if line.kind in (*HEADS, "call", "outcome"):
            while around and around[-1].depth >= line.depth:
                around.pop()
            around += [line] if line.kind != "outcome" else []
        if line.kind == "cost" and kept and kept[-1].kind in ("act", "choice"):  # of a reaction
            if is_unchanged(line):
                continue
            kept[-1] = replace(kept[-1], text=f"{kept[-1].text} ({_of_whom(kept[-1], _changed_in_words(line.text))})")
            continue
        told = _told(line)
        if line.kind == "choice" and told is None and line.name in reactions:
            told = replace(_answer(line), kind=DECLINED)
        if line.kind == "call":  # what happens in it belongs to no event before it
            while depths and depths[-1] >= 2 * line.depth:
                depths.pop()
            _close(kept, len(depths))
        if told is None:
            continue
        if line.kind == "cause" and kept and kept[-1].kind in ("act", "cause"):
            told = replace(told, text=_without_told(told.text, kept[-1].text))
        if line.kind == "outcome" and kept and kept[-1].kind == "roll":
            kept[-1] = replace(kept[-1], kind="rolled", text=f"{kept[-1].text}, {line.told or line.text}")
            continue
        if line.kind == "outcome" and not line.told and around and around[-1].kind == "call":
            told = replace(told, text=f"{_called(around[-1])}: {told.text}")  # no heading says what came to this
        if line.kind == "act":
            told_again = _told_again(line, kept)
            if told_again:
                del depths[kept[-told_again].depth :], kept[-told_again:]
        if line.kind == "round":
            depths.clear()
        below = 2 * line.depth - (line.kind == "round")  # a trace gives phases the depth of their round
        while depths and depths[-1] >= below:
            depths.pop()
        _close(kept, len(depths))
        kept.append(replace(told, depth=len(depths)))
        depths.append(below)
    while depth is not None and depths and depths[-1] >= 2 * depth:
        depths.pop()
    if over or depth is not None:
        _close(kept, 0 if over else len(depths))
    return kept


def _passed_on_once(lines: Iterable[Line]) -> Iterator[Line]:
    """The lines without a further result (`also`) that a rule only passes on from the one that it called."""
    further = ("", "")
    for line in lines:
        if line.kind == "outcome" and line.name != "outcome" and not line.told:
            if (line.name, line.text) == further:
                continue
            further = (line.name, line.text)
        elif line.kind in (*HEADS, "call", "roll"):
            further = ("", "")
        yield line


def _with_stages(lines: Iterable[Line]) -> Iterator[Line]:
    """The lines, and one after each number of an event that stages have changed: `suffered 6 → 5 (reduced)`."""
    rules: list[Line] = []
    begun: dict[str, tuple[Line, list[str]]] = {}
    for line in lines:
        yield line
        if line.kind in (*HEADS, "call"):
            while rules and rules[-1].depth >= line.depth:
                rules.pop()
            rules.append(line)
        elif line.kind == "start" and rules and rules[-1].kind == "cause":
            begun[line.path] = line, []
        elif line.kind == "step":
            first, stages = begun.get(line.path, (None, []))
            if first is None:
                for other, names in begun.values():
                    names += [line.name] if line.depth == other.depth + 1 and not line.quiet else []
            else:
                del begun[line.path]
                number = first.text.removeprefix(STARTS)
                if number != line.text and number.lstrip("-").isdigit():
                    why = f" ({', '.join(name.replace('_', ' ') for name in stages)})" if stages else ""
                    text = f"{line.name.replace('_', ' ')} {number} → {line.text}{why}"
                    yield replace(line, kind="stages", name="", text=text, cites=())


def _told_again(act: Line, kept: Sequence[Line]) -> int:
    """How many of the last lines tell the choice of an action and of its inputs, which its line repeats."""
    given = {one.partition(" ")[2] for one in pieces(act.text.partition(": ")[2])}
    for number, line in enumerate(reversed(kept), 1):
        if line.kind != "choice":
            break
        if line.text.endswith(f" {act.name}"):
            return number
        if not any(line.text.endswith(f" {one}") for one in given if one):
            break
    return 0


def _close(kept: list[Line], depth: int) -> None:
    """Remove a last phase or event in which nothing happened; a turn stays, also if its player passed."""
    while kept and kept[-1].kind in ("phase", "cause") and kept[-1].depth >= depth:
        kept.pop()


def _told(line: Line) -> Line | None:
    if line.kind == "cause" and line.name in BOUNDARIES:
        return None
    if line.kind == "lapse":
        span, _, lapsed = line.text.partition(": ")
        told = (_changed_in_words(one).replace(": ", " ", 1) for one in pieces(lapsed))
        return replace(line, text=f"{span}: {', '.join(told)}")
    if line.kind in ("summary", "stages"):
        return line
    if line.kind in HEADS:
        named = {"round": f"Round {line.text}", "turn": line.text[:1].upper() + line.text[1:]}
        return replace(line, name="", text=named.get(line.kind, _without_empty(line.text)), cites=())
    if line.kind == "choice":
        who, _, answer = line.text.partition(" chooses ")
        number, shared, _ = (answer or who).partition(" for ")
        return None if number in NOTHING or (number == "0" and (shared or not line.told)) else _answer(line)
    if line.kind == "order":
        return replace(line, name="", text=f"{line.name.replace('_', ' ')}: {line.text.strip('[]')}", cites=())
    if line.kind == "outcome" and line.name != "outcome" and not line.told and line.text in NOTHING:
        return None  # of a further result beside the outcome
    if line.kind in ("roll", "outcome"):
        text = f"{line.name} {line.text}" if line.kind == "roll" else line.told or line.text
        return replace(line, name="", text=text)
    if line.kind in CHANGES:
        changed = _changed_in_words(line.text) if line.kind in ("move", "set") else _of_its_owner(line.text)
        return None if is_unchanged(line) or line.quiet else replace(line, name="", text=changed)
    return None


def _answer(line: Line) -> Line:
    """The line of a choice as a question with its answer: `ann: How many do you bid? 2`."""
    who, chooses, answer = line.text.partition(" chooses ")
    asked = line.told or line.name.replace("_", " ")
    said = f"{who}: {asked} {answer}" if chooses else f"{asked}{'' if line.told else ':'} {line.text}"  # or hidden
    number, shared, of = (answer or who).partition(" for ")
    said = said.removesuffix(f" for {of}") if shared and of in asked else said
    return replace(line, name="", text=re.sub(r"\[(.*)\]", r"\1", said) if number[0] == "[" else said)


def joined(lines: Iterable[Line]) -> Iterator[Line]:
    """The lines of a record, where those in a row that tell answers to one question, or changes of one thing, are one:
    `How many do you bid? ann 2, bo 0`, `ann: coins 5 → 4, favours 0 → 1`."""
    for (same_is, *_), some in groupby(lines, key=_joins):
        same = list(some)
        match same_is:
            case "question" if len(same) > 1:
                asked = same[0].told
                answers = (line.text.replace(f": {asked}", "", 1) for line in same)
                yield replace(same[0], text=f"{asked} {', '.join(answers)}")
            case "owner":
                whose = same[0].text.partition(": ")[0]
                changes = (line.text.removeprefix(f"{whose}: ") for line in same)
                yield replace(same[0], text=f"{whose}: {', '.join(changes)}")
            case _:
                yield from same


def _joins(line: Line) -> tuple[object, ...]:
    """What lines in a row have in common, if `joined` makes them one."""
    if line.kind == "choice" and line.told:
        return ("question", line.path.rpartition(".")[2], line.told, line.depth)
    if line.kind in ("move", "set") and ": " in line.text:
        return ("owner", line.text.partition(": ")[0], line.depth)
    return ("nothing",)


def _changed_in_words(text: str) -> str:
    """`ann: tactical points 5 → 4` for `ann.tactical_points 5 → 4`."""
    where, space, rest = text.partition(" ")
    thing, dot, name = where.partition(".")
    return f"{thing}: {name.replace('_', ' ').replace('.', ' ')}{space}{rest}" if dot else text


def _of_its_owner(text: str) -> str:
    """`ann: 3 added to burnt essence` for `3 added to ann.essence.burnt`."""
    found = re.fullmatch(
        r"(.+ (?:added to|removed from|was not in|drawn from|put into|taken from)) (\w+)\.([\w.]+)(.*)", text
    )
    if found is None or found[2] == "scene":
        return text
    *parts, name = found[3].split(".")
    return f"{found[2]}: {found[1]} {' '.join([name, *reversed(parts)]).replace('_', ' ')}{found[4]}"


def _of_whom(line: Line, changed: str) -> str:
    """What was paid, without whose it was where the line names them."""
    whose, _, paid = changed.partition(": ")
    return paid if re.search(rf"\b{re.escape(whose)}\b", line.text) else changed


def _without_empty(text: str) -> str:
    """What happens, `Treat: ann, patient bo`, without the inputs that are empty lists."""
    title, colon, given = text.partition(": ")
    return _with_given(title, [one for one in pieces(given) if not one.endswith(" []")]) if colon else text


def _without_told(text: str, above: str) -> str:
    """What an event is about, without the things and words that stand in the line above."""
    title, _, given = text.partition(": ")
    there = {one.partition(" ")[2] or one for one in pieces(above.partition(": ")[2])}
    return _with_given(title, [one for one in pieces(given) if not _stands_in(there, one.partition(" ")[2])])


def _called(call: Line) -> str:
    """What was called, with the things and words that are given for it: `Armour upkeep (bo)`."""
    title, _, given = call.text.partition(": ")
    words = [value for one in pieces(given) for value in (one.partition(" ")[2],) if value and _is_word(value)]
    return f"{title} ({', '.join(words)})" if words else title


def _with_given(title: str, given: Sequence[str]) -> str:
    """What happens with what is given for it: `Treat: ann, patient bo`. The name of an input is left out where it is
    the only one, and given a thing or a word: `Stun damage: bo`."""
    if len(given) == 1:
        _, _, value = given[0].partition(" ")
        return f"{title}: {value.strip('[]') if value and _is_word(value) else given[0]}"
    return f"{title}{': ' if given else ''}{', '.join(given)}"


def _stands_in(there: Collection[str], value: str) -> bool:
    """Whether a value stands there; numbers, yes and no mean something else beside another name."""
    return value in there and _is_word(value)


def _is_word(value: str) -> bool:
    """Whether a value tells by itself what it is: numbers, yes and no do not."""
    return value not in ("yes", "no") and not value.removeprefix("-").isdigit()


def is_unchanged(line: Line) -> bool:
    """Whether a change is none to people: the value stays as it was, though there was room for more, or it is one of
    the scene itself."""
    return (" stays " in line.text and "(excess" not in line.text) or line.text.startswith("scene.")
