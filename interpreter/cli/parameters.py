"""The arguments and options that several commands share."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from contextlib import suppress
from fractions import Fraction
from functools import wraps
from operator import eq, ge, gt, le, lt, ne
from typing import TYPE_CHECKING, Any, Literal, TypeVar, cast

import click

from interpreter import diagnostics as say
from interpreter.chances.formats import formats
from interpreter.diagnostics import PlayError
from interpreter.runtime.rng import Seed, is_fresh_seed
from interpreter.syntax.document import parse_whole_number
from interpreter.values import in_words, split_list

if TYPE_CHECKING:
    from interpreter.api.query import Goals
    from interpreter.odds.answer import Odds

Command = TypeVar("Command", bound=Callable[..., Any])
Decorator = Callable[[Command], Command]


def combine_parameters(*parameters: Decorator[Any]) -> Decorator[Any]:
    """Several parameters as one decorator; `--help` lists them in this order."""

    def decorate(command: Command) -> Command:
        for one in reversed(parameters):
            command = one(command)
        return command

    return decorate


def house_rules(of: str = "the ruleset") -> Decorator[Any]:
    return click.option("--with", "layers", multiple=True, metavar="LAYER", help=f"Apply this house rule to {of}.")


def ruleset_options(text: str = "Set this option of the ruleset.") -> Decorator[Any]:
    return click.option("--option", "options", multiple=True, metavar="NAME=VALUE", help=text)


def seed(text: str = "The same seed gives the same faces.") -> Decorator[Any]:
    return click.option("--seed", type=read_seed, metavar="SEED", help=text)


def read_seed(text: str) -> Seed:
    """A whole number, or the 32 hexadecimal digits of a fresh seed. Raises BadParameter for any other text."""
    if is_fresh_seed(text.lower()):
        return text.lower()
    with suppress(ValueError):
        return int(text)
    raise click.BadParameter(f"`{text}` is neither a whole number nor 32 hexadecimal digits")


def output_format(*forms: str) -> Decorator[Any]:
    """`--format`, of which the first is the default."""
    return click.option("--format", "form", type=click.Choice(forms), default=forms[0], show_default=True)


odds_format = output_format(*formats())
"""The formats in which odds are told."""

changed = click.option(
    "--changed", is_flag=True, help="The files named have changed: take the rulesets of this folder that they touch."
)
"""For hooks, which name changed files: parts and bases too, and YAML that is no ruleset."""


SAME_SAMPLE = "The same seed and number of runs give the same answer."


def allow_scene_alone(
    *single: str,
    rest: str | None = None,
    whole: Callable[[str], bool] | None = None,
    instead: Callable[[str], str] | None = None,
) -> Decorator[Any]:
    """Let a scene file or state stand first, without the ruleset, where it names its ruleset with `of`.

    `single` are the arguments after RULESET that take one word, of which the first must be given; `rest` is the one
    that takes all others. `whole` says whether what stands in the place of RULESET needs no argument after it, and
    `instead` what to do with that where an argument after it is missing.
    """

    def decorate(command: Command) -> Command:
        @wraps(command)
        def check_and_call(**given: Any) -> Any:
            if whole is not None and given["ruleset"] is not None and whole(given["ruleset"]):
                return command(**given)
            if given["ruleset"] is not None:
                given = _insert_ruleset_of_scene(given, single, rest)
            if given[single[0]] is None:
                hint = instead(given["ruleset"]) if instead is not None and given["ruleset"] is not None else ""
                raise click.UsageError(f"Missing argument '{single[0].upper()}'{': ' if hint else ''}{hint}.")
            return command(**given)

        return cast(Command, check_and_call)

    return decorate


def _insert_ruleset_of_scene(given: dict[str, Any], single: tuple[str, ...], rest: str | None = None) -> dict[str, Any]:
    """Arguments with the ruleset of the scene file that stands in its place, and every word one argument further."""
    from interpreter.cli.rulesets import ruleset_of_scene

    of = ruleset_of_scene(given["ruleset"])
    if of is None:
        return given
    several = [*(given[name] for name in ("ruleset", *single)), *(given[rest] if rest is not None else ())]
    words = [word for word in several if word is not None]
    if rest is None and len(words) > len(single):
        raise click.UsageError(f"Got unexpected extra argument ({words[-1]})")
    moved = dict.fromkeys(single) | dict(zip(single, words, strict=False)) | {"ruleset": of}
    return given | moved | ({} if rest is None else {rest: tuple(words[len(single) :])})


rule_with_inputs = combine_parameters(
    click.argument("ruleset"),
    click.argument("mechanic", required=False),
    click.argument("inputs", nargs=-1, metavar="[NAME=VALUE]..."),
)
"""The arguments of commands that play a mechanic or ask about it."""


expressions = click.option(
    "-e", "--expression", "expressions", multiple=True, metavar="EXPRESSION",
    help="In place of a ruleset: dice such as `4d6kh3`, or `sum(highest(4d6, 3))`. Repeat it for several results; "
    "`hits=5d10>=7` gives one a name.",
)  # fmt: skip


def refuse_words_beside_expressions(words: Iterable[str]) -> None:
    """Raise UsageError for a word beside expressions that gives no name a value."""
    without = next((one for one in words if "=" not in one), None)
    if without is not None:
        raise click.UsageError(f"-e is in place of a ruleset: `{without}` is no value such as `n=3`")


def rule_or_expressions(command: Command) -> Command:
    """The same, or expressions in place of the ruleset and the mechanic, whose names `inputs` then gives values."""

    @wraps(command)
    def check_and_call(**given: Any) -> Any:
        words = [given["ruleset"], given["mechanic"], *given["inputs"]]
        if given["expressions"]:
            if given["layers"] or given["options"] or given["allow"] or given.get("state"):
                raise click.UsageError("--with, --option, --allow and --state are for a ruleset, and -e has none")
            given |= {"ruleset": "", "mechanic": None, "inputs": tuple(one for one in words if one is not None)}
            refuse_words_beside_expressions(given["inputs"])
        elif given["ruleset"] is None:
            raise click.UsageError("Missing argument 'RULESET', or an expression: -e 'sum(highest(4d6, 3))'.")
        else:
            given = _insert_ruleset_of_scene(given, ("mechanic",), "inputs")
        return command(**given)

    return cast(Command, combine_parameters(*_RULE_OR_EXPRESSIONS)(check_and_call))


_RULE_OR_EXPRESSIONS: tuple[Decorator[Any], ...] = (
    click.argument("ruleset", required=False),
    click.argument("mechanic", required=False),
    click.argument("inputs", nargs=-1, metavar="[NAME=VALUE]..."),
    expressions,
)

allow = click.option(
    "--allow", multiple=True, metavar="NAME", help="Play things that do not meet this requirement of their kinds."
)

changed_rules = combine_parameters(house_rules(), ruleset_options(), allow)

choose = click.option(
    "--choose",
    multiple=True,
    metavar="NAME=VALUE",
    help="Answer a choice; repeat the option for a choice that is asked several times.",
)


def _refuse_state(context: click.Context, parameter: click.Parameter, value: str | None) -> None:
    if value is not None:
        raise click.UsageError(
            "roll plays without a state: `act RULESET STATE NAME` plays in one, and `odds` and `simulate` have --state"
        )


without_state = click.option("--state", hidden=True, expose_value=False, callback=_refuse_state)
"""For a command whose kin read a state."""

in_state = click.option(
    "--state", metavar="FILE",
    help="A file with the state, or the name of a scene of the ruleset; actions and events need one.",
)  # fmt: skip

who_answers = combine_parameters(
    choose, click.option("--policy", help="A policy of the ruleset that answers the choices, or `random`.")
)

who_decides = combine_parameters(
    who_answers,
    click.option(
        "--best",
        multiple=True,
        metavar="[WHO=]NAME",
        help="Choose for the highest chance of an outcome, or the highest mean of a value; WHO alone, if given.",
    ),
    click.option("--worst", multiple=True, metavar="[WHO=]NAME", help="Choose for the lowest chance or mean."),
)


def share(text: str) -> Fraction:
    """A part of the probability: `1%`, `0.01` or `1/100`. Raises BadParameter for any other text."""
    with suppress(ValueError, ZeroDivisionError):
        part = Fraction(text.removesuffix("%")) / (100 if text.endswith("%") else 1)
        if 0 <= part <= 1:
            return part
    raise click.BadParameter(f"`{text}` is no part of the probability, such as `1%` or `1/100`")


how_far = combine_parameters(
    click.option(
        "--within",
        type=share,
        metavar="SHARE",
        help="Be content when no more than this is not followed, such as 1%.",
    ),
    click.option(
        "--seconds",
        type=click.FloatRange(0.01, 3600),
        show_default="5",
        help="The time that a question may take on a small machine; what is too large is followed that far.",
    ),
)


def goals_of(given: tuple[str, ...], option: str) -> Goals | None:
    """The goal of all decisions, or the goals by who decides; several of one, after commas, in the order of preference.

    Raises UsageError for both, or for two options of one.
    """
    pairs = [one.rpartition("=") for one in given]
    goals = {whose.strip(): tuple([one.strip() for one in names.split(",")]) for whose, _, names in pairs}
    if len(goals) < len(given):
        raise click.UsageError(f"{option} is given twice for the same choices: say who decides, {option} WHO=NAME")
    if "" not in goals:
        return goals or None
    if len(goals) > 1:
        raise click.UsageError(f"{option} decides everything without WHO=, so it cannot be given with it, too")
    return goals[""]


no_input = click.option("--no-input", is_flag=True, help="Never ask; choices take their defaults.")

verbose = click.option("--verbose", "-v", is_flag=True, help="Show every step, with the rows it follows.")

why = click.option("--why", metavar="NAME", help="Tell what made this value what it is: outcome, or a step.")

single_run = combine_parameters(
    click.option("--faces", help="Faces of dice on the table, in the order of the throws: 9,4,3."),
    choose,
    click.option("--policy", help="A policy of the ruleset that answers the choices."),
    changed_rules,
    seed(),
    output_format("text", "json"),
    verbose,
    no_input,
)
"""The options of commands that play a rule once."""


def faces_of(text: str | None) -> list[str] | None:
    """The faces of `--faces`; None if the dice are to be thrown."""
    return split_list(text) if text is not None else None


values_shown = combine_parameters(
    click.option("--of", "names", multiple=True, metavar="NAME", help="Show a value, with its mean and deviation."),
    click.option("--joint", metavar="A,B", help="Show the joint distribution of several values."),
    click.option("--at-least", is_flag=True, help="With --of: the chance of each value or more."),
    click.option("--at-most", is_flag=True, help="With --of: the chance of each value or less."),
    click.option(
        "--when", "when", multiple=True, metavar="NAME=VALUE", help="Only of the runs in which a value is as given."
    ),
    click.option("--all", "whole", is_flag=True, help="Show every value, and every fraction in full."),
)
"""The options that say which values `odds` and `simulate` show."""


Kind = Literal["chance", "at_least", "at_most"]


def kind_of_chances(names: tuple[str, ...], joint: str | None, at_least: bool, at_most: bool) -> Kind:
    """Which chances are told of each value. Raises UsageError if options exclude each other."""
    if (at_least or at_most) and not names:
        raise click.UsageError("--at-least and --at-most need a number: --of NAME")
    if (at_least and at_most) or (joint and names):
        raise click.UsageError("give only one of --at-least and --at-most, and one of --of and --joint")
    return "at_least" if at_least else "at_most" if at_most else "chance"


Answer = TypeVar("Answer", bound="Odds")

_SIGNS = {"=": eq, "==": eq, "!=": ne, ">=": ge, "<=": le, ">": gt, "<": lt}
_CONDITION = re.compile(r"\s*(?P<name>[\w.]+)\s*(?P<sign>==|!=|>=|<=|=|<|>)\s*(?P<value>.+?)\s*")


def conditional_odds(odds: Answer, when: tuple[str, ...]) -> Answer:
    """The odds of the runs that meet the conditions of `--when`."""
    return cast(Answer, odds.when(dict(map(parse_condition, when)))) if when else odds


def parse_condition(text: str) -> tuple[str, Callable[[Any], bool]]:
    """The name and the test of `outcome=hit` or `total>=9`. Raises PlayError for another text."""
    match = _CONDITION.fullmatch(text)
    number = parse_whole_number(match["value"]) if match is not None else None
    if match is None or (match["sign"] not in ("=", "==", "!=") and number is None):
        raise PlayError(say.no_condition(text))
    holds, value = _SIGNS[match["sign"]], match["value"]
    if number is not None:
        return match["name"], lambda one: isinstance(one, int) and holds(one, number)
    return match["name"], lambda one: holds(in_words(one), value)


def names_of(joint: str | None) -> tuple[str, ...]:
    """The names of `--joint`."""
    return tuple(name.strip() for name in joint.split(",") if name.strip()) if joint else ()
