"""The kinds of mistakes: where one can be planted, what then stands there, and what a message should say of it.

`find` is looked for in the lines of a section of a ruleset (not in sentences for people), and its group `it`, or the
whole match, is replaced by `write`, in which `{1}` is what a group found. A message names the cause if it matches
`cause`, and leads to the mend if it, or its help, matches `mend`; both are regular expressions, with groups filled in.
"""

from __future__ import annotations

from dataclasses import dataclass

RULES = r"(?:types|functions|tables|mechanics|actions|events|reactions|scenes|kinds|modifiers)"


@dataclass(frozen=True)
class Kind:
    """A kind of mistake.

    `inside` is the section that it is planted in; it may be told so many lines `above` or `below`.
    """

    name: str
    find: str
    write: str
    cause: str
    mend: str
    inside: str = RULES
    above: int = 0
    below: int = 0
    where: str = r"."
    """What the line must match besides."""


VALUE = r"(?<=[\s({,])((?!not\b|and\b|or\b|if\b|else\b|is\b)[a-z_][\w.]*)"
"""A name, or a path with dots."""
OPERAND = r"(\d+|[a-z_][\w.]*)\b(?![(\w.])"
CONDITION = r"(?:\bif: |\bif |\bwhere |\band |\bor |: )"
NO_STRING = r"^[^'\"]*$"


def _words(name: str, sign: str, words: str, cause: str = "") -> Kind:
    """Words of English where a sign of the language stands."""
    cause = cause or "|".join(words.split())
    escaped = {"<": "<", "<=": "<=", ">": ">", ">=": ">=", "==": r"==|\bis\b"}[sign]
    return Kind(name, rf"{VALUE} {sign} {OPERAND}", "{1} " + words + " {2}", cause, escaped, where=NO_STRING)


