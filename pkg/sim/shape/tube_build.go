package shape

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/interp"

	"sinew/pkg/sim/spatial"
)

// Limits of tubes.
const (
	mostPoints   = 5000
	mostSamples  = 100_000
	mostBend     = 0.95 // radius times curvature
	mostSlope    = 0.9  // change of radius per length
	straight     = 1e-9 // radius times curvature that is roundoff
	perPiece     = 16   // places of a piece where bend and slope are checked
	perRadius    = 2    // samples in the length of a radius, at least
	leastSpacing = 1e-4 // of neighbouring points, over the largest radius
)

// NewTube returns the bore of the given radius (m), one for all points or one for each,
// about the smooth curve through the points (m). An end is open unless closed, which closes
// both by half balls.
func NewTube(points []spatial.Vec, radius []float64, closed bool) (Shape, error) {
	if err := checkTube(points, radius); err != nil {
		return Shape{}, err
	}
	u := &tube{segments: newSegments(points, radius), closed: closed}
	if err := u.bend(); err != nil {
		return Shape{}, err
	}
	if err := u.sample(); err != nil {
		return Shape{}, err
	}
	if err := u.separate(); err != nil {
		return Shape{}, err
	}
	last := &u.segments[len(u.segments)-1]
	l0, l1 := u.segments[0].eval(0), last.eval(last.span)
	u.ends = [2]end{newEnd(&l0, -1), newEnd(&l1, 1)}
	return Shape{kind: tubeKind, pose: spatial.IdentityPose(), tube: u}, nil
}

// checkTube reports all that is wrong with the numbers alone.
func checkTube(points []spatial.Vec, radius []float64) error {
	var errs []error
	if n := len(points); n < 2 || n > mostPoints {
		errs = append(errs, fmt.Errorf("shape: tube has %d points; from 2 to %d are allowed", n, mostPoints))
	}
	if n := len(radius); n != 1 && n != len(points) {
		errs = append(errs, fmt.Errorf("shape: tube has %d radii for %d points; give one, or one for each point", n, len(points)))
	}
	largest := 0.0
	for i, r := range radius {
		errs = append(errs, checkRadius(fmt.Sprintf("radius %d of the tube", i+1), r))
		largest = max(largest, r)
	}
	for i, p := range points {
		errs = append(errs, checkPoint(fmt.Sprintf("point %d of the tube", i+1), p))
		if i > 0 && p.Sub(points[i-1]).Norm() <= leastSpacing*largest {
			errs = append(errs, fmt.Errorf("shape: points %d and %d of the tube are both at (%g, %g, %g) m; they must be more than %.3g m apart", i, i+1, p.X, p.Y, p.Z, leastSpacing*largest))
		}
	}
	return errors.Join(errs...)
}

// newSegments fits the centre line by a natural cubic spline and the radius by a monotone one,
// which nowhere leaves the range of its neighbours.
func newSegments(points []spatial.Vec, radius []float64) []segment {
	n := len(points)
	t := make([]float64, n)
	values := [4][]float64{}
	for i := range values {
		values[i] = make([]float64, n)
	}
	for i, p := range points {
		if i > 0 {
			t[i] = t[i-1] + p.Sub(points[i-1]).Norm()
		}
		values[0][i], values[1][i], values[2][i] = p.X, p.Y, p.Z
		values[3][i] = radius[min(i, len(radius)-1)]
	}
	var slopes [4][]float64
	for i := range 3 {
		slopes[i] = fit(&interp.NaturalCubic{}, t, values[i])
	}
	slopes[3] = fit(&interp.FritschButland{}, t, values[3])
	pieces := make([]segment, n-1)
	for i := range pieces {
		pc := &pieces[i]
		pc.span = t[i+1] - t[i]
		var c [4][4]float64
		for k := range c {
			c[k] = hermite(pc.span, values[k][i], values[k][i+1], slopes[k][i], slopes[k][i+1])
		}
		for k := range pc.center {
			pc.center[k] = spatial.Vec{X: c[0][k], Y: c[1][k], Z: c[2][k]}
		}
		pc.radius = c[3]
	}
	return pieces
}

// fit returns the slopes of the curve of y over t at the points.
func fit(curve interp.DerivativePredictor, t, y []float64) []float64 {
	if err := curve.(interp.Fitter).Fit(t, y); err != nil {
		panic("shape: " + err.Error()) // t increases
	}
	slopes := make([]float64, len(t))
	for i := range t {
		slopes[i] = curve.PredictDerivative(t[i])
	}
	return slopes
}

// hermite returns the coefficients of the cubic with the values y and slopes d at 0 and h.
func hermite(h, y0, y1, d0, d1 float64) [4]float64 {
	m := (y1 - y0) / h
	return [4]float64{y0, d0, (3*m - 2*d0 - d1) / h, (d0 + d1 - 2*m) / (h * h)}
}

