package staggered

import (
	"math"

	"sinew/pkg/sim/rod"
	"sinew/pkg/sim/spatial"
)

// Kick changes velocities by all loads at the present positions for dt seconds,
// then by the dampers, then by the clamp. The loads from outside are left as
// they are; whoever works them out calls CatchUp first.
func (x *State) Kick(dt float64) {
	x.ApplyPendingDrift()
	if x.opt.Scheme == Original {
		x.kickOriginal(dt)
		return
	}
	x.kickCorrected(dt)
}

// evaluate works out strains and base reaction of the present state under the
// present loads, and changes neither.
func (x *State) evaluate() {
	x.beginRead()
	if x.opt.Scheme == Original {
		x.nodesOriginal(0, 1)
		x.elementsOriginal(0, 1, false)
		return
	}
	x.nodesCorrected(0, 1)
	x.elementsCorrected(0, 1, false)
}

// BaseReaction returns what the clamp exerts on the rod at the present state and
// under the present loads: force in world axes, moment about the base origin in
// base axes.
func (x *State) BaseReaction() spatial.Wrench {
	x.evaluate()
	return x.reaction
}

// Energy returns the kinetic energy (J) of rod and attached bodies, that of the
// clamped node excepted, and the elastic energy of the rod. Under the law
// rod.VolumePreserving the latter is not conserved exactly.
func (x *State) Energy() (kinetic, elastic float64) {
	x.evaluate()
	for k, v := range x.vel {
		kinetic += 0.5 * x.mass[k] * v.Norm2()
	}
	for e, w := range x.omega {
		i := x.rodInertia[e]
		if x.opt.Scheme == Original || x.Material.Law == rod.VolumePreserving {
			i = i.Scale(x.Lengths[e] / x.length[e])
		}
		kinetic += 0.5 * w.Dot(i.Add(x.attachedInertia[e]).Mul(w))
	}
	k := x.Stiffness
	for e, s := range x.sigma {
		elastic += 0.5 * x.Lengths[e] * s.Dot(k.Shear.Mul(s))
	}
	for i, c := range x.kappa {
		c = c.Sub(x.Precurvature)
		elastic += 0.5 * x.voronoiLength[i] * c.Dot(k.Bend.Mul(c))
	}
	if x.opt.Scheme == Corrected {
		c := x.baseCurvature.Sub(x.Precurvature)
		elastic += 0.25 * x.Lengths[0] * c.Dot(k.Bend.Mul(c))
	}
	return kinetic, elastic
}

// MaxStrain returns the largest component of strain in the rod; bending and
// twist count at the radius of the circle of the section's area.
func (x *State) MaxStrain() float64 {
	x.evaluate()
	var most float64
	take := func(s spatial.Vec, scale float64) {
		most = max(most, scale*math.Abs(s.X), scale*math.Abs(s.Y), scale*math.Abs(s.Z))
	}
	r := x.Section.Radius()
	for _, s := range x.sigma {
		take(s, 1)
	}
	for _, c := range x.kappa {
		take(c.Sub(x.Precurvature), r)
	}
	if x.opt.Scheme == Corrected {
		take(x.baseCurvature.Sub(x.Precurvature), r)
	}
	return most
}

// KineticEnergy returns the first value of Energy, but for the change of rotary
// inertia with stretch.
func (x *State) KineticEnergy() float64 {
	var sum float64
	for k, v := range x.vel {
		sum += x.mass[k] * v.Norm2()
	}
	for e, w := range x.omega {
		sum += w.Dot(x.inertia[e].Mul(w))
	}
	return 0.5 * sum
}

// Stop sets all velocities to zero.
func (x *State) Stop() {
	x.ApplyPendingDrift()
	clear(x.vel)
	clear(x.omega)
}

// Unbalanced returns the largest force on a node, or couple on an element over the
// element length, N, that nothing holds at rest in the present shape and under the
// present loads. It forgets what Mark kept.
func (x *State) ResidualForce() float64 {
	x.SaveCheckpoint()
	x.Stop()
	x.Kick(probeTime)
	var most float64
	for k, v := range x.vel {
		most = max(most, x.mass[k]*v.Norm())
	}
	for e, w := range x.omega {
		most = max(most, x.inertia[e].Mul(w).Norm()/x.Lengths[e])
	}
	x.RestoreCheckpoint()
	return most / probeTime
}

// instant is a time (s) in which what starts at rest gains a velocity without
// consequences: after a kick so short, velocity/instant is the acceleration.
const probeTime = 1e-20
