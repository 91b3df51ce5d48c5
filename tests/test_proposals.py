"""What a message proposes is tried by the checker before it is told: it loads, and says what the author meant."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from interpreter import pipeline
from interpreter.diagnostics import Diagnostic, Problems
from interpreter.diagnostics.edits import apply_edits
from interpreter.diagnostics.source import Source, Span
from interpreter.syntax.document import Mapping, Node, Sequence, parse

RULESET = """\
ruleset: meant
comparators: {beats: more than}
names: {mood: [calm, angry, sad]}
kinds: {guard: {has: {temper: {type: mood, default: calm}}}}
mechanics:
  meet:
    inputs:
      skill: {type: number, from: 0, to: 5}
      need:  {type: number}
      brave: {type: yes_no}
      foul:  {type: mood}
      who:   {type: guard}
      other: {type: guard}
    steps:
      rolled: {roll: 2d6}
      die:    {roll: d6}
      total:  sum(rolled) + skill
    outcomes:
      good: CONDITION
      bad:  otherwise
"""

CONDITIONS = {
    # Comparisons in words; what is denied stays denied
    "total less than 7": "total < 7",
    "total less then 7": "total < 7",
    "total is at least 8": "total >= 8",
    "total not at least 8": "total < 8",
    "total is not less than 8": "total >= 8",
    "total isnt less than 8": "total >= 8",
    "total is not above 8": "total <= 8",
    "total never more than 8": "total <= 8",
    "total is not greater than or equal to 8": "total < 8",
    "total is not less than or equal to 8": "total > 8",
    "not total less than 8": "not total < 8",
    "total reaches need": "total >= need",
    "total 7 to 9": "7 <= total <= 9",
    "total not 7 to 9": "not 7 <= total <= 9",
    "total is not between 7 and 9": "not 7 <= total <= 9",
    "total 10 or more": "total >= 10",
    "total equals need": "total == need",
    "total isnt 7": "total != 7",
    "total does not equal 7": "total != 7",
    # The sign for words and things is not the sign for numbers
    "total is 7": "total == 7",
    "total is not 7": "total != 7",
    "brave is yes": "brave == yes",
    "brave isnt yes": "brave != yes",
    "foul == calm": "foul is calm",
    "foul != calm": "foul is not calm",
    "foul <> calm": "foul is not calm",
    "foul isnt calm": "foul is not calm",
    "foul equals calm": "foul is calm",
    "foul = calm": "foul is calm",
    "who = other": "who is other",
    "who.temper = calm and total >= 7": "who.temper is calm and total >= 7",
    "foul is equal to calm": "foul is calm",
    "foul is not equal to calm": "foul is not calm",
    "foul does not equal calm": "foul is not calm",
    "who == other": "who is other",
    "who != other": "who is not other",
    "who.temper != calm": "who.temper is not calm",
    # Conditions put together
    "brave & total >= 7": "brave and total >= 7",
    "total >= 7 & brave": "total >= 7 and brave",
    "total >= 7 & skill < 2": "total >= 7 and skill < 2",
    "foul isnt calm && total at least 7": "foul is not calm and total >= 7",
    "if total >= 7": "total >= 7",
    "total >= 7 ? brave : no": "brave if total >= 7 else no",
    "if total >= 7: brave else: no": "brave if total >= 7 else no",
    # Numbers
    "total >= 7 or more": "total >= 7",
    "total > 0.5 * need": "total > need / 2",
    "total > need * 1,5": "total > 3 * need / 2",
    "else": "otherwise",
}

TOLD = {
    # Nothing is written for the author where a bracket may need quotes
    "foul is either calm or sad": "foul in [calm, sad]",
    "foul is neither calm nor sad": "foul not in [calm, sad]",
    "total is odd": "odd(total)",
    "total is not even": "not even(total)",
    "foul is calm or sad": "foul in [calm, sad]",
    # What could be another thing in another game, or another thing of this one
    "total is not high": "not total == 7",
    "need = nothing": "need == 0",
    "total better than 7": "total > 7",
    "total is no worse than 7": "total >= 7",
    "total == 7 or 8": "total in [7, 8]",
}

DICE = {
    "2d 6": "2d6",
    "d 6": "d6",
    "2D6": "2d6",
    "2 d6": "2d6",
    "two d6": "2d6",
    "2w6": "2d6",
    "roll 2d6": "2d6",
    "dice d6": "d6",
    "2 x d6": "2d6",
    "d6 x 2": "2d6",
    "skill d6": "(skill)d6",
}


def errors(text: str) -> list[Diagnostic]:
    return pipeline.from_text(Source.of("meant.yaml", text)).problems.errors


def mended(text: str) -> str:
    """A text with what its messages propose, until there are no more; each message must be the only one."""
    for _ in range(3):
        found = errors(text)
        if not found:
            return text
        assert len(found) == 1, [str(one) for one in found]
        assert found[0].edits, str(found[0])
        text = apply_edits(found[0].span.source, found[0].edits)
    raise AssertionError(str(errors(text)[0]))


@pytest.mark.parametrize("slip", CONDITIONS)
def test_a_condition_in_other_words_keeps_its_meaning(slip: str) -> None:
    right = RULESET.replace("CONDITION", CONDITIONS[slip])
    if slip == "else":
        right = right.replace("      bad:  otherwise\n", "")
    assert errors(right) == []
    wrong = right.replace(CONDITIONS[slip], slip)
    assert mended(wrong) == right
    if "<>" not in slip:
        (said,) = errors(wrong)
        assert CONDITIONS[slip] in (said.help or "") or said.edits[0][1] in (said.help or "")


@pytest.mark.parametrize("slip", TOLD)
def test_what_is_told_loads(slip: str) -> None:
    (said,) = errors(RULESET.replace("CONDITION", slip))
    assert said.help == f"write `{TOLD[slip]}`" and not said.edits
    assert errors(RULESET.replace("CONDITION", TOLD[slip])) == []


@pytest.mark.parametrize("slip", DICE)
def test_dice_in_other_words_are_the_same_dice(slip: str) -> None:
    right, wrong = (
        RULESET.replace("CONDITION", "total > 7").replace("rolled: {roll: 2d6}", f"rolled: {{roll: {dice}}}")
        for dice in (DICE[slip], slip)
    )
    assert mended(wrong) == right


NOT_PROPOSED = ["who < other", "who >= other", "who at least other", "no more than 7", "first guard",
                "on 10 or more", "total is calm"]  # fmt: skip


@pytest.mark.parametrize("slip", NOT_PROPOSED)
def test_what_would_not_load_is_not_proposed(slip: str) -> None:
    (said,) = errors(RULESET.replace("CONDITION", slip))
    assert not said.edits


SECOND_MISTAKES = {
    # The name that is meant stands beside it already
    "case-of-things-2", "dangling-reference-9", "meant-key-1", "misspelt-name-9",
    # The value fits only the wrong name
    "bad-dice-7", "list-trap-1", "meant-key-5", "misspelt-attribute-4", "misspelt-name-7", "unknown-variable-3",
    # What is read is no expression either
    "bare-sign-3", "bare-sign-4", "equals-nothing-1", "single-equals-4",
}  # fmt: skip
"""Files in which another mistake comes to light where the first is mended."""


def _proposes(one: Diagnostic) -> tuple[tuple[Span, str], ...]:
    return one.edits or one.proposed


def test_what_is_proposed_removes_the_mistake() -> None:
    """With all that the messages of a rejected file propose, none of these messages is left where it was."""
    proposed, bad = 0, []
    for path in sorted((Path(__file__).parent / "rejected").glob("*.yaml")):
        text = path.read_text("utf-8")
        found = [one for one in errors(text) if _proposes(one) and one.span.source.name == "meant.yaml"]
        if not found:
            continue
        proposed += len(found)
        changed = apply_edits(found[0].span.source, [edit for one in found for edit in _proposes(one)])
        left = errors(changed)
        before = {(one.code, one.message) for one in errors(text)}
        new = [one for one in left if (one.code, one.message) not in before]
        bad += [f"{path.stem}: {one}" for one in new if path.stem not in SECOND_MISTAKES]
        same = {(one.code, one.message, one.line) for one in left}
        bad += [f"{path.stem}: {one}" for one in found if (one.code, one.message, one.line) in same]
    assert proposed >= 60
    assert not bad


EXAMPLES = {
    # How a function is called, with names that stand for any
    "expression-syntax-5", "other-function-1", "other-function-2", "other-function-3", "other-notation-1",
    "other-notation-2", "undeclared-words-1", "undeclared-words-3", "undeclared-words-4", "undeclared-words-5",
}  # fmt: skip
"""Files whose helps show a form, and not what should stand in the file."""
ELSEWHERE = {
    # What is written stands in another line, or several places change together
    "carried-on-4", "misspelt-word-7", "needs-it-2", "other-range-1", "other-range-3", "own-step-1", "own-step-2",
    "own-step-4", "role-of-a-call-4", "role-of-a-call-5", "shifted-line-4", "undeclared-words-2", "wrong-verb-1",
    "wrong-verb-4",
    # The file has another mistake, which comes to light then
    "case-of-things-3", "equals-nothing-1", "other-notation-5",
}  # fmt: skip
"""Files in which one of the helps takes more than one place to follow."""


def _places(node: Node) -> Iterator[Span]:
    """Every part of a tree that a help may mean: values, keys, and keys with their values."""
    yield node.span
    if isinstance(node, Mapping):
        for entry in node.entries:
            yield entry.key.span
            yield Span(entry.key.span.source, entry.key.span.start, max(entry.key.span.end, entry.value.span.end))
            yield from _places(entry.value)
    elif isinstance(node, Sequence):
        for item in node.items:
            yield from _places(item)


def _texts_with(text: str, problem: Diagnostic, written: str) -> Iterator[str]:
    """The texts in which somebody writes what a help says: in place of something that holds the place of the problem or
    stands in its line, or beside a key there."""
    span = problem.span.in_file
    line = text.rfind("\n", 0, span.start) + 1
    end = text.find("\n", span.start) % (len(text) + 1)
    tree = parse(Source.of("meant.yaml", text), Problems())
    places = [problem.span, *(_places(tree) if tree is not None else ())]
    for start, stop in dict.fromkeys((one.in_file.start, one.in_file.end) for one in places):
        if (start <= span.start and span.end <= stop) or (line <= start and stop <= end):
            yield text[:start] + written + text[stop:]
            yield f"{text[:stop]}, {written}{text[stop:]}"
            yield f"{text[:start]}{written}, {text[start:]}"
            yield f'{text[:start]}"{written}"{text[stop:]}'


def test_what_a_help_says_to_write_can_be_written() -> None:
    """Of each help of a rejected file that names a text, there is a place where that text mends the mistake."""
    tried, bad = 0, []
    for path in sorted((Path(__file__).parent / "rejected").glob("*.yaml")):
        text = path.read_text("utf-8")
        for one in errors(text) if path.stem not in EXAMPLES | ELSEWHERE else ():
            named = re.findall(r"\bwrite `([^`…]+)`", one.help or "")
            if not named or _proposes(one):
                continue
            tried += 1
            if not any(_mends(text, changed, one) for word in named for changed in _texts_with(text, one, word)):
                bad.append(f"{path.stem}: {one} ({one.help})")
    assert tried >= 90
    assert not bad


def _mends(text: str, changed: str, problem: Diagnostic) -> bool:
    before, after = (Counter(one.code for one in errors(each)) for each in (text, changed))
    return after[problem.code] < before[problem.code] and not after - before
