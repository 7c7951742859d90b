package microrobot

import (
	"math"

	"sinew/pkg/sim"
	"sinew/pkg/sim/spatial"
)

// Proportions of what is drawn, over the robot's drawn half-length.
const (
	drawnSize   = 0.1  // m, of the half-length, within a factor of √10
	arrowRadius = 0.05 // of the half-length
	fieldLength = 2.5  // of the arrow in a strong field
	magnetSize  = 1.6  // of the arrow along the magnetic moment
	trailWidth  = 0.04
	trailStep   = 0.2  // least distance between points of the trail
	wallSize    = 20   // of what is shown of a wall
	helixPoints = 60   // of the wire
	halfField   = 2e-3 // T, at which the arrow has half its length
)

var (
	bodyColor   = sim.Color{R: 0.75, G: 0.78, B: 0.82, A: 1}
	magnetColor = sim.Color{R: 0.85, G: 0.15, B: 0.15, A: 1}
	fieldColor  = sim.Color{R: 0.10, G: 0.45, B: 0.95, A: 1}
	trailColor  = sim.Color{R: 0.10, G: 0.80, B: 0.30, A: 1}
	wallColor   = sim.Color{R: 0.60, G: 0.60, B: 0.55, A: 0.3}
)

// drawingScale returns the power of ten by which markers are larger than what they show,
// so that viewers that see nothing below a centimetre show a robot of micrometres.
func drawingScale(size float64) float64 {
	return math.Pow(10, math.Round(math.Log10(drawnSize/size)))
}

// arrow returns an arrow along v, of no length where v has no direction.
func arrow(name string, from, v spatial.Vec, length, size float64, c sim.Color) sim.Arrow {
	a := sim.Arrow{Name: name, From: from, To: from, Radius: arrowRadius * size, Color: c}
	if n := v.Norm(); n > 0 {
		a.To = from.AddScaled(length/n, v)
	}
	return a
}

// fit returns s with length n, with its storage if that suffices.
func fit[T any](s []T, n int) []T {
	if cap(s) < n {
		grown := make([]T, n)
		copy(grown, s)
		return grown
	}
	return s[:n]
}

// trailPoints is how many points of the robot's path a drawing remembers.
const trailPoints = 400

// trail is the path that has been drawn: always the same number of newest points, so
// that a scene keeps its shape.
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

// forget begins a new path.
func (t *trail) forget() { t.begun = false }
