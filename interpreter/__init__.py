"""houserule: tabletop role-playing rules as data, and the interpreter that runs them.

    game = interpreter.load("jadeclaw")
    result = game.roll("contest", own="d10 & d4", against="2d6", seed=7)
    print(result.outcome, result.trace)

This is the whole of what hosts use; `interpreter/README.md` tells those who carry the work on what lies behind it.
"""

from interpreter.api.forms import Input, Rule
from interpreter.api.game import Game
from interpreter.api.load import check, load, loads
from interpreter.api.playable_scene import PlayableScene, load_scene
from interpreter.api.questions import Request
from interpreter.api.result import Result
from interpreter.api.session import Answer, Session
from interpreter.diagnostics import Diagnostic, HouseruleError, PlayError, RulesetError
from interpreter.odds.answer import Advice, Law, Odds
from interpreter.odds.comparison import Change, Comparison, compare
from interpreter.odds.sweep import Point, Sweep
from interpreter.play.requests import Choice
from interpreter.simulation.answer import Estimate, Simulated, Stopped

__all__ = [
    "Advice",
    "Answer",
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
    "check",
    "compare",
    "load",
    "load_scene",
    "loads",
]
__version__ = "0.1.0"
