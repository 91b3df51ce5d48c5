"""What is written out as Python: rules of simulated scenes come to what the walk comes to, and in neither these nor in
expressions any text of an author runs.
"""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from itertools import count
from pathlib import Path
from typing import Any, get_args

import pytest
from click.testing import CliRunner
from lasting.fights import FILES, scene
from marks import thorough

import interpreter
from interpreter import bundled, ir
from interpreter.api import scene_file
from interpreter.api.game import Game
from interpreter.cli import group
from interpreter.codegen import GeneratedModule, NotGenerated, module_of, rule_player
from interpreter.codegen.actions import action_function, action_test
from interpreter.codegen.effects import follow_function
from interpreter.codegen.events import event_function, reaction_function
from interpreter.codegen.rules import mechanic_function
from interpreter.diagnostics import PlayError
from interpreter.ir.traversal import formulas, outermost_nodes_in
from interpreter.play.deciders import drive
from interpreter.play.run import SilentRun
from interpreter.play.steps import inputs_frame
from interpreter.runtime import evaluator
from interpreter.runtime.evaluator import new_frame
from interpreter.runtime.rng import SeededDice
from interpreter.runtime.state import STATE, State
from interpreter.simulation import worker

EVERYTHING = Path(__file__).parent / "lasting" / "everything.yaml"


@cache
def everything() -> tuple[Game, State]:
    game = interpreter.load(EVERYTHING)
    rovers = {"ann": {}, "bo": {"food": 6, "mood": "sad", "strength": 8}, "cy": {"food": 1, "gold": 2}}
    return game, game.state(**{name: {"is": "rover", **has} for name, has in rovers.items()})


def both(
    game: Game, module: GeneratedModule, name: str, values: dict[str, Any], state: State, seed: int
) -> tuple[Any, Any]:
    """A rule as it is walked, and as it is written out: the record and the state, or how it fails."""

    def walked() -> Any:
        given = {**values, **new_frame(), STATE: state}
        answers = game.answers(None, module.policy, None, game.reader())
        return drive(game.walk(name)(given, SilentRun()), SeededDice(seed), answers), given[STATE]

    def written() -> Any:
        given = {**values, **new_frame(), STATE: state}
        return rule_player(module, game.rule(name))(given, SeededDice(seed), True), given[STATE]

    return _came(walked, PlayError), _came(written, Exception)


def _came(work: Any, failing: type[Exception]) -> Any:
    try:
        return work()
    except failing:
        return "it fails"


# The same as the walk --------------------------------------------------------------------------------------------


def verbs(of: Any) -> set[type]:
    """What the steps inside a construct do, those inside of steps too."""
    found = set()
    for step in outermost_nodes_in(of, ir.Step):
        found |= {type(step.action), *verbs(step.action)}
    return found


def test_every_verb_is_tried() -> None:
    of = everything()[0].program
    assert verbs((of.mechanics, of.events, of.actions, of.reactions, of.scenes, of.kinds)) == set(get_args(ir.StepBody))


@pytest.mark.parametrize("whole", [False, True])
@pytest.mark.parametrize("policy", [None, "keen"])
def test_a_scene_with_every_verb_is_the_same(policy: str | None, whole: bool) -> None:
    game, state = everything()
    module = module_of(game.program, game.option_values, policy, whole)
    rovers = tuple(state.thing(name) for name in ("ann", "bo", "cy"))
    outcomes = set()
    for seed in range(60):
        walked, written = both(game, module, "day", {"rovers": rovers, "length": 2 + seed % 4}, state, seed)
        assert walked == written, seed
        outcomes.add(walked[0]["outcome"])
    assert outcomes == {None, "storm"}


@pytest.mark.parametrize("policy", [None, "keen"])
def test_what_somebody_does_alone_is_the_same(policy: str | None) -> None:
    game, state = everything()
    begun = game.play("day", state=state, rounds=1, seed=2, inputs={"rovers": ["ann", "bo", "cy"]}, policy="keen").state
    assert begun is not None
    module = module_of(game.program, game.option_values, policy, whole=True)
    ann, bo = begun.thing("ann"), begun.thing("bo")
    deeds = {f"actions.{name}": {"actor": ann} for name in game.program.actions}
    events = {"events.blow": {"who": ann, "at": bo, "amount": 3}, "events.thirst": {"who": bo}}
    came = {name: set[str]() for name in (*deeds, *events)}
    for name, values in (*deeds.items(), *events.items()):
        for seed in range(40):
            walked, written = both(game, module, name, values, begun, seed)
            assert walked == written, (name, seed)
            came[name].add("fails" if walked == "it fails" else str(walked[0].get("outcome")))
    assert all(outcomes != {"fails"} for outcomes in came.values()) or policy is None
    assert came["events.blow"] <= {"hard", "soft", "None"}


