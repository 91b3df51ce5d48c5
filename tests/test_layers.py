"""House rules that cannot be applied, and the effects of those that can when the ruleset below them changes.

A file of `tests/rejected/layers` is a layer over `club.yaml`, or over other layers beside it, and says itself what
must be found, as the files of `tests/rejected` do. What is found in another file is named with that file, and a place
that a message points to besides is an `N`:

    comparators.beats: {set: at least}      # W: HR905 3 does not say why
    # E@4: HR554 28 `top` already exists
    # E@club.yaml:49: HR301 15 there is no `reach`
    # N@club.yaml:51: 7 it is defined here

A first line `# test` says that the cases are run. Files without any of these are sound.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from pathlib import Path

import games
import pytest
from marks import is_slow, thorough

from interpreter import bundled, checker, pipeline
from interpreter.api.game import Game
from interpreter.diagnostics import Diagnostic, Problems
from interpreter.diagnostics.source import Source
from interpreter.layers.merge import LayerChange, RulesetFile, merge_files, node_at
from interpreter.pipeline import Loaded
from interpreter.syntax import grammar as g
from interpreter.syntax import schema
from interpreter.syntax.document import Entry, Mapping, Node, Scalar, Sequence
from interpreter.testing.cases import Trial, cases_of
from interpreter.testing.layered import judge_under_layers

FOLDER = Path(__file__).parent / "rejected" / "layers"
FILES = sorted(FOLDER.glob("*.yaml"))
WRONG = [file for file in FILES if re.search(r"# [EW][:@]", file.read_text("utf-8"))]

_SAID = re.compile(
    r"# (?P<kind>[EWN])(?:@(?:(?P<file>[\w-]+\.yaml):)?(?P<line>\d+))?: "
    r"(?:(?P<code>HR\d{3}) )?(?P<column>\d+) (?P<words>.*)"
)

Place = tuple[str, str, str, int, int]
"""Kind, code, file, line and column."""


def expected(file: Path) -> Iterator[tuple[Place, str]]:
    """What the comments of a file say must be found, and some words of it."""
    for number, line in enumerate(file.read_text("utf-8").splitlines(), 1):
        for comment in re.split(r"\s(?=# [EWN][:@])", line):
            if said := _SAID.match(comment):
                where = (said["file"] or file.name, int(said["line"] or number), int(said["column"]))
                yield (said["kind"], said["code"] or "", *where), said["words"].strip()


def found(file: Path) -> Iterator[tuple[Place, str]]:
    for one in problems(file):
        name = Path(one.path).name
        yield (one.severity[0].upper(), one.code, name, one.line, one.column), f"{one.message} {one.help or ''}"
        for span, words in one.notes:
            yield ("N", "", Path(span.source.name).name, span.line, span.column), words


UNREAD = {"HR909", "HR912", "HR913"}
"""What the rulesets of this folder declare only for house rules to change it is read by nothing."""


def problems(file: Path) -> list[Diagnostic]:
    made = pipeline.from_path(file)
    if not file.read_text("utf-8").startswith("# test"):
        return [one for one in made.problems if one.code not in UNREAD]
    assert made.program and made.world and made.merged
    assert not made.problems.errors
    trial = Trial(Game(made.program, made.world))
    verdicts = judge_under_layers([trial.run(case) for case in cases_of(made.world.cases)], made.merged, made.program)
    return [failure for verdict in verdicts for failure in verdict.failures]


@pytest.mark.parametrize("file", FILES, ids=lambda path: path.stem)
def test_what_cannot_be_applied_is_reported_once_with_every_place(file: Path) -> None:
    wanted, got = sorted(expected(file)), sorted(found(file))
    assert [place for place, _ in got] == [place for place, _ in wanted]
    for (_, words), (_, message) in zip(wanted, got, strict=True):
        assert words in message


@pytest.mark.parametrize("kind", sorted({file.stem.rsplit("-", 1)[0] for file in WRONG}))
def test_each_kind_is_tried_several_times(kind: str) -> None:
    assert len([file for file in WRONG if file.stem.rsplit("-", 1)[0] == kind]) >= 3


def test_a_layer_for_another_ruleset_is_refused() -> None:
    over = pipeline.origin_of_layer(str(FOLDER / "easy.yaml"))
    made = pipeline.from_path(pipeline.find_ruleset("pbta"), over=[over])
    assert [one.code for one in made.problems] == ["HR563"]
    assert "it is made for `club`" in str(made.problems.errors[0])


# What a layer extends --------------------------------------------------------------------------------------------

BASE = "ruleset: base\nmechanics:\n  m:\n    steps: {die: {roll: d6}}\n"


def extending(folder: Path, name: str) -> Loaded:
    (folder / "layer.yaml").write_text(f"ruleset: layer\nextends: {name}\n")
    return pipeline.from_path(folder / "layer.yaml")


@pytest.mark.parametrize("name", ["market", "market.yaml", "stalls/corner"])
def test_a_file_beside_is_named_with_its_ending_or_without(name: str, tmp_path: Path) -> None:
    (tmp_path / "stalls").mkdir()
    for file in ("market.yaml", "stalls/corner.yml"):
        (tmp_path / file).write_text(BASE)
    made = extending(tmp_path, name)
    assert made.merged is not None and not made.problems.errors
    assert [one.name for one in made.merged.bases] == ["base"]


def test_a_bundled_name_comes_first_and_a_file_of_that_name_is_spoken_of(tmp_path: Path) -> None:
    assert not list(extending(tmp_path, "pbta").problems)
    (tmp_path / "pbta.yaml").write_text(BASE)
    made = extending(tmp_path, "pbta")
    assert [one.code for one in made.problems] == ["HR906"]
    assert made.merged is not None and made.merged.bases[0].name == "pbta"
    assert not list(extending(tmp_path, "pbta.yaml").problems)


@pytest.mark.parametrize("name", ["../market", "markt"])
def test_a_file_that_is_not_there_or_out_of_reach_is_not_found(name: str, tmp_path: Path) -> None:
    for folder in (tmp_path, inside := tmp_path / "inside"):
        folder.mkdir(exist_ok=True)
        (folder / "market.yaml").write_text(BASE)
    (error,) = extending(inside, name).problems.errors
    assert (error.code, error.help) == ("HR559", "did you mean `market`?")


# A name changed everywhere it is used ----------------------------------------------------------------------------

NAMED = [
    "comparators.beats", "roles.captain", "tags.wet", "names.weather", "names.weather.storm", "names.weather.calm",
    "names.cargo", "names.cargo.gold", "names.cargo.salt", "ladders.rank", "ladders.rank.rungs.knight",
    "ladders.rank.rungs.squire", "ladders.rank.rungs.page", "ladders.size", "dice.omen", "options.tie",
    "options.tie.one_of.mercy", "options.tie.one_of.rigour", "options.tolls", "functions.half",
    "functions.half.takes.n", "functions.kept", "functions.kept.takes.what", "tables.drift", "tables.price",
    "tables.price.rows.wine", "tables.delay", "types.crew", "types.crew.has.hands", "types.crew.has.skill",
    "types.crew.has.chief", "modifiers.blessed", "modifiers.windy", "modifiers.windy.takes.force", "mechanics.sail",
    "mechanics.sail.inputs.who", "mechanics.sail.inputs.sky", "mechanics.sail.inputs.ground",
    "mechanics.sail.inputs.ground.one_of.reef", "mechanics.sail.inputs.load", "mechanics.sail.requires.afloat",
    "mechanics.sail.steps.oars", "mechanics.sail.steps.oars.roll.own", "mechanics.sail.steps.oars.roll.fate",
    "mechanics.sail.steps.oars.each.burn", "mechanics.sail.steps.oars.each.worth", "mechanics.sail.steps.burnt",
    "mechanics.sail.steps.luck", "mechanics.sail.steps.aboard", "mechanics.sail.steps.pool",
    "mechanics.sail.steps.far",
    "mechanics.sail.steps.left_over", "mechanics.sail.steps.stop", "mechanics.sail.outcomes.landed",
    "mechanics.sail.outcomes.drifting", "mechanics.sail.outcomes.drifting.steps.paid",
    "mechanics.sail.outcomes.wrecked", "mechanics.sail.also.proud", "mechanics.sail.also.mood",
    "mechanics.sail.also.mood.glad", "mechanics.sail.also.mood.sad", "mechanics.fleet", "mechanics.fleet.steps.ship",
    "mechanics.fleet.steps.well", "mechanics.fleet.steps.folded", "policies.bold",
]  # fmt: skip
"""Every kind of name that `voyage.yaml` has."""


def over_voyage(*renames: tuple[str, str]) -> Loaded:
    """`voyage.yaml` under layers that rename something, each over the one before."""
    changes = "".join(f"  {path}: {{rename: {new}, because: It sounds better.}}\n" for path, new in renames)
    text = f"ruleset: renamed\nextends: voyage.yaml\nchanges:\n{changes}"
    return pipeline.from_text(Source.of("renamed.yaml", text), pipeline.Finder((FOLDER,)))


def unsound(made: Loaded) -> list[str]:
    """Everything that is wrong with a ruleset or its cases."""
    if made.problems.errors:
        return [str(one) for one in made.problems]
    assert made.program and made.world and made.merged
    trial = Trial(Game(made.program, made.world))
    verdicts = judge_under_layers([trial.run(case) for case in cases_of(made.world.cases)], made.merged, made.program)
    return [str(failure) for one in verdicts for failure in one.failures]


@pytest.mark.parametrize("path", thorough(NAMED, lambda path: NAMED.index(path) % 4 > 0))
@pytest.mark.parametrize("change", [lambda name: f"re_{name}", lambda name: name[0] + "x"], ids=["longer", "short"])
def test_a_name_is_changed_everywhere_and_the_cases_hold(path: str, change: Callable[[str], str]) -> None:
    made = over_voyage((path, change(path.rsplit(".", 1)[-1])))
    assert unsound(made) == []
    assert made.merged is not None and not made.merged.root.get("differs")


def test_many_names_are_changed_one_after_the_other() -> None:
    deepest_first = reversed(NAMED)  # so that paths stay true
    assert unsound(over_voyage(*((path, f"n{number}") for number, path in enumerate(deepest_first)))) == []


def test_a_name_is_changed_twice() -> None:
    twice = (("mechanics.sail.outcomes.landed", "ashore"), ("mechanics.sail.outcomes.ashore", "at_home"))
    assert unsound(over_voyage(*twice)) == []


# When the ruleset below changes ----------------------------------------------------------------------------------

FIXED = {key for form in (*g.FORMS.values(), *g.VERBS.values()) for key in form.keys}
"""Keys of the language; all other names of a path are an author's."""

