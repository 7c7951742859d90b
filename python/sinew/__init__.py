"""Many tendon-driven continuum robots or magnetic microrobots as a vector environment.

    env = sinew.make_vec("robot.yaml", 64, reward=lambda obs, action: -obs["measured_cp"][:, 2])

See make_vec and VectorEnv.
"""

from ._process import Error, ProgramEnded, program
from ._vector import VectorEnv, make_vec

__all__ = ["Error", "ProgramEnded", "VectorEnv", "make_vec", "program"]
__version__ = "0.1.0"  # that of the programs: cmd/internal/cli/version.go
