"""Text becomes a program: the stages in order.

    text → document (YAML with positions) → schema (its shape) → layers (house rules laid over it)
         → checker (names, types, wholes) → Program

Every stage reports to the same `Problems` and continues with the sound part.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator
from collections.abc import Sequence as Several
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Literal

from interpreter import bundled as library
from interpreter import checker
from interpreter import diagnostics as say
from interpreter.budget import metered
from interpreter.checker.cases import note_cases
from interpreter.checker.former_names import renamed_by_layers
from interpreter.checker.never import report_never_true
from interpreter.checker.one_slip import drop_doubtful_fixes, tell_declarations_once
from interpreter.checker.questions import report_questions
from interpreter.checker.stray_rows import report_stray_rows
from interpreter.checker.unread import report_unread
from interpreter.checker.world import World
from interpreter.collector import collect_garbage_rarely
from interpreter.diagnostics import MOST_ERRORS, Diagnostic, Problems, RulesetError, TooManyErrors, spending_at
from interpreter.diagnostics.source import Source, Span
from interpreter.frozen import dataclass
from interpreter.ir import Program
from interpreter.layers import merge
from interpreter.layers.causes import place_at_causes
from interpreter.layers.merge import Merged, RulesetFile
from interpreter.layers.rename import References
from interpreter.layers.renamed_paths import new_names, renamed_paths
from interpreter.syntax import document, files, schema
from interpreter.syntax.document import USUAL, FileLimits, Mapping, Node, Scalar, Sequence, entries_of, items_of
from interpreter.syntax.sound_trees import sound_tree


@dataclass(frozen=True)
class Loaded:
    """A loaded ruleset. `program` may be played only if there are no `errors`.

    `folder` is that of its lowest base, with the list of the rows of its book; `laid` holds the layers.
    """

    program: Program | None
    world: World | None
    problems: Problems
    folder: Path | None = None
    merged: Merged | None = None


@dataclass(frozen=True)
class FileOrigin:
    """Where a file was found: its source, and what may be found from there."""

    source: Source
    folder: Path | None = None


ENDINGS = (".yaml", ".yml")


def read(path: Path) -> Source:
    """A file as a source. Raises RulesetError where it cannot be read as text.

    What lies behind a link out of its folder is read only if it says that it is a ruleset, a part of one or a scene:
    messages show lines of what is read, and somebody else may have made the link.
    """
    name = path_in_messages(path)
    source = decode(files.read_bytes(path, name, USUAL.size), name)
    if files.leads_out(path) and kind_of_text(source.text) is None:
        raise RulesetError(say.cannot_read(files.short_name(name), LEADS_OUT))
    return source


LEADS_OUT = "it is a link to another folder, and what is there is no ruleset"


def decode(data: bytes, name: str) -> Source:
    """The text of a file that may be a byte too long. Raises RulesetError where it is, or is no UTF-8."""
    if len(data) > USUAL.size:
        raise RulesetError(say.file_too_large(Span(Source(name, ""), 0, 0), USUAL.size))
    try:
        return Source.of(name, data.decode("utf-8"))
    except UnicodeDecodeError:
        raise RulesetError(say.not_utf8(Span(Source(name, ""), 0, 0))) from None


def path_in_messages(path: Path) -> str:
    """A path as messages show it: relative to the working folder if it is inside."""
    whole = files.resolve(path)
    if whole is None or not whole.is_relative_to(Path.cwd()):
        return path.as_posix()
    return whole.relative_to(Path.cwd()).as_posix()


_KIND = re.compile(r"^(ruleset|part_of|state) *:", re.MULTILINE)


def kind_of_text(text: str) -> str | None:
    """What a text is, by its first key that tells: `ruleset`, `part_of` or `state`; None for another text."""
    match = _KIND.search(text)
    return match[1] if match else None


Naming = Literal["part", "extends", "layer", "ruleset", "scene"]
"""As what a text is named: a part, what is extended, a layer, the ruleset of a scene file, a scene."""

Reader = Callable[[Path], Source]
"""How the text of a file is found: on the disk, or in the window of an editor that has not saved it."""


@dataclass(frozen=True)
class Finder:
    """Finds further files: parts of a folder, and what a layer extends.

    Apart from the bundled rulesets, it reads nothing outside the ruleset's own folder and `roots`. `read` gives the
    text of each file that it finds.
    """

    roots: tuple[Path, ...] = ()
    limits: FileLimits = USUAL
    read: Reader = read

    def part(self, place: FileOrigin, name: str) -> Source:
        """A file of the folder that a file lies in. Raises RulesetError where there is none."""
        if place.folder is None:
            raise RulesetError(say.cannot_read(name, "this ruleset comes without a folder"))
        path = files.file_inside(place.folder, name)
        if path is None:
            raise RulesetError(
                say.cannot_read(path_in_messages(place.folder / name), "there is no such file in this folder")
            )
        return self.read(path)

    def base(self, place: FileOrigin, name: str, what: Naming = "extends") -> FileOrigin:
        """The file that a key names, such as `extends`: a bundled ruleset or a file. Raises RulesetError for none."""
        path = self.base_file(place, name)
        if path is not None:
            return FileOrigin(self.read(path), path.parent)
        bundled = {**library.rulesets(), **library.house_rules()}
        around = [file.name for root in self._allowed_folders(place) for file in sorted(root.glob("*.y*ml"))]
        called = self._file_called(place, Path(name).stem)
        if called is not None:
            raise RulesetError(say.file_under_another_name(name, called.name))
        if not name.endswith(ENDINGS):
            raise RulesetError(say.no_ruleset(name, [*bundled, *(file.rsplit(".", 1)[0] for file in around)]))
        raise RulesetError(say.out_of_reach(name, around if "/" not in name else []))

    def base_file(self, place: FileOrigin, name: str) -> Path | None:
        """The path of that file; None where there is none."""
        bundled = {**library.rulesets(), **library.house_rules()}
        return bundled.get(name) or self.find_in_folders(place, name)

    def hidden_file(self, place: FileOrigin, name: str) -> Path | None:
        """The file in the folder or a root that a bundled ruleset of the same name hides."""
        bundled = {**library.rulesets(), **library.house_rules()}
        path = self.find_in_folders(place, name) if name in bundled else None
        return None if path == bundled.get(name) else path

    def find_in_folders(self, place: FileOrigin, name: str) -> Path | None:
        """The file of that name, with or without its ending, in the folder of another or in one of the roots."""
        allowed = self._allowed_folders(place)
        named = [name] if name.endswith(ENDINGS) else [f"{name}{ending}" for ending in ENDINGS]
        for path in (files.resolve(root / file) for root in allowed for file in named):
            if path is not None and files.is_file(path) and any(path.is_relative_to(inside) for inside in allowed):
                return path
        return None

    def _file_called(self, place: FileOrigin, ruleset: str) -> Path | None:
        """The file that holds the ruleset of a name under another name of its own; None where none is seen at once."""
        for path in (
            file for root in self._allowed_folders(place) for file in sorted(root.glob("*.y*ml"))[:_MOST_LOOKED_AT]
        ):
            whole = files.resolve(path)
            if whole is None or not any(whole.is_relative_to(inside) for inside in self._allowed_folders(place)):
                continue
            with suppress(RulesetError, OSError):
                named = _RULESET.search(self.read(path).text)
                if named is not None and named[1] == ruleset:
                    return path
        return None

    def _allowed_folders(self, place: FileOrigin) -> list[Path]:
        return [root.resolve() for root in ((place.folder, *self.roots) if place.folder else self.roots)]


_RULESET = re.compile(r"^ruleset *: *[\"']?([\w-]+)", re.MULTILINE)
_MOST_LOOKED_AT = 40
"""How many files of a folder are searched for a ruleset that lies in none of its own name."""

ONLY_BUNDLED = Finder()


@metered
def from_text(
    source: Source, finder: Finder = ONLY_BUNDLED, over: Several[FileOrigin] = (), folder: Path | None = None
) -> Loaded:
    """The ruleset of a text; `finder` gives what it extends, `over` are further layers, `folder` has its parts."""
    return _load(FileOrigin(source, folder), finder, over)


@metered
def from_path(
    path: Path,
    roots: tuple[Path, ...] = (),
    over: Several[FileOrigin] = (),
    to_play: bool = False,
    read: Reader = read,
) -> Loaded:
    """The ruleset of a file, or of a folder, which has one of the folder's own name. `read` gives the text of files.

    What is loaded only `to_play` has no warnings, and a bundled ruleset without layers has no cases of files that hold
    nothing else: these are checked before they are shipped, and are more than half of its text.
    """
    file = path / f"{path.name}.yaml" if files.is_folder(path) else path
    try:
        source = read(file)
    except RulesetError as error:
        problems = Problems()
        for diagnostic in error.diagnostics:
            problems.add(diagnostic)
        return Loaded(None, None, problems, file.parent)
    return _load(FileOrigin(source, file.parent), Finder(roots, read=read), over, to_play)


@metered
def from_place(
    place: FileOrigin, finder: Finder = ONLY_BUNDLED, over: Several[FileOrigin] = (), to_play: bool = False
) -> Loaded:
    """The ruleset of a file that was found; `to_play` is as for `from_path`."""
    return _load(place, finder, over, to_play)


def _load(place: FileOrigin, finder: Finder, over: Several[FileOrigin], to_play: bool = False) -> Loaded:
    problems = Problems()
    try:
        with spending_at(Span(place.source, 0, 0)), collect_garbage_rarely():
            return _load_files(place, finder, over, problems, to_play)
    except TooManyErrors as error:
        problems_so_far = Problems()
        for diagnostic in error.diagnostics[: MOST_ERRORS - 1] + error.diagnostics[-1:]:
            problems_so_far.add(diagnostic)
        return Loaded(None, None, problems_so_far, place.folder)
    except RecursionError:
        # A host with a deep call stack leaves too little of it for a ruleset within the limits.
        problems.add(say.too_deep(Span(place.source, 0, 0)))
        return Loaded(None, None, problems, place.folder)


def _load_files(
    place: FileOrigin, finder: Finder, over: Several[FileOrigin], problems: Problems, to_play: bool
) -> Loaded:
    known: dict[str, RulesetFile] = {}
    without_cases = to_play and not over and library.is_ruleset(place.folder)
    written = _read_with_bases(place, finder, problems, (), known, without_cases)
    above = [one for one in (_read_with_bases(layer, finder, problems, (), known) for layer in over) if one is not None]
    if written is None or len(above) < len(over):
        return Loaded(None, None, problems, place.folder)
    of_files = list(problems.errors)
    merged = merge.merge_files(merge.files_in_order(written, above, problems), problems, _references)
    return _with_program(merged, problems, to_play, of_files)


def ruleset_below(merged: Merged) -> Loaded:
    """The ruleset below the last layer, as it is without that layer and without warnings."""
    problems = Problems(most=None)
    return _with_program(merge.merge_files(merged.below, problems, _references), problems, True)


def _with_program(merged: Merged, problems: Problems, to_play: bool, of_files: Several[Diagnostic] = ()) -> Loaded:
    """Merged files with their program. `of_files` are the errors that each file has by itself."""
    root = merged.root
    if merged.layers and problems.most is not None:
        problems.most *= _MANY_FROM_ONE  # until those with one cause are told once
    if merged.layers:
        shaped = schema.conform(root, "ruleset", problems)
        root = shaped if isinstance(shaped, Mapping) else root
    lower = frozenset(source.name for one in merged.below for source in one.sources)
    world = checker.world_of(root, problems, merged.sources, lower)
    program = checker.check(world)
    tell_declarations_once(world)
    drop_doubtful_fixes(world)
    if not to_play:
        report_unread(world, program)
        report_questions(world, program)
        report_stray_rows(world, program, report_never_true(world, program))
    if merged.layers:
        note_cases(world, program)
        merge.report_unused_steps(merged, world.references.values(), problems)
        problems = place_at_causes(problems, merged, of_files, lambda: ruleset_below(merged).problems)
    if merged.layers:
        renamed = new_names(renamed_paths(one.change for one in merged.applied))
        program = replace(program, formerly={**renamed_by_layers(world, renamed), **program.formerly})
    return Loaded(program, world, problems, merged.bases[0].folder, merged)


MOST_BELOW = 64
"""How many rulesets may lie below each other, each extended by the next."""

_MANY_FROM_ONE = 20
"""How many times more errors are gathered under a layer: one slip of it may break all that the base has."""


def _references(root: Mapping) -> References:
    """The places where the names of a ruleset are used, as the checker finds them."""
    world = checker.world_of(root, Problems(most=None), (), frozenset())
    note_cases(world, checker.check(world))
    return world.references


def origin_of_layer(name: str, read: Reader = read) -> FileOrigin:
    """The path of a layer that a command line names: a bundled house rule, or a file."""
    path = find_ruleset(name)
    return FileOrigin(read(path), path.parent)


def find_ruleset(name: str) -> Path:
    """The path that a bundled name, a file or a folder means. Raises RulesetError where there is none."""
    bundled = {**library.rulesets(), **library.house_rules()}
    path = Path(name)
    if name in bundled and not files.is_file(path):
        return bundled[name]
    if files.is_file(path):
        return path
    folder = files.resolve(path) if files.is_folder(path) else None
    if folder is not None and files.file_inside(folder, f"{folder.name}.yaml") is not None:
        return folder / f"{folder.name}.yaml"
    raise RulesetError(say.campaign_as_ruleset(name) if files.is_campaign(name) else say.no_ruleset(name, bundled))


def files_of(path: Path, roots: tuple[Path, ...] = ()) -> set[Path]:
    """The files that a ruleset is read from: its own, its parts, and those of everything that it extends.

    It reads no more of a file than the keys that name others, and passes over what it cannot read.
    """
    todo, done = [path.resolve()], set[Path]()
    while todo:
        file = todo.pop()
        if file in done:
            continue
        done.add(file)
        with suppress(RulesetError):
            place = FileOrigin(read(file), file.parent)
            for key, names in names_of_files(place.source, ("extends", "parts")):
                for name in names:
                    finder = Finder(roots)
                    found = finder.base_file(place, name) if key == "extends" else files.file_inside(file.parent, name)
                    todo += [found.resolve()] if found is not None else []
    return done


def names_of_files(source: Source, keys: Collection[str]) -> Iterator[tuple[str, list[str]]]:
    """Those of some keys at the margin of a text that it has, each with the names under it; nothing else is read."""
    naming = re.compile(rf"^(?:{'|'.join(keys)}) *:.*(?:\n(?:[ \t#-].*)?)*", re.MULTILINE)
    for match in naming.finditer(source.text):
        tree = document.parse(Source(source.name, match[0]), Problems())
        for entry in entries_of(tree):
            yield (
                entry.key.text,
                [one.text for one in items_of(entry.value) or (entry.value,) if isinstance(one, Scalar)],
            )


def parts_of(path: Path) -> list[Path]:
    """The further files of a ruleset that the first one names. Raises RulesetError where one cannot be read."""
    place = FileOrigin(read(path), path.parent)
    tree = document.parse(place.source, Problems())
    names = _named_parts(tree) if isinstance(tree, Mapping) else []
    for one in names:
        Finder().part(place, one.text)  # which refuses one that cannot be read
    return [path.parent / one.text for one in names]


def _read_with_bases(
    place: FileOrigin,
    finder: Finder,
    problems: Problems,
    above: tuple[str, ...],
    known: dict[str, RulesetFile],
    without_cases: bool = False,
) -> RulesetFile | None:
    """A file with its parts, and everything that it extends, without unreadable files.

    `known` holds the files already read, by name, so that a file that several layers extend is read once.
    `without_cases`, parts that hold only cases are left empty.
    """
    source = place.source
    tree = _parse_source(source, problems, finder.limits)
    if tree is None:
        return None
    if not isinstance(tree, Mapping) or not _says_that_it_is_one(tree):
        first = tree.entries[0].key.span if isinstance(tree, Mapping) and tree.entries else tree.span
        of = tree.get("of") if isinstance(tree, Mapping) and "state" in tree else None
        problems.add(say.not_a_ruleset(first, of.text if isinstance(of, Scalar) else None))
        return None
    saved = tree.get(files.KEY_OF_SAVE)
    if isinstance(saved, Scalar) and "/" in saved.text:
        problems.add(say.save_as_ruleset(tree.by_key[files.KEY_OF_SAVE].key.span, saved.text.partition("/")[0]))
        return None
    form = "layer" if any(key in tree for key in ("extends", "changes")) else "ruleset"
    root = _conform_tree(tree, form, problems, finder.limits)
    schema.check_file_name(root, "ruleset", problems)
    if not isinstance(root, Mapping):
        return None
    language = root.get("language")
    if isinstance(language, Scalar) and language.text != "1":
        problems.add(say.wrong_language(language.span, language.text))
    parts = list(_read_parts(root, place, finder, problems, without_cases))
    if len(parts) < len(_named_parts(root)):
        return None  # the names of what cannot be read are no slips
    below = list(_read_bases(root, place, finder, problems, above, known)) if form == "layer" else []
    if len(below) < len(_extended_names(root)):
        return None  # the names of what is missing are no slips
    sources = (source, *(part.span.source for part in parts))
    return merge.ruleset_file(merge.with_parts(root, parts, problems), tuple(below), sources, place.folder, problems)


def _extended_names(root: Mapping) -> list[Scalar]:
    """The names of the files that a layer extends."""
    named = root.get("extends")
    return [item for item in (named.items if isinstance(named, Sequence) else (named,)) if isinstance(item, Scalar)]


def _read_bases(
    root: Mapping,
    place: FileOrigin,
    finder: Finder,
    problems: Problems,
    above: tuple[str, ...],
    known: dict[str, RulesetFile],
) -> Iterator[RulesetFile]:
    for item in _extended_names(root):
        try:
            base = finder.base(place, item.text)
        except RulesetError as error:
            problems.add(say.cannot_extend(item.span, item.text, error.diagnostics[0]))
            continue
        if (hidden := finder.hidden_file(place, item.text)) is not None:
            problems.add(say.bundled_is_meant(item.span, item.text, hidden.name))
        trail = (*above, place.source.name)
        if len(trail) > MOST_BELOW:
            problems.add(say.too_many_below(item.span, MOST_BELOW))
            continue
        if base.source.name in trail:
            problems.add(
                say.cyclic_declarations(item.span, [*trail[trail.index(base.source.name) :], base.source.name])
            )
            continue
        one = known.get(base.source.name) or _read_with_bases(base, finder, problems, trail, known)
        if one is not None:
            known[base.source.name] = one
            yield one


def _says_that_it_is_one(tree: Mapping) -> bool:
    return "ruleset" in tree or any(say.nearest_name(key, ["ruleset"], sure=True) for key in tree.by_key)


def _named_parts(root: Mapping) -> list[Scalar]:
    named = root.get("parts")
    return [item for item in items_of(named) if isinstance(item, Scalar)]


def _parse_source(source: Source, problems: Problems, limits: FileLimits) -> Node | None:
    """The tree of a file, or None if it has none. Problems are added to `problems`."""
    sound = sound_tree(source, None, limits)
    return sound if sound is not None else document.parse(source, problems, limits)


def _conform_tree(tree: Node, form: str, problems: Problems, limits: FileLimits) -> Node:
    """The tree of a file, in the shape of its form. Problems are added to `problems`."""
    sound = sound_tree(tree.span.source, form, limits)
    return sound if sound is not None else schema.conform(tree, form, problems)


_TOP_KEY = re.compile(r"^\w+(?=:)", re.MULTILINE)


def _read_parts(
    root: Mapping, place: FileOrigin, finder: Finder, problems: Problems, without_cases: bool
) -> Iterator[Mapping]:
    own = root.get("ruleset")
    for item in _named_parts(root):
        if "/" in item.text or "\\" in item.text or item.text.startswith(".") or not item.text.endswith(".yaml"):
            problems.add(say.no_such_part(item.span, item.text, "it must be a `.yaml` file beside this one"))
            continue
        try:
            source = finder.part(place, item.text)
        except RulesetError as error:
            why = error.diagnostics[0]
            problems.add(say.no_such_part(item.span, item.text, why.message, why.help))
            continue
        if without_cases and set(_TOP_KEY.findall(source.text)) == {"part_of", "cases"}:
            yield Mapping((), Span(source, 0, 0), {})
            continue
        tree = _parse_source(source, problems, finder.limits)
        part = _conform_tree(tree, "part", problems, finder.limits) if tree is not None else None
        if not isinstance(part, Mapping):
            continue
        name = part.get("part_of")
        if isinstance(name, Scalar) and isinstance(own, Scalar) and name.text != own.text:
            problems.add(say.part_of_another(name.span, name.text, own.text))
        yield part
