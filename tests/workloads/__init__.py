"""The workloads that speed is measured with: what is asked of `workloads.yaml`, and what exactly must come out.

`reference_values.json` holds laws that plain Python worked out without any library of dice, by brute force where
that is feasible: a mapping from workload to value to fraction.
"""

from __future__ import annotations

import json
from ast import literal_eval
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Any

import interpreter
from interpreter.odds import answer as odds

HERE = Path(__file__).parent
RULES = HERE / "workloads.yaml"
RULESETS = HERE.parent.parent / "rulesets"

Law = dict[tuple[Any, ...], Fraction]


@dataclass(frozen=True)
class Workload:
    """A question: the joint law of `asked` of a mechanic with these inputs. `says` is what it is, in a few words."""

    says: str
    mechanic: str
    asked: tuple[str, ...]
    inputs: Mapping[str, Any] = field(default_factory=dict)
    others: Mapping[str, Any] = field(default_factory=dict)
    """Other inputs that the same mechanic is asked with, to be made ready and know nothing of the answer yet."""
    best: str | None = None
    """What open choices are decided for."""
    ruleset: str | None = None
    """The bundled ruleset whose mechanic it is; None for the file that the other questions are in."""
    state: Mapping[str, Any] | None = None
    choices: Mapping[str, Any] = field(default_factory=dict)
    scene: Path | None = None
    """The file of the scene that it is about, which has its state and inputs, instead of a mechanic."""
    otherwise: Mapping[str, Any] = field(default_factory=dict)
    """Further arguments of the question, such as the policy."""
    options: Mapping[str, Any] = field(default_factory=dict)

    def ask(self, game: Any, **otherwise: Any) -> odds.Law:
        """The answer, by the public door of a loaded game; `otherwise` are inputs to be changed.

        Where nothing is `asked`, it is all that `houserule odds` shows, and the law of the first of it is given.
        """
        game = game.with_options(self.options) if self.options else game
        scene = interpreter.load_scene(self.scene) if self.scene is not None else None
        state, inputs = (scene.state, scene.inputs) if scene is not None else (self.state, self.inputs)
        with interpreter.within(interpreter.Budget.none):  # the limits of a question hold, whatever else takes time
            found = game.odds(
                self.mechanic, inputs={**inputs, **otherwise}, best=self.best, state=state, choices=self.choices,
                **self.otherwise,
            )  # fmt: skip
            names_of = [self.asked] if self.asked else [(name,) for name in found.results]
            laws = [found.law(*names) for names in names_of]
        return laws[0]

    def law(self, game: Any, **otherwise: Any) -> Law:
        """The exact chances of the answer."""
        return dict(self.ask(game, **otherwise).weights)


OUTCOME, TOTAL = ("outcome",), ("total",)

WORKLOADS = {
    "W1": Workload(
        "contest, highest against highest", "contest", OUTCOME,
        {"own": "2d12 & d10 & d8", "against": "3d10 & d6"}, {"own": "d8 & d6", "against": "d6 & d4"},
    ),
    "W2": Workload(
        "damage, 5 dice against 3", "damage", ("hits",),
        {"blow": "3d12 & d10 & d8", "soak": "2d12 & d8"}, {"blow": "d8 & d6", "soak": "d6"},
    ),
    "W2L": Workload(
        "damage, 9 dice against 9", "damage", ("hits",),
        {"blow": "8d12 & d8", "soak": "8d12 & d6"}, {"blow": "d8 & d6", "soak": "d6"},
    ),
    "W3": Workload(
        "W1, the worst of three throws", "hindered_contest", OUTCOME,
        {"own": "2d12 & d10 & d8", "against": "3d10 & d6", "penalties": 2}, {"own": "d8 & d6", "against": "d6 & d4"},
    ),
    "W4": Workload("wild die, 5D+2", "wild_die", TOTAL, {"dice": 5, "pips": 2}, {"dice": 3}),
    "W4L": Workload("wild die, 20D", "wild_die", TOTAL, {"dice": 20}, {"dice": 3}),
    "W5": Workload(
        "stacking d12, at most 50 dice", "stacking", TOTAL,
        {"stat": 9, "skill": 5}, {"stat": 4, "skill": 2},
    ),
    "W6": Workload(
        "successes and complications of 5d20", "successes", ("successes", "complications"),
        {"dice": 5, "target": 14, "focus": 4}, {"dice": 3, "target": 11, "focus": 3},
    ),
    "W7": Workload(
        "4d6, ones again, drop lowest, best of 6", "best_ability", ("best",), {}, {"number": 2, "dice": "4d8"},
    ),
    "W8": Workload(
        "10d10 exploding, keep 5", "keep_best", TOTAL,
        {"pool": "10d10", "keep": 5}, {"pool": "4d8", "keep": 2},
    ),
}  # fmt: skip


def reference() -> dict[str, Law]:
    """The exact law of every workload."""
    return {
        name: {_values(value): Fraction(weight) for value, weight in law.items()}
        for name, law in json.loads((HERE / "reference_values.json").read_text("utf-8")).items()
    }


def _values(text: str) -> tuple[Any, ...]:
    """`fail`, `12` or `(2, 0)` as a tuple of values."""
    value = literal_eval(text) if text[0] in "(-0123456789" else text
    return value if isinstance(value, tuple) else (value,)


