"""In place of the package of this name, which needs a compiled module: the keywords that `schemas/levels.json` uses.

The page puts it into Pyodide; nothing else imports it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any


class ValidationError:
    """A keyword that a value violates."""

    def __init__(self, keyword: str) -> None:
        self.validator = keyword


class Draft202012Validator:
    """Validates objects against `required` and `additionalProperties: false`; the core passes nothing but objects."""

    def __init__(self, schema: Mapping[str, Any], registry: object = None) -> None:
        self.schema = schema

    def iter_errors(self, value: Mapping[str, Any]) -> Iterator[ValidationError]:
        """The keywords that a value violates, in the order in which the package reports them."""
        if any(key not in value for key in self.schema["required"]):
            yield ValidationError("required")
        if value.keys() - self.schema["properties"].keys():
            yield ValidationError("additionalProperties")
