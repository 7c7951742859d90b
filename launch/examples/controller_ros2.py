#!/usr/bin/env python3
"""Drives the tip of tendonsim's built-in robot to a target with the tensions of its tendons."""
import rclpy
from geometry_msgs.msg import PoseStamped
from rclpy.node import Node
from sensor_msgs.msg import JointState

TARGET = {'y': 0.05, 'z': 0.08}  # m, in the world
GAIN = 0.25  # N/m per pose: integral control, slow beside the robot's own motion


class Controller(Node):
    def __init__(self):
        super().__init__('controller')
        self.pull = {'y': 0.0, 'z': 0.0}  # N, towards +y and +z
        self.output = self.create_publisher(JointState, '/tendonsim/servo_jf', 10)
        self.create_subscription(PoseStamped, '/tendonsim/measured_cp', self.control, 10)

    def control(self, tip):
        for axis, target in TARGET.items():
            self.pull[axis] += GAIN * (target - getattr(tip.pose.position, axis))
        y, z = self.pull['y'], self.pull['z']
        pulls = {'long_left': y, 'short_right': -y, 'long_up': z, 'short_down': -z}  # tendons cannot push
        self.output.publish(JointState(name=list(pulls), effort=[max(0.0, f) for f in pulls.values()]))


rclpy.init()
rclpy.spin(Controller())
