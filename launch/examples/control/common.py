"""What the controllers of this folder share: robots, their linear model, a Kalman filter, and where they run.

    python lqr.py nitinol                 # a step and a circle, simulated in this process
    python lqr.py nitinol --ros           # a circle on ROS 2, around a running tendonsim

A controller is made of a Robot and has command(t, y, reference, force): y is the measured position (m) of the tip, or None,
reference(t) the wanted one, and force the external one on the tip (N, world axes). It returns the command u. Positions are
those in the robot's plane against its rest, and u is what is added to its actuators at rest.
"""

import argparse
import collections
import sys
import time
from pathlib import Path

import numpy as np
import scipy.linalg
import sinew

HERE = Path(__file__).parent
HZ, DELAY = 100, 2  # periods a second; periods from a measurement to its arrival
NOISE = 2e-4  # m, of the tracker, as in sensors.yaml

ROBOTS = {  # port, what the actuators have at rest, by how much each follows u, axes of the plane, a step (m), a push (N)
    # a tendon and the one opposite share a pull; both stay taut
    "nitinol": ("servo_jf", [1, 1, 1, 1], [[0.5, 0], [0, 0.5], [-0.5, 0], [0, -0.5]], "xy", 0.02, 0.02),
    "catheter": ("field", [0, 0, 0.01], [[0, 0], [1, 0], [0, 1]], "yz", 0.008, 0.001),
}


class Robot:
    """A robot of ROBOTS about its rest, as the controllers know it: x' = a x + b u + f force, y = c x from period to period."""

    def __init__(self, name):
        self.name, (self.port, rest, mix, axes, self.size, self.push) = name, ROBOTS[name]
        self.rest, self.mix = np.array(rest, float), np.array(mix, float)
        self.plane = ["xyz".index(a) for a in axes]
        with sinew.make_vec([name, HERE / "model.yaml"], 1, hz=HZ, actions=self.port, observations="measured_cp") as env:
            self.low, self.high = env.single_action_space.low, env.single_action_space.high
            self.rate = np.array([np.inf if m is None else m for m in env.ports["actions"][0]["max_rate"]])  # of the actuators, per second
            seen, _ = env.reset(seed=0)
            for _ in range(5 * HZ):
                seen, *_ = env.step([self.rest])
            self.centre, self.pose = seen[0, self.plane], seen[0, :3]
            step, jacobian = env.linearise(), env.jacobian()
        inputs = [i for i in step.inputs if i.startswith(("tension.", "field."))]
        self.outputs, self.inputs = [f"tip.{a}" for a in axes], inputs
        self.jacobian = self.now = self.of(jacobian)  # at rest, and of the present shape, of controllers that use it
        forces = [f"tip_force.{a}" for a in "xyz"]
        a, b, c = step.of(self.outputs, inputs + forces)
        b = np.hstack([b[:, : len(inputs)] @ self.mix, b[:, len(inputs) :]])
        a, b = held(a, b, round(1 / HZ / step.step_s))
        self.states = len(a)
        self.a, b, self.c = balanced(a, b, c)
        self.b, self.f = b[:, :2], b[:, 2:]

    def of(self, jacobian):
        """How y follows u, m by unit of u, of a Jacobian of the whole robot."""
        return jacobian.of(self.outputs, self.inputs) @ self.mix

    def limited(self, u):
        """u within the limits of the actuators."""
        wanted = self.rest + self.mix @ u
        return np.linalg.lstsq(self.mix, np.clip(wanted, self.low, self.high) - self.rest, rcond=None)[0]

    def moving(self, y, velocity, force):
        """State and command of a tip that is at y, moves on at velocity (m/s) and has a constant force on it."""
        n = len(self.a)
        balance = np.block([[self.a - np.eye(n), self.b], [self.c, np.zeros((2, 2))]])
        change = np.linalg.solve(balance, np.concatenate([np.zeros(n), velocity / HZ]))  # in a period
        both = np.linalg.solve(balance, np.concatenate([change[:n] - self.f @ force, y]))
        return both[:n], both[n:]


