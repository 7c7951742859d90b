package integrate

import (
	"testing"

	"sinew/pkg/sim/spatial"
)

// screws are motions of all magnitudes, with independent directions.
func screws() (all []spatial.Twist) {
	u, v := spatial.Vec{X: 0.6, Y: -0.64, Z: 0.48}, spatial.Vec{X: -0.3, Y: 1.1, Z: 0.7}
	for _, a := range []float64{0, 1e-200, 1e-9, 0.01, 0.1, 0.1414, 0.1415, 0.3, 1, 3} {
		all = append(all, spatial.Twist{Linear: v, Angular: u.Scale(a)})
	}
	return all
}

// screwMotion equals the exponential map of package spatial.
func TestScrewMotion(t *testing.T) {
	x := Placement{Q: spatial.ExpQuat(spatial.Vec{X: 0.3, Y: 0.1, Z: -0.2}), P: spatial.Vec{X: 1, Y: 2, Z: 3}}
	for _, xi := range screws() {
		want := spatial.Pose{R: x.Q.Rot(), P: x.P}.Mul(spatial.Exp(xi))
		got := x.screwMotion(xi.Linear, xi.Angular)
		if d := distance(got, Placement{Q: want.R.Quat(), P: want.P}); !(d <= 2e-15) {
			t.Errorf("%v: off by %.2g", xi, d)
		}
	}
}

// A constant body twist is a screw motion, exact in one step of any length.
type steady struct{}

func (steady) Acceleration(float64, Motion) (a spatial.Twist) { return a }

func TestConstantTwistIsExact(t *testing.T) {
	for _, h := range []float64{1e-3, 0.2, 1.3} {
		x := Motion{Placement: Placement{Q: spatial.ExpQuat(spatial.Vec{X: 0.3, Y: 0.1, Z: -0.2})}, V: screws()[7]}
		want := x.screwMotion(x.V.Linear.Scale(h), x.V.Angular.Scale(h))
		for name, s := range map[string]Stepper{
			"CG4": NewCG4(&CG4, steady{}), "LieEuler": NewLieEuler(steady{}),
		} {
			got := x
			if _, err := s.Step(0, h, &got); err != nil {
				t.Fatal(err)
			}
			if d := distance(got.Placement, want); d > 3e-15 || got.V != x.V {
				t.Errorf("%s, h = %g: off by %.2g", name, h, d)
			}
		}
	}
}