NAMES = sorted(bundled.house_rules())


def written(name: str) -> tuple[list[RulesetFile], list[RulesetFile]]:
    """The files of a bundled house rule: of its bases, and of the layers over them."""
    made = games.loaded(name).merged
    assert made is not None
    return made.bases, made.layers


def outcome(files: list[RulesetFile]) -> list[Diagnostic]:
    """The problems of merging these files and of the merged tree."""
    problems = Problems()
    root = schema.conform(merge_files(files, problems, pipeline._references).root, "ruleset", problems)
    assert isinstance(root, Mapping)
    sources = tuple(source for one in files for source in one.sources)
    world = checker.world_of(root, problems, sources, frozenset(source.name for source in sources))
    checker.check(world)
    return problems.errors


def mapping(entries: Iterable[Entry], node: Node) -> Mapping:
    kept = tuple(entries)
    return Mapping(kept, node.span, {entry.key.text: entry for entry in kept})


def shuffled(root: Mapping) -> Mapping:
    """A ruleset with all that has no order upside down, and with strange steps between its steps."""
    sections = []
    for section in reversed(root.entries):
        value = section.value
        if section.key.text == "mechanics" and isinstance(value, Mapping):
            value = mapping([Entry(one.key, with_strangers(one.value)) for one in reversed(value.entries)], value)
        elif section.key.text in ("options", "functions", "tables", "types", "modifiers", "comparators", "roles"):
            assert isinstance(value, Mapping)
            value = mapping(reversed(value.entries), value)
        sections.append(Entry(section.key, value))
    return mapping(sections, root)


