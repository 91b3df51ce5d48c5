"""Several series in one picture: expressions, outcomes and sides, told apart without colours, within 80 columns."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from xml.etree import ElementTree

import pytest
from test_cli import run

from interpreter.chances.crosstab import OddsColumn
from interpreter.chances.formats import svg
from interpreter.chances.formats.text import NARROWEST_PICTURE
from interpreter.chances.series import MOST_SERIES, TooManySeries, pictures_of_points
from interpreter.chances.table import ChanceRow, ChanceTable, OddsPoint

F = Fraction
SVG = "{http://www.w3.org/2000/svg}"
DICE = {"2d6": (6, 6), "3d4": (4, 4, 4), "d12": (12,)}
SEVERAL = "  *  several of them"
OUTCOMES = ["botch", "failure", "tie", "overwhelming_success", "success"]
THREE = [word for one in DICE for word in ("-e", one)]


def test_the_rows_of_a_grid_are_found_once() -> None:
    """They were looked up for each point again, among the lines of each table, which took the cube of the points."""
    tables = tuple(ChanceTable("", (ChanceRow("hit", F(1, n)), ChanceRow("miss", 1 - F(1, n)))) for n in range(1, 9))
    column = OddsColumn("hit", tables, label="hit")
    assert column.rows is column.rows
    assert [one and one.number for one in column.rows] == [F(1, n) for n in range(1, 9)]
    assert tables[0].row("elsewhere") is None


def lines(*words: str) -> list[str]:
    said = run(*words)
    assert (said.code, said.err) == (0, "")
    return said.out.splitlines()


def law(sizes: tuple[int, ...]) -> dict[int, Fraction]:
    """The law of a sum of dice, throw by throw."""
    throws = list(product(*(range(1, size + 1) for size in sizes)))
    return {total: F(sum(sum(one) == total for one in throws), len(throws)) for total in map(sum, throws)}


def picture(said: list[str], begin: str) -> tuple[int, list[str]]:
    """Where the field of a picture begins, and its lines, from the axis on which `begin` stands to the next gap."""
    place = next(place for place, line in enumerate(said) if f"  {begin}  " in line and line.split()[-2] == begin)
    end = next((at for at in range(place, len(said)) if not said[at] or said[at] == SEVERAL), len(said))
    return said[place].rindex(f"  {begin}  ") + 2, said[place:end]


def letters(line: str, start: int, room: int, low: Fraction, high: Fraction) -> dict[str, Fraction]:
    """The number at which each letter of a line stands, as its axis tells."""
    return {mark: low + F(at, room - 1) * (high - low) for at, mark in enumerate(line[start:]) if mark != " "}


# Expressions -----------------------------------------------------------------------------------------------------


def test_each_letter_stands_where_its_chance_is() -> None:
    said = lines("compare", *THREE)
    assert [line.partition(",")[0] for line in said[1:4]] == ["  A  2d6", "  B  3d4", "  C  d12"]
    start, drawn = picture(said, "0%")
    room, laws = len(drawn[0]) - start, dict(zip("ABC", map(law, DICE.values()), strict=True))
    highest = max(chance for each in laws.values() for chance in each.values())
    assert drawn[0].split()[:3] == ["A", "B", "C"] and len(drawn) == 13
    for value, line in enumerate(drawn[1:], 1):
        there = {mark: own[value] for mark, own in laws.items() if own.get(value)}
        found = letters(line, start, room, F(0), highest)
        for mark, at in found.items():
            of = [there[mark]] if mark != "*" else list(there.values())
            near = [one for one in of if abs(one - at) <= highest / (room - 1) / 2]
            assert len(near) >= (1 if mark != "*" else 2)
        assert len(there) == len(found) or "*" in found
    assert said[18] == SEVERAL


def test_two_expressions_have_their_difference() -> None:
    said = lines("compare", "-e", "2d6", "-e", "3d4")
    a, b = law((6, 6)), law((4, 4, 4))
    assert said[4].split()[:5] == ["A", "B", "B", "-", "A"]
    for line in said[5:16]:
        value, *percents = line.split()[:4]
        numbers = [float(one.removesuffix("%")) for one in percents]
        exact = [100 * one for one in (a[int(value)], b.get(int(value), F(0)))]
        assert numbers == pytest.approx([*exact, exact[1] - exact[0]], abs=0.051)


def test_no_line_is_wider_than_the_page(monkeypatch: pytest.MonkeyPatch) -> None:
    many = [word for sides in range(4, 4 + MOST_SERIES) for word in ("-e", f"sum(highest(4d{sides}, 3)) + 100 - 100")]
    for asked in (["compare", *many], ["compare", *THREE], ["sweep", *THREE[:2], "-e", "(n)d6", "--over", "n=1..9"]):
        for width in (80, 60):
            monkeypatch.setenv("COLUMNS", str(width))
            assert max(map(len, lines(*asked)[1:])) <= width
    monkeypatch.setenv("COLUMNS", str(NARROWEST_PICTURE))
    assert not any(
        line.startswith("  a  ") for line in lines("sweep", "-e", "(n)d6", "-e", "(n)d8", "--over", "n=1..9")
    )


def test_rows_for_programs_name_the_expressions() -> None:
    said = list(csv.DictReader(io.StringIO(run("compare", *THREE, "--format", "csv").out)))
    assert {(row["of"], int(row["value"])): F(row["chance"]) for row in said} == {
        (name, value): chance for name, sizes in DICE.items() for value, chance in law(sizes).items()
    }
    data = json.loads(run("compare", *THREE, "--format", "json").out)
    assert [data["expressions"][name] for name in data["laws"]] == [*DICE]
    assert F(data["laws"]["result_2"]["mean"]) == F(15, 2)


def test_a_long_law_is_shortened_in_the_same_places_for_all() -> None:
    said = lines("compare", "-e", "10d20", "-e", "20d10")
    _, drawn = picture(said, "0%")
    assert len(drawn) <= 41 and "or more" in drawn[-1]
    whole = lines("compare", "-e", "10d20", "-e", "20d10", "--all")
    assert len(picture(whole, "0%")[1]) == 192


def test_yes_and_no_have_no_mean() -> None:
    said = lines("compare", "-e", "2d6>=8", "-e", "3d4>=8")
    assert said[1:3] == ["  A  2d6>=8", "  B  3d4>=8"]
    assert "mean" not in run("compare", "-e", "2d6>=8", "-e", "3d4>=8", "--format", "markdown").out


def test_where_figures_leave_no_room_the_picture_stands_below(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "50")
    said = lines("compare", *THREE)
    below = next(place for place, line in enumerate(said) if line.split()[:2] == ["value", "0%"])
    assert said[5].split() == ["A", "B", "C"] and [line.split()[0] for line in said[below + 1 : below + 13]] == [
        str(value) for value in range(1, 13)
    ]
    assert sum(line.startswith("  A  ") for line in said) == 1


def test_what_was_not_followed_stands_below() -> None:
    said = lines("compare", "-e", "sum(d6!)", "-e", "2d6", "--all")
    shares = next(line.split() for line in said if "(not followed)" in line)
    assert shares[2].endswith("e-8%") or float(shares[2].removesuffix("%")) > 0
    assert shares[3] == "0%"


def test_what_cannot_be_compared_is_said_to_be_so() -> None:
    for asked, said in (
        (["compare", "-e", "2d6"], "`2d6` is compared with nothing"),
        (["compare", "-e", "2d6", "-e", "3d6", "--with", "x"], "-e goes with"),
        (["compare", "-e", "2d6", "-e", "3d6", "n"], "`n` is no value"),
        (["compare", "jadeclaw", "contest", "own=d8", "--only", "tie"], "--only goes with --over"),
        (["compare"], "Missing argument 'RULESET', or expressions"),
        (["compare", *["-e", "d6"] * (MOST_SERIES + 1)], "too many for one picture"),
        (["sweep", "-e", "(n)d6", "--over", "m=1,2"], "does not read `m`"),
    ):
        got = run(*asked)
        assert got.code == 2 and got.out == "" and said in got.err


# Grids -----------------------------------------------------------------------------------------------------------


def test_expressions_are_swept_over_the_names_that_they_read() -> None:
    asked = ["sweep", "-e", "(n)d6", "-e", "sum(highest((n + 1)d6, n))", "-e", "big=sum((n)d6)>=9", "--over", "n=1..3"]
    got = list(csv.DictReader(io.StringIO(run(*asked, "--format", "csv").out)))
    for n, row in enumerate(got, 1):
        throws = list(product(range(1, 7), repeat=n + 1))
        best = F(sum(sum(one) - min(one) for one in throws), len(throws))
        reached = F(sum(sum(one[:n]) >= 9 for one in throws), len(throws))
        assert F(row["(n)d6, mean"]) == F(7 * n, 2) and F(row["big"]) == reached
        assert F(row["sum(highest((n + 1)d6, n)), mean"]) == best
    said = lines(*asked)
    assert [line.split()[0] for line in said if line.startswith(("  a  ", "  b  ", "  c  "))] == ["b", "c"]
    start, drawn = picture(said, "3.5")
    marks = [letters(line, start, len(drawn[0]) - start, F(7, 2), F(got[-1][[*got[-1]][3]])) for line in drawn[1:4]]
    assert all(at["b"] < at["c"] for at in marks) and marks[0]["b"] == F(7, 2)
    laws = json.loads(run(*asked, "--format", "json").out)["points"][1]["laws"]
    assert laws["(n)d6"]["mean"] == "7" and laws["big"]["of"] == "big"


def test_dice_may_vary_and_only_one_value_be_shown() -> None:
    got = list(
        csv.DictReader(io.StringIO(run("sweep", "-e", "sum(die)", "--over", "die=d4,2d6", "--format", "csv").out))
    )
    assert [F(row["mean"]) for row in got] == [F(5, 2), 7]
    got = list(csv.DictReader(io.StringIO(
        run("sweep", "-e", "sum(die)", "-e", "2d4", "--over", "die=d4,2d6", "--only", "4", "--format", "csv").out
    )))  # fmt: skip
    assert [[F(row["sum(die): 4"]), F(row["2d4: 4"])] for row in got] == [[F(1, 4), F(3, 16)], [F(1, 12), F(3, 16)]]


def test_the_last_name_runs_along_and_the_others_make_series() -> None:
    said = lines("sweep", "jadeclaw", "contest", "own=d8", "--over", "against=d4,d8", "--over", "own.bonuses=0..2",
                 "--only", "success")  # fmt: skip
    assert said[-3:] == ["  a  against d4", "  b  against d8", SEVERAL]
    _, drawn = picture(said, "0%")
    assert drawn[0].split()[0] == "own.bonuses" and len(drawn) >= 6


def test_both_sides_of_a_comparison_are_swept() -> None:
    asked = ["compare", "jadeclaw", "contest", "against=d6", "--with", "double-botch-ties", "--over", "own=d4,d8"]
    got = list(csv.DictReader(io.StringIO(run(*asked, "--only", "tie", "--format", "csv").out)))
    for row in got:
        point = [*asked[:4], f"own={row['own']}", *asked[4:6], "--format", "json"]
        law = json.loads(run(*point).out)["laws"]["outcome"]["law"]
        tie = next(one for one in law if one["value"] == "tie")
        assert [row["A: tie"], row["B: tie"]] == [tie["a"], tie["b"]]
    said = lines(*asked, "--only", "tie")
    assert said[1:3] == ["  A  jadeclaw", "  B  jadeclaw, with double-botch-ties"]
    assert said[-2:] == ["  a  A: tie", "  b  B: tie"]
    labels = ["".join(one.itertext()) for one in drawing(*asked, "--only", "tie").iter(f"{SVG}text")]
    assert {"A: jadeclaw", "B: jadeclaw, with double-botch-ties", "A: tie", "B: tie"} <= set(labels)


# Pictures --------------------------------------------------------------------------------------------------------


def drawing(*asked: str) -> ElementTree.Element:
    return ElementTree.fromstring(run(*asked, "--format", "svg").out)


@pytest.mark.parametrize(
    ("asked", "titles"),
    [
        (["compare", *THREE], [*DICE]),
        (["sweep", "-e", "(n)d6", "-e", "(n)d8", "--over", "n=1..3"], ["(n)d6, mean", "(n)d8, mean"]),
        (["sweep", "jadeclaw", "contest", "own=d8", "--over", "against=d4,d6"], OUTCOMES),
    ],
    ids=["laws", "means", "outcomes"],
)
def test_a_drawing_has_a_line_and_a_name_for_each_series(asked: list[str], titles: list[str]) -> None:
    tree = drawing(*asked)
    labels = ["".join(one.itertext()) for one in tree.iter(f"{SVG}text")]
    assert [one for one in labels if one in titles] == titles
    assert len([*tree.iter(f"{SVG}polyline")]) == len(titles)
    told = tree.findtext(f"{SVG}desc") or ""
    assert all(f"{title}: " in told for title in titles)


def test_dashes_and_shapes_tell_series_apart_without_colours() -> None:
    ways = {(svg.DASHES[n % len(svg.DASHES)], svg.SHAPES[n % len(svg.SHAPES)]) for n in range(MOST_SERIES)}
    assert len(ways) == MOST_SERIES


def test_lines_are_as_high_as_their_numbers() -> None:
    tree = drawing("sweep", "-e", "(n)d6", "-e", "(n)d6 + 7", "--over", "n=1..3")
    one, other = (
        [float(point.split(",")[1]) for point in line.attrib["points"].split()] for line in tree.iter(f"{SVG}polyline")
    )
    rise = one[0] - one[1]
    assert one[1] - one[2] == pytest.approx(rise, abs=0.11) and one[0] - other[0] == pytest.approx(2 * rise, abs=0.11)


def points(series: int, places: int) -> Iterator[OddsPoint]:
    for place in range(places):
        rows = tuple(ChanceRow(f"v{n}", F(n, 100), value=f"v{n}") for n in range(1, series + 1))
        yield OddsPoint("", (ChanceTable("", rows),), {"n": str(place)})


def test_where_there_is_no_picture_the_reason_is_told_and_every_point_has_a_chart() -> None:
    asked = ["sweep", "-e", "rolled=2d6", "-e", "(n)d4", "--over", "n=1,2", "--over", "m=1..2", "-e", "d4 + m"]
    many = [*asked, *(word for sides in range(5, 9) for word in ("-e", f"d{sides} + m"))]
    assert not any("too many" in line for line in lines(*asked))
    assert "  (14 series are too many for one picture, which holds 10)" in lines(*many)
    assert len([*drawing(*many).iter(f"{SVG}polyline")]) == 0 < len([*drawing(*many).iter(f"{SVG}rect")])


def test_a_chance_of_none_everywhere_has_no_letter() -> None:
    said = lines("sweep", "jadeclaw", "contest", "own=d8", "--over", "against=d4,d6")
    named = [line.split() for line in said if line[:2] == "  " and line[3:5] == "  "]
    assert [words[1] for words in named if words[0] in "abcdef"] == OUTCOMES


def test_more_series_than_can_be_followed_are_no_picture() -> None:
    over = {"n": ("0", "1")}
    assert len(pictures_of_points([*points(MOST_SERIES, 2)], over)[0].series) == MOST_SERIES
    with pytest.raises(TooManySeries, match=f"{MOST_SERIES + 1} series are too many"):
        pictures_of_points([*points(MOST_SERIES + 1, 2)], over)
    assert pictures_of_points([*points(2, 1)], {"n": ("0",)}) == []
