"""Hold every automatic fix to what is meant: it restores the program that was meant, or leaves the text alone.

`python -m tests.mistakes --fixes 20000` plants so many mistakes in the bundled rulesets, in their house rules and in
small rulesets, and says of each kind what `check --fix` and the quick fixes of the editor make of it.
"""

from __future__ import annotations

import ast
import re
import shutil
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields, is_dataclass
from functools import cached_property
from pathlib import Path
from random import Random
from typing import Any

from interpreter import ir, pipeline
from interpreter.diagnostics import Diagnostic
from interpreter.diagnostics.codes import codes
from interpreter.diagnostics.edits import apply_edits
from interpreter.diagnostics.source import Source, Span
from interpreter.editor.fixes import fixes_of
from interpreter.formatting.fixes import fix_mistakes

from .meanings import PLANTERS, Slip

TESTS = Path(__file__).parents[1]
RULESETS = TESTS.parent / "rulesets"
SMALL = ("mistakes/*.yaml", "lasting/*.yaml", "peers/*.yaml", "sessions/*.yaml", "workloads/*.yaml")
"""Small rulesets, among the tests; those with mistakes of their own are passed over."""
PROSE = re.compile(r"\b(?:about|ask|title|because|sources?|note|say): |^ *-? *(?:name|rule): |: \||: >|: [A-Z][a-z]+ ")
Rename = Callable[[str], str]

SHARES = (0.8, 0.185, 0.015)
"""How many of the mistakes are planted in tiny, small and large rulesets: to check a large one takes long."""
SIZES = (1_500, 40_000)
"""Rulesets of fewer characters are tiny, and of fewer are small."""


@dataclass(frozen=True)
class Base:
    """A ruleset without mistakes, in a folder of its own: the file that is loaded, and the file that is changed."""

    root: Path
    file: Path
    text: str
    size: int
    """Its place in `SHARES`."""

    @property
    def name(self) -> str:
        return f"{self.root.stem}/{self.file.name}"

    @cached_property
    def loaded(self) -> pipeline.Loaded:
        return self.load(self.text)

    def load(self, text: str) -> pipeline.Loaded:
        """The ruleset with another text of the file."""
        self.file.write_text(text, "utf-8")
        return pipeline.from_path(self.root)

    @cached_property
    def lines(self) -> dict[str, list[int]]:
        """The lines, by section, in which a mistake can be planted: no sentences for people, and no comments."""
        found: dict[str, list[int]] = {}
        section = ""
        for number, line in enumerate(self.text.splitlines()):
            if key := re.match(r"(\w+):", line):
                section = key[1]
            if section and not PROSE.search(line) and "#" not in line and line.strip():
                found.setdefault(section, []).append(number)
        return found


@dataclass(frozen=True)
class Planted:
    """A mistake: the file with it, and the line as it is meant; None if nothing may take its place."""

    kind: str
    base: Base
    line: int
    slip: Slip

    @property
    def before(self) -> str:
        return self.base.text.splitlines()[self.line]

    @property
    def text(self) -> str:
        return self._with(self.slip.after)

    @property
    def meant(self) -> str | None:
        return None if self.slip.meant is None else self._with(self.slip.meant)

    def _with(self, line: str) -> str:
        lines = self.base.text.splitlines()
        return "\n".join([*lines[: self.line], line, *lines[self.line + 1 :]]) + "\n"


@dataclass
class Told:
    """What became of a mistake: by `--fix` and by each quick fix, and the texts that say another thing."""

    planted: Planted
    by_fix: str
    """`valid` (no mistake to the checker), `left`, `restored`, `partly` or `changed`."""
    by_editor: Counter[str] = field(default_factory=Counter)
    """`restored`, `partly` (it does not load) or `changed`."""
    wrong: list[str] = field(default_factory=list)


# The rulesets ------------------------------------------------------------------------------------------------------


def bases(folder: Path, only_tiny: bool = False) -> list[Base]:
    """The rulesets that mistakes are planted in, copied to a folder; with `only_tiny`, examples of the pages."""
    found = []
    for number, text in enumerate(_examples()):
        (file := folder / f"example-{number}.yaml").write_text(text, "utf-8")
        if _is_sound(file):
            found += _copied([file], folder / file.stem)
    if only_tiny:
        return found
    for pattern in SMALL:
        for file in sorted(TESTS.glob(pattern)):
            if _is_sound(file):
                found += _copied([file], folder / file.stem)
    for file in sorted(RULESETS.glob("*/*.yaml")):
        if file.stem == file.parent.name:
            found += _copied([file, *pipeline.parts_of(file)], folder / file.stem)
            for layer in sorted(file.parent.glob("house-rules/*.yaml")):
                found += _copied([layer], folder / f"over-{layer.stem}")
    return found


