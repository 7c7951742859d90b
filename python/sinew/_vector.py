"""The vector environment."""

import contextlib
import numbers
import os
import re

import numpy as np

from ._process import Error, Process
from ._spaces import AutoresetMode, Box, batch_space
from ._spaces import VectorEnv as _VectorEnv

_AUTORESET = {"next_step": AutoresetMode.NEXT_STEP, "same_step": AutoresetMode.SAME_STEP, "disabled": AutoresetMode.DISABLED}


def make_vec(robot, num_envs, **options):
    """Makes a vector environment of num_envs robots; see VectorEnv, which has the options."""
    return VectorEnv(robot, num_envs, **options)


class VectorEnv(_VectorEnv):
    """Robots that are stepped together, each with a state of its own: a VectorEnv as Gymnasium 1 has it.

    robot         robot file, a list of files laid over one another, or None: the built-in robot of program
    num_envs      how many
    reward        reward(observation, action), an array of num_envs; without it all rewards are 0
    terminated    terminated(observation), an array of num_envs: the task is done; without it never
    max_steps     steps after which an episode is truncated
    hz            steps per simulated second; without it control_hz of the robot file
    actions       names of In ports, such as ["servo_jf"]; without it the first that drives the robot
    observations  names of Out ports; without it measured_cp, measured_cv and measured_js
    vary          {number of the robot file: "lognormal(60e9,0.1)"}, drawn anew by each reset
    autoreset     "next_step" (Gymnasium's default): the step after the end of an episode resets, ignores its action and has
                  reward 0; "same_step": the step that ends an episode returns the first observation and info of the next,
                  and the last ones as info["final_obs"] and info["final_info"]; "disabled": reset with the option reset_mask
    program       "tendonsim" or "microrobot"; without it what the robot file is for
    workers       robots stepped at the same time; without it as many as there are processors

    reward and terminated get observations as a dictionary from port to an array of num_envs rows; split makes it. A robot
    whose step fails is terminated, with the reason in info["error"]. What a reset has drawn is in info["parameters"], by
    name, for the robots in info["_parameters"]; others have NaN.
    """

    def __init__(self, robot, num_envs, *, reward=None, terminated=None, max_steps=None, hz=None, actions=None, observations=None, vary=None,
                 autoreset="next_step", program=None, workers=None):
        if isinstance(num_envs, bool) or not isinstance(num_envs, numbers.Integral):
            raise TypeError(f"num_envs is {num_envs!r}; want an integer")
        if num_envs < 1:
            raise ValueError(f"num_envs is {num_envs}; want 1 or more")
        if autoreset not in _AUTORESET:
            raise ValueError(f"autoreset is {autoreset!r}; want one of {', '.join(_AUTORESET)}")
        if max_steps is not None and max_steps < 1:
            raise ValueError(f"max_steps is {max_steps}; want 1 or more")
        files = [] if robot is None else [robot] if isinstance(robot, (str, os.PathLike)) else list(robot)
        arguments = ["--envs", str(num_envs)]
        for flag, values in (("--config", files), ("--action", actions), ("--observe", observations), ("--vary", _variations(vary))):
            for v in [values] if isinstance(values, str) else values or []:
                arguments += [flag, os.fspath(v)]
        for flag, value in (("--hz", hz), ("--workers", workers)):
            if value is not None:
                arguments += [flag, str(value)]
        self._process = Process(program or _program_of(files), arguments)
        self._header = self._process.header
        self._memory = self._process.arrays
        self._reward, self._terminated, self._max_steps, self._autoreset = reward, terminated, max_steps, autoreset
        # What varies: the request that says so, names, and values that are given instead of drawn. The program knows it, too,
        # but after an interrupt it is unknown which it has.
        self._variation = "\t".join(["vary", *_variations(vary)]), list(vary or {}), None
        self.num_envs = int(num_envs)
        self.metadata = {"autoreset_mode": _AUTORESET[autoreset], "render_modes": []}
        self.dt = self._header["period_s"]
        low = [-np.inf if x is None else x for p in self._header["actions"] for x in p["min"]]
        high = [np.inf if x is None else x for p in self._header["actions"] for x in p["max"]]
        wide = self._memory["observation"].shape[1]
        self.single_action_space = Box(np.array(low), np.array(high), dtype=np.float64)
        self.single_observation_space = Box(np.full(wide, -np.inf), np.full(wide, np.inf), dtype=np.float64)
        self.action_space = batch_space(self.single_action_space, self.num_envs)
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self._steps = np.zeros(self.num_envs, int)
        self._done = np.zeros(self.num_envs, bool)
        self._ready = self._seeded = False

    @property
    def ports(self):
        """The ports of actions and observations: name, kind, unit, labels, width and, of actions, min, max and max_rate."""
        return {"actions": self._header["actions"], "observations": self._header["observations"]}

    def split(self, observation):
        """Observations by port: {"measured_cp": array of (num_envs, 7), …}. The arrays are views."""
        parts, first = {}, 0
        for p in self._header["observations"]:
            parts[p["name"]] = observation[..., first : first + p["width"]]
            first += p["width"]
        return parts

    def reset(self, *, seed=None, options=None):
        """Brings robots back to their initial state, with what varies drawn anew.

        seed is an integer (robot i has seed + i) or a list with one for each robot; the same seed gives the same draws. Without
        it the first reset takes seeds of the system and later ones go on. options may have reset_mask, an array of booleans
        (which robots), vary (what each reset draws from now on, as in make_vec), or parameters: {number of the robot file: an
        array with a value for each robot}, which resets give them from now on.
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
        variation = self._variation
        if vary is not None:
            variation = "\t".join(["vary", *_variations(vary)]), list(vary), None
        if given is not None:
            columns = [np.array(np.broadcast_to(np.asarray(v, np.float64), self.num_envs)) for v in given.values()]
            variation = "\t".join(["set", *map(_plain, given)]), list(given), columns
        if variation is not self._variation or not self._ready:
            with self._turn():
                self._process.ask(variation[0])
                self._variation = variation
        self._restart(mask, seeds)
        self._check_restarted(mask)
        return self._memory["observation"].copy(), self._info(mask)

    def _seeds(self, seed):
        if seed is None:
            if self._seeded:
                return None
            seeds = np.random.SeedSequence().generate_state(self.num_envs, np.uint64)
        elif isinstance(seed, numbers.Integral):
            seeds = [int(seed) + i for i in range(self.num_envs)]
        else:
            seeds = [int(s) for s in seed]
        if len(seeds) != self.num_envs:
            raise ValueError(f"{len(seeds)} seeds for {self.num_envs} environments")
        if min(seeds) < 0 or max(seeds) >= 1 << 64:
            raise ValueError(f"seeds are from {min(seeds)} to {max(seeds)}; allowed: 0 to 2^64 - 1")
        return np.array(seeds, np.uint64)

    def _restart(self, mask, seeds):
        m = self._memory
        self._ready = False
        self._process.settle()
        m["reset"][:, 0] = mask
        m["reseed"][:, 0] = seeds is not None
        if seeds is not None:
            m["seed"][:, 0] = seeds
        for k, values in enumerate(self._variation[2] or []):
            m["parameters"][:, k] = values
        self._process.ask("reset")
        self._restarted(mask)
        self._ready = self._seeded = True

    def _restarted(self, mask):
        self._memory["reset"][:] = 0
        self._memory["reseed"][:] = 0
        self._steps[mask] = 0
        self._done[mask] = False

    def _check_restarted(self, mask):
        failed = mask & self._memory["failed"][:, 0].astype(bool)
        if failed.any():
            i = int(np.argmax(failed))
            raise Error(f"env {i}: {self._text(i)}")

    @contextlib.contextmanager
    def _turn(self):
        """What an interrupt must not divide: after one in it, all robots must be reset. A request that is refused changes nothing."""
        ready, self._ready = self._ready, False
        try:
            yield
        except Error:
            self._ready = ready and not self.closed
            raise
        self._ready = ready

    def step(self, actions):
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
        observation = m["observation"].copy()
        parts = self.split(observation)
        reward = np.where(restart, 0.0, self._called("reward", self._reward, float, parts, actions))
        failed = m["failed"][:, 0].astype(bool)
        # A robot whose reset fails, too, ends: its next one draws anew, and the others go on.
        terminated = failed | ~restart & self._called("terminated", self._terminated, bool, parts)
        truncated = ~restart & ~terminated & (self._steps >= self._max_steps if self._max_steps else False)
        self._done = terminated | truncated
        info = self._info(restart)
        if self._autoreset == "same_step" and self._done.any():
            done = self._done.copy()
            final = {"final_obs": observation, "_final_obs": done.copy(), "final_info": info, "_final_info": done.copy()}
            self._restart(done, None)  # one that fails ends in the next step
            observation, info = m["observation"].copy(), {**self._info(done), **final}
        return observation, reward, terminated, truncated, info

    def _checked(self, actions):
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

    def _called(self, name, function, kind, *arguments):
        if function is None:
            return np.zeros(self.num_envs, kind)
        values = np.asarray(function(*arguments), kind)
        if values.shape != (self.num_envs,):
            raise ValueError(f"{name} returns an array of shape {values.shape}; want ({self.num_envs},)")
        if not np.isfinite(values).all():
            i = int(np.argmin(np.isfinite(values)))
            raise ValueError(f"{name} of env {i} is {values[i]}; want a finite number")
        return values

    def _text(self, i):
        return self._memory["error"][i].tobytes().rstrip(b"\0").decode(errors="replace")

    def _info(self, restarted):
        m = self._memory
        failed = m["failed"][:, 0].astype(bool)
        info = {"time": m["time"][:, 0].copy(), "clamped": m["clamped"][:, 0].astype(bool)}
        if failed.any():
            info["error"] = np.array([self._text(i) if failed[i] else None for i in range(self.num_envs)], object)
            info["_error"] = failed
        names = self._variation[1]
        if names and restarted.any():
            info["parameters"] = {name: np.where(restarted, m["parameters"][:, k], np.nan) for k, name in enumerate(names)}
            info["_parameters"] = restarted.copy()
        return info

    @property
    def closed(self):
        return not self._process._end.alive

    def close(self, **kwargs):
        """Ends the program. Again it does nothing."""
        self._process.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def __del__(self):
        """Nothing: the process has a finalizer of its own."""

    def __reduce__(self):
        raise TypeError("an environment cannot be pickled: call make_vec in each process")


def _variations(vary):
    return [_plain(f"{name}={kind}") for name, kind in (vary or {}).items()]


def _plain(text):
    """A text that a request can hold, which is one line of fields between tabs."""
    if re.search(r"[\x00-\x1f\x7f]", text):
        raise ValueError(f"{text!r} has a control character; want the name of a number of the robot file, with a variation as in sweep")
    return text


def _program_of(files):
    """Which program robot files are for, by their keys."""
    for name in files:
        with open(name, encoding="utf-8", errors="replace") as file:
            text = file.read(1 << 22)
        if re.search(r"^(rod|tendons)\s*:", text, re.M):
            return "tendonsim"
        if re.search(r"^(body|swarm)\s*:", text, re.M):
            return "microrobot"
    if files:
        raise ValueError(f"{', '.join(map(str, files))}: neither rod nor body is among the keys; say which program: program=\"tendonsim\" or \"microrobot\"")
    return "tendonsim"