@pytest.mark.parametrize(
    ("path", "policy"),
    thorough(
        [(path, policy) for path in FILES for policy in (None, "steady", "bold")],
        lambda path, policy: policy is None or path.stem != "duel",
    ),
    ids=lambda one: one.stem if isinstance(one, Path) else str(one),
)
def test_a_bundled_fight_is_the_same(path: Path, policy: str | None) -> None:
    file, game, state = scene(path)
    if policy is not None and policy not in game.program.policies:
        pytest.skip("the game has no such policy")
    name = scene_file.path_of_scene(file)
    rule = game.rule(name)
    given = inputs_frame(
        game.closures, rule, game.reader(state).mechanic_inputs(rule, scene_file.inputs_of(game, file)), state
    )
    module = module_of(game.program, game.option_values, policy)
    for seed in range(3):
        walked, written = both(game, module, name, given, state, seed)
        assert walked[1] == written[1] and walked[0].keys() == written[0].keys(), seed
        assert is_part(written[0], walked[0]), seed


def is_part(one: Any, other: Any) -> bool:
    """Whether two records agree in what the first has: what is written leaves out steps of calls that nobody reads."""
    if isinstance(one, dict) and isinstance(other, dict):
        return all(key in other and is_part(value, other[key]) for key, value in one.items())
    if isinstance(one, tuple) and isinstance(other, tuple) and len(one) == len(other) and type(one) is tuple:
        return all(map(is_part, one, other))
    return bool(one == other)


def test_a_run_that_fails_leaves_nothing_behind() -> None:
    game = interpreter.loads(STUMBLES)
    state = game.state(ann={"is": "one"})
    module = module_of(game.program, game.option_values, "wild")
    came = [both(game, module, "s", {"who": state.thing("ann")}, state, seed) for seed in range(60)]
    assert all(walked == written for walked, written in came)
    assert {walked == "it fails" for walked, _ in came} == {False, True}


STUMBLES = """
ruleset: stumbles
kinds: {one: {has: {luck: {type: points, to: 9, starts: 2}}}}
events:
  slip:
    inputs: {who: {type: one}}
    steps: {lost: {lose: 1, from: who.luck}}
scenes:
  s:
    inputs: {who: {type: one}}
    round:
      go:
        steps:
          n:     {roll: d8}
          many:  {choose: number, from: 1, to: 6, default: 1}
          slips: {cause: slip, with: {who: who}, if: n > 5}
          paid:  {pay: 1, from: who.luck, if: n == 2}
    guard: 3
policies: {wild: {many: n}}
"""


def test_what_goes_wrong_is_said_as_in_play() -> None:
    game = interpreter.loads(STUMBLES)
    state = game.state(ann={"is": "one"})
    with pytest.raises(PlayError, match=r"HR620.*`many`"):
        game.simulate("s", state=state, who="ann", runs=50, seed=1, policy="wild", of=["rounds"])