def _examples() -> Iterator[str]:
    """The sound rulesets of the meanings of the codes, and those of the pages."""
    yield from dict.fromkeys(one["right"] for one in codes().values() if "right" in one)
    for page in sorted(TESTS.parent.glob("docs/**/*.md")):
        for found in re.finditer(r"^```yaml\n(ruleset: .*?)^```$", page.read_text("utf-8"), re.MULTILINE | re.DOTALL):
            yield found[1]


def _is_sound(file: Path) -> bool:
    return "\nruleset: " in f"\n{file.read_text('utf-8')}" and not list(pipeline.from_path(file).problems)


def _copied(files: list[Path], folder: Path) -> list[Base]:
    folder.mkdir()
    for file in files:
        shutil.copy(file, folder)
    below = sorted(files[0].parents[1].glob("*.yaml")) if files[0].parent.name == "house-rules" else []
    characters = sum(len(file.read_text("utf-8")) for file in (*files, *below))
    size = sum(characters >= limit for limit in SIZES)
    copies = [folder / file.name for file in files]
    return [Base(copies[0], copy, copy.read_text("utf-8"), size) for copy in copies]


def planted(found: list[Base], count: int, seed: int) -> Iterator[Planted]:
    """Mistakes, each drawn from the seed: first how large a ruleset, then the kind, the file and the place."""
    random = Random(seed)
    by_size = [[one for one in found if one.size == size] for size in range(len(SHARES))]
    kinds = list(PLANTERS)
    places: dict[tuple[str, int], list[tuple[Base, int]]] = {}
    made = 0
    while made < count:
        (size,) = random.choices(range(len(SHARES)), SHARES)
        kind = random.choice(kinds)
        planter, _ = PLANTERS[kind]
        if (kind, size) not in places:
            places[kind, size] = _places(kind, by_size[size])
        if not places[kind, size]:
            continue
        base, number = random.choice(places[kind, size])
        line = base.text.splitlines()[number]
        slips = [one for one in planter(line, random) if one.after != line and one.after != one.meant]
        if slips:
            made += 1
            yield Planted(kind, base, number, random.choice(slips))


def _places(kind: str, found: list[Base]) -> list[tuple[Base, int]]:
    """The lines in which a kind can be planted."""
    planter, inside = PLANTERS[kind]
    made = []
    for base in found:
        lines = base.text.splitlines()
        for section, numbers in base.lines.items():
            if re.fullmatch(inside, section):
                made += [(base, one) for one in numbers if any(planter(lines[one], Random(0)))]
    return made


def all_told(count: int, seed: int, only_tiny: bool = False, of: str | None = None) -> Iterator[Told]:
    """What becomes of so many mistakes, or of those of one kind among them."""
    with tempfile.TemporaryDirectory() as folder:
        for one in planted(bases(Path(folder), only_tiny), count, seed):
            if of in (None, one.kind):
                yield told(one)


def shown(one: Told) -> str:
    """A mistake of which a fix makes something else."""
    slip, place = one.planted.slip, f"{one.planted.base.name}:{one.planted.line + 1}"
    lines = [f"{one.planted.kind}: {place}", f"  was   {one.planted.before.strip()}", f"  is    {slip.after.strip()}"]
    lines.append(f"  meant {'nothing else' if slip.meant is None else slip.meant.strip()}")
    return "\n".join([*lines, *(f"    {wrong}" for wrong in one.wrong)])


# What becomes of a mistake -------------------------------------------------------------------------------------------


def told(one: Planted) -> Told:
    """What `--fix` and the quick fixes make of a mistake."""
    base = one.base
    try:
        made = base.load(one.text)
        found = list(made.problems)
        if not made.problems.errors:
            answer = Told(one, "valid")
        elif any(error.edits for error in made.problems.errors):
            after = fix_mistakes(pipeline.read(base.root), base.root.parent, ()).texts
            answer = Told(one, "")
            answer.by_fix = _judged(one, _of_base(one, after), answer.wrong, True)
        else:
            answer = Told(one, "left")
        for problem in found:
            for fix in fixes_of(problem):
                if len(found) > 12:
                    continue
                text = _edited(one, problem, fix.edits)
                how = _judged(one, text, answer.wrong, False)
                answer.by_editor[how] += 1
                if how == "changed" or (how == "partly" and len(made.problems.errors) == 1):
                    answer.wrong.append(f"[{how}] quick fix of {problem}: {fix.edits[0][1]!r}")
    finally:
        base.file.write_text(base.text, "utf-8")
    return answer


