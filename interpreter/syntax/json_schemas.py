"""JSON schemas of the grammar: whole ones for editors, and small ones against which `schema.py` checks each level.

`python -m interpreter.syntax.json_schemas` writes them from `interpreter.syntax.grammar`.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from interpreter.syntax import files, shapes
from interpreter.syntax import grammar as g
from interpreter.syntax import verb_grammar as v

DIALECT = "https://json-schema.org/draft/2020-12/schema"


def level_schemas() -> dict[str, Any]:
    """The small schemas, one for each form: its keys, and those that are required.

    `schema.py` checks the values, since their messages can say what the author wrote instead.
    """
    forms = {**g.FORMS, **{f"step.{verb}": form for verb, form in v.VERBS.items()}}
    defs = {
        name: {
            "type": "object",
            "properties": {key: {} for key in form.keys},
            "required": list(form.required),
            "additionalProperties": False,
        }
        for name, form in forms.items()
    }
    return {"$schema": DIALECT, "title": "houserule: one mapping at a time", "$defs": defs}


FILES = {"ruleset": "ruleset", "part": "part", "house-rule": "layer", "scene": "state"}
"""The kinds of files that people write, as their schemas are called, and the form of each."""


def file_schema(kind: str) -> dict[str, Any]:
    """The schema of a whole file, for editors; `kind` is a kind of FILES, or `any`."""
    if kind != "any":
        form = FILES[kind]
        return _with_defs(f"houserule: {g.FORMS[form].title}", _ref(form))
    distinguished_by = {"part": ["part_of"], "state": ["state"], "layer": ["extends", "changes"]}
    schema = _ref("ruleset")
    for form, keys in distinguished_by.items():
        schema = {"if": {"anyOf": [{"required": [key]} for key in keys]}, "then": _ref(form), "else": schema}
    return _with_defs("houserule: any file", {"type": "object", **schema})


def _with_defs(title: str, schema: dict[str, Any]) -> dict[str, Any]:
    """A schema with the definitions that it refers to."""
    defs = {name: _form_schema(form) for name, form in g.FORMS.items()} | {"step": _any_step()}
    needed, open_ = set[str](), _refs(schema)
    while open_:
        name = open_.pop()
        needed.add(name)
        open_ |= _refs(defs[name]) - needed
    return {
        "$schema": DIALECT, "title": title, **schema, "$defs": {name: defs[name] for name in defs if name in needed}
    }  # fmt: skip


def _ref(form: str) -> dict[str, Any]:
    return {"$ref": f"#/$defs/{form}"}


def _refs(schema: Any) -> set[str]:
    """The definitions that a schema refers to."""
    if isinstance(schema, list):
        return set[str]().union(*map(_refs, schema))
    if not isinstance(schema, dict):
        return set()
    ref = schema.get("$ref")
    return _refs(list(schema.values())) | ({ref.rpartition("/")[2]} if isinstance(ref, str) else set())


def _any_step() -> dict[str, Any]:
    """The schema of the long form of a step; the verb selects the form."""
    companions = sorted({key for form in v.VERBS.values() for key in form.keys})
    has_verb = {"anyOf": [{"required": [verb]} for verb in v.VERBS]}
    return {
        "type": "object",
        "allOf": [{"if": _schema_of_verb(verb), "then": _form_schema(form)} for verb, form in v.VERBS.items()],
        "if": {"not": has_verb},
        "then": {
            **has_verb,
            "properties": {verb: {"description": form.about} for verb, form in v.VERBS.items()},
            "patternProperties": {f"^({'|'.join(companions)})$": {}},
            "additionalProperties": False,
        },
    }


def _form_schema(form: shapes.Form) -> dict[str, Any]:
    properties = {}
    for key, shape in form.keys.items():
        schema = _schema(shape)
        if key in form.abouts:
            schema = {**schema, "description": form.abouts[key]}
        properties[key] = schema
    schema_of_form: dict[str, Any] = {"type": "object", "properties": properties, "additionalProperties": False}
    if form.required:
        schema_of_form["required"] = list(form.required)
    return {**schema_of_form, "description": form.about} if form.about else schema_of_form


def _schema_of_verb(verb: str) -> dict[str, Any]:
    """The schema of a step that has this verb, and not as a companion of another."""
    above: list[dict[str, Any]] = [{"required": [other]} for other in v.verbs_above(verb)]
    return {"required": [verb], **({"not": {"anyOf": above}} if above else {})}


_SCALAR = ["string", "number", "boolean"]


def _schema(shape: shapes.Shape) -> dict[str, Any]:
    match shape:
        case shapes.OneOf(words, _):
            # YAML readers of editors read `yes` and `no` as booleans.
            return {"enum": [*words, *([True, False] if "yes" in words else [])]}
        case shapes.Prose() | shapes.Name():
            return {"type": _SCALAR}
        case shapes.Expression():
            return {"type": [*_SCALAR, "array"]}
        case shapes.Ref(form):
            return _ref(form)
        case shapes.ByVerb():
            return _ref("step")
        case shapes.FreeForm(misplaced=True):
            return {"not": {}}
        case shapes.MapOf(of, least):
            mapping: dict[str, Any] = {"type": "object", "additionalProperties": _schema(of)}
            return {**mapping, "minProperties": least} if least else mapping
        case shapes.ListOf(of, least):
            listed = {"type": "array", "items": _schema(of)}
            return {**listed, "minItems": least} if least else listed
        case shapes.ByKey(key, has, has_not):
            return {"if": {"required": [key]}, "then": _schema(has), "else": _schema(has_not)}
        case shapes.AnyOf():
            kinds = shapes.alternatives(shape)
            scalars = [s for s in kinds if "mapping" not in shapes.node_kinds(s)]
            mappings = [s for s in kinds if "mapping" in shapes.node_kinds(s)]
            if not mappings:
                return {"anyOf": [_schema(s) for s in kinds]}
            return {
                "if": {"type": "object"},
                "then": _schema(mappings[0]),
                **({"else": {"anyOf": [_schema(s) for s in scalars]}} if scalars else {}),
            }
    return {}


def as_json(schema: dict[str, Any]) -> str:
    return json.dumps(schema, indent=1, ensure_ascii=False) + "\n"


def write_schemas(folder: Path) -> None:
    """Write the schemas that come from the grammar to a folder."""
    folder.mkdir(exist_ok=True)
    files.write_whole(str(folder / "levels.json"), as_json(level_schemas()))
    for kind in (*FILES, "any"):
        files.write_whole(str(folder / f"{kind}.json"), as_json(file_schema(kind)))


if __name__ == "__main__":
    write_schemas(Path(__file__).parents[2] / "schemas")
