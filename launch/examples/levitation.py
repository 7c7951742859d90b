#!/usr/bin/python3
"""Levitates the magnet of robots/levitation.yaml 30 mm above the world's origin.

Forces come from the gradient of the field, F = G m with the moment m upright; the field
itself turns the moment upright, and its small part across damps the swinging.

Usage: levitation.py [RECORDING.csv]    (generate_python.sh makes sinew_msgs)
"""
import sys
import threading

import rospy
from geometry_msgs.msg import PoseStamped, TwistStamped
from sinew_msgs.msg import FieldGradient

MASS, MOMENT, INERTIA = 0.035, 4.8, 1.5e-6  # kg, A m^2, kg m^2
TARGET, GRAVITY = (0.0, 0.0, 0.03), 9.80665  # m, the centre of the gradient; m/s^2
KP, KD = 15.0 ** 2, 2 * 0.8 * 15.0  # 1/s^2, 1/s: 15 rad/s, damping ratio 0.8
FIELD, SWING = 0.005, 126.0  # T; rad/s, sqrt(MOMENT * FIELD / INERTIA)
TURN = 2 * 0.1 * SWING * INERTIA / MOMENT  # T s: damping ratio 0.1 of the swinging
FAR, STEEP, STRONG = 0.01, 0.3, 0.02  # m, T/m, T: the most that is asked for


def limit(x, most):
    return max(-most, min(most, x))


class Levitation:
    def __init__(self, recording):
        self.lock, self.pose, self.twist, self.recording = threading.Lock(), None, None, recording
        self.output = rospy.Publisher("/microrobot/field_gradient", FieldGradient, queue_size=1, tcp_nodelay=True)
        rospy.Subscriber("/microrobot/sensors/camera", PoseStamped, self.take, "pose", queue_size=1, tcp_nodelay=True)
        rospy.Subscriber("/microrobot/measured_cv", TwistStamped, self.take, "twist", queue_size=1, tcp_nodelay=True)

    def take(self, message, name):
        with self.lock:
            setattr(self, name, message)
            if name == "pose" and self.twist:  # the pose is late, as that of a camera is
                self.control(self.pose.pose.position, self.twist.twist.linear, self.twist.twist.angular)

    def control(self, p, v, w):
        offset = [a - b for a, b in zip((p.x, p.y, p.z), TARGET)]
        pull = [-KP * limit(x, FAR) - KD * u for x, u in zip(offset, (v.x, v.y, v.z))]
        pull[2] += GRAVITY
        xz, yz, zz = (limit(MASS * a / MOMENT, STEEP) for a in pull)
        x, y, z = offset
        here = (xz * z - zz / 2 * x, yz * z - zz / 2 * y, xz * x + yz * y + zz * z)
        command = FieldGradient(gradient=[-zz / 2, 0, xz, -zz / 2, yz])
        command.header.frame_id = "world"
        # what the gradient adds where the magnet is, taken off; turning is opposed by -w x m
        field = (-here[0] - TURN * w.y, -here[1] + TURN * w.x, FIELD - here[2])
        command.field.x, command.field.y, command.field.z = (limit(b, STRONG) for b in field)
        self.output.publish(command)
        if self.recording:
            t = self.pose.header.stamp.to_sec()
            print(t, p.x, p.y, p.z, v.x, v.y, v.z, w.x, w.y, w.z, xz, yz, zz, sep=",", file=self.recording)


if __name__ == "__main__":
    rospy.init_node("levitation")
    file = open(sys.argv[1], "w") if len(sys.argv) > 1 else None
    if file:
        print("t,x,y,z,vx,vy,vz,wx,wy,wz,gxz,gyz,gzz", file=file)
    levitation = Levitation(file)
    while not levitation.pose and not rospy.is_shutdown():  # a simulation in lockstep waits for a command
        levitation.output.publish(FieldGradient())
        rospy.sleep(0.1)
    rospy.spin()
