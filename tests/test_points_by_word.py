"""Points and tracks with a number for each word of a list: each word has a bound, a start and steps of its own.

A plain telling of what a change comes to is held to play, to silent play, to exact odds and to both ways of simulating,
over a grid of declarations, words, verbs and amounts.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import interpreter
from interpreter.api.game import Game
from interpreter.codegen import GeneratedModule, module_of, rule_player
from interpreter.codegen.module import NotGenerated
from interpreter.diagnostics import HouseruleError, PlayError
from interpreter.play.deciders import drive
from interpreter.play.run import SilentRun
from interpreter.runtime.evaluator import new_frame
from interpreter.runtime.rng import SeededDice
from interpreter.runtime.state import STATE, State

WORDS = ("bow", "gun")
HOOKS = ("when_full", "when_hit_full", "when_empty")
NOTES = ", ".join(
    f"{hook}: {{a: {{add: word, to: owner.at_{hook[5:]}}}, "
    "b: {set: owner.over, to: excess}, c: {set: owner.was, to: before}}"
    for hook in HOOKS
)


class Declared(NamedTuple):
    """A declaration, and the bounds and the start of each word that it gives."""

    text: str
    low: dict[str, int]
    high: dict[str, int | None]
    start: dict[str, int]


def same(of: Any) -> dict[str, Any]:
    return dict.fromkeys(WORDS, of)


KINDS = {
    "one bound for all": Declared("type: points, to: 3, starts: 2", same(0), same(3), same(2)),
    "word by word": Declared(
        "type: points, from: {bow: 1, gun: -1}, to: {gun: 2, bow: 4}, starts: full",
        {"bow": 1, "gun": -1}, {"bow": 4, "gun": 2}, {"bow": 4, "gun": 2},
    ),
    "by a table": Declared(
        "type: points, to: room(word) + extra, starts: room(word)", same(0), {"bow": 3, "gun": 5}, {"bow": 2, "gun": 4}
    ),
    "a track": Declared("type: track, length: {bow: 2, gun: 3}", same(0), {"bow": 2, "gun": 3}, same(0)),
    "by a condition": Declared(
        "type: points, to: extra + 2 if word is bow else 2, starts: {bow: 1, gun: extra}",
        same(0), {"bow": 3, "gun": 2}, same(1),
    ),
    "refusing": Declared(
        "type: points, to: {bow: 2, gun: 3}, past_full: refuse", same(0), {"bow": 2, "gun": 3}, same(0)
    ),
    "without a bound": Declared("type: points, starts: {bow: 1, gun: 2}", same(0), same(None), {"bow": 1, "gun": 2}),
}  # fmt: skip

NAMED = [
    f"  {verb}_{word}: {{inputs: {{much: number}}, steps: {{moved: {{{verb}: much, {way}: hero.ammo({word})}}}}}}"
    for (verb, way), word in product((("gain", "to"), ("lose", "from"), ("pay", "from")), WORDS)
]


def ruleset(declared: str) -> str:
    hooks = NOTES if "to:" in declared or "length:" in declared else NOTES[NOTES.index("when_empty") :]
    return f"""\
ruleset: quiver
names: {{weapon: [bow, gun]}}
tables: {{room: {{rows: {{bow: 2, gun: 4}}}}}}
kinds:
  hero:
    one: yes
    summary: [ammo]
    has:
      extra: {{type: number, default: 1}}
      at_full: {{list_of: weapon, default: []}}
      at_hit_full: {{list_of: weapon, default: []}}
      at_empty: {{list_of: weapon, default: []}}
      over: {{type: number, default: -1}}
      was: {{type: number, default: -99}}
      ammo: {{{declared}, per: weapon, {hooks}}}
