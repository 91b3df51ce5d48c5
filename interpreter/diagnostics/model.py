"""A diagnostic, the collection that gathers them, and the exceptions that carry them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, replace
from typing import NoReturn

from interpreter.diagnostics.source import NOWHERE as NOWHERE
from interpreter.diagnostics.source import Span
from interpreter.shown_text import in_one_line
from interpreter.work_count import spend


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One problem: `code`, `message`, where, perhaps `help`, and other places that matter as `notes`."""

    code: str
    message: str
    span: Span
    help: str | None = None
    notes: tuple[tuple[Span, str], ...] = ()
    severity: str = "error"
    about: str | None = None
    """The name of the requirement, option or choice that it is about, where there is one."""
    edits: tuple[tuple[Span, str], ...] = ()
    """Changes of the text, each a place and what should stand there, that mend it without a decision of the author."""
    proposed: tuple[tuple[Span, str], ...] = ()
    """Changes of the text that the help proposes, and that the author decides on: an editor offers them."""
    consequence: str = ""
    """What follows from the same cause, as a count, such as `22 more cases`; empty if nothing does."""
    follows: tuple[Diagnostic, ...] = ()
    """The same one by one, which people see only if they ask for all."""

    def __post_init__(self) -> None:  # a message quotes what anybody has written
        for name in ("message", "help"):
            text = getattr(self, name)
            if text is not None and not text.isprintable():
                object.__setattr__(self, name, in_one_line(text))

    @property
    def path(self) -> str:
        return self.span.source.name

    @property
    def line(self) -> int:
        return self.span.line

    @property
    def column(self) -> int:
        return self.span.column

    @property
    def in_one_line(self) -> str:
        """The message, the help, and how much follows from it."""
        text = self.message + (f" ({self.help})" if self.help else "")
        return text + (f", and {self.consequence}" if self.consequence else "")

    def __str__(self) -> str:
        place = "" if self.span is NOWHERE or not self.path else f"{self.span}: "
        return f"{place}{self.code} {self.in_one_line}"


OF_A_PROBLEM = 50
"""The units of work in which a problem is worded."""
MOST_ERRORS = 200
"""After this number of errors, the rest of a ruleset is not checked: wording each of them takes time."""


class Problems:
    """Gathers diagnostics, so that a pass can report one and go on. The same one is kept once."""

    def __init__(self, strays: Iterable[str] = (), most: int | None = MOST_ERRORS) -> None:
        """`most` errors are kept; None where nobody reads them, so that a silent pass never ends a loud one."""
        self.most = most
        self._found: dict[tuple[object, ...], Diagnostic] = {}
        self._errors = 0
        self.strays = set(strays)
        """Names that stand under something reported: using them elsewhere is no second slip."""

    def add(self, diagnostic: Diagnostic) -> None:
        """Keep a diagnostic. Raises TooManyErrors if there are more than anyone would read."""
        spend(OF_A_PROBLEM)
        key = (diagnostic.code, diagnostic.path, diagnostic.span.start, diagnostic.message)
        if key in self._found:
            return
        self._found[key] = diagnostic
        self._errors += diagnostic.severity == "error"
        if self.most is not None and self._errors > self.most:
            raise TooManyErrors(*self.errors, too_many_errors(diagnostic.span))

    def put_in_place_of(self, several: Iterable[Diagnostic], one: Diagnostic) -> None:
        """Keep one diagnostic in place of several that follow from the same slip."""
        gone = set(several)
        self._found = {key: found for key, found in self._found.items() if found not in gone}
        self._errors = sum(found.severity == "error" for found in self._found.values())
        self.add(one)

    def __iter__(self) -> Iterator[Diagnostic]:
        return iter(sorted(self._found.values(), key=lambda d: (d.path, d.span.start, d.code)))

    def __len__(self) -> int:
        return len(self._found)

    @property
    def errors(self) -> list[Diagnostic]:
        return [d for d in self if d.severity == "error"]


