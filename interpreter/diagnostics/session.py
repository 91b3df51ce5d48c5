"""HR66: a session: questions, players, saves."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from interpreter.diagnostics.model import Diagnostic
from interpreter.diagnostics.run import count_in_words
from interpreter.diagnostics.source import NOWHERE as NOWHERE
from interpreter.diagnostics.source import Span
from interpreter.diagnostics.suggest import list_words, near_or_list


def request_not_open(request: str, open_: Sequence[str], player: str | None) -> Diagnostic:
    """`open_` are the open requests, of which a `player` may know only those that the player can answer."""
    whom = f" for `{player}`" if player is not None else ""
    return Diagnostic("HR674", f"no question `{request}` is open", NOWHERE,
                      f"open{whom}: {list_words(open_)}" if open_ else f"nothing is open{whom} now")  # fmt: skip


def answered_already(request: str, path: str, by: str | None, how: str) -> Diagnostic:
    """`how` is the origin of the answer, as the log has it, where no player gave it."""
    others = {"chance": "the dice have", "policy": "the policy has"}
    who = f"`{by}` has" if by is not None else others.get(how, "the host has")
    return Diagnostic("HR661", f"{who} answered `{path}` already", NOWHERE,
                      "only `undo` takes an answer back", about=request)  # fmt: skip


def asked_of_another(path: str, player: str, who: str | None, asked: str | None) -> Diagnostic:
    answers = f"`{asked}` answers for {f'`{who}`' if who else 'it'}" if asked is not None else (
        f"nobody plays `{who}`, so only the host can" if who is not None else "it shows what no player may see"
    )  # fmt: skip
    return Diagnostic("HR662", f"`{path}` is not asked of `{player}`", NOWHERE, answers, about=path)


def thing_not_of_player(player: str, name: str, other: str | None) -> Diagnostic:
    answers = f"`{other}` does" if other is not None else "nobody does, so only the host may ask"
    return Diagnostic("HR662", f"`{player}` does not answer for `{name}`", NOWHERE, answers, about=name)


def spectator_only_watches() -> Diagnostic:
    return Diagnostic("HR662", "a spectator only watches, and is asked nothing", NOWHERE,
                      "take the seat of a player, or answer as the host")  # fmt: skip


def for_a_secret_reason(refusal: Diagnostic) -> Diagnostic:
    """The `refusal` of an action, for a player who may not know the values that it names."""
    return Diagnostic(refusal.code, "this is not possible now, for a reason that this player may not know", NOWHERE)


def leads_to_a_secret_error(failure: Diagnostic) -> Diagnostic:
    """A `failure` of the rules after an answer, for a player who may not know the values that it names."""
    message = "this answer leads to an error of the rules, which may tell what is hidden from this player"
    return Diagnostic(failure.code, message, NOWHERE, "the host is told what it is, where it gives the same answer")


def words_without_seed() -> Diagnostic:
    return Diagnostic("HR670", "`words` are for a fresh seed, of 32 hexadecimal digits", NOWHERE,
                      "pass the seed whose commitments the players know, as `fresh_seed` draws one")  # fmt: skip


def nothing_to_reveal() -> Diagnostic:
    return Diagnostic("HR690", "the dice of this session prove nothing: they have no seed, or it is a whole number",
                      NOWHERE, "begin without a seed, or with one of `fresh_seed`")  # fmt: skip


def unknown_player(name: str, known: Iterable[str]) -> Diagnostic:
    return Diagnostic("HR663", f"there is no player `{name}`", NOWHERE, near_or_list(name, known, "there are"))


def plays_nobody(player: str, name: str, known: Iterable[str], span: Span = NOWHERE) -> Diagnostic:
    return Diagnostic("HR664", f"`{player}` cannot answer for `{name}`: it is neither a thing nor a role", span,
                      near_or_list(name, known, "there are"), about=name)  # fmt: skip


def played_by_two(name: str, player: str, other: str, span: Span = NOWHERE) -> Diagnostic:
    return Diagnostic("HR665", f"`{player}` and `{other}` both answer for `{name}`", span,
                      "one player answers for each thing and role", about=name)  # fmt: skip


def nothing_to_take_back(what: str) -> Diagnostic:
    why = {"undo": "no question has been answered yet", "redo": "nothing was undone since the last answer"}
    return Diagnostic("HR666", f"there is nothing to {what}: {why[what]}", NOWHERE)


def not_a_session(why: str) -> Diagnostic:
    return Diagnostic("HR667", f"this is not a saved session: {why}", NOWHERE)


def session_differs(number: int, why: str) -> Diagnostic:
    where = f"at answer {number}" if number else "at its beginning"
    return Diagnostic("HR669", f"the saved session is inconsistent {where}: {why}", NOWHERE,
                      "use the save as it was written; an edited save cannot be resumed")  # fmt: skip


def wrong_number_of_answers(wanted: int, given: int, example: str) -> Diagnostic:
    return Diagnostic("HR620", f"{wanted} are asked, and {count_in_words(given, 'answer')} given", NOWHERE,
                      f"give one for all of them, one for each after commas, or some by name: `{example}`")  # fmt: skip


def faces_cannot_stand() -> Diagnostic:
    return Diagnostic(
        "HR675", "faces cannot stand for later throws", NOWHERE, "leave out `until`: only a choice stands"
    )


def for_all_without_until(name: str) -> Diagnostic:
    return Diagnostic("HR675", f"`{name}` says for whom an answer stands, and without `until` none does", NOWHERE,
                      "say how long it stands: `until` `turn`, `round` or `scene`")  # fmt: skip


def only_host_for_everybody() -> Diagnostic:
    return Diagnostic("HR675", "only the host answers for everybody", NOWHERE,
                      "say `for_all` for all that this player answers for")  # fmt: skip


def two_spans(spans: Sequence[str]) -> Diagnostic:
    spans_text = " and ".join(f"`{one}`" for one in spans)
    return Diagnostic("HR620", f"an answer stands until one thing ends, and here stand {spans_text}", NOWHERE,
                      "write one of `turn`, `round` and `scene` after the `!`")  # fmt: skip


def misfit_argument(name: str, value: object, wanted: str) -> Diagnostic:
    given_text = (
        f"`{value[:40]}` was given" if isinstance(value, str) else f"this is of the type `{type(value).__name__}`"
    )
    return Diagnostic("HR670", f"`{name}` takes {wanted}, and {given_text}", NOWHERE)


def no_value_per_word(name: str, word: str) -> Diagnostic:
    return Diagnostic("HR670", f"`{name}` has one value, and none for `{word}`", NOWHERE, "leave out `word`")


def either_or(one: str, other: str) -> Diagnostic:
    return Diagnostic("HR670", f"`{one}` and `{other}` cannot be given together", NOWHERE)


NOT_A_CALL = "HR670"
"""The code of a call that is not valid."""


def not_a_call(why: str, help_text: str | None = None) -> Diagnostic:
    return Diagnostic(NOT_A_CALL, f"this is not a valid call: {why}", NOWHERE, help_text)


def no_viewer(call: str, is_there: bool) -> Diagnostic:
    """`is_there` tells a viewer of another form from none."""
    return not_a_call(
        f"`viewer` of `{call}` is {'no viewer' if is_there else 'missing'}",
        'write who looks: `"viewer": {"player": NAME}`, `"viewer": "spectator"` or `"viewer": "host"`, who sees all',
    )


def call_of_host(call: str) -> Diagnostic:
    return not_a_call(f"`{call}` is for the host alone", 'write `"viewer": "host"`')


def unknown_call(name: str, known: Iterable[str]) -> Diagnostic:
    return Diagnostic("HR671", f"there is no call `{name}`", NOWHERE, near_or_list(name, known, "there are"))


def no_reaction(path: str) -> Diagnostic:
    return Diagnostic("HR670", f"`{path}` is no reaction", NOWHERE,
                      "`react` answers a request that is a `reaction`; `answer` takes any other")  # fmt: skip


def unknown_scene(name: str, known: Iterable[str]) -> Diagnostic:
    """`known` are the scene files that a host was started with."""
    known = list(known)
    starts = "start the host with it: `houserule host RULESET SCENE`; SCENE is a file or comes with the ruleset"
    has = near_or_list(name, known, "it was started with") if known else "it was started without scene files"
    return Diagnostic("HR303", f"this host has no scene file `{name}`", NOWHERE, f"{has}; {starts}", about=name)


def unknown_session(name: str, known: Iterable[str]) -> Diagnostic:
    return Diagnostic("HR672", f"there is no session `{name}`", NOWHERE, near_or_list(name, known, "there are"))


def session_there(name: str) -> Diagnostic:
    return Diagnostic(
        "HR673", f"there is a session `{name}` already", NOWHERE, "`forget` it first, or choose another name"
    )


def no_safe_point() -> Diagnostic:
    return Diagnostic("HR685", "the game master steps in where somebody is offered actions, and nobody is now", NOWHERE,
                      "answer what is asked first, up to the next turn of somebody")  # fmt: skip


def nothing_to_end(what: str = "", known: Iterable[str] = ()) -> Diagnostic:
    """`known` is what the game master may end in a scene, if one is under way."""
    named = f"`{what}` cannot be ended" if what else "no round or scene can be ended"
    near = near_or_list(what, known, "what can be ended is") if what else None
    help_text = near or "it ends where somebody is offered actions in a phase of a scene"
    return Diagnostic("HR685", f"{named} here", NOWHERE, help_text)


def no_intervention(text: str) -> Diagnostic:
    return Diagnostic("HR685", f"`{text[:60]}` is nothing that the game master does", NOWHERE,
                      "write an effect, such as `{gain: 2, to: ann.luck}` or `{cause: stress}`")  # fmt: skip


def not_the_game_master(player: str) -> Diagnostic:
    return Diagnostic("HR685", f"`{player}` is a player, and only the host steps in as the game master", NOWHERE)