mechanics:
  gain: {{inputs: {{much: number, weapon: weapon}}, steps: {{moved: {{gain: much, to: hero.ammo(weapon)}}}}}}
  lose: {{inputs: {{much: number, weapon: weapon}}, steps: {{moved: {{lose: much, from: hero.ammo(weapon)}}}}}}
  pay: {{inputs: {{much: number, weapon: weapon}}, steps: {{moved: {{pay: much, from: hero.ammo(weapon)}}}}}}
  set: {{inputs: {{much: number, weapon: weapon}}, steps: {{moved: {{set: hero.ammo(weapon), to: much}}}}}}
  swap: {{inputs: {{much: number}}, steps: {{moved: {{set: hero.extra, to: much}}}}}}
  roll_gain:
    inputs: {{weapon: weapon}}
    steps: {{die: {{roll: d4}}, moved: {{gain: die, to: hero.ammo(weapon)}}, left: hero.ammo(weapon)}}
  roll_lose:
    inputs: {{weapon: weapon}}
    steps: {{die: {{roll: d4}}, moved: {{lose: die, from: hero.ammo(weapon)}}, left: hero.ammo(weapon)}}
{chr(10).join(NAMED)}
"""


class Came(NamedTuple):
    """What the hero has after a change: the ammunition, and what the steps at a bound noted."""

    ammo: dict[str, int]
    at_full: tuple[str, ...] = ()
    at_hit_full: tuple[str, ...] = ()
    at_empty: tuple[str, ...] = ()
    over: int = -1
    was: int = -99


def plainly(of: Declared, verb: str, word: str, ammo: dict[str, int], much: int) -> Came | None:
    """What should come of a change; None where it is refused."""
    low, high, start = of.low[word], of.high[word], ammo[word]
    if verb == "set":
        return Came({**ammo, word: much}) if low <= much and (high is None or much <= high) else None
    up = verb == "gain"
    wanted = start + much if up else start - much
    if much < 0 or (verb == "pay" and wanted < low):
        return None
    after = max(wanted, low) if not up else wanted if high is None else min(wanted, high)
    excess = abs(wanted - after)
    if excess and up and "refuse" in of.text:
        return None
    notes: dict[str, Any] = {}
    if up and high is not None and after == high and (start < high or excess):
        notes = {"at_full" if start < high else "at_hit_full": (word,), "over": excess, "was": start}
    if not up and after == low and start > low:
        notes = {"at_empty": (word,), "over": excess, "was": start}
    return Came({**ammo, word: after}, **notes)


def came(state: State) -> Came:
    has = state.things["hero"].values
    return Came(*(has[name] for name in Came._fields))


def walked(game: Game, module: GeneratedModule, rule: str, given: dict[str, Any], state: State) -> Came | None:
    inside = {**given, **new_frame(), STATE: state}
    try:
        drive(game.walk(rule)(inside, SilentRun()), SeededDice(1), game.answers(None, None, None, game.reader()))
    except PlayError:
        return None
    return came(inside[STATE])


def silent(game: Game, module: GeneratedModule, rule: str, given: dict[str, Any], state: State) -> Came | None:
    inside = {**given, **new_frame(), STATE: state}
    try:
        rule_player(module, game.rule(rule))(inside, SeededDice(1), True)
    except NotGenerated:
        return None
    return came(inside[STATE])


def rolled(game: Game, module: GeneratedModule, rule: str, given: dict[str, Any], state: State) -> Came | None:
    try:
        result = game.roll(rule, state=state, **given)
    except HouseruleError:
        return None
    assert result.state is not None
    return came(result.state)


def before(of: Declared) -> Iterator[dict[str, int]]:
    """What the hero may have: both words at their lowest and highest, and between."""
    tops = {word: of.high[word] if of.high[word] is not None else of.low[word] + 2 for word in WORDS}
    for bow, gun in product(*(range(of.low[word], (tops[word] or 0) + 1) for word in WORDS)):
        yield {"bow": bow, "gun": gun}


@pytest.mark.parametrize("kind", KINDS)
def test_each_word_has_its_bounds_and_what_follows_there(kind: str) -> None:
    of = KINDS[kind]
    game = interpreter.loads(ruleset(of.text))
    module = module_of(game.program, game.option_values, None, True)
    start = game.state()
    assert came(start).ammo == of.start
    for ammo in before(of):
        state = game.state(hero={"ammo": ammo})
        for verb, word, much in product(("gain", "lose", "pay", "set"), WORDS, range(-2, 5)):
            wanted = plainly(of, verb, word, ammo, much)
            for play in (walked, silent):
                told = (kind, play.__name__, verb, word, ammo, much)
                assert play(game, module, verb, {"much": much, "weapon": word}, state) == wanted, told
                if verb != "set":
                    assert play(game, module, f"{verb}_{word}", {"much": much}, state) == wanted, told
    assert rolled(game, module, "gain", {"much": 1, "weapon": "gun"}, start) == plainly(of, "gain", "gun", of.start, 1)


@pytest.mark.parametrize("kind", [kind for kind in KINDS if "extra" in KINDS[kind].text])
def test_a_bound_that_moves_takes_the_value_of_its_word_with_it(kind: str) -> None:
    game = interpreter.loads(ruleset(KINDS[kind].text))
    module = module_of(game.program, game.option_values, None, True)
    rooms = {"by a table": {"bow": 2, "gun": 4}, "by a condition": {"bow": 2, "gun": 2}}[kind]
    grows = {"by a table": WORDS, "by a condition": ("bow",)}[kind]
    for extra, ammo in product((-1, 0, 1, 2), before(KINDS[kind])):
        state = game.state(hero={"ammo": ammo})
        inside = {word: min(ammo[word], rooms[word] + (extra if word in grows else 0)) for word in WORDS}
        for play in (walked, silent, rolled):
            found = play(game, module, "swap", {"much": extra}, state)
            assert found is not None and found.ammo == inside, (play.__name__, extra, ammo)


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "refusing"])
def test_odds_and_simulations_agree_with_the_plain_telling(kind: str) -> None:
    of = KINDS[kind]
    game = interpreter.loads(ruleset(of.text))
    for verb, word in product(("gain", "lose"), WORDS):
        wanted: dict[int, Fraction] = {}
        for die in range(1, 5):
            end = plainly(of, verb, word, of.start, die)
            assert end is not None
            wanted[end.ammo[word]] = wanted.get(end.ammo[word], Fraction(0)) + Fraction(1, 4)
        state = game.state()
        law = game.odds(f"roll_{verb}", state=state, weapon=word).law("left")
        assert {value: chance for (value,), chance in law.weights.items()} == wanted, (verb, word)
        counted = game.simulate(f"roll_{verb}", state=state, weapon=word, of=["left"], runs=4000, seed=3).law("left")
        shares = {value: share for (value,), share in counted.weights.items()}
        assert shares.keys() <= wanted.keys()
        assert all(abs(shares.get(value, 0) - chance) < Fraction(1, 20) for value, chance in wanted.items())


PRICES = """\
ruleset: prices
names: {slot: [first, second, third]}
kinds:
  mage:
    has:
      power: {type: number, default: 0}
      slots: {type: points, per: slot, to: {first: 4, second: 3, third: power}, starts: full, lasts: round}
      coins: {type: points, to: 9, starts: 2}
      moves: {type: points, per: slot, to: 1, starts: full, lasts: turn}
    summary: [slots, coins]
