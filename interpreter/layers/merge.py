"""Merge house rules: apply layers of changes to the tree of a ruleset.

A layer names what it `extends` and says under `changes`, by path, what becomes different and why:

    changes:
      mechanics.prepare.steps.pool.then.raised: {move: here, before: limited, because: A Limit should limit.}

Paths use the long form of every short form, so `outcomes.success.if` can be set even if the base has a bare condition.
Trees are merged into a tree: every part keeps the place where it was written, so that messages, `show` and traces name
the layer and line of each part. The merged tree is checked like any ruleset.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import field, replace
from functools import cached_property
from pathlib import Path

from interpreter import diagnostics as say
from interpreter.diagnostics import Diagnostic, PlayError, Problems
from interpreter.diagnostics.source import Source, Span
from interpreter.frozen import dataclass
from interpreter.layers.long_form import Children, as_mapping, long_form, mapping_of, path_leads_somewhere
from interpreter.layers.rename import References, Rename, Renames
from interpreter.syntax import grammar as g
from interpreter.syntax import shapes
from interpreter.syntax import verb_grammar as v
from interpreter.syntax.document import Broken, Entry, Mapping, Node, Scalar, Sequence, entries_of, items_of, text_of
from interpreter.syntax.names import is_word, mixed_scripts
from interpreter.work_count import spend

VERBS = ("set", "add", "remove", "move", "rename")


@dataclass(frozen=True, eq=False)
class LayerChange:
    """One change of a layer: a `verb` at a path, with its value; `anchor` is the entry beside its new place."""

    path: tuple[str, ...]
    spans: tuple[Span, ...]
    verb: str
    value: Node
    anchor: str | None
    anchor_span: Span | None
    was: Node | None
    because: str
    span: Span

    @property
    def name(self) -> str:
        return ".".join(self.path)


@dataclass(frozen=True, eq=False)
class RulesetFile:
    """A file with its parts, the files that it extends, and its changes.

    `below` has the names of all files that it extends, directly or not.
    """

    name: str
    version: str
    root: Mapping
    extends: tuple[RulesetFile, ...]
    changes: tuple[LayerChange, ...]
    sources: tuple[Source, ...]
    folder: Path | None
    differs: tuple[Scalar, ...] = ()

    @cached_property
    def below(self) -> frozenset[str]:
        return frozenset().union(*(one.below | {one.name} for one in self.extends))


@dataclass(frozen=True)
class AppliedChange:
    """A change of a layer that was applied, with the node at its path before and after."""

    layer: RulesetFile
    change: LayerChange
    before: Node | None
    after: Node | None


@dataclass
class Merged:
    """Merged files: the resulting tree, the bases and layers, lowest first, and the changes that were applied."""

    root: Mapping
    bases: list[RulesetFile]
    layers: list[RulesetFile]
    applied: list[AppliedChange] = field(default_factory=list)

    @property
    def sources(self) -> tuple[Source, ...]:
        return tuple(source for one in (*self.bases, *self.layers) for source in one.sources)

    @property
    def below(self) -> list[RulesetFile]:
        """The files below the topmost layer; empty if there is no layer."""
        return [*self.bases, *self.layers[:-1]] if self.layers else []


# Reading a layer -------------------------------------------------------------------------------------------------


def ruleset_file(
    root: Mapping,
    extends: tuple[RulesetFile, ...],
    sources: tuple[Source, ...],
    folder: Path | None,
    problems: Problems,
) -> RulesetFile:
    """A file with its changes; `root` includes its parts. Errors in changes and requirements are reported."""
    differs = root.get("differs")
    listed = items_of(differs)
    file = RulesetFile(
        _text(root, "ruleset"), _text(root, "version") or "0", root, extends, changes_of(root, problems), sources,
        folder, tuple(item for item in listed if isinstance(item, Scalar)),
    )  # fmt: skip
    _check_requirements(file, problems)
    return file


def _text(root: Mapping, key: str) -> str:
    node = root.get(key)
    return text_of(node)


_REQUIREMENT = re.compile(r"(?P<name>\S+)(?: *(?P<sign>>=|<=|==|>|<) *(?P<version>\d+(?:\.\d+)*))?$")
_SIGNS = {">=": operator.ge, "<=": operator.le, "==": operator.eq, ">": operator.gt, "<": operator.lt}


def _check_requirements(layer: RulesetFile, problems: Problems) -> None:
    """Report requirements such as `requires: jadeclaw >= 1.2` that are not met."""
    node = layer.root.get("requires")
    versions = {one.name: one.version for one in _extended_files(layer)}
    for item in node.items if isinstance(node, Sequence) else (node,):
        if not isinstance(item, Scalar):
            continue
        match = _REQUIREMENT.match(item.text.strip())
        if match is None:
            problems.add(say.bad_requirement(item.span, item.text))
        elif match["name"] not in versions:
            problems.add(say.not_extended(item.span, match["name"], versions))
        elif match["sign"] and not _SIGNS[match["sign"]](_version(versions[match["name"]]), _version(match["version"])):
            problems.add(say.other_version(item.span, match["name"], item.text, versions[match["name"]]))


def _version(text: str) -> tuple[int, ...]:
    """`1.2.0` as numbers to compare, without trailing zeros."""
    numbers = [int(part) if part.isdigit() else 0 for part in text.split(".")]
    while numbers and numbers[-1] == 0:
        numbers.pop()
    return tuple(numbers)


def _extended_files(layer: RulesetFile, seen: set[RulesetFile] | None = None) -> Iterator[RulesetFile]:
    """The files that a layer extends, directly or not, lowest first, each once."""
    seen = set() if seen is None else seen
    for one in layer.extends:
        if one not in seen:
            seen.add(one)
            yield from _extended_files(one, seen)
            yield one


def files_in_order(top: RulesetFile, over: Iterable[RulesetFile], problems: Problems) -> list[RulesetFile]:
    """The files of a ruleset, lowest first, each once; then the layers `over` it.

    A layer of another ruleset is reported and left out.
    """
    files: dict[str, RulesetFile] = {}
    for one in (*_extended_files(top), top):
        files.setdefault(one.name, one)
    names = set(files)
    for layer in over:
        bases = [one for one in _extended_files(layer) if not one.extends]
        strange = next((one.name for one in bases if one.name not in names), None)
        if strange is not None or not layer.extends:
            problems.add(say.bends_another(layer.root.span, layer.name, strange or layer.name, top.name))
            continue
        for one in (*_extended_files(layer), layer):
            files.setdefault(one.name, one)
    return list(files.values())


def with_parts(root: Mapping, parts: Iterable[Mapping], problems: Problems) -> Mapping:
    """A file and its parts as one tree. A name that is declared twice is reported."""
    for part in parts:
        root = _with_sections(root, part, problems)
    return root


def changes_of(root: Mapping, problems: Problems) -> tuple[LayerChange, ...]:
    """The changes of a layer, in the order of its file. Errors in their form are reported."""
    section = root.get("changes")
    changes = []
    for entry in entries_of(section):
        one = _change(entry, problems)
        if one is not None:
            changes.append(one)
    return tuple(changes)


def _change(entry: Entry, problems: Problems) -> LayerChange | None:
    node = entry.value
    if not isinstance(node, Mapping):
        if not isinstance(node, Broken):
            problems.add(say.change_without_verb(entry.key.span, VERBS))
        return None
    verbs = [key for key in VERBS if key in node]
    if not verbs:
        if not any(one.code == "HR101" and node.span.start <= one.span.start < node.span.end for one in problems):
            problems.add(say.change_without_verb(entry.key.span, VERBS))
        return None
    if len(verbs) > 1:
        problems.add(say.two_verbs_of_a_change(node.key(verbs[1]).span, verbs))
        return None
    verb = verbs[0]
    value = node.get(verb)
    if value is None or isinstance(value, Broken):
        return None
    if verb in ("set", "add") and isinstance(value, Scalar) and value.is_empty:
        problems.add(say.no_value(value.span, verb))  # what is found at its path is known all the same
    if verb in ("remove", "move") and not (isinstance(value, Scalar) and value.text == "here"):
        problems.add(say.literally_here(node.key(verb).span, verb))
        return None
    anchors = [key for key in ("before", "after") if key in node]
    anchor = node.get(anchors[0]) if anchors else None
    if len(anchors) == 2:
        problems.add(say.two_anchors(node.key("after").span))
        return None
    because = node.get("because")
    if because is None:
        problems.add(say.no_because(entry.key.span))
    return LayerChange(
        *_path_of(entry.key), verb, value,
        f"{anchors[0]} {anchor.text}" if isinstance(anchor, Scalar) else None,
        anchor.span if isinstance(anchor, Scalar) else None,
        node.get("was"), text_of(because), entry.key.span,
    )  # fmt: skip


def _path_of(key: Scalar) -> tuple[tuple[str, ...], tuple[Span, ...]]:
    """The names of a path and their spans; what a policy answers is one name, with its dots."""
    names, spans = tuple(key.text.split(".")), _segments(key)
    if names[0] != "policies" or len(names) < 4:
        return names, spans
    answer = Span(spans[2].source, spans[2].start, spans[-1].end)
    return (*names[:2], ".".join(names[2:])), (*spans[:2], answer)


def _segments(key: Scalar) -> tuple[Span, ...]:
    """The span of each name of a path."""
    spans, start = [], key.span.start + (1 if key.style else 0)
    for segment in key.text.split("."):
        spans.append(Span(key.span.source, start, start + len(segment)))
        start += len(segment) + 1
    return tuple(spans)


# Merging ---------------------------------------------------------------------------------------------------------


OF_A_CHANGE = 50
"""The units of work in which a change is applied, beside those of what it is applied to."""


def merge_files(files: list[RulesetFile], problems: Problems, references: Callable[[Mapping], References]) -> Merged:
    """The merged tree of files, lowest first. Conflicts and changes that do not apply are reported.

    `references` returns the uses of the names of a tree, which `rename` changes too.
    """
    bases = [one for one in files if not one.extends]
    above = [one for one in files if one.extends]
    root = with_parts(bases[0].root, (one.root for one in bases[1:]), problems) if bases else files[0].root
    merged = Merged(root, bases or files[:1], above)
    conflicts = list(_conflicts(above))
    for one, mine, two, theirs in conflicts:
        if not any(_resolves(layer, mine, theirs) for layer in above if {one.name, two.name} <= layer.below):
            problems.add(say.layers_conflict(theirs.span, two.name, one.name, theirs.name, mine.name, mine.span))
    in_conflict = {change for _, mine, _, theirs in conflicts for change in (mine, theirs)}
    for layer in above:
        cases = mapping_of((one for one in layer.root.entries if one.key.text == "cases"), layer.root.span)
        rules = mapping_of((one for one in layer.root.entries if one.key.text != "cases"), layer.root.span)
        merged.root = _with_title(_with_sections(merged.root, rules, problems), layer.root)
        renames = Renames(references)
        for change in layer.changes:
            spend(OF_A_CHANGE + len(merged.root.entries))
            if change.verb != "rename" or renames.concern(change.path):
                merged.root = renames.apply(merged.root)
            try:
                # In a conflict, the other layer may have changed the value, so `was` is not compared.
                after = _apply_change(merged.root, replace(change, was=None) if change in in_conflict else change)
                if change.verb == "rename" and isinstance(change.value, Scalar):
                    named = _span_of_key(merged.root, change.path)
                    if renames.is_used(merged.root, named):
                        _check_name(change.value)
                    renames.add(Rename(named, change.path[-1], change.value.text))
            except PlayError as error:
                # A change in a conflict may fail: the conflict is reported, or a layer above resolves it.
                if change not in in_conflict and not (
                    error.diagnostic.code == "HR553" and _resolves_by_removing(merged.root, layer, change, conflicts)
                ):
                    problems.add(error.diagnostic)
                continue
            merged.applied.append(
                AppliedChange(layer, change, node_at(merged.root, change.path), node_at(after, change.path))
            )
            merged.root = after
        merged.root = renames.apply(merged.root)
        # The cases of a layer come last, since they use the new names of what the layer renames.
        merged.root = _with_sections(merged.root, cases, problems)
    return merged


def _check_name(node: Scalar) -> None:
    """Raise PlayError for a new name that cannot be used in expressions, as the former name is."""
    if node.text in say.EXPRESSION_WORDS:
        raise PlayError(say.reserved_name(node.span, node.text, "it is a word of the expression language"))
    if not is_word(node.text):
        raise PlayError(say.bad_name(node.span, node.text, mixed_scripts(node.text)))


def _span_of_key(root: Mapping, path: tuple[str, ...]) -> Span:
    """The span of the key at the end of a path."""
    parent = node_at(root, path[:-1]) if len(path) > 1 else root
    opened = as_mapping(parent) if parent is not None else None
    return opened.key(path[-1]).span if opened is not None and path[-1] in opened else root.span


def report_unused_steps(merged: Merged, read: Iterable[Span], problems: Problems) -> None:
    """Report steps that a layer adds to change dice and that no expression reads. `read` are all names read."""
    known = set(read)
    for one in merged.applied:
        path, after = one.change.path, one.after
        changes_dice = isinstance(after, Mapping) and any(verb in after for verb in ("reroll", "raise"))
        added = one.change.verb == "add" and path[-2:-1] == ("steps",)
        if added and changes_dice and one.change.spans[-1] not in known:
            problems.add(say.idle_step(one.change.spans[-1], path[-1]))


def node_at(root: Mapping, path: tuple[str, ...]) -> Node | None:
    """The node at a path, through short forms too; None if there is none."""
    node: Node | None = root
    shape: shapes.Shape = shapes.Ref("ruleset")
    for name in path:
        parent = long_form(node, shape) if node is not None else None
        if parent is None:
            return None
        shape, node = Children(shape, parent)(name), parent.get(name)
    return node


def _with_title(root: Mapping, layer: Mapping) -> Mapping:
    """The tree with the name, version, title and description of the layer."""
    entries = dict(root.by_key)
    for key in ("ruleset", "version", "title", "about"):
        if key in layer:
            entries[key] = layer.by_key[key]
    return mapping_of(entries.values(), root.span)


def _with_sections(root: Mapping, other: Mapping, problems: Problems) -> Mapping:
    """The tree with the sections of another file, which can only add names."""
    entries = dict(root.by_key)
    for section in g.SECTIONS:
        added = other.get(section)
        if added is None:
            continue
        before = entries[section].value if section in entries else None
        if section == "cases" and isinstance(added, Sequence):
            items = (*items_of(before), *added.items)
            both: Node = Sequence(items, added.span)
        else:
            both = _join_entries(before, added, problems, section if "extends" in other else "")
        key = entries[section].key if section in entries else other.key(section)
        entries[section] = Entry(key, both)
    return mapping_of(entries.values(), root.span)


def _join_entries(before: Node | None, added: Node, problems: Problems, section: str = "") -> Node:
    """The entries of both; `section` is their path where a house rule adds to its base."""
    if before is None:
        return added
    one, two = as_mapping(before), as_mapping(added)
    if one is None or two is None:
        return before
    entries = dict(one.by_key)
    for entry in two.entries:
        if entry.key.text in entries:
            there = entries[entry.key.text]
            slip = say.name_taken(entry.key.span, entry.key.text, there.key.span)
            if section:
                path, change = _first_change(there.value, entry.value)
                rungs = ("rungs",) if section == "ladders" and path and isinstance(entry.value, Sequence) else ()
                slip = say.suggest_change(slip, ".".join((section, entry.key.text, *rungs, *path)), change)
            problems.add(slip)
        else:
            entries[entry.key.text] = entry
    return mapping_of(entries.values(), one.span)


def _first_change(before: Node, after: Node) -> tuple[tuple[str, ...], str]:
    """Where an entry of a house rule first says something new about that of its base, and what that changes."""
    one, two = as_mapping(before), as_mapping(after)
    if one is None or two is None or not two.entries:
        return (), "set: …"
    new = next((key for key in two.by_key if key not in one), None)
    if new is not None:
        return (new,), f"add: {new if isinstance(after, Sequence) else '…'}"
    key, entry = next(iter(two.by_key.items()))
    path, change = _first_change(one.by_key[key].value, entry.value)
    return (key, *path), change


def _apply_change(root: Mapping, change: LayerChange) -> Mapping:
    """The tree with one change applied. Raises PlayError if the change does not apply."""
    tree = _edit_node(root, shapes.Ref("ruleset"), change, 0)
    assert isinstance(tree, Mapping)
    return tree


def _edit_node(node: Node, shape: shapes.Shape, change: LayerChange, depth: int) -> Node:
    parent = long_form(node, shape)
    if parent is None:
        listed = isinstance(node, Sequence)
        raise PlayError(say.no_way_into(change.spans[depth], change.path[depth], change.path[:depth], listed))
    if depth == len(change.path) - 1:
        return _edit_entry(parent, Children(shape, parent), change)
    name = change.path[depth]
    children = Children(shape, parent)
    if name not in parent:
        if change.verb != "add" or depth != len(change.path) - 2 or not children.may_hold_names(name):
            raise PlayError(_unknown_path_error(change, depth, parent, children))
        # The first name of a section: `also.splendid` if the base has no `also` yet.
        first = _edit_node(mapping_of((), change.spans[depth]), children(name), change, depth + 1)
        return mapping_of((*parent.entries, Entry(_key(name, change.spans[depth]), first)), parent.span)
    entry = parent.by_key[name]
    inner = _edit_node(entry.value, children(name), change, depth + 1)
    return mapping_of((Entry(e.key, inner) if e is entry else e for e in parent.entries), parent.span)


def _unknown_path_error(change: LayerChange, depth: int, parent: Mapping, children: Children) -> Diagnostic:
    """A path names what is not there, on the way; of the names that are there, those by which it could go on are meant
    before others."""
    after = change.path[depth + 1 : len(change.path) - (change.verb == "add")]
    going_on = [
        one.key.text for one in parent.entries if path_leads_somewhere(one.value, children(one.key.text), after)
    ]
    return say.no_target(
        change.spans[depth], change.path[depth], change.path[:depth], parent.by_key, change.verb, False,
        going_on if after else (), change.path[depth + 1 :],
    )  # fmt: skip


# One change ------------------------------------------------------------------------------------------------------


def _edit_entry(parent: Mapping, children: Children, change: LayerChange) -> Mapping:
    name, span = change.path[-1], change.spans[-1]
    existing = parent.by_key.get(name)
    if change.verb == "add":
        if existing is not None:
            raise PlayError(say.already_there(span, name, existing.key.span))
        if children.fixed is not None and name not in children.fixed:
            raise PlayError(say.unknown_key(span, name, children.fixed, "this"))
        return _insert_entry(
            parent, Entry(_key(name, span), _added_value(change.value, name, children)), children, change
        )
    if existing is None:
        raise PlayError(say.no_target(span, name, change.path[:-1], parent.by_key, change.verb, True))
    current = _in_short_form(existing.value, children(name))
    if change.was is not None and _as_text(current) != _as_text(change.was):
        was, now = _as_text(change.was), _as_text(current)
        raise PlayError(say.was_otherwise(change.was.span, name, was, now, existing.value.span))
    rest = [entry for entry in parent.entries if entry is not existing]
    match change.verb:
        case "set":
            value = _replace_value(existing.value, change.value, children(name))
            return mapping_of((Entry(e.key, value) if e is existing else e for e in parent.entries), parent.span)
        case "remove":
            return mapping_of(rest, parent.span)
        case "move":
            return _insert_entry(mapping_of(rest, parent.span), existing, children, change)
    assert change.verb == "rename" and isinstance(change.value, Scalar)
    if change.value.text in parent:
        taken = parent.key(change.value.text).span
        raise PlayError(say.already_there(change.value.span, change.value.text, taken))
    renamed = Entry(Scalar(change.value.text, change.value.span), existing.value)
    return mapping_of((renamed if e is existing else e for e in parent.entries), parent.span)


def _in_short_form(node: Node, shape: shapes.Shape) -> Node:
    """The value in its short form, if it has one."""
    short = shape.short if isinstance(shape, shapes.AnyOf) else ""
    inner = node.get(short) if isinstance(node, Mapping) and short else None
    return inner or node


def _key(name: str, span: Span) -> Scalar:
    return Scalar(name, span)


def _added_value(value: Node, name: str, children: Children) -> Node:
    """The value of a new entry; to a list of names, as in `{add: d14}`, only the name is added."""
    is_list_of_names = isinstance(children.other, shapes.Prose) and isinstance(value, Scalar) and value.text == name
    return Scalar("", value.span, "'") if is_list_of_names else value


def _replace_value(before: Node, value: Node, shape: shapes.Shape) -> Node:
    """The new value. A value in short form replaces only its part of the long form, which keeps its `cites`."""
    short = shape.short if isinstance(shape, shapes.AnyOf) else ""
    if short and isinstance(value, Scalar) and isinstance(before, Mapping) and short in before:
        inner = before.by_key[short]
        changed = Entry(inner.key, _replacement(inner.value, value))
        return mapping_of((changed if e is inner else e for e in before.entries), before.span)
    if shape is v.TEXT and isinstance(value, Sequence):
        return Sequence(tuple(part for one in value.items for part in _parts_of(one, before)), value.span)
    return _replacement(before, value, short)


def _parts_of(part: Node, before: Node) -> tuple[Node, ...]:
    """A part of a new text; `{base}` stands for all parts of the one that it replaces."""
    if not isinstance(part, Scalar) or part.text.strip() != "{base}":
        return (part,)
    return before.items if isinstance(before, Sequence) else (before,)


def _replacement(before: Node, value: Node, short: str = "") -> Node:
    """The new value; an expression may read the one that it replaces as `base`, also under the key of a long form.

    `short` is the key that a value alone belongs to.
    """
    if isinstance(value, Scalar) and isinstance(before, Scalar):
        return replace(value, base=before)
    if not isinstance(value, Mapping):
        return value
    former = before.by_key if isinstance(before, Mapping) else {short: Entry(Scalar(short, before.span), before)}
    return mapping_of(
        (
            Entry(entry.key, _replacement(former[entry.key.text].value, entry.value))
            if entry.key.text in former
            else entry
            for entry in value.entries
        ),
        value.span,
    )


def _insert_entry(parent: Mapping, entry: Entry, children: Children, change: LayerChange) -> Mapping:
    """The mapping with a new entry at its anchor. Without one it is at the end; PlayError if the order matters."""
    if change.anchor is None:
        if children.ordered and parent.entries:
            raise PlayError(say.no_anchor(change.spans[-1], change.path[-1], parent.by_key))
        return mapping_of((*parent.entries, entry), parent.span)
    way, _, name = change.anchor.partition(" ")
    assert change.anchor_span is not None
    if name not in parent:
        raise PlayError(say.no_anchor_there(change.anchor_span, name, parent.by_key))
    placed: list[Entry] = []
    for other in parent.entries:
        if other.key.text == name:
            placed += [entry, other] if way == "before" else [other, entry]
        else:
            placed.append(other)
    return mapping_of(placed, parent.span)


def _as_text(node: Node) -> str:
    """A value as normalized text, the same for block and flow style."""
    if isinstance(node, Scalar):
        return " ".join(node.text.split())
    if isinstance(node, Sequence):
        return "[" + ", ".join(map(_as_text, node.items)) + "]"
    if isinstance(node, Mapping):
        return "{" + ", ".join(f"{e.key.text}: {_as_text(e.value)}" for e in node.entries) + "}"
    return ""


# Conflicts -------------------------------------------------------------------------------------------------------


Conflict = tuple[RulesetFile, LayerChange, RulesetFile, LayerChange]
"""Two layers, each with its change of the same place."""


def _conflicts(layers: list[RulesetFile]) -> Iterator[Conflict]:
    """Changes of the same place by layers of which neither extends the other."""
    for number, one in enumerate(layers):
        for two in layers[number + 1 :]:
            if one.name in two.below:
                continue
            for mine in one.changes:
                for theirs in two.changes:
                    if _overlaps(mine, theirs):
                        yield one, mine, two, theirs


def _overlaps(one: LayerChange, two: LayerChange) -> bool:
    shorter, longer = sorted((one.path, two.path), key=len)
    if longer[: len(shorter)] == shorter:
        return True
    return bool(_anchors(one) & (_anchors(two) | {two.path}) or _anchors(two) & {one.path})


def _anchors(change: LayerChange) -> set[tuple[str, ...]]:
    return {(*change.path[:-1], change.anchor.partition(" ")[2])} if change.anchor else set()


def _resolves(layer: RulesetFile, *changes: LayerChange) -> bool:
    """Whether a layer resolves a conflict of changes: it changes their place itself, or removes what has it."""
    return any(
        _is_at(own.path, place) or (own.verb == "remove" and _is_at(place, own.path))
        for own in layer.changes
        for place in _places(*changes)
    )


def _places(*changes: LayerChange) -> set[tuple[str, ...]]:
    """The paths of changes, also with the names that the changes give them."""
    places = {change.path for change in changes}
    return places | {new for one in changes for path in places if (new := _path_after(path, one)) is not None}


def _resolves_by_removing(root: Mapping, layer: RulesetFile, change: LayerChange, conflicts: list[Conflict]) -> bool:
    """Whether a layer resolves a conflict by removing an entry that is missing because of the conflict."""
    if change.verb != "remove":
        return False
    for one, mine, two, theirs in conflicts:
        ours = {one.name, two.name} <= layer.below and any(
            _is_at(change.path, place) for place in _places(mine, theirs)
        )
        new = [path for each in (mine, theirs) if (path := _path_after(change.path, each)) is not None]
        if ours and "remove" in (mine.verb, theirs.verb) and not any(node_at(root, path) for path in new):
            return True
    return False


def _is_at(path: tuple[str, ...], place: tuple[str, ...]) -> bool:
    """Whether a path is that of a place, or of something inside it."""
    return path[: len(place)] == place


def _path_after(path: tuple[str, ...], change: LayerChange) -> tuple[str, ...] | None:
    """A path after a change that renames one of its names; None if the change does not."""
    if change.verb != "rename" or not isinstance(change.value, Scalar) or not _is_at(path, change.path):
        return None
    return (*change.path[:-1], change.value.text, *path[len(change.path) :])
