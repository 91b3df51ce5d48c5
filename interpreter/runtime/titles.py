"""What people read in place of a name: the `title` of a construct, a word or a thing."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import field
from typing import TYPE_CHECKING, Any, Protocol

from interpreter import ir
from interpreter.frozen import dataclass
from interpreter.ir import types as t
from interpreter.runtime.state import EMPTY, TITLE, State
from interpreter.shown_text import in_one_line
from interpreter.values import Thing, in_words

if TYPE_CHECKING:
    from interpreter.runtime.objects import AttributePlace


class Construct(Protocol):
    """A construct of the program: a step, an input, an attribute, an outcome."""

    @property
    def name(self) -> str: ...

    @property
    def path(self) -> str: ...


@dataclass(frozen=True, slots=True)
class Titles:
    """Titles of constructs by their path, of words, and of the things of a `state` and those `made` since; what has
    none is shown by name."""

    constructs: Mapping[str, str] = field(default_factory=dict)
    words: Mapping[str, str] = field(default_factory=dict)
    kinds: Mapping[str, ir.Kind] = field(default_factory=dict)
    state: State = EMPTY
    made: Mapping[str, str] = field(default_factory=dict)

    def of(self, one: Construct) -> str:
        """The title of a construct."""
        return self.constructs.get(one.path, one.name)

    def in_text(self, one: Construct) -> str:
        """The title of a construct; of one without, its name as words of a sentence: `high ground`."""
        return self.constructs.get(one.path) or one.name.replace("_", " ")

    def word(self, word: str) -> str:
        """The title of a word of a list, of a ladder, of tags, or of an outcome."""
        return self.words.get(word, word)

    def thing(self, name: str) -> str:
        """The title of a thing or of a part, whose owner is told with it: `Zoë.blade`."""
        whole, *_ = name.split(".")
        return ".".join([self._written_title(whole) or self.constructs.get(f"kinds.{whole}", whole), *self.parts(name)])

    def event_input(self, name: str) -> str:
        """The title of an input of the event that a reaction changes, which is named alike in every event."""
        ends = f".inputs.{name}"
        of_events = (path for path in self.constructs if path.startswith("events.") and path.endswith(ends))
        return next((self.constructs[path] for path in of_events if path.count(".") == 3), name)

    def action_input(self, action: str, name: str) -> str:
        """The title of an input of an action; without one, its name as words."""
        return self.constructs.get(f"actions.{action}.inputs.{name}") or name.replace("_", " ")

    def action_kind(self, name: str) -> str:
        """The title of a kind of action; without one, its name as words."""
        return self.constructs.get(f"action_kinds.{name}") or name.replace("_", " ")

    def parts(self, name: str) -> list[str]:
        """The titles of the parts that lead from a thing to a part of it, `zoe.pack.flask`."""
        whole, *parts = name.split(".")
        told = []
        for part in parts:
            told.append(self._written_title(f"{whole}.{part}") or self.attribute(self.kind_of(whole), part))
            whole = f"{whole}.{part}"
        return told

    def _written_title(self, thing: str) -> str:
        """The title that is written for a thing itself."""
        held = self.state.things.get(thing)
        return held.values.get(TITLE, "") if held is not None else self.made.get(thing, "")

    def who(self, name: str) -> str:
        """The title of who is asked: a thing or a role."""
        return self.constructs.get(f"roles.{name}") or self.thing(name)

    def kind(self, name: str) -> str:
        """The title of a kind."""
        return self.constructs.get(f"kinds.{name}", name)

    def attribute(self, kind: str, name: str) -> str:
        """The title of an attribute of a kind."""
        of = self.kinds.get(kind)
        return self.of(of.has[name]) if of is not None and name in of.has else name

    def place(self, place: AttributePlace) -> str:
        """Whose attribute it is, and which: `Zoë.Rüstung(Kopf)`."""
        return f"{self.thing(place.thing.id)}.{self.in_place(place)}"

    def in_place(self, place: AttributePlace) -> str:
        """The title of an attribute, with that of its key if it is one value of several: `ammo(rifle)`."""
        name = self.attribute(place.thing.kind, place.name)
        return name if place.key is None else f"{name}({self.value(place.key)})"

    def value(self, value: Any, of: t.Type | None = None) -> str:
        """The text of a value, with titles in place of words and things; a text of somebody stands as it is."""
        if isinstance(value, str) and of is not None and isinstance(t.without_maybe(of), t.Text):
            return in_one_line(value)
        return in_one_line(in_words(value, self._shown))

    def thing_or_word(self, text: str) -> str:
        """The title of a thing, or else of a word, that data name by a text."""
        return self.thing(text) if text in self.state.things else self.word(text)

    def answer(self, kind: str, answer: Any) -> str:
        """The text of an answer to a choice of a kind; what somebody wrote stands as it is."""
        return in_one_line(str(answer)) if kind == "text" else self.value(answer)

    def record(self, fields: Mapping[str, Any], has: Iterable[ir.Declaration]) -> str:
        """The text of a record, with titles in place of the names of its fields."""
        shown = {one.name: self.of(one) for one in has}
        told = [f"{shown.get(name, name)}: {self.value(one)}" for name, one in fields.items() if one is not None]
        return f"{{{', '.join(told)}}}"

    def kind_of(self, thing: str) -> str:
        """The kind of a thing of the state; empty where it is none of it."""
        held = self.state.things.get(thing)
        return held.kind if held is not None else ""

    def shown_of(self, names: Iterable[Any]) -> dict[str, str]:
        """The titles of words and things that have one, by their text."""
        told = {in_words(one): self.value(one) for one in names if isinstance(one, str | Thing)}
        return {name: title for name, title in told.items() if title != name}

    def _shown(self, named: str | Thing) -> str:
        return self.thing(named.id) if isinstance(named, Thing) else self.word(named)


NO_TITLES = Titles()
"""Everything by its name."""


def titles_of(program: ir.Program, state: State | None = EMPTY) -> Titles:
    """The titles of a program and of the things of a state."""
    return Titles(program.titles, program.word_titles, program.kinds, state or EMPTY)
