"""Measures all controllers on both robots, with sensors, and writes the table of README.md: python table.py"""

import common
from impedance import Impedance
from lqr import Lqr
from mpc import Mpc
from resolved_rate import ResolvedRate

HEAD = "| robot | controller | settling time (2 %) | overshoot | rms error on the circle | way under the push |\n|---|---|---|---|---|---|\n"
README = common.HERE / "README.md"


def rows():
    for name in common.ROBOTS:
        simulation = common.Simulation(name)
        for title, controller in (("resolved rate", ResolvedRate), ("LQR", Lqr), ("MPC", Mpc), ("impedance", Impedance)):
            settling, overshoot, off, way = common.measure(controller, simulation)
            yield f"| {name} | {title} | {settling:.2f} s | {overshoot:.1%} | {off * 1e3:.2f} mm | {way * 1e3:.2f} mm |\n"


if __name__ == "__main__":
    table = "".join(rows())
    before, _, rest = README.read_text().partition(HEAD)
    README.write_text(before + HEAD + table + rest[("\n" + rest).index("\n\n") :])
