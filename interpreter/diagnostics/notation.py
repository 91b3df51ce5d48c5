"""HR214, and notes beside an answer: dice in the notation of other tools, which read some of it differently."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from interpreter.diagnostics.model import Diagnostic
from interpreter.diagnostics.source import Span
from interpreter.frozen import dataclass


@dataclass(frozen=True)
class Instead:
    """Something that a notation may have been meant as, and the expressions that say so, of which the last gives it."""

    meant: str
    write: tuple[str, ...]

    @property
    def text(self) -> str:
        return f"for {self.meant}, write {expressions_in_code(self.write)}"

    def put_between(self, before: str, after: str) -> Instead:
        """The same where the last expression stands between two texts."""
        return Instead(self.meant, (*self.write[:-1], f"{before}{self.write[-1]}{after}".strip()))


@dataclass(frozen=True)
class NotationReading:
    """What a notation is read as, or why it is not, and what else it may have been meant as."""

    read: str
    instead: tuple[Instead, ...] = ()

    @property
    def text(self) -> str:
        return "; ".join([self.read, *(one.text for one in self.instead)])

    def put_between(self, before: str, after: str) -> NotationReading:
        """The same about a part that stands between two texts."""
        return NotationReading(self.read, tuple(one.put_between(before, after) for one in self.instead))

    def to_data(self) -> dict[str, Any]:
        return {"read": self.read, "instead": [{"meant": one.meant, "write": list(one.write)} for one in self.instead]}


def expressions_in_code(expressions: Sequence[str]) -> str:
    """Expressions as one types them: one alone, or several behind `-e`."""
    if len(expressions) == 1:
        return f"`{expressions[0]}`"
    return "`" + " ".join(f"-e '{one}'" for one in expressions) + "`"


def notation_refused(span: Span, reading: NotationReading) -> Diagnostic:
    """For a notation that has no meaning here, or two."""
    return Diagnostic("HR214", reading.read, span, "; ".join(one.text for one in reading.instead) or None)


# What tools read differently: each takes what is written, and the expressions that say otherwise ---------------------


def keeps_some(written: str, number: int, exactly: str) -> NotationReading:
    most = "the highest die" if number == 1 else f"the {number} highest dice"
    return NotationReading(
        f"`{written}` keeps {most}", (Instead(f"dice that show {number}, as in d20 (Avrae)", (exactly,)),)
    )


def strict_comparison(written: str, above: bool, wider: str) -> NotationReading:
    without = "above" if above else "below"
    return NotationReading(
        f"`{written}` is about numbers {without} that one", (Instead("that number, too, as in Roll20", (wider,)),)
    )


def counts_dice(written: str, total: str) -> NotationReading:
    return NotationReading(
        f"`{written}` counts the dice that show it",
        (Instead("the sum compared, as in AnyDice and d20 (Avrae)", (total,)),),
    )


def compares_sum(written: str, counted: str) -> NotationReading:
    return NotationReading(
        f"`{written}` compares the sum of the dice that are kept",
        (Instead("how many of them show it, as in Roll20 and RPG Dice Roller", (counted,)),),
    )


def explodes_unlike(written: str, counted: str) -> NotationReading:
    return NotationReading(
        f"`{written}` throws dice once more that show it", (Instead("how many dice do not", (counted,)),)
    )


def counts_unlike(written: str, exploding: str) -> NotationReading:
    return NotationReading(
        f"`{written}` counts the dice that show another number",
        (Instead("dice that are thrown once more", (exploding,)),),
    )


def keeps_with_chains(written: str, throws: tuple[str, ...]) -> NotationReading:
    return NotationReading(
        f"in `{written}`, all throws of a die are kept or dropped together",
        (Instead("each throw as a die of its own, as in Roll20, which `simulate` can count", throws),),
    )


def percent_from_one(written: str, from_zero: str) -> NotationReading:
    return NotationReading(f"`{written}` shows 1 to 100", (Instead("0 to 99", (from_zero,)),))


def counted_not_marked(written: str, sum_of_all: str) -> NotationReading:
    return NotationReading(
        f"`{written}` counts these dice, as in Foundry",
        (Instead("the sum, since Roll20 and RPG Dice Roller only mark them", (sum_of_all,)),),
    )


def explodes_not_times(written: str, times: str) -> NotationReading:
    return NotationReading(
        f"`{written}` throws dice once more that show it, as in Foundry", (Instead("a product", (times,)),)
    )


def kept_of_all(written: str, one_by_one: str) -> NotationReading:
    return NotationReading(
        f"of `{written}`, each part is about all the dice, as in RPG Dice Roller",
        (Instead("one after the other, as in d20 (Avrae)", (one_by_one,)),),
    )


def rerolls_start_no_chain(written: str) -> NotationReading:
    return NotationReading(f"of `{written}`, a die that is thrown anew is not thrown once more after that")


def dice_of_digits(written: str, sides: int, uniform: str, lowest: int) -> NotationReading:
    return NotationReading(
        f"`{written}` is read as digits, {lowest} to {sides}", (Instead(f"a die with {sides} faces", (uniform,)),)
    )


def rounds_down(written: str, scaled: str, by: int) -> NotationReading:
    return NotationReading(
        f"`{written}` is rounded down to a whole number",
        (Instead(f"the exact mean, to be divided by {by}", (scaled,)),),
    )


def rounded_inside(written: str, up: str) -> NotationReading:
    return NotationReading(f"`{written}` is rounded down to a whole number", (Instead("the same rounded up", (up,)),))


def rounded_unevenly(written: str, finer: str) -> NotationReading:
    return NotationReading(
        f"`{written}` is rounded down to a whole number", (Instead("the same in thousandths", (finer,)),)
    )


# What is refused --------------------------------------------------------------------------------------------------


KNOWN = (
    "kh3", "kl3", "dh1", "dl1", "!", "!!", "!p", "!o", "ro1", "rr1", "min2", "max5", "even", "odd", "cs>=5", ">=5",
    ">5f1",
)  # fmt: skip
"""What may stand behind dice, as examples."""


def once_or_until(written: str, once: str, until: str) -> NotationReading:
    return NotationReading(
        f"`{written}` has two readings",
        (
            Instead("dice thrown anew once, as in Foundry", (once,)),
            Instead("until no die shows it, as in Roll20 and RPG Dice Roller", (until,)),
        ),
    )


def unknown_modifier(written: str, dice: str) -> NotationReading:
    return NotationReading(
        f"`{written}` means nothing behind dice here; what does is " + ", ".join(f"`{one}`" for one in KNOWN),
        (Instead("the highest die alone", (f"{dice}kh1",)),),
    )


def behind_comparison(written: str, comparison: str, before: str) -> NotationReading:
    return NotationReading(
        f"`{written}` stands behind `{comparison}`", (Instead("dice that are kept or counted so", (before,)),)
    )


def never_shown(written: str, instead: str) -> NotationReading:
    return NotationReading(
        f"no die shows what `{written}` asks for", (Instead("what may have been meant", (instead,)),)
    )


def thrown_for_ever(written: str, highest: str) -> NotationReading:
    return NotationReading(
        f"`{written}` throws every die on, for ever", (Instead("dice that show their highest face", (highest,)),)
    )


def rerolled_first(written: str) -> NotationReading:
    return NotationReading(f"of `{written}`, dice are thrown anew before some are kept")


def value_of_sheet(written: str, name: str, instead: str) -> NotationReading:
    return NotationReading(
        f"`{written}` is a value of a character sheet, and there is none here",
        (Instead(f"a value beside the expression, `{name}=3`", (instead,)),),
    )


def product_or_repetition(written: str, times: str, product: str, one: str) -> NotationReading:
    return NotationReading(
        f"`{written}` has two readings",
        (Instead("a product", (product,)), Instead(f"{times} results, each with the same odds", (one, one))),
    )


def explodes_only(written: str, exploding: str) -> NotationReading:
    return NotationReading(
        f"`{written}` of AnyDice throws a die on twice at most",
        (Instead("dice that are thrown on as often as they show their highest face", (exploding,)),),
    )


def all_different(written: str, dice: str) -> NotationReading:
    return NotationReading(
        f"`{written}`, dice that are thrown anew until all differ, has no word here",
        (
            Instead(
                "the same odds with `--when all_differ=yes` behind it",
                (f"rolled={dice}", "all_differ=count(groups(rolled)) == count(rolled)", "sum(rolled)"),
            ),
        ),
    )


def equal_faces_counted(written: str, dice: str) -> NotationReading:
    return NotationReading(
        f"`{written}`, dice that show the same, has no word here",
        (
            Instead("how many faces show more than once", (f"count(groups({dice}) where it.width >= 2)",)),
            Instead("the most dice that show the same", (f"highest(groups({dice}).width)",)),
        ),
    )


def not_together(one: str, other: str, alone: str, other_alone: str) -> NotationReading:
    return NotationReading(
        f"`{one}` and `{other}` do not go together here",
        (Instead(f"`{one}` alone", (alone,)), Instead(f"`{other}` alone", (other_alone,))),
    )


def rerolled_for_ever(written: str, once: str) -> NotationReading:
    return NotationReading(f"`{written}` throws every face anew, for ever", (Instead("once", (once,)),))


def nothing_left(written: str, fewer: str) -> NotationReading:
    return NotationReading(f"`{written}` leaves no dice", (Instead("all but the lowest die", (fewer,)),))


def whole_numbers_only(written: str, scaled: str, by: int) -> NotationReading:
    return NotationReading(
        f"`{written}` is no whole number, and the language has no others",
        (Instead(f"the exact mean, to be divided by {by}", (scaled,)),),
    )


def thrown_twice(written: str, sign: str, instead: tuple[str, ...]) -> NotationReading:
    return NotationReading(f"there is no `{sign}`", (Instead(f"`{written}`", instead),))


def several_of_digits(written: str, uniform: str, digits: str) -> NotationReading:
    return NotationReading(
        f"`{written}` has two readings",
        (Instead("dice with that many faces", (uniform,)), Instead("results that are read as digits", (digits,))),
    )


def not_of_groups(written: str, instead: str) -> NotationReading:
    return NotationReading(
        f"`{written}` is not said of parts in brackets",
        (Instead("what can be said of them, or dice alone", (instead,)),),
    )
