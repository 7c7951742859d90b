package rigid

import (
	"encoding/json"
	"math"
	"os"
	"testing"

	"sinew/pkg/sim/integrate"
	"sinew/pkg/sim/spatial"
)

// Golden reads testdata/name, whose source line says where its numbers come from.
func Golden(t testing.TB, name string, into any) {
	t.Helper()
	data, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, into); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
}

func Vec(a [3]float64) spatial.Vec { return spatial.Vec{X: a[0], Y: a[1], Z: a[2]} }

// Wxyz is a quaternion in the order of the golden files.
func Wxyz(a [4]float64) spatial.Quat { return spatial.Quat{W: a[0], X: a[1], Y: a[2], Z: a[3]} }

func MustBody(t testing.TB, p Params) *Body {
	t.Helper()
	b, err := NewBody(p)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func Diagonal(mass float64, j [3]float64) Params {
	return Params{Mass: mass, Inertia: [6]float64{j[0], j[1], j[2]}}
}

// Angle is the angle between two attitudes, rad.
func Angle(a, b spatial.Quat) float64 { return a.Conj().Mul(b).Log().Norm() }

// March takes n steps of h.
func March(t testing.TB, s integrate.Stepper, h float64, n int, x integrate.Motion) integrate.Motion {
	t.Helper()
	for i := range n {
		if _, err := s.Step(float64(i)*h, h, &x); err != nil {
			t.Fatalf("step %d: %v", i, err)
		}
	}
	return x
}

// TopMotion is the start of the heavy top of Brüls and Cardona with the reference point
// at r from its centre of mass (body axes): the fixed point is the world origin, the
// centre of mass is at (0, 1, 0).
func TopMotion(r spatial.Vec) integrate.Motion {
	w := spatial.Vec{Y: 150, Z: -4.61538}
	p := spatial.Vec{Y: 1}.Add(r)
	return integrate.Motion{
		Placement: integrate.Placement{Q: spatial.IdentityQuat(), P: p},
		V:         spatial.Twist{Linear: w.Cross(p), Angular: w},
	}
}

// Top is that heavy top.
func Top(t testing.TB, r spatial.Vec) System[*Constant] {
	t.Helper()
	p := Diagonal(15, [3]float64{0.234375, 0.46875, 0.234375})
	p.Pivot = &spatial.Vec{Y: -1}
	b := MustBody(t, p.Shifted(r))
	return System[*Constant]{b, &Constant{Body: b, Gravity: spatial.Vec{Z: -9.81}}}
}

// Free is a free body under gravity g along −z.
func Free(t testing.TB, p Params, g float64) System[*Constant] {
	t.Helper()
	b := MustBody(t, p)
	return System[*Constant]{b, &Constant{Body: b, Gravity: spatial.Vec{Z: -g}}}
}

// comPosition is the centre of mass in the world.
func comPosition(b *Body, x integrate.Motion) spatial.Vec { return x.P.Add(x.Q.Apply(b.com)) }

// Still is a body at rest at the origin.
func Still() integrate.Motion {
	return integrate.Motion{Placement: integrate.Placement{Q: spatial.IdentityQuat()}}
}

// Spinning is a body at the origin with angular velocity w (body axes).
func Spinning(w [3]float64) integrate.Motion {
	x := Still()
	x.V.Angular = Vec(w)
	return x
}

func Near(t *testing.T, what string, got, want, tol float64) {
	t.Helper()
	if d := math.Abs(got - want); !(d <= tol) {
		t.Errorf("%s: %.17g, want %.17g (off by %.2g, tolerance %.2g)", what, got, want, d, tol)
	}
}

func NearVec(t *testing.T, what string, got, want spatial.Vec, tol float64) {
	t.Helper()
	if d := got.Sub(want).Norm(); !(d <= tol) {
		t.Errorf("%s: %v, want %v (off by %.2g, tolerance %.2g)", what, got, want, d, tol)
	}
}

// TopGolden has the rows of testdata/heavy_top.json.
type TopGolden struct {
	Energy0 float64
	Rows    []struct {
		T     float64
		X     [3]float64
		Q     [4]float64 `json:"q_wxyz"`
		Omega [3]float64 `json:"omega_body"`
	}
}

// Methods are the explicit ones; those of order 4 first.
var Methods = []struct {
	Name  string
	Order float64
	Make  func(System[*Constant]) integrate.Stepper
}{
	{"cg4", 4, func(s System[*Constant]) integrate.Stepper { return integrate.NewCG4(&integrate.CG4, s) }},
	{"rkmk4", 4, func(s System[*Constant]) integrate.Stepper { return integrate.NewRKMK4(s) }},
	{"splitting", 2, func(s System[*Constant]) integrate.Stepper { return integrate.NewSplitting(s) }},
	{"lie-euler", 1, func(s System[*Constant]) integrate.Stepper { return integrate.NewLieEuler(s) }},
}

// ImplicitMethods are all implicit formulations with both methods.
var ImplicitMethods = []struct {
	Name string
	Make func(b *Body, l *Constant, anchor spatial.Vec) integrate.Stepper
}{
	{"generalized-alpha inertial", func(b *Body, l *Constant, a spatial.Vec) integrate.Stepper {
		return Alpha(Inertial[*Constant]{b, l, a})
	}},
	{"generalized-alpha rotation vector", func(b *Body, l *Constant, a spatial.Vec) integrate.Stepper {
		return Alpha(NewRotationVector(b, l, a))
	}},
	{"generalized-alpha Euler parameters", func(b *Body, l *Constant, a spatial.Vec) integrate.Stepper {
		return Alpha(NewEulerParameters(b, l, a))
	}},
	{"generalized-alpha Tait-Bryan", func(b *Body, l *Constant, a spatial.Vec) integrate.Stepper {
		return Alpha(NewTaitBryan(b, l, a))
	}},
	{"trapezoidal inertial", func(b *Body, l *Constant, a spatial.Vec) integrate.Stepper {
		return integrate.NewTrapezoidal(Inertial[*Constant]{b, l, a})
	}},
	{"trapezoidal rotation vector", func(b *Body, l *Constant, a spatial.Vec) integrate.Stepper {
		return integrate.NewTrapezoidal(NewRotationVector(b, l, a))
	}},
	{"trapezoidal Euler parameters", func(b *Body, l *Constant, a spatial.Vec) integrate.Stepper {
		return integrate.NewTrapezoidal(NewEulerParameters(b, l, a))
	}},
	{"trapezoidal Tait-Bryan", func(b *Body, l *Constant, a spatial.Vec) integrate.Stepper {
		return integrate.NewTrapezoidal(NewTaitBryan(b, l, a))
	}},
}

func Alpha[S integrate.Constrained](s S) integrate.Stepper {
	m, err := integrate.NewGeneralizedAlpha(s, 0.9)
	if err != nil {
		panic(err)
	}
	return m
}

// Asymmetric is a body with a full inertia, its centre of mass away from the reference
// point.
func Asymmetric() Params {
	p := Params{Mass: 2, Inertia: [6]float64{0.5, 0.7, 0.9, 0.05, -0.08, 0.1}}
	return p.Shifted(spatial.Vec{X: -0.2, Y: 0.1, Z: 0.3})
}

// Tumble is a motion with everything in it.
func Tumble() integrate.Motion {
	return integrate.Motion{
		Placement: integrate.Placement{Q: spatial.ExpQuat(spatial.Vec{X: 0.3, Y: -1.2, Z: 0.4}), P: spatial.Vec{X: 0.1, Y: 0.2, Z: -0.3}},
		V:         spatial.Twist{Linear: spatial.Vec{X: 0.5, Y: -0.2, Z: 0.1}, Angular: spatial.Vec{X: 2, Y: -3, Z: 1.5}},
	}
}

// DriftSteps is how many steps the drift of energy and momentum is looked at over.
func DriftSteps() int {
	if testing.Short() {
		return 10_000
	}
	return 1_000_000
}

// EveryStepper returns all methods with all formulations for the heavy top.
func EveryStepper(t testing.TB) (names []string, all []integrate.Stepper) {
	s := Top(t, spatial.Vec{})
	for _, m := range Methods {
		names, all = append(names, m.Name), append(all, m.Make(s))
	}
	for _, m := range ImplicitMethods {
		names, all = append(names, m.Name), append(all, m.Make(s.Body, s.Loads, spatial.Vec{}))
	}
	return names, all
}
