"""The pages of `houserule docs`: they are whole, safe, and say the same as the other commands."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from dataclasses import replace
from functools import cache
from html import escape, unescape
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import unquote

import pytest
from marks import is_slow, thorough
from test_cli import Said, run

from interpreter import bundled, pipeline
from interpreter.chances.percent import percent
from interpreter.cli.rulesets import parse_assignments
from interpreter.diagnostics.source import Source
from interpreter.odds.meter import WorkLimits
from interpreter.pipeline import Finder
from interpreter.report.sentences import pieces
from interpreter.rulebook import chances, page
from interpreter.rulebook.book import Book, book

ROOT = Path(__file__).parent.parent
GAMES = sorted(bundled.rulesets())
HOUSE_RULES = sorted(bundled.house_rules())


@cache
def of(*names: str) -> Book:
    """The rulebook of a bundled ruleset, with house rules over it."""
    game, *layers = names
    made = pipeline.from_path(pipeline.find_ruleset(game), over=[pipeline.origin_of_layer(one) for one in layers])
    assert not made.problems.errors
    return book(made, {})


def of_text(text: str) -> Book:
    made = pipeline.from_text(Source.of("<text>", text), Finder())
    assert not made.problems.errors, made.problems.errors
    return book(made, {})


class Read(HTMLParser):
    """What stands in a page: ids, links, elements in order, and whether they are closed."""

    VOID = ("meta", "input", "br", "link", "img", "rect")

    def __init__(self, text: str) -> None:
        super().__init__()
        self.ids: list[str] = []
        self.links: list[str] = []
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.wrong: list[str] = []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self.elements.append((tag, given))
        if given.get("id"):
            self.ids.append(given["id"] or "")
        if tag == "a" and given.get("href"):
            self.links.append(given["href"] or "")
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        if tag in self.VOID:
            return
        if self.open[-1:] != [tag]:
            self.wrong.append(f"</{tag}> closes {self.open[-1:]} at {self.getpos()}")
        else:
            self.open.pop()


def holds(text: str) -> Read:
    """Check that a page is whole: elements nest, ids are unique, links have a target, nothing comes from outside."""
    read = Read(text)
    assert read.wrong == []
    assert len(read.ids) == len(set(read.ids)), [one for one in read.ids if read.ids.count(one) > 1]
    assert [one for one in read.links if not one.startswith("#") or unquote(one[1:]) not in read.ids] == []
    outside = [(tag, of) for tag, of in read.elements if of.get("src") or tag in ("link", "iframe", "img", "object")]
    assert outside == [] and "url(" not in text and "@import" not in text
    levels = [int(tag[1]) for tag, _ in read.elements if re.fullmatch(r"h[1-6]", tag)]
    assert levels.count(1) == 1 and all(after <= before + 1 for before, after in pairwise(levels))
    assert all("scope" in of for tag, of in read.elements if tag == "th")
    labels = [of["aria-labelledby"] for tag, of in read.elements if tag == "svg"]
    assert all(one in read.ids for label in labels for one in str(label).split())
    return read


@pytest.mark.parametrize("game", GAMES)
def test_the_pages_of_a_bundled_game_are_whole(game: str) -> None:
    made = of(game)
    text = page.html(made)
    read = holds(text)
    assert {page.id_of(path) for path in made.entries} <= set(read.ids)
    marked = page.markdown(made)
    targets = set(re.findall(r'<a id="([^"]*)">', marked))
    assert set(re.findall(r"\]\(#([^)]*)\)", marked)) <= targets
    assert not re.search(r"[\x00-\x08\x0b-\x1f]", text + marked)
    for section in ("mechanics", "actions", "events"):
        rules = [one for path, one in made.entries.items() if path.startswith(f"{section}.")]
        assert all(one.title in marked.replace("\\", "") for one in rules)


# What players read ------------------------------------------------------------------------------------------------


class ReadByPlayers(HTMLParser):
    """The text of a page outside of what is folded for authors, and whether any of it is code."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[bool] = []
        self.texts: list[str] = []
        self.codes: list[str] = []
        self.in_code = 0
        self.feed(text)

    @property
    def text(self) -> str:
        return " ".join(" ".join(self.texts).split())

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in Read.VOID:
            kinds = (dict(attrs).get("class") or "").split()
            self.open.append(tag in ("style", "script") or "exact" in kinds or "authors" in kinds)
            self.in_code += tag == "code"

    def handle_endtag(self, tag: str) -> None:
        if tag not in Read.VOID:
            self.open.pop()
            self.in_code -= tag == "code"

    def handle_data(self, data: str) -> None:
        if not any(self.open):
            self.texts.append(data)
            if self.in_code:
                self.codes.append(data)


