"""Signed saves: a host that gives a save away knows it again when it comes back.

A save that nobody signed may be forged: it is refused only where it contradicts itself. A signature is the HMAC-SHA-256
of the save, as JSON with sorted keys, by a key that only the host has. It does not tell which of several saves that
were given away is the newest.
"""

from __future__ import annotations

import hmac
import json
from collections.abc import Mapping
from typing import Any

from interpreter import diagnostics as say
from interpreter.diagnostics import PlayError
from interpreter.saves.header import is_save
from interpreter.syntax.json_text import NotJson, read_json

SIGNATURE = "signature"
"""The key under which a save has its signature."""

LEAST_KEY = 16
"""The fewest bytes of a key."""


def sign(save: str | Mapping[str, Any], key: bytes) -> str:
    """A save, its JSON text or its data, as JSON text with a signature that only whoever has the key can make.

    Raises PlayError if it is no save, or the key is shorter than 16 bytes.
    """
    data = _split_signature(save)[0]
    return json.dumps({**data, SIGNATURE: _signature_of(data, key)}, ensure_ascii=False)


def verify(signed: str | Mapping[str, Any], key: bytes) -> dict[str, Any]:
    """The save that was signed with a key, as data without the signature, for `Game.resume`, `Game.state` and
    `Game.replay`. Raises PlayError if it is not as it was signed."""
    data, signature = _split_signature(signed)
    if not isinstance(signature, str) or not hmac.compare_digest(
        signature.encode("utf-8", "replace"), _signature_of(data, key).encode()
    ):
        raise PlayError(say.not_as_signed())
    return data


def _split_signature(save: str | Mapping[str, Any]) -> tuple[dict[str, Any], Any]:
    """The data of a save, and its signature. Raises PlayError if it is no save."""
    if isinstance(save, str):
        try:
            save = read_json(save)
        except NotJson:
            raise PlayError(say.no_save()) from None
    if not isinstance(save, Mapping) or not is_save(save):
        raise PlayError(say.no_save())
    data = dict(save)
    signature = data.pop(SIGNATURE, None)
    return data, signature


def _signature_of(data: Mapping[str, Any], key: bytes) -> str:
    if not isinstance(key, bytes) or len(key) < LEAST_KEY:
        raise PlayError(say.misfit_argument("key", "", f"at least {LEAST_KEY} bytes"))
    try:
        text = json.dumps(data, sort_keys=True, separators=(",", ":"))
    except (TypeError, ValueError):
        raise PlayError(say.no_save()) from None
    return hmac.digest(key, text.encode(), "sha256").hex()
