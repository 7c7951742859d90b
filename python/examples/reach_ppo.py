"""Learns to reach points with the tip of a rod by PPO of Stable-Baselines3: pip install sinew[ppo].

In each episode of 2 s the goal is another point around the axis, and the stiffness another one. An action changes the
pulls, so that the policy can make up for a stiffness that it does not see. Usage: reach_ppo.py NITINOL.yaml [STEPS [SEED]]
"""

import sys
import time
from pathlib import Path

import numpy as np
import torch
from gymnasium.spaces import Box
from stable_baselines3 import PPO
from stable_baselines3.common.vec_env import VecEnv, VecMonitor

import sinew

RADIUS = 0.06  # m, within which goals are
MOST = 1.5  # N, which bends the tip by 85 mm
CHANGE = 0.4  # of MOST, by one action at most
NEAR = 0.01  # m, which counts as reached


class Reach(VecEnv):
    """The robots as Stable-Baselines3 wants them: float32, all of the order of 1.

    Seen are place and speed of the tip, the goal, and the pulls, in each plane. An action is two numbers from -1 to 1: by
    how much the pull in each plane changes, which one or the other of its two tendons takes.
    """

    def __init__(self, robot, num_envs, seed):
        self.robots = sinew.make_vec(
            [robot, Path(__file__).with_name("reach.yaml")], num_envs, hz=20, max_steps=40, autoreset="same_step",
            vary={"youngs_modulus_pa": "lognormal(60e9,0.1)"}, reward=self.reward,
        )
        self.random = np.random.default_rng(seed)
        self.first = 1000 * seed  # of the robots, which draw stiffnesses
        self.goals, self.pulls = np.zeros((num_envs, 2)), np.zeros((num_envs, 2))
        super().__init__(num_envs, Box(-np.inf, np.inf, (8,), np.float32), Box(-1, 1, (2,), np.float32))

    def distance(self, parts):
        self.now = np.linalg.norm(parts["measured_cp"][:, :2] - self.goals, axis=1)
        return self.now

    def reward(self, parts, action):
        return -self.distance(parts) / RADIUS

    def begin(self, which):
        angle, share = self.random.uniform(0, 2 * np.pi, which.sum()), np.sqrt(self.random.uniform(0, 1, which.sum()))
        self.goals[which] = RADIUS * (share * np.array([np.cos(angle), np.sin(angle)])).T
        self.pulls[which] = 0

    def seen(self, observation):
        parts = self.robots.split(observation)
        tip, speed = parts["measured_cp"][:, :2], parts["measured_cv"][:, :2]
        return np.concatenate([tip / RADIUS, speed, self.goals / RADIUS, self.pulls], axis=1).astype(np.float32)

    def reset(self):
        observation, _ = self.robots.reset(seed=self.first)
        self.begin(np.ones(self.num_envs, bool))
        return self.seen(observation)

    def step_async(self, actions):
        self.actions = actions

    def step_wait(self):
        self.pulls = np.clip(self.pulls + CHANGE * np.clip(self.actions, -1, 1), -1, 1)
        front, left = self.pulls.T
        tensions = MOST * np.maximum(0, np.column_stack([front, left, -front, -left]))  # front, left, back, right
        observation, reward, terminated, truncated, info = self.robots.step(tensions)
        done = terminated | truncated
        infos = [{} for _ in range(self.num_envs)]
        if done.any():
            last = self.seen(info["final_obs"])
            for i in np.flatnonzero(done):
                infos[i] = {"terminal_observation": last[i], "TimeLimit.truncated": bool(truncated[i])}
            self.begin(done)
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
    """Distances from the goal at the end of three episodes of each robot, m."""
    observation, ends = env.reset(), []
    for step in range(120):
        env.step_async(act(observation))
        observation, *_ = env.step_wait()
        if step % 40 == 39:
            ends.append(env.now)
    return np.concatenate(ends)


steps, seed = int((sys.argv + [40_960])[2]), int((sys.argv + [0, 1])[3 if len(sys.argv) > 3 else -1])
torch.set_num_threads(1)  # the networks are small
robots, tests = Reach(sys.argv[1], 32, seed), Reach(sys.argv[1], 32, seed + 1)
# Actions begin with a third of the room, episodes are two rollouts long at most, and what an action does shows within half a second.
model = PPO(
    "MlpPolicy", VecMonitor(robots), n_steps=40, batch_size=320, n_epochs=10, gamma=0.9, learning_rate=1e-3,
    policy_kwargs={"log_std_init": -1.0}, seed=seed, device="cpu",
)
ends = reached(tests, lambda o: np.zeros((32, 2)))
print(f"without pulls {1e3 * ends.mean():.1f} mm from the goal at the end of an episode")
print("steps, seconds, return, mm from the goal at the end, within 10 mm of it")
begin = time.perf_counter()
for part in range(8):
    model.learn(steps // 8, reset_num_timesteps=part == 0)
    seconds = time.perf_counter() - begin
    rewards = [e["r"] for e in model.ep_info_buffer]
    ends = reached(tests, lambda o: model.predict(o, deterministic=True)[0])
    print(f"{model.num_timesteps}, {seconds:.0f}, {np.mean(rewards):.1f}, {1e3 * ends.mean():.1f}, {100 * np.mean(ends < NEAR):.0f} %", flush=True)
if np.mean(ends < NEAR) < 0.9:
    sys.exit("not learned: fewer than 90 % of the goals are reached within 10 mm")
