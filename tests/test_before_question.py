"""What a person sees before a question: what was thrown and computed since the last one, and nothing hidden."""

from __future__ import annotations

import sys
from functools import partial
from typing import Any

import pytest

from interpreter import HOST, Game, loads
from interpreter import load as bundled
from interpreter.api.possible_data import possible_data
from interpreter.api.session import Session
from interpreter.cli import terminal_answers
from interpreter.cli.play_screen import Screen
from interpreter.cli.request_text import options_of
from interpreter.cli.terminal import painter
from interpreter.cli.terminal_answers import TerminalAnswers
from interpreter.diagnostics import PlayError
from interpreter.play.available_actions import prices_in_words, terms_in_words
from interpreter.play.requests import Choice
from interpreter.play.trace_events import EventCaused
from interpreter.report.before_question import headings_around, lines_before
from interpreter.report.transcript import record_lines

RULES = """\
ruleset: cards
roles: {player: Whoever plays., dealer: Whoever deals.}
kinds:
  gambler:
    has:
      hand: {type: number, default: 3, seen_by: owner}
mechanics:
  toss:
    steps:
      luck: {roll: d4}
      dice:
        roll: 2d6
        each: {kept: {choose: yes_no, by: player, default: yes, ask: "Do you keep this die?"}}
        counts: face if kept else 0
      total: sum(dice)
      raised: {choose: yes_no, by: player, default: no, ask: "Do you raise?"}
  showdown:
    inputs: {one: {type: gambler}, other: {type: gambler}}
    steps:
      die:    {roll: d6}
      secret: one.hand + die
      calls:  {choose: yes_no, by: other, default: no, ask: "Do you call?"}
      folds:  {choose: yes_no, by: one, default: no, ask: "Do you fold?"}
"""

GAME = loads(RULES)


def told(game: Game, choice: Choice) -> list[str]:
    return [str(line).strip() for line in lines_before(game.closures, choice.events, choice.on_table)]


def test_a_question_inside_a_roll_comes_with_the_dice_on_the_table() -> None:
    seen: list[list[str]] = []

    def ask(choice: Choice) -> Any:
        seen.append(told(GAME, choice))
        return None

    GAME.roll("toss", faces=[4, 2, 5], ask=ask)
    assert seen[0] == ["luck: d4: 4", "dice: d6 2, d6 5 on the table"]
    assert seen[1] == ["luck: d4: 4", "kept: player chooses yes", "dice: d6 2, d6 5 on the table"]
    assert seen[2] == ["luck: d4: 4", "kept: player chooses yes", "kept: player chooses yes", "dice: d6: 2, d6: 5",
                       "total: 7"]  # fmt: skip


def test_no_dice_stay_on_the_table_when_a_step_for_each_throw_ends_the_mechanic() -> None:
    game = loads("""\
ruleset: ends
roles: {player: Whoever plays.}
mechanics:
  inner:
    steps:
      die: {roll: d6, each: {low: face < 3, over: {end: early, if: low}}}
    outcomes: {late: sum(die) > 2, early: otherwise}
  outer:
    steps:
      tried: {call: inner}
      again: {choose: yes_no, by: player, default: no, ask: "Once more?"}
""")
    seen: list[list[str]] = []
    game.roll("outer", faces=[1], ask=lambda choice: seen.append(told(game, choice)))
    assert not any("on the table" in line for line in seen[0])


def test_a_request_has_what_came_since_the_one_who_is_asked_was_asked_last() -> None:
    session = GAME.begin("mechanics.toss", dice="table")
    session.host.answer(session.host.requests[0].id, [4])
    session.host.answer(session.host.requests[0].id, [2, 5])
    assert session.host.requests[0].since == ("luck: d4: 4", "dice: d6 2, d6 5 on the table")
    session.host.answer(session.host.requests[0].id, True)
    assert [line.strip() for line in session.host.requests[0].since] == ["dice: d6 2, d6 5 on the table"]
    assert session.host.requests[0].to_data()["since"] == list(session.host.requests[0].since)


