package staggered

import (
	"math"

	"sinew/pkg/sim/rod"
	"sinew/pkg/sim/spatial"
)

// Kick advances the velocities by all loads at the present positions for dt seconds, then applies
// the dampers and the clamp. It keeps the external loads. Call ApplyPendingDrift before these are
// computed.
func (x *State) Kick(dt float64) {
	x.ApplyPendingDrift()
	if x.opt.Scheme == Original {
		x.kickOriginal(dt)
		return
	}
	x.kickCorrected(dt)
}

// evaluate computes strains and base reaction of the present state under the present loads, without
// a change of either.
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

// BaseReaction returns the wrench of the clamp on the rod at the present state and loads: force in
// world axes, moment about the base origin in base axes.
func (x *State) BaseReaction() spatial.Wrench {
	x.evaluate()
	return x.reaction
}

// Energy returns the kinetic energy of rod and attached bodies without the clamped node, and the
// elastic energy of the rod, J. With the law rod.VolumePreserving, the latter is not exactly
// conserved.
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

// MaxStrain returns the largest component of strain in the rod. Bending and twist count at the
// radius of the circle with the section's area.
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

// KineticEnergy returns the kinetic energy, J, as Energy does, without the change of rotary inertia
// with stretch.
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

// Stop sets all velocities to 0.
func (x *State) Stop() {
	x.ApplyPendingDrift()
	clear(x.vel)
	clear(x.omega)
}

// ResidualForce returns the largest unbalanced force on a node, or couple on an element over the
// element length, N, at rest in the present shape under the present loads. It overwrites the
// checkpoint.
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

// probeTime is the length (s) of a kick from rest after which velocity/probeTime is the
// acceleration: the velocities are too small for velocity-dependent loads.
const probeTime = 1e-20
