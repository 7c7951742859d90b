"""Robots as Stable-Baselines3 wants them.

    env = sinew.sb3.VecEnv(sinew.make_vec("nitinol", 32, task=sinew.Reach(0.06, axes="xy"), hz=20, max_steps=40, scale=True, autoreset="same_step"))
    model = stable_baselines3.PPO("MlpPolicy", env)

This module needs Stable-Baselines3. A single sinew.Env needs no adapter.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Union

import numpy as np
import numpy.typing as npt
from gymnasium.spaces import Box
from stable_baselines3.common.vec_env import VecEnv as _VecEnv

from ._vector import VectorEnv

Floats = npt.NDArray[np.float32]
_Indices = Union[None, int, Iterable[int]]


class VecEnv(_VecEnv):
    """A VectorEnv as a VecEnv of Stable-Baselines3.

    robots     a VectorEnv with autoreset="same_step"
    normalize  actions are from -1 to 1, which are the limits of each value; otherwise in SI units

    Observations are arrays of (num_envs, values), float32; give the VectorEnv scale=True for values of the order of 1.
    Actions are float32 of (num_envs, values). The infos of a robot have its values of the VectorEnv's info.
    """

    def __init__(self, robots: VectorEnv, *, normalize: bool = True) -> None:
        if robots.metadata["autoreset_mode"].value != "SameStep":
            raise ValueError('the robots are not reset in the step that ends an episode; make them with autoreset="same_step"')
        self.robots = robots
        low, high = robots.single_action_space.low, robots.single_action_space.high
        if normalize and not (np.isfinite(low) & np.isfinite(high)).all():
            name = list(robots.action_names)[int(np.argmin(np.isfinite(low) & np.isfinite(high)))]
            raise ValueError(f"{name} has no limits, which normalize needs; give the robot file limits, or normalize=False")
        self._middle, self._half = ((low + high) / 2, (high - low) / 2) if normalize else (np.zeros_like(low), np.ones_like(low))
        actions = Box((low - self._middle) / self._half, (high - self._middle) / self._half, dtype=np.float32)
        shape = robots.single_observation_space.shape
        self._actions: npt.NDArray[Any] = np.zeros(robots.action_space.shape)
        super().__init__(robots.num_envs, Box(-np.inf, np.inf, shape, np.float32), actions)

    def reset(self) -> Floats:
        """Resets all robots, with the seeds of seed and the options of set_options, and returns their observations."""
        given = [o for o in self._options if o]
        if given and any(o != given[0] for o in self._options):
            raise ValueError("the options of robots differ; want the same for all")
        seeds = [s for s in self._seeds if s is not None]
        observation, info = self.robots.reset(seed=seeds if len(seeds) == self.num_envs else None, options=given[0] if given else None)
        self._reset_seeds()
        self._reset_options()
        self.reset_infos = _infos(info, self.num_envs)
        return observation.astype(np.float32)

    def step_async(self, actions: npt.NDArray[Any]) -> None:
        """Takes the actions of step_wait."""
        self._actions = actions

    def step_wait(self) -> tuple[Floats, Floats, npt.NDArray[np.bool_], list[dict[str, Any]]]:
        """Steps all robots; those whose episode has ended begin the next one.

        Returns observations, rewards, which episodes have ended, and infos, with "TimeLimit.truncated" and, of an episode that
        has ended, "terminal_observation".
        """
        observation, reward, terminated, truncated, info = self.robots.step(self._middle + self._half * np.asarray(self._actions, np.float64))
        done = terminated | truncated
        infos = _infos(info, self.num_envs)
        if done.any():
            last = _infos(info["final_info"], self.num_envs)
            for i in map(int, np.flatnonzero(done)):
                self.reset_infos[i] = infos[i]
                infos[i] = {**last[i], "terminal_observation": info["final_obs"][i].astype(np.float32)}
        for i in range(self.num_envs):
            infos[i]["TimeLimit.truncated"] = bool(truncated[i] and not terminated[i])
        return observation.astype(np.float32), reward.astype(np.float32), done, infos

    def get_images(self) -> Sequence[npt.NDArray[np.uint8] | None]:
        """A picture of each robot."""
        return self.robots.render() or [None] * self.num_envs

    def close(self) -> None:
        """Ends the program. Again it does nothing."""
        self.robots.close()

    def get_attr(self, attr_name: str, indices: _Indices = None) -> list[Any]:
        """An attribute of the VectorEnv, for each robot."""
        value = getattr(self.robots, attr_name)
        return [value for _ in self._get_indices(indices)]

    def set_attr(self, attr_name: str, value: Any, indices: _Indices = None) -> None:
        """Sets an attribute of the VectorEnv, which all robots share."""
        self._for_all("set_attr", indices)
        setattr(self.robots, attr_name, value)

    def env_method(self, method_name: str, *method_args: Any, indices: _Indices = None, **method_kwargs: Any) -> list[Any]:
        """Calls a method of the VectorEnv once, for all robots."""
        self._for_all("env_method", indices)
        value = getattr(self.robots, method_name)(*method_args, **method_kwargs)
        return [value] * self.num_envs

    def env_is_wrapped(self, wrapper_class: type[Any], indices: _Indices = None) -> list[bool]:
        """No robot has a wrapper."""
        return [False for _ in self._get_indices(indices)]

    def _for_all(self, what: str, indices: _Indices) -> None:
        if sorted(self._get_indices(indices)) != list(range(self.num_envs)):
            raise ValueError(f"{what} for robots {indices}: they are one environment; want all of them")


def _infos(info: dict[str, Any], n: int) -> list[dict[str, Any]]:
    """The info of a VectorEnv as one for each robot."""
    infos: list[dict[str, Any]] = [{} for _ in range(n)]
    for key, values in info.items():
        if key.startswith("_") or key in ("final_obs", "final_info"):
            continue
        has = info.get("_" + key)
        for i in range(n):
            if has is not None and not has[i]:
                continue
            if isinstance(values, dict):
                infos[i][key] = {name: float(v[i]) for name, v in values.items()}
            else:
                infos[i][key] = values[i].item() if isinstance(values[i], np.generic) else values[i]
    return infos
