package stokes

import (
	"errors"
	"fmt"
	"math"

	"sinew/pkg/sim/spatial"
)

// Plane is a flat no-slip wall.
type Plane struct {
	Point  spatial.Vec // a point of the wall, m, world frame
	Normal spatial.Vec // into the fluid; any length but 0
}

// Cylinder is a round vessel with the fluid inside.
type Cylinder struct {
	Axis   spatial.Vec // any length but 0
	Center spatial.Vec // a point of the axis, m, world frame
	Radius float64     // m
}

// Walls bound the fluid. They resist spheres nearby, and no body passes them. Contact
// is that of the body's hull. The zero value is fluid without bounds.
// It is immutable but for Move.
type Walls struct {
	planes    []Plane // unit normals
	cylinders []Cylinder
	surfaces  []Surface
	roughness float64
}

// NewWalls returns the given walls. Roughness (m) is the height of their asperities:
// a body touches a wall at that gap, and viscosity holds a sphere no more than
// there. Zero is smooth; then the resistance of a sphere grows to the gap of 1e-4 of
// its radius.
func NewWalls(planes []Plane, cylinders []Cylinder, roughness float64) (*Walls, error) {
	var errs []error
	w := &Walls{roughness: roughness}
	if !(roughness >= 0) || math.IsInf(roughness, 0) {
		errs = append(errs, fmt.Errorf("stokes: roughness of the walls is %g m; it must be finite and not below 0", roughness))
	}
	for i, p := range planes {
		if err := errors.Join(checkDirection("normal", p.Normal), checkPoint(p.Point)); err != nil {
			errs = append(errs, fmt.Errorf("plane %d: %w", i, err))
		}
		w.planes = append(w.planes, Plane{p.Point, p.Normal.Unit()})
	}
	for i, c := range cylinders {
		if err := errors.Join(checkDirection("axis", c.Axis), checkPoint(c.Center), checkPositive("radius", c.Radius, "m")); err != nil {
			errs = append(errs, fmt.Errorf("cylinder %d: %w", i, err))
		}
		w.cylinders = append(w.cylinders, Cylinder{c.Axis.Unit(), c.Center, c.Radius})
	}
	return w, errors.Join(errs...)
}

func checkPoint(p spatial.Vec) error {
	if !p.IsFinite() {
		return fmt.Errorf("stokes: point %v m is not finite", p)
	}
	return nil
}

// count returns the number of walls; they are numbered planes first and surfaces last.
func (w *Walls) count() int { return w.fixed() + len(w.surfaces) }

// fixed returns the number of planes and cylinders.
func (w *Walls) fixed() int { return len(w.planes) + len(w.cylinders) }

// nearest returns the distance of x from plane or cylinder i (m, negative outside of the fluid)
// and the unit normal into the fluid there.
func (w *Walls) nearest(i int, x spatial.Vec) (h float64, n spatial.Vec) {
	if i < len(w.planes) {
		p := &w.planes[i]
		return x.Sub(p.Point).Dot(p.Normal), p.Normal
	}
	c := &w.cylinders[i-len(w.planes)]
	d := x.Sub(c.Center)
	d = d.AddScaled(-d.Dot(c.Axis), c.Axis)
	r := d.Norm()
	if r < 1e-9*c.Radius { // on the axis, every direction is as near
		return c.Radius, c.Axis.Perpendicular()
	}
	return c.Radius - r, d.Scale(-1 / r)
}

// smooth is the gap, over the radius, below which the resistance of a sphere no
// longer grows.
const smooth = 1e-4

// Resistance returns the resistance (world axes, about the centre) of a sphere of
// radius a (m) at x. What each wall adds alone is summed, which is exact for one
// plane (within the errors of the formulas: 0.7 % of force, 1.1 % of coupling) and
// keeps the result positive definite. In the middle between two planes it is within
// 2 % of Faxén's result along them, from 4 radii apart. A cylinder counts as its tangent plane: good for
// gaps below a tenth of its radius; on the axis it adds 9/16 a/R where 2.1 a/R is
// right. A surface counts as its tangent plane too. In a flow along a wall, a free sphere is also slower than the fluid would
// be at its centre, by 8 % at h = 1.5 a and a third at 1.05 a; that is left out.
func (w *Walls) Resistance(x spatial.Vec, a, viscosity float64) Resistance {
	f, _, t := sphereUnits(a, viscosity)
	r := Diagonal(spatial.Vec{X: f, Y: f, Z: f}, spatial.Vec{X: t, Y: t, Z: t})
	for i := range w.fixed() {
		h, n := w.nearest(i, x)
		r = r.Add(w.factors(h, a).minus1().resistance(n, a, viscosity))
	}
	for k := range w.surfaces {
		if h, n := w.place(k, x); !math.IsInf(h, 1) {
			r = r.Add(w.factors(h, a).minus1().resistance(n, a, viscosity))
		}
	}
	return r
}

// Mobility returns the inverse of Resistance.
func (w *Walls) Mobility(x spatial.Vec, a, viscosity float64) Mobility {
	switch {
	case w.fixed() == 1 && len(w.surfaces) == 0:
		h, n := w.nearest(0, x)
		return w.factors(h, a).mobility(n, a, viscosity)
	case w.fixed() == 0 && len(w.surfaces) == 1:
		h, n := w.place(0, x)
		return w.factors(h, a).mobility(n, a, viscosity)
	}
	l, _ := w.Resistance(x, a, viscosity).Factor() // positive definite by construction
	return l.Inverse()
}

