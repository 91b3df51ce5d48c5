"""How nodes are declared: as dataclasses that are frozen for the type checker only.

Every command creates the hundred classes of nodes before it does anything else. The methods with which a dataclass
refuses assignments are most of that work, and mypy refuses those in the interpreter anyway.
"""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dataclasses import dataclass as dataclass
else:

    def dataclass(*, frozen: bool, eq: bool = True, **options: Any) -> Any:
        """As in `dataclasses`, but without the methods that refuse assignments."""
        return dataclasses.dataclass(eq=eq, unsafe_hash=eq and frozen, **options)
