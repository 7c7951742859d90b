package stokes

import (
	"fmt"
	"math"
	"slices"

	"sinew/pkg/sim/shape"
	"sinew/pkg/sim/spatial"
)

// Surface is a wall of any shape.
type Surface struct {
	Name  string // by which errors call it
	Shape shape.Shape
}

// With returns the walls and surfaces besides. A surface touches an ellipsoid at every point
// that is nearer to it than the points around: a long body in a bent tube at both ends and in
// the middle. It touches a hull with corners at each of them, and at the nearest point between.
func (w *Walls) With(surfaces []Surface) *Walls {
	all := Walls{}
	if w != nil {
		all = *w
	}
	all.surfaces = surfaces
	return &all
}

// Surfaces returns how many surfaces there are.
func (w *Walls) Surfaces() int { return len(w.surfaces) }

// Clone returns the walls with surfaces of their own, which may be moved, where they were made.
func (w *Walls) Clone() *Walls {
	own := *w
	own.surfaces = slices.Clone(w.surfaces)
	for k := range own.surfaces {
		own.Move(k, spatial.IdentityPose())
	}
	return &own
}

// Move puts the frame in which surface k was made to a pose. Only walls of one's own are moved.
func (w *Walls) Move(k int, to spatial.Pose) {
	w.surfaces[k].Shape = w.surfaces[k].Shape.Moved(to)
}

// Center returns a point in the middle of surface k, where it was made.
func (w *Walls) Center(k int) spatial.Vec { return w.surfaces[k].Shape.Center() }

// SurfacePose returns where surface k is, from where it was made.
func (w *Walls) SurfacePose(k int) spatial.Pose { return w.surfaces[k].Shape.Pose() }

// Clearance returns how far (m) the body at x is from the surfaces as far as is known: 0 where one
// is in it or cannot tell.
func (w *Walls) Clearance(x spatial.Vec, hull *Hull) float64 {
	room := math.Inf(1)
	for k := range w.surfaces {
		room = min(room, w.ClearanceTo(k, x, hull))
	}
	return room
}

// ClearanceTo is Clearance of surface k alone.
func (w *Walls) ClearanceTo(k int, x spatial.Vec, hull *Hull) float64 {
	var points [maxTouches]contact
	found := w.points(&points, w.fixed()+k, x, hull)
	if len(found) == 0 {
		return 0
	}
	return max(0, found[0].gap)
}

// place is what surface k is to x: the distance (m), infinite where it cannot be touched, and
// the unit normal.
func (w *Walls) place(k int, x spatial.Vec) (h float64, n spatial.Vec) {
	const steep = 0.9 // least gradient of a distance that has one direction
	var hint shape.Hint
	at, ok := w.surfaces[k].Shape.At(x, &hint)
	length := at.N.Norm()
	if !ok || length < steep {
		return math.Inf(1), spatial.Vec{Z: 1}
	}
	return at.D, at.N.Scale(1 / length)
}

// appendTouches appends to dst the points of the ellipsoid at x that are nearest to wall i, a surface, up to
// seven of them. The first is the nearest.
func (w *Walls) appendTouches(dst []contact, i int, x spatial.Vec, e *spatial.Mat3) []contact {
	const far = 2 // half-widths beyond which one point suffices
	h, n := w.place(i-w.fixed(), x)
	most := math.Sqrt(e.Trace()) // no half-width is above
	if !math.IsInf(h, 1) && (isRound(e) || h > (1+far)*most) {
		return append(dst, w.contact(i, n, h, e))
	}
	if most == 0 {
		return dst
	}
	root, first := choleskyRoot(e), len(dst)
	if !math.IsInf(h, 1) {
		dst = w.appendPoint(dst, first, i, x, &root, root.ApplyT(n).Neg())
	}
	for _, axis := range [...]spatial.Vec{{X: 1}, {X: -1}, {Y: 1}, {Y: -1}, {Z: 1}, {Z: -1}} {
		dst = w.appendPoint(dst, first, i, x, &root, axis)
	}
	nearestFirst(dst[first:])
	return dst
}

func isRound(e *spatial.Mat3) bool {
	return e.XX == e.YY && e.YY == e.ZZ && e.XY == 0 && e.XZ == 0 && e.YZ == 0
}

