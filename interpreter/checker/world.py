"""The declarations of a ruleset, each checked when it is first used.

So the order of a file does not matter, and a cyclic declaration is found where the cycle closes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import field, replace
from functools import cached_property
from typing import Any, TypeVar

from interpreter import diagnostics as say
from interpreter import ir
from interpreter.checker.effort import CheckingEffort
from interpreter.checker.expressions import formula
from interpreter.checker.scope import Scope
from interpreter.diagnostics import Problems
from interpreter.diagnostics.source import Source, Span
from interpreter.frozen import dataclass
from interpreter.ir import types as t
from interpreter.ir.die_identity import DieUses
from interpreter.runtime import functions
from interpreter.runtime.state import SCENE
from interpreter.syntax import grammar as g
from interpreter.syntax.document import Broken, Entry, Mapping, Node, Scalar, Sequence, from_python, whole_number
from interpreter.syntax.names import mixed_scripts
from interpreter.syntax.other_notations import relation_in_words
from interpreter.syntax.schema import is_name
from interpreter.values import Die, Face, Thing, face_number

Made = TypeVar("Made")


_SAME_USE = (
    *(("names", other) for other in ("ladders", "types", "kinds", "dice", "tables")),
    *(("ladders", other) for other in ("types", "kinds", "dice", "tables")),
    ("types", "kinds"),
    ("tables", "functions"),
)
"""Pairs of sections that must not declare the same name: a type, a value or a call would be one of two things."""

MOST_SILENT_STEPS = 7_500
"""The most steps that are checked in silent passes. Repeated steps need several passes, and repeated steps inside them
several passes in each of these."""


@dataclass(frozen=True, slots=True)
class SceneAttribute:
    """An attribute of scenes: its first declaration with the path and the section, and every scene that declares it.

    The section is `inputs` or `has`.
    """

    entry: Entry
    path: str
    section: str
    scenes: tuple[tuple[str, Entry], ...]


@dataclass(slots=True)
class PolicyQuestion:
    """A question that policies may answer: what checks an answer, and the answers so far, the most specific first.

    An answer through more calls is more specific, and of those through equally many, the one with the longer key.
    """

    read: Callable[[Node], ir.Formula]
    answers: dict[str, tuple[ir.PolicyAnswer, ...]] = field(default_factory=dict)
    _ranks: dict[ir.PolicyAnswer, tuple[int, int]] = field(default_factory=dict)

    def add(self, policy: str, key: str, answer: ir.PolicyAnswer) -> None:
        """Add an answer of a policy under its key."""
        self._ranks[answer] = len(answer.calls), key.count(".")
        ranked = sorted((*self.answers.get(policy, ()), answer), key=self._ranks.__getitem__, reverse=True)
        always = next((place for place, one in enumerate(ranked) if not one.calls), len(ranked))
        self.answers[policy] = tuple(ranked[: always + 1])


@dataclass(frozen=True, slots=True)
class NamedValue:
    """A name with a fixed value: a die, the rungs of a ladder, the words of a list."""

    value: Any
    type: t.Type
    path: str


@dataclass(frozen=True, slots=True)
class Checks:
    """How each kind of declaration is checked, from its entry to its node.

    These functions use the world, so it receives them as values and does not import them.
    """

    option: Callable[[World, Entry], ir.Declaration | None]
    record: Callable[[World, Entry], ir.RecordType | None]
    function: Callable[[World, Entry], ir.Function | None]
    table: Callable[[World, Entry], ir.Table | None]
    words_of_table: Callable[[Entry], t.Word | None]
    kind: Callable[[World, Entry], ir.Kind | None]
    attribute: Callable[[World, str, Entry], ir.HeldAttribute | None]
    mechanic: Callable[[World, Entry], ir.Mechanic | None]
    event: Callable[[World, Entry], ir.Mechanic | None]
    action: Callable[[World, Entry], ir.Action | None]
    scene: Callable[[World, Entry], ir.Scene | None]
    cancels: Callable[[Entry, str], bool]
    """Whether a reaction may cancel an event."""


@dataclass
class World:
    """The sections of a ruleset and its parts, and the declarations made of them so far."""

    sections: dict[str, dict[str, Entry]]
    cases: list[Node]
    problems: Problems
    root: Mapping
    checks: Checks
    sources: tuple[Source, ...] = ()
    lower: frozenset[str] = frozenset()
    _made: dict[tuple[str, str], Any] = field(default_factory=dict)
    _open: list[tuple[str, str]] = field(default_factory=list)
    used_answers: set[tuple[str, str]] = field(default_factory=set)
    """The answers of policies that some choice has, by policy and key."""
    policy_questions: dict[str, list[PolicyQuestion]] = field(default_factory=dict)
    """By its path, each question as it was checked: several times where silent passes came before."""
    references: dict[Span, Span] = field(default_factory=dict)
    """The place of each use of a name, with the place of its declaration; `rename` reads it."""
    reach: dict[Span, tuple[Scope, t.Type | None]] = field(default_factory=dict)
    """What may be read, and the type that is expected, by place: of an expression; of a mapping of steps, at its
    beginning; and of the name of a step, after it. An editor offers names from it."""
    base_places: set[Span] = field(default_factory=set)
    """The places of `base`, which stands for the expression that a house rule replaces."""
    inlinable: int = 0
    """The number of expressions found so far that exact odds inline: see `ir.Mechanic`."""
    die_uses: DieUses = field(default_factory=DieUses)
    on_table: dict[Span, tuple[Die | None, ...]] = field(default_factory=dict)
    """The dice of the roll of a step, by the place of its name; None for an unknown die."""
    pools: dict[Span, ir.StepBody] = field(default_factory=dict)
    """The steps whose values are dice that are not thrown, by the place of the name."""
    whole_rolls: dict[Span, ir.Expr | say.NoRoll] = field(default_factory=dict)
    """By the place of the name of a step that is some dice of a roll: the whole roll, or why there is not one."""
    throws: dict[Span, str] = field(default_factory=dict)
    """The step that throws a pool, by the place of the name of the pool; of a part, `rolled.fear`."""
    skipped_rerolls: set[Span] = field(default_factory=set)
    """The places of the names of rerolls that an `if` without `else` may skip."""
    passes: dict[int, list[tuple[Scope, tuple[tuple[ir.Step, ...], Scope]]]] = field(default_factory=dict)
    """By the `id` of a node with repeated steps: the scopes of its silent passes, each with the result."""
    _silent_steps: int = 0
    effort: CheckingEffort = field(default_factory=CheckingEffort)
    asked: dict[str, dict[str, list[tuple[Any, t.Type]]]] = field(default_factory=dict)
    """By the path of a rule of the finished program: the questions that it may ask, by the last name of their keys."""
    named_kinds: set[str] = field(default_factory=set)
    """The kinds of which a rule makes things under names of their own."""
    may_change: dict[str, bool] = field(default_factory=dict)
    """Whether a mechanic may change the state, by its name, as far as it is computed."""
    _choices: set[str] = field(default_factory=set)
    _attributes: dict[str, dict[str, Entry]] = field(default_factory=dict)
    _reported: tuple[Problems, set[tuple[str, str]]] | None = None
    """During a silent pass: the problems and used answers of the check outside it."""

    # Making declarations

    @property
    def strays(self) -> set[str]:
        """Names under unknown keys: the key is reported, so a use of such a name is not."""
        return self.problems.strays

    def section(self, name: str) -> dict[str, Entry]:
        return self.sections.get(name, {})

    def make(self, section: str, name: str, how: Callable[[Entry], Made | None]) -> Made | None:
        """The declaration with a name, made once; None if there is none or it has an error."""
        entry = self.section(section).get(name)
        return None if entry is None else self.once((section, name), entry, how)

    def once(self, key: tuple[str, str], entry: Entry, how: Callable[[Entry], Made | None]) -> Made | None:
        """The declaration of an entry, made once; a cyclic one is reported where the cycle closes."""
        name = key[1]
        if key in self._made:
            made: Made | None = self._made[key]
            return made
        if key in self._open:
            circle = [of for _, of in self._open[self._open.index(key) :]]
            formula = entry.value.get("is") if isinstance(entry.value, Mapping) else None
            text = formula.text if isinstance(formula, Scalar) else ""
            self.problems.add(say.cycle(entry.key.span, [*circle, name], key[0].partition(".")[0], text))
            return None
        self._open.append(key)
        try:
            with self._reporting():
                self._made[key] = None if isinstance(entry.value, Broken) else how(entry)
        finally:
            self._open.pop()
        made = self._made[key]
        return made

    def refer(self, used: Span, section: str, name: str) -> None:
        """Record the use of a name of a section."""
        entry = self.section(section).get(name)
        if entry is not None:
            self.references[used] = entry.key.span

    def refer_to_word(self, used: Span, of: t.Word, word: str) -> None:
        """Record the use of a word of a list."""
        named = of.named_at(word)
        if named is not None and named != used:
            self.references[used] = named

    @property
    def is_quiet(self) -> bool:
        """Whether this is a silent pass."""
        return self._reported is not None

    @property
    def passes_exhausted(self) -> bool:
        """Whether no further silent pass may begin."""
        return self._silent_steps > MOST_SILENT_STEPS

    def count_silent_steps(self, steps: int, span: Span | None) -> None:
        """Count the steps that a silent pass has checked; too many are reported after all."""
        if self._reported is None or self.passes_exhausted:
            return
        self._silent_steps += steps
        if self.passes_exhausted and span is not None:
            self._reported[0].add(say.too_much_inside(span))

    @contextmanager
    def quiet(self) -> Iterator[None]:
        """Check without reporting: a silent pass, which finds the types of names that depend on each other."""
        outer, loud = self._reported, (self.problems, self.used_answers)
        self._reported = outer or loud
        self.problems, self.used_answers = Problems(self.problems.strays, most=None), set(self.used_answers)
        try:
            yield
        finally:
            self._reported, (self.problems, self.used_answers) = outer, loud

    @contextmanager
    def _reporting(self) -> Iterator[None]:
        """Check with reports inside a silent pass, for a declaration, which is made only once."""
        quiet, silent = self._reported, (self.problems, self.used_answers)
        if quiet is not None:
            self._reported, (self.problems, self.used_answers) = None, quiet
        try:
            yield
        finally:
            self._reported, (self.problems, self.used_answers) = quiet, silent

    # Plain settings

    @cached_property
    def rounding(self) -> str:
        node = _plain(self.root.get("rounding"))
        return node.text if isinstance(node, Scalar) and node.text in g.ROUNDINGS else "down"

    @cached_property
    def comparators(self) -> dict[str, str]:
        found = {}
        for name, entry in self.section("comparators").items():
            if self.check_name(entry.key, functions_too=True):
                node = _plain(entry.value)
                if isinstance(node, Scalar) and node.text not in g.RELATIONS:
                    self.problems.add(
                        say.not_one_of(node.span, f"`{name}`", node.text, g.RELATIONS, relation_in_words(node.text))
                    )
                found[name] = node.text if isinstance(node, Scalar) and node.text in g.RELATIONS else "at least"
        return found

    @cached_property
    def roles(self) -> dict[str, str]:
        return {
            name: _text(_plain(entry.value)) or text_at(entry.value, "about")
            for name, entry in self.section("roles").items()
        }

    @cached_property
    def tag_type(self) -> t.Word:
        return t.Word("tags", tuple(self.section("tags")), where=places_of(self.root.get("tags")))

    # Words, ladders, dice

    def words(self, name: str) -> t.Word | None:
        """The closed list of words of that name: of `names`, of a ladder, of the rows of a table."""
        if name == "tags" and self.section("tags"):
            return self.tag_type
        if name in self.section("names"):
            return self._list(name)
        if name in self.section("ladders"):
            rung = self._rung(name)
            return rung if isinstance(rung, t.Word) and rung.words else None
        if name in self.section("tables"):
            return self.table_words(name)
        return None

    def _list(self, name: str) -> t.Word:
        return t.Word(name, tuple(self.meanings("names", name)), where=places_of(self.section("names")[name].value))

    def _rung(self, name: str) -> t.Type:
        """The type of a rung of a ladder: a die, or a word."""
        rungs = self.ladder(name) or ()
        node = self.section("ladders")[name].value
        listed = node.get("rungs") if isinstance(node, Mapping) else node
        return (
            t.SingleDie() if rungs and isinstance(rungs[0], Die) else t.Word(name, rungs, True, where=places_of(listed))
        )

    def meanings(self, section: str, name: str) -> dict[str, str]:
        """The words of a list with their explanations."""
        return word_meanings(self.section(section)[name].value)

    def ladder(self, name: str) -> tuple[Any, ...] | None:
        """The rungs of a ladder, lowest first: dice, or words."""
        return self.make("ladders", name, self._ladder)

    def _ladder(self, entry: Entry) -> tuple[Any, ...]:
        node = entry.value.get("rungs") if isinstance(entry.value, Mapping) else entry.value
        keys = (
            [e.key for e in node.entries]
            if isinstance(node, Mapping)
            else [item for item in (node.items if isinstance(node, Sequence) else ()) if isinstance(item, Scalar)]
        )
        seen: dict[str, Scalar] = {}
        rungs: list[Any] = []
        for key in keys:
            if key.text in seen:
                self.problems.add(say.doubled_rung(key.span, key.text, seen[key.text].span))
                continue
            die = self._rung_die(key.text)
            if die is not None and not 1 <= die.size <= 1000:
                self.problems.add(say.bad_dice(key.span, "a die has 1 to 1000 faces"))
            elif die is None and not is_name(key.text):
                self.problems.add(say.bad_name(key.span, key.text, mixed_scripts(key.text)))
            elif die is not None and rungs and isinstance(rungs[-1], Die) and die.size <= rungs[-1].size:
                self.problems.add(say.rungs_out_of_order(key.span, key.text, str(rungs[-1])))
            elif rungs and isinstance(rungs[0], Die) != isinstance(die, Die):
                self.problems.add(say.mixed_rungs(key.span, key.text, isinstance(rungs[0], Die)))
            else:
                rungs.append(die or key.text)
            seen[key.text] = key
        if not keys:
            self.problems.add(say.empty_list_of(entry.key.span, f"`{entry.key.text}`"))
        return tuple(rungs)

    def _rung_die(self, text: str) -> Die | None:
        size = whole_number(text[1:]) if text.startswith("d") else None
        if size is not None:
            return Die(size)
        return self.die(text) if text in self.section("dice") else None

    def die(self, name: str) -> Die | None:
        """The die that a name of the section `dice` stands for."""
        return self.make("dice", name, self._die)

    def _die(self, entry: Entry) -> Die | None:
        node = entry.value
        if not isinstance(node, Mapping):
            made = formula(self, node, Scope(), t.SingleDie())
            return made.body.value if isinstance(made.body, ir.Constant) else None
        faces = node.get("faces")
        if isinstance(faces, Broken):
            return None
        items = faces.items if isinstance(faces, Sequence) else ()
        read = [self._face(item, len(items) == 1) for item in items if isinstance(item, Scalar)]
        if not read:
            self.problems.add(say.empty_list_of(entry.key.span, f"`{entry.key.text}`"))
            return None
        kept = tuple(face for face in read if face is not None)
        return Die(len(kept), (), entry.key.text, kept) if kept else None

    def _face(self, node: Scalar, alone: bool) -> Face | None:
        text = node.text.strip()
        number = whole_number(text)
        if number is not None:
            return number
        symbols = [symbol.strip() for symbol in text.split("+")]
        for symbol in symbols:
            if not is_name(symbol):
                slip = say.no_face(node.span, text, symbol, alone)
                self.problems.add(slip or say.bad_name(node.span, symbol, mixed_scripts(symbol)))
                return None
        return " + ".join(sorted(symbols))

    @cached_property
    def symbols(self) -> tuple[str, ...]:
        """Every symbol on a face of the ruleset's dice."""
        found: dict[str, None] = {}
        for name in self.section("dice"):
            die = self.die(name)
            for face in (die.faces or ()) if die else ():
                if isinstance(face, str) and face != "blank":
                    found |= dict.fromkeys(face.split(" + "))
        return tuple(found)

    @cached_property
    def face_type(self) -> t.Type:
        """The type of a face: at least 1, unless the ruleset has dice of its own."""
        faces = [face for name in self.section("dice") for face in ((self.die(name) or Die(1)).faces or ())]
        return t.Number(min([1, *map(face_number, faces)]))

    def code_die(self) -> Die | None:
        return self.die("D")

    def named_value(self, name: str) -> NamedValue | None:
        if name == "no_dice":
            return NamedValue((), t.Dice(), "dice")
        if name in self.section("dice"):
            die = self.die(name)
            return NamedValue(die, t.SingleDie() if die else t.ANYTHING, f"dice.{name}")
        if name in self.section("ladders"):
            rungs = self.ladder(name) or ()
            return NamedValue(rungs, t.List(self._rung(name), len(rungs)), f"ladders.{name}")
        if name in self.section("names"):
            of = self._list(name)
            return NamedValue(of.words, t.List(of, len(of.words)), f"names.{name}")
        if name in self.single_kinds:
            return NamedValue(Thing(name, name), t.Object(name), f"kinds.{name}")
        if name == SCENE and self.section("scenes"):
            return NamedValue(Thing(SCENE, SCENE), t.Object(SCENE), "scenes")
        if name in self.things:
            kind = self.things[name][0]
            return NamedValue(Thing(name, kind), t.Object(kind), f"things.{kind}.{name}")
        return None

    @property
    def value_names(self) -> list[str]:
        named = [name for section in ("dice", "ladders", "names") for name in self.section(section)]
        return ["no_dice", *named, *self.single_kinds, *self.things]

    def lists_with(self, word: str) -> list[t.Word]:
        """Every closed list that has a word, without those under construction.

        The rows of a table that are words of one declared list are no list of their own.
        """
        kinds = self._all_lists_with(word)
        tables = self.section("tables")
        declared = [set(kind.words) for kind in kinds if kind.name not in tables]
        return [kind for kind in kinds if kind.name not in tables or not any(map(set(kind.words).issubset, declared))]

    def _all_lists_with(self, word: str) -> list[t.Word]:
        listed = ("names", "ladders", "tables")
        open_ = {name for section, name in self._open if section in (*listed, "options")}
        if any(name in self.section(key) for key in listed for name in open_):  # too early to cache the result
            names = [name for key in listed for name in self.section(key) if name not in open_]
            kinds = [kind for name in names if (kind := self.words(name)) is not None and word in kind.words]
        else:
            kinds = list(self._lists_by_word.get(word, ()))
        for name in (one for one in self._options_of_words if one not in open_):
            option = self.option(name)
            if option and isinstance(option.type, t.Word) and option.type.name == name and word in option.type.words:
                kinds.append(option.type)
        return kinds

    @cached_property
    def _lists_by_word(self) -> dict[str, list[t.Word]]:
        """The lists of names, ladders and tables that have a word, by that word."""
        found: dict[str, list[t.Word]] = {}
        for name in (*self.section("names"), *self.section("ladders"), *self.section("tables")):
            kind = self.words(name)
            for word in dict.fromkeys(kind.words) if kind is not None else ():
                found.setdefault(word, []).append(kind)  # type: ignore[arg-type]
        return found

    @cached_property
    def _options_of_words(self) -> list[str]:
        """The options with a list of words of their own."""
        entries = self.section("options").items()
        return [name for name, entry in entries if isinstance(entry.value, Mapping) and "one_of" in entry.value]

    # Types

    @cached_property
    def doubled(self) -> dict[str, tuple[Span, Span]]:
        """The names that two sections declare for the same use, with the places of the first and the second."""
        found: dict[str, tuple[Span, Span]] = {}
        for one, other in _SAME_USE:
            for name in self.section(one).keys() & self.section(other).keys():
                if "tables" in (one, other) and self._has_rows_of(name):
                    continue
                places = [self.section(section)[name].key.span for section in (one, other)]
                above = sorted(places, key=lambda at: (at.source.name not in self.lower, at.source.name, at.start))
                found.setdefault(name, (above[0], above[1]))
        return found

    def _has_rows_of(self, name: str) -> bool:
        """Whether the rows of a table are no rival of the list of the same name: its words, or numbers."""
        rows = self.table_words(name) if name not in self.section("functions") else None
        listed = self._list(name) if name in self.section("names") else self.words(name)
        return name not in self.section("functions") and (
            rows is None or (listed is not None and set(rows.words) <= set(listed.words))
        )

    def type_named(self, node: Scalar, of_a_thing: bool = False, alone: bool = False) -> t.Type:
        """The type that a word means after `type:` or `list_of:`, or `alone` in their place; `of_a_thing` under `has`.

        An unknown one is reported, and passes for the simple type that is meant.
        """
        simple: dict[str, t.Type] = {
            "number": t.NUMBER,
            "yes_no": t.YES_NO,
            "text": t.Text(),
            "die": t.SingleDie(),
            "dice": t.Dice(),
            "roll": t.Roll(),
            "code": t.DiceCode(),
        }
        name = node.text
        if name in simple:
            return simple[name]
        if name == "tags":
            return self.tag_type
        for section in ("types", "kinds", "ladders", "names", "tables"):
            self.refer(node.span, section, name)
        if name in self.doubled:
            return t.ANYTHING
        if name in self.section("kinds"):
            return t.Object(name)
        if name in self.section("types"):
            record = self.record(name)
            return record.type if record else t.ANYTHING
        if name in self.section("ladders"):
            return self._rung(name)
        words = self.words(name)
        if words is not None:
            return words
        known = [
            *simple,
            *self.section("types"),
            *self.section("kinds"),
            *self.section("names"),
            *self.section("ladders"),
            *self.section("tables"),
        ]
        if name in self.strays:
            return t.ANYTHING
        self.problems.add(say.not_a_type(node.span, name, known, self.section("kinds"), of_a_thing, alone))
        meant = say.type_meant(name, known, of_a_thing)
        return simple.get(meant.type or "", t.ANYTHING) if meant is not None and meant.sure else t.ANYTHING

    def record(self, name: str) -> ir.RecordType | None:
        return self.make("types", name, lambda entry: self.checks.record(self, entry))

    def record_of(self, kind: t.Type | None) -> ir.RecordType | None:
        """The declared record type behind a type, if it is one."""
        kind = t.present(kind) if kind is not None else None
        if isinstance(kind, t.Record) and kind.name in self.section("types"):
            return self.record(kind.name)
        return None

    # Kinds and things

    @cached_property
    def single_kinds(self) -> tuple[str, ...]:
        """The kinds with one object, which has the name of its kind."""
        return tuple(name for name, entry in self.section("kinds").items() if _says_yes(entry.value, "one"))

    def is_part(self, kind: str) -> bool:
        """Whether objects of a kind are parts of others."""
        entry = self.section("kinds").get(kind)
        return entry is not None and _says_yes(entry.value, "part")

    @cached_property
    def scene_has(self) -> dict[str, SceneAttribute]:
        """The inputs and attributes of scenes, by name."""
        found: dict[str, SceneAttribute] = {}
        for scene, entry in self.section("scenes").items():
            node = entry.value
            for key in ("inputs", "has"):
                part = node.get(key) if isinstance(node, Mapping) else None
                for one in part.entries if isinstance(part, Mapping) else ():
                    first = found.get(one.key.text) or SceneAttribute(
                        one, f"scenes.{scene}.{key}.{one.key.text}", key, ()
                    )
                    found[one.key.text] = replace(first, scenes=(*first.scenes, (scene, one)))
        return found

    def attribute_path(self, kind: str, name: str) -> str:
        """The path of the declaration of an attribute."""
        if kind == SCENE and name in self.scene_has:
            return self.scene_has[name].path
        return f"kinds.{kind}.has.{name}"

    def lacks(self, name: str, scene: str) -> bool:
        """Whether the scene under way may lack an attribute, in steps of `scene`, or outside scenes if it is empty."""
        if name not in self.scene_has:
            return False
        having = [one for one, _ in self.scene_has[name].scenes]
        return scene not in having and len(having) < len(self.section("scenes"))

    def attributes(self, kind: str) -> dict[str, Entry]:
        """The entries of the attributes of a kind, by name."""
        if kind not in self._attributes:
            self._attributes[kind] = self._attributes_of(kind)
        return self._attributes[kind]

    def _attributes_of(self, kind: str) -> dict[str, Entry]:
        if kind == SCENE and self.section("scenes"):
            own = {name: one.entry for name, one in self.scene_has.items()}
            number = from_python({"type": "number", "default": "0"}, "round")
            return {**own, "round": Entry(Scalar("round", number.span), number)}
        entry = self.section("kinds").get(kind)
        has = entry.value.get("has") if entry is not None and isinstance(entry.value, Mapping) else None
        return {one.key.text: one for one in has.entries} if isinstance(has, Mapping) else {}

    def attribute(self, kind: str, name: str) -> ir.HeldAttribute | None:
        """An attribute of a kind, without the steps at its bounds; None if there is none or it has an error."""
        entry = self.attributes(kind).get(name)
        if entry is None:
            return None
        return self.once((f"kinds.{kind}", name), entry, lambda entry: self.checks.attribute(self, kind, entry))

    def attribute_type(self, kind: str, name: str) -> t.Type | None:
        """The type of an attribute of a kind; None if the kind has no such attribute."""
        if name not in self.attributes(kind):
            return None
        one = self.attribute(kind, name)
        return one.type if one is not None else t.ANYTHING

    def kind(self, name: str) -> ir.Kind | None:
        return self.make("kinds", name, lambda entry: self.checks.kind(self, entry))

    @cached_property
    def things(self) -> dict[str, tuple[str, Entry]]:
        """The objects of the ruleset by name: the kind, and the entry."""
        found: dict[str, tuple[str, Entry]] = {}
        for kind, section in self.section("things").items():
            said = section.value.get("is") if isinstance(section.value, Mapping) else None
            if isinstance(said, Scalar) and kind not in self.section("kinds"):
                found.setdefault(kind, (said.text, section))  # its shape was reported
                continue
            for entry in section.value.entries if isinstance(section.value, Mapping) else ():
                if entry.key.text in found:
                    first = found[entry.key.text][1].key.span
                    self.problems.add(say.name_taken(entry.key.span, entry.key.text, first))
                found.setdefault(entry.key.text, (kind, entry))
        return found

    # Options, functions, tables, mechanics

    def option(self, name: str) -> ir.Declaration | None:
        return self.make("options", name, lambda entry: self.checks.option(self, entry))

    @property
    def option_names(self) -> list[str]:
        return list(self.section("options"))

    def function(self, name: str) -> ir.Function | None:
        return self.make("functions", name, lambda entry: self.checks.function(self, entry))

    @property
    def function_names(self) -> list[str]:
        return list(self.section("functions"))

    def table(self, name: str) -> ir.Table | None:
        return self.make("tables", name, lambda entry: self.checks.table(self, entry))

    def table_words(self, name: str) -> t.Word | None:
        return self.checks.words_of_table(self.section("tables")[name])

    @property
    def table_names(self) -> list[str]:
        return list(self.section("tables"))

    def mechanic(self, name: str) -> ir.Mechanic | None:
        return self.make("mechanics", name, lambda entry: self.checks.mechanic(self, entry))

    def scene(self, name: str) -> ir.Scene | None:
        return self.make("scenes", name, lambda entry: self.checks.scene(self, entry))

    def event(self, name: str) -> ir.Mechanic | None:
        return self.make("events", name, lambda entry: self.checks.event(self, entry))

    def action(self, name: str) -> ir.Action | None:
        return self.make("actions", name, lambda entry: self.checks.action(self, entry))

    def may_be_cancelled(self, event: str) -> bool:
        """Whether a reaction may cancel an event, so that its result may be missing."""
        return any(self.checks.cancels(entry, event) for entry in self.section("reactions").values())

    # Names

    def check_name(self, key: Scalar, functions_too: bool = False, called: bool = False) -> bool:
        """Whether a key can be a name in expressions; reports it if not.

        The name of a rule that is only `called`, and that no expression reads, may look like a die.
        """
        name = key.text
        if name in say.EXPRESSION_WORDS:
            self.problems.add(say.reserved_name(key.span, name, "it is a word of the expression language"))
        elif not is_name(name) and not (called and say.LIKE_A_DIE.fullmatch(name)):
            self.problems.add(say.bad_name(key.span, name, mixed_scripts(name)))
        elif functions_too and (name in functions.FUNCTIONS or name in functions.FORMS):
            self.problems.add(say.reserved_name(key.span, name, "it is a function of the language"))
            self.strays.add(name)  # where it is read, the same slip is not told again
        else:
            return True
        return False

    def check_value_name(self, key: Scalar) -> bool:
        """The same for the name of a value, which must not be a comparator or a function either."""
        if not self.check_name(key, functions_too=True):
            return False
        if key.text in say.VALUE_WORDS:
            self.problems.add(say.reserved_name(key.span, key.text, "it is a word of the expression language"))
            return False
        if key.text in self.comparators:
            self.problems.add(say.reserved_name(key.span, key.text, "it is a comparator of this ruleset"))
            return False
        return True

    def check_words(self, node: Node) -> None:
        """Report words of a closed list that cannot be names, or that are in it twice."""
        keys = (
            [e.key for e in node.entries]
            if isinstance(node, Mapping)
            else [item for item in (node.items if isinstance(node, Sequence) else ()) if isinstance(item, Scalar)]
        )
        seen: dict[str, Span] = {}
        for key in keys:
            if key.text in seen:
                self.problems.add(say.name_taken(key.span, key.text, seen[key.text]))
            seen.setdefault(key.text, key.span)
            self.check_name(key)

    def policy_answers(self, path: str) -> Iterator[tuple[str, str, Node]]:
        """The policies that answer the choice at a path, each with the key and its answer."""
        self._choices.add(path.rsplit(".", 1)[-1])
        for policy, entry in self.section("policies").items():
            for answer in entry.value.entries if isinstance(entry.value, Mapping) else ():
                if path == answer.key.text or path.endswith(f".{answer.key.text}"):
                    self.used_answers.add((policy, answer.key.text))
                    yield policy, answer.key.text, answer.value

    @property
    def choices(self) -> list[str]:
        """The names of the choices checked so far."""
        return sorted(self._choices)


