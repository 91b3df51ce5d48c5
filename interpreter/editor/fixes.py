"""Changes of the text that an editor offers for a problem."""

from __future__ import annotations

from interpreter.diagnostics import Diagnostic
from interpreter.diagnostics.source import Span
from interpreter.frozen import dataclass


@dataclass(frozen=True)
class QuickFix:
    """What a menu says, and the changes of the text."""

    title: str
    edits: tuple[tuple[Span, str], ...]


def fixes_of(problem: Diagnostic) -> list[QuickFix]:
    """The fixes of a problem: the edits that mend it, or those that its help proposes."""
    edits = problem.edits or problem.proposed
    if not edits:
        return []
    texts = list(dict.fromkeys(text for _, text in edits))
    title = f"Write `{texts[0]}`" if len(texts) == 1 and 0 < len(texts[0]) <= 60 else problem.help or "Mend this"
    return [QuickFix(title, edits)]
