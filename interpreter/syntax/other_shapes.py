"""Recognise mappings that say in the keys of other tools what the language says in its own.

Each is told as a whole, with the mapping that is meant, since its keys one by one would lead nowhere.
"""

from __future__ import annotations

from interpreter.diagnostics import range_meant
from interpreter.frozen import dataclass
from interpreter.syntax.document import Entry, Mapping, Scalar

_VALUES = ("value", "current", "base", "start", "starting", "initial", "val")
_MOST = ("max", "maximum", "cap", "limit", "full")
_LEAST = ("min", "minimum")


@dataclass(frozen=True)
class MeantMapping:
    """A mapping as the language writes it, and the entry at which it is told."""

    at: Entry
    written: str


def mapping_meant(node: Mapping, title: str) -> MeantMapping | None:
    """The mapping that is meant by one with the wrong keys, for a form of that title; None where that is not known."""
    texts = {entry.key.text: " ".join(entry.value.span.text.split()) for entry in node.entries}
    if sum(map(len, texts.values())) > 120:
        return None
    match title:
        case "a loss":
            return _shift(node, texts, "lose", "from")
        case "a gain":
            return _shift(node, texts, "gain", "to")
        case "a setting":
            return _set_step(node, texts)
        case "a payment" if "from" not in texts:
            return _payment(node, texts)
        case "a call" if "with" not in texts:
            return _call(node, texts)
        case "an outcome" if len(texts) == 1 and "if" not in texts:
            return _range_of_one(node, texts)
        case "what a thing has" if set(texts) == {"if"}:
            return MeantMapping(node.by_key["if"], f"{{is: {texts['if']}}}")
        case "a changed event" if "to" in texts and isinstance(node.get("change"), Scalar):
            name = texts["change"].removeprefix("event.")
            return MeantMapping(node.by_key["to"], f"{{change: {{{name}: {texts['to']}}}}}")
        case "a ladder" if "rungs" not in texts:
            return _ladder(node, texts)
        case "a table" if "rows" not in texts:
            return _table(node, texts)
        case "what a thing has":
            return _points(node, texts)
    return None


def _shift(node: Mapping, texts: dict[str, str], verb: str, side: str) -> MeantMapping | None:
    """`{lose: who.luck, by: 2}` or `{lose: 2, of: who.luck}`."""
    other = next((key for key in ("by", "amount", "for", "of", "on", "from", "to", "in") if key in texts), None)
    if side in texts or other is None or verb not in texts:
        return None
    turned = other in ("by", "amount", "for")
    amount, of = (texts[other], texts[verb]) if turned else (texts[verb], texts[other])
    more = "".join(f", {key}: {text}" for key, text in texts.items() if key in ("if", "else"))
    return MeantMapping(node.by_key[other], f"{{{verb}: {amount}, {side}: {of}{more}}}")


def _set_step(node: Mapping, texts: dict[str, str]) -> MeantMapping | None:
    """`{set: {who.luck: 2}}`."""
    inner = node.get("set")
    if "to" in texts or not isinstance(inner, Mapping) or len(inner.entries) != 1:
        return None
    one = inner.entries[0]
    return MeantMapping(node.by_key["set"], f"{{set: {one.key.text}, to: {one.value.span.text}}}")


def _payment(node: Mapping, texts: dict[str, str]) -> MeantMapping | None:
    """`{pay: {luck: 2}}`, `{pay: luck, amount: 2}` or `{pay: 2 luck}`."""
    inner = node.get("pay")
    words = texts.get("pay", "").split()
    if isinstance(inner, Mapping) and len(inner.entries) == 1:
        points, price = inner.entries[0].key.text, inner.entries[0].value.span.text
    elif "amount" in texts and len(words) == 1:
        points, price = words[0], texts["amount"]
    elif len(words) == 2 and words[1].isidentifier():
        price, points = words
    else:
        return None
    of = points if "." in points else f"actor.{points}"
    return MeantMapping(node.by_key["pay"], f"{{pay: {price}, from: {of}}}")


def _call(node: Mapping, texts: dict[str, str]) -> MeantMapping | None:
    """`{call: climb, height: 3}`."""
    own = ("call", "roles", "if", "else", "about", "cites")
    given = {key: text for key, text in texts.items() if key not in own}
    if not given or not isinstance(node.get("call"), Scalar):
        return None
    inputs = ", ".join(f"{key}: {text}" for key, text in given.items())
    more = "".join(f", {key}: {texts[key]}" for key in own[1:] if key in texts)
    return MeantMapping(node.by_key[next(iter(given))], f"{{call: {texts['call']}, with: {{{inputs}}}{more}}}")


def _range_of_one(node: Mapping, texts: dict[str, str]) -> MeantMapping | None:
    """`{total: 10+}`."""
    ((name, text),) = texts.items()
    likely_range = range_meant(text)
    if likely_range is None or not name.isidentifier() or name in ("tells", "about", "cites", "steps", "counts_as"):
        return None
    low, _, high = likely_range.text.partition(" to ")
    number, _, way = likely_range.text.partition(" or ")
    written = f"{low} <= {name} <= {high}" if high else f"{name} {'>=' if way == 'more' else '<='} {number}"
    return MeantMapping(node.entries[0], written)


def _ladder(node: Mapping, texts: dict[str, str]) -> MeantMapping | None:
    """`{page: 1, squire: 2}`."""
    words = [key for key in texts if key not in ("about", "cites")]
    if not words or not all(isinstance(node.get(word), Scalar) for word in words):
        return None
    if all(texts[word].isdecimal() for word in words):
        words.sort(key=lambda word: int(texts[word]))
    return MeantMapping(node.by_key[words[0]], f"[{', '.join(words)}]")


def _table(node: Mapping, texts: dict[str, str]) -> MeantMapping | None:
    """`{rope: 3, lamp: 5}`."""
    own = ("type", "off_the_rows", "claims", "about", "cites")
    rows = {key: text for key, text in texts.items() if key not in own}
    if len(rows) < 2:
        return None
    said = "".join(f"{key}: {texts[key]}, " for key in own if key in texts)
    written = ", ".join(f"{key}: {text}" for key, text in rows.items())
    return MeantMapping(node.by_key[next(iter(rows))], f"{{{said}rows: {{{written}}}}}")


def _points(node: Mapping, texts: dict[str, str]) -> MeantMapping | None:
    """`{value: 6, max: 6}`."""
    if any(key not in (*_VALUES, *_MOST, *_LEAST) for key in texts) or not texts:
        return None
    now, most, least = (next((texts[key] for key in keys if key in texts), None) for keys in (_VALUES, _MOST, _LEAST))
    if most is None:
        bound = f"from: {least}, " if least is not None else ""
        written = f"{{type: number, {bound}default: {now or least}}}"
    else:
        bound = f"from: {least}, " if least is not None else ""
        written = f"{{type: points, {bound}to: {most}, starts: {now or most}}}"
    return MeantMapping(node.entries[0], written)
