"""Steps of environments a second, for 1, 64 and 256 robots. Usage: rate.py ROBOT.yaml [HZ [SECONDS]]"""

import sys
import time

import numpy as np

import sinew

robot, hz, seconds = sys.argv[1], float((sys.argv + [100])[2]), float((sys.argv + [0, 2])[3 if len(sys.argv) > 3 else -1])
for n in (1, 64, 256):
    with sinew.make_vec(robot, n, hz=hz) as env:
        env.reset(seed=1)
        action = np.zeros((n, env.single_action_space.shape[0]))
        high = np.where(np.isfinite(env.action_space.high), env.action_space.high, 1e-3)
        begin, steps = time.perf_counter(), 0
        while time.perf_counter() - begin < seconds:
            phase = 0.05 * steps + np.arange(n)[:, None] + np.arange(action.shape[1]) * np.pi / 2
            env.step(high * np.maximum(0, 0.3 * np.sin(phase)))
            steps += 1
        rate = n * steps / (time.perf_counter() - begin)
        print(f"{n} robots: {rate:.0f} steps of {1e3 / hz:g} ms a second, {rate / hz:.3g} times real time")
