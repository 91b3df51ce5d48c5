"""`roll` with `on`: the value of a step is the row of a table to which its dice come.

Every form of the dice and of the table, in every way of playing, against plain Python over all faces; what the checker
says of dice that come to no row; and what a record, a host and a rulebook tell of it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import product
from pathlib import Path
from textwrap import indent

import pytest
from enumeration import hold_to_every_history

from interpreter import Game, RulesetError, loads, pipeline
from interpreter.diagnostics.source import Source
from interpreter.editor import links
from interpreter.editor.analysis import analysis_of
from interpreter.editor.completion import completions_at
from interpreter.pipeline import Finder
from interpreter.report.explain import explain_name
from interpreter.rulebook import page
from interpreter.rulebook.book import book

RULES = """ruleset: rows
dice: {uneven: {faces: [1, 2, 2, 5]}}
names: {mood: [calm, sad, angry], place: [wood, town]}
tables:
  mishaps: {rows: {1: 10, 2 to 3: 20, 4 to 6: 30}, off_the_rows: refuse}
  temper: {type: mood, rows: {2 or less: calm, 3 to 4: sad, 5 or more: angry}}
  near: {rows: {2: 7, 4: 8}, off_the_rows: nearest}
  twice: {rows: {1: 3}, off_the_rows: it * 2}
  outfit: {rows: {calm: 1, angry: 2}}
  price: {rows: {wood: {3 or less: 1, 4 or more: 2}, town: {2 or less: 5, 3 or more: 6}}}
mechanics:
  rule:
    inputs: {stress: {type: number, from: 0, to: 2, default: 1}, at: {type: place, default: town}}
    steps:
