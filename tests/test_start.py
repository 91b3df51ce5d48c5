"""What a command does without, so that it starts quickly; `tests/benchmarks` measures how quickly."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import interpreter
from interpreter import bundled, pipeline
from interpreter.ir import printer
from interpreter.ir.traversal import NODE_TYPES

LIBRARIES = ("jsonschema", "referencing", "numpy", "rich")
ENGINES = ("interpreter.odds", "interpreter.simulation", "interpreter.codegen")
AT_A_TERMINAL = ("interpreter.cli.terminal_answers", "interpreter.cli.typed_answers", "interpreter.report.explain")
SESSIONS = ("interpreter.api.session", "interpreter.api.begin_session", "interpreter.api.visibility")


@pytest.mark.parametrize(
    ("command", "without"),
    [
        (["--version"], ("yaml", "pickle", "importlib.metadata", "interpreter.diagnostics", *LIBRARIES)),
        (["check", "pbta"], ("interpreter.api.game", *LIBRARIES, *ENGINES, *AT_A_TERMINAL)),
        (["roll", "jadeclaw", "contest", "own=d8", "against=d6"], (*LIBRARIES, *ENGINES, *AT_A_TERMINAL, *SESSIONS)),
    ],
    ids=lambda one: one[0],
)
def test_a_command_imports_only_what_it_needs(command: list[str], without: tuple[str, ...]) -> None:
    code = (
        "import sys; before = set(sys.modules)\n"
        "from interpreter.cli import main\n"
        "try: main()\n"
        "except SystemExit as end: assert not end.code\n"
        "print(*sorted(sys.modules.keys() - before), sep='\\n')"
    )
    done = subprocess.run([sys.executable, "-c", code, *command], capture_output=True, text=True, check=True)
    assert set(done.stdout.splitlines()) & set(without) == set()


def test_only_what_hosts_are_given_refuses_assignments() -> None:
    """Elsewhere mypy does, and the methods for it are most of what creating a class takes."""
    given_to_hosts = {
        "api/adopt.py", "api/chances.py", "api/forms.py", "api/game.py", "api/playable_scene.py", "api/questions.py",
        "api/result.py", "api/seat.py", "api/session_log.py", "api/record.py", "api/master.py",
        "diagnostics/model.py", "odds/answer.py", "odds/comparison.py", "odds/sweep.py", "simulation/answer.py",
        "runtime/state.py", "saves/plan.py", "budget.py",
    }  # fmt: skip
    package = Path(interpreter.__file__).parent
    frozen = {
        file.relative_to(package).as_posix()
        for file in package.rglob("*.py")
        if "dataclass(frozen=True" in (text := file.read_text("utf-8")) and "from interpreter.frozen import" not in text
    }
    assert frozen <= given_to_hosts


def test_nodes_are_created_without_methods_that_refuse_assignments() -> None:
    assert [kind.__name__ for kind in NODE_TYPES if {"__setattr__", "__delattr__"} & vars(kind).keys()] == []


@pytest.mark.parametrize("name", bundled.rulesets())
def test_a_bundled_ruleset_is_the_same_program_without_its_cases(name: str) -> None:
    file = bundled.rulesets()[name]
    whole, to_play = pipeline.from_path(file), pipeline.from_path(file, to_play=True)
    assert whole.program is not None and to_play.program is not None
    assert whole.world is not None and to_play.world is not None
    assert printer.listing(whole.program) == printer.listing(to_play.program)
    assert whole.program.fingerprint == to_play.program.fingerprint
    assert len(to_play.world.cases) < len(whole.world.cases)


def test_cases_of_other_rulesets_are_checked_before_they_are_played(tmp_path: Path) -> None:
    folder = tmp_path / "pbta"
    shutil.copytree(bundled.rulesets()["pbta"].parent, folder)
    interpreter.load(folder)
    cases = folder / "cases.yaml"
    cases.write_text(cases.read_text("utf-8").replace("mechanic: ", "mechanic: no_", 1), "utf-8")
    with pytest.raises(interpreter.RulesetError) as refused:
        interpreter.load(folder)
    assert [one.span.source.name for one in refused.value.diagnostics] == [cases.as_posix()]


def test_the_package_runs_as_the_command() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "interpreter", "--version"], capture_output=True, text=True, check=True
    )
    assert done.stdout == f"houserule, version {interpreter.__version__}\n"


def test_the_links_of_the_project_lead_to_its_files() -> None:
    top = Path(__file__).parent.parent
    project = tomllib.loads((top / "pyproject.toml").read_text("utf-8"))["project"]
    assert [file for file in project["urls"].values() if not (top / file).is_file()] == []
