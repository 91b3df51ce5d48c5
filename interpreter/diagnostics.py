"""Problems, and all their wording.

A diagnostic has a stable code, a place, a sentence in the author's words and, where there is one, a way out.
Each kind of problem is one function here that takes what it needs to be worded, so that a check elsewhere reads as
a sentence: `problems.add(say.unknown_name(span, name, known))`. Codes: HR0 the file and its YAML, HR1 the shape of a
ruleset, HR2 expressions as text, HR3 names, HR4 types, HR5 whole tables, ladders and outcomes, HR6 a run, HR7 cases,
HR9 warnings.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from fractions import Fraction
from typing import NoReturn

from interpreter.grammar import VERBS
from interpreter.source import NOWHERE as NOWHERE
from interpreter.source import Span


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One problem: `code`, `message`, where, perhaps `help`, and other places that matter as `notes`."""

    code: str
    message: str
    span: Span
    help: str | None = None
    notes: tuple[tuple[Span, str], ...] = ()
    severity: str = "error"
    about: str | None = None
    """The name of the requirement, option or choice that it is about, where there is one."""

    @property
    def path(self) -> str:
        return self.span.source.name

    @property
    def line(self) -> int:
        return self.span.line

    @property
    def column(self) -> int:
        return self.span.column

    def __str__(self) -> str:
        place = "" if self.span is NOWHERE or not self.path else f"{self.span}: "
        return f"{place}{self.code} {self.message}" + (f" ({self.help})" if self.help else "")


MOST_ERRORS = 200
"""After so many, the rest of a ruleset is not looked at: each is worded with care, and that takes its time."""


class Problems:
    """Gathers diagnostics, so that a pass can report one and go on. The same one is kept once."""

    def __init__(self, strays: Iterable[str] = ()) -> None:
        self._found: dict[tuple[object, ...], Diagnostic] = {}
        self._errors = 0
        self.strays = set(strays)
        """Names that stand under something reported: using them elsewhere is no second slip."""

    def add(self, diagnostic: Diagnostic) -> None:
        """Keep a diagnostic. Raises TooManyErrors where there are so many that nobody reads them."""
        key = (diagnostic.code, diagnostic.path, diagnostic.span.start, diagnostic.message)
        if key in self._found:
            return
        self._found[key] = diagnostic
        self._errors += diagnostic.severity == "error"
        if self._errors > MOST_ERRORS:
            raise TooManyErrors(*self.errors, too_many_errors(diagnostic.span))

    def __iter__(self) -> Iterator[Diagnostic]:
        return iter(sorted(self._found.values(), key=lambda d: (d.path, d.span.start, d.code)))

    def __len__(self) -> int:
        return len(self._found)

    @property
    def errors(self) -> list[Diagnostic]:
        return [d for d in self if d.severity == "error"]


class HouseruleError(Exception):
    """Something that cannot be done, with the diagnostics that say why."""

    def __init__(self, *diagnostics: Diagnostic) -> None:
        self.diagnostics: list[Diagnostic] = list(diagnostics)
        super().__init__(*diagnostics)

    def __str__(self) -> str:  # worded when it is read: most refusals only keep something from being offered
        return "\n".join(map(str, self.diagnostics))

    def __reduce__(self) -> tuple[type[HouseruleError], tuple[Diagnostic, ...]]:
        return type(self), tuple(self.diagnostics)


class RulesetError(HouseruleError):
    """A ruleset that cannot be used."""


class TooManyErrors(RulesetError):
    """A ruleset with so many errors that the rest of it is not looked at; it carries them."""


EXPRESSION_WORDS = frozenset(["and", "or", "not", "if", "else", "in", "is", "where", "by", "otherwise", "yes", "no"])
"""No name of a ruleset may be one of these."""

VALUE_WORDS = frozenset(["none", "options", "it", "base"])
"""These may be words of a list or outcomes, but not names of values."""


class PlayError(HouseruleError):
    """An expression, an input or a run that cannot go on; it carries exactly one diagnostic."""

    @property
    def diagnostic(self) -> Diagnostic:
        return self.diagnostics[0]


class Placed:
    """What is wrong in here with one of these names, and knows no place, is shown where that name was given."""

    __slots__ = ("places",)

    def __init__(self, places: Mapping[str, Span]) -> None:
        self.places = places

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: object) -> None:
        if isinstance(error, PlayError):
            found = error.diagnostic
            place = self.places.get(found.about or "")
            if found.span is NOWHERE and place is not None:
                raise PlayError(replace(found, span=place)) from None


@contextmanager
def at(span: Span) -> Iterator[None]:
    """What is wrong in here with what stands at a place, and knows no place, is shown there."""
    try:
        yield
    except HouseruleError as error:
        found = [replace(one, span=span) if one.span is NOWHERE else one for one in error.diagnostics]
        raise type(error)(*found) from None


def fail(diagnostic: Diagnostic) -> NoReturn:
    raise PlayError(diagnostic)


def nearest_name(name: str, known: Iterable[str], sure: bool = False) -> str | None:
    """The known name that is closest to a misspelt one, if any is close; if `sure`, only one that must be meant."""
    written = _folded(name)
    if len(written) > LONGEST_MISSPELT:
        return None
    close: list[tuple[int, bool, float, int, str]] = []
    compared = 0
    for number, candidate in enumerate(known):
        if abs(len(candidate) - len(written)) > max(len(candidate), len(written)) // 2:
            continue
        other = _folded(candidate)
        compared += 1
        if compared > MOST_COMPARED and other[:1] != written[:1]:
            continue
        if compared > 4 * MOST_COMPARED:
            break
        alike = SequenceMatcher(None, written, other).ratio()
        slips = _slips(written, other)
        if alike >= (0.75 if sure else 0.6) or (slips == 1 and len(written) > 2):
            close.append((slips, sorted(written) != sorted(other), -alike, number, candidate))
    return min(close)[-1] if close else None


LONGEST_MISSPELT, MOST_COMPARED = 80, 250
"""To compare two names takes long: longer ones are not, and of many only those that begin alike."""


def _folded(name: str) -> str:
    return name.lower().replace("-", "_")


def _slips(a: str, b: str) -> int:
    """How many letters were left out, put in, taken for another or changed about with their neighbour."""
    rows = [list(range(len(b) + 1))]
    for i, left in enumerate(a):
        above, row = rows[-1], [i + 1]
        for j, right in enumerate(b):
            row.append(min(above[j + 1] + 1, row[j] + 1, above[j] + (left != right)))
            if i and j and left == b[j - 1] and a[i - 1] == right:
                row[-1] = min(row[-1], rows[-2][j - 1] + 1)
        rows.append(row)
    return rows[-1][-1]


def _did_you_mean(name: str, known: Iterable[str]) -> str | None:
    near = nearest_name(name, known)
    return f"did you mean `{near}`?" if near else None


def _quoted(span: Span) -> str:
    """What stands there, as long as it is short enough to be read in a sentence."""
    text = " ".join(span.text.split())
    return f"`{text}`" if 0 < len(text) <= 40 else "this"


def _listed(words: Iterable[str], most: int = 12) -> str:
    shown = list(words)
    return ", ".join(f"`{word}`" for word in shown[:most]) + (", …" if len(shown) > most else "")


def _near_or_list(name: str, known: Iterable[str], what: str) -> str | None:
    known = list(known)
    return _did_you_mean(name, known) or (f"{what}: {_listed(known)}" if known else None)


# HR0: the file and its YAML --------------------------------------------------------------------------------------


def cannot_write(name: str, reason: str) -> Diagnostic:
    return Diagnostic("HR001", f"`{name}` cannot be written: {reason}", NOWHERE)


def cannot_read(name: str, reason: str) -> Diagnostic:
    return Diagnostic("HR001", f"`{name}` cannot be read: {reason}", NOWHERE)


def not_utf8(span: Span) -> Diagnostic:
    return Diagnostic("HR002", "this file is not UTF-8 text", span, "save it as UTF-8")


def file_too_large(span: Span, limit: int) -> Diagnostic:
    return Diagnostic("HR003", f"this file is larger than {limit // 1024} KiB", span, "spread it over `parts`")


def too_deep(span: Span, limit: int | None = None) -> Diagnostic:
    return Diagnostic("HR004", f"this is nested {'too' if limit is None else f'more than {limit}'} deep", span)


def too_much_inside(span: Span) -> Diagnostic:
    message = "too many steps repeat inside other repeated steps here"
    return Diagnostic("HR004", message, span, "let a mechanic of its own do what is inside, and call it")


def too_many_nodes(span: Span, limit: int) -> Diagnostic:
    return Diagnostic("HR005", f"this file has more than {limit:,} values", span, "spread it over `parts`")


def too_many_errors(span: Span) -> Diagnostic:
    return Diagnostic("HR017", f"there are more than {MOST_ERRORS} errors, and the rest is not looked at", span)


def empty_file(span: Span) -> Diagnostic:
    return Diagnostic("HR006", "this file is empty", span, "a ruleset begins with `ruleset: its-name`")


def unseen_character(span: Span, code: int) -> Diagnostic:
    cure = "write an ordinary space" if chr(code).isspace() else "take it out; it may have come with a copied text"
    return Diagnostic("HR007", f"a character that cannot be seen (U+{code:04X}) stands here", span, cure)


def not_yaml(span: Span) -> Diagnostic:
    return Diagnostic(
        "HR010", "this is not YAML that can be read", span, "look for a quote, a bracket or a `:` that is amiss"
    )


def tab_indents(span: Span) -> Diagnostic:
    return Diagnostic("HR010", "a tab cannot indent", span, "indent with spaces")


def quote_not_closed(span: Span) -> Diagnostic:
    return Diagnostic("HR010", "this quoted text is never closed", span, f"put a `{span.text}` at its end")


def bad_escape(span: Span) -> Diagnostic:
    return Diagnostic("HR010", f"`{span.text}` means nothing in double quotes", span, "put the text in single quotes")


_BLOCK_SIGNS = {">": "more than", ">=": "at least"}


def block_by_sign(span: Span) -> Diagnostic:
    words = _BLOCK_SIGNS.get(span.text)
    return Diagnostic(
        "HR010",
        f"`{span.text[:1]}` at the start of a value begins a block of text",
        span,
        f"write it in words: `{words}`" if words else f"put the expression in quotes: {_in_quotes(span.text)}",
    )


