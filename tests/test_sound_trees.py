"""Trees of texts are kept while they are used, and take a bounded amount of memory."""

from __future__ import annotations

from interpreter.diagnostics.source import Source
from interpreter.syntax.document import USUAL, Mapping
from interpreter.syntax.sound_trees import KeptTrees, Key, sound_tree


def key_of(text: str) -> Key:
    return Source("sent.yaml", text), None, USUAL


def test_what_was_not_used_for_longest_goes_first() -> None:
    kept = KeptTrees()
    third = KeptTrees.MOST // 3
    first, second, *others = [key_of(letter * third) for letter in "abcd"]
    kept.keep(first, None)
    kept.keep(second, None)
    assert kept.get(first) == (None,)
    for one in others:
        kept.keep(one, None)
    assert kept.get(second) is None and kept.get(first) == kept.get(others[0]) == kept.get(others[1]) == (None,)


def test_very_many_small_texts_do_not_add_up() -> None:
    kept = KeptTrees()
    for number in range(10_000):
        kept.keep(key_of(str(number)), None)
    assert kept.size <= KeptTrees.MOST
    assert sum(kept.get(key_of(str(number))) is not None for number in range(10_000)) < 5_000


def test_a_text_that_was_read_before_has_the_same_tree() -> None:
    text = "ruleset: small\nmechanics: {m: {steps: {a: 1}}}\n"
    first = sound_tree(Source("small.yaml", text), "ruleset", USUAL)
    assert isinstance(first, Mapping) and sound_tree(Source("small.yaml", text), "ruleset", USUAL) is first
    assert sound_tree(Source("other.yaml", text), "ruleset", USUAL) is not first
    assert sound_tree(Source("small.yaml", text.replace("steps", "stops")), "ruleset", USUAL) is None
