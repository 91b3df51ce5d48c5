"""The words and values that a ruleset declares: closed lists, ladders and dice, and the types that its names mean."""

from __future__ import annotations

from typing import Any

from interpreter import diagnostics as say
from interpreter import ir
from interpreter.checker.attributes import single_kinds, things_of
from interpreter.checker.world import World, prose, text_at
from interpreter.diagnostics.source import Span
from interpreter.frozen import dataclass
from interpreter.ir import types as t
from interpreter.ir.once_per import once_per
from interpreter.runtime.state import SCENE
from interpreter.syntax.document import Entry, Mapping, Node, Scalar, Sequence, items_of, parse_whole_number
from interpreter.syntax.names import mixed_scripts
from interpreter.syntax.schema import is_name
from interpreter.values import Die, Thing, face_number

_SAME_USE = (
    *(("names", other) for other in ("ladders", "types", "kinds", "dice", "tables")),
    *(("ladders", other) for other in ("types", "kinds", "dice", "tables")),
    ("types", "kinds"),
    ("tables", "functions"),
)
"""Pairs of sections that must not declare the same name: a type, a value or a call would be one of two things."""


@dataclass(frozen=True, slots=True)
class NamedValue:
    """A name with a fixed value: a die, the rungs of a ladder, the words of a list."""

    value: Any
    type: t.Type
    path: str


def word_list(world: World, name: str) -> t.Word | None:
    """The closed list of words of that name: of `names`, of a ladder, of the rows of a table."""
    if name == "tags" and world.section("tags"):
        return tag_words(world)
    if name in world.section("names"):
        return _declared_list(world, name)
    if name in world.section("ladders"):
        rung = _rung_type(world, name)
        return rung if isinstance(rung, t.Word) and rung.words else None
    if name in world.section("tables"):
        return world.table_words(name)
    return None


def _declared_list(world: World, name: str) -> t.Word:
    return t.Word(name, tuple(meanings_of(world, "names", name)), where=places_of(world.section("names")[name].value))


def _rung_type(world: World, name: str) -> t.Type:
    """The type of a rung of a ladder: a die, or a word."""
    rungs = rungs_of(world, name) or ()
    node = world.section("ladders")[name].value
    listed = node.get("rungs") if isinstance(node, Mapping) else node
    return t.SingleDie() if rungs and isinstance(rungs[0], Die) else t.Word(name, rungs, True, where=places_of(listed))


def meanings_of(world: World, section: str, name: str) -> dict[str, str]:
    """The words of a list with their explanations."""
    return word_meanings(world.section(section)[name].value)


def rungs_of(world: World, name: str) -> tuple[Any, ...] | None:
    """The rungs of a ladder, lowest first: dice, or words."""
    return world.make("ladders", name, lambda entry: _read_rungs(world, entry))


def _read_rungs(world: World, entry: Entry) -> tuple[Any, ...]:
    node = entry.value.get("rungs") if isinstance(entry.value, Mapping) else entry.value
    keys = (
        [e.key for e in node.entries]
        if isinstance(node, Mapping)
        else [item for item in items_of(node) if isinstance(item, Scalar)]
    )
    seen: dict[str, Scalar] = {}
    rungs: list[Any] = []
    for key in keys:
        if key.text in seen:
            world.problems.add(say.doubled_rung(key.span, key.text, seen[key.text].span))
            continue
        die = _rung_die(world, key.text)
        if die is not None and not 1 <= die.size <= 1000:
            world.problems.add(say.bad_dice(key.span, "a die has 1 to 1000 faces"))
        elif die is None and not is_name(key.text):
            world.problems.add(say.bad_name(key.span, key.text, mixed_scripts(key.text)))
        elif die is not None and rungs and isinstance(rungs[-1], Die) and die.size <= rungs[-1].size:
            world.problems.add(say.rungs_out_of_order(key.span, key.text, str(rungs[-1])))
        elif rungs and isinstance(rungs[0], Die) != isinstance(die, Die):
            world.problems.add(say.mixed_rungs(key.span, key.text, isinstance(rungs[0], Die)))
        else:
            rungs.append(die or key.text)
        seen[key.text] = key
    if not keys:
        world.problems.add(say.empty_list_of(entry.key.span, f"`{entry.key.text}`"))
    return tuple(rungs)