@pytest.mark.parametrize("game", GAMES)
def test_players_read_no_brace_no_formula_and_no_name_of_the_files(game: str) -> None:
    made = of(game)
    seen = ReadByPlayers(page.html(made))
    assert seen.codes == []
    assert re.findall(r"[^ ]*(?:[{}]|\w_\w|\boptions\.)[^ ]*", seen.text) == []
    # The folds have what the page has left out.
    assert len(made.entries) == page.html(made).count('<details class="exact">')


MAIN_ROLLS = {
    "2d20": "Throw d20s and count successes",
    "blades": "Roll a pool",
    "d6": "Check against a number",
    "dnd5e": "An ability check, or a saving throw",
    "fate": "Act against opposition",
    "fiend-wake": "Roll a skill with a stat",
    "genesys": "Check a skill",
    "jadeclaw": "Contest of two Simple Rolls",
    "pbta": "Make a move",
    "savage-worlds": "Test a trait",
    "year-zero": "Roll, and perhaps push",
}


@pytest.mark.parametrize("game", GAMES)
def test_the_page_begins_with_how_to_roll(game: str) -> None:
    made = of(game)
    guide = made.guide
    assert guide is not None and made.entries[guide.path].title == MAIN_ROLLS[game]
    assert guide.dice and len(guide.outcomes) >= 2 and guide.example is not None
    text, marked = page.html(made), page.markdown(made)
    for whole in (text.partition("<main")[2], marked.partition("## Contents")[2]):
        assert 0 < whole.index("How to roll") < whole.index("At a glance")
    assert f'is <a href="#{page.id_of(guide.path)}">{escape(MAIN_ROLLS[game])}</a>' in text
    assert 0 < len(made.glance) <= 10


@pytest.mark.parametrize("game", GAMES)
def test_a_page_is_folded_when_it_is_opened(game: str) -> None:
    text = page.html(of(game))
    assert "<details open" not in text
    entries = re.findall(r'<article class="entry" id="[^"]*">\n<details>', text)
    assert len(entries) == len(of(game).entries)


def test_an_outcome_is_told_in_words() -> None:
    said = {one.name: one.text for one in of("pbta").guide.outcomes}  # type: ignore[union-attr]
    assert said == {
        "strong hit": "if the total is at least 10.",
        "weak hit": "if the total is at least 7 and at most 9.",
        "miss": "if the total is at most 6.",
    }


def test_what_an_action_costs_stands_in_the_summary() -> None:
    rows = {of("dnd5e").entries[one.path].title: (one.price, one.rolls) for one in of("dnd5e").glance}
    assert rows["Attack"] == (("1 action",), ("mechanics.attack",))
    kinds = {of("fiend-wake").entries[one.path].title: one.takes for one in of("fiend-wake").glance}
    assert kinds["Shoot at somebody"] == "full"


def test_an_option_of_the_table_is_no_question_on_its_page() -> None:
    text = BASE.replace("mechanics:\n", "options: {low: {about: Low., type: yes_no, default: no}}\nmechanics:\n", 1)
    text = text.replace("ashore: total >= 9", "ashore: total >= 9 or options.low and total >= 7")
    usual = {one.name: one.text for one in of_text(text).entries["mechanics.swim"].plain[-2].below}
    assert usual["ashore"] == "if the total is at least 9."
    made = pipeline.from_text(Source.of("<text>", text), Finder())
    kind = {one.name: one.text for one in book(made, parse_assignments(("low=yes",))).guide.outcomes}  # type: ignore[union-attr]
    assert kind["ashore"] == "if the total is at least 9 or the total is at least 7."


@pytest.mark.parametrize("layer", thorough(HOUSE_RULES, is_slow, every=4))
def test_every_change_of_a_house_rule_is_marked_where_it_is(layer: str) -> None:
    made = of(layer)
    read = holds(page.html(made))
    note = made.layers[-1]
    assert note.changes or note.adds
    for place in note.changes:
        inside = any(path == place.path or place.path.startswith(f"{path}.") for path in made.entries)
        assert not inside or place.after is None or place.id in read.ids, place.path
        assert place.reasons and all(one.why for one in place.reasons)


