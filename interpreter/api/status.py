"""How somebody who is asked is doing, in a line above the question."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from interpreter.api.instance import Instance
from interpreter.api.players import Names
from interpreter.api.visibility import kinds_of, may_see, visible_summary
from interpreter.runtime import summaries
from interpreter.runtime.evaluator import new_frame
from interpreter.runtime.state import STATE, State
from interpreter.runtime.titles import titles_of


def status_of(instance: Instance, state: State, who: str | None, names: Names | None = None) -> str:
    """The summary of a thing, `wounds 2 of 6, place gate`; empty for a role, and where its kind has no summary.

    A player who answers for `names` does not read what that player may not see; None hides nothing.
    """
    if who is None or who not in state.things:
        return ""
    seen = summary_seen(instance, state, who, names)
    return summaries.summary_in_words(seen, titles_of(instance.program, state), state.things[who].kind, who)


def parted_status_of(
    instance: Instance, state: State, who: str | None, names: Names | None = None
) -> tuple[list[str], str]:
    """The summary of a thing in two: what is counted, each in short (`wounds 2/6`), and the rest in words."""
    if who is None or who not in state.things:
        return [], ""
    titles, kind = titles_of(instance.program, state), state.things[who].kind
    counted, other = summaries.parted_by_count(summary_seen(instance, state, who, names))
    return summaries.counts_in_short(counted, titles, kind), summaries.summary_in_words(other, titles, kind, who)


def summary_seen(instance: Instance, state: State, who: str, names: Names | None) -> Mapping[str, Any]:
    """What the summary of a thing holds, as far as somebody who answers for `names` may see it."""
    has = summaries.summary_of(instance.closures, {**new_frame(), STATE: state}, state.thing(who))
    if names is None:
        return has
    kinds = kinds_of(state)
    return visible_summary(lambda thing, name: may_see(instance.program, kinds, thing, name, names), who, has)