ROUNDS = """
ruleset: small
names: {cond: [a, b, c]}
options: {less: {type: number, default: -1}}
kinds:
  one:
    has:
      gold: {type: points, from: 2, to: 50, starts: 12}
      hp:   {type: points, to: 5 + count(conds), starts: 8}
      n:    {type: number, default: 1}
      thrice: {is: n + n + n}
      conds: {list_of: cond, default: [a, b, c]}
      pals:  {list_of: one, default: []}
mechanics:
  thrown: {steps: {d: {roll: d2}, total: sum(d), more: total + 1}}
scenes:
  s:
    inputs: {who: {type: one}}
    steps: {x: {call: thrown}}
    round: {go: {steps: {STEPS}}}
    guard: 4
"""
AGAIN = "doubled: {repeat: 61, each: {more: {set: who.n, to: who.n * 2}}, if: who.n == 1}, "
PLAYED = {
    "what is paid is counted from the lower bound": """
        p: {pay: 2, from: who.gold}, k: {set: who.n, to: p.before + p.after}""",
    "a bound that moved holds though nothing is lost": """
        u: {remove: a, from: who.conds}, v: {add: a, to: who.conds, lasts: round, if: scene.round == 1},
        w: {gain: 5, to: who.hp, if: scene.round == 1}, y: {lose: 0, from: who.hp}, z: {set: who.n, to: who.hp}""",
    "records of which nobody reads all are compared": """
        one: {call: thrown}, two: {call: thrown}, k: {set: who.n, to: "who.n + count(without([one], [two]))"},
        l: {set: who.n, to: who.n + one.total}""",
    "a pass inside of a pass carries what nobody else reads": """
        r: {repeat: 2, each: {inner: {repeat: 3, carry: {made: 0}, each: {made: 2}}}}, k: {set: who.n, to: 3}""",
    "a number is chosen among some": """
        many: {choose: number, by: who, from: 0, to: 5, where: odd(it), default: 1},
        k: {set: who.n, to: who.n + many}""",
}
REFUSED = {
    "an option is less than nothing": "p: {gain: options.less, to: who.gold}",
    "a number is too large that nobody reads": AGAIN + "unread: who.n + who.n + who.n + who.n",
    "the first of several is too large": AGAIN + "r: {first_of: {a: {if: who.n == 0, is: 1}, b: who.n + who.n + who.n"
    " + who.n}}, k: {set: who.gold, to: 3 if r > 2 else 4}",
    "what a thing has by a formula is too large": AGAIN + "less: {set: who.n, to: who.n + (who.n - 9)}, r: who.thrice",
    "there is no default": 'many: {choose: number, by: who, from: 0, to: 5, default: "item(who.pals, 1).n"}',
    "nobody is there to decide": 'many: {choose: number, by: "item(who.pals, 1)", from: 0, to: 5, default: 2}',
}


@pytest.mark.parametrize("what", [*PLAYED, *REFUSED])
def test_in_small_it_is_the_same(what: str) -> None:
    steps = (PLAYED | REFUSED)[what]
    policy, decides = ("keen", "policies: {keen: {many: 3}}") if "many" in steps else (None, "")
    game = interpreter.loads(ROUNDS.replace("STEPS", steps) + decides)
    state = game.state(ann={"is": "one"})
    module = module_of(game.program, game.option_values, policy)
    for seed in range(12):
        walked, written = both(game, module, "s", {"who": state.thing("ann")}, state, seed)
        if walked != "it fails":
            walked[0].pop("x"), written[0].pop("x")  # of its record only that is kept which some rule reads
        assert walked == written, seed
        assert (walked == "it fails") is (what in REFUSED)


def test_what_an_end_left_out_is_missing() -> None:
    game = interpreter.loads(ENDED)
    state = game.state(ann={"is": "one"})
    walked, written = both(
        game, module_of(game.program, game.option_values), "s", {"who": state.thing("ann")}, state, 1
    )
    assert walked == written
    assert walked[1].things["ann"].values["n"] == 7


ENDED = """
ruleset: ended
kinds:
  one:
    has: {hp: {type: points, to: 9, starts: 1, when_empty: {out: {end: bad}}}, n: {type: number, default: 1}}
events:
  blow:
    inputs: {at: {type: one}}
    steps: {lost: {lose: 1, from: at.hp}, more: {set: at.n, to: 3}}
    outcomes: {good: at.n > 1, bad: otherwise}
reactions:
  told: {after: blow, automatic: yes, actor: {type: one}, steps: {k: {set: actor.n, to: event.more.after otherwise 7}}}
scenes:
  s: {inputs: {who: {type: one}}, round: {go: {steps: {k: {cause: blow, with: {at: who}}}}}, guard: 1}
"""


def test_all_that_is_asked_for_is_told() -> None:
    game = interpreter.loads(ROUNDS.replace("STEPS", "k: {set: who.n, to: 3}"))
    found = game.simulate("s", state=game.state(ann={"is": "one"}), who="ann", runs=20, seed=1, of=["x.more"])
    assert set(found.of("x.more")) <= {2, 3}


@pytest.mark.thorough
def test_threads_do_not_share_what_changes() -> None:
    game, state = everything()

    def counted(executor: ThreadPoolExecutor | None) -> Any:
        asked = {"of": ["outcome", "rounds", "ann.food"], "policy": "keen", "executor": executor}
        return game.simulate("day", state=state, runs=200, seed=5, inputs={"rovers": ["ann", "bo", "cy"]}, **asked)

    with ThreadPoolExecutor(4) as pool:
        together = counted(pool)
    assert together.law("outcome", "rounds", "ann.food") == counted(None).law("outcome", "rounds", "ann.food")


