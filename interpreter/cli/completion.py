"""Completion in a shell: names of rulesets, rules, inputs and their values, house rules, options and scenes.

A shell asks `houserule` itself for what fits (`_HOUSERULE_COMPLETE`), through the machinery of click. Whatever goes
wrong there, such as a ruleset with errors, means that nothing fits: nobody wants a message in the middle of a line.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import click
from click.shell_completion import BashComplete, CompletionItem, add_completion_class, split_arg_string

from interpreter import bundled, ir, pipeline
from interpreter.ir import types as t
from interpreter.syntax import files
from interpreter.syntax.file_head import has_key

Found = Iterable[tuple[str, str]]
"""Words that may stand at a place, each with what it means."""
Source = Callable[[click.Context, str], Found]


def complete_parameters(command: click.Command) -> None:
    """Let the parameters of a command, and of commands in it, be completed by what their names stand for."""
    if isinstance(command, click.Group):
        for inner in command.commands.values():
            complete_parameters(inner)
    for one in command.params:
        source = _SOURCES.get(one.name or "")
        if source is not None:
            setattr(one, "shell_complete", _completer(source))  # noqa: B010  (a method to mypy)


def _completer(source: Source) -> Callable[[click.Context, str], list[CompletionItem]]:
    def complete(ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        try:
            return [
                CompletionItem(word, help=" ".join(about.split()) or None)
                for word, about in source(ctx, incomplete)
                if word.startswith(incomplete)
            ]
        except Exception:  # see the head of this file
            return []

    return complete


class Bash(BashComplete):
    """Completion in bash, which cuts words at `=` and completes only the last piece."""

    source_template = BashComplete.source_template.replace(
        "    return 0\n", "    [[ ${COMPREPLY[0]} == *= ]] && compopt -o nospace\n    return 0\n"
    )
    before = ""

    def get_completion_args(self) -> tuple[list[str], str]:
        words, at = split_arg_string(os.environ["COMP_WORDS"]), int(os.environ["COMP_CWORD"])
        whole: list[str] = []
        last = "" if at >= len(words) else words[at]
        for place, word in enumerate([*words[:at], last]):
            joined = place > 1 and (word == "=" or words[place - 1] == "=")
            if joined and whole:
                whole[-1] += word
            else:
                whole.append(word)
        *arguments, incomplete = whole
        cut = last == "=" or (at > 1 and words[at - 1] == "=")
        self.before = incomplete[: incomplete.index("=") + 1] if cut else ""
        return arguments[1:], incomplete

    def format_completion(self, item: CompletionItem) -> str:
        return f"{item.type},{item.value.removeprefix(self.before)}"


def register() -> None:
    """Make bash complete as above; zsh and fish are as click has them."""
    add_completion_class(Bash)


# What may stand where --------------------------------------------------------------------------------------------


def _rulesets(ctx: click.Context, incomplete: str) -> Iterator[tuple[str, str]]:
    yield from ((name, "") for name in (*bundled.rulesets(), *bundled.house_rules()))
    yield from _files(incomplete, "ruleset")
    if ctx.info_name == "explain" and incomplete:
        from interpreter.manual.words import meanings, words

        yield from ((word, meanings(word)[0].about) for word in sorted(words()) if word.startswith(incomplete))


def _files(incomplete: str, *keys: str) -> Iterator[tuple[str, str]]:
    """Files here that begin with one of some keys, and folders."""
    typed = incomplete[: incomplete.rfind("/") + 1]
    for path in sorted(Path(typed or ".").iterdir()):
        if path.name.startswith(".") or not path.name.isprintable():
            continue
        if path.is_dir():
            yield f"{typed}{path.name}/", ""
        elif path.suffix in pipeline.ENDINGS and files.file_inside(path.parent, path.name) and has_key(path, *keys):
            yield f"{typed}{path.name}", ""


def _ruleset(ctx: click.Context) -> str:
    """The ruleset that is named; behind an option without its value, click has not told the arguments apart."""
    named = ctx.params.get("ruleset") or next(iter(ctx.params.get("rulesets") or ctx.args), "")
    return str(named)


def _program(ctx: click.Context) -> ir.Program:
    layers = [pipeline.origin_of_layer(name) for name in ctx.params.get("layers") or ()]
    loaded = pipeline.from_path(pipeline.find_ruleset(_ruleset(ctx)), (Path.cwd(),), layers, to_play=True)
    assert loaded.program is not None
    return loaded.program


def _rules(*sections: str) -> Source:
    def complete_rule(ctx: click.Context, _: str) -> Iterator[tuple[str, str]]:
        playable = _program(ctx).playable
        for section in sections:
            yield from ((name, rule.title) for name, rule in playable[section].items())

    return complete_rule


def _mechanics(ctx: click.Context, incomplete: str) -> Iterator[tuple[str, str]]:
    yield from _rules("mechanics")(ctx, incomplete)
    if ctx.params.get("state"):
        yield from _rules("actions", "events")(ctx, incomplete)


def _inputs(ctx: click.Context, incomplete: str) -> Iterator[tuple[str, str]]:
    program = _program(ctx)
    name = str(ctx.params.get("mechanic") or ctx.params.get("action"))
    rule = next(rules[name] for rules in program.playable.values() if name in rules)
    given = {text.partition("=")[0] for text in ctx.params.get("inputs") or ()}
    yield from _assignments([one for one in rule.inputs if one.name not in given], incomplete)


def _options(ctx: click.Context, incomplete: str) -> Found:
    return _assignments(_program(ctx).options.values(), incomplete)


def _assignments(declared: Iterable[ir.Declaration], incomplete: str) -> Iterator[tuple[str, str]]:
    """`name=`, and after the sign the values that are words."""
    name, sign, _ = incomplete.partition("=")
    for one in declared:
        if not sign:
            yield f"{one.name}=", one.about
        elif one.name == name:
            meanings = dict(one.meanings)
            yield from ((f"{name}={word}", meanings.get(word, "")) for word in _words(one.type))


def _words(kind: t.Type) -> tuple[str, ...]:
    match kind:
        case t.Maybe(inner):
            return _words(inner)
        case t.Word():
            return kind.words
        case t.YesNo():
            return ("yes", "no")
    return ()


def _layers(ctx: click.Context, incomplete: str) -> Iterator[tuple[str, str]]:
    base = bundled.rulesets().get(_ruleset(ctx))
    for name, path in bundled.house_rules().items():
        if base is None or path.parent.parent == base.parent:
            yield name, ""
    yield from _files(incomplete, "extends")


def _scenes(ctx: click.Context, incomplete: str) -> Iterator[tuple[str, str]]:
    base = bundled.rulesets().get(_ruleset(ctx))
    if base is not None:
        yield from ((path.stem, "") for path in bundled.scenes().values() if path.parent.parent == base.parent)
    yield from _files(incomplete, "state", "scene")


def _bases(ctx: click.Context, incomplete: str) -> Iterator[tuple[str, str]]:
    yield from _rulesets(ctx, incomplete)
    if ctx.command.name == "scene":
        yield from ((name, "") for name in bundled.scenes())


_SOURCES: dict[str, Source] = {
    "ruleset": _rulesets,
    "rulesets": _rulesets,
    "base": _bases,
    "mechanic": _mechanics,
    "action": _rules("actions", "events", "mechanics"),
    "rule": _rules("mechanics", "events", "scenes", "actions"),
    "inputs": _inputs,
    "options": _options,
    "layers": _layers,
    "scene": _scenes,
    "scenes": _scenes,
    "state": _scenes,
}
"""What completes a parameter, by its name."""
