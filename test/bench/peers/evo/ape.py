"""Prints the absolute pose errors that evo finds between two TUM files, the second
aligned to the first by nothing and by SE(3). Given metrics.json of a comparison
as well, checks its errors against evo's instead."""
import copy
import json
import sys

import evo
from evo.core import metrics, sync
from evo.tools import file_interface


def statistics(reference, estimate, relation):
    ape = metrics.APE(relation)
    ape.process_data((reference, estimate))
    return {k: float(v) for k, v in ape.get_all_statistics().items()}


def errors(reference, estimate):
    return {
        "translation_m": statistics(reference, estimate, metrics.PoseRelation.translation_part),
        "rotation_rad": statistics(reference, estimate, metrics.PoseRelation.rotation_angle_rad),
    }


reference = file_interface.read_tum_trajectory_file(sys.argv[1])
estimate = file_interface.read_tum_trajectory_file(sys.argv[2])
reference, estimate = sync.associate_trajectories(reference, estimate, max_diff=1e-6)
if len(sys.argv) > 3:
    with open(sys.argv[3]) as f:
        ours = json.load(f)["latency_removed"]
    theirs = errors(reference, estimate)
    for kind, part, unit in (("position", "translation_m", "m"), ("rotation", "rotation_rad", "rad")):
        for name in ("rmse", "mean", "median", "std", "max"):
            a, b = ours[kind][f"{name}_{unit}"], theirs[part][name]
            print(f"{kind:8} {name:6} {a:.12f} {b:.12f} {unit}, difference {abs(a - b):.1e}")
            assert abs(a - b) < 1e-6
    sys.exit()
aligned = copy.deepcopy(estimate)
aligned.align(reference, correct_scale=False)
json.dump({
    "source": f"evo {evo.__version__}, test/bench/peers/evo/make.sh",
    "none": errors(reference, estimate),
    "se3": errors(reference, aligned),
}, sys.stdout, indent=2)
print()
