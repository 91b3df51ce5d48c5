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
    from interpreter.api.adopt import Adopted as Adopted
    from interpreter.api.forms import (
        ActionRule,
        Attribute,
        EventRule,
        Input,
        Kind,
        Option,
        PolicyRule,
        Row,
        Rule,
        SceneRule,
        Table,
        ThingRequirement,
    )
    from interpreter.api.game import Game
    from interpreter.api.host_texts import Wanted, needs
    from interpreter.api.load import check, load, load_bundled, load_file, load_kept, loads
    from interpreter.api.master import Master as Master
    from interpreter.api.playable_scene import PlayableScene, load_scene
    from interpreter.api.players import HOST, SPECTATOR
    from interpreter.api.questions import Request
    from interpreter.api.record import News
    from interpreter.api.result import Result
    from interpreter.api.seat import HostView, Seat
    from interpreter.api.session import Session
    from interpreter.api.session_log import Answer
    from interpreter.budget import Budget, within
    from interpreter.chances.bounded import Bounded
    from interpreter.chances.estimate import Estimate
    from interpreter.diagnostics import BudgetExceeded, Diagnostic, HouseruleError, PlayError, RulesetError
    from interpreter.odds.answer import Advice, Law, Odds
    from interpreter.odds.comparison import Change, Comparison, compare
    from interpreter.odds.sweep import Point, Sweep
    from interpreter.play.requests import Choice
    from interpreter.runtime.rng import commitments, fresh_seed
    from interpreter.saves.plan import AdoptionLine as AdoptionLine
    from interpreter.saves.signature import sign, verify
    from interpreter.simulation.answer import Simulated, Stopped
    from interpreter.workers import Workers

__all__ = [
    "HOST",
    "SPECTATOR",
    "ActionRule",
    "Adopted",
    "AdoptionLine",
    "Advice",
    "Answer",
    "Attribute",
    "Bounded",
    "Budget",
    "BudgetExceeded",
    "Change",
    "Choice",
    "Comparison",
    "Diagnostic",
    "Estimate",
    "EventRule",
    "Game",
    "HostView",
    "HouseruleError",
    "Input",
    "Kind",
    "Law",
    "Master",
    "News",
    "Odds",
    "Option",
    "PlayError",
    "PlayableScene",
    "Point",
    "PolicyRule",
    "Request",
    "Result",
    "Row",
    "Rule",
    "RulesetError",
    "SceneRule",
    "Seat",
    "Session",
    "Simulated",
    "Stopped",
    "Sweep",
    "Table",
    "ThingRequirement",
    "Wanted",
    "Workers",
    "check",
    "commitments",
    "compare",
    "fresh_seed",
    "load",
    "load_bundled",
    "load_file",
    "load_kept",
    "load_scene",
    "loads",
    "needs",
    "sign",
    "verify",
    "within",
]
__version__ = VERSION

_MODULES = {
    "commitments": "interpreter.runtime.rng",
    "fresh_seed": "interpreter.runtime.rng",
    "sign": "interpreter.saves.signature",
    "verify": "interpreter.saves.signature",
    "ActionRule": "interpreter.api.forms",
    "HOST": "interpreter.api.players",
    "SPECTATOR": "interpreter.api.players",
    "Advice": "interpreter.odds.answer",
    "Answer": "interpreter.api.session_log",
    "Attribute": "interpreter.api.forms",
    "Bounded": "interpreter.chances.bounded",
    "Budget": "interpreter.budget",
    "BudgetExceeded": "interpreter.diagnostics",
    "Change": "interpreter.odds.comparison",
    "Choice": "interpreter.play.requests",
    "Comparison": "interpreter.odds.comparison",
    "Diagnostic": "interpreter.diagnostics",
    "Estimate": "interpreter.chances.estimate",
    "EventRule": "interpreter.api.forms",
    "Game": "interpreter.api.game",
    "HostView": "interpreter.api.seat",
    "HouseruleError": "interpreter.diagnostics",
    "Input": "interpreter.api.forms",
    "Kind": "interpreter.api.forms",
    "Law": "interpreter.odds.answer",
    "News": "interpreter.api.record",
    "Odds": "interpreter.odds.answer",
    "Option": "interpreter.api.forms",
    "PlayError": "interpreter.diagnostics",
    "PlayableScene": "interpreter.api.playable_scene",
    "Point": "interpreter.odds.sweep",
    "PolicyRule": "interpreter.api.forms",
    "Request": "interpreter.api.questions",
    "Result": "interpreter.api.result",
    "Row": "interpreter.api.forms",
    "Rule": "interpreter.api.forms",
    "RulesetError": "interpreter.diagnostics",
    "SceneRule": "interpreter.api.forms",
    "Adopted": "interpreter.api.adopt",
    "AdoptionLine": "interpreter.saves.plan",
    "Master": "interpreter.api.master",
    "Seat": "interpreter.api.seat",
    "Session": "interpreter.api.session",
    "Simulated": "interpreter.simulation.answer",
    "Stopped": "interpreter.simulation.answer",
    "Sweep": "interpreter.odds.sweep",
    "Table": "interpreter.api.forms",
    "ThingRequirement": "interpreter.api.forms",
    "Wanted": "interpreter.api.host_texts",
    "Workers": "interpreter.workers",
    "check": "interpreter.api.load",
    "compare": "interpreter.odds.comparison",
    "load": "interpreter.api.load",
    "load_bundled": "interpreter.api.load",
    "load_file": "interpreter.api.load",
    "load_kept": "interpreter.api.load",
    "load_scene": "interpreter.api.playable_scene",
    "loads": "interpreter.api.load",
    "needs": "interpreter.api.host_texts",
    "within": "interpreter.budget",
}
"""Where each public name is defined. It is imported when it is first asked for: most commands need few of them."""


def __getattr__(name: str) -> Any:
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(_MODULES[name]), name)
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
