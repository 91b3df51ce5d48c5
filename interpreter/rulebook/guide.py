"""The beginning of a rulebook: how a roll is made, and what a player does most.

Both are found in the rules: the main roll is the one that the most rules use, and what is done most is what the cases
of the ruleset play most.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import replace

from interpreter import ir
from interpreter.frozen import dataclass
from interpreter.ir.once_per import once_per
from interpreter.ir.traversal import nodes_under
from interpreter.report.plain_words import FormulaWording
from interpreter.report.sentences import Sentence
from interpreter.rulebook.examples import Example
from interpreter.rulebook.for_players import dice_of, happening_in, outcomes_in_words, price_of

MOST_AT_A_GLANCE = 10
"""How many lines the summary has: what fits on a screen."""
MOST_STEPS = 14
"""In how many sentences the main roll is told; of a longer one, what is only worked out is left out."""
MOST_NAMED = 12
"""The most rolls that are named beside the main one."""


@dataclass(frozen=True)
class HowToRoll:
    """How the main roll of a game is made: the dice, how they are read, and which other rolls there are.

    `path` is that of the main mechanic, `based` are the rules that use it, and `others`
    the mechanics that roll in a way of their own.
    """

    path: str
    dice: tuple[str, ...]
    steps: tuple[Sentence, ...]
    outcomes: tuple[Sentence, ...]
    based: tuple[str, ...]
    others: tuple[str, ...]
    example: Example | None


@dataclass(frozen=True)
class AtAGlance:
    """A line of the summary: the path of what is done, the kind of action that it takes, what it costs beside that, and
    what is rolled: mechanics, or its own dice."""

    path: str
    takes: str
    price: tuple[str, ...]
    rolls: tuple[str, ...]
    dice: tuple[str, ...]


def how_to_roll(wording: FormulaWording, main: str, shown: Example | None) -> HowToRoll:
    """How the mechanic `main` is rolled, with an example of it."""
    program = wording.program
    calls = _calls(program)
    chain = [f"mechanics.{main}", *_below(calls, f"mechanics.{main}")]
    rules = [program.mechanics[path.partition(".")[2]] for path in chain]
    dice = [one for rule in rules for one in dice_of(wording, rule)]
    rolling_inside = frozenset(rule.name for rule in rules[1:] if rolls(program, rule.name))
    steps = happening_in(replace(wording, told_inside=rolling_inside), program.mechanics[main], MOST_STEPS)
    reached = {path: _below(calls, path) for path in calls}
    based = [path for path, below in reached.items() if chain[0] in below and path not in chain]
    rolling = [f"mechanics.{name}" for name in program.mechanics if rolls(program, name)]
    others = [one for one in rolling if one not in based and one not in chain and not set(chain) & set(reached[one])]
    return HowToRoll(
        chain[0],
        tuple(dict.fromkeys(dice)),
        tuple(steps),
        outcomes_in_words(wording, program.mechanics[main]),
        tuple(based[:MOST_NAMED]),
        tuple(others[:MOST_NAMED]),
        shown,
    )


def main_roll(program: ir.Program) -> str | None:
    """The mechanic that rolls, has outcomes, and is used by the most rules; of several, the first. None without any."""
    calls = _calls(program)
    uses = Counter(below for path in calls for below in _below(calls, path))
    rolling = [name for name in program.mechanics if rolls(program, name)]
    deciding = [name for name in rolling if program.mechanics[name].outcomes is not None] or rolling
    return max(deciding, key=lambda name: uses[f"mechanics.{name}"], default=None)


def rolls(program: ir.Program, name: str) -> bool:
    """Whether a mechanic throws dice, itself or by what it calls."""
    calls = _calls(program)
    paths = (f"mechanics.{name}", *_below(calls, f"mechanics.{name}"))
    return any(_throws(program.mechanics[path.partition(".")[2]]) for path in paths)


def at_a_glance(wording: FormulaWording, subjects: Iterable[str]) -> tuple[AtAGlance, ...]:
    """What a player does most: the actions, or the rolls of a game without actions, which the cases play most.

    `subjects` are what the cases play, `move` or `actions.advance`, each as often as it is played.
    """
    program, played, calls = wording.program, Counter(subjects), _calls(wording.program)
    if program.actions:
        names = sorted(program.actions, key=lambda one: -played[f"actions.{one}"])
        return tuple(
            AtAGlance(
                f"actions.{name}",
                wording.titles.action_kind(kind) if (kind := program.actions[name].kind) is not None else "",
                tuple(price_of(wording, program.actions[name])),
                _rolls_of(program, calls, f"actions.{name}"),
                tuple(dice_of(wording, program.actions[name].rule)),
            )
            for name in names[:MOST_AT_A_GLANCE]
        )
    names = [one for one in program.mechanics if rolls(program, one) and program.mechanics[one].outcomes is not None]
    names.sort(key=lambda one: -played[one])
    return tuple(
        AtAGlance(
            f"mechanics.{name}",
            "",
            (),
            _rolls_of(program, calls, f"mechanics.{name}"),
            tuple(dice_of(wording, program.mechanics[name])),
        )
        for name in names[:MOST_AT_A_GLANCE]
    )


def _rolls_of(program: ir.Program, calls: Mapping[str, tuple[str, ...]], path: str) -> tuple[str, ...]:
    """The mechanics that a rule calls itself and that roll; those that its events call, if it calls none."""
    direct = [one for one in calls[path] if rolls(program, one.partition(".")[2])]
    if direct or path.startswith("mechanics."):
        return tuple(direct)
    events = {
        one.event for one in nodes_under(program.actions[path.partition(".")[2]].rule) if isinstance(one, ir.Cause)
    }
    inner = [one for name in events for one in calls[f"events.{name}"] if rolls(program, one.partition(".")[2])]
    return tuple(dict.fromkeys(sorted(inner)))


def _throws(rule: ir.Mechanic) -> bool:
    return any(isinstance(one, ir.RollDice) for one in nodes_under(rule))


@once_per
def _calls(program: ir.Program) -> dict[str, tuple[str, ...]]:
    """The mechanics that each rule calls itself, by path, in their order."""
    rules = {f"{section}.{name}": rule for section, of in program.playable.items() for name, rule in of.items()}
    rules |= {f"reactions.{name}": one.action.rule for name, one in program.reactions.items()}
    return {
        path: tuple(dict.fromkeys(f"mechanics.{one.mechanic}" for one in nodes_under(rule) if isinstance(one, ir.Call)))
        for path, rule in rules.items()
    }


def _below(calls: Mapping[str, tuple[str, ...]], path: str) -> tuple[str, ...]:
    """The mechanics that a rule calls, and those that they call."""
    found: dict[str, None] = {}
    waiting = list(calls.get(path, ()))
    while waiting:
        one = waiting.pop(0)
        if one not in found:
            found[one] = None
            waiting += calls[one]
    return tuple(found)
