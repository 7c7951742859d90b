"""Model-predictive control of the tip: the commands of the next 0.4 s that follow the reference best, within the limits of the
actuators, as a quadratic program for OSQP, whose first command is given. See common.py."""

import numpy as np
import osqp
import scipy.sparse

import common

HORIZON = 40  # periods
CHANGE = 0.5  # the cost of a change of the command by the robot's size in a period, relative to an error of it


class Mpc:
    uses_jacobian = False

    def __init__(self, robot):
        self.robot, self.filter = robot, common.KalmanFilter(robot)
        r, n = robot, HORIZON
        powers = [r.c]
        for _ in range(n):
            powers.append(powers[-1] @ r.a)
        self.free = np.vstack(powers[1:])  # positions without commands, by the state
        blocks = [[powers[i - k] @ r.b if k <= i else np.zeros((2, 2)) for k in range(n)] for i in range(n)]
        self.forced = np.block(blocks)  # positions by commands
        self.pushed = np.vstack([sum(powers[k] @ r.f for k in range(i + 1)) for i in range(n)])  # by a constant force
        self.changes = np.kron(np.eye(n) - np.eye(n, k=-1), np.eye(2))
        scale = np.kron(np.eye(n), r.jacobian * CHANGE)
        self.weight = self.changes.T @ scale.T @ scale / r.size**2
        hessian = self.forced.T @ self.forced / r.size**2 + self.weight @ self.changes
        limits = np.kron(np.eye(n), r.mix)
        # the actuators, and how they change
        constraints = np.vstack([limits, limits @ self.changes])
        self.u = np.zeros(2)
        self.solver = osqp.OSQP()
        bound = np.concatenate(self.bounds(np.zeros(2)))
        half = len(bound) // 2
        self.solver.setup(
            scipy.sparse.csc_matrix(np.triu(hessian)), np.zeros(2 * n), scipy.sparse.csc_matrix(constraints),
            bound[:half], bound[half:], verbose=False, eps_abs=1e-5, eps_rel=1e-5,
        )

    def bounds(self, error):
        """Lower and upper limits of the actuators and of their changes; the program's commands include the error of commands."""
        r, most = self.robot, np.minimum(self.robot.rate / common.HZ, 1e20)
        rest, before = r.rest - r.mix @ error, r.mix @ (self.u + error)
        first = np.concatenate([before, np.zeros(len(rest) * (HORIZON - 1))])
        low, high = np.tile(r.low - rest, HORIZON), np.tile(r.high - rest, HORIZON)
        return np.concatenate([low, first - np.tile(most, HORIZON)]), np.concatenate([high, first + np.tile(most, HORIZON)])

    def command(self, t, y, reference, force):
        r = self.robot
        x, error = self.filter.update(y)
        ahead = np.concatenate([reference(t + (k + 1) / common.HZ) for k in range(HORIZON)])
        gap = self.free @ x + self.pushed @ force - ahead
        before = np.concatenate([self.u + error, np.zeros(2 * (HORIZON - 1))])
        low, high = self.bounds(error)
        self.solver.update(q=self.forced.T @ gap / r.size**2 - self.weight @ before, l=low, u=high)
        self.u = r.limited(self.solver.solve(raise_error=True).x[:2] - error)
        self.filter.commanded(self.u, force)
        return self.u


if __name__ == "__main__":
    common.main(Mpc)