# Nothing of an author is run -------------------------------------------------------------------------------------

NAMES = re.compile(
    r"[kpefv]\d+|_|d|each|one|cache|event|end|thing|value|has|owner|word|run|frame|spent|thrown|Ended"
    r"|NotGenerated|tuple|sorted|dict|range|enumerate|zip|len|sum|min|max|int|bool|str|type"
)
ATTRIBUTES = {
    *(
        "id",
        "part",
        "steps",
        "most_steps",
        "next_count",
        "count_steps",
        "nested",
        "dice",
        "size",
        "tags",
        "counts",
        "marks",
    ),
    *("get", "append", "setdefault", "fromkeys", "values", "index", "clear"),
}

CROOKED = """
ruleset: crooked
names: {module: [os, system, breakpoint]}
kinds:
  thing:
    has:
      mro:    {type: number, default: 3}
      p0:     {is: mro + 1}
      called: {type: module, default: system}
functions:
  exec: {takes: {frame: number, k0: number}, gives: frame + k0}
mechanics:
  go:
    inputs: {who: {type: thing}, value: {type: number, default: 2}}
    steps:
      known:  exec(value, who.p0)
      things: "[1, 2, 3] where it > known - 4"
      shell:  who.called is breakpoint
      run:    {set: who.mro, to: 5}
    outcomes: {thrown: shell, has: otherwise}
"""


def rewritten(module: GeneratedModule) -> None:
    """Let everything of a program be written out."""
    program = module.program
    for mechanic in program.mechanics.values():
        mechanic_function(module, mechanic)
    for event in program.events.values():
        event_function(module, event)
    for deed in program.actions.values():
        action_function(module, deed)
        action_test(module, deed, False)
    for reaction in program.reactions.values():
        for event in reaction.events:
            reaction_function(module, reaction, program.events[event])
    for one in program.scenes.values():
        rule_player(module, one.rule)
    for kind in program.kinds.values():
        for holding in kind.has.values():
            for what in ("when_full", "when_hit_full", "when_empty"):
                follow_function(module, holding, what)
    written: set[str] = set()
    while left := [name for name, one in module.names.items() if hasattr(one, "write") and name not in written]:
        for name in left:
            written.add(name)
            module.names[name].generate()


