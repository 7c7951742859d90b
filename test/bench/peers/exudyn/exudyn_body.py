"""Time per step and error of Exudyn on a free body and on the heavy top, as JSON.

Usage: exudyn_body.py free|top METHOD STEPS DURATION REPEATS

METHOD is a name of exudyn.DynamicSolverType: RK44 (explicit, rotation vector on a Lie
group), GeneralizedAlpha or TrapezoidalIndex2. The top turns about its reference point, the
centre of a body with the inertia about it, and its weight is a force at the real centre of
mass, as in Exudyn's own example of explicit Lie-group integration: explicit steps that
eliminate the constraints of the reference point are wrong where translation and rotation
are coupled. Time is that of Exudyn's own loop with nothing written, over STEPS steps.
"""

import json
import sys
import time

import exudyn as exu
import numpy as np
from exudyn.utilities import (
    CoordinateConstraint, Force, MarkerBodyRigid, MarkerNodeCoordinate, NodePointGround, NodeRigidBodyRotVecLG,
    ObjectRigidBody,
)

CASES = {
    # inertia about the reference point, mass, centre of mass, angular velocity (body axes)
    "free": ([1.0, 2.0, 3.0, 0, 0, 0], 1.0, [0, 0, 0], [0.5, 2.0, 0.3]),
    "top": ([15.234375, 0.46875, 15.234375, 0, 0, 0], 15.0, [0, 1, 0], [0, 150, -4.61538]),
}


def build(case):
    inertia, mass, com, omega = CASES[case]
    system = exu.SystemContainer()
    mbs = system.AddSystem()
    # the reference configuration is the identity, so that velocities are those in body axes
    node = mbs.AddNode(NodeRigidBodyRotVecLG(referenceCoordinates=[0] * 6, initialVelocities=[0, 0, 0] + omega))
    body = mbs.AddObject(ObjectRigidBody(nodeNumber=node, physicsMass=mass, physicsInertia=inertia))
    marker = mbs.AddMarker(MarkerBodyRigid(bodyNumber=body, localPosition=com))
    mbs.AddLoad(Force(markerNumber=marker, loadVector=[0, 0, -9.81 * mass]))
    if case == "top":
        ground = mbs.AddMarker(MarkerNodeCoordinate(nodeNumber=mbs.AddNode(NodePointGround()), coordinate=0))
        for i in range(3):
            moving = mbs.AddMarker(MarkerNodeCoordinate(nodeNumber=node, coordinate=i))
            mbs.AddObject(CoordinateConstraint(markerNumbers=[ground, moving]))
    mbs.Assemble()
    return system, mbs, body


def run(case, method, steps, duration):
    system, mbs, body = build(case)
    s = exu.SimulationSettings()
    s.timeIntegration.numberOfSteps = steps
    s.timeIntegration.endTime = duration
    s.timeIntegration.verboseMode = 0
    s.timeIntegration.automaticStepSize = False
    s.timeIntegration.adaptiveStep = False
    s.timeIntegration.explicitIntegration.computeEndOfStepAccelerations = False
    s.solutionSettings.writeSolutionToFile = False
    s.solutionSettings.writeInitialValues = False
    if method != "RK44":
        s.timeIntegration.newton.relativeTolerance = 1e-8
        s.timeIntegration.newton.absoluteTolerance = 1e-10
    begun = time.perf_counter()
    mbs.SolveDynamic(s, solverType=getattr(exu.DynamicSolverType, method))
    elapsed = time.perf_counter() - begun
    turn = mbs.GetObjectOutputBody(body, exu.OutputVariableType.RotationMatrix, [0, 0, 0], exu.ConfigurationType.Current)
    return elapsed, np.array(turn).reshape(3, 3).tolist()


case, method, steps, duration, repeats = sys.argv[1], sys.argv[2], int(sys.argv[3]), float(sys.argv[4]), int(sys.argv[5])
exu.SetWriteToConsole(False)
times = []
for _ in range(repeats):
    elapsed, rotation = run(case, method, steps, duration)
    times.append(elapsed / steps * 1e6)
times.sort()
exu.SetWriteToConsole(True)
if not np.isfinite(rotation).all():
    rotation = None  # the step is too long
print(json.dumps({"us": times[0], "us_median": times[len(times) // 2], "rotation": rotation}))
