"""The precedence table of the parser, pair by pair, and where its nodes stand in the file."""

from __future__ import annotations

import ast
from itertools import product

import pytest

from interpreter import diagnostics as say
from interpreter.diagnostics import PlayError, Problems
from interpreter.diagnostics.source import NOWHERE, Source, Span
from interpreter.syntax import expression_parser
from interpreter.syntax.document import Mapping, Scalar, parse

# From loosest to tightest, as the table in `interpreter.syntax.expression_parser` has it.
# `how` says what two of a row do beside each other: bind to the left, to the right, or not at all.
LEVELS: list[tuple[str, list[str]]] = [
    ("left", ["where", "by"]),
    ("right", ["otherwise"]),
    ("right", ["if x else"]),
    ("flat", ["or"]),
    ("flat", ["and"]),
    ("never", ["==", "<", ">=", "beats", "is", "in"]),
    ("left", ["&"]),
    ("left", ["+", "-"]),
    ("left", ["*", "/"]),
]
RANK = {word: rank for rank, (_, words) in enumerate(LEVELS) for word in words}
HOW = {word: how for how, words in LEVELS for word in words}


def scalar(text: str, style: str = "") -> Scalar:
    source = Source("test", text)
    return Scalar(text, Span(source, 0, len(text)), style)


def tree(text: str) -> ast.expr:
    return expression_parser.parse(scalar(text), {"beats"})


def shape(text: str) -> str:
    return ast.dump(tree(text))


@pytest.mark.parametrize(("first", "second"), list(product(RANK, RANK)))
def test_every_pair(first: str, second: str) -> None:
    text = f"a {first} b {second} c"
    to_left, to_right = f"(a {first} b) {second} c", f"a {first} (b {second} c)"
    if RANK[first] == RANK[second] and HOW[first] == "never":
        if first == second and first in ("<", ">="):
            assert shape(text) not in (shape(to_left), shape(to_right))  # 1 <= x <= 6, the one chain there is
            return
        with pytest.raises(PlayError) as error:
            tree(text)
        assert error.value.diagnostic.code == say.chained_comparison(NOWHERE).code
        return
    if RANK[first] == RANK[second] and HOW[first] == "flat":
        assert shape(text) not in (shape(to_left), shape(to_right))
        return
    left = RANK[first] > RANK[second] or (RANK[first] == RANK[second] and HOW[first] == "left")
    assert shape(text) == shape(to_left if left else to_right)
    assert shape(to_left) != shape(to_right)


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("not a and b", "(not a) and b"),
        ("not a or b", "(not a) or b"),
        ("not a == b", "not (a == b)"),
        ("not a beats b", "not (a beats b)"),
        ("not a in b", "not (a in b)"),
        ("not not a", "not (not a)"),
        ("a and not b == c", "a and (not (b == c))"),
        ("-a + b", "(-a) + b"),
        ("-a * b", "(-a) * b"),
        ("a - -b", "a - (-b)"),
        ("--a", "-(-a)"),
        ("-a.b", "-(a.b)"),
        ("-f(a)", "-(f(a))"),
        ("a if b or c else d or e", "a if (b or c) else (d or e)"),
        ("a or b if c else d", "(a or b) if c else d"),
        ("a if b else c otherwise d", "(a if b else c) otherwise d"),
        ("a otherwise b if c else d", "a otherwise (b if c else d)"),
        ("a if b else c where d", "(a if b else c) where d"),
        ("a where b otherwise c", "a where (b otherwise c)"),
        ("a where b or c", "a where (b or c)"),
        ("a where b by -c", "(a where b) by -c"),
        ("a & 2d6 where b", "(a & 2d6) where b"),
        ("2d6 wild & d8", "(2d6 wild) & d8"),
        ("d8 trait body & d6", "(d8 trait body) & d6"),
        ("(n)d6 wild & d8", "((n)d6 wild) & d8"),
        ("3D + 2", "(3D) + 2"),
        ("a + b.c(d) * e", "a + ((b.c(d)) * e)"),
        ("highest(a by b) otherwise 0", "(highest(a by b)) otherwise 0"),
    ],
)
def test_prefixes_slots_and_dice(text: str, meant: str) -> None:
    assert shape(text) == shape(meant)