def held(a, b, steps):
    """Several equal steps under one input as one."""
    whole = np.eye(len(a))
    total = np.zeros_like(b)
    for _ in range(steps):
        total, whole = a @ total + b, a @ whole
    return whole, total


def balanced(a, b, c, least=1e-3):
    """Balanced truncation: the states that inputs reach and outputs show, by the Hankel singular values above least of the
    largest."""
    reach, show = gramian_factor(a, b), gramian_factor(a.T, c.T)
    u, s, v = scipy.linalg.svd(show.T @ reach)
    n = np.sum(s > least * s[0])
    to, back = (u[:, :n] / np.sqrt(s[:n])).T @ show.T, reach @ (v[:n].T / np.sqrt(s[:n]))
    return to @ a @ back, to @ b, c @ back


def gramian_factor(a, b):
    """l of the Gramian l l' = b b' + a b b' a' + a a b b' a' a' + …, by doubling (Smith's method)."""
    p = b @ b.T
    while np.linalg.norm(a) > 1e-8:
        p, a = p + a @ p @ a.T, a @ a
        a[np.abs(a) < 1e-100] = 0  # numbers below the normal ones are slow
    w, v = np.linalg.eigh(p)
    kept = w > 1e-13 * w[-1]
    return v[:, kept] * np.sqrt(w[kept])


class KalmanFilter:
    """The steady-state Kalman filter of a Robot whose commands have an unknown, slow error, which takes up what the model does
    not know: controllers that add it to their command have no steady error. It estimates what was measured DELAY periods ago
    and predicts from there."""

    def __init__(self, robot, command_noise=0.01, drift=0.003):
        """The noise of commands, and the drift of their error in a period, are relative to a command of the robot's size."""
        r, n = robot, len(robot.a)
        self.robot = r
        self.a = np.block([[r.a, r.b], [np.zeros((2, n)), np.eye(2)]])
        self.b, self.f = np.vstack([r.b, np.zeros((2, 2))]), np.vstack([r.f, np.zeros((2, 3))])
        self.c = np.hstack([r.c, np.zeros((2, 2))])
        unit = r.size / np.linalg.norm(r.jacobian, 2)
        noise = (command_noise * unit) ** 2 * self.b @ self.b.T
        noise[n:, n:] += (drift * unit) ** 2 * np.eye(2)
        p = scipy.linalg.solve_discrete_are(self.a.T, self.c.T, noise, NOISE**2 * np.eye(2))
        self.gain = p @ self.c.T @ np.linalg.inv(self.c @ p @ self.c.T + NOISE**2 * np.eye(2))
        self.z = np.zeros(n + 2)
        self.past = collections.deque([(np.zeros(2), np.zeros(3))] * DELAY)  # commands and forces since then

    def update(self, y):
        """State and error of the command now, with a measurement y that has arrived, or None."""
        if y is not None:
            self.z = self.z + self.gain @ (y - self.c @ self.z)
        z = self.z
        for u, force in self.past:
            z = self.a @ z + self.b @ u + self.f @ force
        return z[:-2], z[-2:]

    def commanded(self, u, force):
        """Tells what acts in the period that begins."""
        self.past.append((u, force))
        u, force = self.past.popleft()
        self.z = self.a @ self.z + self.b @ u + self.f @ force


def velocity(reference, t):
    return (reference(t + 1 / HZ) - reference(t)) * HZ


def step(robot):
    """A step of the robot's size along the first axis of its plane, at t = 0."""
    return lambda t: np.array([robot.size * (t >= 0), 0])


def circle(robot, period=4.0):
    """A circle of the robot's size about its rest, reached from there within a period."""
    def reference(t):
        angle = 2 * np.pi * t / period
        return robot.size * min(t / period, 1) * np.array([np.cos(angle), np.sin(angle)])
    return reference


