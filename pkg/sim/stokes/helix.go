package stokes

import (
	"errors"
	"fmt"
	"math"

	"sinew/pkg/sim/spatial"
)

// Coil is a wire of circular section wound around the body x axis, its reference
// point on the axis in the middle. At the middle the wire passes the y axis.
type Coil struct {
	Length     float64 // along the axis, m
	Radius     float64 // from the axis to the middle of the wire, m
	Pitch      float64 // advance per turn, m
	WireRadius float64 // m
	LeftHanded bool    // a right-handed coil swims along its angular velocity
}

// Helix returns the shape of the coil, its resistance by slender-body theory with
// translation, rotation, their coupling and the loads of straining flow.
//
// The forces along the wire's centreline satisfy ∫ K(p(s)−p(s')) f(s') ds' = u(s)
// with the Rotne-Prager-Yamakawa kernel K of spheres of radius (e^{3/2}/4) × the
// wire's, which makes it equal to Lighthill's and Johnson's slender-body theories
// to their order, and symmetric positive definite where theirs are ill-posed for
// short waves (Maxian, Mogilner and Donev, Phys. Rev. Fluids 6 (2021) 014102). The
// turning of the wire about its own tangent is added, 4πη r² per length. In axes
// that turn with the helix the kernel depends on s − s' alone: the equations are
// block Toeplitz, and cost n² instead of n³ operations.
//
// Numerically the result is good to 0.2 % along the axis, and to 0.5 % across it for
// coils of two turns. As a model, slender-body theory leaves out terms of the order
// of the square of the wire radius over the coil radius and over the distance
// between turns, and the form of the wire's ends. For a wire of 1/16 of the coil
// radius, its variants differ by 0.4 % in drag and torque and by 1 % in the small
// difference of drags that the coupling is, and the leading term left out, from the
// fluid that spins about the wire, is 0.4 to 2.2 % of the coupling. A straight wire of
// 40 radii is 3 % high in drag and 5 % in tumbling. Nothing is claimed above 1/2 of
// the coil radius.
func Helix(c Coil) (Shape, error) {
	if err := c.check(); err != nil {
		return Shape{}, err
	}
	w := c.wire()
	if longest := coarse * w.radius * maxPoints; w.length > longest {
		return Shape{}, fmt.Errorf("stokes: the wire of the helix is %.4g m long, %.4g wire radii; it must be at most %.4g m", w.length, w.length/c.WireRadius, longest)
	}
	loads := w.solve()
	s := Shape{
		Resistance: Resistance{
			Trans:    symmetric(spatial.FromColumns(loads[0].Force, loads[1].Force, loads[2].Force)),
			Coupling: spatial.FromColumns(loads[3].Force, loads[4].Force, loads[5].Force),
			Rot:      symmetric(spatial.FromColumns(loads[3].Moment, loads[4].Moment, loads[5].Moment)),
		},
		Strain: StrainMap{
			LinearNormal:  spatial.FromColumns(loads[6].Force, loads[7].Force, loads[8].Force),
			LinearShear:   spatial.FromColumns(loads[9].Force, loads[10].Force, loads[11].Force),
			AngularNormal: spatial.FromColumns(loads[6].Moment, loads[7].Moment, loads[8].Moment),
			AngularShear:  spatial.FromColumns(loads[9].Moment, loads[10].Moment, loads[11].Moment),
		},
	}
	s.Resistance.Rot = s.Resistance.Rot.Add(w.spin())
	w.measure(&s)
	return s, nil
}

// The step of the quadrature is fine × the kernel's radius, or as near to it as
// maxPoints allow, which keep the time to build a helix well below a second, but
// not above coarse. From fine to coarse, drag and torque of long coils change by
// 0.1 %.
const (
	fine      = 0.5
	coarse    = 1.0
	maxPoints = 1500
)

