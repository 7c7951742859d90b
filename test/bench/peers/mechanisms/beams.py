"""Exudyn's models of the flexible pendulum and of the spin-up, as program.py runs them.

Its plane x, y is x, z of the robot file. The solver of a setting is a kind of element and the spectral radius of generalized-alpha:
ANCF2D and ANCF3D are cables of cubic elements, which have no shear, GE2D is the geometrically exact beam of two nodes. Newton's
method is the modified one, with a dense solver for small robots. The torque that ends is two solutions, one after the other.
"""

import math

import exudyn as exu
import numpy as np
from exudyn.utilities import (
    CoordinateConstraint, GenericJoint, Gravity, MarkerBodyMass, MarkerBodyRigid, MarkerNodeCoordinate, MarkerNodeRigid,
    NodePoint2DSlope1, NodePointGround, NodePointSlope1, NodeRigidBody2D, ObjectANCFCable, ObjectANCFCable2D,
    ObjectBeamGeometricallyExact2D, ObjectRigidBody2D, SensorNode, Torque,
)

SHEAR = 27 / 28
# length, radius, density, Young's and shear modulus, where the rod starts, gravity
ROBOTS = {
    "flexible_pendulum": (0.4, 0.006, 1100.0, 5e6, 1.8e6, 0.0, 9.80665),
    "spin_up": (0.3, 0.004, 1100.0, 20e6, 7e6, 0.02, 0.0),
}
TORQUE, UNTIL = 0.01, 0.4  # N m, s
HUB = 0.1, 2e-4  # kg, kg m²


