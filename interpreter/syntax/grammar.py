"""The keys of the language: sections, declarations, verbs and the keys beside each verb.

`python -m interpreter.syntax.json_schemas` writes the schemas in `schemas/` from these tables.
The small schemas, which check a file level by level, and the list of words in the reference come from them too.
A new word of the language starts with a line here; verbs are in `verb_grammar.py`, and the keys of cases in
`case_grammar.py`.
"""

from __future__ import annotations

from dataclasses import replace

from interpreter.syntax import abouts
from interpreter.syntax.case_grammar import CASE_FORMS
from interpreter.syntax.fixed_words import RELATIONS, ROUNDINGS, SPANS
from interpreter.syntax.shapes import (
    EXPRESSION,
    PROSE,
    AnyOf,
    ByKey,
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
from interpreter.syntax.verb_grammar import (
    BY_WORD,
    DECLARATION,
    FIRST_OF,
    NAMES,
    NOTED,
    OUTCOMES,
    STEPS,
    TEXT,
    TITLED,
    VERBS,
    WORD,
    WORDS,
    plain_or_long,
    rows_shape,
)

SECTIONS: dict[str, Shape] = {
    "roles": MapOf(AnyOf((PROSE, Ref("tag")), "is")),
    "comparators": MapOf(plain_or_long(OneOf(RELATIONS))),
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
    "minor": EXPRESSION,
    "ask": TEXT,
    "shows": TEXT,
    "formerly": NAMES,
    **TITLED,
}
_RULE: dict[str, Shape] = {
    "title": PROSE,
    "inputs": MapOf(DECLARATION),
    "passes": ListOf(Name()),
    "requires": MapOf(plain_or_long(EXPRESSION)),
    "steps": STEPS,
    "outcomes": OUTCOMES,
    "also": MapOf(AnyOf((EXPRESSION, ByKey("if", Ref("flag"), OUTCOMES)), "if")),
    **NOTED,
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
            "rounding": plain_or_long(OneOf(ROUNDINGS)),
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
    "is": Form("a value", {"is": FreeForm(), **NOTED}, ("is",)),
    "word": Form(
        "a word",
        {"formerly": NAMES, **TITLED},
        about="A word of a list: what people call it, and what it means.",
        abouts={"formerly": FORMERLY},
    ),
    "tag": Form("a name", {"is": PROSE, **TITLED}, about="A name with what it means, and what people call it."),
    "keep": Form("what is kept", {"lowest": EXPRESSION, "highest": EXPRESSION}),
    "line": Form("a line of a comparison", {"ours": EXPRESSION, "theirs": EXPRESSION, **NOTED}, ("ours", "theirs")),
    "first_of_case": Form("a case", {"if": EXPRESSION, "is": EXPRESSION, **TITLED}, ("is",)),
    "outcome": Form(
        "an outcome",
        {"if": EXPRESSION, "counts_as": Name(), "tells": TEXT, "steps": STEPS, **TITLED},
        about="Holds where its condition does and none before it did.",
        abouts={
            "if": "Its condition; an outcome beside `read` of a word has none.",
            "tells": "What a record of play says instead of its name, with values between braces.",
        },
    ),
    "flag": Form("a reading", {"if": EXPRESSION, **TITLED}, ("if",)),
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
            "requires": MapOf(plain_or_long(EXPRESSION)),
            "summary": ListOf(Name()),
            "formerly": NAMES,
            **TITLED,
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
            **{key: shape for key, shape in _DECLARED.items() if key not in ("by", "minor", "ask", "shows")},
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
    "die": Form("a die", {"faces": ListOf(EXPRESSION), **NOTED}, ("faces",)),
    "ladder": Form(
        "a ladder",
        {"rungs": AnyOf((ListOf(Name()), MapOf(WORD, ordered=True))), **NOTED},
        ("rungs",),
    ),
    "function": Form(
        "a function",
        {"takes": MapOf(DECLARATION), "type": Name(), "gives": AnyOf((EXPRESSION, Ref("gives"))), **NOTED},
        ("gives",),
    ),
    "gives": Form(
        "what a function gives",
        {"first_of": FIRST_OF, **NOTED},
        ("first_of",),
    ),
    "table": Form(
        "a table",
        {
            "type": Name(),
            "rows": rows_shape(4),
            "off_the_rows": EXPRESSION,
            "claims": MapOf(Ref("claim")),
            **NOTED,
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
            **NOTED,
        },
        ("mechanic", "is"),
        about="A chance that each row of a table claims. `row`, `column` and `value` are those of the row.",
        abouts={
            "is": "The chance that a row claims; a quotient is exact here.",
            "within": "How far a printed chance may be off; 0 by default.",
        },
    ),
    "row": Form("a row", {"is": EXPRESSION, **NOTED}, ("is",)),
    "record": Form("a type", {"written_as": Name(), "has": MapOf(DECLARATION, least=1), **NOTED}, ("has",)),
    "modifier": Form(
        "a modifier",
        {
            "title": PROSE,
            "to": Name(),
            "by": Name(),
            "takes": MapOf(DECLARATION),
            "adds": MapOf(EXPRESSION, least=1),
            **NOTED,
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
        {"to": Name(), "waives": ListOf(Name()), "counts_as": EXPRESSION, **NOTED},
        about="How an action may be done as one of another kind: the costs that are waived, and what counts as spent.",
    ),
    "action": Form(
        "an action",
        {
            **_DONE,
            "shows": TEXT,
            "kind": Name(),
            "upgrade": Ref("upgrade"),
            "may_refuse": OneOf(("yes", "no")),
            "formerly": NAMES,
        },
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
            "requires": MapOf(plain_or_long(EXPRESSION)),
            "steps": STEPS,
            "round": MapOf(Ref("phase"), 1, ordered=True),
            "guard": EXPRESSION,
            "outcomes": MapOf(AnyOf((EXPRESSION, Ref("scene_outcome")), "if"), 1, ordered=True),
            "formerly": NAMES,
            **NOTED,
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
        {"title": PROSE, "steps": STEPS, "formerly": NAMES, **NOTED},
        ("steps",),
        abouts={"formerly": FORMERLY},
    ),
    "scene_outcome": Form(
        "an outcome",
        {"if": EXPRESSION, "tells": TEXT, "steps": STEPS, **TITLED},
        about="An end of a scene; its steps run last.",
        abouts={"tells": "What people are told instead of its name, such as who has won, with values between braces."},
    ),
    "key": Form(
        "a key",
        {"high": EXPRESSION, "low": EXPRESSION, **TITLED},
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
