"""What a change of files does to the rulesets in a folder: those that changed, those that are new, those that are gone.

A new house rule is compared with what it extends; a ruleset that is there before and after, with itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

from interpreter import pipeline
from interpreter.delta.compared import rule_deltas
from interpreter.delta.figures import RuleDelta
from interpreter.diagnostics import RulesetError
from interpreter.frozen import dataclass
from interpreter.layers.effective import one_line, shorten_line
from interpreter.layers.merge import RulesetFile
from interpreter.pipeline import FileOrigin, Finder, Loaded
from interpreter.syntax import files
from interpreter.syntax.document import USUAL, Mapping, Node, Scalar, value_at
from interpreter.syntax.yaml_text import flow_mapping, flow_value

Watch = Callable[[int, int], None]


@dataclass(frozen=True)
class ReasonOfChange:
    """A change that a house rule makes: where, what was there and is there now, and why."""

    path: str
    what: str
    why: str


@dataclass(frozen=True)
class RulesetDelta:
    """What a change does to one ruleset. `kind` is `changed`, `new`, `removed`, or `broken`, of one that has errors.

    `base` is what a new house rule is compared with; a new game has none, and nothing to compare.
    """

    file: str
    name: str
    title: str
    kind: str
    base: str = ""
    about: str = ""
    reasons: tuple[ReasonOfChange, ...] = ()
    rules: tuple[RuleDelta, ...] = ()

    @property
    def changing_rules(self) -> list[RuleDelta]:
        """The rules of which the odds change visibly, or what is allowed."""
        return [one for one in self.rules if one.changes and not one.is_new and not one.is_slight]

    @property
    def slight(self) -> list[RuleDelta]:
        """The rules whose odds change so little that percentages hardly show it."""
        return [one for one in self.rules if one.is_slight and not one.is_new]


@dataclass(frozen=True)
class FolderDelta:
    """What a change does to the rulesets of a folder.

    `beside` are rulesets that did not change themselves, but are read from files that did.
    """

    rulesets: tuple[RulesetDelta, ...]
    beside: tuple[str, ...] = ()


def folder_delta(before: Path, after: Path, watch: Watch = lambda done, of: None) -> FolderDelta:
    """The rulesets of a folder as they were and as they are; files are found by their paths inside.

    Hidden folders are not looked at. Raises RulesetError for a file that cannot be read.
    """
    old, new = set(_rulesets(before)), set(_rulesets(after))
    deltas, affected = [], []
    for file in sorted(old | new):
        if file in old and file in new:
            if _own_texts(before, file) == _own_texts(after, file):
                if _texts(before, file) != _texts(after, file):
                    affected.append(file)
                continue
            deltas.append(_changed_ruleset(file, before, after, watch))
        elif file in new:
            deltas.append(_new_ruleset(file, after, watch))
        else:
            deltas.append(RulesetDelta(file, Path(file).stem, "", "removed"))
    return FolderDelta(tuple(deltas), tuple(affected))


def layered_delta(before: Loaded, after: Loaded, watch: Watch = lambda done, of: None) -> RulesetDelta:
    """What layers over a ruleset, or another ruleset, do to its odds; both are without errors."""
    assert after.program is not None and before.program is not None
    merged = after.merged
    own = {source.name for layer in merged.layers for source in layer.sources} if merged is not None else set()
    base = before.program.title or before.program.name
    title = after.program.title or after.program.name
    rules = tuple(rule_deltas(before, after, own, watch))
    return RulesetDelta("", after.program.name, title, "new", base, rules=rules)


def _rulesets(folder: Path) -> Iterator[str]:
    """The paths of the rulesets in a folder, from there."""
    for ending in pipeline.ENDINGS:
        for file in folder.rglob(f"*{ending}"):
            inside = file.relative_to(folder)
            if any(part.startswith(".") for part in inside.parts) or files.file_inside(folder, str(inside)) is None:
                continue
            try:
                is_one = pipeline.kind_of_text(pipeline.read(file).text) == "ruleset"
            except RulesetError:
                continue
            if is_one:
                yield inside.as_posix()


def _texts(folder: Path, file: str) -> dict[str, bytes]:
    """The texts of everything that a ruleset is read from, by name; of what lies outside the folder, nothing."""
    paths = pipeline.files_of(folder / file, (folder,))
    whole = folder.resolve()
    inside = [one for one in paths if one.is_relative_to(whole) and one.is_file()]
    return {one.relative_to(whole).as_posix(): _bytes(one) for one in inside}


def _own_texts(folder: Path, file: str) -> tuple[bytes, ...]:
    """The texts of a ruleset and its parts."""
    path = folder / file
    try:
        return tuple(_bytes(one) for one in (path, *pipeline.parts_of(path)))
    except RulesetError:
        return (_bytes(path),)


def _bytes(path: Path) -> bytes:
    return files.read_bytes(path, str(path), USUAL.size)


def _changed_ruleset(file: str, before: Path, after: Path, watch: Watch) -> RulesetDelta:
    new, old = (pipeline.from_path(folder / file, (folder,)) for folder in (after, before))
    if not _is_sound(new):
        return RulesetDelta(file, Path(file).stem, "", "broken")
    assert new.program is not None and new.merged is not None
    top = (new.merged.layers or new.merged.bases)[-1]
    delta = RulesetDelta(file, top.name, _text(top, "title"), "changed", about=_text(top, "about"))
    if not _is_sound(old):
        return delta
    own = {source.name for source in top.sources}
    return _with_rules(delta, old, new, own, watch, _new_reasons(old, new))


def _new_ruleset(file: str, folder: Path, watch: Watch) -> RulesetDelta:
    new = pipeline.from_path(folder / file, (folder,))
    if not _is_sound(new):
        return RulesetDelta(file, Path(file).stem, "", "broken")
    assert new.merged is not None
    top = (new.merged.layers or new.merged.bases)[-1]
    delta = RulesetDelta(file, top.name, _text(top, "title"), "new", about=_text(top, "about"))
    if not new.merged.layers:
        return delta
    base = top.extends[0] if len(top.extends) == 1 else new.merged.bases[0]
    old = pipeline.from_place(FileOrigin(base.sources[0], base.folder), Finder((folder,)))
    if not _is_sound(old):
        return delta
    delta = RulesetDelta(file, top.name, delta.title, "new", _text(base, "title") or base.name, delta.about)
    return _with_rules(delta, old, new, {source.name for source in top.sources}, watch, _reasons(new))


def _with_rules(
    delta: RulesetDelta, old: Loaded, new: Loaded, own: set[str], watch: Watch, reasons: tuple[ReasonOfChange, ...]
) -> RulesetDelta:
    rules = tuple(rule_deltas(old, new, own, watch))
    return RulesetDelta(delta.file, delta.name, delta.title, delta.kind, delta.base, delta.about, reasons, rules)


def _is_sound(loaded: Loaded) -> bool:
    return loaded.program is not None and loaded.world is not None and not loaded.problems.errors


def _reasons(loaded: Loaded) -> tuple[ReasonOfChange, ...]:
    """What the topmost layer changes."""
    if loaded.merged is None or not loaded.merged.layers:
        return ()
    top = loaded.merged.layers[-1]
    reasons = []
    for one in loaded.merged.applied:
        if one.layer is not top:
            continue
        change = one.change
        what = {
            "set": "`{}` instead of `{}`".format(*_differences(one.after, one.before)),
            "add": f"`{one_line(one.after)}` is added",
            "remove": "is removed",
            "move": "comes {} `{}`".format(*(change.anchor or "at the end").split(maxsplit=1)),
            "rename": f"is called `{one_line(change.value)}`",
        }[change.verb]
        reasons.append(ReasonOfChange(change.name, what, " ".join(change.because.split())))
    return (*reasons, *_additions(top))


TEXTS = ("cites", "about", "title", "cases")
"""The keys of an entry that say nothing about how it is played."""


def _differences(*values: Node | None) -> list[str]:
    """Two values in one line each, without what they share; of a step in its long form, what it is."""
    parts = [
        {one.key.text: one.value for one in value.entries if one.key.text not in TEXTS}
        if isinstance(value, Mapping)
        else {"is": value}
        for value in values
    ]
    if all("is" in one for one in parts) or all(isinstance(value, Mapping) for value in values):
        texts = [{key: flow_value(value) if value is not None else "" for key, value in one.items()} for one in parts]
        shared = set(texts[0].items()) & set(texts[1].items())
        left = [{key: text for key, text in one.items() if (key, text) not in shared} for one in texts]
        if all([*one] == ["is"] for one in left):
            return [shorten_line(one["is"]) for one in left]
        if all(left):
            return [shorten_line(flow_mapping(one)) for one in left]
    return [one_line(value) for value in values]


def _additions(layer: RulesetFile) -> Iterator[ReasonOfChange]:
    """What a house rule declares itself, beside its changes."""
    for entry in layer.root.entries:
        if entry.key.text in ADDED and isinstance(entry.value, Mapping):
            for one in entry.value.entries:
                about = value_at(one.value, "about")
                text = " ".join(about.text.split()) if isinstance(about, Scalar) else ""
                yield ReasonOfChange(f"{entry.key.text}.{one.key.text}", "is new", text)


ADDED = ("options", "functions", "tables", "kinds", "mechanics", "events", "actions", "reactions", "scenes")
"""The sections whose entries are worth telling."""


def _new_reasons(old: Loaded, new: Loaded) -> tuple[ReasonOfChange, ...]:
    """What a changed house rule changes, and did not before."""
    before = set(_reasons(old))
    return tuple(one for one in _reasons(new) if one not in before)


def _text(file: RulesetFile, key: str) -> str:
    node = file.root.get(key)
    return " ".join(node.text.split()) if isinstance(node, Scalar) else ""
