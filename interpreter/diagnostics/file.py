"""HR0: the file and its YAML."""

from __future__ import annotations

import re

from interpreter.diagnostics.model import Diagnostic
from interpreter.diagnostics.shape import ENTRIES
from interpreter.diagnostics.source import NOWHERE as NOWHERE
from interpreter.diagnostics.source import Span
from interpreter.diagnostics.suggest import how_to_install, in_backticks


def cannot_write(name: str, reason: str) -> Diagnostic:
    return Diagnostic("HR001", f"`{name}` cannot be written: {reason}", NOWHERE)


def is_there_already(name: str) -> Diagnostic:
    help = "choose another name, or remove the file"
    return Diagnostic("HR001", f"`{name}` is there already, and no file is overwritten", NOWHERE, help)


def cannot_read(name: str, reason: str) -> Diagnostic:
    return Diagnostic("HR001", f"`{name}` cannot be read: {reason}", NOWHERE)


def no_such_text(name: str) -> Diagnostic:
    """Of a name for which a host gives no text."""
    return Diagnostic("HR001", f"there is no text `{name}`", NOWHERE, "`resolve` gives None for it")


def not_inside(name: str, folder: str | None) -> Diagnostic:
    """Of a file that is not there, or not inside the only folder where a host opens files."""
    where = "there is no such file" if folder is None else f"there is no such file inside `{folder}`"
    return Diagnostic("HR001", f"`{name}` cannot be read: {where}", NOWHERE)


def too_many_texts(limit: int) -> Diagnostic:
    return Diagnostic("HR003", f"this ruleset asks for more than {limit:,} texts", NOWHERE, "put several into one")


def too_many_below(span: Span, limit: int) -> Diagnostic:
    return Diagnostic("HR004", f"more than {limit} rulesets extend each other here", span, "make some of them one")


def not_utf8(span: Span) -> Diagnostic:
    return Diagnostic("HR002", "this file is not UTF-8 text", span, "save it as UTF-8")


def file_too_large(span: Span, limit: int) -> Diagnostic:
    return Diagnostic("HR003", f"this file is larger than {limit // 1024} KiB", span, "spread it over `parts`")


def too_deep(span: Span, limit: int | None = None) -> Diagnostic:
    return Diagnostic("HR004", f"this is nested {'too' if limit is None else f'more than {limit}'} deep", span)


def too_much_inside(span: Span) -> Diagnostic:
    message = "too many repeated steps are nested here"
    return Diagnostic("HR004", message, span, "move the inner steps to a mechanic of their own, and call it")


def too_many_nodes(span: Span, limit: int) -> Diagnostic:
    return Diagnostic("HR005", f"this file has more than {limit:,} values", span, "spread it over `parts`")


def empty_file(span: Span) -> Diagnostic:
    return Diagnostic("HR006", "this file is empty", span, "a ruleset begins with `ruleset: its-name`")


def unseen_character(span: Span, code: int) -> Diagnostic:
    cure = "write an ordinary space" if chr(code).isspace() else "delete it; it may have come along with copied text"
    return Diagnostic("HR007", f"invisible character (U+{code:04X})", span, cure)


def key_in_several_lines(span: Span) -> Diagnostic:
    return Diagnostic("HR007", "a line break in a key", span, "write the key in one line; texts stand behind the colon")


def not_yaml(span: Span) -> Diagnostic:
    return Diagnostic("HR010", "this is not valid YAML", span, "look for a misplaced quote, bracket or `:`")


def tab_indents(span: Span) -> Diagnostic:
    return Diagnostic("HR010", "tabs cannot be used to indent", span, "indent with spaces")


def quote_not_closed(span: Span) -> Diagnostic:
    return Diagnostic("HR010", "this quoted text is never closed", span, f"put a `{span.text}` at its end")


def bad_escape(span: Span) -> Diagnostic:
    return Diagnostic(
        "HR010", f"`{span.text}` is not a valid escape in double quotes", span, "put the text in single quotes"
    )


_BLOCK_SIGNS = {">": "more than", ">=": "at least"}


