"""Names that declarations may have: none of the language, none twice, and none that an expression could not read."""

from __future__ import annotations

from interpreter import diagnostics as say
from interpreter.checker.world import World, plain_form
from interpreter.diagnostics.source import Span
from interpreter.ir.once_per import once_per
from interpreter.runtime import functions
from interpreter.syntax.document import Mapping, Node, Scalar, items_of
from interpreter.syntax.fixed_words import RELATIONS
from interpreter.syntax.names import mixed_scripts
from interpreter.syntax.other_notations import relation_in_words
from interpreter.syntax.schema import is_name


@once_per
def comparators_of(world: World) -> dict[str, str]:
    relations = {}
    for name, entry in world.section("comparators").items():
        if check_name(world, entry.key, functions_too=True):
            node = plain_form(entry.value)
            if isinstance(node, Scalar) and node.text not in RELATIONS:
                world.problems.add(
                    say.not_one_of(node.span, f"`{name}`", node.text, RELATIONS, relation_in_words(node.text))
                )
            relations[name] = node.text if isinstance(node, Scalar) and node.text in RELATIONS else "at least"
    return relations


def check_name(world: World, key: Scalar, functions_too: bool = False, called: bool = False) -> bool:
    """Whether a key can be a name in expressions; reports it if not.

    The name of a rule that is only `called`, and that no expression reads, may look like a die.
    """
    name = key.text
    if name in say.EXPRESSION_WORDS:
        world.problems.add(say.reserved_name(key.span, name, "it is a word of the expression language"))
    elif not is_name(name) and not (called and say.LIKE_A_DIE.fullmatch(name)):
        world.problems.add(say.bad_name(key.span, name, mixed_scripts(name)))
    elif functions_too and (name in functions.FUNCTIONS or name in functions.FORMS):
        world.problems.add(say.reserved_name(key.span, name, "it is a function of the language"))
        world.strays.add(name)  # where it is read, the same slip is not told again
    else:
        return True
    return False


def check_value_name(world: World, key: Scalar) -> bool:
    """The same for the name of a value, which must not be a comparator or a function either."""
    if not check_name(world, key, functions_too=True):
        return False
    if key.text in say.VALUE_WORDS:
        world.problems.add(say.reserved_name(key.span, key.text, "it is a word of the expression language"))
        return False
    if key.text in comparators_of(world):
        world.problems.add(say.reserved_name(key.span, key.text, "it is a comparator of this ruleset"))
        return False
    return True


def check_words(world: World, node: Node) -> None:
    """Report words of a closed list that cannot be names, or that are in it twice."""
    keys = (
        [e.key for e in node.entries]
        if isinstance(node, Mapping)
        else [item for item in items_of(node) if isinstance(item, Scalar)]
    )
    seen: dict[str, Span] = {}
    for key in keys:
        if key.text in seen:
            world.problems.add(say.name_taken(key.span, key.text, seen[key.text]))
        seen.setdefault(key.text, key.span)
        check_name(world, key)
