"""Cases: expected results of a ruleset, played and compared.

A case plays a mechanic with scripted faces and choices, or evaluates an expression, and states values, an error, or
exact odds. `each` makes a grid of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from collections.abc import Mapping as Names
from contextlib import suppress
from dataclasses import field, replace
from fractions import Fraction
from functools import partial
from typing import Any

from interpreter import diagnostics as say
from interpreter import ir
from interpreter.api.decode import fold_dotted_keys
from interpreter.api.game import Game
from interpreter.api.query import Goals
from interpreter.api.result import Result
from interpreter.budget import metered
from interpreter.checker.case_parts import JOINT_CHANCE, names_with_chances
from interpreter.checker.cases import wanted_types
from interpreter.diagnostics import BudgetExceeded, Diagnostic, HouseruleError, PlayError
from interpreter.diagnostics.source import Span
from interpreter.frozen import dataclass
from interpreter.ir import types as t
from interpreter.odds.answer import Law, Odds
from interpreter.odds.intervals import Interval, chance_of, joint_chance_of, mean_of
from interpreter.odds.projection import reading_of
from interpreter.runtime.evaluator import new_frame
from interpreter.runtime.state import EMPTY, SCENE, State, add_scene
from interpreter.syntax.document import (
    Entry,
    Mapping,
    Node,
    Scalar,
    Sequence,
    items_of,
    one_line_text,
    parse_share,
    parse_whole_number,
    scalars,
    values_of,
)
from interpreter.testing.expected import differences, guess_type
from interpreter.testing.reachability import Reach
from interpreter.values import in_words


@dataclass(frozen=True)
class Case:
    """One test: a case, or one cell of its grid. `rules` are the rows that it exercises."""

    name: str
    span: Span
    rules: tuple[str, ...]
    node: Mapping
    given: Names[str, Node]
    expect: Names[str, Node]
    odds: Names[str, Node]
    mean: Names[str, Node]
    value: Node | None = None
    title: str = ""
    joint: tuple[Mapping, ...] = ()

    def text(self, key: str) -> str | None:
        return _text_at(self.node, key)

    @property
    def states_odds(self) -> bool:
        """Whether it states chances or averages, and not the result of one play."""
        return bool(self.odds or self.mean or self.joint)

    @property
    def subject(self) -> str | None:
        """The path of the rule that it plays; a mechanic has its plain name."""
        return _subject(self.node)

    @property
    def paths(self) -> set[str]:
        """The paths of what it plays itself, as they stand in a ruleset; what a formula reads is not among them."""
        played = {path if "." in path else f"mechanics.{path}" for path in self.subjects}
        return played | {f"events.{span}_ends" for span in self.ends}

    @property
    def subjects(self) -> set[str]:
        """The paths of all rules that it plays: its own, and what is done first."""
        return {path for node in self._nodes if (path := _subject(node)) is not None}

    @property
    def ends(self) -> set[str]:
        """The spans that end in it."""
        return {span for node in self._nodes if (span := _text_at(node, "ends")) is not None}

    @property
    def _nodes(self) -> list[Mapping]:
        first = self.node.get("first")
        nodes = [self.node, *items_of(first)]
        return [node for node in nodes if isinstance(node, Mapping)]

    @property
    def inputs(self) -> dict[str, Node]:
        """The inputs of the rule, and the actor of an action."""
        return _inputs(self.node, self.given)


@dataclass(frozen=True)
class Verdict:
    """The result of a case: `failures` is empty if it passes; `reached` are the paths that it went through."""

    case: Case
    failures: tuple[Diagnostic, ...]
    reached: frozenset[str] = field(default_factory=frozenset)
    skipped: Diagnostic | None = None
    bent: bool = False
    """Whether it is a case of the base that comes out otherwise under a layer that lists it, or its rule, under
    `differs`; with a `note`, the layer lists other cases of its rule by their names."""
    note: Diagnostic | None = None


@dataclass(frozen=True)
class Setting:
    """A rule with its inputs, in a game and a state; None is the state of a ruleset in which nothing lasts."""

    game: Game
    rule: str
    state: State | None
    inputs: Names[str, Node]


def _text_at(node: Mapping, key: str) -> str | None:
    value = node.get(key)
    return value.text if isinstance(value, Scalar) else None


def _subject(node: Mapping) -> str | None:
    for key in ("mechanic", "event", "action", "scene"):
        name = _text_at(node, key)
        if name is not None:
            return name if key == "mechanic" else f"{key}s.{name}"
    return None


def _part(node: Mapping) -> dict[str, Any]:
    """The part of a scene that is played, if not all of it."""
    phase, rounds = _text_at(node, "phase"), _text_at(node, "rounds")
    return {**({"phase": phase} if phase else {}), **({"rounds": int(rounds)} if rounds else {})}


def _things_before(node: Mapping) -> dict[str, Node]:
    """The things before a case; its current scene is the one that the case names."""
    written, scene = values_of(node.get("before")), node.get("scene")
    under_way = written.get(SCENE)
    if isinstance(scene, Scalar) and isinstance(under_way, Mapping) and "is" not in under_way:
        entries = {"is": Entry(Scalar("is", scene.span), scene), **under_way.by_key}
        written[SCENE] = Mapping(tuple(entries.values()), under_way.span, entries)
    return written


def _inputs(node: Mapping, given: Names[str, Node]) -> dict[str, Node]:
    actor = node.get("actor")
    return (
        fold_dotted_keys(given)
        if actor is None or "action" not in node
        else {"actor": actor, **fold_dotted_keys(given)}
    )


def _faces(node: Mapping) -> list[Scalar]:
    """The faces on the table, as a list or a single face."""
    faces = node.get("faces")
    items = faces.items if isinstance(faces, Sequence) else (faces,)
    records = [Scalar(one_line_text(one), one.span) if isinstance(one, Mapping) else one for one in items]
    return [one for one in records if isinstance(one, Scalar)]


def cases_of(nodes: list[Node]) -> Iterator[Case]:
    """The cases of a ruleset; a grid is a case for each of its cells."""
    for node in nodes:
        if not isinstance(node, Mapping):
            continue
        name = node.get("name")
        title = name.text if isinstance(name, Scalar) else "a case"
        rule = node.get("rule")
        rows = rule.items if isinstance(rule, Sequence) else (rule,)
        rules = tuple(row.text for row in rows if isinstance(row, Scalar))
        expect, joint = node.get("expect"), node.get("joint")
        plain = Case(
            title,
            node.span,
            rules,
            node,
            values_of(node.get("given")),
            values_of(expect),
            values_of(node.get("odds")),
            values_of(node.get("mean")),
            expect if "evaluate" in node else None,
            title,
            tuple([row for row in joint.items if isinstance(row, Mapping)]) if isinstance(joint, Sequence) else (),
        )
        grid = node.get("each")
        if isinstance(grid, Mapping):
            yield from _cells(plain, grid)
        else:
            yield plain


def _cells(case: Case, grid: Mapping) -> Iterator[Case]:
    names_node, rows = grid.get("given"), grid.get("rows")
    names = (
        [one.text for one in names_node.items if isinstance(one, Scalar)] if isinstance(names_node, Sequence) else []
    )
    aims = {key: node.text for key in ("expect", "odds", "mean") if isinstance(node := grid.get(key), Scalar)}
    stack: list[tuple[Node | None, list[Scalar]]] = [(rows, [])]
    while stack:
        node, keys = stack.pop()
        if len(keys) < len(names) and isinstance(node, Mapping):
            stack += [(entry.value, [*keys, entry.key]) for entry in reversed(node.entries)]
            continue
        if node is None or len(keys) < len(names):
            continue
        label = ", ".join(f"{name} {key.text}" for name, key in zip(names, keys, strict=True))
        given = {**case.given, **{name: _as_value(key) for name, key in zip(names, keys, strict=True)}}
        cell = replace(case, name=f"{case.name} ({label})", span=node.span, given=given)
        if "evaluate" in case.node:
            yield replace(cell, value=node)
        elif aims:
            (kind, aim), *_ = aims.items()
            extra = {"expect": case.expect, "odds": case.odds, "mean": case.mean}
            yield replace(cell, **{kind: {**extra[kind], aim: node}})  # type: ignore[arg-type]
        else:
            yield replace(cell, expect={**case.expect, **values_of(node)})


def _as_value(key: Scalar) -> Scalar:
    return Scalar(key.text, key.span, key.style)


class Trial:
    """Runs cases against a game; games with other options are made once. Without `odds`, stated odds are skipped."""

    def __init__(self, game: Game, odds: bool = True) -> None:
        self.game = game
        self.odds = odds
        self.reach = Reach(game.program)
        self._games: dict[str, Game] = {}

    @metered
    def run(self, case: Case) -> Verdict:
        """Play or evaluate one case and compare."""
        try:
            game = self._game_of(case)
            if "evaluate" in case.node:
                return self._evaluate(game, case)
            if case.states_odds:
                return self._verdict_on_odds(game, case)
            if case.subject is None and "ends" in case.node:
                return self._verdict_on_end_of_span(game, case)
            if case.subject is None and "before" in case.node:
                return self._verdict_on_state(game, case)
            return self._play(game, case)
        except (PlayError, BudgetExceeded) as error:
            return Verdict(case, self._unexpected_problems(case, error))

    def _game_of(self, case: Case) -> Game:
        options = case.node.get("options")
        if not isinstance(options, Mapping):
            return self.game
        key = options.span.text
        if key not in self._games:
            self._games[key] = Game(self.game.program, self.game.world, values_of(options))
        return self._games[key]

    def _unexpected_problems(self, case: Case, error: HouseruleError) -> tuple[Diagnostic, ...]:
        return tuple([say.case_failed(_place(case, problem), case.name, problem) for problem in error.diagnostics])

    # Playing

    def setting(self, case: Case) -> Setting:
        """What a case plays: the game under its options, the state before it, and the inputs of its rule.

        Raises PlayError where the state cannot be made.
        """
        game = self._game_of(case)
        return Setting(game, case.subject or "", self._state_before(game, case)[0], case.inputs)

    def result(self, case: Case) -> Result:
        """What comes of a case with its faces and its answers. Raises PlayError where it cannot be played."""
        at = self.setting(case)
        return _play_case(at.game, case.node, at.rule, at.state, at.inputs, case.text("policy"))

    def _play(self, game: Game, case: Case) -> Verdict:
        mechanic = case.subject
        if mechanic is None:
            return Verdict(case, (say.no_subject(case.span),))
        error = case.node.get("error")
        if not case.expect and error is None and "after" not in case.node:
            return Verdict(case, (say.nothing_expected(case.span),))
        try:
            state, paths = self._state_before(game, case)
            result = _play_case(game, case.node, mechanic, state, case.inputs, case.text("policy"))
        except PlayError as problem:
            return self._verdict_on_problem(case, problem, game)
        if error is not None:
            return Verdict(case, (_no_error(case, error),))
        rule, kind = game.rule(mechanic), game.type_of(mechanic, case.text("phase") if "scene" in case.node else None)
        got = {**result.values, **result.also, "outcome": result.outcome}
        state = result.state
        left = result.state if result.over is None else add_scene(result.state or EMPTY, result.over)
        failures = (*self._compare(game, case, kind, got, state), *self._differences_after(game, case, left, paths))
        paths |= {rule.path, *(one.path for one in rule.inputs if result.inputs.get(one.name) is not None)}
        paths |= {f"options.{name}" for name in values_of(case.node.get("options"))} | declarations_used(
            game, rule, case.inputs
        )
        return Verdict(case, failures, frozenset(self.reach.paths_reached(result.events, paths)))

    def _state_before(self, game: Game, case: Case) -> tuple[State | None, set[str]]:
        """The state before a case, and the paths of the declarations it uses; None for a ruleset without kinds."""
        if not game.program.has_state:
            return None, set()
        state, used = game.state_of(_things_before(case.node))
        first = case.node.get("first")
        for one in items_of(first):
            if isinstance(one, Mapping):
                state = self._state_after_rule(game, one, state)
        return state, used

    def _state_after_rule(self, game: Game, node: Mapping, state: State) -> State:
        """The state after a rule that a case plays first."""
        subject = _subject(node)
        if subject is not None:
            given = _inputs(node, values_of(node.get("given")))
            return _play_case(game, node, subject, state, given, None).state or state
        span = _text_at(node, "ends")
        if span is None:
            return state
        choices = values_of(node.get("choices"))
        return game.ends(state, span, _text_at(node, "actor"), faces=_faces(node), choices=choices)

    def _verdict_on_state(self, game: Game, case: Case) -> Verdict:
        """A case in which things are only written: what they come to, or why they cannot be as they are."""
        error = case.node.get("error")
        if error is None and "after" not in case.node:
            return Verdict(case, (say.nothing_expected(case.span),))
        try:
            state, used = self._state_before(game, case)
        except PlayError as problem:
            return self._verdict_on_problem(case, problem, game)
        if error is not None:
            return Verdict(case, (_no_error(case, error),))
        failures = tuple(self._differences_after(game, case, state, used))
        return Verdict(case, failures, frozenset(self.reach.paths_reached((), used)))

    def _verdict_on_end_of_span(self, game: Game, case: Case) -> Verdict:
        """A case in which only a span ends."""
        state, used = self._state_before(game, case)
        if state is None or "after" not in case.node:
            return Verdict(case, (say.nothing_expected(case.span),))
        choices = values_of(case.node.get("choices"))
        span, actor = case.text("ends") or "", case.text("actor")
        ended, trace = game.ending(state, span, actor, faces=_faces(case.node), choices=choices)
        failures = tuple(self._differences_after(game, case, ended, used))
        return Verdict(case, failures, frozenset(self.reach.paths_reached(trace.events, used)))

    def _differences_after(self, game: Game, case: Case, state: State | None, used: set[str]) -> Iterator[Diagnostic]:
        """The differences from the `after` of a case; adds the paths of what it reads to `used`."""
        for key, node in values_of(case.node.get("after")).items():
            whole = not isinstance(node, Mapping) or self._is_by_word(game, state, key)
            for name, expected in ({"": node} if whole else values_of(node)).items():
                text = f"{key}.{name}" if name else key
                try:
                    kind, value, refs = game.evaluate_with_type(state or EMPTY, text)
                except PlayError as problem:
                    yield say.case_failed(expected.span, case.name, problem.diagnostic)
                    continue
                used |= refs
                if isinstance(t.without_maybe(kind), t.Map) and isinstance(expected, Mapping):
                    value = {word: of for word, of in value.items() if word in expected}  # the others are not asked for
                yield from differences(game, case.name, text, kind, expected, value, state)

    @staticmethod
    def _is_by_word(game: Game, state: State | None, text: str) -> bool:
        """Whether an expression is a value for each word."""
        try:
            kind, _, _ = game.evaluate_with_type(state or EMPTY, text)
        except PlayError:
            return False
        return isinstance(t.without_maybe(kind), t.Map)

    def _verdict_on_problem(self, case: Case, found: PlayError, game: Game) -> Verdict:
        error = case.node.get("error")
        if error is None:
            return Verdict(case, self._unexpected_problems(case, found))
        if _is_expected(found.diagnostics, error):
            reached = [path for problem in found.diagnostics for path in _paths_of_problem(game, case.subject, problem)]
            named = [one for path in reached for one in self.reach.uses.get(path, (path,))]
            given = {f"options.{name}" for name in values_of(case.node.get("options"))}
            return Verdict(case, (), frozenset({*named, *given}))
        got = "; ".join([f"{problem.code} {problem.message}" for problem in found.diagnostics])
        return Verdict(case, (say.case_differs(error.span, case.name, "error", _expected_in_words(error), got),))

    def _compare(
        self, game: Game, case: Case, of: t.Record, got: Names[str, Any], state: State | None
    ) -> Iterator[Diagnostic]:
        for key, node in case.expect.items():
            kind: t.Type | None = of
            value: Any = got
            for part in key.split("."):
                present = t.without_maybe(kind) if kind is not None else None
                known = dict(present.fields) if isinstance(present, t.Record) else {}
                if part not in known:
                    yield say.no_such_value(node.span, part, known)
                    return
                kind, value = known[part], value.get(part) if value is not None else None
            assert kind is not None
            yield from differences(game, case.name, key, kind, node, value, state)

    # Evaluating

    def _evaluate(self, game: Game, case: Case) -> Verdict:
        expression = case.node.get("evaluate")
        error = case.node.get("error")
        assert expression is not None
        reader = game.reader()
        try:
            names = self._names(game, case, expression)
            checked = reader.check_expression(expression, None, {name: kind for name, (kind, _) in names.items()})
            value = game.closures.of(checked)(new_frame(**{name: value for name, (_, value) in names.items()}))
        except PlayError as problem:
            if error is not None and _is_expected(problem.diagnostics, error):
                return Verdict(
                    case, (), frozenset(self.reach.closure({*reader.used, f"tables.{problem.diagnostic.about}"}))
                )
            return Verdict(case, self._unexpected_problems(case, problem))
        chosen = {f"options.{name}" for name in values_of(case.node.get("options"))}
        reached = self.reach.closure(reader.used | checked.refs | chosen)
        if error is not None:
            return Verdict(case, (_no_error(case, error),))
        if case.value is None:
            return Verdict(case, (say.nothing_expected(case.span),))
        return Verdict(case, tuple(differences(game, case.name, "value", checked.type, case.value, value)), reached)

    def _names(self, game: Game, case: Case, expression: Node) -> dict[str, tuple[t.Type, Any]]:
        """The given names of an expression, each of the type that its use in the expression needs."""
        wanted = wanted_types(game.program, expression) if isinstance(expression, Scalar) else {}
        reader = game.reader()
        known = {}
        for name, node in fold_dotted_keys(case.given).items():
            kind = wanted.get(name) or guess_type(reader, node)
            known[name] = (kind, reader.value(node, kind, name))
        return known

    # Odds

    def _verdict_on_odds(self, game: Game, case: Case) -> Verdict:
        if not self.odds:
            return Verdict(case, (), frozenset(), say.odds_left_open(case.span, case.name))
        mechanic = case.subject or ""
        rule = game.rule(mechanic)
        state, _ = self._state_before(game, case)
        odds = game.odds(
            mechanic,
            state=state,
            inputs=case.inputs,
            choices=values_of(case.node.get("choices")),
            policy=case.text("policy"),
            best=goals_of(case.node.get("best")),
            worst=goals_of(case.node.get("worst")),
        )
        conditions = {key: _condition_values(node) for key, node in values_of(case.node.get("when")).items()}
        odds = odds.when(conditions) if conditions else odds
        failures = []
        known, kinds = names_with_chances(rule), game.type_of(mechanic)

        def check_odds(what: str, node: Node, name: str, read: Callable[[Law], Interval]) -> list[Diagnostic]:
            return _check_probability(
                case, what, node, partial(settle_interval, odds, lambda law_of: read(law_of(name)))
            )

        try:
            for key, node in case.odds.items():
                if key in known and not _is_about_yes_and_no(node):
                    name, value = reading_of(rule, key) or (key, True)
                    failures += check_odds(f"P({key})", node, name, partial(chance_of, value=value))
                elif isinstance(node, Mapping) and key.partition(".")[0] in odds.known:
                    by_word = {"none": None}  # unless it is a word of the ruleset
                    by_word |= {in_words(value): value for value in odds.of(key)}
                    for entry in node.entries:
                        word = entry.key.text
                        value = by_word.get(word, int(word) if parse_whole_number(word) is not None else word)
                        failures += check_odds(f"P({key} {word})", entry.value, key, partial(chance_of, value=value))
                else:
                    failures.append(say.no_such_value(node.span, key, known))
            for row in case.joint:
                tests = {key: _condition_values(node) for key, node in values_of(row).items() if key != JOINT_CHANCE}
                what = ", ".join(f"{key} {' or '.join(map(in_words, values))}" for key, values in tests.items())
                find = partial(settle_interval, odds, partial(joint_chance_of, values_of=tests))
                failures += _check_probability(case, f"P({what})", row.by_key[JOINT_CHANCE].value, find)
            for key, node in case.mean.items():
                kind = _type_at(kinds, key)
                failures += check_odds(f"mean of {key}", node, key, partial(mean_of, name=key, kind=kind))
        except PlayError as problem:
            if problem.diagnostic.code in ("HR631", *say.TOO_LARGE):
                return Verdict(case, (), frozenset(), say.odds_left_open(case.span, case.name, problem.diagnostic))
            raise
        return Verdict(case, tuple(failures))


def goals_of(node: Node | None) -> Goals | None:
    """What decisions are made for, or what by whom."""
    if isinstance(node, Mapping):
        return {entry.key.text: _preferred_names(entry.value) for entry in node.entries}
    return _preferred_names(node) if node is not None else None


def _preferred_names(node: Node) -> tuple[str, ...]:
    """A name, or several in the order of preference."""
    return tuple([one.text for one in items_of(node) or (node,) if isinstance(one, Scalar)])


def _condition_values(node: Node) -> list[Any]:
    """The values that a name has in the runs that a case is about."""
    items = node.items if isinstance(node, Sequence) else (node,)
    texts = [item.text for item in items if isinstance(item, Scalar)]
    return [number if (number := parse_whole_number(text)) is not None else text for text in texts]


def _play_case(
    game: Game, node: Mapping, subject: str, state: State | None, given: Names[str, Node], policy: str | None
) -> Result:
    """The result of a rule with the faces and the answers of a case; of a scene or a part of one.

    If a span ends after it, the faces and the answers are also those of the events that this causes.
    """
    faces, choices, ends = _faces(node), values_of(node.get("choices")), _text_at(node, "ends")
    if subject.startswith("scenes."):
        part = _part(node)
        return game.play(
            subject, **part, state=state, ends=ends, inputs=given, faces=faces, choices=choices, policy=policy
        )
    return game.roll(subject, state=state, ends=ends, inputs=given, faces=faces, choices=choices, policy=policy)


REFUSALS = ("HR651", "HR653", "HR654", "HR655", "HR656", "HR657")
"""The codes of what a rule refuses as it should: something costs too much, or is full, or not allowed now."""


def _place(case: Case, problem: Diagnostic) -> Span:
    """The place in a case that a problem of its run is about: a value, the faces or an answer."""
    if problem.path == case.span.source.name and problem.code not in REFUSALS:
        return problem.span
    faces = case.node.get("faces")
    if problem.code in ("HR610", "HR611", "HR612") and faces is not None:
        return faces.span
    for key in ("choices", "given", "before", "options", "mean", "best", "worst"):
        for name, node in values_of(case.node.get(key)).items():
            about = problem.about or ""
            if about and (about == name or about.endswith(f".{name}") or about.startswith(f"{name}.")):
                return node.span
    return case.span


def _names_of(problem: Diagnostic) -> tuple[str, ...]:
    """The names by which a case may expect an error: its code, its message, its subject (also in short)."""
    about = problem.about or ""
    short = about.rsplit(".", 1)[-1]
    return (problem.code, problem.message, *((about, short, short.partition("(")[0]) if about else ()))


def _is_expected(problems: list[Diagnostic], error: Node) -> bool:
    """Whether a case expects exactly these problems: each has one of its names, and each name is that of one."""
    expected = {one.text for one in scalars(error)}
    names = [expected.intersection(_names_of(one)) for one in problems]
    return all(names) and expected == set().union(*names)


def _expected_in_words(error: Node) -> str:
    return ", ".join([f"`{one.text}`" for one in scalars(error)])


def _no_error(case: Case, error: Node) -> Diagnostic:
    return say.no_error(error.span, case.name, _expected_in_words(error))


def _paths_of_problem(game: Game, subject: str | None, problem: Diagnostic) -> set[str]:
    """The paths of what a problem shows to be checked: of the rule that a case plays, or of the kinds of its things."""
    names, about = _names_of(problem), problem.about
    reached = {one.path for kind in game.program.kinds.values() for one in kind.requires if one.name in names}
    if subject is None:
        return reached
    path = game.rule(subject).path
    reached |= {path, *(f"{path}.{what}.{about}" for what in ("requires", "inputs", "cost"))}
    reached |= {f"{path}.actor", f"{path}.at_most", f"tables.{about}"}
    action = game.program.actions.get(subject.removeprefix("actions.")) if path.startswith("actions.") else None
    return reached | {cost.path for cost in (action.costs if action is not None else ()) if cost.name in names}


def _type_at(kind: t.Type, key: str) -> t.Type:
    """The type of a field of a record, by a dot of one inside it."""
    for part in key.split("."):
        record = t.without_maybe(kind)
        kind = (record.field(part) if isinstance(record, t.Record) else None) or t.ANYTHING
    return t.without_maybe(kind)


def settle_interval(
    odds: Odds, read: Callable[[Callable[..., Law]], Interval], stated: Fraction, slack: Fraction | int = 0
) -> Interval:
    """The interval that `read` finds in laws, which it asks for by names, for a number that is `stated` within `slack`.

    If the missing part leaves the comparison open, chains are followed as far as possible.
    """
    interval = read(odds.law)
    return interval if interval.compare_with(stated, slack) != "open" else read(odds.farthest)


def _is_about_yes_and_no(node: Node) -> bool:
    """Whether odds are stated for `yes` and `no`."""
    return isinstance(node, Mapping) and bool(node.entries) and set(node.by_key) <= {"yes", "no"}


def _check_probability(
    case: Case, what: str, node: Node, find: Callable[[Fraction, Fraction], Interval]
) -> list[Diagnostic]:
    """The problem of a stated number that differs from `find` whatever the missing part is; None without one."""
    slack = Fraction(0)
    text = node.text if isinstance(node, Scalar) else " ".join(node.span.text.split())
    if isinstance(node, Mapping) and isinstance(about := node.get("about"), Scalar):
        text = about.text
        slack = Fraction(1, 2 * 10 ** len(text.partition(".")[2]))
    stated = parse_share(text)
    if stated is None:
        return [say.not_that_type(node.span, what, "a fraction", text, "write `5/18`, or `about: 0.2778`")]
    interval = find(stated, slack)
    match interval.compare_with(stated, slack):
        case "holds":
            return []
        case "fails":
            return [say.case_differs(node.span, case.name, what, text, str(interval), _edit_of_number(node, interval))]
        case "open":
            return [say.case_not_settled(node.span, case.name, what, text, str(interval), interval.missing)]


def _edit_of_number(node: Node, interval: Interval) -> tuple[tuple[Span, str], ...]:
    """The edit that states a number as it is, with as many digits as before; none where it is known only by bounds."""
    if interval.low != interval.high:
        return ()
    if isinstance(node, Mapping) and isinstance(about := node.get("about"), Scalar):
        return ((about.span, f"{float(interval.low):.{len(about.text.partition('.')[2])}f}"),)
    return ((node.span, str(interval)),) if isinstance(node, Scalar) else ()


def declarations_used(game: Game, rule: ir.Mechanic, given: Names[str, Node]) -> set[str]:
    """The paths of the declarations that the inputs of a rule use."""
    reader = game.reader()
    with suppress(PlayError):  # the things of a case are unknown without its state
        reader.mechanic_inputs(rule, {name: node for name, node in given.items() if name != "actor"})
    return reader.used