def test_a_request_shows_a_player_nothing_hidden() -> None:
    state = GAME.state(ann={"is": "gambler"}, bo={"is": "gambler"})
    players = {"Anna": ["ann"], "Bert": ["bo"]}
    session = GAME.begin("mechanics.showdown", state=state, one="ann", other="bo", seed=1, players=players)
    (asked,) = session.seat("Bert").requests
    assert [line.partition(":")[0] for line in asked.since] == ["die"]
    assert [line.name for line in session.host.lines_before(asked.id)] == ["die", "secret"]


def test_the_terminal_shows_the_dice_before_it_asks_and_nothing_twice(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    shown: list[str] = []

    def prompt(*_: Any, **__: Any) -> str:
        shown.append(capsys.readouterr().err)
        return "yes"

    monkeypatch.setattr(terminal_answers, "read_line", prompt)
    GAME.roll("toss", faces=[4, 2, 5], ask=TerminalAnswers(GAME, "mechanics.toss"))
    assert "luck: d4: 4" in shown[0] and shown[0].index("on the table") < shown[0].index("Do you keep this die?")
    assert not any("luck" in later for later in shown[1:])
    assert shown[2].index("total: 7") < shown[2].index("Do you raise?")


def test_an_offer_tells_the_lowest_and_the_highest_price_and_what_an_upgrade_waives() -> None:
    game = loads("""\
ruleset: shop
kinds:
  buyer:
    has:
      coins: {type: points, to: 9, starts: 5}
      turns: {type: points, to: 1, starts: 1, lasts: round}
action_kinds:
  quick: {upgrade: {to: slow, waives: [coins], counts_as: 2}}
  slow: {at_most: {times: 9, per: turn}}
actions:
  bid:
    actor: {type: buyer}
    inputs: {much: {type: number, from: 0, to: actor.coins, default: 0}}
    cost: {coins: much, turns: 1}
    steps: {paid: spent.coins}
    outcomes: {bought: paid > 2, left: otherwise}
  look:
    actor: {type: buyer}
    kind: quick
    cost: {coins: 2}
    outcomes: {seen: upgraded, glimpsed: otherwise}
""")
    ann = game.state(ann={"is": "buyer"})
    bid, look = game.possible(ann, "ann")
    assert (bid.prices, bid.costs) == ({"coins": (0, 5), "turns": (1, 1)}, {"coins": None, "turns": 1})
    assert look.prices == {"coins": (0, 2)}
    assert look.kinds == {"quick": {"coins": (2, 2)}, "slow": {"coins": (0, 0)}} and bid.kinds == {}
    assert terms_in_words(look) == "quick, coins: 2; or slow" and terms_in_words(bid) == "coins: 0 to 5, turns: 1"
    poor = game.state(ann={"is": "buyer", "coins": 1})
    assert [terms_in_words(one) for one in game.possible(poor, "ann") if one.action == "look"] == ["slow"]
    assert prices_in_words(bid.prices) == "coins: 0 to 5, turns: 1"
    assert prices_in_words({"coins": (0, 0), "hero_points": None}) == "hero points: some"


PRICED = """\
ruleset: fray
kinds:
  fighter:
    has:
      hp:     {type: points, to: 9, starts: 9, seen_by: everybody}
      moves:  {type: points, to: 2, starts: 2, seen_by: everybody}
      tokens: {type: points, to: 2, starts: 1, seen_by: everybody}
mechanics:
  upkeep:
    title: Upkeep
    inputs: {who: {type: fighter}}
    steps:
      paid: {pay: 1, from: who, in: {moves: 1, tokens: 1}, may_refuse: yes}
events:
  blow:
    inputs: {who: {type: fighter}, much: number}
    steps: {loss: {lose: much, from: who.hp}}
actions:
  strike:
    actor: {type: fighter}
    inputs: {foe: {type: fighter, where: it is not actor}}
    steps:
      kept: {call: upkeep, with: {who: actor}}
      hit:  {cause: blow, with: {who: foe, much: 4}}
reactions:
  duck:
    title: Duck?
    about: Half of it hits you.
    before: blow
    actor: {type: fighter, among: "[event.who]"}
    cost: {moves: 1}
    steps: {half: {change: {much: event.much / 2}}}
"""


def test_a_question_says_what_is_paid_for_and_what_a_reaction_costs_and_does() -> None:
    asked: list[tuple[str, dict[str, str]]] = []

    def ask(choice: Choice) -> Any:
        asked.append((choice.ask, dict(choice.meanings)))
        return None

    game = loads(PRICED)
    state = game.state({"ann": {"is": "fighter"}, "bo": {"is": "fighter"}})
    game.roll("strike", state=state, inputs={"actor": "ann", "foe": "bo"}, ask=ask)
    assert asked == [
        ("Upkeep: pay 1? You have 2 moves and 1 tokens.", {}),
        (
            "Upkeep: with which points do you pay 1?",
            {"1 moves": "leaves 1 moves and 1 tokens", "1 tokens": "leaves 2 moves"},
        ),
        ("Duck?", {"yes": "moves: 1 of 2"}),
    ]


def _says(answer: str, _: Choice) -> str:
    return answer


QUESTION = "“Upkeep: pay 1?”"


def test_a_refused_answer_names_the_question_and_no_path() -> None:
    game = loads(PRICED)
    state = game.state({"ann": {"is": "fighter"}, "bo": {"is": "fighter"}})
    told = {"so": f"`so` is not a valid answer to {QUESTION}", "": f"{QUESTION} needs an answer"}
    for answer, message in told.items():
        with pytest.raises(PlayError) as refused:
            game.roll("strike", state=state, inputs={"actor": "ann", "foe": "bo"}, ask=partial(_says, answer))
        assert refused.value.diagnostic.message == message


BIDDING = """\
ruleset: hall
kinds:
  buyer:
    has:
      coins: {type: points, to: 9, starts: 9, seen_by: everybody}
      lamps: {type: number, default: 0, seen_by: everybody}
actions:
  rub:
    title: Rub a lamp
    actor: {type: buyer}
    cost: {coins: 1}
    steps: {more: {set: actor.lamps, to: actor.lamps + 1}}
scenes:
  sale:
    inputs: {buyers: {list_of: buyer, least: 2}}
    round:
      bid:
        steps:
          bids: {choose: number, by: buyers, from: 0, to: 3, default: 0, ask: "How much?"}
          best: highest(bids)
      rest:
        steps:
          each_one: {for: one, among: buyers, each: {acts: {offer: [rub], to: one, most: 1, ask: "What now?"}}}
    outcomes: {over: scene.round == 3}
"""


def bidding() -> Session:
    game = loads(BIDDING)
    state = game.state(ann={"is": "buyer"}, bo={"is": "buyer"}, cy={"is": "buyer"})
    players = {"anna": ["ann", "cy"], "ben": ["bo"]}
    return game.begin("sale", state=state, buyers=["ann", "bo", "cy"], seed=1, players=players)


def answer(session: Session, who: str, value: Any, **how: Any) -> None:
    request = next(one for one in session.host.requests if one.who == who)
    session.host.answer(request.id, value, **how)


def heard(session: Session, player: str) -> list[str]:
    return [line.strip() for line in session.seat(player).requests[0].since]


def test_every_player_hears_what_all_others_bid_at_the_same_time() -> None:
    session = bidding()
    first = heard(session, "anna")
    answer(session, "ann", 1)
    assert first and heard(session, "anna") == first  # the second of her characters was asked at the same time
    answer(session, "bo", 2)
    answer(session, "cy", 3)
    assert "bo: How much? 2" in heard(session, "anna")
    assert not any("ann: How" in line or "cy: How" in line for line in heard(session, "anna"))
    answer(session, "ann", "rub")
    told = heard(session, "ben")
    assert {"ann: How much? 1", "cy: How much? 3", "Rub a lamp: ann (coins 9 → 8)", "ann: lamps 0 → 1"} <= set(told)


def test_a_standing_answer_hides_nothing_that_happened_before_the_next_question() -> None:
    session = bidding()
    for who in ("ann", "bo", "cy"):
        answer(session, who, 1, until="scene")
    for who in ("ann", "bo", "cy"):
        answer(session, who, "pass")
    told = heard(session, "anna")
    assert "Round 2" in told and "bo: How much? 1" in told


SHIELD = """\
ruleset: shield
kinds: {guard: {has: {hurt: {type: points, to: 9}}}}
events:
  blow:
    title: A blow
    inputs: {from_: {type: guard}, on_: {type: guard}}
    steps:
      force: {choose: number, by: from_, from: 0, to: 3, default: 1, ask: "How hard?"}
      pain: {gain: force, to: on_.hurt}
actions:
  hit: {title: Hit, actor: guard, inputs: {whom: {type: guard, where: it is not actor, ask: "Whom?"}},
        steps: {falls: {cause: blow, with: {from_: actor, on_: whom}}}}
reactions:
  step_in:
    title: Step in
    before: blow
    actor: {type: guard, where: it is not event.on_ and it is not event.from_}
    steps: {shields: {change: {on_: actor}}}
mechanics:
  night: {inputs: {who: {type: guard}, whom: {type: guard}}, steps: {hits: {act: hit, with: {actor: who, whom: whom}}}}
"""


def test_the_heading_of_an_event_tells_what_reactions_have_made_of_it() -> None:
    game = loads(SHIELD)
    things = {name: {"is": "guard"} for name in ("ann", "bo", "cy")}
    session = game.begin("night", state=game.state(things), players={"a": ["ann"], "c": ["cy"]}, who="ann", whom="bo")
    answer(session, "cy", True)
    assert session.host.requests[0].who == "ann"
    run = session._run.course.run
    headings = [one for one in headings_around(run.events, len(run.events), run.depth) if isinstance(one, EventCaused)]
    assert [one.node.name for one in headings] == ["blow"] and headings[0].inputs["on_"].id == "cy"


def test_an_offer_has_the_title_and_the_price_of_each_action() -> None:
    session = bidding()
    for who in ("ann", "bo", "cy"):
        answer(session, who, 1)
    (offer,) = session.seat("anna").requests
    assert (offer.question, dict(offer.meanings)) == (
        "What now?",
        {
            "rub": "Rub a lamp (coins: 1)",
            "pass": "do nothing more now",
        },
    )


CHAIN = """\
ruleset: ladder
kinds:
  climber:
    has:
      moves: {type: points, to: 9, starts: 9, bookkeeping: yes}
mechanics:
  test:
    title: A test
    inputs: {who: {type: climber}, target: number, bonus: number}
    steps:
      half:  target / 2
      need:  target - half
      none_left: {is: "[half] where it > 9"}
      dice:
        roll: d6
        each:
          limit: need + 1 - nth
          worth: {call: changed, with: {face: face, who: who, limit: limit}}
          more:  {choose: yes_no, by: who, default: no, if: worth.counts < limit, ask: "{worth.counts} lies. Go on?"}
        counts: worth.counts
        again: worth.counts < limit and more
      total: sum(dice)
    outcomes: {passed: total >= need, failed: otherwise}
  changed:
    inputs: {face: number, who: {type: climber}, limit: number}
    steps:
      extra: {choose: number, by: who, from: 0, to: 2, default: 0, ask: "{face} lies there. Add how much?"}
      counts: face + extra
  match:
    title: A match
    inputs: {one: {type: climber}, other: {type: climber}}
    steps:
      mine:   {call: test, with: {who: one, target: 4, bonus: 0}}
      theirs: {call: test, with: {who: other, target: 2, bonus: 7}}
      margin: mine.total - theirs.total
      sure:   {choose: yes_no, by: other, default: no, if: margin > -9, ask: "Sure?"}
    outcomes: {won: margin > 0, lost: otherwise}
actions:
  race:
    actor: {type: climber}
    inputs: {foe: {type: climber, where: it is not actor}}
    cost: {moves: 1}
    steps: {run: {call: match, with: {one: actor, other: foe}}}
scenes:
  cliff:
    inputs: {climbers: {list_of: climber}}
    round:
      all:
        steps:
          order: climbers
          each_one: {for: one, among: order, each: {acts: {offer: [race], to: one, most: 2, ask: "What now?"}}}
    outcomes: {over: scene.round == 2}
"""


def climbing() -> Session:
    game = loads(CHAIN)
    state = game.state({one: {"is": "climber"} for one in ("ann", "bo", "cy")})
    players = {"anna": ["ann"], "ben": ["bo"], "cara": ["cy"]}
    return game.begin("cliff", state=state, climbers=["ann", "bo", "cy"], dice="table", players=players)


def give(session: Session, *values: Any, **how: Any) -> list[str]:
    """Answer the open requests in order; returns what was computed for the next one."""
    for value in values:
        session.host.answer(session.host.requests[0].id, value, **how)
    asked = session.host.requests[0]
    return [f"{line.name}: {line.text}" for line in session.seat(asked.player or HOST).before(asked.id).computed]


def test_a_question_comes_with_what_it_depends_on_and_without_the_steps_of_formulas() -> None:
    session = climbing()
    assert give(session, "race", "bo") == [": A test: who ann, target 4", "need: 2"]  # no half, bonus 0 or empty list
    assert give(session, [1]) == ["need: 2", "limit: 2", ": Changed: limit 2", "dice: d6 1 on the table"]
    give(session, 0)
    mine = ": A test: who ann, target 4 → d6: 1; need 2; total 1; failed"
    told = give(session, False, [5])
    assert (told[0], told[1], told[-1]) == (mine, "need: 1", "dice: d6 5 on the table")  # bo was not asked before
    theirs = ": A test: who bo, target 2, bonus 7 → d6: 5 (=6); total 6; passed"
    assert give(session, 1) == [theirs, "margin: -5"]


def test_dice_of_an_action_that_is_over_stand_above_no_question() -> None:
    session = climbing()
    give(session, "race", "bo", [1], 0, False, [5], 1)
    assert give(session, False) == []
    assert any("d6: 1" in line for line in session.host.requests[0].since)  # the record has them
    assert give(session, "race") == []
    give(session, "cy", [6], 0)
    told = give(session, [6])
    assert [line for line in told if "d6" in line] == [
        ": A test: who ann, target 4 → d6: 6; need 2; total 6; passed", "dice: d6 6 on the table"
    ]  # fmt: skip
    assert session.host.requests[0].who == "cy"


def test_with_a_standing_answer_the_dice_stay_above_the_next_question() -> None:
    session = climbing()
    give(session, "race", "bo", [1])
    assert give(session, 0, until="scene") == ["dice: d6 1 on the table"]
    give(session, False, [3], 0, False, "race", "cy")
    told = give(session, [1])
    assert (session.host.requests[0].question, told[-1]) == ("1 lies. Go on?", "dice: d6 1 on the table")


CAMP = """\
ruleset: camp
roles: {leader: Who leads.}
tags: {odd: "The odd die."}
kinds: {climber: {has: {luck: {type: points, starts: 2, seen_by: everybody}}}}
mechanics:
  climb:
    title: A climb
    inputs: {who: {type: climber}}
    steps:
      dice:  {roll: d6 odd}
      again: {choose: number, by: who, from: 0, to: who.luck, default: 0, ask: "{who}: how many dice more?"}
      more:  {roll: "(again)d6 odd"}
      total: sum(dice) + sum(more)
    outcomes: {up: total > 3, down: otherwise}
    also: {slip: {bad: any(dice where face == 1), none: otherwise}}
scenes:
  mountain:
    inputs: {climbers: {list_of: climber}}
    round:
      climbing:
        title: Everybody climbs
        steps:
          everyone:
            for: one
            among: climbers
            each:
              climbs: {call: climb, with: {who: one}}
              cheers: {choose: yes_no, by: leader, default: no, ask: "Do you cheer?"}
          onward: {choose: yes_no, by: leader, default: no, ask: "Onward?"}
      camp:
        title: The camp
        steps:
          everyone: {for: one, among: climbers, each: {rests: {choose: yes_no, by: one, default: no, ask: "Rest?"}}}
    outcomes: {over: scene.round == 2}
"""


def camping(**how: Any) -> Session:
    game = loads(CAMP)
    state = game.state({one: {"is": "climber"} for one in ("ann", "bo")})
    players = {"anna": ["ann"], "ben": ["bo"], "lea": ["leader"]}
    return game.begin("mountain", state=state, climbers=["ann", "bo"], dice="table", players=players, **how)


def test_what_a_scene_called_for_something_else_stands_above_no_question() -> None:
    session = camping()
    ann = ": A climb: who ann → dice d6 odd: 4; more d6 odd: 6; total 10; up"
    give(session, [4])
    assert give(session, 1, [6]) == [ann]  # the question to the leader is about this climb
    assert session.host.requests[0].question == "Do you cheer?"
    assert give(session, False, [5]) == ["dice: d6 odd: 5"]
    assert session.host.requests[0].who == "bo" and not any("ann" in one for one in give(session))
    assert give(session, 0) == [": A climb: who bo → d6 odd: 5; total 5; up"]
    asked = []
    for _ in range(4):
        session.host.answer(session.host.requests[0].id, False)
        asked.append((session.host.requests[0].question, give(session)))
    assert asked[:3] == [("Onward?", []), ("Rest?", []), ("Rest?", [])]
    assert asked[3] == ("", [": A climb: who ann"])  # the faces for the first climb of the next round


def test_a_record_leaves_out_a_further_result_that_says_nothing() -> None:
    session = camping()
    give(session, [4], 1, [3], False, [1], 1, [3])
    told = [line.text for line in record_lines(session.host.lines()) if line.kind in ("roll", "rolled", "outcome")]
    assert told == ["dice d6 odd: 4", "more d6 odd: 3, up",
                    "dice d6 odd: 1", "more d6 odd: 3, bad", "A climb (bo): up"]  # fmt: skip


def test_a_record_tells_a_further_result_once_though_rules_pass_it_on() -> None:
    game = loads("""\
ruleset: passed
mechanics:
  inner:
    inputs: {die: {type: number, default: 3}}
    steps: {twice: die * 2}
    also: {slip: {bad: die > 2, none: otherwise}}
  outer:
    steps:
      one: {call: inner}
      two: {call: inner}
    also: {slip: {bad: one.slip is bad or two.slip is bad, none: otherwise}}
""")
    told = [line.text for line in record_lines(game.roll("outer").trace) if line.kind == "outcome"]
    assert told == ["Inner: bad", "Inner: bad"]


def test_dice_with_a_tag_are_told_once_on_a_screen(capsys: pytest.CaptureFixture[str]) -> None:
    session, screen = camping(), Screen(painter(sys.stdout), verbose=False)
    for value in ([4], 1, [6], False):
        screen.show_news(session)
        screen.show_question(session, session.host.requests[:1])
        session.host.answer(session.host.requests[0].id, value)
    shown = capsys.readouterr().out
    assert shown.count("d6 odd: 4") == 1 and shown.count("d6 odd: 6") == 1


PURSE = """\
ruleset: purse
roles: {player: Whoever plays.}
mechanics:
  bid:
    steps:
      looks:
        repeat: 3
        carry: {left: 5, best: 0, kept: 0}
        each:
          pays: {choose: number, by: player, from: 0, to: left, default: 0, ask: "{left} are left. Pay how many?"}
          die:  {roll: d6}
          best: max(best, sum(die))
          kept: kept + pays
          left: left - pays
        until: left == 0 or kept > 3
      most: last(looks.best)
    outcomes: {good: most > 3, bad: otherwise}
"""


def test_what_passes_carry_on_is_told_as_other_steps_are() -> None:
    game = loads(PURSE)
    session = game.begin("bid", dice="table")
    assert give(session, 2, [4]) == ["die: d6: 4"]  # the question tells `left`, and others read the rest
    assert session.host.requests[0].question == "3 are left. Pay how many?"


def test_the_stages_of_a_value_that_the_question_tells_are_left_out() -> None:
    game = loads("""\
ruleset: stages
roles: {player: Whoever plays.}
mechanics:
  bid:
    steps:
      die: {roll: d6}
      cut: {start: sum(die), then: {halved: cut / 2, raised: cut + 3}}
      twice: {start: sum(die), then: {doubled: {is: twice * 2}}}
      stays: {choose: yes_no, by: player, default: no, ask: "You have {cut}. Stay?"}
    outcomes: {good: stays and twice > 6, bad: otherwise}
rounding: up
""")
    assert give(game.begin("bid", dice="table"), [5]) == ["die: d6: 5", "doubled: 10", "twice: 10"]


STRUCK = """\
ruleset: fencing
kinds: {fencer: {has: {nerve: {type: points, starts: 2}}}}
mechanics:
  parry:
    inputs: {who: {type: fencer}, need: {type: number}}
    steps:
      die: {roll: d6}
      left: 7 - who.nerve
      adds:
        choose: number
        by: who
        from: -1
        to: who.nerve
        default: 0
        where: it + left > 0
        ask: By how much?
        shows: "{sum(die) + max(it, 0)} of {need}"
      keeps: {choose: yes_no, by: who, default: yes, ask: "Keep it?", shows: "keeps: {it}"}
    outcomes: {parried: sum(die) + adds >= need, struck: otherwise}
events:
  bout:
    inputs: {at: {type: fencer}}
    steps: {attacked: {cause: lunge, with: {at: at}}}
  lunge:
    title: A lunge
    inputs: {at: {type: fencer}}
    steps: {parried: {call: parry, with: {who: at, need: 5}}}
"""


def test_each_answer_shows_what_it_comes_to_and_the_question_what_it_is_for() -> None:
    game = loads(STRUCK)
    session = game.begin("events.bout", state=game.state(ann={"is": "fencer"}), at="ann", dice="table")
    session.host.answer(session.host.requests[0].id, [3])
    asked = session.host.requests[0]
    assert asked.meanings == {"-1": "3 of 5", "0": "3 of 5", "1": "4 of 5", "2": "5 of 5"}
    assert asked.to_data()["meanings"] == asked.meanings
    assert list(options_of(asked)) == ["  -1 to 0  3 of 5", "       +1  4 of 5", "       +2  5 of 5"]
    assert [line.text for line in session.host.before(asked.id).computed] == ["A lunge: at ann"]
    session.host.answer(asked.id, 1)
    assert session.host.requests[0].meanings == {"yes": "keeps: yes", "no": "keeps: no"}


AIMED = """\
ruleset: archery
kinds: {archer: {has: {cover: {type: number, default: 1}, arrows: {type: points, starts: 3}}}}
actions:
  shoot:
    title: Shoot
    actor: archer
    inputs:
      target: {type: archer, where: it is not actor, ask: "Whom?", shows: "hit at {5 + it.cover}"}
      many:   {type: number, from: 0, to: actor.arrows, ask: "How many?", shows: "leaves {actor.arrows - it}"}
      songs:  {list_of: number, among: "[1, 2]", default: [], ask: "Which do you hum?", shows: "song {it} of 2"}
      aimed:  {type: yes_no, ask: "Do you aim?", shows: "{target} is hit at {4 if it else 5}"}
    steps: {used: {lose: many, from: actor.arrows}}
mechanics:
  turn: {inputs: {who: {type: archer}}, steps: {moves: {offer: [shoot], to: who, most: 1}}}
"""


def test_the_inputs_of_an_action_show_what_each_answer_comes_to() -> None:
    game = loads(AIMED)
    state = game.state(ann={"is": "archer"}, bo={"is": "archer"}, cy={"is": "archer", "cover": 3})
    session = game.begin("turn", state=state, who="ann")
    session.host.answer(session.host.requests[0].id, "shoot")
    found = []
    for answer in ("cy", 1, [2], True):
        found.append(dict(session.host.requests[0].meanings))
        session.host.answer(session.host.requests[0].id, answer)
    assert found == [
        {"bo": "hit at 6", "cy": "hit at 8"},
        {"0": "leaves 3", "1": "leaves 2", "2": "leaves 1", "3": "leaves 0"},
        {"1": "song 1 of 2", "2": "song 2 of 2"},
        {"yes": "cy is hit at 4", "no": "cy is hit at 5"},
    ]


CALLED = """\
ruleset: marksmen
kinds:
  archer:
    has:
      calm:  {type: points, to: 3, starts: 3}
      bow:   {type: number, default: 2}
      aimed: {type: number, default: 0}
actions:
  aim:
    title: Take aim
    actor: archer
    shows: "your next arrow does {actor.bow + actor.aimed + 1}"
    cost: {calm: 1}
    steps: {aimed: {set: actor.aimed, to: actor.aimed + 1}}
  shoot:
    title: Shoot
    actor: archer
    inputs: {at: {type: archer, where: it is not actor, ask: "Whom?"}}
    shows: "with {actor.bow + actor.aimed} of harm"
    steps: {struck: {lose: actor.bow + actor.aimed, from: at.calm}}
mechanics:
  turn: {inputs: {who: {type: archer}}, steps: {moves: {offer: [aim, shoot], to: who, most: 2}}}
"""


def test_an_action_shows_what_it_comes_to_before_it_is_picked() -> None:
    game = loads(CALLED)
    state = game.state(ann={"is": "archer"}, bo={"is": "archer"})
    assert [possible_data(one)["shows"] for one in game.possible(state, "ann")] == [
        "your next arrow does 3",
        "with 2 of harm",
    ]
    session = game.begin("turn", state=state, who="ann")
    told = session.host.requests[0].meanings
    assert (told["aim"], told["shoot"]) == (
        "Take aim: your next arrow does 3 (calm: 1)",
        "Shoot: with 2 of harm, at bo (free)",
    )
    session.host.answer(session.host.requests[0].id, "aim")
    assert session.host.requests[0].meanings["shoot"] == "Shoot: with 3 of harm, at bo (free)"


def test_more_answers_than_a_page_has_lines_show_nothing() -> None:
    game = loads(STRUCK.replace("to: who.nerve", "to: 99"))
    session = game.begin("events.bout", state=game.state(ann={"is": "fencer"}), at="ann", seed=1)
    assert session.host.requests[0].meanings == {}


def test_who_buys_dice_in_d6_and_who_rules_on_a_1_know_the_dice_and_the_totals() -> None:
    game, found = bundled("d6"), []
    answers = iter([False, 1, 1, 0, "drop_highest"])

    def ask(choice: Choice) -> Any:
        found.append(choice.ask)
        return next(answers)

    state = game.state(rhea={"is": "hero", "character_points": 3})
    result = game.roll("check", state=state, faces=[3, 1, 4, 6, 2], ask=ask, code="2D", difficulty=8, hero="rhea")
    assert found == [
        "rhea rolls 2D. Spend the only Fate Point to double its dice?",
        "rhea rolls 2D. How many dice do you buy before the roll, for one of 3 Character Points each?",
        "rhea has 8 so far, and the Wild Die shows 1. "
        "How many more dice do you buy, for one of 2 Character Points each?",
        "rhea has 16 so far, and the Wild Die shows 1. How many more dice do you buy, for your last Character Point?",
        "The Wild Die shows 1. The total is 16, or 13 if the highest die is cancelled. What does the 1 do?",
    ]
    told = [line.text for line in record_lines(result.trace) if line.kind == "outcome"]
    assert told == ["Roll a die code (rhea, 2D): dropped", "13 against 8: success"]
