"""Merge house rules: apply layers of changes to the tree of a ruleset.

A layer names what it `extends` and says under `changes`, by path, what becomes different and why:

    changes:
      mechanics.prepare.steps.pool.then.raised: {move: here, before: limited, because: A Limit should limit.}

Paths go through the long form of every short form, so `outcomes.success.if` can be set though the base wrote a bare
condition. Laying is from tree to tree: every part keeps the place where it was written, so that messages, `show` and
traces know the layer and line of everything. What the changes make is checked like any ruleset.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import takewhile
from pathlib import Path

from interpreter import diagnostics as say
from interpreter.diagnostics import PlayError, Problems
from interpreter.diagnostics.source import Source, Span
from interpreter.layers.rename import References, carried
from interpreter.syntax import grammar as g
from interpreter.syntax import shapes
from interpreter.syntax.document import Broken, Entry, Mapping, Node, Scalar, Sequence

VERBS = ("set", "add", "remove", "move", "rename")


@dataclass(frozen=True, eq=False)
class Change:
    """One change of a layer: what is done (`verb`) at a path, with what, and beside what."""

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
class Written:
    """A file with its parts: what it extends, and its changes.

    `below` holds the names of everything under it.
    """

    name: str
    version: str
    root: Mapping
    extends: tuple[Written, ...]
    changes: tuple[Change, ...]
    sources: tuple[Source, ...]
    folder: Path | None
    differs: tuple[Scalar, ...] = ()

    @cached_property
    def below(self) -> frozenset[str]:
        return frozenset().union(*(one.below | {one.name} for one in self.extends))


@dataclass(frozen=True)
class Touch:
    """The effect of a change: the path, and its node before and after."""

    layer: Written
    change: Change
    before: Node | None
    after: Node | None


@dataclass
class Merged:
    """Merged layers, lowest first: the resulting tree, and what each change touched."""

    root: Mapping
    bases: list[Written]
    layers: list[Written]
    touches: list[Touch] = field(default_factory=list)

    @property
    def sources(self) -> tuple[Source, ...]:
        return tuple(source for one in (*self.bases, *self.layers) for source in one.sources)

    @property
    def below(self) -> list[Written]:
        """Everything under the topmost layer; nothing where there is no layer."""
        return [*self.bases, *self.layers[:-1]] if self.layers else []


# Reading a layer -------------------------------------------------------------------------------------------------


def written(
    root: Mapping, extends: tuple[Written, ...], sources: tuple[Source, ...], folder: Path | None, problems: Problems
) -> Written:
    """A file; `root` includes its parts."""
    differs = root.get("differs")
    listed = differs.items if isinstance(differs, Sequence) else ()
    made = Written(
        _text(root, "ruleset"), _text(root, "version") or "0", root, extends, changes_of(root, problems), sources,
        folder, tuple(item for item in listed if isinstance(item, Scalar)),
    )  # fmt: skip
    _requirements(made, problems)
    return made


def _text(root: Mapping, key: str) -> str:
    node = root.get(key)
    return node.text if isinstance(node, Scalar) else ""


_REQUIREMENT = re.compile(r"(?P<name>\S+)(?: *(?P<sign>>=|<=|==|>|<) *(?P<version>\d+(?:\.\d+)*))?$")
_SIGNS = {">=": operator.ge, "<=": operator.le, "==": operator.eq, ">": operator.gt, "<": operator.lt}


def _requirements(layer: Written, problems: Problems) -> None:
    """Report requirements such as `requires: jadeclaw >= 1.2` that are not met."""
    node = layer.root.get("requires")
    versions = {one.name: one.version for one in _under(layer)}
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


def _under(layer: Written, seen: set[Written] | None = None) -> Iterator[Written]:
    """Everything that a layer extends, lowest first, each file once."""
    seen = set() if seen is None else seen
    for one in layer.extends:
        if one not in seen:
            seen.add(one)
            yield from _under(one, seen)
            yield one


def in_order(top: Written, over: Iterable[Written], problems: Problems) -> list[Written]:
    """The files of a ruleset, lowest first, each once; then the further layers.

    A layer of another ruleset is reported and left out.
    """
    made: dict[str, Written] = {}
    for one in (*_under(top), top):
        made.setdefault(one.name, one)
    names = set(made)
    for layer in over:
        bases = [one for one in _under(layer) if not one.extends]
        strange = next((one.name for one in bases if one.name not in names), None)
        if strange is not None or not layer.extends:
            problems.add(say.bends_another(layer.root.span, layer.name, strange or layer.name, top.name))
            continue
        for one in (*_under(layer), layer):
            made.setdefault(one.name, one)
    return list(made.values())


def together(root: Mapping, parts: Iterable[Mapping], problems: Problems) -> Mapping:
    """A file and its parts as one tree; a name that stands twice is reported."""
    for part in parts:
        root = _with_sections(root, part, problems)
    return root


def changes_of(root: Mapping, problems: Problems) -> tuple[Change, ...]:
    """The changes of a layer's file, in its order; what is wrong with their form is reported."""
    section = root.get("changes")
    found = []
    for entry in section.entries if isinstance(section, Mapping) else ():
        one = _change(entry, problems)
        if one is not None:
            found.append(one)
    return tuple(found)


