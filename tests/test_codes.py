"""The codes of messages: each is explained, and each wrong example gives just that code, its right one none.

An example is a ruleset or a command line. A comment in a ruleset that begins with `houserule` is a command that is
tried with the ruleset saved under its own name, in a folder of its own.
"""

from __future__ import annotations

import io
import re
import shlex
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from unittest.mock import patch

import pytest

import interpreter
from interpreter import pipeline
from interpreter.api.game import Game
from interpreter.cli import main
from interpreter.diagnostics.codes import codes
from interpreter.diagnostics.source import Source
from interpreter.testing.cases import Trial, cases_of
from interpreter.testing.layered import judge_under_layers

DIAGNOSTICS = Path(interpreter.__file__).parent / "diagnostics"
WORDED = {code for file in DIAGNOSTICS.glob("*.py") for code in re.findall(r'"(HR\d{3})"', file.read_text("utf-8"))}
EXAMPLES = [code for code, one in codes().items() if "wrong" in one]


def run(*words: str) -> tuple[int, str, str]:
    """The command `houserule`: exit code, output, complaints."""
    out, err = io.StringIO(), io.StringIO()
    with patch("sys.argv", ["houserule", *words]), redirect_stdout(out), redirect_stderr(err):
        try:
            main()
            code = 0
        except SystemExit as end:
            code = end.code if isinstance(end.code, int) else 1
    return code, out.getvalue(), err.getvalue()


def said(example: str) -> list[str]:
    """The codes of everything that is found in an example, its cases and its commands among it."""
    if example.startswith("houserule "):
        return of_commands(example.splitlines())
    loaded = pipeline.from_text(Source.of("example.yaml", example))
    found = [one.code for one in loaded.problems]
    if not loaded.problems.errors and loaded.program is not None and loaded.world is not None:
        assert loaded.merged is not None
        trial = Trial(Game(loaded.program, loaded.world))
        # The odds of a base are left to it: to walk them under every house rule here takes too long.
        own = {source.name for source in loaded.merged.layers[-1].sources} if loaded.merged.layers else None
        quick = [
            case
            for case in cases_of(loaded.world.cases)
            if own is None or case.span.source.name in own or not case.states_odds
        ]
        verdicts = judge_under_layers([trial.run(case) for case in quick], loaded.merged, loaded.program)
        told = [(*one.failures, *filter(None, [one.skipped, one.note])) for one in verdicts]
        found += [failure.code for several in told for failure in several]
    commands = [line.removeprefix("# ") for line in example.splitlines() if line.startswith("# houserule ")]
    if commands:
        assert loaded.program is not None
        Path(f"{loaded.program.name}.yaml").write_text(example, "utf-8")
    return found + of_commands(commands)


def of_commands(lines: list[str]) -> list[str]:
    found: list[str] = []
    for line in lines:
        code, out, err = run(*shlex.split(line)[1:])
        messages = re.findall(r"^(?:\S+: )?(HR\d{3}) ", out + err, re.MULTILINE)
        assert (code == 0) == (not messages), out + err
        found += messages
    return found


def test_every_code_is_explained_and_no_other() -> None:
    assert set(codes()) == WORDED
    assert list(codes()) == sorted(codes())


@pytest.mark.parametrize("code", sorted(codes()))
def test_an_explanation_has_a_few_sentences_and_its_examples_in_pairs(code: str) -> None:
    one = codes()[code]
    assert set(one) in ({"about"}, {"about", "wrong", "right"})
    assert 1 <= len(one["about"].splitlines()) <= 4
    assert all(line.endswith(".") for line in one["about"].splitlines())


@pytest.mark.parametrize("code", EXAMPLES)
def test_the_wrong_example_gives_this_code_and_the_right_one_none(
    code: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert set(said(codes()[code]["wrong"])) == {code}
    assert said(codes()[code]["right"]) == []


def test_a_code_is_explained_with_its_examples() -> None:
    code, out, err = run("explain", "HR301")
    assert (code, err) == (0, "")
    assert out.startswith("HR301: No value of this name is defined at this place.\n")
    assert "\nWrong:\n\n    ruleset: duel\n" in out and "\nRight:\n\n    ruleset: duel\n" in out
    assert run("explain", "hr301") == (0, out, "")


def test_a_code_without_examples_is_explained_too() -> None:
    code, out, _ = run("explain", "HR003")
    assert code == 0 and "Wrong:" not in out and out.endswith("`parts`.\n")


def test_an_unknown_code_is_refused_with_the_nearest() -> None:
    code, out, err = run("explain", "hr399")
    assert (code, out) == (2, "")
    assert "HR648" in err and "did you mean `HR" in err
