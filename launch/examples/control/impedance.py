"""Impedance control: the tip answers an external force as a mass with spring and damper between it and its reference would,
m a + d (v - its velocity) + k (x - reference) = force. The force is measured or estimated; the LQR of lqr.py makes the motion (position-based
impedance control). See common.py."""

import numpy as np

import common
import lqr

FREQUENCY, DAMPING = 8.0, 1.0  # rad/s and damping ratio of that mass with its spring


class Impedance:
    uses_jacobian = False

    def __init__(self, robot):
        self.inner = lqr.Lqr(robot)
        self.plane = robot.plane
        self.stiffness = 2 * robot.push / robot.size  # N/m: yields to the push by half of the robot's size
        self.x, self.v = np.zeros(2), np.zeros(2)

    def command(self, t, y, reference, force):
        dt = 1 / common.HZ
        spring = FREQUENCY**2 * (reference(t) - self.x) + 2 * DAMPING * FREQUENCY * (common.velocity(reference, t) - self.v)
        self.v = self.v + dt * (spring + FREQUENCY**2 / self.stiffness * force[self.plane])
        self.x = self.x + dt * self.v
        return self.inner.command(t, y, lambda when: self.x + (when - t) * self.v, force)


if __name__ == "__main__":
    common.main(Impedance)
