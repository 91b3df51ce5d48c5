"""The verbs of steps with the keys beside each, and the shapes that they share with declarations and rules."""

from __future__ import annotations

from collections.abc import Collection

from interpreter.syntax import abouts
from interpreter.syntax.fixed_words import SPANS, STATUSES
from interpreter.syntax.shapes import (
    EXPRESSION,
    PROSE,
    AnyOf,
    ByKey,
    ByVerb,
    Form,
    ListOf,
    MapOf,
    Name,
    OneOf,
    Ref,
    Shape,
)

CITES = MapOf(OneOf(STATUSES))
BY_WORD = AnyOf((EXPRESSION, MapOf(EXPRESSION)))
"""A value, or one for each word of a list."""

NOTED: dict[str, Shape] = {"about": PROSE, "cites": CITES}
TITLED: dict[str, Shape] = {"title": PROSE, **NOTED}
_STEP: dict[str, Shape] = {**TITLED, "if": EXPRESSION, "else": EXPRESSION}
STEP_KEYS = frozenset(_STEP)
"""The keys that may stand beside every verb."""
STATED: dict[str, Shape] = {"type": Name(), "list_of": Name()}
STATED_ABOUTS = {
    "type": "What the value is, where the expression alone does not tell: of which list a word is one.",
    "list_of": "What each value of the list is.",
}

STEP = AnyOf((EXPRESSION, ByVerb()), "is")
STEPS = MapOf(STEP, 1, ordered=True)
OUTCOME = AnyOf((EXPRESSION, Ref("outcome")), "if")
OUTCOMES = MapOf(OUTCOME, 1, ordered=True)
FIRST_OF = MapOf(AnyOf((EXPRESSION, Ref("first_of_case")), "is"), 1, ordered=True)
DECLARATION = AnyOf((Name(), Ref("declaration")), "type")
WORD = AnyOf((PROSE, Ref("word")))
"""What a word means, or also what people call it."""
WORDS = AnyOf((ListOf(Name()), MapOf(WORD)))
NAMES = AnyOf((Name(), ListOf(Name())))
LASTS = AnyOf((OneOf(SPANS, "rounds"), Ref("lasting")))
TEXT = AnyOf((PROSE, Ref("text_part"), ListOf(AnyOf((PROSE, Ref("text_part")), "say"), 1)), "say")
"""A text with values in it, or a list of its parts."""
GIVEN = MapOf(AnyOf((EXPRESSION, MapOf(AnyOf((EXPRESSION, Ref("text")))))))
TYPE = AnyOf((Name(), ListOf(Name()), MapOf(PROSE)))


def rows_shape(keys: int) -> Shape:
    """The rows of a table with up to so many keys: a row is a value, or the rows for the next key."""
    if keys == 0:
        return EXPRESSION
    row = ByKey("is", Ref("row"), rows_shape(keys - 1)) if keys > 1 else Ref("row")
    return MapOf(AnyOf((EXPRESSION, row), "is"), least=1)


def plain_or_long(of: Shape) -> Shape:
    """A value that may also be written long, `{is: value, cites: …}`."""
    return AnyOf((of, Ref("is")), "is")


