// Package rodmagnets computes the loads of a magnetic field on the magnets of a rod: dipoles that
// are fixed to its nodes and to the midpoints of its elements. It adds wrenches and tangents to the
// equations of the nodes and returns the potential.
//
// At a fixed time every load has a potential, −(R m)·B(p) of each dipole with the moment m (A m²,
// body axes) at the pose (R, p) in the flux density B (T). A field that changes does work on the
// rod between steps. SI units.
//
// Reading order: magnets.go has Magnets and the dipoles on nodes, midpoint_loads.go the dipoles at
// midpoints, and dipole_pairs.go the interaction of the magnets.
package rodmagnets

import (
	"math"

	"sinew/pkg/sim/magnetics"
	"sinew/pkg/sim/reference"
	"sinew/pkg/sim/rod/strain"
	"sinew/pkg/sim/spatial"
)

// Magnets are the dipoles on the nodes of a rod, and at the midpoints of its elements, in a field.
type Magnets struct {
	// Field is the field at the present time.
	Field reference.Instant
	// Scale multiplies all magnetic loads. It is below 1 only in load stepping of a search for
	// equilibrium.
	Scale float64

	nodes     []nodeDipole
	midpoints []spatial.Vec // moments by element, body axes, A m²; nil: none
	pairs     []pair        // interacting dipoles
	sources   [][]RodDipole // by element: dipoles that act on its midpoint; nil: none on any
}

// nodeDipole is a dipole on a node.
type nodeDipole struct {
	index  int
	moment spatial.Vec // body axes, A m²
}

// New returns the magnets in a field, with the moments (A m², body axes) by node from base to tip,
// and by element at its midpoint, nil if there are none.
func New(moments, midpoints []spatial.Vec, field reference.Instant) *Magnets {
	m := &Magnets{Field: field, Scale: 1, midpoints: midpoints}
	for i, x := range moments {
		if x != (spatial.Vec{}) {
			m.nodes = append(m.nodes, nodeDipole{i, x})
		}
	}
	return m
}

// Assemble adds the wrenches of the dipoles on nodes, and the symmetric part of their tangent, to
// the equations. Elements have the loads at their midpoints. blocks are the tangent blocks that
// couple the nodes of Couplings, nil at the base; with blocks = nil these are omitted. It does not
// allocate.
func (m *Magnets) Assemble(at *strain.LoadPlacement, q *strain.Equations, blocks []*spatial.Mat6) {
	m.assemblePairs(at, q, blocks)
	for k := range m.nodes {
		n := &m.nodes[k]
		if n.index == 0 {
			continue // the base is prescribed
		}
		w, t := m.nodeLoad(n, &at.Nodes[n.index])
		addLoad(q, n.index, load{w, t})
	}
}

// nodeLoad returns wrench and tangent of the field on the dipole on a node at a pose.
func (m *Magnets) nodeLoad(n *nodeDipole, at *spatial.Pose) (spatial.Wrench, magnetics.Tangent) {
	moment := n.moment.Scale(m.Scale)
	b, g := m.Field.Here(at.P)
	var s magnetics.Gradient
	if m.Field.HasSources {
		s = m.Field.SlopeAlong(at.P, at.R.Apply(moment))
	}
	return magnetics.Attached(&at.R, moment, b, g, s)
}

// Potential returns the potential of the dipoles on nodes in the field and of the interaction of
// dipoles at zero slopes of the elements, J. It includes that of a dipole on the base.
func (m *Magnets) Potential(at *strain.LoadPlacement) (sum float64) {
	sum = m.pairPotential(at)
	for k := range m.nodes {
		n := &m.nodes[k]
		pose := &at.Nodes[n.index]
		b, _ := m.Field.Here(pose.P)
		sum -= m.Scale * pose.R.Apply(n.moment).Dot(b)
	}
	return sum
}

// BaseWrench returns the wrench on node 0, in body axes, without that of the first element's
// midpoint.
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

// MaxField returns the largest flux density at a dipole, T, and the index of its node, or of the
// element with the midpoint. A density that is not a number counts as infinite.
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
