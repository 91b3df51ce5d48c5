"""A checked ruleset as an editor needs it: what stands at which place, and which file each source is."""

from __future__ import annotations

import hashlib
import re
from bisect import bisect_right
from collections.abc import Iterator
from collections.abc import Mapping as Names
from dataclasses import field
from functools import cached_property
from pathlib import Path

from interpreter import diagnostics as say
from interpreter import ir, pipeline
from interpreter.api import scene_file
from interpreter.api.game import Game
from interpreter.api.scene_problems import problems_of_file
from interpreter.checker.cases import note_cases
from interpreter.diagnostics import Diagnostic, HouseruleError, RulesetError
from interpreter.diagnostics.source import Source, Span
from interpreter.frozen import dataclass
from interpreter.ir import traversal
from interpreter.layers.merge import LayerChange
from interpreter.pipeline import Loaded, kind_of_text
from interpreter.syntax import files
from interpreter.syntax.document import USUAL, Entry, Mapping, Node, Sequence
from interpreter.testing.problems import all_problems

Texts = Names[Path, str]
"""The texts of the files that are open in an editor, by their path without links; they override what is saved."""

_PART_OF = re.compile(r"^part_of *: *([^\s#]+)", re.MULTILINE)


@dataclass
class OpenFileReader:
    """Reads files, those that are open from their texts, and notes which source is which file."""

    texts: Texts
    paths: dict[str, Path] = field(default_factory=dict)
    sources: dict[Path, Source] = field(default_factory=dict)

    def __call__(self, path: Path) -> Source:
        whole = files.resolve(path) or path
        text = self.texts.get(whole)
        if text is None:
            source = pipeline.read(path)
        else:
            name = pipeline.path_in_messages(path)
            if len(text.encode("utf-8", "surrogatepass")) > USUAL.size:
                raise RulesetError(say.file_too_large(Span(Source(name, ""), 0, 0), USUAL.size))
            source = Source.of(name, text)
        self.paths[source.name] = whole
        self.sources[whole] = source
        return source


@dataclass(frozen=True)
class Definition:
    """Something with a name: its path in the ruleset, and the node of the program that it is, if there is one."""

    path: str
    node: object = None


@dataclass(frozen=True)
class Analysis:
    """A ruleset with everything that was found out about its text.

    `root` is the file that it was loaded from. `scene` is set where that is a scene file. `refused` are the problems of
    a text that was not loaded.
    """

    root: Path
    loaded: Loaded
    paths: Names[str, Path]
    sources: Names[Path, Source]
    refused: tuple[Diagnostic, ...] = ()
    scene: scene_file.SceneFile | None = None

    @property
    def is_sound(self) -> bool:
        """Whether its program may be played and explained."""
        return self.loaded.program is not None and not self.loaded.problems.errors

    @cached_property
    def fingerprint(self) -> str:
        """The same for the same texts of all its files."""
        texts = sorted((str(path), source.text) for path, source in self.sources.items())
        return hashlib.sha256(repr(texts).encode("utf-8", "surrogatepass")).hexdigest()

    @cached_property
    def references(self) -> Names[Span, Span]:
        """The place of each use of a name, with that of its declaration."""
        world, program = self.loaded.world, self.loaded.program
        if world is None or program is None:
            return {}
        merged = self.loaded.merged
        if merged is None or not merged.layers:
            note_cases(world, program)
        declared_at = {used.in_file: declared.in_file for used, declared in world.references.items()}
        bases = [one.root for one in merged.bases] if merged is not None else []
        for change in (one.change for one in merged.applied) if merged is not None else ():
            declared_at |= _changed_names(change, world.root, *bases)
        return declared_at

    @cached_property
    def uses(self) -> Names[Span, tuple[Span, ...]]:
        """The uses of each declaration, also of those that stand for another: a row of a table may be a word."""
        uses: dict[Span, list[Span]] = {}
        for used in self.references:
            here, seen = used, {used}
            while (here := self.references.get(here, used)) not in seen:
                seen.add(here)
                uses.setdefault(here, []).append(used)
        return {declared: tuple(spans) for declared, spans in uses.items()}

    @cached_property
    def definitions(self) -> Names[Span, Definition]:
        """What has a name, by the place of the name."""
        world, program = self.loaded.world, self.loaded.program
        if world is None or program is None:
            return {}
        definitions = {
            entry.key.span.in_file: Definition(f"{section}.{name}")
            for section, entries in world.sections.items()
            for name, entry in entries.items()
        }
        for kind in program.kinds.values():
            for name, one in kind.has.items():
                definitions[one.declared.span.in_file] = Definition(f"kinds.{kind.name}.has.{name}", one.declared)
        for section in ("names", "ladders"):
            for name, entry in world.section(section).items():
                for key in _spans_of_keys(entry.value):
                    definitions[key.in_file] = Definition(f"{section}.{name}.{key.text}")
        written = (program.functions, program.types, program.modifiers, program.options, program.kinds)
        played = (program.playable, program.reactions, program.scenes)
        for one in traversal.nodes_under((written, played)):
            if isinstance(one, ir.Step | ir.Declaration) and one.span.in_file not in definitions:
                definitions[one.span.in_file] = Definition(one.path, one)
        return definitions

    @cached_property
    def _places_by_source(self) -> Names[str, tuple[list[int], list[Span]]]:
        """The places of names in each source, in order."""
        places: dict[str, dict[tuple[int, int], Span]] = {}
        for span in (*self.references, *self.references.values(), *self.definitions):
            places.setdefault(span.source.name, {})[span.start, span.end] = span
        ordered = {name: [one for _, one in sorted(spans.items())] for name, spans in places.items()}
        return {name: ([one.start for one in spans], spans) for name, spans in ordered.items()}

    def name_at(self, source: Source, offset: int) -> Span | None:
        """The place of the name at an offset of one of the sources, the shortest that holds it."""
        starts, spans = self._places_by_source.get(source.name, ([], []))
        number = bisect_right(starts, offset)
        near = spans[max(0, number - 8) : number]
        holding = [one for one in near if one.start <= offset <= one.end]
        return min(holding, key=lambda one: one.end - one.start, default=None)

    @cached_property
    def game(self) -> Game:
        """The game of a sound ruleset. Raises PlayError where the ruleset cannot begin."""
        assert self.loaded.program is not None and self.loaded.world is not None
        return Game(self.loaded.program, self.loaded.world)

    def node_at(self, path: tuple[str | int, ...]) -> Node | None:
        """The node at a path of the merged tree; None where there is none."""
        node: Node | None = self.loaded.world.root if self.loaded.world is not None else None
        for key in path:
            if isinstance(key, int):
                node = node.items[key] if isinstance(node, Sequence) and key < len(node.items) else None
            else:
                node = node.get(key) if isinstance(node, Mapping) else None
        return node

    def entry_at(self, path: tuple[str | int, ...]) -> Entry | None:
        """The entry at a path of the merged tree, with its key."""
        above = self.node_at(path[:-1]) if path else None
        key = path[-1] if path else 0
        return above.by_key.get(key) if isinstance(above, Mapping) and isinstance(key, str) else None


