"""Texts that a host gives in place of files, such as those of a database: which are wanted, and who finds them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field
from typing import NamedTuple

from interpreter import diagnostics as say
from interpreter import pipeline
from interpreter.api import arguments
from interpreter.diagnostics import RulesetError
from interpreter.diagnostics.source import Source
from interpreter.frozen import dataclass
from interpreter.pipeline import FileOrigin, Finder, Naming


class Wanted(NamedTuple):
    """A text that a host is asked for.

    `name` is how the ruleset writes it, and `by` is the text that wants it, empty for one that the host itself names.
    `what` is a `part` of that text, what it `extends`, a `layer` over it, the `ruleset` of a scene file, or a `scene`.
    A part belongs to the text that wants it; any other name means one text, whoever wants it.
    """

    name: str
    by: str
    what: Naming


Resolve = Callable[[Wanted], str | None]
"""Gives the text that is wanted, or None where there is none."""

MOST_TEXTS = 1_000
"""The most texts that one ruleset may ask for."""


@dataclass(frozen=True)
class HostFinder(Finder):
    """Finds texts by asking a host, each once. It opens no file but those of bundled rulesets, and no others if
    `bundled` is false; where the host has a text of a bundled name, that is meant."""

    resolve: Resolve = lambda wanted: None
    bundled: bool = True
    given: dict[tuple[str, str], Source | None] = field(default_factory=dict)
    """What the host gave: for each text its name in messages and whether it is a part."""

    def part(self, place: FileOrigin, name: str) -> Source:
        if place.folder is not None:  # of a bundled ruleset
            return super().part(place, name)
        source = self.ask(Wanted(name, place.source.name, "part"))
        if source is None:
            raise RulesetError(say.no_such_text(name))
        return source

    def base(self, place: FileOrigin, name: str, what: Naming = "extends") -> FileOrigin:
        source = self.ask(Wanted(name, place.source.name, what))
        if source is not None:
            return FileOrigin(source)
        if not self.bundled or self.base_file(place, name) is None:
            raise RulesetError(say.no_such_text(name))
        return super().base(place, name, what)

    def hidden_file(self, place: FileOrigin, name: str) -> None:
        """None: what the host gives is never hidden."""

    def ask(self, wanted: Wanted) -> Source | None:
        """The text that the host gives, None where it has none. Raises RulesetError where too many are wanted."""
        part = wanted.what == "part"
        name = f"{wanted.by}/{wanted.name}" if part else wanted.name
        key = ("part" if part else "", name)
        if key not in self.given:
            if len(self.given) >= MOST_TEXTS:
                raise RulesetError(say.too_many_texts(MOST_TEXTS))
            text = self.resolve(wanted)
            self.given[key] = None if text is None else Source.of(name, arguments.text("the text of `resolve`", text))
        return self.given[key]


def finder_for(resolve: Resolve | None, bundled: bool) -> HostFinder:
    """What finds the texts that a host may give; without a `resolve`, nothing but bundled rulesets."""
    return HostFinder(resolve=resolve or (lambda wanted: None), bundled=bundled)


@arguments.with_checked_arguments
def needs(text: str, name: str = "<text>") -> tuple[Wanted, ...]:
    """The texts that a ruleset, a house rule or a scene file names, in the order of its text, without loading it.

    A host whose database answers later gets them beforehand: it asks for these, then for what those of them need that
    are no parts, and loads with a `resolve` that looks them up. `name` is what messages call the text, and `by` in the
    answer. Bundled rulesets are named too. A text that is no YAML needs nothing.
    """
    source = Source.of(name, text)
    wants: dict[str, Naming] = {"parts": "part", "extends": "extends"}
    if pipeline.kind_of_text(source.text) == "state":
        wants = {"of": "ruleset", "with": "layer"}
    named = pipeline.names_of_files(source, wants)
    return tuple(dict.fromkeys(Wanted(one, name, wants[key]) for key, names in named for one in names))
