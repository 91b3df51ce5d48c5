"""An answer that is not asked for is refused with the true reason; a refused answer is never told to be allowed;
and a default that is offered can be given."""

from __future__ import annotations

import json
from collections.abc import Mapping
from textwrap import indent
from typing import Any

import pytest

import interpreter
from interpreter import Game, pipeline
from interpreter.cli.typed_answers import answer_of
from interpreter.diagnostics import PlayError
from interpreter.diagnostics.source import Source
from interpreter.play.requests import Choice, legal_answers
from interpreter.testing.cases import Trial, cases_of
from interpreter.values import in_words, to_data

ASK = "{choose: one, among: gem, default: ruby}"
ONLY = "{choose: number, from: 2, to: 2}"

UNASKED = {
    "one candidate": ("c: {choose: number, from: n, to: 2}", "it could only be 2"),
    "one candidate in each pass": (f"r: {{repeat: 2, each: {{c: {ONLY}}}}}", "it could only be 2"),
    "another candidate in each pass": (
        "r: {repeat: 2, each: {c: {choose: number, from: nth, to: nth}}}",
        "each time only one answer was possible: 1, 2",
    ),
    "one candidate in some passes": (
        "r: {repeat: 3, each: {c: {choose: number, from: 2, to: 2, default: 2, if: nth > 1}}}",
        "it could only be 2",
    ),
    "one candidate for each element": (
        f"r: {{for: x, among: '[1, 2]', each: {{c: {ONLY}}}}}",
        "it could only be 2",
    ),
    "no candidate": ("c: {choose: some, among: gem, most: n - 2, default: []}", "it could only be []"),
    "its condition": ("c: {choose: one, among: gem, default: ruby, if: n > 5}", "`c` runs only if `n > 5`"),
    "its condition in every pass": (
        "r: {repeat: 2, each: {c: {choose: one, among: gem, default: ruby, if: nth > 5}}}",
        "`c` runs only if `nth > 5`",
    ),
    "the condition of a block": (f"b: {{if: n > 5, steps: {{c: {ASK}}}}}", "`b` runs only if `n > 5`"),
    "the condition of a call": ("b: {call: other, if: n > 5}", "`b` runs only if `n > 5`"),
    "the condition of a stage": (
        "s: {start: n, then: {c: {choose: number, from: 0, to: 2, default: 0, if: s > 5}}}",
        "`c` runs only if `s > 5`",
    ),
    "no pass": (f"r: {{repeat: n - 2, each: {{c: {ASK}}}}}", "the steps of `r` ran 0 times"),
    "no element": (f"r: {{for: x, among: 'upto(n - 2)', each: {{c: {ASK}}}}}", "the steps of `r` ran 0 times"),
    "no element that fits": (
        f"r: {{for: x, among: 'upto(n)', where: it > 5, each: {{c: {ASK}}}}}", "the steps of `r` ran 0 times",
    ),
    "an end before": (f"e: {{end: over, if: n == 2}}\nc: {ASK}", "the rule ended with `over` before"),
    "another outcome": (
        f"x: n\n+outcomes: {{hit: {{if: x > 9, steps: {{c: {ASK}}}}}, miss: otherwise}}",
        "`c` runs only for the outcome `hit`",
    ),
    "another rule": ("x: n", "it is asked in `other`, which `main` never runs"),
    "no such choice": ("d: {choose: yes_no, default: no}", ""),
}  # fmt: skip


def game_of(steps: str) -> Game:
    steps, _, more = steps.partition("\n+")
    other = "" if steps.startswith("d:") else f"  other:\n    steps: {{c: {ASK}}}\n"
    more = f"    {more}\n" if more else ""
    return interpreter.loads(
        "ruleset: asked\nnames: {gem: [ruby, opal, jade]}\nmechanics:\n  main:\n"
        f"    inputs: {{n: {{type: number, default: 2}}}}\n    steps:\n{indent(steps, ' ' * 6)}\n{more}{other}"
    )


def refusal(game: Game, choices: Mapping[str, Any], **given: Any) -> Any:
    with pytest.raises(PlayError) as raised:
        game.roll("main", choices=choices, seed=1, **given)
    return raised.value.diagnostic


