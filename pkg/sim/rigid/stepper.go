package rigid

import (
	"fmt"

	"gonum.org/v1/gonum/mat"

	"sinew/pkg/sim/integrate"
	"sinew/pkg/sim/spatial"
)

// Method names a method of integration, as robot files do.
type Method string

// The methods of integration.
const (
	LieEuler         Method = "lie-euler"
	RKMK4            Method = "rkmk4"
	CG4              Method = "cg4"
	CG4Rational      Method = "cg4-rational"
	Splitting        Method = "splitting"
	GeneralizedAlpha Method = "generalized-alpha"
	Trapezoidal      Method = "trapezoidal"
)

// Parametrization names the rotation coordinates of generalised-alpha and of the
// trapezoidal rule.
type Parametrization string

// The parametrizations. The rotation vector is Kynema's, in world axes, for generalised-
// alpha, and Exudyn's, in body axes, for the trapezoidal rule.
const (
	QuaternionCoordinates Parametrization = "quaternion" // Euler parameters
	TaitBryanXYZ          Parametrization = "tait-bryan-xyz"
	RotationVectorXYZ     Parametrization = "rotation-vector"
)

// Options choose a method.
type Options struct {
	Method Method
	// Parametrization and the fields below are for GeneralizedAlpha and Trapezoidal.
	Parametrization Parametrization
	SpectralRadius  float64 // spectral radius of generalised-alpha, from 0 to 1
	// AbsTol is the tolerance of increments (m, rad) and multipliers (N); 0 takes the
	// default of package integrate. A body of micrometres needs less.
	AbsTol float64
	// StiffDrag starts the method for drag that stops the body within a step.
	StiffDrag bool
}

// NewStepper returns the method of o for the body b under loads, its pivot, if any, held
// at the world point anchor. It fails on names or numbers that are not allowed.
func NewStepper[L Loads](o Options, b *Body, loads L, anchor spatial.Vec) (integrate.Stepper, error) {
	s := System[L]{b, loads}
	switch o.Method {
	case LieEuler:
		return integrate.NewLieEuler(s), nil
	case RKMK4:
		return integrate.NewRKMK4(s), nil
	case CG4:
		return integrate.NewCG4(&integrate.CG4, s), nil
	case CG4Rational:
		return integrate.NewCG4(&integrate.CG4Rational, s), nil
	case Splitting:
		return integrate.NewSplitting(s), nil
	case GeneralizedAlpha, Trapezoidal:
		return newNewmark(o, b, loads, anchor)
	}
	return nil, fmt.Errorf("rigid: method %q; allowed: %s, %s, %s, %s, %s, %s, %s",
		o.Method, LieEuler, RKMK4, CG4, CG4Rational, Splitting, GeneralizedAlpha, Trapezoidal)
}

func newNewmark[L Loads](o Options, b *Body, loads L, anchor spatial.Vec) (integrate.Stepper, error) {
	switch o.Parametrization {
	case QuaternionCoordinates:
		return newmark(o, NewEulerParameters(b, loads, anchor))
	case TaitBryanXYZ:
		return newmark(o, NewTaitBryan(b, loads, anchor))
	case RotationVectorXYZ:
		if o.Method == Trapezoidal {
			return newmark(o, NewRotationVector(b, loads, anchor))
		}
		return newmark(o, Inertial[L]{Body: b, Loads: loads, Anchor: anchor})
	}
	return nil, fmt.Errorf("rigid: parametrization %q; allowed: %s, %s, %s",
		o.Parametrization, QuaternionCoordinates, TaitBryanXYZ, RotationVectorXYZ)
}

func newmark[S integrate.Constrained](o Options, s S) (integrate.Stepper, error) {
	m := integrate.NewTrapezoidal(s)
	if o.Method == GeneralizedAlpha {
		var err error
		if m, err = integrate.NewGeneralizedAlpha(s, o.SpectralRadius); err != nil {
			return nil, err
		}
	}
	if o.AbsTol > 0 {
		m.AbsTol = o.AbsTol
	}
	if o.StiffDrag {
		m.Start = integrate.DampedStart
	}
	return m, nil
}

// DecayRate returns the largest rate (1/s) at which the linear resistance d, in body axes
// about the reference point, slows the body: the largest eigenvalue of M⁻¹ d, or of the
// rotation about the pivot. Explicit methods of order 4 need steps below 2.7 of its
// inverse, and splitting below 2. It allocates: it is for setting up.
func (b *Body) DecayRate(d *spatial.Mat6) float64 {
	n := 6
	if b.pivoted {
		n = 3
	}
	a := mat.NewDense(n, n, nil)
	for j := range n {
		// what the resistance to a unit velocity of the body does to its acceleration
		var u spatial.Vec6
		u[6-n+j] = 1
		if b.pivoted {
			w := u.Angular()
			u = spatial.Vec6Of(b.pivot.Cross(w), w)
		}
		f := d.Apply(&u)
		rest := b.Acceleration(spatial.Twist{}, spatial.Wrench{Force: f.Linear(), Moment: f.Angular()})
		y := spatial.Vec6Of(rest.Linear, rest.Angular)
		for i := range n {
			a.Set(i, j, y[6-n+i])
		}
	}
	var e mat.Eigen
	if !e.Factorize(a, mat.EigenNone) {
		return mat.Norm(a, 2)
	}
	rate := 0.0
	for _, l := range e.Values(nil) {
		rate = max(rate, real(l))
	}
	return rate
}
