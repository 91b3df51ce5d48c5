"""Steps with a choice: of one player, of several at once, or of one who distributes a budget."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from interpreter import diagnostics as say
from interpreter import ir
from interpreter.diagnostics import PlayError
from interpreter.ir import types as t
from interpreter.ir.answers import fitting_answer
from interpreter.play.interventions import Intervention
from interpreter.play.requests import Choice, Settled, check_answer, is_open
from interpreter.play.run import Do, Run, Walk
from interpreter.play.steps import Walker
from interpreter.play.trace_events import ChoiceMade
from interpreter.runtime.constraints import optional_closure
from interpreter.runtime.evaluator import Closure, Closures, Frame
from interpreter.runtime.formula_work import count_each, tenths_of_work
from interpreter.runtime.late import late
from interpreter.runtime.operations import spend
from interpreter.runtime.roles import decider_function
from interpreter.runtime.sentences import sentence_function
from interpreter.runtime.state import EMPTY, STATE
from interpreter.values import in_words


def compile_choose(walker: Walker, action: ir.Choose, step: ir.Step, trail: tuple[str, ...]) -> Do:
    question, path = _choice_maker(walker, action, step), ".".join(trail)

    def ask_player(given: Frame, run: Run) -> Walk:
        choice, settled = question(given, run, path, None, None)
        if settled is not None:
            return run.settle(settled)
        assert choice is not None
        return (yield from ask_choice(run, choice, given))

    return ask_player


def ask_choice(run: Run, choice: Choice, given: Frame) -> Walk:
    """Yield a choice and record the answer."""
    run.state = given.get(STATE, EMPTY)
    choice.events, choice.on_table, choice.depth = run.events, tuple(run.on_table), run.depth
    answer = yield choice
    if isinstance(answer, Intervention):
        return answer  # only offers are given one
    answer = check_answer(choice, answer)
    record_answer(run, choice, answer)
    return answer


def record_answer(run: Run, choice: Choice, answer: Any) -> None:
    """Record the answer to a choice."""
    run.choices.append((choice.path, answer))
    run.add_event(ChoiceMade, choice, answer)


class AnswersOfPolicies(Mapping[str, Callable[[], Any]]):
    """What each policy of the ruleset answers to a choice in a frame; a run asks one policy, so each is found when it
    is asked. `read`, if given, makes the answer of what the policy says."""

    __slots__ = ("answers", "calls", "frame", "of", "read")

    def __init__(
        self, of: Closures, answers: Mapping[str, Sequence[ir.PolicyAnswer]], frame: Frame, run: Run,
        read: Callable[[Callable[[], Any]], Any] | None = None,
    ) -> None:  # fmt: skip
        self.of, self.answers, self.frame, self.calls, self.read = of, answers, frame, run.calls, read

    def __getitem__(self, policy: str) -> Callable[[], Any]:
        formula = fitting_answer(self.answers[policy], self.calls)
        if formula is None:
            raise KeyError(policy)
        says = partial(self.of.of(formula), self.frame)
        return says if self.read is None else partial(self.read, says)

    def __iter__(self) -> Iterator[str]:
        return (policy for policy, those in self.answers.items() if fitting_answer(those, self.calls) is not None)

    def __len__(self) -> int:
        return sum(1 for _ in self)


MOST_TOGETHER = 30
"""The most numbers for several elements that are asked for together."""

MOST_SHOWN = 30
"""The most answers beside which stands what they come to."""


def texts_beside(
    closures: Closures, shows: ir.Question
) -> Callable[[Frame, Sequence[Any] | None], dict[str, str]] | None:
    """What `shows` says of each of some options, or of yes and no, by the option in words; None where it is not there.

    Of more options than a page has lines, nothing is said.
    """
    if not shows:
        return None
    said = sentence_function(closures, shows)

    def shown(given: Frame, options: Sequence[Any] | None) -> dict[str, str]:
        answers = (True, False) if options is None else options
        if len(answers) > MOST_SHOWN:
            return {}
        told = {in_words(one): said({**given, ".it": one}) for one in answers}
        return {word: text for word, text in told.items() if text}

    return shown


def _fitting_options(
    closures: Closures, where: ir.Formula | None
) -> Callable[[Frame, Sequence[Any]], Sequence[Any]] | None:
    """What keeps the options for which a formula holds; None without one."""
    if where is None:
        return None
    holds, tenths = closures.of(where), tenths_of_work(where.body)

    def options_that_fit(given: Frame, options: Sequence[Any]) -> Sequence[Any]:
        spend(given, len(options))
        return tuple([one for one in count_each(options, tenths) if holds({**given, ".it": one})])

    return options_that_fit


def selection_test(together: Closure, given: Frame) -> Callable[[Any], bool]:
    """The test of what is chosen together; each selection that is tried counts as work of the run."""

    def fits(chosen: Any) -> bool:
        spend(given, 1 + len(chosen))
        return bool(together({**given, ".it": chosen}))

    return fits


Question = Callable[[Frame, Run, str, "str | None", "int | None"], "tuple[Choice, None] | tuple[None, Settled]"]
"""Makes a choice from a frame, a run, a path, what it is `of` and a limit; None with the decision if there is nothing
to choose."""


def _choice_maker(walker: Walker, action: ir.Choose, step: ir.Step) -> Question:
    closures = walker.closures
    low, high = optional_closure(closures, action.low), optional_closure(closures, action.high)
    among, fitting = optional_closure(closures, action.among), _fitting_options(closures, action.where)
    least, most = optional_closure(closures, action.least), optional_closure(closures, action.most)
    together, default = optional_closure(closures, action.together), optional_closure(closures, action.default)
    meanings, pattern = dict(action.meanings), action.ask.pattern
    decider, said = decider_function(closures, action.by), sentence_function(closures, action.ask)
    shown, minor = texts_beside(closures, action.shows), optional_closure(closures, action.minor)

    def prepare_choice(
        given: Frame, run: Run, path: str, of: str | None, limit: int | None
    ) -> tuple[Choice, None] | tuple[None, Settled]:
        key = run.prefix + path

        def settle(answer: Any) -> tuple[None, Settled]:
            return None, Settled(key, action.kind, decider(given) if of is None else of, of, answer)

        options: Sequence[Any] | None = None
        if action.kind == "number":
            bounds = [bound for bound in (high(given) if high else None, limit) if bound is not None]
            options = range(low(given) if low is not None else 0, min(bounds) + 1)
        elif among is not None:
            options = tuple(among(given))
        if options is not None and fitting is not None:
            options = fitting(given, options)
        fewest = least(given) if least else 0
        many = min(most(given), len(options or ())) if most else len(options or ())
        if action.kind in ("number", "one"):
            if not options:
                raise PlayError(say.nothing_to_choose(key, step.span))
            if len(options) == 1:
                return settle(options[0])
        if action.kind == "some" and (not options or many <= 0):
            return settle(())
        now = dict(given) if run.keeps_events else given
        choice = Choice(
            key,
            action.kind,
            decider(given),
            late(partial(said, now)) if run.keeps_events else pattern,
            options,
            max(min(fewest, many), 0),
            many,
            default(given) if default else None,
            default is not None,
            late(lambda: {**meanings, **shown(now, options)}) if shown is not None and run.keeps_events else meanings,
            AnswersOfPolicies(closures, action.answers, given, run),
            at=step.path,
            about=step.about,
            fits=selection_test(together, given) if together else None,
            condition=action.together.span.text if action.together else "",
            pattern=pattern,
            of=of,
            minor=minor is not None and run.keeps_events and minor(given),
        )
        return (choice, None) if is_open(choice) else settle(())

    return prepare_choice


def compile_choose_each(walker: Walker, action: ir.ChooseEach, step: ir.Step, trail: tuple[str, ...]) -> Do:
    """One question for each of several: put to all of them at once, or about each of them to one who distributes."""
    question, path = _choice_maker(walker, action.choice, step), ".".join(trail)
    among, budget = walker.closures.of(action.among), optional_closure(walker.closures, action.budget)
    listed = isinstance(action.among.type, t.Map)

    def all_at_once(given: Frame, run: Run) -> Walk:
        found: dict[Any, Any] = {}
        open_: list[tuple[Any, Choice]] = []
        for one in dict.fromkeys(among(given).values() if listed else among(given)):
            choice, settled = question({**given, "chooser": one}, run, path, one.id, None)
            found[one] = run.settle(settled) if settled is not None else None
            if choice is not None:
                choice.by = one.id
                open_.append((one, choice))
        run.state = given.get(STATE, EMPTY)
        at_once = tuple([choice for _, choice in open_])
        for _, choice in open_:
            choice.at_once, choice.depth = at_once, run.depth
            choice.events, choice.on_table = run.events, tuple(run.on_table)
        for one, choice in open_:  # no one sees an answer before the last is given, so all are recorded at the end
            found[one] = check_answer(choice, (yield choice))
        for one, choice in open_:
            record_answer(run, choice, found[one])
        return found

    def distribute(given: Frame, run: Run) -> Walk:
        found: dict[Any, Any] = {}
        left = budget(given) if budget is not None else None
        each, number = tuple(dict.fromkeys(among(given).values() if listed else among(given))), len(run.events)
        for place, one in enumerate(each):
            choice, settled = question({**given, ".it": one}, run, path, in_words(one), left)
            if choice is not None:
                choice.event = number
                if run.keeps_events:
                    choice.others = partial(choices_of_rest, each[place + 1 :], left, given, run, number)
                found[one] = yield from ask_choice(run, choice, given)
            elif settled is not None:
                found[one] = run.settle(settled)
            left = left - found[one] if left is not None else None
        return found

    def choices_of_rest(
        rest: Sequence[Any], left: int | None, given: Frame, run: Run, number: int
    ) -> tuple[Choice, ...]:
        """The choices about the elements that follow, if nothing is spent before."""
        made = [question({**given, ".it": one}, run, path, in_words(one), left)[0] for one in rest[:MOST_TOGETHER]]
        return tuple([replace(choice, event=number) for choice in made if choice is not None])

    return all_at_once if action.asked else distribute
