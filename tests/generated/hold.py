"""Holds every way to work a game out to plain enumeration and to each other, question by question.

A new way to answer, or something else that must hold of every game, is a function here and a line in `CHECKS`.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from fractions import Fraction
from importlib.util import find_spec
from math import sqrt
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

from lasting.play import at_random, in_turn

from interpreter import pipeline
from interpreter.api.game import Game
from interpreter.api.session import Session
from interpreter.codegen import NotGenerated, module_of, rule_player
from interpreter.diagnostics import PlayError
from interpreter.diagnostics.source import Source
from interpreter.ir.choice_keys import question_keys as questions
from interpreter.ir.printer import listing
from interpreter.ir.types import ANYTHING, Word, without_maybe
from interpreter.ir.verify import violations
from interpreter.layers.effective import effective_ruleset
from interpreter.odds.answer import Law as Weighed
from interpreter.odds.answer import Odds
from interpreter.odds.comparison import compare
from interpreter.pipeline import Loaded
from interpreter.play.deciders import RANDOM, drive
from interpreter.play.run import SilentRun
from interpreter.report.explain import explain_name, overview
from interpreter.runtime.kept_dice import settle_dice
from interpreter.runtime.rng import SeededDice
from interpreter.runtime.state import STATE
from interpreter.simulation.answer import Simulated, simulated_law
from interpreter.simulation.worker import WorkerTask

from . import casewriting
from .asking import ENDLESS, Asked, Law, Names, TooMuch
from .constructs import read
from .grower import written
from .limits import OverLimit

RUNS = 250
SEEDS = range(4)


@dataclass
class Verdict:
    """What came of one game: `kind` is `agreed`, `rejected`, `too much`, `fails in play`, or what went wrong.

    `about` says which question it was and what differs; `held` counts what was held to what, and what was refused.
    """

    kind: str
    about: str = ""
    held: Counter[str] = field(default_factory=Counter)

    @property
    def well(self) -> bool:
        return self.kind in WELL


WELL = ("agreed", "rejected", "too much", "fails in play")


class Differs(Exception):
    """Two ways to work something out come to different things."""


Watch = Callable[[], AbstractContextManager[None]]
"""What every check is done under, such as a limit of time and memory."""


@dataclass(frozen=True)
class Held:
    """A question with what it is held under."""

    asked: Asked
    text: str
    loaded: Loaded
    counts: Counter[str]
    thorough: bool = False
    """Whether every name is asked for, and not some of many."""
    things: Any = None
    """The things of the question, as they are written."""
    watch: Watch = nullcontext
    """What one of many answers is worked out under."""

    def names(self, most: int = 12) -> list[Names]:
        asked = self.asked.questions(self.text, 1000 if self.thorough else most)
        return [names for names in asked if self.asked.law(names)]


# What is held -----------------------------------------------------------------------------------------------------


def exact_odds(held: Held) -> None:
    """Exact odds are those of enumeration."""
    odds = held.asked.game.odds(held.asked.rule, **held.asked.how)
    for names in held.names():
        with held.watch():
            found = odds.law(*names)
        true = held.asked.law(names)
        if held.asked.endless:
            _within(names, true, found, held.asked.unknown)
            held.counts["laws with dice that go on for ever"] += 1
        elif true != found.weights or found.missing != 1 - sum(true.values()):
            raise Differs(f"{names}: {_difference(true, found.weights)}; missing {found.missing}")


def _within(names: Names, true: Law, found: Any, unknown: Fraction) -> None:
    """Whether odds know all that enumeration knows of dice that go on for ever, and no more than can be."""
    for key in {**true, **found.weights}:
        least, has = true.get(key, 0), found.weights.get(key, 0)
        if not least <= has <= least + unknown:
            raise Differs(f"{names}: {key} {has}, which is not between {least} and {least + unknown}")
    if sum(found.weights.values()) + found.missing != 1 or found.missing > unknown:
        raise Differs(f"{names}: {found.missing} is missing of {found.weights}, {unknown} is not known")


def best_odds(held: Held) -> None:
    """The best and the worst that open choices can do for something is what plain expectation says of every answer."""
    asked = held.asked
    if asked.policy or asked.choices or "." in asked.rule or asked.endless or "choose: " not in held.text:
        return
    chance = Random(held.text)
    goals = asked.goals
    rule = asked.game.program.mechanics[asked.rule]
    outcome = without_maybe(rule.type.field("outcome") or ANYTHING)
    counted = dict(outcome.counts_as) if isinstance(outcome, Word) else {}  # with `as`, those of the step
    for goal in chance.sample(goals, min(2, len(goals))):
        for side, pick in (("best", max), ("worst", min)):

            def worth(record: Any, goal: Any = goal) -> Fraction:
                if goal[0] != "outcome":
                    return Fraction(record[goal[0]])
                return Fraction(record["outcome"] == goal[1] or counted.get(record["outcome"]) == goal[1])

            try:
                true = asked.best(worth, pick)
            except TooMuch:
                held.counts["too much to decide plainly"] += 1
                return
            aim: Any = goal[1] or goal[0]
            if chance.random() < 0.4:  # several with the same goal are as one
                ways = [way for way, _ in questions(asked.game.program, rule)]
                aim = {way[0].name: aim for way in ways} or aim
            odds = asked.game.odds(asked.rule, **{side: aim}, **asked.how)
            law = odds.law(goal[0])
            found = sum((share * worth({goal[0]: key[0]}) for key, share in law.weights.items()), Fraction(0))
            if law.missing or found != true:
                raise Differs(f"{side} {goal}: {true} not {found}, missing {law.missing}")
            held.counts[f"{side} odds"] += 1


def columns(held: Held) -> None:
    """Simulated shares are as likely as can be, and nothing comes up that cannot."""
    asked, questions = held.asked, held.names(4)
    played = "." in asked.rule  # what is no mechanic is played run by run, whatever is asked of it
    runs, everything = (100, _together(questions)) if played else (RUNS, ())
    found = asked.game.simulate(asked.rule, runs=runs, seed=1, of=everything, **asked.how) if everything else None
    for names in questions:
        with held.watch():
            estimate = found or asked.game.simulate(asked.rule, runs=runs, seed=1, of=names, **asked.how)
        _estimated(asked, names, estimate, runs)
        _likely(names, asked, estimate.law(*names).weights, runs)


def _together(questions: list[Names]) -> Names:
    """All names of some questions, each once."""
    return tuple(dict.fromkeys(name for names in questions for name in names))


def _estimated(asked: Asked, names: Names, found: Simulated, runs: int) -> None:
    """Whether each share lies within its interval, which is as wide as Wilson says, and is told beside the true one.

    All runs are decided where every way is. What is read alone is of the same runs as what is read together, and of
    those that leave another name open.
    """
    together, name = found.law(*names), names[0]
    if together.missing and not asked.unknown and sum(asked.law(names).values()) == 1:
        raise Differs(f"{names}: {together.missing} is missing of a simulation")
    alone = Counter[Any]()
    for key, share in together.weights.items():
        alone[key[:1]] += share
    if alone != Counter(found.law(name).weights) and not together.missing:
        raise Differs(f"{name}: {found.law(name).weights} alone, {alone} in {names}")
    true = {key[0]: share for key, share in asked.law((name,)).items()}
    law = Weighed({(value,): share for value, share in true.items()})
    exact = Odds(asked.game.program.name, asked.rule, {}, {name: ()}, lambda _: law)
    for value, share in found.of(name).items():
        z2 = 1.959964**2
        p, wide = float(share), 2 * sqrt(z2 * (share * (1 - share) * runs + z2 / 4)) / (runs + z2)
        if not 0 <= share.low <= p <= share.high <= 1 or (0 < p < 1 and abs(share.high - share.low - wide) > 1e-4):
            raise Differs(f"{name}: {value} {p} between {share.low} and {share.high}")
    for value, change in compare(exact, found).of(name).items():
        if (change.a, change.b) != (true.get(value, 0), found.of(name).get(value, 0)) or (
            change.a + change.difference != change.b
        ):
            raise Differs(f"{name}: {value} beside each other {change}")


def run_by_run(held: Held) -> None:
    """The same, played run by run."""
    asked, runs = held.asked, 100
    names = held.names(3)
    together = _together(names)
    ready = asked.ready()
    task = WorkerTask(asked.game, asked.rule, ready.frame, together, asked.choices, asked.policy, 1)
    counts = task._play(asked.game.rule(asked.rule), runs, 0).counts
    _likely(together, asked, simulated_law(counts, runs).weights, runs)


def _likely(names: Names, asked: Asked, found: Law, runs: int) -> None:
    """Whether shares are within six standard errors, and nothing came up that cannot."""
    true, unknown = asked.law(names), asked.unknown
    for key in found.keys() - true.keys():
        if not unknown:
            raise Differs(f"{names}: {key} cannot come up")
    for key, share in true.items():
        if abs(float(found.get(key, 0) - share)) > 6 * sqrt(share * (1 - share) / runs) + 4 / runs + unknown:
            raise Differs(f"{names}: {key} {share} not {float(found.get(key, 0))}")


def silent_play(held: Held) -> None:
    """Rules that are written out as Python come to what the walk comes to."""
    asked = held.asked
    if asked.policy == RANDOM or asked.choices:
        return
    game = asked.game
    module = module_of(game.program, game.option_values, asked.policy, whole=True)
    play = rule_player(module, game.rule(asked.rule))
    if play is None:
        return
    for seed in SEEDS:
        walk, at = asked.begun(SilentRun())
        walked = drive(walk, SeededDice(seed), asked.answers())
        given = asked.begun(SilentRun())[1]
        try:
            found = play(given, SeededDice(seed), True)
        except NotGenerated:
            if not _is_denied(asked, seed):
                raise
            continue
        if walked != found or (STATE in at and at[STATE] != given.get(STATE)):
            raise Differs(f"seed {seed}: {_unlike(walked, found)} {_unlike(at.get(STATE), given.get(STATE))}")
        held.counts["silent plays"] += 1


def _is_denied(asked: Asked, seed: int) -> bool:
    """Whether an action is refused after its actor has picked it, which is left to play."""
    told = asked.game.roll(asked.rule, seed=seed, **asked.how)
    return any(line.kind == "denied" for line in told.trace)


def told_play(held: Held) -> None:
    """A play that is told comes to what one comes to that is not; its record can be read, saved and played again."""
    asked, game = held.asked, held.asked.game
    for seed in SEEDS[:2]:
        policy = _any_answer(seed) if asked.policy == RANDOM else asked.policy
        how = {**asked.how, "policy": policy}
        result = game.roll(asked.rule, seed=seed, **how)
        walk, at = asked.begun(SilentRun())
        answers = game.answers(dict(asked.choices), policy if asked.policy != RANDOM else _any_answer(seed), None,
                               game.reader(asked.state))  # fmt: skip
        record = drive(walk, SeededDice(seed), answers)
        told = {"outcome": result.outcome, **result.also, **result.values}
        if {key: value for key, value in told.items() if value is not None} != {
            key: value for key, value in record.items() if value is not None
        } or result.state != (settle_dice(game.program, at[STATE]) if STATE in at else None):
            raise Differs(f"told {told}, untold {record}")
        str(result.trace)
        again = game.replay(json.loads(result.to_json()))
        if again.to_json() != result.to_json():
            raise Differs("a replay differs")
        if result.state is not None:
            text = game.to_json(result.state)
            loaded = game.state(text)
            if loaded != result.state or game.to_json(loaded) != text:
                raise Differs("a state differs that was saved and loaded")


def _any_answer(seed: int) -> Any:
    return at_random(Random(seed))


def sessions(held: Held) -> None:
    """A session that is saved and taken up at every question comes to what is played straight through."""
    asked, game = held.asked, held.asked.game
    chance = Random(held.text)
    for seed in SEEDS[:2]:
        session = game.begin(asked.rule, state=asked.state, seed=seed, inputs=dict(asked.given))
        for _ in range(60):
            if session.over:
                break
            if chance.random() < 0.5:
                session = _taken_up(game, session)
            request = session.host.requests[0]
            before = session.to_json()
            try:
                session.host.answer(request.id, _some_answer(request, chance))
            except PlayError as error:  # the answer leads to what cannot be played
                held.counts[f"a session refuses {error.diagnostic.code}"] += 1
                if session.to_json() != before:
                    raise Differs("a session has changed though an answer was refused") from None
                break
        else:
            held.counts["sessions without an end"] += 1
            continue
        if not session.over:
            continue
        session = _taken_up(game, session)
        came = session.result
        if came is None:
            raise Differs("a session that is over has no result")
        answers = in_turn([answer for _, answer in came.choices])
        how = {"state": asked.state, "faces": came.faces, "policy": answers, "inputs": dict(asked.given)}
        straight = game.roll(asked.rule, **how)
        for what in ("outcome", "values", "also", "state", "faces"):
            if getattr(came, what) != getattr(straight, what):
                raise Differs(f"{what}: a session {getattr(came, what)}, straight {getattr(straight, what)}")
        held.counts["sessions"] += 1


def _taken_up(game: Game, session: Session) -> Session:
    again = game.resume(session.to_json())
    if (again.host.requests, again.log, again.over) != (session.host.requests, session.log, session.over):
        raise Differs("a session differs that was saved and taken up")
    if again.state != session.state or [str(one) for one in again.host.lines()] != [
        str(one) for one in session.host.lines()
    ]:
        raise Differs("a session differs that was saved and taken up, in its state or its lines")
    return again


def _some_answer(request: Any, chance: Random) -> Any:
    """Any answer that a question allows."""
    match request.kind:
        case "yes_no":
            return chance.choice([True, False])
        case "number" if request.low is not None:
            return chance.randint(request.low, request.high)
        case "some":
            most = 1 if request.together else request.most
            many = chance.randint(min(request.least, most), min(most, len(request.options)))
            places = chance.sample(range(len(request.options)), many)
            return [request.options[place] for place in places]
        case "text":
            return "so be it"
    options = list(request.options or ())
    return chance.choice([*options, {"pick": chance.randrange(len(options))}])


def cases(held: Held) -> None:
    """Cases that say what comes of it hold, and cases that say something else fail."""
    if held.asked.choices:
        return
    wanted = casewriting.cases_for(held.asked, held.things, Random(held.text))
    if not wanted:
        return
    found = casewriting.verdicts(held.loaded, [case for case, _ in wanted])
    for (case, holds), verdict in zip(wanted, found, strict=True):
        if verdict.skipped is None and holds == bool(verdict.failures):
            failed = verdict.failures[0] if verdict.failures else "it passes"
            raise Differs(f"{case}: {failed}")
        held.counts["cases"] += 1


def refusals(held: Held) -> None:
    """Where some ways cannot be played, each play refuses just those, in the same words."""
    asked, game = held.asked, held.asked.game
    if asked.policy == RANDOM or asked.choices:
        return
    play = rule_player(module_of(game.program, game.option_values, asked.policy, whole=True), game.rule(asked.rule))
    for seed in range(12):
        walked = _or_refused(lambda seed=seed: drive(asked.begun(SilentRun())[0], SeededDice(seed), asked.answers()))
        told = _or_refused(lambda seed=seed: game.roll(asked.rule, seed=seed, **asked.how))
        if isinstance(walked, PlayError) != isinstance(told, PlayError) or (
            isinstance(walked, PlayError) and walked.diagnostic.message != told.diagnostic.message
        ):
            raise Differs(f"seed {seed}: told {told}, untold {walked}")
        try:
            found = play(asked.begun(SilentRun())[1], SeededDice(seed), True)
        except Exception:  # whatever it is: play takes over, and says what is wrong
            continue
        if walked != found:
            raise Differs(f"seed {seed}: {_unlike(walked, found)}")
        held.counts["silent plays beside refused ones"] += 1


def _or_refused(play: Callable[[], Any]) -> Any:
    """What a play comes to, or the refusal."""
    try:
        return play()
    except PlayError as error:
        return error


CHECKS: dict[str, Callable[[Held], None]] = {
    "exact odds": exact_odds,
    "best odds": best_odds,
    "silent play": silent_play,
    "told play": told_play,
    "sessions": sessions,
    "cases": cases,
    "refusals": refusals,
    **({"columns": columns, "run by run": run_by_run} if find_spec("numpy") else {}),
}
"""What is held of every question, by name. Where one refuses in words, that is counted."""

NEVER_ASKED = "HR623"
"""A play refuses what is answered beforehand and then not asked."""

WHERE_PLAY_REFUSES = ("refusals",)
"""What is held of a question of which some ways cannot be played, and of no other."""

MAY_REFUSE = ("exact odds", "best odds", "cases")
"""What may refuse a question that can be played."""


def shown(loaded: Loaded) -> None:
    """A ruleset keeps the invariants of programs, can be shown and explained, and its effective text is the same."""
    assert loaded.program is not None and loaded.merged is not None and loaded.world is not None
    if wrong := violations(loaded.program):
        raise Differs(f"an invariant of the program: {wrong[0]}")
    text = listing(loaded.program)
    overview(loaded.program)
    program = loaded.program
    for section in (program.mechanics, program.kinds, program.events, program.actions, program.reactions,
                    program.scenes, program.tables, program.functions, program.options):  # fmt: skip
        for name in section:
            explain_name(program, loaded.merged, name)
    lines = "\n".join(line.text for line in effective_ruleset(loaded.merged, loaded.world.base_places))
    again = pipeline.from_text(Source.of("effective.yaml", lines))
    if again.program is None or again.problems.errors:
        raise Differs(f"the effective text does not load: {again.problems.errors[0]}")
    if listing(again.program) != text:
        raise Differs(f"the effective text is another ruleset: {_unlike(text, listing(again.program))}")


# The whole of it --------------------------------------------------------------------------------------------------

How = tuple[Mapping[str, Callable[[Held], None]], bool]
"""What is checked, and whether thoroughly."""


def held(
    text: str,
    watch: Watch = nullcontext,
    checks: Mapping[str, Callable[[Held], None]] = CHECKS,
    thorough: bool = False,
) -> Verdict:
    """A game, or a ruleset with a mechanic `main`: everything that must hold of it.

    To be quick, only some of many names are asked for; which they are follows from the text, so that a game that is
    made small needs to be held `thorough`ly.
    """
    tree = read(text)
    if "game" not in tree:
        tree = {"game": tree, "asked": [{"rule": "main"}]}
    counts: Counter[str] = Counter()
    try:
        with TemporaryDirectory() as folder:
            kinds = [
                _held(tree, loaded, text, watch, (checks, thorough), counts)
                for loaded in _loaded(tree, Path(folder), watch)
            ]
    except _Stop as stop:
        return Verdict(stop.kind, stop.about, counts)
    return Verdict("agreed" if "agreed" in kinds else kinds[0], "", counts)


class _Stop(Exception):
    def __init__(self, kind: str, about: str) -> None:
        super().__init__(kind)
        self.kind, self.about = kind, about


def _loaded(tree: Any, folder: Path, watch: Watch) -> list[Loaded]:
    """The ruleset, and the same under its house rules, where it has some."""
    files = {"generated.yaml": tree["game"]}
    for part in tree.get("parts", ()):
        (folder / "more.yaml").write_text(written(part), "utf-8")
    for one in tree.get("house_rules", ()):
        files[f"{one['ruleset']}.yaml"] = one
    made = []
    for name, ruleset in files.items():
        (folder / name).write_text(written(ruleset), "utf-8")
    for name in files:
        layer = "" if name == "generated.yaml" else " of a house rule"
        try:
            with watch():
                loaded = pipeline.from_path(folder / name)
        except Exception as error:
            raise _Stop(f"crash at load{layer}: {_kind_of(error)}", str(error)) from error
        except OverLimit as error:
            raise _Stop(f"{error} to load{layer}", "") from None
        errors = loaded.problems.errors
        if loaded.program is None or loaded.world is None or errors:
            raise _Stop("rejected", f"{errors[0].code if errors else 'nothing'}{layer} {errors[0] if errors else ''}")
        made.append(loaded)
    return made


def _held(tree: Any, loaded: Loaded, text: str, watch: Watch, how: How, counts: Counter[str]) -> str:
    try:
        with watch():
            shown(loaded)
            counts["held: shown"] += 1
    except Exception as error:
        raise _Stop(_failing("show", error), str(error)) from error
    except OverLimit as error:
        raise _Stop(f"{error} for show", "") from None
    assert loaded.program is not None and loaded.world is not None
    game = Game(loaded.program, loaded.world)
    kinds = [_answered(game, one, loaded, text, watch, how, counts) for one in tree.get("asked", ())]
    return "agreed" if "agreed" in kinds or not kinds else kinds[0]


def _answered(game: Game, one: Any, loaded: Loaded, text: str, watch: Watch, how: How, counts: Counter[str]) -> str:
    refused = False
    try:
        with watch():
            state = game.state(one["things"]) if "things" in one else None
            asked = Asked(game, one["rule"], one.get("given", {}), state, one.get("policy"), one.get("choices", {}),
                          bool(ENDLESS.search(text)))  # fmt: skip
            game.rule(asked.rule)
            refused = True
            len(asked.ways)
            refused = False
    except (TooMuch, OverLimit):
        counts["too much to enumerate"] += 1
        return "too much"
    except PlayError as error:
        counts[f"play refuses {error.diagnostic.code}"] += 1
        if not refused:
            return "fails in play"
    except Exception as error:
        raise _Stop(f"crash in play: {_kind_of(error)}", f"{one}: {error}") from error
    checks, thorough = how
    for name, check in checks.items():
        if refused != (name in WHERE_PLAY_REFUSES):
            continue
        try:
            with watch():
                check(Held(asked, text, loaded, counts, thorough, one.get("things"), watch))
        except PlayError as error:
            if name not in MAY_REFUSE and error.diagnostic.code != NEVER_ASKED:
                raise _Stop(f"{name} refuses {error.diagnostic.code}", f"{one['rule']}: {error}") from error
            counts[f"{name} refuses {error.diagnostic.code}"] += 1
        except Exception as error:
            raise _Stop(_failing(name, error), f"{one['rule']}: {error}") from error
        except OverLimit as error:
            raise _Stop(f"{error} for {name}", one["rule"]) from None
        else:
            counts[f"held: {name}"] += 1
    return "fails in play" if refused else "agreed"


def _failing(name: str, error: Exception) -> str:
    return f"{name} differs" if isinstance(error, Differs) else f"{name} crashes: {_kind_of(error)}"


def _kind_of(error: Exception) -> str:
    """An error with the place in the interpreter where it was raised, as failures of one cause look alike."""
    place = ""
    trace = error.__traceback__
    while trace is not None:
        file = Path(trace.tb_frame.f_code.co_filename)
        if "interpreter" in file.parts:
            place = f" in {file.parent.name}/{file.stem}.{trace.tb_frame.f_code.co_name}"
        trace = trace.tb_next
    return f"{type(error).__name__}{place}"


def _difference(true: Law, found: Law) -> str:
    rows = [f"{key} {true.get(key, 0)} not {found.get(key, 0)}" for key in {**true, **found}
            if true.get(key, 0) != found.get(key, 0)]  # fmt: skip
    return "; ".join(rows[:4])


def _unlike(one: Any, other: Any) -> str:
    """What two values differ in, in short."""
    if isinstance(one, dict) and isinstance(other, dict):
        keys = [key for key in {**one, **other} if one.get(key) != other.get(key)]
        return "; ".join(f"{key}: {one.get(key)} not {other.get(key)}" for key in keys[:3])
    if isinstance(one, str) and isinstance(other, str):
        pairs = zip(one.splitlines(), other.splitlines(), strict=False)
        return next((f"{a.strip()!r} not {b.strip()!r}" for a, b in pairs if a != b), "another length")
    return "" if one == other else f"{one} not {other}"[:300]
