"""The keys of the language: sections, declarations, verbs and the keys beside each verb.

`python -m interpreter.syntax.json_schemas` writes the schemas in `schemas/` from these tables.
The small schemas, which check a file level by level, and the list of words in the reference come from them too.
A new word of the language starts with a line here; the keys of cases are in `case_grammar.py`.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from interpreter.syntax import abouts
from interpreter.syntax.case_grammar import CASE_FORMS
from interpreter.syntax.fixed_words import RELATIONS, ROUNDINGS, SPANS, STATUSES
from interpreter.syntax.shapes import (
    EXPRESSION,
    PROSE,
    AnyOf,
    ByKey,
    ByVerb,
    Form,
    FreeForm,
    ListOf,
    MapOf,
    Name,
    OneOf,
    Ref,
    Shape,
    alternatives,
)

CITES = MapOf(OneOf(STATUSES))
BY_WORD = AnyOf((EXPRESSION, MapOf(EXPRESSION)))
"""A value, or one for each word of a list."""

_NOTED: dict[str, Shape] = {"about": PROSE, "cites": CITES}
_TITLED: dict[str, Shape] = {"title": PROSE, **_NOTED}
_STEP: dict[str, Shape] = {**_TITLED, "if": EXPRESSION, "else": EXPRESSION}
STEP_KEYS = frozenset(_STEP)
"""The keys that may stand beside every verb."""
_STATED: dict[str, Shape] = {"type": Name(), "list_of": Name()}
_STATED_ABOUTS = {
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


def _rows_shape(keys: int) -> Shape:
    """The rows of a table with up to so many keys: a row is a value, or the rows for the next key."""
    if keys == 0:
        return EXPRESSION
    row = ByKey("is", Ref("row"), _rows_shape(keys - 1)) if keys > 1 else Ref("row")
    return MapOf(AnyOf((EXPRESSION, row), "is"), least=1)


def _plain_or_long(of: Shape) -> Shape:
    """A value that may also be written long, `{is: value, cites: …}`."""
    return AnyOf((of, Ref("is")), "is")


VERBS: dict[str, Form] = {
    "is": Form("a value", {"is": EXPRESSION, **_STATED}, about="An expression.", abouts=_STATED_ABOUTS),
    "roll": Form(
        "a roll",
        {
            "roll": AnyOf((EXPRESSION, MapOf(EXPRESSION, least=1))),
            "each": STEPS,
            "counts": EXPRESSION,
            "again": EXPRESSION,
            "guard": EXPRESSION,
            "then": STEPS,
        },
        about="Throws dice. Named parts keep kinds of dice apart.",
        abouts={
            "each": "Steps for every throw, in this order: they can read `face`, `nth` and `earlier`.",
            "counts": "The value of a throw, instead of its face.",
            "again": "Whether the same die is thrown once more and added.",
            "guard": "A safety limit: this many throws of one die are an error.",
            "then": "Stages that change the roll in order.",
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
            "ask": TEXT,
            "shows": TEXT,
        },
        about="Asks one chooser, or all of a list at once. A choice with one legal answer is not asked.",
        abouts={
            "by": "Who decides; a list asks all of them at once, and the value is a map.",
            "together": "A condition on all that are chosen with `some`; `it` is what is chosen.",
            "budget": "The largest sum of the numbers for several.",
            "default": "The answer when no other is given, or when the step is skipped.",
            "shows": "What each answer comes to, a text with values, or its parts; `it` is the answer.",
        },
    ),
    "first_of": Form(
        "cases",
        {"first_of": FIRST_OF, **_STATED},
        about="Named cases; the first that holds is the value, the last has no condition.",
        abouts=_STATED_ABOUTS,
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
        {"pay": EXPRESSION, "from": EXPRESSION, "in": MapOf(BY_WORD, 1), "may_refuse": OneOf(("yes", "no"))},
        ("from",),
        about="Takes all of the points or none; without `may_refuse`, the rule is refused if there are too few.",
        abouts={"in": "Which points of the payer may be used, and how much one of each is worth."},
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


SECTIONS: dict[str, Shape] = {
    "roles": MapOf(AnyOf((PROSE, Ref("tag")), "is")),
    "comparators": MapOf(_plain_or_long(OneOf(RELATIONS))),
    "tags": AnyOf((ListOf(Name()), MapOf(AnyOf((PROSE, Ref("tag")), "is")))),
    "dice": MapOf(AnyOf((EXPRESSION, Ref("die")))),
    "ladders": MapOf(AnyOf((ListOf(Name()), Ref("ladder")), "rungs")),
    "options": MapOf(Ref("declaration")),
    "names": MapOf(WORDS),
    "functions": MapOf(Ref("function")),
    "tables": MapOf(Ref("table")),
    "types": MapOf(Ref("record")),
    "modifiers": MapOf(Ref("modifier")),
    "kinds": MapOf(Ref("kind")),
    "things": MapOf(ByKey("is", FreeForm(misplaced=True), MapOf(MapOf(FreeForm())))),  # a thing in place of its kind
    "mechanics": MapOf(Ref("mechanic")),
    "events": MapOf(Ref("event")),
    "action_kinds": MapOf(Ref("action_kind")),
    "actions": MapOf(Ref("action")),
    "reactions": MapOf(Ref("reaction")),
    "scenes": MapOf(Ref("scene")),
    "policies": MapOf(MapOf(EXPRESSION)),
    "cases": ListOf(Ref("case")),
    "notes": MapOf(PROSE),
}

FORMERLY = "The names that it had before, so that older saves are taken up."

_DECLARED: dict[str, Shape] = {
    "type": Name(),
    "list_of": Name(),
    "one_of": WORDS,
    "from": EXPRESSION,
    "to": EXPRESSION,
    "least": EXPRESSION,
    "most": EXPRESSION,
    "default": EXPRESSION,
    "optional": OneOf(("yes", "no")),
    "among": EXPRESSION,
    "where": EXPRESSION,
    "by": EXPRESSION,
    "ask": TEXT,
    "shows": TEXT,
    "formerly": NAMES,
    **_TITLED,
}
_RULE: dict[str, Shape] = {
    "title": PROSE,
    "inputs": MapOf(DECLARATION),
    "passes": ListOf(Name()),
    "requires": MapOf(_plain_or_long(EXPRESSION)),
    "steps": STEPS,
    "outcomes": OUTCOMES,
    "also": MapOf(AnyOf((EXPRESSION, ByKey("if", Ref("flag"), OUTCOMES)), "if")),
    **_NOTED,
}
_DONE: dict[str, Shape] = {
    **_RULE,
    "actor": DECLARATION,
    "cost": MapOf(BY_WORD),
    "at_most": Ref("limit"),
}

FORMS: dict[str, Form] = {
    "ruleset": Form(
        "a ruleset",
        {
            "ruleset": PROSE,
            "language": PROSE,
            "version": PROSE,
            "title": PROSE,
            "about": PROSE,
            "rounding": _plain_or_long(OneOf(ROUNDINGS)),
            "parts": ListOf(PROSE),
            **SECTIONS,
        },
        ("ruleset",),
    ),
    "layer": Form(
        "a house rule",
        {
            "ruleset": PROSE,
            "language": PROSE,
            "version": PROSE,
            "title": PROSE,
            "about": PROSE,
            "extends": AnyOf((PROSE, ListOf(PROSE))),
            "requires": AnyOf((PROSE, ListOf(PROSE))),
            "parts": ListOf(PROSE),
            "changes": MapOf(Ref("change")),
            "differs": ListOf(PROSE),
            **SECTIONS,
        },
        ("ruleset", "extends"),
        about="A layer over other rulesets. Its own sections only add names; everything else goes under `changes`.",
        abouts={"differs": "Rules and cases of the base whose results differ under this layer on purpose."},
    ),
    "change": Form(
        "a change",
        {
            "set": FreeForm(),
            "add": FreeForm(),
            "remove": FreeForm(),
            "move": FreeForm(),
            "rename": Name(),
            "before": Name(),
            "after": Name(),
            "was": FreeForm(),
            "because": PROSE,
        },
        about="A change at a path, and its reason.",
    ),
    "part": Form("a part of a ruleset", {"part_of": PROSE, "title": PROSE, "about": PROSE, **SECTIONS}, ("part_of",)),
    "is": Form("a value", {"is": FreeForm(), **_NOTED}, ("is",)),
    "word": Form(
        "a word",
        {"formerly": NAMES, **_TITLED},
        about="A word of a list: what people call it, and what it means.",
        abouts={"formerly": FORMERLY},
    ),
    "tag": Form("a name", {"is": PROSE, **_TITLED}, about="A name with what it means, and what people call it."),
    "keep": Form("what is kept", {"lowest": EXPRESSION, "highest": EXPRESSION}),
    "line": Form("a line of a comparison", {"ours": EXPRESSION, "theirs": EXPRESSION, **_NOTED}, ("ours", "theirs")),
    "first_of_case": Form("a case", {"if": EXPRESSION, "is": EXPRESSION, **_TITLED}, ("is",)),
    "outcome": Form(
        "an outcome",
        {"if": EXPRESSION, "counts_as": Name(), "tells": TEXT, "steps": STEPS, **_TITLED},
        ("if",),
        about="Holds where its condition does and none before it did.",
        abouts={"tells": "What a record of play says instead of its name, with values between braces."},
    ),
    "flag": Form("a reading", {"if": EXPRESSION, **_TITLED}, ("if",)),
    "declaration": Form(
        "a declaration",
        _DECLARED,
        about="The declaration of a value: its type, its bounds, and its default.",
        abouts={"formerly": FORMERLY},
    ),
    "text": Form("a text", {"text": PROSE}, ("text",), about="A text itself, not an expression."),
    "text_part": Form(
        "a part of a text",
        {"say": PROSE, "if": EXPRESSION, "else": PROSE},
        ("say",),
        about="A text with values between braces, said only where its condition holds.",
        abouts={"else": "What is said where the condition does not hold."},
    ),
    "lasting": Form("a number of rounds", {"rounds": EXPRESSION}, ("rounds",)),
    "limit": Form(
        "a limit",
        {"times": EXPRESSION, "per": OneOf(SPANS)},
        ("times", "per"),
        about="How often one actor may do it in a span.",
    ),
    "kind": Form(
        "a kind",
        {
            "part": OneOf(("yes", "no")),
            "one": OneOf(("yes", "no")),
            "written_as": Name(),
            "has": MapOf(AnyOf((Name(), Ref("attribute")), "type"), 1),
            "requires": MapOf(_plain_or_long(EXPRESSION)),
            "summary": ListOf(Name()),
            "formerly": NAMES,
            **_TITLED,
        },
        ("has",),
        about="The attributes of its things. A kind with `one: yes` has exactly one thing, with the name of the kind.",
        abouts={
            "part": "Its things are parts of other things and exist as long as they do.",
            "written_as": "The attribute that a plain value sets.",
            "summary": "The attributes that a record of play shows of each thing when a round or the scene ends.",
            "formerly": FORMERLY,
        },
    ),
    "attribute": Form(
        "what a thing has",
        {
            # Nobody is asked for it.
            **{key: shape for key, shape in _DECLARED.items() if key not in ("by", "ask", "shows")},
            **dict.fromkeys(("from", "to", "default", "starts", "length"), BY_WORD),
            "is": EXPRESSION,
            "per": Name(),
            "past_full": OneOf(("lost", "refuse")),
            "when_full": STEPS,
            "when_hit_full": STEPS,
            "when_empty": STEPS,
            "lasts": AnyOf((OneOf(SPANS), Ref("lasting"))),
            "seen_by": AnyOf((Name(), ListOf(Name()))),
            "bookkeeping": OneOf(("yes", "no")),
        },
        about="A value that lasts: given when the thing is made, changed by rules; or derived from others by `is`.",
        abouts={
            "is": "A derived value: never given, never changed.",
            "per": "A value for each word of a list, read as `actor.skills(swords)`.",
            "from": "The lower bound of a number or of points; with `per`, perhaps one for each word.",
            "to": "The upper bound of a number or of points; with `per`, perhaps one for each word.",
            "starts": "The initial value of points or a track, to which a reset returns; `full` is the upper bound.",
            "length": "How many boxes a track has.",
            "past_full": "What happens to a gain past the bound: the rest is lost, or the gain is refused.",
            "when_full": "Steps that run each time the upper bound is reached; they can read `owner` and `excess`.",
            "when_hit_full": "Steps that run each time a full value would gain more.",
            "when_empty": "Steps that run each time the lower bound is reached.",
            "lasts": "When this span ends, the value is reset.",
            "bookkeeping": "A record of play leaves out its changes.",
            "formerly": FORMERLY,
        },
    ),
    "die": Form("a die", {"faces": ListOf(EXPRESSION), **_NOTED}, ("faces",)),
    "ladder": Form(
        "a ladder",
        {"rungs": AnyOf((ListOf(Name()), MapOf(WORD, ordered=True))), **_NOTED},
        ("rungs",),
    ),
    "function": Form(
        "a function",
        {"takes": MapOf(DECLARATION), "type": Name(), "gives": AnyOf((EXPRESSION, Ref("gives"))), **_NOTED},
        ("gives",),
    ),
    "gives": Form(
        "what a function gives",
        {"first_of": FIRST_OF, **_NOTED},
        ("first_of",),
    ),
    "table": Form(
        "a table",
        {
            "type": Name(),
            "rows": _rows_shape(4),
            "off_the_rows": EXPRESSION,
            "claims": MapOf(Ref("claim")),
            **_NOTED,
        },
        ("rows",),
        abouts={
            "claims": "Chances that the table claims, by outcome, flag or word of `also`; compared with the exact odds."
        },
    ),
    "claim": Form(
        "a claim",
        {
            "mechanic": Name(),
            "given": MapOf(AnyOf((EXPRESSION, MapOf(EXPRESSION)))),
            "policy": Name(),
            "is": EXPRESSION,
            "within": PROSE,
            **_NOTED,
        },
        ("mechanic", "is"),
        about="A chance that each row of a table claims. `row`, `column` and `value` are those of the row.",
        abouts={
            "is": "The chance that a row claims; a quotient is exact here.",
            "within": "How far a printed chance may be off; 0 by default.",
        },
    ),
    "row": Form("a row", {"is": EXPRESSION, **_NOTED}, ("is",)),
    "record": Form("a type", {"written_as": Name(), "has": MapOf(DECLARATION, least=1), **_NOTED}, ("has",)),
    "modifier": Form(
        "a modifier",
        {
            "title": PROSE,
            "to": Name(),
            "by": Name(),
            "takes": MapOf(DECLARATION),
            "adds": MapOf(EXPRESSION, least=1),
            **_NOTED,
        },
        ("to", "adds"),
        about="Data that adds to a record: numbers are added, pools are joined, and of limits the lowest counts.",
    ),
    "mechanic": Form(
        "a mechanic",
        {**_RULE, "typical": MapOf(FreeForm()), "formerly": NAMES},
        ("steps",),
        abouts={
            "typical": "Inputs for which its odds are of interest; of an input with a list, each value counts.",
            "formerly": FORMERLY,
        },
    ),
    "event": Form(
        "an event",
        {**_RULE, "by": NAMES, "formerly": NAMES},
        about="An event; it may have no steps, only reactions.",
        abouts={"by": "Who causes it at the table: roles, kinds, or `everybody`.", "formerly": FORMERLY},
    ),
    "action_kind": Form(
        "a kind of action",
        {
            **{key: _DONE[key] for key in ("title", "cost", "requires", "at_most", "about", "cites")},
            "upgrade": Ref("upgrade"),
        },
        about="What its actions have in common; an action may override each key.",
    ),
    "upgrade": Form(
        "an upgrade",
        {"to": Name(), "waives": ListOf(Name()), "counts_as": EXPRESSION, **_NOTED},
        about="How an action may be done as one of another kind: the costs that are waived, and what counts as spent.",
    ),
    "action": Form(
        "an action",
        {**_DONE, "shows": TEXT, "kind": Name(), "upgrade": Ref("upgrade"), "formerly": NAMES},
        ("actor",),
        about="What a thing can do: its inputs, its cost, and how often.",
        abouts={
            "shows": "What the action comes to for its actor, a text with values or parts, beside it in an offer.",
            "formerly": FORMERLY,
        },
    ),
    "reaction": Form(
        "a reaction",
        {**_DONE, "before": NAMES, "after": NAMES, "automatic": OneOf(("yes", "no")), "ask": TEXT},
        about="A response to an event: before it, to change or cancel it, or after it. `event` has its inputs.",
        abouts={"automatic": "It happens whenever it can, without a question."},
    ),
    "scene": Form(
        "a scene",
        {
            "title": PROSE,
            "inputs": MapOf(DECLARATION),
            "has": MapOf(AnyOf((Name(), Ref("attribute")), "type")),
            "requires": MapOf(_plain_or_long(EXPRESSION)),
            "steps": STEPS,
            "round": MapOf(Ref("phase"), 1, ordered=True),
            "guard": EXPRESSION,
            "outcomes": MapOf(AnyOf((EXPRESSION, Ref("scene_outcome")), "if"), 1, ordered=True),
            "formerly": NAMES,
            **_NOTED,
        },
        ("round",),
        about="Something that is played in rounds until it is over, such as a fight.",
        abouts={
            "has": "Values that the scene itself keeps; read them and its inputs everywhere as `scene.NAME`.",
            "steps": "Steps that run once, before the first round.",
            "round": "The phases of a round, in order, round after round.",
            "formerly": FORMERLY,
            "guard": "After this many rounds the scene stops without an outcome and reports it.",
            "outcomes": "Checked after every phase; an outcome without a condition is reached only by `end`.",
        },
    ),
    "state": Form(
        "a scene file",
        {
            "state": Name(),
            "of": PROSE,
            "with": AnyOf((PROSE, ListOf(PROSE))),
            "title": PROSE,
            "about": PROSE,
            "options": MapOf(FreeForm()),
            "scene": Name(),
            "things": MapOf(FreeForm()),
            "changes": MapOf(FreeForm()),
            "given": MapOf(FreeForm()),
            "players": MapOf(AnyOf((PROSE, ListOf(PROSE)))),
        },
        ("state", "of"),
        about="The things, the scene to play, and who answers for whom.",
        abouts={
            "of": "Its ruleset.",
            "with": "The house rules to play it with.",
            "changes": "Values, by kind and thing, of things that are there when the scene begins.",
            "players": "Which things and roles each player answers for.",
        },
    ),
    "phase": Form(
        "a phase",
        {"title": PROSE, "steps": STEPS, "formerly": NAMES, **_NOTED},
        ("steps",),
        abouts={"formerly": FORMERLY},
    ),
    "scene_outcome": Form(
        "an outcome", {"if": EXPRESSION, "steps": STEPS, **_TITLED}, about="An end of a scene; its steps run last."
    ),
    "key": Form(
        "a key",
        {"high": EXPRESSION, "low": EXPRESSION, **_TITLED},
        about="A key of an order: the highest first, or the lowest; `it` is the element.",
    ),
    **CASE_FORMS,
}

for _name, _form in FORMS.items():
    _told = {**abouts.NOTED, **abouts.OF_FORMS.get(_name, {}), **_form.abouts}
    FORMS[_name] = replace(_form, abouts={key: _told[key] for key in _form.keys if key in _told})

DECLARATION_TYPES = ("number", "yes_no", "text", "die", "dice", "roll", "code")
"""The types that every ruleset has; `tags` is one more where the ruleset has tags."""

_SHAPES = [(key, shape) for form in (*FORMS.values(), *VERBS.values()) for key, shape in form.keys.items()]
ALL_KEYS = frozenset(key for key, _ in _SHAPES)
TEXT_KEYS = ALL_KEYS - {key for key, shape in _SHAPES if PROSE not in alternatives(shape)}
"""The keys whose values are texts that people read, in every form that has them."""