def word_meanings(node: Node) -> dict[str, str]:
    """The words of `[a, b]` or of `{a: what it means, b: {title: …, about: what it means}}`."""
    if isinstance(node, Mapping):
        return {entry.key.text: _text(entry.value) or text_at(entry.value, "about") for entry in node.entries}
    if isinstance(node, Sequence):
        return {item.text: "" for item in node.items if isinstance(item, Scalar)}
    return {}


def places_of(node: Node | None) -> t.Places:
    """The names in a mapping or a list, with their places."""
    keys: tuple[Node, ...] = ()
    if isinstance(node, Mapping):
        keys = tuple(entry.key for entry in node.entries)
    elif isinstance(node, Sequence):
        keys = node.items
    return tuple((key.text, key.span) for key in keys if isinstance(key, Scalar))


def _says_yes(node: Node, key: str) -> bool:
    value = node.get(key) if isinstance(node, Mapping) else None
    return isinstance(value, Scalar) and value.text == "yes"


def _plain(node: Node | None) -> Node | None:
    """A value without its long form `{is: …}`."""
    return node.get("is") if isinstance(node, Mapping) and "is" in node else node


def _text(node: Node | None) -> str:
    return " ".join(node.text.split()) if isinstance(node, Scalar) else ""


def text_at(node: Node, key: str) -> str:
    """The prose under a key, on one line; empty where there is none."""
    return _text(node.get(key)) if isinstance(node, Mapping) else ""