STEPS
"""

Faces = Sequence[int]


def mishaps(number: int) -> int:
    return {1: 10, 2: 20, 3: 20}.get(number, 30)


def temper(number: int) -> str:
    return "calm" if number <= 2 else "sad" if number <= 4 else "angry"


FORMS: dict[str, tuple[str, Sequence[Sequence[int]], Callable[[Faces], object]]] = {
    "a table": ("row: {roll: d6, on: mishaps}", [range(1, 7)], lambda f: mishaps(f[0])),
    "words": ("row: {roll: 2d4, on: temper}", [range(1, 5)] * 2, lambda f: temper(sum(f))),
    "the nearest row": ("row: {roll: d6, on: near}", [range(1, 7)], lambda f: 7 if f[0] <= 3 else 8),
    "another value": ("row: {roll: 2d2, on: twice}", [range(1, 3)] * 2, lambda f: sum(f) * 2),
    "read in another way": (
        "row: {roll: d4, on: temper(it + stress)}", [range(1, 5)], lambda f: temper(f[0] + 1)),
    "two keys": ('row: {roll: d4, on: "price(at, it)"}', [range(1, 5)], lambda f: 5 if f[0] <= 2 else 6),
    "twice in one": ('row: {roll: d4, on: "near(it) + twice(it)"}', [range(1, 5)],
                     lambda f: (7 if f[0] <= 3 else 8) + (3 if f[0] == 1 else f[0] * 2)),
    "parts": ("row: {roll: {left: d2, right: d3}, on: temper}", [range(1, 3), range(1, 4)], lambda f: temper(sum(f))),
    "what a throw counts": ("row: {roll: 2d3, counts: face * 2 if nth == 1 else 0, on: temper}",
                            [range(1, 4)] * 2, lambda f: temper(2 * sum(f))),
    "dice with other faces": ("row: {roll: uneven, on: near}", [(1, 2, 2, 5)], lambda f: 7 if f[0] <= 3 else 8),
    "a condition": ("row: {roll: d6, on: mishaps, if: stress == 1}", [range(1, 7)], lambda f: mishaps(f[0])),
    "what holds otherwise": ("row: {roll: d6, on: temper, if: stress == 2, else: sad}", [], lambda f: "sad"),
    "a stage before": ("row: {roll: 2d6, then: {best: 'highest(row, 1)'}, on: mishaps}",
                       [range(1, 7)] * 2, lambda f: mishaps(max(f))),
    "the name of the table": ("temper: {roll: d6, on: temper}\nrow: temper", [range(1, 7)], lambda f: temper(f[0])),
    "in a pass": ("passes: {repeat: 2, each: {one: {roll: d4, on: near}}}\nrow: sum(passes.one)",
                  [range(1, 5)] * 2, lambda f: sum(7 if one <= 3 else 8 for one in f)),
    "elements have their own it": ('row: {roll: d4, on: "temper(it + count([1, 2, 3] where it > 1))"}',
                                   [range(1, 5)], lambda f: temper(f[0] + 2)),
}  # fmt: skip


def game_of(steps: str) -> Game:
    return loads(RULES.replace("STEPS", indent(steps, " " * 6)))


@pytest.mark.parametrize("form", FORMS)
def test_the_value_is_the_row_in_every_way_of_playing(form: str) -> None:
    steps, faces, row = FORMS[form]
    game, ways = game_of(steps), [*product(*faces)]
    law = Counter(row(way) for way in ways)
    found = game.odds("rule").law("row").weights
    assert found == {(one,): Fraction(many, len(ways)) for one, many in law.items()}
    for way in ways:
        assert game.roll("rule", faces=[*way]).values["row"] == row(way)
    hold_to_every_history(game, "rule", "row")


def test_chains_are_added() -> None:
    game = game_of("row: {roll: d6, again: face == 6 and nth < 3, on: temper}")
    assert game.roll("rule", faces=[6, 6, 1]).values["row"] == "angry"
    assert game.odds("rule").of("row") == {one: Fraction(1, 3) for one in ("calm", "sad", "angry")}
    hold_to_every_history(game, "rule", "row")


def test_dice_are_rerolled_before_the_row_is_read() -> None:
    game = game_of("row: {roll: d6, then: {anew: {reroll: row where face == 1}}, on: mishaps}")
    assert game.roll("rule", faces=[1, 2]).values["row"] == 20
    hold_to_every_history(game, "rule", "row")


def test_odds_keep_the_law_of_the_row_alone() -> None:
    """Eight throws that are read together: if states kept the dice, there would be as many as 100 to the eighth."""
    steps = "".join(f"r{n}: {{roll: d100, on: {'near' if n % 2 else 'twice'}(it / 34)}}\n" for n in range(8))
    added = " + ".join(f"r{n}" for n in range(8))
    law = game_of(f"{steps}row: {added}").odds("rule").law("row").weights
    one = {True: Counter(), False: Counter()}
    for face in range(1, 101):
        at = face // 34
        one[True][7 if at <= 3 else 8] += 1
        one[False][3 if at == 1 else at * 2] += 1
    total = Counter({0: 1})
    for n in range(8):
        step: Counter[int] = Counter()
        for (before, ways), (more, many) in product(total.items(), one[bool(n % 2)].items()):
            step[before + more] += ways * many
        total = step
    assert law == {(value,): Fraction(ways, 100**8) for value, ways in total.items()}


SCENE = """ruleset: rows
kinds: {hero: {has: {hurt: {type: number, default: 0}}}}
tables: {falls: {rows: {1 to 3: 1, 4 to 6: 3}, off_the_rows: refuse}}
scenes:
  climb:
    inputs: {who: {type: hero}}
    round:
      fall:
        steps:
          harm: {roll: d6, on: falls, if: who.hurt < 2, else: 0}
          hurt: {set: who.hurt, to: who.hurt + harm}
          over: {end: down, if: who.hurt > 1}
    outcomes: {down: {about: It is over.}}