def test_tags_belong_to_the_dice_before_them() -> None:
    assert shape("a & d8 trait") == shape("a & (d8 trait)")
    assert shape("a & d8 trait") != shape("a & d8")


@pytest.mark.parametrize(
    "text",
    [
        *("a b", "2d6 3", "a where", "where a", "f(a", "a)", "[a", "a not > b", "a if b", "a else b"),
        *("not", "-", "a.", "a..b", "f(a,,b)", "1.5", "a = b", "a ** b", "a // b", "a[0]", "{a}", "'a'"),
        *("", "   ", "a; b", "²a", "a–b", "a\u00a0+ b", "2d", "2d0x", "_a", "a if b else", "beats", "a beats"),
    ],
)
def test_what_is_no_expression_is_one_diagnostic(text: str) -> None:
    with pytest.raises(PlayError) as error:
        tree(text)
    assert error.value.diagnostic.code.startswith("HR2")


def test_brackets_too_deep_and_too_long_a_text() -> None:
    tree("(" * 40 + "a" + ")" * 40)
    for text in ("(" * 41 + "a" + ")" * 41, "-" * 400 + "a", "not " * 400 + "a", "a + " * 400 + "a", "a" * 1001):
        with pytest.raises(PlayError):
            tree(text)


# Where nodes stand -----------------------------------------------------------------------------------------------


PLACES = {
    "plain": "rule: highest(dice) beats total + 2",
    "in single quotes": "rule: 'highest(dice) beats total + 2'",
    "in double quotes": 'rule: "highest(dice) beats total + 2"',
    "folded": "rule: >-\n  highest(dice)\n  beats total\n  + 2\n",
    "literal": "rule: |\n    highest(dice)\n    beats total + 2\n",
    "over several plain lines": "rule: highest(dice)\n  beats\n   total\n  + 2",
    "in a flow mapping": "{other: x, rule: highest(dice) beats total + 2}",
    "quoted over two lines": 'rule: "highest(dice)\n  beats total + 2"',
    "folded and kept": "rule: >+\n  highest(dice) beats\n  total + 2\n\n\n",
    "literal with an indent of its own": "rule: |2-\n    highest(dice)\n      beats total + 2\n",
    "with carriage returns": "rule: >-\r\n  highest(dice)\r\n  beats total\r\n  + 2\r\n",
    "after a comment and a byte order mark": "\ufeff# a die’s tale\nrule: highest(dice) beats total + 2   # so be it",
}


def rule_of(text: str) -> Scalar:
    problems = Problems()
    root = parse(Source.of("rules.yaml", text), problems)
    assert isinstance(root, Mapping) and not problems.errors
    rule = root.get("rule")
    assert isinstance(rule, Scalar)
    return rule


@pytest.mark.parametrize("text", PLACES.values(), ids=PLACES)
def test_nodes_stand_where_they_are_written(text: str) -> None:
    rule = rule_of(text)
    made = expression_parser.parse(rule, {"beats"})
    seen = set()
    for node in ast.walk(made):
        if isinstance(node, ast.expr):
            written = " ".join(expression_parser.span_of(node, rule.span).text.split())
            seen.add(written)
            match node:
                case ast.Name(name) if not name.startswith("."):
                    assert written == name
                case ast.Constant(value):
                    assert written == str(value)
                case ast.BinOp():
                    assert written == "total + 2"
    assert {"highest(dice)", "highest", "dice", "beats", "total", "2", "total + 2"} <= seen
    assert " ".join(expression_parser.span_of(made, rule.span).text.split()) == "highest(dice) beats total + 2"


def test_line_and_column_of_a_node_in_a_folded_scalar() -> None:
    rule = rule_of(PLACES["folded"])
    total = next(
        n for n in ast.walk(expression_parser.parse(rule, {"beats"})) if isinstance(n, ast.Name) and n.id == "total"
    )
    span = expression_parser.span_of(total, rule.span)
    assert (span.line, span.column) == (3, 9)


def test_a_quoted_text_with_escapes_is_read_from_its_value() -> None:
    rule = rule_of('rule: "total \\x2b 2"')
    assert ast.dump(expression_parser.parse(rule, set())) == shape("total + 2")
