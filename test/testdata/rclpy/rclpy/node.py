"""The part of rclpy.node that the examples use."""
from geometry_msgs.msg import PoseStamped
from sensor_msgs.msg import JointState

from . import Peer

RELIABLE_VOLATILE = 'rv'  # the profile that a plain depth stands for


class Publisher:
    def __init__(self, peer, topic):
        self.peer, self.topic = peer, topic

    def publish(self, message):
        assert isinstance(message, JointState)
        assert len(message.name) == len(message.effort)
        assert all(isinstance(v, float) for v in message.effort), 'rclpy takes no other numbers'
        values = [f'{n}={v!r}' for n, v in zip(message.name, message.effort)]
        self.peer.tell(' '.join(['effort', 'rt' + self.topic, RELIABLE_VOLATILE, *values]))


class Node:
    def __init__(self, name):
        assert name.isidentifier()
        self.peer = Peer()

    def create_publisher(self, kind, topic, depth):
        assert kind is JointState and isinstance(depth, int)
        return Publisher(self.peer, topic)

    def create_subscription(self, kind, topic, callback, depth):
        assert kind is PoseStamped and isinstance(depth, int)
        self.callback = callback
        self.peer.tell(f'pose rt{topic} {RELIABLE_VOLATILE}')

    def receive(self, words):
        message = PoseStamped()
        position = message.pose.position
        position.x, position.y, position.z = map(float, words[2:5])
        self.callback(message)