"""


def test_scenes_read_rows_too() -> None:
    """Whoever is hurt 3 is down at once; after a 1, the next row decides whether it is 2 or 4."""
    game = loads(SCENE)
    state = game.state(ann={"is": "hero"})
    true = {(2,): Fraction(1, 4), (3,): Fraction(1, 2), (4,): Fraction(1, 4)}
    assert game.odds("climb", state=state, who="ann").law("ann.hurt").weights == true
    found = game.simulate("climb", state=state, who="ann", runs=4_000, seed=1, of=("ann.hurt",)).law("ann.hurt").weights
    assert all(abs(float(found[key] - share)) < 0.05 for key, share in true.items())
    played = game.play("climb", state=state, who="ann", faces=[2, 6])
    told = [line.strip() for line in str(played.trace).splitlines() if "harm" in line]
    assert told == ["harm: d6: 2", "harm: 1", "harm: d6: 6", "harm: 3"]


# What is told ------------------------------------------------------------------------------------------------------


def test_the_record_has_the_dice_before_the_row() -> None:
    played = game_of("row: {roll: 2d4, on: temper}").roll("rule", faces=[1, 3])
    assert str(played.trace).splitlines()[:2] == ["row: d4: 1, d4: 3", "row: sad"]


def test_a_host_is_asked_for_the_dice_as_for_any() -> None:
    session = game_of("row: {roll: 2d4, on: temper}").begin("rule", dice="table")
    (asked,) = session.host.requests
    assert (asked.kind, asked.path) == ("faces", "row")
    session.host.answer(asked.id, [1, 3])
    assert session.result is not None and session.result.values["row"] == "sad"


HIDDEN = """ruleset: hidden
roles: {game_master: Who rules.}
kinds: {hero: {has: {doom: {type: number, default: 0, seen_by: game_master}}}}
tables: {fates: {rows: {1 to 3: 100, 4 to 6: 200}, off_the_rows: refuse}}
events:
  omen:
    by: game_master
    inputs: {who: {type: hero}}
    steps:
      fate: {roll: d6, on: fates}
      kept: {set: who.doom, to: fate}
