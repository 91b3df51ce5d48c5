"""All that `houserule check` reports of a ruleset."""

from __future__ import annotations

from interpreter.api.first_state import problems_of_things
from interpreter.diagnostics import Diagnostic
from interpreter.pipeline import Loaded
from interpreter.testing import typical
from interpreter.testing.claims import problems_of_claims


def all_problems(loaded: Loaded) -> list[Diagnostic]:
    """The problems of the text, of the chances that tables claim, of typical inputs, and of the things that the ruleset
    makes."""
    return [
        *loaded.problems,
        *problems_of_claims(loaded),
        *typical.problems_of_typical_inputs(loaded),
        *problems_of_things(loaded),
    ]