def cannot_start(span: Span) -> Diagnostic:
    return Diagnostic(
        "HR010",
        f"a value cannot start with `{span.text[:1]}`",
        span,
        f"put it in quotes: {_in_quotes(span.text)}" if len(span.text) > 1 else "put the value in quotes",
    )


def something_follows(span: Span, what: str) -> Diagnostic:
    cure = "put the whole value in quotes" if span.text[0] != "{" else "take out what follows, or put it all in quotes"
    quotes = f": {_in_quotes(span.text)}" if span.text[0] == "[" else ""
    return Diagnostic(
        "HR010",
        f"`{span.text[0]}` at the start of a value begins {what}, and something follows its end",
        span,
        cure + quotes,
    )


def second_colon(span: Span, in_braces: bool = False) -> Diagnostic:
    other = "a `,` between two entries" if in_braces else "on lines of its own after `>-`"
    return Diagnostic(
        "HR010",
        "a second `: ` in one value" if span.text == ":" else f"`{span.text} ` begins a key of YAML's own here",
        span,
        f"put the text in quotes, or {other}",
    )


def bracket_not_closed(span: Span, commented_out: bool) -> Diagnostic:
    cut = "YAML takes what follows ` #` for a comment; put the text in quotes" if commented_out else None
    closing = {"{": "}", "[": "]"}.get(span.text, "")
    return Diagnostic("HR010", f"this `{span.text}` is never closed", span, cut or f"put a `{closing}` at its end")


def comma_missing(span: Span) -> Diagnostic:
    if span.text in ("[", "{"):
        message = f"inside `{{ }}` and `[ ]`, a `{span.text}` cannot stand in the middle of a value"
        return Diagnostic("HR010", message, span, "put the whole value in quotes, or give it a line of its own")
    return Diagnostic("HR010", "a `,` is missing before this", span, "put a `,` here, or the text in quotes")


def indented_otherwise(span: Span) -> Diagnostic:
    return Diagnostic("HR010", "this line is indented otherwise than its neighbours", span, "line it up with them")


def item_among_keys(span: Span) -> Diagnostic:
    return Diagnostic("HR010", f"a list item (`- `) stands among {ENTRIES}", span, "indent it, or give it a name")


def key_too_long(span: Span) -> Diagnostic:
    return Diagnostic("HR010", "a key has at most 1024 characters", span, "make it shorter")


def no_colon(span: Span) -> Diagnostic:
    return Diagnostic("HR010", f"a `: ` is missing after {_quoted(span)}", span, "a line is `key: value`")


def no_space_after_colon(span: Span) -> Diagnostic:
    return Diagnostic("HR010", f"a space is missing after `{span.text}:`", span, f"write `{span.text}: …`")


def _in_quotes(text: str) -> str:
    return f"'{text}'" if "'" not in text else f'"{text}"'


def comma_trap(span: Span) -> Diagnostic:
    return Diagnostic(
        "HR011",
        "inside `{ }` and `[ ]` a comma ends the value, so this expression is torn apart",
        span,
        "put the expression in quotes, or give it a line of its own",
    )


def torn_at_comma(span: Span, key: str) -> Diagnostic:
    return Diagnostic(
        "HR011",
        f"inside `{{ }}` a comma ends the value, so `{key}` is a key without a value",
        span,
        "put the whole text in quotes" + (f", or write `{key}: …`" if key.isidentifier() else ""),
    )


def doubled_key(span: Span, key: str, first: Span) -> Diagnostic:
    return Diagnostic("HR012", f"`{key}` stands here twice", span, notes=((first, "the first one"),))


def anchor_or_alias(span: Span) -> Diagnostic:
    return Diagnostic(
        "HR013",
        "anchors (`&name`) and aliases (`*name`) are not used here",
        span,
        "write it out, or put an expression that begins with `&` or `*` in quotes",
    )


def merge_key(span: Span) -> Diagnostic:
    return Diagnostic("HR013", "`<<` does not merge here", span, "write the keys out")


def yaml_tag(span: Span, tag: str) -> Diagnostic:
    return Diagnostic("HR014", f"YAML tags such as `{tag}` are not used here", span, "put the text in quotes")


def key_is_no_word(span: Span) -> Diagnostic:
    return Diagnostic("HR015", "a key must be a word, and this is a list or has keys itself", span)


def second_document(span: Span) -> Diagnostic:
    return Diagnostic("HR016", "a file holds one document", span, "take the `---` out, or make it a file of its own")


def cut_by_hash(span: Span) -> Diagnostic:
    return Diagnostic(
        "HR901",
        "YAML takes what follows ` #` for a comment, so the text ends here",
        span,
        "put the text in quotes; a comment has a space after its `#`",
        severity="warning",
    )


# HR1: the shape of a ruleset -------------------------------------------------------------------------------------


def unknown_key(span: Span, key: str, known: Iterable[str], where: str) -> Diagnostic:
    return Diagnostic("HR101", f"`{key}` is no key of {where}", span, _near_or_list(key, known, "it has"))


def missing_key(span: Span, key: str, where: str) -> Diagnostic:
    return Diagnostic("HR102", f"{where} needs `{key}`", span, f"add `{key}: …`")


ENTRIES = "`name: …` entries"
"""What YAML calls a mapping."""


def wrong_shape(span: Span, what: str, wanted: str, found: str) -> Diagnostic:
    help_text = None
    if found == "a list" and ENTRIES in wanted:
        help_text = "write `name: …` on each line, without the `- `"
    elif found == "a single value" and "a list" in wanted:
        help_text = f"write `[{span.text}]`"
    elif wanted == "a declaration" and found == "a single value":
        help_text = f"write `{{type: …, default: {span.text}}}`; a house rule changes the `….default` of what is there"
    elif wanted == "a change":
        help_text = "write `{set: …, because: …}`"
    return Diagnostic("HR103", f"{what} should be {wanted}, and this is {found}", span, help_text)


def no_value(span: Span, key: str) -> Diagnostic:
    return Diagnostic("HR104", f"`{key}:` has no value", span, "write one, or take the key out")


def empty_block(span: Span, key: str, style: str) -> Diagnostic:
    return Diagnostic(
        "HR104",
        f"`{key}: {style}` begins a block of text, and the block is empty",
        span,
        "as a comparison, write it in words: `more than`, `at least`, `at most`, `less than`",
    )


def not_one_of(span: Span, what: str, text: str, allowed: Iterable[str]) -> Diagnostic:
    allowed = list(allowed)
    help_text = _did_you_mean(text, allowed)
    if what == "`choose`" and help_text is None:
        help_text = f"to have one of a list chosen, write `choose: one` and `among: {text}`"
    return Diagnostic("HR105", f"{what} is one of {_listed(allowed)}, and this is `{text}`", span, help_text)


LIKE_A_DIE = re.compile(r"d\d+", re.ASCII)
"""What is read as a die wherever it stands in an expression."""


def bad_name(span: Span, name: str) -> Diagnostic:
    if LIKE_A_DIE.fullmatch(name):
        return Diagnostic(
            "HR106", f"`{name}` cannot be a name: it is read as a die", span, f"call it `{name}_` or another word"
        )
    return Diagnostic(
        "HR106",
        f"`{name}` cannot be a name",
        span,
        "a name is letters, digits and `_`, and begins with a letter",
    )


def reserved_name(span: Span, name: str, why: str) -> Diagnostic:
    return Diagnostic("HR107", f"`{name}` cannot be a name here: {why}", span, f"call it `{name}_` or another word")


def no_verb(span: Span, verbs: Iterable[str]) -> Diagnostic:
    return Diagnostic(
        "HR108", f"nothing says what {_quoted(span)} does", span, f"a step has one of {_listed(verbs, 40)}"
    )


def unknown_verb(span: Span, key: str, verbs: Iterable[str]) -> Diagnostic:
    help_text = _did_you_mean(key, verbs) or f"a step has one of {_listed(verbs, 40)}"
    return Diagnostic("HR108", f"`{key}` is nothing that a step can do", span, help_text)


def two_verbs(span: Span, verbs: Iterable[str]) -> Diagnostic:
    return Diagnostic(
        "HR109", f"a step has exactly one verb, and this has {_listed(verbs)}", span, "make each a step of its own"
    )


def two_verbs_of_a_change(span: Span, verbs: Iterable[str]) -> Diagnostic:
    return Diagnostic("HR109", f"a change does one thing, and this has {_listed(verbs)}", span, "keep one of them")


def wrong_language(span: Span, found: str) -> Diagnostic:
    return Diagnostic("HR110", f"this interpreter reads language 1, and this says `{found}`", span)


def for_another_ruleset(span: Span, name: str, game: str) -> Diagnostic:
    return Diagnostic("HR117", f"this scene is for `{name}`, and this is `{game}`", span)


def no_scene_named(span: Span, name: str) -> Diagnostic:
    return Diagnostic("HR116", f"`{name}` is a state that plays no scene", span, "name one with `scene: …`")


def not_a_ruleset(span: Span, scene_file: bool = False) -> Diagnostic:
    if scene_file:
        return Diagnostic("HR112", "this is a scene file, and no ruleset", span, "`play` it: `play RULESET SCENE.yaml`")
    return Diagnostic("HR112", "this is no ruleset", span, "a ruleset begins with `ruleset: its-name`")


def bad_ruleset_name(span: Span, name: str) -> Diagnostic:
    return Diagnostic(
        "HR118",
        f"`{name if len(name) <= 60 else name[:59] + '…'}` cannot be used as a name",
        span,
        "a name begins with a letter or a digit, and has at most 100 letters, digits, `-` and `_`",
    )


def part_of_another(span: Span, name: str, wanted: str) -> Diagnostic:
    return Diagnostic("HR113", f"this part says that it belongs to `{name}`, not to `{wanted}`", span)


def no_such_part(span: Span, name: str, reason: str) -> Diagnostic:
    return Diagnostic(
        "HR114", f"the part `{name}` cannot be read: {reason}", span, "a part is a file of the ruleset's own folder"
    )


def open_choice(span: Span, key: str) -> Diagnostic:
    end = "lowest" if key == "from" else "highest"
    return Diagnostic(
        "HR102",
        f"the choice of a number needs `{key}`",
        span,
        f"say the {end} number that may be chosen: a limit of the rules, or one that nobody will pass",
    )