action_kinds:
  quick: {cost: {slots: {first: 1}, coins: 1}, upgrade: {to: slow, waives: [slots], counts_as: 3}}
  slow:  {}
actions:
  cast:
    actor: mage
    inputs: {slot: slot, much: {type: number, from: 1, to: 2, default: 1}}
    cost: {slots: {slot: much}}
    steps: {told: spent.slots}
  both:
    actor: mage
    inputs: {slot: slot}
    cost: {slots: {slot: 2, first: 2}}
    steps: {told: spent.slots}
  dash:
    actor: mage
    kind: quick
    steps: {told: spent.slots}
  step:
    actor: mage
    cost: {moves: {first: 1}}
    steps: {told: spent.moves}
events:
  blast: {inputs: {who: {type: mage}}, steps: {hurt: {lose: 1, from: who.coins}}}
reactions:
  shield:
    title: Raise a shield?
    before: blast
    actor: {type: mage, among: event.who}
    cost: {slots: {second: 2}}
    steps: {safe: {cancel: event}}
mechanics:
  toll:
    inputs: {who: {type: mage}, price: {type: number, from: 0}}
    steps: {paid: {pay: price, from: who, in: {slots: {first: 1, second: 2}, coins: 1}, may_refuse: yes}}
    outcomes: {crosses: paid.happened, stays: otherwise}
  day:
    inputs: {who: {type: mage}}
    steps:
      done: {offer: [cast, both, dash], to: who, most: 3}
      left: who.slots(first)
