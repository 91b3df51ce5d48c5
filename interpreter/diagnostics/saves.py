"""Errors of saves that are taken up: what they are, and what somebody must decide."""

from __future__ import annotations

from collections.abc import Sequence

from interpreter.diagnostics.model import Diagnostic
from interpreter.diagnostics.source import NOWHERE


def another_save(wanted: str, found: str) -> Diagnostic:
    return Diagnostic("HR676", f"this is no {wanted}: it says that it is `{found}`", NOWHERE,
                      f"take a save that begins with `\"houserule\": \"{wanted}/…\"`")  # fmt: skip


def other_form_of_save(what: str, found: str, newest: int, by: str) -> Diagnostic:
    is_older = found.isdecimal() and int(found) < newest
    way = ("no released version wrote this form; begin anew" if is_older else
           f"houserule {by} wrote it, and a version from then on reads it")  # fmt: skip
    message = f"this {what} has form {found}, and this version of houserule reads form {newest}"
    return Diagnostic("HR677", message, NOWHERE, way)


def malformed_save(what: str, why: str) -> Diagnostic:
    return Diagnostic("HR678", f"this {what} is not as houserule writes one: {why}", NOWHERE,
                      "use the save as it was written")  # fmt: skip


def no_save() -> Diagnostic:
    return Diagnostic("HR678", "this is no save of houserule", NOWHERE,
                      "take what `to_json` or `houserule play` has written")  # fmt: skip


def not_as_signed() -> Diagnostic:
    return Diagnostic("HR691", "this save was signed with another key, or not at all, or was changed since", NOWHERE,
                      "take what `sign` has given for this key")  # fmt: skip


def file_is_no_save(name: str) -> Diagnostic:
    return Diagnostic("HR678", f"`{name}` is no save of houserule", NOWHERE,
                      f"if it is written by hand, `houserule check {name}` tells what is wrong now")  # fmt: skip


def save_without_rules(what: str) -> Diagnostic:
    return Diagnostic("HR688", f"this {what} does not carry its rules", NOWHERE,
                      "name the ruleset before it, as in `houserule play RULESET FILE`; in Python, "
                      "`to_json(with_rules=True)` writes the rules into a save")  # fmt: skip


def file_is_there(name: str) -> Diagnostic:
    return Diagnostic("HR683", f"`{name}` is there already, and nothing is overwritten", NOWHERE,
                      "write to another name")  # fmt: skip


def file_has_changed(name: str) -> Diagnostic:
    return Diagnostic("HR683", f"`{name}` was changed by another program meanwhile, and is not overwritten", NOWHERE,
                      "write to another name, or begin again with what is there now")  # fmt: skip


def file_is_in_use(name: str) -> Diagnostic:
    return Diagnostic("HR684", f"`{name}` is played already, in another terminal", NOWHERE,
                      "leave it there first")  # fmt: skip


def scene_not_over(scene: str, campaign: str) -> Diagnostic:
    return Diagnostic("HR684", f"the scene `{scene}` of this campaign is not over", NOWHERE,
                      f"`houserule play {campaign}` goes on with it")  # fmt: skip


def no_scene_under_way(campaign: str) -> Diagnostic:
    return Diagnostic("HR684", "no scene of this campaign is under way", NOWHERE,
                      f"`houserule play {campaign} SCENE` begins one")  # fmt: skip


def save_not_over(name: str) -> Diagnostic:
    return Diagnostic("HR684", f"the scene of `{name}` is not over, and another begins in the state that it leaves",
                      NOWHERE, f"`houserule play RULESET {name}` goes on with it")  # fmt: skip


def campaign_is_played(campaign: str, holder: str, lock: str) -> Diagnostic:
    by = f" by {holder}" if holder else ""
    return Diagnostic("HR684", f"`{campaign}` is played already{by}", NOWHERE,
                      f"leave it there first; if nobody plays it any more, delete `{lock}`")  # fmt: skip


DECISIONS_OPEN = "HR679"


def decisions_open(what: str, lines: Sequence[str], has_rules: bool = False) -> Diagnostic:
    """`has_rules` says whether the save carries its rules."""
    many = "one thing must" if len(lines) == 1 else f"{len(lines)} things must"
    told = "; ".join(lines[:3]) + (f"; and {len(lines) - 3} more" if len(lines) > 3 else "")
    way = "`houserule adopt` shows them all, and takes the decisions"
    way += "; `houserule play SAVE`, without a ruleset, goes on under the old rules" if has_rules else ""
    told = f"{many} be decided before this {what} fits the rules of now: {told}"
    return Diagnostic(DECISIONS_OPEN, told, NOWHERE, way)
