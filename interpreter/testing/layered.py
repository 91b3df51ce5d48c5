"""The cases of a ruleset below a house rule: which of them may come out otherwise, and which have to.

A house rule lists names of cases under `differs`, or paths of rules: a path stands for all cases of the base that play
the rule, directly or through calls.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator
from dataclasses import field, replace
from functools import cached_property

from interpreter import diagnostics as say
from interpreter import ir
from interpreter.diagnostics import Diagnostic, PlayError
from interpreter.diagnostics.source import Span
from interpreter.frozen import dataclass
from interpreter.ir.uses import RULES, paths_reached_from, uses_in_play
from interpreter.layers.merge import Merged
from interpreter.syntax.document import Scalar
from interpreter.syntax.expression_parser import parse
from interpreter.testing.cases import Case, Verdict


@dataclass(frozen=True)
class Standing:
    """What is listed under `differs`, and the cases of the base that it stands for."""

    listed: str
    is_path: bool
    differ: tuple[Case, ...]
    hold: tuple[Case, ...]


@dataclass(frozen=True)
class LayeredCases:
    """The cases of a `program` under layers, `laid`. `cases` are all cases of the ruleset, run or not.

    `holds_below` says whether a case of the base holds in the ruleset below the last layer.
    """

    laid: Merged
    cases: tuple[Case, ...]
    program: ir.Program
    holds_below: Callable[[Case], bool] = lambda case: True
    _played: dict[tuple[frozenset[str], str], frozenset[str]] = field(default_factory=dict)
    _meant: dict[str, list[Case]] = field(default_factory=dict)

    # What cases play

    def is_of_base(self, case: Case) -> bool:
        """Whether a case stands below the layers."""
        return case.span.source.name in self._rulesets_of_lower_files

    def rules_played_by(self, case: Case) -> frozenset[str]:
        """The paths of the rules that a case plays or reads, directly or through calls."""
        key = (frozenset(case.paths), case.text("evaluate") or "")
        if key not in self._played:
            self._played[key] = paths_reached_from({*key[0], *self._functions_and_tables_called(case)}, self._uses)
        return self._played[key]

    def rule_of(self, case: Case) -> str | None:
        """The path of what a case is about; None for one in which only a span ends, or no rule is read."""
        if case.subject is not None:
            return case.subject if "." in case.subject else f"mechanics.{case.subject}"
        return next(iter(self._functions_and_tables_called(case)), None)

    def _functions_and_tables_called(self, case: Case) -> list[str]:
        """The functions and tables that the expression of a case calls."""
        expression = case.node.get("evaluate")
        try:
            tree = parse(expression, self.program.comparators.keys()) if isinstance(expression, Scalar) else None
        except PlayError:
            tree = None
        calls = [one.func for one in ast.walk(tree) if isinstance(one, ast.Call)] if tree is not None else []
        names = [one.id for one in calls if isinstance(one, ast.Name)]
        paths = [f"{section}.{name}" for name in names for section in ("functions", "tables")]
        return [path for path in paths if path in self._uses]

    @cached_property
    def _uses(self) -> dict[str, set[str]]:
        return uses_in_play(self.program)

    # What is listed

    @cached_property
    def listed_titles(self) -> dict[str, Scalar]:
        """What the last layer lists under `differs`: the lists of lower layers apply to those layers alone."""
        return {item.text: item for item in (self.laid.layers[-1].differs if self.laid.layers else ())}

    def is_path(self, title: str) -> bool:
        """Whether what is listed is the path of a rule, and not the name of a case."""
        section, _, name = title.partition(".")
        return section in RULES and name.isidentifier() and title not in self._titles

    def cases_meant(self, title: str) -> list[Case]:
        """The cases of the base that a name or a path stands for."""
        if title not in self._meant:
            self._meant[title] = [one for one in self._base_cases if self._stands_for(title, one)]
        return self._meant[title]

    def _stands_for(self, title: str, case: Case) -> bool:
        return (
            self._new_names.get(title, title) in self.rules_played_by(case)
            if self.is_path(title)
            else case.title == title
        )

    @cached_property
    def _new_names(self) -> dict[str, str]:
        """The paths that layers rename, with the names that they have now, which cases of the base have too."""
        changes = [one.change for one in self.laid.applied if one.change.verb == "rename"]
        now = {one.name: one.value.text for one in changes if isinstance(one.value, Scalar) and len(one.path) == 2}
        return {path: f"{path.partition('.')[0]}.{name}" for path, name in now.items()}

    def listing(self, title: str) -> Case:
        """What is listed, as a case without anything to play."""
        return Case(title, self.listed_titles[title].span, (), self.laid.root, {}, {}, {}, {})

    def problem(self, title: str, fails: bool) -> Verdict | None:
        """What is wrong with what is listed, if anything is; `fails` if one of the cases that it stands for does."""
        span, cases = self.listed_titles[title].span, self.cases_meant(title)
        if self.is_path(title) and not cases:
            known = {path for path in self._uses if path.partition(".")[0] in RULES}
            wrong = say.no_such_rule_to_differ(span, title, self._paths_of_base, known)
        elif self.is_path(title) and not self._changes & paths_reached_from({title}, self._uses):
            wrong = say.nothing_changed_there(span, title)
        elif fails:
            return None
        elif self.is_path(title):
            wrong = say.all_listed_cases_hold(span, title, len(cases))
        elif cases:
            wrong = say.listed_case_still_holds(span, title)
        else:
            wrong = say.no_such_case(span, title, self._titles, self._titles_of_own_cases)
        return Verdict(self.listing(title), (wrong,))

    @cached_property
    def _changes(self) -> frozenset[str]:
        """The declarations that the last layer changes; what has no path of its own may change all."""
        paths = {".".join(one.path[:2]) for one in (self.laid.layers[-1].changes if self.laid.layers else ())}
        general = any(path.partition(".")[0] not in (*RULES, "options") for path in paths)
        return frozenset(paths | set(self._uses)) if general else frozenset(paths)

    # Verdicts

    def judge(self, one: Verdict) -> Verdict:
        """The verdict on a case: one of the base that fails passes if it is meant to differ, and is the layer's fault
        if it is not, unless it fails in the base as well."""
        base = self._rulesets_of_lower_files.get(one.case.span.source.name)
        if base is None or not one.failures:
            return one
        if self._is_meant(one.case):
            return replace(one, failures=(), bent=True)
        rule = self.rule_of(one.case)
        if not self.holds_below(one.case):
            return replace(one, failures=(), skipped=say.fails_below(one.case.span, one.case.name, base))
        if rule is not None and rule in self._rules_by_name:
            return replace(one, failures=(), bent=True, note=say.differs_too(one.case.span, one.case.name, rule))
        layer = self.laid.layers[-1].name if self.laid.layers else ""
        name = rule or one.case.title
        return replace(one, failures=tuple(say.case_bent_by_layer(f, layer, base, name) for f in one.failures))

    def _is_meant(self, case: Case) -> bool:
        """Whether a layer lists the case, or lists it misspelt, or a rule that it plays: one slip is one failure."""
        if case.title in self._names:
            return True
        above = (one for one in self.laid.layers if case.span.source not in one.sources)
        paths = [item.text for one in above for item in one.differs if self.is_path(item.text)]
        played = self._paths_of_base
        meant = [
            path if self.cases_meant(path) else say.nearest_name(path, played, sure=True) or path for path in paths
        ]
        return any(self._stands_for(path, case) for path in meant)

    @cached_property
    def _rules_by_name(self) -> set[str | None]:
        """The rules of which layers list cases by their names."""
        return {self.rule_of(one) for one in self._base_cases if one.title in self._names}

    @cached_property
    def _names(self) -> set[str]:
        """The names that layers list, and those that are meant by misspelt ones."""
        names = {item.text for one in self.laid.layers for item in one.differs}
        wrong = [title for title in self.listed_titles if title not in self._titles and not self.is_path(title)]
        return names | {say.nearest_name(title, self._titles, sure=True) or title for title in wrong}

    @cached_property
    def _rulesets_of_lower_files(self) -> dict[str, str]:
        """The name of the ruleset of each file below the last layer."""
        return {source.name: one.name for one in self.laid.below for source in one.sources}

    @cached_property
    def _base_cases(self) -> list[Case]:
        return [one for one in self.cases if self.is_of_base(one)]

    @cached_property
    def _paths_of_base(self) -> list[str]:
        """The paths of what the cases of the base play themselves."""
        return list(dict.fromkeys(path for one in self._base_cases if (path := self.rule_of(one)) is not None))

    @cached_property
    def _titles(self) -> set[str]:
        return {one.title for one in self._base_cases}

    @cached_property
    def _titles_of_own_cases(self) -> set[str]:
        return {one.title for one in self.cases} - self._titles

    # What may be listed

    def propose_entries(self, differing: Iterable[Case]) -> dict[str, list[Case]]:
        """The fewest entries of `differs` for cases of the base, each with the cases that it is for.

        Paths of rules that play something changed; of those that stand for equally many, the one that stands for the
        fewest others. A case without a rule is listed by its name.
        """
        left = list(differing)
        candidates = {path: set(map(id, self.cases_meant(path))) for path in self._candidates(left)}
        entries: dict[str, list[Case]] = {}
        while left:
            here = {id(one) for one in left}
            best = max(candidates, key=lambda path: (len(candidates[path] & here), -len(candidates[path])), default="")
            if not best or not candidates[best] & here:
                return entries | {one.title: [two for two in left if two.title == one.title] for one in left}
            entries[best] = [one for one in left if id(one) in candidates[best]]
            left = [one for one in left if id(one) not in candidates[best]]
        return entries

    def _candidates(self, differing: list[Case]) -> list[str]:
        """The paths of rules that cases play and that play something changed, those nearest to the cases first."""
        paths = dict.fromkeys(path for one in differing if (path := self.rule_of(one)) is not None)
        paths |= dict.fromkeys(path for one in differing for path in sorted(self.rules_played_by(one)))
        rules = [path for path in paths if path.partition(".")[0] in RULES and self.is_path(path)]
        return [path for path in rules if self._changes & paths_reached_from({path}, self._uses)]

    def change_behind(self, path: str) -> Span | None:
        """The place of the change that a rule plays first; the first change of the layer if none has its path."""
        changes = self.laid.layers[-1].changes if self.laid.layers else ()
        reached = paths_reached_from({path}, self._uses)
        return next((one.span for one in changes if ".".join(one.path[:2]) in reached), None) or next(
            (one.span for one in changes), None
        )


def gather_problems(verdicts: Iterable[Verdict], layered: LayeredCases | None) -> Iterator[Diagnostic]:
    """The failures and notes of verdicts, in their order; those of cases of the base are told once for what causes
    them, at the change of the layer, with a count of the others."""
    verdicts = list(verdicts)
    bent = [one for one in verdicts if one.failures and one.failures[0].code == say.BENT]
    for one in verdicts:
        if one not in bent:
            yield from one.failures
    if layered is not None and bent:
        layer, base = layered.laid.layers[-1].name, layered.laid.below[0].name
        by_case = {id(one.case): one for one in bent}
        for path, cases in layered.propose_entries(one.case for one in bent).items():
            first = by_case[id(cases[0])].failures[0]
            span = layered.change_behind(path) or first.span
            others = tuple(failure for case in cases for failure in by_case[id(case)].failures)[1:]
            yield say.cases_bent_by_layer(span, layer, base, path, [one.title for one in cases], first, others)
    noted: dict[str | None, list[Verdict]] = {}
    for one in verdicts:
        if one.note is not None and layered is not None:
            noted.setdefault(layered.rule_of(one.case), []).append(one)
    for rule, several in noted.items():
        assert layered is not None and rule is not None
        span = next((one.span for one in layered.listed_titles.values()), layered.laid.layers[-1].root.span)
        yield say.more_differ(span, rule, [one.case.title for one in several])


def judge_under_layers(verdicts: list[Verdict], merged: Merged, program: ir.Program) -> list[Verdict]:
    """The verdicts on a ruleset under layers: a failed case of the base is reported as a difference of the layer.

    It passes if a layer lists it under `differs`; what the last layer lists and what still holds is a failure. What is
    wrong with `differs` itself comes first; a failed case that it means, misspelt, is no second failure.
    """
    layered = LayeredCases(merged, tuple(one.case for one in verdicts), program)
    failing = {id(one.case) for one in verdicts if may_differ(one)}
    wrong = [
        layered.problem(it, any(id(one) in failing for one in layered.cases_meant(it))) for it in layered.listed_titles
    ]
    return [*filter(None, wrong), *map(layered.judge, verdicts)]


def may_differ(verdict: Verdict) -> bool:
    """Whether a case may come out otherwise than it states: it fails, or its odds are left open."""
    return bool(verdict.failures or verdict.skipped)
