"""A ruleset as a rulebook: chapters of entries, each with its sentences, its example, its odds and its house rules.

What is told comes from `explain`; the templates lay it out as a page.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import field, replace
from functools import cached_property

from interpreter import ir, pipeline
from interpreter.api.game import Game
from interpreter.diagnostics import PlayError
from interpreter.frozen import dataclass
from interpreter.ir.traversal import nodes_under as all_under
from interpreter.layers.merge import Merged, RulesetFile
from interpreter.layers.renamed_paths import RenamedPath, names_for, renamed_paths
from interpreter.odds.comparison import Renamed
from interpreter.pipeline import FileOrigin, Loaded
from interpreter.report.explain import sentences
from interpreter.report.plain_words import FormulaWording
from interpreter.report.sentences import Sentence, with_sentences_below
from interpreter.rulebook.chances import Chances, chances
from interpreter.rulebook.examples import Example, example, usual_setting
from interpreter.rulebook.for_players import told_to_players
from interpreter.rulebook.guide import AtAGlance, HowToRoll, at_a_glance, how_to_roll, main_roll
from interpreter.rulebook.house_rules import ChangedPlace, changed_places
from interpreter.rulebook.tables import Grid, grid
from interpreter.runtime.titles import Titles, titles_of
from interpreter.syntax.document import Mapping as Tree
from interpreter.syntax.document import Node, Scalar
from interpreter.testing.cases import Case, Setting, Trial, cases_of
from interpreter.testing.coverage import listed_rows

FOR_AUTHORS = ("helpers", "types", "functions", "comparators")
"""The chapters that only those read who change the rules."""
CHAPTERS = {
    "mechanics": ("Rolls", "What is rolled, what it needs, and what comes of it."),
    "actions": ("Actions", "What somebody can do, what it costs, and what happens then."),
    "reactions": ("Reactions", "What answers an event, by itself or because somebody chooses to."),
    "scenes": ("Scenes", "How a scene is played, round by round."),
    "events": ("Events", "What happens because a rule or somebody at the table causes it."),
    "kinds": ("Characters and things", "What everybody and everything has."),
    "modifiers": ("Modifiers", "What may be added to a roll."),
    "tables": ("Tables", ""),
    "ladders": ("Ladders", "From the lowest rung to the highest."),
    "names": ("Words", "Lists of words, and what each word means."),
    "helpers": ("Procedures without dice", "What rolls use, and what is found out before them."),
    "types": ("Sets of values", "What belongs together when a roll asks for it."),
    "functions": ("Formulas", "What the rules work out in several places."),
    "comparators": ("Comparisons", ""),
    "options": ("Options", "What a group decides for its table."),
}
"""The chapters by the section of the ruleset, in the order of the page: what a player looks up comes first.