def _change(entry: Entry, problems: Problems) -> Change | None:
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
    return Change(
        tuple(entry.key.text.split(".")), _segments(entry.key), verb, value,
        f"{anchors[0]} {anchor.text}" if isinstance(anchor, Scalar) else None,
        anchor.span if isinstance(anchor, Scalar) else None,
        node.get("was"), because.text if isinstance(because, Scalar) else "", entry.key.span,
    )  # fmt: skip


def _segments(key: Scalar) -> tuple[Span, ...]:
    """The place of each name of a path."""
    spans, start = [], key.span.start + (1 if key.style else 0)
    for segment in key.text.split("."):
        spans.append(Span(key.span.source, start, start + len(segment)))
        start += len(segment) + 1
    return tuple(spans)


# Laying ----------------------------------------------------------------------------------------------------------


def laid(files: list[Written], problems: Problems, references: Callable[[Mapping], References]) -> Merged:
    """The tree of files laid over each other, lowest first. Conflicts and changes that do not fit are reported.

    `references` tells where the names of a tree are used, for `rename` to carry them along.
    """
    bases = [one for one in files if not one.extends]
    above = [one for one in files if one.extends]
    root = together(bases[0].root, (one.root for one in bases[1:]), problems) if bases else files[0].root
    made = Merged(root, bases or files[:1], above)
    meetings = list(_meetings(above))
    for one, mine, two, theirs in meetings:
        if not any(_settles(layer, mine, theirs) for layer in above if {one.name, two.name} <= layer.below):
            problems.add(say.layers_conflict(theirs.span, two.name, one.name, theirs.name, mine.name, mine.span))
    met = {change for _, mine, _, theirs in meetings for change in (mine, theirs)}
    for layer in above:
        cases = _mapping((one for one in layer.root.entries if one.key.text == "cases"), layer.root.span)
        rules = _mapping((one for one in layer.root.entries if one.key.text != "cases"), layer.root.span)
        made.root = _headed(_with_sections(made.root, rules, problems), layer.root)
        for change in layer.changes:
            try:
                # What `was` there, a layer of another mind may have changed; the base is as it was.
                after = _changed(made.root, replace(change, was=None) if change in met else change)
                if change.verb == "rename" and isinstance(change.value, Scalar):
                    named, used = _named(made.root, change.path), references(made.root)
                    if named in used.values():
                        _must_be_a_name(change.value)
                    after = carried(after, named, change.path[-1], change.value.text, used)
            except PlayError as error:
                # What a layer of another mind has changed need not fit: the conflict tells, or what settles it.
                if change not in met and not (
                    error.diagnostic.code == "HR553" and _is_gone(made.root, layer, change, meetings)
                ):
                    problems.add(error.diagnostic)
                continue
            made.touches.append(Touch(layer, change, at(made.root, change.path), at(after, change.path)))
            made.root = after
        # Only now: its cases speak of the ruleset as it makes it, by the new names of what it renames.
        made.root = _with_sections(made.root, cases, problems)
    return made


