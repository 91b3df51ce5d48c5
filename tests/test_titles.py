"""A game in which everything has a title: people read no internal name, and answer by name or by title alike."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
import yaml
from click.testing import CliRunner

from interpreter import loads
from interpreter.cli import group
from interpreter.diagnostics import PlayError
from interpreter.editor.analysis import analysis_of
from interpreter.editor.hover import hover_at
from interpreter.report.explain import explain_name
from interpreter.report.transcript import record_lines

GAME = """
ruleset: heldenlied
names:
  nmood: {nbold: {title: Kühnen Sinnes, about: Ohne Furcht.}, nshy: {title: Scheuen Sinnes, about: Voller Furcht.}}
tags: {nred: {title: rote Glut, is: Ein roter Würfel.}}
roles: {njudge: {title: Die Richterin, is: Wer entscheidet.}}
ladders: {ngrade: {rungs: {neasy: {title: Federleicht}, nhard: {title: Bleischwer, about: Kaum zu schaffen.}}}}
options: {nstrict: {title: Strenge Sitten, type: yes_no, default: no}}
kinds:
  nhero:
    title: Heldin
    has:
      nskill: {title: Können, type: number, per: nmood, default: 1, from: 0, to: 9}
      nlife: {title: Lebenskraft, type: points, from: 0, to: 9, starts: full}
      nlooks: {title: Auftreten, type: ngrade, default: neasy}
      nmarks: {title: Male, list_of: nmood, default: "[]"}
    summary: [nlife, nlooks, nskill, nmarks]