def with_strangers(mechanic: Node) -> Node:
    assert isinstance(mechanic, Mapping)
    steps = mechanic.get("steps")
    assert isinstance(steps, Mapping)
    mixed: list[Entry] = []
    for number, step in enumerate(steps.entries):
        mixed += [Entry(Scalar(f"stranger_{number}", step.key.span), Scalar(f"{number}", step.key.span)), step]
    entries = (Entry(one.key, mapping(mixed, steps)) if one.key.text == "steps" else one for one in mechanic.entries)
    return mapping(entries, mechanic)


@pytest.mark.parametrize("name", thorough(NAMES, is_slow, every=4))
def test_a_layer_survives_what_has_nothing_to_do_with_it(name: str) -> None:
    bases, layers = written(name)
    assert [str(error) for error in outcome([*bases, *layers])] == []
    assert [str(error) for error in outcome([*(replace(one, root=shuffled(one.root)) for one in bases), *layers])] == []


def target(change: LayerChange, root: Mapping) -> tuple[str, ...]:
    """The path to the last name in a change that is an author's and stands in the ruleset below."""
    path = change.path
    if change.anchor is not None and change.verb == "add":
        path = (*path[:-1], change.anchor.split(" ", 1)[1])
    while path and (path[-1] in FIXED or node_at(root, path) is None):
        path = path[:-1]
    return path


