"""Find the dice in the tree of an expression: each pool is thrown, and dice that are read as a number are added up."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence

from interpreter import diagnostics as say
from interpreter.ir import types as t
from interpreter.notation.context import WELL_KNOWN, Context
from interpreter.notation.placed_text import PlacedText, TextEdit
from interpreter.notation.throws import THROWN, ThrowStep
from interpreter.runtime.functions import FUNCTIONS
from interpreter.syntax.dice_modifiers import Condition
from interpreter.syntax.written_dice import MOST_SIDES

_SIGNS: dict[type[ast.cmpop], str] = {
    ast.GtE: ">=", ast.Gt: ">", ast.LtE: "<=", ast.Lt: "<", ast.Eq: "==", ast.NotEq: "!=", ast.Is: "==",
}  # fmt: skip


def with_throws(
    tree: ast.expr, text: PlacedText, context: Context, kept: bool
) -> tuple[PlacedText, ThrowStep | bool | None]:
    """An expression with its dice as rolls in `context`, and, if it is `kept` as dice, what these are.

    Dice that are not kept are added up.
    """
    finder = _DiceFinder(text, context)
    edits, dice = finder.visit(tree)
    if dice is None or kept:
        return text.edit(edits), dice
    return text.edit(finder.add_up(tree, edits, dice)), None


class _DiceFinder:
    def __init__(self, text: PlacedText, context: Context) -> None:
        self.text, self.context = text, context

    def visit(self, node: ast.expr) -> tuple[list[TextEdit], ThrowStep | bool | None]:
        """The edits that throw the dice of an expression, and, if its value is dice, the throw, or True for others."""
        if self._is_pool(node):
            return self._pool(node)
        match node:
            case ast.Name(name):
                self.context.reads.add(name)
                return [], self.context.rolls.get(name)
            case ast.BinOp(left, ast.BitAnd(), right):
                mine, ours = self.visit(left)
                further, theirs = self.visit(right)
                return mine + further, (ours or theirs) and True
            case ast.Compare(left, operators, operands):
                return self._comparison(left, operators, operands), None
            case ast.IfExp(test, body, other):
                edits, dice = self._edits_of_alternatives(body, other)
                return [*edits, *self._edits_of_numbers([test])], dice
            case ast.Attribute(of):
                return self.visit(of)[0], None
            case ast.Call(ast.Name(name), arguments):
                return self._function_call(name, arguments)
        return self._edits_of_numbers(list(ast.iter_child_nodes(node))), None

    def _is_pool(self, node: ast.expr) -> bool:
        """Whether an expression is dice that are not thrown."""
        match node:
            case ast.Name(name):
                return name in self.context.pools
            case ast.BinOp(left, ast.BitAnd(), right):
                return self._is_pool(left) and self._is_pool(right)
            case ast.Call(ast.Name(".pool" | ".die" | ".tagged")):
                return True
            case ast.Call(ast.Name(name), [first, *_]) if name in FUNCTIONS:
                return FUNCTIONS[name].takes[0] in ("dice", "dice_or_list") and self._is_pool(first)
        return False

    def _pool(self, node: ast.expr) -> tuple[list[TextEdit], ThrowStep]:
        start, end = _range(node)
        number, faces = self._plain_dice(node)
        inside = self._edits_of_numbers(_numbers_in_dice(node))
        pool = self.text.edit(inside, start, end)
        names = {one.id for one in ast.walk(node) if isinstance(one, ast.Name)}
        self.context.reads |= {name for name in names if name not in FUNCTIONS and not name.startswith(".")}
        self.context.declare((name, WELL_KNOWN[name]) for name in names & WELL_KNOWN.keys())
        throw = ThrowStep(
            self.context.unused_name(THROWN), self.text.origins[end - 1][1], pool, single=number == 1, faces=faces
        )
        return [TextEdit(start, end, self.text.part(start, end).instead(self.context.name_of_throw(throw)))], throw

    def _edits_of_numbers(self, nodes: Sequence[ast.AST]) -> list[TextEdit]:
        """The edits of parts that are read as numbers."""
        edits: list[TextEdit] = []
        for node in nodes:
            if isinstance(node, ast.expr):
                edits += self._as_number(node, *self.visit(node))
        return edits

    def _edits_of_alternatives(self, one: ast.expr, other: ast.expr) -> tuple[list[TextEdit], bool | None]:
        """The edits of two parts of which one is the value: dice if both are, and otherwise numbers."""
        mine, ours = self.visit(one)
        further, theirs = self.visit(other)
        if ours is not None and theirs is not None:
            return mine + further, True
        return [*self._as_number(one, mine, ours), *self._as_number(other, further, theirs)], None

    def _as_number(self, node: ast.expr, edits: list[TextEdit], dice: ThrowStep | bool | None) -> list[TextEdit]:
        """The edits of a part that is read as a number; a single die is one."""
        one_die = isinstance(dice, ThrowStep) and dice.single
        return edits if dice is None or one_die else self.add_up(node, edits, dice)

    def add_up(self, node: ast.expr, edits: list[TextEdit], dice: ThrowStep | bool) -> list[TextEdit]:
        self.context.in_other_words |= not (isinstance(dice, ThrowStep) and dice.single)
        start, end = _range(node)
        old = self.text.part(start, end)
        return [TextEdit(start, end, old.instead("sum(") + self.text.edit(edits, start, end) + old.instead(")"))]

    def _comparison(
        self, left: ast.expr, operators: Sequence[ast.cmpop], operands: Sequence[ast.expr]
    ) -> list[TextEdit]:
        if isinstance(operators[0], (ast.In, ast.NotIn)):
            return [*self._edits_of_numbers([left]), *(edit for one in operands for edit in self.visit(one)[0])]
        counted = self._count_of_dice(left, operators, operands)
        return counted if counted is not None else self._edits_of_numbers([left, *operands])

    def _count_of_dice(
        self, left: ast.expr, operators: Sequence[ast.cmpop], operands: Sequence[ast.expr]
    ) -> list[TextEdit] | None:
        """`5d10 >= 7` counts dice, if a die may show the number or not; None for any other comparison."""
        match left, operands:
            case ast.Name(name), [ast.Constant(int(number))] if isinstance(
                known := self.context.rolls.get(name), ThrowStep
            ):
                several, faces = not known.single, known.faces
                stacks = known.is_sum and number > 0
            case ast.Call(ast.Name()), [ast.Constant(int(number))] if self._is_pool(left):
                dice, faces = self._plain_dice(left)
                several, stacks = dice != 1, False
            case _:
                return None
        condition = Condition(_SIGNS[type(operators[0])], number)
        if not several or not (stacks or len({condition.holds(face) for face in faces}) == 2):
            return None
        _, throw = self.visit(left)
        assert isinstance(throw, ThrowStep)
        self.context.in_other_words = True
        start, end = _range(left)[0], _range(operands[0])[1]
        self._note_counting(_range(left), (start, end), condition)
        return [TextEdit(start, end, self.text.part(start, end).instead(self._count(throw, condition)))]

    def _count(self, throw: ThrowStep, condition: Condition) -> str:
        """How many dice of a roll fulfil a condition, or, if they explode, how many of their throws."""
        if not throw.again or throw.is_sum:
            return (
                f"count({throw.read} where {condition.on_value('value' if throw.counts or throw.is_sum else 'face')})"
            )
        if throw not in self.context.throws:  # other expressions read it, and not what counts
            return f"count({throw.read}.throws where {condition.on_value('it.counts')})"
        value = f"({throw.counts})" if " if " in throw.counts else throw.counts or "face"
        throw.counts = f"1 if {condition.on_value(value)} else 0"
        return f"sum({throw.read})"

    def _note_counting(self, left: tuple[int, int], whole: tuple[int, int], condition: Condition) -> None:
        """Tell what other tools read where dice are counted that are compared with a number."""
        dice, span = self.text.origin(*left).text, self.text.origin(*whole)
        compared = span.text[len(dice) :]
        around = self.context.text_around(span)
        readings = [say.counts_dice(span.text, f"sum({dice}){compared}")]
        if condition.is_strict:
            wider = compared.replace(condition.sign, f"{condition.sign}=")
            readings.append(say.strict_comparison(compared.strip(), condition.sign == ">", f"{dice}{wider}"))
        if condition.sign == "!=" and re.fullmatch(r"\d*[dD]\d+", dice):
            readings.append(say.counts_unlike(span.text, f"{dice}!{condition.number}"))
        for one in readings:
            self.context.note(one.put_between(*around), self.text, *whole)

    def _plain_dice(self, node: ast.expr) -> tuple[int | None, tuple[int, ...]]:
        """How many dice `3d6` are and what they may show, where that is known."""
        match node:
            case ast.Call(ast.Name(".die"), [ast.Constant(int(sides))]):
                return 1, _faces(sides)
            case ast.Call(ast.Name(".pool"), [ast.Constant(int(number)), ast.Constant(int(sides))]):
                return number, _faces(sides)
            case ast.Call(ast.Name(".pool"), [_, ast.Constant(int(sides))]):
                return None, _faces(sides)
            case ast.Name(name):
                known = self.context.dice.get(name) or WELL_KNOWN.get(name)
                return (1, known) if known else (None, ())
            case ast.Call(ast.Name("times"), [ast.Name() as die, ast.Constant(int(number))]):
                return number, self._plain_dice(die)[1]
            case ast.Call(ast.Name("times"), [ast.Name() as die, _]):
                return None, self._plain_dice(die)[1]
        return None, ()

    def _function_call(
        self, name: str, arguments: Sequence[ast.expr]
    ) -> tuple[list[TextEdit], ThrowStep | bool | None]:
        if name == ".otherwise":
            return self._edits_of_alternatives(arguments[0], arguments[1])
        if name in (".where", ".by"):
            edits, dice = self.visit(arguments[0])
            further = self._edits_of_numbers(arguments[1:])
            return edits + further, None if name == ".by" else dice and True
        known = FUNCTIONS.get(name)
        if known is None:
            return [edit for one in arguments for edit in self.visit(one)[0]], None
        all_edits: list[TextEdit] = []
        types: list[t.Type] = []
        for place, argument in enumerate(arguments):
            takes = known.takes[min(place, len(known.takes) - 1)]
            if takes in ("die", "ladder", "rungs"):
                types.append(t.ANYTHING)
            elif takes == "number":
                all_edits += self._edits_of_numbers([argument])
                types.append(t.Number())
            else:
                edits, dice = self.visit(argument)
                all_edits += edits
                types.append(t.Roll(least=2) if dice is not None else t.ANYTHING)
        try:
            gives_dice = isinstance(known.gives(*types), t.Roll)
        except TypeError:  # a wrong number of arguments, which the checker reports
            gives_dice = False
        return all_edits, gives_dice or None


def _range(node: ast.expr) -> tuple[int, int]:
    return node.col_offset, node.end_col_offset or node.col_offset


def _faces(sides: int) -> tuple[int, ...]:
    return tuple(range(1, sides + 1)) if sides <= MOST_SIDES else ()


def _numbers_in_dice(node: ast.expr) -> list[ast.expr]:
    """The numbers inside dice, such as `n` in `(n)d6`."""
    match node:
        case ast.BinOp(left, ast.BitAnd(), right):
            return [*_numbers_in_dice(left), *_numbers_in_dice(right)]
        case ast.Call(ast.Name(".pool"), [number, _]):
            return [number]
        case ast.Call(ast.Name(".tagged"), [dice, *_]):
            return _numbers_in_dice(dice)
        case ast.Call(ast.Name(".die")):
            return []
        case ast.Call(ast.Name(name), [first, *others]):
            takes = FUNCTIONS[name].takes[1:]
            return [
                *_numbers_in_dice(first),
                *(one for one, kind in zip(others, takes, strict=False) if kind == "number"),
            ]
    return []