def bad_status(span: Span, status: str, known: Iterable[str]) -> Diagnostic:
    return Diagnostic(
        "HR115", f"`{status}` is no status of a source", span, _near_or_list(status, known, "it is one of")
    )


# HR2: expressions as text ----------------------------------------------------------------------------------------


def expression_too_long(span: Span, limit: int, what: str) -> Diagnostic:
    return Diagnostic("HR201", f"this expression has more than {limit:,} {what}", span, "split it into named steps")


def expression_too_deep(span: Span, limit: int | None = None) -> Diagnostic:
    deep = f"more than {limit} deep" if limit is not None else "too deep"
    return Diagnostic("HR201", f"this expression is nested {deep}", span, "split it into named steps")


_NOT_SIGNS = {
    "=": "write `==` to compare",
    "&&": "write `and`",
    "||": "write `or`",
    "|": "write `or`",
    "=>": "write `>=`",
    "=<": "write `<=`",
    "<>": "write `!=`",
    "**": "powers are not part of the language",
    "//": "write `down(a / b)`",
    "!": "write `not`",
    "%": "write `units(x)` or `x - x / n * n`",
    "^": "powers are not part of the language",
    "'": "words need no quotes inside an expression",
    '"': "words need no quotes inside an expression",
    "$": "names need no sign",
    "\u201c": "words need no quotes inside an expression",
    "\u201d": "words need no quotes inside an expression",
    "\u2018": "words need no quotes inside an expression",
    "\u2019": "words need no quotes inside an expression",
    "\u2264": "write `<=`",
    "\u2265": "write `>=`",
    "\u2260": "write `!=`",
    "\u00d7": "write `*`",
    "\u00f7": "write `/`",
    "\u2212": "write `-`",
    "\u2013": "write `-`",
    "{": "records are written in YAML, not inside an expression",
    "?": "write `a if condition else b`",
}

_SELECTED = re.compile(r"(?P<dice>\d*d\d+)(?:k|kh|kl|d|dh|dl)\d*", re.IGNORECASE)
"""`4d6kh3`, as other tools write it."""


def not_a_token(span: Span, rest: str) -> Diagnostic:
    word = re.match(r"[\w.]*", rest)[0]  # type: ignore[index]
    sign = next((sign for sign in _NOT_SIGNS if len(sign) > 1 and rest.startswith(sign)), rest[:1])
    span = Span(span.source, span.start, span.start + len(word or sign))
    if word[:1].isdigit() and "." in word:
        return Diagnostic("HR202", f"`{word}` is no whole number", span, "the language has whole numbers only")
    if word[:1].isalnum():
        selected = _SELECTED.fullmatch(word)
        written = "dice are written `2d6`, codes `3D+2`, names begin with a letter"
        return Diagnostic(
            "HR202",
            f"`{word}` is neither a number, nor dice, nor a name",
            span,
            f"roll `{selected['dice']}`, and read {_SOME_OF_THEM}" if selected else written,
        )
    if not sign.isprintable() or sign.isspace():
        return Diagnostic("HR202", f"a character that cannot be seen (U+{ord(sign):04X}) stands here", span)
    before = span.source.text[max(span.start - 2, 0) : span.start]
    help_text = _NOT_SIGNS.get(sign)
    if sign == "!" and before[-1:].isdigit():
        help_text = "dice that explode have `again: face == 6` beside `roll`"
    elif sign == "%" and before[-1:] == "d":
        help_text = "write `d100`"
    return Diagnostic("HR202", f"`{sign}` has no meaning here", span, help_text)


_SOME_OF_THEM = "`highest(rolled, 3)` or `lowest(rolled, 3)` of it in the next step"


def number_too_large(span: Span) -> Diagnostic:
    return Diagnostic("HR203", "this number is too large", span)


def never_closed(span: Span, bracket: str) -> Diagnostic:
    return Diagnostic("HR204", f"this `{bracket}` is never closed", span)


def unexpected_token(span: Span, text: str, wanted: str | None) -> Diagnostic:
    message = f"`{text}` does not fit here" + (f", where `{wanted}` is expected" if wanted else "")
    return Diagnostic("HR205", message, span, _UNEXPECTED.get(text))


def left_over(span: Span, text: str, between: Iterable[str]) -> Diagnostic:
    """What stands behind a complete expression; `between` are the words that could join it on."""
    missing = "something is missing before it: a sign such as `+`, or a word such as `and`"
    near = _did_you_mean(text, between) if text[:1].isalpha() else None
    if span.source.text[span.start - 1 : span.start] == ")" and text[:1].isalpha():
        near = "right after `)` only dice like `d6` may stand; so many of other dice are `times(pool, n)`"
    return Diagnostic("HR205", f"`{text}` does not fit here", span, _UNEXPECTED.get(text) or near or missing)


def prose_row(span: Span) -> Diagnostic:
    return Diagnostic(
        "HR205", "this reads like a sentence, and a row is an expression", span, "say `type: text` beside `rows`"
    )


_UNEXPECTED = {
    "[": "the `n`-th of a list is `item(xs, n)`, the `k`-th highest die `kth(xs, k)`",
    "between": "write `3 <= x <= 5`",
    "then": "write `a if condition else b`",
    "]": "a `[` is missing before it",
    ")": "a `(` is missing before it",
    "=": "write `==` to compare",
}


def something_missing(span: Span) -> Diagnostic:
    return Diagnostic("HR206", "the expression stops too early: a value is missing here", span)


def nothing_there(span: Span) -> Diagnostic:
    return Diagnostic("HR206", "an expression is expected here, and there is none", span)


def if_without_else(span: Span) -> Diagnostic:
    return Diagnostic("HR207", "this `if` has no `else`", span, "write `a if condition else b`")


def not_in_the_middle(span: Span, word: str) -> Diagnostic:
    return Diagnostic(
        "HR208", f"`not` cannot stand before `{word}` here", span, "write `not a`, `x is not word` or `x not in list`"
    )


def chained_comparison(span: Span) -> Diagnostic:
    return Diagnostic("HR209", "comparisons cannot be chained like this", span, "join two of them with `and`")


def no_field_name(span: Span) -> Diagnostic:
    return Diagnostic("HR210", "the name of a field is expected after `.`", span)


def word_out_of_place(span: Span, word: str) -> Diagnostic:
    cure = "write `a if condition else b`" if word == "if" else None
    return Diagnostic("HR211", f"`{word}` stands where a value is expected", span, cure)


def bad_dice(span: Span, why: str) -> Diagnostic:
    return Diagnostic("HR212", f"these are no dice: {why}", span)


# HR3: names ------------------------------------------------------------------------------------------------------


def unknown_name(span: Span, name: str, known: Iterable[str]) -> Diagnostic:
    truth = "truth is written `yes` and `no`" if is_truth(name) else None
    help_text = truth or _near_or_list(name, known, "in reach are")
    return Diagnostic("HR301", f"there is no `{name}` in reach", span, help_text)


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
        f"`{name}` is not known yet",
        span,
        "a step can only read what stands above it",
        notes=((where, "it is named here"),),
    )


def unknown_of(span: Span, what: str, name: str, known: Iterable[str]) -> Diagnostic:
    help_text = _near_or_list(name, known, "there are")
    if what == "tag" and name in ("drop", "dropping", "keep", "keeping", "best", "worst", "lowest", "highest"):
        help_text = f"roll all the dice, and read {_SOME_OF_THEM}"
    elif what == "tag" and help_text is None:
        help_text = "a word behind dice is a tag, and tags are listed under `tags`"
    return Diagnostic("HR303", f"there is no {what} `{name}`", span, help_text)


def name_taken(span: Span, name: str, first: Span) -> Diagnostic:
    return Diagnostic(
        "HR304", f"`{name}` is taken", span, "names bind once; choose another", notes=((first, "it is named here"),)
    )


def unknown_field(span: Span, what: str, name: str, known: Iterable[str]) -> Diagnostic:
    return Diagnostic("HR305", f"{what} has no `{name}`", span, _near_or_list(name, known, "it has"))


def unknown_word(span: Span, word: str, of: str, known: Iterable[str]) -> Diagnostic:
    whose = f"none of the {of}" if " " in of else f"no word of `{of}`"
    return Diagnostic("HR306", f"`{word}` is {whose}", span, _near_or_list(word, known, "the words are"))


def unknown_function(span: Span, name: str, known: Iterable[str]) -> Diagnostic:
    help_text = _ELSEWHERE.get(name.lower()) or _did_you_mean(name, known)
    if name in VERBS:
        help_text = f"`{name}` is a verb: a step is `name: {{{name}: …}}`"
    return Diagnostic("HR307", f"there is no function or table `{name}`", span, help_text)


_ELSEWHERE = {
    "floor": "write `down(a / b)`",
    "ceil": "write `up(a / b)`",
    "ceiling": "write `up(a / b)`",
    "round": "write `nearest(a / b)`",
    "len": "write `count(xs)`",
    "length": "write `count(xs)`",
    "mod": "write `x - x / n * n`, or `units(x)` for the last digit",
    "keep": "write `highest(xs, k)` or `lowest(xs, k)`",
    "drop": "write `highest(xs, k)` or `lowest(xs, k)`",
}
"""What the functions of other languages are here."""


def not_called(span: Span, name: str) -> Diagnostic:
    return Diagnostic("HR308", f"`{name}` is a function", span, f"write `{name}(…)`")


def cycle(span: Span, names: Iterable[str]) -> Diagnostic:
    return Diagnostic(
        "HR309",
        "this goes round in a circle: " + " → ".join(f"`{name}`" for name in names),
        span,
        "nothing may use itself, directly or through others",
    )


def base_outside(span: Span) -> Diagnostic:
    return Diagnostic("HR310", "`base` is the former expression in a house rule, and this is none", span)


def slot_word_outside(span: Span, name: str) -> Diagnostic:
    if name == "it":
        return Diagnostic(
            "HR311",
            "`it` is only known where a list is looked at element by element",
            span,
            "after `where` over dice, read `face`, `value` or `size` of the die",
        )
    return Diagnostic(
        "HR311",
        f"`{name}` is only known where dice are looked at one by one",
        span,
        "use it after `where`, or in `each` and `again` of a roll",
    )


