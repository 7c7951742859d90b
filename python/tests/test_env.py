"""Tests of the single environment, of registration, spaces, tasks, scales and pictures."""

import inspect
import subprocess
import sys
import unittest

import numpy as np
from common import ROBOTS, ROD, SWIMMER, Case

import sinew

try:
    import gymnasium
except ImportError:
    gymnasium = None

# a robot of each program, with the values of an action
BOTH = ((ROD, ["servo_jf.front", "servo_jf.left", "servo_jf.back", "servo_jf.right"]), (SWIMMER, ["field.bx", "field.by", "field.bz"]))


class Single(Case):
    def one(self, robot=ROD, **options):
        env = sinew.Env(robot, **options)
        self.addCleanup(env.close)
        return env

    def test_is_a_row_of_the_vector_environment(self):
        options = {"hz": 100, "vary": {"youngs_modulus_pa": "lognormal(60e9,0.1)"}, "max_steps": 20}
        one, many = self.one(reward=lambda obs, action: obs["measured_cp"][0] + action[0], **options), self.make(
            n=2, reward=lambda obs, action: obs["measured_cp"][:, 0] + action[:, 0], **options)
        observation, info = one.reset(seed=7)
        all_observations, all_info = many.reset(seed=[3, 7])
        np.testing.assert_array_equal(observation, all_observations[1])
        self.assertEqual(info["parameters"], {"youngs_modulus_pa": all_info["parameters"]["youngs_modulus_pa"][1]})
        for k in range(20):
            observation, reward, terminated, truncated, info = one.step([2, 0, 0, 0])
            all_observations, rewards, *_ = many.step(np.full((2, 4), [2.0, 0, 0, 0]))
            np.testing.assert_array_equal(observation, all_observations[1])
            self.assertEqual((reward, terminated, truncated), (rewards[1], False, k == 19))
        self.assertEqual((type(reward), type(terminated), type(truncated)), (float, bool, bool))
        self.assertEqual((info["clamped"], round(info["time"], 9)), (False, 0.2))
        self.assertNotIn("parameters", info)
        self.assertEqual(one.split(observation)["measured_cp"].shape, (7,))

    def test_ends_are_told_apart(self):
        """A task that is done terminates, a limit of steps truncates, and a step that fails terminates with the reason."""
        env = self.one(hz=100, max_steps=3, terminated=lambda obs: obs["measured_cp"][0] > 1e-4)
        env.reset()
        self.assertEqual([env.step(np.zeros(4))[2:4] for _ in range(3)][-1], (False, True))
        env.reset()
        ends = [env.step([8, 0, 0, 0])[2:4] for _ in range(3)]
        self.assertIn((True, False), ends)
        env = self.one(ROBOTS / "levitation.yaml", hz=20, actions=["field_gradient"])
        env.reset(seed=1)
        for _ in range(200):
            *_, terminated, truncated, info = env.step([0, 0, 0, -0.3, 0, 0, -0.3, 0])  # which lifts it out of the jar
            if terminated:
                break
        self.assertTrue(terminated and not truncated and "the field at the body is" in info["error"])
        _, info = env.reset()
        self.assertNotIn("error", info)
        self.assertFalse(env.step(np.zeros(8))[2])

    def test_actions_are_named_and_bounded(self):
        for robot, names in BOTH:
            env = self.one(robot)
            self.assertEqual(list(env.action_names), names)
            self.assertTrue(np.isfinite(env.action_space.low).all() and np.isfinite(env.action_space.high).all())
            self.assertEqual(len(env.observation_names), env.observation_space.shape[0])
            self.assertEqual(env.observation_names["measured_cp.x"], "m")
        self.assertTrue(np.all(env.action_space.high == 0.02) and set(env.action_names.values()) == {"T"})

    def test_random_actions_end_no_episode(self):
        """50 random steps within the bounds, of 50 ms each, of every robot and world."""
        # the first four take long
        names = [n for n in sinew.robots() if n not in ("tendonforces", "swarm", "guidewire", "catheter")]
        for name in [*names, "guidewire", "catheter"]:
            with self.subTest(robot=name):
                env = self.make(name, 2, hz=20)
                env.action_space.seed(1)
                env.reset(seed=1)
                for _ in range(50 if name in names else 10):
                    *_, terminated, _, info = env.step(env.action_space.sample())
                    self.assertFalse(terminated.any(), info.get("error"))
                env.close()

    def test_scales(self):
        plain, scaled = self.one(hz=100), self.one(hz=100, scale=True)
        own = self.one(hz=100, scale={"measured_cp.x": 0.5, "measured_cv": 3})
        for env in (plain, scaled, own):
            env.reset()
            env.observed = env.step([3, 0, 0, 0])[0]
        names, parts = list(plain.observation_names), plain.split(plain.observed)
        np.testing.assert_allclose(scaled.split(scaled.observed)["measured_cp"], parts["measured_cp"] / [0.2, 0.2, 0.2, 1, 1, 1, 1])
        np.testing.assert_allclose(scaled.observed[names.index("measured_js.effort.front")], parts["measured_js"][8] / 8)
        np.testing.assert_allclose(own.split(own.observed)["measured_cp"][:2], parts["measured_cp"][:2] / [0.5, 0.2])
        np.testing.assert_allclose(own.split(own.observed)["measured_cv"], parts["measured_cv"] / 3)
        for scale, want in (({"tip": 1}, "'tip': no such value; there are measured_cp.x"), ({"measured_cp": 0}, "a scale is 0")):
            with self.assertRaisesRegex(ValueError, want):
                sinew.Env(ROD, scale=scale)

    def test_reward_is_of_unscaled_values(self):
        seen = []
        env = self.one(scale=True, hz=100, reward=lambda obs, action: seen.append(obs["measured_cp"][2]) or 0)
        env.reset()
        env.step(np.zeros(4))
        self.assertAlmostEqual(seen[0], 0.2, 3)

    def test_reach(self):
        env = self.make(n=3, hz=100, max_steps=5, task=sinew.Reach(0.05, axes="xy"), autoreset="same_step", scale=True)
        observation, info = env.reset(seed=[1, 2, 1])
        goals = 0.2 * env.split(observation)["goal"]
        self.assertEqual(list(env.observation_names)[-2:], ["goal.x", "goal.y"])
        np.testing.assert_array_equal(goals[0], goals[2])
        self.assertTrue(np.all(np.linalg.norm(goals, axis=1) <= 0.05) and np.any(goals[0] != goals[1]))
        np.testing.assert_allclose(info["distance"], np.linalg.norm(goals, axis=1), rtol=1e-6, atol=1e-9)
        for k in range(5):
            observation, reward, terminated, truncated, info = env.step(np.zeros((3, 4)))
        self.assertTrue(truncated.all())
        np.testing.assert_allclose(reward, -info["final_info"]["distance"] / 0.05)
        np.testing.assert_allclose(0.2 * env.split(info["final_obs"])["goal"], goals)
        self.assertTrue(np.all(env.split(observation)["goal"] != env.split(info["final_obs"])["goal"]))
        again, _ = env.reset(seed=[2, 2, 2])
        np.testing.assert_allclose(0.2 * env.split(again)["goal"][0], goals[1])
        with self.assertRaisesRegex(ValueError, "either task, or reward"):
            sinew.Env(ROD, task=sinew.Reach(0.1), reward=lambda o, a: 0)
        for bad in ({"radius": 0}, {"radius": 1, "axes": "xx"}, {"radius": 1, "axes": ""}):
            with self.assertRaises(ValueError):
                sinew.Reach(**bad)

    def test_refused_reset_changes_nothing(self):
        env, other = (self.one(hz=100, vary={"youngs_modulus_pa": "lognormal(60e9,0.1)"}, task=sinew.Reach(0.05, axes="xy")) for _ in range(2))
        for e in (env, other):
            e.reset(seed=4)
            e.step([2, 0, 0, 0])
        refused = (
            (ValueError, {"sed": 1}), (ValueError, {"reset_mask": np.ones(1, bool)}), (sinew.Error, {"vary": {"nothing_n": "normal(1,2)"}}),
            (sinew.Error, {"vary": {"youngs_modulus_pa": "normal(-1e9,1)"}}), (sinew.Error, {"parameters": {"youngs_modulus_pa": -1}}),
            (ValueError, {"parameters": {"youngs_modulus_pa": [1, 2]}}), (sinew.Error, {"parameters": {"length_m": 1e9}}),
        )
        for kind, options in refused:
            with self.assertRaises(kind):
                env.reset(seed=5, options=options)
            np.testing.assert_array_equal(env.step([2, 0, 0, 0])[0], other.step([2, 0, 0, 0])[0])
        a, info_a = env.reset()
        b, info_b = other.reset()
        np.testing.assert_array_equal(a, b)
        self.assertEqual(info_a["parameters"], info_b["parameters"])

    def test_pictures(self):
        for robot, names in ((ROD, {"backbone"}), (SWIMMER, {"body"}), ("endoscope", {"backbone"})):
            with self.subTest(robot=robot):
                env = self.one(robot, hz=20, render_mode="rgb_array", camera=sinew.Camera(width=160, height=120))
                env.reset(seed=1)
                first = env.render()
                self.assertEqual((first.shape, first.dtype), ((120, 160, 3), np.uint8))
                self.assertLessEqual(names, {t["name"] for t in env.scene()["tubes"]})
                background = np.abs(first.astype(int) - first[:, :1]).sum(axis=2) < 12  # each row has one color where nothing is
                self.assertTrue(0.3 < background.mean() < 0.995, background.mean())
                for _ in range(4):
                    env.step(env.action_space.high * ([0.5] + [0] * (len(env.action_space.high) - 1)))
                self.assertTrue(np.any(env.render() != first))
        # a rod of 1 mm that stands up: dark disks one above the other in the middle, of the picture's front view
        env = self.one(hz=20, render_mode="rgb_array", camera=sinew.Camera(azimuth=0, elevation=0, size=0.3, center=(0, 0, 0.1), width=60, height=60))
        env.reset()
        rows, columns = np.nonzero(env.render().sum(axis=2) < 400)
        self.assertTrue(abs(columns.mean() - 29.5) < 1 and 8 < rows.min() < 12 and 44 < rows.max() < 50, (columns.mean(), rows.min(), rows.max()))
        self.assertIsNone(self.one().render())
        with self.assertRaisesRegex(ValueError, "render_mode is 'human'"):
            sinew.Env(ROD, render_mode="human")
        with self.assertRaisesRegex(ValueError, "pixels"):
            sinew.Env(ROD, render_mode="rgb_array", camera=sinew.Camera(width=0))

    def test_options_are_in_the_signature(self):
        for function in (sinew.make_vec, sinew.VectorEnv, sinew.Env, sinew.Reach, sinew.Camera):
            for p in inspect.signature(function).parameters.values():
                self.assertNotIn(p.kind, (p.VAR_KEYWORD, p.VAR_POSITIONAL), function)
                self.assertIsNot(p.annotation, p.empty)
        self.assertEqual(list(inspect.signature(sinew.make_vec).parameters), list(inspect.signature(sinew.VectorEnv).parameters))

    @unittest.skipUnless(gymnasium, "Gymnasium is installed by a second run of these tests")
    def test_checker_of_gymnasium(self):
        from gymnasium.utils.env_checker import check_env

        for robot, _ in BOTH:
            check_env(self.one(robot, hz=100, render_mode="rgb_array", task=sinew.Reach(1e-3)), skip_render_check=False)

    @unittest.skipUnless(gymnasium, "Gymnasium is installed by a second run of these tests")
    def test_registration(self):
        mechanisms = {"six_leg_robot", "gripper_with_ball", "tendon_hand", "arm_with_rod", "y_tree", "thrown_ring", "double_pendulum"}  # have no task yet
        self.assertEqual({f"sinew/{name}-v0" for name in set(sinew.robots()) - mechanisms}, {name for name in gymnasium.registry if name.startswith("sinew/")})
        for name in ("nitinol", "swimmer"):
            env = gymnasium.make(f"sinew/{name}-v0", render_mode="rgb_array", scale=True)
            self.addCleanup(env.close)
            self.assertIsInstance(env.unwrapped, sinew.Env)
            self.assertEqual((env.spec.id, env.render_mode), (f"sinew/{name}-v0", "rgb_array"))
            env.reset(seed=1)
            done = [env.step(env.action_space.sample())[2:4] for _ in range(env.spec.max_episode_steps)]
            self.assertEqual((done[-2], done[-1]), ((False, False), (False, True)))
            many = gymnasium.make_vec(f"sinew/{name}-v0", num_envs=2)
            self.addCleanup(many.close)
            self.assertIsInstance(many, sinew.VectorEnv)
            many.reset(seed=1)
            self.assertEqual(many.step(many.action_space.sample())[1].shape, (2,))
        # a module before the name is imported by Gymnasium
        subprocess.run([sys.executable, "-c", "import gymnasium; gymnasium.make('sinew:sinew/sphere-v0').close()"], check=True)


if __name__ == "__main__":
    unittest.main()