things: {nhero: {nzoe: {title: Zoë d'Artagnan}, nbo: {title: Bo der Starke}}}
mechanics:
  ntry:
    title: Eine Probe wagen
    inputs:
      nwho: {title: Wer es wagt, type: nhero}
      nhow: {title: Auf welche Art, type: nmood}
      npace: {title: Eile, one_of: {nslow: {title: In Ruhe, about: Gemach.}, nfast: {title: In Hast}}, default: nslow}
    steps:
      nthrown: {title: Der Wurf, roll: d6 nred}
      nbonus:
        title: Zuschlag
        first_of:
          nhurried: {title: Weil es eilt, if: npace is nfast, is: 0}
          nfree: {title: Aus freien Stücken, is: "2 if not options.nstrict else 1"}
      ntotal: {title: Ergebnis, is: sum(nthrown) + nbonus + nwho.nskill(nhow)}
      naim: {title: Das Gegenüber, choose: one, among: [nzoe, nbo], by: njudge, ask: "Wem begegnet {nwho}, {nhow}?"}
      nfeel: {title: Stimmung, choose: some, among: [nbold, nshy], by: nwho, least: 1, most: 2, ask: Wie ist dir?}
      nhurt: {title: Verwundung, lose: 1, from: naim.nlife}
      nlook: {title: Wandel, set: naim.nlooks, to: nhard}
      nmark: {title: Zeichen, for: nfelt, among: nfeel, each: {nput: {title: Eintrag, add: nfelt, to: naim.nmarks}}}
      nlearn: {title: Lehre, set: nwho.nskill(nbold), to: 3}
    outcomes:
      nwon: {title: Gelungen, if: ntotal >= 4}
      nlost: {title: Misslungen, if: otherwise}
scenes:
  nday:
    title: Ein Tag
    inputs: {nfirst: {title: Wer beginnt, type: nhero}}
    round:
      nmorning:
        title: Am Morgen
        steps: {ndone: {title: Die Tat, call: ntry, with: {nwho: nfirst, nhow: nbold, npace: nfast}}}
    outcomes: {nover: {title: Vorüber, if: nbo.nlife <= 7}}
"""

INTERNAL = re.compile(r"\bn(?:mood|bold|shy|red|judge|grade|easy|hard|strict|hero|skill|life|looks|marks|zoe|bo|who|how"
                      r"|pace|slow|fast|thrown|bonus|hurried|free|total|aim|feel|hurt|look|mark|felt|put|learn|won|lost"
                      r"|first|morning|done|over)\b")  # fmt: skip
"""Every name of the game but those of rules, which stand beside their titles where one may type them."""

ANSWERS = {
    "names": ("nbo", ["nshy", "nbold"]),
    "titles": ("Bo der Starke", ["Scheuen Sinnes", "Kühnen Sinnes"]),
    "any case": ("BO DER STARKE", ["scheuen sinnes", "nbold"]),
}


@pytest.fixture(scope="module")
def game() -> Any:
    return loads(GAME)


@pytest.fixture
def file(tmp_path: Path) -> str:
    path = tmp_path / "heldenlied.yaml"
    path.write_text(GAME, "utf-8")
    return str(path)


def shown(text: str) -> list[str]:
    """The internal names in a text that people read."""
    return INTERNAL.findall(text)


def played(game: Any, answers: tuple[Any, Any]) -> tuple[Any, list[str]]:
    """A session of the scene, and what people read of its questions."""
    session = game.begin("nday", inputs={"nfirst": "nzoe"}, seed=1)
    read: list[str] = []
    while not session.over:
        request = session.host.requests[0]
        read += [request.question, request.status, *request.since, *map(request.title_of, request.options or ())]
        read += [request.title_of(request.who), *request.meanings.values()]
        session.host.answer(request.id, answers[request.name == "nfeel"])
    return session, read


@pytest.mark.parametrize("way", ANSWERS)
def test_answers_by_name_and_by_title_are_the_same_game(game: Any, way: str) -> None:
    by_name, by_title = played(game, ANSWERS["names"])[0], played(game, ANSWERS[way])[0]
    assert by_title.to_data() == by_name.to_data()
    assert [one.answer for one in by_title.log if one.how == "given"] == ["nbo", ["nshy", "nbold"]] * 2


def test_questions_traces_and_records_show_titles(game: Any) -> None:
    session, read = played(game, ANSWERS["titles"])
    assert shown("\n".join(read)) == []
    lines = [line for line in session.host.lines() if not line.quiet]
    assert shown("\n".join(f"{line.title or ''} {line.text}" for line in lines)) == []
    assert [str(line) for line in lines if shown(str(line))] == []
    record = [f"{line.shown} {line.text}" for line in record_lines(session.host.lines())]
    assert shown("\n".join(record)) == []
    assert "Die Richterin: Wem begegnet Zoë d'Artagnan, Kühnen Sinnes? Bo der Starke" in " ".join(record)


def test_data_keep_names_and_carry_titles_beside_them(game: Any) -> None:
    session = game.begin("nday", inputs={"nfirst": "nzoe"}, seed=1)
    data = session.host.requests[0].to_data()
    assert (data["options"], data["who"]) == (["nzoe", "nbo"], "njudge")
    assert data["titles"]["nbo"] == "Bo der Starke" and data["titles"]["njudge"] == "Die Richterin"
    assert session.host.view()["nzoe"]["title"] == "Zoë d'Artagnan"
    saved = game.to_json(session.state)
    assert game.to_json(game.state(saved)) == saved


@pytest.mark.parametrize("verbose", [(), ("-v",)])
def test_a_roll_shows_titles(file: str, verbose: tuple[str, ...]) -> None:
    given = ["nwho=nzoe", "nhow=nshy", "--choose", "naim=nbo", "--choose", "nfeel=[nshy]", "--seed", "3"]
    result = CliRunner().invoke(group, ["roll", file, "ntry", *given, *verbose])
    assert result.exit_code == 0 and shown(result.output) == []
    assert "Bo der Starke.Lebenskraft 9 → 8" in result.output


def test_play_at_a_terminal_shows_titles_and_takes_them_as_answers(file: str) -> None:
    Path(file).with_name("tag.yaml").write_text("state: tag\nof: heldenlied.yaml\nscene: nday\ngiven: {nfirst: nzoe}\n")
    screens = []
    for aim, feel in (("nbo", "nshy, nbold"), ("bo der starke", "Scheuen Sinnes, kühnen sinnes"), ("Bo der", "2, 1")):
        typed = ["?", ":help", aim, "?", feel, ":look", ":look Bo der Starke", aim, feel]
        words = ["play", file, str(Path(file).with_name("tag.yaml")), "--seed", "1"]
        screens.append(CliRunner().invoke(group, words, input="\n".join(typed) + "\n").output)
        assert shown(screens[-1]) == []
    assert screens[0] == screens[1] == screens[2]
    assert "Bo der Starke (Heldin): Können (Kühnen Sinnes 1, Scheuen Sinnes 1), Lebenskraft 8" in screens[0]
    assert "Vorüber after 2 rounds" in screens[0]


def test_a_page_shows_titles_outside_formulas(file: str) -> None:
    page = CliRunner().invoke(group, ["docs", file, "--format", "markdown"]).output
    outside = re.sub(r"`[^`]*`|\(#[^)]*\)|<a id=[^>]*>|“[^”]*”", "", page)
    assert set(shown(outside)) <= {"nmood", "ngrade"}  # the lists themselves have no titles
    assert "one of [nmood](#names.nmood) (Kühnen Sinnes, Scheuen Sinnes)" in page


def test_hover_shows_titles(file: str) -> None:
    analysis = analysis_of(Path(file).resolve(), {})
    source = analysis.sources[analysis.root]
    for name, title in (("nbold:", "Kühnen Sinnes"), ("nthrown:", "Der Wurf"), ("nwho:", "Wer es wagt"),
                        ("nlife:", "Lebenskraft"), ("nred:", "rote Glut"), ("njudge:", "Die Richterin"),
                        ("nhero:", "Heldin"), ("nwon:", "Gelungen")):  # fmt: skip
        found = hover_at(analysis, analysis, source, GAME.index(name))
        assert found is not None and title in "\n".join(found.lines), name


def test_pages_and_explanations_show_titles(game: Any) -> None:
    told = "\n".join(explain_name(game.program, None, "mechanics.ntry"))
    for title in ("Wer es wagt", "Auf welche Art", "Der Wurf", "Ergebnis", "Gelungen", "In Ruhe", "Verwundung"):
        assert title in told
    told = "\n".join(explain_name(game.program, None, "kinds.nhero"))
    assert all(title in told for title in ("Heldin", "Lebenskraft", "Auftreten"))


def test_a_scene_file_gives_titles(game: Any) -> None:
    state = game.state({"ncy": {"is": "nhero", "title": "Cyrano"}, "nbo": {"title": "Bo, genannt der Bär"}})
    data = yaml.safe_load(game.to_json(state))["things"]
    assert (data["ncy"]["title"], data["nbo"]["title"]) == ("Cyrano", "Bo, genannt der Bär")
    given = {"inputs": {"nwho": "ncy", "nhow": "nshy"}, "choices": {"naim": "nbo", "nfeel": ["nshy"]}}
    result = game.roll("ntry", state=state, seed=1, **given)
    assert "Bo, genannt der Bär.Lebenskraft 9 → 8" in str(result.trace)


def test_a_kind_that_has_a_title_itself_keeps_it() -> None:
    game = loads(
        "ruleset: court\nkinds: {noble: {has: {title: {type: text}}}}\nthings: {noble: {ann: {title: Countess}}}"
    )
    assert game.look(game.start, "ann.title") == "Countess"
    assert "title" in yaml.safe_load(game.to_json(game.start))["things"]["ann"]


def test_an_answer_that_is_neither_is_refused(game: Any) -> None:
    session = game.begin("nday", inputs={"nfirst": "nzoe"}, seed=1)
    with pytest.raises(PlayError):
        session.host.answer(session.host.requests[0].id, "Bo")


NAMING = """
ruleset: naming
kinds: {trait: {has: {worn: {type: yes_no, default: no}}}, hero: {has: {traits: {list_of: trait, default: []}}}}
things: {hero: {ann: {}}}
mechanics:
  name_it:
    inputs: {called: {type: text}}
    steps: {made: {make: trait, named: called}, puts_on: {add: made, to: ann.traits}}
"""


@pytest.mark.parametrize(
    ("called", "name", "title"),
    [("Mud in  the eyes", "mud_in_the_eyes", "Mud in the eyes"), ("wet", "wet", "wet"), ("Wet", "wet", "Wet")],
)
def test_a_thing_that_is_named_after_a_text_is_shown_by_it(called: str, name: str, title: str) -> None:
    game = loads(NAMING)
    session = game.begin("name_it", inputs={"called": called})
    assert [line.text for line in record_lines(session.host.lines())][-2:] == [
        f"{title} created", f"ann: {title} added to traits"
    ]  # fmt: skip
    again = game.resume(session.to_json())
    assert again.state == session.state and game.look(session.state, "ann.traits")[0].id == name


def test_a_second_thing_after_the_same_text_is_told_from_the_first() -> None:
    game = loads(NAMING.replace("puts_on:", "other: {make: trait, named: called}, puts_on:"))
    told = [line.text for line in record_lines(game.begin("name_it", inputs={"called": "Wet"}).host.lines())]
    assert told[-3:] == ["Wet created", "wet_2 created", "ann: Wet added to traits"]