@pytest.mark.parametrize("why", UNASKED)
def test_the_reason_is_the_true_one(why: str) -> None:
    steps, reason = UNASKED[why]
    told = refusal(game_of(steps), {"c": 3 if "number" in steps else "opal"})
    assert told.code == "HR623"
    how = "not" if " only " in reason and "runs" not in reason else "never"
    assert told.message == f"`c` was {how} asked" + (f": {reason}" if reason else "")


RIGHT = {
    "one candidate": 2,
    "one candidate in each pass": [2, 2],
    "another candidate in each pass": [1, 2],
    "one candidate in some passes": [2, 2],
    "one candidate for each element": 2,
    "no candidate": [],
}


@pytest.mark.parametrize("why", RIGHT)
def test_the_only_possible_answer_may_be_given(why: str) -> None:
    game = game_of(UNASKED[why][0])
    told = game.roll("main", choices={"c": RIGHT[why]}, seed=1)
    assert told.values == game.roll("main", seed=1).values


def test_more_answers_than_there_were_questions_are_refused() -> None:
    assert "was not asked" in refusal(game_of(UNASKED["one candidate in each pass"][0]), {"c": [2, 2, 2]}).message


AIMED = """\
ruleset: aimed
kinds:
  hero:
    has:
      wounds: {type: points, to: 9}
      acts:   {type: points, to: 1, starts: 1, lasts: round}
actions:
  strike:
    actor: hero
    inputs: {foe: {type: hero, where: it is not actor}}
    cost: {acts: 1}
    steps: {hurt: {gain: 1, to: foe.wounds}}
scenes:
  duel:
    round:
      fight:
        steps:
          turns:
            for: one
            among: heroes
            each:
              aim:  {choose: one, among: heroes, where: it is not one, by: one}
              does: {offer: [strike], to: one}
    outcomes: {over: count(heroes where it.wounds > 0) == 2}
    inputs: {heroes: {list_of: hero}}
"""


@pytest.mark.parametrize(
    ("choices", "problem"),
    [
        ({}, None),
        ({"foe": ["bo", "ann"]}, None),
        ({"strike.foe": ["bo", "ann"]}, None),
        ({"foe": {"ann": "bo", "bo": "ann"}}, None),
        ({"aim": {"ann": "bo"}}, None),
        ({"foe": "ann"}, "`foe` was not asked: each time only one answer was possible: bo, ann"),
        ({"foe": {"ann": "ann"}}, "`foe.ann` was not asked: it could only be bo"),
        ({"aim": {"bo": "bo"}}, "`aim.bo` was not asked: it could only be ann"),
        ({"aim": {"cy": "bo"}}, "`aim.cy` was never asked"),
        ({"does": ["strike", "strike", "pass"]}, None),
        ({"does": ["strike", "strike", "pass", "strike"]}, "`does` was asked 2 times, but 4 answers are given"),
    ],
)
def test_a_forced_choice_in_a_scene_takes_its_answer(choices: Mapping[str, Any], problem: str | None) -> None:
    """Of actions that are offered, of questions by name, and of an offer that has nothing left."""
    game = interpreter.loads(AIMED)
    state = game.state(ann={"is": "hero"}, bo={"is": "hero"})
    given = {"state": state, "heroes": ["ann", "bo"], "choices": {"does": ["strike", "strike"], **choices}}
    if problem is None:
        assert game.roll("scenes.duel", **given).outcome == "over"
        return
    with pytest.raises(PlayError) as raised:
        game.roll("scenes.duel", **given)
    assert raised.value.diagnostic.message == problem


def test_a_case_tells_the_same_reason() -> None:
    text = f"""\
ruleset: asked
mechanics:
  main:
    steps:
      r: {{repeat: 2, each: {{c: {ONLY}}}}}
cases:
  - {{name: nobody is asked, mechanic: main, choices: {{c: 3}}, expect: {{r: []}}}}
"""
    loaded = pipeline.from_text(Source.of("asked.yaml", text))
    assert loaded.program is not None and loaded.world is not None
    (case,) = cases_of(loaded.world.cases)
    (told,) = Trial(Game(loaded.program, loaded.world)).run(case).failures
    assert (told.code, told.message) == (
        "HR702",
        "nobody is asked: `c` was not asked: it could only be 2",
    )