// FlowCorrection returns by how much (world axes) a free sphere of radius a (m) at x moves otherwise
// than the flow u (m/s) at its centre would carry it without walls. The resistance of Walls grows
// without bound toward contact because the sphere squeezes the fluid out of the gap. Only its own
// motion toward the wall does that: a flow leaves the sphere where it is, and its force on a sphere
// that is held stays bounded, 6πηa u of the component normal to the wall here. That is the drag in a
// flow that crosses the wall; a flow that stops at the wall exerts up to 3.23 times that (Goren and
// O'Neill, Chem. Eng. Sci. 26 (1971) 325). The component along the wall is not corrected.
func (w *Walls) FlowCorrection(x spatial.Vec, a, viscosity float64, u spatial.Vec) spatial.Twist {
	var excess spatial.Vec // of the resistance times the flow, over 6πηa
	add := func(h float64, n spatial.Vec) {
		if across := u.Dot(n); across != 0 && !math.IsInf(h, 1) {
			excess = excess.AddScaled(w.factors(h, a).minus1().normal*across, n)
		}
	}
	for i := range w.fixed() {
		add(w.nearest(i, x))
	}
	for k := range w.surfaces {
		add(w.place(k, x))
	}
	if excess == (spatial.Vec{}) {
		return spatial.Twist{}
	}
	f, _, _ := sphereUnits(a, viscosity)
	m := w.Mobility(x, a, viscosity)
	return m.Apply(spatial.Wrench{Force: excess.Scale(-f)})
}

// FlowThrough returns the largest speed (m/s) at which the flow, a function of places, goes through the
// points of the walls that are nearest to x. Walls farther than reach (m) do not count.
func (w *Walls) FlowThrough(x spatial.Vec, reach float64, flow func(spatial.Vec) spatial.Vec) float64 {
	most := 0.0
	add := func(h float64, n spatial.Vec) {
		if h <= reach {
			most = max(most, math.Abs(flow(x.AddScaled(-h, n)).Dot(n)))
		}
	}
	for i := range w.fixed() {
		add(w.nearest(i, x))
	}
	for k := range w.surfaces {
		add(w.place(k, x))
	}
	return most
}

func (w *Walls) factors(h, a float64) nearWall {
	return newNearWall(a / max(h, a+w.roughness, a*(1+smooth)))
}

// Gap returns the smallest distance (m) between the walls and the body at x with
// the given hull (world axes), negative inside a wall, infinite
// without walls.
func (w *Walls) Gap(x spatial.Vec, hull *Hull) float64 {
	gap := math.Inf(1)
	var points [maxTouches]contact
	for i := range w.count() {
		if found := w.points(&points, i, x, hull); len(found) > 0 {
			gap = min(gap, found[0].gap+w.roughness)
		}
	}
	return gap
}

// Check refuses a body that is inside a wall or too wide for a vessel.
func (w *Walls) Check(x spatial.Vec, hull *Hull) error {
	var points [maxTouches]contact
	for i := range w.fixed() {
		gap := w.points(&points, i, x, hull)[0].gap + w.roughness
		if gap >= 0 {
			continue
		}
		h, _ := w.nearest(i, x)
		b := h - gap // half-width toward the wall
		if i < len(w.planes) {
			return fmt.Errorf("stokes: the body is inside plane wall %d: its reference point (%.6g, %.6g, %.6g) m is %.6g m above the wall, where it needs at least %.6g m",
				i, x.X, x.Y, x.Z, h, b)
		}
		c := i - len(w.planes)
		if r, most := w.cylinders[c].Radius, w.across(c, hull); r < most {
			return fmt.Errorf("stokes: the body is too wide for cylinder %d: its half-width is %.6g m, the vessel's radius %.6g m", c, most, r)
		}
		return fmt.Errorf("stokes: the body is inside the wall of cylinder %d: its reference point (%.6g, %.6g, %.6g) m is %.6g m off the axis of the vessel of radius %.6g m, where at most %.6g m leave room for it",
			c, x.X, x.Y, x.Z, w.cylinders[c].Radius-h, w.cylinders[c].Radius, w.cylinders[c].Radius-b)
	}
	return w.checkSurfaces(x, hull)
}

// across returns the largest half-width of a body across the axis of cylinder c, m.
func (w *Walls) across(c int, hull *Hull) float64 {
	e1 := w.cylinders[c].Axis.Perpendicular()
	e2 := w.cylinders[c].Axis.Cross(e1)
	a, b, mixed := e1.Dot(hull.Ellipsoid.Apply(e1)), e2.Dot(hull.Ellipsoid.Apply(e2)), e1.Dot(hull.Ellipsoid.Apply(e2))
	return math.Sqrt((a+b)/2 + math.Hypot((a-b)/2, mixed))
}

// halfWidth returns the half-width of an ellipsoid along n.
func halfWidth(e *spatial.Mat3, n spatial.Vec) float64 {
	return math.Sqrt(max(0, n.Dot(e.Apply(n))))
}