def block_by_sign(span: Span, of_a_text: bool) -> Diagnostic:
    words = _BLOCK_SIGNS.get(span.text)
    help_text = f"write it in words: `{words}`" if words else f"put the text in quotes: {_in_quotes(span.text)}"
    compared = re.match(r">=?\s*[\w.()]+", span.text) and not of_a_text
    row = _row_meant(span.source.line(span.line))
    if row:
        help_text = f"a row is written `{row}`"
    elif compared:
        help_text = f"write a value before it, as in `total {span.text}`; a text is put in quotes"
    return Diagnostic(
        "HR010",
        f"`{span.text[:1]}` at the start of a value begins a block of text",
        span,
        help_text,
        edits=_edit_that_quotes(span) if of_a_text and not words else (),
    )


def _row_meant(text: str) -> str | None:
    """How the language writes the row of a table that begins with a sign, as `>= 7: 3`."""
    row = re.match(r"\s*>(=?)\s*(\d+):", text)
    return f"{int(row[2]) + (not row[1])} or more" if row else None


def cannot_start(span: Span) -> Diagnostic:
    key, colon, value = span.text.partition(": ")  # in braces, where quotes around both are a key without a value
    message = f"a {'key' if colon else 'value'} cannot start with `{span.text[:1]}`"
    cure = f"put it in quotes: {_in_quotes(span.text)}" if len(span.text) > 1 else "put the value in quotes"
    if row := _row_meant(span.text):
        cure = f"a row is written `{row}`"
    elif colon:
        cure = f"put the key in quotes: `{_in_quotes(key)}: {value}`"
    return Diagnostic(
        "HR010", message, span, cure, edits=_edit_that_quotes(span) if len(span.text) > 1 and not colon else ()
    )


def comma_behind(span: Span) -> Diagnostic:
    """Of `again: {roll: d6},` on a line of its own, as in JSON."""
    return Diagnostic("HR010", "a line ends without a comma: commas stand between entries in `{ }` and `[ ]`", span,
                      "remove the comma", edits=((span, ""),))  # fmt: skip


def other_comment(span: Span) -> Diagnostic:
    """Of `// who is who`."""
    return Diagnostic("HR010", f"`{span.text}` begins no comment here", span, "a comment begins with `# `",
                      edits=((span, "#"),) if span.text == "//" else ())  # fmt: skip


def something_follows(span: Span, what: str) -> Diagnostic:
    cure = "put the whole value in quotes" if span.text[0] != "{" else "remove what follows, or put it all in quotes"
    quotes = f": {_in_quotes(span.text)}" if span.text[0] == "[" else ""
    edits = _edit_that_quotes(span) if span.text[0] == "[" else ()
    if span.text[0] == "'":
        cure = "an apostrophe ends it; put the whole value in double quotes"
        inner = span.text[1:].removesuffix("'")
        plain = re.search(r"\w'\w", inner) and not re.search(r'["\\\n]', inner)
        edits = ((span, f'"{inner}"'),) if plain else ()
    return Diagnostic(
        "HR010",
        f"`{span.text[0]}` at the start of a value begins {what}, and more text follows its end",
        span,
        cure + quotes,
        edits=edits,
    )


_CONDITIONS = (
    re.compile(r"(?:if\s+)?(?P<test>[^?:{}]+?)\s+\?\s*(?P<yes>[^?:{}]+?)\s*:\s+(?P<no>[^?:{}]+)"),
    re.compile(r"if\s+(?P<test>[^?:{}]+?)\s*:\s+(?P<yes>[^?:{}]+?)[;,]?\s+(?:else|otherwise)\s*:?\s+(?P<no>[^?:{}]+)"),
    re.compile(r"if\s+(?P<test>[^?:{}]+?)\s*:\s+(?P<yes>[^?:{}]+)"),
    re.compile(r"(?P<yes>[^?:{}]+?)\s+if\s+(?P<test>(?:(?!\belse\b)[^?:{}])+?)\s*:\s+(?P<no>[^?:{}]+)"),
)
"""Values that depend on a condition, as other languages write them."""
_GOES_ON = ("and", "or", "not", "is", "in", "if", "than", "then", "least", "most", "to", "of")
"""Words of a condition behind which it goes on."""
_KEY_BEHIND_A_VALUE = re.compile(r"[\w)]" + "".join(rf"(?<!\b{one})" for one in _GOES_ON) + r" +(?P<key>[a-z_]+)$")
"""Two words beside each other at the end of an expression, of which the second may be the key that follows."""
_LOOKED_BACK = 200
"""The letters before a sign in which such words are looked for."""


