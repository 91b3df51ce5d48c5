"""What people read of things that last: the record of a play, a rule in sentences, names carried along."""

from __future__ import annotations

import re
from fractions import Fraction
from pathlib import Path

import games
import pytest

import interpreter
from interpreter import bundled, ir, pipeline
from interpreter.api.game import Game
from interpreter.api.result import Result
from interpreter.api.session import Session
from interpreter.diagnostics.source import Source
from interpreter.ir.choice_keys import all_rules
from interpreter.ir.printer import listing
from interpreter.ir.traversal import outermost_nodes_in
from interpreter.play.requests import Choice
from interpreter.play.trace_events import UNSEEN, ChoiceMade
from interpreter.report.explain import SECTIONS, explain_name, overview
from interpreter.report.in_short import MOST_LINES, names_in, sentences_with, short_entries
from interpreter.report.phrases import readable_text
from interpreter.report.trace import Trace
from interpreter.report.transcript import join_lines, record_lines
from interpreter.runtime.state import State
from interpreter.testing.cases import Trial, cases_of
from interpreter.testing.mutants import mutants

GANG = """\
ruleset: more
names: {cond: [prone, blessed]}
kinds:
  post: {has: {height: {type: number, from: 0, default: 2}, note: {type: text, optional: yes}}}
  man:
    has:
      coins: {type: points, starts: 3}
      fav: {type: points, starts: 2, to: 4, when_full: {joy: {set: owner.glad, to: yes}}}
      ap: {type: points, to: 2, starts: 2, lasts: round}
      conds: {list_of: cond, default: []}
      pals: {list_of: man, default: []}
      skills: {type: number, per: cond, default: 0}
      glad: {type: yes_no, default: no}
      boss: {type: man, optional: yes}
  gang:
    one: yes
    has: {mates: {list_of: man, default: []}}
actions:
  rally:
    title: Rally the gang
    cites: {R-1: stated}
    actor: {type: man}
    inputs:
      boon: {type: number, from: 1, to: 3}
    cost: {ap: boon}
    at_most: {times: 1, per: turn}
    requires: {friends: count(gang.mates) > 0}
    steps:
      everyone:
        for: mate
        among: gang.mates
        where: not it is actor
        each:
          lift: {gain: 2, to: mate.fav, cites: {R-2: stated}}
          held: {add: blessed, to: mate.conds, lasts: {rounds: 2}}
          loud: {cause: shout, with: {who: mate}, cites: {R-4: inferred}}
      p: {make: post, with: {height: 4}}
      gone: {destroy: p}
      toll: {pay: 3, from: actor, in: {coins: 1, fav: 2}, may_refuse: yes}
      skilled: {set: actor.skills(prone), to: 4}
      boss: {set: actor.boss, to: actor}
      unboss: {set: actor.boss, to: none}
      away: {remove: prone, from: actor.conds}
    outcomes: {good: toll.happened, bad: otherwise}
events:
  shout:
    cites: {R-3: stated}
    inputs: {who: {type: man}, volume: {type: number, default: 1}}
    outcomes: {heard: volume > 1, unheard: otherwise}
reactions:
  louder:
    before: shout
    automatic: yes
    actor: {type: man, among: "[event.who]"}
    cites: {R-5: stated}
    steps: {more: {change: {volume: event.volume + 1}}}
  hush:
    title: Hush them?
    before: shout
    actor: {type: man, where: not it is event.who}
    inputs: {how: {type: number, from: 1, to: 3}}
    cites: {R-6: stated}
    cost: {coins: 1}
    steps: {stop: {cancel: event}}
policies:
  strict: {hush: event.volume > 1, how: 2, toll: no, boon: 1}
"""


def load(text: str) -> Game:
    made = pipeline.from_text(Source.of("gang.yaml", text))
    assert made.problems.errors == []
    assert made.program is not None and made.world is not None
    return Game(made.program, made.world)


@pytest.fixture(scope="module")
def game() -> Game:
    return load(GANG)


@pytest.fixture
def state(game: Game) -> State:
    people = {"al": {"is": "man"}, "be": {"is": "man"}, "cy": {"is": "man", "fav": 4}}
    return game.state({**people, "gang": {"mates": ["al", "be", "cy"]}})


def told(result: Result) -> list[str]:
    return str(result.trace).splitlines()


# The record of a play --------------------------------------------------------------------------------------------


def test_a_play_is_told_as_what_changed_and_why(game: Game, state: State) -> None:
    assert (
        told(game.act(state, "rally", actor="al", boon=2))
        == """\
cost: al.ap 2 → 0, empty
everyone: for be
  lift: be.fav 2 → 4, full  [R-2]
    joy: be.glad no → yes
  held: blessed added to be.conds for 2 rounds
  loud: Shout: who be  [R-3]
    louder: Louder: be  [R-5]
      more: volume 1 → 2
    hush: al chooses no  [R-6]
    hush: cy chooses no  [R-6]
    outcome: heard
  loud: heard  [R-4 inferred]
everyone: for cy
  lift: cy.fav stays 4, full (excess 2)  [R-2]
  held: blessed added to cy.conds for 2 rounds
  loud: Shout: who cy  [R-3]
    louder: Louder: cy  [R-5]
      more: volume 1 → 2
    hush: al chooses no  [R-6]
    hush: be chooses no  [R-6]
    outcome: heard
  loud: heard  [R-4 inferred]
everyone: for 2 of 3
p: post_1 created: height 4
gone: post_1 destroyed
toll: al chooses yes
mix: al chooses 3 coins
toll: al.coins 3 → 0, empty
skilled: al.skills(prone) 0 → 4
boss: al.boss none → al
unboss: al.boss al → none
away: prone was not in al.conds
outcome: good""".splitlines()
    )


