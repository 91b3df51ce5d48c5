"""The rules that a change of a program touches: those that it changes, and those that use what it changes."""

from __future__ import annotations

import re
from collections.abc import Sequence

from interpreter import ir
from interpreter.ir import printer
from interpreter.ir.traversal import nodes_under
from interpreter.ir.uses import path_of_held_part, uses_by_path

SECTIONS = {
    "mechanic": "mechanics",
    "event": "events",
    "action": "actions",
    "reaction": "reactions",
    "scene": "scenes",
    "function": "functions",
    "table": "tables",
    "option": "options",
    "kind": "kinds",
}
"""The sections of what has a name of its own, by the word that the printed program has for it."""

PLAYED = ("mechanics", "events", "actions")
"""What has odds."""


def touched_rules(before: ir.Program, after: ir.Program, sections: Sequence[str] = PLAYED) -> list[str]:
    """The paths of mechanics, events and actions that may play otherwise.

    What changes itself comes first, then what uses it, and so on; among these, in the order of the program `after`.

    The printed programs are compared, so texts for people do not count. A change of what has no path (words,
    ladders, types, modifiers, dice, attributes of kinds) touches what mentions a word of it; one of a reaction touches
    what causes an event that it follows; one of the rounding touches everything.
    """
    old, new = _texts_by_path(before), _texts_by_path(after)
    changed = {path for path in old | new if old.get(path) != new.get(path)}
    changed |= {
        path_of_held_part(path)
        for path in changed
        if _lines_outside_phases(old.get(path, "")) != _lines_outside_phases(new.get(path, ""))
    }
    rules = [f"{section}.{name}" for section in sections for name in after.playable[section]]
    if before.rounding != after.rounding:
        return rules
    words: set[str] = set()
    for path in changed:
        section = path.partition(".")[0]
        if section in ("", "kinds"):
            words |= _differing_words(old.get(path, ""), new.get(path, ""))
        if section == "reactions":
            heads = " ".join(one.get(path, "").split("\n")[0] for one in (old, new))
            changed = changed | {f"events.{word}" for word in re.findall(r"\w+", heads) if word in after.events}
    if words:
        mention = re.compile(rf"\b(?:{'|'.join(map(re.escape, sorted(words)))})\b")
        changed |= {path for path, text in new.items() if path.partition(".")[0] != "" and mention.search(text)}
    return rules_that_use(after, changed, sections)


def rules_that_use(program: ir.Program, changed: set[str], sections: Sequence[str]) -> list[str]:
    """The paths of rules that are among `changed` or use some of it, the nearest first."""
    rules = [f"{section}.{name}" for section in sections for name in program.playable[section]]
    used = uses_by_path(program)
    steps = {path: far for path in rules if (far := _distance(path, used, changed)) is not None}
    return sorted(steps, key=lambda path: steps[path])


_GENERAL = frozenset(["comparator", "ladder", "names", "die", "type", "modifier", "number", "yes_no", "text", "kind"])


def _differing_words(old: str, new: str) -> set[str]:
    """The words of the lines that differ; of a line that has changed, its name and the words that came or went."""
    before, after = set(old.splitlines()), set(new.splitlines())
    gone, come = sorted(before - after), sorted(after - before)
    names = {word for line in (*gone, *come) for word in re.findall(r"\w+", line)[:2]}
    changed = set(re.findall(r"[^\W\d]\w*", "\n".join(gone))) ^ set(re.findall(r"[^\W\d]\w*", "\n".join(come)))
    return {word for word in names | changed if word not in _GENERAL and not word.isdigit()}


def rules_that_write(program: ir.Program) -> frozenset[str]:
    """The paths of the rules after which things may have something else: by a step, a price, or a reaction."""
    used = uses_by_path(program)
    writing = {f"reactions.{name}": one.action for name, one in program.reactions.items()}
    rules = {f"{section}.{name}": rule for section in PLAYED for name, rule in program.playable[section].items()}
    changed = {
        path for path, rule in (writing | rules).items() if any(isinstance(one, _WRITES) for one in nodes_under(rule))
    }
    changed |= {f"actions.{name}" for name, one in program.actions.items() if one.costs}
    changed |= {f"events.{event}" for one in program.reactions.values() for event in one.events}
    return frozenset(path for path in rules if _distance(path, used, changed) is not None)


_WRITES = (ir.Lvalue, ir.Make, ir.Destroy, ir.Offer)


def removed_rules(before: ir.Program, after: ir.Program) -> list[str]:
    """The paths of the rules that there were."""
    return [f"{one}.{name}" for one in PLAYED for name in before.playable[one] if name not in after.playable[one]]


def _texts_by_path(program: ir.Program) -> dict[str, str]:
    """The text of each declaration by its path; what belongs to none has the empty path."""
    texts: dict[str, list[str]] = {}
    path = ""
    for line in printer.listing(program).splitlines()[1:]:  # the first has the name and the version
        if line[:1].strip():
            word, _, rest = line.partition(" ")
            name = re.match(r"\w+", rest)
            path = f"{SECTIONS[word]}.{name[0]}" if word in SECTIONS and name else ""
        texts.setdefault(path, []).append(line)
    return {path: "\n".join(filter(None, lines)) for path, lines in texts.items()}


def _lines_outside_phases(listing: str) -> list[str]:
    """The lines of the listing of a scene that belong to no phase."""
    held, in_phase = [], False
    for line in listing.splitlines():
        in_phase = line.startswith("  phase ") or (in_phase and line.startswith("   "))
        if not in_phase:
            held.append(line)
    return held


def _distance(path: str, uses: dict[str, set[str]], changed: set[str]) -> int | None:
    """Over how many uses a rule reaches what has changed: 0 if it has changed itself, None if it uses nothing of it."""
    here, done, steps = {path}, {path}, 0
    while here:
        if here & changed:
            return steps
        here = set().union(*(uses.get(one, set()) for one in here)) - done
        done |= here
        steps += 1
    return None
