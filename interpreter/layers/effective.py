"""The effective ruleset as YAML, each part with the file and line that it came from.

A line that a layer changes shows the layer and its reason, so that a reader can distinguish the rulebook from house
rules.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import replace

from interpreter.diagnostics.source import Span
from interpreter.frozen import dataclass
from interpreter.layers.merge import AppliedChange, Merged
from interpreter.layers.rename import map_scalars
from interpreter.syntax.document import Entry, Mapping, Node, Scalar, Sequence
from interpreter.syntax.lexer import raw_text
from interpreter.syntax.yaml_text import flow_value, quote

WIDTH = 96
LEFT_OUT = ("cases", "extends", "changes", "differs", "requires", "parts", "language")


@dataclass(frozen=True, slots=True)
class EffectiveLine:
    """One line of the effective ruleset, with its file and line; empty if the line above has the same."""

    text: str
    origin: str = ""


def effective_ruleset(merged: Merged, base_places: Collection[Span] = ()) -> list[EffectiveLine]:
    """The whole effective ruleset, without its cases.

    `base_places` are the places of `base`, which is replaced by the expression that it stands for.
    """
    base = {source.name for one in merged.bases for source in one.sources}
    return _lines(_Writer(base, merged.applied), merged.root, base_places)


def effective_text(root: Mapping, base_places: Collection[Span]) -> str:
    """The whole effective ruleset, whose document is `root`, as the text of one file; without its cases."""
    return "".join(f"{line.text}\n" for line in _lines(_Writer(set(), []), root, base_places))


def _lines(writer: _Writer, root: Mapping, base_places: Collection[Span]) -> list[EffectiveLine]:
    whole = map_scalars(root, lambda scalar: _with_base(scalar, base_places))
    assert isinstance(whole, Mapping)
    return [
        line
        for entry in whole.entries
        if entry.key.text not in LEFT_OUT
        for line in writer.entry(entry, "", entry.key.text)
    ]


@dataclass
class _Writer:
    base: set[str]
    applied: list[AppliedChange]

    def entry(self, entry: Entry, indent: str, path: str) -> Iterator[EffectiveLine]:
        key = quote(entry.key.text)
        flow = flow_value(entry.value)
        origin = self._origin(entry, path)
        here = indent + key + ":"
        if flow is not None and len(here) + len(flow) < WIDTH and not self._has_changes_inside(entry.value):
            yield EffectiveLine(f"{here} {flow}", origin)
            return
        yield EffectiveLine(here, origin)
        if isinstance(entry.value, Mapping):
            for inner in entry.value.entries:
                yield from self.entry(inner, indent + "  ", f"{path}.{inner.key.text}")
        elif isinstance(entry.value, Sequence):
            for item in entry.value.items:
                yield EffectiveLine(f"{indent}  - {flow_value(item) or ''}")
        else:
            yield EffectiveLine(f"{indent}  {flow}")

    def _origin(self, entry: Entry, path: str) -> str:
        """The origin of an entry, if it is a declaration or comes from a layer."""
        value = entry.value.span
        for one in reversed(self.applied):
            if one.change.name == path and one.change.verb != "remove":
                reason = f": {one.change.because}" if one.change.because else ""
                was = f" (was {one_line(one.before)})" if one.change.verb == "set" and one.before else ""
                return f"{one.layer.name} {_file_and_line(one.change.span)}{was}{reason}"
        if value.source.name not in self.base and value.source.name:
            return _file_and_line(value)
        return _file_and_line(entry.key.span) if path.count(".") == 1 else ""

    def _has_changes_inside(self, node: Node) -> bool:
        """Whether a layer has changed something inside."""
        if isinstance(node, Mapping):
            return any(
                entry.value.span.source.name not in self.base or self._has_changes_inside(entry.value)
                for entry in node.entries
            ) and any(entry.value.span.source.name in self.base for entry in node.entries)
        return False


def _with_base(scalar: Scalar, base_places: Collection[Span]) -> Scalar:
    """The scalar with the former expression in place of `base`."""
    if scalar.base is None:
        return scalar
    former = _with_base(scalar.base, base_places).text
    text, start = raw_text(scalar)
    if text.strip() != "base":
        former = f"({former})"
    whole = scalar.span
    mine = [one for one in base_places if one.source == whole.source and whole.holds(one)]
    for first in sorted({whole.source.distance(start, one.start) for one in mine}, reverse=True):
        text = text[:first] + former + text[first + len("base") :]
    return replace(scalar, text=text, base=None)


def _file_and_line(span: Span) -> str:
    return f"{span.source.name}:{span.line}"


def one_line(node: Node | None) -> str:
    """A value on one line, shortened."""
    return shorten_line(flow_value(node) if node is not None else "")


def shorten_line(text: str) -> str:
    """A text of one line, shortened."""
    return text if len(text) <= 60 else text[:59] + "…"