def test_what_an_event_takes_by_default_may_be_what_lasts() -> None:
    """Only what is otherwise is told, and the default is what lasted when the event or the rule began."""
    text = """\
ruleset: feast
kinds:
  guest: {has: {joy: {type: points}, friends: {list_of: guest, default: []}}}
  table: {one: yes, has: {seated: {list_of: guest, default: []}}}
events:
  toast:
    inputs: {to: {list_of: guest, default: table.seated}}
    steps:
      glad: {for: one, among: to, each: {joy: {gain: 1, to: one.joy}}}
      left: {set: table.seated, to: "[]"}
mechanics:
  feast:
    inputs: {at: {list_of: guest, default: table.seated}}
    steps: {cheers: {cause: toast, with: {to: at}}}
  evening:
    steps: {feast: {call: feast}}
"""
    game = load(text)
    state = game.state(ann={"is": "guest"}, bo={"is": "guest"}, table={"seated": ["ann"]})
    assert told(game.roll("evening", state=state))[:2] == ["feast: Feast", "  cheers: Toast"]
    assert told(game.roll("feast", state=state, at=["bo"]))[0] == "cheers: Toast: to [bo]"
    played = game.cause(state, "toast", to=["bo", "ann"])
    assert game.replay(played.to_json()).state == played.state


def test_an_event_that_is_called_off_says_so(game: Game, state: State) -> None:
    assert told(game.cause(state, "shout", who="be", choices={"hush": "yes", "how": 3})) == [
        "louder: Louder: be  [R-5]",
        "  more: volume 1 → 2",
        "hush: al chooses yes  [R-6]",
        "  how: al chooses 3",
        "  cost: al.coins 3 → 2",
        "shout: cancelled  [R-3]",
    ]


def test_what_is_not_paid_is_told(game: Game, state: State) -> None:
    result = game.act(state, "rally", actor="al", boon=1, choices={"toll": "no"})
    assert told(result)[-6:-4] == ["toll: not paid", "skilled: al.skills(prone) 0 → 4"]


def test_every_line_knows_the_construct_that_it_tells_of(game: Game, state: State) -> None:
    result = game.cause(state, "shout", who="be", choices={"hush": "yes", "how": 3})
    places = {line.name: line.path for line in result.trace}
    assert places["louder"] == "reactions.louder"
    assert places["hush"] == "reactions.hush"
    assert places["cost"] == "reactions.hush.cost.coins"


def test_a_record_of_a_play_is_the_same_when_it_is_played_again(game: Game, state: State) -> None:
    result = game.act(state, "rally", actor="al", boon=2, policy="strict")
    assert told(game.replay(result.to_json())) == told(result)


# Policies and reactions ------------------------------------------------------------------------------------------


def test_a_policy_answers_reactions_their_inputs_payments_and_what_an_action_takes(game: Game, state: State) -> None:
    result = game.act(state, "rally", actor="al", policy="strict")
    assert dict(result.choices) == {
        "boon": 1,
        "everyone.loud.hush": True,
        "everyone.loud.hush.how": 2,
        "toll": False,
    }


@pytest.mark.parametrize("slip", ["hussh", "houw", "tol"])
def test_an_answer_of_a_policy_to_nothing_is_told(slip: str) -> None:
    text = GANG.replace("  strict: {", f"  strict: {{{slip}: yes, ")
    found = list(pipeline.from_text(Source.of("gang.yaml", text)).problems)
    assert [(one.code, one.span.text) for one in found] == [("HR515", slip)]
    assert "did you mean" in (found[0].help or "")


STROLL = """\
ruleset: stroll
action_kinds:
  simple: {upgrade: {to: full, waives: [points]}}
  full: {at_most: {times: 2, per: turn}}
kinds: {scout: {has: {points: {type: points, starts: 3}, walked: {type: number, default: 0}}}}
actions:
  run:
    kind: simple
    actor: scout
    inputs: {far: {type: number, from: 1, to: 5}}
    cost: {points: far}
    steps: {there: {set: actor.walked, to: actor.walked + far}}
mechanics:
  day:
    inputs: {who: {type: scout}}
    steps: {does: {offer: [run], to: who, most: 2}}
policies:
  thrifty: {does: run, far: 2, upgraded: far <= actor.points}
  prodigal: {does: run, far: 1, run.inputs.upgraded: no}
cases:
  - {name: one, mechanic: day, before: {lo: {is: scout}}, given: {who: lo}, policy: thrifty, after: {lo.points: 3}}
"""


