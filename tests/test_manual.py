"""`houserule explain WORD`: every word of the language is explained, with an example that loads."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from generated import constructs

from interpreter import bundled, cli, pipeline
from interpreter.diagnostics.source import Source
from interpreter.manual import examples, pages, reference, words
from interpreter.syntax import grammar


def test_the_words_are_those_of_the_grammar_and_of_formulas() -> None:
    used = {name for kind in ("verb", "function") for one in constructs.language()[kind] for name in one.split()[1:]}
    used |= {name for name in constructs.OPERATORS if re.fullmatch(r"[a-z_]+", name)} - {"chained", "list"}
    assert used | grammar.ALL_KEYS <= words.words()


@pytest.mark.parametrize("word", sorted(words.words()))
def test_a_word_is_explained(word: str) -> None:
    assert words.meanings(word) and all(meaning.about for meaning in words.meanings(word))
    assert words.sections_about(word)
    lines = reference.explained_word(word)
    assert lines[0].startswith(f"`{word}`, ")
    assert f"explain {word} --more" in " ".join(lines) or " " in word


@pytest.mark.parametrize("word", sorted(words.words()))
def test_the_example_of_a_word_loads(word: str) -> None:
    example = examples.example_of(word)
    assert re.search(rf"\b{word}\b", example)
    if any(line.startswith(tuple(f"{key}:" for key in examples.WHOLE[:4])) for line in example.splitlines()):
        assert any(example in text for section in pages.sections() for text in pages.examples(section))
        return  # a whole file beside others: `test_docs.py` loads it with them
    whole = example if example.startswith("ruleset:") else f"ruleset: example\n{example}"
    problems = pipeline.from_text(Source.of("example.yaml", whole)).problems
    assert [str(problem) for problem in problems.errors] == []


def test_an_example_is_short_where_the_manual_has_a_short_one() -> None:
    lengths = [examples.example_of(word).count("\n") for word in words.words()]
    assert sum(length <= 2 * examples.SHORT for length in lengths) > 0.9 * len(lengths)


def test_more_prints_the_sections_of_the_manual(capsys: pytest.CaptureFixture[str]) -> None:
    printed = run(capsys, "choose", "--more")
    assert "docs/language/choices.md, “choose”" in printed and "](" not in printed.replace("`", "")
    assert "Asks somebody" in printed


def test_an_unknown_word_gives_the_nearest(capsys: pytest.CaptureFixture[str]) -> None:
    printed = run(capsys, "chose")
    assert "there is no ruleset and no word of the language `chose`" in printed and "did you mean `choose`?" in printed


def test_a_ruleset_hides_a_word(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "roll"
    folder.mkdir()
    assert "`roll`, the verb of a roll" in run(capsys, "roll")  # a folder that is no ruleset
    (folder / "roll.yaml").write_text("ruleset: roll\nmechanics: {toss: {steps: {die: {roll: d6}}}}\n", "utf-8")
    printed = run(capsys, "roll")
    assert "toss" in printed and "`roll` is a word of the language, too" in printed


def test_the_manual_is_where_an_installed_package_looks() -> None:
    assert (bundled.manual() / "language" / "README.md").is_file()
    assert {section.page for section in pages.sections()} > {"language/things.md", "language/choices.md"}


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("sys.argv", ["houserule", "explain", *arguments])
        with pytest.raises(SystemExit):
            cli.main()
    out = capsys.readouterr()
    return out.out + out.err
