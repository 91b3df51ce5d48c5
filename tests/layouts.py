"""Rulesets in odd layouts: the values of a text written again at random, with comments wherever one can stand."""

from __future__ import annotations

from random import Random

from interpreter.diagnostics import Problems
from interpreter.diagnostics.source import Source
from interpreter.formatting.scalar_text import is_plain
from interpreter.syntax import document
from interpreter.syntax.document import Mapping, Node, Scalar, Sequence

COMMENTS = (
    *(
        "# why",
        "#no space",
        "# {a: 1, # b",
        "#",
        "# 'quote",
        "# Grüße → ⚀",
        "#!x",
        "# - item",
        "# key: value",
        "# ends  ",
    ),
)


def written_oddly(text: str, seed: int) -> str:
    """The same values as in `text`, in a layout that the seed decides."""
    tree = document.parse(Source.of("before", text), Problems())
    assert tree is not None
    random = Random(seed)
    made = _Writer(random).document(tree)
    if random.random() < 0.2:
        made = made.replace("\n", "\r\n")
    if random.random() < 0.1:
        made = "\ufeff" + made
    return made


class _Writer:
    def __init__(self, random: Random) -> None:
        self.random = random
        self.comments = random.choice([0.0, 0.02, 0.1, 0.3])
        self.flows = random.choice([0.0, 0.1, 0.5, 0.9])
        self.quotes = random.choice([0.0, 0.1, 0.6])
        self.after_text = False
        """Whether the last line is one of a block of text, to which a line indented like it would belong."""
        self.steps = random.choice([[2], [4], [1, 2, 3, 5], [8]])

    def maybe(self, chance: float) -> bool:
        return self.random.random() < chance

    def document(self, tree: Node) -> str:
        lines = self.own_lines(0)
        if self.maybe(0.1):
            lines.append("---" + self.beside())
        if self.maybe(self.flows / 4):
            lines.append(self.flow(tree, 0) + self.beside())
        else:
            lines += self.block(tree, self.random.choice([0, 0, 0, 1, 2]))
        lines += self.own_lines(0)
        if self.maybe(0.05):
            lines += ["...", *self.own_lines(0)]
        return "\n".join(lines) + ("" if self.maybe(0.1) else "\n" * self.random.choice([1, 1, 1, 3]))

    # Comments and white space

    def own_lines(self, indent: int) -> list[str]:
        found = []
        while self.maybe(self.comments + 0.03):
            blank = "" if self.after_text else self.random.choice(["", "  ", ""])
            deeper = [] if self.after_text else [indent + 1, indent + 2, indent + 7]
            odd = self.random.choice([0, indent, indent, indent, *deeper])
            found.append(" " * odd + self.random.choice(COMMENTS) if self.maybe(self.comments) else blank)
        return found

    def beside(self) -> str:
        if self.maybe(self.comments):
            return self.random.choice([" ", "  ", "\t", "      "]) + self.random.choice(COMMENTS)
        return self.random.choice(["", "", "", "", " ", "\t", " \t "])

    def gap(self, indent: int) -> str:
        """White space inside brackets, perhaps with line breaks and comments."""
        made = self.random.choice(["", "", " ", "  ", "\t"])
        while self.maybe(self.comments + 0.02):
            made += self.beside() + "\n" + "\n".join([*self.own_lines(indent), " " * (indent + 1)])
        return made

    # Values

    def block(self, node: Node, indent: int) -> list[str]:
        """The lines of a collection that is not empty."""
        lines: list[str] = []
        pad = " " * indent
        wide = self.random.choice([0, 0, 0, 12])
        entries = (
            [(one.key, one.value) for one in node.entries]
            if isinstance(node, Mapping)
            else [(None, one) for one in node.items]
            if isinstance(node, Sequence)
            else []
        )
        for key, value in entries:
            lines += self.own_lines(indent)
            start = pad + (f"{self.scalar(key, False, True)}:" if key is not None else "-")
            self.after_text = False
            lines += self.item(start, value, indent, key is not None, wide)
        if self.maybe(self.comments):
            lines.append(pad + self.random.choice(COMMENTS))
        return lines

    def item(self, start: str, value: Node, indent: int, has_key: bool, wide: int) -> list[str]:
        step = self.random.choice(self.steps)
        if isinstance(value, Scalar):
            if value.is_empty:
                return [start + self.beside()]
            if (lines := self.text(value, indent, step)) is not None:
                return [f"{start} {lines[0]}", *lines[1:]]
            if self.maybe(0.03):
                return [(start + self.beside()).replace("\t", " "), *self.own_lines(indent + step),
                        " " * (indent + step) + self.scalar(value, False, False) + self.beside()]  # fmt: skip
            space = " " * max(self.random.choice([1, 1, 1, 3]), wide - len(start) + indent)
            return [start + space + self.scalar(value, False, False) + self.beside()]
        if not (
            value.items if isinstance(value, Sequence) else isinstance(value, Mapping) and value.entries
        ) or self.maybe(self.flows):
            return [f"{start} {self.flow(value, indent)}{self.beside()}"]
        if has_key:
            inner = indent if isinstance(value, Sequence) and self.maybe(0.3) else indent + step
            return [start + self.beside(), *self.own_lines(inner), *self.block(value, inner)]
        inner = indent + max(step, 2)
        lines = self.block(value, inner)
        if not lines[0].strip() or lines[0].lstrip().startswith("#") or self.maybe(0.05):
            return [(start + self.beside()).replace("\t", " "), *lines]
        return [start + " " * (inner - indent - 1) + lines[0].lstrip(), *lines[1:]]

    def text(self, value: Scalar, indent: int, step: int) -> list[str] | None:
        """A text over several lines."""
        text = value.text
        pad = " " * (indent + step)
        plain = text == text.strip() and text.isprintable() and "  " not in text
        words = text.split(" ")
        if "\n" in text and text.strip() == text and all(x == x.strip() and x.isprintable() for x in text.split("\n")):
            self.after_text = True
            return ["|-" + self.beside(), *(pad + one if one else "" for one in text.split("\n"))]
        if len(words) < 2 or not plain or not self.maybe(0.05):
            return None
        cut = self.random.randrange(1, len(words))
        first, second = " ".join(words[:cut]), " ".join(words[cut:])
        form = self.random.choice([">-", "|-", "plain", '"'])
        self.after_text = form in (">-", "|-")
        if form == ">-":
            return [">-" + self.beside(), pad + first, pad + second, *[""] * self.random.choice([0, 0, 1, 2])]
        if form == "|-":
            return [f"|{step}-", pad + text]
        if (
            form == "plain"
            and is_plain(text, False, False)
            and is_plain(first, False, False)
            and second[0] not in "#-:"
        ):
            return [first, pad + second + self.beside()]
        if form == '"' and "\\" not in text and '"' not in text:
            return [f'"{first}', pad + f'{second}"' + self.beside()]
        return None

    def flow(self, node: Node, indent: int) -> str:
        if isinstance(node, Scalar):
            return "" if node.is_empty else self.scalar(node, True, False)
        if isinstance(node, Mapping):
            items = [f"{self.scalar(one.key, True, True)}: {self.gap(indent)}{self.flow(one.value, indent)}"
                     for one in node.entries]  # fmt: skip
        else:
            assert isinstance(node, Sequence)
            items = [self.flow(one, indent) for one in node.items]
        inside = f"{self.gap(indent)},{self.gap(indent) or ' '}".join(items)
        inside = f"{self.gap(indent)}{inside}{self.gap(indent)}"
        return f"{{{inside}}}" if isinstance(node, Mapping) else f"[{inside}]"

    def scalar(self, value: Scalar, flow: bool, is_key: bool) -> str:
        text = value.text
        plain = is_plain(text, flow, is_key)
        if plain and not self.maybe(self.quotes):
            return text
        if text.isprintable() and self.maybe(0.5):
            return "'" + text.replace("'", "''") + "'"
        signs = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\t": "\\t"}
        return '"' + "".join(signs.get(one, one if one.isprintable() else f"\\U{ord(one):08X}") for one in text) + '"'