@pytest.mark.parametrize(("policy", "left", "then"), [("thrifty", 3, 3), ("prodigal", 1, 0)])
def test_a_policy_says_when_an_action_is_upgraded(policy: str, left: int, then: int) -> None:
    game = load(STROLL)
    state = game.state(lo={"is": "scout"})
    result = game.roll("day", state=state, who="lo", policy=policy)
    assert result.state.things["lo"].values["points"] == left
    assert game.act(state, "run", actor="lo", far=3, policy=policy).state.things["lo"].values["points"] == then


def test_a_policy_calls_an_upgrade_as_it_is_asked(tmp_path: Path) -> None:
    found = list(pipeline.from_text(Source.of("stroll.yaml", STROLL.replace("upgraded: far", "upgrade: far"))).problems)
    assert [(one.code, one.help) for one in found] == [("HR515", "did you mean `upgraded`?")]
    (tmp_path / "stroll.yaml").write_text(STROLL.replace("does: run, ", ""), "utf-8")
    layer = "ruleset: dash\nextends: stroll.yaml\nchanges: {actions.run: {rename: dash, because: It is fast.}}\n"
    made = pipeline.from_text(Source.of("dash.yaml", layer), pipeline.Finder((tmp_path,)))
    assert made.problems.errors == []


TOLL = """\
ruleset: toll
kinds: {man: {has: {coins: {type: points, starts: 3}, fav: {type: points, starts: 2}}}}
mechanics:
  bridge:
    inputs: {who: {type: man}}
    steps: {toll: {pay: 3, from: who, in: {coins: 1, fav: 2}}}
policies:
  mean: {toll.mix: fav}
  lavish: {mix: "[coins, fav]"}
  shrewd: {mix: coins if who.fav > 2 else fav}
"""


@pytest.mark.parametrize(("policy", "left"), [("mean", (3, 0)), ("lavish", (0, 2)), ("shrewd", (3, 0)), (None, (0, 2))])
def test_a_policy_says_which_points_it_spends_first(policy: str | None, left: tuple[int, int]) -> None:
    game = load(TOLL)
    result = game.roll("bridge", state=game.state(al={"is": "man"}), who="al", policy=policy)
    values = result.state.things["al"].values
    assert (values["coins"], values["fav"]) == left
    assert [key for key, _ in result.choices] == ["toll.mix"]


@pytest.mark.parametrize(
    ("slip", "code"), [("toll.mix: favour", "HR306"), ("toll.mx: fav", "HR515"), ("mix: 2", "HR401")]
)
def test_a_slip_in_which_points_a_policy_spends_is_told(slip: str, code: str) -> None:
    found = pipeline.from_text(Source.of("toll.yaml", TOLL.replace("toll.mix: fav", slip))).problems
    assert [one.code for one in found] == [code]


LETTERS = """\
ruleset: letters
kinds:
  stamp: {part: yes, has: {motto: {type: text, default: none yet}}}
  letter: {has: {says: {type: text}, aside: {type: text, optional: yes}, stamp: {type: stamp}}}
events:
  news: {inputs: {of: {type: text}}, steps: {heard: of}}
reactions:
  rumour: {before: news, automatic: yes, actor: letter, steps: {so: {change: {of: {text: 'a, b'}}}}}
actions:
  cry: {actor: {type: letter}, inputs: {out: {type: text}}, steps: {cried: out}}
mechanics:
  sing: {inputs: {of: {type: text}}, steps: {sung: of}}
  write:
    inputs: {words: {type: text, default: hello}}
    steps:
      read: {make: letter, with: {says: words}}
      itself: {make: letter, with: {says: {text: 'words: #1, [x] it''s'}, aside: none, stamp: {motto: {text: yes}}}}
      aside: {set: read.aside, to: {text: words}}
      song: {call: sing, with: {of: {text: if}}}
      news: {cause: news, with: {of: {text: 12}}}
      cry: {act: cry, with: {actor: read, out: {text: Hear me}}}
"""


def test_a_text_itself_is_handed_on_beside_what_is_read() -> None:
    game = load(LETTERS)
    result = game.roll("write", state=game.state({}))
    read, itself = (result.state.things[result.values[name].id].values for name in ("read", "itself"))
    assert (read["says"], read["aside"]) == ("hello", "words")
    assert (itself["says"], itself["aside"]) == ("words: #1, [x] it's", None)
    assert game.look(result.state, f"{result.values['itself'].id}.stamp.motto") == "yes"
    assert result.values["song"]["sung"] == "if"
    assert result.values["news"]["heard"] == "a, b"
    assert result.values["cry"]["cried"] == "Hear me"
    assert "  `aside`: read.aside becomes {text: words}." in explain("write", LETTERS)
    shown = "make letter(says: “words: #1, [x] it's”, aside: none, stamp.motto: “yes”)"
    assert f"  itself: letter = {shown}" in listing(game.program)


# A rule in sentences ---------------------------------------------------------------------------------------------


def explain(name: str, text: str = GANG) -> list[str]:
    made = pipeline.from_text(Source.of("gang.yaml", text))
    assert made.program is not None and made.merged is not None
    return explain_name(made.program, made.merged, name)


