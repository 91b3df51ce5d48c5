"""The folders of bundled rulesets, schemas and the manual: in the installed package, or at the top of a checkout."""

from __future__ import annotations

from pathlib import Path

_PACKAGE = Path(__file__).parent


def _path_inside(name: str) -> Path:
    inside = _PACKAGE / name
    return inside if inside.is_dir() else _PACKAGE.parent / name


def schemas() -> Path:
    """The folder of the schemas."""
    return _path_inside("schemas")


def manual() -> Path:
    """The folder of the manual."""
    return _path_inside("docs")


def house_rules() -> dict[str, Path]:
    """The bundled house rules, by name: files of a folder `house-rules` beside the ruleset that they change."""
    return {file.stem: file for file in sorted(_path_inside("rulesets").glob("*/house-rules/*.yaml"))}


def scenes() -> dict[str, Path]:
    """The bundled scene files, by name: files of a folder `scenes` beside the ruleset that they play."""
    return {file.stem: file for file in sorted(_path_inside("rulesets").glob("*/scenes/*.yaml"))}


def is_ruleset(folder: Path | None) -> bool:
    """Whether a folder is that of a bundled ruleset."""
    return (
        folder is not None and folder.parent == _path_inside("rulesets") and (folder / f"{folder.name}.yaml").is_file()
    )


def rulesets() -> dict[str, Path]:
    """The bundled rulesets, by name, each with its main file."""
    folder = _path_inside("rulesets")
    return (
        {
            place.name: place / f"{place.name}.yaml"
            for place in sorted(folder.iterdir())
            if (place / f"{place.name}.yaml").is_file()
        }
        if folder.is_dir()
        else {}
    )
