"""Calls of another program: objects of JSON that name what they want, and bring the values for it along."""

from __future__ import annotations

import sys
import traceback
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Generic, TypeVar

from interpreter import diagnostics as say
from interpreter.diagnostics import Diagnostic, HouseruleError, PlayError
from interpreter.frozen import dataclass
from interpreter.host.internal_error import internal_error_of
from interpreter.runtime.rng import Seed, is_fresh_seed
from interpreter.syntax.json_text import NotJson, read_json

Call = Mapping[str, Any]
Reply = dict[str, Any]
Host = TypeVar("Host")

IN_EVERY_CALL = ("do", "tag", "session")
"""The keys that every call may have: what it wants, what its reply repeats, and the session that it is about."""


@dataclass(frozen=True)
class CallTable(Generic[Host]):
    """The calls that a host answers, by name: the function that does it, and the keys that it takes."""

    entries: Mapping[str, tuple[Callable[[Host, Call], Reply], tuple[str, ...]]]

    def reply(self, host: Host, line: bytes | str, with_traceback: bool = False) -> Reply:
        """The reply to a call; errors are replies too. An internal error also writes its traceback on standard error,
        where that is asked for."""
        call: Call = {}
        try:
            call = _read(line)
            return _with_tag(call, {"ok": True, **self._answer_call(host, call)})
        except HouseruleError as error:
            return _with_tag(call, failure(error, self._keys_in_words(call)))
        except Exception as error:
            if with_traceback:
                traceback.print_exception(error, file=sys.stderr)
            return _with_tag(call, failure(PlayError(internal_error_of(error, "the call"))))

    def _answer_call(self, host: Host, call: Call) -> Reply:
        name = text(call, "do")
        if name not in self.entries:
            raise PlayError(say.unknown_call(name, self.entries))
        function, keys = self.entries[name]
        strange = next((key for key in call if key not in (*keys, *IN_EVERY_CALL)), None)
        if strange is not None:
            raise PlayError(say.not_a_call(f"`{name}` takes no `{strange}`"))
        return function(host, call)

    def _keys_in_words(self, call: Call) -> str:
        """What a call takes, or which calls there are."""
        name = call.get("do")
        if not isinstance(name, str) or name not in self.entries:
            return f"`do` names the call, one of {', '.join(f'`{one}`' for one in self.entries)}"
        _, keys = self.entries[name]
        return f"`{name}` takes {', '.join(f'`{one}`' for one in keys) or 'nothing'}"


def _read(line: bytes | str) -> Call:
    try:
        call = read_json(line, halves=True)
    except NotJson as error:
        raise PlayError(say.not_a_call(f"it is not JSON ({error})")) from None
    if not isinstance(call, dict):
        raise PlayError(say.not_a_call("it is not an object", 'write `{"do": "requests"}`'))
    return call


def _with_tag(call: Call, reply: Reply) -> Reply:
    """A reply with the tag of its call, by which a program knows it again."""
    return {"ok": reply["ok"], "tag": call["tag"], **reply} if call.get("tag") is not None else reply


def text(call: Call, key: str) -> str:
    """The text of a key. Raises PlayError if it is missing or no text."""
    value = call.get(key)
    if not isinstance(value, str):
        raise PlayError(say.not_a_call(f"`{key}` is {'missing' if value is None else 'no text'}"))
    return value


def optional_value(call: Call, key: str, kind: type, what: str) -> Any:
    """The value of a key, or None. Raises PlayError if it has another type."""
    value = call.get(key)
    if value is not None and (not isinstance(value, kind) or (kind is int and isinstance(value, bool))):
        raise PlayError(say.not_a_call(f"`{key}` is no {what}"))
    return value


def optional_seed(call: Call) -> Seed | None:
    """The seed that a call gives, or None. Raises PlayError if it has another form."""
    value = call.get("seed")
    if value is None or (isinstance(value, str) and is_fresh_seed(value.lower())) or type(value) is int:
        return value
    raise PlayError(say.not_a_call("`seed` is neither a whole number nor 32 hexadecimal digits"))


def failure(error: HouseruleError, keys: str | None = None) -> Reply:
    """The reply to a call that was refused; `keys` say what the call takes, for one that is not valid."""
    problem = error.diagnostics[0]
    if problem.code == say.NOT_A_CALL and problem.help is None:
        problem = replace(problem, help=keys)
    others = [refusal_data(one) for one in error.diagnostics[1:]]
    return {"ok": False, "error": refusal_data(problem) | ({"others": others} if others else {})}


def refusal_data(problem: Diagnostic) -> Reply:
    """A problem without a place, as plain data."""
    return {"code": problem.code, "message": problem.message, "help": problem.help}
