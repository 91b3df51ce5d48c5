"""What authors write for functions: those of spreadsheets and other languages, each with how it is said here."""

from __future__ import annotations

OF_ANY_SIZE = (
    "a die of any size is an input, `die: {type: die}`, thrown as `{roll: die}`, or several as "
    '`{roll: "times(die, 2)"}`'
)

ELSEWHERE = {
    "floor": "write `down(a / b)`",
    "ceil": "write `up(a / b)`",
    "ceiling": "write `up(a / b)`",
    "round": "write `nearest(a / b)`",
    "len": "write `count(xs)`",
    "length": "write `count(xs)`",
    "mod": "write `x - x / n * n`, or `units(x)` for the last digit",
    "half": "write `down(x / 2)` or `up(x / 2)`",
    "double": "write `2 * x`",
    "twice": "write `2 * x`",
    **dict.fromkeys(("average", "mean", "avg"), "write `sum(xs) / count(xs)`"),
    **dict.fromkeys(("median", "middle"), "write `item(ordered(xs), (count(xs) + 1) / 2)`"),
    **dict.fromkeys(
        ("smaller", "lesser", "lower", "minimum", "smallest", "least", "at_most"),
        "write `min(a, b)` for numbers, `lowest(xs)` for dice or a list",
    ),
    **dict.fromkeys(
        ("bigger", "greater", "larger", "higher", "maximum", "biggest", "largest", "most", "at_least"),
        "write `max(a, b)` for numbers, `highest(xs)` for dice or a list",
    ),
    **dict.fromkeys(("best", "top"), "write `highest(xs)` or, of several, `highest(xs, k)`"),
    **dict.fromkeys(("worst", "bottom"), "write `lowest(xs)` or, of several, `lowest(xs, k)`"),
    **dict.fromkeys(("total", "add", "add_up"), "write `sum(xs)`"),
    **dict.fromkeys(("number_of", "size", "how_many"), "write `count(xs)`"),
    **dict.fromkeys(("contains", "includes", "has"), "write `a in xs`; of a roll, `any(rolled where face == a)`"),
    **dict.fromkeys(("sort", "sorted"), "write `ordered(xs)`"),
    "reverse": "write `reversed(xs)`",
    **dict.fromkeys(("absolute", "magnitude"), "write `abs(x)`"),
    **dict.fromkeys(("between", "limit", "within"), "write `clamp(x, low, high)`; to test it, `low <= x <= high`"),
    "if": "write `a if condition else b`",
    **dict.fromkeys(("iif", "choose", "either"), "write `a if condition else b`"),
    **dict.fromkeys(("int", "integer", "trunc"), "numbers are whole: write `down(a / b)` or `up(a / b)`"),
    **dict.fromkeys(("pow", "power", "sqrt"), "there are no powers: multiply, or write a table"),
    **dict.fromkeys(("exists", "defined", "is_given", "has_value"), "write `given(x)`"),
    **dict.fromkeys(("lookup", "table"), "a table is read by its own name: `price(ware)`"),
    "keep": "write `highest(xs, k)` or `lowest(xs, k)`",
    "drop": "write `highest(xs, k)` or `lowest(xs, k)`",
    **dict.fromkeys(("rounddown", "round_down", "quotient", "div"), "write `down(a / b)`"),
    **dict.fromkeys(("roundup", "round_up"), "write `up(a / b)`"),
    **dict.fromkeys(
        ("countif", "count_if", "successes", "hits", "success"),
        "write `count(rolled where face >= 5)` of dice, `count(xs where it >= 5)` of a list",
    ),
    **dict.fromkeys(
        ("sumif", "sum_if"), "write `sum(rolled where face >= 5)` of dice, `sum(xs where it >= 5)` of a list"
    ),
    **dict.fromkeys(
        ("vlookup", "hlookup", "xlookup", "index", "match"), "a table is read by its own name: `price(ware)`"
    ),
    **dict.fromkeys(("large", "nth", "kth_highest"), "write `kth(xs, k)`, 1 the highest"),
    **dict.fromkeys(("small", "kth_lowest"), "write `item(ordered(xs), k)`"),
    **dict.fromkeys(
        ("ifs", "switch", "case", "when"), "several cases are a step, `{first_of: {one: {if: a, is: 1}, other: 2}}`"
    ),
    **dict.fromkeys(
        ("iferror", "ifnull", "coalesce", "nvl", "default", "or_else", "fallback"), "write `x otherwise y`"
    ),
    **dict.fromkeys(
        ("isblank", "isnull", "is_null", "is_missing", "missing", "isempty", "is_empty", "empty"),
        "write `not given(x)`; of a list, `count(xs) == 0`",
    ),
    **dict.fromkeys(
        ("random", "rand", "randint", "rnd", "randbetween", "dice", "die", "rolldice", "roll_dice"),
        "a step throws dice, `rolled: {roll: 2d6}`, and later steps read `sum(rolled)`",
    ),
    "d": f"a die is written `d6`; {OF_ANY_SIZE}",
    **dict.fromkeys(("filter", "select", "find"), "write `xs where it > 3`; of dice, `rolled where face > 3`"),
    **dict.fromkeys(("map", "pluck"), "write `xs.score` for the score of each"),
    **dict.fromkeys(
        ("unique", "distinct", "set"), "write `groups(xs)`: the equal ones together, with `height` and `width`"
    ),
    **dict.fromkeys(("range", "seq", "sequence"), "write `upto(n)` for 1, 2, … `n`"),
    **dict.fromkeys(("pick", "sample", "shuffle"), "a step takes some at random: `drawn: {draw: 1, from: table.deck}`"),
    **dict.fromkeys(
        ("concat", "concatenate", "join", "append", "push", "union"), "write `xs & ys` for two lists together"
    ),
    **dict.fromkeys(("pairs", "matches", "doubles", "duplicates"), "write `count(groups(rolled) where it.width >= 2)`"),
}
"""What the functions of other languages are here."""
