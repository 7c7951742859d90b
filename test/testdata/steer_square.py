#!/usr/bin/python3
"""Steers a helical swimmer around a square with a rotating field.

The swimmer goes along the axis of rotation, so the controller points that axis
along the side of the square, corrected for the distance from it. Prints the
largest distance from the square after the first side, in metres, and ends.

Usage: steer_square.py SIDE_M
"""
import math
import sys

import rospy
from geometry_msgs.msg import PoseStamped
from sinew_msgs.msg import RotatingField

AMPLITUDE = 0.005  # T
FREQUENCY = 10.0  # Hz, below the step-out of the swimmer
REACHED = 0.05  # of the side: how near a corner counts
GAIN = 6.0  # rad of the axis per distance from the side, in sides
SIDES = [(1, 0), (0, 1), (-1, 0), (0, -1)]  # directions, in the x-y plane


class Steering:
    """Follows the sides of a square that begins at the first pose."""

    def __init__(self, side):
        self.side = side
        self.corner = None  # where the present side begins
        self.number = 0  # of the side
        self.worst = 0.0
        self.field = rospy.Publisher("/microrobot/rotating_field", RotatingField, queue_size=1)
        rospy.Subscriber("/microrobot/measured_cp", PoseStamped, self.steer, queue_size=1)

    def steer(self, pose):
        if self.number == len(SIDES):
            return
        p = pose.pose.position
        if self.corner is None:
            self.corner = (p.x, p.y, p.z)
        x, y, z = (a - b for a, b in zip((p.x, p.y, p.z), self.corner))
        ax, ay = SIDES[self.number]
        along = x * ax + y * ay
        off = (x - along * ax, y - along * ay, z)
        if self.number > 0:
            self.worst = max(self.worst, math.sqrt(sum(o * o for o in off)))
        if along > (1 - REACHED) * self.side:
            self.corner = (self.corner[0] + self.side * ax, self.corner[1] + self.side * ay, self.corner[2])
            self.number += 1
            if self.number == len(SIDES):
                print("largest distance", self.worst, flush=True)
                rospy.signal_shutdown("done")
            return
        k = GAIN / self.side
        message = RotatingField()
        message.header.frame_id = "world"
        message.axis.x, message.axis.y, message.axis.z = ax - k * off[0], ay - k * off[1], -k * off[2]
        message.amplitude, message.frequency = AMPLITUDE, FREQUENCY
        self.field.publish(message)


if __name__ == "__main__":
    rospy.init_node("steer_square")
    steering = Steering(float(sys.argv[1]))
    rospy.spin()