def _rung_die(world: World, text: str) -> Die | None:
    size = parse_whole_number(text[1:]) if text.startswith("d") else None
    if size is not None:
        return Die(size)
    return die_named(world, text) if text in world.section("dice") else None


def die_named(world: World, name: str) -> Die | None:
    """The die that a name of the section `dice` stands for."""
    return world.make("dice", name, lambda entry: world.checks.die(world, entry))


@once_per
def face_symbols(world: World) -> tuple[str, ...]:
    """Every symbol on a face of the ruleset's dice."""
    symbols: dict[str, None] = {}
    for name in world.section("dice"):
        die = die_named(world, name)
        for face in (die.faces or ()) if die else ():
            if isinstance(face, str) and face != "blank":
                symbols |= dict.fromkeys(face.split(" + "))
    return tuple(symbols)


@once_per
def face_type_of(world: World) -> t.Type:
    """The type of a face: at least 1, unless the ruleset has dice of its own."""
    faces = [face for name in world.section("dice") for face in ((die_named(world, name) or Die(1)).faces or ())]
    return t.Number(min([1, *map(face_number, faces)]))


def value_named(world: World, name: str) -> NamedValue | None:
    if name == "no_dice":
        return NamedValue((), t.Dice(), "dice")
    if name in world.section("dice"):
        die = die_named(world, name)
        return NamedValue(die, t.SingleDie() if die else t.ANYTHING, f"dice.{name}")
    if name in world.section("ladders"):
        rungs = rungs_of(world, name) or ()
        return NamedValue(rungs, t.List(_rung_type(world, name), len(rungs)), f"ladders.{name}")
    if name in world.section("names"):
        of = _declared_list(world, name)
        return NamedValue(of.words, t.List(of, len(of.words)), f"names.{name}")
    if name in single_kinds(world):
        return NamedValue(Thing(name, name), t.Object(name), f"kinds.{name}")
    if name == SCENE and world.section("scenes"):
        return NamedValue(Thing(SCENE, SCENE), t.Object(SCENE), "scenes")
    if name in things_of(world):
        kind = things_of(world)[name][0]
        return NamedValue(Thing(name, kind), t.Object(kind), f"things.{kind}.{name}")
    return None


def names_of_values(world: World) -> list[str]:
    named = [name for section in ("dice", "ladders", "names") for name in world.section(section)]
    return ["no_dice", *named, *single_kinds(world), *things_of(world)]


def lists_with_word(world: World, word: str) -> list[t.Word]:
    """Every closed list that has a word, without those under construction.

    The rows of a table that are words of one declared list are no list of their own.
    """
    kinds = _all_lists_with(world, word)
    tables = world.section("tables")
    declared = [set(kind.words) for kind in kinds if kind.name not in tables]
    return [kind for kind in kinds if kind.name not in tables or not any(map(set(kind.words).issubset, declared))]


def _all_lists_with(world: World, word: str) -> list[t.Word]:
    listed = ("names", "ladders", "tables")
    open_ = {name for section, name in world.under_way if section in (*listed, "options")}
    if any(name in world.section(key) for key in listed for name in open_):  # too early to cache the result
        names = [name for key in listed for name in world.section(key) if name not in open_]
        kinds = [kind for name in names if (kind := word_list(world, name)) is not None and word in kind.words]
    else:
        kinds = list(_lists_by_word(world).get(word, ()))
    for name in (one for one in _options_of_words(world) if one not in open_):
        option = world.option(name)
        if option and isinstance(option.type, t.Word) and option.type.name == name and word in option.type.words:
            kinds.append(option.type)
    return kinds


@once_per
def _lists_by_word(world: World) -> dict[str, list[t.Word]]:
    """The lists of names, ladders and tables that have a word, by that word."""
    lists: dict[str, list[t.Word]] = {}
    for name in (*world.section("names"), *world.section("ladders"), *world.section("tables")):
        kind = word_list(world, name)
        for word in dict.fromkeys(kind.words) if kind is not None else ():
            lists.setdefault(word, []).append(kind)  # type: ignore[arg-type]
    return lists


