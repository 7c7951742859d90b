package rigid_test

import (
	"errors"
	"fmt"
	"math"
	"testing"

	"sinew/pkg/sim/integrate"
	"sinew/pkg/sim/rigid"
	"sinew/pkg/sim/spatial"
)

// kynema is generalised-alpha as Kynema's tests set it.
func kynema(t testing.TB, s rigid.System[*rigid.Constant], rho float64, start integrate.Start) *integrate.Newmark[rigid.Inertial[*rigid.Constant]] {
	t.Helper()
	m, err := integrate.NewGeneralizedAlpha(rigid.Inertial[*rigid.Constant]{Body: s.Body, Loads: s.Loads}, rho)
	if err != nil {
		t.Fatal(err)
	}
	m.AbsTol, m.RelTol, m.Start = 1e-5, 1e-3, start
	return m
}

// heavyTopRegression is that of Kynema (test_heavy_top.cpp).
type heavyTopRegression struct {
	HeavyTop struct {
		Expected [7]float64 `json:"kynema_expected_q"` // displacement, w, x, y, z
		Trace    []struct {
			Step       int
			U          [3]float64
			Q          [4]float64
			V          [6]float64
			Vd         [6]float64
			Lam        [3]float64
			Iterations int `json:"iters"`
		}
	} `json:"heavy_top"`
	Convergence struct{ Rows [][2]float64 }
}

// Kynema's heavy top: 400 steps of 2 ms, ρ∞ = 0.9, its tolerances, its 3 iterations in
// every step; the accelerations of its start are those that ours computes.
func TestKynemaHeavyTop(t *testing.T) {
	const h, tolerance = 0.002, 1e-9
	var g heavyTopRegression
	rigid.Golden(t, "rigid_body.json", &g)
	m := kynema(t, rigid.Top(t, spatial.Vec{}), 0.9, integrate.ConsistentStart)
	x, iterations, k := rigid.TopMotion(spatial.Vec{}), 0, 0
	if err := m.Begin(0, x); err != nil {
		t.Fatal(err)
	}
	a := m.Point().A
	rigid.NearVec(t, "consistent linear acceleration", spatial.VecAt(a[:]), rigid.Vec([3]float64{0, -21.3017325444, -30.96083076923}), 1e-9)
	rigid.NearVec(t, "consistent angular acceleration", spatial.VecAt(a[3:]), rigid.Vec([3]float64{661.3461692307692}), 1e-9)
	for i := 1; i <= 400; i++ {
		report, err := m.Step(float64(i-1)*h, h, &x)
		if err != nil {
			t.Fatal(err)
		}
		iterations += report.Iterations
		row := g.HeavyTop.Trace[k]
		if i != row.Step {
			continue
		}
		k++
		p, step := m.Point(), fmt.Sprintf("step %d ", i)
		if report.Iterations != row.Iterations {
			t.Errorf("%s: %d iterations, want %d", step, report.Iterations, row.Iterations)
		}
		rigid.NearVec(t, step+"u", x.P.Sub(spatial.Vec{Y: 1}), rigid.Vec(row.U), tolerance)
		rigid.Near(t, step+"attitude", rigid.Angle(x.Q, rigid.Wxyz(row.Q)), 0, tolerance)
		rigid.NearVec(t, step+"v", spatial.VecAt(p.V[:]), spatial.VecAt(row.V[:]), 1e-7)
		rigid.NearVec(t, step+"ω", spatial.VecAt(p.V[3:]), spatial.VecAt(row.V[3:]), 1e-7)
		rigid.NearVec(t, step+"v̇", spatial.VecAt(p.A[:]), spatial.VecAt(row.Vd[:]), 1e-5)
		rigid.NearVec(t, step+"λ", spatial.VecAt(p.Lambda[:]), rigid.Vec(row.Lam), 1e-5)
	}
	want := g.HeavyTop.Expected
	du := x.P.Sub(spatial.Vec{Y: 1}).Sub(spatial.VecAt(want[:])).Norm()
	dq := rigid.Angle(x.Q, spatial.Quat{W: want[3], X: want[4], Y: want[5], Z: want[6]})
	t.Logf("from Kynema's numbers: %.2g m, %.2g rad; %d iterations", du, dq, iterations)
	rigid.Near(t, "u at 0.8 s", du, 0, tolerance)
	rigid.Near(t, "attitude at 0.8 s", dq, 0, tolerance)
	if iterations != 1200 {
		t.Errorf("%d iterations, want Kynema's 1200", iterations)
	}
}

