"""The part of sensor_msgs.msg that the examples use."""
from dataclasses import dataclass, field


@dataclass
class JointState:
    name: list = field(default_factory=list)
    position: list = field(default_factory=list)
    velocity: list = field(default_factory=list)
    effort: list = field(default_factory=list)
