package stokes_test

import (
	"math"
	"testing"

	"sinew/pkg/sim/spatial"
	"sinew/pkg/sim/stokes"
)

// The resistance of a swarm is the inverse of its mobility: loads that it gives for a
// motion make that motion.
func TestCorrelationResistance(t *testing.T) {
	s, err := stokes.NewSwarm([]float64{1, 2, 1.5}, 0.1)
	if err != nil {
		t.Fatal(err)
	}
	x := []spatial.Vec{{}, {X: 3, Y: 0.5}, {X: 1, Y: 2, Z: 3}}
	c := stokes.NewCorrelation(s)
	if err := c.Update(x); err != nil {
		t.Fatal(err)
	}
	r := stokes.NewCholesky(18)
	c.Resistance(&r)
	want := make([]float64, 18)
	for i := range want {
		want[i] = math.Sin(float64(3*i + 1))
	}
	loads, got := make([]spatial.Wrench, 3), make([]spatial.Twist, 3)
	for i := range loads {
		var f [6]float64
		for k := range f {
			for j := range want {
				row, col := max(6*i+k, j), min(6*i+k, j)
				f[k] += r.L[row*18+col] * want[j]
			}
		}
		loads[i] = spatial.Wrench{Force: spatial.VecAt(f[:]), Moment: spatial.VecAt(f[3:])}
	}
	s.Motions(got, x, loads)
	solved := append([]float64(nil), want...) // R⁻¹ want, by factor
	if r.Factor() != 18 {
		t.Fatal("the resistance is not positive definite")
	}
	r.SolveL(solved)
	r.SolveLT(solved)
	for i := range loads {
		near := func(a, b float64) {
			if !(math.Abs(a-b) <= 1e-12*(1+math.Abs(b))) {
				t.Errorf("sphere %d: %g, want %g", i, a, b)
			}
		}
		near(got[i].Linear.X, want[6*i])
		near(got[i].Linear.Z, want[6*i+2])
		near(got[i].Angular.Y, want[6*i+4])
		load := spatial.Wrench{Force: spatial.VecAt(want[6*i:]), Moment: spatial.VecAt(want[6*i+3:])}
		loads[i] = load
	}
	s.Motions(got, x, loads)
	for i := range got {
		if d := got[i].Linear.Sub(spatial.VecAt(solved[6*i:])).Norm() + got[i].Angular.Sub(spatial.VecAt(solved[6*i+3:])).Norm(); d > 1e-12 {
			t.Errorf("sphere %d: solving by the resistance is off by %g", i, d)
		}
	}
	r.L[0] = math.NaN()
	if r.Factor() != 0 {
		t.Error("NaN was factored")
	}
}
