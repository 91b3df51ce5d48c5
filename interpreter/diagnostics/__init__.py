"""Problems, and all their wording.

A diagnostic has a stable code, a place, a sentence in the author's words and, where there is one, a way out.
Each kind of problem is one function here that takes what it needs to be worded, so that a check elsewhere reads as
a sentence: `problems.add(say.unknown_name(span, name, known))`. A file holds the problems of one stage. Codes: HR0 the
file and its YAML, HR1 the shape of a ruleset, HR2 expressions as text, HR3 names, HR4 types, HR5 whole tables, ladders
and outcomes, HR6 a run, HR7 cases, HR8 odds, HR9 warnings; HR999 is an
error of this program.
"""

from interpreter.diagnostics.cases import *
from interpreter.diagnostics.dice import *
from interpreter.diagnostics.expression import *
from interpreter.diagnostics.file import *
from interpreter.diagnostics.layers import *
from interpreter.diagnostics.model import *
from interpreter.diagnostics.names import *
from interpreter.diagnostics.never import *
from interpreter.diagnostics.notation import *
from interpreter.diagnostics.odds import *
from interpreter.diagnostics.ruleset import *
from interpreter.diagnostics.run import *
from interpreter.diagnostics.saves import *
from interpreter.diagnostics.scenes import *
from interpreter.diagnostics.session import *
from interpreter.diagnostics.shape import *
from interpreter.diagnostics.state import *
from interpreter.diagnostics.suggest import *
from interpreter.diagnostics.things import *
from interpreter.diagnostics.types import *
from interpreter.diagnostics.unread import *
from interpreter.diagnostics.unthrown import *
from interpreter.diagnostics.usual_names import *
from interpreter.diagnostics.usual_ranges import *
from interpreter.diagnostics.usual_types import *
