"""A ruleset made of expressions, in which dice are thrown where they stand: `sum(highest(4d6, 3))`, `4d6kh3`, `2d6+3`.

In a ruleset, dice are thrown in a step and read in another. Here every pool of an expression becomes a step that
throws it, dice that are read as a number are added up, and other notations become the expressions they stand for.
Problems are reported at their place in the expression.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, NamedTuple

from interpreter import diagnostics as say
from interpreter import pipeline
from interpreter.api.game import Game
from interpreter.diagnostics import HouseruleError, PlayError, RulesetError
from interpreter.diagnostics.source import Source, Span
from interpreter.frozen import dataclass
from interpreter.ir import types as t
from interpreter.runtime.functions import FUNCTIONS
from interpreter.syntax.dice_notation import FUDGE, FUDGE_DIE, DiceTerm, dice_terms
from interpreter.syntax.document import Scalar, whole_number
from interpreter.syntax.expression_parser import parse
from interpreter.syntax.other_notations import rewritten
from interpreter.syntax.yaml_text import quoted, quoted_inside

RULE = "expression"
"""The name of the ruleset and of its only mechanic."""

DICE = "{type: dice}"
NO_DICE = "no_dice"
RESULT, THROWN = "result", "rolled"
"""The names of steps for an expression without a name, and for dice."""

_NO_NAME = re.compile(rf"{RESULT}(_\d+)?")
_NAMED = re.compile(r"\s*(?P<name>[A-Za-z]\w*)\s*=(?!=)", re.ASCII)
_EQUALS = re.compile(r"(?<![=<>!])=(?![=<>])")
"""The sign that compares in other notations."""
_STEPS = f"ruleset: {RULE}\n{{dice}}mechanics:\n  {RULE}:\n    title: {{title}}\n{{inputs}}    steps:\n"


@dataclass(frozen=True)
class ExpressionRuleset:
    """`labels` has the expression of each result as it was typed; `steps` are the steps as lines of YAML."""

    source: Source
    labels: Mapping[str, str]
    dice: tuple[str, ...]
    steps: tuple[str, ...]
    translated: tuple[str, ...]
    """The expressions in another notation than that of the language."""
    kept: frozenset[str]
    """The names of dice that other expressions read."""
    places: tuple[_Place, ...]

    rule = RULE
    """The name of the mechanic."""

    @property
    def results(self) -> tuple[str, ...]:
        """The names of what is asked for; dice that other expressions read are named for these alone."""
        return tuple(name for name in self.labels if name not in self.kept) or tuple(self.labels)

    def title(self, name: str) -> str:
        """What a value is called: its name, or the expression of a result without one."""
        return self.labels[name] if name in self.labels and _NO_NAME.fullmatch(name) else name

    @property
    def listing(self) -> tuple[str, ...]:
        """Its dice and steps as lines of YAML."""
        if not self.dice:
            return self.steps
        parts = (("dice:", self.dice), ("steps:", self.steps))
        return tuple(line for head, lines in parts for line in (head, *(f"  {one}" for one in lines)))

    def to_data(self) -> dict[str, Any]:
        """Its expressions by the names of their results, and its steps as a ruleset has them."""
        return {"expressions": dict(self.labels), "listing": list(self.listing)}

    def game(self) -> Game:
        """The game of the ruleset. Raises RulesetError where an expression is wrong."""
        with self.problems_in_place():
            made = pipeline.from_text(self.source)
            if made.problems.errors or made.program is None or made.world is None:
                raise RulesetError(*made.problems.errors)
            return Game(made.program, made.world)

    @contextmanager
    def problems_in_place(self) -> Iterator[None]:
        """Give every problem raised inside its place in the expression."""
        try:
            yield
        except HouseruleError as error:
            if all(one.span.source is not self.source for one in error.diagnostics):
                raise
            raise type(error)(*(self._in_place(one) for one in error.diagnostics)) from None

    def _in_place(self, problem: say.Diagnostic) -> say.Diagnostic:
        notes = tuple((self._origin(span), text) for span, text in problem.notes)
        found = replace(problem, span=self._origin(problem.span), notes=notes, edits=())
        return say.or_given(found) if found.code == "HR301" else found

    def _origin(self, span: Span) -> Span:
        """The place in what was typed that a place in the ruleset comes from."""
        if span.source is not self.source:
            return span
        for one in self.places:
            if span.start <= one.start + len(one.text.text):
                start = max(span.start - one.start, 0)
                return one.text.origin(start, span.end - one.start if span.start >= one.start else len(one.text.text))
        return say.NOWHERE


@dataclass(frozen=True)
class _Text:
    """A text with the place in the source, from a character up to another, that each of its characters comes from."""

    text: str
    origins: tuple[tuple[int, int], ...]
    source: Source

    @staticmethod
    def of(source: Source, start: int = 0) -> _Text:
        return _Text(source.text[start:], tuple((at, at + 1) for at in range(start, len(source.text))), source)

    def part(self, start: int, end: int) -> _Text:
        return _Text(self.text[start:end], self.origins[start:end], self.source)

    def instead(self, text: str) -> _Text:
        """Another text that comes from the whole of this one."""
        origin = (self.origins[0][0], self.origins[-1][1]) if self.origins else (0, len(self.source.text))
        return _Text(text, (origin,) * len(text), self.source)

    def origin(self, start: int, end: int) -> Span:
        found = self.origins[max(start, 0) : max(end, start + 1)]
        if not found:  # after the end
            last = self.origins[-1][1] if self.origins else 0
            return Span(self.source, last, last)
        return Span(self.source, found[0][0], max(found[-1][1], found[0][0]))

    def __add__(self, other: _Text) -> _Text:
        return _Text(self.text + other.text, self.origins + other.origins, self.source)

    def edited(self, edits: Sequence[_Edit], start: int = 0, end: int | None = None) -> _Text:
        """The part from `start` up to `end` with edits, which do not overlap."""
        end = len(self.text) if end is None else end
        made = self.part(start, start)
        at = start
        for edit in sorted(edits, key=lambda one: one.start):
            made, at = made + self.part(at, edit.start) + edit.text, edit.end
        return made + self.part(at, end)

    def renamed(self, names: Mapping[str, str]) -> _Text:
        edits = [
            _Edit(found.start(), found.end(), self.part(*found.span()).instead(names[found[0]]))
            for found in re.finditer(r"(?<![\w.])[A-Za-z]\w*", self.text)
            if found[0] in names
        ]
        return self.edited(edits)


class _Edit(NamedTuple):
    start: int
    end: int
    text: _Text


class _Place(NamedTuple):
    start: int
    text: _Text


@dataclass
class _Throw:
    """A step that throws dice. `end` is where the dice end in the expression: what is thrown first ends first."""

    name: str
    end: int
    pool: _Text
    again: str = ""
    reroll: str = ""
    counts: str = ""
    single: bool = False
    sides: int | None = None

    @property
    def read(self) -> str:
        """The name of the step with the roll."""
        return f"{self.name}_again" if self.reroll else self.name

    def lines(self) -> Iterator[tuple[str, str, _Text, str]]:
        """Its steps: a name, what stands before the dice, these, and what stands after them."""
        mark = "" if quoted_inside(self.pool.text) == self.pool.text else '"'
        further = "".join(
            f", {key}: {quoted_inside(text)}" for key, text in (("again", self.again), ("counts", self.counts)) if text
        )
        yield self.name, f"{{roll: {mark}", self.pool, f"{mark}{further}}}"
        if self.reroll:
            reroll = self.pool.instead(f"{self.name} where {self.reroll}")
            yield self.read, "{reroll: ", reroll, "}"


def of_expressions(typed: Sequence[str], given: Mapping[str, str] = {}, source_name: str = "-e") -> ExpressionRuleset:
    """The ruleset of expressions, each of which may have a name (`hits=5d10>=7`) that those after it may read.

    `given` has the values of names that the expressions read: numbers, yes or no, or dice.
    Raises PlayError where a text is no expression in any notation, or a value is given that none of them reads.
    """
    return _Maker(given).ruleset([Source.of(source_name, text) for text in typed])


class _Maker:
    def __init__(self, given: Mapping[str, str]) -> None:
        self.given = given
        self.pools = {name for name, value in given.items() if _declared(value) == DICE} | {FUDGE, NO_DICE}
        self.kept: set[str] = set()
        self.taken = set(given)
        self.rolls: dict[str, _Throw | bool] = {}  # by the name under which each is read
        self.throws: list[_Throw] = []
        self.reads: set[str] = set()
        self.has_fudge = False
        self.in_other_words = False

    def ruleset(self, sources: Sequence[Source]) -> ExpressionRuleset:
        named = [_NAMED.match(source.text) for source in sources]
        self.taken |= {one["name"] for one in named if one is not None}
        labels: dict[str, str] = {}
        translated: list[str] = []
        steps: list[tuple[str, str, _Text, str]] = []
        for number, (source, name) in enumerate(zip(sources, named, strict=True)):
            text = _Text.of(source, name.end() if name is not None else 0)
            later = " ".join(one.text for one in sources[number + 1 :])
            kept = name is not None and re.search(rf"\b{name['name']}\b", later) is not None
            called = name["name"] if name is not None else self._new(RESULT)
            self.throws, self.in_other_words = [], False
            made = self._result(text, called if kept else None)
            steps += self._written(made, called)
            labels[called] = text.text.strip()
            if self.in_other_words:
                translated.append(text.text.strip())
        self._refuse_unread()
        return self._assembled(steps, labels, translated)

    def _refuse_unread(self) -> None:
        for name, value in self.given.items():
            if name not in self.reads:
                source = Source.of(name, value)
                span = Span(source, 0, len(value))
                known = self.reads - self.rolls.keys() - {FUDGE, NO_DICE}
                raise PlayError(say.read_by_no_expression(span, name, known))

    def _result(self, text: _Text, kept: str | None) -> _Text:
        """The expression of a result, with its dice in `throws`. Dice are added up, or `kept` as dice of that name."""
        text = self._in_own_notation(text)
        try:
            tree = self._parsed(text)
        except PlayError as slip:
            text, tree = self._meant(text, slip)
        edits, dice = self._visit(tree, text)
        if dice is None:
            return text.edited(edits)
        if kept:
            self.rolls[kept] = dice
            self.kept.add(kept)
            return text.edited(edits)
        return text.edited(self._added_up(tree, text, edits, dice))

    def _in_own_notation(self, text: _Text) -> _Text:
        """The text with dice of other tools as the language writes them."""
        edits = []
        for term in dice_terms(text.text):
            self.in_other_words = True
            self.has_fudge |= term.has_fudge
            old = text.part(term.start, term.end)
            dice = self._kept_apart(term, old) if term.again or term.reroll else term.pool
            edits.append(_Edit(term.start, term.end, old.instead(term.expression(dice))))
        for equals in _EQUALS.finditer(text.text):
            self.in_other_words = True
            edits.append(_Edit(*equals.span(), text.part(*equals.span()).instead("==")))
        return text.edited(edits)

    def _kept_apart(self, term: DiceTerm, old: _Text) -> str:
        """The name of a roll that needs more than its dice."""
        sides = re.search(r"d(\d+)$", term.pool)
        throw = _Throw(
            self._new(THROWN), old.origins[-1][1], old.instead(term.pool), term.again, term.reroll,
            single=term.pool.startswith("d"), sides=int(sides[1]) if sides else None,
        )  # fmt: skip
        return self._thrown(throw)

    def _thrown(self, throw: _Throw) -> str:
        self.throws.append(throw)
        self.rolls[throw.read] = throw
        return throw.read

    def _parsed(self, text: _Text) -> ast.expr:
        """The tree of a text. Raises PlayError, with the place in what was typed, where it is no expression."""
        source = Source.of(text.source.name, text.text)
        try:
            return parse(Scalar(source.text, Span(source, 0, len(source.text))), frozenset())
        except PlayError as slip:
            found = slip.diagnostic
            raise PlayError(replace(found, span=text.origin(found.span.start, found.span.end))) from None

    def _meant(self, text: _Text, slip: PlayError) -> tuple[_Text, ast.expr]:
        """What a text says that is an expression in other words. Raises the slip if it is none."""
        for other, _ in rewritten(text.text):
            try:
                meant = text.instead(other)
                tree = self._parsed(meant)
            except PlayError:
                continue
            self.in_other_words = True
            return meant, tree
        raise slip

    def _new(self, name: str) -> str:
        """A name like this one that stands for nothing yet."""
        number, new = 1, name
        while new in self.taken:
            number += 1
            new = f"{name}_{number}"
        self.taken.add(new)
        return new

    # Finding dice -----------------------------------------------------------------------------------------------

    def _visit(self, node: ast.expr, text: _Text) -> tuple[list[_Edit], _Throw | bool | None]:
        """The edits that throw the dice of an expression, and, if its value is dice, the throw, or True for others."""
        if self._is_pool(node):
            return self._pool(node, text)
        match node:
            case ast.Name(name):
                self.reads.add(name)
                return [], self.rolls.get(name)
            case ast.BinOp(left, ast.BitAnd(), right):
                mine, ours = self._visit(left, text)
                further, theirs = self._visit(right, text)
                return mine + further, (ours or theirs) and True
            case ast.Compare(left, operators, operands):
                return self._compared(left, operators, operands, text), None
            case ast.IfExp(test, body, other):
                edits, dice = self._either(body, other, text)
                return [*edits, *self._numbers([test], text)], dice
            case ast.Attribute(of):
                return self._visit(of, text)[0], None
            case ast.Call(ast.Name(name), arguments):
                return self._called(name, arguments, text)
        return self._numbers(list(ast.iter_child_nodes(node)), text), None

    def _is_pool(self, node: ast.expr) -> bool:
        """Whether an expression is dice that are not thrown."""
        match node:
            case ast.Name(name):
                return name in self.pools
            case ast.BinOp(left, ast.BitAnd(), right):
                return self._is_pool(left) and self._is_pool(right)
            case ast.Call(ast.Name(".pool" | ".die" | ".tagged")):
                return True
            case ast.Call(ast.Name(name), [first, *_]) if name in FUNCTIONS:
                return FUNCTIONS[name].takes[0] in ("dice", "dice_or_list") and self._is_pool(first)
        return False

    def _pool(self, node: ast.expr, text: _Text) -> tuple[list[_Edit], _Throw]:
        start, end = _range(node)
        number, sides = _plain(node)
        inside = self._numbers(_formulas(node), text)
        pool = text.edited(inside, start, end)
        names = {one.id for one in ast.walk(node) if isinstance(one, ast.Name)}
        self.reads |= {name for name in names if name not in FUNCTIONS and not name.startswith(".")}
        self.has_fudge |= FUDGE in names
        throw = _Throw(self._new(THROWN), text.origins[end - 1][1], pool, single=number == 1, sides=sides)
        return [_Edit(start, end, text.part(start, end).instead(self._thrown(throw)))], throw

    def _numbers(self, nodes: Sequence[ast.AST], text: _Text) -> list[_Edit]:
        """The edits of parts that are read as numbers."""
        edits: list[_Edit] = []
        for node in nodes:
            if isinstance(node, ast.expr):
                edits += self._as_number(node, text, *self._visit(node, text))
        return edits

    def _either(self, one: ast.expr, other: ast.expr, text: _Text) -> tuple[list[_Edit], bool | None]:
        """The edits of two parts of which one is the value: dice if both are, and otherwise numbers."""
        mine, ours = self._visit(one, text)
        further, theirs = self._visit(other, text)
        if ours is not None and theirs is not None:
            return mine + further, True
        return [*self._as_number(one, text, mine, ours), *self._as_number(other, text, further, theirs)], None

    def _as_number(self, node: ast.expr, text: _Text, edits: list[_Edit], dice: _Throw | bool | None) -> list[_Edit]:
        """The edits of a part that is read as a number; a single die is one."""
        one_die = isinstance(dice, _Throw) and dice.single
        return edits if dice is None or one_die else self._added_up(node, text, edits, dice)

    def _added_up(self, node: ast.expr, text: _Text, edits: list[_Edit], dice: _Throw | bool) -> list[_Edit]:
        self.in_other_words |= not (isinstance(dice, _Throw) and dice.single)
        start, end = _range(node)
        old = text.part(start, end)
        return [_Edit(start, end, old.instead("sum(") + text.edited(edits, start, end) + old.instead(")"))]

    def _compared(
        self, left: ast.expr, operators: Sequence[ast.cmpop], operands: Sequence[ast.expr], text: _Text
    ) -> list[_Edit]:
        if isinstance(operators[0], (ast.In, ast.NotIn)):
            return [*self._numbers([left], text), *(edit for one in operands for edit in self._visit(one, text)[0])]
        counted = self._counted(left, operators, operands, text)
        return counted if counted is not None else self._numbers([left, *operands], text)

    def _counted(
        self, left: ast.expr, operators: Sequence[ast.cmpop], operands: Sequence[ast.expr], text: _Text
    ) -> list[_Edit] | None:
        """`5d10 >= 7` counts dice, if a die may show the number or not; None for any other comparison."""
        match left, operands:
            case ast.Name(name), [ast.Constant(int(number))] if isinstance(known := self.rolls.get(name), _Throw):
                several, sides = not known.single, known.sides
                if known.again and known not in self.throws:  # other expressions read it, and not what counts
                    return None
            case ast.Call(ast.Name(".pool")), [ast.Constant(int(number))]:
                dice, sides = _plain(left)
                several = dice != 1
            case _:
                return None
        sign = _SIGNS[type(operators[0])]
        if not several or len({_HOLDS[sign](face, number) for face in range(1, (sides or 0) + 1)}) < 2:
            return None
        _, throw = self._visit(left, text)
        assert isinstance(throw, _Throw)
        self.in_other_words = True
        start, end = _range(left)[0], _range(operands[0])[1]
        condition = f"face {sign} {number}"
        if throw.again:  # every throw counts, also those of dice that explode
            throw.counts = f"1 if {condition} else 0"
            counted = f"sum({throw.read})"
        else:
            counted = f"count({throw.read} where {condition})"
        return [_Edit(start, end, text.part(start, end).instead(counted))]

    def _called(
        self, name: str, arguments: Sequence[ast.expr], text: _Text
    ) -> tuple[list[_Edit], _Throw | bool | None]:
        if name == ".otherwise":
            return self._either(arguments[0], arguments[1], text)
        if name in (".where", ".by"):
            edits, dice = self._visit(arguments[0], text)
            further = self._numbers(arguments[1:], text)
            return edits + further, None if name == ".by" else dice and True
        known = FUNCTIONS.get(name)
        if known is None:
            return [edit for one in arguments for edit in self._visit(one, text)[0]], None
        made: list[_Edit] = []
        types: list[t.Type] = []
        for place, argument in enumerate(arguments):
            takes = known.takes[min(place, len(known.takes) - 1)]
            if takes in ("die", "ladder", "rungs"):
                types.append(t.ANYTHING)
            elif takes == "number":
                made += self._numbers([argument], text)
                types.append(t.Number())
            else:
                edits, dice = self._visit(argument, text)
                made += edits
                types.append(t.Roll(least=2) if dice is not None else t.ANYTHING)
        try:
            gives_dice = isinstance(known.gives(*types), t.Roll)
        except TypeError:  # a wrong number of arguments, which the checker reports
            gives_dice = False
        return made, gives_dice or None

    # Writing ----------------------------------------------------------------------------------------------------

    def _written(self, result: _Text, called: str) -> list[tuple[str, str, _Text, str]]:
        """The steps of a result, its throws named in their order; dice that are the result have its name."""
        ordered = sorted(self.throws, key=lambda one: one.end)
        alone = len(ordered) == 1 and result.text.strip() == ordered[0].name
        if alone:
            names = [called]
        else:
            names = sorted((one.name for one in ordered), key=lambda name: (len(name), name))
        renamed: dict[str, str] = {}
        for throw, name in zip(ordered, names, strict=True):
            renamed |= {throw.name: name, throw.read: f"{name}_again" if throw.reroll else name}
        made = []
        for throw, name in zip(ordered, names, strict=True):
            pool = throw.pool.renamed(renamed)
            own = replace(throw, name=name, pool=pool)
            made += list(own.lines())
            self.rolls[own.read] = own
        if alone:
            return made
        text = result.renamed(renamed)
        mark = "" if quoted(text.text) == text.text else '"'
        return [*made, (called, mark, text, mark)]

    def _assembled(
        self, steps: Sequence[tuple[str, str, _Text, str]], labels: Mapping[str, str], translated: Sequence[str]
    ) -> ExpressionRuleset:
        dice = (FUDGE_DIE,) if self.has_fudge else ()
        inputs = [f"      {name}: {_declared(value)}\n" for name, value in self.given.items()]
        text = _STEPS.format(
            dice=f"dice:\n  {dice[0]}\n" if dice else "",
            title=_double_quoted(", ".join(labels.values())),
            inputs="".join(["    inputs:\n", *inputs]) if inputs else "",
        )
        places, lines = [], []
        for name, before, made, after in steps:
            head = f"{name}: {before}"
            lines.append(head + made.text + after)
            places.append(_Place(len(text) + 6 + len(head), made))
            text += f"      {lines[-1]}\n"
        return ExpressionRuleset(
            Source.of(RULE, text), labels, dice, tuple(lines), tuple(translated), frozenset(self.kept), tuple(places)
        )


_HOLDS = {
    ">=": lambda face, number: face >= number,
    ">": lambda face, number: face > number,
    "<=": lambda face, number: face <= number,
    "<": lambda face, number: face < number,
    "==": lambda face, number: face == number,
    "!=": lambda face, number: face != number,
}
_SIGNS: dict[type[ast.cmpop], str] = {
    ast.GtE: ">=", ast.Gt: ">", ast.LtE: "<=", ast.Lt: "<", ast.Eq: "==", ast.NotEq: "!=", ast.Is: "==",
}  # fmt: skip


def _declared(value: str) -> str:
    """The declaration of an input that has a value."""
    if whole_number(value) is not None:
        return "{type: number}"
    return "{type: yes_no}" if value.strip() in ("yes", "no") else DICE


def _double_quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _range(node: ast.expr) -> tuple[int, int]:
    return node.col_offset, node.end_col_offset or node.col_offset


def _plain(node: ast.expr) -> tuple[int | None, int | None]:
    """How many dice `3d6` are and how many sides they have, where that is known."""
    match node:
        case ast.Call(ast.Name(".die"), [ast.Constant(int(sides))]):
            return 1, sides
        case ast.Call(ast.Name(".pool"), [ast.Constant(int(number)), ast.Constant(int(sides))]):
            return number, sides
        case ast.Call(ast.Name(".pool"), [_, ast.Constant(int(sides))]):
            return None, sides
        case ast.Name(name) if name == FUDGE:
            return 1, None
    return None, None


def _formulas(node: ast.expr) -> list[ast.expr]:
    """The numbers inside dice, such as `n` in `(n)d6`."""
    match node:
        case ast.BinOp(left, ast.BitAnd(), right):
            return [*_formulas(left), *_formulas(right)]
        case ast.Call(ast.Name(".pool"), [number, _]):
            return [number]
        case ast.Call(ast.Name(".tagged"), [dice, *_]):
            return _formulas(dice)
        case ast.Call(ast.Name(".die")):
            return []
        case ast.Call(ast.Name(name), [first, *others]):
            takes = FUNCTIONS[name].takes[1:]
            return [*_formulas(first), *(one for one, kind in zip(others, takes, strict=False) if kind == "number")]
    return []
