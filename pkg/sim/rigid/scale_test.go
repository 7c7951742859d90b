package rigid_test

import (
	"math"
	"testing"

	"sinew/pkg/sim/integrate"
	"sinew/pkg/sim/rigid"
	"sinew/pkg/sim/spatial"
)

// scaled is the body p with lengths s times as long, of the same density.
func scaled(p rigid.Params, s float64) rigid.Params {
	p.Mass *= s * s * s
	for i := range p.Inertia {
		p.Inertia[i] *= math.Pow(s, 5)
	}
	p.COM = p.COM.Scale(s)
	if p.Pivot != nil {
		pivot := p.Pivot.Scale(s)
		p.Pivot = &pivot
	}
	return p
}

// A body a million times smaller, or a thousand times larger, moves as its model does,
// gravity and lengths being scaled: no method has a length or a mass built in.
func TestScale(t *testing.T) {
	const h, n, tolerance = 1e-3, 100, 1e-9
	for _, pivot := range []*spatial.Vec{nil, {X: 0.1, Y: -0.2, Z: 0.15}} {
		p := rigid.Asymmetric()
		p.Pivot = pivot
		for _, o := range []rigid.Options{
			{Method: rigid.CG4}, {Method: rigid.RKMK4}, {Method: rigid.Splitting},
			{Method: rigid.GeneralizedAlpha, Parametrization: rigid.QuaternionCoordinates, SpectralRadius: 0.9},
			{Method: rigid.GeneralizedAlpha, Parametrization: rigid.TaitBryanXYZ, SpectralRadius: 0.9},
			{Method: rigid.GeneralizedAlpha, Parametrization: rigid.RotationVectorXYZ, SpectralRadius: 0.9},
			{Method: rigid.Trapezoidal, Parametrization: rigid.QuaternionCoordinates},
			{Method: rigid.Trapezoidal, Parametrization: rigid.TaitBryanXYZ},
			{Method: rigid.Trapezoidal, Parametrization: rigid.RotationVectorXYZ},
		} {
			var want integrate.Motion
			for i, s := range []float64{1, 1e-6, 1e3} {
				b := rigid.MustBody(t, scaled(p, s))
				x := rigid.Tumble()
				x.P, x.V.Linear = x.P.Scale(s), x.V.Linear.Scale(s)
				anchor := spatial.Vec{X: 1, Y: 2, Z: 3}.Scale(s)
				x = b.Hold(x, anchor)
				o.AbsTol = 1e-12 * math.Min(s, 1)
				m, err := rigid.NewStepper(o, b, &rigid.Constant{Body: b, Gravity: spatial.Vec{Z: -9.81 * s}}, anchor)
				if err != nil {
					t.Fatal(err)
				}
				x = rigid.March(t, m, h, n, x)
				x.P, x.V.Linear = x.P.Scale(1/s), x.V.Linear.Scale(1/s)
				if i == 0 {
					want = x
				} else if d := off(x, want); !(d <= tolerance) {
					t.Errorf("%s %s, pivot %v, scale %g: off by %.2g", o.Method, o.Parametrization, pivot != nil, s, d)
				}
			}
		}
	}
}
