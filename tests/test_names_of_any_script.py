"""Names in letters of any script: a game with them is the same game as with Latin ones, in every way of playing it.

The game is written once, with `A1`, `A2`, … for names. Each language gives it names of its own, and what is told of it
is compared with the names changed back.
"""

from __future__ import annotations

import json
import re
import unicodedata
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import interpreter
from interpreter import pipeline
from interpreter.api.game import Game
from interpreter.cli import group
from interpreter.diagnostics.source import Source
from interpreter.formatting.layout import lay_out
from interpreter.ir import printer
from interpreter.odds.answer import Odds

RULES = """
ruleset: game
roles: {A1: Who plays.}
names: {A2: [A3, A4]}
options: {A5: {type: number, default: 1}}
ladders: {A6: [d4, d6, d8]}
functions: {A7: {takes: {A8: number, A9: number}, gives: A8 if A8 > A9 else A9}}
tables: {A10: {rows: {A3: 1, A4: 2}}}
kinds:
  A11: {has: {A12: {type: points, to: 10, starts: 10}, A13: {type: number, default: 2}}}
mechanics:
  A14:
    inputs: {A15: {type: number, default: 2}, A16: {type: A2, default: A3}}
    steps:
      A17: {roll: 2d6}
      A18: A7(sum(A17), A15 * 3) + A10(A16) + options.A5
      A19: {choose: yes_no, by: A1, default: no, ask: "More than {A18}?"}
      A20: A18 + (2 if A19 else 0)
    outcomes: {A21: A20 > 10, A22: otherwise}
actions:
  A23:
    actor: A11
    inputs: {A24: {type: A11, where: it is not actor}}
    steps:
      A25: {call: A14, with: {A15: actor.A13}}
      A26: {lose: A25.A20, from: A24.A12}
scenes:
  A27:
    inputs: {A28: {list_of: A11}}
    round:
      A29: {steps: {A30: {for: A40, among: A28, each: {A31: {cause: A32, with: {A33: A40}}}}}}
    outcomes: {A34: any(A28 where it.A12 == 0)}
events:
  A32:
    inputs: {A33: {type: A11}}
    steps: {A35: {roll: d6}, A36: {lose: A35, from: A33.A12}}
policies: {A37: {A14.A19: A18 < 9}}
cases:
  - {name: one, mechanic: A14, given: {A15: 1, A16: A4}, faces: [5, 4], choices: {A19: yes}, expect: {outcome: A21}}
  - {name: two, action: A23, actor: A38, before: {A38: {is: A11}, A39: {is: A11}}, given: {A24: A39}, faces: [1, 2],
     choices: {A25.A19: no}, expect: {A25.A18: 8}}
"""
LANGUAGES = {
    "English": "strength", "German": "größe_stärke", "French": "épée_été", "Greek": "δύναμις", "Russian": "сила",
    "Chinese": "力量", "Japanese": "まほうの剣", "Hebrew": "כוח", "Korean": "마법", "Hindi": "शक्ति",
    "Vietnamese": "sức_mạnh",
}  # fmt: skip
NUMBER = re.compile(r"\bA(\d+)\b")


def named(text: str, language: str) -> str:
    """A text with the names of a language."""
    return NUMBER.sub(lambda one: f"{LANGUAGES[language]}{'_' * (int(one[1]) % 2)}{one[1]}", text)


def unnamed(text: str, language: str) -> str:
    """A text of a language with the names of `RULES`, and titles made of them as names."""
    word = LANGUAGES[language]
    titles = {word, word.replace("_", " ")}
    titles |= {title[:1].upper() + title[1:] for title in titles}
    return re.sub(rf"(?:{'|'.join(sorted(titles))})[_ ]?(\d+)", r"A\1", text)


@cache
def game(language: str) -> Game:
    return interpreter.loads(named(RULES, language))


