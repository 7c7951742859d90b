package microrobot

import "sinew/pkg/sim/spatial"

// trailPoints is how much of its way a drawing remembers.
const trailPoints = 400

// trail is the way that has been drawn: the newest points, as many as there are
// places, so that a scene keeps its shape.
type trail struct {
	points [trailPoints]spatial.Vec
	oldest int
	begun  bool
}

// extend makes p the newest point. It replaces the one before unless that is at least
// step away from the point before it.
func (t *trail) extend(p spatial.Vec, step float64) {
	if !t.begun {
		for i := range t.points {
			t.points[i] = p
		}
		t.oldest, t.begun = 0, true
		return
	}
	newest := (t.oldest + trailPoints - 1) % trailPoints
	before := (newest + trailPoints - 1) % trailPoints
	if p == t.points[newest] {
		return
	}
	if t.points[newest].Sub(t.points[before]).Norm() < step {
		t.points[newest] = p
		return
	}
	t.points[t.oldest] = p
	t.oldest = (t.oldest + 1) % trailPoints
}

// put writes the points to dst, the oldest first.
func (t *trail) put(dst []spatial.Vec) {
	n := copy(dst, t.points[t.oldest:])
	copy(dst[n:], t.points[:t.oldest])
}

// forget begins a new way.
func (t *trail) forget() { t.begun = false }
