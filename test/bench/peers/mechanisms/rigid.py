"""MuJoCo's models of the rigid mechanisms, as program.py runs them.

The hinge that closes the four-bar linkage is a connect constraint, since the others keep it in its plane. Constraints and contacts
are as hard as the step allows. The solver of a setting is an integrator and the time constant of constraints in steps.
"""

import math

import mujoco
import numpy as np

mujoco.set_mju_user_warning(lambda text: None)  # a step that is too long shows in the error


def hardness(factor, step):
    """Return the attributes of a constraint whose time constant is so many steps."""
    return f'solref="{float(factor) * step!r} 1" solimp="0.9999 0.9999 0.001"'


def linkage(integrator, factor, step):
    """Return the linkage as MJCF, its bodies along x where all angles are 0."""

    def body(name, x, inertial, inside=""):
        return f'<body name="{name}" pos="{x} 0 0"><joint name="{name}" axis="0 -1 0"/><inertial {inertial}/>{inside}</body>'

    coupler = body("coupler", 0.1, 'pos="0.14 0 0" mass="0.25" diaginertia="1e-6 0.001633333333333 0.001633333333333"', '<site name="c1" pos="0.28 0 0"/>')
    crank = body("crank", 0, 'pos="0.05 0 0" mass="0.1" diaginertia="1e-6 8.333333333333e-5 8.333333333333e-5"', coupler)
    rocker = body("rocker", 0.3, 'pos="0.11 0 0" mass="0.2" diaginertia="1e-6 0.0008066666666667 0.0008066666666667"', '<site name="c2" pos="0.22 0 0"/>')
    return (
        f'<mujoco><option gravity="0 0 -9.80665" timestep="{step!r}" integrator="{integrator}" tolerance="1e-12" iterations="50"/>'
        f'<worldbody>{crank}{rocker}</worldbody>'
        f'<equality><connect site1="c1" site2="c2" {hardness(factor, step)}/></equality></mujoco>'
    )


def start_linkage(model, data):
    """Place the linkage and throw it."""
    turns = [2 * math.asin(s) for s in (0.2955202066613, 0.3063542916218, 0.6908889063872)]
    rates = [12.0, -4.361446287013, -0.157864464127]
    for x, (crank, coupler, rocker) in ((data.qpos, turns), (data.qvel, rates)):
        for name, value in (("crank", crank), ("coupler", coupler - crank), ("rocker", rocker)):
            x[model.joint(name).id] = value


def gripper(integrator, factor, step):
    """Return the gripper and the ball as MJCF."""
    inertial = '<inertial pos="0 0 -0.03" mass="0.03" diaginertia="1e-5 1e-5 2e-6"/>'

    def finger(side, x, axis):
        return (
            f'<body pos="{x} 0 0"><joint name="{side}_1" axis="0 {axis} 0"/>{inertial}'
            f'<body pos="0 0 -0.06"><joint name="{side}_2" axis="0 {axis} 0"/>{inertial}'
            f'<geom name="{side}" type="capsule" fromto="0 0 0 0 0 -0.06" size="0.008" mass="0" contype="0" conaffinity="0"/></body></body>'
        )

    motors = "".join(
        f'<position joint="{name}" kp="{kp}" kv="{kv}"/>'
        for name, kp, kv in (
            ("lift", 2000, 75), ("left_1", 2, 0.05), ("left_2", 1, 0.02), ("right_1", 2, 0.05), ("right_2", 1, 0.02)
        )
    )
    touch = f'condim="3" friction="0.8 0.8 0 0 0" {hardness(factor, step)}'
    pairs = "".join(f'<pair geom1="ball" geom2="{other}" {touch}/>' for other in ("left", "right", "floor"))
    return (
        f'<mujoco><option gravity="0 0 -9.80665" timestep="{step!r}" integrator="{integrator}" cone="elliptic" '
        'tolerance="1e-10" iterations="50"/><worldbody>'
        '<geom name="floor" type="plane" size="1 1 1" contype="0" conaffinity="0"/>'
        '<body pos="0 0 0.135"><joint name="lift" type="slide" axis="0 0 1"/><inertial pos="0 0 0" mass="0.5" diaginertia="1e-3 1e-3 1e-3"/>'
        f'{finger("left", -0.045, -1)}{finger("right", 0.045, 1)}</body>'
        '<body name="ball" pos="0 0 0.02"><freejoint/><inertial pos="0 0 0" mass="0.05" diaginertia="8e-6 8e-6 8e-6"/>'
        '<geom name="ball" type="sphere" size="0.02" mass="0" contype="0" conaffinity="0"/></body></worldbody>'
        f"<contact>{pairs}</contact><actuator>{motors}</actuator></mujoco>"
    )


CASES = {"four_bar": (linkage, "coupler", start_linkage), "gripper": (gripper, "ball", lambda model, data: None)}


class Run:
    """One setting of a mechanism."""

    def __init__(self, robot, setting):
        between = robot["duration"] / robot["samples"]
        self.steps = round(between / setting["step"])
        self.samples, self.commands = robot["samples"], robot["commands"]
        document, point, self.begin = CASES[robot["name"]]
        self.model = mujoco.MjModel.from_xml_string(document(*setting["solver"].split("/"), between / self.steps))
        self.data = mujoco.MjData(self.model)
        self.body, self.dof = self.model.body(point).id, self.model.nv

    def simulate(self):
        """Return the point at the samples."""
        data, tips = self.data, np.empty((self.samples, 3))
        mujoco.mj_resetData(self.model, data)
        self.begin(self.model, data)
        for i in range(self.samples):
            if self.commands:
                data.ctrl[:] = self.commands[i]
            mujoco.mj_step(self.model, data, nstep=self.steps)
            mujoco.mj_kinematics(self.model, data)
            tips[i] = data.xpos[self.body]
        return tips
