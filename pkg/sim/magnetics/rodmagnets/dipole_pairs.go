package rodmagnets

import (
	"math"

	"sinew/pkg/sim/magnetics"
	"sinew/pkg/sim/rod/strain"
	"sinew/pkg/sim/spatial"
)

// RodDipole is a dipole on a node, or at the midpoint of an element, that interacts with the other
// magnets of the rod.
type RodDipole struct {
	Magnet int         // index of its magnet
	Name   string      // name of its magnet
	Node   int         // index of the node; 0 is the base
	Middle bool        // it is at the midpoint of the element that begins with the node
	Moment spatial.Vec // body axes, A m²
	Radius float64     // radius of a ball of its least possible volume, m
}

// pose returns the pose of the dipole at zero slope, world.
func (l *RodDipole) pose(placed *strain.LoadPlacement) *spatial.Pose {
	if l.Middle {
		return &placed.Midpoints[l.Node]
	}
	return &placed.Nodes[l.Node]
}

// dipole returns the dipole at zero slope, world.
func (l *RodDipole) dipole(placed *strain.LoadPlacement) magnetics.Dipole {
	at := l.pose(placed)
	return magnetics.Dipole{Position: at.P, Moment: at.R.Apply(l.Moment)}
}

// slopedDipole returns the dipole at the present slope of its element, world.
func (l *RodDipole) slopedDipole(placed *strain.LoadPlacement) magnetics.Dipole {
	if !l.Middle {
		return l.dipole(placed)
	}
	at := l.pose(placed)
	return magnetics.Dipole{Position: at.P, Moment: at.R.Apply(l.Moment.Add(placed.SlopeRotations[l.Node].Cross(l.Moment)))}
}

// nodeCount returns the number of nodes, from Node on, that determine the pose of the dipole.
func (l *RodDipole) nodeCount() int {
	if l.Middle {
		return 2
	}
	return 1
}

// identityJacobians is the derivative of the pose of a dipole on a node with respect to the node.
var identityJacobians = [2]spatial.Mat6{spatial.Blocks6(spatial.Identity3(), spatial.Mat3{}, spatial.Mat3{}, spatial.Identity3())}

// jacobians returns the derivatives of the pose of the dipole with respect to the body increments
// of its nodes.
func (l *RodDipole) jacobians(placed *strain.LoadPlacement) *[2]spatial.Mat6 {
	if l.Middle {
		return &placed.EndJacobians[l.Node]
	}
	return &identityJacobians
}

// pair is two dipoles of different magnets, that of the lower node first. Their forces are
// opposite, and the moments of their wrenches about any point sum to zero.
type pair struct{ a, b RodDipole }

// CoupleDipoles sets the interaction of the dipoles of different magnets. Two of them must not
// share a node.
func (m *Magnets) CoupleDipoles(dipoles []RodDipole) {
	m.pairs, m.sources = nil, nil
	for i := range dipoles {
		for j := range i {
			a, b := dipoles[i], dipoles[j]
			if a.Node > b.Node {
				a, b = b, a
			}
			if a.Magnet != b.Magnet {
				m.pairs = append(m.pairs, pair{a, b})
				m.addSource(a, b)
				m.addSource(b, a)
			}
		}
	}
}

// addSource adds other to the dipoles that act on l, if l is at a midpoint.
func (m *Magnets) addSource(l, other RodDipole) {
	if !l.Middle {
		return
	}
	if m.sources == nil {
		m.sources = make([][]RodDipole, len(m.midpoints))
	}
	m.sources[l.Node] = append(m.sources[l.Node], other)
}

// Couplings returns the pairs of nodes that the interaction couples, the lower one first, pair by
// pair.
func (m *Magnets) Couplings() (all [][2]int) {
	for i := range m.pairs {
		a, b := &m.pairs[i].a, &m.pairs[i].b
		for j := range a.nodeCount() {
			for k := range b.nodeCount() {
				all = append(all, [2]int{a.Node + j, b.Node + k})
			}
		}
	}
	return all
}

// assemblePairs adds the interaction to the wrenches on nodes and to the tangent. blocks are those
// that couple the nodes of Couplings, nil at the base; with blocks = nil they are omitted.
func (m *Magnets) assemblePairs(at *strain.LoadPlacement, q *strain.Equations, blocks []*spatial.Mat6) {
	for i := range m.pairs {
		p := &m.pairs[i]
		m.assemblePairLoad(q, &p.a, &p.b, at)
		m.assemblePairLoad(q, &p.b, &p.a, at)
		if blocks == nil {
			continue
		}
		n := p.a.nodeCount() * p.b.nodeCount()
		if n > 1 || blocks[0] != nil {
			m.assembleCoupling(p, at, blocks[:n])
		}
		blocks = blocks[n:]
	}
}

