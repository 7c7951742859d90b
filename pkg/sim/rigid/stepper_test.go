package rigid_test

import (
	"math"
	"strings"
	"testing"

	"sinew/pkg/sim/integrate"
	"sinew/pkg/sim/rigid"
	"sinew/pkg/sim/spatial"
)

// Every name gives the method that it names.
func TestNewStepper(t *testing.T) {
	const h, n = 1e-4, 20
	s := rigid.Top(t, spatial.Vec{})
	cases := map[rigid.Options]integrate.Stepper{
		{Method: rigid.LieEuler}:    integrate.NewLieEuler(s),
		{Method: rigid.RKMK4}:       integrate.NewRKMK4(s),
		{Method: rigid.CG4}:         integrate.NewCG4(&integrate.CG4, s),
		{Method: rigid.CG4Rational}: integrate.NewCG4(&integrate.CG4Rational, s),
		{Method: rigid.Splitting}:   integrate.NewSplitting(s),
		{Method: rigid.Trapezoidal, Parametrization: rigid.QuaternionCoordinates}:                           integrate.NewTrapezoidal(rigid.NewEulerParameters(s.Body, s.Loads, spatial.Vec{})),
		{Method: rigid.Trapezoidal, Parametrization: rigid.TaitBryanXYZ}:                                    integrate.NewTrapezoidal(rigid.NewTaitBryan(s.Body, s.Loads, spatial.Vec{})),
		{Method: rigid.Trapezoidal, Parametrization: rigid.RotationVectorXYZ}:                               integrate.NewTrapezoidal(rigid.NewRotationVector(s.Body, s.Loads, spatial.Vec{})),
		{Method: rigid.GeneralizedAlpha, Parametrization: rigid.QuaternionCoordinates, SpectralRadius: 0.9}: rigid.Alpha(rigid.NewEulerParameters(s.Body, s.Loads, spatial.Vec{})),
		{Method: rigid.GeneralizedAlpha, Parametrization: rigid.TaitBryanXYZ, SpectralRadius: 0.9}:          rigid.Alpha(rigid.NewTaitBryan(s.Body, s.Loads, spatial.Vec{})),
		{Method: rigid.GeneralizedAlpha, Parametrization: rigid.RotationVectorXYZ, SpectralRadius: 0.9}:     rigid.Alpha(rigid.Inertial[*rigid.Constant]{Body: s.Body, Loads: s.Loads}),
	}
	ends := map[integrate.Motion]rigid.Options{}
	for o, want := range cases {
		m, err := rigid.NewStepper(o, s.Body, s.Loads, spatial.Vec{})
		if err != nil {
			t.Errorf("%+v: %v", o, err)
			continue
		}
		got := rigid.March(t, m, h, n, rigid.TopMotion(spatial.Vec{}))
		if got != rigid.March(t, want, h, n, rigid.TopMotion(spatial.Vec{})) {
			t.Errorf("%+v is another method", o)
		}
		if other, seen := ends[got]; seen {
			t.Errorf("%+v and %+v are the same method", o, other)
		}
		ends[got] = o
	}
}

func TestNewStepperRefuses(t *testing.T) {
	s := rigid.Top(t, spatial.Vec{})
	for want, o := range map[string]rigid.Options{
		`method "rk4"; allowed: lie-euler`:                        {Method: "rk4"},
		`parametrization "euler"; allowed: quaternion`:            {Method: rigid.Trapezoidal, Parametrization: "euler"},
		"spectral radius 1.5: must be from 0 to 1":                {Method: rigid.GeneralizedAlpha, Parametrization: rigid.TaitBryanXYZ, SpectralRadius: 1.5},
		`parametrization ""; allowed: quaternion, tait-bryan-xyz`: {Method: rigid.GeneralizedAlpha},
	} {
		if _, err := rigid.NewStepper(o, s.Body, s.Loads, spatial.Vec{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: %v, want %q", o, err, want)
		}
	}
}

// A ball decays at 6πμa/m and, on a pivot at distance l, at l² of that over its inertia
// there. Methods of order 4 are stable just below 2.7 of the inverse rate, and not at 3.
func TestDecayRate(t *testing.T) {
	const mass, drag, arm, j = 2.0, 30.0, 0.5, 0.2
	p := rigid.Diagonal(mass, [3]float64{j, j, j})
	d := spatial.Blocks6(spatial.Diag3(spatial.Vec{X: drag, Y: drag, Z: drag}), spatial.Mat3{}, spatial.Mat3{}, spatial.Mat3{})
	rigid.Near(t, "free", rigid.MustBody(t, p).DecayRate(&d), drag/mass, 1e-12)
	p.Pivot = &spatial.Vec{X: arm}
	b := rigid.MustBody(t, p)
	rate := b.DecayRate(&d)
	rigid.Near(t, "pivoted", rate, drag*arm*arm/(j+mass*arm*arm), 1e-12)

	s := rigid.System[viscous]{b, viscous{rigid.Constant{Body: b}, d}}
	for _, c := range []struct {
		share  float64
		stable bool
	}{{2.7, true}, {3, false}} {
		x := b.Hold(rigid.Spinning([3]float64{0, 0.1, 0}), spatial.Vec{})
		x = rigid.March(t, integrate.NewRKMK4(s), c.share/rate, 100, x)
		if w := x.V.Angular.Norm(); (w < 0.1) != c.stable || math.IsNaN(w) {
			t.Errorf("step %g of the decay time: ω = %.3g from 0.1", c.share, w)
		}
	}
}
