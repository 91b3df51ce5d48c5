"""A list taken from among others is allowed or refused alike, given or asked, by every way of answering.

An element may be chosen as often as it is there, and `where` of a list looks at the list that is chosen.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from functools import cache
from itertools import product
from typing import Any

import pytest

import interpreter
from interpreter import Game
from interpreter.cli.typed_answers import answer_of
from interpreter.codegen import module_of, rule_player
from interpreter.codegen.module import NotGenerated
from interpreter.diagnostics import PlayError
from interpreter.runtime.evaluator import new_frame
from interpreter.runtime.rng import SeededDice
from interpreter.runtime.state import STATE
from interpreter.values import to_data

FORMS = {
    "numbers": ("number", "number", [7, 7, 6, 6], [6, 7, 8]),
    "words": ("gem", "gem", ["ruby", "ruby", "opal"], ["ruby", "opal", "jade"]),
    "things": ("hero", "hero", ["ann", "bo", "bo"], ["ann", "bo", "cy"]),
    "each once": ("number", "number", [1, 2, 3], [1, 2, 3]),
    "three alike": ("number", "number", [5, 5, 5], [5]),
}


@cache
def game_of(form: str, bounds: str = "") -> Game:
    of, kind, _, _ = FORMS[form]
    return interpreter.loads(f"""\
ruleset: chosen
names: {{gem: [ruby, opal, jade]}}
kinds:
  hero:
    has:
      bag: {{list_of: {kind}, default: []}}
      wanted: {{list_of: {kind}, default: []}}
      seen: {{type: number, default: 0}}
actions:
  spend:
    actor: hero
    inputs: {{picked: {{list_of: {of}, among: actor.bag{bounds}}}}}
    steps: {{done: {{set: actor.seen, to: count(picked)}}}}
policies:
  said: {{picked: actor.wanted}}
""")


def state_of(game: Game, form: str, wanted: Sequence[Any] = ()) -> Any:
    ann = {"is": "hero", "bag": FORMS[form][2], "wanted": list(wanted)}
    return game.state(ann=ann, bo={"is": "hero"}, cy={"is": "hero"})


Way = Callable[[str, str, Sequence[Any]], int]


def given(form: str, bounds: str, picked: Sequence[Any]) -> int:
    game = game_of(form, bounds)
    return _seen(game.act(state_of(game, form), "spend", actor="ann", picked=list(picked)))


def answered(form: str, bounds: str, picked: Sequence[Any]) -> int:
    game = game_of(form, bounds)
    return _seen(game.act(state_of(game, form), "spend", actor="ann", choices={"picked": list(picked)}))


def by_policy(form: str, bounds: str, picked: Sequence[Any]) -> int:
    game = game_of(form, bounds)
    return _seen(game.act(state_of(game, form, picked), "spend", actor="ann", policy="said"))


def unseen(form: str, bounds: str, picked: Sequence[Any]) -> int:
    game = game_of(form, bounds)
    module = module_of(game.program, game.option_values, "said", True)
    state = state_of(game, form, picked)
    given = {"actor": state.thing("ann"), **new_frame(), STATE: state}
    rule_player(module, game.rule("actions.spend"))(given, SeededDice(1), True)
    return int(given[STATE].things["ann"].values["seen"])


def by_function(form: str, bounds: str, picked: Sequence[Any]) -> int:
    game = game_of(form, bounds)

    def policy(choice: Any) -> Any:
        return tuple(next((one for one in choice.options if to_data(one) == name), name) for name in picked)

    return _seen(game.act(state_of(game, form), "spend", actor="ann", policy=policy))


def in_a_session(form: str, bounds: str, picked: Sequence[Any]) -> int:
    return _session(form, bounds, lambda request: list(picked))


def by_numbers(form: str, bounds: str, picked: Sequence[Any]) -> int:
    def pick(request: Any) -> Any:
        left = list(range(len(request.options)))
        for one in picked:
            place = next((n for n in left if request.options[n] == one), None)
            if place is None:
                return list(picked)  # there is no number for it
            left.remove(place)
        return {"pick": [n for n in range(len(request.options)) if n not in left]}

    return _session(form, bounds, pick)


def at_a_terminal(form: str, bounds: str, picked: Sequence[Any]) -> int:
    return _session(form, bounds, lambda request: answer_of(request, ", ".join(map(str, picked))))


def _session(form: str, bounds: str, answer: Callable[[Any], Any]) -> int:
    game = game_of(form, bounds)
    session = game.begin("actions.spend", state=state_of(game, form), actor="ann")
    if session.host.requests:
        session.host.answer(session.host.requests[0].id, answer(session.host.requests[0]))
    assert session.result is not None
    return _seen(session.result)


def _seen(result: Any) -> int:
    return int(result.state.things["ann"].values["seen"])


WAYS: list[Way] = [given, answered, by_policy, unseen, by_function, in_a_session, by_numbers, at_a_terminal]

BOUNDS: dict[str, Callable[[Sequence[Any]], bool]] = {
    "": lambda picked: True,
    ", least: 1, most: 2": lambda picked: 1 <= len(picked) <= 2,
    ", where: count(it) != 1": lambda picked: len(picked) != 1,
}


@pytest.mark.parametrize("bounds", BOUNDS)
@pytest.mark.parametrize("form", FORMS)
def test_what_is_allowed_when_it_is_given_is_allowed_when_it_is_asked(form: str, bounds: str) -> None:
    _, _, bag, elements = FORMS[form]
    for many in range(4):
        for picked in product(elements, repeat=many):
            allowed = Counter(picked) <= Counter(bag) and BOUNDS[bounds](picked)
            if picked != tuple(sorted(picked)) and not allowed:
                continue  # the same in another order
            for way in WAYS:
                try:
                    assert way(form, bounds, picked) == many
                    found = True
                except (PlayError, NotGenerated):
                    found = False
                assert found is allowed, (way.__name__, picked)


@pytest.mark.parametrize("bounds", ["", ", most: 2"])
def test_of_nothing_nothing_is_chosen(bounds: str) -> None:
    game = game_of("numbers", bounds)
    nothing = game.state(ann={"is": "hero"})
    assert _seen(game.act(nothing, "spend", actor="ann", picked=[])) == 0
    assert _seen(game.act(nothing, "spend", actor="ann")) == 0


def test_what_nobody_could_answer_is_not_asked() -> None:
    game = game_of("numbers", ", least: 3")
    few = game.state(ann={"is": "hero", "bag": [2, 2]})
    with pytest.raises(PlayError) as raised:
        game.act(few, "spend", actor="ann", policy=lambda choice: pytest.fail("nobody can answer"))
    assert raised.value.diagnostic.code == "HR656"