def flatten_consequences(diagnostics: Iterable[Diagnostic]) -> Iterator[Diagnostic]:
    """Diagnostics, and what follows from each as diagnostics of their own."""
    for one in diagnostics:
        yield replace(one, consequence="", follows=())
        yield from one.follows


class HouseruleError(Exception):
    """Something that cannot be done, with the diagnostics that say why."""

    def __init__(self, *diagnostics: Diagnostic) -> None:
        self.diagnostics: list[Diagnostic] = list(diagnostics)
        super().__init__(*diagnostics)

    def __str__(self) -> str:  # worded when it is read: most refusals only keep something from being offered
        return "\n".join(map(str, self.diagnostics))

    def __reduce__(self) -> tuple[type[HouseruleError], tuple[Diagnostic, ...]]:
        return type(self), tuple(self.diagnostics)


class RulesetError(HouseruleError):
    """A ruleset that cannot be used."""


class TooManyErrors(RulesetError):
    """A ruleset with too many errors to check the rest of it; the exception carries them."""


EXPRESSION_WORDS = frozenset(["and", "or", "not", "if", "else", "in", "is", "where", "by", "otherwise", "yes", "no"])
"""No name of a ruleset may be one of these."""

VALUE_WORDS = frozenset(["none", "options", "it", "base"])
"""These may be words of a list or outcomes, but not names of values."""


class PlayError(HouseruleError):
    """An expression, an input or a run that cannot go on; it carries one diagnostic.

    Of things that do not meet what their kinds require, it carries one for each requirement.
    """

    @property
    def diagnostic(self) -> Diagnostic:
        return self.diagnostics[0]


class BudgetExceeded(HouseruleError):
    """More work than was allowed. It is no PlayError, so that nothing takes it for an answer and goes on."""

    @property
    def diagnostic(self) -> Diagnostic:
        return self.diagnostics[0]

    def placed_at(self, span: Span) -> BudgetExceeded:
        """The same, with the place of what was done if it has none yet."""
        found = self.diagnostic
        return BudgetExceeded(replace(found, span=span)) if found.span is NOWHERE else self


def spending_at(span: Span) -> AbstractContextManager[None]:
    """Give what is raised inside for a budget that is spent the place `span`, if it has none."""
    return _SpendingAt(span)


class _SpendingAt(AbstractContextManager[None]):
    __slots__ = ("span",)

    def __init__(self, span: Span) -> None:
        self.span = span

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: object) -> None:
        if isinstance(error, BudgetExceeded):
            raise error.placed_at(self.span) from None


class Placed:
    """Gives a diagnostic raised inside, about one of these names and without a place, the place of that name.

    What is about something else gets the place `around` them, if there is one.
    """

    __slots__ = ("around", "places")

    def __init__(self, places: Mapping[str, Span], around: Span | None = None) -> None:
        self.places, self.around = places, around

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: object) -> None:
        if isinstance(error, PlayError):
            placed = list(map(self._with_place, error.diagnostics))
            if placed != error.diagnostics:
                raise PlayError(*placed) from None

    def _with_place(self, found: Diagnostic) -> Diagnostic:
        about = found.about or ""
        place = self.places.get(about) or self.places.get(about.partition("(")[0])  # of all words of a value
        place = place or self.around
        return replace(found, span=place) if found.span is NOWHERE and place is not None else found


@contextmanager
def place_errors_at(span: Span) -> Iterator[None]:
    """Give every diagnostic raised inside that has no place the place `span`."""
    try:
        yield
    except HouseruleError as error:
        found = [replace(one, span=span) if one.span is NOWHERE else one for one in error.diagnostics]
        raise type(error)(*found) from None


def fail(diagnostic: Diagnostic) -> NoReturn:
    raise PlayError(diagnostic)


LONGEST_MISSPELT, MOST_COMPARED = 80, 250
"""To compare two names takes long: longer ones are not, and of many only those that begin alike."""


def too_many_errors(span: Span) -> Diagnostic:
    return Diagnostic("HR017", f"there are more than {MOST_ERRORS} errors, and the rest is not checked", span)
