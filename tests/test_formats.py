"""The formats of `check` and `test` for other programs, against their published schemas (`published/`)."""

from __future__ import annotations

import json
import re
from io import StringIO
from pathlib import Path
from typing import Any
from urllib.parse import unquote
from xml.etree import ElementTree

import pytest
import xmlschema
from jsonschema import Draft7Validator
from test_cli import BROKEN, RULES, Said, run

from interpreter.cli import sarif as sarif_form
from interpreter.cli.report import write_diagnostics
from interpreter.diagnostics import Diagnostic
from interpreter.diagnostics.codes import codes
from interpreter.diagnostics.source import Source, Span

PUBLISHED = Path(__file__).parent / "published"
SARIF = Draft7Validator(json.loads((PUBLISHED / "sarif-schema-2.1.0.json").read_text("utf-8")))
JUNIT = xmlschema.XMLSchema(PUBLISHED / "junit-10.xsd")

FAILING = RULES.replace("faces: [5]", "faces: [3]").replace("it works", "a < b & 'c'")
SLIP = "ruleset: slip\nmechanics:\n  m:\n    steps: {dice: {roll: 2D6}}\n"
PARTIAL = "ruleset: partial\ntitle: Wörter 🎲\nparts: [lost.yaml]\nmechanics: {m: {steps: {d: {roll: d6}}}}\n"
OPEN = """\
ruleset: open
mechanics:
  m: {steps: {d: {roll: 2d6}, s: sum(d)}, outcomes: {hit: s > 6, miss: otherwise}}
cases:
  - {name: odds of much, mechanic: m, odds: {hit: 7/12}}
  - {name: off, mechanic: m, odds: {hit: 1/2}}
"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a b").mkdir()
    files = {"little.yaml": RULES, "broken.yaml": BROKEN, "a b/slip.yaml": SLIP, "open.yaml": OPEN}
    for name, text in {**files, "failing.yaml": FAILING.replace("little", "failing"), "partial.yaml": PARTIAL}.items():
        (tmp_path / name).write_text(text, "utf-8")
    return tmp_path


@pytest.fixture(params=["check", "test"])
def command(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def _log(said: Said) -> Any:
    log = json.loads(said.out)
    assert not [f"{[*one.absolute_path]}: {one.message}" for one in SARIF.iter_errors(log)]
    return log["runs"][0]


def test_sarif_holds_to_its_schema(command: str) -> None:
    run_of = _log(run(command, ".", "--format", "sarif"))
    rules, results = run_of["tool"]["driver"]["rules"], run_of["results"]
    assert {one["ruleId"] for one in results} == {one["id"] for one in rules}
    assert all(rules[one["ruleIndex"]]["id"] == one["ruleId"] for one in results)
    (broken,) = [one for one in results if one["ruleId"] == "HR301"]
    place = broken["locations"][0]["physicalLocation"]
    assert place["artifactLocation"] == {"uri": "broken.yaml", "uriBaseId": "%SRCROOT%"}
    assert place["region"] == {"startLine": 5, "startColumn": 10, "endLine": 5, "endColumn": 22}
    assert ("HR701" in {one["ruleId"] for one in results}) == (command == "test")


def test_sarif_without_a_finding_has_no_results() -> None:
    Path("sound.yaml").write_text("ruleset: sound\nmechanics: {m: {steps: {d: {roll: d6}}}}\n", "utf-8")
    assert _log(run("check", "sound.yaml", "--format", "sarif"))["results"] == []


def test_what_can_be_mended_is_a_fix_in_sarif() -> None:
    (one,) = [one for one in _log(run("check", ".", "--format", "sarif"))["results"] if one["ruleId"] == "HR202"]
    (change,) = one["fixes"][0]["artifactChanges"]
    assert unquote(change["artifactLocation"]["uri"]) == "a b/slip.yaml" != change["artifactLocation"]["uri"]
    (edit,) = change["replacements"]
    assert edit["insertedContent"] == {"text": "2d6"}
    lines = Path("a b/slip.yaml").read_text("utf-8").splitlines()
    region = edit["deletedRegion"]
    assert lines[region["startLine"] - 1][region["startColumn"] - 1 : region["endColumn"] - 1] == "2D6"


@pytest.mark.parametrize("code", codes())
def test_every_code_has_its_texts_in_sarif(code: str) -> None:
    rule = sarif_form.sarif_rule(code)
    short = rule["shortDescription"]["text"]
    assert short.endswith(".") and len(short) < 240
    assert rule["fullDescription"]["text"].startswith(short)
    assert rule["help"]["text"].startswith(f"{code}: ")
    assert ("```yaml" in rule["help"]["markdown"]) == ("wrong" in codes()[code])
    level = rule["defaultConfiguration"]["level"]
    assert level == ("warning" if code.startswith("HR9") and code != "HR999" else "error")


def test_all_rules_together_hold_to_the_schema_of_sarif() -> None:
    out = StringIO()
    place = Span(Source("lines.yaml", "one\ntwo\n"), 1, 6)
    about = [Diagnostic(code, "said", place, notes=((place, "note"),), edits=((place, "x"),)) for code in codes()]
    write_diagnostics(about, "sarif", out)
    log = json.loads(out.getvalue())
    SARIF.validate(log)
    assert len(log["runs"][0]["tool"]["driver"]["rules"]) == len(codes())


def _suites(said: Said) -> dict[str, ElementTree.Element]:
    JUNIT.validate(said.out)
    root = ElementTree.fromstring(said.out)
    for suite in root:
        tests = suite.findall("testcase")
        assert int(suite.attrib["tests"]) == len(tests)
        assert int(suite.attrib["failures"]) == sum(one.find("failure") is not None for one in tests)
    return {suite.attrib["name"]: suite for suite in root}


def test_junit_has_what_passes_too(command: str) -> None:
    suites = _suites(run(command, ".", "--format", "junit"))
    assert [*suites] == ["a b/slip.yaml", "broken.yaml", "failing.yaml", "little.yaml", "open.yaml", "partial.yaml"]
    passing = {name: [one.attrib["name"] for one in suite if not len(one)] for name, suite in suites.items()}
    assert passing["little.yaml"] == (["check"] if command == "check" else ["check", "it works"])
    assert passing["failing.yaml"] == ["check"] and passing["broken.yaml"] == []
    assert suites["broken.yaml"].attrib["failures"] == "2"
    if command == "test":
        failing = suites["failing.yaml"].findall("testcase")[1]
        assert (failing.attrib["name"], failing.attrib["classname"]) == ("a < b & 'c'", "failing")


def test_junit_has_nothing_that_xml_cannot_say() -> None:
    Path("bell.yaml").write_text('ruleset: bell\n"be\\x07ll": 1\n', "utf-8")
    said = run("check", "bell.yaml", "--format", "junit")
    assert said.code == 1 and "\x07" not in said.out
    JUNIT.validate(said.out)


def test_github_has_ends(command: str) -> None:
    said = run(command, "broken.yaml", "--format", "github")
    first, second = said.out.splitlines()
    assert first.startswith("::error file=broken.yaml,line=5,endLine=5,col=10,endColumn=22,title=HR301::")
    assert re.match(r"::error file=broken\.yaml,line=6,endLine=6,col=\d+,endColumn=\d+,title=HR305::", second)


def test_github_has_no_columns_for_several_lines_and_escapes_names() -> None:
    out = StringIO()
    place = Span(Source("a,b:c%.yaml", "one\ntwo\n"), 1, 6)
    write_diagnostics(
        [Diagnostic("HR101", "50% of\nit", place), Diagnostic("HR001", "lost", Span(Source("", ""), 0, 0))],
        "github",
        out,
    )
    assert out.getvalue().splitlines() == [
        "::error file=a%2Cb%3Ac%25.yaml,line=1,endLine=2,title=HR101::50%25 of it",
        "::error title=HR001::lost",
    ]


def test_a_good_file_without_cases_is_no_failure(folder: Path) -> None:
    (folder / "bare.yaml").write_text("ruleset: bare\nmechanics: {m: {steps: {d: {roll: d6}}}}\n", "utf-8")
    said = run("test", "bare.yaml")
    assert (said.code, said.err) == (0, "no cases\n")
    assert run("test", "bare.yaml", "--case", "x").code == 2
    assert run("test", "little.yaml", "--case", "no such words").code == 2
    assert json.loads(run("test", "bare.yaml", "--format", "json").out) == []
    (suite,) = _suites(run("test", "bare.yaml", "--format", "junit")).values()
    assert [one.attrib["name"] for one in suite] == ["check"]


def test_one_case_under_a_house_rule_is_judged_as_in_the_whole(folder: Path) -> None:
    """A case of the base that a house rule lists under `differs` passes, also if it is run alone."""
    layer = "ruleset: kinder\nextends: open.yaml\nchanges: {mechanics.m.outcomes.hit: {set: s > 5, because: Kinder.}}\n"
    (folder / "kinder.yaml").write_text(layer + "differs: [odds of much, off]\n", "utf-8")
    whole = run("test", "kinder.yaml")
    assert (whole.code, whole.out) == (0, "0 passed, 2 differ from the base as expected\n")
    assert run("test", "kinder.yaml", "--case", "much").out == "0 passed, 1 differs from the base as expected\n"
    (folder / "kinder.yaml").write_text(layer, "utf-8")
    assert "HR709" in run("test", "kinder.yaml", "--case", "much").err
    assert run("test", "kinder.yaml", "--case", "off").out == "0 passed, 1 case of the base fails there already\n"