KINDS = (
    # Words where signs stand
    _words("less than", "<", "less than"),
    _words("less then", "<", "less then"),
    _words("is less than", "<", "is less than"),
    _words("at least", ">=", "at least"),
    _words("is at least", ">=", "is at least"),
    _words("greater than", ">", "greater than"),
    _words("more than", ">", "more than"),
    _words("is more than", ">", "is more than"),
    _words("at most", "<=", "at most"),
    _words("equals", "==", "equals"),
    _words("is equal to", "==", "is equal to"),
    Kind("single equals", rf"{VALUE} == {OPERAND}", "{1} = {2}", r"=", "==", where=NO_STRING),
    Kind("equals greater", rf"{VALUE} >= {OPERAND}", "{1} => {2}", r"=>|=", ">=", where=NO_STRING),
    Kind("sign of mathematics", rf"{VALUE} >= {OPERAND}", "{1} ≥ {2}", r"≥|character", ">=", where=NO_STRING),
    Kind("isnt", r" (?P<it>is not) (?=[a-z])", "isnt", "isnt", "is not", where=NO_STRING),
    Kind("ampersands", rf"{CONDITION}[^#{{}}]*? (?P<it>and) ", "&&", "&", r"\band\b", where=NO_STRING),
    Kind("bars", rf"{CONDITION}[^#{{}}]*? (?P<it>or) ", "||", r"\|", r"\bor\b", where=NO_STRING),
    Kind("and in capitals", rf"{CONDITION}[^#{{}}]*? (?P<it>and) ", "AND", "AND", r"\band\b", where=NO_STRING),
    Kind("bang for not", r" (?P<it>not )(?=[a-z_.]+\b(?! in))", "!", "!", r"\bnot\b", where=NO_STRING + r"|(?!)"),
    Kind("times as x", rf"{VALUE} \* {OPERAND}", "{1} x {2}", r"\bx\b", r"\*", where=NO_STRING),
    Kind(
        "half as a function",
        r"\b(?:up|down)\(([a-z_.]+) / 2\)",
        "half({1})",
        "half",
        r"/ 2|function|down\(|up\(",
        where=NO_STRING,
    ),
    Kind("percent", rf"{VALUE} \* {OPERAND}", "{1} * 50%", "%", r"/|\* 1", where=NO_STRING),
    Kind(
        "question mark",
        r"(?<=: )([a-z_.]+) if ([a-z_.]+) else ([a-z_.0-9]+)$",
        "{2} ? {1} : {3}",
        r"\?|:",
        r"\bif\b|quotes",
        where=NO_STRING,
    ),
    Kind("power of two", rf"{VALUE} \* {OPERAND}", "{1} ^ {2}", r"\^|power", r"\*", where=NO_STRING),
    Kind("floor", r"\b(?P<it>down)\(", "floor", "floor", r"down", where=NO_STRING),
    Kind("ceiling", r"\b(?P<it>up)\(", "ceil", "ceil", r"up", where=NO_STRING),
    Kind("length", r"\b(?P<it>count)\(", "len", "len", "count", where=NO_STRING),
    Kind(
        "brackets of a list",
        r"\b(sum|count|highest|lowest)\(([a-z_.]+)\)",
        "{1}[{2}]",
        r"\[",
        r"{1}\(",
        where=NO_STRING,
    ),
    Kind(
        "no brackets",
        r"\b(sum|highest|lowest)\(([a-z_]+)\)",
        "{1} {2}",
        r"{1}|{2}",
        r"{1}\(|\(|sign such as",
        where=NO_STRING,
    ),
    Kind(
        "closing bracket left out",
        r"\b((?:sum|count|highest|lowest)\([a-z_.]+)\)(?=\s*$)",
        "{1}",
        r"\(|never closed|\)",
        r"\)",
        where=NO_STRING,
    ),
    Kind(
        "comma for a point",
        r"\bodds: \{(\w+): (\d+)/(\d+)",
        "odds: {{{1}: 0,417",
        r"417|comma|0|key",
        r"\d|point|/|fraction",
        inside="cases",
    ),
    # Dice
    Kind("space before the size", r"(?<=roll: )(\d*)d(\d+)(?=[\s,}}]|$)", "{1}d {2}", r"d|{2}", r"{1}d{2}"),
    Kind("capital die", r"(?<=roll: )(\d*)d(\d+)(?=[\s,}}]|$)", "{1}D{2}", r"D", r"d{2}", where=r"^(?!.*3D)"),
    Kind("roll in the roll", r"(?<=roll: )(\d*d\d+)(?=[\s,}}]|$)", "roll {1}", r"roll|{1}", r"{1}|roll: "),
    Kind("dice in words", r"(?<=roll: )\((\w+)\)(d\d+)", "{1} {2}", r"{2}|{1}", r"\({1}\){2}"),
    Kind("number before a die", r"(?<=roll: )\((\w+)\)(d\d+)", "({1}) * {2}", r"die|dice|{2}", r"\({1}\){2}|times\("),
    Kind("number added to a roll", r"(?<=roll: )(\d*d\d+)(?=[\s,}}]|$)", "{1} + 3", r"number|die|dice", r"sum\(|step"),
    Kind("dice added", r"(?<=roll: )(\d*d\d+)(?=[\s,}}]|$)", "{1} + {1}", r"\+|dice", r"&"),
    Kind("keep in the roll", r"(?<=roll: )(\d*d\d+)(?=[\s,}}]|$)", "{1}kh1", r"kh1|{1}", r"highest|step"),
    Kind("explode as a bang", r"(?<=roll: )(\d*d\d+)(?=[\s,}}]|$)", "{1}!", r"!", r"again"),
    Kind("explode as a key", r"\{roll: ([^{},]+)\}", "{{roll: {1}, explode: yes}}", "explode", "again"),
    Kind("keep as a key", r"\{roll: ([^{},]+)\}", "{{roll: {1}, keep: 1}}", "keep", r"highest"),
    Kind(
        "two colons",
        r"(?<= )(\w+): +\{(roll: [^{},]+)\}$",
        "{1}: {2}",
        r":|mapping|key",
        r"\{\{?|next line|below|new line",
        inside="mechanics",
    ),
    Kind("die of no size", r"(?<=roll: )(\d*)d(\d+)(?=[\s,}}]|$)", "{1}d0", r"d0|die has|faces", r"1 to|size"),
    # Keys and places
    Kind(
        "misspelt key",
        r"(?<=[{ ])(steps|outcomes|inputs|default|roll|call|choose|among|repeat|each)(?=:)",
        "{1}s",
        r"{1}s",
        r"`{1}`",
    ),
    Kind("key in capitals", r"(?<=[{ ])(steps|outcomes|inputs|default|roll|call)(?=:)", "X{1}", r"X{1}", r"{1}"),
    Kind(
        "no space after the colon", r"^( +\w+):( +)(?=[a-z({])", "{1}:", r"space|`:`|colon", r": |space", inside=RULES
    ),
    Kind(
        "colon left out",
        r"^ +(?P<it>steps:)$",
        "steps",
        r":|colon|key|steps",
        r"`steps:`|:|colon",
        inside="mechanics",
        below=3,
    ),
    Kind("tab", r"^(    )(?= *\w+:)", "\t", r"[Tt]ab", r"space"),
    Kind("brace left open", r"(\{roll: [^{},]+)\}$", "{1}", r"\{|closed|never|`\}`", r"\}", below=3),
    Kind(
        "same key again",
        r"^( +)(\w+): ([^{}|>'\"]+)$",
        "{1}{2}: {3}\n{1}{2}: {3}",
        r"{2}",
        r"one key|stands here already|first",
        below=1,
    ),
    Kind(
        "two columns left",
        r"^(      )(?=\w+: +\{(?:roll|call|repeat|choose))",
        "    ",
        r"indent|column|key|unknown|step|mechanic|verb",
        r"indent|column|space|line|further|under",
        below=4,
        above=3,
    ),
    # Outcomes
    Kind(
        "if in an outcome",
        r"(?<=      )([a-z_]+): +([a-z_.]+ (?:>=|<|>|==|beats) .+)$",
        "{1}: if {2}",
        r"\bif\b",
        r"write `",
        inside="mechanics",
    ),
    Kind("else for otherwise", r"(?<=: )(?P<it>otherwise)$", "else", "else", "otherwise", inside="mechanics"),
    Kind("Otherwise", r"(?<=: )(?P<it>otherwise)$", "Otherwise", "Otherwise", "`otherwise`", inside="mechanics"),
    Kind(
        "otherwise first",
        r"(?<=      )([a-z_]+): otherwise$",
        "otherwise: {1}",
        r"otherwise",
        r"{1}: otherwise",
        inside="mechanics",
        above=9,
    ),
    # Names
    Kind(
        "misspelt name",
        r"(?<=[ (])([a-z]{6,})(?=[ ).,]| [-+*/<>=])(?!\()",
        "{1}q",
        r"{1}q",
        r"`{1}`|{1}",
        where=r": .*[-+*/<>(]",
    ),
    Kind("misspelt function", r"\b(highest|lowest|count)(?=\()", "{1}s", r"{1}s", r"`{1}`"),
    Kind("misspelt type", r"\btype: (number|yes_no|dice|roll|text)\b", "type: {1}s", r"{1}s", r"`{1}`"),
    Kind("type of programmers", r"\btype: number\b", "type: int", "int", "number"),
    Kind("type of strings", r"\btype: text\b", "type: string", "string", "text"),
    Kind("type of truth", r"\btype: yes_no\b", "type: bool", "bool", "yes_no"),
    Kind("misspelt call", r"\bcall: (\w{4,})", "call: {1}x", r"{1}x", r"`{1}`"),
    Kind("call with brackets", r"\bcall: (\w{4,})\b", "call: {1}()", r"{1}", r"{1}|with"),
    Kind("option without options", r"\boptions\.(\w+)", "{1}", r"{1}", r"options\.{1}", where=r"^(?!.*about)"),
    Kind("event without its section", r"\bcause: (\w{4,})", "cause: {1}s", r"{1}s", r"`{1}`"),
    Kind(
        "word misspelt",
        r"(?<= is )(?!not)([a-z]{4,})\b(?=[ ,})]|$)",
        "{1}z",
        r"{1}z",
        r"{1}",
        where=r"\bif\b|where|: .* is ",
    ),
    # Cases
    Kind("outcome misspelt", r"outcome: ([a-z_]{4,})", "outcome: {1}x", r"{1}x", r"`{1}`", inside="cases"),
    Kind("mechanic misspelt", r"^    mechanic: (\w{4,})", "    mechanic: {1}x", r"{1}x", r"`{1}`", inside="cases"),
    Kind(
        "face that a die lacks",
        r"faces: \[(\d+)(?=[,\]])",
        "faces: [777",
        r"777",
        r"shows? \d|1 to|one of|it shows",
        inside="cases",
    ),
    Kind(
        "one face too few",
        r"faces: \[(\d+), (\d+)\]",
        "faces: [{1}]",
        r"face",
        r"add|more|needed|leave",
        inside="cases",
    ),
    Kind(
        "one face too many",
        r"faces: \[(\d+), (\d+)\]",
        "faces: [{1}, {2}, 1]",
        r"faces? given|face",
        r"remove|leave|less|fewer|more",
        inside="cases",
    ),
    Kind("faces without brackets", r"faces: \[(\d+, \d+)\]$", "faces: {1}", r"faces|list", r"\[{1}\]", inside="cases"),
    Kind(
        "expected without a name",
        r"expect: \{outcome: ([a-z_]+)\}",
        "expect: {1}",
        r"expect",
        r"outcome: {1}",
        inside="cases",
    ),
    Kind(
        "expected number",
        r"expect: \{(\w+): (\d+)\}",
        "expect: {{{1}: 991}}",
        r"expected 991",
        r"got|expected 991",
        inside="cases",
    ),
    Kind("input misspelt", r"given: \{([a-z_]{4,}):", "given: {{{1}x:", r"{1}x", r"`{1}`", inside="cases"),
    Kind("expect misspelt", r"^    (?P<it>expect):", "expects", r"expects", r"`expect`", inside="cases"),
    Kind(
        "case without its dash",
        r"^  - (name: .+)$",
        "    {1}",
        r"name|dash|case|`- `|twice|duplicate",
        r"- ",
        inside="cases",
        below=6,
    ),
)
