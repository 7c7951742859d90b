package spatial_test

import (
	"math"
	"testing"

	"sinew/pkg/sim/spatial"
)

// angles covers the series, their limits, and the neighbourhood of π.
var angles = []float64{
	0, 1e-300, 1e-160, 1e-12, 1e-8, 1e-5, 1e-3, 0.05, 0.1414, 0.1415, 0.3, 0.4999, 0.5001,
	1, 2, 3, 3.1, math.Pi - 1e-3, math.Pi - 1e-6, math.Pi - 1e-9, math.Pi - 1e-13,
}

func TestLogOfExpReturnsTheVector(t *testing.T) {
	const roundOff = 2e-15 // of the angle, where the rotation itself carries it
	r := newRand()
	for _, a := range angles {
		for range 50 {
			w := randAxis(r).Scale(a)
			near(t, "Log(ExpQuat)", flatV(spatial.ExpQuat(w).Log()), flatV(w), roundOff*a)
			near(t, "Log(ExpRot)", flatV(spatial.ExpRot(w).Log()), flatV(w), max(roundOff*a, 4e-16))
			if a < 0.7*math.Pi {
				near(t, "LogStep(ExpRot)", flatV(spatial.ExpRot(w).LogStep()), flatV(w), max(roundOff*a, 4e-15*a))
			}
		}
	}
}

func TestLogAtExactlyPi(t *testing.T) {
	for _, axis := range []spatial.Vec{{X: 1}, {Y: 1}, {Z: 1}, spatial.Vec{1, 2, -3}.Unit(), spatial.Vec{-1, 1e-9, 0}.Unit()} {
		m := spatial.Outer(axis, axis).Scale(2).Sub(spatial.Identity3())
		w := m.Log()
		near(t, "|Log|", []float64{w.Norm()}, []float64{math.Pi}, 1e-15)
		near(t, "exp(Log)", flat3(spatial.ExpRot(w)), flat3(m), 1e-15)
	}
}

func TestExpIsARotationAndMatchesTheQuaternion(t *testing.T) {
	r := newRand()
	for range 2000 {
		w := randVec(r, 2)
		m := spatial.ExpRot(w)
		near(t, "RRᵀ", flat3(m.MulT(m)), flat3(spatial.Identity3()), 3e-15)
		near(t, "det", []float64{m.Det()}, []float64{1}, 3e-15)
		near(t, "ExpQuat", flat3(spatial.ExpQuat(w).Rot()), flat3(m), 3e-15)
		near(t, "R w", flatV(m.Apply(w)), flatV(w), 1e-14)
	}
}

// differences of exp carry round-off ε/h and truncation h²
const (
	diffStep = 1e-5
	diffTol  = 1e-9
)

func TestJacobiansAgainstDifferences(t *testing.T) {
	r := newRand()
	for _, a := range angles[4:] {
		w, d := randAxis(r).Scale(a), randAxis(r)
		plus, minus := spatial.ExpRot(w.AddScaled(diffStep, d)), spatial.ExpRot(w.AddScaled(-diffStep, d))
		left := plus.MulT(minus).Log().Scale(0.5 / diffStep)
		right := minus.TMul(plus).Log().Scale(0.5 / diffStep)
		near(t, "left", flatV(spatial.LeftJacobian(w).Apply(d)), flatV(left), diffTol)
		near(t, "right", flatV(spatial.RightJacobian(w).Apply(d)), flatV(right), diffTol)
		near(t, "left inverse", flat3(spatial.LeftJacobianInv(w).Mul(spatial.LeftJacobian(w))), flat3(spatial.Identity3()), 1e-14)
		near(t, "right inverse", flat3(spatial.RightJacobian(w).Mul(spatial.RightJacobianInv(w))), flat3(spatial.Identity3()), 1e-14)
		near(t, "transpose", flat3(spatial.LeftJacobian(w).T()), flat3(spatial.RightJacobian(w)), 0)
	}
}

func TestDexpInvCoefsAreContinuousAndDerivatives(t *testing.T) {
	below, above := spatial.CotSeriesMax2*(1-1e-12), spatial.CotSeriesMax2*(1+1e-12)
	a, a1, a2 := spatial.DexpInvCoefs(below)
	b, b1, b2 := spatial.DexpInvCoefs(above)
	near(t, "a at the switch", []float64{a}, []float64{b}, 1e-14)
	near(t, "a′ at the switch", []float64{a1}, []float64{b1}, 1e-14)
	near(t, "a″ at the switch", []float64{a2}, []float64{b2}, 1e-11)
	for _, s := range []float64{0.01, 0.2, 0.3, 1, 4, 9, 16, 25} {
		const h = 1e-4
		p, p1, _ := spatial.DexpInvCoefs(s + h)
		m, m1, _ := spatial.DexpInvCoefs(s - h)
		_, d1, d2 := spatial.DexpInvCoefs(s)
		near(t, "a′", []float64{d1}, []float64{(p - m) / (2 * h)}, 1e-8*math.Abs(d1)+1e-10)
		near(t, "a″", []float64{d2}, []float64{(p1 - m1) / (2 * h)}, 1e-6*math.Abs(d2)+1e-9)
	}
}

func FuzzLogOfExp(f *testing.F) {
	f.Add(0.0, 0.0, 0.0)
	f.Add(math.Pi, 0.0, 0.0)
	f.Add(1e-9, -3.0, 2.0)
	f.Fuzz(func(t *testing.T, x, y, z float64) {
		w := spatial.Vec{x, y, z}
		if !w.IsFinite() || w.Norm() > 100 {
			t.Skip("an angle of many turns is known to a few digits only")
		}
		m := spatial.ExpRot(w)
		l := m.Log()
		near(t, "exp(log(exp w))", flat3(spatial.ExpRot(l)), flat3(m), 1e-13)
		if l.Norm() > math.Pi*(1+1e-15) {
			t.Errorf("|Log| = %v exceeds π", l.Norm())
		}
	})
}
