"""Results and traces as people read them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from interpreter.api.result import Result
from interpreter.cli.terminal import Paint
from interpreter.report.short import shorten_trace
from interpreter.report.trace import Line, Trace
from interpreter.runtime.titles import titles_of


def as_page(result: Result, paint: Paint, verbose: bool = False) -> str:
    """A result as people read it: its trace, then its outcome.

    The trace is told short, and the outcome has its sources; `verbose` gives every line of the trace.
    """
    loud = [line for line in result.trace if not line.quiet]
    lines = list(
        format_lines(result.trace if verbose else shorten_trace(loud, result.rule, result.trace.program), paint)
    )
    last = loud[-1] if loud and loud[-1].kind == "outcome" and not verbose else None
    rows = paint(f"  [{last.sources}]", "dim") if last is not None and last.cites else ""
    lines += [""] if lines else []
    outcome = titles_of(result.trace.program).word(result.outcome or "done")
    lines.append(f"{paint(result.mechanic, 'bold')}: {paint(outcome, 'bold green')}{rows}")
    return "\n".join([*lines, *dice_thrown(result, paint)])


def dice_thrown(result: Result, paint: Paint) -> Iterator[str]:
    """The seed and the faces of dice that fell by chance."""
    if result.seed is not None and result.faces:
        yield paint(f"seed {result.seed}; faces {','.join(map(str, result.faces))}", "dim")


def trace_lines(trace: Trace, paint: Paint, verbose: bool = False) -> Iterator[str]:
    """The lines of a trace."""
    return format_lines((line for line in trace if verbose or not line.quiet), paint)


def format_lines(lines: Iterable[Line], paint: Paint) -> Iterator[str]:
    styles = {"step": "bold", "roll": "bold", "outcome": "bold", "call": "magenta", "thrown": "magenta"}
    for line in lines:
        name = paint(line.shown, styles.get(line.kind, "cyan")) if line.name else ""
        text = paint(line.text, "bold green") if line.kind == "outcome" and line.depth == 0 else line.text
        note = paint(f"  [{line.sources}]", "dim") if line.cites else ""
        yield f"{'  ' * line.depth}{name}{': ' if name and text else ''}{text}{note}"
