"""Stands in for rclpy, which Debian does not have: nodes speak DDS through the
program of test/peer/dds/ros_peer.c, named by ROS_PEER, one line per message."""
import collections
import os
import subprocess
import threading


def init():
    pass


def spin(node):
    """Calls the node's callbacks until the peer ends."""
    for line in iter(node.peer.read, ''):
        take(node, line)


def spin_once(node):
    """Waits for one line of the peer."""
    line = node.peer.read()
    assert line, 'the peer has ended'
    take(node, line)


def take(node, line):
    kind, *words = line.split()
    if kind == 'pose':
        node.receive(words)


class Peer:
    """A peer whose lines wait in a queue of limited length, which loses its oldest as a
    subscription of limited depth does."""

    def __init__(self):
        command = [os.environ['ROS_PEER'], os.environ.get('ROS_DOMAIN_ID', '0')]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.lines, self.ended, self.changed = collections.deque(), False, threading.Condition()
        threading.Thread(target=self.receive, daemon=True).start()

    def keep_last(self, depth):
        with self.changed:
            self.lines = collections.deque(self.lines, maxlen=depth)

    def receive(self):
        for line in self.process.stdout:
            with self.changed:
                self.lines.append(line)
                self.changed.notify()
        with self.changed:
            self.ended = True
            self.changed.notify()

    def read(self):
        """The next line; it is empty after the last one."""
        with self.changed:
            self.changed.wait_for(lambda: self.lines or self.ended)
            return self.lines.popleft() if self.lines else ''

    def tell(self, line):
        self.process.stdin.write(line + '\n')
        self.process.stdin.flush()
