package microrobot_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"sinew/pkg/sim/microrobot"
	"sinew/pkg/sim/spatial"
)

// A sphere let go in fluid falls as v(t) = v∞ (1 − exp(−t/τ)), τ = m/6πηa, with the weight
// less buoyancy: Newton's equation with Stokes' drag.
func TestFallInFluid(t *testing.T) {
	const a, rho, fluid, eta, g, h, n = 1e-3, 2500.0, 1200.0, 0.5, 9.81, 1e-4, 20
	mass := rho * 4 / 3 * math.Pi * a * a * a
	tau := mass / (6 * math.Pi * eta * a)
	final := 2. / 9 * (rho - fluid) * g * a * a / eta
	now := n * h
	speed := -final * (1 - math.Exp(-now/tau))
	depth := -final * (now - tau*(1-math.Exp(-now/tau)))
	for _, k := range []struct {
		solver string
		tol    float64
	}{
		{"rkmk4", 1e-6}, {"cg4", 1e-6}, {"splitting", 2e-3}, {"generalized-alpha", 2e-3}, {"trapezoidal", 1e-3},
	} {
		m := microrobot.NewModel(t, fmt.Sprintf(`{dynamics: inertial, solver: {method: %s, step_s: 1e-4}, gravity_m_per_s2: [0, 0, -9.81],
			body: {shape: {sphere_m: 1e-3}, density_kg_per_m3: 2500}, fluid: {viscosity_pa_s: 0.5, density_kg_per_m3: 1200}}`, k.solver))
		microrobot.NearVec(t, "acceleration at rest", spatial.VecAt(microrobot.Value(t, m, "measured_ca")), spatial.Vec{Z: -g * (1 - fluid/rho)}, 1e-12*g)
		microrobot.StepsInTest(t, m, n, h)
		v := spatial.VecAt(microrobot.Value(t, m, "measured_cv"))
		microrobot.Near(t, k.solver+" speed", v.Z, speed, k.tol*final)
		microrobot.Near(t, k.solver+" depth", m.Placement().P.Z, depth, k.tol*final*now)
		microrobot.Near(t, k.solver+" acceleration", microrobot.Value(t, m, "measured_ca")[2], -(final+v.Z)/tau, 1e-9*g)
		microrobot.Near(t, "drag_time", microrobot.Gauge(t, m, "drag_time"), min(tau, 2./15*mass*a*a*3/(8*math.Pi*eta*a*a*a)), 1e-9*tau)
	}
}

// A magnet in vacuum swings about the field: small oscillations of period 2π √(J/mB), and
// its energy ½ J ω² − m·B stays.
func TestCompassNeedle(t *testing.T) {
	const a, moment, b, h = 2e-3, 0.01, 5e-3, 1e-4
	mass := 7500 * 4. / 3 * math.Pi * a * a * a
	j := 0.4 * mass * a * a
	period := 2 * math.Pi * math.Sqrt(j/(moment*b))
	const tilt = 1e-3
	for _, solver := range []string{"rkmk4", "cg4", "splitting", "trapezoidal"} {
		m := microrobot.NewModel(t, fmt.Sprintf(`{dynamics: inertial, solver: {method: %s, step_s: 1e-4}, gravity_m_per_s2: [0, 0, 0],
			body: {shape: {sphere_m: 2e-3}, density_kg_per_m3: 7500, magnet: {moment_a_m2: [0, 0, 0.01]}, orientation_xyzw: [%.17g, 0, 0, %.17g]},
			fluid: {viscosity_pa_s: 0}, field: {uniform_t: [0, 0, 5e-3]}}`, solver, math.Sin(tilt/2), math.Cos(tilt/2)))
		energy := func() float64 {
			return microrobot.Gauge(t, m, "kinetic_energy") + moment*b*(1-math.Cos(microrobot.Gauge(t, m, "lag_angle")))
		}
		start := energy()
		n := int(period / 4 / h) // steps in a quarter of a swing, and then to its end
		microrobot.StepsInTest(t, m, n, h)
		microrobot.StepsInTest(t, m, 1, period/4-float64(n)*h)
		microrobot.Near(t, solver+": tilt after a quarter", microrobot.Gauge(t, m, "lag_angle"), 0, 1e-3*tilt)
		microrobot.Near(t, solver+": energy", energy(), start, 1e-3*start)
		microrobot.Near(t, "field torque", microrobot.Value(t, m, "applied_wrench")[3], 0, 1e-3*moment*b*tilt)
	}
}

