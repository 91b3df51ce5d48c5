"""Policies: which of their answers fits which question.

A key of a policy names a question by the end of its path in the ruleset (`mechanics.row.steps.push`, `push`), by the
steps that lead to it (`ours.push`), or by a rule and the steps that lead from there (`contest.ours.push`). The steps
are known only when every rule is checked, so `settle_policies` reads these answers last, each in the scope of its
question.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise

from interpreter import diagnostics as say
from interpreter import ir
from interpreter.checker.world import PolicyQuestion, World
from interpreter.diagnostics import Diagnostic
from interpreter.ir.choice_keys import Key, KeyName, all_rules, question_keys
from interpreter.syntax.document import Entry, Node, Scalar, entries_of


def answers_of_policies(
    world: World, path: str, read: Callable[[Node], ir.Formula]
) -> dict[str, tuple[ir.PolicyAnswer, ...]]:
    """The answers of the policies to the question at a path, the most specific first; `read` checks one.

    `settle_policies` adds those whose keys name the steps that lead there.
    """
    question = PolicyQuestion(read)
    for policy, key, node in _policy_answers(world, path):
        question.add(policy, key, ir.PolicyAnswer(read(node)))
    world.policy_questions.setdefault(path, []).append(question)
    return question.answers


def settle_policies(world: World, program: ir.Program) -> None:
    """Read the answers whose keys name the steps that lead to a question, and report keys of no question."""
    keyed = [
        (policy, answer) for policy, entry in world.section("policies").items() for answer in entries_of(entry.value)
    ]
    dotted = [(policy, answer) for policy, answer in keyed if "." in answer.key.text]
    reached = list(_questions_of_keys(program, {answer.key.text for _, answer in dotted})) if dotted else []
    for policy, answer in dotted:
        paths: dict[str, dict[tuple[str, ...], None]] = {}
        for key, path, calls in reached:
            if key == answer.key.text:
                paths.setdefault(path, {})[calls] = None
        for path, ways in paths.items():
            _add_answer(world, policy, answer, path, list(ways))
    broken = bool(world.problems.errors)
    for policy, answer in keyed:
        key = answer.key.text
        if (policy, key) in world.used_answers or key in world.strays:
            continue
        if not (broken and key.rsplit(".", 1)[-1] in world.choices):  # a rule with an error leads nowhere
            world.problems.add(_unused_key(world, program, answer.key))
    world.policy_questions.clear()  # a world is sent to other processes, and functions cannot be


def _unused_key(world: World, program: ir.Program, key: Scalar) -> Diagnostic:
    """The problem of a key that no question has, with the ways to the choice that it may mean."""
    choice = key.text.rsplit(".", 1)[-1]
    ways = [[head, *way] for head, way in _all_ways(program) if way[-1].name == choice] if "." in key.text else []
    if not ways:
        return say.claim_unused(key.span, key.text, sorted(world.choices))
    many = key.text.count(".") + 1
    known = dict.fromkeys(".".join([one.name for one in way[-many:]]) for way in ways)
    return say.choice_not_led_to(key.span, key.text, choice, known)


def _add_answer(world: World, policy: str, answer: Entry, path: str, ways: Sequence[tuple[str, ...]]) -> None:
    """Give an answer to the question at a path, for each of the ways that lead there."""
    key = answer.key.text
    placed = path == key or path.endswith(f".{key}")  # then it is read already
    questions = world.policy_questions.get(path, [])
    for question in questions:
        if placed:
            continue
        if question is questions[-1]:
            formula = question.read(answer.value)
        else:
            with world.silent_pass():
                formula = question.read(answer.value)
        for calls in ways:
            question.add(policy, key, ir.PolicyAnswer(formula, calls))
    if questions:
        world.used_answers.add((policy, key))


def _questions_of_keys(program: ir.Program, keys: set[str]) -> Iterator[tuple[str, str, tuple[str, ...]]]:
    """What keys name: each key with the path of a question and the calls that lead there."""
    for key, way in ways_of_keys(program, keys):
        calls = [one.path for one, after in pairwise(way) if not after.path.startswith(f"{one.path}.")]
        yield key, way[-1].path, tuple(calls)  # what is not inside a step is in another rule, to which the step leads


def ways_of_keys(program: ir.Program, keys: set[str]) -> Iterator[tuple[str, Key]]:
    """The ways to questions that dotted keys name: of each, the names of the key, of which the first may be a rule."""
    last = {key.rsplit(".", 1)[-1] for key in keys}
    named = [(key, key.split(".")) for key in keys]
    for head, way in _all_ways(program):
        if way[-1].name in last:
            whole = (head, *way)
            for key, wanted in named:
                end = whole[-len(wanted) :]
                if [one.name for one in end] == wanted:
                    yield key, end


def _all_ways(program: ir.Program) -> Iterator[tuple[KeyName, Key]]:
    """Every rule with the names on each way from it to a question."""
    for rule in all_rules(program):
        head = KeyName(rule.name, rule.span, rule.path)
        for way, _ in question_keys(program, rule):
            yield head, way


def _policy_answers(world: World, path: str) -> Iterator[tuple[str, str, Node]]:
    """The policies that answer the choice at a path, each with the key and its answer."""
    world.choices.add(path.rsplit(".", 1)[-1])
    for policy, entry in world.section("policies").items():
        for answer in entries_of(entry.value):
            if path == answer.key.text or path.endswith(f".{answer.key.text}"):
                world.used_answers.add((policy, answer.key.text))
                yield policy, answer.key.text, answer.value
