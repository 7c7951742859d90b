"""Resolved-rate control: the velocity of the tip that closes its error, by the Jacobian of the present shape. See common.py."""

import collections

import numpy as np

import common

GAIN = 3.0  # 1/s: slow beside the latency of the tracker and the first mode of the robot
DAMPING = 0.05  # of the pseudo-inverse, relative to the largest singular value: near singular shapes the tip moves less


class ResolvedRate:
    uses_jacobian = True

    def __init__(self, robot):
        self.robot = robot
        self.u, self.y = np.zeros(2), np.zeros(2)
        self.wanted = collections.deque([np.zeros(2)] * (common.DELAY + 1), common.DELAY + 1)

    def command(self, t, y, reference, force):
        self.wanted.append(reference(t))
        if y is not None:
            self.y = y
        error = self.wanted[0] - self.y  # both are of the time at which the tracker measured
        j = self.robot.now
        damped = j.T @ np.linalg.inv(j @ j.T + (DAMPING * np.linalg.norm(j, 2)) ** 2 * np.eye(2))
        self.u = self.robot.limited(self.u + damped @ (common.velocity(reference, t) + GAIN * error) / common.HZ)
        return self.u


if __name__ == "__main__":
    common.main(ResolvedRate)
