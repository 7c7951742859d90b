package staggered

import (
	"fmt"
	"slices"

	"sinew/pkg/sim/rod"
	"sinew/pkg/sim/spatial"
)

// New makes the rod r stress-free and at rest. It panics if a body is attached to
// the base or to no node, or in scheme Original.
func New(r *rod.Rod, opt Options) *State {
	n := r.Elements
	x := &State{
		Rod: r, opt: opt,
		motion: newMotion(n), behind: newMotion(n),
		force: make([]spatial.Vec, n+1), couple: make([]spatial.Vec, n),
		length: make([]float64, n), sigma: make([]spatial.Vec, n), spin: make([]spatial.Vec, n),
		kappa: make([]spatial.Vec, n-1),
	}
	x.marked.motion = newMotion(n)
	x.setConstants()
	x.Reset()
	return x
}

func (x *State) setConstants() {
	n, l := x.Elements, x.ElementLength
	x.base = directorsOf(x.Base.R)
	x.mass = x.NodeMasses()
	x.invMass = make([]float64, n+1)
	x.inertia = make([]spatial.Vec, n)
	x.added = make([]spatial.Vec, n)
	rodMass := slices.Clone(x.mass)
	for _, a := range x.opt.Attached {
		if a.Node < 1 || a.Node > n || x.opt.Scheme == Original {
			panic(fmt.Sprintf("staggered: body attached at node %d of %d in scheme %d", a.Node, n, x.opt.Scheme))
		}
		x.mass[a.Node] += a.Mass
		left, right := x.around(a.Node)
		x.added[left] = x.added[left].AddScaled(0.5, a.Inertia)
		x.added[right] = x.added[right].AddScaled(0.5, a.Inertia)
	}
	for e := range n {
		x.inertia[e] = x.LineInertia.Scale(l).Add(x.added[e])
	}
	for k, m := range x.mass {
		x.invMass[k] = 1 / m
	}
	x.damper = newDamper(x.Rod, x.opt.Damping)
	for k, m := range x.mass {
		if share := 1 - rodMass[k]/m; share > 0 && x.damper.drag > 0 {
			x.dragless = append(x.dragless, dragless{node: k, share: share})
		}
	}
}

// around returns the elements on both sides of node k ≥ 1; at the last node both
// are the last element.
func (x *State) around(k int) (left, right int) {
	return k - 1, min(k, x.Elements-1)
}

// Reset makes the rod stress-free and at rest.
func (x *State) Reset() {
	n, l := x.Elements, x.ElementLength
	x.peeking, x.pending = false, pendingDrift{}
	clear(x.vel)
	clear(x.omega)
	r := x.Base.R
	if x.opt.Scheme == Corrected {
		r = r.Mul(rotation(x.Precurvature.Scale(l / 2)))
	}
	step := rotation(x.Precurvature.Scale(l))
	straight := x.Precurvature == spatial.Vec{}
	x.pos[0] = x.Base.P
	for e := range n {
		x.dir[e] = directorsOf(r)
		if straight { // without the round-off of a sum
			x.pos[e+1] = x.Base.P.AddScaled(x.Length*float64(e+1)/float64(n), x.dir[e].D3)
			continue
		}
		x.pos[e+1] = x.pos[e].AddScaled(l, x.dir[e].D3)
		r = r.Mul(step)
	}
	x.ClearLoads()
	x.evaluate()
}
