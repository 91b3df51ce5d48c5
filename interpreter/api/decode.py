"""Convert what a player, a case or a host gives to values of the declared types.

The input is a tree with places (`document.from_python` makes one from plain data), so that messages can name the place
of a bad value. Expressions in it are evaluated by `runtime/reference.py`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping as Names
from dataclasses import dataclass, field, replace
from typing import Any

from interpreter import diagnostics as say
from interpreter import ir
from interpreter.checker.declarations import value_type
from interpreter.checker.expressions import formula
from interpreter.checker.scope import Binding, Bindings, Scope
from interpreter.checker.untyped import report_untyped
from interpreter.checker.world import World
from interpreter.diagnostics import PlayError, Problems
from interpreter.ir import types as t
from interpreter.ir.limits import lasting_part
from interpreter.play.rolls import roll_at, types_scored_by
from interpreter.runtime import new_objects, reference
from interpreter.runtime.constraints import constraints_check
from interpreter.runtime.evaluator import Closures, Frame, new_frame
from interpreter.runtime.kept_dice import FIRST_KEY
from interpreter.runtime.rng import canonical_face
from interpreter.runtime.state import EMPTY, STATE, TITLE, State
from interpreter.shown_text import find_unseen
from interpreter.syntax.document import (
    Broken,
    Entry,
    Mapping,
    Node,
    Scalar,
    Sequence,
    entries_of,
    from_python,
    value_at,
)
from interpreter.values import Code, Die, Scoring, Thing, Throw, Thrown, face_number
from interpreter.work_count import spend

_DICE = r"(?:[1-9]\d?)?d[1-9]\d{0,2}"
_POOL = re.compile(f"{_DICE}(?: ?& ?{_DICE}){{0,9}}", re.ASCII)
_NUMBER_BESIDE = re.compile(
    r"(?:(?P<before>\d+)\s*\+\s*)?(?P<dice>\d*d\d+(?:\s*&\s*\d*d\d+)*)(?:\s*[+-]\s*(?P<after>\d+))?", re.ASCII
)
"""`2d6+3`, dice and a number as other tools write them."""
_INTEGER = re.compile(r"-?\d{1,18}$", re.ASCII)

MOST_KNOWN = 1_000
"""How many texts are cached."""


@dataclass
class InputReader:
    """Reads values for one ruleset with fixed options; `used` collects the paths of the declarations they use."""

    world: World
    closures: Closures
    used: set[str] = field(default_factory=set)
    dice_read: int = 0
    """How many dice on the table were read so far, or are kept by the state."""
    dice_numbered: dict[str, int] = field(default_factory=dict)
    """The keys of dice that are written in several places, by the numbers that say which they are."""
    known: dict[Any, tuple[Any, frozenset[str]]] = field(default_factory=dict)
    """Cached values of texts, by text and type, with the paths that they use."""
    state: State = EMPTY
    """The things that values may name; a thing that is written in place is added to it."""
    things: dict[str, Thing] = field(default_factory=dict)
    """Things that values may name although they are not in the state yet."""
    stateless: bool = False
    """Whether no state was given, so that only the things of the ruleset exist."""
    saved: bool = False
    """Whether it reads what play wrote: values are only held to what play never breaks, and what a value named may have
    been destroyed."""

    def mechanic_inputs(self, rule: ir.Mechanic, given: Names[str, Node]) -> dict[str, Any]:
        """The values of a mechanic's inputs. Raises PlayError at the first that is unknown or of a wrong type."""
        declared = {one.name: one for one in rule.inputs}
        values: dict[str, Any] = {}
        for name, node in given.items():
            if name not in declared:
                raise PlayError(say.unknown_input(node.span, name, rule.name, declared))
            self.used.add(declared[name].path)
            values[name] = self.value(node, value_type(declared[name]), name)
        return values

    def value(self, node: Node, kind: t.Type, name: str) -> Any:
        """The value at a node, of the type `kind`; `name` is its name in messages."""
        if isinstance(kind, t.Dice) and isinstance(node, Scalar):
            pool = _pool(node.text) if node.value is None else None
            if pool is not None and len(pool) >= kind.least:
                return pool
        if isinstance(node, Broken):
            raise PlayError(say.not_that_type(node.span, name, t.in_words(kind), node.span.text))
        if isinstance(kind, t.Maybe):
            return None if isinstance(node, Scalar) and node.text == "none" else self.value(node, kind.of, name)
        if self.saved and isinstance(kind, t.Object) and isinstance(node, Scalar) and node.text == GONE:
            return None
        if isinstance(node, Scalar) and node.value is not None:
            return self._read_ready_value(node, kind, name)
        match kind:
            case t.Number() if isinstance(node, Scalar) and _INTEGER.match(node.text):
                return int(node.text)
            case t.YesNo() if isinstance(node, Scalar):
                return self._read_truth(node, name)
            case t.Text() if isinstance(node, Scalar):
                return _seen_text(node)
            case t.Text() if isinstance(node, Mapping) and isinstance(text := node.get("text"), Scalar):
                return _seen_text(text)  # even if it reads `none`
            case t.Word() if isinstance(node, Scalar):
                if node.text not in kind.words:
                    raise PlayError(say.unknown_word(node.span, node.text, kind.name, kind.words))
                return node.text
            case t.Record():
                return self._read_record(node, kind, name)
            case t.Map(key=t.Word() as words):
                return self._read_values_by_word(node, kind, words, name)
            case t.Object():
                return self._read_thing(node, kind, name)
            case t.Dice() | t.Roll() if isinstance(node, Sequence) and not node.items:
                return ()  # a saved result writes an empty pool like any empty list
            case t.Dice() | t.Roll() if isinstance(node, Sequence) and (ready := _ready_items(node)):
                return self._read_ready_value(Scalar(node.span.text, node.span, "'", ready), kind, name)
            case t.Roll():
                return self._read_roll(node, name)
            case t.List(t.SingleDie()) if isinstance(node, Scalar) and not node.text.lstrip().startswith("["):
                return self.value(node, t.Dice(), name)  # a saved result writes a list of dice like a pool
            case t.List(of) if isinstance(node, Sequence):
                spend(2 * len(node.items))
                return tuple(self.value(item, of, name) for item in node.items)
            case t.List() if isinstance(node, Scalar) and not node.text.lstrip().startswith("["):
                raise PlayError(say.not_that_type(node.span, name, t.in_words(kind), node.text))
        if not isinstance(node, Scalar):
            raise PlayError(say.not_that_type(node.span, name, t.in_words(kind), node.span.text))
        try:
            return self.expression(node, kind)
        except PlayError as problem:
            # An unknown word alone is a wrong value rather than an expression that reads a name.
            if problem.diagnostic.code == "HR301" and problem.diagnostic.span.text == node.text.strip():
                raise PlayError(say.not_that_type(node.span, name, t.in_words(kind), node.text)) from None
            with_number = _NUMBER_BESIDE.fullmatch(node.text.strip())
            if problem.diagnostic.code in ("HR401", "HR419") and isinstance(kind, t.Dice) and with_number:
                number = with_number["before"] or with_number["after"]
                raise PlayError(say.number_beside_dice(node.span, name, with_number["dice"], number)) from None
            raise

    def _read_values_by_word(self, node: Node, kind: t.Map, words: t.Word, name: str) -> dict[str, Any]:
        """The written values, by word; those of the other words are not in it."""
        if not isinstance(node, Mapping):
            instead = say.value_of_each(words.words, node.span.text)
            raise PlayError(say.not_that_type(node.span, name, t.in_words(kind), node.span.text, instead))
        values = {}
        for entry in node.entries:
            word = entry.key.text
            if word not in words.words:
                raise PlayError(say.unknown_word(entry.key.span, word, words.name, words.words))
            values[word] = self.value(entry.value, kind.of, f"{name}.{word}")
        return values

    def _read_thing(self, node: Node, kind: t.Object, name: str) -> Thing:
        """A thing by its name, or a new one that is written in place and added to the state."""
        text = node.text.strip() if isinstance(node, Scalar) else None
        thing_named = self.things.get(text) if text is not None else None
        if thing_named is None and text is not None and text in self.state.things:
            thing_named = self.state.thing(text)
        if thing_named is not None:
            if thing_named.kind != kind.kind:
                raise PlayError(say.thing_of_another_kind(node.span, thing_named.id, thing_named.kind, kind.kind))
            return thing_named
        declared = self.closures.program.kinds[kind.kind]
        if declared.one or (text is not None and declared.written_as is None):
            there = [*(one.id for one in self.state.of_kind(kind.kind)), *self.things]
            raise PlayError(say.no_such_thing(node.span, text or node.span.text, there, self.stateless))
        label = name.replace(".", "_").replace(" ", "_")
        while label in self.state.things or label in self.things:
            label += "_"
        thing = Thing(label, kind.kind)
        values = thing_values(self, declared, node, name)
        spans = {e.key.text: e.value.span for e in node.entries} if isinstance(node, Mapping) else {}
        with say.Placed(spans):
            self.state = new_objects.make_object(self.closures, self._frame(), thing, values, node)
        return thing

    def expression(self, node: Node, kind: t.Type | None, names: Names[str, tuple[t.Type, Any]] | None = None) -> Any:
        """The value of an expression given at run time. Raises PlayError if it is wrong."""
        if not names and isinstance(node, Scalar):
            return self._text_value(node, kind)
        expression = self.check_expression(node, kind, {name: of for name, (of, _) in (names or {}).items()})
        self.used |= expression.refs
        values = {name: value for name, (_, value) in (names or {}).items()}
        return reference.evaluate(expression, self.closures, {STATE: self.state, **values})

    def _text_value(self, node: Scalar, kind: t.Type | None) -> Any:
        """The value of an expression without names, cached by its text and type."""
        key = (node.text, kind)
        if key not in self.known:
            expression = self.check_expression(node, kind, {})
            if any(path.startswith(("kinds.", "things.")) for path in expression.refs):  # the state may change
                self.used |= expression.refs
                return reference.evaluate(expression, self.closures, {STATE: self.state})
            if len(self.known) >= MOST_KNOWN:
                self.known.clear()
            self.known[key] = (reference.evaluate(expression, self.closures, {}), frozenset(expression.refs))
        value, refs = self.known[key]
        self.used |= refs
        return value

    def check_expression(self, node: Node, kind: t.Type | None, names: Names[str, t.Type]) -> ir.Formula:
        """A checked expression given at run time. Raises PlayError with the first error."""
        world = replace(self.world, problems=Problems())
        scope = Scope(Bindings.of({name: Binding(of) for name, of in names.items()}))
        expression = formula(world, node, scope, kind)
        report_untyped(expression, world.problems)
        if world.problems.errors:
            raise PlayError(world.problems.errors[0])
        return expression

    def _read_truth(self, node: Scalar, name: str) -> bool:
        if node.text not in ("yes", "no"):
            raise PlayError(say.not_that_type(node.span, name, "yes or no", node.text, "write `yes` or `no`"))
        return node.text == "yes"

    def _read_ready_value(self, node: Scalar, kind: t.Type, name: str) -> Any:
        """A value that a host made earlier, such as the dice of another result."""
        value: Any = node.value
        if isinstance(value, Thing):
            return self.value(Scalar(value.id, node.span), kind, name)
        if isinstance(value, Thrown):
            value = (value,)
        if isinstance(value, tuple) and not isinstance(value, (Die, Code)):
            elements = {type(one) for one in value}
            if elements == {Thrown}:
                value = tuple(one._replace(key=self._key()) for one in value)
            if (isinstance(kind, t.Roll) and elements <= {Thrown}) or (isinstance(kind, t.Dice) and elements <= {Die}):
                return value
        if isinstance(kind, t.Dice) and isinstance(value, Die):
            return (value,)
        fitting = {t.SingleDie: Die, t.DiceCode: Code}.get(type(kind))
        if fitting is not None and isinstance(value, fitting):
            return value
        record = self.closures.program.types.get(kind.name) if isinstance(kind, t.Record) else None
        if record and record.written_as:
            inner = self.value(node, record.type.field(record.written_as) or t.ANYTHING, name)
            return self._fill_record(record, {record.written_as: inner})
        raise PlayError(say.not_that_type(node.span, name, t.in_words(kind), node.text))

    # Rolls and records

    def _read_roll(self, node: Node, name: str) -> Any:
        """`{dice: d8 & d6, faces: [7, 6]}`: dice on the table."""
        wrong = say.not_that_type(
            node.span, name, "a roll", node.span.text or "this", "write `{dice: d8 & d6, faces: [7, 6]}`"
        )
        if not isinstance(node, Mapping) or not {"dice", "faces"} <= set(node.by_key) <= {*ON_THE_TABLE}:
            raise PlayError(wrong)
        dice_node, faces_node = node.get("dice"), node.get("faces")
        assert dice_node is not None
        dice = self.value(dice_node, t.Dice(), name)
        if not isinstance(faces_node, Sequence):
            raise PlayError(wrong)
        if len(faces_node.items) != len(dice):
            raise PlayError(say.wrong_number_of_faces(faces_node.span, len(dice), len(faces_node.items)))
        counts, parts = _node_for_each(node.get("counts"), len(dice)), _node_for_each(node.get("parts"), len(dice))
        scored, which = _node_for_each(node.get("scored"), len(dice)), _node_for_each(node.get("which"), len(dice))
        dice_thrown = []
        for die, item, count, part, by, number in zip(
            dice, faces_node.items, counts, parts, scored, which, strict=True
        ):
            faces = item.items if isinstance(item, Sequence) else (item,)
            worths = count.items if isinstance(count, Sequence) else (count,) * len(faces)
            throws = []
            for nth, (one, worth) in enumerate(zip(faces, worths, strict=False), 1):
                face = canonical_face(die, one if isinstance(one, Scalar) else one.span.text)
                counted = face_number(face) if worth is None else self.value(worth, t.NUMBER, f"{name}.counts")
                throws.append(Throw(face, nth, counted, {}))
            if len(throws) != len(faces) or not throws:
                raise PlayError(say.wrong_number_of_faces(item.span, len(faces), len(throws)))
            named = part.text if isinstance(part, Scalar) and part.text != "none" else None
            plain = all(throw.counts == face_number(throw.face) for throw in throws)
            value = sum(throw.counts for throw in throws)
            scoring = self._read_scoring(by, name) if by is not None else None if plain else Scoring("")
            key = self._key(number.text if isinstance(number, Scalar) else None)
            dice_thrown.append(Thrown(die, named, key, tuple(throws), value, scoring))
        return tuple(dice_thrown)

    def _read_scoring(self, node: Node, name: str) -> Scoring | None:
        """`{roll: mechanics.strike.steps.rolled, with: {bonus: 2}}`: how a die counts when it is thrown again."""
        if isinstance(node, Scalar) and node.text == "none":
            return None
        path = value_at(node, "roll")
        roll = roll_at(self.closures.program, path.text) if isinstance(path, Scalar) else None
        if roll is None or not isinstance(node, Mapping) or not isinstance(path, Scalar):
            raise PlayError(say.not_that_type(node.span, f"{name}.scored", "how dice count", node.span.text or "this"))
        with_node = node.get("with")
        given = with_node.by_key if isinstance(with_node, Mapping) else {}
        values = []
        for read, kind in types_scored_by(roll).items():
            if read in given:
                values.append((read, self.value(given[read].value, t.without_maybe(kind), f"{name}.scored.{read}")))
            elif not isinstance(kind, t.Maybe):
                raise PlayError(
                    say.not_that_type(node.span, f"{name}.scored", f"a mapping with `{read}`", node.span.text)
                )
            else:
                values.append((read, None))
        return Scoring(path.text, tuple(values))

    def _key(self, number: str | None = None) -> int:
        """The key of another die that the run does not throw, or of the one of that number."""
        if number in self.dice_numbered:
            return self.dice_numbered[number]
        key = FIRST_KEY - self.dice_read
        self.dice_read += 1
        if number is not None:
            self.dice_numbered[number] = key
        return key

    def _read_record(self, node: Node, kind: t.Record, name: str) -> Any:
        record = self.closures.program.types.get(kind.name)
        if record is None:
            raise PlayError(say.not_that_type(node.span, name, t.in_words(kind), node.span.text))
        self.used.add(record.path)
        by_name = {one.name: one for one in record.has}
        if not isinstance(node, Mapping):
            if record.written_as is None:
                fields = ", ".join(by_name)
                raise PlayError(
                    say.not_that_type(node.span, name, t.in_words(kind), node.span.text, f"write `{{…}}` with {fields}")
                )
            of = by_name[record.written_as]
            self.used.add(of.path)
            return self._fill_record(record, {of.name: self.value(node, value_type(of), name)})
        values: dict[str, Any] = {}
        added: list[tuple[ir.Modifier, dict[str, Any]]] = []
        for entry in node.entries:
            key = entry.key.text
            if key == "modifiers" and key not in by_name and any(m.to == record.name for m in self._modifiers()):
                added = [self._read_modifier(record, item) for item in self._items(entry.value)]
                continue
            if key not in by_name:
                known = [*by_name, *(["modifiers"] if self._modifiers() else [])]
                raise PlayError(say.unknown_field(entry.key.span, f"`{record.name}`", key, known))
            self.used.add(by_name[key].path)
            values[key] = self.value(entry.value, value_type(by_name[key]), f"{name}.{key}")
        return self._fill_record(record, values, added, node)

    def _modifiers(self) -> list[ir.Modifier]:
        return list(self.closures.program.modifiers.values())

    def _items(self, node: Node) -> list[Node]:
        if isinstance(node, Sequence):
            return list(node.items)
        text = node.text.strip() if isinstance(node, Scalar) else ""
        if text.startswith("[") and text.endswith("]") and isinstance(node, Scalar):
            names = [part.strip() for part in text[1:-1].split(",") if part.strip()]
            return [Scalar(part, node.span, "'") for part in names]
        return [node]

    def _read_modifier(self, record: ir.RecordType, node: Node) -> tuple[ir.Modifier, dict[str, Any]]:
        """`bad_footing`, or `{encumbrance: {limit: d8}}` for a modifier with inputs."""
        key = node.entries[0].key if isinstance(node, Mapping) and node.entries else node
        known = {m.name: m for m in self._modifiers() if m.to == record.name}
        if not isinstance(key, Scalar) or key.text not in known:
            raise PlayError(say.unknown_of(key.span, "modifier", getattr(key, "text", "?"), known))
        one = known[key.text]
        self.used.add(one.path)
        inner = node.entries[0].value if isinstance(node, Mapping) else None
        given = {entry.key.text: entry for entry in inner.entries} if isinstance(inner, Mapping) else {}
        values: dict[str, Any] = {}
        for name, entry in given.items():
            taken = next((d for d in one.takes if d.name == name), None)
            if taken is None:
                names = [d.name for d in one.takes]
                raise PlayError(say.unknown_field(entry.key.span, f"`{one.name}`", name, names))
            values[name] = self.value(entry.value, value_type(taken), name)
        inside = self._frame()
        for taken in one.takes:
            if taken.name not in values and taken.default is not None:
                values[taken.name] = self.closures.of(taken.default)(inside)
            elif taken.name not in values and taken.required:
                raise PlayError(say.missing_key(node.span, taken.name, f"`{one.name}`"))
            inside[taken.name] = values.get(taken.name)
        with say.Placed({name: entry.value.span for name, entry in given.items()}):
            for taken in one.takes:
                constraints_check(self.closures, taken)(inside[taken.name], inside)
        return one, values

    def _frame(self) -> Frame:
        """A frame in which things can be read, also those that this call has made."""
        return {**new_frame(), STATE: self.state}

    def _fill_record(
        self,
        record: ir.RecordType,
        values: dict[str, Any],
        added: list[tuple[ir.Modifier, dict[str, Any]]] | None = None,
        node: Node | None = None,
    ) -> dict[str, Any]:
        inside = self._frame()
        for one in record.has:
            value = values.get(one.name)
            if value is None and one.default is not None:
                value = self.closures.of(one.default)(inside)
            if value is None and one.required and not (self.saved and isinstance(one.type, t.Object)):
                span = node.span if node else say.NOWHERE
                raise PlayError(say.missing_key(span, one.name, f"`{record.name}`"))
            inside[one.name] = value
        for modifier, taken in added or []:
            for name, amount in modifier.adds:
                inside[name] = add_to_field(inside[name], self.closures.of(amount)({**self._frame(), **taken}))
        places = {entry.key.text: entry.value.span for entry in entries_of(node)}
        if "modifiers" in places:  # a field that is not given itself has its value from them
            places |= {
                name: places["modifiers"] for one, _ in added or () for name, _ in one.adds if name not in places
            }
        with say.Placed(places):
            for one in record.has:
                held_to = lasting_part(self.closures.program, one) if self.saved else one
                constraints_check(self.closures, held_to)(inside[one.name], inside)
        return {one.name: inside[one.name] for one in record.has}