func (c *Coil) check() error {
	err := errors.Join(
		checkPositive("length", c.Length, "m"),
		checkPositive("radius", c.Radius, "m"),
		checkPositive("pitch", c.Pitch, "m"),
		checkPositive("wire radius", c.WireRadius, "m"),
	)
	if err != nil {
		return err
	}
	if c.WireRadius > 0.5*c.Radius {
		return fmt.Errorf("stokes: wire radius %g m is above half the helix radius %g m, where slender-body theory says nothing", c.WireRadius, c.Radius)
	}
	// the distance between turns, across the wire
	tan := 2 * math.Pi * c.Radius / c.Pitch
	if gap := c.Pitch / math.Hypot(1, 1/tan); gap < 2*c.WireRadius {
		return fmt.Errorf("stokes: the turns of the helix overlap: pitch %g m leaves %g m between them, the wire is %g m thick", c.Pitch, gap, 2*c.WireRadius)
	}
	return nil
}

// wire is the discretised centreline: n points, each in the middle of a step of
// arc length, in units of the coil.
type wire struct {
	Coil
	length  float64 // of the wire, m
	n       int
	step    float64 // arc length per point, m
	advance float64 // along x per point, m
	turn    float64 // about x per point, rad
	radius  float64 // of the kernel's spheres, m
}

func (c *Coil) wire() wire {
	w := wire{Coil: *c, radius: math.Exp(1.5) / 4 * c.WireRadius}
	w.length = c.Length * math.Hypot(1, 2*math.Pi*c.Radius/c.Pitch)
	w.n = min(max(3, int(math.Ceil(w.length/(fine*w.radius)))), maxPoints)
	w.step = w.length / float64(w.n)
	w.advance = c.Length / float64(w.n)
	w.turn = 2 * math.Pi * w.advance / c.Pitch
	if c.LeftHanded {
		w.turn = -w.turn
	}
	return w
}

// point returns the centreline point i (m) and the rotation about x that takes
// the axes at the middle to those that turn with the helix there.
func (w *wire) point(i int) (p spatial.Vec, a spatial.Mat3) {
	k := float64(i) - 0.5*float64(w.n-1)
	sin, cos := math.Sincos(k * w.turn)
	a = spatial.Mat3{XX: 1, YY: cos, YZ: -sin, ZY: sin, ZZ: cos}
	return spatial.Vec{X: k * w.advance, Y: w.Radius * cos, Z: w.Radius * sin}, a
}

// tangent returns the unit tangent in the turning axes, the same everywhere.
func (w *wire) tangent() spatial.Vec {
	return spatial.Vec{X: w.advance, Z: w.Radius * w.turn}.Unit()
}

// spin returns the resistance (m³) to the turning of the wire about its tangent.
func (w *wire) spin() (r spatial.Mat3) {
	t := w.tangent()
	for i := range w.n {
		_, a := w.point(i)
		e := a.Apply(t)
		r = r.Add(spatial.Outer(e, e))
	}
	return r.Scale(4 * math.Pi * w.WireRadius * w.WireRadius * w.step)
}

// measure fills in volume, and for contact the ellipsoid as wide as the coil along
// its axes.
func (w *wire) measure(s *Shape) {
	area := math.Pi * w.WireRadius * w.WireRadius
	s.Volume = area * w.length
	across := spatial.Identity3().Sub(spatial.Outer(w.tangent(), w.tangent()))
	for i := range w.n {
		p, a := w.point(i)
		s.Centroid = s.Centroid.AddScaled(1/float64(w.n), p)
		// of the point, and of the disk of wire around it
		disk := a.Mul(across).MulT(a).Scale(0.25 * w.WireRadius * w.WireRadius)
		s.Second = s.Second.Add(spatial.Outer(p, p)).Add(disk)
	}
	s.Second = s.Second.Scale(s.Volume / float64(w.n))
	half := 0.5*w.Length + w.WireRadius
	outer := w.Radius + w.WireRadius
	s.Hull.Ellipsoid = spatial.Diag3(spatial.Vec{X: half * half, Y: outer * outer, Z: outer * outer})
}
