"""Stands in for rclpy, which Debian does not have: nodes speak DDS through the
program of test/peer/dds/ros_peer.c, named by ROS_PEER, one line per message."""
import os
import subprocess


def init():
    pass


def spin(node):
    """Calls the node's callbacks until the peer ends."""
    for line in node.peer.stdout:
        take(node, line)


def spin_once(node):
    """Waits for one line of the peer."""
    line = node.peer.stdout.readline()
    assert line, 'the peer has ended'
    take(node, line)


def take(node, line):
    kind, *words = line.split()
    if kind == 'pose':
        node.receive(words)


class Peer:
    def __init__(self):
        command = [os.environ['ROS_PEER'], os.environ.get('ROS_DOMAIN_ID', '0')]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.stdout = self.process.stdout

    def tell(self, line):
        self.process.stdin.write(line + '\n')
        self.process.stdin.flush()