"""


def test_what_becomes_hidden_hides_its_dice() -> None:
    game = loads(HIDDEN)
    players = {"ann": ["ann"], "max": ["game_master"]}
    session = game.begin("events.omen", state=game.state(ann={"is": "hero"}), who="ann", players=players, dice="table")
    session.host.answer(session.host.requests[0].id, [2])
    assert [line.text for line in session.seat("max").lines()] == ["d6: 2", "100", "ann.doom 0 → 100"]
    assert [line.text for line in session.seat("ann").lines()] == []


def test_a_result_is_played_again() -> None:
    game = game_of("row: {roll: 2d4, on: temper}")
    played = game.roll("rule", seed=4)
    assert game.replay(played).values == played.values == game.roll("rule", faces=[*played.faces]).values


def test_explanations_name_the_table() -> None:
    game = game_of(
        "one: {roll: d6, on: mishaps}\ntwo: {roll: d4, on: temper(it + stress)}\n"
        "three: {roll: 2d6, again: face == 6, then: {best: 'highest(three, 1)'}, on: temper}"
    )
    assert explain_name(game.program, None, "mechanics.rule")[-6:] == [
        "  `one`: roll d6 on mishaps.",
        "  `two`: roll d4 on temper(it + stress), where `it` is what the dice come to.",
        "  `three`: roll 2d6 on temper.",
        "    While face == 6, the same die is thrown again and the throw is added.",
        "    Before the row is read, in this order:",
        "      `best`: highest(three, 1).",
    ]


def test_a_rulebook_names_the_table() -> None:
    made = pipeline.from_text(
        Source.of("<text>", RULES.replace("STEPS", "      row: {roll: 2d4, on: temper}")), Finder()
    )
    assert "Throw 2d4 on the table “temper”" in page.markdown(book(made, {}))


def test_an_editor_offers_and_renames_what_stands_at_on(tmp_path: Path) -> None:
    text = RULES.replace("STEPS", "      row: {roll: d6, on: mishaps}\n      more: {roll: d4, on: temper(it + row)}")
    path = (tmp_path / "rows.yaml").resolve()
    path.write_text(text, "utf-8")
    analysis = analysis_of(path, {})
    source = analysis.sources[path]
    offered = {one.label for one in completions_at(analysis, source, text.index("mishaps}"))}
    assert {"mishaps", "temper", "it", "stress"} <= offered
    for old, uses in (("mishaps", 2), ("temper", 2), ("row", 2), ("more", 1)):
        declared = next(span for span in analysis.definitions if span.text == old)
        edits = links.rename_edits([analysis], declared, f"{old}_x")
        assert len(edits) == uses, old
        assert links.error_after([analysis], {}, edits, ()) is None


# Slips -------------------------------------------------------------------------------------------------------------

SLIPS = {
    "more than the rows": ("{roll: d8, on: mishaps}", "HR508", "`mishaps` has no row for `7 to 8`, and the dice come"),
    "more than the rows, added": ("{roll: d6, on: mishaps(it + 2)}", "HR508", "no row for `7 to 8`"),
    "more, whatever is added": ("{roll: d8, on: mishaps(it + stress)}", "HR508", "no row for `7 to 10`"),
    "less than the rows": ("{roll: d6, on: mishaps(it - 1)}", "HR508", "no row for `0`"),
    "chains without end": ("{roll: d6, again: face == 6, on: mishaps}", "HR508", "no row for `7 or more`"),
    "more where a condition holds": (
        "{roll: d8, on: mishaps(it) if it != 8 else near(it)}",
        "HR508",
        "no row for `7`, and the dice",
    ),
    "a table that is none": ("{roll: d6, on: mishap}", "HR303", "there is no table `mishap`"),
    "a number": ("{roll: d6, on: 7}", "HR401", "this should be a row of a table"),
    "a row without the dice": ("{roll: d6, on: mishaps(2)}", "HR401", "read with what the dice come to"),
    "a row beside the dice": ("{roll: d6, on: mishaps(2) + it}", "HR401", "read with what the dice come to"),
    "a table of words": ("{roll: d6, on: price}", "HR406", "`price` takes 2 keys"),
    "keys that are words": ("{roll: d6, on: outfit}", "HR401", "this should be one of `outfit`"),
    "no table": ("{roll: d6, on: it + 1}", "HR401", "this should be a row of a table"),
    "a reroll": ("{roll: d6, on: mishaps}\nanew: {reroll: row}", "HR420", "this step is a row"),
    "a reroll of some": ("{roll: d6, on: temper}\nanew: {reroll: row where face == 1}", "HR420", "this step is a row"),
    "another verb": ("{roll_on: mishaps}", "HR108", "unknown verb `roll_on`"),
    "a reroll in the same step": (
        "{roll: d6, on: mishaps, reroll: face == 1}",
        "HR109",
        "this step has more than one verb: `roll`, `reroll`",
    ),
    "another key": ("{roll: d6, table: mishaps}", "HR101", "unknown key `table`"),
    "a table as dice": ("{roll: mishaps}", "HR301", "`mishaps` is not defined here"),
}
HELPS = {
    "a table that is none": "did you mean `mishaps`?",
    "a number": "name a table, `on: mishaps`, or read one with `it`: `on: mishaps(it + 1)`",
    "a reroll": "throw the dice in one of their own, `dice: {roll: d6}`, and read the row after the reroll",
    "another verb": "write `{roll: d6, on: mishaps}`",
    "a reroll in the same step": "write `row: {roll: d6}`, and after it `row_again: {reroll: row where face == 1}`",
    "another key": "the table stands at `on`: `{roll: d6, on: mishaps}`",
    "a table as dice": "`mishaps` is a table, and the dice for it stand at `roll`: `{roll: d6, on: mishaps}`",
}


@pytest.mark.parametrize("slip", SLIPS)
def test_a_slip_has_one_message(slip: str) -> None:
    step, code, words = SLIPS[slip]
    with pytest.raises(RulesetError) as error:
        game_of(f"row: {step}")
    assert [one.code for one in error.value.diagnostics] == [code]
    assert words in error.value.diagnostics[0].message
    assert slip not in HELPS or error.value.diagnostics[0].help == HELPS[slip]


SOUND = {
    "all rows": "{roll: d6, on: mishaps}",
    "fewer dice than rows": "{roll: d4, on: mishaps}",
    "perhaps too much": "{roll: d6, on: mishaps(it + stress)}",
    "bounded": "{roll: d8, on: 'mishaps(clamp(it, 1, 6))'}",
    "throws that count less": "{roll: d6, again: face == 1, counts: 0 if face == 1 else face, on: mishaps}",
    "faces on rows": "{roll: uneven, on: mishaps}",
    "the nearest row": "{roll: d20, on: near}",
    "as many dice as something says": "{roll: (stress)d6, on: mishaps}",
    "rows by a condition": "{roll: d8, on: mishaps(it) if it <= 6 else near(it)}",
    "rows by an open condition": "{roll: d8, on: mishaps(it) if stress == 2 else near(it)}",
    "dice of a table": "{roll: d6, on: mishaps}\nmore: {roll: d6, on: mishaps}",
}


@pytest.mark.parametrize("sound", SOUND)
def test_what_has_a_row_is_no_error(sound: str) -> None:
    game_of(f"row: {SOUND[sound]}")
