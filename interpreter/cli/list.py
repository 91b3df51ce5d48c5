"""`houserule list`: the games, scenes and house rules at hand, and what a ruleset has to play."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

import click

from interpreter import bundled, ir
from interpreter.cli import parameters
from interpreter.cli.rulesets import load_playable
from interpreter.cli.terminal import echo
from interpreter.pipeline import ENDINGS, path_in_messages
from interpreter.shown_text import in_json, in_one_line
from interpreter.syntax import files
from interpreter.syntax.document import entries_of
from interpreter.syntax.file_head import file_head


@click.command("list")
@click.argument("ruleset", required=False)
@parameters.house_rules()
@parameters.output_format("text", "json")
def command(ruleset: str | None, layers: tuple[str, ...], form: str) -> None:
    """List games, scenes and house rules, or what RULESET has: mechanics, actions, events, scenes, policies, options.

    Without RULESET, those that are bundled and the files of this folder are listed.
    """
    data = _contents_of(ruleset, layers) if ruleset is not None else _games_and_files()
    if form == "json":
        echo(in_json(data, indent=1))
    else:
        echo("\n".join(_lines(data)))


def _games_and_files() -> dict[str, dict[str, str]]:
    """The bundled games, scenes and house rules, and such files of this folder, each with its title."""
    titles: dict[str, dict[str, str]] = {"games": {}, "scenes": {}, "house rules": {}, "files here": {}}
    for name, path in bundled.rulesets().items():
        titles["games"][name] = file_head(path).get("title", "")
    for section, key, there in (
        ("scenes", "of", bundled.scenes()),
        ("house rules", "extends", bundled.house_rules()),
    ):
        heads = {name: file_head(path) for name, path in there.items()}
        titles[section] = {name: f"{head.get(key, '')}: {head.get('title', '')}" for name, head in heads.items()}
    for path in _yaml_files(Path.cwd()):
        head = file_head(path)
        if "ruleset" in head or "state" in head:
            titles["files here"][path.name] = head.get("title") or head.get("ruleset") or head.get("state", "")
    return {section: rows for section, rows in titles.items() if rows}


def _contents_of(name: str, layers: tuple[str, ...]) -> dict[str, dict[str, str]]:
    """What a ruleset has to play, each with its inputs and its title; its policies and options; what is made for it."""
    loaded = load_playable(name, layers)
    assert loaded.program is not None and loaded.world is not None
    program = loaded.program
    sections: dict[str, dict[str, str]] = {}
    for section, rules in program.playable.items():
        sections[section] = {one: _signature(rule) for one, rule in rules.items()}
    sections["policies"] = {
        one: f"answers {', '.join(answer.key.text for answer in entries_of(entry.value))}"
        for one, entry in loaded.world.section("policies").items()
    }
    sections["options"] = {one: _option(option) for one, option in program.options.items()}
    beside = _yaml_files(loaded.folder) if loaded.folder else []
    namesake = bundled.rulesets().get(program.name)
    is_bundled = namesake is not None and namesake.parent == loaded.folder
    layers_there = {**(bundled.house_rules() if is_bundled else {}), **{path.name: path for path in beside}}
    heads = {one: file_head(path) for one, path in layers_there.items()}
    sections["house rules"] = {
        one: head.get("title", "")
        for one, head in heads.items()
        if _is_house_rule_of(head.get("extends", ""), program.name, is_bundled or namesake is None)
    }
    scenes = [*beside, *_yaml_files(loaded.folder / "scenes")] if loaded.folder else []
    sections["scene files"] = {
        str(path_in_messages(path)): head.get("title", "")
        for path, head in ((path, file_head(path)) for path in scenes)
        if head.get("of") == program.name
    }
    return {section: rows for section, rows in sections.items() if rows}


def _is_house_rule_of(base: str, name: str, by_name: bool) -> bool:
    """Whether a house rule that `extends` a base changes a ruleset; a bundled one of the same name takes the name."""
    return (by_name and base == name) or base in [f"{name}{ending}" for ending in ENDINGS]


def _signature(rule: ir.Mechanic) -> str:
    """`Try a task (skill, difficulty=8, [hero])`: the title, and the inputs with their defaults."""
    inputs = ", ".join(_input(one) for one in rule.inputs)
    return f"{rule.title} ({inputs})" if inputs else rule.title


def _input(one: ir.Declaration) -> str:
    if one.default is not None:
        text = " ".join(one.default.span.text.split())
        return f"{one.name}={text}" if re.fullmatch(r"[\w-]+", text) else f"[{one.name}]"
    return f"[{one.name}]" if one.optional else one.name


def _option(option: ir.Declaration) -> str:
    default = option.default.span.text if option.default is not None else ""
    return ": ".join(filter(None, (default, option.about)))


def _yaml_files(folder: Path) -> list[Path]:
    """The YAML files of a folder, without those that a link leads out to."""
    there = [one for one in folder.glob("*") if one.suffix in ENDINGS] if folder.is_dir() else []
    return sorted(one for one in there if files.file_inside(folder, one.name) is not None)


def _lines(data: Mapping[str, Mapping[str, str]]) -> Iterator[str]:
    for place, (section, rows) in enumerate(data.items()):
        if place:
            yield ""
        yield f"{section.capitalize()}:"
        width = max(map(len, rows))
        yield from (in_one_line(f"  {name:<{width}}  {text}".rstrip()) for name, text in rows.items())
