package rigid

import (
	"math"
	"strings"
	"testing"

	"sinew/pkg/sim/integrate"
	"sinew/pkg/sim/spatial"
)

// Tests of what has no exported name.

// The heavy top at 1 s: 1e-7 m at h = 1e-4, wherever the reference point is.
func TestHeavyTop(t *testing.T) {
	var g TopGolden
	Golden(t, "heavy_top.json", &g)
	const h, tolerance = 1e-4, 1e-7
	for _, r := range []spatial.Vec{{}, {Y: -1}, {X: 0.3, Y: 0.2, Z: -0.4}} {
		s := Top(t, r)
		for _, m := range Methods[:2] {
			x, last := TopMotion(r), 0.0
			step, worst := m.Make(s), 0.0
			for _, row := range g.Rows {
				x = March(t, step, h, int(math.Round((row.T-last)/h)), x)
				last = row.T
				worst = math.Max(worst, comPosition(s.Body, x).Sub(Vec(row.X)).Norm())
			}
			t.Logf("%s, reference point at %v: %.3g m", m.Name, r, worst)
			Near(t, m.Name, worst, 0, tolerance)
			NearVec(t, m.Name+" pivot", x.P.Add(x.Q.Apply(s.Body.pivot)), spatial.Vec{}, 1e-11)
			e := s.Body.KineticEnergy(x) + 15*9.81*comPosition(s.Body, x).Z
			Near(t, m.Name+" energy", e/g.Energy0, 1, 2e-10)
		}
	}
}

// The heavy top over as many steps: no method loses it, and the energy error of
// splitting does not grow.
func TestHeavyTopEnergy(t *testing.T) {
	s := Top(t, spatial.Vec{})
	energy := func(x integrate.Motion) float64 {
		return s.Body.KineticEnergy(x) + 15*9.81*comPosition(s.Body, x).Z
	}
	n := DriftSteps()
	for i, tolerance := range []float64{3e-8, 2e-8, 3e-9} {
		m := Methods[i]
		x, e, worst := TopMotion(spatial.Vec{}), energy(TopMotion(spatial.Vec{})), 0.0
		step := m.Make(s)
		for i := range n {
			x = March(t, step, 1e-4, 1, x)
			if i%97 == 0 {
				worst = math.Max(worst, math.Abs(energy(x)/e-1))
			}
		}
		pivot := x.P.Add(x.Q.Apply(s.Body.pivot)).Norm()
		t.Logf("%s, %d steps: energy %.2g at the most, pivot off by %.2g m", m.Name, n, worst, pivot)
		Near(t, m.Name+" energy", worst, 0, tolerance)
		Near(t, m.Name+" pivot", pivot, 0, 1e-12)
	}
}

// A free body with its centre of mass anywhere: that centre falls as a point does.
func TestCentreOfMassFalls(t *testing.T) {
	const g, h, n = 9.81, 0.005, 200
	s := Free(t, Asymmetric(), g)
	start := Tumble()
	v := start.Q.Apply(start.V.Linear.Add(start.V.Angular.Cross(s.Body.com)))
	want := comPosition(s.Body, start).Add(v).Add(spatial.Vec{Z: -g / 2})
	for i, m := range Methods[:3] {
		x := March(t, m.Make(s), h, n, start)
		NearVec(t, m.Name, comPosition(s.Body, x), want, []float64{1e-6, 1e-6, 1e-12}[i])
	}
}

// Newton and Euler in world axes are those in body axes.
func TestFramesAgree(t *testing.T) {
	b := MustBody(t, Asymmetric())
	x := Tumble()
	r := x.Q.Rot()
	f := spatial.Wrench{Force: spatial.Vec{X: 1, Y: -2, Z: 0.5}, Moment: spatial.Vec{X: 0.3, Y: 0.2, Z: -0.7}}
	in := func(v spatial.Vec) spatial.Vec { return r.Apply(v) }
	world := b.WorldAcceleration(&r, spatial.Twist{Linear: in(x.V.Linear), Angular: in(x.V.Angular)},
		spatial.Wrench{Force: in(f.Force), Moment: in(f.Moment)})
	// residual of Kynema's form at that acceleration
	s := b.at(&r)
	w, dw := spinOf(in(x.V.Angular)), spinOf(world.Angular)
	fi := s.inertialForce(world.Linear, &w, &dw)
	NearVec(t, "force", fi.Force, in(f.Force), 1e-13)
	NearVec(t, "moment", fi.Moment, in(f.Moment), 1e-13)
	// the rate of momentum about the world origin is the load's moment about it
	const h = 1e-5
	next := integrate.LieEulerMotion(constantTwistRate{b.Acceleration(x.V, f)}, 0, h, x)
	p0, l0 := b.Momentum(x)
	p1, l1 := b.Momentum(next)
	NearVec(t, "rate of momentum", p1.Sub(p0).Scale(1/h), in(f.Force), 1e-3)
	NearVec(t, "rate of angular momentum", l1.Sub(l0).Scale(1/h), in(f.Moment).Add(x.P.Cross(in(f.Force))), 1e-3)
}

type constantTwistRate struct{ a spatial.Twist }

func (c constantTwistRate) Acceleration(float64, integrate.Motion) spatial.Twist { return c.a }

// consecutive returns the matrix of consecutive numbers from first, row by row.
func consecutive(first float64) spatial.Mat3 {
	f := first
	return spatial.Mat3{
		XX: f, XY: f + 1, XZ: f + 2,
		YX: f + 3, YY: f + 4, YZ: f + 5,
		ZX: f + 6, ZY: f + 7, ZZ: f + 8,
	}
}