class Run:
    """One setting of a robot."""

    def __init__(self, robot, setting):
        self.name, self.samples, self.duration = robot["name"], robot["samples"], robot["duration"]
        self.steps = round(self.duration / self.samples / setting["step"]) * self.samples
        self.kind, self.radius = setting["solver"].split("/")
        exu.SetWriteToConsole(False)
        self.container = exu.SystemContainer()
        self.mbs = self.container.AddSystem()
        self.build(setting["elements"])
        self.mbs.Assemble()
        self.begin = self.mbs.systemData.GetSystemState(configuration=exu.ConfigurationType.Initial)
        self.dof = len(self.mbs.systemData.GetODE2Coordinates())

    def build(self, elements):
        """Make the rod, what holds it and what drives it."""
        length, radius, density, young, shear, start, gravity = ROBOTS[self.name]
        area, second = math.pi * radius**2, math.pi * radius**4 / 4
        mbs, piece = self.mbs, length / elements
        nodes = [mbs.AddNode(self.node(start + k * piece)) for k in range(elements + 1)]
        for pair in zip(nodes, nodes[1:]):
            common = {
                "nodeNumbers": list(pair), "length": piece, "massPerLength": density * area,
                "bendingStiffness": young * second, "axialStiffness": young * area,
            }
            if self.kind == "GE2D":
                element = ObjectBeamGeometricallyExact2D(
                    **common, crossSectionInertia=density * second, shearStiffness=SHEAR * shear * area
                )
            else:
                element = (ObjectANCFCable2D if self.kind == "ANCF2D" else ObjectANCFCable)(**common)
            body = mbs.AddObject(element)
            if gravity:
                mbs.AddLoad(Gravity(markerNumber=mbs.AddMarker(MarkerBodyMass(bodyNumber=body)), loadVector=[0, -gravity, 0]))
            if pair[0] == nodes[0]:
                self.first = body
        self.tip = mbs.AddSensor(SensorNode(
            nodeNumber=nodes[-1], storeInternal=True, writeToFile=False, outputVariableType=exu.OutputVariableType.Position
        ))
        if self.name == "spin_up":
            self.clamp(nodes[0], start)
        else:
            self.hold(nodes[0])

    def node(self, x):
        """Return a node at x, straight along x."""
        if self.kind == "GE2D":
            return NodeRigidBody2D(referenceCoordinates=[x, 0, 0])
        if self.kind == "ANCF2D":
            return NodePoint2DSlope1(referenceCoordinates=[x, 0, 1, 0])
        return NodePointSlope1(referenceCoordinates=[x, 0, 0, 1, 0, 0])

    def hold(self, node):
        """Hold the place of a node."""
        mbs = self.mbs
        ground = mbs.AddMarker(MarkerNodeCoordinate(nodeNumber=mbs.AddNode(NodePointGround()), coordinate=0))
        for k in range(3 if self.kind == "ANCF3D" else 2):
            moving = mbs.AddMarker(MarkerNodeCoordinate(nodeNumber=node, coordinate=k))
            mbs.AddObject(CoordinateConstraint(markerNumbers=[ground, moving]))

    def clamp(self, node, at):
        """Clamp the rod to the hub, which a torque turns."""
        mbs, (mass, inertia) = self.mbs, HUB
        hub = mbs.AddNode(NodeRigidBody2D(referenceCoordinates=[0, 0, 0]))
        body = mbs.AddObject(ObjectRigidBody2D(nodeNumber=hub, physicsMass=mass, physicsInertia=inertia))
        self.hold(hub)
        on_hub = mbs.AddMarker(MarkerBodyRigid(bodyNumber=body, localPosition=[at, 0, 0]))
        if self.kind == "GE2D":
            on_rod = mbs.AddMarker(MarkerNodeRigid(nodeNumber=node))
        else:
            on_rod = mbs.AddMarker(MarkerBodyRigid(bodyNumber=self.first, localPosition=[0, 0, 0]))
        mbs.AddObject(GenericJoint(markerNumbers=[on_hub, on_rod], constrainedAxes=[1, 1, 0, 0, 0, 1]))
        centre = mbs.AddMarker(MarkerBodyRigid(bodyNumber=body, localPosition=[0, 0, 0]))
        self.torque = mbs.AddLoad(Torque(markerNumber=centre, loadVector=[0, 0, TORQUE]))

    def settings(self, begin, end):
        """Return the settings of a solution from time to time."""
        s = exu.SimulationSettings()
        t = s.timeIntegration
        t.startTime, t.endTime = begin, end
        t.numberOfSteps = round(self.steps * (end - begin) / self.duration)
        t.verboseMode = 0
        t.automaticStepSize = t.adaptiveStep = False
        t.generalizedAlpha.spectralRadius = float(self.radius)
        t.newton.useModifiedNewton = True
        s.solutionSettings.writeSolutionToFile = False
        s.solutionSettings.sensorsWritePeriod = self.duration / self.samples
        s.solutionSettings.writeInitialValues = False
        if len(self.begin[0]) > 40:
            s.linearSolverType = exu.LinearSolverType.EigenSparse
        return s

    def simulate(self):
        """Return the tip at the samples."""
        data, initial = self.mbs.systemData, exu.ConfigurationType.Initial
        data.SetSystemState(self.begin, configuration=initial)
        times = [0, self.duration] if self.name != "spin_up" else [0, UNTIL, self.duration]
        tips = []
        try:
            for phase, (begin, end) in enumerate(zip(times, times[1:])):
                if self.name == "spin_up":
                    self.mbs.SetLoadParameter(self.torque, "loadVector", [0, 0, TORQUE if phase == 0 else 0])
                self.mbs.SolveDynamic(self.settings(begin, end), solverType=exu.DynamicSolverType.GeneralizedAlpha)
                tips.append(self.mbs.GetSensorStoredData(self.tip))
                data.SetSystemState(data.GetSystemState(configuration=exu.ConfigurationType.Current), configuration=initial)
        except Exception:  # the step is too long
            return np.full((self.samples, 3), np.nan)
        rows = np.concatenate(tips)
        want = (np.arange(self.samples) + 1) * self.duration / self.samples
        at = [np.abs(rows[:, 0] - t).argmin() for t in want]
        return np.array([[rows[k, 1], 0, rows[k, 2]] for k in at])
