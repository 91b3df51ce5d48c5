"""A ruleset with a bit of everything that a save holds, and changes of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

FLEET = """ruleset: fleet
options:
  gale: {type: number, default: 1}
names:
  grade: [low, high]
  wound: [torn, holed]
kinds:
  mast:
    part: yes
    has: {height: {type: number, default: 9}}
  ship:
    has:
      sail: {type: number, from: 0, default: 2}
      rank: {type: grade, default: low}
      crew: {type: points, from: 0, to: 6, starts: 5}
      friend: {type: ship, optional: yes}
      wounds: {list_of: wound, default: []}
      mast: {type: mast}
      worth: {is: sail + crew}
  sword: {has: {damage: {type: number, default: 2}}}
things:
  sword: {cutlass: {damage: 3}}
events:
  fire: {inputs: {at: {type: ship}}, steps: {burnt: {lose: 1, from: at.crew}}}
actions:
  ram:
    actor: {type: ship}
    inputs: {target: {type: ship}}
    at_most: {times: 3, per: scene}
    steps:
      die: {roll: d6}
      hit: {lose: die / 3 + options.gale, from: target.crew}
      torn: {add: torn, to: target.wounds, lasts: scene}
      lit: {cause: fire, with: {at: target}, later: scene}
  rest:
    actor: {type: ship}
    steps: {more: {gain: 1, to: actor.crew}}
mechanics:
  lookout: {steps: {die: {roll: d4}, seen: die > 2}}
scenes:
  duel:
    inputs: {fighters: {list_of: ship}}
    has: {tide: {type: number, default: 0}}
    round:
      tide:
        steps: {turns: {set: scene.tide, to: scene.tide + 1}}
      fight:
        steps:
          each_one: {for: who, among: fighters, each: {turn: {turn: who, steps: {act: {offer: [ram, rest], to: who}}}}}
    outcomes: {end: scene.round >= 4}
"""

HOUSE_RULE = """ruleset: fog
extends: fleet
kinds:
  bank: {one: yes, has: {fog: {type: number, default: 3}}}
changes:
  actions.ram.steps.die: {set: {roll: d8}, because: Larger ships.}
"""

RENAMING = """ruleset: canvas
extends: fleet
changes:
  kinds.ship.has.sail: {rename: canvas, because: It is made of it.}
