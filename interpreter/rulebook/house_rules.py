"""What house rules change, place by place: what the book says there, what holds now, and why."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from interpreter.frozen import dataclass
from interpreter.layers.effective import one_line
from interpreter.layers.merge import AppliedChange, Merged
from interpreter.report.sentences import Sentence, plain_text
from interpreter.syntax.document import Scalar


@dataclass(frozen=True)
class Reason:
    """A change of a house rule: what it does there, and why; both may be without words."""

    layer: str
    title: str
    what: str
    why: str


@dataclass(frozen=True)
class ChangedPlace:
    """A place that house rules change: the sentence of the book and the one that holds now; None where there is none.

    `id` is the place on the page; `path` is the construct whose sentence it is.
    """

    id: str
    path: str
    before: Sentence | None
    after: Sentence | None
    reasons: tuple[Reason, ...]

    @property
    def differs(self) -> bool:
        """Whether the sentence itself tells the change."""
        return self.before is None or self.after is None or _text_lines(self.before) != _text_lines(self.after)


def title_of(layer: AppliedChange) -> str:
    """The title of the layer of a change, or its name."""
    title = layer.layer.root.get("title")
    return title.text if isinstance(title, Scalar) else layer.layer.name


def changed_places(
    merged: Merged, now: Mapping[str, Sentence], before: Mapping[str, Sentence]
) -> dict[str, ChangedPlace]:
    """The changed places by path. `now` and `before` are all sentences with and without the house rules, by path."""
    reasons: dict[str, list[Reason]] = {}
    former: dict[str, str] = {}
    for one in merged.applied:
        path = _path_now(one)
        known = before if one.change.verb == "remove" else now
        key = next((part for part in _path_and_outer_paths(path) if part in known), path)
        if one.change.verb == "rename" and key == path:
            former[key] = one.change.name
        reasons.setdefault(key, []).append(
            Reason(one.layer.name, title_of(one), _change_in_short(one), one.change.because)
        )
    return {
        key: ChangedPlace(
            f"change-{number}", key, before.get(former.get(key, key)), now.get(key), tuple(dict.fromkeys(reason))
        )
        for number, (key, reason) in enumerate(reasons.items(), 1)
    }


def _path_now(one: AppliedChange) -> str:
    change = one.change
    if change.verb == "rename" and isinstance(change.value, Scalar):
        return ".".join((*change.path[:-1], change.value.text))
    return change.name


def _path_and_outer_paths(path: str) -> Iterator[str]:
    """A path, and the paths of what is around it, down to a declaration."""
    parts = path.split(".")
    for length in range(len(parts), 1, -1):
        yield ".".join(parts[:length])


def _change_in_short(one: AppliedChange) -> str:
    """A change in short, for a place whose sentence does not tell it."""
    change = one.change
    name = change.path[-1].replace("_", " ")
    return {
        "set": f"{name}: {one_line(one.after)} instead of {one_line(one.before)}",
        "add": f"{name}: {one_line(one.after)}",
        "remove": f"{name} is removed",
        "move": f"{name} comes {(change.anchor or '').replace('_', ' ')}",
        "rename": f"{name} is now called {one_line(change.value)}",
    }[change.verb]


def _text_lines(one: Sentence) -> tuple[str, ...]:
    return (plain_text(one.lead + one.text), *(line for below in one.below for line in _text_lines(below)))