def called_twice(span: Span, name: str, first: Span) -> Diagnostic:
    return Diagnostic(
        "HR312",
        f"`{name}` is called twice, so `passes` cannot tell whose inputs are meant",
        span,
        "give each call its inputs with `with`, perhaps as a record",
        notes=((first, "the first call"),),
    )


def passes_without_call(span: Span, name: str) -> Diagnostic:
    return Diagnostic("HR313", f"`passes` names `{name}`, but no step calls it", span)


def ambiguous_word(span: Span, word: str, lists: Iterable[str]) -> Diagnostic:
    return Diagnostic("HR314", f"`{word}` may be a word of {_listed(lists)}, and nothing here says which", span)


# HR4: types ------------------------------------------------------------------------------------------------------


def wrong_type(span: Span, wanted: str, found: str) -> Diagnostic:
    help_text = None
    if found in ("a die", "dice") and wanted == "a number":
        dice = span.text if re.fullmatch(r"\d*d\d+", span.text) else "…"
        help_text = f"throw dice in a step first, `rolled: {{roll: {dice}}}`; then `sum(rolled)` is a number"
    return Diagnostic("HR401", f"this should be {wanted}, and it is {found}", span, help_text)


def number_among_dice(span: Span, dice: Span, is_number: bool) -> Diagnostic:
    """Of `x in dice`, which asks whether this very die is one of the others."""
    number = span.text if is_number else f"sum({span.text})"
    return Diagnostic(
        "HR401", f"this should be one of the dice, and {_quoted(span)} is read as a number", span,
        f"ask for its number: `any({dice.text} where value == {number})`",
    )  # fmt: skip


def roll_as_number(span: Span) -> Diagnostic:
    return Diagnostic(
        "HR402",
        "a roll of several dice is no number",
        span,
        "write `sum(…)`, `highest(…)` or `count(…)`; of each die by itself, `… where face == 6`",
    )


def may_be_missing(span: Span, of_dice: bool = False) -> Diagnostic:
    help_text = "say what holds then: `… otherwise 0`, or ask `given(…)` first"
    if of_dice:
        help_text = f"write `sum({span.text}) if given({span.text}) else 0`, or roll `… if condition else no_dice`"
    return Diagnostic("HR403", f"{_quoted(span)} may be missing", span, help_text)


def skipped_reroll(span: Span) -> Diagnostic:
    """Of a `reroll` with `if` and without `else`."""
    help_text = (
        f"make it a stage of the roll, `then: {{{span.text}: {{reroll: …, if: …}}}}`: if skipped, the roll stays"
    )
    return Diagnostic("HR403", f"{_quoted(span)} may be missing", span, help_text)


def may_be_empty(span: Span, name: str) -> Diagnostic:
    return Diagnostic(
        "HR404",
        f"there may be no dice or elements here, and `{name}` of nothing is missing",
        span,
        f"write `{name}(…) otherwise 0`",
    )


def wrong_argument(span: Span, function: str, wanted: str, found: str) -> Diagnostic:
    return Diagnostic("HR405", f"`{function}` takes {wanted} here, and this is {found}", span)


def wrong_count(span: Span, function: str, wanted: str, found: int) -> Diagnostic:
    cure = {"max": "highest", "min": "lowest"}.get(function) if found == 1 else None
    return Diagnostic(
        "HR406",
        f"`{function}` takes {wanted}, and here {'is' if found == 1 else 'are'} {found}",
        span,
        f"of dice or a list, write `{cure}(…)`" if cure else None,
    )


def no_common_type(span: Span, left: str, right: str) -> Diagnostic:
    help_text = None
    if "a roll" in (left, right) and {left, right} & {"dice", "a die"}:
        help_text = "dice are a roll once a step has thrown them: `{roll: … if condition else no_dice}`"
    elif "a roll" in (left, right) and "a number" in (left, right):
        help_text = "make the roll a number with `sum(…)`, `highest(…)` or `count(…)`"
    return Diagnostic("HR407", f"one way this is {left}, the other way {right}", span, help_text)


def not_comparable(span: Span, left: str, right: str) -> Diagnostic:
    return Diagnostic("HR408", f"{left} and {right} cannot be compared", span)


def is_for_words(span: Span) -> Diagnostic:
    return Diagnostic("HR409", "`is` compares words", span, "write `==` for numbers and truth")


def equals_for_numbers(span: Span) -> Diagnostic:
    return Diagnostic("HR410", "`==` compares numbers and truth", span, "write `is` for words")


def unranked(span: Span, name: str) -> Diagnostic:
    return Diagnostic("HR411", f"the words of `{name}` have no order", span, "make it a ladder")


def nested_slot(span: Span) -> Diagnostic:
    return Diagnostic(
        "HR412",
        "a `where` or `by` inside another one would mix up their elements",
        span,
        "make the inner one a function or a step of its own",
    )


def rounding_of_no_division(span: Span, name: str) -> Diagnostic:
    return Diagnostic("HR413", f"`{name}` rounds a division, and this is none", span, f"write `{name}(a / b)`")


def not_a_collection(span: Span, word: str, found: str) -> Diagnostic:
    return Diagnostic("HR414", f"`{word}` looks at elements one by one, and this is {found}", span)


def needless_given(span: Span) -> Diagnostic:
    return Diagnostic("HR902", "this is never missing", span, severity="warning")


def needless_otherwise(span: Span) -> Diagnostic:
    return Diagnostic("HR903", "this is never missing, so `otherwise` changes nothing", span, severity="warning")


def code_without_die(span: Span) -> Diagnostic:
    return Diagnostic("HR415", "nothing says which die `D` is", span, "add it to the section `dice`: `D: d6`")


def no_type(span: Span) -> Diagnostic:
    return Diagnostic("HR416", "it cannot be told what this is", span, "give it a simpler form, in steps of its own")


def never_thrown_anew(span: Span) -> Diagnostic:
    return Diagnostic(
        "HR417", "`each` of this roll asks, changes or ends something, and that cannot be done again", span,
        THROWN_ANEW,
    )  # fmt: skip


def cannot_show(span: Span, die: str, face: str, faces: str) -> Diagnostic:
    """Of dice that a step turns to a face; `face` as it is written, or as it came out in play."""
    help_text = f"it shows {faces}; `clamp(…, low, high)` keeps a number between two others"
    return Diagnostic("HR418", f"the die `{die}` cannot be turned to `{face}`", span, help_text)


# HR5: tables, ladders, outcomes, options as wholes ---------------------------------------------------------------


def incomplete_outcomes(span: Span, example: str | None) -> Diagnostic:
    note = f", for example where {example}" if example else ""
    return Diagnostic(
        "HR501", f"it may happen that none of these outcomes holds{note}", span, "end with `name: otherwise`"
    )


def unreachable_outcome(span: Span, name: str, because: Span | None = None) -> Diagnostic:
    notes = ((because, "this one holds before it comes to that"),) if because else ()
    help_text = "move it up, or take it out" if because else "those above it cover everything; take it out"
    return Diagnostic("HR502", f"`{name}` can never be reached", span, help_text, notes)


def outcome_never_holds(span: Span, name: str) -> Diagnostic:
    return Diagnostic("HR502", f"`{name}` can never be reached: its condition never holds", span, "take it out")


def otherwise_not_last(span: Span, name: str) -> Diagnostic:
    return Diagnostic("HR503", f"nothing after `{name}: otherwise` can be reached", span, "move it to the end")


def gap(span: Span, first: int, last: int | None, of_table: bool) -> Diagnostic:
    missing = f"{first}" if first == last else f"{first} to {last}" if last is not None else f"{first} and more"
    return Diagnostic("HR504", f"there is a gap: nothing holds for {missing}", span, _gap_help(of_table))


def gap_below(span: Span, last: int, of_table: bool) -> Diagnostic:
    return Diagnostic("HR504", f"there is a gap: nothing holds for {last} and less", span, _gap_help(of_table))


def _gap_help(of_table: bool) -> str:
    other = "say what holds `off_the_rows`" if of_table else "end with `name: otherwise`"
    return f"stretch a range, or {other}"


def overlap(span: Span, key: str, first: Span, other: str) -> Diagnostic:
    return Diagnostic("HR505", f"`{key}` overlaps with `{other}`", span, notes=((first, "the other range"),))


def empty_range(span: Span, key: str) -> Diagnostic:
    return Diagnostic("HR506", f"`{key}` is the wrong way round", span, "the smaller number comes first")


def bad_range(span: Span, key: str) -> Diagnostic:
    return Diagnostic(
        "HR507", f"`{key}` is no range of numbers", span, "write `7`, `7 to 9`, `6 or less` or `10 or more`"
    )


def missing_rows(span: Span, table: str, words: Iterable[str]) -> Diagnostic:
    return Diagnostic(
        "HR508",
        f"`{table}` has no row for {_listed(words)}",
        span,
        "add the rows, or say what holds `off_the_rows`",
        about=table,
    )


def doubled_rung(span: Span, name: str, first: Span) -> Diagnostic:
    return Diagnostic("HR509", f"`{name}` stands on this ladder twice", span, notes=((first, "the first one"),))


def rungs_out_of_order(span: Span, name: str, before: str) -> Diagnostic:
    return Diagnostic("HR510", f"`{name}` is smaller than `{before}` below it", span, "a ladder goes up")


def mixed_rungs(span: Span, text: str, of_dice: bool) -> Diagnostic:
    what = "is no die, and the rungs below it are" if of_dice else "is a die, and the rungs below it are words"
    return Diagnostic("HR517", f"`{text}` {what}", span, "the rungs of one ladder are all dice, or all words")


def mixed_rows(span: Span) -> Diagnostic:
    return Diagnostic("HR511", "the keys of one table are all numbers and ranges, or all words", span)


def default_outside(span: Span, what: str, called: str = "default") -> Diagnostic:
    return Diagnostic("HR512", f"this {called} is not allowed: {what}", span)


def empty_list_of(span: Span, what: str) -> Diagnostic:
    return Diagnostic("HR513", f"{what} needs at least one entry", span)


def cited_and_noted(span: Span, row: str, other: Span) -> Diagnostic:
    return Diagnostic(
        "HR514", f"`{row}` is cited by a rule, so it is no mere note", span, notes=((other, "it is cited here"),)
    )


