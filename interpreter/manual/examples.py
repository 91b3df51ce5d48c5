"""A small example of a word: as little of an example of the manual as can be loaded by itself."""

from __future__ import annotations

import re
from collections.abc import Iterator

from interpreter.diagnostics import Problems
from interpreter.diagnostics.source import Source
from interpreter.frozen import dataclass
from interpreter.manual import pages
from interpreter.manual.words import sections_about
from interpreter.runtime import functions
from interpreter.syntax.document import Mapping, Node, Scalar, Sequence, parse, scalars
from interpreter.syntax.fixed_words import BOUNDARIES
from interpreter.syntax.grammar import ALL_KEYS, FORMS, SECTIONS
from interpreter.syntax.shapes import (
    AnyOf,
    ByKey,
    ByVerb,
    Expression,
    Form,
    FreeForm,
    ListOf,
    MapOf,
    Name,
    OneOf,
    Prose,
    Ref,
    Shape,
)
from interpreter.syntax.verb_grammar import VERBS, verbs_in

WHOLE = ("state", "extends", "part_of", "parts", "policies")
"""Keys of files of which every line is needed."""

SHORT = 16
"""So many lines are read at a glance."""


@dataclass(frozen=True, slots=True)
class Unit:
    """An entry of a section, or a whole section that stands in one line, with what it declares and what it uses."""

    section: str
    names: frozenset[str]
    text: str
    keys: frozenset[str]
    read: frozenset[str]


def example_of(word: str) -> str:
    """The smallest example of a word: where the manual explains it, if that one is short; empty if there is none."""
    explaining = sections_about(word)
    smallest = ""
    for among in (explaining, [section for section in pages.sections() if section not in explaining]):
        texts = [text for section in among for text in pages.examples(section) if word in text]
        cuts = [*([smallest] if smallest else []), *(cut for text in texts for cut in _parts_using(text, word))]
        smallest = min(cuts, key=_length, default="")
        if smallest and smallest.count("\n") <= SHORT:
            break
    return smallest


def _length(text: str) -> tuple[int, int]:
    return text.count("\n"), len(text)


def _parts_using(text: str, word: str) -> Iterator[str]:
    """The parts of a text that use a word, each with what it needs."""
    tree = parse(Source.of("example", text), Problems())
    if not isinstance(tree, Mapping):
        return
    if any(key in tree for key in WHOLE):
        forms = {"state": "state", "extends": "layer", "part_of": "part"}
        form = next((form for key, form in forms.items() if key in tree), "ruleset")
        keys, read = _keys_and_words_used(tree, Ref(form))
        yield from [text] if _uses_word(word, keys, read) else []
        return
    units = [unit for entry in tree.entries for unit in _units(text, tree, entry.key.text)]
    for unit in units:
        named = word == unit.section or (word in BOUNDARIES and word in unit.names)
        if named or _uses_word(word, unit.keys, unit.read):
            yield _join_units(units, unit)


def _uses_word(word: str, keys: frozenset[str], read: frozenset[str]) -> bool:
    is_function = word in functions.FUNCTIONS or word in functions.FORMS
    return word in keys if word in ALL_KEYS and not is_function else word in read


def _join_units(units: list[Unit], first: Unit) -> str:
    """A unit and those that declare what it reads, in the order of the text; other cases are left out."""
    kept = [first]
    for needed in kept:
        used = set(re.findall(r"[^\W\d]\w*", needed.text))  # `D` of `3D`, too
        kept += [one for one in units if one not in kept and one.section != "cases" and one.names & used]
    lines: list[str] = []
    for unit in units:
        if unit in kept or unit.section in ("rounding", "ruleset"):
            head = f"{unit.section}:\n"
            lines += [head] if unit.text.startswith((" ", "-")) and head not in lines else []
            lines.append(unit.text)
    return "".join(lines)


