"""The environment of a single robot."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NoReturn

import numpy as np
import numpy.typing as npt

from ._derivatives import Jacobian, LinearisedStep
from ._picture import Camera
from ._robots import Robot
from ._spaces import Box
from ._spaces import Env as _Env
from ._task import Array, Parts, Task
from ._vector import Reward, Scale, Terminated, VectorEnv


class Env(_Env[Array, Array]):
    """A robot as an environment of Gymnasium 1: one robot of a VectorEnv, without the axis of the robots.

    robot, max_steps, hz, actions, observations, scale, vary, camera, program
                  as of VectorEnv
    reward        reward(observation, action), a number: observation has arrays of (values,) by port, in SI units
    terminated    terminated(observation), a bool
    task          a Task instead of both
    render_mode   "rgb_array": render returns a picture

    An action is an array of (values,) in SI units within action_space, whose bounds are the limits of the robot file;
    action_names and observation_names name the values with their units. info has the simulated time in s, whether a value of
    the action was clamped to its limits, what a task adds, after a reset what it has drawn as "parameters", and "error"
    where the step has failed, which terminates the episode.
    """

    metadata: dict[str, Any] = {"render_modes": ["rgb_array"]}
    action_space: Box[np.float64]
    observation_space: Box[np.float64]
    dt: float
    """Simulated time of a step, s."""

    def __init__(
        self,
        robot: Robot = None,
        *,
        reward: Reward | None = None,
        terminated: Terminated | None = None,
        task: Task | None = None,
        max_steps: int | None = None,
        hz: float | None = None,
        actions: str | Sequence[str] | None = None,
        observations: str | Sequence[str] | None = None,
        scale: Scale = False,
        vary: Mapping[str, str] | None = None,
        render_mode: str | None = None,
        camera: Camera | None = None,
        program: str | None = None,
    ) -> None:
        self.vector = VectorEnv(
            robot, 1, reward=_of_rows(reward), terminated=_of_rows(terminated), task=task, max_steps=max_steps, hz=hz, actions=actions,
            observations=observations, scale=scale, vary=vary, autoreset="disabled", render_mode=render_mode, camera=camera, program=program, workers=1,
        )
        """The vector environment of this robot alone."""
        self.action_space, self.observation_space = self.vector.single_action_space, self.vector.single_observation_space
        self.metadata = {key: value for key, value in self.vector.metadata.items() if key != "autoreset_mode"}
        self.render_mode = render_mode
        self.dt = self.vector.dt

    @property
    def action_names(self) -> dict[str, str]:
        """The names of the values of an action, in their order, each with its unit."""
        return self.vector.action_names

    @property
    def observation_names(self) -> dict[str, str]:
        """The names of the values of an observation, in their order, each with its unit."""
        return self.vector.observation_names

    @property
    def ports(self) -> dict[str, list[dict[str, Any]]]:
        """The ports of actions and observations, as of VectorEnv."""
        return self.vector.ports

    def split(self, observation: npt.NDArray[Any]) -> dict[str, npt.NDArray[Any]]:
        """An observation by port: {"measured_cp": array of (7,), …}."""
        return self.vector.split(observation)

    def reset(self, *, seed: int | None = None, options: Mapping[str, Any] | None = None) -> tuple[Array, dict[str, Any]]:
        """Brings the robot back to its initial state, with what varies drawn anew.

        The same seed gives the same draws, and later resets without one go on. options may have vary, what each reset draws
        from now on, or parameters: {number of the robot file: value}. A reset that is refused changes nothing.
        """
        if options and "reset_mask" in options:
            raise ValueError("reset has no option 'reset_mask'; there are vary and parameters")
        observation, info = self.vector.reset(seed=seed, options=options)
        super().reset(seed=seed)
        return observation[0], _first(info)

    def step(self, action: npt.ArrayLike) -> tuple[Array, float, bool, bool, dict[str, Any]]:
        """Gives the robot an action for one period, dt seconds.

        Returns observation, reward, terminated (done, or failed with the reason in info["error"]), truncated (max_steps) and info.
        """
        observation, reward, terminated, truncated, info = self.vector.step(np.asarray(action, np.float64)[None])
        return observation[0], float(reward[0]), bool(terminated[0]), bool(truncated[0]), _first(info)

    def scene(self) -> dict[str, Any]:
        """What the robot looks like, as of VectorEnv."""
        return self.vector.scene()

    def jacobian(self) -> Jacobian:
        """How the tip follows slow changes of the inputs from the present shape, as of VectorEnv."""
        return self.vector.jacobian()

    def linearise(self) -> LinearisedStep:
        """The next step of the solver, linearised about the present state and commands, as of VectorEnv."""
        return self.vector.linearise()

    def render(self) -> npt.NDArray[np.uint8] | None:
        """A picture: array of (height, width, 3), red, green and blue from 0 to 255."""
        pictures = self.vector.render()
        return pictures[0] if pictures else None

    def close(self) -> None:
        """Ends the program. Again it does nothing."""
        self.vector.close()

    def __reduce__(self) -> NoReturn:
        raise TypeError("an environment cannot be pickled: make one in each process")


def _of_rows(function: Any) -> Any:
    """A function of one robot's arrays as one of arrays with a row for each robot."""
    if function is None:
        return None

    def of_rows(parts: Parts, *actions: Array) -> list[Any]:
        return [function({name: part[0] for name, part in parts.items()}, *(a[0] for a in actions))]

    return of_rows


def _first(info: dict[str, Any]) -> dict[str, Any]:
    """The info of the only robot."""
    one: dict[str, Any] = {}
    for key, value in info.items():
        if key == "parameters":
            if info["_parameters"][0]:
                one[key] = {name: float(values[0]) for name, values in value.items()}
        elif not key.startswith("_"):
            one[key] = value[0].item() if isinstance(value[0], np.generic) else value[0]
    return one
