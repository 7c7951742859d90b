package attached

import (
	"math"

	"sinew/pkg/sim/magnetics"
	"sinew/pkg/sim/rod/strain"
	"sinew/pkg/sim/spatial"
)

// Lump is a dipole on a node that acts on those of the other magnets of the rod.
type Lump struct {
	Magnet int         // of which it is a part
	Name   string      // of that
	Node   int         // 0 at the base
	Moment spatial.Vec // body axes, A m²
	Radius float64     // of a ball that it is at least as large as, m
}

// pair is two lumps of different magnets; that of the lower node is first. They act on one
// another as dipoles: forces and torques are opposite, and about any point add up to nothing.
type pair struct{ a, b Lump }

// Interact makes the lumps of different magnets act on one another. No two of them may be on
// one node.
func (m *Magnets) Interact(lumps []Lump) {
	m.pairs = nil
	for i := range lumps {
		for j := range i {
			a, b := lumps[i], lumps[j]
			if a.Node > b.Node {
				a, b = b, a
			}
			if a.Magnet != b.Magnet {
				m.pairs = append(m.pairs, pair{a, b})
			}
		}
	}
}

// Couplings returns the nodes, the lower one first, that pairs couple.
func (m *Magnets) Couplings() (all [][2]int) {
	for i := range m.pairs {
		all = append(all, [2]int{m.pairs[i].a.Node, m.pairs[i].b.Node})
	}
	return all
}

// addPairs adds what the lumps do to one another. blocks are those that couple the nodes of
// Couplings, nil at the base; without any, the tangent of coupled nodes is left out.
func (m *Magnets) addPairs(pose []spatial.Pose, q *strain.Equations, blocks []*spatial.Mat6) {
	for i := range m.pairs {
		p := &m.pairs[i]
		a, b := &pose[p.a.Node], &pose[p.b.Node]
		if p.a.Node > 0 {
			addLoad(q, p.a.Node, m.between(&p.a, a, &p.b, b))
		}
		addLoad(q, p.b.Node, m.between(&p.b, b, &p.a, a))
		if blocks == nil || blocks[i] == nil {
			continue
		}
		k := magnetics.NewPairStiffness(a.P.Sub(b.P), a.R.Apply(p.a.Moment).Scale(m.Share), b.R.Apply(p.b.Moment))
		to := blocks[i]
		to.LinLin().Add(a.R.TMul(k.Place.Mul(b.R)).Scale(-1))
		to.LinRot().Add(a.R.TMul(k.TurnJ.Mul(b.R)))
		to.RotLin().Add(a.R.TMul(k.TurnI.TMul(b.R)).Scale(-1))
		to.RotRot().Add(a.R.TMul(k.Cross.Mul(b.R)))
	}
}

// load is a wrench on a node with its tangent.
type load struct {
	wrench  spatial.Wrench
	tangent magnetics.Tangent
}

// between returns what lump l at a pose feels of another.
func (m *Magnets) between(l *Lump, at *spatial.Pose, other *Lump, there *spatial.Pose) load {
	d := magnetics.Dipole{Position: there.P, Moment: there.R.Apply(other.Moment)}
	moment := l.Moment.Scale(m.Share)
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

// pairPotential is that of the pairs, J.
func (m *Magnets) pairPotential(pose []spatial.Pose) (sum float64) {
	for i := range m.pairs {
		p := &m.pairs[i]
		a, b := &pose[p.a.Node], &pose[p.b.Node]
		d := magnetics.Dipole{Position: b.P, Moment: b.R.Apply(p.b.Moment)}
		field, _ := d.At(a.P)
		sum -= m.Share * a.R.Apply(p.a.Moment).Dot(field)
	}
	return sum
}

// Approach is how near two magnets are.
type Approach struct {
	A, B     Lump
	Distance float64 // between their middles, m
	Least    float64 // at which they would touch, m
}

// Nearest returns the pair that is nearest over what it can be; places that are no numbers are
// not known to be near. Without pairs that are, Least is 0.
func (m *Magnets) Nearest(pose []spatial.Pose) (nearest Approach) {
	worst := math.Inf(1)
	for i := range m.pairs {
		p := &m.pairs[i]
		d, least := pose[p.a.Node].P.Sub(pose[p.b.Node].P).Norm(), p.a.Radius+p.b.Radius
		if d < worst*least {
			worst, nearest = d/least, Approach{p.a, p.b, d, least}
		}
	}
	return nearest
}
