"""The commands of the game master at the terminal: `:set ann.crew 3 a wave`."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import takewhile

from interpreter import diagnostics as say
from interpreter.api.master import Master
from interpreter.diagnostics import PlayError

MASTER_COMMANDS: Mapping[str, str] = {
    "set": ":set ann.luck 3 WHY",
    "cause": ":cause EVENT who=ann WHY",
    "roll": ":roll MECHANIC bonus=2 WHY",
    "add": ":add KIND NAME luck=2 WHY",
    "remove": ":remove cai WHY",
    "end": ":end round WHY",
    "give": ":give ann ben WHY",
    "gm": ":gm {gain: 2, to: ann.luck} WHY",
}
"""The form of each command. What stands behind it says why, which may be left out."""

_QUOTES = str.maketrans("“”„", '"""')
_WORD = re.compile(r'(?:"[^"]*"|[^\s"])+')


def obey_master(master: Master, text: str) -> None:
    """Obey a command of the game master. Raises PlayError where it is not complete, or the rules refuse it."""
    words = [one.replace('"', "") for one in _WORD.findall(text.translate(_QUOTES))]
    match words:
        case ["set", place, value, *why]:
            master.set(place, value, " ".join(why))
        case ["cause", event, *rest]:
            given, reason = _given_and_reason(rest)
            master.cause(event, reason, inputs=given)
        case ["roll", mechanic, *rest]:
            given, reason = _given_and_reason(rest)
            master.roll(mechanic, reason, inputs=given)
        case ["add", kind, *rest]:
            named = rest.pop(0) if rest and "=" not in rest[0] else ""
            given, reason = _given_and_reason(rest)
            master.add(kind, named, reason, inputs=given)
        case ["remove", thing, *why]:
            master.remove(thing, " ".join(why))
        case ["end", "scene", outcome, *why] if outcome in _outcomes(master):
            master.end(outcome, " ".join(why))
        case ["end", what, *why]:
            master.end(what, " ".join(why))
        case ["give", name, player, *why]:
            master.give(name, player, " ".join(why))
        case ["gm", _, *_]:
            step, brace, after = text.removeprefix("gm").strip().rpartition("}")
            master.play(*((step + brace, after.strip()) if brace else (after,)))
        case [name, *_]:
            raise PlayError(say.incomplete_command(name, MASTER_COMMANDS[name]))


def _outcomes(master: Master) -> Sequence[str]:
    """The names of the outcomes of the scene that is played."""
    scene = master.session.game.program.scenes.get(master.session.beginning.rule.removeprefix("scenes."))
    return [one.name for one in scene.outcomes] if scene is not None else []


def _given_and_reason(words: Sequence[str]) -> tuple[dict[str, str], str]:
    """What is given by name at the beginning of some words, and the reason behind it."""
    given = list(takewhile(lambda word: "=" in word, words))
    return dict(one.split("=", 1) for one in given), " ".join(words[len(given) :])
