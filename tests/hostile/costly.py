"""Runs one row of `costly.jsonl` or `searched.jsonl` that stands on standard input, in a process of its own.

It prints what came of it. A row has a `text`, or says in Python how a long one is made (`text_by`).

It is within a budget as a host or a command would have it; the system ends the process if it takes much more.
"""

from __future__ import annotations

import gc
import io
import json
import resource
import sys
from contextlib import redirect_stderr, redirect_stdout, suppress
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages
from time import process_time
from typing import Any

MORE_SECONDS, MORE_MEMORY = 6, 512 << 20
"""What the system allows beyond the budget and what Python itself takes."""


def main() -> None:
    """Run the row, with the name of a budget as the argument; its folder is the working directory."""
    row = json.load(sys.stdin)
    if "text_by" in row:
        row["text"] = eval(row["text_by"])
    # All modules are loaded before, as a worker has them.
    import numpy  # noqa: F401

    import interpreter
    import interpreter.cli as command

    for module in walk_packages(interpreter.__path__, "interpreter."):
        if not module.name.endswith("__main__"):
            import_module(module.name)
    gc.freeze()  # as the processes of `interpreter.Workers` do
    budget: interpreter.Budget = getattr(interpreter.Budget, sys.argv[1])
    assert budget.seconds is not None and budget.memory is not None
    taken = process_time()
    held = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    most = int(taken + budget.seconds) + MORE_SECONDS
    resource.setrlimit(resource.RLIMIT_CPU, (most, most))
    space = budget.memory + MORE_MEMORY + (1 << 30)
    resource.setrlimit(resource.RLIMIT_AS, (space, space))
    said = of_command(command.main, row) if "command" in row else of_code(interpreter, budget, row)
    now = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    print(json.dumps({"said": said, "seconds": process_time() - taken, "memory": (now - held) << 10}))


def of_code(library: Any, budget: Any, row: dict[str, Any]) -> str:
    """What a host is told: a refusal in words, or nothing."""
    try:
        with library.within(budget):
            game = library.loads(row["text"], name="costly.yaml") if "text" in row else None
            exec(row["code"], {"g": game, "interpreter": library})
    except library.HouseruleError as refused:
        return str(refused)
    return ""


def of_command(main: Any, row: dict[str, Any]) -> str:
    """What a command says on standard error."""
    if "text" in row:
        Path("x.yaml").write_text(row["text"], "utf-8")
    said = io.StringIO()
    sys.argv = ["houserule", *row["command"], "--budget", "strict" if sys.argv[1] == "strict" else "10"]
    with redirect_stdout(io.StringIO()) as out, redirect_stderr(said), suppress(SystemExit):
        main()
    return said.getvalue() + (out.getvalue() if "HR638" in out.getvalue() else "")


if __name__ == "__main__":
    main()
