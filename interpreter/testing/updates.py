"""What would make failing cases pass, as edits of the files: the values that came, and the entries of `differs`.

An edit keeps everything else of a file: comments, quotes and the order of its keys.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator

import yaml

from interpreter.diagnostics import BENT, CASE_DIFFERS
from interpreter.diagnostics.edits import Edit
from interpreter.diagnostics.source import Source, Span
from interpreter.layers.merge import RulesetFile
from interpreter.syntax.document import Sequence
from interpreter.testing.cases import Case, Verdict
from interpreter.testing.layered import LayeredCases


def edits_for(verdicts: Iterable[Verdict], layered: LayeredCases | None) -> dict[Source, list[Edit]]:
    """The edits of each file after which its failing cases pass; `layered` are the cases under layers, if any.

    Cases of the base that differ are listed by the rules that they play; names that such a rule stands for go.
    """
    edits: dict[Source, list[Edit]] = defaultdict(list)
    differing: list[Case] = []
    wrong: dict[str, str | None] = {}
    for verdict in verdicts:
        if verdict.note is not None:
            differing.append(verdict.case)
        for failure in verdict.failures:
            if failure.code == BENT and verdict.case not in differing:
                differing.append(verdict.case)
            elif failure.code in ("HR710", "HR711"):
                wrong[verdict.case.name] = failure.about
            for place, text in failure.edits if failure.code == CASE_DIFFERS else ():
                edits[place.source].append((place, text))
    if layered is not None and (differing or wrong):
        layer = layered.laid.layers[-1]
        added = list(layered.propose_entries(differing))
        stood_for = {one.title for path in added if layered.is_path(path) for one in layered.cases_meant(path)}
        wrong |= {title: None for title in layered.listed_titles if title in stood_for}
        edits[layer.sources[0]] += _differs_edits(
            layer, [one for one in added if one not in layered.listed_titles], wrong
        )
    return edits


def _differs_edits(layer: RulesetFile, added: list[str], wrong: dict[str, str | None]) -> Iterator[Edit]:
    """Edits of `differs`: `added` are names for it, `wrong` names in it, each with the one that is meant, if any."""
    source, listed = layer.sources[0], layer.root.get("differs")
    names = [*(wrong.get(item.text, item.text) for item in layer.differs), *added]
    kept = list(dict.fromkeys(name for name in names if name is not None))
    if not isinstance(listed, Sequence) or not layer.differs:
        before = next((one.key.span.start for one in layer.root.entries if one.key.text == "cases"), len(source.text))
        place = Span(source, before, before)
        new = "" if before == 0 or source.text[before - 1] == "\n" else "\n"
        yield place, new + "differs:\n" + "".join(f"  - {_yaml_name(name)}\n" for name in kept)
        return
    if source.text[listed.span.start] == "[":
        yield listed.span, f"[{', '.join(map(_yaml_name, kept))}]"
        return
    for item in layer.differs:
        meant = wrong.get(item.text, item.text)
        end = source.text.find("\n", item.span.end)
        line_end = end if end >= 0 else len(source.text)
        new = ""
        if item is layer.differs[-1]:
            indent = " " * (item.span.column - 3)
            new = "".join(f"\n{indent}- {_yaml_name(name)}" for name in added)
        if meant is None:
            yield Span(source, source.text.rfind("\n", 0, item.span.start), line_end), new
            continue
        if meant != item.text:
            yield item.span, _yaml_name(meant)
        yield Span(source, line_end, line_end), new


def _yaml_name(name: str) -> str:
    """A name as YAML writes it, in quotes only where it needs them."""
    written: str = yaml.safe_dump(name, width=float("inf"), allow_unicode=True)
    return written.removesuffix("\n").removesuffix("\n...")