// assemblePairLoad adds the load of a dipole on the dipole l, if that is on a node other than the
// base. Elements have the loads at midpoints.
func (m *Magnets) assemblePairLoad(q *strain.Equations, l, other *RodDipole, at *strain.LoadPlacement) {
	if !l.Middle && l.Node > 0 {
		addLoad(q, l.Node, m.pairLoad(l, other, at))
	}
}

// assembleCoupling adds the coupling tangent of two dipoles. A midpoint depends on both ends of its
// element, also through its slope. The product of the slopes of two elements is included here,
// though not in the potential: it is of second order.
func (m *Magnets) assembleCoupling(p *pair, at *strain.LoadPlacement, blocks []*spatial.Mat6) {
	a, b := p.a.pose(at), p.b.pose(at)
	ma, mb := p.a.slopedDipole(at), p.b.slopedDipole(at)
	k := magnetics.NewPairStiffness(a.P.Sub(b.P), ma.Moment.Scale(m.Scale), mb.Moment)
	linLin, linRot := a.R.TMul(k.Place.Mul(b.R)).Scale(-1), a.R.TMul(k.TurnJ.Mul(b.R))
	rotLin, rotRot := a.R.TMul(k.TurnI.TMul(b.R)).Scale(-1), a.R.TMul(k.Cross.Mul(b.R))
	if !p.a.Middle && !p.b.Middle {
		to := blocks[0]
		to.LinLin().Add(linLin)
		to.LinRot().Add(linRot)
		to.RotLin().Add(rotLin)
		to.RotRot().Add(rotRot)
		return
	}
	transposed := spatial.Blocks6(linLin.T(), rotLin.T(), linRot.T(), rotRot.T())
	first, last := p.a.jacobians(at), p.b.jacobians(at)
	for i, to := range blocks {
		if to == nil {
			continue
		}
		var less spatial.Mat6 // maps increments of the second node to minus the load on the first dipole
		less.SubTMul(&transposed, &last[i%p.b.nodeCount()])
		to.SubTMul(&first[i/p.b.nodeCount()], &less)
	}
}

// load is a wrench on a node with its tangent.
type load struct {
	wrench  spatial.Wrench
	tangent magnetics.Tangent
}

// pairLoad returns the load of another dipole on l, which is on a node.
func (m *Magnets) pairLoad(l, other *RodDipole, placed *strain.LoadPlacement) load {
	at, d := l.pose(placed), other.slopedDipole(placed)
	moment := l.Moment.Scale(m.Scale)
	b, g := d.At(at.P)
	w, t := magnetics.Attached(&at.R, moment, b, g, d.SlopeAlong(at.P, at.R.Apply(moment)))
	return load{w, t}
}

// addLoad adds a load to the equations of its node.
func addLoad(q *strain.Equations, node int, l load) {
	sum, d := &q.Wrench[node], q.Diag[node]
	sum.Force, sum.Moment = sum.Force.Add(l.wrench.Force), sum.Moment.Add(l.wrench.Moment)
	d.LinLin().AddLower(l.tangent.LinLin)
	d.RotLin().Add(l.tangent.RotLin)
	d.RotRot().AddLower(l.tangent.RotRot)
}

// pairPotential returns the potential of the interaction at zero slopes, J.
func (m *Magnets) pairPotential(at *strain.LoadPlacement) (sum float64) {
	for i := range m.pairs {
		p := &m.pairs[i]
		a, d := p.a.pose(at), p.b.dipole(at)
		field, _ := d.At(a.P)
		sum -= m.Scale * a.R.Apply(p.a.Moment).Dot(field)
	}
	return sum
}

// DipoleDistance is the distance of two dipoles of different magnets.
type DipoleDistance struct {
	A, B     RodDipole
	Distance float64 // between their centres, m
	Contact  float64 // distance at which they would touch: the sum of their radii, m
}

// MinDistance returns the pair with the smallest ratio of Distance to Contact. It ignores positions
// that are not numbers. Without pairs, Contact is 0.
func (m *Magnets) MinDistance(at *strain.LoadPlacement) (nearest DipoleDistance) {
	worst := math.Inf(1)
	for i := range m.pairs {
		p := &m.pairs[i]
		d, least := p.a.pose(at).P.Sub(p.b.pose(at).P).Norm(), p.a.Radius+p.b.Radius
		if d < worst*least {
			worst, nearest = d/least, DipoleDistance{p.a, p.b, d, least}
		}
	}
	return nearest
}
