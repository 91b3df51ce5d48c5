"""The program: a small, frozen, typed tree that every engine reads, and nothing else.

Nodes have no behaviour, not even equality: a node is itself, and leaving out what nobody asks keeps the start short.
Unions are closed by name, and whoever takes one apart ends with `assert_never`, so that a new node makes the type
checker name every place that does not know it yet. `path` is where a construct stands in the ruleset
(`mechanics.roll.steps.tosses`): its name in traces, in coverage and for house rules.
"""

from interpreter.ir.expressions import *
from interpreter.ir.rules import *
from interpreter.ir.steps import *
