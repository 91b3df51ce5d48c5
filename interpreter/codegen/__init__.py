"""Rules as generated Python functions, for scenes that are simulated thousands of times.

A generated function computes what `interpreter.play` computes from the same faces. It reports no errors: a run that
goes wrong raises `NotGenerated` or any other exception, and play runs it again to report what is wrong. Where play
finds nothing wrong, an exception that is not `NotGenerated` is an error of the generator: it is counted, and raised in
the tests. It makes no requests: a policy of the ruleset or a default decides. It works on one mutable state, where play
replaces a frozen one.

`runs` plays one run, and `scenes` the rounds of a scene. `rules`, `actions` and `events` write functions from the
steps that the other files write; `verbs` names what writes each kind of step. `expressions` writes formulas, `module`
keeps all functions, and `dependencies` finds what a cached value depends on. Caching may let a run compute more than
play would before it is stopped, never less.
"""

from interpreter.codegen.module import GeneratedModule, NotGenerated
from interpreter.codegen.runs import rule_player
from interpreter.codegen.scenes import PlayScene
from interpreter.codegen.verbs import module_of

__all__ = ["GeneratedModule", "NotGenerated", "PlayScene", "module_of", "rule_player"]