def _must_be_a_name(node: Scalar) -> None:
    """Refuse a new name that could not stand where the former one is used."""
    if node.text in say.EXPRESSION_WORDS:
        raise PlayError(say.reserved_name(node.span, node.text, "it is a word of the expression language"))
    if not re.fullmatch(r"[A-Za-z]\w*", node.text, re.ASCII):
        raise PlayError(say.bad_name(node.span, node.text))


def _named(root: Mapping, path: tuple[str, ...]) -> Span:
    """The place of the name at the end of a path."""
    parent = at(root, path[:-1]) if len(path) > 1 else root
    opened = _as_mapping(parent) if parent is not None else None
    return opened.key(path[-1]).span if opened is not None and path[-1] in opened else root.span


def report_idle(laid: Merged, read: Iterable[Span], problems: Problems) -> None:
    """Report steps that a layer adds to change dice, and that nothing reads: `read` are the places that are read."""
    known = set(read)
    for touch in laid.touches:
        path, after = touch.change.path, touch.after
        changes_dice = isinstance(after, Mapping) and any(verb in after for verb in ("reroll", "raise"))
        added = touch.change.verb == "add" and path[-2:-1] == ("steps",)
        if added and changes_dice and touch.change.spans[-1] not in known:
            problems.add(say.idle_step(touch.change.spans[-1], path[-1]))


def noted(problems: Problems, laid: Merged) -> Problems:
    """The problems; errors in a file below a layer with the changes that may have brought them about."""
    lower = {source.name for one in laid.below for source in one.sources}
    made = Problems(problems.strays)
    for problem in problems:
        if problem.path in lower and problem.severity == "error" and problem.code[:4] not in ("HR55", "HR56"):
            named = [t for t in laid.touches if f"`{t.change.path[-1]}`" in problem.message]
            suspects = named or _nearest(laid.touches, _place(laid.root, problem.span))
            notes = tuple(
                (touch.change.span, f"`{touch.layer.name}` has changed `{touch.change.name}`")
                for touch in suspects
                if touch.change.span != problem.span
            )
            problem = replace(problem, notes=(*problem.notes, *notes))
        made.add(problem)
    return made


def _nearest(touches: list[Touch], place: tuple[str, ...]) -> list[Touch]:
    """The changes that share most of the path to a place, and at least the section and a name in it."""
    shared = [len(list(takewhile(bool, map(operator.eq, touch.change.path, place)))) for touch in touches]
    most = max(shared, default=0)
    return [touch for touch, length in zip(touches, shared, strict=True) if length == most >= 2]


def _place(root: Mapping, span: Span) -> tuple[str, ...]:
    """The path to what is written at a place of a file; changes lie elsewhere."""
    path: tuple[str, ...] = ()
    node: Node | None = root
    while isinstance(node, Mapping):
        inside = [one for one in node.entries if _holds(one, span)]
        path += tuple(one.key.text for one in inside[:1])
        node = inside[0].value if inside else None
    return path


def _holds(entry: Entry, span: Span) -> bool:
    start, end = entry.key.span, entry.value.span
    return start.source is span.source is end.source and start.start <= span.start <= max(end.end, start.end)


def at(root: Mapping, path: tuple[str, ...]) -> Node | None:
    """The node at a path, through short forms too; None where there is none."""
    node: Node | None = root
    shape: shapes.Shape = shapes.Ref("ruleset")
    for name in path:
        parent = _opened(node, shape) if node is not None else None
        if parent is None:
            return None
        shape, node = _Children(shape, parent)(name), parent.get(name)
    return node


def _headed(root: Mapping, layer: Mapping) -> Mapping:
    """The tree under the name, version and title of the layer."""
    entries = dict(root.by_key)
    for key in ("ruleset", "version", "title", "about"):
        if key in layer:
            entries[key] = layer.by_key[key]
    return _mapping(entries.values(), root.span)