// The measured acceleration is the rate of the measured velocity, of a body about any
// reference point, free or on a pivot.
func TestMeasuredAcceleration(t *testing.T) {
	for _, k := range []string{"", "pivot_m: [1e-3, -2e-3, 1e-3], "} {
		m := microrobot.NewModel(t, strings.Replace(fmt.Sprintf(swimmer, "method: rkmk4"), "body: {", "body: {"+k, 1))
		microrobot.StepsInTest(t, m, 30, 1e-3)
		const h = 1e-6
		before := microrobot.Value(t, m, "measured_cv")
		microrobot.StepsInTest(t, m, 1, h)
		a := microrobot.Value(t, m, "measured_ca")
		microrobot.StepsInTest(t, m, 1, h)
		after := microrobot.Value(t, m, "measured_cv")
		linear, angular := spatial.VecAt(a), spatial.VecAt(a[3:])
		rate := func(k int) spatial.Vec {
			return spatial.VecAt(after[k:]).Sub(spatial.VecAt(before[k:])).Scale(1 / (2 * h))
		}
		microrobot.NearVec(t, k+"linear", linear, rate(0), 1e-6*linear.Norm())
		microrobot.NearVec(t, k+"angular", angular, rate(3), 1e-6*angular.Norm())
	}
}

// Moving the reference point changes the description of a body, not its motion: inertia
// by Huygens and Steiner, loads and drag taken along.
func TestReferencePointIsFree(t *testing.T) {
	const about = `{dynamics: inertial, solver: {method: rkmk4, step_s: 1e-3}, gravity_m_per_s2: [0, 0, -9.81], fluid: {viscosity_pa_s: 0},
		body: {mass_kg: 2, %s, magnet: {moment_a_m2: [0, 1, 2]}, angular_velocity_rad_per_s: [1, 2, 3], %s}, field: {uniform_t: [0.5, 0, 0.1]}}`
	centre := microrobot.NewModel(t, fmt.Sprintf(about, "inertia_kg_m2: [0.1, 0.2, 0.25, 0, 0, 0]", "velocity_m_per_s: [1, 0, 0]"))
	// reference point at d = (0.1, 0.2, -0.3) from the centre of mass: J = J_c + m(d·d I − d dᵀ), v = ω × d
	d := spatial.Vec{X: 0.1, Y: 0.2, Z: -0.3}
	off := microrobot.NewModel(t, fmt.Sprintf(about,
		"inertia_kg_m2: [0.36, 0.4, 0.35, 0.12, 0.06, -0.04], center_of_mass_m: [-0.1, -0.2, 0.3], position_m: [0.1, 0.2, -0.3]",
		"velocity_m_per_s: [-0.2, 0.6, 0]"))
	microrobot.StepsInTest(t, centre, 2000, 1e-3)
	microrobot.StepsInTest(t, off, 2000, 1e-3)
	microrobot.NearVec(t, "centre of mass", off.Placement().P.Sub(off.Placement().Q.Apply(d)), centre.Placement().P, 1e-9)
	microrobot.Near(t, "attitude", microrobot.Angle(off.Placement().Q, centre.Placement().Q), 0, 1e-9)
	microrobot.Near(t, "energy", microrobot.Gauge(t, off, "kinetic_energy"), microrobot.Gauge(t, centre, "kinetic_energy"), 1e-8)
}

