"""A workbench for rule files: what a page or an editor asks while somebody writes them, answered as plain data.

    texts → analysis → problems, forms → odds beside those of the base, rolls, the rulebook

While a text has errors, the game that it last was without errors answers.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from interpreter import bundled, ir, pipeline
from interpreter import diagnostics as say
from interpreter.api import scene_file
from interpreter.api.decode import fold_dotted_keys, node_of
from interpreter.api.game import Game
from interpreter.api.otherwise import nearest_changes
from interpreter.api.playable_scene import PlayableScene, scene_of
from interpreter.api.reasons import reasons_of
from interpreter.api.result import Result
from interpreter.delta.touched import rules_that_use, touched_rules
from interpreter.diagnostics import Diagnostic, PlayError, RulesetError
from interpreter.diagnostics.source import Span
from interpreter.editor.analysis import Analysis, analysis_of, problems_of
from interpreter.editor.completion import completions_at, first_keys
from interpreter.editor.desk import Desk
from interpreter.editor.fixes import fixes_of
from interpreter.editor.hover import hover_at
from interpreter.editor.odds import base_analysis, odds_lines
from interpreter.frozen import dataclass
from interpreter.host import answers as data
from interpreter.host.chances import Tail, table_of, tables_of
from interpreter.host.forms import forms_of
from interpreter.host.utf16 import offset_of, units_of
from interpreter.layers.renamed_paths import names_for, renamed_paths
from interpreter.odds.answer import Odds
from interpreter.odds.comparison import Comparison, Renamed, compare
from interpreter.odds.strategy import sentences
from interpreter.play.trace_events import StepDone
from interpreter.report.why import names_with_reasons
from interpreter.runtime.rng import Seed
from interpreter.runtime.titles import titles_of
from interpreter.syntax.file_head import file_head
from interpreter.syntax.files import write_whole
from interpreter.syntax.schema import is_file_name
from interpreter.values import Thrown, in_words

SECONDS = 3.0
"""How long odds may take where nobody says it, in the measure of `Game.odds`."""
DEEPEST = 4
"""How far the reasons of a result are told."""


@dataclass(frozen=True)
class Sound:
    """Rules without errors, and those below them if they are a house rule."""

    analysis: Analysis
    base: Analysis | None

    @property
    def game(self) -> Game:
        return self.analysis.game

    @property
    def base_game(self) -> Game | None:
        return self.base.game if self.base is not None and self.base.is_sound else None


class Workbench:
    """The open files of one author, in a folder of their own, and the rules that they last were without errors."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder.resolve()
        self.desk = Desk()
        self.main = ""
        self.sound: Sound | None = None
        self._overview: data.GameOverview | None = None

    # The texts -----------------------------------------------------------------------------------------------------

    def check(self, files: Mapping[str, str], main: str) -> data.Checked:
        """Take over the texts of all open files, of which `main` is loaded, and say what is wrong with them.

        Raises PlayError for a name that is none of a file.
        """
        self._write(files, main)
        analysis = analysis_of(self.folder / main, self.desk.texts, (self.folder,))
        problems = problems_of(analysis)
        self.desk.keep_analysis(analysis, problems)
        if analysis.is_sound and analysis.scene is None:
            self.sound = Sound(analysis, base_analysis(analysis))
            self._overview = self._tell_overview(self.sound)
        placed = tuple(self._problem(analysis, one) for one in problems)
        return data.Checked(placed, analysis.is_sound, self._overview)

    def _write(self, files: Mapping[str, str], main: str) -> None:
        for name in files:
            if not name.endswith(pipeline.ENDINGS) or not is_file_name(name.rsplit(".", 1)[0]):
                raise PlayError(say.not_a_call(f"`{name}` is no name of a file", "write one such as `rules.yaml`"))
        if main not in files:
            raise PlayError(say.not_a_call(f"`main` is `{main}`, which is no open file"))
        if main != self.main:
            self.main, self.sound, self._overview = main, None, None
        for path in [one for one in self.desk.texts if one.name not in files]:
            self.desk.close(path)
            path.unlink(missing_ok=True)
        for name, text in files.items():
            path = self.folder / name
            if self.desk.texts.get(path) != text:
                write_whole(str(path), text)
            self.desk.write(path, text, known=True)

    def _problem(self, analysis: Analysis, one: Diagnostic) -> data.PlacedProblem:
        place = self._place(analysis, one.span)
        file, start, end = place or ("", 0, 0)
        where = "" if place is not None else f"{one.path}:{one.line}" if one.path else ""
        fixes = []
        for fix in fixes_of(one):
            edits = [(self._place(analysis, span), text) for span, text in fix.edits]
            if all(where is not None for where, _ in edits):
                fixes.append(
                    data.OfferedFix(fix.title, tuple(data.Edit(*where, text) for where, text in edits if where))
                )
        said = one.code, one.message, one.help or "", tuple(fixes)
        return data.PlacedProblem(file, start, end, one.line, where, str(one.severity), *said)

    def _place(self, analysis: Analysis, span: Span) -> tuple[str, int, int] | None:
        """The file and the place of a span in UTF-16 units; None where it is in no open file."""
        path = analysis.paths.get(span.source.name)
        if path is None or path not in self.desk.texts:
            return None
        text, inside = self.desk.texts[path], span.in_file
        return path.name, units_of(text, inside.start), units_of(text, inside.end)

    # The rules -----------------------------------------------------------------------------------------------------

    def rules(self) -> Sound:
        """The rules as they last were without errors. Raises PlayError if they never were."""
        if self.sound is None:
            raise PlayError(say.not_a_call("there are no rules without errors yet", "`check` them first"))
        return self.sound

    def _tell_overview(self, sound: Sound) -> data.GameOverview:
        """What a page shows of the rules: it is told once for each text without errors."""
        world, merged = sound.analysis.loaded.world, sound.analysis.loaded.merged
        assert world is not None
        game, base = sound.game, sound.base_game
        changes = [one.change.path for one in merged.applied] if merged is not None else []
        paths = touched_rules(base.program, game.program, ["mechanics"]) if base is not None else []
        # A house rule that sets something to what it is changes nothing yet, and its author looks at what uses that.
        if not paths:
            uses = (rules_that_use(game.program, {".".join(path[:2])}, ["mechanics"]) for path in changes)
            paths = list(dict.fromkeys(path for used in uses for path in used))
        return data.GameOverview(
            game.name,
            game.title or game.name,
            game.program.about,
            data.Titled(base.name, base.title or base.name) if base is not None else None,
            forms_of(game, world),
            tuple(path.removeprefix("mechanics.") for path in paths),
            tuple(data.SceneChoice(one.name, one.title, one.about, dict(one.players)) for one in self.scenes()),
            tuple(".".join(path) for path in changes),
        )

    def scenes(self) -> Iterator[PlayableScene]:
        """The scenes that may be played: those of open scene files, and those that come with the game."""
        rules = self.rules()
        merged, there = rules.analysis.loaded.merged, bundled.rulesets()
        names = [rules.game.name, *(one.name for one in (merged.below if merged is not None else ()))]
        files = [path for path, text in self.desk.texts.items() if pipeline.kind_of_text(text) == "state"]
        for name in dict.fromkeys(names):
            if name in there:
                files += sorted((there[name].parent / "scenes").glob("*.yaml"))
        for path in files:
            try:
                file = scene_file.read(path)
                if file.scene is not None and Path(file.ruleset.text).stem in names:
                    yield scene_of(file, rules.game)
            except (PlayError, RulesetError):
                continue  # a scene that the house rule no longer fits is not offered

    def base_text(self) -> data.BaseText | None:
        """The text of what a house rule extends, with the places that it changes; None for a ruleset of its own."""
        sound = self.rules()
        merged = sound.analysis.loaded.merged
        if sound.base is None or merged is None:
            return None
        source = sound.base.sources[sound.base.root]
        changed = []
        for one in merged.applied:
            entry = sound.base.entry_at(tuple(one.change.path))
            if entry is not None and entry.key.span.source.file == source.file:
                span = entry.key.span.in_file
                start, end = units_of(source.text, span.start), units_of(source.text, span.end)
                changed.append(data.BaseChange(start, end, ".".join(one.change.path)))
        return data.BaseText(sound.base.root.name, source.text, tuple(changed))

    def book(self) -> str:
        """The rulebook as one page of HTML. It needs Jinja2."""
        from interpreter.rulebook import page
        from interpreter.rulebook.book import book

        return page.html(book(self.rules().analysis.loaded, {}))

    # Chances ---------------------------------------------------------------------------------------------------------

    def odds(
        self, mechanic: str, inputs: Mapping[str, str], of: str | None, tail: Tail = "chance", seconds: float = SECONDS
    ) -> data.OddsAnswer:
        """The odds of a mechanic beside those without the house rule. Raises PlayError where they are refused."""
        sound = self.rules()
        now = self._odds(sound.game, mechanic, inputs, seconds)
        both = self._compare_with_base(now, mechanic, inputs, seconds)
        tables = tuple(tables_of(now, both, of, tail, titles_of(sound.game.program).words))
        return data.OddsAnswer(tables, both is not None, now.exact)

    def _odds(self, game: Game, mechanic: str, inputs: Mapping[str, str], seconds: float, **goals: Any) -> Odds:
        known = game.mechanics[mechanic].inputs if mechanic in game.mechanics else None
        given = {name: text for name, text in inputs.items() if text.strip()}
        if game is not self.rules().game and known is not None:  # the base may have fewer inputs
            given = {name: text for name, text in given.items() if name.partition(".")[0] in known}
        return game.odds(mechanic, inputs=_nodes(given), seconds=seconds, **goals)

    def _compare_with_base(
        self, now: Odds, mechanic: str, inputs: Mapping[str, str], seconds: float
    ) -> Comparison | None:
        """The odds beside those of the base; None where there is no base that has them."""
        sound = self.rules()
        base = sound.base_game
        if base is None or mechanic not in base.mechanics:
            return None
        merged = sound.analysis.loaded.merged
        changes = renamed_paths(one.change for one in merged.applied) if merged is not None else ()
        try:
            was = self._odds(base, mechanic, inputs, seconds)
            for name in was.results:
                was.of(name)
        except PlayError:
            return None
        return compare(was, now, Renamed(*names_for(changes, f"mechanics.{mechanic}")))

    def sweep(
        self, mechanic: str, inputs: Mapping[str, str], along: str, values: Iterable[str], of: str | None
    ) -> tuple[data.SweepPoint, ...]:
        """The shares at each value of one input, here and in the base."""
        sound = self.rules()
        sides = (sound.game, sound.base_game)
        points = []
        for value in values:
            laws = [self._shares(one, mechanic, {**inputs, along: value}, of) if one else None for one in sides]
            points.append(data.SweepPoint(value, *laws))
        return tuple(points)

    def _shares(self, game: Game, mechanic: str, inputs: Mapping[str, str], of: str | None) -> dict[str, float] | None:
        if mechanic not in game.mechanics:
            return None
        try:
            odds = self._odds(game, mechanic, inputs, 1.0)
            law = odds.of(of if of is not None else odds.results[0])
        except (PlayError, IndexError):
            return None
        return {in_words(value): float(chance) for value, chance in law.items()}

    def strategy(self, mechanic: str, inputs: Mapping[str, str], goal: str, of: str) -> data.Strategy:
        """What to do for the `best` or the `worst` chance of an outcome, or mean of a number."""
        game = self.rules().game
        odds = self._odds(game, mechanic, inputs, SECONDS, **{goal: of})
        names = [of] if of in odds.known else list(odds.results[:1])
        words = titles_of(game.program).words
        tables = tuple(table_of(odds, None, name, "chance", words) for name in names)
        return data.Strategy(tuple(sentences(odds.strategy)) or ("there is nothing to decide",), tables)

    # A roll ----------------------------------------------------------------------------------------------------------

    def roll(self, mechanic: str, inputs: Mapping[str, str], seed: Seed | None) -> data.Rolled:
        """One run of a mechanic, with its dice, what was done, and why it came out so."""
        sound = self.rules()
        given = _nodes({name: text for name, text in inputs.items() if text.strip()})
        result = sound.game.roll(mechanic, inputs=given, seed=seed)
        titles = titles_of(sound.game.program)
        lines = [
            data.TraceLine(one.depth, one.kind, one.shown, one.text, one.path, tuple(row for row, _ in one.cites))
            for one in result.trace
            if not one.quiet
        ]
        outcome = data.Titled(result.outcome, titles.word(result.outcome)) if result.outcome is not None else None
        values = [
            data.ResultValue(name, name.replace("_", " "), titles.value(value))
            for name, value in {**result.values, **result.also}.items()
        ]
        why = tuple(_reasons_and_changes(sound, result))
        return data.Rolled(outcome, tuple(values), tuple(_dice(result)), tuple(lines), why, result.seed)

    # The cursor ------------------------------------------------------------------------------------------------------

    def complete(self, file: str, text: str, at: int) -> tuple[data.CompletionOption, ...]:
        """What may be written at a place of a text, which is newer than the last check."""
        path = self._take_text(file, text)
        source, offset = self.desk.source(path), offset_of(text, at)
        assert source is not None
        found = completions_at(self.desk.analysis(path), source, offset) or first_keys(source, offset)
        return tuple(
            data.CompletionOption(
                one.label, one.kind, units_of(text, one.start), one.insert, one.detail, one.about, one.rank, one.block
            )
            for one in found
        )

    def hover(self, file: str, text: str, at: int) -> data.HoverText | None:
        """What is said about the word at a place of a text; None where there is nothing to say."""
        path = self._take_text(file, text)
        analysis, source = self.desk.analysis(path), self.desk.source(path)
        if analysis is None or source is None:
            return None
        found = hover_at(analysis, self.desk.last_sound(path), source, offset_of(text, at))
        if found is None:
            return None
        table = odds_lines(analysis, found.rule) if found.rule is not None and analysis.is_sound else ()
        return data.HoverText(units_of(text, found.start), units_of(text, found.end), found.lines, tuple(table))

    def _take_text(self, file: str, text: str) -> Path:
        path = self.folder / file
        if path not in self.desk.texts:
            raise PlayError(say.not_a_call(f"`{file}` is not open"))
        self.desk.write(path, text, known=True)
        return path


