"""What authors write for keys of the language: words of other tools and games, each with the key that it stands for.

A misspelt key is near to the right one in its letters; these are near to it only in what they mean.
"""

from __future__ import annotations

from collections.abc import Container, Mapping

_WORDS: Mapping[tuple[str, ...], str] = {
    # sections of a ruleset and of a mechanic
    ("mechanics",): "rules checks moves rolls procedures",
    ("cases",): "tests test examples scenarios",
    ("parts",): "include includes import imports files",
    ("extends",): "base inherits inherits_from parent based_on over",
    ("changes",): "layer layers patch patches override overrides modify modifies modifications edits replaces",
    ("inputs", "given", "with"): "params parameters args arguments input",
    ("outcomes", "expect"): "results result outcome degrees",
    # keys of many forms
    ("about",): "description desc describes note comment info flavor flavour",
    ("title",): "label name caption",
    ("cites",): "source page reference",
    ("if", "requires"): "when condition cond only_if",
    ("else",): "otherwise",
    ("where",): "if filter only_if condition",
    ("from", "least"): "min minimum at_least lower",
    ("to", "most"): "max maximum at_most up_to upper",
    ("one_of", "among"): "values allowed candidates choices options enum in",
    ("each", "steps"): "do body then effects effect",
    ("default",): "initial start",
    ("cost",): "price costs",
    ("has",): "attributes properties fields stats",
    ("ask",): "question prompt",
    ("say",): "text tell tells show shows sentence words then message is",
    ("by",): "who chooser player role",
    # keys of a case
    ("mechanic",): "roll play run test call of rule check",
    ("given",): "set inputs with",
    ("faces",): "dice rolls rolled throws thrown",
    ("expect",): "gives should then",
    ("choices",): "answers choose decisions",
    ("odds",): "chance chances probability probabilities",
    ("joint",): "together both combined",
    ("mean",): "average expected_value",
    # verbs of a step
    ("roll",): "dice throw die",
    ("is",): "value calc calculate compute formula equals let expression",
    ("choose",): "pick select choice ask decide",
    ("repeat",): "loop while times",
    ("for",): "each foreach for_each map",
    ("first_of",): "match switch case cases",
    ("call",): "use run invoke do mechanic",
    ("compare",): "contest versus opposed",
    ("end",): "stop return exit",
    ("pay",): "spend",
    ("lose",): "subtract reduce decrease damage hurt harm wound deal minus deduct",
    ("gain",): "increase heal restore recover plus give",
    ("make",): "create spawn",
    ("destroy",): "kill delete",
    ("cause",): "trigger emit fire",
    ("draw",): "deal",
    ("order",): "sort initiative",
}

_MEANT: Mapping[str, tuple[str, ...]] = {
    word: tuple(key for keys, words in _WORDS.items() if word in words.split() for key in keys)
    for words in _WORDS.values()
    for word in words.split()
}


_OF_A_REACTION = ("when", "on", "upon", "trigger", "triggers", "triggered_by", "event", "events", "to", "reacts_to",
                  "responds_to", "hook", "on_event")  # fmt: skip
"""Words beside which a reaction of another tool names its event."""


def meant_by(word: str, known: Container[str], value: str = "") -> str | None:
    """The key among those `known` in this place that an author means by a word, if there is one.

    `value` is the text beside it, where it is a single one.
    """
    if word.lower() in _OF_A_REACTION and "before" in known and "after" in known and value.isidentifier():
        return "before"
    return next(iter(_meanings(word, known, value)), None)


def is_only_meaning(word: str, known: Container[str], value: str = "") -> bool:
    """Whether a word means one of the keys `known` in this place, and cannot mean another."""
    return len(_meanings(word, known, value)) == 1


def _meanings(word: str, known: Container[str], value: str) -> list[str]:
    no_steps = _OF_STEPS if value else ()
    return [key for key in _MEANT.get(word.lower(), ()) if key in known and key not in no_steps]


_OF_STEPS = ("steps", "each")
"""Keys beside which no single text stands."""
