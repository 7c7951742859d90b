"""Finds stiffness and damping of a rod from a motion of its tip by CMA-ES: pip install sinew[cmaes].

The motion is that of a robot with other numbers than the file, so that it is known what must come out. With a motion that was
measured, put its rows in the place of measured. Usage: identify_cmaes.py ROBOT.yaml [GENERATIONS]
"""

import sys
import time

import cma
import numpy as np

import sinew

NAMES = ["youngs_modulus_pa", "kelvin_voigt_s"]
TRUE, FIRST = np.array([52e9, 0.03]), np.array([60e9, 0.02])
POPULATION, STEPS = 16, 150


def motion(env, candidates):
    """Positions of the tip under one pull after the other, for each candidate: array of (steps, candidates, 3)."""
    env.reset(options={"parameters": dict(zip(NAMES, np.transpose(candidates)))})
    rows = []
    for k in range(STEPS):
        pull = np.zeros(env.action_space.shape)
        pull[:, k // 50 % 2] = 3.0
        rows.append(env.split(env.step(pull)[0])["measured_cp"][:, :3])
    return np.array(rows)


with sinew.make_vec(sys.argv[1], POPULATION, hz=100) as env:
    rng = np.random.default_rng(1)
    measured = motion(env, np.tile(TRUE, (POPULATION, 1)))[:, 0] + 1e-4 * rng.standard_normal((STEPS, 3))  # 0.1 mm of noise
    begin = time.perf_counter()
    # in logarithms: both numbers are positive, and of scales that differ
    search = cma.CMAEvolutionStrategy(np.zeros(2), 0.2, {"popsize": POPULATION, "seed": 1, "maxiter": int((sys.argv + [25])[2]), "verbose": -9})
    while not search.stop():
        points = search.ask()
        error = motion(env, FIRST * np.exp(points)) - measured[:, None]
        search.tell(points, np.sqrt(np.mean(np.sum(error**2, axis=2), axis=0)).tolist())
    found = FIRST * np.exp(search.result.xfavorite)
    print(f"{search.countevals} motions in {time.perf_counter() - begin:.1f} s, rms {1e3 * search.result.fbest:.3f} mm")
    for name, x, true in zip(NAMES, found, TRUE):
        print(f"{name}: {x:.4g}, true {true:g} ({100 * (x / true - 1):+.2f} %)")
