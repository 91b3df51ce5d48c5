"""Places of a text as browsers count them: in UTF-16 units, where characters beyond U+FFFF count two."""

from __future__ import annotations


def units_of(text: str, offset: int) -> int:
    """The place in UTF-16 units of an offset in characters."""
    return offset if text.isascii() else len(text[:offset].encode("utf-16-le", "surrogatepass")) // 2


def offset_of(text: str, units: int) -> int:
    """The offset in characters of a place in UTF-16 units."""
    if text.isascii():
        return units
    return len(text.encode("utf-16-le", "surrogatepass")[: units * 2].decode("utf-16-le", "ignore"))
