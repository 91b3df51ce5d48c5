"""Mistakes in one small game, `market.yaml`, each a piece of its text replaced by another.

They are of kinds that need a certain place: a table, a case, a list of words, a kind of thing.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Slip:
    """`old` is replaced by `new` at its first place; the slip is told on the line of `at`, or of the first change."""

    name: str
    old: str
    new: str
    cause: str
    mend: str
    at: str = ""


BY_HAND = (
    # Words where signs stand
    Slip("range without read", "fair: total >= 7 and hits > 0", "fair: 7 to 9", r"7 to 9|to\b", r"read|<= "),
    Slip("10 or more without read", "bargain: total >= 10", "bargain: 10 or more", r"10 or more|or more", r"read"),
    Slip("if as an outcome", "bargain: total >= 10", "bargain: if total >= 10", r"\bif\b", r"write `total >= 10`"),
    Slip("failure: else", "dear: otherwise", "dear: else", "else", "otherwise"),
    Slip(
        "nothing as a value",
        "(1 if bold else 0), options",
        "(1 if bold else nothing), options",
        "nothing",
        r"\b0\b|none",
    ),
    Slip("half of a number", "total: sum(rolled) + skill", "total: sum(rolled) + half(skill)", "half", r"/ 2"),
    Slip(
        "decimal comma",
        "expect: {outcome: bargain, offer: 3}",
        "odds: {bargain: 0,417}",
        r"0,417|comma|417",
        r"point|/|\.",
    ),
    Slip("percent in odds", "expect: {outcome: bargain, offer: 3}", "odds: {bargain: 41.7%}", r"41\.7%|%", r"/|0\.4"),
    Slip("dots in a range", "4 to 6: 1", "4..6: 1", r"4\.\.6|range", r"4 to 6|7 to 9"),
    Slip("dash in a range", "4 to 6: 1", "4-6: 1", r"4-6|range", r"4 to 6|7 to 9"),
    Slip("plus in a range", "7 or more: 2", "7+: 2", r"7\+|range", r"or more"),
    Slip("not equal between words", "actor.temper is calm", "actor.temper <> calm", r"<>|temper", r"!=|is not"),
    Slip("both of two", "rolled where face >= 5", "rolled where face is 5 or 6", r"\b6\b|\bor\b|words", r"==|in \["),
    # Dice
    Slip(
        "dice without a throw",
        "rolled: {roll: 2d6}",
        "rolled: 2d6",
        r"throw|dice|die",
        r"roll",
        at="rolled:|total:|hits:",
    ),
    Slip("count of a number", "count(rolled where face >= 5)", "count(rolled, 6)", r"count", r"where face == 6|where"),
    Slip(
        "a sum of a number",
        "sum(rolled) + skill",
        "sum(skill) + skill",
        r"sum|skill|number",
        r"without|is a number|dice|list",
    ),
    Slip("explode in the roll", "{roll: d6, again: face == 6}", "{roll: d6, explode: 6}", "explode", "again"),
    Slip("a roll as a number", "total: sum(rolled)", "total: rolled", r"roll|dice", r"sum\(rolled\)"),
    Slip("a face on its own", "where face >= 5", "where >= 5", r">=|missing|before", r"face"),
    Slip(
        "advantage",
        "rolled: {roll: 2d6}",
        "rolled: {roll: 2d6 keep highest 1}",
        r"keep|highest",
        r"highest\(rolled, 1\)",
    ),
    # Tables and names
    Slip("table with a dot", "price(what)", "price.what", r"price|table", r"price\(what\)|price\("),
    Slip("table with square brackets", "price(what)", "price[what]", r"\[", r"price\("),
    Slip("table without brackets", "offer: max(price(what)", "offer: max(price", r"price|table", r"price\("),
    Slip("row misspelt", "lamp: 5", "lmap: 5", r"lmap|lamp", r"lamp", at="lmap: 5|price\\("),
    Slip("row left out", "      axe: 8\n", "", r"axe", r"row|axe", at="rows:|lamp: 5|price\\(|price:"),
    Slip("hole in a table", "4 to 6: 1", "5 to 6: 1", r"\b4\b|gap", r"extend|stretch|row", at="5 to 6|7 or more"),
    Slip("rows that overlap", "4 to 6: 1", "3 to 6: 1", r"3", r"overlap|other", at="3 to 6|3 or less"),
    Slip(
        "words on and off",
        "{type: yes_no, default: no}\ntables",
        "{type: yes_no, default: on}\ntables",
        r"\bon\b",
        r"yes",
    ),
    Slip("list without brackets", 'default: "[rope]"', "default: rope", r"rope|list", r"\[rope\]"),
    Slip("an article before a role", "by: buyer", "by: the buyer", r"the buyer|buyer|the", r"`buyer`|buyer"),
    Slip("a role that is none", "by: buyer", "by: customer", "customer", r"buyer"),
    Slip("a path as a name", "ruleset: market", "ruleset: ../market", r"\.\./market|name", r"letters|name"),
    Slip("a name twice", "mood: [calm", "ware: [calm", "ware", r"one key|another|once"),
    Slip("a name that is taken", "      hits: count", "      total: count", "total", r"one key|another|once"),
    Slip("a reserved name", "      hits: count", "      where: count", "where", r"where_|another"),
    Slip(
        "a type of another tool", "skill: {type: number, from: 0", "skill: {type: integer, from: 0", "integer", "number"
    ),
    Slip("a kind for a word", "what: {type: ware}\n      skill", "what: {type: wares}\n      skill", "wares", "ware"),
    Slip("a field that is none", "actor.temper is calm", "actor.tempre is calm", "tempre", "temper"),
    Slip("of nobody", "actor.hurt", "actr.hurt", "actr", "actor"),
    Slip("a word of another list", "is calm and not", "is rope and not", "rope", r"calm|mood"),
    Slip("a number for a word", "default: calm", "default: 1", r"\b1\b|number", r"calm"),
    Slip("a word for a number", "starts: 10", "starts: ten", "ten", r"number|defined"),
    Slip("a condition for a number", "- (1 if bold else 0)", "- bold", r"yes|bold|number", r"if bold|1 if"),
    Slip("a number for a condition", "if bold else 0", "if skill else 0", r"yes or no|number", r"> 0|compare"),
    Slip("starts above the most", "to: 20, starts: 10", "to: 20, starts: 30", r"30", r"20"),
    Slip(
        "bounds turned about",
        "from: 0, to: 5, default: 1",
        "from: 5, to: 0, default: 1",
        r"from|higher|reversed",
        r"smaller|first",
    ),
    # Shapes
    Slip(
        "steps under inputs",
        "    steps:\n      bold:",
        "      steps:\n      bold:",
        r"steps|empty|indent",
        r"indent|column|remove|write",
        at="steps:|bold:",
    ),
    Slip(
        "a step one column to the right",
        "      extra: {roll",
        "       extra: {roll",
        r"indent|line|value|not valid|`:`",
        r"line it up|indent|quotes|column|lines",
        at="extra:|rolled:",
    ),
    Slip(
        "a quote that is left open",
        'ask: "Do you press the seller?"',
        'ask: "Do you press the seller?',
        r"quote|closed|never",
        r'"',
    ),
    Slip(
        "an apostrophe in quotes",
        'ask: "Do you press the seller?"',
        "ask: 'Don't you press the seller?'",
        r"'|quote",
        r"double|quotes",
    ),
    Slip("choose in words", "choose: yes_no, by: buyer", "choose: a number, by: buyer", r"a number|choose", r"number"),
    Slip(
        "steps left out",
        "    steps:\n      die: {roll: d8}\n      loss: harm(die) + (1 if who.hurt else 0)\n",
        "",
        r"steps",
        r"steps",
        at="mean:",
    ),
    Slip("an unknown key", "title: Haggle", "titel: Haggle", "titel", "title"),
    Slip("pay without from", "paid: {pay: deal.offer, from: actor.coins}", "paid: {pay: deal.offer}", "from", "from"),
    Slip(
        "lose in place of pay",
        "{pay: deal.offer, from: actor.coins}",
        "{pays: deal.offer, from: actor.coins}",
        "pays",
        "pay",
    ),
    Slip("add without to", "got: {add: what, to: actor.wares,", "got: {add: what,", "to", "to"),
    Slip("an input left out", "with: {what: what, skill: 2}", "with: {skill: 2}", "what", "what"),
    Slip("an input too many", "with: {what: what, skill: 2}", "with: {what: what, skil: 2}", "skil", "skill"),
    Slip("a result that is none", "pay: deal.offer", "pay: deal.offr", "offr", "offer"),
    Slip(
        "two verbs",
        "extra: {roll: d6, again: face == 6}",
        "extra: {roll: d6, is: 3}",
        r"more than one|verb|two",
        r"separate|each",
    ),
    # What the dice and words prove without a game
    Slip("a face that no die has", "face >= 5", "face == 7", r"face == 7|7", r"1 to 6|can be"),
    Slip("a total that is too high", "total >= 10", "total >= 99", r"99", r"\d+ to \d+|can be"),
    Slip(
        "an outcome after the last", "fair: total >= 7 and hits > 0", "fair: total >= 11", "fair", r"move it up|remove"
    ),
    # Cases
    Slip("a mechanic that is none", "mechanic: haggle", "mechanic: hagle", "hagle", "haggle"),
    Slip("an outcome that is none", "outcome: bargain, offer", "outcome: bargin, offer", "bargin", "bargain"),
    Slip("a value that is none", "offer: 3}", "ofer: 3}", "ofer", "offer"),
    Slip("a question that is none", "choices: {bold: yes}", "choices: {bald: yes}", "bald", "bold"),
    Slip("an answer that is none", "choices: {bold: yes}", "choices: {bold: maybe}", "maybe", r"yes"),
    Slip("a face too high", "faces: [5, 5, 2]", "faces: [5, 8, 2]", "8", "1 to 6"),
    Slip("too few faces", "faces: [5, 5, 2]", "faces: [5]", "face", r"add|leave|more"),
    Slip("too many faces", "faces: [5, 5, 2]", "faces: [5, 5, 2, 2]", "face", r"remove|leave|only|but"),
    Slip(
        "nothing expected",
        "    expect: {outcome: bargain, offer: 3}\n",
        "",
        "expects nothing",
        "expect",
        at="name: a bargain",
    ),
    Slip("a word given that is none", "given: {what: rope}", "given: {what: rop}", "rop", "rope"),
    Slip("an input that is none", "given: {what: rope}", "given: {wath: rope}", "wath", "what"),
    Slip("an input that is missing", "given: {what: rope}", "given: {}", "what", "what", at="name: a bargain|given"),
    Slip("a thing that is none", "actor: ann", "actor: bob", "bob", "ann"),
    Slip("a kind that is none", "{is: trader, coins: 9}", "{is: trader_, coins: 9}", "trader_", "trader"),
    Slip("an attribute that is none", "{is: trader, coins: 9}", "{is: trader, coin: 9}", "coin", "coins"),
    Slip("more than there can be", "{is: trader, coins: 9}", "{is: trader, coins: 90}", "90", "20"),
    Slip("an actor left out", "    actor: ann\n", "", "actor", "actor", at="name: somebody|action: buy"),
    Slip(
        "too poor",
        "{is: trader, coins: 9}",
        "{is: trader, coins: 3}",
        r"costs|only 3|3",
        r"costs|coins",
        at="name: somebody|before:",
    ),
    Slip("another number", "after: {ann.coins: 5", "after: {ann.coins: 7", "expected 7", "got"),
    Slip("another outcome", "deal.outcome: dear", "deal.outcome: fair", "expected fair", "got"),
    Slip("a number with a sign", "given: {what: rope}", "given: {what: rope, skill: +9}", r"9|skill", r"0 to 5"),
)