def _condition_around(colon: Span) -> tuple[Span, str, bool] | None:
    """Of `a ? b : c` and `if a: b`: the place, how the language writes it, and whether that is all of it."""
    line = re.sub(r"\s+#.*$", "", colon.source.line(colon.line))
    at = colon.column - 1
    started = re.match(r"(?:.*[{,]\s*|\s*(?:- )?)\w+: +", line[:at])
    if started is None:
        return None
    closed = re.search(r"\}|,\s*\w+: ", line[at:]) if "{" in line[: started.end()] else None
    text = line[started.end() : at + closed.start() if closed else None].rstrip()
    if closed and _key_before(colon):
        return None
    for form in _CONDITIONS:
        if match := form.fullmatch(text):
            start = colon.start - at + started.end()
            no = match.groupdict().get("no", "…")
            written = f"{match['yes']} if {match['test']} else {no}"
            return Span(colon.source, start, start + len(text)), written, no != "…"
    return None


def _key_before(colon: Span) -> str | None:
    """The word before a `:` in braces that stands behind a value, such as `from` of `{lose: 2 from: who.luck}`."""
    before = colon.source.line(colon.line)[: colon.column - 1][-_LOOKED_BACK:]
    found = _KEY_BEHIND_A_VALUE.search(before)
    return found["key"] if found else None


def second_colon(span: Span, in_braces: bool = False, value: Span | None = None) -> Diagnostic:
    other = "a `,` between two entries" if in_braces else "on lines of its own after `>-`"
    if in_braces and (key := _key_before(span)):
        other = f"a `,` before `{key}`"
    cure = f"put the text in quotes, or {other}"
    if condition := _condition_around(span):
        place, written, whole = condition
        message = "a `:` has no meaning inside an expression"
        help_text = f"write `{written}`" if whole else f"write `{written}`, with the value of the other case after it"
        return Diagnostic("HR010", message, span, help_text, edits=((place, written),) if whole else ())
    of_text = re.match(r"\s*(?:- )?(?:title|about|ask|name|because|tells|shows|say|text):", span.source.line(span.line))
    if value is not None and of_text is not None and '"' not in value.text:
        cure = f'put the text in quotes: `"{value.text}"`'
    elif value is not None and re.fullmatch(r"\w+: [^'\"]+", value.text):
        cure = f"put both in braces, `{{{value.text}}}`, or the text in quotes"
    message = "a second `: ` in one value" if span.text == ":" else f"`{span.text} ` starts a complex key in YAML"
    return Diagnostic("HR010", message, span, cure)


def bracket_not_closed(span: Span, commented_out: bool) -> Diagnostic:
    cut = "YAML reads what follows ` #` as a comment; put the text in quotes" if commented_out else None
    closing = {"{": "}", "[": "]"}.get(span.text, "")
    ends = re.match(r"[^\n]*?(\w+):\s*(?:\n|$)", span.source.text[span.start :])
    if ends is not None and span.text == "{" and "}" not in ends[0]:
        written = " ".join(ends[0].split())
        return Diagnostic("HR010", "this `{` is never closed, and its last key has no value", span,
                          f"write the value and a `}}`: `{written} …}}`")  # fmt: skip
    return Diagnostic("HR010", f"this `{span.text}` is never closed", span, cut or f"put a `{closing}` at its end")


