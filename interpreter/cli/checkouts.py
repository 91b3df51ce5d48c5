"""Folders as they are, and as they were at a revision of git."""

from __future__ import annotations

import io
import stat
import subprocess
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import click

from interpreter.pipeline import ENDINGS


@contextmanager
def checkout(name: str) -> Iterator[tuple[Path, str]]:
    """A folder, or the working folder as it was at a revision of git, and what that is called.

    The files of a revision lie in a folder of their own, which is removed at the end.
    """
    if Path(name).is_dir():
        yield Path(name).resolve(), "the working folder" if Path(name).resolve() == Path.cwd() else f"`{name}`"
        return
    short = _git("rev-parse", "--short", "--verify", "--quiet", f"{name}^{{commit}}", why=name).decode().strip()
    # Rules alone: a repository may hold much else. A pattern that no file fits would be an error.
    there = _git("ls-tree", "-r", "-z", "--name-only", short, why=name).decode(errors="replace").split("\0")
    wanted = [f":(glob)**/*{ending}" for ending in ENDINGS if any(file.endswith(ending) for file in there)]
    packed = _git("archive", "--format=zip", short, "--", *wanted, why=name) if wanted else b""
    with TemporaryDirectory(prefix="houserule-") as folder:
        if packed:
            with zipfile.ZipFile(io.BytesIO(packed)) as files:  # which leaves no file outside of the folder
                files.extractall(folder, [one for one in files.infolist() if not stat.S_ISLNK(one.external_attr >> 16)])
        shown = f"`{short}`" if name.startswith(short) else f"`{name}` ({short})"
        yield Path(folder).resolve(), shown


def _git(*words: str, why: str) -> bytes:
    try:
        done = subprocess.run(["git", *words], capture_output=True)
    except FileNotFoundError:
        raise click.UsageError(f"there is no folder `{why}`, and git is not installed") from None
    if done.returncode:
        said = done.stderr.decode(errors="replace").strip().splitlines()
        raise click.UsageError(f"`{why}` is neither a folder nor a revision of git" + (f": {said[-1]}" if said else ""))
    return done.stdout
