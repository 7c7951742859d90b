package shape

import (
	"math"

	"gonum.org/v1/gonum/interp"

	"sinew/pkg/sim/shape/mesh"
	"sinew/pkg/sim/spatial"
)

// rim is the rounded edge of an open end: a torus at a tube, at a mesh a tube of radius lipRadius
// around a closed cubic spline. The circle or spline in its middle is the ring. The
// lip of the end is the quarter of its surface that faces the way out of the bore; the rest is
// within the wall or behind the lip.
type rim struct {
	center    spatial.Vec // of the ring, m
	axis      spatial.Vec // unit, out of the bore
	radius    float64     // of the ring: of a spline, the least distance of its points from the axis, m
	height    float64     // bound of the distance of the ring from the plane through its centre, m
	lipRadius float64     // m

	// Of a spline: its segments, and by sector of the angle about the axis, the segment at which the
	// search begins.
	segments    []segment
	first       []int
	sectorStart spatial.Vec // unit: the direction in which the first sector begins
}

// Rim is the rounded edge of an open end of a tube or mesh, as a shape of its own.
type Rim struct{ Shape }

// Rims returns the rims of the open ends of a tube or mesh, at the pose of s. Other shapes have none.
func (s *Shape) Rims() (all []Rim) {
	add := func(r *rim) {
		all = append(all, Rim{Shape{kind: rimKind, pose: s.pose, moved: s.moved, rim: r}})
	}
	switch {
	case s.kind == tubeKind && !s.tube.closed:
		for i := range s.tube.ends {
			e := &s.tube.ends[i]
			add(&rim{center: e.center.AddScaled(e.height, e.out), axis: e.out, radius: e.ring, lipRadius: e.lip})
		}
	case s.kind == meshKind:
		for i := range s.mesh.Rims() {
			add(newMeshRim(s.mesh, &s.mesh.Rims()[i]))
		}
	}
	return all
}

// Opening returns the radius (m) of the largest ball that passes through the rim.
func (r *Rim) Opening() float64 { return r.rim.radius - r.rim.lipRadius }

// Moved returns the rim at another pose.
func (r *Rim) Moved(to spatial.Pose) Rim { return Rim{r.Shape.Moved(to)} }

// HeightAbove returns by how much p is beyond the plane of the ring, out of the bore, m.
func (r *Rim) HeightAbove(p spatial.Vec) float64 {
	if r.moved {
		p = r.pose.R.ApplyT(p.Sub(r.pose.P))
	}
	return p.Sub(r.rim.center).Dot(r.rim.axis)
}

// Clearance returns a lower bound of the distance of all points of the convex hull of the corners from
// the rim, m.
func (r *Rim) Clearance(corners *[4]spatial.Vec) float64 {
	ring := r.rim
	center, axis := ring.center, ring.axis
	if r.moved {
		center, axis = r.pose.Apply(center), r.pose.R.Apply(axis)
	}
	lowest, highest, farthest2 := math.Inf(1), math.Inf(-1), 0.0
	for _, p := range corners {
		q := p.Sub(center)
		z := q.Dot(axis)
		lowest, highest, farthest2 = min(lowest, z), max(highest, z), max(farthest2, q.Norm2()-z*z)
	}
	return max(lowest-ring.height, -highest-ring.height, ring.radius-math.Sqrt(farthest2)) - ring.lipRadius
}

// IsBehind reports whether p, where the rim has the normal n, is on the side of the rim that
// faces away from the opening. A tube has no wall there outside, as it is a bore through a solid.
func (r *Rim) IsBehind(p, n spatial.Vec) bool {
	if r.moved {
		p, n = r.pose.R.ApplyT(p.Sub(r.pose.P)), r.pose.R.ApplyT(n)
	}
	q := p.Sub(r.rim.center)
	return n.Dot(q.AddScaled(-q.Dot(r.rim.axis), r.rim.axis)) >= 0
}

