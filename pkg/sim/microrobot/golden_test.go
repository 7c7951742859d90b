package microrobot_test

import (
	"fmt"
	"math"
	"testing"

	"sinew/pkg/sim/microrobot"
	"sinew/pkg/sim/spatial"
)

// goldenTolerance is the error allowed in each row of the golden motions: rad, and of
// the largest coordinate.
const goldenTolerance = 1e-8

// motion is a golden file of poses.
type motion struct {
	Rows []struct {
		T float64
		P [3]float64
		Q [4]float64 `json:"q_wxyz"`
	}
}

// compare steps m through the rows in steps of about dt and returns the worst errors
// of attitude (rad) and position (of the largest coordinate).
func (g *motion) compare(t *testing.T, m *microrobot.Model, dt float64) (turn, way float64) {
	t.Helper()
	size := 0.0
	for _, r := range g.Rows {
		size = math.Max(size, microrobot.Vec(r.P).Norm())
	}
	last := 0.0
	for _, r := range g.Rows {
		if span := r.T - last; span > 0 {
			n := math.Ceil(span/dt - 1e-6)
			microrobot.StepsInTest(t, m, int(n), span/n)
			last = r.T
		}
		turn = math.Max(turn, microrobot.Angle(m.Placement().Q, microrobot.Quat(r.Q)))
		way = math.Max(way, m.Placement().P.Sub(microrobot.Vec(r.P)).Norm()/size)
	}
	return turn, way
}

// A spheroid with a moment off its axes in a tilted rotating field, a gradient and
// under a constant force: Gragg-Bulirsch-Stoer of order 20, 32 digits.
func TestSpheroid6DOF(t *testing.T) {
	var g motion
	microrobot.Decode(t, "mr_spheroid_rotating_gradient_6dof.json", &g)
	turn, way := g.compare(t, microrobot.NewModel(t, fmt.Sprintf(microrobot.Spheroid6DOF, "rkmk4")), 0.25e-3)
	t.Logf("0.25 ms: %.2g rad, %.2g of the way", turn, way)
	if !(turn <= goldenTolerance && way <= goldenTolerance) {
		t.Errorf("off by %.3g rad and %.3g of the way", turn, way)
	}
	m := microrobot.NewModel(t, fmt.Sprintf(microrobot.Spheroid6DOF, "rkmk4"))
	turn, way = g.compare(t, m, 1e-3)
	end := microrobot.Angle(m.Placement().Q, microrobot.Quat(g.Rows[len(g.Rows)-1].Q))
	t.Logf("1 ms: %.2g rad, %.2g of the way; %.2g rad at 1 s", turn, way, end)
	if !(turn <= 4e-8 && way <= 4e-8 && end <= 1e-9) {
		t.Errorf("at 1 kHz off by %.3g rad and %.3g of the way, %.3g rad at 1 s", turn, way, end)
	}
}

// Every method converges with its order: errors at 1 s, in attitude.
func TestMethodsConverge(t *testing.T) {
	var g motion
	microrobot.Decode(t, "mr_spheroid_rotating_gradient_6dof.json", &g)
	end := g.Rows[len(g.Rows)-1]
	for method, order := range map[string]float64{"rkmk4": 4, "cg4": 4, "lie-euler": 1} {
		errorAt := func(n int) float64 {
			m := microrobot.NewModel(t, fmt.Sprintf(microrobot.Spheroid6DOF, method))
			microrobot.StepsInTest(t, m, n, end.T/float64(n))
			return microrobot.Angle(m.Placement().Q, microrobot.Quat(end.Q))
		}
		coarse, fine := errorAt(400), errorAt(800)
		if o := math.Log2(coarse / fine); math.Abs(o-order) > 0.35 {
			t.Errorf("%s: errors %.3g and %.3g, order %.2f instead of %g", method, coarse, fine, o, order)
		}
	}
	rational := microrobot.NewModel(t, fmt.Sprintf(microrobot.Spheroid6DOF, "cg4-rational"))
	microrobot.StepsInTest(t, rational, 4000, end.T/4000)
	if e := microrobot.Angle(rational.Placement().Q, microrobot.Quat(end.Q)); !(e > 1e-7 && e < 1e-4) {
		t.Errorf("cg4-rational errs by %.3g rad, want its floor", e)
	}
}

// A helical swimmer with coupling, below step-out.
func TestHelixBelowStepOut(t *testing.T) {
	var g struct {
		motion
		Params struct{ W float64 }
	}
	microrobot.Decode(t, "mr_helix_below_stepout.json", &g)
	turn, way := g.compare(t, microrobot.NewModel(t, fmt.Sprintf(microrobot.Helix, g.Params.W/(2*math.Pi))), 1e-4)
	t.Logf("%.2g rad, %.2g of the way", turn, way)
	if !(turn <= goldenTolerance && way <= goldenTolerance) {
		t.Errorf("off by %.3g rad and %.3g of the way", turn, way)
	}
}