// bend checks that the wall is a smooth surface: that the foot of a point in it moves with
// the point. It sets the curvature of the sharpest bend.
func (u *tube) bend() error {
	u.minRadius, u.certain = math.Inf(1), math.Inf(1)
	narrowest, widest := math.Inf(1), 0.0
	for i := range u.segments {
		pc := &u.segments[i]
		for k := range perPiece + 1 {
			l := pc.eval(pc.span * float64(k) / perPiece)
			narrowest, widest = min(narrowest, l.r), max(widest, l.r)
			speed := l.c1.Norm()
			where := func() string {
				return fmt.Sprintf("between its points %d and %d, at (%g, %g, %g) m", i+1, i+2, l.c.X, l.c.Y, l.c.Z)
			}
			slope := math.Abs(l.r1) / speed
			if !(slope <= mostSlope) {
				return fmt.Errorf("shape: the radius of the tube changes by %.3g m per m %s; at most %g is allowed", slope, where(), mostSlope)
			}
			// |c′|² − R′² and the largest of R″ + u·c″ over the directions u to the circle of contact
			tangent := l.c1.Scale(1 / speed)
			along := l.c2.Dot(tangent)
			side := l.c2.AddScaled(-along, tangent).Norm()
			room := speed*speed - l.r1*l.r1
			fold := l.r * (l.r2 - l.r1/speed*along + side*math.Sqrt(1-slope*slope)) / room
			if !(fold < mostBend) {
				if bent := l.r * side / (speed * speed); bent < mostBend {
					return fmt.Errorf("shape: the radius of the tube changes too abruptly %s, from %.4g m to %.4g m within %.4g m of the centre line: radius %.4g m times curvature %.4g 1/m of the wall along the tube is %.3g; it must be below %g: give more points, or radii that differ less",
						where(), pc.radius[0], pc.eval(pc.span).r, pc.span, l.r, fold/l.r, fold, mostBend)
				}
				return fmt.Errorf("shape: the tube is folded %s: radius %.4g m times curvature %.4g 1/m is %.3g; it must be below %g", where(), l.r, fold/l.r, fold, mostBend)
			}
			if fold > straight {
				u.minRadius = min(u.minRadius, l.r/fold-l.r)
			}
		}
	}
	if !math.IsInf(u.minRadius, 1) || narrowest < widest {
		u.certain = min(u.minRadius, narrowest/4)
	}
	return nil
}

// sample sets the samples, a fraction of the radius apart.
func (u *tube) sample() error {
	bound := 0.0
	for i := range u.segments {
		pc := &u.segments[i]
		l := pc.eval(0)
		n := 1
		for k := range perPiece {
			next := pc.eval(pc.span * float64(k+1) / perPiece)
			n = max(n, int(math.Ceil(perRadius*perPiece*next.c.Sub(l.c).Norm()/min(l.r, next.r))))
			l = next
		}
		if len(u.samples)+n > mostSamples {
			return fmt.Errorf("shape: the tube is more than %d radii long; make it shorter or wider", mostSamples/perRadius)
		}
		for k := range n + 1 {
			if k == n && i < len(u.segments)-1 {
				break // the next piece begins there
			}
			at := pc.span * float64(k) / float64(n)
			l := pc.eval(at)
			if m := len(u.samples); m > 0 {
				was := &u.samples[m-1]
				// an arc is longer than its chord by less than this as long as it is not folded
				bound += 1.1*l.c.Sub(was.center).Norm() + math.Abs(l.r-was.radius)
			}
			u.samples = append(u.samples, sample{l.c, l.r, bound, i, at})
		}
	}
	return nil
}

// separate checks that the tube does not run through itself: that balls more than half a
// turn apart do not overlap. Nearer ones cannot, as the tube is not folded.
func (u *tube) separate() error {
	s := u.samples
	for i := range s {
		a := &s[i]
		for j := i; ; {
			if j = u.after(j, max(s[j].bound, a.bound+1.1*math.Pi*a.radius)); j == len(s) {
				break
			}
			b := &s[j]
			gap := b.center.Sub(a.center).Norm() - a.radius - b.radius
			if b.bound-a.bound < 1.1*math.Pi*b.radius {
				continue
			}
			if gap < 0 {
				return fmt.Errorf("shape: the tube runs through itself: between its points %d and %d, at (%g, %g, %g) m, and %d and %d, at (%g, %g, %g) m, by %.3g m",
					a.piece+1, a.piece+2, a.center.X, a.center.Y, a.center.Z, b.piece+1, b.piece+2, b.center.X, b.center.Y, b.center.Z, -gap)
			}
			// Balls that are passed over are at least half the gap apart.
			u.certain = min(u.certain, gap/4)
			j = u.after(j, b.bound+gap/2) - 1
		}
	}
	return nil
}
