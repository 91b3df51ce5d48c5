"""houserule under its own name: `import houserule` gives what `import interpreter` gives.

In an installed distribution, this folder is the package `houserule`.
"""

from typing import TYPE_CHECKING, Any

import interpreter

if "loads" not in getattr(interpreter, "__all__", ()):
    raise ImportError(
        f"the package `interpreter` at {getattr(interpreter, '__file__', None)} is not the one that comes with "
        "houserule, which needs it: uninstall the other, or install houserule in an environment of its own"
    )

if TYPE_CHECKING:
    from interpreter import *

__all__ = interpreter.__all__
__version__ = interpreter.__version__


def __getattr__(name: str) -> Any:
    if name.startswith("_"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(interpreter, name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
