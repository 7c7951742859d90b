"""Tests of Jacobians and linearised steps."""

import tempfile
import unittest
from pathlib import Path

import numpy as np
from common import ROD, SWIMMER, Case

import sinew


class Derivatives(Case):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.coarse = Path(folder.name) / "coarse.yaml"
        self.coarse.write_text("rod: {element_order: 2, elements: 10}\n")

    def one(self, robot, **options):
        env = sinew.Env(robot, **options)
        self.addCleanup(env.close)
        env.reset(seed=0)
        return env

    def test_linearised_step(self):
        """It predicts what a little more tension does in the next steps, and comes to rest where the Jacobian says."""
        self.coarse.write_text(self.coarse.read_text() + "tendons: [{name: front, tension_n: 1}, {name: left, tension_n: 0.5}]\n")
        env, rest = self.one([ROD, self.coarse], hz=1000, observations=["measured_cp"]), np.array([1.0, 0.5, 0, 0])
        for _ in range(5):
            env.step(rest)
        step, jacobian = env.linearise(), env.jacobian()
        self.assertEqual((step.step_s, step.a.shape, step.outputs[0]), (env.dt, (240, 240), "tip.x"))
        a, b, c = step.of(["tip.x", "tip.y"], ["tension.front", "tension.left", "tip_force.x"])
        gain = c @ np.linalg.solve(np.eye(len(a)) - a, b)
        wanted = jacobian.of(["tip.x", "tip.y"], ["tension.front", "tension.left", "tip_force.x"])
        np.testing.assert_array_less(np.abs(gain - wanted) / np.linalg.norm(wanted, axis=0), 1e-5)  # A is exact to some 1e-7
        more, x, predicted, tips = np.array([1e-3, -1e-3]), np.zeros(len(a)), [], []
        for _ in range(30):
            x = a @ x + b[:, :2] @ more
            predicted.append(c @ x)
        for change in (more, -more):
            env.reset(seed=0)
            for _ in range(5):
                env.step(rest)
            tips.append(np.array([env.step(rest + np.append(change, [0, 0]))[0][:2] for _ in range(30)]))
        np.testing.assert_allclose((tips[0] - tips[1]) / 2, predicted, atol=1e-4 * np.abs(predicted).max())

    def test_refusals(self):
        env = self.one([ROD, self.coarse])
        with self.assertRaisesRegex(ValueError, "'tension.top': no such name; there are tension.front"):
            env.jacobian().of(["tip.x"], ["tension.top"])
        with self.assertRaisesRegex(ValueError, "robot 1: there are 0 to 0"):
            env.vector.jacobian(1)
        with self.assertRaisesRegex(sinew.Error, "element_order: 2"):
            self.one(ROD).linearise()
        for ask in (self.one(SWIMMER).linearise, self.one(SWIMMER).jacobian):
            with self.assertRaisesRegex(sinew.Error, "rods with method implicit"):
                ask()


if __name__ == "__main__":
    unittest.main()