def _of_base(one: Planted, texts: Mapping[str, str]) -> str | None:
    """The text of the changed file among those that a fix writes; None if it writes another."""
    named = {Path(name).name: text for name, text in texts.items()}
    if set(named) - {one.base.file.name}:
        return None
    return named.get(one.base.file.name, one.text)


def _edited(one: Planted, problem: Diagnostic, edits: Iterable[tuple[Span, str]]) -> str | None:
    sources = {place.source.file for place, _ in edits}
    if {Path(source.name).name for source in sources} != {one.base.file.name}:
        return None
    (source,) = sources
    return apply_edits(source, [(place.in_file, text) for place, text in edits])


def _judged(one: Planted, text: str | None, wrong: list[str], by_fix: bool) -> str:
    """What a text is: what is meant, the text with the mistake, one with errors (`partly`), or another (`changed`)."""
    if text is not None:
        if text == one.text:
            return "left"
        if text == one.meant:
            return "restored"
        made = one.base.load(text)
        if made.problems.errors:
            if by_fix:
                wrong.append(f"[partly] --fix: {_changes(one, text)}")
            return "partly"
        meant = one.base.loaded if one.meant == one.base.text else one.meant and one.base.load(one.meant)
        if meant and meant.program is not None and made.program is not None and same(made, meant, _rename(one)):
            return "restored"
    wrong.append(f"[changed] {'--fix' if by_fix else 'editor'}: {_changes(one, text or '(another file)')}")
    return "changed"


def _rename(one: Planted) -> Rename:
    """How names are compared: where one name has the slip, both spellings are the same, so that a name which keeps its
    slip wherever it is used is what was meant. The checker refuses two things of one name in the same place."""
    pairs = [(old, new) for old, new in zip(_names(one.before), _names(one.slip.after), strict=False) if old != new]
    if len(pairs) != 1:
        return str
    name, slip = (_as_title(one) for one in pairs[0])
    spelling = re.compile(rf"\b{re.escape(slip)}\b")
    return lambda text: spelling.sub(name, _as_title(text))


def _as_title(text: str) -> str:
    """A text without what a title changes of a name, `High ground` of `high_ground`."""
    return text.lower().replace("_", " ")


def _names(text: str) -> list[str]:
    return re.findall(r"\w+", text)


def _changes(one: Planted, text: str) -> str:
    before, after = one.text.splitlines(), text.splitlines()
    return " / ".join(line.strip() for line in after if line not in before) or "lines removed"


def same(one: pipeline.Loaded, other: pipeline.Loaded, rename: Rename = str) -> bool:
    """Whether two rulesets are the same program with the same cases, wherever their parts stand."""
    assert one.world is not None and other.world is not None
    alike = _Alike(rename)
    return alike(one.program, other.program) and alike(one.world.cases, other.world.cases)


_PASSED_OVER = ("tree", "resolved", "refs", "fingerprint", "die_identity", "style", "value", "by_key")


class _Alike:
    """Whether two trees of a program are the same, with names as `rename` makes them."""

    def __init__(self, rename: Rename) -> None:
        self.rename = rename
        self.seen: set[tuple[int, int]] = set()

    def __call__(self, a: Any, b: Any) -> bool:
        if (id(a), id(b)) in self.seen:
            return True
        if isinstance(a, str) and isinstance(b, str):
            return a == b or self.rename(a) == self.rename(b)
        if isinstance(a, (Span, ast.AST, Source)):
            return type(a) is type(b)
        if is_dataclass(a) and not isinstance(a, type):
            self.seen.add((id(a), id(b)))
            if type(a) is not type(b):
                return False
            names = [one.name for one in fields(a) if one.name not in _PASSED_OVER or isinstance(a, ir.Constant)]
            return all(self(getattr(a, name), getattr(b, name)) for name in names)
        if isinstance(a, Mapping):
            self.seen.add((id(a), id(b)))
            return isinstance(b, Mapping) and self([*a], [*b]) and self([*a.values()], [*b.values()])
        if isinstance(a, (tuple, list)):
            same_kind = type(a) is type(b) and len(a) == len(b)
            return same_kind and all(self(x, y) for x, y in zip(a, b, strict=True))
        if isinstance(a, frozenset) and isinstance(b, frozenset):
            return self(sorted(map(str, a)), sorted(map(str, b)))
        return bool(a == b)
