"""What may be written at a cursor: keys of the grammar, names in reach, and words that fit."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from interpreter import bundled, ir
from interpreter import diagnostics as say
from interpreter.checker.attributes import attribute_entries, single_kinds, things_of, type_of_attribute
from interpreter.checker.declared_names import comparators_of
from interpreter.checker.expressions.names import DIE_WORDS, field_names, field_type
from interpreter.checker.scope import Scope
from interpreter.checker.vocabulary import names_of_values, value_named, word_list
from interpreter.checker.world import World
from interpreter.diagnostics.source import Source, Span
from interpreter.editor.analysis import Analysis
from interpreter.editor.cursor import Cursor, cursor_at
from interpreter.editor.shapes import Spot, about_key, form_of, is_declaration, shapes_under, spot_of, verb_forms
from interpreter.frozen import dataclass
from interpreter.ir import types as t
from interpreter.ir.uses import RULES
from interpreter.runtime import functions
from interpreter.runtime.state import SCENE
from interpreter.syntax import document
from interpreter.syntax.document import Node
from interpreter.syntax.fixed_words import EVERYBODY
from interpreter.syntax.grammar import DECLARATION_TYPES, FORMS, SECTIONS
from interpreter.syntax.shapes import ByVerb, Expression, FreeForm, ListOf, MapOf, Name, OneOf, Prose, Ref
from interpreter.syntax.verb_grammar import VERBS, verbs_in


@dataclass(frozen=True)
class Completion:
    """One thing that may be written: `insert` replaces what stands between `start` and the cursor.

    `kind` is `key`, `name`, `word`, `function` or `file`. `rank` orders what is offered, 0 first. `block`, if it is not
    empty, may be inserted instead: a key with the line below it, where its first entry begins.
    """

    label: str
    kind: str
    start: int
    insert: str
    detail: str = ""
    about: str = ""
    rank: int = 1
    block: str = ""


def completions_at(analysis: Analysis | None, source: Source, offset: int) -> list[Completion]:
    """What may be written at an offset of a text, which may be newer than its analysis and no YAML at all."""
    cursor = cursor_at(source.text, offset)
    if cursor is None:
        return []
    spot = spot_of(cursor, form_of(_top_keys(source.text)))
    offers = _Offers(analysis, cursor, spot, offset, source.text)
    completions = [*([] if cursor.in_value else offers.keys()), *offers.values(), *offers.loose_completions()]
    first: dict[str, Completion] = {}
    for one in completions:
        first.setdefault(one.label, one)
    return list(first.values())


def first_keys(source: Source, offset: int) -> list[Completion]:
    """The keys that a file may begin with, in a text that has no key yet and may become a ruleset."""
    cursor = cursor_at(source.text, offset)
    if cursor is None or cursor.path or cursor.in_value or _top_keys(source.text):
        return []
    start = offset - len(cursor.typed)
    files = (("ruleset", "a game or a house rule"), ("part_of", "a part of one"), ("state", "a scene file"))
    return [
        Completion(key, "key", start, f"{key}: ", detail, about_key(cursor, form_of({key: ""}), key), 0)
        for key, detail in files
    ]


_TOP = re.compile(r"^([^\W\d]\w*) *:", re.MULTILINE)


def _top_keys(text: str) -> Mapping[str, object]:
    return dict.fromkeys(_TOP.findall(text))


@dataclass(frozen=True)
class _Offers:
    """What may be written at a cursor."""

    analysis: Analysis | None
    cursor: Cursor
    spot: Spot
    offset: int
    text: str

    @property
    def world(self) -> World | None:
        return self.analysis.loaded.world if self.analysis is not None else None

    # Keys

    def keys(self) -> Iterator[Completion]:
        """The keys of the grammar that are not there yet, and names that are keys."""
        written = self.cursor.beside[-1] if self.cursor.beside else {}
        start = self.offset - len(self.cursor.typed)
        for shape in self.spot.shapes:
            match shape:
                case Ref(form):
                    for key in FORMS[form].keys:
                        if key not in written:
                            yield self._key(key, start, "needed" if key in FORMS[form].required else "")
                    if form == "ruleset" and not self.cursor.path:  # a house rule that does not say so yet
                        about = FORMS["layer"].abouts["extends"]
                        yield Completion("extends", "key", start, "extends: ", "for a house rule", about)
                case ByVerb():
                    for key in dict.fromkeys(key for one in verb_forms(written) for key in one.keys):
                        verb = key in VERBS
                        if key not in written and not (
                            verb and verbs_in(written) and key not in _companion_keys(written)
                        ):
                            yield self._key(key, start, VERBS[key].title if verb else "")
                case MapOf() | FreeForm() | Expression():
                    for name, detail in self._names_as_keys():
                        whole, here = f"{self._above}{name}", start + len(self._above)
                        if whole not in written:
                            section, _, inside = whole.partition(".")
                            about = self._about(inside, section) if self._above else ""
                            text = name + self._text_behind_name(whole)
                            yield Completion(name, "key", here, text, detail, about, 0)

    @property
    def _above(self) -> str:
        """What is typed of the path of a change, up to its last dot: an editor completes the word behind it."""
        typed = self.cursor.typed
        return typed[: typed.rfind(".") + 1] if self.cursor.path == ("changes",) and self._form == "layer" else ""

    def _text_behind_name(self, name: str) -> str:
        """What follows a name: a colon, or in the path of a change what may lead on from there."""
        if self.cursor.path != ("changes",):
            return ": "
        if "." not in name:
            return "."
        node = self.analysis.node_at(tuple(name.strip("'\"").split("."))) if self.analysis is not None else None
        return "" if isinstance(node, document.Mapping) else ":"

    def _key(self, key: str, start: int, detail: str) -> Completion:
        about = about_key(self.cursor, self._form, key)
        return Completion(
            key, "key", start, f"{key}: ", detail, about, int(detail == ""), self._key_with_block(key, start)
        )

    def _key_with_block(self, key: str, start: int) -> str:
        """A key at the beginning of a line with the beginning of its first entry under it, if it has entries."""
        line = self.text[self.text.rfind("\n", 0, start) + 1 : start]
        shapes = shapes_under(self.spot, key)
        if line.strip(" -") or not shapes:
            return ""
        indent = " " * (len(line) + 2)
        if all(isinstance(one, ListOf) and isinstance(one.of, Ref | Prose) for one in shapes):
            return f"{key}:\n{indent}- "
        if all(isinstance(one, MapOf) and not isinstance(one.of, FreeForm | OneOf | MapOf) for one in shapes):
            return f"{key}:\n{indent}"
        return ""

    @property
    def _form(self) -> str:
        return form_of(self.cursor.beside[0]) if self.cursor.beside else "ruleset"

    def _names_as_keys(self) -> Iterator[tuple[str, str]]:
        """Names that are keys: inputs that a call passes, what a case is given, options, rows of the book."""
        world, path = self.world, self.spot.path
        last = path[-1] if path else ""
        if world is None:
            return
        if last == "cites" and self.analysis is not None and self.analysis.loaded.program is not None:
            yield from ((row, "row of the book") for row in dict.fromkeys(self._names_of_rows()))
        elif last in ("given", "with"):
            yield from ((one.name, t.in_words(one.type)) for one in self._inputs())
        elif last == "adds" and path[:1] == ("modifiers",):
            record = world.record(self.spot.beside[-2].get("to", "") if len(self.spot.beside) > 1 else "")
            yield from ((name, t.in_words(kind)) for name, kind in (record.type.fields if record is not None else ()))
        elif last == "roles" and len(path) > 1:
            yield from ((name, "role") for name in world.section("roles"))
        elif last == "rows" and path[:1] == ("tables",):
            yield from self._all_words()
        elif last == "options" and len(path) > 1:
            yield from ((name, "option") for name in world.option_names)
        elif last in ("expect", "odds", "mean", "when"):
            yield from ((name, t.in_words(kind)) for name, kind in self._results_of_rule())
        elif path == ("things",) or (self._form == "state" and path == ("changes",)):
            yield from ((name, "kind") for name in world.section("kinds"))
        elif path[:1] in (("things",), ("changes",)) and len(path) == (2 if self._is_single else 3):
            yield from ((name, "attribute") for name in attribute_entries(world, str(path[1])))
        elif self._form == "layer" and self.cursor.path == ("changes",):
            yield from self._changeable_paths()

    @property
    def _is_single(self) -> bool:
        """Whether the things around the cursor are of a kind of which there is one."""
        return self.world is not None and len(self.spot.path) > 1 and self.spot.path[1] in single_kinds(self.world)

    def _changeable_paths(self) -> Iterator[tuple[str, str]]:
        """The paths that a house rule may change: those right under what is typed up to its last dot."""
        typed = self.cursor.typed.strip("'\"")
        above = tuple(typed.split(".")[:-1])
        node = self.analysis.node_at(above) if self.analysis is not None else None
        for entry in node.entries if isinstance(node, document.Mapping) else ():
            if above or entry.key.text in SECTIONS:
                about = self._about_node(entry.value)
                yield entry.key.text, about or "path"

    def _about_node(self, node: Node) -> str:
        texts = [node.get(key) for key in ("title", "about")] if isinstance(node, document.Mapping) else []
        return next((" ".join(one.text.split()) for one in texts if isinstance(one, document.Scalar)), "")

    def _names_of_rows(self) -> Iterator[str]:
        assert self.analysis is not None and self.analysis.loaded.program is not None
        yield from (one.row for one in self.analysis.loaded.program.citations)

    def _rule(self) -> tuple[str, str] | None:
        """The section and the name of the rule that the keys around the cursor play."""
        verbs = {"call": "mechanics", "cause": "events", "act": "actions", "make": "kinds"}
        verbs |= {"mechanic": "mechanics", "event": "events", "action": "actions", "scene": "scenes"}
        for keys in self.spot.beside[::-1][:5]:
            for key, section in verbs.items():
                if keys.get(key):
                    return section, keys[key]
        return None

    def _inputs(self) -> list[ir.Declaration]:
        """The inputs of the rule that the keys around the cursor play; the attributes of a thing that is made."""
        program = self.analysis.loaded.program if self.analysis is not None else None
        rule = self._rule()
        if program is None or rule is None:
            return []
        section, name = rule
        if section == "kinds":
            kind = program.kinds.get(name)
            return [one.declared for one in kind.has.values() if one.derived is None] if kind is not None else []
        found = program.playable[section].get(name)
        return list(found.inputs) if found is not None else []

    def _results_of_rule(self) -> list[tuple[str, t.Type]]:
        """The names of the record of the rule that a case plays."""
        program = self.analysis.loaded.program if self.analysis is not None else None
        rule = self._rule()
        result = program.playable.get(rule[0], {}).get(rule[1]) if program is not None and rule is not None else None
        return list(result.type.fields) if result is not None else []

    # Values

    def values(self) -> Iterator[Completion]:
        """The words and names that may stand there as a value."""
        key = next((one for one in reversed(self.spot.path) if isinstance(one, str)), "")
        expression = False
        for shape in self.spot.shapes:
            match shape:
                case OneOf(words):
                    yield from self._words(words)
                case Name():
                    yield from self._names(key)
                case Prose() if key == "given":  # of a grid
                    yield from self._words(one.name for one in self._inputs())
                case Prose() if key in ("ask", "shows", "tells"):  # texts with values between braces
                    expression = expression or self.cursor.typed.rfind("{") > self.cursor.typed.rfind("}")
                case Prose() if key == "differs":
                    yield from self._words(self._rules_below(), "rule")
                    yield from self._words(self._cases_below(), "case")
                case Prose():
                    yield from self._files(key)
                case ListOf(Name()):
                    yield from self._names(key)
                case Expression() | FreeForm():
                    expression = True
        if is_declaration(self.spot):
            yield from self._names("type")
        if expression:
            yield from self._complete_expression()

    def _rules_below(self) -> Iterator[str]:
        """The paths of the rules that cases of the files under a house rule may play."""
        merged = self.analysis.loaded.merged if self.analysis is not None else None
        for file in merged.below if merged is not None else ():
            for section in RULES:
                listed = file.root.get(section)
                names = listed.by_key if isinstance(listed, document.Mapping) else ()
                yield from (f"{section}.{name}" for name in names)

    def _cases_below(self) -> Iterator[str]:
        """The names of the cases of the files under a house rule."""
        merged = self.analysis.loaded.merged if self.analysis is not None else None
        for file in merged.below if merged is not None else ():
            listed = file.root.get("cases")
            for case in listed.items if isinstance(listed, document.Sequence) else ():
                name = case.get("name") if isinstance(case, document.Mapping) else None
                if isinstance(name, document.Scalar):
                    yield name.text

    @property
    def _typed_word(self) -> str:
        match = re.search(r"[\w./-]*$", self.cursor.typed)
        return match.group() if match else ""

    def _words(self, words: Iterable[str], detail: str = "") -> Iterator[Completion]:
        start = self.offset - len(self.cursor.typed)
        yield from (Completion(word, "word", start, word, detail, rank=0) for word in words)

    def _names(self, key: str) -> Iterator[Completion]:
        """Names of what is declared elsewhere, for a key that takes one."""
        start = self.offset - len(self._typed_word)
        for name, detail in self._types_and_owners(key):
            yield Completion(name, "name", start, name, detail, self._about(name, detail), 0)

    def _types_and_owners(self, key: str) -> Iterator[tuple[str, str]]:
        world = self.world
        if key in ("type", "list_of"):
            yield from ((name, "type") for name in DECLARATION_TYPES)
            if world is not None and world.section("tags"):
                yield "tags", "type"
        if world is None:
            return
        for section in SECTIONS_OF.get(key, ()):
            yield from ((name, section) for name in world.section(section))
        if key in ("before", "after") and self.cursor.path[:1] == ("changes",) and len(self.cursor.path) > 2:
            *above, own = str(self.cursor.path[1]).split(".")
            sibling = self.analysis.node_at(tuple(above)) if self.analysis is not None else None
            if above and isinstance(sibling, document.Mapping):
                yield from ((one, f"of `{above[-1]}`") for one in sibling.by_key if one != own)
        if key in ("by", "seen_by"):
            yield EVERYBODY, "all people at the table"
        if key == "end" and self.spot.path[:1]:
            outcomes = self.analysis.node_at((*self.spot.path[:2], "outcomes")) if self.analysis is not None else None
            if isinstance(outcomes, document.Mapping):
                yield from ((one, "outcome") for one in outcomes.by_key)
        if key in ("written_as", "summary"):
            has = self.analysis.node_at((*self.spot.path[:2], "has")) if self.analysis is not None else None
            if isinstance(has, document.Mapping):
                yield from ((one, "of its things") for one in has.by_key)
        if key == "phase":
            scene = next((keys["scene"] for keys in self.spot.beside[::-1] if keys.get("scene")), "")
            phases = self.analysis.node_at(("scenes", scene, "round")) if self.analysis is not None else None
            if isinstance(phases, document.Mapping):
                yield from ((one, "phase") for one in phases.by_key)

    def _about(self, name: str, section: str) -> str:
        node = self.analysis.node_at((section, name, "about")) if self.analysis is not None else None
        return " ".join(node.text.split()) if isinstance(node, document.Scalar) else ""

    def _about_word(self, name: str, word: str) -> str:
        """What a word of a list of words means, or one of an option."""
        paths = (("names", name, word), ("options", name, "one_of", word))
        nodes = [self.analysis.node_at(path) for path in paths] if self.analysis is not None else []
        return next((" ".join(node.text.split()) for node in nodes if isinstance(node, document.Scalar)), "")

    def _files(self, key: str) -> Iterator[Completion]:
        """Rulesets and files that a key names."""
        start = self.offset - len(self._typed_word)
        if key in ("extends", "of", "with", "requires"):
            for name in (*bundled.rulesets(), *bundled.house_rules()):
                yield Completion(name, "file", start, name, "bundled", rank=2)
        if key in ("extends", "of", "with", "parts") and self.analysis is not None:
            own = self.analysis.root.name
            for file in sorted(self.analysis.root.parent.glob("*.yaml")):
                if file.name != own:
                    name = file.name if key == "parts" else file.stem
                    yield Completion(name, "file", start, name, "file")

    # Cases and scene files

    def loose_completions(self) -> Iterator[Completion]:
        """Names that may stand in a case or among things, whose forms depend on types: behind all that is sure to fit.

        They are the inputs, results and choices of the rule, things and their attributes, words, and the keys that
        stand above in the same case.
        """
        free = any(isinstance(one, FreeForm | Expression | MapOf | Prose) for one in self.spot.shapes)
        above = self.spot.path[:1]
        if self.world is None or not free or above not in (("cases",), ("things",), ("changes",), ("given",)):
            return
        word = re.search(r"\w*$", self.cursor.typed)
        start = self.offset - len(word.group() if word is not None else "")
        insert = "{}" if self.cursor.in_value else "{}: "
        for name, detail in self._loose_names():
            yield Completion(name, "name", start, insert.format(name), detail, rank=2)

    def _loose_names(self) -> Iterator[tuple[str, str]]:
        assert self.world is not None
        yield from ((one.name, "input") for one in self._inputs())
        yield from ((name, t.in_words(kind)) for name, kind in self._results_of_rule())
        for word in dict.fromkeys(word for _, kind in self._results_of_rule() for word in _words_of(kind)):
            yield word, "outcome or word"
        yield from ((name, "choice") for name in sorted(self.world.choices))
        yield from ((name, f"a `{kind}`") for name, (kind, _) in things_of(self.world).items())
        begun = max(self.text.rfind("\n  - ", 0, self.offset), self.text.rfind("\n- ", 0, self.offset), 0)
        yield from ((name, "above") for name in re.findall(r"\b([^\W\d_]\w*):", self.text[begun : self.offset]))
        for kind in self.world.section("kinds"):
            yield from ((name, f"of a `{kind}`") for name in attribute_entries(self.world, kind))
        if self.world.section("scenes"):
            yield from ((name, "of the scene") for name in attribute_entries(self.world, SCENE))
        for name in self.world.section("types"):
            record = self.world.record(name)
            yield from ((one, f"of a `{name}`") for one, _ in (record.type.fields if record is not None else ()))
        for section in ("kinds", "functions", "modifiers"):
            yield from ((name, section) for name in self.world.section(section))
        yield from self._inner_results()
        yield from self._all_words()

    def _inner_results(self) -> Iterator[tuple[str, str]]:
        """What a rule refuses, and behind a dot the results of all rules: a case may read what others played in it."""
        program = self.analysis.loaded.program if self.analysis is not None else None
        if program is None:
            return
        rules = [one for rules in program.playable.values() for one in rules.values()]
        requires = [(one.name, one.requires) for one in rules]
        requires += [(kind.name, kind.requires) for kind in program.kinds.values()]
        for name, required in requires if "error" in self.spot.path[-2:] else ():
            yield from ((one.name, f"required by `{name}`") for one in required)
        for rule in rules:
            if "." in self.cursor.typed:
                yield from ((name, f"of `{rule.name}`") for name, _ in rule.type.fields)
                yield from ((word, f"of `{rule.name}`") for _, kind in rule.type.fields for word in _words_of(kind))

    def _all_words(self) -> Iterator[tuple[str, str]]:
        """The words of every list, and tags."""
        assert self.world is not None
        for name in (*self.world.section("names"), *self.world.section("ladders"), *self.world.section("tables")):
            kind = word_list(self.world, name)
            yield from ((word, name) for word in (kind.words if kind is not None else ()))
        yield from ((name, "tag") for name in self.world.section("tags"))

    # Expressions

    def _complete_expression(self) -> Iterator[Completion]:
        """What may be read where the cursor is, what fits first; behind a dot, the fields of what stands before it."""
        match = _READ.search(self.cursor.typed)
        assert match is not None
        before, word = match["before"], match["word"]
        start = self.offset - len(word)
        scope, expected = self._names_in_reach()
        if before:
            yield from self._fields(before[:-1].split("."), scope, start)
            return
        slot = re.search(r"\b(where|by)\b", self.cursor.typed) is not None
        compared = _COMPARED.search(self.cursor.typed)
        slotted = scope.element if compared and compared[1] == "it" else None
        words = self._expected_words(slotted or self._type_of(compared[1].split("."), scope) if compared else expected)
        for one, name in words:
            yield Completion(one, "word", start, one, name, self._about_word(name, one), 0)
        wanted = t.without_maybe(expected) if expected is not None else None
        for name, binding in scope.names.items():
            kind = t.without_maybe(binding.type)
            fits = wanted is None or isinstance(wanted, t.Anything) or t.fits(kind, wanted)
            yield Completion(name, "name", start, name, t.in_words(binding.type), rank=0 if fits else 1)
        if scope.die is not None or slot:
            yield from (Completion(one, "name", start, one, "of a thrown die") for one in DIE_WORDS)
        if scope.element is not None or slot:
            yield Completion("it", "name", start, "it", "the element")
        if self.world is not None:
            if scope.owner is not None:
                yield from (
                    Completion(one, "name", start, one, "of `owner`")
                    for one in attribute_entries(self.world, scope.owner.kind)
                )
            yield from (Completion(one, "name", start, one, "") for one in names_of_values(self.world))
            for name in self.world.function_names:
                yield Completion(name, "function", start, f"{name}(", "function", self._about(name, "functions"))
            for name in self.world.table_names:
                yield Completion(name, "function", start, f"{name}(", "table", self._about(name, "tables"))
            yield from (Completion(one, "word", start, one, means) for one, means in comparators_of(self.world).items())
            yield from (Completion(one, "word", start, one, "tag", rank=2) for one in self.world.section("tags"))
            if self.spot.path[-1:] == ("by",):
                yield from (Completion(one, "name", start, one, "role", rank=0) for one in self.world.section("roles"))
            if self.world.option_names:
                yield Completion("options", "name", start, "options.", "the options of the ruleset")
        for name, builtin in functions.FUNCTIONS.items():
            yield Completion(name, "function", start, f"{name}(", ", ".join(builtin.takes), builtin.about, 2)
        for name, about in functions.FORMS.items():
            yield Completion(name, "function", start, f"{name}(", "", about, 2)
        yield from (Completion(one, "word", start, one, "", rank=3) for one in sorted(say.EXPRESSION_WORDS))

    def _expected_words(self, expected: t.Type | None) -> Iterator[tuple[str, str]]:
        """The words that fit: those of the expected list, or of the input or option whose value this is."""
        kind = t.without_maybe(expected) if expected is not None else None
        path = self.spot.path
        if kind is None and len(path) > 1 and path[-2] in ("given", "with"):
            kind = next((t.without_maybe(one.type) for one in self._inputs() if one.name == path[-1]), None)
        elif kind is None and len(path) > 1 and path[-2] in ("expect", "when"):
            kind = next((t.without_maybe(one) for name, one in self._results_of_rule() if name == path[-1]), None)
        elif kind is None and path[-1:] == ("expect",):
            kind = next((t.without_maybe(one) for name, one in self._results_of_rule() if name == "outcome"), None)
        elif kind is None and len(path) > 1 and path[-2] == "options" and self.world is not None:
            option = self.world.option(str(path[-1]))
            kind = t.without_maybe(option.type) if option is not None else None
        kind = kind.of if isinstance(kind, t.List) else kind
        if isinstance(kind, t.Word):
            yield from ((word, kind.name) for word in kind.words)
        elif isinstance(kind, t.YesNo):
            yield from (("yes", "yes or no"), ("no", "yes or no"))

    def _fields(self, names: list[str], scope: Scope, start: int) -> Iterator[Completion]:
        """What may stand behind a dot."""
        world = self.world
        if world is None:
            return
        if names == ["options"]:
            for name in world.option_names:
                yield Completion(name, "name", start, name, "option", self._about(name, "options"))
            return
        kind = self._type_of(names, scope)
        if kind is None:
            return
        of, whole = _element(kind), t.without_maybe(kind)
        for name in field_names(world, of, whole):
            field = field_type(world, of, name)
            yield Completion(name, "name", start, name, t.in_words(field) if field is not None else "")

    def _type_of(self, names: list[str], scope: Scope) -> t.Type | None:
        """The type of a name in reach, or of a field of it: `own.limit`."""
        world, head = self.world, names[0]
        if world is None:
            return None
        binding = scope.names.get(head)
        kind: t.Type | None = binding.type if binding is not None else None
        if head == "it":
            kind = scope.element
        elif head == "options" and binding is None and len(names) > 1:
            option = world.option(names[1])
            return option.type if option is not None else None
        elif kind is None and scope.owner is not None and head in attribute_entries(world, scope.owner.kind):
            kind = type_of_attribute(world, scope.owner.kind, head)
        elif kind is None:
            value = value_named(world, head)
            kind = value.type if value is not None else None
        for name in names[1:]:
            kind = field_type(world, _element(kind), name) if kind is not None else None
        return kind

    def _names_in_reach(self) -> tuple[Scope, t.Type | None]:
        """What may be read there and which type is expected.

        Of a place that the last analysis did not have, or in which it found no expression, it is what may be read after
        the nearest key above; or else at the beginning of the mapping around it.
        """
        analysis, path = self.analysis, self.spot.path
        if analysis is None or analysis.loaded.world is None:
            return Scope(), None
        reach = analysis.loaded.world.reach
        node = analysis.node_at(path)
        if node is not None and (scope := _first_reach(node, reach)) is not None:
            return scope
        for length in range(len(path) - 1, 0, -1):
            above = analysis.node_at(path[:length])
            if not isinstance(above, document.Mapping):
                continue
            keys = list(self.spot.beside[length]) if length < len(self.spot.beside) else []
            for key in reversed([one for one in keys if one != path[length]]):
                entry = above.by_key.get(key)
                if entry is None:
                    continue
                if (after := reach.get(entry.key.span)) is not None:
                    return after[0], None
                if (inside := _first_reach(entry.value, reach)) is not None:
                    return inside[0], None
            if (begins := reach.get(above.span)) is not None:
                return begins[0], None
            for entry in above.entries:
                if (inside := _first_reach(entry.value, reach)) is not None:
                    return inside[0], None
        return Scope(), None


SECTIONS_OF: Mapping[str, tuple[str, ...]] = {
    "type": ("types", "kinds", "names", "ladders", "tables"),
    "list_of": ("types", "kinds", "names", "ladders", "tables"),
    "call": ("mechanics",),
    "mechanic": ("mechanics",),
    "passes": ("mechanics",),
    "cause": ("events",),
    "event": ("events",),
    "before": ("events",),
    "after": ("events",),
    "act": ("actions",),
    "action": ("actions",),
    "offer": ("actions", "action_kinds"),
    "kind": ("action_kinds",),
    "make": ("kinds",),
    "scene": ("scenes",),
    "policy": ("policies",),
    "ladder": ("ladders",),
    "to": ("types", "action_kinds"),
    "by": ("roles", "kinds"),
    "seen_by": ("roles", "kinds"),
    "per": ("names", "ladders", "tables"),
}
"""The sections whose names a key takes, where the grammar says that it takes a name."""

_COMPARED = re.compile(r"([^\W\d_]\w*(?:\.\w+)*) +(?:is(?: not)?|==|!=|(?:not +)?in +\[[^\]]*?) *\w*$")
_READ = re.compile(r"(?P<before>(?:[^\W\d_]\w*\.)*)(?P<word>(?:[^\W\d_]\w*)?)$")


def _companion_keys(written: Mapping[str, str]) -> frozenset[str]:
    """The keys that may stand beside those of a step."""
    return frozenset(key for one in verb_forms(written) for key in one.keys)


def _words_of(kind: t.Type) -> tuple[str, ...]:
    kind = t.without_maybe(kind)
    return kind.words if isinstance(kind, t.Word) else ()


def _element(kind: t.Type) -> t.Type:
    """What the fields of a value are those of: of a list, its elements; of a map, its values."""
    kind = t.without_maybe(kind)
    while isinstance(kind, (t.List, t.Map)):
        kind = t.without_maybe(kind.of)
    return functions.element_of(kind) if isinstance(kind, (t.Roll, t.Dice)) else kind


def _first_reach(node: Node, reach: Mapping[Span, tuple[Scope, t.Type | None]]) -> tuple[Scope, t.Type | None] | None:
    """What may be read at a node, or at the first place inside it of which that is known."""
    stack: list[Node] = [node]
    while stack:
        here = stack.pop()
        if (scope := reach.get(here.span)) is not None:
            return scope
        if isinstance(here, document.Mapping):
            stack += [entry.value for entry in reversed(here.entries)]
        elif isinstance(here, document.Sequence):
            stack += reversed(here.items)
    return None
