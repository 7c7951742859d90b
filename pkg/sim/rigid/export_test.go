package rigid

import (
	"testing"

	"sinew/pkg/sim/integrate"
	"sinew/pkg/sim/spatial"
)

// Unexported names for the external tests.
const Row = row

var QuatAt = quatAt

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
