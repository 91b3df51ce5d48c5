"""Play is held to the reference: what is written as Python, of frames for play and of variables for simulations, and
the hardened `SimpleEval` agree on whatever the checker admits.

Expressions are grown from a small grammar over a ruleset that has one of everything. Each that the checker accepts
is worked out both ways; value and error must be the same, and the value must be what the checker said of it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from marks import thorough

import interpreter
from interpreter import pipeline
from interpreter.api.decode import InputReader
from interpreter.api.game import Game
from interpreter.codegen import module_of
from interpreter.codegen.function_writer import FunctionWriter
from interpreter.diagnostics import PlayError
from interpreter.diagnostics.source import Source, Span
from interpreter.ir import types as t
from interpreter.runtime import reference
from interpreter.runtime.evaluator import new_frame
from interpreter.runtime.functions import FORMS, FUNCTIONS
from interpreter.syntax.document import Scalar
from interpreter.values import Code, Die, Face, Throw, Thrown

RULES = """
ruleset: one-of-everything
rounding: ROUNDING
comparators: {beats: at least, outside: more than, inside: at most, below: less than, matches: equal to}
tags: [armor, wild]
dice:
  D: d6
  fudge: {faces: [-1, 0, 1]}
  boost: {faces: [blank, hit, hit + gain]}
ladders:
  size: [d4, d6, d8, d10, d12]
  rank: [low, middle, high]
names:
  mood: [calm, angry]
options:
  die: {type: die, default: d10}
  bonus: {type: number, from: 0, default: 2}
  how: {one_of: [plain, odd_ones], default: plain}
functions:
  half: {takes: {n: number}, gives: n / 2}
  share: {takes: {n: number, among: number}, gives: n / among}
  total: {takes: {xs: {list_of: number}}, gives: sum(xs where it > 0) + options.bonus}
  best: {takes: {pool: dice}, gives: highest(pool.size) otherwise 0}
  shown: {takes: {thrown: roll}, gives: count(thrown where face >= 3)}
  fits_in: {takes: {one: die, pool: dice}, gives: any(pool where size >= one.size)}
  grade:
    takes: {n: number}
    gives:
      first_of:
        none_left: {if: n < 1, is: low}
        some_left: {if: n / 3 < 2, is: middle}
        plenty: high
  gear:
    takes: {n: number, one: die}
    gives:
      first_of:
        bare: {if: n < 1, is: no_dice}
        one: {if: n == 1, is: one}
        more: (n)d8
  armed: {takes: {of: side}, gives: count(of.dice) + of.bonus}
tables:
  need: {type: number, rows: {0: 13, 2: 7, 5: -1}, off_the_rows: refuse}
  near: {type: number, rows: {-3 to 0: 1, 2 to 3: 5, 7: 9}, off_the_rows: nearest}
  price: {type: number, rows: {1: 10, 2: 20}, off_the_rows: 12 / it}
  level: {type: rank, rows: {0 or less: low, 1 to 4: middle, 5 or more: high}}
  outfit: {type: dice, rows: {calm: d6, angry: 2d8 & d4}}
  grid: {type: number, rows: {calm: {1: 3, 2: 4}, angry: {1: 5}}, off_the_rows: refuse}
types:
  side:
    written_as: dice
    has:
      dice: {type: dice}
      limit: {type: die, optional: yes}
      bonus: {type: number, default: 0}
      state: {type: mood, default: calm}
mechanics:
  nothing: {steps: {one: 1}}
