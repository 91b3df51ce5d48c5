"""houserule: tabletop role-playing rules as data, and the interpreter that runs them.

    game = interpreter.load("jadeclaw")
    result = game.roll("contest", own="d10 & d4", against="2d6", seed=7)
    print(result.outcome, result.trace)

This is the whole of what hosts use; `interpreter/README.md` tells those who carry the work on what lies behind it.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from interpreter.version import VERSION

if TYPE_CHECKING:
    from interpreter.api.forms import Input, Rule
    from interpreter.api.game import Game
    from interpreter.api.host_texts import Wanted, needs
    from interpreter.api.load import check, load, load_bundled, load_file, loads
    from interpreter.api.playable_scene import PlayableScene, load_scene
    from interpreter.api.questions import Request
    from interpreter.api.result import Result
    from interpreter.api.session import Session
    from interpreter.api.session_log import Answer
    from interpreter.chances.bounded import Bounded
    from interpreter.chances.estimate import Estimate
    from interpreter.diagnostics import Diagnostic, HouseruleError, PlayError, RulesetError
    from interpreter.odds.answer import Advice, Law, Odds
    from interpreter.odds.comparison import Change, Comparison, compare
    from interpreter.odds.sweep import Point, Sweep
    from interpreter.play.requests import Choice
    from interpreter.simulation.answer import Simulated, Stopped

__all__ = [
    "Advice",
    "Answer",
    "Bounded",
    "Change",
    "Choice",
    "Comparison",
    "Diagnostic",
    "Estimate",
    "Game",
    "HouseruleError",
    "Input",
    "Law",
    "Odds",
    "PlayError",
    "PlayableScene",
    "Point",
    "Request",
    "Result",
    "Rule",
    "RulesetError",
    "Session",
    "Simulated",
    "Stopped",
    "Sweep",
    "Wanted",
    "check",
    "compare",
    "load",
    "load_bundled",
    "load_file",
    "load_scene",
    "loads",
    "needs",
]
__version__ = VERSION

_MODULES = {
    "Advice": "interpreter.odds.answer",
    "Answer": "interpreter.api.session_log",
    "Bounded": "interpreter.chances.bounded",
    "Change": "interpreter.odds.comparison",
    "Choice": "interpreter.play.requests",
    "Comparison": "interpreter.odds.comparison",
    "Diagnostic": "interpreter.diagnostics",
    "Estimate": "interpreter.chances.estimate",
    "Game": "interpreter.api.game",
    "HouseruleError": "interpreter.diagnostics",
    "Input": "interpreter.api.forms",
    "Law": "interpreter.odds.answer",
    "Odds": "interpreter.odds.answer",
    "PlayError": "interpreter.diagnostics",
    "PlayableScene": "interpreter.api.playable_scene",
    "Point": "interpreter.odds.sweep",
    "Request": "interpreter.api.questions",
    "Result": "interpreter.api.result",
    "Rule": "interpreter.api.forms",
    "RulesetError": "interpreter.diagnostics",
    "Session": "interpreter.api.session",
    "Simulated": "interpreter.simulation.answer",
    "Stopped": "interpreter.simulation.answer",
    "Sweep": "interpreter.odds.sweep",
    "Wanted": "interpreter.api.host_texts",
    "check": "interpreter.api.load",
    "compare": "interpreter.odds.comparison",
    "load": "interpreter.api.load",
    "load_bundled": "interpreter.api.load",
    "load_file": "interpreter.api.load",
    "load_scene": "interpreter.api.playable_scene",
    "loads": "interpreter.api.load",
    "needs": "interpreter.api.host_texts",
}
"""Where each public name is defined. It is imported when it is first asked for: most commands need few of them."""


def __getattr__(name: str) -> Any:
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(_MODULES[name]), name)
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