// choleskyRoot returns the lower triangular root of a symmetric matrix, which maps the unit
// sphere to the ellipsoid.
func choleskyRoot(m *spatial.Mat3) (l spatial.Mat3) {
	l.XX = math.Sqrt(m.XX)
	if l.XX > 0 {
		l.YX, l.ZX = m.XY/l.XX, m.XZ/l.XX
	}
	l.YY = math.Sqrt(max(0, m.YY-l.YX*l.YX))
	if l.YY > 0 {
		l.ZY = (m.YZ - l.ZX*l.YX) / l.YY
	}
	l.ZZ = math.Sqrt(max(0, m.ZZ-l.ZX*l.ZX-l.ZY*l.ZY))
	return l
}

// appendPoint appends to dst the point of the ellipsoid at x to which the way of steepest descent to
// wall i, a surface, leads from the direction u of the unit sphere, unless it is among those from
// first on. The root maps the sphere to the ellipsoid.
func (w *Walls) appendPoint(dst []contact, first, i int, x spatial.Vec, root *spatial.Mat3, u spatial.Vec) []contact {
	const apart = 1e-3 // of the size, below which two points are one
	place, u, ok := w.descend(i-w.fixed(), x, root, u.Unit())
	length := place.N.Norm()
	if !ok || length == 0 {
		return dst
	}
	c := contact{wall: i, normal: place.N.Scale(1 / length), arm: root.Apply(u), gap: place.D - w.roughness}
	for k := first; k < len(dst); k++ {
		if there := dst[k].arm; there.Sub(c.arm).Norm2() < apart*apart*(there.Norm2()+c.arm.Norm2()) {
			return dst
		}
	}
	return append(dst, c)
}

// descend finds the nearest point to surface k around that of the direction u, by Newton's
// method on the unit sphere, and returns what the surface is to it, and its direction.
func (w *Walls) descend(k int, x spatial.Vec, root *spatial.Mat3, u spatial.Vec) (at shape.Place, to spatial.Vec, ok bool) {
	const (
		iterations = 24
		settled    = 1e-7 // slope along the sphere over that across
		farthest   = 0.5  // rad
	)
	wall := &w.surfaces[k].Shape
	var hint shape.Hint
	if at, ok = wall.At(x.Add(root.Apply(u)), &hint); !ok {
		return at, u, false
	}
	most := farthest
	for range iterations {
		g := root.ApplyT(at.N)
		across := g.Dot(u)
		slope := g.AddScaled(-across, u)
		if slope.Norm() <= settled*math.Abs(across) {
			break
		}
		bent := root.TMul(at.W).Mul(*root)
		e1 := slope.Unit()
		e2 := u.Cross(e1)
		a, b, c := e1.Dot(bent.Apply(e1))-across, e1.Dot(bent.Apply(e2)), e2.Dot(bent.Apply(e2))-across
		step := e1.Scale(-most)
		if det := a*c - b*b; a > 0 && det > 0 {
			s := slope.Norm() / det
			step = e1.Scale(-c*s).AddScaled(b*s, e2)
			if size := step.Norm(); size > most {
				step = step.Scale(most / size)
			}
		}
		next := u.Add(step).Unit()
		there, in := wall.At(x.Add(root.Apply(next)), &hint)
		if !in || there.D > at.D {
			if most = min(most, step.Norm()) / 4; most < settled {
				break
			}
			continue
		}
		u, at, most = next, there, min(farthest, 2*most)
	}
	return at, u, true
}

// checkSurfaces refuses a body that is inside a surface by more than the error of its distance.
func (w *Walls) checkSurfaces(x spatial.Vec, hull *Hull) error {
	const allowed = 0.01 // of the half-width; it is pushed out
	var buffer [maxTouches]contact
	for k := range w.surfaces {
		points := w.points(&buffer, w.fixed()+k, x, hull)
		if len(points) == 0 {
			continue
		}
		gap := points[0].gap + w.roughness
		if b := hull.HalfWidth(points[0].normal); gap < -allowed*b || gap < 0 && b == 0 {
			if why := w.surfaces[k].Shape.ExplainSide(x, "the body", w.surfaces[k].Name); why != "" {
				return fmt.Errorf("stokes: %s (with its reference point at (%.6g, %.6g, %.6g) m it is %.3g m deep, allowed: at most %.3g m)", why, x.X, x.Y, x.Z, -gap, allowed*b)
			}
			where := "inside " + w.surfaces[k].Name
			if w.surfaces[k].Shape.IsLumen() {
				where = "not inside " + w.surfaces[k].Name + " but in its wall"
			}
			return fmt.Errorf("stokes: the body with its reference point at (%.6g, %.6g, %.6g) m is %s: it is %.3g m deep, allowed: at most %.3g m; move the body or the shape, or make room for it",
				x.X, x.Y, x.Z, where, -gap, allowed*b)
		}
	}
	return nil
}

