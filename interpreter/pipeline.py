"""Text becomes a program: the stages in order.

    text → document (YAML with positions) → schema (its shape) → checker (names, types, wholes) → Program

Every stage reports to the same `Problems` and goes on with what is sound.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from interpreter import checker, document, library, schema
from interpreter import diagnostics as say
from interpreter.checker.world import World
from interpreter.diagnostics import Problems, RulesetError
from interpreter.document import USUAL, Limits, Mapping, Scalar, Sequence
from interpreter.ir import Program
from interpreter.source import Source, Span


@dataclass(frozen=True)
class Loaded:
    """A ruleset as far as it could be read. `program` may be played only if there are no `errors`."""

    program: Program | None
    world: World | None
    problems: Problems
    folder: Path | None = None


ReadPart = Callable[[str], Source]


def from_text(source: Source, read_part: ReadPart | None = None, limits: Limits = USUAL) -> Loaded:
    """The ruleset of a text. `read_part` gives further files of its folder; without it there are none."""
    problems = Problems()
    root = _file(source, "ruleset", problems, limits)
    if root is None:
        return Loaded(None, None, problems)
    parts = list(_parts(root, read_part, problems, limits))
    world = checker.world_of(root, parts, problems)
    language = root.get("language")
    if isinstance(language, Scalar) and language.text != "1":
        problems.add(say.wrong_language(language.span, language.text))
    return Loaded(checker.check(world), world, problems)


def from_path(path: Path) -> Loaded:
    """The ruleset of a file, or of a folder, which has one of the folder's own name."""
    file = path / f"{path.name}.yaml" if path.is_dir() else path
    folder = file.parent
    try:
        source = read(file)
    except RulesetError as error:
        problems = Problems()
        for diagnostic in error.diagnostics:
            problems.add(diagnostic)
        return Loaded(None, None, problems, folder)
    made = from_text(source, lambda name: read(folder / name))
    return Loaded(made.program, made.world, made.problems, folder)


def find(name: str) -> Path:
    """The path that a bundled name, a file or a folder means. Raises RulesetError where there is none."""
    bundled = library.rulesets()
    path = Path(name)
    if name in bundled and not path.is_file():
        return bundled[name]
    if path.is_file() or (path.is_dir() and (path / f"{path.resolve().name}.yaml").is_file()):
        return path.resolve() if path.is_dir() else path
    raise RulesetError(say.no_ruleset(name, bundled))


def read(path: Path) -> Source:
    """A file as a source. Raises RulesetError where it cannot be read as text."""
    name = shown(path)
    try:
        with path.open("rb") as file:
            data = file.read(USUAL.size + 1)
    except OSError as error:
        raise RulesetError(say.cannot_read(name, (error.strerror or str(error)).lower())) from None
    if len(data) > USUAL.size:
        raise RulesetError(say.file_too_large(Span(Source(name, ""), 0, 0), USUAL.size))
    try:
        return Source.of(name, data.decode("utf-8"))
    except UnicodeDecodeError:
        raise RulesetError(say.not_utf8(Span(Source(name, ""), 0, 0))) from None


def shown(path: Path) -> str:
    """A path as messages show it: from the working folder where it lies below it."""
    try:
        return path.resolve().relative_to(Path.cwd()).as_posix()
    except ValueError:
        return path.as_posix()


def _file(source: Source, form: str, problems: Problems, limits: Limits) -> Mapping | None:
    tree = document.parse(source, problems, limits)
    if tree is None:
        return None
    if not isinstance(tree, Mapping) or (form == "ruleset" and not _says_that_it_is_one(tree)):
        first = tree.entries[0].key.span if isinstance(tree, Mapping) and tree.entries else tree.span
        problems.add(say.not_a_ruleset(first))
        return None
    shaped = schema.conform(tree, form, problems)
    return shaped if isinstance(shaped, Mapping) else None


def _says_that_it_is_one(tree: Mapping) -> bool:
    return "ruleset" in tree or any(say.nearest_name(key, ["ruleset"], sure=True) for key in tree.by_key)


def _parts(root: Mapping, read_part: ReadPart | None, problems: Problems, limits: Limits) -> Iterator[Mapping]:
    named, own = root.get("parts"), root.get("ruleset")
    for item in named.items if isinstance(named, Sequence) else ():
        if not isinstance(item, Scalar):
            continue
        if "/" in item.text or "\\" in item.text or item.text.startswith(".") or not item.text.endswith(".yaml"):
            problems.add(say.no_such_part(item.span, item.text, "it must be a `.yaml` file beside this one"))
            continue
        if read_part is None:
            problems.add(say.no_such_part(item.span, item.text, "this ruleset comes without a folder"))
            continue
        try:
            source = read_part(item.text)
        except RulesetError as error:
            problems.add(say.no_such_part(item.span, item.text, error.diagnostics[0].message))
            continue
        part = _file(source, "part", problems, limits)
        if part is None:
            continue
        name = part.get("part_of")
        if isinstance(name, Scalar) and isinstance(own, Scalar) and name.text != own.text:
            problems.add(say.part_of_another(name.span, name.text, own.text))
        yield part
