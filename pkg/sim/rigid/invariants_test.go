package rigid_test

import (
	"math"
	"testing"

	"sinew/pkg/sim/integrate"
	"sinew/pkg/sim/rigid"
	"sinew/pkg/sim/spatial"
)

// Without loads splitting keeps momentum and angular momentum in world axes to 1e-13, its
// energy error is bounded; those of CG4 and RKMK4 grow, but stay small.
func TestMomentumAndEnergyDrift(t *testing.T) {
	s := rigid.Free(t, rigid.Asymmetric(), 0)
	n := rigid.DriftSteps()
	for _, c := range []struct {
		method               int
		momentum, spin, work float64
	}{
		{0, 1e-6, 1e-10, 1e-8}, {1, 1e-6, 1e-10, 1e-8}, {2, 1e-13, 1e-13, 2e-7},
	} {
		m := rigid.Methods[c.method]
		x := rigid.Tumble()
		spin, energy := s.Body.PivotMomentum(x), s.Body.KineticEnergy(x)
		p0, _ := s.Body.Momentum(x)
		step, bound := m.Make(s), 0.0
		for i := range n {
			x = rigid.March(t, step, 0.002, 1, x)
			if i%97 == 0 {
				bound = math.Max(bound, math.Abs(s.Body.KineticEnergy(x)/energy-1))
			}
		}
		p, _ := s.Body.Momentum(x)
		dl := s.Body.PivotMomentum(x).Sub(spin).Norm() / spin.Norm()
		dp := p.Sub(p0).Norm() / p0.Norm()
		t.Logf("%s, %d steps: momentum %.2g, angular momentum %.2g, energy %.2g at the most", m.Name, n, dp, dl, bound)
		rigid.Near(t, m.Name+" angular momentum", dl, 0, c.spin)
		rigid.Near(t, m.Name+" momentum", dp, 0, c.momentum)
		rigid.Near(t, m.Name+" energy", bound, 0, c.work)
	}
}

// The reference point is a matter of description: the body shifted by d, and its
// reference point placed and moved accordingly, moves as before, free and on a pivot.
func TestReferencePointIsFree(t *testing.T) {
	d := spatial.Vec{X: 0.4, Y: -0.3, Z: 0.2}
	for _, pivot := range []*spatial.Vec{nil, {X: 0.1, Y: -0.2, Z: 0.15}} {
		p := rigid.Asymmetric()
		p.Pivot = pivot
		a, b := rigid.Free(t, p, 9.81), rigid.Free(t, p.Shifted(d), 9.81)
		start := a.Body.Hold(rigid.Tumble(), spatial.Vec{X: 1, Y: 2, Z: 3})
		for i, m := range rigid.Methods {
			x, y := start, shifted(start, d)
			x = rigid.March(t, m.Make(a), 0.01, 100, x)
			y = rigid.March(t, m.Make(b), 0.01, 100, y)
			rigid.Near(t, m.Name, off(shifted(x, d), y), 0, []float64{2e-6, 2e-6, 2e-11, 1e-1}[i])
		}
	}
}

// shifted is the motion x of a reference point moved by d (body axes).
func shifted(x integrate.Motion, d spatial.Vec) integrate.Motion {
	x.P = x.P.Add(x.Q.Apply(d))
	x.V.Linear = x.V.Linear.Add(x.V.Angular.Cross(d))
	return x
}

// An impossible body is refused, and the message says what is wrong.
func TestNewBodyRefuses(t *testing.T) {
	nan := math.NaN()
	for name, p := range map[string]rigid.Params{
		"mass 0":           {Inertia: [6]float64{1, 1, 1}},
		"mass NaN":         {Mass: nan, Inertia: [6]float64{1, 1, 1}},
		"inertia NaN":      {Mass: 1, Inertia: [6]float64{1, nan, 1}},
		"centre infinite":  {Mass: 1, Inertia: [6]float64{1, 1, 1}, COM: spatial.Vec{X: math.Inf(1)}},
		"pivot NaN":        {Mass: 1, Inertia: [6]float64{1, 1, 1}, Pivot: &spatial.Vec{Y: nan}},
		"no inertia":       {Mass: 1},
		"triangle":         {Mass: 1, Inertia: [6]float64{1, 1, 2.1}},
		"about the centre": {Mass: 1, Inertia: [6]float64{1, 1, 1}, COM: spatial.Vec{X: 1.1}},
		"indefinite":       {Mass: 1, Inertia: [6]float64{1, 1, 1, 0, 0, 1.5}},
	} {
		if _, err := rigid.NewBody(p); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}
