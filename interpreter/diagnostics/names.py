"""HR3: names."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from interpreter.diagnostics.model import Diagnostic
from interpreter.diagnostics.source import Span
from interpreter.diagnostics.suggest import did_you_mean, is_slip, listed, near_or_list, respelt

_TRUTH = {"true": "yes", "false": "no"}
_WORDS = ("and", "or", "not", "if", "else", "otherwise", "in", "is", "where", "yes", "no", "none")


def or_list_the_word(unknown: Diagnostic, table: str) -> Diagnostic:
    """A row of a table that may be meant as a word: nothing of a similar name is defined."""
    if not is_unlike_all(unknown):
        return unknown
    word = unknown.span.text
    help_text = f"if `{word}` is a word, list all of them, `names: {{a_{table}: [{word}, …]}}`; or add `type: text`"
    return replace(unknown, help=help_text)


DEFINED_HERE = "defined here"


def is_unlike_all(unknown: Diagnostic) -> bool:
    """Whether a name is not defined, and nothing else is known of it: no similar name, no other place."""
    return unknown.code == "HR301" and (unknown.help or DEFINED_HERE).startswith(DEFINED_HERE)


def is_misspelt(unknown: Diagnostic) -> bool:
    """Whether a name is not defined, and one that is can be the only one that is meant."""
    return unknown.code.startswith("HR3") and bool(unknown.edits)


def undeclared_words(span: Span, unknown: Iterable[str], words: Iterable[str], as_texts: bool) -> Diagnostic:
    """Of `among: [push, hold]`, a list of words that nothing declares, or not all; `as_texts` if texts are expected."""
    words, unknown = list(words), list(unknown)
    written = f"[{', '.join(words)}]"
    help_text = f"list words under `names`, `names: {{a_name: {written}}}`, and write `a_name` here; "
    help_text += "words in order go under `ladders`"
    if as_texts:
        help_text = f"words are no texts: for one of these, write `one_of: {written}` in place of `type` and `among`; "
        help_text += "for several, list them under `names`"
    are = "are" if len(unknown) > 1 else "is"
    return Diagnostic("HR301", f"{listed(unknown)} {are} not defined here", span, help_text)


def unknown_name(span: Span, name: str, known: Iterable[str], elsewhere: str | None = None) -> Diagnostic:
    """`elsewhere` is what the name is in another place, and how it is read there."""
    truth = "truth is written `yes` and `no`" if is_truth(name) else None
    known = list(known)
    if name.lower() in ("nothing", "null", "nil"):
        elsewhere = "write `0` for no number, `no_dice` for no dice, and `none` for a value that is missing"
    elif name.lower() in _WORDS and name not in _WORDS:
        elsewhere = f"write `{name.lower()}`: the words of the language have small letters"
    help_text = truth or elsewhere or near_or_list(name, known, DEFINED_HERE)
    small = name.lower()
    edits: tuple[tuple[Span, str], ...]
    if truth:
        edits = ((span, _TRUTH[small]),) if small in _TRUTH and span.text == name else ()
    elif small in _WORDS and name not in _WORDS:
        edits = ((span, small),) if span.text == name else ()
    else:
        edits = () if elsewhere else respelt(span, name, known)
    return Diagnostic("HR301", f"`{name}` is not defined here", span, help_text, edits=edits)


def or_given(unknown: Diagnostic) -> Diagnostic:
    """An unknown name in an expression of a command line, where a name may have its value beside the expression."""
    if not is_unlike_all(unknown):
        return unknown
    return replace(unknown, help=f"give its value beside the expression: `{unknown.span.text}=3`")


def is_an_option(name: str) -> str:
    return f"it is an option: write `options.{name}`"


def is_of(owners: Iterable[str], name: str) -> str:
    return "write " + " or ".join(f"`{owner}.{name}`" for owner in owners)


def is_a_table(name: str) -> str:
    return f"`{name}` is a table: write `{name}(…)` with the row in the brackets"


def is_in_a_list(name: str, of: str) -> str:
    return f"a list of `{of}` has brackets: `[{name}]`"


def is_a_kind(name: str) -> str:
    return f"`{name}` is a kind of thing; where there is only one, `one: yes` in the kind makes this its name"


NO_LIST_OF_THINGS = (
    "`things` is a section of the ruleset, and each thing in it is read by its own name; "
    "a list of things is an input, `{list_of: KIND}`, or an attribute of another thing"
)


def is_a_mechanic(name: str) -> str:
    return f"`{name}` is a mechanic: a step calls it, `{{call: {name}, with: {{…}}}}`, and later steps read its values"


def is_truth(name: str) -> bool:
    """Whether a name is truth as YAML or other languages write it."""
    return name.lower() in ("true", "false", "on", "off")


def or_the_text(slip: Diagnostic, text: str) -> Diagnostic:
    """A slip in an expression where a text is wanted, which may have been meant as the text itself."""
    itself = f"for the text itself, write `{{text: {text}}}`"
    return replace(slip, help=f"{slip.help}; {itself}" if slip.help else itself)


def later_name(span: Span, name: str, where: Span) -> Diagnostic:
    return Diagnostic(
        "HR302",
        f"`{name}` is not defined yet",
        span,
        "a step can only read the steps above it",
        notes=((where, "it is named here"),),
    )


def own_name(span: Span, name: str, where: Span, before: str | None) -> Diagnostic:
    """Of a step that reads itself. `before` is what it was, of a step that is done again and again; None of others."""
    help_text = f"begin with another name, or change it in stages: `{name}: {{start: …, then: {{more: {name} + 1}}}}`"
    if before is not None:
        help_text = before
    message = f"`{name}` is not defined yet: this is its own step"
    return Diagnostic("HR302", message, span, help_text, notes=((where, "it is named here"),))


def was_before(name: str, instead: str) -> str:
    """How a step of the `each` of a roll reads what it was in the throw before."""
    return f"what it was before is `(last(earlier.{name}) otherwise {instead})`"


def carry_it(name: str, begun: str) -> str:
    """How a step of a `repeat` reads what it was in the pass before."""
    return f"beside `repeat`, write `carry: {{{name}: {begun}}}`; then `{name}` is what it was in the pass before"


def done_so_far(span: Span, name: str, fields: Iterable[str]) -> str:
    """How the steps inside a `repeat` or a roll read what came before; `fields` are the names there."""
    field = field_after(span) or next(iter(fields), "total")
    return f"inside `{name}`, write `earlier.{field}` for those before, and `{field}` for this one"


def carried_nowhere(span: Span, name: str, steps: Iterable[str]) -> Diagnostic:
    """Of a name under `carry` that is no step of `each`."""
    steps = list(steps)
    near = near_or_list(name, steps, "the steps of `each` are")
    return replace(unknown_of(span, "step", name, steps), help=near, message=f"no step of `each` is called `{name}`")


def not_a_type(span: Span, name: str, known: Iterable[str], of_a_thing: bool) -> Diagnostic:
    """Of a word that is no type; `of_a_thing` where it stands alone beside the name of what a thing has."""
    problem = unknown_of(span, "type", name, known)
    written, help_text = "", "write"
    if re.fullmatch(r"[+-]?\d+", name):
        written = f"{{type: number, default: {name}}}"
    elif name in ("yes", "no"):
        written = f"{{type: yes_no, default: {name}}}"
    elif of_a_thing and name in ("points", "track"):
        written = f"{{type: {name}{', length: 5' if name == 'track' else ''}}}"
    elif of_a_thing and re.search(r"[-+*/<>=()]|\b(?:and|or|not|if|is)\b", name):
        written, help_text = f"{{is: {name}}}", "what follows from other values is written"
    if not written:
        return problem
    proposed = ((span, written),) if of_a_thing and span.text == name else ()
    return replace(problem, help=f"{help_text} `{written}`", edits=(), proposed=proposed)


def unknown_of(span: Span, what: str, name: str, known: Iterable[str]) -> Diagnostic:
    known = list(known)
    help_text = near = near_or_list(name, known, "there are")
    ends = re.fullmatch(r"(-?\d+)\s*(?:to|-|\.\.+|–)\s*(-?\d+)", name)
    if what == "type" and ends:
        help_text = f"write `{{type: number, from: {ends[1]}, to: {ends[2]}}}`"
    elif what == "role" and name in ("none", "nobody"):
        help_text = "nobody is the empty list, `[]`"
    elif what == "tag" and name in ("drop", "dropping", "keep", "keeping", "best", "worst", "lowest", "highest"):
        help_text = "roll all the dice, and read `highest(rolled, 3)` or `lowest(rolled, 3)` of them in the next step"
    elif what == "tag" and help_text is None:
        help_text = "a word after dice is a tag, and tags are declared under `tags`"
    edits = respelt(span, name, known) if help_text == near else ()
    return Diagnostic("HR303", f"there is no {what} `{name}`", span, help_text, edits=edits)


def article_before(span: Span, article: str, name: str) -> Diagnostic:
    """Of `by: the buyer`."""
    message = f"`{article}` has no meaning here: who is asked is named alone"
    return Diagnostic("HR303", message, span, f"write `{name}`", edits=((span, name),))


def name_taken(span: Span, name: str, first: Span) -> Diagnostic:
    return Diagnostic(
        "HR304",
        f"`{name}` is already taken",
        span,
        "a name can be defined only once; choose another",
        notes=((first, "it is named here"),),
    )


def or_a_change(taken: Diagnostic, path: str, change: str) -> Diagnostic:
    """Of a name in a section of a house rule that its base has already; `path` is what the house rule means there."""
    return replace(taken, help=f"to change what the base has, write under `changes`: `{path}: {{{change}}}`")


def unknown_field(span: Span, what: str, name: str, known: Iterable[str]) -> Diagnostic:
    if what in ("a die", "dice") and name in ("face", "value", "counts", "throws", "nth"):
        return Diagnostic(
            "HR305",
            f"{what} has no `{name}` before it is thrown",
            span,
            "throw the dice in a step of its own, `rolled: {roll: …}`, and read the roll",
        )
    known = list(known)
    help_text = near_or_list(name, known, "it has")
    return Diagnostic("HR305", f"{what} has no `{name}`", span, help_text, edits=respelt(span, name, known))


def entry_with_a_dot(span: Span, entries: str, name: str) -> Diagnostic:
    """Of `golem.runes.water`, where `golem.runes` has a value for each of some words."""
    return Diagnostic(
        "HR305", f"`{entries}` has a value for each of several words, which no dot reads", span,
        f"write `{entries}({name})`",
    )  # fmt: skip


def unknown_word(span: Span, word: str, of: str, known: Iterable[str]) -> Diagnostic:
    whose = f"not one of the {of}" if " " in of else f"not a word of `{of}`"
    known = list(known)
    help_text = near_or_list(word, known, "the words are")
    return Diagnostic("HR306", f"`{word}` is {whose}", span, help_text, edits=respelt(span, word, known))


def unknown_function(
    span: Span, name: str, known: Iterable[str], is_verb: bool = False, elsewhere: str | None = None
) -> Diagnostic:
    known = list(known)
    help_text = _ELSEWHERE.get(name.lower()) or elsewhere or did_you_mean(name, known)
    if is_verb:
        help_text = f"`{name}` is a verb: a step is `name: {{{name}: …}}`"
    near = did_you_mean(name, known)
    edits = respelt(span, name, known) if near is not None and help_text == near else ()
    return Diagnostic("HR307", f"there is no function or table `{name}`", span, help_text, edits=edits)


_ELSEWHERE = {
    "floor": "write `down(a / b)`",
    "ceil": "write `up(a / b)`",
    "ceiling": "write `up(a / b)`",
    "round": "write `nearest(a / b)`",
    "len": "write `count(xs)`",
    "length": "write `count(xs)`",
    "mod": "write `x - x / n * n`, or `units(x)` for the last digit",
    "half": "write `down(x / 2)` or `up(x / 2)`",
    "double": "write `2 * x`",
    "twice": "write `2 * x`",
    **dict.fromkeys(("average", "mean", "avg"), "write `sum(xs) / count(xs)`"),
    **dict.fromkeys(("median", "middle"), "write `item(ordered(xs), (count(xs) + 1) / 2)`"),
    **dict.fromkeys(("smaller", "lesser", "lower", "minimum", "smallest", "least", "at_most"),
                    "write `min(a, b)` for numbers, `lowest(xs)` for dice or a list"),
    **dict.fromkeys(("bigger", "greater", "larger", "higher", "maximum", "biggest", "largest", "most", "at_least"),
                    "write `max(a, b)` for numbers, `highest(xs)` for dice or a list"),
    **dict.fromkeys(("best", "top"), "write `highest(xs)` or, of several, `highest(xs, k)`"),
    **dict.fromkeys(("worst", "bottom"), "write `lowest(xs)` or, of several, `lowest(xs, k)`"),
    **dict.fromkeys(("total", "add", "add_up"), "write `sum(xs)`"),
    **dict.fromkeys(("number_of", "size", "how_many"), "write `count(xs)`"),
    **dict.fromkeys(("contains", "includes", "has"), "write `a in xs`; of a roll, `any(rolled where face == a)`"),
    **dict.fromkeys(("sort", "sorted"), "write `ordered(xs)`"),
    "reverse": "write `reversed(xs)`",
    **dict.fromkeys(("absolute", "magnitude"), "write `abs(x)`"),
    **dict.fromkeys(("between", "limit", "within"), "write `clamp(x, low, high)`; to test it, `low <= x <= high`"),
    "if": "write `a if condition else b`",
    **dict.fromkeys(("iif", "choose", "either"), "write `a if condition else b`"),
    **dict.fromkeys(("int", "integer", "trunc"), "numbers are whole: write `down(a / b)` or `up(a / b)`"),
    **dict.fromkeys(("pow", "power", "sqrt"), "there are no powers: multiply, or write a table"),
    **dict.fromkeys(("exists", "defined", "is_given", "has_value"), "write `given(x)`"),
    **dict.fromkeys(("lookup", "table"), "a table is read by its own name: `price(ware)`"),
    "keep": "write `highest(xs, k)` or `lowest(xs, k)`",
    "drop": "write `highest(xs, k)` or `lowest(xs, k)`",
}
"""What the functions of other languages are here."""


def not_called(span: Span, name: str) -> Diagnostic:
    return Diagnostic("HR308", f"`{name}` is a function", span, f"write `{name}(…)`")


def cycle(span: Span, names: Iterable[str]) -> Diagnostic:
    return Diagnostic(
        "HR309",
        "this definition is circular: " + " → ".join(f"`{name}`" for name in names),
        span,
        "nothing may use itself, directly or through others",
    )


def base_outside(span: Span) -> Diagnostic:
    return Diagnostic(
        "HR310", "`base` stands for the expression that a house rule replaces, and this is not a house rule", span
    )


def base_in_a_text(span: Span) -> Diagnostic:
    """Of `{base}` inside a longer text, or in a text that replaces none."""
    return Diagnostic(
        "HR310",
        "`{base}` stands for the text that a house rule replaces, and only as a part of its own under `set`",
        span,
        'a house rule writes `set: ["{base}", "…"]`',
    )


def slot_word_outside(span: Span, name: str, instead: str | None = None) -> Diagnostic:
    """`instead` is how this is read here."""
    if name == "it":
        message, where = "`it` is only defined where a list is read element by element", "use it after `where` or `by`"
    else:
        message = f"`{name}` is only defined where dice are read one by one"
        where = "use it after `where`, or in `each` and `again` of a roll"
    return Diagnostic("HR311", message, span, f"write `{instead}`" if instead else where)


def field_after(span: Span) -> str | None:
    """The field that is read of a name: `dying` of `it.dying`."""
    read = re.match(r"\.(\w+)", span.source.text[span.end :])
    return read[1] if read else None


def called_twice(span: Span, name: str, first: Span) -> Diagnostic:
    return Diagnostic(
        "HR312",
        f"`{name}` is called twice, so it is unclear which call takes the inputs of `passes`",
        span,
        "give each call its inputs with `with`, perhaps as a record",
        notes=((first, "the first call"),),
    )


def passes_without_call(span: Span, name: str) -> Diagnostic:
    return Diagnostic("HR313", f"`passes` names `{name}`, but no step calls it", span)


def ambiguous_word(span: Span, word: str, lists: Iterable[str]) -> Diagnostic:
    named = list(lists)
    help_text = f"state which in a step of its own: `its_name: {{type: {named[0]}, is: {word}}}`"
    return Diagnostic("HR314", f"`{word}` is ambiguous here: it is a word of {listed(named)}", span, help_text)


def misspelt_declaration(span: Span, name: str, used: str, uses: Iterable[Span]) -> Diagnostic:
    """Of a name that is declared and never read, where a similar one that is not declared is read several times."""
    notes = tuple((use, f"`{used}` is used here") for use in uses)
    message = f"nothing uses `{name}`, and `{used}` is used {len(notes)} times and is not defined"
    edits = ((span, used),) if is_slip(name, used) else ()
    return Diagnostic("HR315", message, span, f"did you mean `{used}`?", notes=notes[:2], edits=edits)
