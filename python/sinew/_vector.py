"""The vector environment."""

from __future__ import annotations

import contextlib
import json
import numbers
import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NoReturn, Union

import numpy as np
import numpy.typing as npt

from . import _derivatives
from ._derivatives import Jacobian, LinearisedStep
from ._picture import Camera, Picture
from ._process import Error, Process
from ._robots import Robot, program_of, robot_files
from ._spaces import AutoresetMode, Box, batch_space
from ._spaces import VectorEnv as _VectorEnv
from ._task import Array, Parts, Task

_AUTORESET = {"next_step": AutoresetMode.NEXT_STEP, "same_step": AutoresetMode.SAME_STEP, "disabled": AutoresetMode.DISABLED}

Reward = Callable[[Parts, Array], npt.ArrayLike]
Terminated = Callable[[Parts], npt.ArrayLike]
Scale = Union[bool, Mapping[str, float]]
Bools = npt.NDArray[np.bool_]


def make_vec(
    robot: Robot,
    num_envs: int,
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
    autoreset: str = "next_step",
    render_mode: str | None = None,
    camera: Camera | None = None,
    program: str | None = None,
    workers: int | None = None,
) -> VectorEnv:
    """Makes a vector environment of num_envs robots; VectorEnv describes the options."""
    return VectorEnv(
        robot, num_envs, reward=reward, terminated=terminated, task=task, max_steps=max_steps, hz=hz, actions=actions, observations=observations,
        scale=scale, vary=vary, autoreset=autoreset, render_mode=render_mode, camera=camera, program=program, workers=workers,
    )


