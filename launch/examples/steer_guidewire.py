#!/usr/bin/python3
"""Steers the guidewire of worlds/guidewire.yaml into a branch of its vessel.

It pushes the wire (base_pose) and turns a permanent magnet beside the patient (magnet_pose)
so that the field at the tip points along the centre line ahead, which a surgeon has from a
scan. The same on ROS 1 and ROS 2; ROS_VERSION, which a sourced ROS sets, chooses.

Usage: steer_guidewire.py left|right
"""
import math
import os
import sys

# centre lines from the inlet into the branches, m
TRUNK = [(0.0, 0.0, 0.0), (0.01, 0.0, 0.0004), (0.02, 0.0, 0.0019), (0.03, 0.0, 0.0041), (0.036, 0.0, 0.0052)]
BRANCHES = {
    'left': [(0.043, 0.0013, 0.0061), (0.052, 0.0065, 0.007), (0.061, 0.0117, 0.0078), (0.07, 0.013, 0.008), (0.076, 0.013, 0.008)],
    'right': [(0.043, -0.0013, 0.0057), (0.052, -0.0065, 0.005), (0.061, -0.0117, 0.0042), (0.07, -0.013, 0.004), (0.076, -0.013, 0.004)],
}
BASE, TURNED = (-0.1, 0.0, 0.0), (math.sqrt(0.5), 0.0, math.sqrt(0.5), 0.0)  # m; its axis d3 is the world's x
ARM = 0.11  # m: how far to the side the magnet is held, which comes from ahead; its moment is along the y axis of its pose
AHEAD = 0.007  # m: how far ahead of the tip the wire is to point
SPEED, RATE = 0.025, 200.0  # m/s; poses a second, publish_hz
ARRIVAL = 60  # poses: the arm is at its place by then
DEEPEST = 0.09  # m: all that may be pushed in
LUMEN = 0.004  # m: nothing within the branch is further from its centre line
ARRIVED = 'the tip is in the branch'


def minus(a, b):
    return tuple(x - y for x, y in zip(a, b))


def plus(a, b, times=1.0):
    return tuple(x + times * y for x, y in zip(a, b))


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


def unit(a):
    return plus((0, 0, 0), a, 1 / math.sqrt(dot(a, a)))


class Steering:
    """Says where base and magnet have to be, from where the tip is."""

    def __init__(self, branch):
        self.side = 1 if branch == 'left' else -1
        self.path = TRUNK + BRANCHES[branch]
        self.pushed, self.off, self.end, self.steps = 0.0, 0.0, None, 0

    def along(self, tip):
        """The point of the path nearest to the tip, and the one that lies ahead of it."""
        best = None
        for k in range(len(self.path) - 1):
            a, edge = self.path[k], minus(self.path[k + 1], self.path[k])
            t = min(max(dot(minus(tip, a), edge) / dot(edge, edge), 0), 1)
            off = minus(tip, plus(a, edge, t))
            if best is None or dot(off, off) < best[0]:
                best = (dot(off, off), k, t)
        _, k, t = best
        self.off, left = math.sqrt(best[0]), AHEAD
        while k < len(self.path) - 1:
            edge = minus(self.path[k + 1], self.path[k])
            length = math.sqrt(dot(edge, edge))
            if left <= (1 - t) * length:
                return plus(self.path[k], edge, t + left / length)
            left, k, t = left - (1 - t) * length, k + 1, 0
        return None  # the end is reached

    def step(self, tip):
        """Base and magnet as (position, quaternion), for one measured pose of the tip."""
        target = self.along(tip)
        self.steps += 1
        if target is None:
            self.end = ARRIVED if self.off < LUMEN else 'the tip is not in the branch'
        elif self.pushed >= DEEPEST:
            self.end = 'all is pushed in, and the tip has not arrived'
        elif self.steps > ARRIVAL:
            self.pushed += SPEED / RATE
        base = plus(BASE, (self.pushed, 0, 0))
        magnet = (0.05, self.side * ARM, 0.005)
        wanted = unit(minus(target or self.path[-1], tip))
        away = unit(minus(tip, magnet))
        # the moment whose dipole field points as wanted where the tip is
        moment = unit(minus(plus((0, 0, 0), away, 1.5 * dot(wanted, away)), wanted))
        return (base, TURNED), (magnet, from_y(moment))


def from_y(to):
    """The shortest rotation that takes the y axis to a unit vector, as a quaternion."""
    x, y, z = to
    if y < -0.999999:
        return 1.0, 0.0, 0.0, 0.0
    n = math.sqrt(2 * (1 + y))
    return z / n, 0.0, -x / n, n / 2


def fill(message, pose):
    message.header.frame_id = 'world'
    p, q = message.pose.position, message.pose.orientation
    (p.x, p.y, p.z), (q.x, q.y, q.z, q.w) = pose
    return message


class Controller:
    """Answers every pose of the tip until the wire has arrived or is all pushed in."""

    def __init__(self, steering, kind, publishers, heard, stop):
        self.steering, self.kind, self.publishers, self.heard, self.stop = steering, kind, publishers, heard, stop

    def take(self, message):
        if self.steering.end or not all(map(self.heard, self.publishers)):
            return
        p = message.pose.position
        for publisher, pose in zip(self.publishers, self.steering.step((p.x, p.y, p.z))):
            publisher.publish(fill(self.kind(), pose))
        if self.steering.end:
            print(f'{self.steering.end}: {p.x:.4f} {p.y:.4f} {p.z:.4f} m, {self.steering.pushed:.4f} m pushed in', flush=True)
            self.stop()


OUT, IN = ('/tendonsim/base_pose', '/tendonsim/magnet_pose'), '/tendonsim/measured_cp'


def with_ros1(steering):
    import rospy
    from geometry_msgs.msg import PoseStamped
    rospy.init_node('steer_guidewire')
    publishers = [rospy.Publisher(topic, PoseStamped, queue_size=1, tcp_nodelay=True) for topic in OUT]
    controller = Controller(steering, PoseStamped, publishers, rospy.Publisher.get_num_connections, lambda: rospy.signal_shutdown('done'))
    rospy.Subscriber(IN, PoseStamped, controller.take, queue_size=1, tcp_nodelay=True)
    rospy.spin()


def with_ros2(steering):
    import rclpy
    from geometry_msgs.msg import PoseStamped
    from rclpy.node import Node
    rclpy.init()
    node = Node('steer_guidewire')
    publishers = [node.create_publisher(PoseStamped, topic, 10) for topic in OUT]
    controller = Controller(steering, PoseStamped, publishers, lambda p: p.get_subscription_count(), lambda: None)
    node.create_subscription(PoseStamped, IN, controller.take, 1)  # the newest: an old pose steers the wire past the branch
    while not steering.end:
        rclpy.spin_once(node)


if __name__ == '__main__':
    if len(sys.argv) != 2 or sys.argv[1] not in ('left', 'right'):
        sys.exit(__doc__)
    steering = Steering(sys.argv[1])
    (with_ros2 if os.environ.get('ROS_VERSION') == '2' else with_ros1)(steering)
    sys.exit(0 if steering.end == ARRIVED else 1)
