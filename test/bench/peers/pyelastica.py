"""Time per step of PyElastica 0.3.2 with four tendons, and the tip for comparison.

Usage: pyelastica.py ELEMENTS module|compiled|none STEPS REPEATS [ROBOT STEP]

The robot is soft, that of BenchmarkStep in pkg/sim/continuum: a silicone rod, four
tendons of nine disks each; or nitinol, a wire of 1 mm by 0.2 m. STEP is the time
step in s. The tendon load is written here from its equations,
twice. "module" divides the work between Python and compiled code as the
TendonForces module does (geometry, forces and couples compiled, in array
operations; gathering per disk in Python), for that decides its speed. "compiled"
is what the module could be: everything in compiled scalar loops. "none" is the
rod without tendons.
"""

import json
import sys
import time

import elastica
import numpy as np
from elastica.timestepper import extend_stepper_interface
from numba import njit

STEP = 1e-5  # s, unless given
HOLES = [(1, 0, 0), (0, 1, 0), (-1, 0, 0), (0, -1, 0)]
DISKS, GRAVITY = 9, 9.80665
# length, radius, density, Young's and shear modulus, distance of the holes, mass of
# a disk, tensions
ROBOTS = {
    "soft": (0.25, 0.0055, 997.7, 16598637.0, 7216880.0, 0.015, 0.002, [4.0, 2.0, 0.5, 0.5]),
    "nitinol": (0.2, 0.0005, 6450.0, 60e9, 60e9 / 2.6, 0.008, 0.0005, [2.0, 1.0, 0.5, 0.5]),
}


@njit(cache=True)
def pulls(position, directors, nodes, hole, tension):
    """Resultant of the two chords at each disk; the last disk has only one."""
    count = nodes.shape[0]
    holes = np.empty((count + 1, 3))
    for i in range(count + 1):
        k = 0 if i == 0 else nodes[i - 1]
        for a in range(3):
            holes[i, a] = position[a, k]
            for b in range(3):
                holes[i, a] += directors[b, a, k] * hole[b]
    chords = np.zeros((count + 1, 3))
    for i in range(count):
        d = holes[i + 1] - holes[i]
        chords[i] = tension * d / np.sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2])
    return chords[1:] - chords[:-1]


@njit(cache=True)
def add_forces(force, nodes, resultants, weight):
    for i in range(nodes.shape[0]):
        for a in range(3):
            force[a, nodes[i]] += resultants[i, a]
        force[2, nodes[i]] -= weight


@njit(cache=True)
def add_couples(couple, directors, nodes, resultants, hole):
    for i in range(nodes.shape[0]):
        e = nodes[i] - 1
        f = np.zeros(3)
        for a in range(3):
            for b in range(3):
                f[a] += directors[a, b, e] * resultants[i, b]
        couple[0, e] += hole[1] * f[2] - hole[2] * f[1]
        couple[1, e] += hole[2] * f[0] - hole[0] * f[2]
        couple[2, e] += hole[0] * f[1] - hole[1] * f[0]


class Tendon(elastica.NoForces):
    """One tendon: tension along chords from the base through holes in disks."""

    def __init__(self, nodes, hole, tension, weight):
        super().__init__()
        self.nodes = np.array(nodes, dtype=np.int64)
        self.hole = np.array(hole, dtype=np.float64)
        self.tension, self.weight = tension, weight

    def apply_forces(self, system, time=0.0):
        self.resultants = pulls(
            system.position_collection, system.director_collection, self.nodes, self.hole, self.tension
        )
        add_forces(system.external_forces, self.nodes, self.resultants, self.weight)

    def apply_torques(self, system, time=0.0):
        add_couples(system.external_torques, system.director_collection, self.nodes, self.resultants, self.hole)


@njit(cache=True)
def unit_chords(position, directors, nodes, hole):
    count = len(nodes)
    units = np.zeros((count + 1, 3))
    at = position[:, 0].copy() + np.ascontiguousarray(directors[:, :, 0].T) @ hole
    for i in range(count):
        k = nodes[i]
        to = position[:, k].copy() + np.ascontiguousarray(directors[:, :, k].T) @ hole
        units[i] = (to - at) / np.linalg.norm(to - at)
        at = to
    return units