def _with_sections(root: Mapping, other: Mapping, problems: Problems) -> Mapping:
    """The tree with the sections of another file; they can only add names."""
    entries = dict(root.by_key)
    for section in g.SECTIONS:
        added = other.get(section)
        if added is None:
            continue
        before = entries[section].value if section in entries else None
        if section == "cases" and isinstance(added, Sequence):
            items = (*(before.items if isinstance(before, Sequence) else ()), *added.items)
            both: Node = Sequence(items, added.span)
        else:
            both = _joined(before, added, problems)
        key = entries[section].key if section in entries else other.key(section)
        entries[section] = Entry(key, both)
    return _mapping(entries.values(), root.span)


def _joined(before: Node | None, added: Node, problems: Problems) -> Node:
    if before is None:
        return added
    one, two = _as_mapping(before), _as_mapping(added)
    if one is None or two is None:
        return before
    entries = dict(one.by_key)
    for entry in two.entries:
        if entry.key.text in entries:
            problems.add(say.name_taken(entry.key.span, entry.key.text, entries[entry.key.text].key.span))
        else:
            entries[entry.key.text] = entry
    return _mapping(entries.values(), one.span)


def _as_mapping(node: Node) -> Mapping | None:
    """A mapping, or a list of names as a mapping without explanations."""
    if isinstance(node, Mapping):
        return node
    if isinstance(node, Sequence) and all(isinstance(item, Scalar) for item in node.items):
        names = [item for item in node.items if isinstance(item, Scalar)]
        return _mapping((Entry(name, Scalar("", name.span, "'")) for name in names), node.span)
    return None


def _mapping(entries: Iterable[Entry], span: Span) -> Mapping:
    kept = tuple(entries)
    return Mapping(kept, span, {entry.key.text: entry for entry in kept})


def _changed(root: Mapping, change: Change) -> Mapping:
    """The tree with one change made. Raises PlayError where it does not fit what is there."""
    made = _edited(root, shapes.Ref("ruleset"), change, 0)
    assert isinstance(made, Mapping)
    return made


def _edited(node: Node, shape: shapes.Shape, change: Change, depth: int) -> Node:
    parent = _opened(node, shape)
    if parent is None:
        listed = isinstance(node, Sequence)
        raise PlayError(say.no_way_into(change.spans[depth], change.path[depth], change.path[:depth], listed))
    if depth == len(change.path) - 1:
        return _done(parent, _Children(shape, parent), change)
    name = change.path[depth]
    children = _Children(shape, parent)
    if name not in parent:
        if change.verb != "add" or depth != len(change.path) - 2 or not children.may_hold_names(name):
            raise PlayError(say.no_target(change.spans[depth], name, change.path[:depth], parent.by_key))
        # The first of its kind: `also.splendid` where the base has no `also` yet.
        first = _edited(_mapping((), change.spans[depth]), children(name), change, depth + 1)
        return _mapping((*parent.entries, Entry(_key(name, change.spans[depth]), first)), parent.span)
    entry = parent.by_key[name]
    inner = _edited(entry.value, children(name), change, depth + 1)
    return _mapping((Entry(e.key, inner) if e is entry else e for e in parent.entries), parent.span)


def _opened(node: Node, shape: shapes.Shape) -> Mapping | None:
    """The node in its long form, as a mapping with names to go on by."""
    if isinstance(node, Mapping):
        return node
    if isinstance(shape, shapes.AnyOf) and shape.short and isinstance(node, (Scalar, Sequence)):
        key = Scalar(shape.short, Span(node.span.source, node.span.start, node.span.start))
        return _mapping([Entry(key, node)], node.span)
    if isinstance(node, Sequence) and not any(isinstance(one, shapes.MapOf) for one in _alternatives(shape)):
        return None
    return _as_mapping(node)


