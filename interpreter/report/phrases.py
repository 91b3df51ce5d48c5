"""Parts of rules as phrases for sentences: conditions, bounds, questions, types."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from interpreter import ir
from interpreter.diagnostics.source import Span
from interpreter.ir import types as t
from interpreter.ir.by_word import formulas_by_word
from interpreter.ir.passes import name_before
from interpreter.layers.effective import one_line
from interpreter.layers.merge import AppliedChange
from interpreter.report.sentences import Sentence
from interpreter.report.sentences import formula as marked
from interpreter.syntax.fixed_words import EVERYBODY
from interpreter.values import in_words


def condition(of: ir.Formula) -> str:
    """The condition of an outcome; for a range of a value that the outcomes read, that value is named."""
    body = of.body.left if isinstance(of.body, ir.And) else of.body
    if isinstance(body, ir.Relation) and body.right.span is of.span:
        return f"{marked(_span_text(body.left.span))} is {formula(of)}"
    return formula(of)


def bound_in_words(of: ir.Formula) -> str:
    """A bound in words: a constant as its value, else as it was written, word by word if it is."""
    if (each := formulas_by_word(of)) is not None:
        return f"({', '.join(f'`{word}` {bound_in_words(one)}' for word, one in each.items())})"
    return in_words(of.body.value) if isinstance(of.body, ir.Constant) else formula(of)


def place(target: ir.Lvalue) -> str:
    return marked(_span_text(target.span))


def kind_of_actor(action: ir.Action) -> str:
    kind = t.without_maybe(action.actor.type)
    return kind.kind if isinstance(kind, t.Object) else ""


def actor(action: ir.Action) -> str:
    return f"`{kind_of_actor(action)}`{candidates(action.actor)}"


def viewers(who: str) -> str:
    return {"owner": "its owner", EVERYBODY: EVERYBODY}.get(who, f"the {who.replace('_', ' ')}")


def candidates(one: ir.Declaration) -> str:
    """The candidates of a value and its condition."""
    among = f" of {formula(one.among)}" if one.among else ""
    return among + (f" where {formula(one.where)}" if one.where else "")


def type_of(one: ir.Declaration) -> str:
    """The type of a declaration; a list of words of its own (`one_of`) has the same name, which is not repeated."""
    kind = t.without_maybe(one.type)
    if isinstance(kind, t.Word) and has_own_words(one):
        return f"one of {t.listed_words(kind.words)}"
    return t.in_words(one.type)


def has_own_words(one: ir.Declaration) -> bool:
    """Whether a declaration has a list of words of its own (`one_of`)."""
    kind = t.without_maybe(one.type)
    return isinstance(kind, t.Word) and kind.name == one.name and bool(kind.words)


def bounds(one: ir.Declaration) -> str:
    if one.low is None and one.high is None:
        return ""
    if one.low is None or one.high is None:
        return f", at least {formula(one.low)}" if one.low else f", at most {formula(one.high)}" if one.high else ""
    return f" from {formula(one.low)} to {formula(one.high)}"


def arguments(given: Iterable[tuple[str, ir.Formula]], before: str = " with ") -> str:
    """The arguments of a call, after the words `before`; nothing if there are none."""
    passed = enumeration([_argument(name, value) for name, value in given])
    return f"{before}{passed}" if passed else ""


def _argument(name: str, value: ir.Formula) -> str:
    """An argument of a call; one that passes on an input of the same name is named once."""
    same = isinstance(value.body, ir.Local) and value.body.name == name
    return f"the same {marked(name)}" if same else f"{marked(name)} = {formula(value)}"


def question(ask: ir.Question) -> str:
    """A question, to stand after a sentence, with the conditions of its parts; nothing if there is none."""
    return "".join([f" {_part_of_text(one)}" for one in ask.parts])


def _part_of_text(part: ir.TextPart) -> str:
    said = readable_text(part.say.written)
    if part.condition is None:
        return f"“{said}”"
    other = f", else “{readable_text(part.instead.written)}”" if part.instead is not None else ""
    return f"“{said}” (if {formula(part.condition)}{other})"


_VALUE_IN_TEXT = re.compile(r"\{([^{}]*)\}")
_NAMES = re.compile(r"[^\W\d]\w*(?:\.[^\W\d]\w*)*")


def readable_text(written: str) -> str:
    """A text with the name of each value in place of it, `‹successes›`, or `‹…›` where it is worked out; of words that
    go by a number, those of more than one."""

    def name_of(value: re.Match[str]) -> str:
        text = value[1].strip()
        if "|" in text:
            return text.rpartition("|")[2].strip()
        return f"‹{text.rpartition('.')[2].replace('_', ' ') if _NAMES.fullmatch(text) else '…'}›"

    return _VALUE_IN_TEXT.sub(name_of, written)


def otherwise_phrase(step: ir.Step, instead: ir.Formula) -> str:
    """What a step is where its condition does not hold; one that is carried on stays what it was."""
    body = instead.body.of if isinstance(instead.body, ir.Converted) else instead.body
    if isinstance(body, ir.Local) and body.name == name_before(step.name):
        return "Otherwise it stays what it was."
    return f"Otherwise: {formula(instead)}."


def formula(of: ir.Formula) -> str:
    """An expression as it is written, marked as a formula."""
    return marked(source_text(of))


def row_of_dice(stage: ir.Step) -> str:
    """The table, or what is read in it with `it`, of a stage that reads the row to which dice come."""
    assert isinstance(stage.action, ir.Let)
    row = stage.action.formula
    alone = isinstance(row.body, ir.Lookup) and source_text(row) == row.body.name
    return formula(row) + ("" if alone else ", where `it` is what the dice come to")


def person(one: ir.Expr, role: Callable[[str], str]) -> str:
    """Who of two is asked: `the defender if weaker, otherwise the attacker`; `role` words a role."""
    match one:
        case ir.Conditional(condition, then, otherwise):
            return f"{person(then, role)} if {marked(condition.span.text)}, otherwise {person(otherwise, role)}"
        case ir.Otherwise(thing, instead):
            return f"{person(thing, role)} if there is one, otherwise {person(instead, role)}"
        case ir.Constant(str() as name):
            return role(name)
    return f"the {marked(one.span.text)}"


def source_text(of: ir.Formula) -> str:
    """An expression as its author wrote it; a generated one as its value."""
    body, text = of.body, _span_text(of.span)
    if (each := formulas_by_word(of)) is not None:
        return "{" + ", ".join(f"{word}: {source_text(one)}" for word, one in each.items()) + "}"
    if isinstance(body, ir.RecordLiteral) and text.startswith(tuple(f"{name}:" for name, _ in body.fields)):
        # It is written on several lines, of which the text in one line would be no expression.
        given = [(name, one.span) for name, one in body.fields if _inside(one.span, of.span)]
        return "{" + ", ".join(f"{name}: {_span_text(span)}" for name, span in given) + "}"
    return text or (in_words(body.value) if isinstance(body, ir.Constant) else "?")


def _inside(span: Span, whole: Span) -> bool:
    """Whether a place is a part of another, and not all of it."""
    return whole.holds(span) and whole.start < span.start and span.end <= whole.end


def _span_text(span: Span) -> str:
    """The text of a scalar in one line, without the marks of YAML."""
    text = re.sub(r"^[>|]-? *", "", " ".join(span.text.split()))
    quoted = text[:1] in ("'", '"') and text[-1:] == text[:1]
    return text[1:-1] or "an empty text" if quoted else text


def enumeration(parts: list[str]) -> str:
    return parts[0] if len(parts) == 1 else ", ".join(parts[:-1]) + " and " + parts[-1] if parts else ""


def layer_change(one: AppliedChange) -> Sentence:
    """A change by a house rule, as YAML."""
    change = one.change
    what = {
        "set": f"set to {one_line(one.after)}, was {one_line(one.before)}",
        "add": f"added: {one_line(one.after)}",
        "remove": "removed",
        "move": f"moved {change.anchor}",
        "rename": f"renamed to {one_line(change.value)}",
    }[change.verb]
    reason = f" {change.because}" if change.because else ""
    return Sentence(f"`{one.layer.name}` ({change.span}): `{change.name}` {what}.{reason}", change.name)


def minor_notes(minor: ir.Formula | None) -> list[Sentence]:
    """When a screen leaves out a question; a book of paper leaves this out."""
    said = formula(minor) if minor is not None else ""
    when = f" if {said}" if said != "yes" else ""
    return [Sentence(f"Whoever is asked only what is usual is not asked{when}.", part="screen")] if said else []


def answer_notes(shows: ir.Question) -> list[Sentence]:
    """What a screen shows beside each answer to a question; a book of paper leaves it out."""
    return [Sentence(f"Beside each answer stands{question(shows)}.", part="screen")] if shows else []
