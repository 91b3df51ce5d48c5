"""A trace as a record of play: who acted, what was rolled and what resulted, without how it was computed."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace

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


def recorded(lines: Iterable[Line], over: bool = True, depth: int | None = None) -> list[Line]:
    """The lines of a trace that matter to players, with depths that skip the lines left out.

    If the play is not `over`, a last phase or event in which nothing has happened yet is kept, unless the `depth` of
    the step that asks tells that it has ended.
    """
    kept: list[Line] = []
    depths: list[int] = []
    for line in _with_stages(lines):
        if line.kind == "cost" and kept and kept[-1].kind in ("act", "choice"):  # of a reaction
            kept[-1] = replace(kept[-1], text=f"{kept[-1].text} ({line.text})")
            continue
        told = _told(line)
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
        if line.kind == "act" and kept and kept[-1].kind == "choice" and kept[-1].text.endswith(f" {line.name}"):
            kept.pop()  # the line of the action repeats it
            depths.pop()
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


def _close(kept: list[Line], depth: int) -> None:
    """Remove a last phase or event in which nothing happened; a turn stays, also if its player passed."""
    while kept and kept[-1].kind in ("phase", "cause") and kept[-1].depth >= depth:
        kept.pop()


def _told(line: Line) -> Line | None:
    if line.kind == "cause" and line.name in BOUNDARIES:
        return None
    if line.kind in ("summary", "stages", "lapse"):
        return line
    if line.kind in HEADS:
        named = {"round": f"Round {line.text}", "turn": line.text[:1].upper() + line.text[1:]}
        return replace(line, name="", text=named.get(line.kind, _without_empty(line.text)), cites=())
    if line.kind == "choice":
        who, chooses, answer = line.text.partition(" chooses ")
        said = f"{who}: {line.name} {answer}" if chooses else f"{line.name}: {line.text}"
        number, shared, _ = (answer or who).partition(" for ")
        return None if number in NOTHING or (shared and number == "0") else replace(line, name="", text=said)
    if line.kind == "order":
        return replace(line, name="", text=f"{line.name.replace('_', ' ')}: {line.text.strip('[]')}", cites=())
    if line.kind in ("roll", "outcome"):
        text = f"{line.name} {line.text}" if line.kind == "roll" else line.told or line.text
        return replace(line, name="", text=text)
    if line.kind in CHANGES:
        return None if is_unchanged(line) or line.quiet else replace(line, name="")
    return None


def _without_empty(text: str) -> str:
    """What happens, `Treat: ann, patient bo`, without the inputs that are empty lists."""
    title, colon, given = text.partition(": ")
    return f"{title}{colon}{', '.join(one for one in pieces(given) if not one.endswith(' []'))}" if colon else text


def _without_told(text: str, above: str) -> str:
    """What an event is about, without the things and words that stand in the line above."""
    title, colon, given = text.partition(": ")
    there = {one.partition(" ")[2] or one for one in pieces(above.partition(": ")[2])}
    left = [one for one in pieces(given) if not _stands_in(there, one.partition(" ")[2])]
    return f"{title}{colon if left else ''}{', '.join(left)}"


def _stands_in(there: Collection[str], value: str) -> bool:
    """Whether a value stands there; numbers, yes and no mean something else beside another name."""
    return value in there and value not in ("yes", "no") and not value.removeprefix("-").isdigit()


def is_unchanged(line: Line) -> bool:
    """Whether a change is none to people: the value stays as it was, though there was room for more, or it is one of
    the scene itself."""
    return (" stays " in line.text and "(excess" not in line.text) or line.text.startswith("scene.")
