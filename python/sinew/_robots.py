"""The robots and worlds that come with the programs, and which program a robot file is for."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Union

# A robot file, the name of a robot that comes with the programs, several files laid over one another, or the built-in robot.
Robot = Union[str, "os.PathLike[str]", Iterable[Union[str, "os.PathLike[str]"]], None]

_FOLDER = Path(__file__).parent / "robots"


def robots() -> dict[str, Path]:
    """The robot files that came with this package, by name: robots, and robots in worlds."""
    return {path.stem: path for path in sorted(_FOLDER.glob("*.yaml"))}


def robot_files(robot: Robot) -> list[str]:
    """The robot files of a name, a file or several; none for the built-in robot."""
    if robot is None:
        return []
    names = [robot] if isinstance(robot, (str, os.PathLike)) else list(robot)
    known = robots()
    return [os.fspath(known.get(os.fspath(name), name)) for name in names]


def program_of(files: list[str]) -> str:
    """The program that robot files are for, by their keys."""
    for name in files:
        with open(name, encoding="utf-8", errors="replace") as file:
            text = file.read(1 << 22)
        if re.search(r"^(rods?|bodies|joints|tendons)\s*:", text, re.M):
            return "tendonsim"
        if re.search(r"^(body|swarm)\s*:", text, re.M):
            return "microrobot"
    if files:
        raise ValueError(f"{', '.join(files)}: neither rod nor rods, bodies, body is among the keys; say which program: program=\"tendonsim\" or \"microrobot\"")
    return "tendonsim"
