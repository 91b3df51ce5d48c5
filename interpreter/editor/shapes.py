"""Which shapes of the grammar a value may have at a path of keys, and where in the ruleset that path leads."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from interpreter.editor.cursor import Cursor, Key
from interpreter.frozen import dataclass
from interpreter.syntax.grammar import FORMS
from interpreter.syntax.shapes import AnyOf, ByKey, ByVerb, Expression, Form, FreeForm, ListOf, MapOf, Ref, Shape
from interpreter.syntax.verb_grammar import DECLARATION, VERBS, verbs_in

Beside = tuple[Mapping[str, str], ...]


def form_of(keys: Mapping[str, object]) -> str:
    """The form of a file with these keys at its top."""
    if "part_of" in keys:
        return "part"
    if "state" in keys:
        return "state"
    return "layer" if "extends" in keys or "changes" in keys else "ruleset"


@dataclass(frozen=True)
class Spot:
    """A path of keys as the grammar sees it.

    `path` is the path in the merged ruleset, which differs under `changes` of a house rule. `beside` are the keys of
    each mapping on that path, as far as they are known.
    """

    path: tuple[Key, ...]
    beside: Beside
    shapes: tuple[Shape, ...]


def spot_of(cursor: Cursor, form: str) -> Spot:
    """What may stand at a cursor in a file of a form."""
    path, beside = cursor.path, cursor.beside
    if form == "layer" and len(path) >= 3 and path[0] == "changes" and path[2] in ("set", "add", "was"):
        changed = tuple(str(path[1]).split("."))
        empty: Beside = ({},) * len(changed)
        path, beside = (*changed, *path[3:]), (*empty, *beside[3:])
        form = "ruleset"
    shapes: tuple[Shape, ...] = (Ref(form),)
    for number, key in enumerate(path):
        near = beside[number] if number < len(beside) else {}
        shapes = tuple(one for shape in shapes for one in _shapes_below(shape, key, near))
    return Spot(path, beside, _alternatives(shapes))


def shapes_under(spot: Spot, key: Key) -> tuple[Shape, ...]:
    """The shapes that the value of a key may have, in a mapping at a spot."""
    near = spot.beside[-1] if spot.beside else {}
    return _alternatives(tuple(one for shape in spot.shapes for one in _shapes_below(shape, key, near)))


def _alternatives(shapes: tuple[Shape, ...]) -> tuple[Shape, ...]:
    """The shapes without those that only list others."""
    return tuple(one for shape in shapes for one in _single_alternatives(shape))


def _single_alternatives(shape: Shape) -> Iterator[Shape]:
    if isinstance(shape, AnyOf):
        for one in shape.of:
            yield from _single_alternatives(one)
    elif isinstance(shape, ByKey):
        yield from _single_alternatives(shape.has)
        yield from _single_alternatives(shape.has_not)
    else:
        yield shape


def _shapes_below(shape: Shape, key: Key, beside: Mapping[str, str]) -> Iterator[Shape]:
    """The shapes of what stands under a key of a value of this shape."""
    for one in _single_alternatives(shape):
        match one:
            case Ref(form) if isinstance(key, str) and key in FORMS[form].keys:
                yield FORMS[form].keys[key]
            case ByVerb() if isinstance(key, str):
                yield from (form.keys[key] for form in verb_forms({**beside, key: ""}) if key in form.keys)
            case MapOf(of) if isinstance(key, str):
                yield of
            case ListOf(of) if isinstance(key, int):
                yield of
            case Expression() | FreeForm():
                yield one


def verb_forms(beside: Mapping[str, str]) -> list[Form]:
    """The forms that a step with these keys may have: that of its verb, or all of them."""
    verbs = verbs_in(beside)
    return [VERBS[verbs[0]]] if verbs else list(VERBS.values())


def is_declaration(spot: Spot) -> bool:
    """Whether a plain word there is the type of a declared value."""
    long = next(one for one in DECLARATION.of if isinstance(one, Ref)).form
    return any(isinstance(one, Ref) and one.form in (long, "attribute") for one in spot.shapes)


def about_key(cursor: Cursor, form: str, key: str) -> str:
    """What a key does that stands at a cursor; empty where the grammar does not say."""
    spot = spot_of(cursor, form)
    for shape in spot.shapes:
        forms = [FORMS[shape.form]] if isinstance(shape, Ref) else []
        if isinstance(shape, ByVerb):
            beside = cursor.beside[-1] if cursor.beside else {}
            forms = verb_forms({**beside, key: ""})
        for one in forms:
            if key in one.abouts:
                return one.abouts[key]
            if isinstance(shape, ByVerb) and key in VERBS and key in one.keys:
                return VERBS[key].about
            if key in one.keys:
                abouts = [FORMS[of.form].about for of in _single_alternatives(one.keys[key]) if isinstance(of, Ref)]
                if any(abouts):
                    return next(filter(None, abouts))
    return ""
