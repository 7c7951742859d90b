package stokes

import (
	"fmt"

	"sinew/pkg/sim/spatial"
)

// Body is a shape in fluid of one viscosity, far from walls and other bodies: the
// constants of its motion, in body axes about its reference point. It is
// immutable.
type Body struct {
	Shape      Shape
	Viscosity  float64    // η, Pa s
	Resistance Resistance // η times that of the shape
	Mobility   Mobility   // its inverse
	Thermal    Factor     // L of Resistance = L Lᵀ, for Brownian motion
	drift      StrainMap  // from strain rate to the twist of the free body
}

// NewBody puts the shape into fluid of the given viscosity (Pa s), which must be
// finite and above 0: without viscosity nothing balances a load, and only a body
// with inertia moves.
func NewBody(s Shape, viscosity float64) (*Body, error) {
	if err := checkPositive("viscosity", viscosity, "Pa s"); err != nil {
		return nil, fmt.Errorf("%w: motion without inertia needs drag", err)
	}
	r := s.Resistance.Scale(viscosity)
	m, err := r.Mobility()
	if err != nil {
		return nil, err
	}
	unit, err := s.Resistance.Mobility()
	if err != nil {
		return nil, err
	}
	l, _ := r.Factor()
	return &Body{Shape: s, Viscosity: viscosity, Resistance: r, Mobility: m, Thermal: l, drift: unit.drift(&s.Strain)}, nil
}

// Advection returns the motion (body axes) of the body of attitude rot when no load
// but that of the ambient flow a at its reference point acts on it: it goes with
// the fluid, turns with half the vorticity, and what a strain rate adds. For an
// ellipsoid that is Jeffery's motion, exact.
func (b *Body) Advection(rot *spatial.Mat3, a *Ambient) spatial.Twist {
	e := rot.TMul(a.Gradient).Mul(*rot)
	v, w := b.drift.Apply(&e)
	return spatial.Twist{
		Linear:  rot.ApplyT(a.Velocity).Add(v),
		Angular: skewPart(e).Scale(0.5).Add(w),
	}
}

// Faxen returns the tensor with which Flow.At finds the velocity that drags the
// body of attitude rot, in world axes.
func (b *Body) Faxen(rot *spatial.Mat3) spatial.Mat3 {
	return rot.Mul(b.Shape.Faxen).MulT(*rot)
}

// Drag returns the load (body axes, about the reference point) that the ambient
// flow a exerts on the body of attitude rot moving with t (body axes): what the
// body needs besides inertia to move with inertia.
func (b *Body) Drag(rot *spatial.Mat3, a *Ambient, t spatial.Twist) spatial.Wrench {
	free := b.Advection(rot, a)
	return b.Resistance.Apply(spatial.Twist{
		Linear:  free.Linear.Sub(t.Linear),
		Angular: free.Angular.Sub(t.Angular),
	})
}
