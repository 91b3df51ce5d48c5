"""Check `choose`: one choice, one for each of several, or one that several make at once."""

from __future__ import annotations

from dataclasses import replace

from interpreter import diagnostics as say
from interpreter import ir
from interpreter.checker.deciders import is_each_asked, who_decides
from interpreter.checker.expressions import formula_or_text
from interpreter.checker.expressions.texts import question
from interpreter.checker.policies import answers_of_policies
from interpreter.checker.possible_answers import report_least, report_no_answer
from interpreter.checker.scope import Scope
from interpreter.checker.step_keys import error_formula, expression_at, optional_at, word_at
from interpreter.checker.vocabulary import word_meanings
from interpreter.checker.world import World
from interpreter.ir import types as t
from interpreter.runtime import functions
from interpreter.syntax.document import Mapping, Scalar


def check_choose(world: World, node: Mapping, scope: Scope, path: str) -> tuple[ir.StepBody, t.Type]:
    kind = word_at(node, "choose", "")
    if not kind:  # reported already; what is chosen among, and how, cannot be told
        return ir.Let(error_formula(node.span)), t.ANYTHING
    by = node.get("by")
    decider = who_decides(world, by, scope) if by is not None else None
    if isinstance(decider, ir.Formula) and is_each_asked(decider):
        element = functions.element_of(decider.type)
        each, answer = _single_choice(world, node, scope.bound("chooser", element), path, kind, None)
        return ir.ChooseEach(each, decider, True), t.Map(element, answer)
    if kind == "number" and "among" in node:
        return _numbers_for_several(world, node, scope, path, decider)
    if "budget" in node:
        world.problems.add(say.budget_of_what(node.key("budget").span))
    return _single_choice(world, node, scope, path, kind, decider)


def _numbers_for_several(
    world: World, node: Mapping, scope: Scope, path: str, decider: str | ir.Formula | None
) -> tuple[ir.ChooseEach, t.Type]:
    """A number for each of several elements, chosen by one player."""
    among = expression_at(world, node, "among", scope, None)
    element = functions.element_of(among.type)
    if isinstance(among.type, t.Maybe):
        world.problems.add(say.may_be_missing(among.span, t.example(t.without_maybe(among.type))))
    elif not isinstance(among.type, (t.List, t.Anything)):
        world.problems.add(say.not_a_collection(among.span, "among", t.in_words(among.type)))
    elif not t.may_be_key(element):
        world.problems.add(say.no_key(among.span, t.in_words(element)))
    budget = optional_at(world, node, "budget", scope, t.NUMBER)
    if "to" not in node and budget is None:
        world.problems.add(say.open_choice(node.entries[0].key.span, "to"))
    each, answer = _single_choice(
        world, node, replace(scope, element=element), path, "number", decider, about_each=True
    )
    return ir.ChooseEach(each, among, False, budget), t.Map(element, answer)


def _type_of_options(
    world: World,
    node: Mapping,
    kind: str,
    bounds: tuple[ir.Formula | None, ir.Formula | None],
    among: ir.Formula | None,
    about_each: bool,
) -> t.Type:
    """The type of a number that may be chosen, or of an element of what there is to choose from."""
    low, high = bounds
    if kind == "number":
        for key, bound in (("from", low), ("to", high)):
            if bound is None and not (about_each and key == "to"):
                world.problems.add(say.open_choice(node.entries[0].key.span, key))
        return t.Number(t.as_number(low.type).low if low else None, t.as_number(high.type).high if high else None)
    if kind not in ("one", "some"):
        return t.NUMBER
    if among is None:
        world.problems.add(say.missing_key(node.entries[0].key.span, "among", f"`choose: {kind}`"))
        return t.ANYTHING
    if isinstance(t.without_maybe(among.type), (t.List, t.Roll, t.Dice)) and not isinstance(among.type, t.Maybe):
        return functions.element_of(among.type)
    if isinstance(among.type, t.Maybe):
        world.problems.add(say.may_be_missing(among.span, t.example(t.without_maybe(among.type))))
    elif not isinstance(among.type, t.Anything):
        world.problems.add(say.not_a_collection(among.span, "among", t.in_words(among.type)))
    return t.ANYTHING


def _single_choice(
    world: World,
    node: Mapping,
    scope: Scope,
    path: str,
    kind: str,
    decider: str | ir.Formula | None,
    about_each: bool = False,
) -> tuple[ir.Choose, t.Type]:
    """One choice by one player; with `about_each` it is one of several numbers, with one bound for all."""
    low = optional_at(world, node, "from", scope, t.NUMBER)
    high = optional_at(world, node, "to", scope, t.NUMBER)
    among = optional_at(world, node, "among", scope, None) if not about_each else None
    element = _type_of_options(world, node, kind, (low, high), among, about_each)
    answer: t.Type = {
        "number": element,
        "yes_no": t.YES_NO,
        "one": element,
        "text": t.Text(),
    }.get(kind, functions.type_of_part(among.type) if among else t.List(element))
    unused = {
        "number": ("among",) if not about_each else (),
        "yes_no": ("among", "from", "to", "where"),
        "text": ("among", "from", "to", "where", "shows"),
    }
    for key in (*unused.get(kind, ("from", "to")), *(() if kind == "some" else ("most", "least", "together"))):
        if key in node:
            usual = ("by", "among", "where", "default", "minor", "ask", "shows", "if")
            known = [k for k in usual if k not in unused.get(kind, ())]
            world.problems.add(say.unknown_key(node.key(key).span, key, known, f"`choose: {kind}`"))
    where = optional_at(world, node, "where", replace(scope, element=element), t.YES_NO)
    chosen = replace(scope, element=answer if kind == "some" else t.ANYTHING)
    together = optional_at(world, node, "together", chosen, t.YES_NO)
    default = formula_or_text(world, node.by_key["default"].value, scope, answer) if "default" in node else None
    wanted: t.Type = t.NUMBER if isinstance(answer, t.Number) else answer
    answers = answers_of_policies(world, path, lambda said: formula_or_text(world, said, scope, wanted))
    most, least = (optional_at(world, node, key, scope, t.NUMBER) for key in ("most", "least"))
    bounds = element if kind == "number" else t.ANYTHING
    if kind == "some":
        report_least(world, node, among, least, most)
    else:
        report_no_answer(world, node, bounds, among, least, most)
    action = ir.Choose(
        kind,
        decider,
        among,
        where,
        together,
        low,
        high,
        most,
        least,
        default,
        question(world, node, scope),
        question(world, node, replace(scope, element=t.YES_NO if kind == "yes_no" else element), "shows"),
        _meanings_of_answers(world, node),
        answers,
        _where_it_is_minor(world, node, scope),
    )
    return action, answer


def _where_it_is_minor(world: World, node: Mapping, scope: Scope) -> ir.Formula | None:
    if "minor" in node and "default" not in node:
        world.problems.add(say.missing_key(node.key("minor").span, "default", "a step with `minor`"))
    return optional_at(world, node, "minor", scope, t.YES_NO)


def _meanings_of_answers(world: World, node: Mapping) -> tuple[tuple[str, str], ...]:
    among = node.get("among")
    if isinstance(among, Scalar) and among.text in world.section("names"):
        return tuple(word_meanings(world.section("names")[among.text].value).items())
    return ()