// at returns distance, normal and Hessian of the rim at p. Of several nearest points of the ring, as on
// the axis of a circle, it uses one.
func (r *rim) at(p spatial.Vec) Place {
	if r.segments != nil {
		return r.splineAt(p)
	}
	q := p.Sub(r.center)
	z := q.Dot(r.axis)
	side := q.AddScaled(-z, r.axis)
	rho := side.Norm()
	around := 0.0 // curvature around the axis, 1/m
	dr := rho - r.radius
	dist := math.Hypot(z, dr)
	if rho > singularDistance*r.radius {
		side = side.Scale(1 / rho)
		around = dr / (dist * rho)
	} else {
		side = r.axis.Perpendicular()
	}
	at := Place{D: dist - r.lipRadius}
	if dist < singularDistance*r.radius { // on the ring, deep within the wall
		at.N = side.Neg()
		return at
	}
	at.N = r.axis.Scale(z/dist).AddScaled(dr/dist, side)
	addSquare(&at.W, r.axis.Scale(-dr/dist).AddScaled(z/dist, side), 1/dist)
	addSquare(&at.W, r.axis.Cross(side), around)
	return at
}

// rimSectors is the number of sectors of the angle about the axis of a spline: the search begins within
// 6° of the direction of a point.
const rimSectors = 64

// newMeshRim fits the spline to the ring of a mesh, and then to its distance field: the smooth
// surface of the field is off the corners of the triangles by up to a hundredth of the lip.
func newMeshRim(f *mesh.Field, m *mesh.Rim) *rim {
	n := len(m.Ring)
	r := &rim{axis: m.Axis, lipRadius: m.Lip, radius: math.Inf(1), sectorStart: m.Axis.Perpendicular()}
	for _, p := range m.Ring {
		r.center = r.center.AddScaled(1/float64(n), p)
	}
	knots := r.fitTo(f, newClosedCurve(m.Ring))
	for _, p := range knots {
		q := p.Sub(r.center)
		r.radius = min(r.radius, q.AddScaled(-q.Dot(r.axis), r.axis).Norm())
		r.height = max(r.height, math.Abs(q.Dot(r.axis)))
	}
	r.segments = newClosedCurve(knots)
	up := r.axis.Cross(r.sectorStart)
	for i := range rimSectors {
		sin, cos := math.Sincos(2 * math.Pi * (float64(i) + 0.5) / rimSectors)
		toward := r.sectorStart.Scale(cos).AddScaled(sin, up)
		nearest, best := math.Inf(1), 0
		for k, p := range knots {
			if d := p.Sub(r.center.AddScaled(r.radius, toward)).Norm2(); d < nearest {
				nearest, best = d, k
			}
		}
		r.first = append(r.first, best)
	}
	return r
}

// fitTo returns points of the ring for which the lip fits the surface of the field best: each starts on
// the curve and moves in the plane of the axis, by least squares of the distances at some latitudes of
// the lip.
func (r *rim) fitTo(f *mesh.Field, curve []segment) (knots []spatial.Vec) {
	const (
		perSegment = 3 // points, since through the corners alone the spline is four times as far from the field
		iterations = 4
	)
	latitudes := [...]float64{0.05, 0.2, 0.4, 0.6, 0.9, 1.2} // rad
	for i := range curve {
		for k := range perSegment {
			q := curve[i].eval(curve[i].span * float64(k) / perSegment).c
			out := q.Sub(r.center)
			out = out.AddScaled(-out.Dot(r.axis), r.axis).Unit()
			for range iterations {
				var aa, ab, bb, a, b float64
				for _, latitude := range latitudes {
					sin, cos := math.Sincos(latitude)
					var distance float64
					var normal spatial.Vec
					var hessian spatial.Mat3
					if !f.At(q.AddScaled(-r.lipRadius*cos, out).AddScaled(r.lipRadius*sin, r.axis), &distance, &normal, &hessian) {
						continue
					}
					x, y := normal.Dot(out), normal.Dot(r.axis)
					aa, ab, bb, a, b = aa+x*x, ab+x*y, bb+y*y, a-distance*x, b-distance*y
				}
				if det := aa*bb - ab*ab; det > 0 {
					q = q.AddScaled((bb*a-ab*b)/det, out).AddScaled((aa*b-ab*a)/det, r.axis)
				}
			}
			knots = append(knots, q)
		}
	}
	return knots
}

