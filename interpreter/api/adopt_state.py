"""A saved state is taken up under the rules of now, value by value.

What fits is taken silently. A value that the rules no longer hold is kept aside; one that is out of bounds or of
another type waits for a decision, and is never changed without one.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import field, replace
from typing import Any

from interpreter import diagnostics as say
from interpreter import ir
from interpreter.api.decode import InputReader, node_of
from interpreter.api.state_json import from_saved, named_nodes, state_data
from interpreter.checker.attributes import single_kinds, things_of
from interpreter.diagnostics import PlayError
from interpreter.frozen import dataclass
from interpreter.identity.shape import shapes_of
from interpreter.identity.units import UNITS, units_of
from interpreter.ir import types as t
from interpreter.runtime.new_objects import Misfit
from interpreter.runtime.state import SCENE, State
from interpreter.saves import differences
from interpreter.saves.differences import Difference
from interpreter.saves.former_names import name_of_now, names_of_now, path_of_now, words_of_now
from interpreter.saves.header import BOOK, book_hashes
from interpreter.saves.plan import NO_WISHES, AdoptionLine, LineKind, Wishes
from interpreter.values import Thing, in_words

NO_VALUE = object()
"""What is noted of a thing that a line names without a value."""

MOST_SHOWN = 40
"""The length of the longest value that a line shows."""

MOST_TRIES = 4
"""How often values that bounds of one another read are brought within them."""


@dataclass(frozen=True)
class AdoptedState:
    """A state under the rules of now, or None while something is `open`; and what there is to tell."""

    state: State | None
    lines: tuple[AdoptionLine, ...]


def adopt_state(
    make_reader: Callable[[], InputReader],
    data: Mapping[str, Any],
    rules: Mapping[str, Any],
    wishes: Wishes = NO_WISHES,
) -> AdoptedState:
    """Take up the data of a state that was written under other rules.

    `make_reader` gives a new reader of the rules of now, and `rules` are those of the header. Raises PlayError where
    the data are malformed.
    """
    reader = make_reader()
    if not _has_known_kind(reader.closures.program, data):
        raise PlayError(say.state_of_other_rules(rules["name"], reader.closures.program.name))
    program = reader.closures.program
    if wishes == NO_WISHES and "aside" not in data and _same_shape(program, rules) and _lasts(program, data):
        misfits: list[Misfit] = []
        state = from_saved(reader, data, named_nodes(node_of(data.get("things", {}), "things")), misfits)
        if not misfits:
            return AdoptedState(state, ())
    return _Adoption(make_reader, rules, wishes).adopt(data)


def _has_known_kind(program: ir.Program, data: Mapping[str, Any]) -> bool:
    """Whether the rules have the kind of any thing of a state, if it has things."""
    things = data.get("things")
    kinds = [_text(one.get("is")) for one in _mappings(list(things.values()))] if isinstance(things, Mapping) else []
    known = {*program.kinds, *program.scenes}
    return not kinds or any(name_of_now(program, "kinds", kind) in known for kind in kinds)


def _same_shape(program: ir.Program, rules: Mapping[str, Any]) -> bool:
    """Whether values fit as they did when a state was saved, and the book holds the same things."""
    book = {path: known for path, known in rules["uses"].items() if path.startswith(BOOK)}
    return bool(rules["shape"] == shapes_of(program, rules["shape"]) and book == book_hashes(program))


def _lasts(program: ir.Program, data: Mapping[str, Any]) -> bool:
    """Whether the rules have the scene, the limits and the events that a state names."""
    scene = data["things"].get(SCENE) if isinstance(data.get("things"), Mapping) else None
    limits = _limits(program)
    return (
        (not isinstance(scene, Mapping) or scene.get("is") in program.scenes)
        and all(_text(one.get("path")) in limits for one in _mappings(data.get("marks")))
        and all(_text(one.get("event")) in program.events for one in _mappings(data.get("pending")))
    )


def _limits(program: ir.Program) -> set[str]:
    """The paths of the limits of actions and upgrades, whose uses are marked."""
    limits = {one.path for action in _actions(program) for one in (action.limit,) if one is not None}
    return limits | {one.limit.path for one in _upgrades(program) if one.limit is not None}


@dataclass
class _Adoption:
    """One state on its way: what was noted so far, by kind of line, attribute and text."""

    make_reader: Callable[[], InputReader]
    rules: Mapping[str, Any]
    wishes: Wishes
    noted: dict[Difference, tuple[dict[str, Any], dict[str, Any]]] = field(default_factory=dict)
    aside: dict[str, Any] = field(default_factory=dict)
    replaced: list[str] = field(default_factory=list)
    """The places whose values somebody has given up for others, which are kept aside."""
    restored: dict[str, Any] = field(default_factory=dict)
    """What stood in the place of values that are back, by place."""
    reader: InputReader = field(init=False)

    @property
    def program(self) -> ir.Program:
        return self.reader.closures.program

    def adopt(self, data: Mapping[str, Any]) -> AdoptedState:
        _check_form(data)
        self.reader = self._reader()
        saved, aside = dict(data["things"]), {**data.get("aside", {})}
        aside["things"] = self._take_things_back(saved, aside.get("things", {}))
        things, fresh = self._things(saved)
        self.reader.things = {name: Thing(name, self._kind_of(name, one)) for name, one in things.items()}
        things = {name: self._values(name, one) for name, one in things.items()}
        self._take_back(things, aside)
        self._set(things)
        rest = self._marks_timers_pending(data, things)
        state = self._state({**data, **rest, "things": things}, fresh)
        lines = tuple(self._lines())
        if state is None or any(one.open for one in lines):
            return AdoptedState(None, lines)
        return AdoptedState(self._with_instead(state), lines)

    def _with_instead(self, state: State) -> State:
        """The state, which also keeps what stands instead of values that were given up: if nothing has changed it when
        the rules go back, these are taken back."""
        if not self.replaced:
            return state
        things = state_data(self.program, state)["things"]
        instead = {place: _value_at(things, place) for place in self.replaced}
        carried = json.loads(state.beside)
        carried["aside"]["instead"] = {**carried["aside"].get("instead", {}), **instead}
        return replace(state, beside=json.dumps(carried, ensure_ascii=False))

    def _reader(self) -> InputReader:
        reader = self.make_reader()
        reader.saved = True
        return reader

    def _note(self, note: Difference, of: str, old: Any = None, new: Any = None) -> None:
        """Note a difference of one thing, which is told together with those of others that are alike."""
        before, after = self.noted.setdefault(note, ({}, {}))
        if old is not None:
            before[of] = old
        if new is not None:
            after[of] = new
        if old is None and new is None:
            before[of] = NO_VALUE

    def _lines(self) -> Iterator[AdoptionLine]:
        for note, (old, new) in self.noted.items():
            values = [_with_value(of, old.get(of), new.get(of)) for of in dict.fromkeys((*old, *new))]
            told = f"{note.text}: {', '.join(values)}" if values != [""] else note.text
            old = {of: one for of, one in old.items() if one is not NO_VALUE}
            yield AdoptionLine(note.kind, note.path, told, old, new, note.open, note.way)

    # Things ----------------------------------------------------------------------------------------------------------

    def _kind_of(self, name: str, one: Mapping[str, Any]) -> str:
        return SCENE if name == SCENE else _text(one.get("is"))

    def _take_things_back(self, saved: dict[str, Any], aside: Mapping[str, Any]) -> dict[str, Any]:
        """Take back the things whose kind there is again; the rest of what was kept aside of things."""
        rest = dict(aside)
        for name, one in aside.items():
            if isinstance(one, Mapping) and name not in saved and one.get("is") in self.program.kinds:
                saved[name] = rest.pop(name)
                self._note(differences.thing_back(_text(one["is"])), name)
        return rest

    def _things(self, saved: Mapping[str, dict[str, Any]]) -> tuple[dict[str, dict[str, Any]], set[str]]:
        """The saved things whose kind there still is, under its name of now, and the names of those that are new."""
        things = {}
        for name, one in saved.items():
            kind = _text(one.get("is"))
            known: Mapping[str, Any] = self.program.scenes if name == SCENE else self.program.kinds
            section = "scenes" if name == SCENE else "kinds"
            now = kind if kind in known else self._new_name(kind, section)
            if now not in known:
                self._put_aside(("things", name), one)
                self._note(differences.kind_gone(kind), name)
                continue
            if now != kind:
                self._note(differences.kind_renamed(kind, now), name)
            things[name] = {**one, "is": now}
        return things, self._new_things(saved)

    def _new_things(self, saved: Mapping[str, Any]) -> set[str]:
        """The names of things that the rules have now and had not when the state was saved."""
        world, shape, uses = self.reader.world, self.rules["shape"], self.rules["uses"]
        book = {name for name in things_of(world) if f"{BOOK}{name}" not in uses}
        single = {name for name in single_kinds(world) if name not in shape}
        for name in sorted((book | single) - {*saved}):
            self._note(differences.thing_new(name), name)
        for path, known in uses.items():
            name, unit = path.removeprefix(BOOK), units_of(self.program).get(path)
            comparable = self.rules["units"] == UNITS and path.startswith(BOOK)
            if comparable and unit is not None and unit.hash != known and name in saved:
                self._note(differences.thing_changed(name), name)
        return (book | single) - {*saved}

    # Values ----------------------------------------------------------------------------------------------------------

    def _values(self, name: str, one: Mapping[str, Any]) -> dict[str, Any]:
        """The values of a thing or a part that fit its kind, under their names of now."""
        kind = self.program.kinds[self._kind_of(name, one)]
        scope = f"scenes.{one['is']}" if name == SCENE else ""
        return {
            "is": one["is"],
            **self._values_of(kind, name, {key: of for key, of in one.items() if key != "is"}, scope),
        }

    def _values_of(self, kind: ir.Kind, name: str, saved: Mapping[str, Any], scope: str = "") -> dict[str, Any]:
        """The values under their names of now; `scope` is where these are declared, if that is not the kind."""
        values: dict[str, Any] = {}
        scope = scope or f"kinds.{kind.name}"
        for key, value in saved.items():
            if key == "title" and key not in kind.has:
                values[key] = value
                continue
            held = kind.has.get(key)
            if held is None or held.derived is not None:
                held = kind.has.get(self._new_name(key, scope))
                if held is None or held.derived is not None or held.name in saved:
                    self._put_aside(("things", name, key), value)
                    self._note(differences.attribute_gone(kind.name, key, key in kind.has), name, old=value)
                    continue
                self._note(differences.attribute_renamed(kind.name, key, held), name, new=value)
            if held.part is not None and isinstance(value, Mapping):
                values[held.name] = self._values_of(self.program.kinds[held.part], f"{name}.{held.name}", value)
            elif held.part is not None:
                self._put_aside(("things", name, key), value)
                self._note(differences.attribute_is_part(kind.name, held), name, old=value)
            else:
                self._take(values, kind, held, name, value)
        self._tell_new(kind, name, saved, values)
        return values

    def _take(self, values: dict[str, Any], kind: ir.Kind, held: ir.HeldAttribute, name: str, value: Any) -> None:
        """Take a value, or one for each word, as it is or in another form; what fits no form waits for a decision."""
        renamed = self._with_new_words(kind, held, name, value)
        if held.per is not None and isinstance(renamed, Mapping):
            words = {}
            for word, one in renamed.items():
                if word in held.per.words:
                    words[word] = one
                else:
                    self._put_aside(("things", name, held.name, word), one)
                    self._note(differences.word_gone(kind.name, held, word), name, old=one)
            renamed = words
        for form in _forms(held, renamed):
            if self._fits(held, name, form):
                values[held.name] = form
                if form is not renamed or (
                    isinstance(t.without_maybe(held.type), t.Text) and not isinstance(value, str)
                ):
                    self._note(differences.value_converted(kind.name, held), name, value, form)
                return
        is_set = f"{name}.{held.name}" in self.wishes.values
        if is_set or self.wishes.proposals:
            self._put_aside(("things", name, held.name), value)
            self.replaced.append(f"{name}.{held.name}")
        if not is_set:
            self._note(differences.value_misfit(kind.name, held, name, not self.wishes.proposals), name, old=value)

    def _with_new_words(self, kind: ir.Kind, held: ir.HeldAttribute, name: str, value: Any) -> Any:
        """A value with the words of its list as they are called now, which is told."""
        renamed = words_of_now(self.program, held.type, value)
        if renamed != value:
            self._note(differences.words_renamed(kind.name, held), name, value, renamed)
        return renamed

    def _fits(self, held: ir.HeldAttribute, name: str, value: Any) -> bool:
        return self._is_of(held.type, value, f"{name}.{held.name}")

    def _is_of(self, kind: t.Type, value: Any, place: str = "value") -> bool:
        """Whether plain data are a value of a type."""
        try:
            self.reader.value(node_of(value, place.rpartition(".")[2]), kind, place)
        except PlayError:
            return False
        return True

    def _tell_new(self, kind: ir.Kind, name: str, saved: Mapping[str, Any], values: Mapping[str, Any]) -> None:
        """Tell the attributes that the kind had not when the state was saved."""
        shape = self.rules["shape"].get(kind.name)
        if shape is None or name == SCENE:
            return
        for held in kind.has.values():
            is_new = held.name not in shape["has"] and held.name not in values and held.derived is None
            if not is_new or held.part is not None or f"{name}.{held.name}" in self.wishes.values:
                continue
            if held.declared.required and not held.counter:
                self._note(differences.attribute_needed(kind.name, held, name), name)
            else:
                self._note(differences.attribute_new(kind.name, held), name)
        self._tell_seen(kind, shape)

    def _tell_seen(self, kind: ir.Kind, shape: Mapping[str, Any]) -> None:
        for held in kind.has.values():
            was = shape["has"].get(held.name)
            if isinstance(was, Mapping) and held.derived is None:
                before, now = was.get("seen_by"), list(held.seen_by) if held.seen_by is not None else None
                if before != now:
                    self._note(differences.seen_by_others(kind.name, held, before, now), "")

    def _new_name(self, name: str, scope: str) -> str:
        """What has a former name now, as somebody wishes or the rules say; the name itself if nothing has."""
        path = f"{scope}.{name}"
        wished = self.wishes.renamed.get(path.removeprefix("kinds.")) or self.wishes.renamed.get(path)
        return wished.rpartition(".")[2] if wished is not None else name_of_now(self.program, scope, name)

    # What is kept aside, set, or waits -------------------------------------------------------------------------------

    def _put_aside(self, at: tuple[str, ...], value: Any) -> None:
        here = self.aside
        for key in at[:-1]:
            here = here.setdefault(key, {})
            if not isinstance(here, dict):
                return
        here[at[-1]] = value

    def _take_back(self, things: dict[str, dict[str, Any]], aside: Mapping[str, Any]) -> None:
        """Take back what was kept aside and fits again; the rest stays aside."""
        instead = aside.get("instead", {})
        for name, values in aside["things"].items():
            for key, value in values.items() if isinstance(values, Mapping) else ():
                rest = self._take_value_back(things, name, key, value, instead)
                if rest is not None:
                    self._put_aside(("things", name, key), rest)
        waiting = {place: one for place, one in instead.items() if place not in self.restored}
        if waiting:
            self.aside["instead"] = waiting
        for key in ("timers", "pending"):
            if aside.get(key):
                self.aside.setdefault(key, []).extend(aside[key])

    def _take_value_back(
        self, things: dict[str, dict[str, Any]], name: str, key: str, value: Any, instead: Mapping[str, Any]
    ) -> Any:
        """Take a value back, or one for each word; what stays aside of it, or None. `instead` is what stands in the
        place of values that were given up."""
        kind, here = self._holder(things, name)
        held = kind.has.get(key) if kind is not None else None
        if held is None or held.derived is not None or held.part is not None:
            return value
        known, place = here.get(key), f"{name}.{key}"
        if held.per is not None and isinstance(value, Mapping) and isinstance(known, Mapping):
            words = [word for word in value if word in held.per.words]
            given_up = {f"{place}({word})": known[word] for word in words if word in known}
            back = {word: value[word] for word in words if _stands(given_up, instead, f"{place}({word})")}
            whole, rest = {**known, **back}, {word: one for word, one in value.items() if word not in back}
        else:
            back, whole, rest = value, value, None
            given_up = {place: known} if key in here else {}
        is_taken = not _stands(given_up, instead, place) if whole is value else not back
        if is_taken or not self._fits(held, name, whole):
            return value
        here[key] = whole
        self.restored |= given_up
        self._forget("default", held.path, name)
        self._note(differences.attribute_back(held), name, new=back)
        return rest or None

    def _holder(self, things: dict[str, dict[str, Any]], name: str) -> tuple[ir.Kind | None, dict[str, Any]]:
        """What has the values of a thing, or of a part by the names on the way to it, and its kind, if it is there."""
        first, *inner = name.split(".")
        here = things.get(first, {})
        kind = self.program.kinds.get(self._kind_of(first, here))
        for key in inner:
            held = kind.has.get(key) if kind is not None else None
            kind = self.program.kinds[held.part] if held is not None and held.part is not None else None
            here = here.get(key, {})
            if not isinstance(here, dict):
                return None, {}
        return kind, here

    def _forget(self, kind: LineKind, path: str, of: str) -> None:
        """Take back what was noted of one thing."""
        for key, (old, new) in list(self.noted.items()):
            if (key.kind, key.path) == (kind, path):
                old.pop(of, None)
                new.pop(of, None)
                if not old and not new:
                    del self.noted[key]

    def _set(self, things: dict[str, dict[str, Any]]) -> None:
        """Give values as somebody wishes."""
        for place, value in self.wishes.values.items():
            name, _, rest = place.partition(".")
            if name not in things or not rest:
                raise PlayError(say.no_such_thing(say.NOWHERE, name, things))
            here = things[name]
            *inner, last = rest.split(".")
            key, _, word = last.removesuffix(")").partition("(")
            if word:
                inner, key = [*inner, key], word
            for one in inner:
                here = here.setdefault(one, {})
                if not isinstance(here, dict):
                    raise PlayError(say.no_such_thing(say.NOWHERE, place.rpartition(".")[0], things))
            before, here[key] = here.get(key), value
            if before is None or in_words(before) != in_words(value):
                self._note(differences.value_set(self._kind_of(name, things[name]), rest), name, before, value)

    def _marks_timers_pending(self, data: Mapping[str, Any], things: dict[str, dict[str, Any]]) -> dict[str, Any]:
        """What limits were used, what lasts for a time, and what will happen, as far as the rules still have it."""
        limits = _limits(self.program)
        kept: dict[str, list[Any]] = {"marks": [], "timers": [], "pending": []}
        is_open = not self.wishes.proposals
        for mark in data.get("marks", []):
            path = path_of_now(self.program, mark["path"])
            if path in limits and mark["actor"] in things:
                kept["marks"].append({**mark, "path": path})
            else:
                self._note(differences.limit_gone(mark["path"]), mark["actor"])
        for timer in data.get("timers", []):
            kind, _ = self._holder(things, timer["thing"])
            held = kind.has.get(timer["name"]) if kind is not None else None
            of = t.without_maybe(held.type) if held is not None else None
            if held is None or not isinstance(of, t.List):
                self._wait("timers", timer, differences.timer_gone(timer["name"], is_open))
                continue
            value = words_of_now(self.program, of.of, timer.get("value"))
            if self._is_of(of.of, value):
                kept["timers"].append({**timer, "value": value})
            else:  # as what it is about, of which the list tells
                self.aside.setdefault("timers", []).append(timer)
        for pending in data.get("pending", []):
            event = name_of_now(self.program, "events", pending["event"])
            if event in self.program.events:
                given = pending.get("given")
                given = names_of_now(self.program, f"events.{event}", given) if isinstance(given, Mapping) else given
                kept["pending"].append({**pending, "event": event, "given": given})
            else:
                self._wait("pending", pending, differences.event_gone(pending["event"], is_open))
        return kept

    def _wait(self, section: str, one: Any, note: Difference) -> None:
        self.aside.setdefault(section, []).append(one)
        self._note(note, one.get("thing", ""))

    # The state -------------------------------------------------------------------------------------------------------

    def _state(self, data: dict[str, Any], fresh: set[str]) -> State | None:
        """The state, with the nearest bound where somebody wishes it; None where a value must be decided first."""
        if any(one.open and one.kind in ("needed", "value") for one in self.noted):
            return None
        for _ in range(MOST_TRIES):
            reader, misfits = self._reader(), list[Misfit]()
            aside = {"aside": self.aside} if self.aside else {}
            written = {key: one for key, one in data.items() if key != "aside"} | aside
            state = from_saved(reader, written, named_nodes(node_of(data["things"], "things")), misfits, fresh)
            if not misfits:
                return state
            within = [self._bring_within(data["things"], one) for one in misfits]  # which tells of each
            if not all(within):
                return None
        return None

    def _bring_within(self, things: dict[str, Any], one: Misfit) -> bool:
        """Whether a value that does not fit was brought to its nearest bound, as somebody wishes."""
        name, *inner = one.thing.id.split(".")
        here = things[name]
        for key in inner:
            here = here.setdefault(key, {})
        held, place = one.held, f"{one.thing.id}.{one.held.name}"
        value = here.get(held.name)
        if one.key is not None and isinstance(value, dict):
            here, value, place = value, value.get(one.key), f"{place}({one.key})"
        near = one.nearest
        if place in self.restored:  # the value is still out of bounds, and what stands in its place stays
            here[held.name if one.key is None else one.key] = self.restored[place]
            self._put_aside(("things", one.thing.id, held.name, *([one.key] if one.key is not None else [])), value)
            self.aside.setdefault("instead", {})[place] = self.restored.pop(place)
            self._forget("back", held.path, one.thing.id)
            return True
        if near is None or not self.wishes.proposals:
            message = one.error.diagnostic.message
            self._note(differences.value_out_of_bounds(held, message, place, near), one.thing.id, old=value)
            return False
        self._put_aside(("things", one.thing.id, held.name, *([one.key] if one.key is not None else [])), value)
        self.replaced.append(place)
        self._note(differences.value_bounded(held), one.thing.id, value, near)
        here[held.name if one.key is None else one.key] = near
        return True


def _check_form(data: Mapping[str, Any]) -> None:
    """Raises PlayError if the data of a state have another form than a state that was saved."""
    aside = data.get("aside", {})
    sound = {
        "things": _is_of(data.get("things"), {}),
        "marks": _are_of(data.get("marks"), {"path": str, "actor": str}),
        "timers": _are_of(data.get("timers"), {"thing": str, "name": str}),
        "pending": _are_of(data.get("pending"), {"event": str}),
        "aside": isinstance(aside, Mapping)
        and isinstance(aside.get("things", {}), Mapping)
        and isinstance(aside.get("instead", {}), Mapping)
        and all(isinstance(aside.get(key, []), list) for key in ("timers", "pending")),
    }
    for key, is_sound in sound.items():
        if not is_sound:
            raise PlayError(say.wrong_state(f"`{key}` is missing or has another form"))


def _stands(known: Mapping[str, Any], instead: Mapping[str, Any], place: str) -> bool:
    """Whether a value may be taken back to a place: there is none there, or still the one that stands instead of it."""
    return place not in known or (place in instead and known[place] == instead[place])


def _value_at(things: Mapping[str, Any], place: str) -> Any:
    """The value at a place of the data of things, such as `ann.crew` or `ann.skills(swords)`; None where none is."""
    path, _, word = place.removesuffix(")").partition("(")
    here: Any = things
    for key in [*path.split("."), *([word] if word else [])]:
        here = here.get(key) if isinstance(here, Mapping) else None
    return here


def _is_of(data: Any, keys: Mapping[str, type]) -> bool:
    """Whether data are a mapping of mappings with these keys."""
    return isinstance(data, Mapping) and _are_of(list(data.values()), keys)


def _are_of(data: Any, keys: Mapping[str, type]) -> bool:
    """Whether data are a list of mappings with these keys."""
    return isinstance(data, list) and all(
        isinstance(one, Mapping) and all(isinstance(one.get(key), of) for key, of in keys.items()) for one in data
    )


def _text(value: Any) -> str:
    """A text; an empty one in place of anything else."""
    return value if isinstance(value, str) else ""


def _mappings(values: Any) -> list[Mapping[str, Any]]:
    """The mappings among values; none of what is no list."""
    return [one for one in values if isinstance(one, Mapping)] if isinstance(values, list) else []


def _actions(program: ir.Program) -> Iterator[ir.Action]:
    yield from program.actions.values()
    yield from [one.action for one in program.reactions.values()]


def _upgrades(program: ir.Program) -> Iterator[ir.Upgrade]:
    yield from [one.upgrade for one in _actions(program) if one.upgrade is not None]


def _forms(held: ir.HeldAttribute, value: Any) -> Iterator[Any]:
    """A value as it is, and in the other forms that say the same: one thing as a list of one, and the reverse."""
    yield value
    kind = t.without_maybe(held.type)
    if isinstance(kind, t.List) and not isinstance(value, list):
        yield [value]
    elif isinstance(value, list) and len(value) == 1 and not isinstance(kind, t.List):
        yield value[0]


def _with_value(of: str, old: Any, new: Any) -> str:
    """The name of a thing with the value that is told of it."""
    shown = [in_words(one) for one in (old, new) if one is not None and one is not NO_VALUE]
    short = [one if len(one) <= MOST_SHOWN else "…" for one in shown]
    return " ".join(filter(None, [of, " → ".join(short)]))
