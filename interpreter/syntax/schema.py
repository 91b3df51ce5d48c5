"""Check the shape of a file level by level against the schemas in `schemas/`.

Each mapping is one level. Where its keys are not those of its form, a shallow copy of it is validated with the small
schema of the form; the form gives the shape of each value. So the validator needs no recursion, a message is about one
mapping, and an invalid value becomes `Broken` while its neighbours are still checked.

`json_schemas.py` makes the schemas from `grammar.py`.
"""

from __future__ import annotations

import json
import re
from functools import cache
from operator import is_
from typing import Any

from interpreter import bundled
from interpreter import diagnostics as say
from interpreter.diagnostics import Diagnostic, Problems
from interpreter.diagnostics.source import Span
from interpreter.syntax import grammar as g
from interpreter.syntax import shapes
from interpreter.syntax import verb_grammar as v
from interpreter.syntax.document import (
    OF_A_NODE,
    Broken,
    Entry,
    Mapping,
    Node,
    Scalar,
    Sequence,
    entries_of,
    parse_share,
    text_of,
    value_at,
)
from interpreter.syntax.fixed_words import RELATIONS, STATUSES
from interpreter.syntax.names import NAME, is_word
from interpreter.syntax.other_notations import number_of_units, relation_in_words
from interpreter.syntax.other_shapes import mapping_meant
from interpreter.work_count import foresee, spend


def conform(node: Node, form: str, problems: Problems) -> Node:
    """The tree with every value of a wrong shape replaced by `Broken`. Problems are added to `problems`."""
    return _conform_node(node, shapes.Ref(form), _title(form), problems, _span_of_head(node))


# Checking a level ------------------------------------------------------------------------------------------------


def _conform_node(node: Node, shape: shapes.Shape, what: str, problems: Problems, at: Span) -> Node:
    """The node as far as it has a shape; `what` it is called and stands `at` a key, where what it lacks is shown."""
    spend(OF_A_NODE)
    if isinstance(node, Mapping) and isinstance(shape, shapes.FreeForm) and shape.misplaced:
        kind = node.get("is")
        named = kind.text if isinstance(kind, Scalar) and is_name(kind.text) else "its_kind"
        problems.add(say.thing_in_place_of_kind(at, what.strip("`"), named))
    if isinstance(node, Broken) or isinstance(shape, shapes.FreeForm):
        return node
    if isinstance(node, Scalar) and not node.text and node.value is None:
        if node.style in ("|", ">"):
            header = node.span.text.split()[0]
            span = Span(node.span.source, node.span.start, node.span.start + len(header))
            problems.add(say.empty_block(span, what.strip("`"), header))
            return Broken(node.span)
        if node.is_empty:
            if not any(one.code == "HR104" and one.span == node.span for one in problems):  # that of a change is told
                problems.add(say.no_value(node.span, what.strip("`")))
            return Broken(node.span)
    fitting = _fitting_alternative(shape, _kind_of(node))
    if fitting is None:
        wanted = " or ".join(dict.fromkeys(_in_words(s) for s in shapes.alternatives(shape)))
        problems.add(_wrong_shape(node, what, wanted))
        return _error_node(node, problems)
    match fitting:
        case shapes.Ref(form):
            assert isinstance(node, Mapping)
            return _conform_level(node, form, g.FORMS[form], problems, at)
        case shapes.ByVerb():
            assert isinstance(node, Mapping)
            return _conform_step(node, problems, at)
        case shapes.ByKey(key, has, has_not):
            assert isinstance(node, Mapping)
            return _conform_node(node, has if key in node else has_not, what, problems, at)
        case shapes.MapOf(of, least):
            assert isinstance(node, Mapping)
            return _conform_names(node, of, least, what, problems)
        case shapes.ListOf(of, least):
            assert isinstance(node, Sequence)
            if len(node.items) < least:
                problems.add(say.empty_list_of(node.span, what))
                return Broken(node.span)
            items = (_conform_node(item, of, f"each of {what}", problems, _span_of_head(item)) for item in node.items)
            return Sequence(tuple(items), node.span)
        case shapes.OneOf(words, counted):
            assert isinstance(node, Scalar)
            if node.text not in words:
                problems.add(_wrong_word(node, what, words, counted))
                return Broken(node.span)
        case shapes.Prose():
            assert isinstance(node, Scalar)
            _lint_hash(node, problems)
    return node