def test_words_of_an_input_alone_are_explained_without_its_name() -> None:
    text = """\
ruleset: wills
names: {mood: [calm, mad]}
mechanics:
  press:
    inputs: {ability: {one_of: [health, will]}, how: {type: mood}}
    steps: {cost: 1 if ability is health and how is mad else 2}
"""
    lines = explain("press", text)
    assert "  `ability`: one of `health`, `will`." in lines
    assert "  `how`: one of `mood` (`calm`, `mad`)." in lines


def test_a_kind_is_explained_with_what_follows_and_what_it_can_do() -> None:
    lines = explain("man")
    assert lines[:8] == [
        "`man` is a kind of thing.",
        "Each has:",
        "  `coins`: points, at least 0; starts at 3.",
        "  `fav`: points from 0 to 4; starts at 2.",
        "    When it is full:",
        "      `joy`: owner.glad becomes yes.",
        "  `ap`: points from 0 to 2; starts at 2.",
        "    It returns to its initial value when a round ends.",
    ]
    assert lines[-3:] == [
        "  `boss`: a `man`; optional.",
        "Actions: `rally`.",
        "Reactions: `louder` and `hush`.",
    ]
    assert explain("gang")[:2] == ["There is one `gang`.", "It has:"]


@pytest.mark.parametrize("ruleset", sorted(bundled.rulesets()))
def test_everything_is_explained_in_words(ruleset: str) -> None:
    """No object of the program is put into a sentence, and every question stands in one."""
    made = games.loaded(ruleset)
    assert made.program is not None
    names = [f"{section}.{name}" for section in SECTIONS for name in getattr(made.program, section)]
    told = {name: "\n".join(explain_name(made.program, made.merged, name)) for name in names}
    assert [name for name, text in told.items() if re.search(r" object at 0x|\b[A-Z]\w*\(\w+=", text)] == []
    for rule in all_rules(made.program):
        asking = [
            *(one.ask for one in rule.inputs),
            *(one.ask for one in outermost_nodes_in(rule, (ir.Choose, ir.Offer))),
        ]
        said = [one.written for ask in asking for part in ask.parts for one in part.texts]
        assert [one for one in said if f"“{readable_text(one)}”" not in told[rule.path]] == []
    for name, reaction in made.program.reactions.items():
        said = [one.written for part in reaction.ask.parts for one in part.texts]
        assert [one for one in said if f"“{readable_text(one)}”" not in told[f"reactions.{name}"]] == []


def test_an_action_is_explained_with_its_price_its_limit_and_every_verb() -> None:
    lines = explain("rally")
    for line in [
        "Rally the gang (`rally`). [R-1 stated]",
        "Any `man` can do it.",
        "It costs boon of the actor's `ap`.",
        "Each actor can do it once per turn.",
        "Requires: count(gang.mates) > 0.",
        "  `everyone`: for each `mate` of gang.mates where not it is actor:",
        "    `lift`: mate.fav goes up by 2. [R-2 stated]",
        "      `man` says what happens when it is full.",
        "    `held`: blessed is added to mate.conds for 2 rounds, counting the current one.",
        "    `loud`: Shout (`shout`) happens, with who = mate. [R-4 inferred]",
        "  `p`: a new `post` is created with height = 4.",
        "  `gone`: p is destroyed.",
        "  `toll`: pay 3 from actor, in coins (each worth 1) and fav (each worth 2).",
        "    The payer may refuse; then, or if there is too little, nothing is paid.",
        "  `skilled`: actor.skills(prone) becomes 4.",
        "  `away`: prone is removed from actor.conds.",
    ]:
        assert line in lines, line


def test_an_event_is_explained_with_what_answers_it_and_a_reaction_with_what_it_answers() -> None:
    assert explain("shout")[-2:] == [
        "Reaction before it: Louder (`louder`), automatic.",
        "Reaction before it: Hush them? (`hush`), if its actor chooses to.",
    ]
    lines = explain("hush")
    assert lines[1:4] == [
        "It reacts to Shout (`shout`), before the event happens.",
        "Any `man` where not it is event.who may choose to do it, once for each event.",
        "It costs 1 of the actor's `coins`.",
    ]
    assert lines[-1] == "  `stop`: the event is cancelled."
    assert explain("louder")[2] == "It is automatic for every `man` of [event.who]."


def test_without_a_name_everything_is_listed_by_its_sort() -> None:
    made = pipeline.from_text(Source.of("gang.yaml", GANG))
    assert made.program is not None
    heads = [line for line in overview(made.program) if not line.startswith(" ")]
    assert heads == ["Kinds:", "Actions:", "Events:", "Reactions:"]


# Names carried along ---------------------------------------------------------------------------------------------

CASES = """
things: {post: {flag: {height: 5}}}
cases:
  - name: a rally
    action: rally
    actor: al
    before: {al: {is: man}, be: {is: man, boss: al, skills: {prone: 1}}, gang: {mates: [al, be]}}
    given: {boon: 2}
    choices: {hush: no, toll: no}
    expect: {outcome: bad}
    after: {be: {fav: 4, skills(prone): 1}, al.ap: 0, flag.height: 5}
  - name: a shout
    event: shout
    before: {al: {is: man}, be: {is: man}}
    given: {who: al}
    choices: {hush: no}
    expect: {happened: yes}
"""