@njit(cache=True)
def disk_forces(tension, units):
    forces = np.zeros((len(units) - 1, 3))
    for i in range(len(forces)):
        forces[i] = tension * units[i + 1] - tension * units[i]
    return forces


@njit(cache=True)
def disk_couples(hole, nodes, local, elements, couple):
    added = np.zeros((3, elements))
    for i in range(len(nodes)):
        added[:, nodes[i] - 1] = np.cross(hole, local[i])
    couple += added


class ModuleTendon(Tendon):
    """The same, with the division of work of the module."""

    def apply_forces(self, system, time=0.0):
        nodes = np.array(self.list)
        units = unit_chords(
            np.array(system.position_collection), np.array(system.director_collection), nodes, self.hole
        )
        self.forces = disk_forces(self.tension, units)
        added = np.zeros_like(system.external_forces)
        for i in range(len(self.list)):
            added[:, self.list[i]] = self.forces[i] + self.weights
        system.external_forces += added

    def apply_torques(self, system, time=0.0):
        local = np.zeros((len(self.list), 3))
        for i in range(len(self.list)):
            local[i] = system.director_collection[..., self.list[i] - 1] @ self.forces[i]
        disk_couples(self.hole, np.array(self.list), local, system.n_elems, system.external_torques)

    def __init__(self, nodes, hole, tension, weight):
        super().__init__(nodes, hole, tension, weight)
        self.list = [int(k) for k in nodes]
        self.weights = np.array([0.0, 0.0, -weight])


KINDS = {"module": ModuleTendon, "compiled": Tendon, "none": None}


class Simulator(
    elastica.BaseSystemCollection, elastica.Constraints, elastica.Forcing, elastica.Damping
):
    pass


def robot(elements, kind, name, step):
    length, radius, density, young, shear, height, mass, tensions = ROBOTS[name]
    sim = Simulator()
    rod = elastica.CosseratRod.straight_rod(
        elements,
        np.zeros(3),
        np.array([1.0, 0.0, 0.0]),
        np.array([0.0, 0.0, 1.0]),
        length,
        radius,
        density,
        youngs_modulus=young,
        shear_modulus=shear,
    )
    sim.append(rod)
    sim.constrain(rod).using(elastica.OneEndFixedBC, constrained_position_idx=(0,), constrained_director_idx=(0,))
    first, last = elements // 10, elements - elements // 10
    nodes = [round(first + i * (last - first) / (DISKS - 1)) for i in range(DISKS)]
    for i, (tension, axis) in enumerate(zip(tensions, HOLES)):
        weight = mass * GRAVITY if i == 0 else 0.0
        if KINDS[kind] is None:
            break
        sim.add_forcing_to(rod).using(KINDS[kind], nodes, height * np.array(axis), tension, weight)
    sim.add_forcing_to(rod).using(elastica.GravityForces, acc_gravity=np.array([0.0, 0.0, -GRAVITY]))
    sim.dampen(rod).using(elastica.AnalyticalLinearDamper, damping_constant=0.1, time_step=step)
    sim.finalize()
    return sim, rod


def main():
    elements, kind = int(sys.argv[1]), sys.argv[2]
    steps, repeats = int(sys.argv[3]), int(sys.argv[4])
    name, step = ("soft", STEP) if len(sys.argv) < 7 else (sys.argv[5], float(sys.argv[6]))
    stepper = elastica.PositionVerlet()
    sim, rod = robot(elements, kind, name, step)
    do_step, stages = extend_stepper_interface(stepper, sim)
    now = np.float64(0.0)
    for _ in range(1000):  # compiles, and ends where the other program is compared
        now = do_step(stepper, stages, sim, now, step)
    tip = [float(x) for x in rod.position_collection[:, -1]]
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        for _ in range(steps):
            now = do_step(stepper, stages, sim, now, step)
        times.append(1e6 * (time.perf_counter() - start) / steps)
    times.sort()
    print(json.dumps({"us": times[0], "us_median": times[len(times) // 2], "tip": tip}))


if __name__ == "__main__":
    main()
