"""The program: a small, frozen, typed tree that every engine reads.

Nodes have no behaviour. They compare by identity, since generating methods for them would slow down the start.
A function that takes a union of nodes apart ends with `assert_never`, so that a new node makes the type checker report
every function that lacks it. `path` is the path of a construct in the ruleset (`mechanics.roll.steps.tosses`), by which
traces, coverage and house rules name it.
"""

from interpreter.ir.expressions import *
from interpreter.ir.question import *
from interpreter.ir.rules import *
from interpreter.ir.steps import *