@pytest.mark.parametrize(
    ("path", "new"),
    [
        ("kinds.man", "hand"),
        ("kinds.gang", "crew"),
        ("kinds.post", "pole"),
        ("kinds.man.has.fav", "favour"),
        ("kinds.man.has.skills", "talents"),
        ("kinds.man.has.boss", "chief"),
        ("kinds.post.has.height", "reach_up"),
        ("actions.rally", "gather"),
        ("actions.rally.inputs.boon", "gift"),
        ("events.shout", "cry"),
        ("events.shout.inputs.who", "whom"),
        ("reactions.hush", "quiet"),
        ("reactions.hush.inputs.how", "way"),
        ("names.cond.prone", "lying"),
    ],
)
def test_a_new_name_is_carried_into_cases_things_and_policies(path: str, new: str, tmp_path: Path) -> None:
    (tmp_path / "more.yaml").write_text(GANG + CASES, "utf-8")
    layer = f"ruleset: renamed\nextends: more.yaml\nchanges:\n  {path}: {{rename: {new}, because: It sounds better.}}\n"
    made = pipeline.from_text(Source.of("renamed.yaml", layer), pipeline.Finder((tmp_path,)))
    assert made.problems.errors == []
    assert made.program is not None and made.world is not None
    verdicts = [Trial(Game(made.program, made.world)).run(case) for case in cases_of(made.world.cases)]
    assert [failure for one in verdicts for failure in one.failures] == []
    assert len(verdicts) == 2


# Deliberate errors -----------------------------------------------------------------------------------------------

CAMP = """\
ruleset: camp
names: {mood: [calm, angry, sad]}
kinds:
  guest:
    has:
      purse: {type: points, to: 10, starts: 4, past_full: refuse}
      nights: {type: points, to: 3, starts: 3, lasts: round, when_empty: {gone: {set: owner.left, to: yes}}}
      left: {type: yes_no, default: no}
      rich: {is: purse > 5}
      moods: {list_of: mood, default: [sad]}
      friends: {list_of: guest, default: []}
  tent: {has: {beds: {type: number, default: 2}}}
actions:
  stay:
    actor: {type: guest, where: not it.left}
    inputs: {host: {type: guest, among: actor.friends}}
    cost: {purse: 2}
    at_most: {times: 1, per: turn}
    requires: {able: actor.nights > 0}
    steps:
      spent: {lose: 1, from: actor.nights}
      present: {gain: 2, to: host.purse}
      happy: {add: calm, to: actor.moods, lasts: turn}
      well: {remove: sad, from: actor.moods}
      built: {make: tent, with: {beds: 3}}
      heard: {cause: song, with: {who: host, loud: 2}}
      all_of_them: {for: friend, among: actor.friends, where: it.purse < 9,
                    each: {gift: {gain: 1, to: friend.purse}}}
      tip: {pay: 1, from: actor.purse}
events:
  song:
    inputs: {who: {type: guest}, loud: {type: number}}
    steps:
      dear: {lose: loud, from: who.purse}
  nap:
    inputs: {who: {type: guest}}
    steps: {more: {gain: 1, to: who.nights}}
reactions:
  softer:
    before: song
    automatic: yes
    actor: {type: guest, among: "[event.who]"}
    steps:
      less: {change: {loud: event.loud - 1}}
cases:
  - name: a night
    action: stay
    actor: al
    before: {al: {is: guest, friends: [be, cy]}, be: {is: guest}, cy: {is: guest, purse: 9}}
    given: {host: be}
    after:
      al: {purse: 1, nights: 2, moods: [calm], rich: no}
      be: {purse: 6, rich: yes}
      cy.purse: 9
      tent_1.beds: 3
  - name: the last night
    action: stay
    actor: al
    before: {al: {is: guest, nights: 1, friends: [be]}, be: {is: guest}}
    given: {host: be}
    after: {al.left: yes}
  - {name: not twice, action: stay, actor: al,
     before: {al: {is: guest, purse: 1, friends: [al]}}, given: {host: al}, error: purse}
  - {name: no stranger, action: stay, actor: al, before: {al: {is: guest}}, given: {host: al}, error: host}
  - {name: gone, action: stay, actor: al,
     before: {al: {is: guest, left: yes, friends: [al]}}, given: {host: al}, error: actor}
  - {name: no night left, action: stay, actor: al,
     before: {al: {is: guest, nights: 0, friends: [al]}}, given: {host: al}, error: able}
  - {name: a full purse, action: stay, actor: al,
     before: {al: {is: guest, friends: [be]}, be: {is: guest, purse: 9}}, given: {host: be}, error: purse}
  - {name: a new round, ends: round, before: {al: {is: guest, nights: 1}},
     after: {al: {nights: 3, left: no, moods: [sad]}}}
  - {name: no more than three, event: nap, before: {al: {is: guest}}, given: {who: al}, after: {al.nights: 3}}
  - name: the turn ends
    action: stay
    actor: al
    before: {al: {is: guest, friends: [be]}, be: {is: guest}}
    given: {host: be}
    ends: turn
    after: {al.moods: []}
"""