"""

NUMBER, THROWS = t.NUMBER, t.Record("throw", (("burn", t.NUMBER), ("spent", t.List(t.NUMBER))))
GAMES: dict[str, Game] = {}


def game(rounding: str) -> Game:
    if rounding not in GAMES:
        made = pipeline.from_text(Source.of("rules.yaml", RULES.replace("ROUNDING", rounding)))
        assert [str(problem) for problem in made.problems.errors] == []
        assert made.program is not None and made.world is not None
        GAMES[rounding] = Game(made.program, made.world)
    return GAMES[rounding]


SIDE = dict(game("down").program.types)["side"].type

NAMES: dict[str, t.Type] = {
    "n": NUMBER,
    "few": t.Number(0, 3),
    "flag": t.YES_NO,
    "here": t.Word("mood", ("calm", "angry")),
    "grades": t.Word("rank", ("low", "middle", "high"), True),
    "one": t.SingleDie(),
    "pool": t.Dice(),
    "pair": t.Dice(2),
    "rolled": t.Roll(),
    "three": t.Roll(3),
    "toss": t.Roll(1, True),
    "both": t.Roll(0, False, t.Word("parts", ("base", "kit"))),
    "chain": t.Roll(1, False, throws=THROWS),
    "thrown": t.ThrownDie(),
    "xs": t.List(NUMBER),
    "full": t.List(NUMBER, 1),
    "moods": t.List(t.Word("mood", ("calm", "angry"))),
    "ranks": t.List(t.Word("rank", ("low", "middle", "high"), True)),
    "lost": t.Maybe(NUMBER),
    "gone": t.Maybe(t.SingleDie()),
    "unrolled": t.Maybe(t.Roll(1, True)),
    "own": SIDE,
    "absent": t.Maybe(SIDE),
    "matched": t.List(t.Record("pair", (("lead", NUMBER), ("ours", t.ThrownDie()), ("late", t.Maybe(NUMBER))))),
    "code": t.DiceCode(),
}

# `<kind>` is a hole for an expression of that kind; a line without holes is a leaf.
GRAMMAR: dict[str, str] = {
    "number": """
        0 | 1 | 2 | 3 | 7 | n | few | toss | thrown | options.bonus | own.bonus | code.pips | matched.lead.nothing_such
        -<number> | <number> + <number> | <number> - <number> | <number> * <number> | <number> / <number>
        (<number> + <number>) / <number> | (<number>) / <number> | (<number>) * 999999999999999999
        up(<number> / <number>) | down(<number> / <number>) | nearest((<number>) / <number>)
        <number> if <truth> else <number> | (<maybe> otherwise <number>) | <maybe> otherwise <number>
        count(<many>) | sum(<numbers>) | count(<truths>) | highest(<sure>) | lowest(<sure>)
        min(<number>, <number>) | max(<number>, <number>, <number>) | abs(<number>) | clamp(<number>, 0, <number>)
        tens(<number>) | units(<number>) | half(<number>) | share(<number>, <number>) | total(<list>) | total(xs)
        best(<dice>) | shown(<roll>) | armed(own) | armed(<dice>) | need(<number>) | near(<number>) | price(<number>)
        grid(<mood>, <number>) | item(<list>, <number>) | only(<list>) | only(<roll>) | one.size | first(full)
        first(<roll> where face > 2).value | count(chain.throws) | sum(chain.throws.counts) | thrown.face | thrown.size
        first(three) | last(three).value | sum(both.base) | sum(both.kit) | sum(chain.burn) | sum(chain.spent)
        thrown.hit | sum(<roll>.hit) | rung(size, <number>).size | item(matched, <number>).lead | first(matched.lead)
        item(matched.ours, <number>) | item([<number>, toss, thrown], <number>) | unrolled otherwise <number>
        highest(both) otherwise <number> | item([<number>, <number>], <number>) | only([thrown]) + <number>
        rung_of(rank, <rank>) | <rank> - <rank> | sum(rung_of(rank, <ranks>)) | rung_of(size, <die>)
    """,
    "truth": """
        yes | no | flag | <number> == <number> | <number> != <number> | <number> < <number> | <number> >= <number>
        <number> <= <number> <= <number> | <number> < <number> < <number> | (<number>) / <number> >= (<number>) / 2
        <number> / <number> == <number> | <number> > up(<number> / <number>) | <number> / <number> matches <number>
        <number> beats <number> | <number> outside <number> | <number> inside <number> / <number>
        <number> below <number> | <number> matches <number>
        <truth> and <truth> | <truth> or <truth> | not <truth> | not (<truth>) | <truth> if <truth> else <truth>
        <mood> is <mood> | here is calm | here in [calm, angry] | <mood> in [angry] | <number> in <list> | toss in xs
        <number> in [<number>, toss] | thrown in [<number>, 3] | <number> in need | <rank> >= <rank>
        <rank> beats middle
        low < <rank> <= high | <rank> is middle | <rank> in [low, high] | calm in moods | <mood> in moods
        given(<maybe>) | given(lost) and lost > <number> | given(gone) | not given(lost) or lost == <number>
        given(own.limit) and own.limit.size > <number> | odd(<number>) | even(<number>) | any(<truths>) | all(<truths>)
        any(<roll> where face == <number>) | all(<list> where it > <number>) | armor in one.tags | wild in thrown.tags
        dominates(<dice>, <dice>) | dominates(<roll>, <list>) | flag == <truth> | flag != <truth>
        fits_in(<die>, <dice>) | outranks(<numbers>, <numbers>)
        one == <die> | options.how is odd_ones | options.how is plain | own.state is <mood> | part_of_nothing
    """,
    "maybe": """
        lost | highest(<roll>) | lowest(<list>) | kth(<roll>, <number>) | kth(xs, <number>) | first(<list>) | last(xs)
        highest(<dice>) | absent.bonus | own.limit.size | highest(<list> where it < <number>) | item(matched, 1).late
        lowest(both.kit) | first(<roll>) | absent.limit.size | unrolled | only(matched.late) | first(matched).lead
        lost if <truth> else <number>
    """,
    "mood": """
        calm | angry | here | own.state | <mood> if <truth> else <mood> | first(moods) otherwise <mood> | only(moods)
    """,
    "rank": """
        low | middle | high | grades | level(<number>) | grade(<number>) | rung(rank, <number>)
        <rank> if <truth> else <rank>
        first(ranks) otherwise <rank> | item(rank, <number>) | <rank> + <number> | <rank> - <number> | grades + 1
        highest(ranks) otherwise <rank> | lowest(<ranks>) otherwise low | kth(<ranks>, <number>) otherwise <rank>
        highest([<rank>, grades]) | min(<rank>, <rank>) | max(grades, <rank>, low) | clamp(<rank>, low, <rank>)
    """,
    "ranks": """
        ranks | [<rank>] | [<rank>, grades, <rank>] | <ranks> by it | <ranks> by -rung_of(rank, it) | ordered(<ranks>)
        highest(<ranks>, <number>) | lowest(<ranks>, 2) | <ranks> where it > middle | ranks by it - low
    """,
    "die": """
        d4 | d6 | d20 | one | options.die | fudge | boost | d8 wild | rung(size, <number>) | item(size, <number>)
        <die> if <truth> else <die> | own.limit otherwise <die> | gone otherwise <die> | only(<dice>) | first(pair)
        item([d4, one], <number>) | absent.limit otherwise d4
    """,
    "dice": """
        no_dice | pool | pair | 2d6 | 3d4 armor | d8 | own.dice | <die> | <dice> & <dice> | (<number>)d6 | (few)d8 wild
        times(<dice>, <number>) | times(<die>, few) | <dice> where size > <number> | <dice> where wild in tags
        highest(<dice>, <number>) | lowest(<dice>, <number>) | first(<dice>, <number>) | last(<dice>, <number>)
        without(<dice>, <dice>) | without_biggest(<dice>, <number>) | without_smallest(<dice>, <number>)
        cap(<dice>, <die>) | ordered(<dice>) | reversed(<dice>) | outfit(<mood>) | <dice> if <truth> else <dice>
        <die> if <truth> else <dice> | own.limit otherwise <dice> | gone otherwise 2d6 | gear(<number>, <die>)
        code.dice | absent.dice otherwise <dice> | (<dice> & d6) where size beats <number>
    """,
    "roll": """
        rolled | three | toss | both | chain | thrown | both.base | both.kit | <roll> & <roll>
        <roll> where face > <number>
        <roll> where face in [<number>, 6] | <roll> where value / <number> > 1 | <roll> where size beats <number>
        <roll> where armor in tags | both where part is base | <roll> where hit > gain | three where face == n / few
        highest(<roll>, <number>) | lowest(<roll>, <number>) | first(<roll>, few) | last(<roll>, <number>)
        common(<roll>, <roll>)
        without(<roll>, <roll>) | ordered(<roll>) | reversed(<roll>) | <roll> if <truth> else <roll>
        chain where burn > <number> | chain where count(spent) > 0 | three where count(full where it > face) > <number>
        <roll> where any(xs where it == value) and face > 1
    """,
    "list": """
        xs | full | [<number>, <number>] | [] | [<number>] | [toss, <number>] | [thrown] | [toss] | upto(<number>)
        <list> where it > <number> | <list> where odd(it) or it == <number> | xs where it / <number> >= 1
        <list> by -it | xs by it | <list> by it * it | full by units(it) | <list> by it / <number>
        xs where count(three where face > it) > few | full by count(pool where size > it) - it
        common(<list>, <list>) | times(<list>, few)
        ordered(<list>) | reversed(<list>) | without(<list>, <list>) | first(<list>, <number>) | last(xs, few)
        highest(<list>, <number>) | lowest(<list>, 2) | <list> if <truth> else <list> | <roll>.face | <roll>.value
        matched.lead | matched.late | chain.burn | chain.spent | <dice>.size | chain.throws.face | chain.throws.burn
        groups(<numbers>).width | groups(<roll>).height | (matched where lead > <number>).lead | (matched by lead).lead
        (matched by -ours).lead | (matched where ours.face > <number>).late
    """,
    "sure": "full | three | pair | [<number>, <number>] | toss | three & <roll> | pair & <dice> | one",
    "numbers": "<list> | <roll> | <dice>.size | matched.ours | [toss, thrown]",
    "many": "<list> | <ranks> | <roll> | <dice> | <die> | moods | matched | size | rank | gone otherwise <dice>",
    "truths": "<roll> where face beats <number> | <list> where it in <list> | [<truth>, <truth>] | <dice> where yes",
    "any": "<number> | <truth> | <maybe> | <mood> | <rank> | <ranks> | <die> | <dice> | <roll> | <list> | <code>",
    "code": "code | 3D | 2D + <number> | code - <number> | <code> if <truth> else 1D",
}

CHOICES = {
    kind: [one.strip() for line in text.strip().splitlines() for one in line.split(" | ")]
    for kind, text in GRAMMAR.items()
}
LEAVES = {kind: [one for one in lines if "<" not in re.sub(r"<=?\s|\s<\s", "", one)] for kind, lines in CHOICES.items()}
HOLE = re.compile(r"<([a-z]+)>")


def leaf_of(kind: str) -> list[str]:
    return LEAVES[kind] or ["n"]


@st.composite
def expressions(draw: st.DrawFn, kind: str, depth: int = 3) -> str:
    chosen = draw(st.sampled_from(leaf_of(kind) if depth <= 0 else CHOICES[kind]))
    return HOLE.sub(lambda hole: draw(expressions(hole[1], depth - 1)), chosen)


# Values ----------------------------------------------------------------------------------------------------------

FUDGE, BOOST = Die(3, (), "fudge", (-1, 0, 1)), Die(3, (), "boost", ("blank", "hit", "gain + hit"))
DICE = [Die(4), Die(6), Die(8, ("armor",)), Die(10, ("armor", "wild")), Die(12), FUDGE, BOOST]


def values_of(seed: int) -> dict[str, Any]:
    """A value for every name. Hypothesis chooses the seed alone: to draw each value would take longer than the test."""
    chance = Random(seed)

    def number() -> int:
        return chance.randint(-4, 8)

    def some(make: Any, least: int = 0, most: int = 4) -> tuple[Any, ...]:
        return tuple(make() for _ in range(chance.randint(least, most)))

    def die() -> Die:
        return chance.choice(DICE)

    def mood() -> str:
        return chance.choice(["calm", "angry"])

    def rank() -> str:
        return chance.choice(["low", "middle", "high"])

    def throw(of: Die, nth: int, chains: bool) -> Throw:
        face: Face = chance.choice(of.faces or (1, 2, 3, of.size))
        names = {"burn": number(), "spent": some(number, 0, 2)} if chains else {}
        return Throw(face, nth, face if isinstance(face, int) else 0, names)

    def thrown(parts: tuple[str | None, ...] = (None,), chains: bool = False) -> Thrown:
        of = die()
        throws = tuple(throw(of, nth, chains) for nth in range(1, chance.randint(1, 3 if chains else 1) + 1))
        return Thrown(of, chance.choice(parts), 0, throws, sum(one.counts for one in throws))

    def roll(least: int, most: int, parts: tuple[str | None, ...] = (None,), chains: bool = False) -> tuple[Any, ...]:
        dice = some(lambda: thrown(parts, chains), least, most)
        return tuple(one._replace(key=key) for key, one in enumerate(dice))

    def side() -> dict[str, Any]:
        limit = die() if chance.random() < 0.5 else None
        return {"dice": some(die), "limit": limit, "bonus": number(), "state": mood()}

    def perhaps(value: Any) -> Any:
        return value if chance.random() < 0.6 else None

    return {
        "n": number(),
        "few": chance.randint(0, 3),
        "flag": chance.random() < 0.5,
        "here": mood(),
        "grades": rank(),
        "one": die(),
        "pool": some(die),
        "pair": some(die, 2, 2),
        "rolled": roll(0, 4),
        "three": roll(3, 4),
        "toss": roll(1, 1),
        "both": roll(0, 4, ("base", "kit")),
        "chain": roll(1, 3, chains=True),
        "thrown": thrown(),
        "xs": some(number),
        "full": some(number, 1, 3),
        "moods": some(mood, 0, 2),
        "ranks": some(rank, 0, 2),
        "lost": perhaps(number()),
        "gone": perhaps(die()),
        "unrolled": perhaps(roll(1, 1)),
        "own": side(),
        "absent": perhaps(side()),
        "matched": some(lambda: {"lead": number(), "ours": thrown(), "late": perhaps(number())}, 0, 3),
        "code": Code(2, 1, Die(6)),
    }


# Both ways -------------------------------------------------------------------------------------------------------


def outcome_of(work: Any) -> tuple[str, Any]:
    try:
        value = work()
    except PlayError as error:
        one = error.diagnostic
        return "error", (one.code, one.message, one.span.start, one.span.end)
    return "value", (type(value).__name__, value)


def agrees(rounding: str, text: str, expected: t.Type | None, values: Mapping[str, Any]) -> bool:
    """Whether the checker admits the expression; fails where the two ways of working it out differ."""
    playing = game(rounding)
    source = Source("here", text)
    reader = InputReader(playing.world, playing.closures)
    try:
        made = reader.check_expression(Scalar(text, Span(source, 0, len(text))), expected, NAMES)
    except PlayError:
        return False
    play = playing.closures.of(made)
    played = outcome_of(lambda: play(new_frame(**values)))
    referred = outcome_of(lambda: reference.evaluate(made, playing.closures, values))
    written = written_out(playing, made, values)
    told = f"{text!r} ({t.in_words(made.type)}) with {values}"
    assert played == referred, told
    assert written == (played if played[0] == "value" else None), f"{told}, written out as Python"
    if played[0] == "value":
        assert conforms(played[1][1], made.type), f"{told} is {played[1][1]!r}, which is not {made.type}"
    return True


def written_out(playing: Game, made: Any, values: Mapping[str, Any]) -> tuple[str, Any] | None:
    """What a formula gives that is written out as Python; None where it goes wrong, which the walk then says."""
    module = module_of(playing.program, playing.option_values)

    def write(name: str) -> str:
        writer = FunctionWriter(module, name, list(values), made)
        writer.line(f"return {writer.text(made)}")
        return writer.source

    work = module.names[module.function("it", write)]
    try:
        value = work(*values.values())
    except Exception:
        return None
    return "value", (type(value).__name__, value)


def conforms(value: Any, kind: t.Type) -> bool:
    """Whether a value is what the checker promised, bounds and all."""
    match kind:
        case t.Maybe(of):
            return value is None or conforms(value, of)
        case t.Number(low, high):
            return type(value) is int and (low is None or value >= low) and (high is None or value <= high)
        case t.YesNo():
            return type(value) is bool
        case t.Word(_, words):
            return value in words or (value is None and kind.name == "parts")
        case t.SingleDie():
            return type(value) is Die
        case t.Dice(least):
            return type(value) is tuple and len(value) >= least and all(type(die) is Die for die in value)
        case t.Roll(least, single):
            whole = type(value) is tuple and len(value) >= least and all(type(die) is Thrown for die in value)
            return whole and (not single or len(value) == 1)
        case t.ThrownDie():
            return type(value) is Thrown
        case t.DiceCode():
            return type(value) is Code
        case t.List(of, least):
            return type(value) is tuple and len(value) >= least and all(conforms(one, of) for one in value)
        case t.Record(_, fields):
            return isinstance(value, dict) and all(conforms(value.get(name), of) for name, of in fields)
    return True


EXPECTED = st.sampled_from([None, None, NUMBER, t.YES_NO, t.Dice(), t.Roll(), t.List(NUMBER), t.Maybe(NUMBER), SIDE])


@pytest.mark.parametrize("examples", thorough([300, 1500], lambda examples: examples > 300))
def test_play_agrees_with_the_reference(examples: int) -> None:
    """The examples are the same every time; take `derandomize` away to look for others."""
    admitted: list[str] = []

    @settings(
        max_examples=examples, deadline=None, derandomize=True, database=None, suppress_health_check=list(HealthCheck)
    )
    @given(
        st.sampled_from(["down", "up", "nearest"]),
        st.sampled_from(["any", "number", "truth"]).flatmap(expressions),
        EXPECTED,
        st.integers(0, 1 << 32).map(values_of),
    )
    def hold(rounding: str, text: str, expected: t.Type | None, values: dict[str, Any]) -> None:
        if agrees(rounding, text, expected, values) or (expected and agrees(rounding, text, None, values)):
            admitted.append(text)

    hold()
    # A grammar whose expressions the checker refuses would prove nothing.
    assert len(admitted) >= examples * 2 / 3 and len(set(admitted)) >= examples * 2 / 5


@pytest.mark.parametrize("inside", ["{}", "count(xs where it > {})", "best(pool where size > {})", "total([n, {}])"])
def test_parts_that_are_nested_deep_agree_with_the_reference(inside: str) -> None:
    """They become functions of their own, which are given the elements and arguments around them."""
    element = {"count": "it", "best": "size"}.get(inside.partition("(")[0], "n")
    text = inside.format("(1 + " * 35 + f"{element} - n" + ")" * 35 + " - 36")
    assert agrees("down", text, None, values_of(3))


def test_functions_whose_parts_are_nested_deep_take_their_arguments_along() -> None:
    nested = "(1 + " * 35 + "it - m" + ")" * 35
    rules = f"""
ruleset: deep
functions: {{bigger: {{takes: {{xs: {{list_of: number}}, m: number}}, gives: count(xs where {nested} > 35)}}}}
mechanics: {{main: {{steps: {{found: "bigger([1, 2, 3, 4], 2)"}}}}}}
"""
    assert interpreter.loads(rules).roll("main").values["found"] == 2


def test_every_function_of_the_language_is_tried() -> None:
    text = "\n".join(GRAMMAR.values())
    assert [name for name in (*FUNCTIONS, *FORMS) if f"{name}(" not in text] == []