@pytest.mark.parametrize("key", ["more.c", "c"])
def test_a_key_of_another_call_is_not_explained_by_this_one(key: str) -> None:
    game = game_of("once: {call: other}\nmore: {call: other, if: n > 5}")
    if key == "c":  # it is asked of the first call
        assert game.roll("main", choices={key: "opal"}).values["once"]["c"] == "opal"
    else:
        assert refusal(game, {key: "opal"}).message == "`more.c` was never asked: `more` runs only if `n > 5`"


@pytest.mark.parametrize(
    ("steps", "answers", "times"),
    [
        (f"r: {{repeat: 2, each: {{c: {ASK}}}}}", ["opal", "jade", "ruby"], "2 times"),
        ("r: {repeat: 2, each: {c: {choose: number, from: nth, to: 2}}}", [1, 1], "once"),
    ],
)
def test_answers_that_are_too_many_are_counted(steps: str, answers: list[Any], times: str) -> None:
    told = refusal(game_of(steps), {"c": answers})
    assert (told.code, told.message) == ("HR623", f"`c` was asked {times}, but {len(answers)} answers are given")


# What is allowed --------------------------------------------------------------------------------------------------

CHOICES = {
    "number": "{choose: number, from: 0, to: 3",
    "a single digit": "{choose: number, from: 0, to: 1",
    "yes_no": "{choose: yes_no",
    "one": "{choose: one, among: gem, where: not it is ruby",
    "one number": "{choose: one, among: '[1, 2]'",
    "one die": "{choose: one, among: '[d6, d8]'",
    "some": "{choose: some, among: gem, most: 2",
    "some at least": "{choose: some, among: gem, least: 1",
    "some alike": "{choose: some, among: '[1, 1, 2]'",
    "text": "{choose: text",
}
SAID = [
    True, False, 0, 1, 2, 7, 1.0, 2.5, "1", "7", "yes", "no", "maybe", "ruby", "opal", "d6", "d20", "", " 1", [],
    ["ruby"], ["ruby", "ruby"], ["opal", "jade"], ["ruby", "opal", "jade"], [1, 1], [1, 2, 2], [True], ("ruby",),
    {"a": 1},
]  # fmt: skip


@pytest.mark.parametrize("kind", CHOICES)
def test_a_refused_answer_is_not_told_to_be_allowed(kind: str) -> None:
    game = game_of(f"d: {CHOICES[kind]}}}")
    for said in SAID:
        asked: list[Choice] = []

        def policy(choice: Choice, said: Any = said, asked: list[Choice] = asked) -> Any:
            asked.append(choice)
            return said

        try:
            found = game.roll("main", policy=policy).values["d"]
        except PlayError as error:
            told = error.diagnostic
            assert told.code == "HR620", said
            (choice,) = asked
            options = [in_words(one) for one in choice.options or ()] + (["yes", "no"] if kind == "yes_no" else [])
            if type(said) is str:
                assert said not in options
            elif choice.kind == "some" and isinstance(said, (list, tuple)) and choice.least <= len(said) <= choice.most:
                known = [one for one in said if in_words(one) in options and type(one) is not bool]
                assert len(known) < len(said) or "at most as often" in (told.help or "")
            assert legal_answers(choice) in (told.help or "")
        else:
            assert type(found) not in (float, list, dict), said


DEFAULTS = {
    "number": ["n", "n + 5", "-n"],
    "one": ["opal", "ruby"],
    "one number": ["n", "n + 5"],
    "some": ["[]", "[ruby]", "[ruby, opal, jade]", "[ruby, ruby]"],
    "some at least": ["[]", "[ruby]"],
    "some alike": ["[1, 1]", "[2, 2]", "[n, n + 5]"],
    "yes_no": ["yes", "n > 5"],
    "text": ["Ho!"],
}


@pytest.mark.parametrize(("kind", "default"), [(kind, one) for kind, some in DEFAULTS.items() for one in some])
def test_a_default_that_is_offered_can_be_given(kind: str, default: str) -> None:
    game = game_of(f"d: {CHOICES[kind]}, default: '{default}'}}")
    session = game.begin("main")
    (request,) = session.host.requests
    try:
        usual = game.roll("main").values["d"]
    except PlayError:
        assert not request.has_default and "default" not in request.to_data()
        return
    assert request.has_default
    session.host.answer(request.id, answer_of(request, ""))  # Enter at a terminal
    assert session.result is not None and session.result.values["d"] == usual
    again = game.begin("main")
    again.host.answer(again.host.requests[0].id, again.host.requests[0].to_data()["default"])  # a host
    assert again.result is not None and again.result.values["d"] == usual