def _alternatives(shape: shapes.Shape) -> list[shapes.Shape]:
    return [inner for one in shape.of for inner in _alternatives(one)] if isinstance(shape, shapes.AnyOf) else [shape]


class _Children:
    """The shapes of what stands under the names of a mapping, and whether their order matters."""

    def __init__(self, shape: shapes.Shape, parent: Mapping) -> None:
        self.fixed: dict[str, shapes.Shape] | None = None
        self.other: shapes.Shape = shapes.FreeForm()
        self.ordered = False
        for one in _alternatives(shape):
            self._take(one, parent)

    def _take(self, shape: shapes.Shape, parent: Mapping) -> None:
        match shape:
            case shapes.Ref(form):
                self.fixed = g.FORMS[form].keys
            case shapes.ByVerb():
                verb = next(iter(g.verbs_in(parent.by_key)), "is")
                self.fixed = g.VERBS[verb].keys
            case shapes.ByKey(key, has, has_not):
                self._take(has if key in parent else has_not, parent)
            case shapes.MapOf(of):
                self.fixed, self.other, self.ordered = None, of, shape.ordered

    def may_hold_names(self, name: str) -> bool:
        """Whether names of the author's own may stand under one of the fixed keys."""
        return self.fixed is not None and any(isinstance(one, shapes.MapOf) for one in _alternatives(self(name)))

    def __call__(self, name: str) -> shapes.Shape:
        return self.fixed.get(name, shapes.FreeForm()) if self.fixed is not None else self.other


# One change ------------------------------------------------------------------------------------------------------


def _done(parent: Mapping, children: _Children, change: Change) -> Mapping:
    name, span = change.path[-1], change.spans[-1]
    there = parent.by_key.get(name)
    if change.verb == "add":
        if there is not None:
            raise PlayError(say.already_there(span, name, there.key.span))
        if children.fixed is not None and name not in children.fixed:
            raise PlayError(say.unknown_key(span, name, children.fixed, "this"))
        return _placed(parent, Entry(_key(name, span), _added(change.value, name, children)), children, change)
    if there is None:
        raise PlayError(say.no_target(span, name, change.path[:-1], parent.by_key))
    standing = _short(there.value, children(name))
    if change.was is not None and _plain(standing) != _plain(change.was):
        was, now = _plain(change.was), _plain(standing)
        raise PlayError(say.was_otherwise(change.was.span, name, was, now, there.value.span))
    rest = [entry for entry in parent.entries if entry is not there]
    match change.verb:
        case "set":
            value = _set(there.value, change.value, children(name))
            return _mapping((Entry(e.key, value) if e is there else e for e in parent.entries), parent.span)
        case "remove":
            return _mapping(rest, parent.span)
        case "move":
            return _placed(_mapping(rest, parent.span), there, children, change)
    assert change.verb == "rename" and isinstance(change.value, Scalar)
    if change.value.text in parent:
        taken = parent.key(change.value.text).span
        raise PlayError(say.already_there(change.value.span, change.value.text, taken))
    renamed = Entry(Scalar(change.value.text, change.value.span), there.value)
    return _mapping((renamed if e is there else e for e in parent.entries), parent.span)


def _short(node: Node, shape: shapes.Shape) -> Node:
    """What the short form of a value would say."""
    short = shape.short if isinstance(shape, shapes.AnyOf) else ""
    inner = node.get(short) if isinstance(node, Mapping) and short else None
    return inner or node


def _key(name: str, span: Span) -> Scalar:
    return Scalar(name, span)


def _added(value: Node, name: str, children: _Children) -> Node:
    """What is added; to a list of names, as in `{add: d14}`, the name says all."""
    is_list_of_names = isinstance(children.other, shapes.Prose) and isinstance(value, Scalar) and value.text == name
    return Scalar("", value.span, "'") if is_list_of_names else value


