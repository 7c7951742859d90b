"""The part of rclpy.node that the examples use."""
from geometry_msgs.msg import PoseStamped
from sensor_msgs.msg import JointState

from . import Peer

RELIABLE_VOLATILE = 'rv'  # the profile that a plain depth stands for


class Publisher:
    def __init__(self, peer, topic):
        self.peer, self.topic = peer, topic

    def get_subscription_count(self):
        return 1  # the peer's writers begin with their first message

    def publish(self, message):
        if isinstance(message, PoseStamped):
            p, q = message.pose.position, message.pose.orientation
            values = [p.x, p.y, p.z, q.x, q.y, q.z, q.w]
            assert all(isinstance(v, float) for v in values), 'rclpy takes no other numbers'
            self.peer.tell(' '.join(['place', 'rt' + self.topic, RELIABLE_VOLATILE, message.header.frame_id, *map(repr, values)]))
            return
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
        assert kind in (JointState, PoseStamped) and isinstance(depth, int)
        return Publisher(self.peer, topic)

    def create_subscription(self, kind, topic, callback, depth):
        assert kind is PoseStamped and isinstance(depth, int)
        self.callback = callback
        self.peer.keep_last(depth)
        self.peer.tell(f'pose rt{topic} {RELIABLE_VOLATILE}')

    def receive(self, words):
        message = PoseStamped()
        position = message.pose.position
        position.x, position.y, position.z = map(float, words[2:5])
        self.callback(message)