def _wrong_word(node: Scalar, what: str, words: tuple[str, ...], counted: str) -> Diagnostic:
    """The slip of a word that is not one of a few; `counted` is the key that takes a number of them, if one does."""
    if words is STATUSES:
        return say.bad_status(node.span, node.text, words)
    if words is RELATIONS:
        return say.not_one_of(node.span, what, node.text, words, relation_in_words(node.text))
    number = number_of_units(node.text)
    if number is None or number.unit not in words:
        return say.not_one_of(node.span, what, node.text, words)
    return say.several_of(node.span, what, node.text, words, number, counted)


def _conform_names(node: Mapping, of: shapes.Shape, least: int, what: str, problems: Problems) -> Node:
    """Entries with names of the author's own."""
    if len(node.entries) < least:
        problems.add(say.empty_list_of(node.span, what))
        return Broken(node.span)
    if (verb := _verb_as_a_name(node, of)) is not None:
        text = " ".join(node.span.text.split())
        in_a_line = text.startswith("{") and len(text) <= 100
        problems.add(say.step_without_name(node.key(verb).span, what.strip("`"), verb, text if in_a_line else ""))
        return _error_node(node, problems)
    return _conform_values(_with_sections_moved_in(node, of, problems), {}, of, problems)


def _wrong_shape(node: Node, what: str, wanted: str) -> Diagnostic:
    """The slip of a value that is a single one, a list or entries where it should be another of these."""
    if what == "`faces`" and isinstance(node, Scalar):
        return say.no_list_of_faces(node.span)
    if what == "`faces`" and isinstance(node, Mapping):
        return say.faces_by_number(node.span, [(entry.key.text, _text(entry.value)) for entry in node.entries])
    return say.wrong_shape(node.span, what, wanted, _KIND_WORDS[_kind_of(node)])


def _conform_values(
    node: Mapping, keys: dict[str, shapes.Shape], other: shapes.Shape | None, problems: Problems
) -> Mapping:
    entries = []
    for entry in node.entries:
        key, value = entry.key.text, entry.value
        shaped = _conform_node(value, keys.get(key) or other or shapes.ANY_FORM, f"`{key}`", problems, entry.key.span)
        entries.append(entry if shaped is value else Entry(entry.key, shaped))
    unchanged = all(map(is_, entries, node.entries))
    return node if unchanged else _mapping_of(tuple(entries), node.span)


def _conform_level(node: Mapping, name: str, form: shapes.Form, problems: Problems, at: Span) -> Node:
    broken = False
    foresee(2 * len(node.entries))
    if (likely_form := mapping_meant(node, form.title)) is not None:
        problems.add(
            say.other_mapping(likely_form.at.key.span, likely_form.at.key.text, form.title, likely_form.written)
        )
        return _error_node(node, problems)
    node = _with_sections_moved_out(_with_corrected_keys(node, form, problems), form, problems)
    node = _with_moved_lines(node, form, problems)
    picture = node.by_key
    if one := _other_construct(node, form):
        problems.add(one)
        return _error_node(node, problems)
    dropped: set[str] = set()
    for keyword in _violations(node, name, form):
        if keyword == "additionalProperties":
            for key in [key for key in picture if key not in form.keys]:
                dropped.add(key)
                problems.add(_unknown_key(node, key, form))
                _error_node(node.by_key[key].value, problems)
        elif keyword == "required":
            broken = True
            unknown = [key for key in picture if key not in form.keys]
            misspelt = [say.nearest_name(key, form.required) for key in unknown]
            misspelt += [_likely_key(node.by_key[key].value, form) for key in unknown]
            for key in form.required:
                if key not in picture and key not in misspelt:
                    inside = _one_level_down(node, key)
                    texts = [one.value.text for one in node.entries if isinstance(one.value, Scalar)]
                    missing = say.missing_key(at, key, form.title, texts[0] if texts else "")
                    problems.add(say.too_far_right(inside[1].key.span, key, inside[0].key.text) if inside else missing)
    if broken:
        return _error_node(node, problems)
    if dropped:
        node = _mapping_of(tuple([one for one in node.entries if one.key.text not in dropped]), node.span)
    return _conform_values(node, form.keys, None, problems)