def claim_unused(span: Span, choice: str, known: Iterable[str]) -> Diagnostic:
    return Diagnostic("HR515", f"no choice is called `{choice}`", span, _near_or_list(choice, known, "there are"))


def read_in_outcomes(span: Span) -> Diagnostic:
    return Diagnostic(
        "HR516", "with `read`, every outcome is a range of numbers", span, "write `10 or more`, `7 to 9`, `6 or less`"
    )


def claim_is_off(
    row: Span, place: str, of: str, claimed: Fraction, chance: Fraction, whole: bool, bent: str | None
) -> Diagnostic:
    """`place` is the row and its table in words; `bent` is the path of the claim where a house rule may mean it.

    `whole` says that every way was followed, so that the chance is exact.
    """
    exact = f"{chance}, {_points(chance)}%" if whole and len(str(chance)) <= 40 else f"about {_points(chance)}%"
    off = chance - claimed
    return Diagnostic(
        "HR518",
        f"{place} claims {_points(claimed)}% for `{of}`, and the dice say {exact}: "
        f"{_points(abs(off))} points {'more' if off > 0 else 'less'}",
        row,
        f"if that is meant, change or remove `{bent}`"
        if bent
        else "correct the row, or say `within` how far a printed number may be off",
    )


def _points(share: Fraction) -> str:
    """A share in percent, with as many digits as tell it apart from nothing."""
    percent = float(share * 100)
    return f"{percent:.2f}".rstrip("0").rstrip(".") if percent >= 0.01 or not share else f"{percent:.2g}"


def claim_cannot_be_held(row: Span, place: str, why: Diagnostic) -> Diagnostic:
    return Diagnostic("HR519", f"{place} cannot be held against the dice: {why.message}", row, why.help)


def claim_later(row: Span, place: str, of: str) -> Diagnostic:
    return Diagnostic(
        "HR907", f"{place}: how likely `{of}` is, is more than is worked out here", row, severity="warning"
    )


# HR55: layers ----------------------------------------------------------------------------------------------------


def change_without_verb(span: Span, verbs: Iterable[str]) -> Diagnostic:
    return Diagnostic("HR550", "this change does not say what is done", span, f"it has one of {_listed(verbs)}")


def literally_here(span: Span, verb: str) -> Diagnostic:
    return Diagnostic("HR551", f"`{verb}` takes the word `here`", span, f"write `{verb}: here`")


def two_anchors(span: Span) -> Diagnostic:
    return Diagnostic("HR552", "a place is `before` or `after` something, not both", span)


def no_target(span: Span, name: str, path: Iterable[str], known: Iterable[str]) -> Diagnostic:
    place = ".".join(path)
    where = f" in `{place}`" if place else ""
    return Diagnostic("HR553", f"there is no `{name}`{where} to change", span, _near_or_list(name, known, "there are"))


def no_way_into(span: Span, name: str, path: Iterable[str], listed: bool) -> Diagnostic:
    """A path that goes on where there are no names to go on by."""
    place = ".".join(path)
    help_text = f"`{place}` is a list; `set` it as a whole" if listed else f"`{place}` has nothing under it"
    if place == "cases":
        help_text = "a case that comes out otherwise is named under `differs`; new ones stand under `cases`"
    return Diagnostic("HR553", f"there is no `{name}` in `{place}` to change", span, help_text)


def already_there(span: Span, name: str, first: Span) -> Diagnostic:
    return Diagnostic("HR554", f"`{name}` is there already", span, "`set` changes what is there, `add` adds a new name",
                      notes=((first, "it stands here"),))  # fmt: skip


def was_otherwise(span: Span, name: str, was: str, now: str, place: Span) -> Diagnostic:
    return Diagnostic("HR555", f"`{name}` was `{was}` when this was written, and is `{now}` now", span,
                      "look whether the change still makes sense, then mend `was`",
                      notes=((place, "as it is now"),))  # fmt: skip


def no_anchor(span: Span, name: str, known: Iterable[str]) -> Diagnostic:
    return Diagnostic("HR556", f"it matters where `{name}` comes", span,
                      f"say `before:` or `after:` one of {_listed(known)}")  # fmt: skip


def no_anchor_there(span: Span, name: str, known: Iterable[str]) -> Diagnostic:
    return Diagnostic("HR557", f"there is no `{name}` beside it", span, _near_or_list(name, known, "there are"))


def layers_conflict(span: Span, layer: str, other: str, path: str, other_path: str, first: Span) -> Diagnostic:
    both = f"both change `{path}`"
    if path != other_path:
        both = f"change `{path}` and `{other_path}`, which touch each other"
    return Diagnostic("HR558", f"`{layer}` and `{other}` {both}, and neither knows of the other", span,
                      "a ruleset that extends both may settle it with a change of its own",
                      notes=((first, f"the change of `{other}`"),))  # fmt: skip


def cannot_extend(span: Span, name: str, why: Diagnostic) -> Diagnostic:
    return Diagnostic("HR559", f"`{name}` cannot be extended: {why.message}", span, why.help)


def bundled_is_meant(span: Span, name: str, file: str) -> Diagnostic:
    return Diagnostic(
        "HR906",
        f"`{name}` is the bundled ruleset, not `{file}` beside this file",
        span,
        f"write `{file}` if that is meant",
        severity="warning",
    )


def bad_requirement(span: Span, text: str) -> Diagnostic:
    return Diagnostic("HR560", f"`{text}` is no requirement", span, "write `name` or `name >= 1.2`")


def not_extended(span: Span, name: str, known: Iterable[str]) -> Diagnostic:
    return Diagnostic(
        "HR561", f"`{name}` is required, and is not extended", span, _near_or_list(name, known, "extended are")
    )


def other_version(span: Span, name: str, wanted: str, found: str) -> Diagnostic:
    return Diagnostic("HR562", f"`{wanted}` is required, and `{name}` is {found}", span)


def bends_another(span: Span, layer: str, base: str, ruleset: str) -> Diagnostic:
    return Diagnostic("HR563", f"`{layer}` cannot be laid over `{ruleset}`", span,
                      f"it is made for `{base}`" if base != layer else "it extends nothing")  # fmt: skip


def out_of_reach(name: str, around: Iterable[str] = ()) -> Diagnostic:
    reach = "it must be bundled, or a file of the layer's own folder or of one that is allowed"
    near = nearest_name(name, around, sure=True)
    return Diagnostic("HR564", f"`{name}` is not within reach", NOWHERE, f"did you mean `{near}`?" if near else reach)


def idle_step(span: Span, name: str) -> Diagnostic:
    return Diagnostic("HR565", f"nothing reads `{name}`, so it changes nothing", span,
                      "make it a stage of the value it should change, or let a later step read it")  # fmt: skip


# HR57: things that last ------------------------------------------------------------------------------------------


def for_counters(span: Span, key: str) -> Diagnostic:
    return Diagnostic(
        "HR570", f"`{key}` is for points and tracks", span, "write `type: points` or `type: track` beside it"
    )


def not_for(span: Span, key: str, what: str) -> Diagnostic:
    helps = {"default": "write `starts`", "from": "a track begins at 0", "to": "write `length`", "length": "write `to`"}
    return Diagnostic("HR570", f"`{key}` does not go with {what}", span, helps.get(key))


def derived_has_no(span: Span, key: str, name: str) -> Diagnostic:
    return Diagnostic("HR571", f"`{name}` is derived by `is`, so there can be no `{key}` beside it", span)


def derived_is_fixed(span: Span, name: str) -> Diagnostic:
    return Diagnostic("HR571", f"`{name}` is derived from other values, so it cannot be changed", span,
                      "change what it is derived from")  # fmt: skip


def derived_is_given(span: Span, name: str) -> Diagnostic:
    return Diagnostic("HR571", f"`{name}` is derived from other values, so it cannot be given", span,
                      "give what it is derived from")  # fmt: skip


def part_is_there(span: Span, name: str, kind: str) -> Diagnostic:
    return Diagnostic("HR572", f"`{name}` is a part, of the kind `{kind}`, and always there once", span,
                      f"take away `default`, `optional` or `per`, or the `part: yes` of `{kind}`")  # fmt: skip


def part_is_fixed(span: Span, name: str) -> Diagnostic:
    return Diagnostic("HR572", f"`{name}` is a part and cannot be replaced", span, "change what it has")


def never_full(span: Span, key: str, name: str) -> Diagnostic:
    return Diagnostic(
        "HR573", f"`{name}` has no upper bound, so there is no `{key}`", span, "give it a bound with `to`"
    )


def no_place(span: Span, verb: str) -> Diagnostic:
    said = "; the new value stands beside `to`" if verb == "set" else ""
    return Diagnostic("HR574", f"`{verb}` changes what a thing has, and this is nothing of that", span,
                      f"write it as `thing.name`, such as `actor.luck`{said}")  # fmt: skip


def swapped(span: Span, verb: str, other: str) -> Diagnostic:
    what = "a list" if other in ("add", "remove") else "a number"
    return Diagnostic("HR575", f"`{verb}` is not for {what}", span, f"write `{other}`")


def cannot_be_made(span: Span, kind: str, one: bool) -> Diagnostic:
    why = "there is one, and always just one" if one else "it is part of another and comes and goes with that"
    return Diagnostic("HR576", f"no `{kind}` can be made or destroyed: {why}", span)


def not_in_a_reaction(span: Span, verb: str) -> Diagnostic:
    return Diagnostic("HR577", f"`{verb}` is only for reactions before an event", span)


def before_or_after(span: Span, name: str) -> Diagnostic:
    return Diagnostic("HR578", f"`{name}` must say what it answers: `before` or `after` one event", span)


def rounds_of_what(span: Span) -> Diagnostic:
    return Diagnostic("HR579", "a number of rounds is for a single element, not for a whole value", span,
                      "write it beside the `add` that puts the element in")  # fmt: skip


def bad_thing(span: Span, kind: str, one: bool) -> Diagnostic:
    why = "is there by its own name" if one else "comes with what it is part of"
    return Diagnostic("HR576", f"`{kind}` {why}, so nothing of it stands under `things`", span)


# HR58: scenes ----------------------------------------------------------------------------------------------------