`helpers` are the mechanics that throw no dice.
"""


@dataclass(frozen=True)
class BookEntry:
    """A declaration of the ruleset on the page.

    `gist`, `about` and `plain` are what players read: a sentence, what it says about itself, and what is below. `head`
    is the sentence about it as a whole, and `parts` are those below, both exact, with formulas. `by` is the title of
    the house rule that adds it. `chosen` is the value of an option, if it is not the usual one.
    """

    path: str
    title: str
    head: Sentence
    parts: tuple[Sentence, ...]
    grid: Grid | None = None
    example: Example | None = None
    chances: Chances | None = None
    changes: tuple[ChangedPlace, ...] = ()
    by: str = ""
    chosen: str = ""
    gist: str = ""
    about: str = ""
    plain: tuple[Sentence, ...] = ()

    @property
    def section(self) -> str:
        return self.path.partition(".")[0]

    @property
    def name(self) -> str:
        return self.path.partition(".")[2]


@dataclass(frozen=True)
class Chapter:
    """The entries of one section, under a heading."""

    id: str
    title: str
    about: str
    entries: tuple[BookEntry, ...]
    for_authors: bool = False


@dataclass(frozen=True)
class LayerNote:
    """A house rule of the page, with every place that it changes, and the titles of what it adds."""

    name: str
    title: str
    about: str
    changes: tuple[ChangedPlace, ...]
    adds: tuple[BookEntry, ...]


@dataclass(frozen=True)
class SourceRow:
    """A row of the book: what it is about, how certain it is, and the entries that follow it."""

    row: str
    name: str
    status: str
    note: str
    entries: tuple[BookEntry, ...]


@dataclass(frozen=True)
class Book:
    """A whole rulebook. `guide` is how a roll is made, and `glance` what players do most. `words` are the titles of
    words, which people read in their place, and `titled` those of kinds by their path."""

    name: str
    version: str
    title: str
    about: str
    roles: Mapping[str, str]
    layers: tuple[LayerNote, ...]
    chosen: tuple[tuple[str, str], ...]
    chapters: tuple[Chapter, ...]
    sources: tuple[SourceRow, ...]
    words: Mapping[str, str] = field(default_factory=dict)
    titled: Mapping[str, str] = field(default_factory=dict)
    guide: HowToRoll | None = None
    glance: tuple[AtAGlance, ...] = ()

    @property
    def has_prices(self) -> bool:
        """Whether anything of the summary costs something."""
        return any(one.price or one.takes for one in self.glance)

    @cached_property
    def entries(self) -> dict[str, BookEntry]:
        """All entries by path."""
        return {one.path: one for chapter in self.chapters for one in chapter.entries}

    @cached_property
    def changes(self) -> dict[str, ChangedPlace]:
        """All changed places by path."""
        return {place.path: place for layer in self.layers for place in layer.changes}


def book(made: Loaded, options: Mapping[str, Node], watch: Callable[[int, int], None] = lambda done, of: None) -> Book:
    """The rulebook of a loaded ruleset under `options`; `watch` is told how many rules are done, of how many.

    Raises PlayError for an option that does not fit, RulesetError for a list of rows that cannot be read.
    """
    assert made.program is not None and made.world is not None and made.merged is not None
    return _BookWriter(made, Game(made.program, made.world, options), options).book(watch)


@dataclass
class _BookWriter:
    made: Loaded
    game: Game
    options: Mapping[str, Node]
    changed: dict[str, ChangedPlace] = field(default_factory=dict)

    @property
    def program(self) -> ir.Program:
        return self.game.program

    @property
    def merged_files(self) -> Merged:
        assert self.made.merged is not None
        return self.made.merged

    @cached_property
    def former_game(self) -> Game | None:
        """The game without its house rules, under the same options as far as it has them; None without house rules."""
        if not self.merged_files.layers or len(self.merged_files.bases) != 1:
            return None
        base = self.merged_files.bases[0]
        loaded = pipeline.from_place(FileOrigin(base.sources[0], base.folder))
        if loaded.program is None or loaded.world is None or loaded.problems.errors:
            return None
        known = {name: node for name, node in self.options.items() if name in loaded.program.options}
        try:
            return Game(loaded.program, loaded.world, known)
        except PlayError:  # an option takes a value that only a house rule allows
            return Game(loaded.program, loaded.world)

    @cached_property
    def cases(self) -> list[Case]:
        return list(cases_of(self.game.world.cases))

    @cached_property
    def trial(self) -> Trial:
        return Trial(self.game)

    def book(self, watch: Callable[[int, int], None]) -> Book:
        told = _sentences_by_declaration(self.program)
        before = _sentences_by_declaration(self.former_game.program) if self.former_game is not None else {}
        now = _sentences_by_path(told)
        self.changed = changed_places(self.merged_files, now, _sentences_by_path(before))
        made = [self._entry(path, one) for path, one in told.items()]
        played = [one for one in made if one.section in ("mechanics", "actions", "events")]
        done: dict[str, BookEntry] = {}
        for number, one in enumerate(played):
            watch(number, len(played))
            done[one.path] = self._add_play(one)
        entries = [done.get(one.path, one) for one in made]
        chapters = tuple(
            Chapter(f"chapter-{section}", title, about, found, section in FOR_AUTHORS)
            for section, (title, about) in CHAPTERS.items()
            if (found := tuple(one for one in entries if self._chapter(one) == section))
        )
        base = self.merged_files.bases[0] if self.merged_files.bases else None
        of_layers = bool(self.merged_files.layers) and base is not None
        program = self.program
        return Book(
            _text(base, "ruleset") if of_layers else program.name,
            base.version if of_layers and base else program.version,
            (_text(base, "title") or _text(base, "ruleset")) if of_layers else program.title,
            _text(base, "about") if of_layers else program.about,
            program.roles,
            tuple(self._layer(one, entries) for one in self.merged_files.layers),
            tuple(
                (self._option_title(name), self.titles.value(self.game.option_values[name])) for name in self.options
            ),
            chapters,
            tuple(self._sources(entries)),
            program.word_titles,
            {one.path: program.titles[one.path] for one in program.kinds.values() if one.path in program.titles},
            self._guide(),
            at_a_glance(self.wording, (one.subject for one in self.cases if one.subject is not None)),
        )

    def _guide(self) -> HowToRoll | None:
        main = main_roll(self.program)
        if main is None:
            return None
        shown = example(self.trial, self.cases, self.program.mechanics[main], rich=True)
        return how_to_roll(self.wording, main, shown)

    @cached_property
    def wording(self) -> FormulaWording:
        return FormulaWording(self.program, self.titles, self.game.option_values)

    @property
    def titles(self) -> Titles:
        return titles_of(self.program)

    def _option_title(self, option: str) -> str:
        return self.program.titles.get(f"options.{option}", option)

    def _chapter(self, one: BookEntry) -> str:
        """The chapter of an entry."""
        return "helpers" if one.section == "mechanics" and one.name not in self._mechanics_that_roll else one.section

    @cached_property
    def _mechanics_that_roll(self) -> set[str]:
        """The mechanics that throw dice, by themselves or in what they call."""
        inside = {name: list(all_under(rule)) for name, rule in self.program.mechanics.items()}
        mechanics = {name for name, all_ in inside.items() if any(isinstance(one, ir.RollDice) for one in all_)}
        calls = {name: {one.mechanic for one in all_ if isinstance(one, ir.Call)} for name, all_ in inside.items()}
        while more := {name for name, called in calls.items() if called & mechanics} - mechanics:
            mechanics |= more
        return mechanics

    def _entry(self, path: str, told: list[Sentence]) -> BookEntry:
        section, _, name = path.partition(".")
        head, *parts = told
        changes = tuple(one for key, one in self.changed.items() if key == path or key.startswith(f"{path}."))
        plain = told_to_players(self.wording, section, name)
        about = _about(self.program, section, name)
        title = _title(self.program, section, name)
        entry = BookEntry(
            path, title, head, tuple(parts), changes=changes, gist=_first_sentence(about), about=about, plain=plain
        )
        if section in ("tables", "functions", "options", "types", "modifiers"):
            entry = replace(entry, head=replace(head, below=()), parts=head.below)
        if section == "tables":
            table = self.program.tables[name]
            rows = tuple(one for one in entry.parts if one.part != "row")
            entry = replace(entry, grid=grid(table, self.wording), parts=rows)
        if section == "options" and name in self.options:
            entry = replace(entry, chosen=self.titles.value(self.game.option_values[name]))
        return replace(entry, by=self._house_rule_of(section, name))

    def _house_rule_of(self, section: str, name: str) -> str:
        """The title of the house rule that adds a declaration."""
        if self.former_game is None:
            return ""
        for one in self.merged_files.layers:
            added = any(c.verb == "add" and c.path == (section, name) for c in one.changes)
            own = one.root.get("names" if section == "names" else section)
            if added or (isinstance(own, Tree) and name in own):
                return _text(one, "title") or one.name
        return ""

    def _add_play(self, one: BookEntry) -> BookEntry:
        """An entry with the example and the odds of its rule."""
        rule = self.program.playable[one.section][one.name]
        own = {source.name for layer in self.merged_files.layers for source in layer.sources}
        shown = example(self.trial, self.cases, rule, own)
        # The odds are those of an example of the book, also under house rules: their cases are about rare faces.
        asked = example(self.trial, self.cases, rule) if own else shown
        if asked is None:
            setting, answers = usual_setting(self.trial, self.cases, rule), {}
        else:
            setting, answers = asked.setting if asked.thrown else None, asked.choices
        if setting is None:
            return replace(one, example=shown)
        before = self._former_setting(setting, asked.case if asked is not None else None)
        renamed = Renamed(*names_for(self._renamed_paths, rule.path))
        return replace(one, example=shown, chances=chances(setting, answers, before, renamed))

    def _former_setting(self, setting: Setting, case: Case | None) -> Setting | None:
        """The same rule and inputs without the house rules; None where there is no such rule."""
        if self.former_game is None:
            return None
        try:
            self.former_game.rule(setting.rule)
            return (
                Trial(self.former_game).setting(case) if case is not None else replace(setting, game=self.former_game)
            )
        except PlayError:  # only house rules have it, or what it needs
            return None

    @cached_property
    def _renamed_paths(self) -> tuple[RenamedPath, ...]:
        return renamed_paths(one.change for one in self.merged_files.applied)

    def _layer(self, layer: RulesetFile, entries: Iterable[BookEntry]) -> LayerNote:
        title = _text(layer, "title") or layer.name
        places = tuple(one for one in self.changed.values() if any(r.layer == layer.name for r in one.reasons))
        adds = tuple(one for one in entries if one.by == title)
        return LayerNote(layer.name, title, _text(layer, "about"), places, adds)

    def _sources(self, entries: Iterable[BookEntry]) -> Iterator[SourceRow]:
        """The rows of the book in their order, and after them others that are cited."""
        known = listed_rows(self.made.folder)
        by_path = {one.path: one for one in entries}
        cited: dict[str, list[str]] = {row: [] for row in known}
        status = {row: of for row, (of, _) in known.items()}
        for one in self.program.citations:
            cited.setdefault(one.row, []).append(".".join(one.path.split(".")[:2]))
            status.setdefault(one.row, one.status)
        for row in self.program.notes:
            cited.setdefault(row, [])
        for row, paths in cited.items():
            found = tuple(by_path[path] for path in dict.fromkeys(paths) if path in by_path)
            name = known[row][1] if row in known else ""
            yield SourceRow(row, name, status.get(row, ""), self.program.notes.get(row, ""), found)


def _sentences_by_declaration(program: ir.Program) -> dict[str, list[Sentence]]:
    """What there is to say about every declaration, by its path."""
    by_path: dict[str, list[Sentence]] = {}
    for section in (one for one in CHAPTERS if one != "helpers"):
        if section == "names":
            by_path |= {f"names.{name}": _sentences_of_word_list(program, name) for name in program.words}
            continue
        for name in getattr(program, section):
            by_path[f"{section}.{name}"] = list(_printable(sentences(program, section, name)))
    return by_path


def _printable(sentences: Iterable[Sentence]) -> Iterator[Sentence]:
    """Sentences without those about what a screen shows."""
    for one in sentences:
        if one.part != "screen":
            yield replace(one, below=tuple(_printable(one.below)))


def _sentences_of_word_list(program: ir.Program, name: str) -> list[Sentence]:
    """A list of words with their meanings."""
    below = tuple(
        Sentence(program.meanings.get(name, {}).get(word, ""), f"names.{name}.{word}", lead=f"{title}: ", name=title)
        for word, title in ((word, program.word_titles.get(word, word)) for word in program.words[name])
    )
    return [Sentence("", f"names.{name}"), Sentence("", below=below, part="inputs")]


def _sentences_by_path(told: Mapping[str, list[Sentence]]) -> dict[str, Sentence]:
    """Every sentence by the path of its construct; of several, the first."""
    by_path: dict[str, Sentence] = {}
    for several in told.values():
        for one in with_sentences_below(several):
            if one.path:
                by_path.setdefault(one.path, one)
    return by_path


def _title(program: ir.Program, section: str, name: str) -> str:
    if section == "reactions":
        return program.reactions[name].action.rule.title
    if section in program.playable:
        return program.playable[section][name].title
    if section == "modifiers":
        return program.modifiers[name].title
    words = name.replace("_", " ")
    return program.titles.get(f"{section}.{name}") or words[:1].upper() + words[1:]


def _about(program: ir.Program, section: str, name: str) -> str:
    """What a declaration says about itself."""
    if section == "reactions":
        return program.reactions[name].action.rule.about
    if section in program.playable:
        return program.playable[section][name].about
    if section in ("kinds", "options", "functions", "tables"):
        return str(getattr(program, section)[name].about)
    return program.abouts.get(f"{section}.{name}", "")


def _first_sentence(text: str) -> str:
    return re.split(r"(?<=[.!?;]) ", text, maxsplit=1)[0].rstrip(";")


def _text(file: RulesetFile | None, key: str) -> str:
    node = file.root.get(key) if file is not None else None
    return " ".join(node.text.split()) if isinstance(node, Scalar) else ""