VERBS: dict[str, Form] = {
    "is": Form("a value", {"is": EXPRESSION, **STATED}, about="An expression.", abouts=STATED_ABOUTS),
    "roll": Form(
        "a roll",
        {
            "roll": AnyOf((EXPRESSION, MapOf(EXPRESSION, least=1))),
            "each": STEPS,
            "counts": EXPRESSION,
            "again": EXPRESSION,
            "guard": EXPRESSION,
            "then": STEPS,
            "on": EXPRESSION,
        },
        about="Throws dice. Named parts keep kinds of dice apart.",
        abouts={
            "each": "Steps for every throw, in this order: they can read `face`, `nth` and `earlier`.",
            "counts": "The value of a throw, instead of its face.",
            "again": "Whether the same die is thrown once more and added.",
            "guard": "A safety limit: this many throws of one die are an error.",
            "then": "Stages that change the roll in order.",
            "on": "A table, whose row is the value of the step; `it` is what the dice come to.",
        },
    ),
    "reroll": Form(
        "a reroll",
        {
            "reroll": EXPRESSION,
            "most": EXPRESSION,
            "to": EXPRESSION,
        },
        about="Throws dice of a roll again, and gives the whole roll. With `to`, turns them to a face.",
    ),
    "place": Form(
        "placed dice",
        {"place": EXPRESSION, "showing": EXPRESSION},
        ("showing",),
        about="Sets dice down showing a face, without a throw.",
    ),
    "raise": Form(
        "a raise",
        {
            "raise": EXPRESSION,
            "ladder": Name(),
            "by": EXPRESSION,
            "past_top": OneOf(("stop", "carry_to_next_smaller")),
            "when_full": OneOf(("lost", "add_lowest")),
        },
        ("ladder", "by"),
        about="Moves every die up a ladder by a number of rungs (down, if the number is negative).",
        abouts={
            "past_top": "What happens to a step that a die on the top rung cannot take.",
            "when_full": "What happens to a step when all dice are on the top rung.",
        },
    ),
    "start": Form(
        "a value in stages",
        {"start": STEP, "then": STEPS},
        ("then",),
        about="A value that named stages change in order; inside `then` the step's own name is the value so far.",
    ),
    "repeat": Form(
        "a repetition",
        {
            "repeat": EXPRESSION,
            "carry": MapOf(EXPRESSION, least=1),
            "each": STEPS,
            "until": EXPRESSION,
            "keep": Ref("keep"),
        },
        ("each",),
        about="Runs the steps of `each`, at most this many times; gives the list of passes, or the one that is kept.",
        abouts={
            "carry": "Steps of `each` that go on from the pass before, each with what it begins with. In a pass, the "
            "name is what it was in the pass before, until its own step."
        },
    ),
    "pair": Form(
        "a pairing",
        {"pair": EXPRESSION, "with": EXPRESSION, "missing": EXPRESSION, "first": EXPRESSION, "each": STEPS},
        ("with", "each"),
        about="Pairs the dice of two rolls, both highest first: `ours` and `theirs`.",
        abouts={"first": "Which of our equal dice come first: those of which it is true, or with the highest number."},
    ),
    "compare": Form(
        "a comparison",
        {"compare": MapOf(Ref("line"), 1, ordered=True), "ties": OneOf(("ours", "theirs"))},
        about="Compares two sides line by line; the first line that differs decides.",
    ),
    "choose": Form(
        "a choice",
        {
            "choose": OneOf(("number", "yes_no", "one", "some", "text")),
            "by": EXPRESSION,
            "among": EXPRESSION,
            "where": EXPRESSION,
            "together": EXPRESSION,
            "from": EXPRESSION,
            "to": EXPRESSION,
            "least": EXPRESSION,
            "most": EXPRESSION,
            "budget": EXPRESSION,
            "default": EXPRESSION,
            "minor": EXPRESSION,
            "ask": TEXT,
            "shows": TEXT,
        },
        about="Asks one chooser, or all of a list at once. A choice with one legal answer is not asked.",
        abouts={
            "by": "Who decides, perhaps by a condition; a list asks all of them at once, and the value is a map.",
            "together": "A condition on all that are chosen with `some`; `it` is what is chosen.",
            "budget": "The largest sum of the numbers for several.",
            "default": "The answer when no other is given, or when the step is skipped.",
            "shows": "What each answer comes to, a text with values, or its parts; `it` is the answer.",
            "minor": "Where it holds, whoever is asked only what is usual is not asked, and gives the default.",
        },
    ),
    "first_of": Form(
        "cases",
        {"first_of": FIRST_OF, **STATED},
        about="Named cases; the first that holds is the value, the last has no condition.",
        abouts=STATED_ABOUTS,
    ),
    "call": Form(
        "a call",
        {"call": Name(), "with": GIVEN, "roles": MapOf(EXPRESSION, 1)},
        about="Plays another mechanic; its outcome and its values are the fields of this step.",
        abouts={"roles": "Who has a role in this call: a thing, or another role."},
    ),
    "steps": Form("steps", {"steps": STEPS}, about="Several steps under one condition."),
    "end": Form("an end", {"end": Name()}, about="Ends the rule with an outcome; the steps below do not run."),
    "for": Form(
        "a round through a list",
        {"for": Name(), "among": EXPRESSION, "where": EXPRESSION, "each": STEPS},
        ("among", "each"),
        about="Runs the steps of `each` for every element; the value is a map from element to its steps.",
        abouts={"where": "A condition that is checked when the turn of an element comes; `it` is the element."},
    ),
    "order": Form(
        "an order",
        {"order": EXPRESSION, "keys": MapOf(AnyOf((OneOf(("random",)), Ref("key"))), 1, ordered=True)},
        ("keys",),
        about="Sorts a list: the first key that differs decides. `random` breaks ties by lot.",
    ),
    "turn": Form(
        "a turn",
        {"turn": EXPRESSION, "steps": STEPS},
        ("steps",),
        about="Runs the steps as the turn of a thing: values that last for the turn are reset after it.",
    ),
    "draw": Form(
        "a draw",
        {"draw": EXPRESSION, "from": EXPRESSION, "refill": EXPRESSION},
        ("from",),
        about="Takes a number of elements at random out of a list that a thing has; the value is a list.",
        abouts={"refill": "Another list: when the first is empty, all of this goes back into it first."},
    ),
    "put": Form(
        "a putting",
        {"put": EXPRESSION, "into": EXPRESSION},
        ("into",),
        about="Adds one element, or all of a list, to the end of a list that a thing has.",
    ),
    "take": Form(
        "a taking",
        {"take": EXPRESSION, "from": EXPRESSION},
        ("from",),
        about="Removes one element, or all of a list, from a list that a thing has; refused if they are not in it.",
    ),
    "gain": Form(
        "a gain",
        {"gain": EXPRESSION, "to": EXPRESSION},
        ("to",),
        about="Adds points, or fills a track; `excess` is the amount past the bound.",
    ),
    "lose": Form(
        "a loss",
        {"lose": EXPRESSION, "from": EXPRESSION},
        ("from",),
        about="Takes points away, or clears a track; `excess` is the amount past the bound.",
    ),
    "pay": Form(
        "a payment",
        {
            "pay": EXPRESSION,
            "from": EXPRESSION,
            "in": MapOf(BY_WORD, 1),
            "may_refuse": OneOf(("yes", "no")),
            "minor": EXPRESSION,
        },
        ("from",),
        about="Takes all of the points or none; without `may_refuse`, the rule is refused if there are too few.",
        abouts={
            "in": "Which points of the payer may be used, and how much one of each is worth.",
            "minor": "Where it holds, whoever is asked only what is usual pays with the first points unasked.",
        },
    ),
    "set": Form(
        "a setting",
        {"set": EXPRESSION, "to": AnyOf((EXPRESSION, Ref("text")))},
        ("to",),
        about="Sets an attribute of a thing: the attribute is under `set`, the value under `to`.",
    ),
    "add": Form(
        "an addition",
        {"add": EXPRESSION, "to": EXPRESSION, "lasts": LASTS},
        ("to",),
        about="Adds an element to the end of a list that a thing has.",
    ),
    "remove": Form(
        "a removal",
        {"remove": EXPRESSION, "from": EXPRESSION},
        ("from",),
        about="Removes one element from a list that a thing has.",
    ),
    "make": Form(
        "a new thing",
        {"make": Name(), "named": AnyOf((EXPRESSION, Ref("text"))), "with": GIVEN},
        about="Makes a thing of a kind; its value is the thing.",
        abouts={"named": "A text that the thing is named after; without it, its name is the kind and a number."},
    ),
    "destroy": Form("an end of a thing", {"destroy": EXPRESSION}, about="Removes a thing from the state."),
    "cause": Form(
        "an event",
        {"cause": Name(), "with": GIVEN, "later": LASTS},
        about="Causes an event: reactions before it, its steps, reactions after it; `.happened` is no if cancelled.",
        abouts={"later": "The event happens when this span ends, or after this many rounds, counting the current one."},
    ),
    "act": Form(
        "an action",
        {"act": Name(), "with": GIVEN},
        about="Makes a thing, the `actor`, do an action. If the action is refused, so is the rule.",
    ),
    "offer": Form(
        "an offer",
        {"offer": NAMES, "to": EXPRESSION, "most": EXPRESSION, "ask": TEXT},
        ("to",),
        about="Asks which of these actions, or kinds of actions, to do, as far as they are possible; or to pass.",
        abouts={"most": "How often it asks; without it, until the answer is to pass."},
    ),
    "change": Form(
        "a changed event",
        {"change": MapOf(AnyOf((EXPRESSION, Ref("text"))), 1)},
        about="In a reaction before an event: changes the inputs of the event.",
    ),
    "cancel": Form(
        "a cancelled event", {"cancel": OneOf(("event",))}, about="In a reaction before an event: cancels the event."
    ),
}
"""What a step does, by its verb. `if`, `else`, `about` and `cites` may stand beside every one."""

for _verb, _form in VERBS.items():
    _told = {**abouts.STEP, **abouts.OF_VERBS.get(_verb, {}), **_form.abouts}
    VERBS[_verb] = Form(_form.title, {**_form.keys, **_STEP}, (_verb, *_form.required), _form.about, _told)

_ABOVE = {verb: tuple(other for other in VERBS if other != verb and verb in VERBS[other].keys) for verb in VERBS}


def verbs_in(keys: Collection[str]) -> list[str]:
    """The verbs of a step with these keys; `steps` beside `turn` is a companion."""
    return [key for key in keys if key in VERBS and not any(other in keys for other in _ABOVE[key])]


def verbs_above(verb: str) -> tuple[str, ...]:
    """The verbs beside which this one is a companion."""
    return _ABOVE[verb]