@pytest.mark.parametrize(
    ("path", "least"),
    [
        ("kinds.guest.has.purse", 3),
        ("kinds.guest.has.nights", 4),
        ("kinds.guest.has.rich", 1),
        ("kinds.guest.has.moods", 1),
        ("actions.stay", 1),
        ("actions.stay.actor", 1),
        ("actions.stay.inputs.host", 1),
        ("actions.stay.requires.able", 1),
        ("actions.stay.cost.purse", 2),
        ("actions.stay.steps.spent", 3),
        ("actions.stay.steps.present", 3),
        ("actions.stay.steps.happy", 2),
        ("actions.stay.steps.well", 1),
        ("actions.stay.steps.built", 1),
        ("actions.stay.steps.heard", 2),
        ("actions.stay.steps.all_of_them", 2),
        ("actions.stay.steps.tip", 2),
        ("events.song.steps.dear", 3),
        ("reactions.softer", 2),
        ("reactions.softer.actor", 1),
        ("reactions.softer.steps.less", 1),
    ],
)
def test_every_deliberate_error_is_noticed_by_a_case(path: str, least: int) -> None:
    made = pipeline.from_text(Source.of("camp.yaml", CAMP))
    assert made.problems.errors == []
    assert made.program is not None and made.world is not None
    cases = list(cases_of(made.world.cases))
    assert [f for case in cases for f in Trial(Game(made.program, made.world)).run(case).failures] == []
    wrong = list(mutants(made.program, made.world, path))
    assert len(wrong) >= least
    for program, world in wrong:
        trial = Trial(Game(program, world))
        assert any(trial.run(case).failures for case in cases)


def test_an_outcome_under_also_has_the_name_of_its_reading_whatever_the_rule_is_called() -> None:
    rule = (
        "{steps: {die: {roll: d6}}, outcomes: {good: die > 3, bad: otherwise}, "
        "also: {mishap: {boom: die == 1, none: otherwise}}}"
    )
    game = interpreter.loads(f"ruleset: named\nlanguage: 1\nmechanics: {{also: {rule}, mishap: {rule}}}")
    for name in ("also", "mishap"):
        lines = str(game.roll(name, faces=[2]).trace)
        assert "mishap: none" in lines and "outcome: bad" in lines


LEFT_OVER = """\
ruleset: watch
kinds:
  guard:
    has:
      moves: {type: points, starts: 2, lasts: round}
      nods:  {type: points, starts: 2, lasts: round, bookkeeping: yes}
      gold:  {type: points, starts: 0, to: 9, lasts: turn, seen_by: owner}
      tired: {type: points, starts: 0, to: 9, lasts: round}
mechanics:
  chain:
    inputs: {more: number}
    steps: {dice: {roll: d6, counts: face + (more if nth == 2 else 0), again: face == 6}}
actions:
  walk:
    actor: {type: guard}
    steps: {worn: {gain: 3, to: actor.tired}, left: {gain: 2, to: actor.nods}, found: {gain: 1, to: actor.gold}}
scenes:
  night:
    inputs: {guards: {list_of: guard}}
    round:
      all: {steps: {each: {for: one, among: guards, each: {own: {turn: one, steps: {acts: {offer: [walk], to: one}}}}}}}
    outcomes: {over: scene.round == 2}
"""


def test_a_chain_adds_up_where_a_throw_counts_not_as_its_face() -> None:
    game = interpreter.loads(LEFT_OVER)
    for more, text in ((2, "d6: 6→4 (6+6=12)"), (-1, "d6: 6→4 (6+3=9)"), (0, "d6: 6→4 (=10)")):
        assert str(game.roll("chain", more=more, faces=[6, 4]).trace) == f"dice: {text}"


def test_points_that_lapse_and_turns_that_are_passed_are_told() -> None:
    game = interpreter.loads(LEFT_OVER)
    state = game.state(ann={"is": "guard"}, bo={"is": "guard"})
    players = {"anna": ["ann"], "ben": ["bo"]}
    session = game.begin("night", state=state, guards=["ann", "bo"], seed=1, players=players)
    session.host.answer(session.host.requests[0].id, "walk")
    session.host.answer(session.host.requests[0].id, "pass", until="scene")
    session.host.answer(session.host.requests[0].id, "pass", until="scene")
    told = [line.text for line in record_lines(session.host.lines())]
    assert "at the end of the round: ann tired 3 → 0" in told  # nods are bookkeeping
    assert "at the end of the turn: ann gold 1 → 0" in told
    assert (told.count("The turn of ann"), told.count("The turn of bo")) == (2, 2)  # two of them passed
    hidden = [line.text for line in record_lines(session.seat("ben").lines())]
    assert not any("gold" in line for line in hidden) and any("tired" in line for line in hidden)