def _ready_items(node: Sequence) -> tuple[Any, ...] | None:
    """The elements of a list if all are values of the library, such as dice of another result; else None."""
    values = tuple(one.value for one in node.items if isinstance(one, Scalar))
    return values if len(values) == len(node.items) and None not in values else None


ON_THE_TABLE = ("dice", "faces", "counts", "parts", "scored", "which")
"""The keys of dice on the table. A list such as `[6, 6, 2]` in place of a face gives all throws of one die; `counts`
gives the values of throws that differ from their faces, and `parts` the named parts of a roll, as in saved results."""


def _node_for_each(node: Node | None, many: int) -> list[Node | None]:
    """One node for each of `many` dice; None for each if there is no list. Raises PlayError for another length."""
    if node is None:
        return [None] * many
    if not isinstance(node, Sequence) or len(node.items) != many:
        raise PlayError(say.wrong_number_of_faces(node.span, many, len(getattr(node, "items", ()))))
    return list(node.items)


def add_to_field(old: Any, new: Any) -> Any:
    """A field with what a modifier adds: numbers are added, pools joined, yes and no or-ed, of limits the lower."""
    if old is None:
        return new
    if isinstance(old, bool):
        return old or new
    if isinstance(old, int):
        return old + new
    if isinstance(old, Die):
        return min(old, new, key=lambda die: die.size)
    return (*old, *new)