def comma_missing(span: Span) -> Diagnostic:
    if span.text in ("[", "{"):
        message = f"inside `{{ }}` and `[ ]`, a `{span.text}` cannot stand in the middle of a value"
        cure = "put the whole value in quotes, or give it a line of its own"
        called = re.search(r"(\w+)\[([\w.]+)\]", span.source.line(span.line))
        if called and span.text == "[" and span.source.text[span.start - 1 : span.start].isalnum():
            cure = f"a function or a table has round brackets, `{called[1]}({called[2]})`; otherwise {cure}"
        return Diagnostic("HR010", message, span, cure)
    if re.search(r"[\w]'$", span.source.text[: span.start]):
        message = "the `'` before this ends a text in quotes, and more text follows"
        return Diagnostic("HR010", message, span, "if it is an apostrophe, put the text in double quotes")
    return Diagnostic("HR010", "a `,` is missing before this", span, "put a `,` here, or put the text in quotes")


def no_dash(span: Span) -> Diagnostic:
    return Diagnostic("HR010", "a new entry of the list begins without its `- `", span, "write `- ` before it")


def indented_otherwise(span: Span) -> Diagnostic:
    return Diagnostic("HR010", "this line is not indented like the lines around it", span, "line it up with them")


def item_among_keys(span: Span) -> Diagnostic:
    return Diagnostic("HR010", f"a list item (`- `) is mixed with {ENTRIES}", span, "indent it, or give it a name")


def key_too_long(span: Span) -> Diagnostic:
    return Diagnostic("HR010", "a key has at most 1024 characters", span, "make it shorter")


def no_colon(span: Span) -> Diagnostic:
    named = re.fullmatch(r"(?:let |var |const )?([^\W\d_]\w*)\s*:?=\s*(\S.*)", span.text)
    help_text = f"write `{named[1]}: {named[2].rstrip(';')}`" if named else "a line is `key: value`"
    if span.text in ("otherwise", "else"):
        help_text = "write the name of the outcome before it: `failure: otherwise`"
    return Diagnostic("HR010", f"a `: ` is missing after {in_backticks(span)}", span, help_text)


def no_space_after_colon(span: Span) -> Diagnostic:
    colon = Span(span.source, span.end, span.end + 1)
    edits = ((colon, ": "),) if colon.text == ":" else ()
    return Diagnostic("HR010", f"a space is missing after `{span.text}:`", span, f"write `{span.text}: …`", edits=edits)


def _in_quotes(text: str) -> str:
    return f"'{text}'" if "'" not in text else f'"{text}"'


def _edit_that_quotes(span: Span) -> tuple[tuple[Span, str], ...]:
    """The edit that puts a text in quotes, if it is on one line and needs no escapes."""
    text = span.text
    if "\n" in text or ('"' in text and "'" in text) or "\\" in text:
        return ()
    return ((span, _in_quotes(text)),)


def comma_trap(span: Span) -> Diagnostic:
    return Diagnostic(
        "HR011",
        "inside `{ }` and `[ ]` a comma ends the value, so this expression is cut in two",
        span,
        "put the expression in quotes, or give it a line of its own",
        edits=_edit_that_quotes(span),
    )


def torn_at_comma(span: Span, key: str, whole: Span, of_a_text: bool) -> Diagnostic:
    """`whole` is the value before the comma with what the comma has torn off; `of_a_text` if people read that value."""
    before = re.search(r"(\d+),\s*$", span.source.text[: span.start])
    decimal = f"; a decimal has a point, `{before[1]}.{key}`" if before and key.isdigit() else ""
    return Diagnostic(
        "HR011",
        f"inside `{{ }}` a comma ends the value, so `{key}` is a key without a value",
        span,
        "put the whole text in quotes" + (f", or write `{key}: …`" if key.isidentifier() else decimal),
        edits=_edit_that_quotes(whole)
        if of_a_text and " " in key and whole.text[:1] not in ("'", '"', "[", "{")
        else (),
    )


def text_cut_at_comma(span: Span, before: str, after: str) -> Diagnostic:
    """Of a text in `[ ]` that goes on after a comma."""
    return Diagnostic(
        "HR011",
        "inside `[ ]` a comma ends the value, so this text is two parts, and nobody reads the comma",
        span,
        f'put the whole text in quotes: `"{before}, {after}"`',
    )