def _set(before: Node, value: Node, shape: shapes.Shape) -> Node:
    """The new value. What a short form stands for is replaced in a long one, which keeps its sources."""
    short = shape.short if isinstance(shape, shapes.AnyOf) else ""
    if short and isinstance(value, Scalar) and isinstance(before, Mapping) and short in before:
        inner = before.by_key[short]
        changed = Entry(inner.key, _over(inner.value, value))
        return _mapping((changed if e is inner else e for e in before.entries), before.span)
    return _over(before, value)


def _over(before: Node, value: Node) -> Node:
    """An expression that may read the replaced one as `base`."""
    if isinstance(value, Scalar) and isinstance(before, Scalar):
        return replace(value, base=before)
    return value


def _placed(parent: Mapping, entry: Entry, children: _Children, change: Change) -> Mapping:
    """The mapping with an entry where the change wants it; where order matters it must say where."""
    if change.anchor is None:
        if children.ordered and parent.entries:
            raise PlayError(say.no_anchor(change.spans[-1], change.path[-1], parent.by_key))
        return _mapping((*parent.entries, entry), parent.span)
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
    return _mapping(placed, parent.span)


def _plain(node: Node) -> str:
    """A value as text that two ways of writing it share."""
    if isinstance(node, Scalar):
        return " ".join(node.text.split())
    if isinstance(node, Sequence):
        return "[" + ", ".join(map(_plain, node.items)) + "]"
    if isinstance(node, Mapping):
        return "{" + ", ".join(f"{e.key.text}: {_plain(e.value)}" for e in node.entries) + "}"
    return ""


# Conflicts -------------------------------------------------------------------------------------------------------


Meeting = tuple[Written, Change, Written, Change]
"""Two layers, each with its change that touches the same thing as the other's."""


def _meetings(layers: list[Written]) -> Iterator[Meeting]:
    """Changes of layers without an order between them that touch the same thing."""
    for number, one in enumerate(layers):
        for two in layers[number + 1 :]:
            if one.name in two.below:
                continue
            for mine in one.changes:
                for theirs in two.changes:
                    if _meet(mine, theirs):
                        yield one, mine, two, theirs


def _meet(one: Change, two: Change) -> bool:
    shorter, longer = sorted((one.path, two.path), key=len)
    if longer[: len(shorter)] == shorter:
        return True
    return bool(_anchors(one) & (_anchors(two) | {two.path}) or _anchors(two) & {one.path})


def _anchors(change: Change) -> set[tuple[str, ...]]:
    return {(*change.path[:-1], change.anchor.partition(" ")[2])} if change.anchor else set()


def _settles(layer: Written, *changes: Change) -> bool:
    """Whether a layer above says itself what becomes of the place."""
    return any(_is_at(own.path, place) for own in layer.changes for place in _places(*changes))


def _places(*changes: Change) -> set[tuple[str, ...]]:
    """The paths that changes are about, by the names too that they may have afterwards."""
    places = {change.path for change in changes}
    return places | {new for one in changes for path in places if (new := _renamed(path, one)) is not None}


def _is_gone(root: Mapping, layer: Written, change: Change, meetings: list[Meeting]) -> bool:
    """Whether a layer settles a conflict by removing what is not there: one change took it out, or the other could
    not put it in."""
    if change.verb != "remove":
        return False
    for one, mine, two, theirs in meetings:
        ours = {one.name, two.name} <= layer.below and any(
            _is_at(change.path, place) for place in _places(mine, theirs)
        )
        new = [path for each in (mine, theirs) if (path := _renamed(change.path, each)) is not None]
        if ours and "remove" in (mine.verb, theirs.verb) and not any(at(root, path) for path in new):
            return True
    return False


def _is_at(path: tuple[str, ...], place: tuple[str, ...]) -> bool:
    """Whether a path leads to a place or below it."""
    return path[: len(place)] == place


def _renamed(path: tuple[str, ...], change: Change) -> tuple[str, ...] | None:
    """What a path is called after a change that renames something on it; None where it does not."""
    if change.verb != "rename" or not isinstance(change.value, Scalar) or not _is_at(path, change.path):
        return None
    return (*change.path[:-1], change.value.text, *path[len(change.path) :])