class VectorEnv(_VectorEnv[Array, Array, Array]):
    """Robots that are stepped together, each with a state of its own: a VectorEnv as Gymnasium 1 has it.

    robot         robot file, the name of a robot that comes with the programs (robots()), a list of files laid over one
                  another, or None: the built-in robot of program
    num_envs      how many
    reward        reward(observation, action), an array of num_envs; without it all rewards are 0
    terminated    terminated(observation), an array of num_envs: the task is done; without it never
    task          a Task instead of both, such as Reach(0.05, axes="xy"): goals, which observations end with, and rewards
    max_steps     steps after which an episode is truncated
    hz            steps per simulated second; without it control_hz of the robot file
    actions       names of In ports, such as ["servo_jf"]; without it the first that drives the robot
    observations  names of Out ports; without it measured_cp, measured_cv and measured_js
    scale         True: each value of an observation is divided by what it is of the order of: positions by the length of the
                  robot, speeds by that in a second, forces and fields by their limits. {"measured_cp.x": 0.1, "measured_cv": 2}
                  has other scales besides, of a value or of a port, in SI units
    vary          {number of the robot file: "lognormal(60e9,0.1)"}, drawn anew by each reset
    autoreset     "next_step" (Gymnasium's default): the step after the end of an episode resets, ignores its action and has
                  reward 0; "same_step": the step that ends an episode returns the first observation and info of the next,
                  and the last ones as info["final_obs"] and info["final_info"]; "disabled": reset with the option reset_mask
    render_mode   "rgb_array": render returns a picture of each robot
    camera        from where, a Camera
    program       "tendonsim" or "microrobot"; without it what the robot file is for
    workers       robots stepped at the same time; without it as many as there are processors

    Actions are arrays of (num_envs, values) in SI units within action_space, whose bounds are the limits of the robot file;
    action_names and observation_names name the values with their units. reward and terminated get observations as a
    dictionary from port to an array of num_envs rows, in SI units whatever scale is; split makes one. A robot whose step
    fails is terminated, with the reason in info["error"]. What a reset has drawn is in info["parameters"], by name, for the
    robots in info["_parameters"]; others have NaN.
    """

    metadata: dict[str, Any] = {"render_modes": ["rgb_array"]}
    num_envs: int
    single_action_space: Box[np.float64]
    single_observation_space: Box[np.float64]
    action_space: Box[np.float64]
    observation_space: Box[np.float64]
    dt: float
    """Simulated time of a step, s."""

    def __init__(
        self,
        robot: Robot,
        num_envs: int,
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
        autoreset: str = "next_step",
        render_mode: str | None = None,
        camera: Camera | None = None,
        program: str | None = None,
        workers: int | None = None,
    ) -> None:
        _check_count(num_envs)
        if autoreset not in _AUTORESET:
            raise ValueError(f"autoreset is {autoreset!r}; want one of {', '.join(_AUTORESET)}")
        if max_steps is not None and max_steps < 1:
            raise ValueError(f"max_steps is {max_steps}; want 1 or more")
        if task is not None and (reward is not None or terminated is not None):
            raise ValueError("task has rewards and ends; give either task, or reward and terminated")
        if render_mode not in (None, "rgb_array"):
            raise ValueError(f"render_mode is {render_mode!r}; want None or 'rgb_array'")
        files = robot_files(robot)
        arguments = ["--envs", str(num_envs)]
        lists: list[tuple[str, str | Sequence[str] | None]] = [
            ("--config", files), ("--action", actions), ("--observe", observations), ("--vary", _variations(vary)),
        ]
        for flag, values in lists:
            for v in [values] if isinstance(values, str) else values or []:
                arguments += [flag, os.fspath(v)]
        for flag, value in (("--hz", hz), ("--workers", workers)):
            if value is not None:
                arguments += [flag, str(value)]
        self._process = Process(program or program_of(files), arguments)
        self._header = self._process.header
        self._memory = self._process.arrays
        self._reward, self._terminated, self._max_steps, self._autoreset = reward, terminated, max_steps, autoreset
        # What varies: the request that says so, names, and values that are given instead of drawn. The program knows it, too,
        # but after an interrupt it is unknown which it has.
        self._variation: tuple[str, list[str], list[Array] | None] = "\t".join(["vary", *_variations(vary)]), list(vary or {}), None
        self.num_envs = int(num_envs)
        self.metadata = {"autoreset_mode": _AUTORESET[autoreset], "render_modes": ["rgb_array"], "render_fps": max(1, round(1 / self._header["period_s"]))}
        self.render_mode = render_mode
        self._pictures = [Picture(camera or Camera()) for _ in range(self.num_envs)] if render_mode else []
        self._task = task
        self._goals = np.zeros((self.num_envs, len(task.names) if task else 0))
        self._randoms: list[np.random.Generator] = []
        self._scales = self._scales_of(scale)
        self.dt = self._header["period_s"]
        low = [-np.inf if x is None else x for p in self._header["actions"] for x in p["min"]]
        high = [np.inf if x is None else x for p in self._header["actions"] for x in p["max"]]
        wide = self._memory["observation"].shape[1] + self._goals.shape[1]
        self.single_action_space = Box(np.array(low), np.array(high), dtype=np.float64)
        self.single_observation_space = Box(np.full(wide, -np.inf), np.full(wide, np.inf), dtype=np.float64)
        spaces: list[Any] = [batch_space(space, self.num_envs) for space in (self.single_action_space, self.single_observation_space)]
        self.action_space, self.observation_space = spaces
        self._steps = np.zeros(self.num_envs, int)
        self._done = np.zeros(self.num_envs, bool)
        self._ready = self._seeded = False

    def _scales_of(self, scale: Scale) -> Array | None:
        """By what observations are divided."""
        if scale is False:
            return None
        given = dict(scale) if isinstance(scale, Mapping) else {}
        scales = []
        for p in self._header["observations"]:
            of_port = given.pop(p["name"], None)
            for name, known in zip(p["components"], p["scales"]):
                of_value = given.pop(f"{p['name']}.{name}", of_port)
                scales.append(known if of_value is None else of_value)
        of_goals = given.pop("goal", None)
        goal_unit = next((s for p in self._header["observations"] for u, s in zip(p["units"], p["scales"]) if self._task and u == self._task.unit), 1.0)
        for name in self._task.names if self._task else ():
            scales.append(given.pop(f"goal.{name}", goal_unit if of_goals is None else of_goals))
        if given:
            raise ValueError(f"scale of {', '.join(map(repr, given))}: no such value; there are {', '.join(self.observation_names)}, and the ports before the dot")
        if not all(0 < s < np.inf for s in scales):
            raise ValueError(f"a scale is {next(s for s in scales if not 0 < s < np.inf)}; want a number above 0")
        return np.array(scales, np.float64)

    @property
    def action_names(self) -> dict[str, str]:
        """The names of the values of an action, in their order, each with its unit: {"servo_jf.front": "N", …}."""
        return _names(self._header["actions"])

    @property
    def observation_names(self) -> dict[str, str]:
        """The names of the values of an observation, in their order, each with its unit: {"measured_cp.x": "m", …}."""
        goals = {f"goal.{name}": self._task.unit for name in self._task.names} if self._task else {}
        return {**_names(self._header["observations"]), **goals}

    @property
    def ports(self) -> dict[str, list[dict[str, Any]]]:
        """The ports of actions and observations: name, kind, unit, labels, width, names, units and scales of the values and, of
        actions, min, max and max_rate."""
        return {"actions": self._header["actions"], "observations": self._header["observations"]}

    def split(self, observation: npt.NDArray[Any]) -> dict[str, npt.NDArray[Any]]:
        """Observations by port: {"measured_cp": array of (num_envs, 7), …}, with the goals of a task as "goal". The arrays are views."""
        parts, first = {}, 0
        for p in self._header["observations"]:
            parts[p["name"]] = observation[..., first : first + p["width"]]
            first += p["width"]
        if self._task:
            parts["goal"] = observation[..., first:]
        return parts

    def _observed(self) -> Array:
        """What is observed now, in SI units: array of (num_envs, values)."""
        observation: Array = self._memory["observation"]
        return np.concatenate([observation, self._goals], axis=1) if self._task else observation.copy()

    def _scaled(self, observation: Array) -> Array:
        return observation if self._scales is None else observation / self._scales

    def reset(
        self, *, seed: int | Sequence[int] | npt.NDArray[Any] | None = None, options: Mapping[str, Any] | None = None
    ) -> tuple[Array, dict[str, Any]]:
        """Brings robots back to their initial state, with what varies drawn anew.

        seed is an integer (robot i has seed + i) or a list with one for each robot; the same seed gives the same draws. Without
        it the first reset takes seeds of the system and later ones go on. options may have reset_mask, an array of booleans
        (which robots), vary (what each reset draws from now on, as in make_vec), or parameters: {number of the robot file: an
        array with a value for each robot}, which resets give them from now on. A reset that is refused changes nothing.
        """
        options = dict(options or {})
        mask = np.asarray(options.pop("reset_mask", np.ones(self.num_envs, bool)))
        vary, given = options.pop("vary", None), options.pop("parameters", None)
        if options:
            raise ValueError(f"reset has no option {', '.join(map(repr, options))}; there are reset_mask, vary and parameters")
        if vary is not None and given is not None:
            raise ValueError("reset has either vary or parameters")
        if mask.shape != (self.num_envs,) or mask.dtype != bool:
            raise ValueError(f"reset_mask has shape {mask.shape} and type {mask.dtype}; want ({self.num_envs},) and bool")
        if not mask.all() and not self._ready:
            raise Error("the first reset, and one after an interrupt, must be of all robots")
        self._process.check_owner()
        seeds = self._seeds(seed)
        before = variation = self._variation
        if vary is not None:
            variation = "\t".join(["vary", *_variations(vary)]), list(vary), None
        if given is not None:
            columns = [np.array(np.broadcast_to(np.asarray(v, np.float64), self.num_envs)) for v in given.values()]
            variation = "\t".join(["set", *map(_plain, given)]), list(given), columns
        ready = self._ready
        if variation is not before or not ready:
            with self._turn():
                self._process.ask(variation[0])
                self._variation = variation
        try:
            self._restart("reset_all", mask, seeds)
        except Error:
            if self.closed:
                raise
            self._memory["reset"][:] = self._memory["reseed"][:] = 0
            self._process.ask(before[0])
            self._variation, self._ready = before, ready
            raise
        self._begin(mask)
        return self._scaled(self._observed()), self._info(mask)

    def _begin(self, which: Bools) -> None:
        """Draws goals for robots that begin an episode."""
        if self._task and which.any():
            self._goals[which] = 0
            parts = {name: part[which] for name, part in self.split(self._observed()).items()}
            goals = np.asarray(self._task.begin(parts, [self._randoms[i] for i in np.flatnonzero(which)]), np.float64)
            if goals.shape != (which.sum(), len(self._task.names)):
                raise ValueError(f"task.begin returns an array of shape {goals.shape}; want {(int(which.sum()), len(self._task.names))}")
            self._goals[which] = goals

    def _seeds(self, seed: int | Sequence[int] | npt.NDArray[Any] | None) -> npt.NDArray[np.uint64] | None:
        if seed is None:
            if self._seeded:
                return None
            seeds = [int(s) for s in np.random.SeedSequence().generate_state(self.num_envs, np.uint64)]
        elif isinstance(seed, (int, np.integer)):
            seeds = [int(seed) + i for i in range(self.num_envs)]
        else:
            seeds = [int(s) for s in seed]
        if len(seeds) != self.num_envs:
            raise ValueError(f"{len(seeds)} seeds for {self.num_envs} environments")
        if min(seeds) < 0 or max(seeds) >= 1 << 64:
            raise ValueError(f"seeds are from {min(seeds)} to {max(seeds)}; allowed: 0 to 2^64 - 1")
        return np.array(seeds, np.uint64)

    def _restart(self, request: str, mask: Bools, seeds: npt.NDArray[np.uint64] | None) -> None:
        m = self._memory
        self._ready = False
        self._process.settle()
        m["reset"][:, 0] = mask
        m["reseed"][:, 0] = seeds is not None
        if seeds is not None:
            m["seed"][:, 0] = seeds
        for k, values in enumerate(self._variation[2] or []):
            m["parameters"][:, k] = values
        self._process.ask(request)
        if self._task and seeds is not None:
            new = [np.random.default_rng(int(s)) for s in seeds]
            self._randoms = [r if again else old for r, again, old in zip(new, mask, self._randoms or new)]
        self._restarted(mask)
        self._ready = self._seeded = True

    def _restarted(self, mask: Bools) -> None:
        self._memory["reset"][:] = 0
        self._memory["reseed"][:] = 0
        self._steps[mask] = 0
        self._done[mask] = False

    @contextlib.contextmanager
    def _turn(self) -> Iterator[None]:
        """What an interrupt must not divide: after one in it, all robots must be reset. A request that is refused changes nothing."""
        ready, self._ready = self._ready, False
        try:
            yield
        except Error:
            self._ready = ready and not self.closed
            raise
        self._ready = ready

    def step(self, actions: npt.ArrayLike) -> tuple[Array, Array, Bools, Bools, dict[str, Any]]:  # type: ignore[override]
        """Gives each robot its action for one period: tensions in N, a field in T, or what the action ports take."""
        self._process.check_owner()
        if not self._ready:
            raise Error("reset must be called before step, first and after an interrupt" if not self.closed else "the environment is closed")
        actions = self._checked(actions)
        m = self._memory
        restart = self._done.copy() if self._autoreset == "next_step" else np.zeros(self.num_envs, bool)
        with self._turn():
            self._process.settle()
            m["action"][:] = actions
            m["reset"][:, 0] = restart
            self._process.ask("step")
            self._restarted(restart)
            self._steps[~restart] += 1
        self._begin(restart)
        observation = self._observed()
        parts = self.split(observation)
        reward = np.where(restart, 0.0, self._called("reward", self._task.reward if self._task else self._reward, float, parts, actions))
        failed = m["failed"][:, 0].astype(bool)
        # A robot whose reset fails, too, ends: its next one draws anew, and the others go on.
        terminated = failed | ~restart & self._called("terminated", self._task.terminated if self._task else self._terminated, bool, parts)
        truncated = ~restart & ~terminated & (self._steps >= self._max_steps if self._max_steps else False)
        self._done = terminated | truncated
        info = self._info(restart)
        observation = self._scaled(observation)
        if self._autoreset == "same_step" and self._done.any():
            done = self._done.copy()
            final = {"final_obs": observation, "_final_obs": done.copy(), "final_info": info, "_final_info": done.copy()}
            self._restart("reset", done, None)  # one that fails ends in the next step
            self._begin(done)
            observation, info = self._scaled(self._observed()), {**self._info(done), **final}
        return observation, reward, terminated, truncated, info

    def _checked(self, actions: npt.ArrayLike) -> Array:
        actions = np.asarray(actions, np.float64)
        if actions.shape != self._memory["action"].shape:
            names = ", ".join(f"{p['name']} with {p['width']} values" for p in self._header["actions"])
            raise ValueError(f"actions have shape {actions.shape}; want {self._memory['action'].shape}, a row of {names} for each robot")
        if not np.isfinite(actions).all():
            i, k = map(int, np.argwhere(~np.isfinite(actions))[0])
            value, first = actions[i, k], 0
            for p in self._header["actions"]:
                if k < first + p["width"]:
                    label = f" ({p['labels'][k - first]})" if p["labels"] else ""
                    raise ValueError(f"env {i}: action {p['name']}: value {k - first}{label} is {value}; want a finite number of {p['unit']}")
                first += p["width"]
        return actions

    def _called(self, name: str, function: Callable[..., npt.ArrayLike] | None, kind: type, *arguments: Any) -> npt.NDArray[Any]:
        if function is None:
            return np.zeros(self.num_envs, kind)
        values: npt.NDArray[Any] = np.asarray(function(*arguments), kind)
        if values.shape != (self.num_envs,):
            raise ValueError(f"{name} returns an array of shape {values.shape}; want ({self.num_envs},)")
        if not np.isfinite(values).all():
            i = int(np.argmin(np.isfinite(values)))
            raise ValueError(f"{name} of env {i} is {values[i]}; want a finite number")
        return values

    def _text(self, i: int) -> str:
        text: bytes = self._memory["error"][i].tobytes().rstrip(b"\0")
        return text.decode(errors="replace")

    def _info(self, restarted: Bools) -> dict[str, Any]:
        m = self._memory
        failed = m["failed"][:, 0].astype(bool)
        info: dict[str, Any] = {"time": m["time"][:, 0].copy(), "clamped": m["clamped"][:, 0].astype(bool)}
        if self._task:
            info.update(self._task.info(self.split(self._observed())))
        if failed.any():
            info["error"] = np.array([self._text(i) if failed[i] else None for i in range(self.num_envs)], object)
            info["_error"] = failed
        names = self._variation[1]
        if names and restarted.any():
            info["parameters"] = {name: np.where(restarted, m["parameters"][:, k], np.nan) for k, name in enumerate(names)}
            info["_parameters"] = restarted.copy()
        return info

    def scene(self, i: int = 0) -> dict[str, Any]:
        """What robot i looks like: its backbone, disks, tendons, bodies, magnets, fields and walls as tubes, disks, polylines,
        spheres, arrows and meshes, each with a name and a color; cmd/internal/env/scene.go describes it."""
        scene: dict[str, Any] = json.loads(self._about("draw", i))
        return scene

    def jacobian(self, i: int = 0) -> Jacobian:
        """How the tip of robot i follows slow changes of its inputs from its present shape, as the topic jacobian says it."""
        return _derivatives.jacobian(self._about("jacobian", i))

    def linearise(self, i: int = 0) -> LinearisedStep:
        """The next step of the solver of robot i, linearised about its present state and commands; env.dt is some such steps.

        The first step after a reset is one of order 1, with a state of its own: take a step of the environment first.
        """
        return _derivatives.linearised_step(self._about("linearise", i))

    def _about(self, request: str, i: int) -> str:
        if not 0 <= i < self.num_envs:
            raise ValueError(f"robot {i}: there are 0 to {self.num_envs - 1}")
        return self._process.ask(f"{request}\t{i}")

    def render(self) -> tuple[npt.NDArray[np.uint8], ...] | None:
        """A picture of each robot: arrays of (height, width, 3), red, green and blue from 0 to 255."""
        if self.render_mode is None:
            return None
        return tuple(picture.draw(self.scene(i)) for i, picture in enumerate(self._pictures))

    @property
    def closed(self) -> bool:  # type: ignore[override]
        return self._process.closed

    def close(self, **kwargs: Any) -> None:
        """Ends the program. Again it does nothing."""
        self._process.close()

    def __enter__(self) -> VectorEnv:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __del__(self) -> None:
        """Nothing: the process has a finalizer of its own."""

    def __reduce__(self) -> NoReturn:
        raise TypeError("an environment cannot be pickled: call make_vec in each process")


def _check_count(num_envs: Any) -> None:
    if isinstance(num_envs, bool) or not isinstance(num_envs, numbers.Integral):
        raise TypeError(f"num_envs is {num_envs!r}; want an integer")
    if num_envs < 1:
        raise ValueError(f"num_envs is {num_envs}; want 1 or more")


def _names(ports: list[dict[str, Any]]) -> dict[str, str]:
    return {f"{p['name']}.{name}": unit for p in ports for name, unit in zip(p["components"], p["units"])}


def _variations(vary: Mapping[str, str] | None) -> list[str]:
    return [_plain(f"{name}={kind}") for name, kind in (vary or {}).items()]


def _plain(text: str) -> str:
    """A text that a request can hold, which is one line of fields between tabs."""
    if re.search(r"[\x00-\x1f\x7f]", text):
        raise ValueError(f"{text!r} has a control character; want the name of a number of the robot file, with a variation as in sweep")
    return text

