package tendon

import (
	"errors"
	"fmt"
	"math"

	"sinew/pkg/sim/rod"
	"sinew/pkg/sim/spatial"
)

// Route is the path of a tendon: from a hole in the base plate at s = 0 through one hole in each of
// its disks to its end in the last one. Holes are in the body axes of their cross-section, m. A
// Route is immutable.
type Route struct {
	Nodes []int         // node of each disk, increasing
	Holes []spatial.Vec // the hole in each disk
	Base  spatial.Vec   // the hole in the base plate
	// OnBase means that the first disk is nearest to the base plate. It is part of the plate then,
	// and neither in Nodes nor in Holes.
	OnBase bool
}

// Holes are the holes of a tendon along d1 and d2, m.
type Holes struct {
	// Offset is the hole in the base plate, m.
	Offset [2]float64
	// Twist rotates the hole about d3 with arc length, positive from d1 to d2, rad/m: a helical
	// route.
	Twist float64
	// Slope is the increase of the hole's distance from the centre line per arc length.
	Slope float64
	// Each, if not empty, has a hole for each disk instead of Offset, Twist and Slope.
	Each [][2]float64
}

// ErrBadRoute is the error, in the sense of errors.Is, of an invalid route.
var ErrBadRoute = errors.New("bad tendon route")

// NewRoute returns the route through disks at the given arc lengths (m). Each becomes a disk at the
// nearest node of the rod; see rod.Mesh.NearestNode. It returns ErrBadRoute with the disk and its
// position if the route is invalid.
func NewRoute(r *rod.Rod, arcLengths []float64, h Holes) (*Route, error) {
	n := len(arcLengths)
	if n == 0 {
		return nil, fmt.Errorf("%w: no disks", ErrBadRoute)
	}
	if len(h.Each) > 0 && len(h.Each) != n {
		return nil, fmt.Errorf("%w: %d holes for %d disks", ErrBadRoute, len(h.Each), n)
	}
	t := &Route{
		Nodes: make([]int, n),
		Holes: make([]spatial.Vec, n),
		Base:  spatial.Vec{X: h.Offset[0], Y: h.Offset[1]},
	}
	for i, s := range arcLengths {
		t.Nodes[i] = r.NearestNode(s)
		t.Holes[i] = h.hole(i, s)
		if err := t.checkDisk(r, i, s); err != nil {
			return nil, err
		}
	}
	if t.Nodes[0] == 0 {
		t.OnBase = true
		t.Nodes, t.Holes = t.Nodes[1:], t.Holes[1:]
	}
	return t, nil
}

// hole returns the hole in disk i at arc length s, m.
func (h *Holes) hole(i int, s float64) spatial.Vec {
	if len(h.Each) > 0 {
		return spatial.Vec{X: h.Each[i][0], Y: h.Each[i][1]}
	}
	sin, cos := math.Sincos(h.Twist * s)
	x, y := h.Offset[0], h.Offset[1]
	if distance := math.Hypot(x, y); h.Slope != 0 && distance > 0 {
		share := 1 + h.Slope*s/distance
		x, y = share*x, share*y
	}
	return spatial.Vec{X: cos*x - sin*y, Y: sin*x + cos*y}
}

func (t *Route) checkDisk(r *rod.Rod, i int, s float64) error {
	k := t.Nodes[i]
	switch {
	case !(s >= 0):
		return fmt.Errorf("%w: disk %d at %g m lies before the base plate", ErrBadRoute, i+1, s)
	case k == 0 && len(t.Nodes) == 1:
		return fmt.Errorf("%w: its only disk, at %g m, is nearest to the base plate; the first node is at %g m",
			ErrBadRoute, s, r.ArcLengths[1])
	case k > r.Elements:
		return fmt.Errorf("%w: disk %d at %g m is beyond the end of the rod at %g m", ErrBadRoute, i+1, s, r.Length)
	case i > 0 && k == t.Nodes[i-1]:
		return fmt.Errorf("%w: disks %d and %d (%g m) have the same nearest node %d: elements are %g m long; use more of them",
			ErrBadRoute, i, i+1, s, k, r.ElementLength)
	case i > 0 && k < t.Nodes[i-1]:
		return fmt.Errorf("%w: disk %d at %g m lies before disk %d", ErrBadRoute, i+1, s, i)
	case !t.Holes[i].IsFinite() || !t.Base.IsFinite():
		return fmt.Errorf("%w: hole of disk %d is not finite", ErrBadRoute, i+1)
	}
	return nil
}
