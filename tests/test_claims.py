"""What tables claim of chances: held against the dice by whoever checks or tests, carried along by house rules."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

import pytest

from interpreter import pipeline
from interpreter.api.game import Game
from interpreter.diagnostics.source import Source
from interpreter.odds import meter
from interpreter.pipeline import Loaded
from interpreter.testing.cases import Trial, cases_of
from interpreter.testing.claims import claim_verdicts, problems_of_claims

DUEL = """ruleset: duel
tables:
  printed:
    rows: {4: 50, 5: 33}
    off_the_rows: refuse
    claims:
      hit: {mechanic: strike, given: {need: row}, is: value / 100, within: 1/200}
mechanics:
  strike:
    inputs: {need: {type: number}}
    steps:
      total: {roll: d6}
    outcomes: {hit: total >= need, miss: otherwise}
"""


def loaded(text: str) -> Loaded:
    made = pipeline.from_text(Source.of("duel.yaml", text))
    assert [str(one) for one in made.problems.errors] == []
    return made


def said(text: str) -> list[str]:
    return [one.message for one in problems_of_claims(loaded(text))]


# What is held ----------------------------------------------------------------------------------------------------


def test_a_table_that_rounds_as_it_says_is_sound() -> None:
    assert said(DUEL) == []


def test_without_room_for_rounding_a_rounded_number_is_off() -> None:
    assert said(DUEL.replace(", within: 1/200", "")) == [
        "row `5` of `printed` claims 33% for `hit`, but the chance is 1/3, 33.33%: 0.33 points more"
    ]


@pytest.mark.parametrize(
    ("written", "chance"),
    [
        *((f"{n} / 7", Fraction(n, 7)) for n in range(8)),
        ("1 - row / 6", Fraction(2, 6)),
        ("-(row - 6) / 6 + 1 / 3", Fraction(4, 6)),
        ("row / 100 * (20 / 3)", Fraction(4, 15)),
        ("1 / 7 if row / 8 > 1 / 3 else 1", Fraction(1, 7)),
        ("max(1, row - 3)", Fraction(1)),
        ("up(row / 8)", Fraction(1)),
        ("down(row / 8) + 1 / 7", Fraction(1, 7)),
        ("(row + 1) / (value + row)", Fraction(5, 54)),
    ],
)
def test_a_quotient_is_exact_in_a_claim(written: str, chance: Fraction) -> None:
    """The same table, claimed with the chance as it should come and with the next nearest."""
    only_four = DUEL.replace("{4: 50, 5: 33}", "{4: 50}").replace("within: 1/200", "within: {}")
    off = abs(Fraction(1, 2) - chance)
    as_decimal = only_four.replace("value / 100", f'"{written}"')
    assert said(as_decimal.replace("{}", str(off) if off else "0")) == []
    assert off == 0 or len(said(as_decimal.replace("{}", str(off - Fraction(1, 10**9))))) == 1


def test_the_printed_percentages_of_fiend_wake_are_right_within_a_point_and_two_not_within_half() -> None:
    folder = pipeline.find_ruleset("fiend-wake").parent
    text = re.sub(r"^parts:.*\n(?: +- .*\n)*", "", (folder / "fiend-wake.yaml").read_text("utf-8"), flags=re.MULTILINE)
    assert said(text) == []
    assert said(text.replace("within: 1/100", "within: 0.005")) == [
        "row `66` of `percent_need` claims 66% for `happens`, but the chance is 2/3, 66.67%: 0.67 points more",
        "row `84` of `percent_need` claims 84% for `happens`, but the chance is 5/6, 83.33%: 0.67 points less",
    ]


def test_a_range_is_held_at_its_ends_and_an_open_one_at_its_end() -> None:
    text = DUEL.replace("{4: 50, 5: 33}", "{1 or less: 100, 2 to 4: 50, 5 to 7: 33, 8 or more: 0}")
    text = text.replace("    off_the_rows: refuse\n", "")
    assert [one.split(" of ")[0] for one in said(text)] == ["row `2 to 4` at 2", "row `5 to 7` at 7"]


def test_one_table_may_claim_several_chances() -> None:
    text = DUEL.replace(
        "claims:\n", "claims:\n      miss: {mechanic: strike, given: {need: row}, is: 1 - value / 99}\n"
    )
    assert [one.split(",")[0] for one in said(text)] == [
        "row `4` of `printed` claims 49.49% for `miss`",
    ]


def test_what_is_too_much_is_left_open_with_a_warning(monkeypatch: pytest.MonkeyPatch) -> None:
    made = loaded(DUEL)
    monkeypatch.setattr(meter, "LIMITS", meter.WorkLimits(states=0))
    found = [(one.code, one.severity, one.message) for one in problems_of_claims(made)]
    assert found[0] == (
        "HR907",
        "warning",
        "row `4` of `printed`: the chance of `hit` takes too much work to check",
    )
    assert [bool(one.skipped) for one in claim_verdicts(made)] == [True, True]


# When it is held -------------------------------------------------------------------------------------------------


def test_loading_works_no_odds_out(monkeypatch: pytest.MonkeyPatch) -> None:
    def no_odds(*given: object, **named: object) -> None:
        raise AssertionError

    monkeypatch.setattr(Game, "odds", no_odds)
    made = loaded(DUEL.replace("5: 33", "5: 99"))
    assert made.program is not None and made.world is not None
    assert Game(made.program, made.world).roll("strike", need=3, faces=[3]).outcome == "hit"


def test_a_ruleset_with_errors_is_not_held_against_the_dice() -> None:
    made = pipeline.from_text(Source.of("duel.yaml", DUEL.replace("5: 33", "5: 99").replace("roll: d6", "roll: d6d")))
    assert made.problems.errors
    assert problems_of_claims(made) == []


def test_each_row_is_told_like_a_case() -> None:
    verdicts = claim_verdicts(loaded(DUEL.replace("5: 33", "5: 99")))
    assert [(one.case.name, len(one.failures)) for one in verdicts] == [
        ("printed claims hit, row `4`", 0),
        ("printed claims hit, row `5`", 1),
    ]


@pytest.mark.parametrize("written", ["1e999999999", "-1/100", "1", "1/0", "one", "0." + "1" * 4_100])
def test_a_share_that_is_none_is_refused_at_once(written: str) -> None:
    made = pipeline.from_text(Source.of("duel.yaml", DUEL.replace("1/200", written)))
    too_long = ["HR923"] if len(written) > 4_000 else []  # Python makes no number of it, so some readers of YAML fail
    assert [one.code for one in made.problems] == ["HR401", *too_long]


def test_stated_odds_without_measure_are_refused_at_once() -> None:
    made = loaded(
        f"{DUEL}cases:\n  - {{name: much, mechanic: strike, given: {{need: 4}}, odds: {{hit: 1e999999999}}}}\n"
    )
    assert made.program is not None and made.world is not None
    trial = Trial(Game(made.program, made.world))
    (verdict,) = [trial.run(case) for case in cases_of(made.world.cases)]
    assert [one.code for one in verdict.failures] == ["HR640"]


@pytest.mark.parametrize(("stated", "found"), [("1/6", []), ("1/5", ["sixes: `P(total 6)` expected 1/5, got 1/6"])])
def test_a_case_may_state_the_odds_of_the_values_of_a_step(stated: str, found: list[str]) -> None:
    case = f"{{name: sixes, mechanic: strike, given: {{need: 4}}, odds: {{total: {{6: {stated}, 7: 0}}}}}}"
    made = loaded(f"{DUEL}cases:\n  - {case}\n")
    assert made.program is not None and made.world is not None
    trial = Trial(Game(made.program, made.world))
    (verdict,) = [trial.run(one) for one in cases_of(made.world.cases)]
    assert [one.message for one in verdict.failures] == found


# House rules -----------------------------------------------------------------------------------------------------


@pytest.fixture
def club(tmp_path: Path) -> Iterator[Path]:
    (tmp_path / "duel.yaml").write_text(DUEL, "utf-8")
    yield tmp_path


def layer(club: Path, changes: str) -> Loaded:
    (club / "ours.yaml").write_text(f"ruleset: ours\nextends: duel.yaml\nchanges:\n{changes}", "utf-8")
    made = pipeline.from_path(club / "ours.yaml")
    assert [str(one) for one in made.problems.errors] == []
    return made


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("mechanics.strike", "smite"),
        ("mechanics.strike.inputs.need", "wanted"),
        ("mechanics.strike.outcomes.hit", "wound"),
        ("tables.printed", "chances"),
    ],
)
def test_a_new_name_is_carried_into_the_claims(club: Path, path: str, name: str) -> None:
    made = layer(club, f"  {path}: {{rename: {name}, because: It sounds better.}}\n")
    assert problems_of_claims(made) == []
    assert len(claim_verdicts(made)) == 2


def test_a_new_name_is_carried_into_the_odds_of_a_case(club: Path) -> None:
    case = "{name: a six, mechanic: strike, given: {need: 4}, odds: {total: {6: 1/6}}}"
    (club / "duel.yaml").write_text(f"{DUEL}cases:\n  - {case}\n", "utf-8")
    made = layer(club, "  mechanics.strike.steps.total: {rename: blow, because: It sounds better.}\n")
    assert made.program is not None and made.world is not None
    trial = Trial(Game(made.program, made.world))
    assert [trial.run(one).failures for one in cases_of(made.world.cases)] == [()]


def test_a_house_rule_that_bends_what_is_claimed_is_told_so(club: Path) -> None:
    made = layer(club, "  mechanics.strike.steps.total.roll: {set: d8, because: We hit harder.}\n")
    first, second = problems_of_claims(made)
    assert (first.code, first.severity, Path(first.path).name) == ("HR518", "error", "duel.yaml")
    assert "claims 50% for `hit`, but the chance is 5/8, 62.5%: 12.5 points more" in first.message
    assert first.help == "if this is intended, change or remove `tables.printed.claims.hit`"
    assert "the chance is 1/2, 50%: 17 points more" in second.message


def test_a_house_rule_may_take_the_claim_away_or_correct_it(club: Path) -> None:
    bent = "  mechanics.strike.steps.total.roll: {set: d8, because: We hit harder.}\n"
    gone = bent + "  tables.printed.claims.hit: {remove: here, because: The list is of no use here.}\n"
    assert problems_of_claims(layer(club, gone)) == []
    mended = bent + "  tables.printed.claims.hit.is: {set: (9 - row) / 8, because: So it is.}\n"
    assert problems_of_claims(layer(club, mended)) == []
    rows = "".join(
        f"  tables.printed.rows.{row}: {{set: {is_}, because: So it is.}}\n" for row, is_ in ((4, 63), (5, 50))
    )
    assert problems_of_claims(layer(club, bent + rows)) == []
