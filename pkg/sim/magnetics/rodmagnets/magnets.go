// Package rodmagnets is the magnets on a rod: what the field around a rod does to dipoles that
// are fixed to its nodes and to the middles of its elements, as wrenches, tangent and potential
// of the equations of the nodes.
//
// Everything has a potential at a fixed time, −(R m)·B(p) of each dipole. A field that
// changes does work on the rod between steps.
package rodmagnets

import (
	"math"

	"sinew/pkg/sim/magnetics"
	"sinew/pkg/sim/reference"
	"sinew/pkg/sim/rod/strain"
	"sinew/pkg/sim/spatial"
)

// Magnets are the dipoles on the nodes of a rod, and in the middles of its elements, in a field.
type Magnets struct {
	// Field is the field of the time for which everything holds.
	Field reference.Instant
	// Share multiplies what the field does: 1 but while a search for equilibrium loads the
	// rod step by step.
	Scale float64

	nodes     []nodeDipole
	midpoints []spatial.Vec // moments by element, body axes, A m²; nil: there are none
	pairs     []pair        // that act on one another
	sources   [][]RodDipole // by element, what acts on its middle; nil: nothing does on any
}

// node is one with a dipole.
type nodeDipole struct {
	index  int
	moment spatial.Vec // body axes, A m²
}

// New returns the magnets with the moments (A m², body axes) of the nodes, base to tip, and of
// the middles of elements, nil where these have none, in a field.
func New(moments, middles []spatial.Vec, field reference.Instant) *Magnets {
	m := &Magnets{Field: field, Scale: 1, midpoints: middles}
	for i, x := range moments {
		if x != (spatial.Vec{}) {
			m.nodes = append(m.nodes, nodeDipole{i, x})
		}
	}
	return m
}

// Add adds wrenches and the symmetric part of the tangent, of nodes at those poses, but for what
// elements have of the loads in their middles. blocks are those of the tangent that couple the
// nodes of Couplings, nil at the base; nil leaves them out. It does not allocate.
func (m *Magnets) Assemble(at *strain.LoadPlacement, q *strain.Equations, blocks []*spatial.Mat6) {
	m.assemblePairs(at, q, blocks)
	for k := range m.nodes {
		n := &m.nodes[k]
		if n.index == 0 {
			continue // the base does not move
		}
		w, t := m.nodeLoad(n, &at.Nodes[n.index])
		addLoad(q, n.index, load{w, t})
	}
}

// on returns what the field does to the dipole on a node at a pose.
func (m *Magnets) nodeLoad(n *nodeDipole, at *spatial.Pose) (spatial.Wrench, magnetics.Tangent) {
	moment := n.moment.Scale(m.Scale)
	b, g := m.Field.Here(at.P)
	var s magnetics.Gradient
	if m.Field.HasSources {
		s = m.Field.SlopeAlong(at.P, at.R.Apply(moment))
	}
	return magnetics.Attached(&at.R, moment, b, g, s)
}

// Potential is that of the dipoles on nodes, J, and of what acts on one another where no slope
// has turned the middles of elements. That of one on the base is a number that does not change.
func (m *Magnets) Potential(at *strain.LoadPlacement) (sum float64) {
	sum = m.pairPotential(at)
	for k := range m.nodes {
		n := &m.nodes[k]
		here := &at.Nodes[n.index]
		b, _ := m.Field.Here(here.P)
		sum -= m.Scale * here.R.Apply(n.moment).Dot(b)
	}
	return sum
}

// OnBase is the wrench on node 0, in body axes, without its part of what is in the middle of the
// first element.
func (m *Magnets) BaseWrench(at *strain.LoadPlacement) (w spatial.Wrench) {
	if len(m.nodes) > 0 && m.nodes[0].index == 0 {
		w, _ = m.nodeLoad(&m.nodes[0], &at.Nodes[0])
	}
	for i := range m.pairs {
		if p := &m.pairs[i]; p.a.Node == 0 && !p.a.Middle {
			l := m.pairLoad(&p.a, &p.b, at)
			w.Force, w.Moment = w.Force.Add(l.wrench.Force), w.Moment.Add(l.wrench.Moment)
		}
	}
	return w
}

// Strongest returns the node with a dipole, or that before the middle of an element with one, at
// which the field is strongest, and how strong, T. Of a field that is not a number it is infinite.
func (m *Magnets) MaxField(at *strain.LoadPlacement) (index int, most float64) {
	most = -1
	look := func(i int, p spatial.Vec) {
		b, _ := m.Field.Here(p)
		size := b.Norm()
		if math.IsNaN(size) {
			size = math.Inf(1)
		}
		if size > most {
			index, most = i, size
		}
	}
	for k := range m.nodes {
		look(m.nodes[k].index, at.Nodes[m.nodes[k].index].P)
	}
	for e := range m.midpoints {
		if m.midpoints[e] != (spatial.Vec{}) {
			look(e, at.Midpoints[e].P)
		}
	}
	return index, most
}
