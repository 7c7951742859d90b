"""Learns to reach points with the tip of a rod by PPO of Stable-Baselines3: pip install sinew[ppo].

In each episode of 2 s the goal is another point around the axis, and the stiffness another one. Usage: reach_ppo.py NITINOL.yaml [STEPS]
"""

import sys
import time
from pathlib import Path

import numpy as np
from gymnasium.spaces import Box
from stable_baselines3 import PPO
from stable_baselines3.common.vec_env import VecEnv, VecMonitor

import sinew

RADIUS = 0.06  # m, within which goals are
MOST = 1.5  # N, which bends the tip by 85 mm


class Reach(VecEnv):
    """The robots as Stable-Baselines3 wants them: float32, with the goal among the observations.

    An action is two numbers from -1 to 1, a pull for each plane, which one or the other of its two tendons takes.
    """

    def __init__(self, robot, num_envs):
        self.robots = sinew.make_vec(
            [robot, Path(__file__).with_name("reach.yaml")], num_envs, hz=20, max_steps=40, autoreset="same_step",
            vary={"youngs_modulus_pa": "lognormal(60e9,0.1)"}, reward=self.reward,
        )
        self.random = np.random.default_rng(1)
        self.goals = np.zeros((num_envs, 2))
        wide = self.robots.single_observation_space.shape[0]
        super().__init__(num_envs, Box(-np.inf, np.inf, (wide + 2,), np.float32), Box(-1, 1, (2,), np.float32))

    def distance(self, parts):
        self.now = np.linalg.norm(parts["measured_cp"][:, :2] - self.goals, axis=1)
        return self.now

    def reward(self, parts, action):
        return -self.distance(parts) / RADIUS

    def draw(self, which):
        angle, share = self.random.uniform(0, 2 * np.pi, which.sum()), np.sqrt(self.random.uniform(0, 1, which.sum()))
        self.goals[which] = RADIUS * (share * np.array([np.cos(angle), np.sin(angle)])).T

    def seen(self, observation):
        parts = self.robots.split(observation)
        scaled = np.concatenate([parts["measured_cp"] * [20, 20, 5, 1, 1, 1, 1], parts["measured_cv"], parts["measured_js"] * np.repeat([100, 10, 0.25], 4)], axis=1)
        return np.concatenate([scaled, self.goals / RADIUS], axis=1).astype(np.float32)

    def reset(self):
        observation, _ = self.robots.reset(seed=1)
        self.draw(np.ones(self.num_envs, bool))
        return self.seen(observation)

    def step_async(self, actions):
        self.actions = actions

    def step_wait(self):
        front, left = np.clip(self.actions, -1, 1).T
        tensions = MOST * np.maximum(0, np.column_stack([front, left, -front, -left]))  # front, left, back, right
        observation, reward, terminated, truncated, info = self.robots.step(tensions)
        done = terminated | truncated
        infos = [{} for _ in range(self.num_envs)]
        if done.any():
            last = self.seen(info["final_obs"])
            for i in np.flatnonzero(done):
                infos[i] = {"terminal_observation": last[i], "TimeLimit.truncated": bool(truncated[i])}
            self.draw(done)
        return self.seen(observation), reward.astype(np.float32), done, infos

    def close(self):
        self.robots.close()

    def env_is_wrapped(self, wrapper_class, indices=None):
        return [False] * self.num_envs

    def get_attr(self, attr_name, indices=None):
        return [getattr(self, attr_name)] * self.num_envs

    def set_attr(self, attr_name, value, indices=None):
        setattr(self, attr_name, value)

    def env_method(self, method_name, *args, indices=None, **kwargs):
        return [getattr(self, method_name)(*args, **kwargs)]


def reached(env, act):
    """The mean distance at the end of episodes, m."""
    observation, ends = env.reset(), []
    for _ in range(40):
        env.step_async(act(observation))
        observation, *_ = env.step_wait()
    return float(env.now.mean())


robots, steps = Reach(sys.argv[1], 32), int((sys.argv + [150_000])[2])
model = PPO("MlpPolicy", VecMonitor(robots), n_steps=80, batch_size=640, n_epochs=8, gamma=0.9, learning_rate=1e-3, seed=1, device="cpu")
print(f"at rest: {1e3 * reached(robots, lambda o: np.zeros((32, 2))):.1f} mm from the goal at the end of an episode")
begin = time.perf_counter()
for part in range(5):
    model.learn(steps // 5, reset_num_timesteps=part == 0)
    rewards = [e["r"] for e in model.ep_info_buffer]
    print(f"{model.num_timesteps} steps, {time.perf_counter() - begin:.0f} s: return {np.mean(rewards):.1f}", flush=True)
print(f"learned: {1e3 * reached(robots, lambda o: model.predict(o, deterministic=True)[0]):.1f} mm")
