"""What notebooks show of results, rules, kinds and games: HTML in which every text of an author or a player is
escaped."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from html import escape
from typing import TYPE_CHECKING

from interpreter.values import in_words

if TYPE_CHECKING:
    from interpreter.api.forms import Input, Kind, Rule
    from interpreter.api.game import Game
    from interpreter.api.result import Result


def result_html(result: Result) -> str:
    """What was played and what came out, and the trace below."""
    head = f"{result.rule.title or result.mechanic} ({result.ruleset})"
    outcome = f"<p>{escape(result.outcome)}</p>" if result.outcome is not None else ""
    return f"<p><b>{escape(head)}</b></p>{outcome}<pre>{escape(str(result.trace))}</pre>"


def rule_html(rule: Rule) -> str:
    """A rule with its inputs and its outcomes."""
    outcomes = f"<p>outcomes: {escape(', '.join(rule.outcomes))}</p>" if rule.outcomes else ""
    return _head(rule.title or rule.name, rule.path, rule.about) + _inputs(rule.inputs) + outcomes


def kind_html(kind: Kind) -> str:
    """A kind of things with its attributes."""
    return _head(kind.title or kind.name, f"kinds.{kind.name}", kind.about) + _inputs(kind.has) + _requires(kind)


def _requires(kind: Kind) -> str:
    rows = [(one.name, one.condition, one.about) for one in kind.requires.values()]
    return _table(("requires", "condition", "about"), rows) if rows else ""


def game_html(game: Game) -> str:
    """A game with its options, and what it can play."""
    sections: dict[str, Mapping[str, Rule]] = {
        "mechanics": game.mechanics, "actions": game.actions, "events": game.events, "scenes": game.scenes,
    }  # fmt: skip
    rules = [(one.path, one.title) for rules in sections.values() for one in rules.values()]
    options = [(f"options.{one.name}", in_words(one.value)) for one in game.options.values()]
    return _head(game.title, f"{game.name} {game.version}".strip(), game.program.about) + _table((), [*options, *rules])


def _head(title: str, name: str, about: str) -> str:
    more = f"<p>{escape(about)}</p>" if about else ""
    return f"<p><b>{escape(title)}</b> <code>{escape(name)}</code></p>{more}"


def _inputs(inputs: Mapping[str, Input]) -> str:
    rows = [(one.name, one.type, "required" if one.required else _default(one), one.about) for one in inputs.values()]
    return _table(("name", "type", "default", "about"), rows) if rows else ""


def _default(one: Input) -> str:
    return one.default_text or ("" if one.default is None else in_words(one.default))


def _table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    heads = "".join(f"<th>{escape(one)}</th>" for one in head)
    body = "".join(f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in row)}</tr>" for row in rows)
    return f"<table>{f'<tr>{heads}</tr>' if heads else ''}{body}</table>"
