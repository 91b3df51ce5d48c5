"""What constructs say about themselves: `explain` and a rulebook tell all of it, wherever `about` may stand."""

from __future__ import annotations

import re
from collections import Counter

import interpreter
from interpreter import pipeline
from interpreter.diagnostics.source import Source
from interpreter.pipeline import Finder
from interpreter.report.explain import SECTIONS, sentences
from interpreter.report.sentences import lines
from interpreter.rulebook import page
from interpreter.rulebook.book import book
from interpreter.runtime.state import SCENE

RULES = """\
ruleset: probe
roles: {player: Whoever plays.}
comparators: {beats: {is: more than, about: MARK}}
ladders: {size: {rungs: [d4, d6], about: MARK}}
names: {way: {one: MARK, two: MARK}}
options: {bold: {about: MARK, one_of: {always: MARK, never: MARK}, default: never}}
functions:
  f:
    about: MARK
    takes: {x: {type: number, about: MARK}}
    gives: {first_of: {big: {if: x > 1, is: 1, about: MARK}, small: {is: 0, about: MARK}}, about: MARK}
tables:
  t:
    about: MARK
    type: number
    rows: {1: {is: 3, about: MARK}, 2: 4}
    off_the_rows: refuse
    claims: {heads: {mechanic: toss, is: 1/2, within: 1/2, about: MARK}}
  t2: {type: number, rows: {1: {1: {is: 3, about: MARK}, 2: 4}, 2: {1: 5, 2: 6}}, off_the_rows: refuse}
types:
  side:
    about: MARK
    written_as: dice
    has: {dice: {type: dice, about: MARK}, edge: {type: number, default: 0, about: MARK}}
modifiers:
  up_hill: {to: side, adds: {edge: 1}, about: MARK}
  windy: {to: side, takes: {force: {type: number, about: MARK}}, adds: {edge: force}}
kinds:
  hero:
    about: MARK
    has:
      nerve: {type: points, to: 3, about: MARK}
      luck: {type: number, default: 1, about: MARK}
      twice: {is: luck * 2, about: MARK}
events:
  bang:
    about: MARK
    inputs: {who: {type: hero, about: MARK}}
    requires: {lucky: {is: who.luck > 0, about: MARK}}
    steps: {hurt: {lose: 1, from: who.nerve, about: MARK}}
action_kinds: {quick: {about: MARK, at_most: {times: 1, per: turn}}}
actions:
  jump:
    kind: quick
    about: MARK
    actor: {type: hero, about: MARK}
    cost: {nerve: 1}
    steps: {lands: {cause: bang, with: {who: actor}, about: MARK}}
reactions:
  duck:
    after: bang
    actor: {type: hero, where: it is event.who, about: MARK}
    about: MARK
    steps: {back: {gain: 1, to: actor.nerve, about: MARK}}
scenes:
  fight:
    about: MARK
    has: {sun: {type: number, default: 1, about: MARK, seen_by: everybody}}
    round: {one: {about: MARK, steps: {over: {end: done, about: MARK}}}}
    outcomes: {done: {about: MARK}}
mechanics:
  toss: {steps: {coin: {roll: d2}}, outcomes: {heads: coin == 1, tails: otherwise}}
  m:
    about: MARK
    inputs:
      own: {type: side, about: MARK}
      x: {type: number, about: MARK, default: "t(1) + t2(1, 1)"}
    requires: {some: {is: x > 0, about: MARK}}
    steps:
      a: {is: f(x) + own.edge, about: MARK}
      b: {compare: {score: {ours: a, theirs: x, about: MARK}}}
      c: {first_of: {high: {if: a > 1, is: 1, about: MARK}, low: 2}}
      d: {start: 1, then: {more: {is: d + 1, about: MARK}}}
      e: {choose: one, among: way, by: player, default: one, about: MARK}
      o: {roll: own.dice}
      p: {pair: o, with: o, first: size, each: {lead: {is: ours - theirs, about: MARK}}}
      q: {is: 1, if: options.bold is always}
    outcomes: {good: {if: a > 0 and b.ahead, about: MARK}, bad: otherwise}
    also: {flag: {if: a > 1, about: MARK}}
"""


def marked() -> tuple[str, set[str]]:
    """The rules with another word in each place, and these words."""
    parts = RULES.split("MARK")
    words = [f"word{number}." for number in range(1, len(parts))]
    return "".join(a + b for a, b in zip(parts, [*words, ""], strict=True)), set(words)


def test_explain_tells_what_every_construct_says_about_itself_once() -> None:
    text, words = marked()
    program = interpreter.loads(text).program
    said = []
    for section in SECTIONS:
        for name in getattr(program, section):
            if name != SCENE:  # the values of a scene are told with the scene
                said += lines(sentences(program, section, name))
    assert Counter(re.findall(r"word\d+\.", "\n".join(said))) == Counter(words)


def test_a_rulebook_tells_it_too() -> None:
    text, words = marked()
    made = pipeline.from_text(Source.of("<text>", text), Finder())
    assert not made.problems.errors
    for written in (page.html, page.markdown):
        assert set(re.findall(r"word\d+\.", written(book(made, {})).replace("\\", ""))) == words