@cache
def told(language: str) -> dict[str, str]:
    """What is told of the game in every way of playing it, with the names changed back."""
    playing = game(language)
    a = [named(f"A{number}", language) for number in range(41)]
    state = playing.state({a[38]: {"is": a[11]}, a[39]: {"is": a[11], a[13]: 3}})
    given = {a[15]: 3}
    acted = playing.act(state, a[23], actor=a[38], inputs={a[24]: a[39]}, seed=5, policy=a[37])
    assert acted.state is not None
    saved = playing.to_json(acted.state)
    assert playing.state(saved) == acted.state
    fight: Any = {"state": state, "inputs": {a[28]: [a[38], a[39]]}}
    session = playing.begin(a[14], inputs=given, seed=4)
    session.host.answer(session.host.requests[0].id, True)
    resumed = playing.resume(session.to_json())
    parts = {
        "roll": playing.roll(a[14], inputs=given, seed=7, policy=a[37]),
        "odds": playing.odds(a[14], inputs=given, best=a[21]),
        "simulated": playing.simulate(a[14], inputs=given, policy=a[37], runs=50, seed=3),
        "act": acted,
        "saved": saved,
        "session": resumed.result,
        "scene": playing.play(a[27], seed=9, **fight),
        "scenes": playing.simulate(f"scenes.{a[27]}", runs=20, seed=1, **fight),
        "program": printer.listing(playing.program),
    }
    return {name: unnamed(written(part), language) for name, part in parts.items()}


def written(part: Any) -> str:
    """All that a part says, without the hashes of the rules, which depend on names."""
    if isinstance(part, Odds):
        return str({name: part.law(name) for name in part.results})
    text = part if isinstance(part, str) else part.to_json()
    if not text.startswith("{"):
        return text
    data = json.loads(text)
    return json.dumps({key: one for key, one in data.items() if key not in ("rules", "digest")}, ensure_ascii=False)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_game_is_the_same_whatever_its_names(language: str) -> None:
    assert told(language) == told("English")


