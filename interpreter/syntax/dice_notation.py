"""Dice as dice bots and virtual tabletops write them: `4d6kh3`, `3d6!`, `2d20kl1`, `4dF`, `d%`, `6d6cs>=5`.

`written_dice` finds the dice and `dice_modifiers` reads what stands behind them; here it becomes what the language
has: dice, perhaps with faces of their own, which of them are thrown again, what they count, and what is read of the
roll. In whatever order modifiers stand, faces change first, then dice are thrown again, and then some are kept or
counted, as in RPG Dice Roller.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from interpreter import diagnostics as say
from interpreter.diagnostics import NotationReading
from interpreter.frozen import dataclass
from interpreter.syntax.dice_modifiers import (
    COUNTED,
    KEPT,
    OPPOSITE,
    SELECTED,
    THROWN_ON,
    WEIGHED,
    Condition,
    DiceModifier,
    ModifierKind,
)  # fmt: skip
from interpreter.syntax.dice_notes import notes
from interpreter.syntax.dice_refusals import faces_left, refusal
from interpreter.syntax.written_dice import DICE, WrittenDice, kept_dice, name_of_die
from interpreter.syntax.yaml_text import flow_mapping, quote_inside


@dataclass(frozen=True)
class DiceTerm:
    """Dice in a text, from `start` up to `end`, and how the language writes them.

    `pool` are the dice, `faces` what each may show, `dice` the declarations of those of their own, by name, `again`
    says which are thrown once more, `counts` what each throw counts, `reroll` which are thrown anew, and `reading` is
    what is read of the roll `{}`; all but the first two are empty where the dice say nothing of the kind. `notes` tell
    what other tools read otherwise; dice that are `refused` have no reading, or two. What either proposes stands in
    place of the dice.
    """

    start: int
    end: int
    pool: str
    faces: tuple[int, ...]
    dice: tuple[tuple[str, tuple[int, ...]], ...] = ()
    again: str = ""
    counts: str = ""
    reroll: str = ""
    reading: str = ""
    notes: tuple[NotationReading, ...] = ()
    stacks: bool = False
    """Whether all throws of a die count as one, even where dice are counted."""
    refused: NotationReading | None = None
    slip: tuple[int, int] = (0, 0)
    """Where what is refused stands."""

    @property
    def is_pool(self) -> bool:
        """Whether the language writes it as dice alone."""
        return not (self.is_thrown_apart or self.reading or self.dice or self.refused)

    @property
    def is_single(self) -> bool:
        """Whether it is one die, which reads as a number."""
        return self.pool[:1] == "d" or self.pool in dict(self.dice)

    @property
    def is_thrown_apart(self) -> bool:
        """Whether its roll says more than which dice are thrown."""
        return bool(self.again or self.reroll or self.counts)

    def expression(self, roll: str) -> str:
        """What is read of a roll, which is given by its name or as dice."""
        return (self.reading or "{}").replace("{}", roll)

    @property
    def help(self) -> str:
        """What an author of a ruleset should write."""
        if self.refused is not None and len(self.refused.instead) > 1:
            return "; ".join(
                f"for {one.meant}, {term.help}"
                for one in self.refused.instead
                for term in dice_terms(one.write[-1])
                if term.refused is None
            )
        if self.is_pool:
            return f"write `{self.pool}`"
        steps = list(self.steps("rolled"))
        read = self.reading and self.reading.replace("{}", steps[-1][0])
        return say.how_dice_are_read(steps, read, ", ".join(die_declaration(*one) for one in self.dice))

    def steps(self, name: str) -> Iterator[tuple[str, str]]:
        """The steps that throw the dice, with their names, as YAML: the last one has the roll."""
        further = {key: quote_inside(text) for key, text in (("again", self.again), ("counts", self.counts)) if text}
        yield name, flow_mapping({"roll": quote_inside(self.pool), **further})
        if self.reroll:
            yield f"{name}_again", flow_mapping({"reroll": f"{name} where {self.reroll}"})


def die_declaration(name: str, faces: Sequence[int]) -> str:
    """The declaration of a die under `dice`."""
    return f"{name}: {{faces: [{', '.join(map(str, faces))}]}}"


def dice_terms(text: str) -> Iterator[DiceTerm]:
    """The dice of a text that other tools write so, from left to right; dice that are an expression are left out."""
    position = 0
    while match := DICE.search(text, position):
        written = WrittenDice.of_match(text, match)
        if written.is_name:
            position = match.end()
            continue
        term = _term(written)
        position = term.end
        if term.pool != match[0] or not term.is_pool or term.end > match.end():
            yield term


def _has_reading(text: str) -> bool:
    """Whether a text is dice that have a reading."""
    term = next(dice_terms(text), None)
    return term is not None and term.refused is None and term.end == len(text)


def _term(written: WrittenDice) -> DiceTerm:
    start = written.found.start()
    refused = refusal(written, _has_reading)
    if refused is not None:
        slip = (refused.start, refused.end)
        return DiceTerm(
            start, refused.whole_end, written.pool, written.faces, refused=refused.reading, slip=slip
        )  # fmt: skip
    pool, faces, dice = _thrown_pool(written)
    highest = faces[-1] if faces else 1
    return DiceTerm(
        start, written.end, pool, faces, dice, _condition_of_again(written, highest), _counted_formula(written),
        _join_conditions(written.modifiers_of(ModifierKind.REROLL_ONCE), 1), _expression_of(written),
        tuple(notes(written)), stacks=written.has_modifier(ModifierKind.STACK),
    )  # fmt: skip


# Which dice are thrown, and thrown again ------------------------------------------------------------------------------


def _thrown_pool(written: WrittenDice) -> tuple[str, tuple[int, ...], tuple[tuple[str, tuple[int, ...]], ...]]:
    """The pool, its faces and dice of its own: what is thrown anew until it shows another face never shows it."""
    left = faces_left(written)
    if left == written.faces:
        return written.pool, written.faces, written.dice
    name = name_of_die(left)
    return f"times({name}, {written.written_count})" if written.written_count else name, left, ((name, left),)


def _join_conditions(modifiers: Sequence[DiceModifier], usual: int) -> str:
    """The conditions of modifiers of a kind, of which a die fulfils one."""
    return " or ".join((one.condition or Condition("==", usual)).on_value("face") for one in modifiers)


def _condition_of_again(written: WrittenDice, highest: int) -> str:
    once = _join_conditions(written.modifiers_of(ModifierKind.ONCE_MORE), highest)
    if once:
        return f"nth == 1 and ({once})" if " or " in once else f"nth == 1 and {once}"
    return _join_conditions(written.modifiers_of(*THROWN_ON), highest)


# What a die counts, and what is read of the roll ----------------------------------------------------------------------


def _value_formula(written: WrittenDice) -> str:
    """What a throw is worth, as a formula of its face."""
    least = [one.number or 0 for one in written.modifiers_of(ModifierKind.LEAST)]
    most = [one.number or 0 for one in written.modifiers_of(ModifierKind.MOST)]
    if least and most:
        return f"clamp(face, {max(least)}, {min(most)})"
    if written.has_modifier(ModifierKind.PENETRATE):
        return "face if nth == 1 else face - 1"
    return f"max(face, {max(least)})" if least else f"min(face, {min(most)})" if most else "face"


def _condition_on_value(one: DiceModifier, value: str) -> str:
    if one.kind in (ModifierKind.EVEN, ModifierKind.ODD):
        return f"{one.kind.name.lower()}({value})"
    assert one.condition is not None
    return one.condition.on_value(value)


def _counted_formula(written: WrittenDice) -> str:
    """What a throw counts where that is not its face."""
    value, counted, weighed = _value_formula(written), written.modifiers_of(*COUNTED), written.modifiers_of(*WEIGHED)
    chained = written.has_modifier(ModifierKind.EXPLODE, ModifierKind.ONCE_MORE)
    if not weighed and not (counted and chained):
        return value if value != "face" else ""
    counted_value = "0" if counted else value
    for one in counted:
        counted_value = f"1 if {_condition_on_value(one, value)} else {counted_value}"
    for one in weighed:
        minus = "-1" if one.kind is ModifierKind.LESS_FAILURES else f"-{value}"
        counted_value = f"{minus} if {_condition_on_value(one, value)} else {counted_value}"
    return counted_value


def _expression_of(written: WrittenDice) -> str:
    kept = _kept_dice(written)
    counted = written.modifiers_of(*COUNTED)
    margin = "".join(f" - {one.number}" for one in written.modifiers_of(ModifierKind.MARGIN))
    if counted and not written.has_modifier(*WEIGHED, ModifierKind.EXPLODE, ModifierKind.ONCE_MORE):
        value = "value" if _value_formula(written) != "face" or written.has_modifier(ModifierKind.STACK) else "face"
        conditions = " or ".join(_condition_on_value(one, value) for one in counted)
        return f"count({kept} where {conditions}){margin}"
    if kept == "{}" and not margin:
        return ""
    single = re.fullmatch(r"(highest|lowest)\(\{\}, 1\)", kept)
    if single and written.number.isdigit() and written.number != "0":
        return f"{single[1]}({{}}){margin}"
    return f"sum({kept}){margin}"


def _kept_dice(written: WrittenDice) -> str:
    """The dice that are kept of a roll `{}`."""
    selected = [_selection_formula(one) for one in written.modifiers_of(*SELECTED)]
    if selected:
        return f"{{}} where {' and '.join(selected)}"
    return kept_dice(written.number, written.modifiers_of(*KEPT))


def _selection_formula(one: DiceModifier) -> str:
    assert one.condition is not None
    if one.kind is ModifierKind.KEEP_WHERE:
        return one.condition.on_value("value")
    return Condition(OPPOSITE[one.condition.sign], one.condition.number).on_value("value")
