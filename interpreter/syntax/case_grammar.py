"""The keys of cases, which test rules with given dice and expected results, or with exact odds."""

from __future__ import annotations

from interpreter.syntax.fixed_words import SPANS
from interpreter.syntax.shapes import EXPRESSION, PROSE, AnyOf, Form, FreeForm, ListOf, MapOf, Name, OneOf, Ref

_PREFERRED = AnyOf((PROSE, ListOf(PROSE, 1)))
_GOALS = AnyOf((PROSE, ListOf(PROSE, 1), MapOf(_PREFERRED, least=1)))
"""A name, several in the order of preference, or such by who decides."""

CASE_FORMS: dict[str, Form] = {
    "case": Form(
        "a case",
        {
            "name": PROSE,
            "about": PROSE,
            "rule": AnyOf((PROSE, ListOf(PROSE))),
            "mechanic": Name(),
            "event": Name(),
            "action": Name(),
            "actor": PROSE,
            "scene": Name(),
            "phase": Name(),
            "rounds": PROSE,
            "ends": OneOf(SPANS),
            "first": ListOf(Ref("doing")),
            "evaluate": EXPRESSION,
            "before": MapOf(MapOf(FreeForm())),
            "after": MapOf(FreeForm()),
            "given": MapOf(FreeForm()),
            "options": MapOf(FreeForm()),
            "faces": FreeForm(),
            "choices": MapOf(FreeForm()),
            "policy": Name(),
            "best": _GOALS,
            "worst": _GOALS,
            "expect": FreeForm(),
            "odds": MapOf(FreeForm(), least=1),
            "joint": ListOf(MapOf(FreeForm(), least=1)),
            "mean": MapOf(FreeForm(), least=1),
            "when": MapOf(AnyOf((PROSE, ListOf(PROSE))), least=1),
            "error": AnyOf((PROSE, ListOf(PROSE, 1))),
            "each": Ref("grid"),
        },
        ("name",),
    ),
    "doing": Form(
        "something that is done first",
        {
            "mechanic": Name(),
            "event": Name(),
            "action": Name(),
            "actor": PROSE,
            "given": MapOf(FreeForm()),
            "faces": FreeForm(),
            "choices": MapOf(FreeForm()),
            "ends": OneOf(SPANS),
        },
        about="What happens before the tested rule: a rule that is played, or a span that ends.",
    ),
    "grid": Form(
        "a grid",
        {
            "given": ListOf(PROSE),
            "expect": PROSE,
            "odds": PROSE,
            "mean": PROSE,
            "rows": FreeForm(),
        },
        ("given", "rows"),
    ),
}