// Touch is a point of a body that presses on a wall.
type Touch struct {
	Wall   int         // number of the surface; negative: a plane or a cylinder
	Gap    float64     // m; negative where the body is in the wall
	Push   float64     // of the wall on the body, N where the mobility is one
	Arm    spatial.Vec // from the body's reference point, world axes, m
	Normal spatial.Vec // from the wall to the body, unit
}

// Touches appends to dst the points at which walls have to push so that the motion t (world
// axes) of the body at x brings no point nearer within h seconds than by its gap.
func (w *Walls) Touches(dst []Touch, x spatial.Vec, hull *Hull, m *Mobility, t spatial.Twist, h float64) []Touch {
	var buffer [maxContacts]contact
	pressing := w.near(buffer[:0], x, hull, m, math.Inf(1))
	react(pressing, m, t, h)
	for i := range pressing {
		if c := &pressing[i]; c.push > 0 {
			dst = append(dst, Touch{Wall: c.wall - w.fixed(), Gap: c.gap, Push: c.push, Arm: c.arm, Normal: c.normal})
		}
	}
	return dst
}

// appendBetween appends to dst the point of a hull at x that is nearest to wall i, a surface, unless it
// is at a corner: on an edge or a face that lies on a ball. Along one segment after the other, and on
// the ellipsoid, it descends from the middle.
func (w *Walls) appendBetween(dst []contact, i int, x spatial.Vec, hull *Hull) []contact {
	const (
		rounds   = 20
		halvings = 20
		settled  = 1e-7 // change of a share
	)
	wall := &w.surfaces[i-w.fixed()].Shape
	var hint shape.Hint
	var share [3]float64 // of each segment, from −1 to 1
	// place returns what the surface is to the point of the hull at the shares, and that point
	place := func() (at shape.Place, arm spatial.Vec, ok bool) {
		for j := range hull.Sweeps {
			arm = arm.AddScaled(share[j], hull.Edges[j])
		}
		at, ok = wall.At(x.Add(arm), &hint)
		center := arm
		for range 3 { // the normal changes on the way to the surface of the ellipsoid
			b := halfWidth(&hull.Ellipsoid, at.N)
			if !ok || b == 0 {
				break
			}
			arm = center.AddScaled(-1/b, hull.Ellipsoid.Apply(at.N))
			at, ok = wall.At(x.Add(arm), &hint)
		}
		return at, arm, ok
	}
	at, arm, ok := place()
	if !ok || at.D > hull.Bound() {
		return dst
	}
	for range rounds {
		moved := 0.0
		for j := range hull.Sweeps {
			e, from := hull.Edges[j], share[j]
			slope, bend := e.Dot(at.N), e.Dot(at.W.Apply(e))
			to := math.Copysign(1, -slope)
			if bend > 0 {
				to = max(-1, min(1, from-slope/bend))
			}
			for range halvings {
				share[j] = to
				there, on, in := place()
				if in && there.D < at.D {
					at, arm, moved = there, on, max(moved, math.Abs(to-from))
					break
				}
				share[j] = from
				if to = (to + from) / 2; math.Abs(to-from) < settled {
					break
				}
			}
		}
		if moved < settled {
			break
		}
	}
	between := false
	for j := range hull.Sweeps {
		between = between || math.Abs(share[j]) < 1
	}
	length := at.N.Norm()
	if !between || length == 0 {
		return dst
	}
	return append(dst, contact{wall: i, place: -1, normal: at.N.Scale(1 / length), arm: arm, gap: at.D - w.roughness})
}
