"""The answers to choices that a host gives beforehand, read by the type of the choice that asks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from interpreter import diagnostics as say
from interpreter import ir
from interpreter.api.decode import InputReader, node_of
from interpreter.diagnostics import PlayError
from interpreter.ir import types as t
from interpreter.ir.choice_keys import asked, rules
from interpreter.ir.choice_keys import asking as asks_in
from interpreter.ir.once_per import once_per
from interpreter.play.deciders import Answers, Policy
from interpreter.play.requests import Choice
from interpreter.syntax.document import Mapping as Tree
from interpreter.syntax.document import Node, Scalar, written
from interpreter.syntax.document import Sequence as Items
from interpreter.values import Thrown, in_words, same_in_writing


def answers_of(
    reader: InputReader, choices: Mapping[str, Any] | None, policy: str | Policy | None, ask: Policy | None
) -> Answers:
    """The answers of one run. Raises PlayError for a policy that the ruleset does not have."""
    policies = reader.closures.program.policies
    if isinstance(policy, str) and policy not in policies:
        raise PlayError(say.unknown_policy(policy, policies))
    given = {key: Given(node_of(value, key)) for key, value in (choices or {}).items()}
    return Answers(given, lambda choice, node: read_answer(reader, choice, node), policy, ask)


class Given:
    """The answers under one key. A list has an answer for each time the choice is asked, unless it is itself an
    answer to `some`; a mapping has the answers of each object or role by name."""

    def __init__(self, node: Node) -> None:
        self.node = node
        self.is_record = False

    def to(self, choice: Choice) -> list[Any] | None:
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
            found = []
            for item in items:  # where options are written alike, each is taken once
                found.append(_option(reader, choice, item, left))
                if found[-1] in left:
                    left.remove(found[-1])
            return tuple(found)
    return _option(reader, choice, node, choice.options or ())


def _option(reader: InputReader, choice: Choice, node: Node, options: Sequence[Any]) -> Any:
    """The option that is written like the answer; of thrown dice the face is enough where no other die shows it."""
    text = written(node)
    if isinstance(node, Tree) and len(node.entries) == 1 and any(isinstance(one, Thrown) for one in options):
        text = text.strip("{}")  # `[d6: 4]` is a mapping to YAML
    for option in options:
        if same_in_writing(in_words(option), text):
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


def check_keys(program: ir.Program, rule: ir.Mechanic, choices: Mapping[str, Any] | None) -> None:
    """Raises PlayError for an answer to a question that neither the rule nor what it leads to can ask."""
    if not choices:
        return
    keys = _keys(program, rule if rule.path.startswith("mechanics.") and not program.events else None)
    names = {name for key in keys for name in key.split(".")} | {MIX}
    for given in choices:
        if not names.issuperset(given.split(".")):
            raise PlayError(say.never_asked(given, keys))


@once_per
def _keys(program: ir.Program, rule: ir.Mechanic | None) -> tuple[str, ...]:
    """The keys of the questions of a rule, or without one of all rules, in the order of the alphabet."""
    asking = [rule] if rule is not None else rules(program)
    keys = [tuple(one.name for one in key) for some in asking for key, _ in asked(program, some)]
    keys += [tuple(step.name for step in trail) for some in asking for trail in asks_in(program, some)]
    return tuple(sorted({".".join(key) for key in keys}))


MIX = "mix"
"""The last name in the key of the question with which points somebody pays."""


def has_list(choices: Mapping[str, Any] | None) -> bool:
    """Whether some answers are lists at the top, so that a choice may be answered differently each time."""
    return any(isinstance(node_of(value, key), Items) for key, value in (choices or {}).items())


def has_inner_list(choices: Mapping[str, Any] | None) -> bool:
    """Whether some answers are lists, at the top or for one object or role."""
    return any(_holds_list(node_of(value, key)) for key, value in (choices or {}).items())


def _holds_list(node: Node) -> bool:
    return isinstance(node, Items) or (isinstance(node, Tree) and any(_holds_list(one.value) for one in node.entries))