@once_per
def _options_of_words(world: World) -> list[str]:
    """The options with a list of words of their own."""
    entries = world.section("options").items()
    return [name for name, entry in entries if isinstance(entry.value, Mapping) and "one_of" in entry.value]


@once_per
def ambiguous_names(world: World) -> dict[str, tuple[Span, Span]]:
    """The names that two sections declare for the same use, with the places of the first and the second."""
    places_by_name: dict[str, tuple[Span, Span]] = {}
    for one, other in _SAME_USE:
        for name in world.section(one).keys() & world.section(other).keys():
            if "tables" in (one, other) and _has_rows_of(world, name):
                continue
            places = [world.section(section)[name].key.span for section in (one, other)]
            above = sorted(places, key=lambda at: (at.source.name not in world.lower, at.source.name, at.start))
            places_by_name.setdefault(name, (above[0], above[1]))
    return places_by_name


def _has_rows_of(world: World, name: str) -> bool:
    """Whether the rows of a table are no rival of the list of the same name: its words, or numbers."""
    rows = world.table_words(name) if name not in world.section("functions") else None
    listed = _declared_list(world, name) if name in world.section("names") else word_list(world, name)
    return name not in world.section("functions") and (
        rows is None or (listed is not None and set(rows.words) <= set(listed.words))
    )


def type_named(world: World, node: Scalar, of_a_thing: bool = False, alone: bool = False) -> t.Type:
    """The type that a word means after `type:` or `list_of:`, or `alone` in their place; `of_a_thing` under `has`.

    An unknown one is reported, and passes for the simple type that is meant.
    """
    simple: dict[str, t.Type] = {
        "number": t.NUMBER,
        "yes_no": t.YES_NO,
        "text": t.Text(),
        "die": t.SingleDie(),
        "dice": t.Dice(),
        "roll": t.Roll(),
        "code": t.DiceCode(),
    }
    name = node.text
    if name in simple:
        return simple[name]
    if name == "tags":
        return tag_words(world)
    for section in ("types", "kinds", "ladders", "names", "tables"):
        world.refer(node.span, section, name)
    if name in ambiguous_names(world):
        return t.ANYTHING
    if name in world.section("kinds"):
        return t.Object(name)
    if name in world.section("types"):
        record = world.record(name)
        return record.type if record else t.ANYTHING
    if name in world.section("ladders"):
        return _rung_type(world, name)
    words = word_list(world, name)
    if words is not None:
        return words
    known = [
        *simple,
        *world.section("types"),
        *world.section("kinds"),
        *world.section("names"),
        *world.section("ladders"),
        *world.section("tables"),
    ]
    if name in world.strays:
        return t.ANYTHING
    world.problems.add(say.not_a_type(node.span, name, known, world.section("kinds"), of_a_thing, alone))
    likely_type = say.type_meant(name, known, of_a_thing)
    return (
        simple.get(likely_type.type or "", t.ANYTHING) if likely_type is not None and likely_type.sure else t.ANYTHING
    )


def record_type_of(world: World, kind: t.Type | None) -> ir.RecordType | None:
    """The declared record type behind a type, if it is one."""
    kind = t.without_maybe(kind) if kind is not None else None
    if isinstance(kind, t.Record) and kind.name in world.section("types"):
        return world.record(kind.name)
    return None


@once_per
def tag_words(world: World) -> t.Word:
    return t.Word("tags", tuple(world.section("tags")), where=places_of(world.root.get("tags")))


def word_meanings(node: Node) -> dict[str, str]:
    """The words of `[a, b]` or of `{a: what it means, b: {title: …, about: what it means}}`."""
    if isinstance(node, Mapping):
        return {entry.key.text: prose(entry.value) or text_at(entry.value, "about") for entry in node.entries}
    if isinstance(node, Sequence):
        return {item.text: "" for item in node.items if isinstance(item, Scalar)}
    return {}


def places_of(node: Node | None) -> t.Places:
    """The names in a mapping or a list, with their places."""
    keys: tuple[Node, ...] = ()
    if isinstance(node, Mapping):
        keys = tuple(entry.key for entry in node.entries)
    elif isinstance(node, Sequence):
        keys = node.items
    return tuple((key.text, key.span) for key in keys if isinstance(key, Scalar))