class Simulation:
    """A robot with its sensors in this process, and what its tip really does."""

    def __init__(self, name, seed=1):
        self.robot = Robot(name)
        self.env = sinew.Env([name, HERE / "sensors.yaml"], hz=HZ, actions=[self.robot.port, "external_wrench"],
                             observations=["measured_cp", "sensors/tracker"])
        self.seed = seed

    def run(self, controller, reference, seconds, force=lambda t: np.zeros(3)):
        """True positions of the tip at the end of each period: array of (periods, 2)."""
        r, env = self.robot, self.env
        controller = controller(r)
        env.reset(seed=self.seed)
        count, tips = None, []
        for k in range(-2 * HZ, round(seconds * HZ)):  # begins at rest
            t, push, u = k / HZ, np.zeros(3), np.zeros(2)
            if k >= 0:
                y = seen["sensors/tracker"][2:5][r.plane] - r.centre if seen["sensors/tracker"][0] != count else None
                count, push = seen["sensors/tracker"][0], force(t)
                if controller.uses_jacobian:
                    r.now = r.of(env.jacobian())
                u = r.limited(controller.command(t, y, reference, push))
            seen, _, failed, _, info = env.step(np.concatenate([r.rest + r.mix @ u, push, np.zeros(4)]))
            if failed:
                raise SystemExit(info["error"])
            seen = env.split(seen)
            tips.append(seen["measured_cp"][r.plane] - r.centre)
        return np.array(tips[2 * HZ :])


def step_response(tips, robot):
    """Settling time to 2 % (s) and overshoot of a step, of the true tip."""
    off = np.linalg.norm(tips - step(robot)(0), axis=1) > 0.02 * robot.size
    return (np.flatnonzero(off)[-1] + 1) / HZ if off.any() else 0.0, max(0.0, tips[:, 0].max() / robot.size - 1)


def rms_error(tips, reference, after=4.0):
    """The rms distance of the true tip from a reference, m, once it is on its way."""
    times = np.arange(1, len(tips) + 1) / HZ
    off = [tip - reference(t) for t, tip in zip(times, tips) if t > after]
    return np.sqrt(np.mean(np.sum(np.square(off), axis=1)))


def measure(controller, simulation, seconds=3.0):
    """What a row of the table in README.md says: settling time (s), overshoot, rms error on a circle (m), and the way of the tip
    under the robot's push (m)."""
    r = simulation.robot
    settling, overshoot = step_response(simulation.run(controller, step(r), seconds), r)
    on_circle = rms_error(simulation.run(controller, circle(r), 12), circle(r))
    push = np.zeros(3)
    push[r.plane[0]] = r.push
    pushed = simulation.run(controller, lambda t: np.zeros(2), seconds, lambda t: push)
    return settling, overshoot, on_circle, pushed[-HZ:, 0].mean()


