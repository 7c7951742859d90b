"""The environments that gymnasium.make knows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ._env import Env
from ._spaces import HAS_GYMNASIUM
from ._task import Reach
from ._vector import VectorEnv


@dataclass(frozen=True)
class Registered:
    """A robot that comes with the programs, and its task: to reach points around where it begins."""

    radius: float  # m, of where goals are
    axes: str  # in which goals lie
    hz: float = 20
    max_episode_steps: int = 100
    actions: tuple[str, ...] = ()


_PULLED = ("field_gradient",)  # bodies that a field alone turns, and moves nowhere

ROBOTS = {
    "silicone": Registered(0.08, "yz"),
    "nitinol": Registered(0.06, "xy"),
    "segments": Registered(0.08, "xy"),
    "helical": Registered(0.06, "xy"),
    "servo": Registered(0.08, "x"),
    "motors": Registered(0.05, "xy"),
    "catheter": Registered(0.02, "yz"),
    "tendonforces": Registered(0.03, "yz"),
    "endoscope": Registered(0.01, "yz"),
    "guidewire": Registered(0.002, "yz"),
    "tapered_arm": Registered(0.04, "xy"),
    "swimmer": Registered(1e-4, "xyz", hz=40, max_episode_steps=400),
    "helix": Registered(1e-4, "xyz", hz=40, max_episode_steps=400),
    "sphere": Registered(1e-4, "xy", hz=40, max_episode_steps=400),
    "prolate_magnet": Registered(1e-4, "xyz", actions=_PULLED),
    "soft_ellipsoid": Registered(5e-5, "xyz", actions=_PULLED),
    "beads": Registered(2e-5, "xyz", actions=_PULLED),
    "swarm": Registered(3e-4, "xyz", actions=_PULLED),
    "levitation": Registered(0.005, "xyz", hz=100, max_episode_steps=200, actions=_PULLED),
}


def register_envs() -> None:
    """Registers an environment "sinew/NAME-v0" for every robot and world of one rod or body, where Gymnasium is installed. Importing sinew does it."""
    if not HAS_GYMNASIUM:
        return
    import gymnasium

    for name, robot in ROBOTS.items():
        if f"sinew/{name}-v0" not in gymnasium.registry:
            gymnasium.register(
                f"sinew/{name}-v0", entry_point="sinew._registration:make", vector_entry_point="sinew._registration:make_vector",
                max_episode_steps=robot.max_episode_steps, kwargs={"name": name},
            )


def options_of(name: str, options: dict[str, Any]) -> dict[str, Any]:
    """The options of a registered environment, over which those of the caller are laid."""
    robot = ROBOTS[name]
    known: dict[str, Any] = {"robot": name, "hz": robot.hz, "actions": robot.actions or None}
    if not {"reward", "terminated", "task"} & set(options):
        known["task"] = Reach(robot.radius, axes=robot.axes)
    return {**known, **options}


def make(name: str, **options: Any) -> Env:
    """The entry point of gymnasium.make. options are those of Env."""
    return Env(**options_of(name, options))


def make_vector(name: str, num_envs: int, max_episode_steps: int | None = None, **options: Any) -> VectorEnv:
    """The entry point of gymnasium.make_vec. options are those of VectorEnv."""
    return VectorEnv(num_envs=num_envs, max_steps=max_episode_steps, **options_of(name, options))
