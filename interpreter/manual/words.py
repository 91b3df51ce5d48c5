"""The words of the language, and what each of them means in its places."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from interpreter.diagnostics import EXPRESSION_WORDS, VALUE_WORDS
from interpreter.frozen import dataclass
from interpreter.manual.pages import Section, passages, sections
from interpreter.runtime import functions
from interpreter.syntax import shapes
from interpreter.syntax.fixed_words import BOUNDARIES, EVERYBODY
from interpreter.syntax.grammar import DECLARATION_TYPES, FORMS
from interpreter.syntax.verb_grammar import STEP_KEYS, VERBS


@dataclass(frozen=True, slots=True)
class Meaning:
    """What a word is in one of its places, and what it does there; of a verb, also the keys beside it."""

    role: str
    about: str
    beside: tuple[tuple[str, str], ...] = ()


@cache
def words() -> frozenset[str]:
    """Every word of the language."""
    forms = (*FORMS.values(), *VERBS.values())
    keys = {key for form in forms for key in form.keys}
    fixed = {word for form in forms for shape in form.keys.values() for word in _fixed_words(shape)}
    read = {word for passage in passages() if _is_about_expressions(passage.section) for word in passage.words}
    return frozenset(
        {*keys, *fixed, *functions.FUNCTIONS, *functions.FORMS, *EXPRESSION_WORDS, *VALUE_WORDS, *read}
        | {*DECLARATION_TYPES, *BOUNDARIES, EVERYBODY}
    )


def meanings(word: str) -> list[Meaning]:
    """What a word means, first as a verb; the same that is said of several forms once."""
    found = [
        *_verb_meanings(word),
        *_function_meanings(word),
        *_key_meanings(word),
        *_fixed_word_meanings(word),
        *_meanings_in_tables(word),
    ]
    return found or [Meaning("a word", passage.text) for passage in passages() if word in passage.words][:1]


def sections_about(word: str) -> list[Section]:
    """The sections of the manual that explain a word: first that with its name, then those that have a row for it."""
    named = [section for section in sections() if f"`{word}`" in section.title or section.title.lower() == word]
    rows = [passage.section for passage in passages() if word in passage.words]
    explaining = list(dict.fromkeys((*named, *rows)))
    return (
        explaining
        or [section for section in sections() if f"`{word}`" in section.text or f"`{word}:" in section.text][:1]
    )


def _verb_meanings(word: str) -> Iterator[Meaning]:
    if word in VERBS:
        form = VERBS[word]
        beside = tuple((key, form.abouts[key]) for key in form.keys if key in form.abouts and key not in STEP_KEYS)
        yield Meaning(f"the verb of {form.title}", form.about, beside)


def _function_meanings(word: str) -> Iterator[Meaning]:
    if word in functions.FUNCTIONS:
        function = functions.FUNCTIONS[word]
        yield Meaning("a function", f"{signature(word)} is {function.about}.")
    elif word in functions.FORMS:
        yield Meaning("a function", f"{signature(word)} is {functions.FORMS[word]}.")


def signature(word: str) -> str:
    """How a function is called."""
    if word in functions.FUNCTIONS:
        return f"{word}({', '.join(functions.sample_arguments(functions.FUNCTIONS[word]))})"
    return f"{word}({'x' if word == 'given' else 'a / b'})"


def _key_meanings(word: str) -> Iterator[Meaning]:
    titles: dict[str, list[str]] = {}
    for form in FORMS.values():
        if word in form.keys:
            titles.setdefault(form.abouts.get(word) or form.about, []).append(form.title)
    for verb, form in VERBS.items():
        if word in form.keys and word != verb:
            titles.setdefault(form.abouts.get(word) or form.about, []).append(
                "every step" if word in STEP_KEYS else f"`{verb}`"
            )
    for about, of in titles.items():
        yield Meaning(f"a key of {_list_names(list(dict.fromkeys(of)), 6)}", about)


def _fixed_word_meanings(word: str) -> Iterator[Meaning]:
    of = [(key, form.abouts.get(key) or form.about) for form in (*FORMS.values(), *VERBS.values())
          for key, shape in form.keys.items() if word in _fixed_words(shape)]  # fmt: skip
    for key, about in dict(of).items():
        said = [one.text for one in passages() if one.words == (word,) and f"`{key}`" in one.section.text]
        yield Meaning(f"a word under `{key}`", _sentence(said[0].partition(": ")[2]) if said else about)


def _sentence(text: str) -> str:
    """What follows a word in a list, as a sentence."""
    return f"{text[:1].upper()}{text[1:].rstrip(';.')}."


def _meanings_in_tables(word: str) -> Iterator[Meaning]:
    """What the manual's tables of types and of expressions say; functions have said it themselves."""
    for passage in passages():
        if word in passage.words and word not in functions.FUNCTIONS:
            if _is_about_expressions(passage.section):
                yield Meaning("a word in expressions", passage.text)
            elif word in DECLARATION_TYPES and passage.section.title == "Types":
                yield Meaning("a type", passage.text)


def _is_about_expressions(section: Section) -> bool:
    return section.page == "language/expressions.md"


def _fixed_words(shape: shapes.Shape) -> Iterator[str]:
    """The words of which a value is one."""
    for one in shapes.alternatives(shape):
        match one:
            case shapes.OneOf(words):
                yield from words
            case shapes.MapOf(of) | shapes.ListOf(of):
                yield from _fixed_words(of)


def _list_names(names: list[str], most: int) -> str:
    shown = names if len(names) <= most else [*names[:3], f"{len(names) - 3} others"]
    return shown[0] if len(shown) == 1 else f"{', '.join(shown[:-1])} and {shown[-1]}"