def on_ros(controller, name, arguments):
    """Drives the tip of a tendonsim that runs on ROS 2 with sensors.yaml around a circle.

    Parameters: robot, its name ("/tendonsim"), and wrench_topic, the WrenchStamped of the external force on the tip in world axes:
    below the robot's name, or anywhere with a leading slash. By default it is the one that is simulated.
    """
    import rclpy
    from geometry_msgs.msg import PoseStamped, WrenchStamped
    from rclpy.executors import ExternalShutdownException
    from rclpy.node import Node
    from sensor_msgs.msg import JointState, MagneticField
    from std_msgs.msg import Float64MultiArray

    class Runner(Node):
        def __init__(self):
            super().__init__("controller")
            self.robot = Robot(name)
            self.controller, self.reference = controller(self.robot), circle(self.robot)
            self.y, self.u, self.force, self.off = None, np.zeros(2), np.zeros(3), []
            self.k, self.start = -1, None  # the last period, and when the first one begins
            at = self.declare_parameter("robot", "/tendonsim").value
            wrench = self.declare_parameter("wrench_topic", "setpoint/external_wrench").value
            self.output = self.create_publisher(JointState if self.robot.port == "servo_jf" else MagneticField, f"{at}/{self.robot.port}", 1)
            self.create_subscription(PoseStamped, f"{at}/sensors/tracker", self.measured, 1)
            self.create_subscription(WrenchStamped, wrench if wrench.startswith("/") else f"{at}/{wrench}", self.pushed, 1)
            if controller.uses_jacobian:
                self.create_subscription(Float64MultiArray, f"{at}/jacobian", self.derived, 1)
            self.create_timer(1 / HZ, self.control)
            self.get_logger().info(f"model of {self.robot.states} states reduced to {len(self.robot.a)}; waits for {at}/sensors/tracker")

        def measured(self, m):
            p = m.pose.position
            self.y = np.array([p.x, p.y, p.z])[self.robot.plane] - self.robot.centre

        def pushed(self, m):
            self.force = np.array([m.wrench.force.x, m.wrench.force.y, m.wrench.force.z])

        def derived(self, m):
            outputs, inputs = ([label.split(" [")[0] for label in d.label.split(",")] for d in m.layout.dim)
            values = np.array(m.data[m.layout.data_offset :]).reshape(len(outputs), len(inputs))
            self.robot.now = self.robot.of(sinew.Jacobian(outputs, [], inputs, [], values, m.data[1]))

        def control(self):
            now = time.monotonic()
            if self.start is None and self.y is not None:
                self.start = now + 2  # the robot comes to rest before
            if self.start is not None and now >= self.start:
                this = round((now - self.start) * HZ)
                for self.k in range(self.k + 1, this + 1):  # also those that a busy computer has missed
                    self.u = self.period(self.k / HZ, self.y if self.k == this else None)
                self.y = None
            if rclpy.ok():
                self.send(self.robot.rest + self.robot.mix @ self.u)

        def period(self, t, y):
            if t > 4 and y is not None:
                self.off.append(y - self.reference(t - DELAY / HZ))
            if t > 4 and self.k % (4 * HZ) == 0 and self.off:
                rms = np.sqrt(np.mean(np.sum(np.square(self.off), axis=1)))
                self.get_logger().info(f"rms error that the tracker measures around the circle: {rms * 1e3:.2f} mm")
                self.off.clear()
            return self.robot.limited(self.controller.command(t, y, self.reference, self.force))

        def send(self, values):
            if self.robot.port == "servo_jf":
                self.output.publish(JointState(name=[i.split(".")[1] for i in self.robot.inputs], effort=list(values)))
                return
            m = MagneticField()
            m.header.frame_id = "world"
            m.magnetic_field.x, m.magnetic_field.y, m.magnetic_field.z = values
            self.output.publish(m)

    rclpy.init(args=arguments)
    try:
        rclpy.spin(Runner())
    except (KeyboardInterrupt, ExternalShutdownException):
        pass


def main(controller):
    """The command of a controller."""
    parser = argparse.ArgumentParser(description=sys.modules["__main__"].__doc__)
    parser.add_argument("robot", choices=ROBOTS)
    parser.add_argument("--ros", action="store_true", help="control a running tendonsim on ROS 2")
    options, rest = parser.parse_known_args()
    if options.ros:
        return on_ros(controller, options.robot, rest)
    if rest:
        parser.error(f"unknown: {' '.join(rest)}")
    simulation = Simulation(options.robot)
    r = simulation.robot
    settling, overshoot, off, way = measure(controller, simulation)
    print(f"{r.name}: {r.states} states reduced to {len(r.a)}")
    print(f"step of {r.size * 1e3:g} mm: settles to 2 % in {settling:.2f} s, overshoots by {overshoot:.1%}")
    print(f"circle of radius {r.size * 1e3:g} mm: rms error {off * 1e3:.2f} mm")
    print(f"push of {r.push * 1e3:g} mN: the tip moves by {way * 1e3:.2f} mm")