def renamed(node: Node, path: tuple[str, ...], new: str) -> Node:
    """A tree in which the last name of a path is another; nothing that uses it follows."""
    if isinstance(node, Sequence):
        return Sequence(tuple(_called(one, path[-1], new) for one in node.items), node.span)
    if not isinstance(node, Mapping):
        return node
    if path[0] not in node and len(path) == 2:  # the short form of a list of names
        path = path[1:]
    entries = []
    for one in node.entries:
        if one.key.text != path[0]:
            entries.append(one)
        elif len(path) == 1:
            entries.append(Entry(Scalar(new, one.key.span), one.value))
        else:
            entries.append(Entry(one.key, renamed(one.value, path[1:], new)))
    return mapping(entries, node)


def _called(node: Node, old: str, new: str) -> Node:
    return Scalar(new, node.span) if isinstance(node, Scalar) and node.text == old else node


@pytest.mark.parametrize("name", thorough(NAMES, is_slow, every=4))
def test_a_layer_whose_target_has_another_name_is_told_the_new_one(name: str) -> None:
    bases, layers = written(name)
    (base, *others), changes = bases, [change for layer in layers for change in layer.changes]
    tried = 0
    for change in changes:
        path = target(change, base.root)
        if not path:
            continue  # what an earlier change of the same layer has added
        new = path[-1] + path[-1][-1]
        root = renamed(base.root, path, new)
        assert isinstance(root, Mapping)
        problems = Problems()
        merge_files([replace(base, root=root), *others, *layers], problems, pipeline._references)
        about = [one for one in problems.errors if one.path == change.span.source.name]
        assert any(one.help == f"did you mean `{new}`?" for one in about), (path, list(map(str, problems)))
        assert {one.code for one in about} <= {"HR553", "HR557"}
        tried += 1
    assert tried or not changes
