"""Rules that a host has in memory or a database: what is asked for, what is opened, and how places are named."""

from __future__ import annotations

import builtins
import io
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import interpreter
from interpreter import PlayError, RulesetError, Wanted, bundled
from interpreter.api.host_texts import MOST_TEXTS
from interpreter.pipeline import MOST_BELOW

MAIN = """\
ruleset: camp
parts: [rest.yaml]
mechanics:
  watch:
    steps: {die: {roll: d6}, rested: {call: rest, with: {hours: die}}}
    outcomes: {awake: die > 3, asleep: otherwise}
"""
REST = """\
part_of: camp
mechanics:
  rest: {inputs: {hours: {type: number}}, steps: {healed: hours * 2}}
"""
COLD = """\
ruleset: cold
extends: camp
changes: {mechanics.watch.outcomes.awake: {set: die > 5, because: of the cold}}
"""
NIGHT = """\
state: night
of: camp
with: [cold]
scene: night
"""


class Shelf:
    """Texts by name, and what was asked for."""

    def __init__(self, **texts: str) -> None:
        self.texts = texts
        self.asked: list[Wanted] = []

    def __call__(self, wanted: Wanted) -> str | None:
        self.asked.append(wanted)
        return self.texts.get(wanted.name.removesuffix(".yaml"))


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """The files that are opened or looked at outside of what comes with houserule."""
    here = [str(bundled.schemas().parent.resolve())]
    touched: list[str] = []

    def watch(module: Any, name: str) -> None:
        real = getattr(module, name)

        def look(path: Any, *others: Any, **named: Any) -> Any:
            if isinstance(path, str | Path) and not any(str(path).startswith(one) for one in here):
                touched.append(str(path))
            return real(path, *others, **named)

        monkeypatch.setattr(module, name, look)

    for module, name in ((builtins, "open"), (io, "open"), (os, "stat"), (os, "scandir"), (os, "listdir")):
        watch(module, name)
    return touched


def test_a_ruleset_with_parts_comes_from_memory(opened: list[str]) -> None:
    shelf = Shelf(rest=REST)
    game = interpreter.loads(MAIN, name="db:42", resolve=shelf)
    assert shelf.asked == [Wanted("rest.yaml", "db:42", "part")]
    assert game.roll("watch", faces=[4]).values["rested"]["healed"] == 8
    assert not opened


def test_places_name_the_text_and_its_part() -> None:
    with pytest.raises(RulesetError) as refused:
        interpreter.loads(MAIN, name="db:42", resolve=Shelf(rest=REST.replace("hours * 2", "hors * 2")))
    assert str(refused.value.diagnostics[0]).startswith("db:42/rest.yaml:3:")
    (one,) = interpreter.check("db:42", text=MAIN, resolve=Shelf())
    assert str(one) == (
        "db:42:2:9: HR114 the part `rest.yaml` cannot be read: there is no text `rest.yaml`"
        " (`resolve` gives None for it)"
    )


def test_layers_and_what_they_extend_are_asked_for_once() -> None:
    shelf = Shelf(camp=MAIN, rest=REST, cold=COLD)
    game = interpreter.loads(COLD, name="db:7", resolve=shelf, bundled=False)
    assert [one.roll("watch", faces=[5]).outcome for one in (game,)] == ["asleep"]
    assert shelf.asked == [Wanted("camp", "db:7", "extends"), Wanted("rest.yaml", "camp", "part")]
    shelf.asked.clear()
    game = interpreter.loads(MAIN, name="camp", layers=["cold"], resolve=shelf)
    assert game.roll("watch", faces=[5]).outcome == "asleep"
    assert shelf.asked[0] == Wanted("cold", "camp", "layer")
    assert len(shelf.asked) == len(set(shelf.asked))