def _unknown_key(node: Mapping, key: str, form: shapes.Form) -> Diagnostic:
    """A key that a form has not; of a condition on dice, where it stands instead."""
    verb = next(iter(form.keys))
    of, value = node.get(verb), node.by_key[key].value
    if key in ("where", "only", "which", "filter", "if_face") and verb in _OF_DICE and isinstance(of, Scalar):
        return say.condition_beside_dice(node.key(key).span, key, verb, of.text, _text(value))
    return say.unknown_key(node.key(key).span, key, form.keys, form.title, _text(value), _keys_not_meant(node, form))


_OF_WHAT_TYPE = ("type", "list_of", "one_of")
"""Keys of which a declaration has one."""


_ENDS = ("from", "to")
"""The ends of a range, in forms that have both; a form with one of them means something else by it."""


def _keys_not_meant(node: Mapping, form: shapes.Form) -> set[str]:
    """The keys that an unknown key cannot mean: those beside it, what cannot stand beside these, and ends of none."""
    taken = set(node.by_key)
    if any(key in node for key in _OF_WHAT_TYPE):
        taken.update(_OF_WHAT_TYPE)
    if not all(key in form.keys for key in _ENDS):
        taken.update(_ENDS)
    return taken


_OF_DICE = ("reroll", "raise", "roll", "place", "pair", "order", "draw", "put", "take", "is", "destroy")
"""Verbs whose value is dice or a list, of which a condition may pick some."""


def _text(node: Node) -> str:
    return text_of(node)


def _other_construct(node: Mapping, form: shapes.Form) -> Diagnostic | None:
    """The one slip of a declaration that is written as a choice, or as values for words, and of a die with `sides`;
    None for anything else."""
    sides = next((key for key in ("sides", "size", "side", "number_of_sides", "max") if key in node), None)
    if form.title == "a die" and sides is not None and "faces" not in node:
        return say.sides_of_a_die(node.key(sides).span, sides, _text(node.by_key[sides].value))
    if form.title not in ("a declaration", "what a thing has") or "type" in node:
        return None
    if "choose" in node and "choose" not in form.keys:
        return say.unknown_key(node.key("choose").span, "choose", form.keys, "a declaration")
    words = [entry.key.text for entry in node.entries]
    if form.title != "what a thing has" or not words or any(one in form.keys for one in words):
        return None
    if any(say.nearest_name(one, form.keys, sure=True) for one in words):
        return None
    return say.values_for_words(node.entries[0].key.span, words)


def _violations(node: Mapping, name: str, form: shapes.Form) -> list[str]:
    """The keywords of the small schema that a mapping violates, in alphabetical order."""
    if node.by_key.keys() <= form.keys.keys() and node.by_key.keys() >= set(form.required):
        return []  # nearly every mapping; importing a validator takes as long as reading a ruleset
    unknown = [entry for entry in node.entries if entry.key.text not in form.keys]
    entries = [entry for entry in node.entries if entry.key.text in form.keys] + unknown[:1]  # others violate the same
    picture = {entry.key.text: _empty_copy(entry.value) for entry in entries}
    return sorted(str(error.validator) for error in _validator(name).iter_errors(picture))


def _one_level_down(node: Mapping, key: str) -> tuple[Entry, Entry] | None:
    """The entry in which a key stands that belongs beside it, and that of the key."""
    for entry in node.entries:
        if isinstance(entry.value, Mapping) and key in entry.value:
            return entry, entry.value.by_key[key]
    return None


def _with_corrected_keys(node: Mapping, form: shapes.Form, problems: Problems) -> Mapping:
    """The mapping with the keys that misspelt and foreign ones mean, so that one mistake gives one message."""
    if node.by_key.keys() <= form.keys.keys():
        return node
    entries: dict[str, Entry] = {}
    taken = _keys_not_meant(node, form)
    free = form.keys.keys() - taken
    for key, entry in node.by_key.items():
        near = None
        if key not in form.keys:
            near = say.meant_by(key, free, _text(entry.value)) or say.nearest_name(key, form.keys, sure=True)
        if near is None or near in node or not _could_be(entry.value, form.keys[near]):
            entries[key] = entry
            continue
        problems.add(say.unknown_key(entry.key.span, key, form.keys, form.title, _text(entry.value), taken))
        entries.setdefault(near, Entry(Scalar(near, entry.key.span), entry.value))
    return Mapping(tuple(entries.values()), node.span, entries)