def _units(text: str, tree: Mapping, section: str) -> Iterator[Unit]:
    """The units of a section."""
    value, shape = tree.by_key[section].value, SECTIONS.get(section, FORMS["ruleset"].keys.get(section, Prose()))
    parts: list[tuple[int, Node, Shape, frozenset[str]]] = []
    lines_from = _line_start(text, tree.key(section).span.start)
    if isinstance(value, Mapping) and _line_start(text, value.span.start) != lines_from:
        for entry in value.entries:
            one = Mapping((entry,), value.span, {entry.key.text: entry})
            declared = {entry.key.text} | ({s.text for s in scalars(entry.value)} if section in _WORDS else set())
            declared |= _keys_of(entry.value) if section in _WORDS else {"scene"} if section == "scenes" else set()
            parts.append((entry.key.span.start, one, shape, frozenset(declared)))
    elif isinstance(value, Sequence) and _line_start(text, value.span.start) != lines_from:
        parts = [(item.span.start, Sequence((item,), value.span), shape, frozenset()) for item in value.items]
    else:
        declared = {one.text for one in scalars(value)} | _keys_of(value)
        parts = [(lines_from, value, shape, frozenset(declared))]
    starts = [_line_start(text, start) for start, *_ in parts]
    for (_, node, of, names), start, end in zip(
        parts, starts, [*starts[1:], _end_of_section(text, tree, section)], strict=True
    ):
        keys, read = _keys_and_words_used(node, of)
        yield Unit(section, names, text[start:end], keys, read)


_WORDS = ("names", "ladders", "things")


def _keys_of(node: Node) -> set[str]:
    if isinstance(node, Sequence):
        return {key for item in node.items for key in _keys_of(item)}
    if isinstance(node, Mapping):
        return {key for entry in node.entries for key in ({entry.key.text} | _keys_of(entry.value))}
    return set()


def _line_start(text: str, offset: int) -> int:
    return text.rfind("\n", 0, offset) + 1


def _end_of_section(text: str, tree: Mapping, section: str) -> int:
    """Where the next section begins."""
    later = [entry.key.span.start for entry in tree.entries if entry.key.span.start > tree.key(section).span.start]
    return min(later, default=len(text))


def _keys_and_words_used(node: Node, shape: Shape | Form) -> tuple[frozenset[str], frozenset[str]]:
    """The keys of the language in a value of a shape, and the words that its expressions read."""
    words = list(_words_in(node, shape))
    return frozenset(word for word, key in words if key), frozenset(word for word, key in words if not key)


def _words_in(node: Node, shape: Shape | Form) -> Iterator[tuple[str, bool]]:
    """Each word in a value of a shape, and whether it is a key."""
    match shape:
        case Expression() | Name() | OneOf() | FreeForm():
            for scalar in scalars(node):
                yield from [(scalar.text, False)] if isinstance(shape, OneOf) else []
                yield from ((word, False) for word in re.findall(r"\w+", scalar.text))
        case Form():
            for entry in node.entries if isinstance(node, Mapping) else ():
                if entry.key.text in shape.keys:
                    yield entry.key.text, True
                    yield from _words_in(entry.value, shape.keys[entry.key.text])
        case Ref(form):
            yield from _words_in(node, FORMS[form])
        case ByVerb():
            verbs = verbs_in(node.by_key) if isinstance(node, Mapping) else []
            yield from _words_in(node, VERBS[verbs[0]]) if verbs else ()
        case MapOf(of):
            for entry in node.entries if isinstance(node, Mapping) else ():
                yield from _words_in(entry.value, of)
        case ListOf(of):
            for item in node.items if isinstance(node, Sequence) else ():
                yield from _words_in(item, of)
        case ByKey(key, has, has_not):
            yield from _words_in(node, has if isinstance(node, Mapping) and key in node else has_not)
        case AnyOf(of):
            yield from _words_in(node, _fitting_shape(node, of))


def _fitting_shape(node: Node, shapes: tuple[Shape, ...]) -> Shape:
    """The shape of several that such a node has."""
    wanted: tuple[type, ...] = (ByVerb, ByKey, Ref, MapOf)
    if isinstance(node, Scalar):
        if any(isinstance(one, OneOf) and node.text in one.words for one in shapes):
            wanted = (OneOf,)
        else:
            wanted = (Expression, Name, OneOf, Prose)
    elif isinstance(node, Sequence):
        wanted = (ListOf, Expression)
    fitting = [one for one in shapes if isinstance(one, (*wanted, AnyOf))]
    return fitting[0] if fitting else FreeForm()
