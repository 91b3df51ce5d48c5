"""What a run asks for: faces and decisions. It never knows who answers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from interpreter import diagnostics as say
from interpreter.diagnostics import PlayError
from interpreter.values import Die, Thing, in_words


@dataclass(slots=True)
class Throw:
    """Dice are thrown; the answer is one face for each, in order. `path` names the step.

    What is drawn from a pile is asked for in the same way; `pile` is the thing that has it, and its name. So are lots:
    `among` are those of whom the face names one, counted from 1, and `at` is where in the ruleset they are drawn.
    """

    dice: tuple[Die, ...]
    path: str
    pile: tuple[Thing, str] | None = None
    among: tuple[Any, ...] = ()
    at: str = ""


@dataclass(slots=True)
class Choice:
    """Somebody decides. The answer is an element of `options`, some of them, yes or no, a number, or text.

    `path` is its key in answers (`tosses.burn`). `least` and `most` say how many of `some`. `said` gives what each
    policy of the ruleset answers here. Where one question is put for each of several, `of` is the one that this is
    about; `together` are all that are asked at once, this one among them, and nobody sees an answer before the last.
    `at` is where in the ruleset it is asked.
    """

    path: str
    kind: str
    by: str | None
    ask: str
    options: Sequence[Any] | None
    least: int
    most: int
    default: Any
    has_default: bool
    meanings: Mapping[str, str] = field(default_factory=dict)
    said: Mapping[str, Callable[[], Any]] = field(default_factory=dict)
    of: str | None = None
    together: tuple[Choice, ...] = field(default=(), repr=False)
    at: str = ""

    @property
    def name(self) -> str:
        return self.path.rsplit(".", 1)[-1]


Request = Throw | Choice


def allowed(choice: Choice) -> str:
    """What may be answered, in words."""
    options = choice.options or ()
    match choice.kind:
        case "yes_no":
            return "`yes` or `no`"
        case "text":
            return "any text"
        case "number" if isinstance(options, range) and options:
            return f"{options[0]} to {options[-1]}"
    shown = ", ".join(in_words(option) for option in options[:20]) + (", …" if len(options) > 20 else "")
    if choice.kind == "some":
        return f"{choice.least} to {choice.most} of {shown}" if options else "nothing"
    return shown


def checked(choice: Choice, answer: Any) -> Any:
    """The answer, if it is a legal one. Raises PlayError otherwise."""
    if choice.kind == "yes_no":
        legal = isinstance(answer, bool)
    elif choice.kind == "text":
        legal = isinstance(answer, str)
    elif choice.kind == "some":
        left = list(choice.options or ())
        legal = isinstance(answer, (tuple, list)) and choice.least <= len(answer) <= choice.most
        for one in answer if legal else ():
            if one in left:
                left.remove(one)
            else:
                legal = False
        answer = tuple(answer) if legal else answer
    else:
        legal = answer in (choice.options or ()) and not isinstance(answer, bool)
    if not legal:
        raise PlayError(say.not_an_answer(choice.path, in_words(answer), allowed(choice)))
    return answer
