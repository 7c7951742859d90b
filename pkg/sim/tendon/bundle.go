package tendon

import (
	"cmp"
	"slices"

	"sinew/pkg/sim/rod/strain"
	"sinew/pkg/sim/spatial"
)

// Bundle is all tendons of a robot as straight chords between the nodes of an implicitly stepped
// rod, with their tensions. The force of a chord a → b with tension T and unit direction u is +T u
// on a and −T u on b, at the holes, so its potential is T times its length.
type Bundle struct {
	chords []chord // sorted by gap, so that chords of one gap are consecutive
	gaps   []gap
	paths  []Path // by tendon
}

// chord is the straight part of a tendon between two holes.
type chord struct {
	a, b       int         // nodes that the chord joins
	ra, rb     spatial.Vec // holes in the body axes of a and b, m
	tendon     int
	isEnd      bool        // the tendon ends at b
	length     float64     // m
	restLength float64     // length in the stress-free rod, m
	dir        spatial.Vec // unit vector from a to b, world axes
	share      float64     // tension over that at the base; 1 without friction
	tension    float64     // N
}

// gap is a pair of nodes with chords between them.
type gap struct {
	a, b        int
	first, last int // its chords are those with index first ≤ i < last
}

// NewBundle returns the tendons on the given routes, with tension 0.
func NewBundle(routes []*Route) *Bundle {
	b := &Bundle{paths: make([]Path, len(routes))}
	for k, r := range routes {
		a, ra := 0, r.Base
		for i, node := range r.Nodes {
			b.chords = append(b.chords, chord{
				a: a, b: node, ra: ra, rb: r.Holes[i], tendon: k, isEnd: i == len(r.Nodes)-1, share: 1,
			})
			a, ra = node, r.Holes[i]
		}
	}
	slices.SortStableFunc(b.chords, func(p, q chord) int {
		return cmp.Or(cmp.Compare(p.a, q.a), cmp.Compare(p.b, q.b))
	})
	for i := range b.chords {
		c := &b.chords[i]
		b.paths[c.tendon] = append(b.paths[c.tendon], c)
		if n := len(b.gaps); n == 0 || b.gaps[n-1].a != c.a || b.gaps[n-1].b != c.b {
			b.gaps = append(b.gaps, gap{a: c.a, b: c.b, first: i})
		}
		b.gaps[len(b.gaps)-1].last = i + 1
	}
	return b
}

// Tendons returns the number of tendons.
func (b *Bundle) Tendons() int { return len(b.paths) }

// Path returns the chords of tendon k.
func (b *Bundle) Path(k int) Path { return b.paths[k] }

// Gaps returns the pairs of nodes that chords connect, each once.
func (b *Bundle) Gaps() [][2]int {
	pairs := make([][2]int, len(b.gaps))
	for i, g := range b.gaps {
		pairs[i] = [2]int{g.a, g.b}
	}
	return pairs
}

// SetTension sets the tension of tendon k at the base to t (N); see Path.SetTension.
func (b *Bundle) SetTension(k int, t float64) { b.paths[k].SetTension(t) }

// TensionAt returns the tension of tendon k in its chord i from the base, N.
func (b *Bundle) TensionAt(k, i int) float64 { return b.paths[k].Tension(i) }

// UpdateKinematics computes lengths and directions of the chords from the poses of the nodes. All
// other methods use these.
func (b *Bundle) UpdateKinematics(pose []spatial.Pose) {
	for i := range b.chords {
		c := &b.chords[i]
		ga, gb := &pose[c.a], &pose[c.b]
		d := gb.P.Add(gb.R.Apply(c.rb)).Sub(ga.P.Add(ga.R.Apply(c.ra)))
		c.length = d.Norm()
		c.dir = d.Scale(1 / c.length)
	}
}

// Length returns the length of tendon k from the base plate to its end, m.
func (b *Bundle) Length(k int) float64 { return b.paths[k].Length() }

// WeightedLength returns that of the path of tendon k, m.
func (b *Bundle) WeightedLength(k int) float64 { return b.paths[k].WeightedLength() }

func addToVec6(x *spatial.Vec6, f, m spatial.Vec) {
	x[0] += f.X
	x[1] += f.Y
	x[2] += f.Z
	x[3] += m.X
	x[4] += m.Y
	x[5] += m.Z
}

// LengthRate returns the rate of the length of tendon k, m/s, in the moving rod s.
func (b *Bundle) LengthRate(k int, s *strain.State) float64 {
	sum := 0.0
	for _, c := range b.paths[k] {
		ta, tb := s.NodeTwist(c.a), s.NodeTwist(c.b)
		va := ta.Linear.Add(ta.Angular.Cross(s.Pose[c.a].R.Apply(c.ra)))
		vb := tb.Linear.Add(tb.Angular.Cross(s.Pose[c.b].R.Apply(c.rb)))
		sum += c.dir.Dot(vb.Sub(va))
	}
	return sum
}

// BaseWrench returns the wrench of all tendons on the base plate, in base axes about the base
// origin.
func (b *Bundle) BaseWrench(base *spatial.Pose) (w spatial.Wrench) {
	for i := range b.chords {
		if c := &b.chords[i]; c.a == 0 {
			f := base.R.ApplyT(c.dir).Scale(c.tension)
			addWrench(&w, f, c.ra.Cross(f))
		}
	}
	return w
}

// EulerLoadRatio returns the largest ratio of the total tension in a gap to its Euler buckling
// load, and the gap. bend is π² times the bending stiffness by gap, N m², and at the arc lengths of
// the nodes, m.
func (b *Bundle) EulerLoadRatio(bend, at []float64) (ratio float64, gap [2]int) {
	for i := range b.gaps {
		g := &b.gaps[i]
		total := 0.0
		for j := g.first; j < g.last; j++ {
			total += b.chords[j].tension
		}
		l := at[g.b] - at[g.a]
		if r := total * l * l / bend[i]; r > ratio {
			ratio, gap = r, [2]int{g.a, g.b}
		}
	}
	return ratio, gap
}

// OmitNormalForces removes from the wrenches the component of each chord's force along the normal
// of the disk that it passes, as in Rao, Peyron, Lilge and Burgner-Kahrs, "How to model
// tendon-driven continuum robots and benchmark modelling performance", Front. Robot. AI 7 (2021)
// 630245. At its last disk a tendon exerts its whole force.
func (b *Bundle) OmitNormalForces(pose []spatial.Pose, wrench []spatial.Wrench) {
	for i := range b.chords {
		c := &b.chords[i]
		if c.a > 0 {
			removeNormalForce(&wrench[c.a], c.ra, c.tension*pose[c.a].R.Col3().Dot(c.dir))
		}
		if !c.isEnd {
			removeNormalForce(&wrench[c.b], c.rb, -c.tension*pose[c.b].R.Col3().Dot(c.dir))
		}
	}
}

// removeNormalForce subtracts the force (0, 0, z) at r from w.
func removeNormalForce(w *spatial.Wrench, r spatial.Vec, z float64) {
	w.Force.Z -= z
	w.Moment.X -= r.Y * z
	w.Moment.Y += r.X * z
}

func addWrench(w *spatial.Wrench, f, m spatial.Vec) {
	w.Force, w.Moment = w.Force.Add(f), w.Moment.Add(m)
}
