"""HR1: the shape of a ruleset."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping, Set

from interpreter.diagnostics.model import Diagnostic
from interpreter.diagnostics.source import NOWHERE, Span
from interpreter.diagnostics.suggest import (
    UNSURE,
    did_you_mean,
    in_backticks,
    list_words,
    near_or_list,
    respelling_edit,
)
from interpreter.diagnostics.usual_costs import costs_meant, limit_in_words, span_meant
from interpreter.diagnostics.usual_names import is_only_meaning, meant_by
from interpreter.diagnostics.usual_ranges import range_meant
from interpreter.diagnostics.usual_shapes import entries_meant, shape_meant


def _where_to_ask(key: str) -> str:
    return f"`{key}` stands beside an input of an action, or in a step with `choose`"


def nobody_is_asked(span: Span, key: str, what: str) -> Diagnostic:
    """Of `by`, `ask` or `shows` beside a declaration that no question is put for."""
    return Diagnostic("HR101", f"`{key}` does nothing here: nobody is asked for {what}", span, _where_to_ask(key))


def no_answers_to_show(span: Span, kind: str) -> Diagnostic:
    return Diagnostic(
        "HR101",
        f"`shows` does nothing here: the possible answers are not known for {kind}",
        span,
        "say with `among` which values there are, or of a number with `from` and `to`",
    )


def condition_beside_dice(span: Span, key: str, verb: str, of: str, condition: str) -> Diagnostic:
    """Of `{reroll: r, where: face == 1}`."""
    message = f"`{key}` is no key beside `{verb}`: a condition stands behind what it picks from"
    help_text = f"write `{{{verb}: {of} where {condition or '…'}}}`"
    if verb == "roll":  # nothing can be picked before the dice are thrown
        help_text = (
            f"throw the dice, `{{roll: {of}}}`, and pick some in a later step: `its_dice where {condition or '…'}`"
        )
    return Diagnostic("HR101", message, span, help_text)


_DECLARED = ("a declaration", "what a thing has")


def unknown_key(
    span: Span, key: str, known: Iterable[str], where: str, value: str = "", taken: Set[str] = frozenset()
) -> Diagnostic:
    """`value` is the text beside the key, where it is a single one; `taken` are keys that cannot stand there, too."""
    known = list(known)
    free = [one for one in known if one not in taken]
    likely_key: str | None = None
    help_text = near_or_list(key, known, "the keys are")
    if where == "a roll" and key in ("keep", "drop", "best", "worst", "highest", "lowest"):
        help_text = "a later step reads some of the dice: `highest(rolled, 3)` or `lowest(rolled, 3)`"
    elif where == "a roll" and key in ("explode", "explodes", "exploding", "ace"):
        help_text = "a die is rolled again while a condition holds: `again: face == 6`"
    elif where == "a reroll" and key in ("first", "by", "order", "sort"):
        help_text = "say in the value which dice come first: `{reroll: rolled where face == 1 by -size, most: 1}`"
    elif where in _DECLARED and key in ("range", "between", "bounds", "limits", "within"):
        ends = range_meant(value)
        low, _, high = (ends.text if ends is not None else "1 to 6").partition(" to ")
        help_text = f"write `from: {low}, to: {high or 6}`"
    elif where in _DECLARED and key in ("required", "mandatory", "nullable", "optional_"):
        help_text = "one that may be left out has `optional: yes` or a `default`; any other must be given"
    elif where == "a roll" and key in ("times", "number", "count", "amount", "dice", "qty"):
        help_text = f"the number stands before the dice: `{{roll: ({value or 'n'})d6}}`"
        help_text = help_text.replace("(", "").replace(")", "") if value.isdigit() else help_text
    elif where == "a roll" and key in ("advantage", "adv", "disadvantage", "dis", "boon", "bane"):
        which = "highest" if key.startswith(("adv", "boon")) else "lowest"
        help_text = f"throw two and read one of them in a later step: `rolled: {{roll: 2d20}}`, then `{which}(rolled)`"
    elif where == "a roll" and key in ("table", "lookup"):
        help_text = f"the table stands at `on`: `{{roll: d6, on: {value or 'its_table'}}}`"
    elif where == "a loss" and key in ("by", "amount"):
        help_text = f"the number stands at `lose`, and what loses it at `from`: `{{lose: {value}, from: who.luck}}`"
    elif where == "a gain" and key in ("by", "amount"):
        help_text = f"the number stands at `gain`, and what gains it at `to`: `{{gain: {value}, to: who.luck}}`"
    elif where == "a changed event" and key in ("to", "by"):
        help_text = f"the inputs of the event stand under `change`: `{{change: {{amount: {value}}}}}`"
    elif where == "a declaration" and key == "choose":
        help_text = "an input is declared: `{one_of: [low, high]}`, or `{type: number, from: 1, to: 3}`"
    elif where == "what a thing has" and key in ("by", "ask", "shows"):
        help_text = f"nobody is asked for it: {_where_to_ask(key)}"
    elif likely_key := meant_by(key, free, value) or meant_by(key, known, value):
        help_text = f"did you mean `{likely_key}`?"
        if where == "a reaction" and likely_key == "before":
            help_text = f"write `before: {value}` to change or cancel it, or `after: {value}`"
    elif where == "a ruleset" and (likely_key := meant_by(key, ("extends", "changes"))):
        help_text = f"did you mean `{likely_key}`? A house rule has `extends: its-base` and `changes: …`"
    elif where == "a mechanic" and key in ("roll", "reroll", "choose", "repeat", "call", "compare", "is"):
        help_text = f"`{key}` stands in a step with a name: `steps: {{its_name: {{{key}: …}}}}`"
    elif where == "a change":
        help_text = (
            did_you_mean(key, known)
            or f"the key above is a path with dots, such as `mechanics.{key}.steps`; {help_text}"
        )
    near = did_you_mean(key, known)
    edits = respelling_edit(span, key, known) if near is not None and help_text == near else ()
    edits = tuple(one for one in edits if one[1] not in taken)
    sure = help_text == f"did you mean `{likely_key}`?" and span.text == key and is_only_meaning(key, free, value)
    proposed = ((span, likely_key),) if likely_key and sure else ()
    return Diagnostic("HR101", f"unknown key `{key}` in {where}", span, help_text, edits=edits, proposed=proposed)


def other_mapping(span: Span, key: str, where: str, written: str) -> Diagnostic:
    """Of `{lose: who.luck, by: 2}`; `written` is the whole mapping as it is meant."""
    message = f"`{key}` is no key of {where}, or does not hold what it should"
    return Diagnostic("HR101", message, span, f"write `{written}`")


def values_for_words(span: Span, words: Iterable[str]) -> Diagnostic:
    """Of what a thing has, written as `skills: {awe: 1, song: 2}`, without a type."""
    words = list(words)
    message = f"{list_words(words)} {'are no keys' if len(words) > 1 else 'is no key'} of what a thing has"
    return Diagnostic("HR101", message, span, "a number for each word of a list is `{type: number, per: its_list}`")


def missing_key(span: Span, key: str, where: str, beside: str = "") -> Diagnostic:
    """`beside` is the text of a value beside the missing key, which may hold it after a forgotten comma."""
    inside = re.search(rf"(?P<value>.*\S)\s+(?:{re.escape(key)}\b|=)\s*(?P<of>\S.*)", beside)
    way_out = f"put a comma and a colon in: `{inside['value']}, {key}: {inside['of']}`" if inside else f"add `{key}: …`"
    if where == "a limit":
        way_out = limit_in_words(beside)
    return Diagnostic("HR102", f"{where} needs `{key}`", span, way_out)


def question_without_sure_part(span: Span) -> Diagnostic:
    """Of `ask` with a condition at every part."""
    return Diagnostic(
        "HR119",
        "each part of this question has a condition, so it may ask nothing",
        span,
        "write a part without `if`, which asks in any case, or give one an `else`",
    )


def otherwise_of_a_part(span: Span) -> Diagnostic:
    """Of `if: otherwise` in a part."""
    return Diagnostic(
        "HR119",
        "a part of a text is not one of several cases, so it cannot be said `otherwise`",
        span,
        "say it at `else` of the part with the condition: `{say: …, if: …, else: …}`",
    )


ENTRIES = "`name: …` entries"
"""What YAML calls a mapping."""


def wrong_shape(span: Span, what: str, wanted: str, found: str) -> Diagnostic:
    help_text = None
    entries = entries_meant(what, span.text) if what != "`cost`" and ENTRIES in wanted else None
    if (written := entries or shape_meant(wanted, what, span.text)) is not None:
        help_text = f"write `{written}`"
        if wanted == "a declaration":
            help_text += "; a house rule sets the `….default` of an existing one"
    elif found == "a list" and ENTRIES in wanted and what != "`cost`":
        help_text = "write `name: …` on each line, without the `- `"
    elif what == "`cost`" and (costs := costs_meant(span.text)) is not None:
        help_text = f"write `{costs}`"
    elif what == "`cost`":
        help_text = f"name the points that are paid: `{{its_points: {span.text if span.text.isdigit() else 1}}}`"
    elif found == "a single value" and wanted == ENTRIES:
        help_text = f"write `name: …` on lines of their own under {what}, indented by two columns"
    elif found == "a single value" and "a list" in wanted:
        help_text = f"write `[{span.text}]`"
    elif wanted == "a declaration" and found == "a single value":
        help_text = f"write `{{type: …, default: {span.text}}}`; a house rule sets the `….default` of an existing one"
    elif wanted == "a limit":
        help_text = limit_in_words(span.text)
    elif what == "`choose`" and re.fullmatch(r"\[\s*(?:yes|no)\s*,\s*(?:yes|no)\s*\]", span.text):
        help_text = "write `choose: yes_no`"
    elif what == "`choose`":
        help_text = f"to have one of a list chosen, write `choose: one` and `among: {' '.join(span.text.split())}`"
    elif wanted == "an expression" and found == ENTRIES and (conditional := _meaning_of_conditional_key(span)):
        help_text = f"a value that depends on a condition is an expression: `{conditional}`"
    elif wanted == "a change":
        value = span.text if found in ("a single value", "a list") and "\n" not in span.text else "…"
        help_text = f"write `{{set: {value}, because: …}}`, with the reason"
        if value != "…":
            return Diagnostic("HR103", f"{what} should be {wanted}, not {found}", span, help_text,
                              proposed=((span, f"{{set: {value}, because: the reason}}"),))  # fmt: skip
    proposed = ((span, f"[{span.text}]"),) if help_text == f"write `[{span.text}]`" else ()
    return Diagnostic("HR103", f"{what} should be {wanted}, not {found}", span, help_text, proposed=proposed)


def no_value(span: Span, key: str) -> Diagnostic:
    return Diagnostic("HR104", f"`{key}:` has no value", span, "write one, or remove the key")


def empty_block(span: Span, key: str, style: str) -> Diagnostic:
    return Diagnostic(
        "HR104",
        f"`{key}: {style}` begins a block of text, and the block is empty",
        span,
        "write a comparison in words: `more than`, `at least`, `at most`, `less than`",
    )


_ROUNDINGS = {
    **dict.fromkeys(("floor", "truncate", "trunc"), "down"),
    **dict.fromkeys(("ceil", "ceiling"), "up"),
    **dict.fromkeys(("round", "half_up", "half up"), "nearest"),
}


def not_one_of(span: Span, what: str, text: str, allowed: Iterable[str], meant: str | None = None) -> Diagnostic:
    """`meant` is the allowed word that says the same as the text."""
    allowed = list(allowed)
    if meant is not None:
        message = f"{what} must be one of {list_words(allowed)}, not `{text}`"
        sure = () if UNSURE.search(text) else ((span, meant),)
        return Diagnostic("HR105", message, span, f"write `{meant}`", edits=sure)
    if allowed == ["random"]:
        return Diagnostic(
            "HR105", f"this key of an order is neither `random` nor does it say `high` or `low`: `{text}`", span,
            f"write `{{high: {text}}}` for the highest first, or `{{low: {text}}}`",
        )  # fmt: skip
    help_text = did_you_mean(text, [one for one in allowed if len(one.split()) == len(text.split())])
    if "round" in allowed and (span_of_others := span_meant(text)) is not None:
        help_text = f"write `{span_of_others}`"
    if what == "`choose`" and help_text is None:
        help_text = f"to have one of a list chosen, write `choose: one` and `among: {text}`"
    if len(allowed) == 1:
        help_text = f"write {what.strip('`')}: `{allowed[0]}`"
    if what == "`rounding`":
        help_text = f"write `{_ROUNDINGS[text]}`" if text in _ROUNDINGS else help_text
    edits = respelling_edit(span, text, allowed)
    return Diagnostic(
        "HR105", f"{what} must be one of {list_words(allowed)}, not `{text}`", span, help_text, edits=edits
    )


def several_of(
    span: Span, what: str, text: str, allowed: Iterable[str], count: tuple[str, str], counted: str
) -> Diagnostic:
    """Of `lasts: 2 rounds`; `count` is the number with its unit, and `counted` the key of a form that takes one."""
    number, unit = count
    message = f"{what} must be one of {list_words(allowed)}, not `{text}`"
    if counted == f"{unit}s" or number == "1":
        likely_text = f"{{{counted}: {number}}}" if counted == f"{unit}s" else unit
        return Diagnostic("HR105", message, span, f"write `{likely_text}`", edits=((span, likely_text),))
    others = f", and of several only {counted} can be counted: `{{{counted}: …}}`" if counted else ""
    return Diagnostic("HR105", message, span, f"`{unit}` is one {unit}{others or ', and there cannot be several here'}")


LIKE_A_DIE = re.compile(r"d\d+", re.ASCII)
"""A name that expressions would read as a die."""


def bad_name(span: Span, name: str, scripts: Set[str] = frozenset()) -> Diagnostic:
    """`scripts` are those of its letters, if they cannot stand in one name."""
    if LIKE_A_DIE.fullmatch(name):
        return Diagnostic(
            "HR106", f"`{name}` cannot be a name: it is read as a die", span, f"call it `{name}_` or another word"
        )
    way_out = "a name is letters, digits and `_`, and begins with a letter"
    plain = unicodedata.normalize("NFKC", name)
    if name != plain and name[:1].isalpha():
        return Diagnostic("HR106", f"`{name}` cannot be a name", span, f"write usual letters and digits: `{plain}`")
    if scripts and name.isidentifier():
        message = f"`{name}` cannot be a name: its letters are {' and '.join(sorted(scripts))}"
        return Diagnostic("HR106", message, span, "type it again in one script; letters of two may look alike")
    if declared := re.fullmatch(r"(?:let|var|const|def|define|set|local|my|int|number|step)\s+(\w+)", name):
        return Diagnostic("HR106", f"`{name}` cannot be a name", span, f"write the name alone: `{declared[1]}`")
    if (near := name_like(name)) is not None:
        way_out = f"call it `{near}`: {way_out}"
    conditional = _meaning_of_conditional_key(span)
    if conditional is not None:
        way_out = f"begin with the name of the value, as in `bonus: {conditional}`"
    return Diagnostic("HR106", f"`{name}` cannot be a name", span, way_out)


def name_like(text: str) -> str | None:
    """A name that is as much as possible like a text that is none; None where nothing of it can be kept."""
    name = re.sub(r"\W+", "_", unicodedata.normalize("NFC", text)).strip("_")
    if name[:1].isdigit():
        name = f"n_{name}"
    return name if 1 < len(name) <= 40 and name != text and not LIKE_A_DIE.fullmatch(name) else None


_TESTED = re.compile(r"[{\"']?\s*(?:if|when)\s+([^:\n]+?)[\"']?\s*:(?:[ \t]+([\w(+-][\w.() +*/&-]*?))?\s*(?:[#,}\n]|$)")
"""A condition in the place of a key, and the value after it."""


def _meaning_of_conditional_key(span: Span) -> str | None:
    """What a key such as `if hard` stands for, with its value: `2 if hard else 0`; None for any other key."""
    found = _TESTED.match(span.source.text, span.start)
    if found is None:
        return None
    return f"{found[2]} if {found[1]} else 0" if found[2] else f"a if {found[1]} else b"


def reserved_name(span: Span, name: str, why: str) -> Diagnostic:
    other = _OTHER_WORDS.get(name, f"{name}_")
    return Diagnostic("HR107", f"`{name}` cannot be a name here: {why}", span, f"call it `{other}` or another word")


_OTHER_WORDS = {
    "where": "place",
    "by": "source",
    "is": "state",
    "none": "nothing",
    "not": "denied",
    "yes": "agreed",
    "no": "refused",
    "up": "is_up",
    "down": "is_down",
    "nearest": "closest",
    "given": "received",
    "highest": "best",
    "lowest": "worst",
    "count": "number",
    "sum": "total",
    "any": "some",
    "all": "everybody",
    "only": "single",
    "first": "opening",
    "last": "final",
    "item": "thing",
    "without": "rest",
    "groups": "sets",
    "min": "least",
    "max": "most",
    "cap": "limit",
    "times": "copies",
    "ordered": "in_order",
    "reversed": "backwards",
    "rung": "step",
    "rung_of": "steps",
    "common": "shared",
    "outranks": "leads",
    "round": "turn",
}
"""Names that authors reach for and the language keeps for itself, each with a free word that says as much."""


def too_far_left(span: Span, key: str, above: str, where: str) -> Diagnostic:
    """Of a line under `steps:` that is not indented deeper than it."""
    return Diagnostic("HR101", f"`{key}` stands as far left as `{above}:`, and is no key of {where}", span,
                      f"indent what belongs to `{above}` by two columns more")  # fmt: skip


def section_too_far_left(span: Span, key: str, above: str) -> Diagnostic:
    """Of `outcomes:` that stands as far left as the name of its mechanic."""
    return Diagnostic("HR101", f"`{key}` stands as far left as `{above}:`, and belongs to it", span,
                      "indent it, and what belongs to it, by two columns more")  # fmt: skip


def too_far_right(span: Span, key: str, above: str) -> Diagnostic:
    """Of `steps:` that is indented under `inputs:`."""
    return Diagnostic("HR102", f"`{key}` is indented so far that it belongs to `{above}`", span,
                      f"indent it as far as `{above}`")  # fmt: skip


def no_verb(span: Span, verbs: Iterable[str], condition: str, asked: bool = False) -> Diagnostic:
    """`condition` is what stands at `if`, perhaps a whole sentence with `then`; `asked` if `ask` stands there, too."""
    help_text = f"a step has one of {list_words(verbs, 40)}"
    said = re.fullmatch(
        r"(?P<when>.+?),? then (?P<verb>[a-z]+) (?P<rest>[^,]+?)(,? else (?P<otherwise>.+))?", condition
    )
    if said and said["verb"] in verbs and not said["otherwise"]:
        help_text = f"write `{{{said['verb']}: {said['rest']}, if: {said['when']}}}`"
    elif found := re.fullmatch(r"(?P<when>.+?),? then (?P<what>.+?)(,? else (?P<otherwise>.+))?", condition):
        otherwise = f", else: {found['otherwise']}" if found["otherwise"] else ""
        help_text = f"write `{{is: {found['what']}, if: {found['when']}{otherwise}}}`"
    elif asked:
        help_text = "a question is a step with `choose`: write `choose: yes_no` beside `ask`"
    return Diagnostic("HR108", f"{in_backticks(span)} has no verb", span, help_text)


ROLL_ON = ("roll_on", "on", "table", "roll_table", "lookup")
"""Verbs that other tools have for a throw whose row in a table is read."""


def unknown_verb(span: Span, key: str, verbs: Iterable[str], value: str = "") -> Diagnostic:
    """`value` is the text beside the key, where it is a single one."""
    verbs = list(verbs)
    likely_verb = meant_by(key, verbs, value)
    help_text = f"did you mean `{likely_verb}`?" if likely_verb else did_you_mean(key, verbs)
    conditional = _meaning_of_conditional_key(span)
    if conditional is not None:
        help_text = f"a value that depends on a condition is an expression: `{conditional}`"
    if key in ("ask", "prompt", "question", "by", "message"):
        help_text = f"a question is a step with `choose`: `{{choose: yes_no, ask: {value or '…'}}}`"
    elif key in ("chance", "probability", "odds", "percent"):
        share = value.strip("% ") if value.strip("% ").isdigit() else "50"
        help_text = f"a chance is a throw: `rolled: {{roll: d100}}`, and then `rolled <= {share}`"
    elif key in ROLL_ON:
        help_text = f"write `{{roll: d6, on: {value or 'its_table'}}}`"
    sure = () if likely_verb or conditional is not None or key in ROLL_ON else respelling_edit(span, key, verbs)
    if not value and not likely_verb and not sure and key.isidentifier():
        help_text = f"a mechanic is called so: `{{call: {key}, with: {{…}}}}`; {help_text or 'other steps have a verb'}"
    help_text = help_text or f"a step has one of {list_words(verbs, 40)}"
    proposed = ((span, likely_verb),) if likely_verb and conditional is None else ()
    return Diagnostic("HR108", f"unknown verb `{key}`", span, help_text, edits=sure, proposed=proposed)


def step_without_name(span: Span, key: str, verb: str, written: str) -> Diagnostic:
    """Of `steps: {add: what, to: actor.hold}`; `written` is the step, or nothing where it is long."""
    way_out = f"`{key}: {{its_name: {written}}}`" if written else f"indent it under a name, `its_name:`, below `{key}`"
    return Diagnostic("HR108", f"`{verb}` stands where the name of a step should: each step has one", span,
                      f"write {way_out}")  # fmt: skip


def two_verbs(span: Span, verbs: Iterable[str], name: str, parts: Mapping[str, str]) -> Diagnostic:
    """Of `r: {repeat: 3, roll: d6}`. `parts` are the steps that are meant, by their verbs and as text, or none where
    they cannot be written in a line."""
    verbs = list(verbs)
    message = f"this step has more than one verb: {list_words(verbs)}"
    first, *others = list(parts.values()) or [""]
    if not parts:
        help_text = "make each of them a separate step"
    elif outer := next((one for one in ("repeat", "for", "turn") if one in parts), None):
        inside = ", ".join(f"{verb}_{name}: {text}" for verb, text in parts.items() if verb != outer)
        key = "steps" if outer == "turn" else "each"
        around = re.sub(r"\bface\b", f"roll_{name}", parts[outer]) if "roll" in parts else parts[outer]
        help_text = f"write `{around[:-1]}, {key}: {{{inside}}}}}`"
    elif "roll" in parts and "reroll" in parts:
        thrown = re.sub(r"^\{reroll: (?:.*?\bwhere )?(.*)\}$", r"\1", parts["reroll"])
        condition = f"face == {thrown}" if thrown.isdigit() else thrown if re.search(r"[<>=]", thrown) else "face == 1"
        help_text = (
            f"write `{name}: {parts['roll']}`, and after it `{name}_again: {{reroll: {name} where {condition}}}`"
        )
    else:
        more = " and ".join(f"`{name}_{number}: {text}`" for number, text in enumerate(others, 2))
        help_text = f"make each of them a separate step: `{name}: {first}` and {more}"
    return Diagnostic("HR109", message, span, help_text)


def two_types(span: Span, name: str, keys: Iterable[str]) -> Diagnostic:
    """Of `{type: text, one_of: [low, high]}`."""
    *others, kept = keys
    return Diagnostic("HR109", f"the type of `{name}` is said more than once: {list_words((*others, kept))}", span,
                      f"keep `{kept}`, and remove {list_words(others)}")  # fmt: skip


def no_type_said(span: Span, name: str, default: str, *bounds: str) -> Diagnostic:
    """Of `{default: 3}`."""
    kind = "number" if any(bounds) else next((of for form, of in _TYPES if re.fullmatch(form, default)), None)
    way_out = "say what it is: `type: number`, `type: yes_no`, `one_of: [low, high]` or `list_of: number`"
    return Diagnostic("HR102", f"`{name}` needs `type`", span, f"add `type: {kind}`" if kind else way_out)


_TYPES = ((r"[+-]?\d+", "number"), ("yes|no", "yes_no"), (r"\d*d\d+(?: & \d*d\d+)*|no_dice", "dice"))
"""Forms of values, each with the type that has them."""


def two_ways_to_keep(span: Span, ways: Iterable[str]) -> Diagnostic:
    """Of `keep: {lowest: a, highest: b}`."""
    return Diagnostic("HR109", f"one pass is kept, and this says two: {list_words(ways)}", span, "keep one of them")


def two_verbs_of_a_change(span: Span, verbs: Iterable[str]) -> Diagnostic:
    return Diagnostic("HR109", f"this change has more than one verb: {list_words(verbs)}", span, "keep one of them")


def wrong_language(span: Span, found: str) -> Diagnostic:
    return Diagnostic("HR110", f"this interpreter reads language 1, not `{found}`", span)


def for_another_ruleset(span: Span, name: str, game: str) -> Diagnostic:
    return Diagnostic("HR117", f"this scene is for `{name}`, not for `{game}`", span,
                      f"write `of: {game}`, or play it with `{name}`")  # fmt: skip


def no_scene_named(span: Span, name: str) -> Diagnostic:
    return Diagnostic("HR116", f"`{name}` holds a state and names no scene", span, "name one with `scene: …`")


def not_a_ruleset(span: Span, scene_of: str | None = None) -> Diagnostic:
    """`scene_of` is the ruleset that a scene file names; None of any other file."""
    if scene_of is not None:
        file = span.source.name
        way_out = f"its ruleset is `{scene_of}`, and the scene is played with `houserule play {file}`"
        return Diagnostic("HR112", "this is a scene file, not a ruleset", span, way_out)
    way_out = "a ruleset begins with `ruleset: its-name`"
    if span.source.name.endswith(".json"):
        way_out += f"; `houserule act RULESET {span.source.name}` takes a file of things"
    return Diagnostic("HR112", "this is not a ruleset", span, way_out)


def save_as_ruleset(span: Span, kind: str) -> Diagnostic:
    """`kind` is what the save says that it is, such as `session`."""
    file = span.source.name
    uses = [use_of_save(kind, file), f"`houserule adopt RULESET {file}` tells whether it fits a ruleset"]
    return Diagnostic("HR112", "this is a save, not a ruleset", span, "; ".join(filter(None, uses)))


def use_of_save(kind: str | None, file: str) -> str:
    """What a save of a kind is for, and by which command; empty for what no command takes alone."""
    return {
        "session": f"`houserule play {file}` goes on with it",
        "journal": f"`houserule play {file}` goes on with it",
        "state": f"`houserule play SCENE --from {file}` begins a scene in it",
        "result": f"`houserule replay RULESET {file}` plays it again",
    }.get(kind or "", "")


def campaign_as_ruleset(name: str) -> Diagnostic:
    use = f"`houserule play {name} SCENE` plays its next scene; `{name}/campaign.yaml` names its rules"
    return Diagnostic("HR112", f"`{name}` is a campaign, not a ruleset", NOWHERE, use)


def bad_ruleset_name(span: Span, name: str) -> Diagnostic:
    return Diagnostic(
        "HR118",
        f"`{name if len(name) <= 60 else name[:59] + '…'}` cannot be used as a name",
        span,
        "a name begins with a letter or a digit, and has at most 100 letters, digits, `-` and `_`",
    )


def part_of_another(span: Span, name: str, wanted: str) -> Diagnostic:
    return Diagnostic("HR113", f"this part belongs to `{name}`, not to `{wanted}`", span)


def no_such_part(span: Span, name: str, reason: str, way_out: str | None = None) -> Diagnostic:
    way_out = way_out or "a part is a file of the ruleset's own folder"
    return Diagnostic("HR114", f"the part `{name}` cannot be read: {reason}", span, way_out)


def open_choice(span: Span, key: str) -> Diagnostic:
    end = "lowest" if key == "from" else "highest"
    return Diagnostic(
        "HR102",
        f"the choice of a number needs `{key}`",
        span,
        f"give the {end} number that may be chosen: a limit of the rules, or one that play never reaches",
    )


def bad_status(span: Span, status: str, known: Iterable[str]) -> Diagnostic:
    known = list(known)
    return Diagnostic(
        "HR115",
        f"`{status}` is not a status of a source",
        span,
        near_or_list(status, known, "it is one of"),
        edits=respelling_edit(span, status, known),
    )