SEARCHED = """\
ruleset: searched
kinds:
  man: {has: {luck: {type: number, default: 1, seen_by: owner}, strength: {type: number, default: 2}}}
events:
  search:
    inputs: {who: man, lucky: {type: yes_no, default: no}}
    steps:
      die: {roll: d6}
      total: die + (who.luck if lucky else who.strength)
    outcomes:
      found: {if: die + who.strength > 5, tells: "{who} finds it: {die + who.strength}, more than 5"}
      close: {if: die + who.luck > 5, tells: "{who} is {6 - die - who.strength} short"}
      nothing: otherwise
scenes:
  night:
    inputs: {men: {list_of: man}}
    round:
      look:
        steps:
          each:
            for: one
            among: men
            each: {seeks: {cause: search, with: {who: one}}, over: {choose: yes_no, by: one, default: yes, ask: Over}}
          done: {end: done}
    outcomes: {done: {}}
"""


def test_a_record_tells_the_sentence_of_an_outcome_and_to_others_its_name_if_something_hidden_decides() -> None:
    game = interpreter.loads(SEARCHED)
    state = game.state(ann={"is": "man"}, bo={"is": "man", "luck": 4})
    players = {"anna": ["ann"], "ben": ["bo"]}
    session = game.begin("night", state=state, men=["ann", "bo"], dice="table", players=players)
    for answer in ([4], "yes", [2], "yes"):
        session.host.answer(session.host.requests[0].id, answer)
    told = [line.text for line in record_lines(session.host.lines())]
    assert "die d6: 4, ann finds it: 6, more than 5" in told and "die d6: 2, bo is 2 short" in told
    of_ann = [line.text for line in record_lines(session.seat("anna").lines())]
    assert "die d6: 4, ann finds it: 6, more than 5" in of_ann and "die d6: 2, close" in of_ann


def test_what_an_outcome_tells_is_checked_printed_and_asked_by_no_odds() -> None:
    game = interpreter.loads(SEARCHED)
    assert "tells {who} is {6 - die - who.strength} short" in listing(game.program)
    state = game.state(ann={"is": "man"})
    assert game.odds("search", state=state, who="ann").of("outcome")["found"] == Fraction(3, 6)
    with pytest.raises(interpreter.RulesetError) as refused:
        interpreter.loads(SEARCHED.replace("{6 - die", "{6 - dye"))
    assert "dye" in str(refused.value)


def test_a_kind_of_action_is_told_with_its_actions_its_limit_and_its_upgrade() -> None:
    program = games.game("fiend-wake").program
    (simple,), (full,) = short_entries(program, "simple"), short_entries(program, "full")
    assert simple.startswith("simple: a kind of action: Ready a weapon; ")
    assert simple.endswith("Each may be done as one of the kind `full`, without its price.")
    assert full.endswith("Throw, light or fire a charge. At most 1 of them in a turn.")


def test_words_of_lists_and_options_phases_and_words_of_every_game_are_told() -> None:
    program = interpreter.loads(
        """
        ruleset: words
        names: {craft: [Smith, weaver], mood: {calm: Nothing hurries.}}
        options: {spare: {one_of: {lost: Nothing is left., kept: It is kept.}, default: lost, about: What is left.}}
        kinds: {hero: {has: {skill: {type: craft, default: weaver}, humour: {type: mood, default: calm}}}}
        scenes:
          fair:
            title: The fair
            inputs: {heroes: {list_of: hero}}
            round: {dawn: {title: At dawn, about: Stalls open., steps: {stalls: 1}}}
            guard: 3
        """
    ).program
    assert short_entries(program, "weaver") == ["weaver: one of craft: Smith, weaver."]
    assert short_entries(program, "calm") == ["calm: Nothing hurries."]
    assert short_entries(program, "lost") == ["lost, of spare: Nothing is left."]
    assert short_entries(program, "at dawn") == ["At dawn: a part of every round of The fair. Stalls open."]
    assert short_entries(program, "Excess")[0].startswith("excess: what was beyond")


@pytest.mark.parametrize("ruleset", bundled.rulesets())
def test_what_a_name_means_is_told_in_few_lines_without_formulas_and_sources(ruleset: str) -> None:
    program = games.game(ruleset).program
    rows = {one.row for one in program.citations}
    for name in set(names_in(program)):
        told = short_entries(program, name.replace("_", " ").title())
        assert told == short_entries(program, name) and 0 < len(told) <= MOST_LINES
        assert not any("options." in line or any(f"[{row}" in line for row in rows) for line in told)


TALLY = """\
ruleset: tally
kinds:
  friend:
    has: {coins: {type: points, starts: 9}, favours: {type: points}, secret: {type: number, default: 3, seen_by: owner}}
events:
  gift:
    title: A gift
    inputs: {who: {type: friend}}
    steps: {more: {gain: 1, to: who.favours}, paid: {lose: 2, from: who.coins}}
mechanics:
  toll:
    title: The toll
    inputs: {who: {type: friend}}
    steps: {paid: {pay: 1, from: who.coins, may_refuse: yes}}
    outcomes: {over: paid.happened, held: otherwise}
scenes:
  walk:
    inputs: {friends: {list_of: friend}}
    round:
      on_the_way:
        steps:
          bids: {choose: number, by: friends, from: 0, to: 4,
                 ask: "You have {chooser.secret}. How many coins do you bid?"}
          guess: {choose: number, by: "item(friends, 1)", from: 0, to: 9, ask: "More than {scene.friends.secret}?"}
          gifts: {for: one, among: friends, each: {gets: {cause: gift, with: {who: one}}}}
          tolls: {for: one, among: friends, each: {at_the_gate: {call: toll, with: {who: one}}}}
          over: {end: home}
    outcomes: {home: {about: All are there.}}
"""