def node_of(value: Any, label: str) -> Node:
    """A host's value as a tree, if it is not one already; text is not parsed as YAML."""
    return value if isinstance(value, (Scalar, Mapping, Sequence)) else from_python(value, label)


def replace_given(given: Names[str, Node], name: str, node: Node, written_as: str | None = None) -> dict[str, Node]:
    """Given values with one of them replaced. A dotted name (`own.limit`) replaces one field of a record and keeps the
    others, also if the record was given in its short form, as the field `written_as`."""
    head, _, rest = name.partition(".")
    if not rest:
        return {**given, name: node}
    whole = given.get(head)
    parts = {key: entry.value for key, entry in whole.by_key.items()} if isinstance(whole, Mapping) else {}
    if whole is not None and not isinstance(whole, Mapping) and written_as:
        parts[written_as] = whole
    parts = replace_given(parts, rest, node)
    entries = tuple(Entry(Scalar(key, value.span), value) for key, value in parts.items())
    return {**given, head: Mapping(entries, node.span, {entry.key.text: entry for entry in entries})}


def _seen_text(node: Scalar) -> str:
    """A text that was typed or saved. Raises PlayError where it has a character that nobody sees."""
    unseen = find_unseen(node.text)
    if unseen is not None:
        raise PlayError(say.unseen_character(node.span, ord(unseen)))
    return node.text


