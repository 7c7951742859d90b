package rigid_test

import (
	"errors"
	"math"
	"testing"

	"sinew/pkg/sim/integrate"
	"sinew/pkg/sim/rigid"
	"sinew/pkg/sim/spatial"
)

// Exudyn's heavyTop.py: the heavy top with its reference point at the fixed point, 0.2 s in
// 2000 steps of the trapezoidal rule with constraints at velocity level, once in Euler
// parameters and once in Tait-Bryan angles. Compared are the sums of the sizes of the
// coordinates.
//
// The published number (runTestSuiteRefSol.py of version 1.11.0, both runs in one Newton
// iteration) carries what Exudyn's tolerance of 1e-8 of the residual leaves: near
// |cos θ₁| = 0.049 that is 4e-6 rad. Exudyn 1.13.6 with newton.relativeTolerance 1e-10 and
// absoluteTolerance 1e-12, each run by itself, meets ours to 1e-8.
func TestExudynTrapezoidalHeavyTop(t *testing.T) {
	const h, n = 1e-4, 2000
	const euler, both, publishedTolerance = 1.7821760506326125, 33.42312575174431, 1e-6 // relative
	const tightEuler, tightAngles, tightTolerance = 1.782176050211, 31.64095373119, 2e-8
	s := rigid.Top(t, spatial.Vec{Y: -1})
	ep := integrate.NewTrapezoidal(rigid.NewEulerParameters(s.Body, s.Loads, spatial.Vec{}))
	rigid.March(t, ep, h, n, rigid.TopMotion(spatial.Vec{Y: -1}))
	tb := integrate.NewTrapezoidal(rigid.NewTaitBryan(s.Body, s.Loads, spatial.Vec{}))
	rigid.March(t, tb, h, n, rigid.TopMotion(spatial.Vec{Y: -1}))
	a, b := ep.Point(), tb.Point()
	first, second := size(a.Q[3:7]), size(b.Q[3:6])
	t.Logf("Euler parameters %.12g, with angles %.12g: off by %.2g and %.2g", first, first+second, first-euler, first+second-both)
	rigid.Near(t, "Euler parameters", first, tightEuler, tightTolerance)
	rigid.Near(t, "Tait-Bryan angles", second, tightAngles, tightTolerance)
	rigid.Near(t, "Euler parameters, published", first/euler, 1, publishedTolerance)
	rigid.Near(t, "both, published", (first+second)/both, 1, publishedTolerance)
}

// size is the sum of absolute values.
func size(a []float64) (sum float64) {
	for _, x := range a {
		sum += math.Abs(x)
	}
	return sum
}

// Every formulation with both methods meets CG4 to second order, for a body with full
// inertia and its centre of mass away from the reference point, free and on a pivot away
// from both: what one has wrong in a term, the others show.
func TestFormulationsAgree(t *testing.T) {
	for _, pivot := range []*spatial.Vec{nil, {X: 0.1, Y: -0.2, Z: 0.15}} {
		p := rigid.Asymmetric()
		p.Pivot = pivot
		s := rigid.Free(t, p, 9.81)
		anchor := spatial.Vec{X: 1, Y: 2, Z: 3}
		start := s.Body.Hold(rigid.Tumble(), anchor)
		const duration = 0.3 // no angle comes near π/2
		want := rigid.March(t, integrate.NewCG4(&integrate.CG4, s), duration/3000, 3000, start)
		for _, m := range rigid.ImplicitMethods {
			d := [2]float64{}
			for i, n := range [2]int{150, 300} {
				x := rigid.March(t, m.Make(s.Body, s.Loads, anchor), duration/float64(n), n, start)
				d[i] = off(x, want)
			}
			order := math.Log2(d[0] / d[1])
			t.Logf("%s, pivot %v: %.3g, order %.2f", m.Name, pivot != nil, d[1], order)
			if math.Abs(order-2) > 0.1 || d[1] > 5e-5 {
				t.Errorf("%s, pivot %v: off by %.3g, order %.2f", m.Name, pivot, d[1], order)
			}
		}
	}
}

// The heavy top passes |cos θ₁| = 0.049 and continues; a body that turns through the
// singularity is refused there, by name.
func TestTaitBryanSingularity(t *testing.T) {
	s := rigid.Free(t, rigid.Diagonal(1, [3]float64{1, 1, 1}), 0)
	m := integrate.NewTrapezoidal(rigid.NewTaitBryan(s.Body, s.Loads, spatial.Vec{}))
	x := rigid.Spinning([3]float64{0, 1, 0})
	var err error
	steps := 0
	for ; err == nil && steps < 2000; steps++ {
		_, err = m.Step(float64(steps)*1e-3, 1e-3, &x)
	}
	var singular *rigid.SingularityError
	if !errors.As(err, &singular) {
		t.Fatalf("after %d steps: %v", steps, err)
	}
	if math.Abs(singular.Angle-math.Pi/2) > 2e-3 || steps < 1569 || steps > 1572 {
		t.Errorf("step %d: %v", steps, err)
	}
	if !x.IsFinite() || math.Abs(rigid.Angles(x.Q.Rot()).Y-1.5697) > 1e-3 {
		t.Errorf("the motion is not that of the last good step: %v", x)
	}
}

func TestAngles(t *testing.T) {
	for _, a := range []spatial.Vec{{X: 0.3, Y: -1.2, Z: 2.9}, {X: -3, Y: 1.5, Z: -0.1}, {}, {Y: math.Pi / 2, Z: 0.4}} {
		r := rigid.FromAngles(a)
		rx, ry, rz := spatial.ExpRot(spatial.Vec{X: a.X}), spatial.ExpRot(spatial.Vec{Y: a.Y}), spatial.ExpRot(spatial.Vec{Z: a.Z})
		rigid.Near(t, "rotation", rigid.Angle(r.Quat(), rx.Mul(ry).Mul(rz).Quat()), 0, 1e-15)
		rigid.NearVec(t, "angles", rigid.Angles(r), a, 1e-14)
	}
}