def _with_moved_lines(node: Mapping, form: shapes.Form, problems: Problems) -> Mapping:
    """The mapping with lines that stand too far left put under the empty key above them, where they belong."""
    entries = list(node.entries)
    for place, entry in enumerate(entries):
        of, value = _shape_of_names(form, entry.key.text), entry.value
        empty = isinstance(value, Scalar) and value.is_empty
        if of is None or not (empty or isinstance(value, Mapping)):
            continue
        moved = []
        for one in entries[place + 1 :]:
            if one.key.text in form.keys or not _could_be(one.value, of):
                break
            moved.append(one)
        if moved and (empty or not isinstance(moved[0].value, Scalar)):
            problems.add(say.too_far_left(moved[0].key.span, moved[0].key.text, entry.key.text, form.title))
            inner = [*entries_of(value), *moved]
            whole = Mapping(tuple(inner), moved[0].key.span, {one.key.text: one for one in inner})
            entries[place : place + 1 + len(moved)] = [Entry(entry.key, whole)]
            return Mapping(tuple(entries), node.span, {one.key.text: one for one in entries})
    return node


def _with_sections_moved_in(node: Mapping, of: shapes.Shape, problems: Problems) -> Mapping:
    """The entries of a section without those that stand too far left: `outcomes:` as far left as a mechanic's name."""
    form = g.FORMS[of.form] if isinstance(of, shapes.Ref) else None
    kept: list[Entry] = []
    for entry in node.entries:
        key, above = entry.key.text, kept[-1] if kept else None
        belongs = form is not None and key in form.keys and not _could_be_named(entry.value, of)
        if not belongs or above is None or not isinstance(above.value, Mapping) or key in above.value:
            kept.append(entry)
            continue
        problems.add(say.section_too_far_left(entry.key.span, key, above.key.text))
        kept[-1] = Entry(above.key, _mapping_of((*above.value.entries, entry), above.value.span))
    return _mapping_of(tuple(kept), node.span) if len(kept) < len(node.entries) else node


def _with_sections_moved_out(node: Mapping, form: shapes.Form, problems: Problems) -> Mapping:
    """The mapping with sections that stand too far right, as among the steps, and what belongs to them."""
    for place, entry in enumerate(node.entries):
        of = _shape_of_names(form, entry.key.text)
        holds_names = not (isinstance(of, shapes.Ref) and of.form == "change")  # what is changed is named by paths
        within = entry.value.entries if of is not None and holds_names and isinstance(entry.value, Mapping) else ()
        for number, one in enumerate(within):
            key, is_last = one.key.text, number == len(within) - 1
            empty = isinstance(one.value, Scalar) and one.value.is_empty
            if number == 0 or key in node or _shape_of_names(form, key) is None or is_last is empty:
                continue
            if not empty and (of is None or _could_be_named(one.value, of) or _are_chances(one.value)):
                continue
            if not empty and _are_in_same_braces(within[number - 1], one):
                continue
            problems.add(say.too_far_right(one.key.span, key, entry.key.text))
            kept, rest = Entry(entry.key, _mapping_of(within[:number], entry.value.span)), within[number + 1 :]
            moved = Entry(one.key, _mapping_of(rest, rest[0].key.span) if empty else one.value)
            return _mapping_of((*node.entries[:place], kept, moved, *node.entries[place + 1 :]), node.span)
    return node


def _shape_of_names(form: shapes.Form, key: str) -> shapes.Shape | None:
    """The shape of the entries of a section that has names of the author's own; None for any other key."""
    shape = form.keys.get(key)
    return shapes.names_in(shape) if shape is not None else None


def _could_be_named(node: Node, shape: shapes.Shape) -> bool:
    """Whether a value has a key or a verb of what stands under a name, so that the name is meant as one."""
    if not isinstance(node, Mapping):
        return not isinstance(node, Scalar) or not node.is_empty
    known: set[str] = set()
    for one in shapes.alternatives(shape):
        known.update(g.FORMS[one.form].keys if isinstance(one, shapes.Ref) else ())
        known.update(v.VERBS if isinstance(one, shapes.ByVerb) else ())
    return not known.isdisjoint(node.by_key)


def _are_chances(node: Node) -> bool:
    """Whether a value is a mapping of chances, as stand under the name of a value in `odds`."""
    values = [one.value for one in node.entries] if isinstance(node, Mapping) else []
    texts = [text_of(one) for one in values]
    return bool(texts) and all((found := parse_share(text)) is not None and 0 <= found <= 1 for text in texts)


