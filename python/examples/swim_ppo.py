"""Learns to steer a helical swimmer to points in the fluid by PPO of Stable-Baselines3: pip install sinew[ppo].

An action is a direction and how much of the speed: the axis about which the field turns, which the swimmer's own axis follows
and along which it moves, and with its length the frequency. In each episode of 4 s the goal is another point around the
swimmer. Seen are where it is, how it is turned and the goal. Usage: swim_ppo.py [STEPS [SEED]]
"""

import sys
import time

import numpy as np
import torch
from gymnasium.spaces import Box
from stable_baselines3 import PPO
from stable_baselines3.common.vec_env import VecMonitor

import sinew
import sinew.sb3

RADIUS = 3e-4  # m, within which goals are
NEAR = 3e-5  # m, which counts as reached: an eighth of the swimmer's length
AMPLITUDE, FREQUENCY = 0.005, 10.0  # T, Hz, of the field
STEPS = 40  # of an episode


class Swim(sinew.sb3.VecEnv):
    """Swimmers whose actions are directions and frequencies."""

    def __init__(self, num_envs, seed):
        super().__init__(
            sinew.make_vec(
                "swimmer", num_envs, hz=10, max_steps=STEPS, autoreset="same_step", actions="rotating_field", observations="measured_cp",
                task=sinew.Reach(RADIUS, near=NEAR), scale={f"measured_cp.{axis}": RADIUS for axis in "xyz"} | {"goal": RADIUS},
            ),
            normalize=False,
        )
        self.action_space = Box(-1, 1, (3,), np.float32)
        self.seed(seed)

    def step_async(self, actions):
        length, field = np.linalg.norm(actions, axis=1), np.ones(self.num_envs)
        super().step_async(np.column_stack([actions, AMPLITUDE * field, FREQUENCY * length, 0 * field]))


def reached(env, act):
    """Distances from the goals at the end of an episode of each robot, m."""
    observation = env.reset()
    for _ in range(STEPS):
        observation, _, _, infos = env.step(act(observation))
    return np.array([info["distance"] for info in infos])


steps, seed = int((sys.argv + [61_440])[1]), int((sys.argv + [0, 1])[2 if len(sys.argv) > 2 else -1])
torch.set_num_threads(1)  # the networks are small
robots, tests = Swim(32, 1000 * seed), Swim(64, 1000 * seed + 500)
model = PPO(
    "MlpPolicy", VecMonitor(robots), n_steps=30, batch_size=240, n_epochs=10, gamma=0.9, learning_rate=1e-3,
    policy_kwargs={"log_std_init": -0.7}, seed=seed, device="cpu",
)
random = np.random.default_rng(seed)
ends = reached(tests, lambda o: random.uniform(-1, 1, (64, 3)))
print(f"random directions {1e6 * ends.mean():.0f} um from the goal at the end of an episode")
print("steps, seconds, return, um from the goal at the end, within 30 um of it")
begin = time.perf_counter()
for part in range(8):
    model.learn(steps // 8, reset_num_timesteps=part == 0)
    seconds = time.perf_counter() - begin
    rewards = [e["r"] for e in model.ep_info_buffer]
    tests.seed(1000 * seed + 500)
    ends = reached(tests, lambda o: model.predict(o, deterministic=True)[0])
    print(f"{model.num_timesteps}, {seconds:.0f}, {np.mean(rewards):.1f}, {1e6 * ends.mean():.1f}, {100 * np.mean(ends < NEAR):.0f} %", flush=True)
if np.mean(ends < NEAR) < 0.9:
    sys.exit("not learned: fewer than 90 % of the goals are reached within 30 um")