def other_in_scene(span: Span, name: str, scene: str, first: str, where: Span) -> Diagnostic:
    return Diagnostic("HR580", f"`{name}` is something else in `{scene}` than in `{first}`", span,
                      "`scene.NAME` means one thing in all scenes: say the same, or take another name",
                      notes=((where, f"`{name}` in `{first}`"),))  # fmt: skip


def boundary_takes(span: Span, name: str, who: bool) -> Diagnostic:
    takes = "has one input, `who`" if who else "has no inputs"
    return Diagnostic("HR581", f"`{name}` is caused by the language itself, and {takes}", span)


def never_a_key(span: Span, name: str, before: str) -> Diagnostic:
    return Diagnostic("HR582", f"`{name}` is never asked: after `{before}` nobody is level any more", span,
                      "put `random` last")  # fmt: skip


def high_or_low(span: Span, name: str) -> Diagnostic:
    return Diagnostic("HR583", f"`{name}` says neither or both of `high` and `low`", span,
                      "write `high:` where the highest comes first, or `low:`")  # fmt: skip


def budget_of_what(span: Span) -> Diagnostic:
    return Diagnostic("HR584", "a budget is for numbers that are chosen for each of several", span,
                      "write `choose: number` with `among`")  # fmt: skip


def outcome_without_end(span: Span, name: str) -> Diagnostic:
    return Diagnostic("HR585", f"the scene never ends with `{name}`", span,
                      f"give it a condition, or let a step `end: {name}`")  # fmt: skip


def end_of_an_end(span: Span) -> Diagnostic:
    return Diagnostic("HR590", "the scene has ended with an outcome when this is done", span,
                      "leave it out, or let a step of a phase `end` the scene")  # fmt: skip


def guard_too_low(span: Span, most: int, at_once: str) -> Diagnostic:
    return Diagnostic("HR589", f"with a guard of {most}, {at_once}", span,
                      "write how often it may go on, 1 or more, or leave `guard` out")  # fmt: skip


def part_of_no_scene(span: Span, key: str) -> Diagnostic:
    return Diagnostic("HR586", f"`{key}` says how much is played of a scene, and this case plays none", span,
                      "leave it out, or name the scene with `scene`")  # fmt: skip


def no_key(span: Span, element: str) -> Diagnostic:
    return Diagnostic(
        "HR587", f"what comes of each is kept under it, and nothing tells two of {element} apart", span,
        "go through numbers, and take each with `item(xs, n)`; dice have `each` in their roll",
    )  # fmt: skip


def list_per_word(span: Span, name: str, words: str) -> Diagnostic:
    return Diagnostic("HR588", f"`{name}` would be a list for each of `{words}`, which nothing can be added to", span,
                      "give each word a list of its own: `left_hand: {list_of: …}`")  # fmt: skip


# HR6: a run ------------------------------------------------------------------------------------------------------


def unknown_mechanic(name: str, known: Iterable[str]) -> Diagnostic:
    return Diagnostic("HR601", f"there is no mechanic `{name}`", NOWHERE, _near_or_list(name, known, "there are"))


def unknown_input(span: Span, name: str, mechanic: str, known: Iterable[str]) -> Diagnostic:
    return Diagnostic(
        "HR602", f"`{mechanic}` has no input `{name}`", span, _near_or_list(name, known, "it has"), about=name
    )


def missing_input(name: str, mechanic: str, meaning: str) -> Diagnostic:
    return Diagnostic("HR603", f"`{mechanic}` needs `{name}`: {meaning}", NOWHERE, f"write `{name}=…`", about=name)


def missing_given(span: Span, name: str, scene: str, meaning: str) -> Diagnostic:
    """As `missing_input`, of a scene file."""
    missing = missing_input(name, scene, meaning or "it has no default")
    return replace(missing, span=span, help=f"write `{name}: …` under `given`")


def out_of_bounds(span: Span, name: str, value: int, low: int | None, high: int | None) -> Diagnostic:
    bounds = (
        f"from {low} to {high}"
        if low is not None and high is not None
        else (f"at least {low}" if low is not None else f"at most {high}")
    )
    return Diagnostic("HR604", f"`{name}` is {bounds}, and this is {value}", span, about=name)


def wrong_length(span: Span, name: str, count: int, low: int | None, high: int | None) -> Diagnostic:
    bounds = (
        f"{low} to {high}"
        if low is not None and high is not None
        else f"at least {low}"
        if low is not None
        else f"at most {high}"
    )
    return Diagnostic("HR604", f"of `{name}` there are {bounds}, and here are {count}", span, about=name)


def fails_where(span: Span, name: str, condition: str) -> Diagnostic:
    return Diagnostic("HR605", f"`{name}` must satisfy `{condition.strip(chr(34) + chr(39))}`", span, about=name)


def required(name: str, condition: str, span: Span) -> Diagnostic:
    return Diagnostic("HR606", f"this is not possible: `{name}` requires `{condition}`", span, about=name)


def too_few_faces(needed: str, given: int) -> Diagnostic:
    there = f"only {_counted(given, 'face')} given, and one more" if given else "no face is given, and one"
    return Diagnostic("HR610", f"{there} for `{needed}` is needed", NOWHERE, "give it last, or leave faces to chance")


def too_many_faces(span: Span, used: int, given: int) -> Diagnostic:
    asked = f"only {_counted(used, 'was', 'were')} asked for" if used else "none was asked for"
    return Diagnostic("HR611", f"{_counted(given, 'face')} given, and {asked}", span, "leave out what is too much")


def no_such_face(span: Span, die: str, face: object, faces: str) -> Diagnostic:
    return Diagnostic("HR612", f"the die `{die}` cannot show `{face}`", span, f"it shows {faces}")


def _counted(number: int, one: str, many: str | None = None) -> str:
    if many is None:
        one, many = f"{one} is", f"{one}s are"
    return f"{number} {one if number == 1 else many}"


def wrong_number_of_faces(span: Span, dice: int, faces: int) -> Diagnostic:
    there = _counted(dice, "die lies", "dice lie")
    return Diagnostic("HR613", f"{there} here, and {_counted(faces, 'face')} given", span)


def not_an_answer(choice: str, answer: str, allowed: str) -> Diagnostic:
    return Diagnostic("HR620", f"`{answer}` is no answer to `{choice}`", NOWHERE, f"allowed is {allowed}", about=choice)


def no_answer(choice: str, by: str | None, ask: str) -> Diagnostic:
    who = f"`{by}`" if by else "somebody"
    return Diagnostic(
        "HR621",
        f"{who} must decide `{choice}`" + (f": {ask}" if ask else ""),
        NOWHERE,
        f"answer it with `--choose {choice}=…`",
        about=choice,
    )


def answers_used_up(choice: str, given: int) -> Diagnostic:
    answers = "1 answer was" if given == 1 else f"{given} answers were"
    return Diagnostic(
        "HR622", f"`{choice}` is asked again, and only {answers} given", NOWHERE,
        "a list is one answer for each asking; several who are asked are answered by name: `{ann: yes, bo: no}`",
        about=choice,
    )  # fmt: skip


def never_asked(choice: str, asked: Iterable[str]) -> Diagnostic:
    return Diagnostic(
        "HR623", f"`{choice}` was never asked", NOWHERE, _near_or_list(choice, asked, "asked were"), about=choice
    )


def asked_less_often(choice: str, asked: int, given: int) -> Diagnostic:
    times = "once" if asked == 1 else f"{asked} times"
    return Diagnostic(
        "HR623", f"`{choice}` was asked {times}, and {given} answers are given", NOWHERE, "leave out what is too much",
        about=choice,
    )  # fmt: skip


def ambiguous_choice(choice: str, paths: Iterable[str]) -> Diagnostic:
    return Diagnostic("HR624", f"`{choice}` may mean {_listed(paths)}", NOWHERE, "write the longer one", about=choice)


def nothing_to_choose(choice: str, span: Span) -> Diagnostic:
    return Diagnostic(
        "HR625",
        f"`{choice}` must be answered, and there is nothing to choose from",
        span,
        "put an `if` beside it, or make it `choose: some` with `most: 1`",
        about=choice,
    )


def never_ends(span: Span, condition: str) -> Diagnostic:
    return Diagnostic("HR591", f"a die is thrown again whatever it shows: `{condition}` always holds", span,
                      "say which faces go on, as in `again: face == 6`, or how often, as in `nth < 3`")  # fmt: skip


def guard_reached(span: Span, path: str, limit: int) -> Diagnostic:
    return Diagnostic(
        "HR630",
        f"`{path}` went on {limit:,} times and reached its guard",
        span,
        "the guard is a fuse: raise it, or look why it does not end",
    )


def budget_spent(span: Span, what: str, limit: int) -> Diagnostic:
    return Diagnostic("HR631", f"this run needs more than {limit:,} {what}", span)


def cannot_compute(span: Span, name: str, why: str) -> Diagnostic:
    return Diagnostic("HR632", f"`{name}` cannot be worked out: {why}", span, about=name)


def number_out_of_range(span: Span) -> Diagnostic:
    return Diagnostic("HR633", "the number grows beyond what fits into 64 bits", span)


def holds_too_much(span: Span, most: int) -> Diagnostic:
    return Diagnostic("HR637", f"this would hold more than {most:,} values", span)


def off_the_rows(span: Span, table: str, key: str) -> Diagnostic:
    return Diagnostic("HR634", f"{key} is not on the rows of {table}", span, about=table)


def no_outcome(mechanic: str) -> Diagnostic:
    return Diagnostic("HR635", f"none of the outcomes of `{mechanic}` holds", NOWHERE)


def cannot_throw_anew(span: Span, roll: str | None) -> Diagnostic:
    if roll is None:
        return Diagnostic("HR636", "nothing says what a new throw of these dice counts: they were given as they lie",
                          span, "roll them in the rules, or give dice that count what they show")  # fmt: skip
    return Diagnostic("HR636", f"these dice cannot be thrown anew: `each` of `{roll}` asks, changes or ends something",
                      span, THROWN_ANEW)  # fmt: skip


THROWN_ANEW = "do in steps of their own what asks, changes or ends, and keep in `each` what only works something out"


def not_that_type(span: Span, name: str, wanted: str, text: str, why: str | None = None) -> Diagnostic:
    return Diagnostic("HR640", f"`{name}` is {wanted}, and `{text}` is not", span, why, about=name)


