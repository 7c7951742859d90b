"""Derivatives of a robot: the Jacobian of its shape, and its next step linearised."""

from __future__ import annotations

import dataclasses
import json

import numpy as np

from ._task import Array


@dataclasses.dataclass(frozen=True)
class Jacobian:
    """How outputs follow slow changes of inputs from the present shape; at rest that of `static --jacobian`.

    values[i, k] is the change of output i by one unit of input k. Outputs are the pose of the tip (m, rad) and the tensions
    (N); inputs are tensions (N) or pulls (m), the pose of the base, force and moment on the tip and, with magnets on the rod, a
    uniform field (T) and the poses of the magnets around it. All are in world axes, with rotations as rotation vectors.
    """

    outputs: list[str]
    output_units: list[str]
    inputs: list[str]
    input_units: list[str]
    values: Array
    inexact: float
    """Relative error of the values; 0: below 1e-13. Columns of base and magnets are exact to about 1e-7."""

    def of(self, outputs: list[str], inputs: list[str]) -> Array:
        """The values of these outputs by these inputs, in their order: J.of(["tip.x", "tip.y"], ["tension.front"])."""
        return self.values[np.ix_(_places(outputs, self.outputs), _places(inputs, self.inputs))]


@dataclasses.dataclass(frozen=True)
class LinearisedStep:
    """A step of step_s seconds about the present state: x' = a x + b u and y = c x' of small changes x of the state at its
    beginning, x' at its end, u of the inputs, held throughout, and y of the outputs at its end.

    States are poses and velocities of the nodes, now and one step before. Inputs are those of Jacobian, and outputs the pose of
    the tip in world axes (m, rad).
    """

    step_s: float
    states: list[str]
    state_units: list[str]
    inputs: list[str]
    input_units: list[str]
    outputs: list[str]
    output_units: list[str]
    a: Array
    b: Array
    c: Array
    inexact: float
    """As of Jacobian."""

    def of(self, outputs: list[str], inputs: list[str]) -> tuple[Array, Array, Array]:
        """a, b and c for these inputs and outputs alone, in their order."""
        return self.a, self.b[:, _places(inputs, self.inputs)], self.c[_places(outputs, self.outputs)]


def jacobian(text: str) -> Jacobian:
    """What the program answers to jacobian."""
    given = json.loads(text)
    return Jacobian(**{**given, "values": np.array(given["values"])})


def linearised_step(text: str) -> LinearisedStep:
    """What the program answers to linearise."""
    given = json.loads(text)
    return LinearisedStep(**{**given, **{name: np.array(given[name]) for name in "abc"}})


def _places(names: list[str], known: list[str]) -> list[int]:
    unknown = [name for name in names if name not in known]
    if unknown:
        raise ValueError(f"{', '.join(map(repr, unknown))}: no such name; there are {', '.join(known)}")
    return [known.index(name) for name in names]
