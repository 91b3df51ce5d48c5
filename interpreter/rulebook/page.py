"""A rulebook as a page: HTML that stands alone, or Markdown.

All text of a ruleset is escaped, and the page allows no script but its own, by its hash.
"""

from __future__ import annotations

import re
from base64 import b64encode
from hashlib import sha256
from pathlib import Path
from types import CodeType
from typing import Any

from jinja2 import BytecodeCache, Environment, FileSystemLoader, StrictUndefined
from jinja2.bccache import Bucket
from markupsafe import Markup, escape

from interpreter.chances.percent import percent
from interpreter.chances.words import difference
from interpreter.report.sentences import Piece, Sentence, pieces
from interpreter.rulebook.book import Book, BookEntry
from interpreter.rulebook.chances import fraction

TEMPLATES = Path(__file__).parent / "templates"
STATUSES = {
    "stated": "the text says so",
    "inferred": "it follows from the text",
    "consequence": "it follows from other rows",
    "assumed": "the text leaves it open, and this is a ruling",
    "elsewhere": "another text says so",
    "flavour": "it contains no rule to play",
}
_SIGNS = {">=": "≥", "<=": "≤", "!=": "≠", "==": "="}
_LINKED = re.compile(r"(?P<option>\boptions\.(?P<name>[^\W\d]\w*))|(?P<call>\b[^\W\d]\w*)(?=\()|(?P<sign>[<>!=]=)")


def html(book: Book) -> str:
    """The page as HTML, in one file without anything from outside."""
    script = (TEMPLATES / "search.js").read_text("utf-8")
    style = (TEMPLATES / "page.css").read_text("utf-8")
    made = _Html(book)
    page = _environment(True, made).get_template("page.html.jinja")
    return page.render(
        book=book,
        style=Markup(style),
        script=Markup(script),
        script_hash=b64encode(sha256(script.encode()).digest()).decode(),
        statuses=STATUSES,
    )


def markdown(book: Book) -> str:
    """The page as Markdown."""
    page = _environment(False, _Markdown(book)).get_template("page.md.jinja").render(book=book, statuses=STATUSES)
    return re.sub(r"\n{3,}", "\n\n", page).strip() + "\n"


class _CompiledTemplates(BytecodeCache):
    """Keeps the templates that this process has compiled: each page has filters of its own, but the same templates."""

    def __init__(self) -> None:
        self._code: dict[str, CodeType | None] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        bucket.code = self._code.get(bucket.key)

    def dump_bytecode(self, bucket: Bucket) -> None:
        self._code[bucket.key] = bucket.code


_COMPILED = _CompiledTemplates()


def _environment(is_html: bool, writer: _PageWriter) -> Environment:
    environment = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=is_html,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        bytecode_cache=_COMPILED,
    )
    environment.filters |= {"percent": percent, "difference": difference, "fraction": fraction}
    environment.filters |= {"plain": writer.plain, "words": writer.words, "word": writer.word}
    environment.filters |= {"sentence": writer.sentence, "spaced": plain_name, "text": writer.text}
    environment.globals |= {
        "id_of": id_of,
        "link": writer.link,
        "change_at": writer.change_at,
        "tells_lead": tells_lead,
    }
    return environment


def plain_name(name: str) -> str:
    """A name as people read it."""
    return name.replace("_", " ")


def tells_lead(one: BookEntry) -> bool:
    """Whether the lead of the first sentence of an entry says more than its title does."""
    if one.section == "kinds":
        return "is a kind of thing" not in one.head.lead
    return one.section in ("functions", "types", "ladders", "comparators", "modifiers")


def id_of(path: str) -> str:
    """The id of a construct on the page; names of a ruleset may contain anything."""
    return re.sub(r"[^\w.-]", lambda one: f"-{ord(one[0]):x}-", path)


