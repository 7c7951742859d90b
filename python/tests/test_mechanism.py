"""Mechanisms: robot files with rods, bodies and joints."""

import tempfile
import unittest
from pathlib import Path

import numpy as np
from common import Case

import sinew

HINGE = """
bodies: [{name: link, mass_kg: 0.1, inertia_kg_m2: [1e-4, 1e-4, 1e-4], center_of_mass_m: [0, 0, -0.1]}]
joints:
  - name: hinge
    type: revolute
    axis: [0, 1, 0]
    parent: {world: true}
    child: {body: link, position_m: [0, 0, 0.1]}
    limits: {min: -1, max: 0.5}
    motor: {position: {stiffness: 10, damping: 0.2}}
"""


class Mechanism(Case):
    def test_motor_moves_link(self):
        file = Path(self.enterContext(tempfile.TemporaryDirectory())) / "hinge.yaml"
        file.write_text(HINGE)
        env = self.make(file, n=2, hz=100, vary={"bodies.link.mass_kg": "choice(0.05,0.1)"})
        env.reset(seed=1)
        self.assertEqual(env.action_names, {"servo_jp.position.hinge": "rad"})
        self.assertEqual((env.single_action_space.low.tolist(), env.single_action_space.high.tolist()), ([-1], [0.5]))
        for _ in range(100):
            obs, *_ = env.step(np.array([[0.0], [0.3]]))
        link = env.split(obs)["link/measured_cp"]
        self.assertTrue(abs(link[0, 0]) < 1e-9)
        # the joint is 0.1 m above the origin of the link, which is about sin(0.3) of that to the side
        self.assertAlmostEqual(link[1, 0], -0.1 * np.sin(0.3), delta=0.002)
        task = sinew.Env(file, hz=100, task=sinew.Reach(0.02, port="link/measured_cp"), max_steps=10)
        self.addCleanup(task.close)
        task.reset(seed=1)
        self.assertLess(task.step(np.array([0.2]))[1], 0)


if __name__ == "__main__":
    unittest.main()