// A wrench from a topic does what the same load in the robot file does, in both frames.
func TestWrenchCommandIsALoad(t *testing.T) {
	const text = `{dynamics: inertial, solver: {method: cg4, step_s: 1e-3}, body: {shape: {ellipsoid_m: [2e-3, 1e-3, 1e-3]}, angular_velocity_rad_per_s: [5, 0, 2], %s}}`
	for frame, name := range []string{"world", "body"} {
		file := microrobot.NewModel(t, fmt.Sprintf(text, "load: {force_n: [1e-5, 2e-5, 0], moment_nm: [0, 1e-8, 2e-8], frame: "+name+"}"))
		topic := microrobot.NewModel(t, fmt.Sprintf(text, "load: {}"))
		microrobot.Command(t, topic, "external_wrench", 1e-5, 2e-5, 0, 0, 1e-8, 2e-8, float64(frame))
		microrobot.StepsInTest(t, file, 200, 1e-3)
		microrobot.StepsInTest(t, topic, 200, 1e-3)
		microrobot.NearVec(t, name, topic.Placement().P, file.Placement().P, 1e-12)
		microrobot.Near(t, name+" attitude", microrobot.Angle(topic.Placement().Q, file.Placement().Q), 0, 1e-12)
	}
}

// A ball that falls on the floor stays there, its centre a radius above, with all methods:
// no rebound and no creeping. At rest the measured acceleration is 0, in free fall −g.
func TestInertialFloor(t *testing.T) {
	for _, s := range inertialSolvers {
		m := microrobot.NewModel(t, fmt.Sprintf(`{dynamics: inertial, solver: {%s, step_s: 1e-3}, walls: [{plane: {}}], gravity_m_per_s2: [0, 0, -9.81],
			body: {shape: {sphere_m: 0.01}, density_kg_per_m3: 7500, position_m: [0, 0, 0.015], velocity_m_per_s: [0.1, 0, 0]},
			fluid: {viscosity_pa_s: 1.8e-5, density_kg_per_m3: 1.2}}`, s.name))
		microrobot.Near(t, s.name+": falling", microrobot.Value(t, m, "measured_ca")[2], -9.81*(1-1.2/7500), 1e-3)
		microrobot.StepsInTest(t, m, 200, 1e-3)
		microrobot.Near(t, s.name+": height", m.Placement().P.Z, 0.01, 1e-9)
		v, a := microrobot.Value(t, m, "measured_cv"), microrobot.Value(t, m, "measured_ca")
		microrobot.Near(t, s.name+": speed", v[2], 0, 1e-12)
		microrobot.Near(t, s.name+": acceleration", a[2], 0, 1e-9)
		if v[0] < 0.099 || v[0] > 0.1 { // no friction
			t.Errorf("%s: sliding at %g m/s", s.name, v[0])
		}
		microrobot.Near(t, s.name+": gap", microrobot.Gauge(t, m, "wall_gap"), 0, 1e-12)
	}
}

// A sphere near a wall moves as Brenner's and Goldman's factors say, also with inertia: its
// terminal velocity is the overdamped one.
func TestDragNearAWall(t *testing.T) {
	const text = `{dynamics: %s, solver: {method: %s, step_s: 1e-4}, walls: [{plane: {}}], gravity_m_per_s2: [0, 0, 0],
		body: {shape: {sphere_m: 1e-4}, position_m: [0, 0, 1.5e-4], load: {force_n: [1e-9, 0, 0]}}}`
	want := spatial.VecAt(microrobot.Value(t, microrobot.NewModel(t, fmt.Sprintf(text, "overdamped", "rkmk4")), "measured_cv"))
	for _, solver := range []string{"rkmk4", "generalized-alpha"} {
		m := microrobot.NewModel(t, fmt.Sprintf(text, "inertial", solver))
		microrobot.StepsInTest(t, m, 400, 1e-4) // 40 ms; the slowest of the drag times is 3 ms
		microrobot.NearVec(t, solver, spatial.VecAt(microrobot.Value(t, m, "measured_cv")), want, 1e-5*want.Norm())
	}
}
