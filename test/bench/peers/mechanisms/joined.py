"""PyElastica's model of the two rods that are joined, as program.py runs it.

The rods are joined by its FixedJoint. Bending between the last element of the one and the first of the other, half an element each,
is that of the joint: its rotational stiffness is that of an element, which bends and twists alike. So is the clamp moved by half an
element, without which the order of either is 1. A setting is a number of elements of the first rod, of which the second has two
thirds, the stiffness of the joint against displacement (N/m) and a step.
"""

import math

import elastica
import numpy as np

RADIUS, DENSITY, YOUNG, SHEAR, GRAVITY, DRAG = 0.01, 1000.0, 5e6, 2.5e6, 9.80665, 10.0
LENGTHS = 0.3, 0.2


class Simulator(elastica.BaseSystemCollection, elastica.Constraints, elastica.Connections, elastica.Forcing, elastica.Damping):
    pass


class Run:
    """One setting of the robot."""

    def __init__(self, robot, setting):
        between = robot["duration"] / robot["samples"]
        self.steps = round(between / setting["step"])
        self.samples = robot["samples"]
        self.step = np.float64(between / self.steps)
        self.build(setting["elements"], float(setting["solver"]))
        self.start = [x.copy() for x in self.state()]

    def build(self, elements, stiffness):
        """Make the rods, the clamp and the joint."""
        self.sim = Simulator()
        piece = LENGTHS[0] / (elements - 0.5)
        second = math.pi * RADIUS**4 / 4
        along, across, normal = np.eye(3)
        self.rods = []
        for start, direction, n, size in (
            (-piece / 2 * along, along, elements, elements * piece),
            (LENGTHS[0] * along, across, round(elements * LENGTHS[1] / LENGTHS[0]), LENGTHS[1]),
        ):
            rod = elastica.CosseratRod.straight_rod(
                n, start, direction, normal, size, RADIUS, DENSITY, youngs_modulus=YOUNG, shear_modulus=SHEAR
            )
            self.sim.append(rod)
            self.sim.add_forcing_to(rod).using(elastica.GravityForces, acc_gravity=np.array([0.0, 0.0, -GRAVITY]))
            self.sim.dampen(rod).using(
                elastica.AnalyticalLinearDamper, uniform_damping_constant=DRAG, time_step=self.step
            )
            self.rods.append(rod)
        first, other = self.rods
        self.sim.constrain(first).using(
            elastica.OneEndFixedBC, constrained_position_idx=(0,), constrained_director_idx=(0,)
        )
        rest = first.director_collection[..., -1] @ other.director_collection[..., 0].T
        self.sim.connect(first, other, first_connect_idx=-1, second_connect_idx=0).using(
            elastica.FixedJoint,
            k=stiffness,
            nu=0.0,
            kt=YOUNG * second / (piece / 2 + other.rest_lengths[0] / 2),
            nut=0.0,
            rest_rotation_matrix=rest,
        )
        self.sim.finalize()
        self.stepper = elastica.PositionVerlet()
        self.dof = 6 * sum(rod.n_elems for rod in self.rods)

    def state(self):
        """Return what a run changes."""
        return [
            x
            for rod in self.rods
            for x in (rod.position_collection, rod.director_collection, rod.velocity_collection, rod.omega_collection)
        ]

    def simulate(self):
        """Return the end of the second rod at the samples."""
        for x, start in zip(self.state(), self.start):
            x[:] = start
        tips, now = np.empty((self.samples, 3)), np.float64(0.0)
        for i in range(self.samples):
            for _ in range(self.steps):
                now = self.stepper.step(self.sim, now, self.step)
            tips[i] = self.rods[1].position_collection[:, -1]
        return tips