def _are_in_same_braces(first: Entry, second: Entry) -> bool:
    """Whether two neighbours are written in `{ }`, where nothing is indented."""
    return "," in first.key.span.source.text[first.value.span.end : second.key.span.start]


def _mapping_of(entries: tuple[Entry, ...], span: Span) -> Mapping:
    return Mapping(entries, span, {entry.key.text: entry for entry in entries})


def _likely_key(node: Node, form: shapes.Form) -> str | None:
    """The only required key, if the mapping or the list under an unknown key could be its value."""
    only = form.required[0] if len(form.required) == 1 else None
    return only if only is not None and not isinstance(node, Scalar) and _could_be(node, form.keys[only]) else None


def _could_be(node: Node, shape: shapes.Shape) -> bool:
    return isinstance(node, Broken) or _fitting_alternative(shape, _kind_of(node)) is not None


def _error_node(node: Node, problems: Problems) -> Broken:
    """An error node for a reported one. Uses of the names in it are not reported as unknown."""
    stack = [node]
    while stack:
        here = stack.pop()
        if isinstance(here, Mapping):
            for entry in here.entries:
                problems.strays.update(_WORD.findall(entry.key.text))
                stack.append(entry.value)
        elif isinstance(here, Sequence):
            stack += here.items
        elif isinstance(here, Scalar):
            problems.strays.update(_WORD.findall(here.text))
    return Broken(node.span)


_WORD = re.compile(NAME)


def _conform_step(node: Mapping, problems: Problems, at: Span) -> Node:
    verbs = v.verbs_in(node.by_key)
    if "then" in node and "start" in node and len(verbs) == 1:
        return _conform_level(node, "step.start", v.VERBS["start"], problems, at)
    if len(verbs) > 1:
        problems.add(say.two_verbs(node.key(verbs[1]).span, verbs, at.text, _one_step_each(node, verbs)))
        return _error_node(node, problems)
    if not verbs:
        return _without_verb(node, problems, at)
    return _conform_level(node, f"step.{verbs[0]}", v.VERBS[verbs[0]], problems, at)


def _one_step_each(node: Mapping, verbs: list[str]) -> dict[str, str]:
    """A step with several verbs as one step for each, as text; none where that has more than a line."""
    values = {key: entry.value.span.text for key, entry in node.by_key.items()}
    if any("\n" in text for text in values.values()) or sum(map(len, values.values())) > 120:
        return {}
    parts = {}
    other = {*verbs, *(["on"] if "reroll" in verbs else [])}  # what is the row of its dice has none to reroll
    for verb in verbs:
        keys = [verb, *(key for key in values if key in v.VERBS[verb].keys and key not in other)]
        parts[verb] = f"{{{', '.join(f'{key}: {values[key]}' for key in keys)}}}"
    return parts


def _without_verb(node: Mapping, problems: Problems, at: Span) -> Node:
    """A step without a verb, or with a misspelt or foreign one."""
    others = [entry for entry in node.entries if entry.key.text not in _COMPANIONS]
    likely_entries = [entry for entry in others if _verb_near(entry.key.text)] or others
    if not likely_entries:
        said = [(key, node.get(key)) for key in ("if", "then", "else")]
        words = [f" {key} {one.text}" for key, one in said if isinstance(one, Scalar)]
        problems.add(say.no_verb(at, v.VERBS, "".join(words).removeprefix(" if "), "ask" in node))
        return _error_node(node, problems)
    misspelt = likely_entries[0]
    problems.add(say.unknown_verb(misspelt.key.span, misspelt.key.text, v.VERBS, _text(misspelt.value)))
    near = _verb_near(misspelt.key.text, sure=True)
    if near is None or not _could_be(misspelt.value, v.VERBS[near].keys[near]):
        return _error_node(node, problems)
    entries = {e.key.text if e is not misspelt else near: e for e in node.entries}
    entries[near] = Entry(Scalar(near, misspelt.key.span), misspelt.value)
    return _conform_level(
        Mapping(tuple(entries.values()), node.span, entries), f"step.{near}", v.VERBS[near], problems, at
    )


