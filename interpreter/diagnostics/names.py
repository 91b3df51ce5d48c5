"""HR3: names."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from interpreter.diagnostics.model import Diagnostic
from interpreter.diagnostics.source import Span
from interpreter.diagnostics.suggest import (
    did_you_mean,
    is_slip,
    list_words,
    near_or_list,
    nearest_name,
    respelling_edit,
)
from interpreter.diagnostics.usual_functions import ELSEWHERE, OF_ANY_SIZE
from interpreter.diagnostics.usual_types import PERSONS, RECORDS, type_meant

_TRUTH = {"true": "yes", "false": "no"}
_WORDS = ("and", "or", "not", "if", "else", "otherwise", "in", "is", "where", "yes", "no", "none")


def suggest_word_list(unknown: Diagnostic, table: str) -> Diagnostic:
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
    return Diagnostic("HR301", f"{list_words(unknown)} {are} not defined here", span, help_text)


def condition_of_the_last(span: Span, name: str) -> Diagnostic:
    """Of `caught: always`, or `true`, at the end of outcomes."""
    return Diagnostic("HR301", f"`{name}` is not defined here", span, "what is left in every other case is `otherwise`")


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
        edits = () if elsewhere else respelling_edit(span, name, known)
    return Diagnostic("HR301", f"`{name}` is not defined here", span, help_text, edits=edits)


def suggest_given_value(unknown: Diagnostic) -> Diagnostic:
    """An unknown name in an expression of a command line, where a name may have its value beside the expression."""
    if not is_unlike_all(unknown):
        return unknown
    return replace(unknown, help=f"give its value beside the expression: `{unknown.span.text}=3`")


def option_hint(name: str) -> str:
    return f"it is an option: write `options.{name}`"


def hint_to_read_alone(name: str) -> str:
    """How an input or a step is read that other tools read as `inputs.name`."""
    return f"inputs and steps are read by their names alone: `{name}`"


def owners_hint(owners: Iterable[str], name: str) -> str:
    return "write " + " or ".join(f"`{owner}.{name}`" for owner in owners)


def table_hint(name: str, thrown: bool = False) -> str:
    """`thrown` where it stands as the dice of a roll."""
    if thrown:
        return f"`{name}` is a table, and the dice for it stand at `roll`: `{{roll: d6, on: {name}}}`"
    return f"`{name}` is a table: write `{name}(…)` with the row in the brackets"


def list_hint(name: str, of: str) -> str:
    return f"a list of `{of}` has brackets: `[{name}]`"


def kind_hint(name: str) -> str:
    return f"`{name}` is a kind of thing; where there is only one, `one: yes` in the kind makes this its name"


NO_LIST_OF_THINGS = (
    "`things` is a section of the ruleset, and each thing in it is read by its own name; "
    "a list of things is an input, `{list_of: KIND}`, or an attribute of another thing"
)


def dice_by_number(name: str, known: Iterable[str]) -> str | None:
    """How the dice of `xd6` are written, and those of `dx`; `known` are names that may be numbers."""
    known = list(known)
    if several := re.fullmatch(r"(\w*?[^\W\d_])_?d(\d+)", name):
        number = several[1] if several[1] in known else None
        if number is None and nearest_name(name, known) is not None:
            return None
        if number is None:
            return (
                f"for `{several[1]}` dice, write `({several[1]})d{several[2]}`, and declare `{several[1]}` as a number"
            )
        return f"for `{number}` dice, write `({number})d{several[2]}`"
    sided = re.fullmatch(r"\d*[dD]_?(\w+)", name)
    return OF_ANY_SIZE if sided is not None and sided[1] in known else None


def mechanic_hint(name: str) -> str:
    return f"`{name}` is a mechanic: a step calls it, `{{call: {name}, with: {{…}}}}`, and later steps read its values"


def is_truth(name: str) -> bool:
    """Whether a name is truth as YAML or other languages write it."""
    return name.lower() in ("true", "false", "on", "off")


def suggest_text(slip: Diagnostic, text: str) -> Diagnostic:
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


def hint_of_value_before(name: str, instead: str) -> str:
    """How a step of the `each` of a roll reads what it was in the throw before."""
    return f"what it was before is `(last(earlier.{name}) otherwise {instead})`"


def hint_to_carry(name: str, begun: str) -> str:
    """How a step of a `repeat` reads what it was in the pass before."""
    return f"beside `repeat`, write `carry: {{{name}: {begun}}}`; then `{name}` is what it was in the pass before"


def hint_of_results_so_far(span: Span, name: str, fields: Iterable[str]) -> str:
    """How the steps inside a `repeat` or a roll read what came before; `fields` are the names there."""
    field = field_after(span) or next(iter(fields), "total")
    return f"inside `{name}`, write `earlier.{field}` for those before, and `{field}` for this one"


def carried_nowhere(span: Span, name: str, steps: Iterable[str]) -> Diagnostic:
    """Of a name under `carry` that is no step of `each`."""
    steps = list(steps)
    near = near_or_list(name, steps, "the steps of `each` are")
    return replace(unknown_of(span, "step", name, steps), help=near, message=f"no step of `each` is called `{name}`")


def not_a_type(
    span: Span, name: str, known: Iterable[str], kinds: Iterable[str], of_a_thing: bool, alone: bool
) -> Diagnostic:
    """Of a word that is no type; `of_a_thing` under `has` of a kind, `alone` if no `type:` stands before it."""
    known, kinds = list(known), list(kinds)
    problem = unknown_of(span, "type", name, known)
    proposed: tuple[tuple[Span, str], ...] = ()
    if of_a_thing and (counted := re.fullmatch(r"(\d+)\s+[a-z]+", name)):
        return replace(problem, help=f"write `{{type: points, starts: {counted[1]}}}`", edits=())
    if re.fullmatch(r"[+-]?\d+", name):
        written = f"{{type: number, default: {name}}}"
        help_text = f"write `{written}`"
        if of_a_thing:
            help_text += f", or for points that are gained and lost `{{type: points, to: {name}, starts: {name}}}`"
            proposed = ((span, written),) if span.text == name else ()
        return replace(problem, help=help_text, edits=(), proposed=proposed)
    if of_a_thing and (found := re.fullmatch(r"(\d+)\s*/\s*(\d+)", name)):
        return replace(problem, help=f"write `{{type: points, to: {found[2]}, starts: {found[1]}}}`", edits=())
    if name in ("yes", "no"):
        written = f"{{type: yes_no, default: {name}}}"
        proposed = ((span, written),) if of_a_thing and span.text == name else ()
        return replace(problem, help=f"write `{written}`", edits=(), proposed=proposed)
    if of_a_thing and name in ("points", "track"):
        written = f"{{type: {name}{', length: 5' if name == 'track' else ''}}}"
        proposed = ((span, written),) if span.text == name else ()
        return replace(problem, help=f"write `{written}`", edits=(), proposed=proposed)
    if (likely_type := type_meant(name, known, of_a_thing)) is not None and (
        likely_type.sure or not problem.edits or not name.isidentifier()
    ):
        if likely_type.type is not None:
            edits = ((span, likely_type.type),) if likely_type.sure and span.text == name else ()
            return replace(problem, help=f"write `{likely_type.type}`", edits=edits)
        return replace(problem, help=f"write {'' if alone else 'the whole declaration as '}`{likely_type.written}`")
    if of_a_thing and alone and re.search(r"[-+*/<>=()]|\b(?:and|or|not|if|is)\b", name):
        written = f"{{is: {name}}}"
        proposed = ((span, written),) if span.text == name else ()
        help_text = f"what follows from other values is written `{written}`"
        return replace(problem, help=help_text, edits=(), proposed=proposed)
    if nearest_name(name, known, sure=True) is not None:
        return problem
    return _declared_type(problem, name, kinds, of_a_thing)


def _declared_type(problem: Diagnostic, name: str, kinds: list[str], of_a_thing: bool) -> Diagnostic:
    """A word that is no type, and may be meant as one that a ruleset declares itself."""
    if name.lower() in RECORDS:
        help_text = "values by name are a record: `types: {its_name: {has: {first: number, second: number}}}`, and here"
        help_text += " `its_name`; a number for each word of a list is `{type: number, per: its_list}`"
        return replace(problem, help=help_text if of_a_thing else help_text.partition(";")[0])
    if name.lower() in PERSONS:
        help_text = f"did you mean `{kinds[0]}`?" if len(kinds) == 1 else f"the kinds of things are {list_words(kinds)}"
        if not kinds:
            help_text = (
                f"declare the kind of thing, `kinds: {{{name}: {{has: {{level: {{type: number, default: 1}}}}}}}}`"
            )
        return replace(problem, help=help_text)
    if name.isidentifier() and problem.help is not None and problem.help.startswith("there are"):
        help_text = f"{problem.help}; words of your own are a list, `names: {{{name}: [first, second]}}`"
        return replace(problem, help=help_text)
    return problem


def unknown_of(span: Span, what: str, name: str, known: Iterable[str]) -> Diagnostic:
    known = list(known)
    help_text = near = near_or_list(name, known, "there are")
    if what == "role" and name in ("none", "nobody"):
        help_text = "nobody is the empty list, `[]`"
    elif called := re.fullmatch(r"(\w+)\((.*)\)", name):
        of = called[1] if called[1] in known else nearest_name(called[1], known)
        given = ", ".join(f"{one}: {one}" for one in re.findall(r"[^\W\d_]\w*", called[2])) or "its_input: 1"
        help_text = f"write `{of}`, and beside it `with: {{{given}}}`" if of is not None and called[2] else near
    elif what == "tag" and name in ("drop", "dropping", "keep", "keeping", "best", "worst", "lowest", "highest"):
        help_text = "roll all the dice, and read `highest(rolled, 3)` or `lowest(rolled, 3)` of them in the next step"
    elif what == "tag" and help_text is None:
        help_text = "a word after dice is a tag, and tags are declared under `tags`"
    edits = respelling_edit(span, name, known) if help_text == near else ()
    return Diagnostic("HR303", f"there is no {what} `{name}`", span, help_text, edits=edits)


_SAME_PERSON = (
    ("game_master", "gm", "dm", "dungeon_master", "keeper", "referee", "master", "mc", "judge", "storyteller",
     "narrator", "host", "warden", "director", "gamemaster"),
    ("player", "pc", "user", "players", "character", "hero", "roller", "active_player", "self", "me", "you"),
    ("opponent", "enemy", "foe", "defender", "target", "other", "other_player"),
)  # fmt: skip
"""Words for one person at the table."""


def not_a_role(span: Span, name: str, known: Iterable[str]) -> Diagnostic:
    """Of `by: gm`, where nobody is declared of that name."""
    known = list(known)
    problem = unknown_of(span, "role", name, known)
    if "everybody" in known and name.lower() in ("all", "anyone", "anybody", "everyone", "any", "public", "players"):
        return replace(problem, help="write `everybody`", edits=())
    if nearest_name(name, known, sure=True) is not None or name in ("none", "nobody"):
        return problem
    small = re.sub(r"^(?:the|a|an)_", "", name.lower().replace(" ", "_").replace("-", "_"))
    same = next((words for words in _SAME_PERSON if small in words), ())
    nearest = next((one for one in known if one.lower() in same), None)
    if nearest is not None:
        return replace(problem, help=f"did you mean `{nearest}`?")
    role = small if re.fullmatch(r"[a-z]\w*", small) else "game_master"
    help_text = f"declare who may be asked, `roles: {{{role}: Who decides.}}`"
    if role != name:
        help_text += f", and write `{role}` here"
    return replace(problem, help=f"{help_text}; or name one of {list_words(known)}" if known else help_text)


def two_are_asked(span: Span, first: str, second: str) -> Diagnostic:
    """Of `by: [attacker, defender]`."""
    message = f"one role or thing is asked, and `{first}` and `{second}` are two"
    help_text = f"ask each in a step of its own, or one of them: `by: {first} if … else {second}`"
    return Diagnostic("HR303", message, span, help_text)


def role_in_quotes(span: Span, name: str) -> Diagnostic:
    """Of `by: "'defender'"`."""
    return Diagnostic("HR202", "a role is a word, without quotes", span, f"write `{name}`", edits=((span, name),))


def nobody_to_ask(span: Span) -> Diagnostic:
    """Of `by: helper otherwise none`."""
    return Diagnostic("HR303", "nobody can be asked here", span, "name a role or a thing; `if` leaves a question out")


def asked_otherwise(span: Span, text: str, other: str) -> Diagnostic:
    """Of `by: defender if weaker`; `other` is somebody else who could be asked."""
    return Diagnostic("HR207", "who is asked otherwise?", span, f"add `else`: `{text} else {other}`")


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


def title_taken(span: Span, title: str, first: Span) -> Diagnostic:
    """Of a title that another one of the same list has, or that is the name of another one."""
    return Diagnostic(
        "HR304",
        f"the title `{title}` is already taken",
        span,
        "people answer with titles, so each of a list has another; choose another",
        notes=((first, "it is taken here"),),
    )


def two_titles(span: Span, word: str, title: str, first: Span) -> Diagnostic:
    """Of a word that has another title in another list."""
    return Diagnostic(
        "HR304",
        f"`{word}` has another title already, not `{title}`",
        span,
        "a word has one title, whichever list it is in; write the same, or choose another word",
        notes=((first, "it has its title here"),),
    )


def suggest_change(taken: Diagnostic, path: str, change: str) -> Diagnostic:
    """Of a name in a section of a house rule that its base has already; `path` is what the house rule means there."""
    return replace(taken, help=f"to change what the base has, write under `changes`: `{path}: {{{change}}}`")


def field_of_former_name(span: Span, kind: str, name: str, now: str) -> Diagnostic:
    return Diagnostic("HR305", f"`{kind}` has no `{name}`", span, f"it is called `{now}` now")


def unknown_field(span: Span, what: str, name: str, known: Iterable[str], of_several: bool = False) -> Diagnostic:
    """`of_several` says that the field is read of dice or a list, each of which is `what`."""
    if what in ("a die", "dice") and name in ("face", "value", "counts", "throws", "nth"):
        return Diagnostic(
            "HR305",
            f"{what} has no `{name}` before it is thrown",
            span,
            "throw the dice in a step of its own, `rolled: {roll: …}`, and read the roll",
        )
    known = list(known)
    help_text = near_or_list(name, known, "it has")
    if of_several and (of := _function_behind(span, name)) is not None:
        return Diagnostic("HR305", f"{what} has no `{name}`", span, of)
    dice = re.fullmatch(r"(\w*?)_?(d\d+)", name)
    if dice is not None and dice[1] in known:
        before = re.search(r"[^\W\d][\w.]*\.$", span.source.text[: span.start])
        help_text = f"write `({before[0] if before else '….'}{dice[1]}){dice[2]}`"
        return Diagnostic("HR305", f"{what} has no `{name}`", span, help_text)
    return Diagnostic("HR305", f"{what} has no `{name}`", span, help_text, edits=respelling_edit(span, name, known))


_METHODS = {
    **dict.fromkeys(("length", "len", "size", "count", "number", "amount", "num"), "count({})"),
    **dict.fromkeys(("sum", "total", "result", "add"), "sum({})"),
    **dict.fromkeys(("highest", "max", "maximum", "best", "top"), "highest({})"),
    **dict.fromkeys(("lowest", "min", "minimum", "worst"), "lowest({})"),
    **dict.fromkeys(("first", "last", "reversed", "ordered", "groups"), ""),
    **dict.fromkeys(("sorted", "sort"), "ordered({})"),
    **dict.fromkeys(("values", "results", "faces", "dice"), "{}.face"),
    **dict.fromkeys(("empty", "is_empty", "isEmpty"), "count({}) == 0"),
}
"""What other languages read with a dot, each as the language writes it of `{}`."""


def _function_behind(span: Span, name: str) -> str | None:
    """How `rolled.sum` or `pool.count(6)` is written; None of any other field."""
    if name not in _METHODS:
        return None
    text = span.source.text
    before = re.search(r"([^\W\d][\w.]*(?:\([^()]*\))?)\.$", text[: span.start])
    argument = re.match(r"\(\s*(\d+)\s*\)", text[span.end :])
    of = before[1] if before else "xs"
    if argument is not None and name in ("count", "number"):
        return f"write `count({of} where face == {argument[1]})`"
    return f"write `{(_METHODS[name] or f'{name}({{}})').format(of)}`"


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
    return Diagnostic("HR306", f"`{word}` is {whose}", span, help_text, edits=respelling_edit(span, word, known))


def unknown_function(
    span: Span, name: str, known: Iterable[str], is_verb: bool = False, elsewhere: str | None = None
) -> Diagnostic:
    known = list(known)
    help_text = ELSEWHERE.get(name.lower()) or elsewhere or did_you_mean(name, known)
    if is_verb:
        help_text = f"`{name}` is a verb: a step is `name: {{{name}: …}}`"
    near = did_you_mean(name, known)
    edits = respelling_edit(span, name, known) if near is not None and help_text == near else ()
    return Diagnostic("HR307", f"there is no function or table `{name}`", span, help_text, edits=edits)


def function_not_called(span: Span, name: str) -> Diagnostic:
    if re.search(r"\bstarts:\s*$", span.source.text[: span.start]) and name in ("max", "highest"):
        return Diagnostic("HR308", f"`{name}` is a function", span, "write `full`, which is the upper bound")
    return Diagnostic("HR308", f"`{name}` is a function", span, f"write `{name}(…)`")


def cyclic_declarations(span: Span, names: Iterable[str], section: str = "", formula: str = "") -> Diagnostic:
    """`section` is where the names are declared: `functions`, or `kinds` for what things have. `formula` is the text
    of what closes the circle, if it is one."""
    names = list(names)
    help_text = "nothing may use itself, directly or through others"
    one_level = _formula_of_one_level(formula, names[0]) if section == "kinds" and len(names) == 2 else None
    if section in ("functions", "mechanics"):
        help_text += (
            "; what is done again and again is a step, `done: {repeat: n, carry: {product: 1}, each: {product: product "
            "* nth}}`, and `last(done.product) otherwise 1` is its result"
        )
    elif one_level is not None:
        help_text += f", also not of another thing; `{names[0]}: {{is: {one_level}}}` counts one level only"
    elif section == "kinds":
        help_text += (
            ", also not of another thing; read there what is not derived, or let rules keep the value in a number of "
            "its own, `{type: number, default: 0}`"
        )
    message = "this definition is circular: " + " → ".join(f"`{name}`" for name in names)
    return Diagnostic("HR309", message, span, help_text)


def _formula_of_one_level(formula: str, name: str) -> str | None:
    """A formula that reads its own `name` of other things, with what it adds of each thing in its place; None where
    that is not one name."""
    words = rf"(?<![\w.]){_WORD}(?!\w|\s*[.(])"
    own = {one for one in re.findall(words, formula) if one not in _NO_NAMES}
    if len(own) != 1 or name in own:
        return None
    once, found = re.subn(rf"(?<=\w)\.{re.escape(name)}\b", f".{own.pop()}", formula)
    return (f'"{once}"' if re.search(r"[,{}\[\]]", once) else once) if found else None


_WORD = r"[^\W\d]\w*"
_NO_NAMES = frozenset(("if", "else", "and", "or", "not", "in", "is", "where", "by", "otherwise", "yes", "no"))
"""Words of expressions that name nothing."""


def base_outside_change(span: Span) -> Diagnostic:
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
    return Diagnostic("HR314", f"`{word}` is ambiguous here: it is a word of {list_words(named)}", span, help_text)


def misspelt_declaration(span: Span, name: str, used: str, uses: Iterable[Span]) -> Diagnostic:
    """Of a name that is declared and never read, where a similar one that is not declared is read several times."""
    notes = tuple((use, f"`{used}` is used here") for use in uses)
    message = f"nothing uses `{name}`, and `{used}` is used {len(notes)} times and is not defined"
    edits = ((span, used),) if is_slip(name, used) else ()
    return Diagnostic("HR315", message, span, f"did you mean `{used}`?", notes=notes[:2], edits=edits)
