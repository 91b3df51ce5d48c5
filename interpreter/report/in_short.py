"""What a name of the rules means, in a few plain sentences for people at the table: without formulas and sources."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from interpreter import ir
from interpreter.ir import types as t
from interpreter.ir.traversal import nodes_under

MOST_LINES = 7
"""The most lines about a name."""

OF_EVERY_GAME = {
    "excess": "what was beyond the most that there may be; it is lost, unless a rule says what becomes of it.",
    "free": "it costs no points, and takes none of the actions that one has.",
    "cancelled": "what was about to happen does not.",
}
"""Words in records and menus of every game, and what they mean."""


def short_entries(program: ir.Program, wanted: str) -> list[str]:
    """Lines about rules, values of things, inputs and options of a name or title, whose words may have spaces between
    them; none if nothing has it."""
    name = _normalized_name(wanted)
    entries = [
        *_rules(program, name),
        *_attributes(program, name),
        *_inputs(program, name),
        *_other_entries(program, name),
    ]
    entries += [*_kind_of_action(program, name), *_meanings_of_word(program, name)]
    entries += [f"{_plain_words(name)}: {OF_EVERY_GAME[name]}"] if name in OF_EVERY_GAME else []
    distinct = list(dict.fromkeys(entries))
    said = [line for line in distinct if not line.endswith(ONLY_A_TYPE)]
    distinct = said or distinct  # the type alone helps nobody who can read more
    return distinct if len(distinct) <= MOST_LINES else [*distinct[: MOST_LINES - 1], "…"]


ONLY_A_TYPE = ": yes or no.", ": a number.", ": text.", ": a list (each a number)."
"""The ends of lines that say nothing but what type something has."""


def sentences_with(program: ir.Program, word: str) -> list[str]:
    """Sentences of the rules that have a word in them, whatever its ending, each after the title of its rule: for words
    such as `stacks` that are no names."""
    stem = re.escape(_plain_words(_normalized_name(word)).removesuffix("s"))
    pattern = re.compile(rf"\b{stem}(s|es|ed|ing)?\b", re.IGNORECASE)
    sentences = (
        f"{title}: {sentence}"
        for title, text in _texts(program)
        for sentence in re.split(r"(?<=[.!?]) +", text)
        if pattern.search(sentence)
    )
    distinct = list(dict.fromkeys(sentences))
    return distinct if len(distinct) <= MOST_LINES else [*distinct[: MOST_LINES - 1], "…"]


def _texts(program: ir.Program) -> Iterator[tuple[str, str]]:
    """What the rules say about themselves and their parts, those of steps before those of options."""
    playable = (*program.playable.values(), {key: one.action.rule for key, one in program.reactions.items()})
    for rule in (one for rules in playable for one in rules.values()):
        yield rule.title, rule.about
        yield from ((rule.title, one.about) for one in rule.inputs)
        yield from ((rule.title, one.about) for one in nodes_under(rule) if isinstance(one, ir.Step))
    yield from ((_plain_words(name), option.about) for name, option in program.options.items())
    for kind in program.kinds.values():
        yield _plain_words(kind.name), kind.about
        yield from ((_plain_words(name), one.declared.about) for name, one in kind.has.items())


def names_in(program: ir.Program) -> Iterator[str]:
    """The names that `short_entries` knows something about."""
    for rules in (*program.playable.values(), program.reactions, program.kinds, program.options, program.tables):
        yield from rules
    for kind in program.kinds.values():
        yield from kind.has
    yield from dict.fromkeys(one.kind for one in program.actions.values() if one.kind is not None)
    for words in program.words.values():
        yield from words
    yield from (phase.name for scene in program.scenes.values() for phase in scene.phases)


def rule_in_short(rule: ir.Mechanic) -> str:
    """`Skill test. Traits may change its difficulty.`"""
    return f"{rule.title}. {rule.about}".strip()


def _normalized_name(text: str) -> str:
    return text.strip().lower().replace(" ", "_")


def _rules(program: ir.Program, name: str) -> Iterator[str]:
    playable = (*program.playable.values(), {key: one.action.rule for key, one in program.reactions.items()})
    for rule in (one for rules in playable for one in rules.values()):
        if name not in (rule.name, _normalized_name(rule.title)):
            continue
        yield rule_in_short(rule)
        action = program.actions.get(rule.name) if rule.path.startswith("actions.") else None
        for cost in action.costs if action is not None else ():
            yield from (f"  price: {line}" for line in _attributes(program, cost.name))
        yield from (f"  {one.name.replace('_', ' ')}: {one.about}" for one in rule.inputs if one.about)
        words = [one.name.replace("_", " ") for one in rule.outcomes.cases] if rule.outcomes is not None else []
        if words:
            yield f"  Its outcome is {', '.join(words[:-1])}{' or ' if words[1:] else ''}{words[-1]}."


def _attributes(program: ir.Program, name: str) -> Iterator[str]:
    for kind in program.kinds.values():
        if name == kind.name:
            yield (
                f"{_plain_words(name)}: {kind.about}"
                if kind.about
                else f"{_plain_words(name)}, with {_list_names(kind.has)}."
            )
        if name in kind.has:
            yield _declaration(kind.has[name].declared, f"of {t.article(kind.name)} {_plain_words(kind.name)}")


def _inputs(program: ir.Program, name: str) -> Iterator[str]:
    for rules in program.playable.values():
        for rule in rules.values():
            yield from (f"{_plain_words(name)}: {one.about}" for one in rule.inputs if one.name == name and one.about)


def _other_entries(program: ir.Program, name: str) -> Iterator[str]:
    if name in program.options:
        option = program.options[name]
        usual = option.default
        shown = usual is not None and _is_fixed(usual)
        value = f" It is {usual.text} unless somebody chose otherwise." if usual is not None and shown else ""
        yield f"{_plain_words(name)}: {option.about}{value}"
    for table in program.tables.values():
        if table.name == name and len(table.keys) == 1:
            yield f"{_plain_words(name)}: {', '.join(map(_row, table.rows))}."
        elif table.name == name:
            yield f"{_plain_words(name)}: {t.in_words(table.type)} for {' and '.join(map(t.in_words, table.keys))}."


def _kind_of_action(program: ir.Program, name: str) -> Iterator[str]:
    """What actions there are of a kind, how often one may do them, and as what they may be done otherwise."""
    actions = [one for one in program.actions.values() if one.kind == name]
    if not actions:
        return
    titles = "; ".join(one.rule.title for one in actions)
    limits = [one.limit for one in actions if one.limit is not None]
    limit = next((one for one in limits if one.path.startswith(ir.ACTION_KINDS)), None)
    often = ""
    if limit is not None and _is_fixed(limit.times):
        often = f" At most {limit.times.text} of them in a {limit.per}."
    up = next((one.upgrade for one in actions if one.upgrade is not None), None)
    free = ", without its price" if up is not None and up.waives else ""
    other = f" Each may be done as one of the kind `{up.to}`{free}." if up is not None else ""
    yield f"{_plain_words(name)}: a kind of action: {titles}.{often}{other}"


def _meanings_of_word(program: ir.Program, name: str) -> Iterator[str]:
    """What a word of a list means, or else which words there are beside it; what a phase is; a word of an option."""
    for listed, words in program.words.items():
        if name in words:
            meaning = program.meanings.get(listed, {}).get(name)
            yield f"{_plain_words(name)}: {meaning or f'one of {_plain_words(listed)}: {_list_names(words)}.'}"
    for scene in program.scenes.values():
        for phase in scene.phases:
            if name in (phase.name, _normalized_name(phase.title)):
                yield f"{phase.title}: a part of every round of {scene.rule.title}. {phase.about}".rstrip()
    for key, option in program.options.items():
        means = dict(option.meanings).get(name)
        yield from [f"{_plain_words(name)}, of {_plain_words(key)}: {means}"] if means else []


def _is_fixed(formula: ir.Formula) -> bool:
    return isinstance(formula.body, ir.Constant)


def _row(row: ir.TableRow) -> str:
    value = row.value.text if isinstance(row.value, ir.Formula) and _is_fixed(row.value) else "…"
    return f"{row.path.rsplit('.', 1)[-1]} gives {value}"


def _declaration(one: ir.Declaration, of: str) -> str:
    words = [f"{_plain_words(word)} ({meaning.rstrip('.')})" for word, meaning in one.meanings if meaning]
    more = f" It is one of {', '.join(words)}." if words else ""
    return f"{_plain_words(one.name)} {of}: {one.about or t.in_words(one.type) + '.'}{more}"


def _list_names(names: Iterable[str]) -> str:
    return ", ".join(map(_plain_words, names))


def _plain_words(name: str) -> str:
    return name.replace("_", " ")