const magneticSphere = `
body:
  shape: {sphere_m: 50e-6}
  magnet: {moment_a_m2: [1e-11, 0, 0]}
  orientation_xyzw: [0, 0, %.17g, %.17g]
field: {%s}
gravity_m_per_s2: [0, 0, 0]
`

// The lag of a sphere behind a rotating field, below and above step-out.
func TestRotatingField(t *testing.T) {
	for _, name := range []string{"below", "above"} {
		var g struct {
			Params struct{ Tau, W float64 }
			Rows   []struct{ T, Lag, Phi float64 }
		}
		microrobot.Decode(t, "mr_rotating_field_"+name+"_stepout.json", &g)
		field := fmt.Sprintf("rotating: {axis: [0, 0, 1], amplitude_t: 0.005, frequency_hz: %.17g}", g.Params.W/(2*math.Pi))
		m := microrobot.NewModel(t, fmt.Sprintf(magneticSphere, 0., 1., field))
		microrobot.Near(t, "alignment time", microrobot.Gauge(t, m, "alignment_time"), g.Params.Tau, 1e-15)
		worst, last := 0.0, 0.0
		for _, r := range g.Rows {
			if n := math.Round((r.T - last) / (g.Params.Tau / 200)); n > 0 {
				microrobot.StepsInTest(t, m, int(n), (r.T-last)/n)
				last = r.T
			}
			phi := 2 * math.Atan2(m.Placement().Q.Z, m.Placement().Q.W)
			worst = math.Max(worst, math.Abs(math.Remainder(phi-r.Phi, 2*math.Pi)))
			lag := math.Abs(math.Remainder(r.Lag, 2*math.Pi))
			microrobot.Near(t, "lag gauge", microrobot.Gauge(t, m, "lag_angle"), lag, goldenTolerance)
			if want := microrobot.Flag(lag > math.Pi/2); microrobot.Gauge(t, m, "step_out") != want {
				t.Errorf("step-out flag at lag %.3g rad is not %g", lag, want)
			}
		}
		t.Logf("%s step-out: %.2g rad", name, worst)
		if !(worst <= goldenTolerance) {
			t.Errorf("%s step-out: off by %.3g rad", name, worst)
		}
	}
}

// A sphere turns into a static field: tan(θ/2) = tan(θ0/2) exp(−t/τ).
func TestDipoleAlignment(t *testing.T) {
	var g struct {
		Params struct{ Tau float64 }
		Rows   []struct{ Theta0, T, Theta float64 }
	}
	microrobot.Decode(t, "mr_dipole_alignment.json", &g)
	worst := 0.0
	for _, r := range g.Rows {
		s, c := math.Sincos(r.Theta0 / 2)
		m := microrobot.NewModel(t, fmt.Sprintf(magneticSphere, s, c, "uniform_t: [0.005, 0, 0]"))
		if n := math.Round(r.T / (g.Params.Tau / 200)); n > 0 {
			microrobot.StepsInTest(t, m, int(n), r.T/n)
		}
		worst = math.Max(worst, math.Abs(2*math.Atan2(m.Placement().Q.Z, m.Placement().Q.W)-r.Theta))
	}
	t.Logf("%.2g rad", worst)
	if !(worst <= goldenTolerance) {
		t.Errorf("off by %.3g rad", worst)
	}
}

// contract/spheroid.yaml: the velocity of a tilted spheroid is not along the force.
func TestContractSpheroid(t *testing.T) {
	m := microrobot.NewModel(t, string(microrobot.Read(t, "spheroid.yaml")))
	want := spatial.Vec{X: 8.056644622231477e-07, Y: 8.312567777647333e-08}
	v := microrobot.Value(t, m, "measured_cv")
	microrobot.NearVec(t, "velocity at the start", spatial.Vec{X: v[0], Y: v[1], Z: v[2]}, want, 1e-14*want.Norm())
	microrobot.StepsInTest(t, m, 1000, 1e-3)
	microrobot.NearVec(t, "way of 1 s", m.Placement().P, want, 1e-12*want.Norm())
}

// contract/rotating_sphere.yaml: above step-out the sphere turns at the mean rate
// Ω − √(Ω² − Ωc²), here 2π (25 − √(25² − 20²)) = 2π 10 rad/s.
func TestContractRotatingSphere(t *testing.T) {
	m := microrobot.NewModel(t, string(microrobot.Read(t, "rotating_sphere.yaml")))
	// over ten whole slips, each of 1/√(25² − 20²) s
	const slip = 1. / 15
	turned, before := 0.0, m.Placement().Q
	for range 1000 {
		microrobot.StepsInTest(t, m, 1, 10*slip/1000)
		turned += before.Conj().Mul(m.Placement().Q).Log().Z
		before = m.Placement().Q
	}
	microrobot.Near(t, "mean rate", turned/(10*slip)/(2*math.Pi*10), 1, 1e-3)
	t.Logf("mean rate off by %.2g", turned/(10*slip)/(2*math.Pi*10)-1)
	microrobot.Near(t, "step-out frequency 1/(2πτ)", 1/(2*math.Pi*microrobot.Gauge(t, m, "alignment_time")), 20, 1e-9)
}
