"""MuJoCo's chain: rigid links with ball joints between, as program.py runs it.

Link i of n is the rod from (i - 1/2) l to (i + 1/2) l with l = length/n, the last one half
as long; that from 0 to l/2 is part of the base. A joint has the bending stiffness over l,
and the damping that belongs to it. Tendons are those of MuJoCo, strung through sites at the
holes of the disks. A setting is a number of elements, an integrator and a step.
"""

import math

import mujoco
import numpy as np

mujoco.set_mju_user_warning(lambda text: None)  # a step that is too long shows in the error

HOLES = [(0, 0, 1), (0, -1, 0), (0, 0, -1), (0, 1, 0)]  # of the rod, which is along x


# The floor takes a link as hard as the step allows: what remains of its softness is a part of
# the error. Links touch with the capsule that the rod is there, and nothing but the floor.
CONTACT = 'condim="1" solref="0.002 1" solimp="0.99 0.9999 0.0001"'


def document(robot, elements, integrator, step):
    """Return the robot as MJCF, with the holes where those of the other programs are."""
    length, radius, density = robot["length"], robot["radius"], robot["density"]
    area, second = math.pi * radius**2, math.pi * radius**4 / 4
    piece = length / elements
    stiffness = robot["young"] * second / piece
    disks = [(k + 1) * length / robot["disks"] for k in range(robot["disks"])]
    on = [min(range(1, elements + 1), key=lambda i: (abs(i * piece - s), i)) for s in disks]

    def sites(link):
        lines = []
        for k, s in enumerate(disks):
            if on[k] != link:
                continue
            for t, hole in enumerate(HOLES):
                y, z = robot["hole"] * hole[1], robot["hole"] * hole[2]
                lines.append(f'<site name="h{t}_{k}" pos="{s - link * piece!r} {y!r} {z!r}"/>')
        return "".join(lines)

    def surface(size):
        if not robot["floor"]:
            return ""
        begin, end = -piece / 2, size - piece / 2
        return (
            f'<geom type="capsule" size="{radius!r}" fromto="{begin!r} 0 0 {end!r} 0 0" mass="0" contype="0" '
            f'conaffinity="1" {CONTACT}/>'
        )

    text = ""
    for i in range(elements, 0, -1):
        size = piece if i < elements else piece / 2
        centre = 0 if i < elements else -piece / 4
        mass, turning = density * area * size, density * second * size
        bending = turning + mass * size**2 / 12
        text = (
            f'<body pos="{piece!r} 0 0">'
            f'<joint type="ball" pos="{-piece / 2!r} 0 0" stiffness="{stiffness!r}" damping="{robot["damping"] * stiffness!r}"/>'
            f'<inertial pos="{centre!r} 0 0" mass="{mass!r}" diaginertia="{2 * turning!r} {bending!r} {bending!r}"/>'
            f"{surface(size)}{sites(i)}{text}</body>"
        )
    tense = any(robot["tensions"])
    base = "".join(
        f'<site name="b{t}" pos="0 {robot["hole"] * h[1]!r} {robot["hole"] * h[2]!r}"/>' for t, h in enumerate(HOLES)
    )
    tendons = "".join(
        f'<spatial name="t{t}"><site site="b{t}"/>'
        + "".join(f'<site site="h{t}_{k}"/>' for k in range(len(disks)))
        + "</spatial>"
        for t in range(4 if tense else 0)
    )
    motors = "".join(f'<motor tendon="t{t}" gear="1"/>' for t in range(4 if tense else 0))
    flags, ground = '<flag contact="disable" constraint="disable"/>', ""
    if robot["floor"]:
        flags = ""
        ground = f'<geom type="plane" size="1 1 1" pos="0 0 {-robot["floor"]!r}" contype="1" conaffinity="0" {CONTACT}/>'
    return (
        f'<mujoco><option gravity="0 0 {-robot["gravity"]!r}" timestep="{step!r}" integrator="{integrator}">'
        f'{flags}</option><compiler autolimits="true" angle="radian"/>'
        f'<worldbody>{ground}{base}{text}<site name="unused"/></worldbody>'
        f"<tendon>{tendons}</tendon><actuator>{motors}</actuator></mujoco>"
    )


class Run:
    """One setting of a robot."""

    def __init__(self, robot, setting):
        between = robot["duration"] / robot["samples"]
        self.steps = round(between / setting["step"])
        self.samples = robot["samples"]
        self.model = mujoco.MjModel.from_xml_string(
            document(robot, setting["elements"], setting["solver"], between / self.steps)
        )
        self.data = mujoco.MjData(self.model)
        self.tension = -np.array(robot["tensions"])[: self.model.nu]
        self.dof = self.model.nv

    def simulate(self):
        """Return the tip at the samples."""
        data, tips = self.data, np.empty((self.samples, 3))
        mujoco.mj_resetData(self.model, data)
        data.ctrl[:] = self.tension
        for i in range(self.samples):
            mujoco.mj_step(self.model, data, nstep=self.steps)
            mujoco.mj_kinematics(self.model, data)
            tips[i] = data.xpos[-1]
        return tips
