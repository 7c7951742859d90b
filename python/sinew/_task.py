"""Tasks: goals, rewards and the end of episodes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]
Parts = Mapping[str, Array]


class Task:
    """What robots are to do. A task of one's own overrides what it needs.

    All arrays have a row for each robot. parts maps ports to what is observed of them, in SI units, with "goal" beside.
    """

    names: tuple[str, ...] = ()
    """Names of the values of a goal, such as ("x", "y"); they are the end of each observation."""
    unit = "m"
    """Unit of a goal."""

    def begin(self, parts: Parts, randoms: list[np.random.Generator]) -> Array:
        """Goals of the robots that begin an episode: array of (robots, len(names)). parts has their rows alone, and randoms a
        generator for each, which follows from its seed."""
        return np.zeros((len(randoms), len(self.names)))

    def reward(self, parts: Parts, actions: Array) -> Array:
        """Rewards: array of (robots,). actions has what was given to step."""
        return np.zeros(len(actions))

    def terminated(self, parts: Parts) -> npt.NDArray[np.bool_]:
        """Which episodes end because the task is done or lost: array of (robots,)."""
        return np.zeros(len(next(iter(parts.values()))), bool)

    def info(self, parts: Parts) -> dict[str, npt.NDArray[Any]]:
        """What the dictionary info has besides: arrays of (robots,)."""
        return {}


class Reach(Task):
    """The tip of a rod, or a body, is to reach a point that each episode draws around where it began.

    radius   m, within which goals are, around the position at the beginning
    axes     directions in which goals lie, and in which distances count: "xy" is the plane z = 0 of the world
    near     m, the distance that info["is_success"] takes for reached; without it a tenth of radius
    port     the pose that is to reach it

    The reward of a step is minus the distance over radius; info["distance"] has it in m.
    """

    def __init__(self, radius: float, *, axes: str = "xyz", near: float | None = None, port: str = "measured_cp") -> None:
        if not 0 < radius < np.inf:
            raise ValueError(f"radius is {radius} m; want a number above 0")
        if not axes or len(set(axes)) != len(axes) or not set(axes) <= set("xyz"):
            raise ValueError(f'axes is {axes!r}; want some of the letters "xyz", such as "xy"')
        self.radius, self.port, self.names = radius, port, tuple(axes)
        self.near = radius / 10 if near is None else near
        self._columns = ["xyz".index(a) for a in axes]

    def begin(self, parts: Parts, randoms: list[np.random.Generator]) -> Array:
        n = len(self.names)
        steps = []
        for random in randoms:  # uniform in the ball
            direction = random.standard_normal(n)
            steps.append(self.radius * random.uniform() ** (1 / n) * direction / np.linalg.norm(direction))
        goals: Array = parts[self.port][:, self._columns] + np.array(steps).reshape(-1, n)
        return goals

    def distance(self, parts: Parts) -> Array:
        """Distances from the goals, m: array of (robots,)."""
        distance: Array = np.linalg.norm(parts[self.port][:, self._columns] - parts["goal"], axis=1)
        return distance

    def reward(self, parts: Parts, actions: Array) -> Array:
        reward: Array = -self.distance(parts) / self.radius
        return reward

    def info(self, parts: Parts) -> dict[str, npt.NDArray[Any]]:
        distance = self.distance(parts)
        return {"distance": distance, "is_success": distance <= self.near}
