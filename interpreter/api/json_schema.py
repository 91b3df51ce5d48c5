"""JSON Schema of what a host gives: the inputs of a rule, and the things of a kind, as plain data.

A schema is of the draft 2020-12 and stands alone. It says what no state can change; what depends on other values is
beside it, as text: `x-minimum` and `x-maximum` are bounds that hold now, `x-where` is a condition. `x-kind` is the kind
of the things whose names a text may be.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, assert_never

from interpreter import ir
from interpreter.api.decode import ON_THE_TABLE
from interpreter.api.forms import Input, Kind
from interpreter.ir import types as t
from interpreter.runtime.titles import titles_of

Schema = dict[str, Any]

DRAFT = "https://json-schema.org/draft/2020-12/schema"
MISSING: Schema = {"const": "none"}
"""What may be missing is left out, or `none`."""
FACE: Schema = {"type": ["integer", "string"]}


def schema_of_rule(
    program: ir.Program, kinds: Mapping[str, Kind], rule: ir.Mechanic, shown: Mapping[str, Input], actor: str = ""
) -> Schema:
    """The schema of the inputs of a rule, `shown` as forms have them; `actor` is the kind of the actor of an action."""
    writer = _SchemaWriter(program, kinds)
    who: dict[str, Schema] = {"actor": {**writer.name_of(actor), "title": "actor"}} if actor else {}
    properties = who | {one.name: writer.declaration(one, shown[one.name]) for one in rule.inputs}
    required = [*who, *(one.name for one in rule.inputs if one.required)]
    return writer.whole(_object(properties, required), rule.title or rule.name, rule.about)


def schema_of_kind(program: ir.Program, kinds: Mapping[str, Kind], name: str) -> Schema:
    """The schema of a thing of a kind, as `Game.state` takes it; `kinds` are as forms have them."""
    writer, kind = _SchemaWriter(program, kinds), program.kinds[name]
    made = writer.thing(kind)
    return writer.whole(made, titles_of(program).kind(name), kind.about)


def schema_of_options(program: ir.Program, shown: Mapping[str, Input]) -> Schema:
    """The schema of options as loading takes them, `shown` as forms have them."""
    writer = _SchemaWriter(program, {})
    properties = {name: writer.declaration(one, shown[name]) for name, one in program.options.items()}
    return writer.whole(_object(properties, []), "options", "")


def _object(properties: Mapping[str, Schema], required: list[str]) -> Schema:
    made: Schema = {"type": "object", "properties": dict(properties), "additionalProperties": False}
    return made | ({"required": required} if required else {})


def _list(of: Schema, least: int) -> Schema:
    return {"type": "array", "items": of} | ({"minItems": least} if least else {})


class _SchemaWriter:
    """Writes schemas of one document; records and kinds are written once, under `$defs`."""

    def __init__(self, program: ir.Program, kinds: Mapping[str, Kind]) -> None:
        self.program, self.kinds, self.titles = program, kinds, titles_of(program)
        self.defs: dict[str, Schema] = {}

    def whole(self, made: Schema, title: str, about: str) -> Schema:
        said = {"$schema": DRAFT, "title": title} | ({"description": about} if about else {})
        return said | made | ({"$defs": self.defs} if self.defs else {})

    def declaration(self, one: ir.Declaration, shown: Input, kind: t.Type | None = None) -> Schema:
        """The schema of a declared value, or of one of another type, with what forms say of it."""
        made = self.value(one.type if kind is None else kind)
        texts = {
            "title": shown.title,
            "description": shown.about,
            "x-minimum": shown.low_text,
            "x-maximum": shown.high_text,
            "x-where": one.where.text if one.where is not None else "",
            "x-default": shown.default_text,
        }
        made |= {key: text for key, text in texts.items() if text}
        if isinstance(one.most and one.most.body, ir.Constant) and made.get("type") == "array":
            made["maxItems"] = one.most.body.value  # type: ignore[union-attr]
        if shown.default is not None and not shown.default_text and kind is None:
            made["default"] = shown.default
        return self._with_meanings(made, one)

    def _with_meanings(self, made: Schema, one: ir.Declaration) -> Schema:
        """A choice of words of which some have a meaning here."""
        meanings = {word: about for word, about in one.meanings if about}
        if not meanings or ("enum" not in made and "oneOf" not in made):
            return made
        words = made.pop("enum", None) or [each["const"] for each in made.pop("oneOf")]
        return made | {"oneOf": [self._word(word, meanings.get(word, "")) for word in words]}

    def _word(self, word: str, about: str) -> Schema:
        return {"const": word, "title": self.titles.word(word)} | ({"description": about} if about else {})

    def value(self, kind: t.Type) -> Schema:
        """The schema of the values of a type."""
        match kind:
            case t.Number(low, high):
                bounds = {"minimum": low, "maximum": high}
                return {"type": "integer"} | {key: bound for key, bound in bounds.items() if bound is not None}
            case t.YesNo():
                return {"type": "boolean"}
            case t.Text():
                return {"type": "string"}
            case t.Word(name, words):
                return self._choice(name, words)
            case t.SingleDie() | t.DiceCode():
                return {"type": "string", "minLength": 1}
            case t.Dice(least):
                return {"type": "string", "minLength": 1} if least else {"type": ["string", "array"], "maxItems": 0}
            case t.ThrownDie():
                return self._roll(1)
            case t.Roll(least):
                return self._roll(least)
            case t.List(of, least):
                return _list(self.value(of), least)
            case t.Record(name):
                return self._record(name)
            case t.Object(name):
                return self._thing_named(name)
            case t.Map(t.Word(words=words), of):
                return _object({word: self.value(of) for word in words}, [])
            case t.Map(_, of):
                return {"type": "object", "additionalProperties": self.value(of)}
            case t.Maybe(of):
                return {"anyOf": [self.value(of), MISSING]}
            case t.Anything():
                return {}
        assert_never(kind)

    def _choice(self, name: str, words: tuple[str, ...]) -> Schema:
        meanings = self.program.meanings.get(name, {})
        if not any(meanings.get(word) or self.titles.word(word) != word for word in words):
            return {"enum": [*words]}
        return {"oneOf": [self._word(word, meanings.get(word, "")) for word in words]}

    def _roll(self, least: int) -> Schema:
        """Dice on the table: `{dice: d8 & d6, faces: [7, 6]}`."""
        for_each = {name: {"type": "array"} for name in ON_THE_TABLE[2:]}
        faces = _list({"anyOf": [FACE, _list(FACE, 1)]}, least)
        on_table = _object({"dice": self.value(t.Dice(least)), "faces": faces, **for_each}, ["dice", "faces"])
        return on_table if least else {"anyOf": [on_table, {"type": "array", "maxItems": 0}]}

    def _record(self, name: str) -> Schema:
        record = self.program.types.get(name)
        if record is None:  # the result of a rule, which is never given
            return {"type": "object"}
        return self._once(f"types.{name}", lambda: self._fields(record))

    def _fields(self, record: ir.RecordType) -> Schema:
        properties = {one.name: self._plain(one) for one in record.has}
        modifiers = [one for one in self.program.modifiers.values() if one.to == record.name]
        if modifiers and "modifiers" not in properties:
            each = {"anyOf": [form for one in modifiers for form in self._modifier(one)]}
            properties["modifiers"] = {"anyOf": [_list(each, 0), *each["anyOf"]]}
        whole = _object(properties, [one.name for one in record.has if one.required])
        short = next((one for one in record.has if one.name == record.written_as), None)
        return whole if short is None else {"anyOf": [self._plain(short), whole]}

    def _plain(self, one: ir.Declaration) -> Schema:
        """The schema of a value of a record or a modifier."""
        made = self.value(one.type)
        title = self.titles.constructs.get(one.path, "")
        made |= {key: text for key, text in (("title", title), ("description", one.about)) if text}
        return self._with_meanings(made, one) if not one.optional else {"anyOf": [made, MISSING]}

    def _modifier(self, one: ir.Modifier) -> list[Schema]:
        """A modifier by its name, and with what it takes: `bad_footing`, `{encumbrance: {limit: d8}}`."""
        needs = [each.name for each in one.takes if each.required]
        given = _object({each.name: self._plain(each) for each in one.takes}, needs)
        with_values = [_object({one.name: given}, [one.name])] if one.takes else []
        return [*([] if needs else [{"const": one.name}]), *with_values]

    def name_of(self, kind: str) -> Schema:
        """A thing of a kind by its name."""
        return {"type": "string", "minLength": 1, "x-kind": kind}

    def _thing_named(self, name: str) -> Schema:
        kind = self.program.kinds.get(name)
        if kind is None or kind.one:
            return self.name_of(name)
        made = self._once(f"kinds.{name}", lambda: self.thing(kind))
        return {"anyOf": [self.name_of(name), made]}

    def thing(self, kind: ir.Kind) -> Schema:
        """A thing of a kind by its attributes; its kind may stand under `is`, and its title under `title`."""
        held = [one for one in kind.has.values() if one.derived is None]
        said: dict[str, Schema] = {"is": {"const": kind.name}, "title": {"type": "string"}}
        properties = said | {one.name: self._attribute(kind, one) for one in held}
        needs = [one.name for one in held if one.declared.required and one.starts is None and one.part is None]
        required = {one.name: one.about or one.condition.text for one in kind.requires}
        whole = _object(properties, needs) | ({"x-requires": required} if required else {})
        short = kind.has.get(kind.written_as or "")
        return whole if short is None else {"anyOf": [self._attribute(kind, short), whole]}

    def _attribute(self, of: ir.Kind, one: ir.HeldAttribute) -> Schema:
        if one.part is not None:
            part = self.program.kinds[one.part]
            return self._once(f"kinds.{part.name}", lambda: self.thing(part))
        shown = self.kinds[of.name].has[one.name]
        made = self.declaration(one.declared, shown, one.type)
        return made if shown.default is None or shown.default_text or shown.per else made | {"default": shown.default}

    def _once(self, name: str, write: Any) -> Schema:
        """A reference to what is written under a name."""
        if name not in self.defs:
            self.defs[name] = {}
            self.defs[name] = write()
        return {"$ref": f"#/$defs/{name}"}