def test_a_house_rule_stands_beside_what_it_replaces() -> None:
    made = of("pbta", "great-hit")
    assert (made.title, [one.title for one in made.layers]) == (of("pbta").title, ["Moves with a great hit"])
    place = made.changes["mechanics.move.outcomes.strong_hit"]
    assert place.before is not None and place.after is not None
    assert (place.before.text, place.after.text) == (
        "if \x02total\x03 is \x0210 or more\x03.",
        "if \x02total\x03 is \x0210 to 11\x03.",
    )
    text = page.html(made)
    assert "What is above is a great hit now." in text and "<code>10 or more</code>" in text
    marked = page.markdown(made)
    assert "The book: if `total` is `10 or more`." in marked and "**great hit** | 0% |" in marked


def test_the_page_of_a_house_rule_is_that_of_its_base_with_it() -> None:
    assert page.html(of("great-hit")) == page.html(of("pbta", "great-hit"))


def test_what_a_house_rule_removes_renames_or_adds_is_told() -> None:
    made = layered(
        "changes:\n"
        "  mechanics.swim.outcomes.drowned: {rename: saved, because: Nobody drowns here.}\n"
        "  mechanics.swim.also.close: {remove: here, because: Nobody asks.}\n"
        "  mechanics.float: {add: {steps: {rolled: {roll: d6}}, outcomes: {up: rolled > 1, under: otherwise}},"
        " because: Some only float.}\n",
    )
    text = page.html(made)
    holds(text)
    assert "close is removed" in text and "Added by" in text
    assert made.changes["mechanics.swim.outcomes.saved"].before is not None
    assert made.entries["mechanics.float"].by
    assert "Nobody drowns here." in page.markdown(made)


BASE = """
ruleset: swim
mechanics:
  swim:
    title: Swim
    inputs: {skill: {type: number, from: 0, to: 5}}
    steps: {rolled: {roll: 2d6}, total: sum(rolled) + skill}
    outcomes: {ashore: total >= 9, drowned: otherwise}
    also: {close: total == 9}
cases:
  - {name: a good day, mechanic: swim, given: {skill: 3}, faces: [4, 4], expect: {outcome: ashore}}
"""


def layered(changes: str) -> Book:
    """The rulebook of a house rule with these changes."""
    with TemporaryDirectory() as folder:
        Path(folder, "swim.yaml").write_text(BASE, "utf-8")
        Path(folder, "pool.yaml").write_text(f"ruleset: pool\ntitle: Pool\nextends: swim.yaml\n{changes}", "utf-8")
        made = pipeline.from_path(Path(folder, "pool.yaml"))
        assert not made.problems.errors, made.problems.errors
        return book(made, {})


# Odds and examples ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("game", "rule", "given"),
    [("pbta", "move", ["stat=0", "forward=1"]), ("jadeclaw", "contest", ["own=d10 & d4", "against=2d6"])],
)
def test_the_odds_of_a_page_are_those_of_the_command(game: str, rule: str, given: list[str]) -> None:
    found = of(game).entries[f"mechanics.{rule}"].chances
    assert found is not None and found.exact
    out = run("odds", game, rule, *given, "--format", "json").out
    law = {one["value"]: one["chance"] for one in json.loads(out)["laws"]["outcome"]["law"]}
    rows = found.tables[0].rows
    assert {row.label.replace(" ", "_"): str(row.chance) for row in rows} == law
    text = page.html(of(game))
    assert all(f"<td>{percent(row.chance)}</td>" in text for row in rows)


def test_the_change_of_the_odds_is_that_of_compare() -> None:
    found = of("pbta", "great-hit").entries["mechanics.move"].chances
    assert found is not None and found.compared
    given = ("pbta", "move", "stat=0", "forward=1", "--with", "great-hit", "--format", "json")
    law = json.loads(run("compare", *given).out)["laws"]["outcome"]["law"]
    assert [(row.label, str(row.base), str(row.chance)) for row in found.tables[0].rows] == [
        (one["value"].replace("_", " "), one["a"], one["b"]) for one in law
    ]


def test_odds_that_take_too_much_are_simulated_and_said_to_be(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chances, "BOUND", WorkLimits(states=1, work=1))
    made = of_text(BASE)
    found = made.entries["mechanics.swim"].chances
    assert found is not None and not found.exact
    assert "(simulated, 10,000 runs)" in page.html(made) and "(simulated, 10,000 runs)" in page.markdown(made)


