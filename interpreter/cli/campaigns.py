"""Campaigns: folders in which the state of a game lies from scene to scene.

    rhone/campaign.yaml            the rules, house rules and options, as in a scene file
    rhone/now.json                 the state in which the last scene left the game
    rhone/scenes/0001-duel.journal the scene that is played; a saved session when it is over
    rhone/states/0001.json         the state before scene 1
    rhone/lock                     who plays it, while somebody does

A scene begins in the state that the last one left. Its file makes the things that are not there; of those that are
there it changes nothing but what stands under `changes`.
"""

from __future__ import annotations

import re
from pathlib import Path

from interpreter import diagnostics as say
from interpreter.api import scene_file
from interpreter.api.game import Game
from interpreter.api.scene_file import SceneFile
from interpreter.api.session import Session
from interpreter.cli.autosave import Autosave
from interpreter.cli.rulesets import load_game
from interpreter.cli.terminal import echo
from interpreter.diagnostics import RulesetError
from interpreter.frozen import dataclass
from interpreter.runtime.state import State
from interpreter.syntax import files

FILE, NOW, SCENES, STATES = files.CAMPAIGN, "now.json", "scenes", "states"
_NUMBERED = re.compile(r"(\d{4,})-(.+)\.(journal|session)")


@dataclass(frozen=True)
class Campaign:
    """The folder of a campaign, its game, and the name of the file of its rules."""

    folder: Path
    playing: Game
    rules: str

    @property
    def number(self) -> int:
        """How many scenes have begun."""
        return max((number for number, _ in self._scenes()), default=0)

    @property
    def under_way(self) -> Path | None:
        """The journal of the scene that is not over."""
        return next((path for _, path in self._scenes() if path.suffix == ".journal"), None)

    def _scenes(self) -> list[tuple[int, Path]]:
        found = []
        for path in sorted((self.folder / SCENES).glob("*")):
            match = _NUMBERED.fullmatch(path.name)
            if match is not None:
                found.append((int(match[1]), path))
        return found

    @property
    def now(self) -> Path:
        """The file of the state that the last scene left."""
        return self.folder / NOW

    def scene_under_way(self) -> Path:
        """The journal of the scene that is not over. Raises RulesetError if there is none."""
        if self.under_way is None:
            raise RulesetError(say.no_scene_under_way(str(self.folder)))
        return self.under_way

    def keep(self, playing: Game, state: State) -> None:
        """Keep the state that a scene has left, with its rules; the one before it stays beside."""
        old = self.folder / STATES / f"{self.number:04}.json"
        old.parent.mkdir(exist_ok=True)
        if self.now.exists() and not old.exists():
            files.write_whole(str(old), files.read_saved(str(self.now)))
        files.write_whole(str(self.now), playing.to_json(state, with_rules=True) + "\n")


def open_campaign(name: str) -> Campaign:
    """The campaign in a folder. Raises RulesetError or PlayError if its rules cannot be played."""
    folder = Path(name)
    file = scene_file.read(folder / FILE)
    rules, *layers = [_path_of_rules(folder, one.text) for one in (file.ruleset, *file.layers)]
    playing = load_game(rules, layers=tuple(layers))
    return Campaign(folder, playing.with_options(file.options) if file.options else playing, Path(rules).stem)


def _path_of_rules(folder: Path, name: str) -> str:
    """The file of rules that the file of a campaign names, from its own folder; a bundled name as it is."""
    return str(folder / name) if files.is_file(folder / name) else name


def next_scene(campaign: Campaign, scene: str) -> tuple[SceneFile, Autosave]:
    """The file of the next scene of a campaign, and its journal. Raises RulesetError if another is not over, or it is
    for another ruleset."""
    if campaign.under_way is not None:
        raise RulesetError(say.scene_not_over(campaign.under_way.stem, str(campaign.folder)))
    file = scene_file.read(Path(scene))
    check_is_for(campaign, file)
    name = f"{campaign.number + 1:04}-{Path(scene).stem}"
    return file, Autosave(name, campaign.folder / SCENES / f"{name}.journal")


def check_is_for(campaign: Campaign, file: SceneFile) -> None:
    """Raises RulesetError where a scene file is for another ruleset than that of a campaign."""
    if Path(file.ruleset.text).stem not in (campaign.playing.name, campaign.rules):
        raise RulesetError(say.for_another_ruleset(file.ruleset.span, file.ruleset.text, campaign.playing.name))


def end_scene(campaign: Campaign, session: Session, autosave: Autosave) -> None:
    """Keep what a scene has left, and make a save of its journal."""
    result = session.result
    assert result is not None, "a scene that is over has a result"
    if result.state is not None:
        campaign.keep(session.game, result.state)
    autosave.finish()
    if autosave.path is not None:
        files.rename_file(autosave.path, ".session")


def make_campaign(name: str, rules: str, layers: tuple[str, ...], options: tuple[str, ...]) -> None:
    """Make the folder of a campaign. Raises RulesetError if it is there already, or the rules cannot be played."""
    folder = Path(name)
    if folder.exists():
        raise RulesetError(say.file_is_there(name))
    load_game(rules, options, layers)
    lines = [f"state: {folder.name}", f"of: {_from_folder(rules)}"]
    if layers:
        lines.append(f"with: [{', '.join(_from_folder(one) for one in layers)}]")
    if options:
        lines += ["options:", *(f"  {one.replace('=', ': ', 1)}" for one in options)]
    folder.mkdir(parents=True)
    files.write_whole(str(folder / FILE), "\n".join(lines) + "\n")
    open_campaign(name)
    echo(f"{name} is a campaign of {rules}; `houserule play {name} SCENE` plays its first scene")


def _from_folder(name: str) -> str:
    """The name of rules as it is written in the folder of a campaign, beside which their file lies."""
    return f"../{name}" if files.is_file(Path(name)) and not Path(name).is_absolute() else name
