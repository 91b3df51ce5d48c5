"""A row of a rulebook that is named in the rules and does nothing is found by `check`.

Each edit takes out of a bundled game what makes a row real, and leaves all that names it, as the first version of the
game had it. Two rows of that version (JC-03, JC-46) are consequences of how dice are compared, which no rule states,
and one (D6-33) told its result to people, which no program tells from a rule.
"""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from interpreter import pipeline

RULESETS = Path(__file__).parents[1] / "rulesets"
Edits = list[tuple[str, str]]
NOMINAL: list[tuple[str, str, Edits, str, str]] = [
    (
        "JC-39",
        "jadeclaw/jadeclaw.yaml",
        [("if: given(who.race) and skill in who.race.goes_with", "if: given(who.race)")],
        "HR908",
        "`goes_with` of `race` is read by no rule",
    ),
    (
        "D6-37",
        "d6/d6.yaml",
        [
            (
                "      next_turn:\n        is: not any(task.efforts where it.hero is hero and it.tried_this_turn)\n"
                "        about: in this turn the hero has tried already\n        cites: {D6-37: stated}\n",
                "",
            )
        ],
        "HR908",
        "`tried_this_turn` of `effort` is changed, but no rule reads it",
    ),
    (
        "D6-38",
        "d6/d6.yaml",
        [
            (
                "      not_barred:\n        is: not any(task.efforts where it.hero is hero and it.barred)\n"
                "        about: the hero has made a disaster of it, and cannot try again for long\n"
                "        cites: {D6-38: assumed}\n",
                "",
            )
        ],
        "HR908",
        "`barred` of `effort` is changed, but no rule reads it",
    ),
    (
        "M20-01",
        "2d20/2d20.yaml",
        [("M20-01: elsewhere", "M20-01: stated")],
        "HR909",
        "no result is rounded this way",
    ),
    (
        "M20-02",
        "2d20/2d20.yaml",
        [("{rounds: rounds + (1 if midway else 0)}", "{rounds: rounds}")],
        "HR909",
        "no rule reads the input `midway`",
    ),
    (
        "M20-05",
        "2d20/2d20.yaml",
        [
            *[(f"among: {who}.traits\n        ", "") for who in ("actor", "opponent")],
            *[(f"default: {who}.traits", "default: []") for who in ("tester", "who", "actor", "opponent")],
            ("      - traits\n", ""),
            (
                "      traits:\n"
                "        choose: some\n"
                "        among: victim.traits\n"
                "        by: game_master\n"
                "        default: victim.traits\n"
                '        ask: "{victim} rolls for its life. Which of its Traits affect the roll?"\n'
                '        shows: "{it.does}"\n'
                "        about: One that hinders makes it harder by one, one that helps easier by one.\n"
                "        cites: {M20-05: stated, M20-32: assumed}\n",
                "",
            ),
            ("complication_range: complication_range, traits: traits}", "complication_range: complication_range}"),
            ("{type: character, where: any(it.traits), ", "{type: character, "),
            ("among: bearer.traits, ", ""),
            ("any(group.members.traits where it.does is permits) and not any", "not any"),
            ('        shows: "{it.does}"\n', ""),
        ],
        "HR908",
        "`traits` of `character` is changed, but no rule reads it",
    ),
    (
        "M20-28",
        "2d20/2d20.yaml",
        [("breath: {cause: last_breath, with: {victim: actor}", "breath: {set: actor.aid, to: actor.aid")],
        "HR913",
        "no rule causes `last_breath`",
    ),
    (
        "M20-30",
        "2d20/2d20.yaml",
        [
            ("  scene_begins:\n    title: A scene begins\n", "  opening:\n    title: A scene begins\n"),
            ("    after: scene_begins\n", "    after: opening\n"),
            ("event: scene_begins", "event: opening"),
        ],
        "HR913",
        "no rule causes `opening`",
    ),
    (
        "M20-33",
        "2d20/2d20.yaml",
        [
            ("      - determination\n", ""),
            ("spends 1 of {tester.determination}, for", "spends 1, for"),
            ("if: tester.determination > 0", "if: not tester.npc"),
            ("      spent: {pay: 1, from: tester.determination, if: determined, cites: {M20-33: assumed}}\n", ""),
        ],
        "HR908",
        "`determination` of `character`",
    ),
    (
        "M20-34",
        "2d20/2d20.yaml",
        [
            ("      - conditions\n", ""),
            ("else treated in patient.conditions)", "else group.treated)"),
        ],
        "HR908",
        "`conditions` of `character` is changed, but no rule reads it",
    ),
    (
        "FWX-47",
        "fiend-wake/combatants.yaml",
        [
            ("      riding: {is: who.mount.advantage otherwise 0, cites: {FWX-47: assumed}}\n", ""),
            (" + riding", ""),
            ("training_difficulty, advantage]", "training_difficulty]"),
        ],
        "HR908",
        "`advantage` of `animal` is read by no rule",
    ),
    (
        "FWX-49",
        "fiend-wake/actions.yaml",
        [
            ("    cites: {FWX-49: elsewhere}\n", ""),
            ("      struck: {set: actor.struck, to: yes, if: upgraded}\n      strength", "      strength"),
            (
                '    outcomes:\n      done: {if: otherwise, tells: "{actor} does it, and the game host tells'
                ' what comes of it: {wish}"}\n\n',
                "\n",
            ),
        ],
        "HR912",
        "`feat_of_strength` has a price, but it changes nothing and tells nothing",
    ),
    (
        "FWX-57",
        "fiend-wake/places.yaml",
        [
            ("among: occupants(place) if place.crushes * amount > 0 else []", "among: occupants(place)"),
            ("event.place.crushes * event.amount", "event.amount"),
            ("amount: place.crushes * amount", "amount: amount"),
        ],
        "HR908",
        "`crushes` of `place` is read by no rule",
    ),
]


@pytest.mark.parametrize(
    ("file", "edits", "code", "words"), [row[1:] for row in NOMINAL], ids=[row[0] for row in NOMINAL]
)
def test_a_nominal_row_is_one_finding(tmp_path: Path, file: str, edits: Edits, code: str, words: str) -> None:
    folder = file.partition("/")[0]
    shutil.copytree(RULESETS / folder, tmp_path / folder)
    texts = {path: path.read_text("utf-8") for path in sorted((tmp_path / folder).glob("*.yaml"))}
    for old, new in edits:
        assert any(old in text for text in texts.values())
        texts = {path: text.replace(old, new) for path, text in texts.items()}
    for path, text in texts.items():
        path.write_text(text, "utf-8")
    found = list(pipeline.from_path(tmp_path / folder / f"{folder}.yaml").problems)
    assert [(one.code, words in one.message) for one in found] == [(code, True)], [str(one) for one in found]
