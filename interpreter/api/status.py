"""How somebody who is asked is doing, in a line above the question."""

from __future__ import annotations

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
    has = summaries.summary_of(instance.closures, {**new_frame(), STATE: state}, state.thing(who))
    titles, kind = titles_of(instance.program, state), state.things[who].kind
    if names is None:
        return summaries.summary_in_words(has, titles, kind)
    kinds = kinds_of(state)
    seen = visible_summary(lambda thing, name: may_see(instance.program, kinds, thing, name, names), who, has)
    return summaries.summary_in_words(seen, titles, kind)