def unknown_option(span: Span, name: str, known: Iterable[str]) -> Diagnostic:
    return Diagnostic(
        "HR641", f"there is no option `{name}`", span, _near_or_list(name, known, "there are"), about=name
    )


def unknown_policy(name: str, known: Iterable[str]) -> Diagnostic:
    return Diagnostic("HR642", f"there is no policy `{name}`", NOWHERE, _near_or_list(name, known, "there are"))


def no_ruleset(name: str, known: Iterable[str]) -> Diagnostic:
    return Diagnostic(
        "HR643",
        f"there is no ruleset `{name}`, bundled or as a file or folder",
        NOWHERE,
        _near_or_list(name, known, "bundled are"),
    )


def replay_differs(what: str, then: str, now: str) -> Diagnostic:
    return Diagnostic("HR644", f"the replay differs in {what}: then {then}, now {now}", NOWHERE)


def not_a_result(why: str) -> Diagnostic:
    return Diagnostic("HR645", f"this is no saved result: {why}", NOWHERE)


def bad_assignment(text: str) -> Diagnostic:
    return Diagnostic("HR646", f"`{text}` is no assignment", NOWHERE, "write `name=value`")


def other_ruleset(result: str, game: str) -> Diagnostic:
    return Diagnostic("HR647", f"this result is of `{result}`, and this is `{game}`", NOWHERE)


def nothing_to_explain(name: str, known: Iterable[str]) -> Diagnostic:
    help_text = _did_you_mean(name, known) or "without a name, the rules are listed"
    return Diagnostic("HR648", f"there is no rule, row or code `{name}`", NOWHERE, help_text)


def dropped(span: Span, path: str) -> Diagnostic:
    return Diagnostic("HR699", f"`{path}` was taken out", span)


# HR66: a session: questions, players, saves ----------------------------------------------------------------------


def not_open(request: str, open_: Iterable[str]) -> Diagnostic:
    return Diagnostic("HR674", f"no question `{request}` is open", NOWHERE,
                      f"open are {_listed(open_)}" if (open_ := list(open_)) else "nothing is asked now")  # fmt: skip


def answered_already(request: str, path: str, by: str | None) -> Diagnostic:
    who = f"`{by}` has" if by is not None else "somebody has"
    return Diagnostic("HR661", f"{who} answered `{path}` already", NOWHERE,
                      "only `undo` takes an answer back", about=request)  # fmt: skip


def asked_of_another(path: str, player: str, who: str | None, asked: str | None) -> Diagnostic:
    answers = f"`{asked}` answers for {f'`{who}`' if who else 'it'}" if asked is not None else (
        f"nobody plays `{who}`, so only the host can" if who is not None else "it shows what no player may see"
    )  # fmt: skip
    return Diagnostic("HR662", f"`{path}` is not asked of `{player}`", NOWHERE, answers, about=path)


def unknown_player(name: str, known: Iterable[str]) -> Diagnostic:
    return Diagnostic("HR663", f"there is no player `{name}`", NOWHERE, _near_or_list(name, known, "there are"))


def plays_nobody(player: str, name: str, known: Iterable[str], span: Span = NOWHERE) -> Diagnostic:
    return Diagnostic("HR664", f"`{player}` cannot answer for `{name}`: it is neither a thing nor a role", span,
                      _near_or_list(name, known, "there are"), about=name)  # fmt: skip


def played_by_two(name: str, player: str, other: str, span: Span = NOWHERE) -> Diagnostic:
    return Diagnostic("HR665", f"`{player}` and `{other}` both answer for `{name}`", span,
                      "one player answers for each thing and role", about=name)  # fmt: skip


def nothing_to_take_back(what: str) -> Diagnostic:
    why = {"undo": "nobody has answered anything yet", "redo": "nothing was undone since the last answer"}
    return Diagnostic("HR666", f"there is nothing to {what}: {why[what]}", NOWHERE)


def not_a_session(why: str) -> Diagnostic:
    return Diagnostic("HR667", f"this is no saved session: {why}", NOWHERE)


def other_session(what: str, found: str, mine: str) -> Diagnostic:
    return Diagnostic("HR668", f"this session was saved under another {what}: {found}, and here is {mine}", NOWHERE,
                      "resume it with the rules, options and version that it was begun under")  # fmt: skip


def session_differs(number: int, why: str) -> Diagnostic:
    where = f"at answer {number}" if number else "at its beginning"
    return Diagnostic("HR669", f"what was saved does not fit together {where}: {why}", NOWHERE,
                      "take the save as it was written; one that was changed is no play")  # fmt: skip


def not_a_call(why: str, help_text: str | None = None) -> Diagnostic:
    return Diagnostic("HR670", f"this is no call of a host: {why}", NOWHERE, help_text)


def unknown_call(name: str, known: Iterable[str]) -> Diagnostic:
    return Diagnostic("HR671", f"there is no call `{name}`", NOWHERE, _near_or_list(name, known, "there are"))


def unknown_session(name: str, known: Iterable[str]) -> Diagnostic:
    return Diagnostic("HR672", f"there is no session `{name}`", NOWHERE, _near_or_list(name, known, "there are"))


def session_there(name: str) -> Diagnostic:
    return Diagnostic(
        "HR673", f"there is a session `{name}` already", NOWHERE, "`forget` it first, or name it otherwise"
    )


# HR68: a scene under way -----------------------------------------------------------------------------------------


def nothing_for(span: Span, key: str) -> Diagnostic:
    return Diagnostic("HR682", f"there is nothing here for {key}", span,
                      "say what holds then: `… otherwise 0`")  # fmt: skip


def too_many_ways(most: int) -> Diagnostic:
    return Diagnostic("HR814", f"after {most:,} ways through phases this scene has still not come to its end", NOWHERE,
                      "`simulate` it instead")  # fmt: skip


def no_best_in_a_scene(way: str, name: str) -> Diagnostic:
    return Diagnostic("HR815", f"a scene is not decided for the {way} {name}", NOWHERE,
                      "let a `policy` answer, or `choices`")  # fmt: skip


def left_with_best(names: Iterable[str], goal: str) -> Diagnostic:
    return Diagnostic("HR816", f"what is left ({_listed(names)}) is not told beside the best answers for `{goal}`",
                      NOWHERE, "let a `policy` answer, or `choices`")  # fmt: skip


def left_with_lists(names: Iterable[str]) -> Diagnostic:
    return Diagnostic(
        "HR816",
        f"what is left ({_listed(names)}) is not told beside answers that differ from one asking to the next",
        NOWHERE,
        "`simulate` it instead, or give one answer for each choice",
    )


def too_many_ways_to_the_end(most: int) -> Diagnostic:
    return Diagnostic("HR814", f"what is left has more than {most:,} ways to come about", NOWHERE,
                      "`simulate` it instead")  # fmt: skip


def always_stopped(scene: str) -> Diagnostic:
    return Diagnostic("HR818", f"`{scene}` never comes to an outcome before its guard stops it", NOWHERE,
                      "raise its `guard`, or look why it does not end")  # fmt: skip


def not_in_pile(span: Span, where: str, value: str) -> Diagnostic:
    return Diagnostic("HR681", f"{value} is not in `{where}`", span, about=where)


# HR65: a state, and what changes it ------------------------------------------------------------------------------


NO_SCENE = "HR680"
"""The code of what is asked of a scene where none is under way."""


def no_such_thing(span: Span, name: str, known: Iterable[str] = (), stateless: bool = False) -> Diagnostic:
    """`stateless` says that nobody has given a state, in which there may be more than the things of the book."""
    if name == "scene":
        return Diagnostic(NO_SCENE, "no scene is under way", span, "this can only be asked in one", about=name)
    known = list(known)
    help_text = _near_or_list(name, known, "there are")
    if stateless and not _did_you_mean(name, known):
        help_text = f"{help_text}; {IN_A_STATE}" if help_text else IN_A_STATE
    return Diagnostic("HR650", f"there is no thing `{name}`", span, help_text, about=name)


IN_A_STATE = "what lasts stands in a state: `odds` and `simulate` take one with `--state FILE`, a case has `before`"


def of_another_kind(span: Span, name: str, kind: str, wanted: str) -> Diagnostic:
    return Diagnostic("HR650", f"`{name}` is a `{kind}`, and a `{wanted}` is needed", span, about=name)


def too_few_points(span: Span, what: str, price: int, there: int) -> Diagnostic:
    are = "is" if there == 1 else "are"
    return Diagnostic("HR651", f"this costs {price} of `{what}`, and there {are} {there}", span,
                      about=what.rsplit(".", 1)[-1])  # fmt: skip


def no_mix_pays(span: Span, price: int, there: int) -> Diagnostic:
    return Diagnostic("HR651", f"this costs {price}, and all that can be paid with is worth {there}", span)


def below_nothing(span: Span, verb: str, amount: int, what: str | None = None) -> Diagnostic:
    """`what` is none where several may pay."""
    of, about = (f" of `{what}`", what.rsplit(".", 1)[-1]) if what is not None else ("", None)
    return Diagnostic("HR652", f"nobody can {verb} {amount}{of}", span, "an amount is 0 or more", about=about)


def past_full(span: Span, what: str, high: int, amount: int) -> Diagnostic:
    return Diagnostic("HR653", f"`{what}` goes up to {high}, and {amount} more are refused", span,
                      about=what.rsplit(".", 1)[-1])  # fmt: skip


def done_often_enough(span: Span, name: str, times: int, per: str) -> Diagnostic:
    if times <= 0:
        return Diagnostic("HR654", f"`{name}` cannot be done in a {per} as things are", span, about=name)
    often = "once" if times == 1 else f"{times} times"
    return Diagnostic("HR654", f"`{name}` can be done {often} per {per}, and that was done", span, about=name)


def not_this_actor(span: Span, who: str, name: str) -> Diagnostic:
    condition = " ".join(span.text.split())
    return Diagnostic("HR655", f"`{who}` cannot do `{name}`: `{condition}` does not hold", span, about="actor")


def not_among(span: Span, name: str, value: str, candidates: Iterable[str]) -> Diagnostic:
    return Diagnostic("HR656", f"`{name}` cannot be `{value}`", span, _near_or_list(value, candidates, "it can be"),
                      about=name)  # fmt: skip


