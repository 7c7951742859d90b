package mechanism

import (
	"fmt"

	"sinew/pkg/sim/mechanism/blocks"
	"sinew/pkg/sim/spatial"
)

// Tendon is a massless cord that runs straight from hole to hole without friction, under a given tension. Its
// motor is at the first hole, and it is tied at the last.
type Tendon struct {
	Name    string
	Route   []Hole
	Tension float64 // N
}

// Hole is a point of a link through which a tendon runs.
type Hole struct {
	Link     string      // name of a rod or body; "" is the world
	At       float64     // arc length of the section of a rod, m
	Position spatial.Vec // in the axes of the body or section, or of the world, m
}

// tendon is a tendon in a world. Its potential is tension times length.
type tendon struct {
	Tendon
	hole  []side
	pair  []blocks.Place // of the nodes of a segment, by its first hole
	scale float64        // of the tension
}

// closestHoles is the least length of a segment, m: below it, its direction is not defined.
const closestHoles = 1e-6

func (w *World) addTendon(t *Tendon) error {
	if len(t.Route) < 2 {
		return fmt.Errorf("mechanism: tendon %q has %d holes; it needs at least 2", t.Name, len(t.Route))
	}
	for _, h := range t.Route {
		if h.Link != "" && w.link(h.Link) == nil {
			return fmt.Errorf("mechanism: tendon %q runs through %q, which is no link", t.Name, h.Link)
		}
	}
	w.tendons = append(w.tendons, &tendon{Tendon: *t, scale: 1, pair: make([]blocks.Place, len(t.Route)-1)})
	return nil
}

// connect finds the nodes of the holes, and returns the pairs of nodes that the segments couple.
func (t *tendon) connect(w *World, first []int) (pairs [][2]int) {
	for _, h := range t.Route {
		t.hole = append(t.hole, w.side(&Side{Link: h.Link, At: h.At, Frame: spatial.Pose{R: spatial.Identity3(), P: h.Position}}, first))
	}
	for i := range t.pair {
		if a, b := t.hole[i].node, t.hole[i+1].node; a >= 0 && b >= 0 && a != b {
			pairs = append(pairs, [2]int{a, b})
		}
	}
	return pairs
}

// place finds the blocks of the segments.
func (t *tendon) place(w *World) {
	for i := range t.pair {
		if a, b := t.hole[i].node, t.hole[i+1].node; a >= 0 && b >= 0 && a != b {
			t.pair[i] = w.matrix.Place(a, b)
		}
	}
}

// assemble adds the forces of the tendon, and the tangents where the matrix is that of an iteration. With
// the unit vector u of a segment of length l, its tension T pulls the ends together by T u, and its second
// derivative in the difference of the ends is T/l (1 − u uᵀ).
func (t *tendon) assemble(w *World, withTangent bool) {
	tension := t.Tension * t.scale
	for i := range t.pair {
		a, b := &t.hole[i], &t.hole[i+1]
		if a.node == b.node {
			continue
		}
		x, y := a.pose(w.pose), b.pose(w.pose)
		d := y.P.Sub(x.P)
		l := d.Norm()
		u := d.Scale(1 / l)
		stiffness := spatial.Identity3().Sub(spatial.Outer(u, u)).Scale(tension / l)
		ends := [2]spatial.Mat6{}
		for k, s := range [...]*side{a, b} {
			if s.node < 0 {
				continue
			}
			r := &w.pose[s.node].R
			var tangent spatial.Mat6
			addDeadForce(r, u.Scale(tension*float64(1-2*k)), s.frame.P, &w.right[s.node], &tangent)
			if !withTangent {
				continue
			}
			// the increment moves the hole by R (δ − c × w) in the world; rows of the lower half are 0
			ends[k] = spatial.Blocks6(*r, r.Mul(spatial.Skew(s.frame.P)).Scale(-1), spatial.Mat3{}, spatial.Mat3{})
			m := spatial.Blocks6(stiffness, spatial.Mat3{}, spatial.Mat3{}, spatial.Mat3{})
			addCongruence(&tangent, &ends[k], &m, &ends[k])
			diagonal := w.matrix.Diagonal(s.node)
			for n := range tangent {
				diagonal[n] += tangent[n]
			}
		}
		if withTangent && a.node >= 0 && b.node >= 0 {
			m := spatial.Blocks6(stiffness.Scale(-1), spatial.Mat3{}, spatial.Mat3{}, spatial.Mat3{})
			var pair spatial.Mat6
			addCongruence(&pair, &ends[0], &m, &ends[1])
			w.matrix.Add(t.pair[i], &pair)
		}
	}
}

// length returns the length of the tendon, m.
func (t *tendon) length(w *World) (sum float64) {
	for i := range t.pair {
		x, y := t.hole[i].pose(w.pose), t.hole[i+1].pose(w.pose)
		sum += y.P.Sub(x.P).Norm()
	}
	return sum
}

// checkLengths refuses segments that are too short at t = 0.
func (t *tendon) checkLengths(w *World) error {
	for i := range t.pair {
		x, y := t.hole[i].pose(w.pose), t.hole[i+1].pose(w.pose)
		if l := y.P.Sub(x.P).Norm(); !(l > closestHoles) {
			return fmt.Errorf("mechanism: tendon %q: holes %d and %d are %.3g m apart; they need more than %g m", t.Name, i+1, i+2, l, closestHoles)
		}
	}
	return nil
}

// SetTension sets the tension of tendon i for what follows, N.
func (w *World) SetTension(i int, tension float64) { w.tendons[i].Tension = tension }

// TendonLength returns the length of tendon i, m.
func (w *World) TendonLength(i int) float64 { return w.tendons[i].length(w) }