INPUTS = {
    "may be left out": ("{type: hero, optional: yes}", None),
    "no candidate": ("{type: number, among: actor.bag, default: 7}", ...),
    "one of the candidates": ("{type: number, among: actor.bag, default: 2}", 2),
    "against its `where`": ("{type: number, from: 1, to: 5, where: odd(it), default: 2}", ...),
    "a list of what is there": ("{list_of: number, among: actor.bag, default: '[2, 2]'}", (2, 2)),
    "a list of what is not": ("{list_of: number, among: actor.bag, default: '[1, 1]'}", ...),
    "too many": ("{list_of: number, among: actor.bag, most: 1, default: '[2, 1]'}", ...),
}


@pytest.mark.parametrize("which", INPUTS)
def test_a_default_of_an_input_is_offered_where_it_is_allowed(which: str) -> None:
    declared, usual = INPUTS[which]
    game = interpreter.loads(f"""\
ruleset: asked
kinds:
  hero: {{has: {{bag: {{list_of: number, default: []}}}}}}
actions:
  spend:
    actor: hero
    inputs: {{picked: {declared}}}
    steps: {{x: 1}}
""")
    state = game.state(ann={"is": "hero", "bag": [2, 2, 1]}, bo={"is": "hero"})
    session = game.begin("actions.spend", state=state, actor="ann")
    (request,) = session.host.requests
    assert request.has_default is (usual is not ...)
    if usual is ...:
        with pytest.raises(PlayError):
            game.act(state, "spend", actor="ann")
        return
    session.host.answer(request.id, answer_of(request, ""))
    assert session.result is not None
    for result in (session.result, game.act(state, "spend", actor="ann")):
        assert dict(result.choices)["picked"] == usual
    assert game.resume(session.to_json()).result is not None
    assert game.replay(session.result).choices == session.result.choices


def test_an_input_that_is_not_asked_for_says_why() -> None:
    game = interpreter.loads("""\
ruleset: asked
kinds:
  hero: {has: {bag: {list_of: number, default: []}}}
actions:
  spend:
    actor: hero
    inputs: {picked: {type: number, among: actor.bag}, free: {type: number, default: 5}}
    steps: {x: 1}
""")
    state = game.state(ann={"is": "hero", "bag": [2, 1]}, bo={"is": "hero", "bag": [4]})
    reasons = {
        "was not asked: it could only be 4": {"actor": "bo", "choices": {"picked": 2}},
        "was never asked: it was given as an input": {"actor": "ann", "picked": 1, "choices": {"picked": 2}},
        "was never asked: its possible values cannot be listed, so it is not asked for; give it as an input": {
            "actor": "bo", "choices": {"free": 4},
        },
    }  # fmt: skip
    for reason, given in reasons.items():
        with pytest.raises(PlayError) as raised:
            game.act(state, "spend", **given)
        assert raised.value.diagnostic.message.endswith(reason)


LISTED = {
    "dice": "o: {roll: 2d3}\n      d: {choose: one, among: o}",
    "some dice": "o: {roll: 3d2}\n      d: {choose: some, among: o, least: 1, most: 2}",
    "records": "o: {repeat: 2, each: {a: {roll: d3}, b: a + 1}}\n      d: {choose: one, among: o}",
    "numbers": "d: {choose: one, among: '[3, 1, 3]'}",
    "dice not thrown": "d: {choose: one, among: '[d6, d8]'}",
}


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("kind", LISTED)
def test_every_option_of_a_request_can_be_given_back(kind: str, seed: int) -> None:
    """As it stands in the request, after a way through JSON, and by its number."""
    game = interpreter.loads(f"ruleset: listed\nmechanics:\n  main:\n    steps:\n      {LISTED[kind]}\n")
    (request,) = game.begin("main", seed=seed).host.requests
    for number, option in enumerate(request.options or ()):
        results = []
        for said in (option, json.loads(json.dumps(request.to_data()))["options"][number], {"pick": number}):
            session = game.begin("main", seed=seed)
            several = request.kind == "some" and said != {"pick": number}
            session.host.answer(session.host.requests[0].id, [said] if several else said)
            assert session.result is not None
            results.append(to_data(session.result.values["d"]))
        assert results[0] == results[1] == results[2]