def _pool(text: str) -> tuple[Die, ...] | None:
    """The dice of a plain pool such as `2d12 & d8`, without parsing; None for a text that is another expression."""
    if not _POOL.fullmatch(text):
        return None
    dice: list[Die] = []
    for one in text.split("&"):
        number, _, size = one.strip(" ").partition("d")
        dice += [Die(int(size))] * (int(number) if number else 1)
    return tuple(dice)


GONE = "none"
"""Stands for what is missing: a thing that a saved value named and that was destroyed, or the value of a word."""


def thing_values(reader: InputReader, kind: ir.Kind, node: Node | None, name: str) -> dict[str, Any]:
    """The written attributes of a thing, by name; a part is a mapping. Raises PlayError if a value does not fit."""
    if isinstance(node, Broken) or (node is not None and not isinstance(node, Mapping) and kind.written_as is None):
        span = node.span
        raise PlayError(say.not_that_type(span, name, f"a `{kind.name}`", span.text, f"write {', '.join(kind.has)}"))
    if node is None:
        return {}
    if not isinstance(node, Mapping):
        assert kind.written_as is not None
        one = kind.has[kind.written_as]
        return {one.name: _attribute_value(reader, one, node, f"{name}.{one.name}")}
    values: dict[str, Any] = {}
    for entry in node.entries:
        key = entry.key.text
        if key == "is" and key not in kind.has:
            continue
        if key == "title" and key not in kind.has:
            values[TITLE] = " ".join(str(reader.value(entry.value, t.Text(), f"{name}.title")).split())
            continue
        if key not in kind.has:
            raise PlayError(say.unknown_field(entry.key.span, f"`{kind.name}`", key, kind.has))
        if kind.has[key].derived is not None:
            raise PlayError(say.derived_is_given(entry.key.span, key))
        reader.used.add(kind.has[key].path)
        values[key] = _attribute_value(reader, kind.has[key], entry.value, f"{name}.{key}")
    return values


def _attribute_value(reader: InputReader, one: ir.HeldAttribute, node: Node, name: str) -> Any:
    if one.part is not None:
        return thing_values(reader, reader.closures.program.kinds[one.part], node, name)
    return reader.value(node, one.type, name)


def fold_dotted_keys(given: Names[str, Node]) -> dict[str, Node]:
    """Given values with dotted keys (`own.dice`) folded into their records."""
    nodes: dict[str, Node] = {}
    for key, node in given.items():
        head, _, rest = key.partition(".")
        if not rest:
            nodes[key] = node
            continue
        outer = nodes.get(head)
        entries = dict(outer.by_key) if isinstance(outer, Mapping) else {}
        inner = fold_dotted_keys({**{k: e.value for k, e in entries.items()}, rest: node})
        keys = {k: entries[k].key if k in entries else Scalar(k, node.span) for k in inner}
        together = {k: Entry(keys[k], v) for k, v in inner.items()}
        nodes[head] = Mapping(tuple(together.values()), node.span, together)
    return nodes
