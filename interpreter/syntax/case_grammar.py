"""The keys of cases, which test rules with given dice and expected results, or with exact odds."""

from __future__ import annotations

from interpreter.syntax.fixed_words import SPANS
from interpreter.syntax.shapes import EXPRESSION, PROSE, AnyOf, Form, FreeForm, ListOf, MapOf, Name, OneOf, Ref

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
            "best": AnyOf((PROSE, MapOf(PROSE, least=1))),
            "worst": AnyOf((PROSE, MapOf(PROSE, least=1))),
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
