"""Tests of the installed package: python -m unittest discover python/tests. ROBOTS is the folder of robot files."""

import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import numpy as np
from common import ROBOTS, ROD, SWIMMER, Case

import sinew


class Vector(Case):
    def test_ten_lines(self):
        env = self.make(n=4, hz=100, reward=lambda obs, action: obs["measured_cp"][:, 0], max_steps=50)
        self.assertEqual(env._header["version"], sinew.__version__)
        obs, info = env.reset(seed=1)
        self.assertEqual((env.single_observation_space.shape, env.single_action_space.shape, obs.shape), ((25,), (4,), (4, 25)))
        self.assertTrue(np.all(env.single_action_space.high == 8) and np.all(env.single_action_space.low == 0))
        pull = np.zeros((4, 4))
        pull[2, 0] = 3  # newtons on the front tendon
        for k in range(50):
            obs, reward, terminated, truncated, info = env.step(pull)
        tip = env.split(obs)["measured_cp"]
        self.assertGreater(tip[2, 0], 0.02)
        self.assertTrue(np.all(np.abs(tip[[0, 1, 3], 0]) < 1e-6))
        np.testing.assert_array_equal(reward, tip[:, 0])
        self.assertTrue(truncated.all() and not terminated.any())
        np.testing.assert_allclose(info["time"], 0.5)
        obs, reward, terminated, truncated, info = env.step(pull)  # which resets, as Gymnasium's default does
        np.testing.assert_array_equal(info["time"], 0)
        self.assertFalse(reward.any() or terminated.any() or truncated.any())

    def test_microrobot(self):
        env = self.make(SWIMMER, 5, actions=["rotating_field"], hz=50)
        env.reset(seed=1)
        swim = np.tile([1, 0, 0, 0.005, 10, 0], (5, 1)) * 1.0
        for _ in range(50):
            obs, *_ = env.step(swim)
        x = env.split(obs)["measured_cp"][:, 0]
        self.assertGreater(np.abs(x).min(), 1e-5)
        self.assertEqual([p["name"] for p in env.ports["actions"]], ["rotating_field"])

    def test_noise(self):
        """The camera of this robot has noise, which follows from the seed of a robot and its episode."""
        env = self.make(ROBOTS / "levitation.yaml", n=3, observations=["sensors/camera"])
        self.assertEqual([c.split(".")[-1] for c in env.observation_names][:5], ["count", "age", "x", "y", "z"])
        first, _ = env.reset(seed=[1, 2, 1])
        np.testing.assert_array_equal(first[0], first[2])
        self.assertFalse(np.any(first[0, 2:5] == first[1, 2:5]))
        second, _ = env.reset()
        np.testing.assert_array_equal(second[0], second[2])
        self.assertFalse(np.any(second[:, 2:5] == first[:, 2:5]))
        np.testing.assert_array_equal(env.reset(seed=[1, 2, 1])[0], first)

    def test_same_step(self):
        env = self.make(hz=100, max_steps=2, autoreset="same_step", terminated=lambda obs: np.array([False, True, False]))
        first, _ = env.reset()
        a = np.full((3, 4), [2.0, 0, 0, 0])
        obs, _, terminated, truncated, info = env.step(a)
        self.assertEqual((terminated.tolist(), truncated.tolist(), info["_final_obs"].tolist()), ([0, 1, 0], [0, 0, 0], [0, 1, 0]))
        np.testing.assert_array_equal(obs[1], first[1])
        np.testing.assert_array_equal(info["final_obs"][1], obs[0])
        np.testing.assert_allclose(info["time"], [0.01, 0, 0.01])  # the top level is of the new episode
        np.testing.assert_allclose(info["final_info"]["time"], 0.01)
        self.assertEqual(info["_final_info"].tolist(), [False, True, False])
        a[1, 1] = 9
        _, _, terminated, truncated, info = env.step(a)
        self.assertEqual((terminated.tolist(), truncated.tolist()), ([0, 1, 0], [1, 0, 1]))
        self.assertEqual((info["clamped"].tolist(), info["final_info"]["clamped"].tolist()), ([0, 0, 0], [0, 1, 0]))

    def test_autoreset_that_fails(self):
        for autoreset in ("next_step", "same_step"):
            env = self.make(n=8, hz=100, max_steps=2, autoreset=autoreset, reward=lambda obs, action: np.ones(8))
            env.reset(seed=1)
            env._process.ask("vary\tyoungs_modulus_pa=choice(6e10,-1)")  # half of what is drawn is no modulus
            failed = recovered = 0
            before = np.zeros(8, bool)
            for _ in range(30):
                _, _, terminated, _, info = env.step(np.zeros((8, 4)))
                now = info.get("_error", np.zeros(8, bool))
                if autoreset == "next_step":
                    np.testing.assert_array_equal(terminated, now)
                else:
                    np.testing.assert_array_equal(terminated, before)
                failed, recovered = failed + now.sum(), recovered + (before & ~now).sum()
                self.assertTrue(all(text.startswith("reset: ") for text in info.get("error", []) if text))
                before = now
            self.assertGreater(min(failed, recovered), 10)

    def test_disabled(self):
        env = self.make(hz=100, max_steps=1, autoreset="disabled", vary={"youngs_modulus_pa": "uniform(5e10,6e10)"})
        _, info = env.reset()
        self.assertTrue(info["_parameters"].all() and not np.isnan(info["parameters"]["youngs_modulus_pa"]).any())
        env.step(np.ones((3, 4)))
        _, _, _, truncated, info = env.step(np.ones((3, 4)))
        self.assertTrue(truncated.all())
        _, info = env.reset(options={"reset_mask": np.array([True, False, False])})
        np.testing.assert_allclose(info["time"], [0, 0.02, 0.02])
        self.assertEqual((info["_parameters"].tolist(), np.isnan(info["parameters"]["youngs_modulus_pa"]).tolist()), ([1, 0, 0], [0, 1, 1]))

    def test_seeds_and_variation(self):
        vary = {"youngs_modulus_pa": "lognormal(60e9,0.2)", "tip.mass_kg": "uniform(0,0.002)"}
        env = self.make(vary=vary)
        _, info = env.reset(seed=5)
        first = info["parameters"]
        self.assertEqual(list(first), list(vary))
        self.assertEqual(len(set(first["youngs_modulus_pa"])), 3)
        other = self.make(vary=vary, n=1)
        _, info = other.reset(seed=[6])
        self.assertEqual(info["parameters"]["youngs_modulus_pa"][0], first["youngs_modulus_pa"][1])
        _, info = env.reset()
        self.assertFalse(np.any(info["parameters"]["youngs_modulus_pa"] == first["youngs_modulus_pa"]))
        _, info = env.reset(options={"vary": {"density_kg_per_m3": "choice(6000,7000)"}})
        self.assertTrue(set(info["parameters"]["density_kg_per_m3"]) <= {6000, 7000})
        for options, want in (({"vary": {"nothing_n": "normal(1,2)"}}, "no such number"), ({"vary": {"length_m": "linspace(1,2,3)"}}, "grid")):
            with self.assertRaisesRegex(sinew.Error, want):
                env.reset(options=options)
        for options in ({"vary": {"length_m": "uniform(1,2)\nreset"}}, {"vary": {"length_m\t": "uniform(1,2)"}}, {"parameters": {"length_m\r": 1}}):
            with self.assertRaisesRegex(ValueError, r"length_m.*has a control character"):
                env.reset(options=options)
        values = np.array([5e10, 6e10, 7e10])
        for _ in range(2):
            _, info = env.reset(options={"parameters": {"youngs_modulus_pa": values, "tip.mass_kg": 0.001}})
            np.testing.assert_array_equal(info["parameters"]["youngs_modulus_pa"], values)
            np.testing.assert_array_equal(info["parameters"]["tip.mass_kg"], 0.001)
        obs = [env.step(np.full((3, 4), [1.0, 0, 0, 0]))[0] for _ in range(100)][-1]
        x = env.split(obs)["measured_cp"][:, 0]
        self.assertTrue(x[0] > x[1] > x[2] > 0)
        with self.assertRaisesRegex(sinew.Error, r"env \d: reset: .*youngs_modulus_pa"):
            env.reset(seed=1, options={"vary": {"youngs_modulus_pa": "normal(-1e9,1)"}})
        env.reset(options={"vary": {}})
        env.step(np.zeros((3, 4)))

    def test_mistakes(self):
        for n, kind in ((0, ValueError), (-1, ValueError), (1.5, TypeError), (True, TypeError)):
            with self.assertRaisesRegex(kind, "num_envs is"):
                sinew.make_vec(ROD, n)
        env = self.make()
        with self.assertRaisesRegex(sinew.Error, "reset must be called"):
            env.step(np.zeros((3, 4)))
        env.reset()
        with self.assertRaisesRegex(ValueError, r"shape \(3, 3\); want \(3, 4\), a row of servo_jf with 4 values"):
            env.step(np.zeros((3, 3)))
        bad = np.zeros((3, 4))
        bad[1, 2] = np.nan
        with self.assertRaisesRegex(ValueError, r"env 1: action servo_jf: value 2 \(back\) is nan; want a finite number of N"):
            env.step(bad)
        bad[1, 2] = 9
        *_, info = env.step(bad)
        self.assertEqual(info["clamped"].tolist(), [False, True, False])
        for options, want in (({"seed": [1]}, "1 seeds for 3"), ({"seed": -1}, "allowed"), ({"options": {"sed": 1}}, "no option 'sed'"),
                              ({"options": {"reset_mask": [1, 0, 0]}}, "reset_mask has")):
            with self.assertRaisesRegex(ValueError, want):
                env.reset(**options)
        for options, want in (({"actions": "measured_cp"}, "no such input or output"), ({"hz": 0}, "--hz 0"), ({"observations": ["x"]}, "no such input or output")):
            with self.assertRaisesRegex(sinew.Error, want):
                sinew.make_vec(ROD, 1, **options)
        shapes = self.make(reward=lambda o, a: np.zeros(2), n=3)
        shapes.reset()
        with self.assertRaisesRegex(ValueError, r"reward returns an array of shape \(2,\); want \(3,\)"):
            shapes.step(np.zeros((3, 4)))

    def test_robot_files(self):
        with tempfile.TemporaryDirectory() as folder:
            wrong = Path(folder, "wrong.yaml")
            wrong.write_text(ROD.read_text().replace("length_m: 0.2", "length_m: -1"))
            with self.assertRaisesRegex(sinew.Error, r"wrong.yaml:4: .*length_m"):
                sinew.make_vec(wrong, 2)
            wrong.write_text("a: b\n")
            with self.assertRaisesRegex(ValueError, "program="):
                sinew.make_vec(wrong, 2)
            with self.assertRaises(FileNotFoundError):
                sinew.make_vec(Path(folder, "none.yaml"), 2)
            over = Path(folder, "over.yaml")
            over.write_text("rod: {length_m: 0.21}\n")
            env = self.make([ROD, over], 1)
            obs, _ = env.reset()
            self.assertGreater(env.split(obs)["measured_cp"][0, 2], 0.205)

    def test_gymnasium_that_is_too_old(self):
        with tempfile.TemporaryDirectory() as folder:
            Path(folder, "gymnasium").mkdir()
            Path(folder, "gymnasium", "__init__.py").write_text("")
            p = subprocess.run([sys.executable, "-c", "import sinew"], env={**os.environ, "PYTHONPATH": folder}, capture_output=True, text=True)
            self.assertIn("want gymnasium >= 1.1", p.stderr)

    def test_gymnasium(self):
        try:
            import gymnasium
        except ImportError:
            self.assertNotIn("gymnasium", sys.modules)
            self.assertEqual(sinew.make_vec(ROD, 1).single_action_space.sample().shape, (4,))
            return
        env = gymnasium.wrappers.vector.RecordEpisodeStatistics(self.make(hz=100, max_steps=3, reward=lambda o, a: np.ones(3)))
        self.assertIsInstance(env.unwrapped, gymnasium.vector.VectorEnv)
        obs, _ = env.reset(seed=1)
        self.assertIn(obs[0], env.single_observation_space)
        for _ in range(3):
            *_, info = env.step(env.action_space.sample())
        self.assertEqual(info["episode"]["r"].tolist(), [3, 3, 3])


if __name__ == "__main__":
    unittest.main()
