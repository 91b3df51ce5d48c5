"""Errors of saves that are taken up: what they are, and what somebody must decide."""

from __future__ import annotations

from collections.abc import Sequence

from interpreter.diagnostics.model import Diagnostic
from interpreter.diagnostics.source import NOWHERE


def another_save(wanted: str, found: str) -> Diagnostic:
    return Diagnostic("HR676", f"this is no {wanted}: it says that it is `{found}`", NOWHERE,
                      f"take a save that begins with `\"houserule\": \"{wanted}/…\"`")  # fmt: skip


def later_save(what: str, found: str, newest: int, by: str) -> Diagnostic:
    return Diagnostic("HR677", f"this {what} has form {found}, and this version of houserule reads form {newest}",
                      NOWHERE, f"houserule {by} wrote it, and a version from then on reads it")  # fmt: skip


def malformed_save(what: str, why: str) -> Diagnostic:
    return Diagnostic("HR678", f"this {what} is not as houserule writes one: {why}", NOWHERE,
                      "use the save as it was written")  # fmt: skip


def file_is_there(name: str) -> Diagnostic:
    return Diagnostic("HR683", f"`{name}` is there already, and nothing is overwritten", NOWHERE,
                      "write to another name")  # fmt: skip


def scene_not_over(scene: str, campaign: str) -> Diagnostic:
    return Diagnostic("HR684", f"the scene `{scene}` of this campaign is not over", NOWHERE,
                      f"`houserule play {campaign}` goes on with it")  # fmt: skip


def no_scene_under_way(campaign: str) -> Diagnostic:
    return Diagnostic("HR684", "no scene of this campaign is under way", NOWHERE,
                      f"`houserule play {campaign} SCENE` begins one")  # fmt: skip


DECISIONS_OPEN = "HR679"


def decisions_open(what: str, lines: Sequence[str]) -> Diagnostic:
    many = "one thing must" if len(lines) == 1 else f"{len(lines)} things must"
    told = "; ".join(lines[:3]) + (f"; and {len(lines) - 3} more" if len(lines) > 3 else "")
    return Diagnostic(DECISIONS_OPEN, f"{many} be decided before this {what} fits the rules of now: {told}", NOWHERE,
                      "`houserule adopt` shows them all, and takes the decisions")  # fmt: skip
