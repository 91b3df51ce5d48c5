"""Read JSON text as plain data, strictly.

Python's own parser accepts `NaN` and equal keys, and raises errors of its own for text that is too deep or too long.
"""

from __future__ import annotations

import json
from typing import Any

MOST_DIGITS = 400
"""The most digits of a number. No number of a run has more than 19, but exact chances are long."""


class NotJson(ValueError):
    """A text is not JSON. The message is the reason, which follows "it is not JSON:"."""


def read_json(text: str | bytes, halves: bool = False) -> Any:
    """The data of a JSON text. Raises NotJson for `NaN`, doubled keys, halves of characters, and what is too deep.

    With `halves`, surrogates are allowed, and the caller refuses them where they matter.
    """
    try:
        if isinstance(text, bytes):
            text = text.decode("utf-8")
        value = json.loads(
            text,
            object_pairs_hook=_mapping_of_pairs,
            parse_constant=_refuse_constant,
            parse_int=_parse_whole,
            parse_float=_parse_decimal,
        )
        if not halves and ("\\u" in text or not text.isascii()):
            json.dumps(value, ensure_ascii=False).encode("utf-8")
    except NotJson:
        raise
    except RecursionError:
        raise NotJson("it is nested too deep") from None
    except UnicodeError:
        raise NotJson("it is not UTF-8, or has half of a character") from None
    except ValueError as error:
        raise NotJson(str(error).lower()) from None
    return value


def _mapping_of_pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    mapping = dict(pairs)
    if len(mapping) < len(pairs):
        seen: set[str] = set()
        twice = next(key for key, _ in pairs if key in seen or seen.add(key))  # type: ignore[func-returns-value]
        raise NotJson(f"the key {json.dumps(twice)[:80]} stands twice in it")
    return mapping


def _refuse_constant(text: str) -> Any:
    raise NotJson(f"{text} is no number of JSON")


def _parse_whole(text: str) -> int:
    if len(text) > MOST_DIGITS:
        raise NotJson(f"a number of it has {len(text)} digits")
    return int(text)


def _parse_decimal(text: str) -> float:
    number = float(text)
    if number in (float("inf"), float("-inf")):
        raise NotJson("a number of it is larger than any number of JSON")
    return number
