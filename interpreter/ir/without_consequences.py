"""The same rules without what follows when points reach a bound, for odds of one action by itself."""

from __future__ import annotations

from dataclasses import replace

from interpreter.ir.rules import HeldAttribute, Program


def rules_without_consequences(program: Program) -> Program:
    """The same rules, in which points and tracks have no upper bound, nothing follows at a bound, and nobody reacts who
    is asked whether to."""

    def remove_bounds(one: HeldAttribute) -> HeldAttribute:
        if not one.counter:
            return one
        return replace(one, when_full=(), when_hit_full=(), when_empty=(), declared=replace(one.declared, high=None))

    kinds = {
        name: replace(kind, has={key: remove_bounds(one) for key, one in kind.has.items()})
        for name, kind in program.kinds.items()
    }
    reactions = {name: one for name, one in program.reactions.items() if one.automatic}
    return replace(program, kinds=kinds, reactions=reactions)