def test_an_example_is_a_case_as_it_is_played() -> None:
    shown = of("pbta").entries["mechanics.move"].example
    assert shown is not None and shown.outcome == "weak_hit"
    assert [str(line) for line in shown.lines][:1] == ["rolled: d6: 4, d6: 2"]


def test_options_of_the_table_are_said_and_count() -> None:
    made = pipeline.from_path(pipeline.find_ruleset("pbta"))
    text = page.html(book(made, parse_assignments(("miss_teaches=no",))))
    assert "At this table: <strong>no</strong>" in text and "miss teaches: no" in text


# Strangers --------------------------------------------------------------------------------------------------------

EVIL = "<script>alert(1)</script><img src=x onerror=alert(2)>\\\"'&{{ 7 * 7 }}`|"
HOSTILE = f"""
ruleset: evil
title: {json.dumps(EVIL)}
about: {json.dumps(EVIL)}
names: {{mood: {{calm: {json.dumps(EVIL)}, wild: fine}}}}
options: {{way: {{about: {json.dumps(EVIL)}, one_of: {{a: {json.dumps(EVIL)}, b: ""}}, default: a}}}}
tables: {{gifts: {{type: text, about: {json.dumps(EVIL)}, rows: {{calm: {json.dumps(EVIL)}, wild: fine}}}}}}
mechanics:
  go:
    title: {json.dumps(EVIL)}
    about: {json.dumps(EVIL)}
    cites: {{"<b>&\\"": stated}}
    inputs: {{mood: {{type: mood, about: {json.dumps(EVIL)}, default: calm}}}}
    steps:
      rolled: {{roll: d6, about: {json.dumps(EVIL)}}}
      more:   {{choose: yes_no, ask: {json.dumps("<script>" + EVIL.replace("{{ 7 * 7 }}", ""))}, default: no}}
    outcomes: {{good: {{if: rolled > 3, about: {json.dumps(EVIL)}}}, bad: otherwise}}
notes: {{"<i>": {json.dumps(EVIL)}}}
cases:
  - {{name: {json.dumps(EVIL)}, mechanic: go, faces: [4], expect: {{outcome: good}}}}
"""


def test_nothing_of_a_ruleset_is_taken_for_html() -> None:
    made = of_text(HOSTILE)
    text = page.html(made)
    read = holds(text)
    assert [of.get("src") for tag, of in read.elements if tag in ("script", "img", "b i")] == [None]
    assert "<script>alert" not in text and "onerror=alert(2)>" not in text.replace("&gt;", "") and "49" not in text
    assert text.count("<script>") == 1 and "script-src 'sha256-" in text
    marked = page.markdown(made)
    outside_code = re.sub(r"(`+).*?\1", "", re.sub(r"\\[\\`|<>&*_{}\[\]#~]", "", marked))
    assert "<script" not in outside_code and "<img" not in outside_code


def test_marks_that_an_author_writes_do_no_harm() -> None:
    marks = "\x02a\x0ekinds.x\x1f<b>\x03`c\x02"
    assert [(one.text, one.path) for one in pieces(marks)] == [("a", ""), ("<b>", "kinds.x"), ("`c", "")]
    made = of_text(BASE)
    text = page.html(replace(made, about=marks, title=marks))
    assert "<b>" not in text.partition("<main")[0]


# The command ------------------------------------------------------------------------------------------------------


def test_a_page_is_the_same_each_time(tmp_path: Path) -> None:
    for form in ("html", "markdown"):
        file = tmp_path / form
        assert run("docs", "pbta", "--with", "great-hit", "--format", form, "-o", str(file)) == Said(0, "", "")
        again = run("docs", "pbta", "--with", "great-hit", "--format", form)
        assert again == Said(0, file.read_text("utf-8"), "")


def test_a_file_that_cannot_be_written_is_reported(tmp_path: Path) -> None:
    said = run("docs", "pbta", "-o", str(tmp_path / "no" / "page.html"))
    assert (said.code, said.out) == (2, "") and "HR001" in said.err


def test_without_jinja_a_message_says_how_to_get_it(tmp_path: Path) -> None:
    (tmp_path / "jinja2.py").write_text("raise ModuleNotFoundError(\"No module named 'jinja2'\", name='jinja2')\n")
    environment = {**os.environ, "PYTHONPATH": f"{tmp_path}{os.pathsep}{ROOT}", "NO_COLOR": "1"}

    def said(*command: str) -> tuple[int, str]:
        code = "from interpreter.cli import main; main()"
        done = subprocess.run([sys.executable, "-c", code, *command], capture_output=True, text=True, env=environment)
        return done.returncode, done.stderr

    code, err = said("docs", "pbta")
    assert code == 2 and err.startswith("HR008 a rulebook needs Jinja2") and "pip install '.[docs]'" in err
    assert said("explain", "pbta") == (0, "")