class _PageWriter:
    """What the templates of both forms call."""

    def __init__(self, book: Book) -> None:
        self.book = book
        self.by_name: dict[str, str] = {}
        order = ("kinds", "types", "tables", "functions", "ladders", "names", "modifiers", "events", "actions")
        for section in (*order, "reactions", "mechanics", "scenes"):
            for path in book.entries:
                if path.startswith(f"{section}."):
                    self.by_name.setdefault(path.partition(".")[2], path)
        self.titled = book.titled
        called = [path for path in book.entries if path.startswith(("tables.", "functions."))]
        self.called = {path.partition(".")[2]: path for path in called}

    def sentence(self, text: str) -> str:
        """A sentence with its formulas, names and references."""
        return self.join([self.piece(one.kind, one.text, one.path) for one in pieces(text)])

    def plain(self, text: str) -> str:
        """A sentence for players: what is code elsewhere is a title, with a link if the page has it."""
        return self.join([self.plain_piece(one) for one in pieces(text)])

    def plain_piece(self, one: Piece) -> str:
        match one.kind:
            case "reference":
                return self.link(one.path, one.text)
            case "code" if (entry := self.by_name.get(one.text)) is not None:
                return self.link(entry, self.title(entry))
            case "code":
                return self.text(self.code_as_text(one.text))
        return self.text(plain_name(one.text) if one.kind == "formula" else one.text)

    def words(self, text: str) -> str:
        """The same without links, for what is a link or a button as a whole."""
        shown = {"code": lambda of: self.title(self.by_name[of]) if of in self.by_name else self.code_as_text(of)}
        return "".join(shown.get(one.kind, str)(one.text) for one in pieces(text))

    def code_as_text(self, code: str) -> str:
        """What stands in code, for players: a word by its title, and an example as it is typed, without its braces."""
        return f"“{code.strip('{}')}”" if " " in code else self.word(code)

    def word(self, name: str) -> str:
        """The title of a word of the rules, an outcome among them."""
        return self.book.words.get(name) or plain_name(name)

    def title(self, path: str) -> str:
        """What a link in a sentence is called: a kind by its title, or else the name as words."""
        return self.titled.get(path) or plain_name(path.partition(".")[2])

    def piece(self, kind: str, text: str, path: str) -> str:
        match kind:
            case "formula":
                return self.formula(text)
            case "reference":
                return self.link(path, text)
            case "code":
                entry = self.by_name.get(text)
                if entry:
                    return self.link(entry, self.titled.get(entry) or plain_name(text))
                title = self.book.words.get(text)
                return self.text(title) if title else self.code([self.text(text, code=True)])
        return self.text(text)

    def formula(self, text: str) -> str:
        """A formula, in which tables, functions and options are linked."""
        pieces, at = [], 0
        for link in _LINKED.finditer(text):
            pieces.append(self.text(text[at : link.start()], code=True))
            at = link.end()
            if link["sign"]:
                pieces.append(self.text(_SIGNS[link["sign"]], code=True))
            elif link["option"]:
                pieces.append(self.inner_name(f"options.{link['name']}", link["option"]))
            else:
                pieces.append(self.inner_name(self.called.get(link["call"], ""), link["call"]))
        return self.code([*pieces, self.text(text[at:], code=True)])

    def change_at(self, one: Sentence) -> Any:
        """What house rules change of a sentence; None if nothing."""
        return self.book.changes.get(one.path) if one.path else None

    def text(self, text: str, code: bool = False) -> str:
        raise NotImplementedError

    def code(self, parts: list[str]) -> str:
        raise NotImplementedError

    def link(self, path: str, text: str) -> str:
        raise NotImplementedError

    def inner_name(self, path: str, text: str) -> str:
        """A name inside a formula, linked if the page has it."""
        raise NotImplementedError

    def join(self, parts: list[str]) -> str:
        raise NotImplementedError


class _Html(_PageWriter):
    def text(self, text: str, code: bool = False) -> str:
        return escape(text)

    def code(self, parts: list[str]) -> str:
        return Markup("<code>{}</code>").format(self.join(parts))

    def link(self, path: str, text: str) -> str:
        if path not in self.book.entries:
            return escape(text)
        return Markup('<a href="#{}">{}</a>').format(id_of(path), text)

    def inner_name(self, path: str, text: str) -> str:
        return self.link(path, text)

    def join(self, parts: list[str]) -> str:
        return Markup("").join(parts)


_SPECIAL = re.compile(r"([\\`*_{}\[\]<>#|~&])")


class _Markdown(_PageWriter):
    def text(self, text: str, code: bool = False) -> str:
        text = " ".join(text.split("\n"))
        return text if code else _SPECIAL.sub(r"\\\1", text)

    def code(self, parts: list[str]) -> str:
        text = "".join(parts)
        fence = "`" * (max(map(len, re.findall("`+", text)), default=0) + 1)
        pad = " " if text.startswith("`") or text.endswith("`") else ""
        return f"{fence}{pad}{text}{pad}{fence}".replace("|", "\\|") if text.strip() else text

    def link(self, path: str, text: str) -> str:
        if path not in self.book.entries:
            return self.text(text)
        return f"[{self.text(text)}](#{id_of(path)})"

    def inner_name(self, path: str, text: str) -> str:
        return text

    def join(self, parts: list[str]) -> str:
        return "".join(parts)