def _nodes(inputs: Mapping[str, str]) -> dict[str, Any]:
    """The inputs of a form as trees; a name with dots reaches into a record."""
    return fold_dotted_keys({name: node_of(text, name) for name, text in inputs.items()})


def _dice(result: Result) -> Iterator[data.ShownDie]:
    """The dice that fell, in the order of their throws."""
    seen: set[int] = set()
    for event in result.events:
        if not isinstance(event, StepDone) or not isinstance(event.node.action, ir.RollDice):
            continue
        for one in event.value if isinstance(event.value, tuple) else (event.value,):
            if isinstance(one, Thrown) and one.key not in seen:
                seen.add(one.key)
                for throw in one.throws:
                    face = in_words(throw.face)
                    counts = in_words(one.value) if len(one.throws) == 1 else face
                    yield data.ShownDie(in_words(one.die), face, "" if counts == face else counts)


def _reasons_and_changes(sound: Sound, result: Result) -> Iterator[str]:
    """Why a run came out as it did, and what would have made it another."""
    name = next(iter(names_with_reasons(result.rule)), None)
    if name is None:
        return
    for line in reasons_of(sound.game, sound.analysis.loaded.merged, result, name):
        if line.depth <= DEEPEST:
            yield "  " * line.depth + str(line)
    yield from (f"otherwise: {one}" for one in nearest_changes(sound.game, result, name))


# What comes with houserule -------------------------------------------------------------------------------------------


def bundled_games() -> tuple[data.BundledGame, ...]:
    """The games that come with houserule, each with its house rules and its scenes."""
    games = []
    for name, file in bundled.rulesets().items():
        head = file_head(file)
        rules, scenes = (
            tuple(data.Titled(one.stem, _title_of(one)) for one in sorted((file.parent / folder).glob("*.yaml")))
            for folder in ("house-rules", "scenes")
        )
        games.append(data.BundledGame(name, _title_of(file), head.get("about", ""), rules, scenes))
    return tuple(games)


def _title_of(file: Path) -> str:
    return file_head(file).get("title") or file.stem.replace("-", " ")


def bundled_files(name: str) -> data.Files:
    """The texts of a bundled game with its parts, or of a bundled house rule or scene. Raises RulesetError for none."""
    there = {**bundled.scenes(), **bundled.house_rules(), **bundled.rulesets()}
    if name not in there:
        raise RulesetError(say.no_ruleset(name, there))
    paths = [there[name], *(pipeline.parts_of(there[name]) if name in bundled.rulesets() else [])]
    return data.Files({path.name: path.read_text("utf-8") for path in paths}, there[name].name)