scenes:
  duel:
    inputs: {mages: {list_of: mage}}
    round:
      turns:
        steps:
          everyone:
            for: one
            among: scene.mages
            each:
              own_turn:
                turn: one
                steps:
                  does: {offer: [cast, both, dash, step], to: one, most: 2}
                  hit:  {cause: blast, with: {who: one}}
          over: {end: over, if: scene.round >= 3 or sum(scene.mages.coins) == 0}
    outcomes: {over: no}
policies:
  keen: {shield: yes, does: "[cast, dash, step]", slot: first, much: 1}
  thrifty: {paid: yes, paid.mix: "[second_slots, first_slots]", slot: second, much: 2, done: "[both, cast]"}
  spender: {slot: first, done: "[both, dash, cast]", upgraded: yes}
"""


@pytest.fixture(scope="module")
def prices() -> Game:
    return interpreter.loads(PRICES)


def slots(state: State, who: str = "ann") -> dict[str, int]:
    held: dict[str, int] = state.things[who].values["slots"]
    return held


def test_a_price_is_that_of_a_word_which_may_be_an_input(prices: Game) -> None:
    state = prices.state(ann={"is": "mage"})
    done = prices.act(state, "cast", actor="ann", slot="second", much=2)
    assert slots(done.state) == {"first": 4, "second": 1, "third": 0}
    assert done.values["told"] == 2
    with pytest.raises(PlayError, match=r"this costs 1 of `ann.slots\(third\)`, but there are only 0"):
        prices.act(state, "cast", actor="ann", slot="third")


def test_two_words_that_turn_out_the_same_are_paid_together(prices: Game) -> None:
    for first, fits in ((4, True), (3, False)):
        state = prices.state(ann={"is": "mage", "slots": {"first": first}})
        if fits:
            done = prices.act(state, "both", actor="ann", slot="first")
            assert (slots(done.state)["first"], done.values["told"]) == (0, 4)
        else:
            with pytest.raises(PlayError, match=r"this costs 4 of `ann.slots\(first\)`, but there are only 3"):
                prices.act(state, "both", actor="ann", slot="first")


def test_what_is_possible_tells_prices_by_word_where_it_is_known(prices: Game) -> None:
    told = {one.action: one for one in prices.possible(prices.state(ann={"is": "mage"}), "ann")}
    assert told["cast"].prices == {"slots": (1, 2)}
    assert told["cast"].inputs["slot"] == ["first", "second"]
    assert told["both"].prices == {"slots": (2, 2), "slots(first)": (2, 2)}
    assert told["step"].prices == {"moves(first)": (1, 1)}
    assert told["dash"].kinds == {
        "quick": {"slots(first)": (1, 1), "coins": (1, 1)},
        "slow": {"slots(first)": (0, 0), "coins": (1, 1)},
    }


def test_an_upgrade_waives_the_points_of_every_word(prices: Game) -> None:
    state = prices.state(ann={"is": "mage"})
    done = prices.act(state, "dash", actor="ann", upgraded=True)
    assert (slots(done.state)["first"], done.values["told"]) == (4, 3)
    assert slots(prices.act(state, "dash", actor="ann", upgraded=False).state)["first"] == 3


def test_what_lasts_for_a_round_begins_again_at_the_bounds_of_the_round(prices: Game) -> None:
    state = prices.state(ann={"is": "mage", "slots": {"first": 1, "second": 0}, "power": 2})
    assert slots(state) == {"first": 1, "second": 0, "third": 2}
    ended, _ = prices.ending(state, "round")
    assert slots(ended) == {"first": 4, "second": 3, "third": 2}


def test_a_state_says_each_word_and_comes_back_the_same(prices: Game) -> None:
    state = prices.state(ann={"is": "mage", "slots": {"second": 1}})
    data = json.loads(prices.to_json(state))
    assert data["things"]["ann"]["slots"] == {"first": 4, "second": 1, "third": 0}
    assert prices.state(prices.to_json(state)) == state
    del data["things"]["ann"]["slots"]["second"]  # as where a house rule has added the word since
    assert slots(prices.state(json.dumps(data))) == {"first": 4, "second": 3, "third": 0}


def test_a_payment_takes_points_of_several_words(prices: Game) -> None:
    state = prices.state(ann={"is": "mage"})
    done = prices.roll("toll", state=state, who="ann", price=5, policy="thrifty")
    assert slots(done.state) == {"first": 4, "second": 0, "third": 0}
    chosen = {"paid": True, "mix": "3 first_slots and 1 second_slots"}
    assert slots(prices.roll("toll", state=state, who="ann", price=5, choices=chosen).state)["first"] == 1
    odds = prices.odds("toll", state=state, who="ann", price=5, policy="thrifty")
    assert odds.outcomes["crosses"] == 1


@pytest.mark.parametrize("policy", ["thrifty", "spender"])
def test_offers_are_the_same_in_play_in_silence_and_in_odds(prices: Game, policy: str) -> None:
    module = module_of(prices.program, prices.options, policy, True)
    for first, second in product(range(5), range(4)):
        state = prices.state(ann={"is": "mage", "slots": {"first": first, "second": second}})
        try:
            told = prices.roll("day", state=state, who="ann", policy=policy)
        except PlayError:
            told = None
        inside = {"who": state.thing("ann"), **new_frame(), STATE: state}
        try:
            record = rule_player(module, prices.rule("day"))(inside, SeededDice(1), True)
            assert told is not None
            assert record["done"] == told.values["done"]
            assert inside[STATE] == told.state
        except NotGenerated:  # play then tells what is wrong
            pass
        if told is not None:
            law = prices.odds("day", state=state, who="ann", policy=policy).law("left")
            assert law.weights == {(slots(told.state)["first"],): 1}


def test_a_reaction_tells_its_price_and_what_is_there(prices: Game) -> None:
    state = prices.state(ann={"is": "mage"})
    session = prices.begin("events.blast", state=state, who="ann")
    (request,) = session.host.requests
    assert request.terms["yes"].prices == {"slots(second)": (2, 2)}
    assert request.meanings["yes"] == "slots(second): 2 of 3"
    session.host.answer(request.id, True)
    assert slots(session.state)["second"] == 1


def test_a_house_rule_changes_the_bound_of_one_word(tmp_path: Path) -> None:
    (tmp_path / "prices.yaml").write_text(PRICES, "utf-8")
    rule = tmp_path / "circles.yaml"
    rule.write_text(
        "ruleset: circles\nextends: prices.yaml\nchanges:\n"
        "  kinds.mage.has.slots.to.second: {set: base + 2, was: 3, because: They practise.}\n"
        "  actions.step.cost.moves.first: {set: 0, because: They float.}\n",
        "utf-8",
    )
    game = interpreter.load(rule)
    state = game.state(ann={"is": "mage"})
    assert slots(state) == {"first": 4, "second": 5, "third": 0}
    assert game.act(state, "step", actor="ann").values["told"] == 0


MADE = """\
ruleset: camp
names: {weapon: [bow, gun]}
kinds:
  hero: {has: {ammo: {type: points, per: weapon, to: {bow: 4, gun: 2}, starts: full}}}
mechanics:
  recruit:
    steps:
      die: {roll: d4}
      who: {make: hero, with: {ammo: {bow: die}}}
      bow: who.ammo(bow)
      gun: who.ammo(gun)
"""


def test_a_thing_is_made_with_the_values_of_some_words() -> None:
    game = interpreter.loads(MADE)
    assert game.odds("recruit").law("bow", "gun").weights == {(die, 2): Fraction(1, 4) for die in range(1, 5)}
    counted = game.simulate("recruit", runs=50, seed=1, of=["bow", "gun"]).law("bow", "gun")
    assert counted.weights.keys() <= {(die, 2) for die in range(1, 5)}
    assert slots_of(game.roll("recruit", faces=[3]).state) == {"bow": 3, "gun": 2}


def slots_of(state: State | None) -> dict[str, int]:
    assert state is not None
    held: dict[str, int] = state.things["hero_1"].values["ammo"]
    return held