# In a browser -----------------------------------------------------------------------------------------------------

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
MEASURE = """<script>addEventListener("load", () => {
  const wide = document.documentElement.clientWidth;
  const out = [...document.querySelectorAll("body *")]
    .filter((one) => !one.closest(".scroll, .hush, .skip") && one.getBoundingClientRect().right > wide + 1)
    .map((one) => one.outerHTML.slice(0, 150));
  const {scrollWidth, scrollHeight} = document.documentElement;
  parent.postMessage(JSON.stringify([wide, scrollWidth, out.slice(0, 5), scrollHeight]), "*");
});</script></body>"""
"""What measures a page: its width, the width that it takes, elements that stand out and cannot be scrolled, and its
height."""
HIGHEST = {360: 14_000, 1280: 9_000}
"""How high a page may be with its folds closed, by the width of its window; Fiend Wake had 74,000 without folds."""
FRAME = """<!DOCTYPE html><title>nothing</title>
<script>addEventListener("message", (event) => {{ document.title = event.data; }});</script>
<iframe src="page.html" style="border: 0; width: {width}px; height: 900px"></iframe>"""
"""A window of Chromium is at least 500 pixels wide; a frame in it may be as narrow as a phone."""


SEARCH = """<script>addEventListener("load", () => {
  const box = document.getElementById("search"), out = [], authors = document.querySelector(".authors");
  const type = (text) => { box.value = text; box.dispatchEvent(new Event("input")); };
  const shown = () => [...document.querySelectorAll("article.entry")].filter((one) => !one.hidden).length;
  type("grapple");
  out.push(shown() > 0 && shown() < 30, document.getElementById("how-to-roll").hidden);
  box.closest("form").requestSubmit();
  out.push([...document.querySelectorAll("article.entry > details[open] h3")].map((one) => one.textContent));
  type("");
  out.push(shown(), authors.open);
  location.hash = "#functions.trapped";
  setTimeout(() => {
    out.push(authors.open && document.getElementById("functions.trapped").querySelector("details").open);
    document.title = JSON.stringify(out);
  }, 300);
});</script></body>"""
"""Somebody searches, takes the first entry that is found, empties the search, and follows a link into a fold."""


@pytest.mark.thorough
@pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium")
def test_search_and_links_open_what_is_folded(tmp_path: Path) -> None:
    made = of("fiend-wake")
    text = re.sub(r"<meta http-equiv[^>]*>", "", page.html(made)).replace("</body>", SEARCH)
    (tmp_path / "page.html").write_text(text, "utf-8")
    found = _title_in_browser(tmp_path / "page.html", tmp_path)
    assert json.loads(found) == [True, True, ["Grapple somebody"], len(made.entries), False, True]


def _title_in_browser(file: Path, folder: Path) -> str:
    """The title of a page after its scripts have run."""
    command = [str(CHROMIUM), "--headless=new", "--no-sandbox", "--disable-gpu", f"--user-data-dir={folder / 'home'}"]
    command += ["--window-size=1400,1000", "--hide-scrollbars", "--virtual-time-budget=5000", "--dump-dom"]
    done = subprocess.run([*command, file.as_uri()], capture_output=True, text=True, check=True)
    found = re.search(r"<title>(.*?)</title>", done.stdout)
    assert found is not None
    return unescape(found[1])


@pytest.mark.thorough
@pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium")
@pytest.mark.parametrize("width", [360, 1280])
@pytest.mark.parametrize("game", GAMES)
def test_no_page_is_wider_than_its_window_or_too_long_to_scroll(game: str, width: int, tmp_path: Path) -> None:
    text = re.sub(r"<meta http-equiv[^>]*>", "", page.html(of(game))).replace("</body>", MEASURE)
    (tmp_path / "page.html").write_text(text, "utf-8")
    (tmp_path / "frame.html").write_text(FRAME.format(width=width), "utf-8")
    found = _title_in_browser(tmp_path / "frame.html", tmp_path)
    *measured, height = json.loads(found)
    assert measured == [width, width, []]
    assert height <= HIGHEST[width]
