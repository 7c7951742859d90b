"""Linear-quadratic regulator of the tip with a Kalman filter: LQG control, without steady error. See common.py."""

import numpy as np
import scipy.linalg

import common

EFFORT = 0.3  # the cost of a command of the robot's size, relative to an error of it: less is faster and moves more
DAMPING = 0.06  # s: the cost of the tip's speed, relative to an error of what it goes in that time


class Lqr:
    uses_jacobian = False

    def __init__(self, robot):
        self.robot, self.filter = robot, common.KalmanFilter(robot)
        r = robot
        speed = DAMPING * common.HZ * r.c @ (r.a - np.eye(len(r.a)))
        q = (r.c.T @ r.c + speed.T @ speed) / r.size**2
        cost = EFFORT**2 * r.jacobian.T @ r.jacobian / r.size**2
        p = scipy.linalg.solve_discrete_are(r.a, r.b, q, cost)
        self.gain = np.linalg.solve(cost + r.b.T @ p @ r.b, r.b.T @ p @ r.a)

    def command(self, t, y, reference, force):
        x, error = self.filter.update(y)
        to, u = self.robot.moving(reference(t), common.velocity(reference, t), force)
        u = self.robot.limited(u - error - self.gain @ (x - to))
        self.filter.commanded(u, force)
        return u


if __name__ == "__main__":
    common.main(Lqr)
