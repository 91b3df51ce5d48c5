"""Random legal play: answers, inputs and moves, and what must hold of every state that comes of them."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from interpreter import ir
from interpreter.api.game import Game
from interpreter.api.result import Result
from interpreter.diagnostics import PlayError
from interpreter.ir import types as t
from interpreter.odds.chance_choices import legal_answers
from interpreter.play.requests import Choice
from interpreter.runtime.evaluator import new_frame
from interpreter.runtime.objects import current_limits
from interpreter.runtime.state import STATE, State
from interpreter.values import Thing


def at_random(chance: random.Random) -> Any:
    """A policy that gives any legal answer."""

    def answer(choice: Choice) -> Any:
        options = list(choice.options or ())
        match choice.kind:
            case "yes_no":
                return chance.random() < 0.5
            case "text":
                return chance.choice(["", "Bad luck", "yes: [no"])
            case "some" if choice.fits is not None:
                return chance.choice(legal_answers(choice))
            case "some":
                return tuple(chance.sample(options, chance.randint(choice.least, min(choice.most, len(options)))))
        return chance.choice(options)

    return answer


def in_turn(answers: list[Any]) -> Any:
    """A policy that gives the answers in their order."""
    left = iter(answers)
    return lambda choice: next(left)


def within_bounds(game: Game, state: State) -> None:
    inside = {**new_frame(), STATE: state}
    for name, held in state.things.items():
        for one in game.program.kinds[held.kind].has.values():
            if one.counter:
                low, high = current_limits(game.closures, state.thing(name), one, inside, state)
                value = held.values[one.name]
                assert (low is None or low <= value) and (high is None or value <= high), f"{name}.{one.name} = {value}"


@dataclass(frozen=True)
class Move:
    """One thing that was tried: a rule by its path, or a span that ended, by its name.

    `seed` is that of the dice and of the answers; `result` is that of a rule that was played, `refused` says why it
    was not; `told` is the state before as JSON, written before the move was tried.
    """

    what: str
    given: Mapping[str, Any]
    seed: int
    before: State
    told: str
    after: State
    result: Result | None = None
    refused: PlayError | None = None


def moves(game: Game, begin: State, seed: int, length: int) -> Iterator[Move]:
    """So many random moves, one after the other: spans end, somebody does what is possible, any rule is tried."""
    chance = random.Random(seed)
    state = begin
    for _ in range(length):
        kind = chance.random()
        if kind < 0.1:
            move = _ending(game, state, chance)
        elif kind < 0.4 and game.program.actions:
            move = _action(game, state, chance)
        else:
            move = _anything(game, state, chance)
        if move is not None:
            yield move
            state = move.after


def _ending(game: Game, state: State, chance: random.Random) -> Move:
    span = chance.choice(["turn", "turn", "round", "round", "scene", "game"])
    who = chance.choice([None, *state.things]) if span == "turn" else None
    told, seed = game.to_json(state), len(state.things)
    return Move(span, {"who": who}, seed, state, told, ended(game, state, span, who, seed))


def ended(game: Game, state: State, span: str, who: str | None, seed: int) -> State:
    """The state when a span has ended, with the dice and the answers of a seed."""
    return game.ends(state, span, who, seed=seed, policy=at_random(random.Random(seed)))


def _action(game: Game, state: State, chance: random.Random) -> Move | None:
    """Something that is possible, with inputs as they are listed; what cannot be listed is made up."""
    actors = {getattr(deed.actor.type, "kind", None) for deed in game.program.actions.values()}
    who = chance.choice([name for name, held in state.things.items() if held.kind in actors])
    open_ = game.possible(state, who)
    if not open_:
        return None
    action = chance.choice(open_)
    given: dict[str, Any] = {"actor": who}
    for one in game.program.actions[action.action].rule.inputs:
        options = action.inputs[one.name]
        if options is None:
            given[one.name] = written(game, state, one, chance)
        elif options and chance.random() < 0.8:
            given[one.name] = chance.choice(list(options))
    return _tried(game, state, f"actions.{action.action}", given, chance)


def _anything(game: Game, state: State, chance: random.Random) -> Move:
    """Any event or mechanic, with inputs of the right types, whether they fit or not."""
    program = game.program
    section, rules = chance.choice([("mechanics", program.mechanics), ("events", program.events)])
    rule = rules[chance.choice(list(rules))]
    given = {}
    for one in rule.inputs:
        if one.required or chance.random() < 0.4:
            value = written(game, state, one, chance)
            if value is not None:
                given[one.name] = value
    return _tried(game, state, f"{section}.{rule.name}", given, chance)


def _tried(game: Game, state: State, what: str, given: dict[str, Any], chance: random.Random) -> Move:
    seed, told = chance.randrange(1 << 30), game.to_json(state)
    try:
        result = game.roll(what, state=state, seed=seed, policy=at_random(random.Random(seed)), inputs=given)
    except PlayError as refused:
        return Move(what, given, seed, state, told, state, refused=refused)
    assert result.state is not None
    return Move(what, given, seed, state, told, result.state, result)


def written(game: Game, state: State, one: ir.Declaration, chance: random.Random) -> Any:
    """Any value of a declared type as a host may write it, mostly within its bounds; None where there is none."""
    ends = []
    for bound, usual in ((one.low, -1), (one.high, 8)):
        try:
            ends.append(game.closures.of(bound)({**new_frame(), STATE: state}) if bound is not None else usual)
        except KeyError:  # it reads another input
            ends.append(usual)
    low, high = ends
    return _of_type(game, state, one.type, chance, range(low, max(low, high) + 1))


def _of_type(game: Game, state: State, kind: t.Type, chance: random.Random, numbers: range = range(-1, 8)) -> Any:
    match t.without_maybe(kind):
        case t.Object(name):
            there = state.of_kind(name)
            return chance.choice([one.id for one in there]) if there else None
        case t.Word(_, words):
            return chance.choice(words)
        case t.YesNo():
            return chance.random() < 0.5
        case t.Number():
            return chance.choice(numbers)
        case t.Text():
            return "Something"
        case t.DiceCode():
            return chance.choice(["0D", "1D", "1D+2", "2D+1", "3D"])
        case t.List(of):
            made = [_of_type(game, state, of, chance) for _ in range(chance.randint(0, 3))]
            return [value for value in made if value is not None]
        case t.Record(name) if name in game.program.types:
            fields = {
                field.name: written(game, state, field, chance)
                for field in game.program.types[name].has
                if field.required or chance.random() < 0.5
            }
            return {key: value for key, value in fields.items() if value is not None}
        case t.SingleDie():
            return chance.choice(["d4", "d6", "d12"])
        case t.Dice():
            return chance.choice(["d6", "2d6", "d4 & d10"])
        case t.Roll():
            return {"dice": "d4 & d10", "faces": [chance.randint(1, 4), chance.randint(1, 10)]}
    raise AssertionError(f"no value of {kind}")


def same_again(game: Game, state: State, move: Move) -> Result:
    """A move that was played, in another state with the same faces and answers."""
    assert move.result is not None
    answers = [answer for _, answer in move.result.choices]
    given = {key: value.id if isinstance(value, Thing) else value for key, value in move.given.items()}
    return game.roll(move.what, state=state, faces=move.result.faces, policy=in_turn(answers), inputs=given)