"""


@dataclass(frozen=True)
class Change:
    """A change of the ruleset: texts that others take the place of, a house rule over it, other options.

    `before` is a house rule over the rules that the save was written under.
    """

    texts: tuple[str, ...] = ()
    over: str = ""
    before: str = ""
    options: dict[str, Any] = field(default_factory=dict)
    end: str = ""

    def rules(self) -> str:
        """The changed text of the ruleset."""
        text = FLEET
        for old, new in zip(self.texts[::2], self.texts[1::2], strict=True):
            assert old in text, old
            text = text.replace(old, new)
        return text + self.end


def change(*texts: str, **more: Any) -> Change:
    return Change(texts, **more)


SAIL = "      sail: {type: number, from: 0, default: 2}\n"
CREW = "{type: points, from: 0, to: 6, starts: 5}"

SILENT = {
    "a comment": change("kinds:\n", "kinds: # all of them\n"),
    "a blank line": change("kinds:\n", "\nkinds:\n"),
    "the layout": change("names:\n  grade: [low, high]\n  wound: [torn, holed]\n",
                         "names: {grade: [low, high], wound: [torn, holed]}\n"),
    "a title": change("ruleset: fleet\n", "ruleset: fleet\ntitle: The fleet\n"),
    "quotation marks": change("{is: sail + crew}", "{is: 'sail + crew'}", "roll: d6", 'roll: "d6"'),
    "a version": change("ruleset: fleet\n", "ruleset: fleet\nversion: 2.1.0\n"),
    "what it is about": change("ruleset: fleet\n", "ruleset: fleet\nabout: Ships that fight.\n"),
    "the language": change("ruleset: fleet\n", "ruleset: fleet\nlanguage: 1\n"),
    "a question": change("to: who}", 'to: who, ask: "What now?"}'),
    "a case": change(end="cases: [{name: one, mechanic: lookout, faces: [3], expect: {seen: yes}}]\n"),
    "the order of attributes": change(SAIL, "", "      friend:", SAIL + "      friend:"),
    "the order of sections": change("mechanics:\n  lookout: {steps: {die: {roll: d4}, seen: die > 2}}\n", "",
                                    "options:\n",
                                    "mechanics:\n  lookout: {steps: {die: {roll: d4}, seen: die > 2}}\noptions:\n"),
    "a new mechanic": change(end="functions: {half: {takes: {x: number}, gives: x / 2}}\n"),
    "a new kind": change("kinds:\n", "kinds:\n  reef: {has: {depth: {type: number, default: 1}}}\n"),
    "a new option that is read elsewhere": change("options:\n", "options:\n  fog: {type: number, default: 2}\n",
                                                  "seen: die > 2", "seen: die > options.fog"),
    "a rule that no save uses": change("{roll: d4}", "{roll: d8}"),
}  # fmt: skip
"""Changes that no save tells of, because nothing that it uses has changed."""

OTHERS = {
    "a new attribute": change("      rank:", "      flag: {type: number, default: 1}\n      rank:"),
    "a new attribute without a value": change("      rank:", "      flag: {type: number}\n      rank:"),
    "a renamed attribute": change(SAIL, "      canvas: {type: number, from: 0, default: 2, formerly: sail}\n",
                                  "is: sail + crew", "is: canvas + crew"),
    "an attribute renamed without `formerly`": change(SAIL, "      canvas: {type: number, from: 0, default: 2}\n",
                                                      "is: sail + crew", "is: canvas + crew"),
    "a removed attribute": change(SAIL, "", "is: sail + crew", "is: crew"),
    "an attribute that is worked out": change(SAIL, "      sail: {is: crew / 2}\n"),
    "a derived value that is stored": change("worth: {is: sail + crew}", "worth: {type: number, default: 4}"),
    "who sees it": change(SAIL, "      sail: {type: number, from: 0, default: 2, seen_by: owner}\n"),
    "a longer range": change("to: 6", "to: 9"),
    "a shorter range": change("to: 6, starts: 5", "to: 3, starts: 3"),
    "another start": change("starts: 5", "starts: 4"),
    "a number that becomes points": change(SAIL, "      sail: {type: points, from: 0, to: 9, starts: 2}\n"),
    "a thing that becomes a list": change("friend: {type: ship, optional: yes}",
                                          "friend: {list_of: ship, optional: yes}"),
    "a number that becomes a word": change(SAIL, "      sail: {type: grade, default: low}\n", "is: sail + crew",
                                           "is: crew"),
    "a renamed word": change("grade: [low, high]", "grade: {poor: {about: Little., formerly: low}, high: Much.}",
                             "default: low", "default: poor"),
    "a removed word": change("grade: [low, high]", "grade: [fair, high]", "default: low", "default: fair"),
    "a renamed word in a list": change("wound: [torn, holed]",
                                       "wound: {split: {about: By shot., formerly: torn}, holed: By rock.}",
                                       "add: torn", "add: split"),
    "a removed word in a list": change("wound: [torn, holed]", "wound: [split, holed]", "add: torn", "add: split"),
    "a renamed kind": change("  ship:\n    has:", "  vessel:\n    formerly: ship\n    has:", "type: ship",
                             "type: vessel",
                             "list_of: ship", "list_of: vessel"),
    "a removed kind": change("  sword: {has: {damage: {type: number, default: 2}}}\n", "",
                             "things:\n  sword: {cutlass: {damage: 3}}\n", ""),
    "a new kind with one thing": change("kinds:\n",
                                        "kinds:\n  sea: {one: yes, has: {depth: {type: number, default: 4}}}\n"),
    "a new thing of the book": change("cutlass: {damage: 3}", "cutlass: {damage: 3}, sabre: {damage: 4}"),
    "a changed thing of the book": change("cutlass: {damage: 3}", "cutlass: {damage: 4}"),
    "an attribute of a part": change("height: {type: number, default: 9}",
                                     "tall: {type: number, default: 9, formerly: height}"),
    "a part that is gone": change("      mast: {type: mast}\n", ""),
    "a limit that is gone": change("    at_most: {times: 3, per: scene}\n", ""),
    "an event that is gone": change("  fire: {inputs: {at: {type: ship}}, steps: {burnt: {lose: 1, from: at.crew}}}\n",
                                    "  storm: {}\n", "      lit: {cause: fire, with: {at: target}, later: scene}\n",
                                    ""),
    "a removed option": change("  gale: {type: number, default: 1}\n", "  wind: {type: number, default: 1}\n",
                               " + options.gale", " + options.wind"),
    "a renamed option": change("  gale: {", "  wind: {formerly: gale, ", "options.gale", "options.wind"),
    "another default of an option": change("gale: {type: number, default: 1}", "gale: {type: number, default: 2}"),
    "another option": Change(options={"gale": 2}),
    "another die of an action": change("{roll: d6}", "{roll: d8}"),
    "a smaller die of an action": change("{roll: d6}", "{roll: d2}"),
    "a renamed action": change("  ram:\n", "  bump:\n    formerly: ram\n", "[ram, rest]", "[bump, rest]"),
    "an action that is offered no more": change("[ram, rest]", "[rest]"),
    "a later end": change("scene.round >= 4", "scene.round >= 5"),
    "a new phase before": change("      tide:\n        steps",
                                 "      dawn: {steps: {light: 1}}\n      tide:\n        steps"),
    "a new phase after": change("    outcomes:", "      dusk: {steps: {dark: 1}}\n    outcomes:"),
    "a removed phase": change("      tide:\n        steps: {turns: {set: scene.tide, to: scene.tide + 1}}\n", ""),
    "a renamed phase": change("      fight:\n", "      battle:\n        formerly: fight\n"),
    "a phase renamed without `formerly`": change("      fight:\n", "      battle:\n"),
    "a renamed scene": change("  duel:\n", "  fight:\n    formerly: duel\n"),
    "a house rule": Change(over=HOUSE_RULE),
    "a house rule that is taken off": Change(before=HOUSE_RULE),
    "a house rule that renames": Change(over=RENAMING),
}  # fmt: skip
"""Changes that some save tells of."""

CHANGES = {**SILENT, **OTHERS}
