"""HR65: a state, and what changes it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from interpreter.diagnostics.model import Diagnostic
from interpreter.diagnostics.source import NOWHERE as NOWHERE
from interpreter.diagnostics.source import Span
from interpreter.diagnostics.suggest import did_you_mean, near_or_list, respelling_edit

NO_SCENE = "HR680"
"""The code of what is asked of a scene where none is under way."""

NOT_LEGAL = "HR668"
"""The code of a new thing that does not meet what its kind requires."""


def no_such_thing(span: Span, name: str, known: Iterable[str] = (), stateless: bool = False) -> Diagnostic:
    """`stateless` says that no state was given, which could have more things than the book."""
    if name == "scene":
        return Diagnostic(NO_SCENE, "no scene is under way", span, IN_A_SCENE, about=name)
    known = list(known)
    help_text = near_or_list(name, known, "there are")
    if stateless and not did_you_mean(name, known):
        help_text = f"{help_text}; {IN_A_STATE}" if help_text else IN_A_STATE
    edits = respelling_edit(span, name, known)
    return Diagnostic("HR650", f"there is no thing `{name}`", span, help_text, about=name, edits=edits)


def destroyed_thing(span: Span, name: str) -> Diagnostic:
    """Of a thing that a rule reads or changes after a step has destroyed it."""
    if name == "scene":
        return no_such_thing(span, name)
    return Diagnostic("HR650", f"`{name}` is no longer there: it was destroyed before this", span,
                      "use it in a step above the one that destroys it", about=name)  # fmt: skip


def named_is_gone(span: Span, text: str, name: str | None = None) -> Diagnostic:
    return Diagnostic("HR650", f"what `{text}` named was destroyed", span,
                      f"set `{text}` to something else before it is read, or declare it with `optional: yes`",
                      about=name)  # fmt: skip


IN_A_SCENE = (
    "this can only be asked in one: a case names it with `scene`, and a state has it as `scene: {is: its_name}`, "
    "beside its things"
)
IN_A_STATE = (
    "other things come from a state: `act` takes its file, `odds` and `simulate` take one with `--state FILE`, a case "
    "has `before`, and a host passes `state`"
)


def thing_of_another_kind(span: Span, name: str, kind: str, wanted: str) -> Diagnostic:
    return Diagnostic("HR650", f"`{name}` is a `{kind}`, but a `{wanted}` is needed", span,
                      f"name a `{wanted}`", about=name)  # fmt: skip


def not_legal(span: Span, thing: str, name: str, condition: str, about: str, read: Mapping[str, str]) -> Diagnostic:
    """Of a requirement of a kind that a new thing does not meet; `read` are the values on which it depends."""
    values = " and ".join([f"{text} {value}" for text, value in read.items()])
    reason = about.strip().removesuffix(".")
    test = f"`{' '.join(condition.split())}`" + (f", with {values}" if values else "")
    said = f"{reason} ({test})" if reason else test
    return Diagnostic(NOT_LEGAL, f"`{thing}` does not meet `{name}`: {said}", span,
                      f"`--allow {name}` plays all the same", about=f"{thing}.{name}")  # fmt: skip


def too_few_points(span: Span, what: str, price: int, there: int) -> Diagnostic:
    are = "is" if there == 1 else "are"
    return Diagnostic("HR651", f"this costs {price} of `{what}`, but there {are} only {there}", span,
                      about=what.rsplit(".", 1)[-1])  # fmt: skip


def no_mix_pays(span: Span, price: int, there: int) -> Diagnostic:
    return Diagnostic("HR651", f"this costs {price}, but everything that can pay adds up to only {there}", span)


def below_nothing(span: Span, verb: str, amount: int, what: str | None = None) -> Diagnostic:
    """`what` is none where several may pay."""
    of, about = (f" of `{what}`", what.rsplit(".", 1)[-1]) if what is not None else ("", None)
    help_text = "an amount is 0 or more"
    if verb in ("gain", "lose"):
        help_text += f"; the other way is `{'lose' if verb == 'gain' else 'gain'}`"
    return Diagnostic("HR652", f"cannot {verb} {amount}{of}", span, help_text, about=about)


def past_full(span: Span, what: str, high: int, amount: int) -> Diagnostic:
    return Diagnostic("HR653", f"`{what}` goes up to {high}, so a gain of {amount} is refused", span,
                      about=what.rsplit(".", 1)[-1])  # fmt: skip


def done_often_enough(span: Span, name: str, kind: str | None, times: int, per: str) -> Diagnostic:
    """An action that was done as often as it may be, or all those of its `kind` together."""
    if kind is not None and times > 0:
        only = f"only one `{kind}` action" if times == 1 else f"only {times} `{kind}` actions"
        said = f"{only} may be done in a {per}, {'and one has' if times == 1 else 'and so many have'} been done"
        return Diagnostic("HR654", f"{said}; `{name}` is one", span, about=name)
    if times <= 0:
        return Diagnostic("HR654", f"`{name}` cannot be done in a {per} at present", span, about=name)
    often = "once" if times == 1 else f"{times} times"
    return Diagnostic("HR654", f"`{name}` can be done {often} per {per}, and already has been", span, about=name)


def not_this_actor(span: Span, who: str, name: str, about: str) -> Diagnostic:
    """Who cannot do it: in the words that the ruleset has `about` the actor, or else the condition that fails."""
    if about:
        whom = f"{about[0].lower()}{about[1:]}".removesuffix(".")
        return Diagnostic("HR655", f"`{who}` cannot do `{name}`, which is for {whom}", span, about="actor")
    condition = " ".join(span.text.split())
    return Diagnostic("HR655", f"`{who}` cannot do `{name}`: `{condition}` does not hold", span, about="actor")


def value_not_among(span: Span, name: str, value: str, candidates: Iterable[str]) -> Diagnostic:
    return Diagnostic("HR656", f"`{name}` cannot be `{value}`", span, near_or_list(value, candidates, "it can be"),
                      about=name)  # fmt: skip


def no_candidate(span: Span, name: str) -> Diagnostic:
    return Diagnostic("HR656", f"there is no candidate for `{name}`", span,
                      "nothing satisfies its `among` and `where`", about=name)  # fmt: skip


def nothing_to_name(span: Span, name: str, question: str) -> Diagnostic:
    """As `no_candidate`, for whoever would be asked the `question`."""
    if not question:
        return no_candidate(span, name)
    return Diagnostic("HR656", f"nobody and nothing can be named now for “{question}”", span, about=name)


def there_already(span: Span, what: str, value: str) -> Diagnostic:
    return Diagnostic("HR657", f"`{value}` is in `{what}` already", span, about=what.rsplit(".", 1)[-1])


def without_end(span: Span, name: str) -> Diagnostic:
    return Diagnostic("HR658", f"`{name}` causes itself without end", span,
                      "add a condition that eventually stops holding")  # fmt: skip


def wrong_state(reason: str) -> Diagnostic:
    return Diagnostic("HR659", f"this is not a state of this game: {reason}", NOWHERE)


def no_state(name: str, what: str) -> Diagnostic:
    one = "a scene" if what == "scene" else f"an {what}"
    return Diagnostic("HR660", f"`{name}` is {one}, and its result depends on the state", NOWHERE,
                      "give a state with `--state FILE`: things by name, as in `before` of a case")  # fmt: skip


def state_of_other_rules(found: str, mine: str) -> Diagnostic:
    return Diagnostic("HR659", f"this is a state of `{found}`, and `{mine}` has none of the kinds of its things",
                      NOWHERE, "load it with the rules that it was made with")  # fmt: skip


def nothing_to_change(span: Span, name: str, known: Iterable[str]) -> Diagnostic:
    """`known` are the things that there are when a scene begins."""
    known = list(known)
    near = near_or_list(name, known, "there are") if did_you_mean(name, known) else "`things` makes what is not there"
    edits = respelling_edit(span, name, known)
    return Diagnostic("HR659", f"there is no `{name}` to change when the scene begins", span, near, edits=edits)


def of_another_kind(span: Span, name: str, kind: str) -> Diagnostic:
    return Diagnostic("HR659", f"`{name}` is of the kind `{kind}`", span, f"change it under `{kind}`")


def bad_state(span: Span, reason: str, help_text: str | None = None) -> Diagnostic:
    return Diagnostic("HR659", reason, span, help_text)