def test_a_text_of_the_host_comes_before_a_bundled_ruleset() -> None:
    over = "ruleset: mine\nextends: jadeclaw\ntitle: Mine\n"
    assert "contest" in interpreter.loads(over, resolve=Shelf()).mechanics
    own = "ruleset: jadeclaw\nmechanics: {mine: {steps: {die: {roll: d6}}}}\n"
    assert [*interpreter.loads(over, resolve=Shelf(jadeclaw=own)).mechanics] == ["mine"]
    for way in ({"resolve": Shelf()}, {}):
        with pytest.raises(RulesetError) as refused:
            interpreter.loads(over, bundled=False, **way)
        assert refused.value.diagnostics[0].code == "HR559"
    assert "contest" in interpreter.loads(over).mechanics
    layered = interpreter.loads(
        (bundled.rulesets()["jadeclaw"]).read_text("utf-8"),
        name="jadeclaw",
        layers=["double-botch-ties"],
        resolve=lambda wanted: (
            (bundled.rulesets()["jadeclaw"].parent / wanted.name).read_text("utf-8") if wanted.what == "part" else None
        ),
    )
    assert layered.roll("contest", own="d10", against="2d6", faces=[1, 1, 1]).outcome == "tie"


def test_without_resolve_nothing_is_opened_but_what_is_bundled(
    opened: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("camp.yaml").write_text(MAIN, "utf-8")
    Path("rest.yaml").write_text(REST, "utf-8")
    opened.clear()
    for text in (MAIN, COLD, NIGHT):
        with pytest.raises(RulesetError):
            interpreter.loads(text)
    with pytest.raises(RulesetError):
        interpreter.load_scene("night", text=NIGHT)
    with pytest.raises(RulesetError):
        interpreter.load_bundled("camp.yaml")
    assert not opened


def test_what_a_text_needs_is_known_beforehand() -> None:
    assert interpreter.needs(MAIN, "db:42") == (Wanted("rest.yaml", "db:42", "part"),)
    assert interpreter.needs("ruleset: a\nextends:\n  - b\n  - c\n") == (
        Wanted("b", "<text>", "extends"),
        Wanted("c", "<text>", "extends"),
    )
    assert [(one.name, one.what) for one in interpreter.needs(NIGHT)] == [("camp", "ruleset"), ("cold", "layer")]
    assert interpreter.needs("{") == interpreter.needs("") == ()


@pytest.mark.parametrize("name", bundled.rulesets())
def test_what_is_needed_is_what_is_asked_for(name: str) -> None:
    """Every bundled ruleset loads from memory, and asks for nothing that `needs` does not name."""
    main = bundled.rulesets()[name]
    there: dict[Wanted, str] = {}
    todo = [(name, main.read_text("utf-8"))]
    while todo:
        by, text = todo.pop()
        for wanted in interpreter.needs(text, by):
            file = main.parent / wanted.name
            found = file if wanted.what == "part" else bundled.rulesets()[wanted.name]
            there[wanted] = found.read_text("utf-8")
            todo += [(wanted.name, there[wanted])] if wanted.what != "part" else []
    game = interpreter.loads(main.read_text("utf-8"), name=name, resolve=there.__getitem__, bundled=False)
    assert [*game.mechanics] == [*interpreter.load_bundled(name).mechanics]


def test_what_a_host_gives_is_bounded() -> None:
    def endless(wanted: Wanted) -> str:
        return f"ruleset: a{len(wanted.name)}\nextends: {wanted.name}a\n"

    def wide(wanted: Wanted) -> str:
        return "ruleset: wide\n" if wanted.what == "extends" else "part_of: wide\n"

    many = "ruleset: wide\nparts:\n" + "".join(f"  - p{number}.yaml\n" for number in range(MOST_TEXTS + 1))
    codes = {
        "HR004": lambda: interpreter.check("x", text="ruleset: x\nextends: a\n", resolve=endless),
        "HR114": lambda: interpreter.check("x", text=many, resolve=wide),
        "HR003": lambda: interpreter.check("x", text=MAIN, resolve=lambda wanted: REST + "#" * (1 << 20)),
    }
    for code, found in codes.items():
        assert code in [one.code for one in found()]
    assert MOST_BELOW < 100
    with pytest.raises(PlayError) as refused:
        interpreter.loads(MAIN, resolve=lambda wanted: b"bytes")  # type: ignore[arg-type, return-value]
    assert "the text of `resolve`" in refused.value.diagnostic.message
    with pytest.raises(PlayError):
        interpreter.loads(MAIN, resolve=Shelf(), roots=["."])
    with pytest.raises(KeyError):  # what the host raises reaches the host
        interpreter.loads(MAIN, resolve={}.__getitem__)


def test_a_circle_of_texts_is_told() -> None:
    shelf = Shelf(a="ruleset: a\nextends: b\n", b="ruleset: b\nextends: a\n")
    found = interpreter.check("a", text=shelf.texts["a"], resolve=shelf)
    assert any("`b`" in one.message and one.path == "b" for one in found)


SCENE = """\
state: sale-night
of: market
scene: sale
things: {buyer: {ada: {}, bo: {}}}
given: {buyers: [ada, bo]}
players: {anna: [ada]}
"""
MARKET = """\
ruleset: market
kinds: {buyer: {has: {coins: {type: points, to: 9, starts: 9}}}}
scenes:
  sale:
    inputs: {buyers: {list_of: buyer}}
    round: {bids: {steps: {bid: {choose: number, by: buyers, from: 0, to: 9}}}}
    outcomes: {over: scene.round == 2}
"""


LONG = """\
ruleset: long
extends: market
changes: {scenes.sale.outcomes.over: {set: scene.round == 5, because: It was too short.}}
"""


def test_a_scene_comes_as_text_and_by_name(opened: list[str]) -> None:
    shelf = Shelf(market=MARKET, night=SCENE)
    told = interpreter.load_scene("db:9", text=SCENE, resolve=shelf, bundled=False)
    assert shelf.asked == [Wanted("market", "db:9", "ruleset")]
    named = interpreter.load_scene("night", resolve=shelf)
    assert shelf.asked[1:] == [Wanted("night", "", "scene"), Wanted("market", "night", "ruleset")]
    for one in (told, named):
        assert [request.who for request in one.begin(seed=1).host.requests] == ["ada", "bo"]
    assert not opened
    shelf.texts["long"] = LONG
    text = SCENE.replace("of: market", "of: market\nwith: [long]")
    layered = interpreter.load_scene("db:9", text=text, resolve=shelf)
    assert Wanted("long", "db:9", "layer") in shelf.asked
    over = layered.game.play("sale", state=layered.state, inputs=layered.inputs, policy=lambda choice: 1)
    assert "round: 5" in str(over.trace) and not opened
    with pytest.raises(RulesetError) as refused:
        interpreter.load_scene("db:9", text=SCENE, resolve=Shelf())
    assert str(refused.value.diagnostics[0]).startswith("db:9:2:5: HR")
    with pytest.raises(RulesetError):
        interpreter.load_scene("nothing", resolve=Shelf())
    assert interpreter.load_scene("castle", resolve=Shelf()).game.name == "fiend-wake"
    with pytest.raises(RulesetError):
        interpreter.load_scene("castle", resolve=Shelf(), bundled=False)


def test_each_way_to_load_opens_what_its_name_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    inside = tmp_path / "inside"
    inside.mkdir()
    (inside / "camp.yaml").write_text(MAIN, "utf-8")
    (inside / "rest.yaml").write_text(REST, "utf-8")
    (inside / "cold.yaml").write_text(COLD, "utf-8")
    (tmp_path / "secret.yaml").write_text(MAIN.replace("camp", "secret").replace("parts: [rest.yaml]", ""), "utf-8")
    (inside / "link.yaml").symlink_to(tmp_path / "secret.yaml")
    assert interpreter.load_file("inside/camp.yaml").name == "camp"
    assert interpreter.load_file("camp.yaml", inside="inside").name == "camp"
    layered = interpreter.load_file("camp.yaml", inside=inside, layers=["cold.yaml"])
    assert layered.roll("watch", faces=[5]).outcome == "asleep"
    wrong = ["../secret.yaml", str(tmp_path / "secret.yaml"), "link.yaml", "jadeclaw", "nothing.yaml", "", ".", "a\0b"]
    for path in wrong:
        with pytest.raises(RulesetError) as refused:
            interpreter.load_file(path, inside="inside")
        assert refused.value.diagnostics[0].code == "HR001"
    with pytest.raises(RulesetError):
        interpreter.load_file("jadeclaw")
    with pytest.raises(RulesetError) as refused:
        interpreter.load_bundled("jadeclow")
    assert "`jadeclaw`" in str(refused.value)
    bent = interpreter.load_bundled("jadeclaw", layers=["double-botch-ties"])
    assert bent.roll("contest", own="d10", against="2d6", faces=[1, 1, 1]).outcome == "tie"
