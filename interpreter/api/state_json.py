"""States as plain data: as hosts store them, and as cases and files write things.

A thing is a mapping of its attributes, with its kind under `is`; its parts are mappings inside. An attribute that is
left out has its initial value. `from_saved` reads what `to_saved` wrote as the same state.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from collections.abc import Mapping as Names
from collections.abc import Set as AbstractSet
from dataclasses import replace
from functools import partial
from typing import Any

from interpreter import diagnostics as say
from interpreter import ir
from interpreter.api.decode import GONE, InputReader, thing_values
from interpreter.api.input_data import input_data
from interpreter.checker.attributes import single_kinds, things_of
from interpreter.diagnostics import PlayError
from interpreter.ir import types as t
from interpreter.ir.types import LARGEST
from interpreter.runtime import new_objects, objects
from interpreter.runtime.evaluator import Frame, new_frame
from interpreter.runtime.kept_dice import FIRST_KEY, dice_in, settle_dice
from interpreter.runtime.new_objects import Misfit
from interpreter.runtime.state import (  # fmt: skip
    EMPTY,
    SCENE,
    STATE,
    TITLE,
    Holdings,
    Mark,
    Pending,
    State,
    Timer,
    begin_changes,
    finish_changes,
    put_value,
)
from interpreter.saves.header import book_hashes, header
from interpreter.syntax.document import Entry, Mapping, Node, Scalar, Sequence, entries_of, from_python, value_at
from interpreter.syntax.fixed_words import SPANS
from interpreter.syntax.names import mixed_scripts
from interpreter.syntax.schema import is_name
from interpreter.values import Die, Thing, Thrown, in_words, to_data
from interpreter.work_count import spend


def start(reader: InputReader) -> State:
    """The initial state: the things of the ruleset, and one thing of each kind with `one`."""
    return extend_state(reader, EMPTY, {})


def extend_state(
    reader: InputReader,
    state: State,
    written: Names[str, Node],
    misfits: list[Misfit] | None = None,
    only: AbstractSet[str] | None = None,
) -> State:
    """The state with the written things, which are created or, if they exist already, changed.

    The things of the ruleset are added too, or those of them that are named by `only`, unless `written` is a whole
    state that was saved. Raises PlayError at the first value that does not fit; with `misfits`, saved values that are
    out of bounds are added there.
    """
    program, world, whole = reader.closures.program, reader.world, reader.saved
    kinds: dict[str, tuple[str, Node | None]] = {}
    for name, (of, entry) in things_of(world).items():
        if name not in state.things and (not whole or name in written) and (only is None or name in only):
            kinds[name] = (of, None if whole else entry.value)
    for name in single_kinds(world):
        if name not in state.things and (not whole or name in written) and (only is None or name in only):
            kinds[name] = (name, None)
    fresh = {name: Thing(name, kind) for name, (kind, _) in kinds.items()}
    changes: dict[str, Node] = {}
    scene = None
    resolved: dict[str, Node] = {}
    for name in written:
        node = _resolve_like(things_of(world), written, name, resolved)
        if name == SCENE and program.scenes and name not in state.things:
            scene = node
        elif name in state.things:
            changes[name] = node
        elif name in kinds and not (whole and _is_another(node, kinds[name][0])):
            kinds[name] = (kinds[name][0], _merge_over(kinds[name][1], node))
        else:
            if not whole:
                _check_name(name, node)
            of = _kind_of(program, name, node, whole)
            kinds[name], fresh[name] = (of, node), Thing(name, of)
    if whole:  # in the order in which play made them
        kinds = {name: kinds[name] for name in written if name in kinds}
    reader.things = {**{one: state.thing(one) for one in state.things}, **fresh}
    given: Frame = {**new_frame(), STATE: begin_changes(state)}
    values = {}
    for name, (of, below) in kinds.items():
        if of not in program.kinds:
            raise PlayError(say.unknown_of(below.span if below else say.NOWHERE, "kind", of, program.kinds))
        values[name] = thing_values(reader, program.kinds[of], below, name)
    new = [new_objects.NewObject(Thing(name, of), values[name], _spans(below)) for name, (of, below) in kinds.items()]
    made_scene = _scene_under_way(reader, scene) if scene is not None else None
    given[STATE] = new_objects.make_objects(reader.closures, given, new, whole, made_scene, misfits)
    for name, node in changes.items():
        given[STATE] = _change_thing(reader, given, state.thing(name), node)
    return settle_dice(program, replace(state, things=finish_changes(given[STATE]).things))


def _resolve_like(
    book: Names[str, tuple[str, Entry]], written: Names[str, Node], name: str, resolved: dict[str, Node]
) -> Node:
    """What is written of a thing, over the thing it is `like`, which may be like another in turn.

    `resolved` keeps by name what others are like. Raises PlayError if there is no such thing.
    """
    over: dict[str, tuple[Mapping, Scalar, str | None]] = {}
    here, node = name, written[name]
    while (here == name or here not in resolved) and isinstance(node, Mapping):
        like = node.get("like")
        if not isinstance(like, Scalar):
            break
        spend(1)
        if like.text in (here, *over) or not (like.text in written or like.text in book):
            known = [one for one in (*book, *written) if one not in (here, *over)]
            raise PlayError(say.no_such_thing(like.span, like.text, known))
        kind, below = book[like.text][0] if like.text in book else None, written.get(like.text)
        if like.text in book:
            below = book[like.text][1].value if below is None else _merge_over(book[like.text][1].value, below)
        assert below is not None
        over[here], here, node = (node, like, kind), like.text, below
    found = resolved.setdefault(here, node) if over else node
    for one, (above, like, kind) in reversed(over.items()):
        entries = {key: entry for key, entry in above.by_key.items() if key != "like"}
        if kind is not None:
            entries = {"is": Entry(Scalar("is", like.span), Scalar(kind, like.span)), **entries}
        found = _merge_over(found, Mapping(tuple(entries.values()), above.span, entries))
        if one not in book:  # what is written of a thing of the book stands over that of the book for others
            resolved[one] = found
    return found


def _check_name(name: str, node: Node) -> None:
    """Raises PlayError for the name of a new thing that expressions could not read."""
    if name in say.EXPRESSION_WORDS or name in say.VALUE_WORDS:
        raise PlayError(say.reserved_name(node.span, name, "it is a word of the expression language"))
    if not is_name(name):
        raise PlayError(say.bad_name(node.span, name, mixed_scripts(name)))


def _scene_under_way(reader: InputReader, node: Node) -> new_objects.NewScene:
    """The scene that is written."""
    program = reader.closures.program
    said = value_at(node, "is")
    name = said.text if isinstance(said, Scalar) else next(iter(program.scenes)) if len(program.scenes) == 1 else None
    if name is None:
        which = f"write `is:` with one of {', '.join(program.scenes)}"
        raise PlayError(say.bad_state(node.span, "nothing says which scene it is", which))
    if name not in program.scenes:
        raise PlayError(say.unknown_of(said.span if said else node.span, "scene", name, program.scenes))
    values = thing_values(reader, program.kinds[SCENE], node, SCENE)
    return new_objects.NewScene(program.scenes[name], values, _spans(node))


def _merge_over(below: Node | None, above: Node) -> Node:
    """The entries of `below`, such as a thing of the ruleset, replaced by those of `above`."""
    if not isinstance(below, Mapping) or not isinstance(above, Mapping):
        return above
    entries = {entry.key.text: entry for entry in (*below.entries, *above.entries)}
    return Mapping(tuple(entries.values()), above.span, entries)


def _is_another(node: Node, kind: str) -> bool:
    """Whether what is written of a thing says that it is of another kind."""
    said = value_at(node, "is")
    return isinstance(said, Scalar) and said.text != kind


def _kind_of(program: ir.Program, name: str, node: Node, saved: bool) -> str:
    """The kind of a thing that is written; in play, a part may also be written in place, without what it is part of."""
    kind = value_at(node, "is")
    known = [key for key, one in program.kinds.items() if saved or not (one.part or one.one)]
    if not isinstance(kind, Scalar):
        raise PlayError(
            say.bad_state(node.span, f"nothing says what `{name}` is", f"write `is:` with one of {', '.join(known)}")
        )
    if kind.text not in known:
        raise PlayError(say.unknown_of(kind.span, "kind", kind.text, known))
    return kind.text


def _spans(node: Node | None) -> dict[str, Any]:
    """Where the values of a thing are written, by name; those for each word by `name(word)` too."""
    spans = {}
    for entry in entries_of(node):
        spans[entry.key.text] = entry.value.span
        for each in entries_of(entry.value):
            spans[objects.place_in_words(entry.key.text, each.key.text)] = each.value.span
    return spans


def _change_thing(reader: InputReader, given: Frame, thing: Thing, node: Node) -> State:
    """The state with the written attributes of an existing thing."""
    closures = reader.closures
    kind = closures.program.kinds[thing.kind]
    for name, value in thing_values(reader, kind, node, thing.id).items():
        if name == TITLE:
            given[STATE] = put_value(given[STATE], thing, TITLE, value)
            continue
        one = kind.has[name]
        if one.per is not None:  # words that are not written keep their values
            value = {**objects.value_at(given[STATE], thing, name, None), **value}
        if one.part is not None:
            part = Thing(f"{thing.id}.{name}", one.part)
            inner = value_at(node, name)
            given[STATE] = _change_thing(reader, given, part, inner or node)
            continue
        with say.Placed(_spans(node)):
            if one.counter:
                objects.check_all_within(closures, given, thing, one, None, value, say.NOWHERE)
            else:
                objects.check_value(closures, given, thing, one, value)
        given[STATE] = objects.change_value(closures, given, thing, name, None, value)
    return given[STATE]  # type: ignore[no-any-return]


# To data and back ------------------------------------------------------------------------------------------------


def things_data(program: ir.Program, state: State, data_of: Callable[[Any], Any] = to_data) -> dict[str, Any]:
    """Every thing as plain data, by name; the current scene last, because it is read after the things.

    `data_of` writes the value of an attribute.
    """
    return {
        name: {
            "is": held.values["is"] if name == SCENE else held.kind,
            **_attributes_data(program, state, name, held, data_of),
        }
        for name, held in sorted(state.things.items(), key=lambda item: item[0] == SCENE)
        if not (program.kinds[held.kind].part and "." in name)
    }


def _attributes_data(
    program: ir.Program, state: State, name: str, held: Holdings, data_of: Callable[[Any], Any]
) -> dict[str, Any]:
    data: dict[str, Any] = {"title": held.values[TITLE]} if TITLE in held.values else {}
    for one in program.kinds[held.kind].has.values():
        if one.part is not None:
            part = state.things[f"{name}.{one.name}"]
            data[one.name] = _attributes_data(program, state, f"{name}.{one.name}", part, data_of)
        elif one.derived is None and held.values[one.name] is not None:
            data[one.name] = data_of(held.values[one.name])
        elif one.derived is None and one.names_thing and (name != SCENE or one.declared.default is not None):
            data[one.name] = GONE
    return data


def to_saved(program: ir.Program, options: Names[str, Any], state: State, text: str | None = None) -> dict[str, Any]:
    """A whole state as plain data that say which rules it was written under; `schemas/state.json` describes it.

    `text` are the rules themselves, if it carries them.
    """
    first = header("state", program, book_hashes(program), {held.kind for held in state.things.values()}, text)
    return {**first, "options": dict(options), **state_data(program, state)}


def state_data(program: ir.Program, state: State) -> dict[str, Any]:
    """A whole state as plain data, without what it says of its rules."""
    state = settle_dice(program, state)
    times = Counter([one.key for one in dice_in(state)])
    data_of = partial(_value_data, numbered=frozenset(key for key, many in times.items() if many > 1))
    return {
        "things": things_data(program, state, data_of),
        "marks": [one._asdict() for one in state.marks],
        "timers": [
            {
                "thing": one.thing.id,
                "name": one.name,
                "value": data_of(one.value),
                "span": one.span,
                "rounds": one.rounds,
            }
            for one in state.timers
        ],
        "pending": [
            {
                "event": one.event,
                "given": {name: data_of(value) for name, value in one.given if value is not None},
                "span": one.span,
                "rounds": one.rounds,
            }
            for one in state.pending
        ],
        "made": state.made,
        **(json.loads(state.beside) if state.beside else {}),
    }


def _value_data(value: Any, numbered: frozenset[int]) -> Any:
    """A value as data that is read as the same value; those of the `numbered` dice, which are kept in several places,
    say which they are, and the text `none` that it is a text."""
    if value is None:
        return GONE
    if value == GONE:
        return {"text": value}
    if isinstance(value, Thrown):
        value = (value,)
    if isinstance(value, Names):
        return {str(name): _value_data(one, numbered) for name, one in value.items()}
    if type(value) is not tuple or not value:
        return to_data(value)
    if isinstance(value[0], Die):
        return " & ".join(map(str, value))  # in their order
    if not isinstance(value[0], Thrown):
        spend(1 + len(value))
        return [_value_data(one, numbered) for one in value]
    data: dict[str, Any] = input_data(value)
    which = [FIRST_KEY - one.key + 1 for one in value]
    return data | ({"which": which} if numbered.intersection([one.key for one in value]) else {})


def from_saved(
    reader: InputReader,
    data: Names[str, Any],
    things_node: Names[str, Node],
    misfits: list[Misfit] | None = None,
    fresh: AbstractSet[str] = frozenset(),
) -> State:
    """The state that was saved, with the things of the rules that are `fresh`.

    Raises PlayError if its form is wrong or it does not fit the ruleset; with `misfits`, values that are out of bounds
    are added there.
    """
    reader.saved = True
    state = extend_state(reader, EMPTY, things_node, misfits)
    if fresh:
        reader.saved = False
        state = extend_state(reader, state, {}, None, fresh)
        reader.saved = True
    program = reader.closures.program
    try:
        marks = tuple(
            sorted(
                Mark(_read_text(m["path"]), _read_text(m["actor"]), _read_text(m["span"]), _read_count(m["times"]))
                for m in data["marks"]
            )
        )
        timers = tuple(_read_timer(reader, program, state, one) for one in data["timers"])
        pending = tuple(_read_pending(reader, program, state, one) for one in data["pending"])
        number_made = _read_count(data["made"])
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise PlayError(say.wrong_state(f"{error} is missing or has another form")) from None
    for mark in marks:
        if mark.actor not in state.things or mark.span not in SPANS:
            raise PlayError(say.wrong_state(f"`{mark.path}` was done by nobody that there is"))
    carried = {key: data[key] for key in CARRIED if key in data}
    beside = json.dumps(carried, ensure_ascii=False) if carried else ""
    return settle_dice(program, State(state.things, marks, timers, number_made, pending, beside))


CARRIED = ("aside", "host")
"""What a state carries that no rule reads: values that the rules no longer hold, and what belongs to the host."""


def _read_text(value: Any) -> str:
    """A text of a saved state. Raises TypeError for any other value."""
    if not isinstance(value, str):
        raise TypeError(f"`{in_words(value)[:40]}`")
    return value


def _read_count(value: Any) -> int:
    """A number of times or rounds of a saved state. Raises TypeError for any other value."""
    if type(value) is not int or not 0 <= value <= LARGEST:
        raise TypeError(f"`{in_words(value)[:40]}`")
    return value


def _read_pending(reader: InputReader, program: ir.Program, state: State, data: Names[str, Any]) -> Pending:
    event = program.events.get(_read_text(data["event"]))
    if event is None or data["span"] not in (*SPANS, "rounds"):
        raise PlayError(say.wrong_state(f"there is no event `{data['event']}`"))
    nodes = {name: from_python(value, name) for name, value in dict(data["given"]).items()}
    reader.state = state
    values = reader.mechanic_inputs(event, nodes)
    given = tuple((one.name, values.get(one.name)) for one in event.inputs)
    return Pending(event.name, given, _read_text(data["span"]), _read_count(data["rounds"]))


def _read_timer(reader: InputReader, program: ir.Program, state: State, data: Names[str, Any]) -> Timer:
    thing = reader.things.get(_read_text(data["thing"])) or Thing(_read_text(data["thing"]), "")
    if thing.id not in state.things:
        raise PlayError(say.no_such_thing(say.NOWHERE, thing.id, state.things))
    thing = state.thing(thing.id)
    one = program.kinds[thing.kind].has.get(_read_text(data["name"]))
    if one is None or not isinstance(one.type, t.List) or data["span"] not in (*SPANS, "rounds"):
        raise PlayError(say.wrong_state(f"`{thing.id}` has no list `{data['name']}`"))
    value = reader.value(from_python(data["value"], one.name), one.type.of, one.name)
    return Timer(thing, one.name, value, _read_text(data["span"]), _read_count(data["rounds"]))


def named_nodes(node: Node) -> dict[str, Node]:
    """The entries of a mapping by name."""
    if isinstance(node, Mapping):
        return {entry.key.text: entry.value for entry in node.entries}
    if isinstance(node, Sequence) and not node.items:
        return {}
    raise PlayError(say.bad_state(node.span, "things are written by name", "write `ada: {is: character}`"))
