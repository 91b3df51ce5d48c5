"""The proof that a text says the same in another layout: its values, their order, its comments, and its program."""

from __future__ import annotations

from collections.abc import Mapping as Named
from dataclasses import field
from pathlib import Path

from interpreter import diagnostics as say
from interpreter import pipeline
from interpreter.budget import metered
from interpreter.diagnostics import Problems, RulesetError
from interpreter.diagnostics.model import spending_at
from interpreter.diagnostics.source import Source, Span
from interpreter.formatting.layout import lay_out
from interpreter.formatting.tree import comments
from interpreter.frozen import dataclass
from interpreter.ir import printer
from interpreter.pipeline import FileOrigin, Finder, Naming
from interpreter.syntax import document
from interpreter.syntax.document import Mapping, Node, Scalar, Sequence


@metered
def format_text(source: Source) -> tuple[str, Node]:
    """A text in the one layout, which is proved to say the same, and its tree.

    Raises RulesetError if it is no sound YAML, or if the proof fails; BudgetExceeded where the text takes too much.
    """
    with spending_at(Span(source, 0, 0)):
        return _lay_out_and_prove(source)


def _lay_out_and_prove(source: Source) -> tuple[str, Node]:
    problems = Problems()
    root = document.parse(source, problems)
    if problems.errors or root is None:
        raise RulesetError(*problems.errors)
    new = lay_out(source)
    if not have_same_meaning(source, Source(source.name, new)):
        raise RulesetError(say.layout_not_proved(Span(source, 0, 0)))
    return new, root


def have_same_meaning(before: Source, after: Source) -> bool:
    """Whether two texts are read without an error, as the same values and keys in the same order, with the same
    comments."""
    problems = Problems()
    first, second = document.parse(before, problems), document.parse(after, problems)
    if problems.errors or first is None or second is None:
        return False
    return same_values(first, second) and comments(before) == comments(after)


def same_values(first: Node, second: Node) -> bool:
    """Whether two trees have the same values and keys in the same order."""
    match first, second:
        case Scalar(), Scalar():
            return first.text == second.text and (
                bool(first.text) or _kind_of_empty_text(first) == _kind_of_empty_text(second)
            )
        case Sequence(), Sequence():
            return len(first.items) == len(second.items) and all(map(same_values, first.items, second.items))
        case Mapping(), Mapping():
            return len(first.entries) == len(second.entries) and all(
                same_values(one.key, other.key) and same_values(one.value, other.value)
                for one, other in zip(first.entries, second.entries, strict=True)
            )
    return False


def _kind_of_empty_text(empty: Scalar) -> str:
    """What an empty text is: nothing, text in quotes, or a block without lines, which messages tell apart."""
    return empty.style.replace("'", '"')


@dataclass(frozen=True)
class Rewritten(Finder):
    """Finds files as they would be with other texts, each under the name of its source."""

    texts: Named[str, str] = field(default_factory=dict)

    def part(self, place: FileOrigin, name: str) -> Source:
        return self._new(super().part(place, name))

    def base(self, place: FileOrigin, name: str, what: Naming = "extends") -> FileOrigin:
        base = super().base(place, name, what)
        return FileOrigin(self._new(base.source), base.folder)

    def _new(self, source: Source) -> Source:
        return Source(source.name, self.texts.get(source.name, source.text))


@metered
def have_same_program(ruleset: Source, folder: Path, roots: tuple[Path, ...], texts: Named[str, str]) -> bool:
    """Whether a ruleset of a folder is the same program when files, by the names of their sources, have other texts.

    A ruleset with errors has no program, and only what its files say can be compared. Raises BudgetExceeded where the
    ruleset takes too much.
    """
    before = pipeline.from_text(ruleset, Finder(roots), folder=folder)
    if before.program is None or before.problems.errors:
        return True
    new = Source(ruleset.name, texts.get(ruleset.name, ruleset.text))
    after = pipeline.from_text(new, Rewritten(roots, texts=texts), folder=folder)
    if after.program is None or after.problems.errors:
        return False
    return printer.listing(before.program) == printer.listing(after.program)