// Order 2 by halving, with the errors of the golden table (0.9, a(0) = v̇(0)).
func TestGeneralizedAlphaOrder(t *testing.T) {
	var g heavyTopRegression
	var ref rigid.TopGolden
	rigid.Golden(t, "rigid_body.json", &g)
	rigid.Golden(t, "heavy_top.json", &ref)
	end := rigid.Vec(ref.Rows[len(ref.Rows)-1].X)
	last := 0.0
	for _, row := range g.Convergence.Rows {
		n := int(math.Round(1 / row[0]))
		s := rigid.Top(t, spatial.Vec{})
		x := rigid.March(t, kynema(t, s, 0.9, integrate.ConsistentStart), row[0], n, rigid.TopMotion(spatial.Vec{}))
		d := x.P.Sub(end).Norm()
		if math.Abs(d-row[1]) > 1e-4*row[1] {
			t.Errorf("h = %g: error %.6g, golden %.6g", row[0], d, row[1])
		}
		if order := math.Log2(last / d); last > 0 && math.Abs(order-2) > 0.05 {
			t.Errorf("h = %g: order %.2f", row[0], order)
		}
		last = d
	}
}

// Kynema's precession starts from zero accelerations, 1.5e-3 off the true attitude at
// 5 s; consistent ones give 2.6e-5.
func TestKynemaPrecession(t *testing.T) {
	type quaternion = [4]float64
	var g struct {
		Q500       quaternion                        `json:"kynema_q_500"`
		Q600       quaternion                        `json:"kynema_q_600"`
		Consistent map[string]struct{ Q quaternion } `json:"this_consistent_start"`
		Exact      [2]quaternion                     `json:"exact_q_t5_t6"`
	}
	rigid.Golden(t, "precession.json", &g)
	s := rigid.Free(t, rigid.Diagonal(1, [3]float64{1, 1, 0.5}), 0)
	for _, c := range []struct {
		name  string
		start integrate.Start
		want  [2]quaternion
		from  float64 // lower bound of the distance from the true quaternion
		to    float64
	}{
		{"zero start", integrate.ZeroStart, [2]quaternion{g.Q500, g.Q600}, 1.54e-3, 1.56e-3},
		{"consistent start", integrate.ConsistentStart, [2]quaternion{g.Consistent["500"].Q, g.Consistent["600"].Q}, 2.6e-5, 2.7e-5},
	} {
		m := kynema(t, s, 1, c.start)
		x := rigid.March(t, m, 0.01, 500, rigid.Spinning([3]float64{0.5, 0.5, 1}))
		// the components of a quaternion of an attitude off by ε are off by ε/2
		rigid.Near(t, c.name+" q500", rigid.Angle(x.Q, rigid.Wxyz(c.want[0]))/2, 0, 1e-12)
		d := quatDistance(x.Q, rigid.Wxyz(g.Exact[0]))
		if !(d > c.from && d < c.to) {
			t.Errorf("%s: %.3g off the true quaternion, want %.2g to %.2g", c.name, d, c.from, c.to)
		}
		x = rigid.March(t, m, 0.01, 100, x)
		rigid.Near(t, c.name+" q600", rigid.Angle(x.Q, rigid.Wxyz(c.want[1]))/2, 0, 1e-12)
	}
}

// quatDistance is the largest difference of a component of two quaternions of equal sign.
func quatDistance(a, b spatial.Quat) float64 {
	return math.Max(math.Max(math.Abs(a.W-b.W), math.Abs(a.X-b.X)), math.Max(math.Abs(a.Y-b.Y), math.Abs(a.Z-b.Z)))
}

// Kynema's external force: 5 N and 3 N m on unit mass and inertia, ρ∞ = 0, from zero
// accelerations: half a step of acceleration is missing at the end. A consistent start
// has it.
func TestKynemaExternalForce(t *testing.T) {
	b := rigid.MustBody(t, rigid.Diagonal(1, [3]float64{1, 1, 1}))
	load := &rigid.Constant{Body: b, World: spatial.Wrench{Force: spatial.Vec{X: 5}, Moment: spatial.Vec{Y: 3}}}
	for _, c := range []struct {
		start integrate.Start
		v, w  float64
	}{{integrate.ZeroStart, 4.9975, 2.9985}, {integrate.ConsistentStart, 5, 3}} {
		x := rigid.March(t, kynema(t, rigid.System[*rigid.Constant]{b, load}, 0, c.start), 1e-3, 1000, rigid.Still())
		rigid.Near(t, "velocity", x.Q.Apply(x.V.Linear).X, c.v, 1e-12)
		rigid.Near(t, "angular velocity", x.V.Angular.Y, c.w, 1e-12)
	}
}

func TestSpectralRadiusIsChecked(t *testing.T) {
	for _, rho := range []float64{-0.1, 1.1, math.NaN()} {
		if _, err := integrate.GeneralizedAlphaParams(rho); err == nil {
			t.Errorf("spectral radius %g was accepted", rho)
		}
	}
}

// What does not converge is an error, and the motion stays.
func TestNotConverged(t *testing.T) {
	m := kynema(t, rigid.Top(t, spatial.Vec{}), 0.9, integrate.ConsistentStart)
	m.MaxIter = 2
	x := rigid.TopMotion(spatial.Vec{})
	before := x
	report, err := m.Step(0, 0.002, &x)
	if !errors.Is(err, integrate.ErrNotConverged) || report.Iterations != 2 {
		t.Errorf("%v after %d iterations, want %v after 2", err, report.Iterations, integrate.ErrNotConverged)
	}
	if x != before {
		t.Errorf("the motion changed to %v", x)
	}
}
