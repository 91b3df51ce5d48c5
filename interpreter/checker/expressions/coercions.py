"""Change the form of a checked value: a die as a pool, a thrown die as its number, a map as the list of its values."""

from __future__ import annotations

from interpreter import ir
from interpreter.ir import types as t


def as_list(expr: ir.Expr) -> ir.Expr:
    """A map as the list of its values; any other value unchanged."""
    kind = t.without_maybe(expr.type)
    if not isinstance(kind, t.Map):
        return expr
    values = t.List(t.without_maybe(kind.of), 0 if isinstance(kind.of, t.Maybe) else kind.least)
    return ir.Converted(expr, "values", t.maybe(values) if isinstance(expr.type, t.Maybe) else values, expr.span)


def convert_to_form(expr: ir.Expr, kind: t.Type) -> ir.Expr:
    """The value in the form of values of `kind`: one die as a pool, a thrown die as its number."""
    wanted, given = t.without_maybe(kind), t.without_maybe(expr.type)
    to, kind_made = _form_of(given, wanted)
    if to is not None:
        return ir.Converted(expr, to, t.maybe(kind_made) if isinstance(expr.type, t.Maybe) else kind_made, expr.span)
    if isinstance(wanted, t.Record) and isinstance(given, t.Record) and not isinstance(expr.type, t.Maybe):
        fields = [
            (name, convert_to_form(ir.Field(expr, name, given.field(name) or t.maybe(of), expr.span), of))
            for name, of in wanted.fields
        ]
        if any(isinstance(one, (ir.Converted, ir.RecordLiteral)) for _, one in fields):
            return ir.RecordLiteral(tuple(fields), wanted, expr.span)
    return expr


def has_form_of(given: t.Type, wanted: t.Type) -> bool:
    """Whether values of a type have the form of another type already."""
    return _form_of(t.without_maybe(given), t.without_maybe(wanted))[0] is None


def _form_of(given: t.Type, wanted: t.Type) -> tuple[str | None, t.Type]:
    """The conversion that gives a value the form of another type, None if it has that form, and the type afterwards."""
    match wanted, given:
        case (t.Number(), t.Roll() | t.ThrownDie()):
            return "number", t.as_number(given)
        case t.Dice(), t.SingleDie():
            return "dice", t.Dice(1)
        case t.Roll(), t.ThrownDie(parts, throws):
            return "dice", t.Roll(1, True, parts, throws)
        case t.Roll(), t.List(t.ThrownDie(parts, throws), least):  # one of each pass: together they are a roll
            return "dice", t.Roll(least, False, parts, throws)
        case t.List(wanted_of), t.List(of, least):
            to, made = _form_of(t.without_maybe(of), t.without_maybe(wanted_of))
            if to in ("number", "dice"):
                return f"each {to}", t.List(t.maybe(made) if isinstance(of, t.Maybe) else made, least)
    return None, given
