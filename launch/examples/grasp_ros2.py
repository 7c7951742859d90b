#!/usr/bin/env python3
"""Grasps the ball with the built-in robot gripper_with_ball, lifts it and puts it down."""
import rclpy
from geometry_msgs.msg import PoseStamped
from rclpy.node import Node
from sensor_msgs.msg import JointState

PERIOD = 0.02  # s, well below command_timeout_s
SPEED = 0.05  # m/s of the lift
REACH, TOP = -0.012, 0.06  # m, coordinates of the lift at the ball and above it
GRIP = 4.0  # N in each tendon
LIFTED = 0.06  # m, height of the centre of a ball that is carried; it rests at its radius, 0.02
SETTLE = 1.0  # s, for fingers to close and open


class Grasp(Node):
    def __init__(self):
        super().__init__('grasp')
        self.lift, self.height, self.highest = 0.0, None, 0.0  # m
        self.steps, self.is_done = self.plan(), False
        self.joints = self.create_publisher(JointState, '/tendonsim/servo_jp', 10)
        self.tendons = self.create_publisher(JointState, '/tendonsim/servo_jf', 10)
        self.create_subscription(PoseStamped, '/tendonsim/ball/measured_cp', self.see, 10)
        self.create_timer(PERIOD, self.command)

    def plan(self):
        """Yields the tension of each command, and moves the lift."""
        for target, tension in ((REACH, 0.0), (REACH, GRIP), (TOP, GRIP), (REACH, GRIP), (REACH, 0.0), (0.0, 0.0)):
            while abs(target - self.lift) > 1e-9:
                step = SPEED * PERIOD
                self.lift += max(-step, min(step, target - self.lift))
                yield tension
            for _ in range(round(SETTLE / PERIOD)):
                yield tension

    def see(self, ball):
        self.height = ball.pose.position.z
        self.highest = max(self.highest, self.height)

    def command(self):
        if self.height is None:
            return  # the robot is not there yet
        tension = next(self.steps, None)
        if tension is None:
            self.is_done = True
            return
        self.joints.publish(JointState(name=['lift'], position=[self.lift]))
        self.tendons.publish(JointState(name=['close_left', 'close_right'], effort=[tension, tension]))


rclpy.init()
grasp = Grasp()
while not grasp.is_done:
    rclpy.spin_once(grasp)
print(f'the ball was lifted to {grasp.highest:.3f} m and lies at {grasp.height:.3f} m', flush=True)
raise SystemExit(0 if grasp.highest > LIFTED else 'the ball slipped')
