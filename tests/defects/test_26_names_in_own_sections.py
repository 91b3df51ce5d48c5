"""The sections that a house rule adds may use the former name of what it renames, or the new one."""

from __future__ import annotations

from pathlib import Path

import pytest

import interpreter

BASE = """\
ruleset: acrobats
functions:
  fall: {takes: {n: number}, gives: n + 1}
"""
HOUSE_RULE = """\
ruleset: soft-mats
extends: acrobats.yaml
functions:
  twice: {takes: {n: number}, gives: USED(USED(n))}
mechanics:
  jump: {steps: {height: twice(1)}}
changes:
  functions.fall: {rename: tumble, because: It is clearer.}
"""


@pytest.mark.parametrize("used", ["fall", "tumble"])
def test_either_name_leads_to_what_is_renamed(tmp_path: Path, used: str) -> None:
    (tmp_path / "acrobats.yaml").write_text(BASE, "utf-8")
    (tmp_path / "soft-mats.yaml").write_text(HOUSE_RULE.replace("USED", used), "utf-8")
    assert interpreter.load(tmp_path / "soft-mats.yaml").roll("jump", seed=1).values["height"] == 3
