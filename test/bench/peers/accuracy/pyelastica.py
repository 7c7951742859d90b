"""PyElastica's rod on its plane, as program.py runs it.

Its RodPlaneContact of a stiffness that a setting names, damped as critical for the mass of an
element, and its AnalyticalLinearDamper for the medium. PyElastica clamps node and directors of
the first element, which is that of the rod but for its half before the clamp: it would bend
half an element too short otherwise, an error of order 1.
"""

import math

import elastica
import numpy as np


class Simulator(
    elastica.BaseSystemCollection, elastica.Constraints, elastica.Forcing, elastica.Damping, elastica.Contact
):
    pass


class Run:
    """One setting of a robot."""

    def __init__(self, robot, setting):
        between = robot["duration"] / robot["samples"]
        self.steps = round(between / setting["step"])
        self.samples = robot["samples"]
        self.step = np.float64(between / self.steps)
        self.dof = 6 * setting["elements"]
        self.build(robot, setting["elements"], float(setting["solver"]))
        self.start = [x.copy() for x in self.state()]

    def build(self, robot, elements, stiffness):
        """Make the rod above its floor."""
        piece = robot["length"] / (elements - 0.5)
        self.sim = Simulator()
        self.rod = elastica.CosseratRod.straight_rod(
            elements,
            np.array([-piece / 2, 0.0, 0.0]),
            np.array([1.0, 0.0, 0.0]),
            np.array([0.0, 0.0, 1.0]),
            elements * piece,
            robot["radius"],
            robot["density"],
            youngs_modulus=robot["young"],
            shear_modulus=robot["young"] / 2,
        )
        self.sim.append(self.rod)
        self.sim.constrain(self.rod).using(
            elastica.OneEndFixedBC, constrained_position_idx=(0,), constrained_director_idx=(0,)
        )
        self.sim.add_forcing_to(self.rod).using(
            elastica.GravityForces, acc_gravity=np.array([0.0, 0.0, -robot["gravity"]])
        )
        self.sim.dampen(self.rod).using(
            elastica.AnalyticalLinearDamper, uniform_damping_constant=robot["drag"], time_step=self.step
        )
        floor = elastica.Plane(np.array([0.0, 0.0, -robot["floor"]]), np.array([0.0, 0.0, 1.0]))
        self.sim.append(floor)
        mass = robot["density"] * math.pi * robot["radius"] ** 2 * piece
        self.sim.detect_contact_between(self.rod, floor).using(
            elastica.RodPlaneContact, k=stiffness, nu=2 * math.sqrt(stiffness * mass)
        )
        self.sim.finalize()
        self.stepper = elastica.PositionVerlet()

    def state(self):
        """Return what a run changes."""
        rod = self.rod
        return rod.position_collection, rod.director_collection, rod.velocity_collection, rod.omega_collection

    def simulate(self):
        """Return the tip at the samples."""
        for x, start in zip(self.state(), self.start):
            x[:] = start
        tips, now = np.empty((self.samples, 3)), np.float64(0.0)
        for i in range(self.samples):
            for _ in range(self.steps):
                now = self.stepper.step(self.sim, now, self.step)
            tips[i] = self.rod.position_collection[:, -1]
        return tips
