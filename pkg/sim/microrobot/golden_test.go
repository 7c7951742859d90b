package microrobot

import (
	"fmt"
	"math"
	"testing"

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
func (g *motion) compare(t *testing.T, m *Model, dt float64) (turn, way float64) {
	t.Helper()
	size := 0.0
	for _, r := range g.Rows {
		size = math.Max(size, vec(r.P).Norm())
	}
	last := 0.0
	for _, r := range g.Rows {
		if span := r.T - last; span > 0 {
			n := math.Ceil(span/dt - 1e-6)
			steps(t, m, int(n), span/n)
			last = r.T
		}
		turn = math.Max(turn, angle(m.placement().Q, quat(r.Q)))
		way = math.Max(way, m.placement().P.Sub(vec(r.P)).Norm()/size)
	}
	return turn, way
}

const spheroid6DOF = `
body:
  shape: {ellipsoid_m: [150e-6, 50e-6, 50e-6]}
  magnet: {moment_a_m2: [6.666666666666667e-11, 1.3333333333333333e-10, 1.3333333333333333e-10]}
  load: {force_n: [0, 0, -1e-9]}
fluid: {viscosity_pa_s: 8.5e-4}
field:
  rotating: {axis: [0, -0.29552020666133955, 0.955336489125606], amplitude_t: 0.005, frequency_hz: 5}
  gradient_t_per_m: [0.1, 0.02, -0.03, -0.04, 0.05]
gravity_m_per_s2: [0, 0, 0]
solver: {method: %s}
`

// A spheroid with a moment off its axes in a tilted rotating field, a gradient and
// under a constant force: Gragg-Bulirsch-Stoer of order 20, 32 digits.
func TestSpheroid6DOF(t *testing.T) {
	var g motion
	decode(t, "mr_spheroid_rotating_gradient_6dof.json", &g)
	turn, way := g.compare(t, newModel(t, fmt.Sprintf(spheroid6DOF, "rkmk4")), 0.25e-3)
	t.Logf("0.25 ms: %.2g rad, %.2g of the way", turn, way)
	if !(turn <= goldenTolerance && way <= goldenTolerance) {
		t.Errorf("off by %.3g rad and %.3g of the way", turn, way)
	}
	m := newModel(t, fmt.Sprintf(spheroid6DOF, "rkmk4"))
	turn, way = g.compare(t, m, 1e-3)
	end := angle(m.placement().Q, quat(g.Rows[len(g.Rows)-1].Q))
	t.Logf("1 ms: %.2g rad, %.2g of the way; %.2g rad at 1 s", turn, way, end)
	if !(turn <= 4e-8 && way <= 4e-8 && end <= 1e-9) {
		t.Errorf("at 1 kHz off by %.3g rad and %.3g of the way, %.3g rad at 1 s", turn, way, end)
	}
}

// Every method converges with its order: errors at 1 s, in attitude.
func TestMethodsConverge(t *testing.T) {
	var g motion
	decode(t, "mr_spheroid_rotating_gradient_6dof.json", &g)
	end := g.Rows[len(g.Rows)-1]
	for method, order := range map[string]float64{"rkmk4": 4, "cg4": 4, "lie-euler": 1} {
		errorAt := func(n int) float64 {
			m := newModel(t, fmt.Sprintf(spheroid6DOF, method))
			steps(t, m, n, end.T/float64(n))
			return angle(m.placement().Q, quat(end.Q))
		}
		coarse, fine := errorAt(400), errorAt(800)
		if o := math.Log2(coarse / fine); math.Abs(o-order) > 0.35 {
			t.Errorf("%s: errors %.3g and %.3g, order %.2f instead of %g", method, coarse, fine, o, order)
		}
	}
	rational := newModel(t, fmt.Sprintf(spheroid6DOF, "cg4-rational"))
	steps(t, rational, 4000, end.T/4000)
	if e := angle(rational.placement().Q, quat(end.Q)); !(e > 1e-7 && e < 1e-4) {
		t.Errorf("cg4-rational errs by %.3g rad, want its floor", e)
	}
}

const helix = `
body:
  shape:
    resistance:
      trans_kg_per_s: [1.5e-7, 2.2e-7, 2.2e-7]
      rot_kg_m2_per_s: [2.3e-18, 2.0e-16, 2.0e-16]
      coupling_kg_m_per_s: [1.6e-14, 0, 0]
  magnet: {moment_a_m2: [0, 1.0e-13, 0]}
  orientation_xyzw: [0, 0, 0.049979169270678329, 0.99875026039496625]
field: {rotating: {axis: [1, 0, 0], amplitude_t: 0.002, frequency_hz: %.17g}}
`

// A helical swimmer with coupling, below step-out.
func TestHelixBelowStepOut(t *testing.T) {
	var g struct {
		motion
		Params struct{ W float64 }
	}
	decode(t, "mr_helix_below_stepout.json", &g)
	turn, way := g.compare(t, newModel(t, fmt.Sprintf(helix, g.Params.W/(2*math.Pi))), 1e-4)
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
		decode(t, "mr_rotating_field_"+name+"_stepout.json", &g)
		field := fmt.Sprintf("rotating: {axis: [0, 0, 1], amplitude_t: 0.005, frequency_hz: %.17g}", g.Params.W/(2*math.Pi))
		m := newModel(t, fmt.Sprintf(magneticSphere, 0., 1., field))
		near(t, "alignment time", gauge(t, m, "alignment_time"), g.Params.Tau, 1e-15)
		worst, last := 0.0, 0.0
		for _, r := range g.Rows {
			if n := math.Round((r.T - last) / (g.Params.Tau / 200)); n > 0 {
				steps(t, m, int(n), (r.T-last)/n)
				last = r.T
			}
			phi := 2 * math.Atan2(m.placement().Q.Z, m.placement().Q.W)
			worst = math.Max(worst, math.Abs(math.Remainder(phi-r.Phi, 2*math.Pi)))
			lag := math.Abs(math.Remainder(r.Lag, 2*math.Pi))
			near(t, "lag gauge", gauge(t, m, "lag_angle"), lag, goldenTolerance)
			if want := flag(lag > math.Pi/2); gauge(t, m, "step_out") != want {
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
	decode(t, "mr_dipole_alignment.json", &g)
	worst := 0.0
	for _, r := range g.Rows {
		s, c := math.Sincos(r.Theta0 / 2)
		m := newModel(t, fmt.Sprintf(magneticSphere, s, c, "uniform_t: [0.005, 0, 0]"))
		if n := math.Round(r.T / (g.Params.Tau / 200)); n > 0 {
			steps(t, m, int(n), r.T/n)
		}
		worst = math.Max(worst, math.Abs(2*math.Atan2(m.placement().Q.Z, m.placement().Q.W)-r.Theta))
	}
	t.Logf("%.2g rad", worst)
	if !(worst <= goldenTolerance) {
		t.Errorf("off by %.3g rad", worst)
	}
}

// contract/spheroid.yaml: the velocity of a tilted spheroid is not along the force.
func TestContractSpheroid(t *testing.T) {
	m := newModel(t, string(read(t, "spheroid.yaml")))
	want := spatial.Vec{X: 8.056644622231477e-07, Y: 8.312567777647333e-08}
	v := value(t, m, "measured_cv")
	nearVec(t, "velocity at the start", spatial.Vec{X: v[0], Y: v[1], Z: v[2]}, want, 1e-14*want.Norm())
	steps(t, m, 1000, 1e-3)
	nearVec(t, "way of 1 s", m.placement().P, want, 1e-12*want.Norm())
}

// contract/rotating_sphere.yaml: above step-out the sphere turns at the mean rate
// Ω − √(Ω² − Ωc²), here 2π (25 − √(25² − 20²)) = 2π 10 rad/s.
func TestContractRotatingSphere(t *testing.T) {
	m := newModel(t, string(read(t, "rotating_sphere.yaml")))
	// over ten whole slips, each of 1/√(25² − 20²) s
	const slip = 1. / 15
	turned, before := 0.0, m.placement().Q
	for range 1000 {
		steps(t, m, 1, 10*slip/1000)
		turned += before.Conj().Mul(m.placement().Q).Log().Z
		before = m.placement().Q
	}
	near(t, "mean rate", turned/(10*slip)/(2*math.Pi*10), 1, 1e-3)
	t.Logf("mean rate off by %.2g", turned/(10*slip)/(2*math.Pi*10)-1)
	near(t, "step-out frequency 1/(2πτ)", 1/(2*math.Pi*gauge(t, m, "alignment_time")), 20, 1e-9)
}