def _spans_of_keys(node: Node) -> Iterator[Span]:
    listed = node.get("rungs") if isinstance(node, Mapping) and "rungs" in node else node
    if isinstance(listed, Mapping):
        yield from (entry.key.span for entry in listed.entries)
    elif isinstance(listed, Sequence):
        yield from (item.span for item in listed.items)


def _changed_names(change: LayerChange, *roots: Mapping) -> dict[Span, Span]:
    """The names of the path of a change, with their declarations in the first tree that has them."""
    new_by_old: dict[Span, Span] = {}
    for root in roots:
        node: Node | None = root
        for name, place in zip(change.path, change.spans, strict=False):
            entry = node.by_key.get(name) if isinstance(node, Mapping) else None
            if entry is None:
                break
            if entry.key.span != place and entry.key.text == name:
                new_by_old.setdefault(place, entry.key.span)
            node = entry.value
    return new_by_old


# Making one ------------------------------------------------------------------------------------------------------


def root_of(path: Path, texts: Texts) -> Path:
    """The file with which the ruleset of a file is loaded: for a part, the ruleset that lists it; else itself."""
    text = texts.get(path)
    if text is None:
        try:
            text = pipeline.read(path).text
        except RulesetError:
            return path
    match = _PART_OF.search(text)
    if kind_of_text(text) != "part_of" or match is None:
        return path
    name = match[1].strip("'\"")
    for file in (path.parent / f"{name}.yaml", *sorted(path.parent.glob("*.yaml"))):
        whole = files.resolve(file) or file
        if whole != path and _may_list_part(whole, path.name, texts):
            return whole
    return path


def _may_list_part(file: Path, part: str, texts: Texts) -> bool:
    """Whether a file is a ruleset that may list a part."""
    try:
        text = texts[file] if file in texts else pipeline.read(file).text
    except RulesetError:
        return False
    return kind_of_text(text) == "ruleset" and part in text


def analysis_of(root: Path, texts: Texts, roots: tuple[Path, ...] = ()) -> Analysis:
    """The analysis of a ruleset or a scene file; `roots` are folders that house rules may extend files from."""
    read = OpenFileReader(texts)
    text = texts.get(root)
    if text is not None and kind_of_text(text) == "state":
        return _analyse_scene(root, read)
    return Analysis(root, pipeline.from_path(root, roots, read=read), read.paths, read.sources)


def _analyse_scene(root: Path, read: OpenFileReader) -> Analysis:
    nothing = Loaded(None, None, say.Problems(), root.parent)
    try:
        scene = scene_file.from_text(read(root), root.parent)
    except HouseruleError as error:
        return Analysis(root, nothing, read.paths, read.sources, tuple(error.diagnostics))
    try:
        loaded = scene_file.load_ruleset(scene, scene_file.finder_of(scene, read))
    except HouseruleError as error:
        return Analysis(root, nothing, read.paths, read.sources, tuple(error.diagnostics), scene)
    refused = problems_of_file(scene, loaded)
    return Analysis(root, loaded, read.paths, read.sources, tuple(refused), scene)


def problems_of(analysis: Analysis) -> list[Diagnostic]:
    """All problems, as `houserule check` reports them; of a scene file its own and the errors of its ruleset."""
    if analysis.scene is not None or analysis.refused:
        return [*analysis.refused, *analysis.loaded.problems.errors]
    return all_problems(analysis.loaded)
