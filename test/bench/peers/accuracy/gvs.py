"""SoRoMoX's geometric variable strain, as program.py runs it.

Curvature and twist are Legendre polynomials of an order over each of a number of equal
segments; there is no shear and no stretch. Tendons run in continuous channels at the holes of
the disks: SoRoMoX has none with straight tendons between disks. A setting is a number of
segments, an order, an integrator and its tolerance. Integrators are those of SciPy for stiff
equations, with Jacobians by JAX: far quicker than those of Diffrax.
"""

import functools
import json

import jax

jax.config.update("jax_enable_x64", True)

import jax.numpy as jnp  # noqa: E402
import numpy as np  # noqa: E402
from scipy.integrate import solve_ivp  # noqa: E402
from soromox.actuation import ThreadlikeActuator, ThreadlikeRouting  # noqa: E402
from soromox.systems.components import JointSpec, LinkSpec  # noqa: E402
from soromox.systems.gvs import GVS, GVSSegment, StrainBasisSpec  # noqa: E402

HOLES = [(0, 0, 1), (0, -1, 0), (0, 0, -1), (0, 1, 0)]  # of the rod, which is along x


def rod(robot, segments, order):
    """Return the robot with damping in proportion to its stiffness, as Kelvin and Voigt have it."""
    common = dict(
        length=robot["length"] / segments,
        radius=robot["radius"],
        density=robot["density"],
        reference_strain=[0.0, 0.0, 0.0, 1.0, 0.0, 0.0],
    )
    basis = StrainBasisSpec("legendre", ("kappa_x", "kappa_y", "kappa_z"), order)

    def bundle(link):
        return [GVSSegment(link, JointSpec.fixed(), basis, max(5, order + 3))] * segments

    elastic = LinkSpec.circular(**common, young_modulus=robot["young"], shear_modulus=robot["young"] / 2)
    options = dict(gravity=jnp.array([0.0, 0.0, -robot["gravity"]]), scale_rotational_basis_by_length=True)
    stiffness = GVS.params_from_segments(bundle(elastic), **options)[0].link.stiffness[0]
    damped = LinkSpec.circular(**common, stiffness=stiffness, damping=robot["damping"] * stiffness)
    channels = ThreadlikeRouting.linear(
        intercept=robot["hole"] * jnp.array(HOLES, dtype=float), start_segment_index=0, end_segment_index=segments - 1
    )
    return GVS.from_segments(
        bundle(damped),
        base_pose=jnp.array([0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0]),
        actuators=ThreadlikeActuator.tendons(channels),
        **options,
    )


@functools.cache
def compiled(text, segments, order):
    """Return degrees of freedom, rate of the state, its Jacobian, and the tip of states."""
    robot = json.loads(text)
    model, tension = rod(robot, segments, order), jnp.array(robot["tensions"], dtype=float)

    def rate(t, y):
        return model.forward_dynamics(t, y, (tension,))

    def tip(q):
        return model.forward_kinematics(q, robot["length"])[:3, 3]

    return int(model.num_velocities), jax.jit(rate), jax.jit(jax.jacfwd(rate, argnums=1)), jax.jit(jax.vmap(tip))


class Run:
    """One setting of a robot."""

    def __init__(self, robot, setting):
        self.dof, self.rate, self.slope, self.tips = compiled(
            json.dumps(robot), setting["elements"], setting["order"]
        )
        self.solver, self.tolerance = setting["solver"], setting["tolerance"]
        self.end = robot["duration"]
        self.times = self.end * np.arange(1, robot["samples"] + 1) / robot["samples"]

    def simulate(self):
        """Return the tip at the samples."""
        solution = solve_ivp(
            lambda t, y: np.asarray(self.rate(t, y)),
            (0, self.end),
            np.zeros(2 * self.dof),
            method=self.solver,
            t_eval=self.times,
            rtol=self.tolerance,
            atol=self.tolerance,
            jac=lambda t, y: np.asarray(self.slope(t, y)),
        )
        if not solution.success:
            return np.full((len(self.times), 3), np.nan)
        return np.asarray(self.tips(solution.y.T[:, : self.dof]))
