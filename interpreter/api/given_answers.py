"""The answers to choices that a host gives beforehand, read by the type of the choice that asks."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from interpreter import diagnostics as say
from interpreter import ir
from interpreter.api.decode import InputReader, node_of
from interpreter.diagnostics import PlayError
from interpreter.ir import types as t
from interpreter.ir.choice_keys import all_rules, question_keys
from interpreter.ir.choice_keys import question_trails as asks_in
from interpreter.ir.once_per import once_per
from interpreter.play.deciders import Answers, Policy
from interpreter.play.requests import Choice
from interpreter.play.unasked_answers import explain_unasked
from interpreter.syntax.document import Mapping as Tree
from interpreter.syntax.document import Node, Scalar, one_line_text
from interpreter.syntax.document import Sequence as Items
from interpreter.values import Thrown, in_words, is_same_in_writing


def answers_of(
    reader: InputReader, choices: Mapping[str, Any] | None, policy: str | Policy | None, ask: Policy | None
) -> Answers:
    """The answers of one run. Raises PlayError for a policy that the ruleset does not have."""
    policies = reader.closures.program.policies
    if isinstance(policy, str) and policy not in policies:
        raise PlayError(say.unknown_policy(policy, policies))
    given = {key: GivenAnswers(node_of(value, key)) for key, value in (choices or {}).items()}
    return Answers(given, lambda choice, node: read_answer(reader, choice, node), policy, ask)


class GivenAnswers:
    """The answers under one key. A list has an answer for each time the choice is asked, unless it is itself an
    answer to `some`; a mapping has the answers of each object or role by name."""

    def __init__(self, node: Node) -> None:
        self.node = node
        self.is_record = False

    def answers_to_choice(self, choice: Choice) -> list[Any] | None:
        """The answers in order, as the choice that asks understands them."""
        node: Node | None = self.node
        if isinstance(node, Tree):
            self.is_record = _is_record(node, choice)
            node = node if self.is_record else node.get(choice.of or choice.by or "")
        if node is None:
            return None
        if not isinstance(node, Items):
            return [node]
        if choice.kind == "some" and not any(isinstance(item, Items) for item in node.items):
            return [node]
        return list(node.items)

    def about(self) -> Sequence[str]:
        """The names that a mapping has answers for."""
        return list(self.node.by_key) if isinstance(self.node, Tree) and not self.is_record else ()


def read_answer(reader: InputReader, choice: Choice, node: Any) -> Any:
    """A given answer by the type of the choice that asks; a value that is no tree is returned as it is."""
    if not isinstance(node, (Scalar, Tree, Items)):
        return node
    match choice.kind:
        case "yes_no":
            return reader.value(node, t.YES_NO, choice.name)
        case "text":
            return reader.value(node, t.Text(), choice.name)
        case "number":
            return reader.value(node, t.NUMBER, choice.name)
        case "some":
            items = node.items if isinstance(node, Items) else [node]
            left = list(choice.options or ())
            chosen = []
            for item in items:  # where options are written alike, each is taken once
                chosen.append(_option(reader, choice, item, left))
                if chosen[-1] in left:
                    left.remove(chosen[-1])
            return tuple(chosen)
    return _option(reader, choice, node, choice.options or ())


def _option(reader: InputReader, choice: Choice, node: Node, options: Sequence[Any]) -> Any:
    """The option that is written like the answer; of thrown dice the face is enough where no other die shows it."""
    text = one_line_text(node)
    if isinstance(node, Tree) and len(node.entries) == 1 and any(isinstance(one, Thrown) for one in options):
        text = text.strip("{}")  # `[d6: 4]` is a mapping to YAML
    for option in options:
        if is_same_in_writing(in_words(option), text):
            return option
    thrown = [one for one in options if isinstance(one, Thrown) and _faces_of(one) == text]
    if thrown and len(set(map(in_words, thrown))) == 1:
        return thrown[0]
    if options and isinstance(options[0], int) and isinstance(node, Scalar):
        return reader.value(node, t.NUMBER, choice.name)
    return text


def _faces_of(die: Thrown) -> str:
    """What a thrown die shows, as it is written behind the die."""
    return in_words(die).partition(": ")[2]


def _is_record(node: Tree, choice: Choice) -> bool:
    """Whether a mapping is an answer itself: it has the fields of the records that may be chosen."""
    first = next(iter(choice.options or ()), None)
    return isinstance(first, Mapping) and set(first) == set(node.by_key)


def check_keys(
    program: ir.Program, rule: ir.Mechanic, choices: Mapping[str, Any] | None, inputs: Collection[str]
) -> None:
    """Raises PlayError for an answer to a question that neither the rule nor what it leads to can ask.

    `inputs` are the names of the given inputs, which an action does not ask for.
    """
    if not choices:
        return
    kinds = _kinds_of(program, rule)
    names = {name for key in kinds for name in key.split(".")} | {MIX}
    for given in choices:
        if not names.issuperset(given.split(".")) or (given in inputs and _is_only_input(program, rule, given)):
            raise PlayError(explain_unasked(say.never_asked(given, kinds), program, rule, list(inputs), ()))


def _is_only_input(program: ir.Program, rule: ir.Mechanic, name: str) -> bool:
    """Whether a name is an input of the action, and no other question of the action is called so."""
    own = program.actions.get(rule.name)
    called_so = [key for key, _ in question_keys(program, rule) if key[-1].name == name]
    return own is not None and own.rule is rule and len(called_so) == 1


def _kinds_of(program: ir.Program, rule: ir.Mechanic) -> Mapping[str, tuple[t.Type, ...]]:
    """The keys of the questions of a rule, or of all rules where others may follow it, with the types of answers."""
    return _answer_kinds(program, rule if rule.path.startswith("mechanics.") and not program.events else None)


@once_per
def _answer_kinds(program: ir.Program, rule: ir.Mechanic | None) -> Mapping[str, tuple[t.Type, ...]]:
    """The keys of the questions of a rule, or without one of all rules, in the order of the alphabet."""
    asking = [rule] if rule is not None else all_rules(program)
    kinds: dict[str, dict[t.Type, None]] = {}
    for some in asking:
        for key, kind in question_keys(program, some):
            kinds.setdefault(".".join([one.name for one in key]), {})[kind] = None
        for trail in asks_in(program, some):
            kinds.setdefault(".".join([step.name for step in trail]), {})
    return {key: tuple(kinds[key]) for key in sorted(kinds)}


MIX = "mix"
"""The last name in the key of the question with which points somebody pays."""


def differ_in_turn(program: ir.Program, rule: ir.Mechanic, choices: Mapping[str, Any] | None) -> bool:
    """Whether a choice may be answered differently each time: with a list that is not one answer to `some`."""
    return any(
        _differs_in_turn(node_of(value, key), _kinds_at(program, rule, key)) for key, value in (choices or {}).items()
    )


def _kinds_at(program: ir.Program, rule: ir.Mechanic, key: str) -> list[t.Type]:
    """The types of answers to the questions that a key may mean."""
    kinds_by_key = [
        kinds for name, kinds in _kinds_of(program, rule).items() if name == key or name.endswith(f".{key}")
    ]
    return [t.without_maybe(kind) for kinds in kinds_by_key for kind in kinds]


def _differs_in_turn(node: Node, kinds: Sequence[t.Type]) -> bool:
    if isinstance(node, Tree):  # a record, or the answers of each object or role by name
        if kinds and all(isinstance(kind, t.Record) and set(dict(kind.fields)) == set(node.by_key) for kind in kinds):
            return False
        return any(_differs_in_turn(one.value, kinds) for one in node.entries)
    if not isinstance(node, Items):
        return False
    is_one_answer = bool(kinds) and all(map(_takes_list, kinds))
    return not is_one_answer or any(isinstance(item, Items) for item in node.items)


def _takes_list(kind: t.Type) -> bool:
    """Whether an answer of a type is a list of elements that are none themselves."""
    if isinstance(kind, t.List):
        return not isinstance(t.without_maybe(kind.of), t.List)
    return isinstance(kind, t.Dice) or (isinstance(kind, t.Roll) and not kind.single)
