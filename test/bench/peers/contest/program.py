"""Runs settings of a program for test/bench/peers/accuracy.

Usage: program.py MODULE. A line of standard input is a robot and a setting to prepare, or
the number of one to run again; the answer is a line of JSON: degrees of freedom and tips, or
the seconds of processor time that the run took.
"""

import importlib
import json
import sys
import time

import numpy as np


def main():
    module = importlib.import_module(sys.argv[1])
    runs = []
    for line in sys.stdin:
        request = json.loads(line)
        if "again" in request:
            begin = time.process_time()
            runs[request["again"]].simulate()
            answer = {"seconds": time.process_time() - begin}
        else:
            run = module.Run(request["robot"], request["setting"])
            runs.append(run)
            tips = np.asarray(run.simulate())
            answer = {"dof": run.dof, "tips": [[float(x) if np.isfinite(x) else 1e9 for x in tip] for tip in tips]}
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
