"""What the tests share. ROBOTS is the folder of robot files."""

import os
import unittest
from pathlib import Path

import sinew

ROBOTS = Path(os.environ.get("ROBOTS", Path(__file__).parents[2] / "launch" / "robots"))
ROD, SWIMMER = ROBOTS / "nitinol.yaml", ROBOTS / "swimmer.yaml"


class Case(unittest.TestCase):
    def make(self, robot=ROD, n=3, **options):
        env = sinew.make_vec(robot, n, **options)
        self.addCleanup(env.close)
        return env
