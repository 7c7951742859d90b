"""Tests of the adapter for Stable-Baselines3, where that and PyTorch are installed."""

import importlib.util
import unittest
import warnings

import numpy as np
from common import ROBOTS, ROD, SWIMMER, Case

import sinew

HAS_SB3 = all(importlib.util.find_spec(name) for name in ("gymnasium", "stable_baselines3", "torch"))


@unittest.skipUnless(HAS_SB3, "Stable-Baselines3 with PyTorch is not installed")
class StableBaselines(Case):
    def adapted(self, robot=ROD, n=3, normalize=True, **options):
        import sinew.sb3

        return sinew.sb3.VecEnv(self.make(robot, n, autoreset="same_step", **options), normalize=normalize)

    def test_checker(self):
        from stable_baselines3.common.env_checker import check_env

        for robot in (ROD, SWIMMER):
            env = sinew.Env(robot, hz=100, task=sinew.Reach(1e-3), scale=True)
            self.addCleanup(env.close)
            with warnings.catch_warnings():
                warnings.filterwarnings("error", module="stable_baselines3")
                warnings.filterwarnings("ignore", message=".*normalized Box action space.*|.*has dtype float64.*")  # which the adapter is for
                check_env(env)

    def test_vec_env_is_like_that_of_stable_baselines(self):
        """Rewards, ends and observations are those of single environments in a DummyVecEnv."""
        import gymnasium
        from stable_baselines3.common.vec_env import DummyVecEnv

        options = {"hz": 100, "max_steps": 3, "reward": lambda obs, action: obs["measured_cp"][..., 0]}
        ours = self.adapted(**options)

        def one():
            return gymnasium.wrappers.RescaleAction(sinew.Env(ROD, **options), np.float64(-1), np.float64(1))

        theirs = DummyVecEnv([one] * 3)
        self.addCleanup(theirs.close)
        for env in (ours, theirs):
            env.seed(4)
        np.testing.assert_allclose(ours.reset(), theirs.reset(), rtol=1e-6)
        random = np.random.default_rng(1)
        for _ in range(7):
            actions = random.uniform(-1, 1, (3, 4))
            for mine, other in zip(ours.step(actions)[:3], theirs.step(actions)[:3]):
                np.testing.assert_allclose(mine, other, rtol=1e-5, atol=1e-7)
        _, _, done, infos = ours.step(actions)
        _, _, done, infos = ours.step(actions)
        self.assertTrue(done.all() and all(i["TimeLimit.truncated"] for i in infos))
        self.assertEqual((infos[0]["terminal_observation"].dtype, round(infos[1]["time"], 9)), (np.float32, 0.03))

    def test_actions_are_normalized(self):
        env = self.adapted(SWIMMER)
        self.assertTrue(np.all(env.action_space.low == -1) and np.all(env.action_space.high == 1))
        env.reset()
        _, _, _, infos = env.step(np.ones((3, 3)))
        self.assertFalse(infos[0]["clamped"])
        for make, want in (
            (lambda: self.adapted(actions=["servo_jf", "external_wrench"]), "external_wrench.fx has no limits"),
            (lambda: __import__("sinew.sb3").sb3.VecEnv(self.make()), "same_step"),
        ):
            with self.assertRaisesRegex(ValueError, want):
                make()

    def test_learns(self):
        """PPO takes a rollout and an update with both programs."""
        from stable_baselines3 import PPO
        from stable_baselines3.common.vec_env import VecMonitor

        for robot in (ROD, ROBOTS / "sphere.yaml"):
            env = VecMonitor(self.adapted(robot, 4, hz=50, max_steps=8, scale=True, task=sinew.Reach(1e-3, axes="xy"), render_mode="rgb_array"))
            PPO("MlpPolicy", env, n_steps=16, batch_size=32, n_epochs=2, device="cpu").learn(64)
            self.assertEqual(len(env.get_images()), 4)


if __name__ == "__main__":
    unittest.main()
