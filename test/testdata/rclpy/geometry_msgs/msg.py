"""The part of geometry_msgs.msg that the examples use; orientations stay at zero."""
from dataclasses import dataclass, field


@dataclass
class Point:
    x: float = 0.0
    y: float = 0.0
    z: float = 0.0


@dataclass
class Pose:
    position: Point = field(default_factory=Point)


@dataclass
class PoseStamped:
    pose: Pose = field(default_factory=Pose)