def walked() -> Session:
    game = interpreter.loads(TALLY)
    state = game.state(ann={"is": "friend"}, bo={"is": "friend"})
    session = game.begin("walk", state=state, players={"anna": ["ann"], "ben": ["bo"]}, friends=["ann", "bo"])
    for answer in (2, 3, 7, True, False):
        session.host.answer(session.host.requests[0].id, answer)
    assert session.over
    return session


def test_a_record_tells_questions_with_answers_and_what_changed_of_one_thing_in_one_line() -> None:
    session = walked()
    assert [line.text for line in join_lines(record_lines(session.host.lines()))] == [
        "Walk: ann, bo",
        "Round 1",
        "On the way",
        "How many coins do you bid? ann 2, bo 3",
        "ann: More than 3 and 3? 7",
        "A gift: ann",
        "ann: favours 0 → 1, coins 9 → 7",
        "A gift: bo",
        "bo: favours 0 → 1, coins 9 → 7",
        "ann: The toll: pay 1? yes",
        "ann: coins 7 → 6",
        "The toll (ann): over",
        "The toll (bo): held",
        "home",
    ]


def test_the_values_in_a_question_are_told_to_nobody_who_was_not_asked() -> None:
    session = walked()
    of_ben = [line.text for line in record_lines(session.seat("ben").lines())]
    assert "ann: How many coins do you bid? 2" in of_ben and "ann: guess 7" in of_ben
    assert "ann: More than 3 and 3? 7" in [line.text for line in record_lines(session.seat("anna").lines())]


def test_a_word_that_is_no_name_is_told_by_the_sentences_of_the_rules_that_have_it() -> None:
    program = games.game("fiend-wake").program
    told = sentences_with(program, "stacks")
    assert "Burn Essence on a toss: A toss that stacks is followed by another, which is added." in told
    assert len(told) <= MOST_LINES
    assert sentences_with(program, "nowhere") == [
        "Throw, light or fire a charge: `nowhere` is the open field.",
        "place: In `nowhere`, one is in the open, in no place.",
    ]
    assert sentences_with(program, "stackable") == [] and sentences_with(program, "tack") == []


@pytest.mark.parametrize(
    ("asked", "by", "answer", "said"),
    [
        ("How many?", "ann", 2, "ann: How many? 2"),
        ("How many?", "ann", UNSEEN, "How many? ann chooses"),
        ("", "ann", UNSEEN, "bids: ann chooses"),
        ("Climb?", None, True, "Climb? chosen yes"),
        ("", "ann", (2, 3), "ann: bids 2, 3"),
    ],
)
def test_a_record_tells_an_answer_once_and_hides_what_is_hidden(
    asked: str, by: str | None, answer: object, said: str, game: Game
) -> None:
    choice = Choice("scenes.walk.bids", "some", by, asked, None, 0, 9, None, False)
    assert [one.text for one in record_lines(Trace([ChoiceMade(0, choice, answer)], game.closures))] == [said]


def test_a_record_tells_dice_that_are_thrown_again() -> None:
    game = interpreter.load_bundled("year-zero")
    result = game.roll("test", attribute=1, skill=1, choices={"push": True}, faces=[2, 6, 5])
    told = [line.text for line in record_lines(result.trace)]
    assert told == ["thrown d6: 2, d6: 6", "roller: Push the roll? yes", "rerolled d6 2 → 5", "success"]


@pytest.mark.parametrize(
    ("favored", "faces", "dice"),
    [(False, [7, 2], ["dice d8: 7"]), (True, [1, 7, 2], ["dice starts as d8: 1", "rerolled d8 1 → 7", "dice d8: 7"])],
)
def test_a_record_tells_dice_once_where_no_stage_has_changed_them(
    favored: bool, faces: list[int], dice: list[str]
) -> None:
    game = interpreter.load_bundled("jadeclaw")
    damage = {"dice": "d8", "favored": favored}
    result = game.roll("damage_roll", inputs={"damage": damage, "soak": "d4"}, faces=faces)
    assert [line.text for line in record_lines(result.trace)] == [*dice, "dice d4: 2"]


def test_a_record_names_a_rule_without_the_records_and_the_dice_that_it_was_given() -> None:
    game = interpreter.load_bundled("jadeclaw")
    spell = {"casting": "d8", "difficulty": "d6", "soak": {"dice": "d4", "bonuses": 1}, "resolve": "d6"}
    result = game.roll("harmful_spell", inputs=spell, faces=[2, 1, 3])
    told = [line.text for line in record_lines(result.trace)]
    assert told[-1] == "Thrown dice as Damage Dice, with the Resolve Test: unharmed"