def item_without_dash(span: Span, key: str, first: Span) -> Diagnostic:
    """Of a second `name:` in one case: the next case of the list, without its dash."""
    return Diagnostic("HR012", f"duplicate key `{key}`: a new entry of the list begins without its `- `", span,
                      f"write `- {key}: …`", notes=((first, "the entry before it"),))  # fmt: skip


def doubled_key(span: Span, key: str, first: Span) -> Diagnostic:
    help = "put what belongs to both together under one key, or give the second another name"
    return Diagnostic(
        "HR012", f"duplicate key `{key}`: it stands here already", span, help, notes=((first, "the first one"),)
    )


def anchor_or_alias(span: Span) -> Diagnostic:
    return Diagnostic(
        "HR013",
        "anchors (`&name`) and aliases (`*name`) are not supported",
        span,
        "write it out, or put an expression that begins with `&` or `*` in quotes",
    )


def no_jinja() -> Diagnostic:
    return Diagnostic("HR008", "a rulebook needs Jinja2, which is not installed", NOWHERE, how_to_install("docs"))


def merge_key(span: Span) -> Diagnostic:
    return Diagnostic("HR013", "merge keys (`<<`) are not supported", span, "write the keys out")


def yaml_tag(span: Span, tag: str) -> Diagnostic:
    return Diagnostic("HR014", f"YAML tags such as `{tag}` are not supported", span, "put the text in quotes")


def key_is_no_word(span: Span) -> Diagnostic:
    return Diagnostic("HR015", "a key must be a word, not a list or a mapping", span)


def second_document(span: Span) -> Diagnostic:
    return Diagnostic(
        "HR016",
        "a file can hold only one document",
        span,
        "remove the `---`, or move what follows to a file of its own",
    )


def layout_not_proved(span: Span) -> Diagnostic:
    message = "laid out, this file would not say the same, so nothing is written"
    return Diagnostic("HR018", message, span, "this is an error of houserule; please report it with the file")


def cut_by_hash(span: Span) -> Diagnostic:
    return Diagnostic(
        "HR901",
        "YAML reads what follows ` #` as a comment, so the text ends here",
        span,
        "put the text in quotes; if it is a comment, write a space after the `#`",
        severity="warning",
    )


def refused_elsewhere(span: Span, here: bool = False) -> Diagnostic:
    """Of a plain text that some readers of YAML refuse, or read as something else; `here`, this one refuses it."""
    return Diagnostic(
        "HR923",
        f"some readers of YAML refuse {in_backticks(span)} or read it otherwise",
        span,
        "put it in quotes" if here else "put it in quotes; `houserule fmt` does so, too",
        severity="error" if here else "warning",
        edits=_edit_that_quotes(span),
    )


def layout_refused_elsewhere(span: Span) -> Diagnostic:
    """Of a sign or a line between values that some readers of YAML refuse, or read as something else."""
    what = {
        "\t": ("a tab between values", "write a space"),
        "?": ("the sign `?` before a key", "remove it"),
        "#": ("a comment without a space before it", "write one"),
        ":": ("a key without a space behind its `:`", "write one"),
        "|": _UNENDED,
        ">": _UNENDED,
    }
    message, cure = what.get(span.text, ("a line in brackets or quotes that stands this far left", "indent it further"))
    return Diagnostic(
        "HR923",
        f"some readers of YAML refuse {message} or read it otherwise",
        span,
        f"{cure}; `houserule fmt` does so, too",
        severity="warning",
    )


_UNENDED = ("a block of text whose last line does not end", "end the file with a line break")


def same_key_elsewhere(span: Span) -> Diagnostic:
    return Diagnostic(
        "HR923",
        f"some readers of YAML take {in_backticks(span)} for the same key as another one beside it",
        span,
        "put it in quotes; `houserule fmt` does so, too",
        severity="warning",
        edits=_edit_that_quotes(span),
    )


def no_language_server() -> Diagnostic:
    message = "the language server needs pygls, which is not installed"
    return Diagnostic("HR019", message, NOWHERE, how_to_install("editor"))
