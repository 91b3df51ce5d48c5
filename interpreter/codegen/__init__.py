"""Rules written out as Python, for what is played thousands of times run by run: dear to make, and quick to run.

What is written comes to what `interpreter.play.steps` comes to from the same faces. It says nothing of what goes
wrong: whatever does is walked, which says it. It asks nobody, so it plays what a policy of the ruleset decides, or
what is usual; and it keeps one state, which changes under it, where the walk exchanges one for another.

A value's way: `runs` plays one run, `scenes` the rounds of one; `rules` and `deeds` are functions of rules, made of
`steps`, those of `formulas`; `changes` is what steps do to what lasts, which `live` holds; `reading` says what a value
hangs on that is remembered. A `page` has the lines of one function, and `script` keeps all of it. What is remembered
takes nothing from what a run may compute, so a run is never broken off sooner than the walk would be, but sometimes
later.
"""

from interpreter.codegen.module import GeneratedModule, NotGenerated
from interpreter.codegen.runs import run_of
from interpreter.codegen.scenes import Played

__all__ = ["GeneratedModule", "NotGenerated", "Played", "run_of"]