@pytest.mark.parametrize("name", [*bundled.rulesets(), "crooked", "everything"])
def test_no_text_of_an_author_is_run(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    texts: list[str] = []

    def watched(text: str, names: dict[str, Any]) -> None:
        texts.append(text)
        builtins.exec(text, names)

    def watched_expression(text: str, file: str, mode: str) -> Any:
        texts.append(text)
        return builtins.compile(text, file, mode)

    evaluator._code.cache_clear()
    monkeypatch.setattr("interpreter.codegen.module.exec", watched, raising=False)
    monkeypatch.setattr("interpreter.runtime.evaluator.compile", watched_expression, raising=False)
    made = {"crooked": lambda: interpreter.loads(CROOKED), "everything": lambda: everything()[0]}
    game: Game = made.get(name, lambda: interpreter.load(bundled.rulesets()[name]))()
    for policy in (None, *game.program.policies):
        rewritten(module_of(game.program, game.option_values, policy))
    for formula in formulas(game.program):
        game.closures.of(formula)
    for function in game.program.functions:
        game.closures.function(function)
    assert any(text.startswith("def ") for text in texts) and any(text.startswith("lambda ") for text in texts)
    for text in texts:
        for node in ast.walk(ast.parse(text)):
            assert not isinstance(node, (ast.Import, ast.ImportFrom, ast.Global, ast.Nonlocal)), text
            if isinstance(node, ast.Name):
                assert NAMES.fullmatch(node.id), f"{node.id} in {text}"
            if isinstance(node, ast.Attribute):
                assert node.attr in ATTRIBUTES, f"{node.attr} in {text}"


def test_only_simulations_of_scenes_write_rules_out(monkeypatch: pytest.MonkeyPatch) -> None:
    def forbidden(*_: Any) -> None:
        raise AssertionError("no rule is run that was written out")

    monkeypatch.setattr("interpreter.codegen.module.exec", forbidden, raising=False)
    game = interpreter.loads(CROOKED)
    state = game.state(one={"is": "thing"})
    assert game.roll("go", state=state, who="one").values["things"] == (3,)
    assert game.odds("go", state=state, who="one").of("known")
    assert game.simulate("go", state=state, who="one", runs=20, of=["known"]).of("known")
    day, begun = everything()
    assert day.play("day", state=begun, seed=1, policy="keen", inputs={"rovers": ["ann", "bo", "cy"]}).outcome is None


def test_what_cannot_be_written_is_walked(monkeypatch: pytest.MonkeyPatch) -> None:
    def too_deep(*_: Any) -> None:
        raise SyntaxError("too many statically nested blocks")

    game, state = everything()
    asked = {"state": state, "runs": 5, "seed": 3, "policy": None, "of": ["rounds"]}
    usual = game.simulate("day", inputs={"rovers": ["ann", "bo", "cy"]}, **asked).of("rounds")
    monkeypatch.setattr("interpreter.codegen.module.exec", too_deep, raising=False)
    again = interpreter.load(EVERYTHING)
    assert again.simulate("day", inputs={"rovers": ["ann", "bo", "cy"]}, **asked).of("rounds") == usual


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("asked", ["3", "-n", "n", "calm", "[n, 1]", "[]", "none", "words", "d6", "1 if n > 1 else 2"])
def test_python_has_nothing_to_say_of_what_is_written(asked: str) -> None:
    """Whatever is asked for by `given` or stood in for by `otherwise`: no warning comes of how it is written out."""
    game = interpreter.loads(
        "ruleset: asking\nnames: {mood: [calm, angry]}\nmechanics:\n  main:\n"
        "    inputs: {n: {type: number, default: 2}, words: {type: text, default: hello}}\n"
        f"    steps: {{there: 'given({asked})', gone: 'not given({asked})', one: '1 if given({asked}) else 0'}}\n"
    )
    rule = game.rule("main")
    given = inputs_frame(game.closures, rule, game.reader().mechanic_inputs(rule, {}))
    played = rule_player(module_of(game.program, game.option_values, whole=True), rule)(given, SeededDice(1), False)
    assert played == drive(
        game.walk("main")(dict(given), SilentRun()), SeededDice(1), game.answers(None, None, None, game.reader())
    )


# Functions that fail ---------------------------------------------------------------------------------------------


def failing(error: type[Exception], every: int = 2) -> Callable[..., Any]:
    """In place of `rule_player`: functions that raise an error in every second run."""

    def made(module: Any, rule: Any) -> Any:
        play, runs = rule_player(module, rule), count()

        def run(*given: Any) -> Any:
            if next(runs) % every == 0:
                raise error("planted")
            return play(*given)

        return run

    return made


FAILING = ROUNDS.replace("STEPS", "y: {lose: '1', from: who.hp, if: who.hp > 0}")


def simulated_rounds() -> Any:
    game = interpreter.loads(FAILING)
    return game.simulate("s", state=game.state(ann={"is": "one"}), who="ann", runs=40, seed=1, of=["ann.hp", "x.total"])


def test_a_function_that_fails_where_play_does_not_is_an_error_in_tests_and_counted_elsewhere(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    whole = simulated_rounds()
    assert (whole.by_play, whole.slips) == (0, {})
    monkeypatch.setattr(worker, "rule_player", failing(KeyError))
    with pytest.raises(worker.GeneratedCodeFailed, match="planted"):
        simulated_rounds()
    monkeypatch.delenv(worker.STRICT)
    partly = simulated_rounds()
    assert (partly.by_play, partly.slips) == (20, {"KeyError": 20})
    assert partly.law("ann.hp", "x.total") == whole.law("ann.hp", "x.total")


def test_a_function_may_leave_a_run_to_play(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker, "rule_player", failing(NotGenerated))
    assert (simulated_rounds().by_play, simulated_rounds().slips) == (20, {})


def test_explain_says_how_runs_were_played(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "small.yaml").write_text(FAILING)
    (tmp_path / "here.yaml").write_text(
        "{state: here, of: small.yaml, scene: s, things: {one: {ann: {}}}, given: {who: ann}}\n"
    )
    words = ["simulate", str(tmp_path / "small.yaml"), str(tmp_path / "here.yaml"), "--runs", "40", "--explain"]
    assert "no run was played step by step" in CliRunner().invoke(group, words).output
    monkeypatch.setattr(worker, "rule_player", failing(KeyError))
    monkeypatch.delenv(worker.STRICT)
    said = CliRunner().invoke(group, words).output
    assert "20 of 40 runs were played step by step" in said
    assert "20 of them for an error of houserule (KeyError)" in said