# Questions a step aside of these ---------------------------------------------------------------------------------

CLIFF_RULES = HERE / "cliffs.yaml"


def essence(difficulty: int) -> Workload:
    """A roll of Fiend Wake whose tosses may be changed."""
    given = {"stat": 5, "skill": 3, "difficulty": difficulty, "essence": 3}
    return Workload("", "roll", OUTCOME, given, best="success", ruleset="fiend-wake")


def related(*names: str) -> Workload:
    """A check of D6 with the help of skills that are tried before."""
    helpers = [{"name": name, "code": "2D", "difficulty": 10} for name in names]
    return Workload(
        "", "with_related", OUTCOME, {"code": "3D", "difficulty": 15, "related": helpers}, ruleset="d6"
    )  # fmt: skip


def points(many: int, **choices: int) -> Workload:
    """A check of D6 by a hero with Character Points and a Fate Point."""
    rhea = {"is": "hero", "character_points": many, "fate_points": 1}
    given = {"code": "3D", "difficulty": 15, "hero": "rhea"}
    return Workload("", "check", OUTCOME, given, {}, "success", "d6", {"rhea": rhea}, choices)


DUEL = Workload(
    "", "scenes.combat", ("rounds",), ruleset="fiend-wake", scene=RULESETS / "fiend-wake" / "scenes" / "duel.yaml",
    otherwise={"policy": "steady", "seconds": 10, "within": Fraction(1, 100)},
    options={"faints_when": "endurance_gone"},  # so that the duel lasts, and as it is written by hand
)  # fmt: skip


CLIFFS = {
    "sum of 10d6 that explode": Workload("", "exploding_sum", TOTAL, {"pool": "10d6"}),
    "sum of 6d6 thrown again from 2 up": Workload("", "long_chains", TOTAL, {"pool": "6d6"}),
    "5d10 exploding, keep 3, at least 20": Workload("", "keep_exploding", OUTCOME),
    "4d6 exploding, looked at once more": Workload("", "looked_at_again", OUTCOME),
    "sum of 200d100": Workload("", "sum_of_many", TOTAL, {"pool": "200d100"}),
    "sum of 400d100": Workload("", "sum_of_many", TOTAL, {"pool": "400d100"}),
    "4d6 and 3d6 in pairs, ties passed over": Workload("", "in_pairs", ("ahead",)),
    "11d6 against 11d6 in order": Workload("", "in_order", ("ahead",), {"ours": "11d6", "other": "11d6"}),
    "3d12 & d8 against 2d12 & d8 in a strike that is called": Workload(
        "", "struck", ("won", "best"), {"pool": "3d12 & d8", "against": "2d12 & d8"}
    ),
    "3d12 & d8 against each of 8 foes": Workload("", "many_foes", TOTAL, {"pool": "3d12 & d8", "foes": 8}),
    "red and green 3d6, face by face": Workload("", "face_by_face", ("shared",), {"each": "3d6"}),
    "six scores of 4d6 keep 3: sum": Workload("", "scores", TOTAL),
    "six scores of 4d6 keep 3: best": Workload("", "scores", ("best",)),
    "six scores of 4d6 keep 3: best three": Workload("", "scores", ("three",)),
    "widest set among 10d10": Workload("", "sets", ("widest",), {"pool": "10d10"}),
    "a torch of two points, 7 nights": Workload("", "burns_down", ("left",), {"nights": 7}),
    "a torch of two points, 60 nights": Workload("", "burns_down", ("left",), {"nights": 60}),
    "5 of 54 cards, a joker among them": Workload("", "hand", ("joker",)),
    "the higher of 2 of 54 cards, and one more": Workload("", "highest_of_two", TOTAL),
    "a fight by attrition, 4 against 3": Workload("", "scenes.battle", OUTCOME),
    "a fight blow by blow, 12 life against 10": Workload(
        "", "scenes.blow_by_blow", OUTCOME, {"fighters": ["ann", "bob"]}
    ),
    "a fight of turns and actions, 12 life against 10": Workload(
        "", "scenes.turn_by_turn", OUTCOME, {"fighters": ["ann", "bob"]}, choices={"does": "strike"}
    ),
    "5 exploding dice, up to 6 more bought after a look": Workload(
        "", "bought_later", OUTCOME, {"most": 6}, best="hit"
    ),
    "Fiend Wake, a roll against 7 with Essence 3": essence(7),
    "Fiend Wake, a roll against 14 with Essence 3": essence(14),
    "D6, a check with a related skill": related("tracking"),
    "D6, a check with two related skills": related("tracking", "search"),
    "D6, a check with a Character Point and a Fate Point": points(1),
    "D6, a check with a Fate Point and 5 points spent before": points(5, before=5),
    "the duel of Fiend Wake, all but a hundredth": DUEL,
    "Jadeclaw, 8d12 & d8 against 8d12 & d6, all that is shown": Workload(
        "", "damage_roll", (), {"damage": "8d12 & d8", "soak": "8d12 & d6"}, ruleset="jadeclaw"
    ),
}
"""Questions that once took a minute or were refused, by what they are. `test_cliffs.py` holds each to a sum by hand."""