def _verb_as_a_name(node: Mapping, of: shapes.Shape) -> str | None:
    """The verb that stands among the names of steps since its step has no name; None where all are names."""
    if not any(isinstance(one, shapes.ByVerb) for one in shapes.alternatives(of)):
        return None
    keys = node.by_key.keys()
    if any(isinstance(value, Mapping) and not value.by_key.keys().isdisjoint(v.VERBS) for value in _values(node)):
        return None
    for verb in keys & v.VERBS.keys():
        form = v.VERBS[verb]
        thrown = verb == "roll" and _DICE.fullmatch(_text(node.by_key[verb].value)) is not None
        if keys <= form.keys.keys() and keys >= set(form.required) and (len(keys) > 1 or thrown):
            return verb
    return None


_DICE = re.compile(r"\d*d\d+(?: & \d*d\d+)*")


def _values(node: Mapping) -> list[Node]:
    return [entry.value for entry in node.entries]


def _verb_near(word: str, sure: bool = False) -> str | None:
    """The verb that an author means by a word of another tool, or by a misspelt one."""
    return say.meant_by(word, v.VERBS) or say.nearest_name(word, v.VERBS, sure=sure)


_COMPANIONS = frozenset(key for form in v.VERBS.values() for key in form.keys) - set(v.VERBS)


def _span_of_head(node: Node) -> Span:
    return node.entries[0].key.span if isinstance(node, Mapping) and node.entries else node.span


def _lint_hash(node: Scalar, problems: Problems) -> None:
    """Report ` #5` in prose, where YAML reads the rest of the line as a comment."""
    text = node.span.source.text
    end = text.find("\n", node.span.end)
    rest = text[node.span.end : end if end >= 0 else len(text)]
    if not node.style and rest.startswith(" #") and rest[2:3].isalnum():
        problems.add(say.cut_by_hash(node.span))


_KIND_WORDS = {"scalar": "a single value", "mapping": say.ENTRIES, "sequence": "a list"}


def _kind_of(node: Node) -> str:
    return "scalar" if isinstance(node, Scalar) else "mapping" if isinstance(node, Mapping) else "sequence"


@cache
def _fitting_alternative(shape: shapes.Shape, kind: str) -> shapes.Shape | None:
    """The first alternative of a shape that a value of a kind may have."""
    return next((one for one in shapes.alternatives(shape) if kind in shapes.node_kinds(one)), None)


def _in_words(shape: shapes.Shape) -> str:
    match shape:
        case shapes.Prose():
            return "text"
        case shapes.Name():
            return "a name"
        case shapes.Expression():
            return "an expression"
        case shapes.OneOf():
            return "a word"
        case shapes.ByVerb():
            return "a step with a verb"
        case shapes.Ref(form):
            return _title(form)
        case shapes.ListOf():
            return "a list"
    return say.ENTRIES


def _title(form: str) -> str:
    return g.FORMS[form].title


def _empty_copy(node: Node) -> Any:
    """An empty value of the same kind, which is all that the small schemas validate."""
    return "" if isinstance(node, (Scalar, Broken)) else {} if isinstance(node, Mapping) else []


@cache
def _validator(form: str) -> Any:
    from jsonschema import Draft202012Validator
    from referencing import Registry

    schemas = _level_schemas()["$defs"]
    assert form in schemas, f"schemas/levels.json does not know `{form}`: run `python -m tests.record schemas`"
    registry: Any = Registry()  # empty, so that nothing is fetched
    return Draft202012Validator(schemas[form], registry=registry)


@cache
def _level_schemas() -> Any:
    return json.loads((bundled.schemas() / "levels.json").read_text("utf-8"))


# Names ----------------------------------------------------------------------------------------------------------


def is_name(text: str) -> bool:
    """Whether a text can be a name in an expression. `none` may be a word of a list or an outcome."""
    return is_word(text) and text not in say.EXPRESSION_WORDS and not say.LIKE_A_DIE.fullmatch(text)


_FILE_NAME = re.compile(r"[^\W_][\w-]{0,99}")


def is_file_name(text: str) -> bool:
    """Whether a text can be the name of a ruleset or of a scene file."""
    return _FILE_NAME.fullmatch(text) is not None


def check_file_name(tree: Node, key: str, problems: Problems) -> None:
    """Report the name that a file has under a key, such as `ruleset`, if it is not a valid name: it may be a path."""
    name = value_at(tree, key)
    if isinstance(name, Scalar) and not is_file_name(name.text):
        problems.add(say.bad_ruleset_name(name.span, name.text))