// The tables of integers in Kynema's unit tests of its kernels for masses (commit
// 93175c5, tests/unit_tests/system/masses). The matrices there are no cross products of
// the vectors beside them; integers have no round-off.
func TestKynemaKernels(t *testing.T) {
	u, w, dw := Vec([3]float64{37, 38, 39}), Vec([3]float64{40, 41, 42}), Vec([3]float64{43, 44, 45})

	s := section{1, Vec([3]float64{64, 65, 66}), consecutive(55), consecutive(46)}
	turn, pick := spinOf(w), spinOf(dw)
	f := s.inertialForce(u, &turn, &pick)
	NearVec(t, "FI force", f.Force, Vec([3]float64{-2984, 32, 2922}), 0)
	NearVec(t, "FI moment", f.Moment, Vec([3]float64{20624, -2248, 22100}), 0)

	s = section{mass: 1, eta: Vec([3]float64{64, 65, 66}), rho: consecutive(55)}
	la, aa := s.gyroscopic(&spin{w, consecutive(46)})
	same(t, "G12", la, spatial.Mat3{XX: 18, XY: 10301, XZ: -9734, YX: -10322, YY: -30, YZ: 9182, ZX: 9764, ZY: -9191, ZZ: 12})
	same(t, "G22", aa, spatial.Mat3{XX: 8184, XY: 15953, XZ: 1207, YX: 1078, YY: 8856, YZ: 15896, ZX: 16487, ZY: 2497, ZZ: 9546})

	s = section{mass: 1, eta: Vec([3]float64{73, 74, 75}), rho: consecutive(64)}
	la, aa = s.stiffness(u, &spin{w, consecutive(46)}, &spin{dw, consecutive(55)})
	same(t, "K12", la, spatial.Mat3{XX: 3396, XY: -6792, XZ: 3396, YX: 3609, YY: -7218, YZ: 3609, ZX: 3822, ZY: -7644, ZZ: 3822})
	same(t, "K22", aa, spatial.Mat3{
		XX: 1407766, XY: 1481559, XZ: 1465326, YX: 1496300, YY: 1558384, YZ: 1576048,
		ZX: 1604122, ZY: 1652877, ZZ: 1652190,
	})
}

func same(t *testing.T, what string, got, want spatial.Mat3) {
	t.Helper()
	if got != want {
		t.Errorf("%s: %v, want %v", what, got, want)
	}
}

// The error of every method on the heavy top at 0.1 s against its step: the centre of
// mass, how far the pivot is from its place, iterations per step. The orders are those of
// theory, and at the smallest step each method is as good as stated here. Trapezoidal
// steps keep the velocity of the pivot, the others its position. Tait-Bryan angles turn by
// thousands of radians per second where |cos θ₁| is small, and need smaller steps: at
// 0.4 ms they do not converge.
func TestErrorAgainstStep(t *testing.T) {
	var g TopGolden
	Golden(t, "heavy_top.json", &g)
	row := g.Rows[1]
	s := Top(t, spatial.Vec{})
	bounds := map[string]struct{ order, error, pivot float64 }{
		"cg4": {4, 5e-9, 1e-13}, "rkmk4": {4, 3e-9, 1e-13}, "splitting": {2, 1e-8, 1e-13}, "lie-euler": {1, 5e-2, 1e-13},
		"generalized-alpha inertial":         {2, 2e-6, 1e-12},
		"generalized-alpha rotation vector":  {2, 1e-5, 1e-12},
		"generalized-alpha Euler parameters": {2, 3e-6, 1e-12},
		"generalized-alpha Tait-Bryan":       {2, 1e-5, 1e-12},
		"trapezoidal inertial":               {2, 5e-6, 2e-5},
		"trapezoidal rotation vector":        {2, 1e-5, 3e-5},
		"trapezoidal Euler parameters":       {2, 3e-6, 1e-5},
		"trapezoidal Tait-Bryan":             {2, 3e-6, 4e-5},
	}
	names, all := EveryStepper(t)
	for i, m := range all {
		bound, last := bounds[names[i]], 0.0
		coarsest := 250
		if strings.HasSuffix(names[i], "Tait-Bryan") {
			coarsest = 1000
		}
		for n := coarsest; n <= 4*coarsest; n *= 2 {
			h, x, iterations := row.T/float64(n), TopMotion(spatial.Vec{}), 0
			for k := range n {
				report, err := m.Step(float64(k)*h, h, &x)
				if err != nil {
					t.Fatalf("%s, h = %g: %v", names[i], h, err)
				}
				iterations += report.Iterations
			}
			d := comPosition(s.Body, x).Sub(Vec(row.X)).Norm()
			pivot := x.P.Add(x.Q.Apply(s.Body.pivot)).Norm()
			order := math.Log2(last / d)
			t.Logf("%-34s h = %.1e s: %.2e m, pivot %.1e m, order %.2f, %.1f iterations", names[i], h, d, pivot, order, float64(iterations)/float64(n))
			if n == 4*coarsest && (d > bound.error || pivot > bound.pivot || math.Abs(order-bound.order) > 0.25) {
				t.Errorf("%s: error %.3g m (at most %.2g), pivot %.3g m (at most %.2g), order %.2f (want %g)",
					names[i], d, bound.error, pivot, bound.pivot, order, bound.order)
			}
			last = d
		}
	}
}
