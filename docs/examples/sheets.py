"""Sheets for the things of any game, and forms for its actions and rolls, as one page: an example of a form maker.

    python sheets.py RULESET > sheets.html

It knows no game and reads no rules: all that it shows is in `game.kinds`, `game.actions` and `game.mechanics`.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from html import escape

import houserule
from houserule import ActionRule, Attribute, Game, Input, Kind

STYLE = """
body {font: 16px/1.4 system-ui, sans-serif; margin: 1.5rem; color-scheme: light dark}
main {columns: 20rem; column-gap: 1rem}
form {border: 1px solid; border-radius: .5rem; padding: .8rem; margin-bottom: 1rem; break-inside: avoid}
h3 {margin: 0 0 .4rem} p {margin: .2rem 0; opacity: .75; font-size: .85rem}
label, fieldset {display: block; margin: .5rem 0; border: 0; padding: 0}
legend {font-weight: 600} fieldset label {display: inline-block; margin: 0 .8rem .2rem 0}
input[type=number] {width: 4.5rem} select {vertical-align: top} output, small {opacity: .75; font-size: .85rem}
small {display: block}
"""


def words(name: str) -> str:
    """A name as people read it."""
    return name.replace("_", " ").capitalize()


def title(one: Input) -> str:
    return escape(one.title or words(one.name))


def option(word: str, text: str, is_first: bool) -> str:
    return f'<option value="{escape(word)}"{" selected" if is_first else ""}>{escape(text)}</option>'


def control(one: Input, name: str) -> str:
    """What takes a value: a list of words, a tick, a number with its bounds, or a text."""
    given = f'name="{escape(name)}"{" required" if one.required else ""}'
    if one.choices:
        options = [option(word, one.titles.get(word) or words(word), word == one.default) for word in one.choices]
        none = "" if one.required or one.default is not None else "<option value=''>–</option>"
        return f"<select {given}{' multiple' if one.several else ''}>{none}{''.join(options)}</select>"
    if one.type == "yes or no":
        return f'<input type="checkbox" {given}{" checked" if one.default else ""}>'
    if one.type == "a number" and not one.several:
        low, high = (
            f' {key}="{value}"' if value is not None else "" for key, value in (("min", one.low), ("max", one.high))
        )
        value = "" if one.default is None else f' value="{one.default}"'
        return f'<input type="number" {given}{low}{high}{value}>'
    hint = f"name of a {words(one.kind).lower()}" if one.kind else one.type
    value = "" if one.default in (None, ()) or isinstance(one.default, tuple | list) else str(one.default)
    return f'<input {given} value="{escape(value)}" placeholder="{escape(hint)}{", …" if one.several else ""}">'


def field(one: Input, name: str) -> str:
    """A labelled control, or several: one for each word, or for each field of a record."""
    about = f"<small>{escape(one.about)}</small>" if one.about else ""
    if isinstance(one, Attribute) and one.derived:
        return f"<label>{title(one)} <output>= {escape(one.default_text)}</output>{about}</label>"
    if isinstance(one, Attribute) and one.per:
        each = [
            f"<label>{escape(text or words(word))} {control(one, f'{name}({word})')}</label>"
            for word, text in one.words.items()
        ]
        return f"<fieldset><legend>{title(one)}</legend>{about}{''.join(each)}</fieldset>"
    if one.fields:
        each = [field(inner, f"{name}.{key}") for key, inner in one.fields.items()]
        return f"<fieldset><legend>{title(one)}</legend>{about}{''.join(each)}</fieldset>"
    return f"<label>{title(one)} {control(one, name)}{about}</label>"


def sheet(game: Game, kind: Kind, name: str = "") -> Iterator[str]:
    """The attributes of a kind, with those of its parts in place."""
    for one in kind.has.values():
        place = f"{name}{one.name}"
        part = game.kinds.get(one.part)
        if part is not None and part.written_as is not None:
            yield f"<label>{title(one)} {control(part.has[part.written_as], place)}</label>"
        elif part is not None:
            yield f"<fieldset><legend>{title(one)}</legend>{''.join(sheet(game, part, f'{place}.'))}</fieldset>"
        else:
            yield field(one, place)


def action_form(game: Game, action: ActionRule) -> Iterator[str]:
    """Who acts, what it costs, and the inputs of an action."""
    limit = f"at most {action.at_most} a {action.per}" if action.at_most is not None else ""
    costs = [f"{cost} {words(name).lower()}" for name, cost in action.costs.items()]
    yield f"<p>{escape(', '.join(filter(None, [words(action.kind or ''), *costs, limit])))}</p>"
    kind = escape(words(action.actor).lower())
    yield f'<label>Who <input name="actor" required placeholder="name of a {kind}"></label>'
    yield from (field(one, one.name) for one in action.inputs.values())


def form(path: str, name: str, about: str, fields: Iterable[str]) -> str:
    return f"<form id='{path}'><h3>{escape(name)}</h3><p>{escape(about)}</p>{''.join(fields)}</form>"


def page(game: Game) -> str:
    """The whole page."""
    kinds = [one for one in game.kinds.values() if not one.part]
    sections = {
        "Sheets": [
            form(f"kinds.{one.name}", one.title or words(one.name), one.about, sheet(game, one)) for one in kinds
        ],
        "Actions": [
            form(one.path, one.title or words(one.name), one.about, action_form(game, one))
            for one in game.actions.values()
        ],
        "Rolls": [
            form(one.path, one.title or words(one.name), one.about, [field(of, of.name) for of in one.inputs.values()])
            for one in game.mechanics.values()
        ],
    }
    text = "".join(f"<h2>{name}</h2><main>{''.join(forms)}</main>" for name, forms in sections.items() if forms)
    head = f"<!doctype html><meta charset=utf-8><title>{escape(game.title)}</title><style>{STYLE}</style>"
    return f"{head}<h1>{escape(game.title)}</h1>{text}"


if __name__ == "__main__":
    print(page(houserule.load(sys.argv[1])))
