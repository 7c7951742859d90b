package staggered

import (
	"fmt"
	"slices"

	"sinew/pkg/sim/rod"
	"sinew/pkg/sim/spatial"
)

// New returns the rod r, stress-free and at rest. It panics if a body is attached to the base, to a
// node that does not exist, or in scheme Original.
func New(r *rod.Rod, opt Options) *State {
	n := r.Elements
	x := &State{
		Rod: r, opt: opt,
		motion: newMotion(n), undrifted: newMotion(n),
		force: make([]spatial.Vec, n+1), couple: make([]spatial.Vec, n),
		length: make([]float64, n), sigma: make([]spatial.Vec, n), spin: make([]spatial.Vec, n),
		kappa: make([]spatial.Vec, n-1),
	}
	x.checkpoint.motion = newMotion(n)
	x.setConstants()
	x.Reset()
	return x
}

func (x *State) setConstants() {
	n := x.Elements
	x.base = directorsOf(x.Base.R)
	x.mass = x.NodeMasses()
	x.invMass = make([]float64, n+1)
	x.inertia = make([]spatial.Vec, n)
	x.attachedInertia, x.rodInertia = make([]spatial.Vec, n), make([]spatial.Vec, n)
	x.invLength, x.voronoiLength = make([]float64, n), make([]float64, n-1)
	rodMass := slices.Clone(x.mass)
	for _, a := range x.opt.Attached {
		if a.Node < 1 || a.Node > n || x.opt.Scheme == Original {
			panic(fmt.Sprintf("staggered: body attached at node %d of %d in scheme %d", a.Node, n, x.opt.Scheme))
		}
		x.mass[a.Node] += a.Mass
		left, right := x.adjacentIndices(a.Node)
		share := x.leftShare(a.Node)
		x.attachedInertia[left] = x.attachedInertia[left].AddScaled(share, a.Inertia)
		x.attachedInertia[right] = x.attachedInertia[right].AddScaled(1-share, a.Inertia)
	}
	for e, l := range x.Lengths {
		x.rodInertia[e] = x.LineInertia.Scale(l)
		x.inertia[e] = x.rodInertia[e].Add(x.attachedInertia[e])
		x.invLength[e] = 1 / l
		if e > 0 {
			x.voronoiLength[e-1] = 0.5 * (x.Lengths[e-1] + l)
		}
	}
	x.tributary = x.TributaryLengths()
	x.endExtrapolation = newEndExtrapolation(x.Rod)
	x.setCarriers()
	for k, m := range x.mass {
		x.invMass[k] = 1 / m
	}
	x.damper = newDamper(x.Rod, x.opt.Damping)
	for k, m := range x.mass {
		if share := 1 - rodMass[k]/m; share > 0 && x.damper.drag > 0 {
			x.undragged = append(x.undragged, undraggedMass{node: k, share: share})
		}
	}
}

// leftShare returns the share of the element before node k ≥ 1 in the cross-section at the node, by
// linear interpolation between the middles of the elements.
func (x *State) leftShare(k int) float64 {
	left, right := x.adjacentIndices(k)
	return x.Lengths[right] / (x.Lengths[left] + x.Lengths[right])
}

// adjacentIndices returns the elements on both sides of node k ≥ 1; at the last node both are the
// last element.
func (x *State) adjacentIndices(k int) (left, right int) {
	return k - 1, min(k, x.Elements-1)
}

// Reset makes the rod stress-free and at rest.
func (x *State) Reset() {
	n := x.Elements
	x.isReading, x.pending = false, pendingDrift{}
	clear(x.vel)
	clear(x.omega)
	r := x.Base.R
	if x.opt.Scheme == Corrected {
		r = r.Mul(expRotation(x.Precurvature.Scale(x.Lengths[0] / 2)))
	}
	straight := x.Precurvature == spatial.Vec{}
	x.pos[0] = x.Base.P
	for e := range n {
		x.dir[e] = directorsOf(r)
		if straight { // avoids the round-off of a sum
			x.pos[e+1] = x.Base.P.AddScaled(x.ArcLengths[e+1], x.dir[e].D3)
			continue
		}
		x.pos[e+1] = x.pos[e].AddScaled(x.Lengths[e], x.dir[e].D3)
		if e < n-1 {
			r = r.Mul(expRotation(x.Precurvature.Scale(x.voronoiLength[e])))
		}
	}
	x.ClearLoads()
	x.evaluate()
}
