"""Tendon-driven continuum robots and magnetic microrobots as environments for learning.

    env = sinew.Env("nitinol", task=sinew.Reach(0.06, axes="xy"), hz=20, max_steps=40)   # one robot
    env = gymnasium.make("sinew/nitinol-v0")                                            # the same, registered
    env = sinew.make_vec("robot.yaml", 64, reward=lambda obs, action: -obs["measured_cp"][:, 2])   # many

See Env, VectorEnv and Task; sinew.sb3 is for Stable-Baselines3.
"""

from ._derivatives import Jacobian, LinearisedStep
from ._env import Env
from ._picture import Camera
from ._process import Error, ProgramEnded, program
from ._registration import register_envs
from ._robots import robots
from ._task import Reach, Task
from ._vector import VectorEnv, make_vec

__all__ = ["Camera", "Env", "Error", "Jacobian", "LinearisedStep", "ProgramEnded", "Reach", "Task", "VectorEnv", "make_vec", "program", "register_envs", "robots"]
__version__ = "0.1.0"  # that of the programs: cmd/internal/cli/version.go

register_envs()
