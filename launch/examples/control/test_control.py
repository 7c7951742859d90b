"""Short tests of the controllers, with sensors: python -m unittest discover launch/examples/control"""

import unittest

import common
import numpy as np
from impedance import Impedance
from lqr import Lqr
from mpc import Mpc
from resolved_rate import ResolvedRate


class Controllers(unittest.TestCase):
    def check(self, name):
        simulation = common.Simulation(name)
        self.addCleanup(simulation.env.close)
        r = simulation.robot
        model = r.c @ np.linalg.solve(np.eye(len(r.a)) - r.a, r.b)
        np.testing.assert_allclose(model, r.jacobian, atol=0.01 * np.abs(r.jacobian).max())  # what truncation leaves
        push = np.zeros(3)
        push[r.plane[0]] = r.push
        for controller, yields in ((ResolvedRate, 0), (Lqr, 0), (Mpc, 0), (Impedance, 0.5)):
            with self.subTest(robot=name, controller=controller.__name__):
                tips = simulation.run(controller, common.step(r), 2)
                self.assertLess(np.linalg.norm(tips[-50:].mean(axis=0) - [r.size, 0]), 0.02 * r.size)
                tips = simulation.run(controller, common.circle(r), 6)
                self.assertLess(common.rms_error(tips, common.circle(r)), 0.05 * r.size)
                tips = simulation.run(controller, lambda t: np.zeros(2), 2, lambda t: push)
                self.assertAlmostEqual(tips[-50:, 0].mean() / r.size, yields, delta=0.03)

    def test_nitinol(self):
        self.check("nitinol")

    def test_catheter(self):
        self.check("catheter")


if __name__ == "__main__":
    unittest.main()