// newClosedCurve fits a cubic spline through the points and back to the first one. It is that of
// the points repeated on both sides, whose ends matter by 1e-5 at the repeated points.
func newClosedCurve(points []spatial.Vec) []segment {
	const repeated = 8
	n := len(points)
	t, values := make([]float64, n+2*repeated+1), [3][]float64{}
	for i := range values {
		values[i] = make([]float64, len(t))
	}
	for i := range t {
		p := points[((i-repeated)%n+n)%n]
		if i > 0 {
			t[i] = t[i-1] + p.Sub(points[((i-repeated-1)%n+n)%n]).Norm()
		}
		values[0][i], values[1][i], values[2][i] = p.X, p.Y, p.Z
	}
	var slopes [3][]float64
	for i := range slopes {
		slopes[i] = fit(&interp.NaturalCubic{}, t, values[i])
	}
	all := make([]segment, n)
	for i := range all {
		s, a, b := &all[i], i+repeated, i+repeated+1
		s.span = t[b] - t[a]
		next := repeated + (i+1)%n
		var c [3][4]float64
		for k := range c {
			c[k] = hermite(s.span, values[k][a], values[k][b], slopes[k][a], slopes[k][next])
		}
		for k := range s.center {
			s.center[k] = spatial.Vec{X: c[0][k], Y: c[1][k], Z: c[2][k]}
		}
	}
	return all
}

// splineAt is at for a spline. It finds the nearest point of the ring by Newton's method, which starts at
// the first segment of the sector of p.
func (r *rim) splineAt(p spatial.Vec) (at Place) {
	const (
		iterations = 20
		tolerance  = 1e-9 // of an increment over the span; the error left is its square
		flattest   = 0.05 // least second derivative over that beside a straight line
	)
	q := p.Sub(r.center)
	angle := math.Atan2(q.Dot(r.axis.Cross(r.sectorStart)), q.Dot(r.sectorStart)) / (2 * math.Pi)
	i := r.first[int((angle+1)*rimSectors)%rimSectors]
	t := 0.0
	var on frame
	for range iterations {
		s := &r.segments[i]
		on = s.eval(t)
		q = p.Sub(on.c)
		flat := on.c1.Norm2()
		step := q.Dot(on.c1) / max(flat-q.Dot(on.c2), flattest*flat)
		if math.Abs(step) <= tolerance*s.span {
			break
		}
		t, i = r.along(i, t+max(-s.span, min(s.span, step)))
	}
	dist := q.Norm()
	at.D = dist - r.lipRadius
	if dist < singularDistance*r.radius {
		at.N = r.axis
		return at
	}
	at.N = q.Scale(1 / dist)
	at.W = across(at.N, 1/dist)
	flat := on.c1.Norm2()
	addSquare(&at.W, on.c1, -1/(dist*max(flat-q.Dot(on.c2), flattest*flat)))
	return at
}

// along returns the parameter t of segment i, which may be beyond its ends by less than its span,
// as that of a segment which it is in.
func (r *rim) along(i int, t float64) (float64, int) {
	n := len(r.segments)
	switch span := r.segments[i].span; {
	case t < 0:
		i = (i + n - 1) % n
		return max(0, t+r.segments[i].span), i
	case t > span:
		i = (i + 1) % n
		return min(t-span, r.segments[i].span), i
	}
	return t, i
}
