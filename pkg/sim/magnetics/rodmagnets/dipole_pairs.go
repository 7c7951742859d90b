package rodmagnets

import (
	"math"

	"sinew/pkg/sim/magnetics"
	"sinew/pkg/sim/rod/strain"
	"sinew/pkg/sim/spatial"
)

// Lump is a dipole on a node, or in the middle of an element, that acts on those of the other
// magnets of the rod.
type RodDipole struct {
	Magnet int         // of which it is a part
	Name   string      // of that
	Node   int         // 0 at the base
	Middle bool        // it is in the middle of the element that begins with the node
	Moment spatial.Vec // body axes, A m²
	Radius float64     // of a ball that it is at least as large as, m
}

// at is the pose that a lump has where no slope turns it.
func (l *RodDipole) pose(placed *strain.LoadPlacement) *spatial.Pose {
	if l.Middle {
		return &placed.Midpoints[l.Node]
	}
	return &placed.Nodes[l.Node]
}

// dipole is a lump where no slope turns it.
func (l *RodDipole) dipole(placed *strain.LoadPlacement) magnetics.Dipole {
	at := l.pose(placed)
	return magnetics.Dipole{Position: at.P, Moment: at.R.Apply(l.Moment)}
}

// turned is a lump as the slope of its element turns it.
func (l *RodDipole) slopedDipole(placed *strain.LoadPlacement) magnetics.Dipole {
	if !l.Middle {
		return l.dipole(placed)
	}
	at := l.pose(placed)
	return magnetics.Dipole{Position: at.P, Moment: at.R.Apply(l.Moment.Add(placed.SlopeRotations[l.Node].Cross(l.Moment)))}
}

// movers is how many nodes move a lump, from Node on.
func (l *RodDipole) nodeCount() int {
	if l.Middle {
		return 2
	}
	return 1
}

// asNode is how a lump on a node follows increments of that.
var identityJacobians = [2]spatial.Mat6{spatial.Blocks6(spatial.Identity3(), spatial.Mat3{}, spatial.Mat3{}, spatial.Identity3())}

// follows returns how a lump follows body increments of the nodes that move it.
func (l *RodDipole) jacobians(placed *strain.LoadPlacement) *[2]spatial.Mat6 {
	if l.Middle {
		return &placed.EndJacobians[l.Node]
	}
	return &identityJacobians
}

// pair is two lumps of different magnets; that of the lower node is first. They act on one
// another as dipoles: forces and torques are opposite, and about any point add up to nothing.
type pair struct{ a, b RodDipole }

// Interact makes the lumps of different magnets act on one another. No two of them may be on
// one node, or be moved by one.
func (m *Magnets) CoupleDipoles(lumps []RodDipole) {
	m.pairs, m.sources = nil, nil
	for i := range lumps {
		for j := range i {
			a, b := lumps[i], lumps[j]
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

// feel notes that a lump in a middle feels another.
func (m *Magnets) addSource(l, other RodDipole) {
	if !l.Middle {
		return
	}
	if m.sources == nil {
		m.sources = make([][]RodDipole, len(m.midpoints))
	}
	m.sources[l.Node] = append(m.sources[l.Node], other)
}

// Couplings returns the nodes, the lower one first, that pairs couple, pair by pair.
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

// addPairs adds what the lumps on nodes feel of all others, and the tangent between all. blocks
// are those that couple the nodes of Couplings, nil at the base; without any, the tangent of
// coupled nodes is left out.
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

// addFelt adds what a lump on a node feels of another. On the base it moves nothing, and what is in
// a middle the elements have.
func (m *Magnets) assemblePairLoad(q *strain.Equations, l, other *RodDipole, at *strain.LoadPlacement) {
	if !l.Middle && l.Node > 0 {
		addLoad(q, l.Node, m.pairLoad(l, other, at))
	}
}

// couple adds the tangent between two lumps. A middle follows the ends of its element, also by what
// its slope takes of them; what the slopes of two elements take at once is in here, though it is
// not in the potential: it is of second order.
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
		var less spatial.Mat6 // what makes, of increments of the second node, minus the load on the first lump
		less.SubTMul(&transposed, &last[i%p.b.nodeCount()])
		to.SubTMul(&first[i/p.b.nodeCount()], &less)
	}
}

// load is a wrench on a node with its tangent.
type load struct {
	wrench  spatial.Wrench
	tangent magnetics.Tangent
}

// between returns what lump l, on a node, feels of another.
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

// pairPotential is that of the pairs where no slope turns them, J.
func (m *Magnets) pairPotential(at *strain.LoadPlacement) (sum float64) {
	for i := range m.pairs {
		p := &m.pairs[i]
		a, d := p.a.pose(at), p.b.dipole(at)
		field, _ := d.At(a.P)
		sum -= m.Scale * a.R.Apply(p.a.Moment).Dot(field)
	}
	return sum
}

// Approach is how near two magnets are.
type DipoleDistance struct {
	A, B     RodDipole
	Distance float64 // between their middles, m
	Contact  float64 // at which they would touch, m
}

// Nearest returns the pair that is nearest over what it can be; places that are no numbers are
// not known to be near. Without pairs that are, Least is 0.
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