@pytest.mark.parametrize("language", LANGUAGES)
def test_it_is_laid_out_and_its_cases_hold(language: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    text = named(RULES, language)
    (tmp_path / "game.yaml").write_text(text, "utf-8")
    for words in (
        ["test", "game.yaml"],
        ["fmt", "game.yaml"],
        ["check", "game.yaml"],
        ["explain", "game.yaml", named("A14", language)],
    ):
        done = CliRunner().invoke(group, words)
        assert done.exit_code == 0, done.output
    new = (tmp_path / "game.yaml").read_text("utf-8")
    assert new == lay_out(Source.of("game.yaml", new)) and set(re.findall(r"\S+\d\b", new)) >= {
        named("A14:", language)[:-1]
    }


@pytest.mark.parametrize("form", ["NFC", "NFD"])
@pytest.mark.parametrize("language", ["German", "French", "Korean", "Vietnamese", "Greek"])
def test_letters_may_be_typed_in_parts(
    language: str, form: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "game.yaml").write_text(unicodedata.normalize(form, named(RULES, language)), "utf-8")
    other = "NFD" if form == "NFC" else "NFC"
    words = [unicodedata.normalize(other, named(word, language)) for word in ("A14", "A15=3", "A16=A4")]
    done = CliRunner().invoke(group, ["roll", "game.yaml", *words, "--seed", "1", "--no-input"])
    assert done.exit_code == 0, done.output
    assert unicodedata.is_normalized("NFC", done.output)
    alone = CliRunner().invoke(group, ["odds", "-e", unicodedata.normalize(form, f"{LANGUAGES[language]} = 2d6")])
    assert alone.exit_code == 0 and LANGUAGES[language] in alone.output


@pytest.mark.parametrize("language", ["German", "French", "Korean", "Vietnamese"])
def test_a_host_may_pass_letters_in_parts(language: str) -> None:
    playing = game(language)
    parts = [unicodedata.normalize("NFD", named(f"A{number}", language)) for number in range(41)]
    given: dict[str, Any] = {parts[15]: 3, parts[16]: parts[4]}
    assert parts[14] not in playing.program.mechanics
    alone = playing.roll(parts[14], inputs=given, seed=7, choices={parts[19]: True})
    assert alone.to_json() == playing.roll(parts[14], inputs=given, seed=7, policy=lambda choice: True).to_json()
    assert playing.odds(parts[14], inputs=given, policy=parts[37]).results
    state = playing.state({parts[38]: {"is": parts[11]}}, **{parts[39]: {"is": parts[11]}})
    assert playing.act(state, parts[23], actor=parts[38], inputs={parts[24]: parts[39]}, seed=5, policy=parts[37]).state


WRONG = {
    "m\u0430rgin": "its letters are Cyrillic and Latin", "сил\u0061": "its letters are Cyrillic and Latin",
    "力a": "its letters are Han and Latin", "\ufb01n": "cannot be a name", "²a": "cannot be a name",
    "a²": "cannot be a name",
    "a–b": "cannot be a name", "ａb": "cannot be a name",
}  # fmt: skip


@pytest.mark.parametrize("name", WRONG)
def test_what_is_no_name_is_refused(name: str) -> None:
    text = f"ruleset: x\nmechanics: {{m: {{inputs: {{{name}: {{type: number}}}}, steps: {{d: {{roll: d6}}}}}}}}\n"
    found = [one for one in pipeline.from_text(Source.of("x", text)).problems if one.code == "HR106"]
    assert len(found) == 1 and WRONG[name] in found[0].message


@pytest.mark.parametrize("language", ["German", "Russian", "Chinese", "Hindi"])
def test_a_misspelt_name_is_told_with_the_right_one(language: str) -> None:
    right = named("A7(", language)
    text = named(RULES, language).replace(right, right.replace("_", "__"))
    found = list(pipeline.from_text(Source.of("x", text)).problems)
    assert named("A7", language) in (found[0].help or "")


ODD = """
ruleset: game
kinds: {{hero: {{has: {{A1: {{type: number, default: 1}}}}}}}}
mechanics:
  try:
    inputs: {{A2: {{type: number, default: 2}}, who: {{type: hero}}}}
    steps: {{A3: {{roll: 2d6}}, x: {{is: {odd}}}}}
"""
FROM_ELSEWHERE = (
    "A2 d6", "(A2)d", "A2d6", "who.A1d6", "A2 = 3", "A2 := 3", "A3 >= 1-5", "1 <= A2 <= 3", "A2 is between 1 and 3",
    "A3.A1", "who.A3", "A2.size", "2 A2", "3 x A2", "A2 x d6", "A2 not less than 3", "A2 A1", "sum(A3", "A3.first()",
    "A2 && A3", "A2 ? 1 : 2", "if A2 > 1 then 2 else 3",
)  # fmt: skip


@pytest.mark.parametrize("odd", FROM_ELSEWHERE)
@pytest.mark.parametrize("letters", ["größe höhe würfe", "сила рост кубы", "力量 身高 骰子们"])
def test_help_is_the_same_in_letters_of_any_script(odd: str, letters: str) -> None:
    said = [_problems(ODD.format(odd=odd), names.split()) for names in ("grosse hohe wurfe", letters)]
    assert said[0] == said[1] and said[0]


def _problems(text: str, names: list[str]) -> list[tuple[str, str, str]]:
    """What a checker says of a text with these names, which it then calls by their numbers again."""
    for number, name in enumerate(names, 1):
        text = re.sub(rf"A{number}", name, text)
    problems = pipeline.from_text(Source.of("game.yaml", text)).problems
    told = [(one.code, one.message, one.help or "") for one in problems]
    for number, name in enumerate(names, 1):
        told = [(code, said.replace(name, f"A{number}"), way.replace(name, f"A{number}")) for code, said, way in told]
    return told