def no_candidate(span: Span, name: str) -> Diagnostic:
    return Diagnostic("HR656", f"there is nothing that `{name}` can be now", span,
                      "nothing is as its `among` and `where` want it", about=name)  # fmt: skip


def there_already(span: Span, what: str, value: str) -> Diagnostic:
    return Diagnostic("HR657", f"`{value}` is in `{what}` already", span, about=what.rsplit(".", 1)[-1])


def without_end(span: Span, name: str) -> Diagnostic:
    return Diagnostic("HR658", f"`{name}` causes itself again and again", span,
                      "a condition that holds no more at some time ends it")  # fmt: skip


def wrong_state(reason: str) -> Diagnostic:
    return Diagnostic("HR659", f"this is no state of this game: {reason}", NOWHERE)


def no_state(name: str, what: str) -> Diagnostic:
    one = "a scene" if what == "scene" else f"an {what}"
    return Diagnostic("HR660", f"`{name}` is {one}, and what it comes to hangs on what there is", NOWHERE,
                      "give a state, with `--state FILE`: things by name, as in `before` of a case")  # fmt: skip


def other_rules(what: str, found: str, mine: str) -> Diagnostic:
    return Diagnostic("HR659", f"this state is of other rules: its {what} is {found}, and not {mine}", NOWHERE,
                      "load it with the rules and options that it was made under")  # fmt: skip


def bad_state(span: Span, reason: str, help_text: str | None = None) -> Diagnostic:
    return Diagnostic("HR659", reason, span, help_text)


# HR8: odds -------------------------------------------------------------------------------------------------------


def no_odds_of(name: str, known: Iterable[str]) -> Diagnostic:
    return Diagnostic(
        "HR801", f"there is no value `{name}` to ask for", NOWHERE, _near_or_list(name, known, "there are"), about=name
    )


def no_number(name: str, value: str) -> Diagnostic:
    return Diagnostic("HR802", f"`{name}` is no number: it may be {value}", NOWHERE, about=name)


def mean_is_open(name: str, missing: Fraction) -> Diagnostic:
    return Diagnostic(
        "HR803",
        f"the mean of `{name}` is not known: {float(missing):.3g} of its law is missing",
        NOWHERE,
        "ask for outcomes, which need not follow every die to its end, or use `simulate`",
        about=name,
    )


def too_much_to_lay_out(dice: int, most: int, go_on: bool = False) -> Diagnostic:
    """`go_on` says that some of the dice may be thrown more than once."""
    these = "one die" if dice == 1 else f"{dice} dice"
    return Diagnostic(
        "HR804",
        f"these odds need more than {most:,} ways in which {these} can lie{', with all their throws' * go_on}",
        NOWHERE,
        "ask for less, read the dice by `sum`, `count`, `highest` and the like, or use `simulate`",
    )


def too_many_falls(dice: int, most: int) -> Diagnostic:
    """As `too_much_to_lay_out`, of dice that an event throws, or another step that changes what lasts."""
    return Diagnostic(
        "HR804",
        f"these odds need more than {most:,} ways in which {'one die' if dice == 1 else f'{dice} dice'} can fall",
        NOWHERE,
        "throw fewer dice at once where something is changed, or use `simulate`",
    )


NOTHING_FOLLOWED = "HR817"
"""The code of odds of which nothing at all is known."""


def nothing_followed(names: Iterable[str]) -> Diagnostic:
    return Diagnostic(
        "HR817",
        f"nothing is known of {_listed(names) or 'what is left'}: dice go on for longer than they are followed",
        NOWHERE,
        "end the dice by rule, as in `again: face == 6 and nth < 5`, or use `simulate`",
    )


def too_many_states(most: int) -> Diagnostic:
    return Diagnostic(
        "HR805", f"these odds need more than {most:,} states", NOWHERE, "ask for fewer names at once, or use `simulate`"
    )


def too_much_work() -> Diagnostic:
    return Diagnostic(
        "HR805",
        "these odds need more work than one question may take",
        NOWHERE,
        "ask for less of it, with fewer dice or passes, or use `simulate`",
    )


def too_much_memory(megabytes: int) -> Diagnostic:
    return Diagnostic(
        "HR805",
        f"these odds need more than the {megabytes} MB that one question may keep",
        NOWHERE,
        "ask for less of it, with fewer dice or passes, or use `simulate`",
    )


def no_numpy() -> Diagnostic:
    return Diagnostic(
        "HR807", "simulation needs NumPy, which is not installed", NOWHERE, "pip install 'houserule[simulate]'"
    )


def decides_nothing(asked: str) -> Diagnostic:
    return Diagnostic(
        "HR808",
        f"a simulation does not look for the {asked} decisions",
        NOWHERE,
        "ask for exact odds, or let a policy decide",
    )


def too_few_runs(runs: int) -> Diagnostic:
    return Diagnostic("HR809", f"a simulation has at least 1 run, and this would have {runs}", NOWHERE)


def best_with_lists(goal: str) -> Diagnostic:
    return Diagnostic(
        "HR810",
        f"what is best for `{goal}` is not looked for beside answers that differ from one asking to the next",
        NOWHERE,
        "give one answer for each choice, or leave it open",
        about=goal,
    )


def best_and_worst(best: str, worst: str, span: Span = NOWHERE) -> Diagnostic:
    return Diagnostic(
        "HR812", f"decisions are made for the best of `{best}` or for the worst of `{worst}`", span, "ask for one"
    )


def best_of_a_play(span: Span, key: str) -> Diagnostic:
    return Diagnostic(
        "HR813", f"`{key}` is for odds, and this case is played", span, "say `choices`, or expect `odds` or a `mean`"
    )


def bad_axis(text: str) -> Diagnostic:
    return Diagnostic(
        "HR811",
        f"`{text}` names no values to go over",
        NOWHERE,
        "write `own=d4,d6`, or up to 1000 whole numbers as `skill=1..5`",
    )


def too_many_answers(choice: str, most: int) -> Diagnostic:
    return Diagnostic(
        "HR806",
        f"`{choice}` has more than {most:,} answers to try",
        NOWHERE,
        "fix it with an answer or a policy, or narrow what may be chosen",
        about=choice,
    )


# HR7: cases ------------------------------------------------------------------------------------------------------


def case_differs(span: Span, case: str, what: str, expected: str, got: str) -> Diagnostic:
    return Diagnostic("HR701", f"{case}: `{what}` expected {expected}, got {got}", span)


def case_not_settled(span: Span, case: str, what: str, expected: str, known: str, missing: Fraction) -> Diagnostic:
    """`known` tells between what the number lies, `missing` how much of the probability was not followed."""
    return Diagnostic(
        "HR712",
        f"{case}: `{what}` is {known}, so {expected} cannot be settled: {_share(missing)} was not followed",
        span,
        _SETTLED_BY,
    )


_SETTLED_BY = "state it as `about: …` with so few digits that the rest does not matter, or end the dice by rule"


def not_settled(of: str, known: str, missing: Fraction) -> Diagnostic:
    """As `case_not_settled`, of the chance that a table claims."""
    message = f"the chance of `{of}` is {known}, as {_share(missing)} was not followed"
    return Diagnostic("HR519", message, NOWHERE, "say `within` how far a printed number may be off")


def _share(missing: Fraction) -> str:
    """How much of the probability: `0.12%`, `1.6e-15`."""
    return (
        f"{_points(missing)}% of the probability"
        if missing >= Fraction(1, 1_000_000)
        else f"{float(missing):.2g} of the probability"
    )


def case_failed(span: Span, case: str, why: str, help_text: str | None = None) -> Diagnostic:
    return Diagnostic("HR702", f"{case}: {why}", span, help_text)


def no_error(span: Span, case: str, expected: str) -> Diagnostic:
    return Diagnostic("HR703", f"{case}: expected the error `{expected}`, and all went well", span)


def nothing_expected(span: Span) -> Diagnostic:
    return Diagnostic(
        "HR704", "this case expects nothing, so it cannot fail", span, "add `expect`, `odds`, `mean` or `error`"
    )


def no_such_value(span: Span, name: str, known: Iterable[str]) -> Diagnostic:
    return Diagnostic("HR705", f"there is no value `{name}` to expect", span, _near_or_list(name, known, "there are"))


def odds_of_values(span: Span, name: str, value: str) -> Diagnostic:
    """Of a step in the odds of a case, with a chance instead of its values."""
    return Diagnostic("HR705", f"`{name}` is a step, so its odds are those of its values", span,
                      f"say which value has this chance, as in `{name}: {{{value}: …}}`")  # fmt: skip


def no_subject(span: Span) -> Diagnostic:
    return Diagnostic("HR706", "a case names what it tests: `mechanic`, `event`, `action` or `evaluate`", span)


def two_subjects(span: Span, key: str, other: str) -> Diagnostic:
    return Diagnostic("HR706", f"a case tests one rule, and this one names `{other}` and `{key}`", span,
                      "make two cases of it")  # fmt: skip


def odds_later(span: Span, case: str) -> Diagnostic:
    return Diagnostic("HR904", f"{case}: its odds are more than is worked out here", span, severity="warning")


def no_cases(span: Span, mechanic: str) -> Diagnostic:
    return Diagnostic("HR707", f"no case plays `{mechanic}`", span, "add one to `cases`")


def unknown_row(span: Span, row: str, known: Iterable[str]) -> Diagnostic:
    return Diagnostic("HR708", f"`{row}` is no row of `rows.tsv`", span, _did_you_mean(row, known))


def bent_case(failure: Diagnostic, layer: str, base: str) -> Diagnostic:
    return replace(failure, code="HR709", message=f"under `{layer}`, a case of `{base}` fails: {failure.message}",
                   help="if that is meant, list its name under `differs`")  # fmt: skip


def still_holds(span: Span, case: str) -> Diagnostic:
    return Diagnostic("HR710", f"`{case}` holds as before, so it does not differ", span, "take it out of `differs`")


def no_such_case(span: Span, case: str, known: Iterable[str]) -> Diagnostic:
    return Diagnostic("HR711", f"no case below is called `{case}`", span, _did_you_mean(case, known))


def no_because(span: Span) -> Diagnostic:
    return Diagnostic("HR905", "this change does not say why", span, "add `because: …`", severity="warning")
