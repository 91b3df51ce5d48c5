"""HR8: odds."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from fractions import Fraction

from interpreter.diagnostics.model import Diagnostic
from interpreter.diagnostics.source import NOWHERE as NOWHERE
from interpreter.diagnostics.source import Span
from interpreter.diagnostics.suggest import how_to_install, list_words, near_or_list


def no_odds_of(name: str, known: Iterable[str]) -> Diagnostic:
    return Diagnostic(
        "HR801", f"there is no value `{name}` to ask for", NOWHERE, near_or_list(name, known, "there are"), about=name
    )


def no_condition(text: str) -> Diagnostic:
    return Diagnostic("HR819", f"`{text}` is no condition on a value", NOWHERE,
                      "write `outcome=hit`, `double=yes` or `total>=9`")  # fmt: skip


def condition_never_met(names: Iterable[str]) -> Diagnostic:
    return Diagnostic("HR820", f"in no run {list_words(names)} {'is' if len(list(names)) == 1 else 'are'} as asked for",
                      NOWHERE, "ask for values that can come")  # fmt: skip


def no_number(name: str, value: str) -> Diagnostic:
    return Diagnostic("HR802", f"`{name}` is not a number: it may be {value}", NOWHERE, about=name)


def dice_are_no_number(name: str) -> Diagnostic:
    return Diagnostic("HR802", f"`{name}` is a roll of dice and not a number", NOWHERE,
                      f"ask for a step that makes a number of it, such as `sum({name})`", about=name)  # fmt: skip


def mean_is_open(name: str, missing: Fraction, what: str = "mean") -> Diagnostic:
    return Diagnostic(
        "HR803",
        f"the {what} of `{name}` is not known: {float(missing):.3g} of its probability is missing",
        NOWHERE,
        "ask for outcomes, which need not follow every die to its end, or use `simulate`",
        about=name,
    )


def too_much_to_lay_out(dice: int, most: int, wanted: int = 0, go_on: bool = False) -> Diagnostic:
    """`wanted` is how many combinations it would take, 0 if nobody counted them; `go_on` says that some of the dice may
    be thrown more than once."""
    return Diagnostic(
        "HR804",
        f"these odds need {_combinations(dice, most, wanted, ', with every throw counted' * go_on)}",
        NOWHERE,
        "ask for fewer values, read the dice with `sum`, `count`, `highest` and the like, or use `simulate`",
    )


def too_many_falls(dice: int, most: int, wanted: int) -> Diagnostic:
    """As `too_much_to_lay_out`, of dice that an event throws, or another step that changes what lasts."""
    return Diagnostic(
        "HR804",
        f"these odds need {_combinations(dice, most, wanted)}",
        NOWHERE,
        "throw fewer dice at once in rules that change the state, or use `simulate`",
    )


def _combinations(dice: int, most: int, wanted: int, counted: str = "") -> str:
    """`1,048,576 combinations of 4 dice, where at most 50,000 are followed`; many of them are told roughly."""
    these = ("one die" if dice == 1 else f"{dice} dice") + counted
    if not wanted:
        return f"more than {most:,} combinations of {these}"
    number_text = f"{wanted:,}" if wanted < 10**12 else f"about 10^{len(str(wanted)) - 1}"
    return f"{number_text} combinations of {these}, where at most {most:,} are followed"


NOTHING_FOLLOWED = "HR817"
"""The code of odds of which nothing at all is known."""


def nothing_followed(names: Iterable[str]) -> Diagnostic:
    what = list_words(names) or "the result"
    return Diagnostic(
        "HR817",
        f"nothing is known of {what}: the dice are rethrown more often than odds follow them",
        NOWHERE,
        "limit the throws, as in `again: face == 6 and nth < 5`, or use `simulate`",
    )


TOO_MUCH = "HR805"
"""The code of odds that take too much work, or too many states."""

TOO_LARGE = ("HR804", TOO_MUCH)
"""The codes of odds that exceed a limit of the engine."""


def too_many_choices(slip: Diagnostic) -> Diagnostic:
    """Too much, where the best answers are looked for: there, each answer is followed beside all others."""
    return replace(slip, help="look for what is best or worst for one alone, with `--best WHO=NAME`, or decide some of "
                              "the choices yourself with `--choose`, or all of them with `--policy`")  # fmt: skip


def with_more_time(slip: Diagnostic, waited: Mapping[str, int], in_part: bool) -> Diagnostic:
    """Too much, with the step before which the most states `waited`, and how it may be answered all the same. `in_part`
    says that an answer in part was tried."""
    step = max(waited, key=lambda name: waited[name], default=None)
    # The names of steps that a rewriting adds hold signs that no author writes.
    where = f"; most states wait before `{step}`" if step and step.isidentifier() and waited[step] > 1 else ""
    if not in_part:
        where += "; `houserule odds` may answer in part, with bounds, as `within=0` does in Python"
    elif slip.code == TOO_MUCH:
        where += "; or allow it more with `--seconds 60`, `seconds=60` in Python"
    return replace(slip, help=f"{slip.help}{where}")


def best_is_in_doubt() -> Diagnostic:
    return Diagnostic(
        "HR805",
        "which answers are best depends on runs that are not followed to their ends",
        NOWHERE,
        "give the choices and compare their odds, or use `simulate` with a policy",
    )


def too_many_states(most: int) -> Diagnostic:
    return Diagnostic(
        "HR805", f"these odds need more than {most:,} states", NOWHERE, "ask for fewer names at once, or use `simulate`"
    )


def likeliest_states(number: int) -> str:
    """Why a law of a scene that was followed in part ends where it does, though no limit was exceeded."""
    return f"only the {number:,} likeliest states were followed, as no more was asked for"


def too_much_work() -> Diagnostic:
    return Diagnostic(
        "HR805",
        "these odds need more work than one question may take",
        NOWHERE,
        "ask about fewer dice or repetitions, or use `simulate`",
    )


def too_much_memory(megabytes: int) -> Diagnostic:
    return Diagnostic(
        "HR805",
        f"these odds need more than the {megabytes} MB that one question may keep",
        NOWHERE,
        "ask about fewer dice or repetitions, or use `simulate`",
    )


def no_numpy() -> Diagnostic:
    return Diagnostic("HR807", "simulation needs NumPy, which is not installed", NOWHERE, how_to_install("simulate"))


def decides_nothing(asked: str) -> Diagnostic:
    return Diagnostic(
        "HR808",
        f"a simulation cannot find the {asked} decisions",
        NOWHERE,
        "ask for exact odds, or let a policy decide",
    )


def too_few_runs(runs: int) -> Diagnostic:
    return Diagnostic("HR809", f"a simulation needs at least 1 run, not {runs}", NOWHERE)


def random_with_lists() -> Diagnostic:
    return Diagnostic(
        "HR810",
        "answers that differ from time to time cannot be combined with the policy `random`",
        NOWHERE,
        "give one answer for each choice, or use `simulate`",
    )


def best_with_lists(goal: str) -> Diagnostic:
    return Diagnostic(
        "HR810",
        f"the best decisions for `{goal}` cannot be combined with a list of answers to one choice",
        NOWHERE,
        "give one answer for each choice, or leave it open",
        about=goal,
    )


def best_and_worst(best: str, worst: str, span: Span = NOWHERE) -> Diagnostic:
    return Diagnostic(
        "HR812", f"decisions can aim for the best of `{best}` or the worst of `{worst}`, not both", span, "ask for one"
    )


def preferred_already(span: Span, name: str) -> Diagnostic:
    """A goal that stands in the order of preference twice."""
    return Diagnostic("HR812", f"`{name}` is preferred already, further to the front", span, "leave it out here")


def decides_nowhere(whose: str, rule: str, known: Iterable[str]) -> Diagnostic:
    return Diagnostic(
        "HR821",
        f"`{whose}` decides nothing in `{rule}`",
        NOWHERE,
        near_or_list(whose, known, "name a role, a thing or a step"),
        about=whose,
    )


def decided_at_once(choice: str) -> Diagnostic:
    return Diagnostic(
        "HR822",
        f"`{choice}` is answered by several at once, who have goals of their own and do not know each other's answers",
        NOWHERE,
        "give one goal for all, or answer for all but one by a policy",
        about=choice,
    )


def decided_before_an_action(action: str) -> Diagnostic:
    return Diagnostic(
        "HR823",
        f"the first choices of `{action}` are made before its steps, where only one goal for all can decide",
        NOWHERE,
        "give its inputs, or one goal without who decides for it",
    )


def ended_by_its_price(action: str) -> Diagnostic:
    return Diagnostic(
        "HR823",
        f"paying for `{action}` may end it before its steps, where no goal can decide",
        NOWHERE,
        "ask for its odds without a goal, and give its choices or a policy",
    )


def best_of_a_play(span: Span, key: str) -> Diagnostic:
    return Diagnostic(
        "HR813", f"`{key}` is for odds, but this case is played", span, "use `choices`, or expect `odds` or a `mean`"
    )


def bad_axis(text: str) -> Diagnostic:
    return Diagnostic(
        "HR811",
        f"`{text}` does not name the values to sweep",
        NOWHERE,
        "write `own=d4,d6`, or up to 1000 whole numbers as `skill=1..5`",
    )


def too_many_answers(choice: str, most: int) -> Diagnostic:
    return Diagnostic(
        "HR806",
        f"`{choice}` has more than {most:,} answers to try",
        NOWHERE,
        "fix it with an answer or a policy, or narrow what may be chosen",
        about=choice,
    )
