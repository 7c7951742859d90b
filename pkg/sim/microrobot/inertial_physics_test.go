package microrobot

import (
	"fmt"
	"math"
	"strings"
	"testing"

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
		m := newModel(t, fmt.Sprintf(`{dynamics: inertial, solver: {method: %s, step_s: 1e-4}, gravity_m_per_s2: [0, 0, -9.81],
			body: {shape: {sphere_m: 1e-3}, density_kg_per_m3: 2500}, fluid: {viscosity_pa_s: 0.5, density_kg_per_m3: 1200}}`, k.solver))
		nearVec(t, "acceleration at rest", spatial.VecAt(value(t, m, "measured_ca")), spatial.Vec{Z: -g * (1 - fluid/rho)}, 1e-12*g)
		steps(t, m, n, h)
		v := spatial.VecAt(value(t, m, "measured_cv"))
		near(t, k.solver+" speed", v.Z, speed, k.tol*final)
		near(t, k.solver+" depth", m.placement().P.Z, depth, k.tol*final*now)
		near(t, k.solver+" acceleration", value(t, m, "measured_ca")[2], -(final+v.Z)/tau, 1e-9*g)
		near(t, "drag_time", gauge(t, m, "drag_time"), min(tau, 2./15*mass*a*a*3/(8*math.Pi*eta*a*a*a)), 1e-9*tau)
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
		m := newModel(t, fmt.Sprintf(`{dynamics: inertial, solver: {method: %s, step_s: 1e-4}, gravity_m_per_s2: [0, 0, 0],
			body: {shape: {sphere_m: 2e-3}, density_kg_per_m3: 7500, magnet: {moment_a_m2: [0, 0, 0.01]}, orientation_xyzw: [%.17g, 0, 0, %.17g]},
			fluid: {viscosity_pa_s: 0}, field: {uniform_t: [0, 0, 5e-3]}}`, solver, math.Sin(tilt/2), math.Cos(tilt/2)))
		energy := func() float64 {
			return gauge(t, m, "kinetic_energy") + moment*b*(1-math.Cos(gauge(t, m, "lag_angle")))
		}
		start := energy()
		n := int(period / 4 / h) // steps in a quarter of a swing, and then to its end
		steps(t, m, n, h)
		steps(t, m, 1, period/4-float64(n)*h)
		near(t, solver+": tilt after a quarter", gauge(t, m, "lag_angle"), 0, 1e-3*tilt)
		near(t, solver+": energy", energy(), start, 1e-3*start)
		near(t, "field torque", value(t, m, "applied_wrench")[3], 0, 1e-3*moment*b*tilt)
	}
}

// The measured acceleration is the rate of the measured velocity, of a body about any
// reference point, free or on a pivot.
func TestMeasuredAcceleration(t *testing.T) {
	for _, k := range []string{"", "pivot_m: [1e-3, -2e-3, 1e-3], "} {
		m := newModel(t, strings.Replace(fmt.Sprintf(swimmer, "method: rkmk4"), "body: {", "body: {"+k, 1))
		steps(t, m, 30, 1e-3)
		const h = 1e-6
		before := value(t, m, "measured_cv")
		steps(t, m, 1, h)
		a := value(t, m, "measured_ca")
		steps(t, m, 1, h)
		after := value(t, m, "measured_cv")
		linear, angular := spatial.VecAt(a), spatial.VecAt(a[3:])
		rate := func(k int) spatial.Vec {
			return spatial.VecAt(after[k:]).Sub(spatial.VecAt(before[k:])).Scale(1 / (2 * h))
		}
		nearVec(t, k+"linear", linear, rate(0), 1e-6*linear.Norm())
		nearVec(t, k+"angular", angular, rate(3), 1e-6*angular.Norm())
	}
}

// Moving the reference point changes the description of a body, not its motion: inertia
// by Huygens and Steiner, loads and drag taken along.
func TestReferencePointIsFree(t *testing.T) {
	const about = `{dynamics: inertial, solver: {method: rkmk4, step_s: 1e-3}, gravity_m_per_s2: [0, 0, -9.81], fluid: {viscosity_pa_s: 0},
		body: {mass_kg: 2, %s, magnet: {moment_a_m2: [0, 1, 2]}, angular_velocity_rad_per_s: [1, 2, 3], %s}, field: {uniform_t: [0.5, 0, 0.1]}}`
	centre := newModel(t, fmt.Sprintf(about, "inertia_kg_m2: [0.1, 0.2, 0.25, 0, 0, 0]", "velocity_m_per_s: [1, 0, 0]"))
	// reference point at d = (0.1, 0.2, -0.3) from the centre of mass: J = J_c + m(d·d I − d dᵀ), v = ω × d
	d := spatial.Vec{X: 0.1, Y: 0.2, Z: -0.3}
	off := newModel(t, fmt.Sprintf(about,
		"inertia_kg_m2: [0.36, 0.4, 0.35, 0.12, 0.06, -0.04], center_of_mass_m: [-0.1, -0.2, 0.3], position_m: [0.1, 0.2, -0.3]",
		"velocity_m_per_s: [-0.2, 0.6, 0]"))
	steps(t, centre, 2000, 1e-3)
	steps(t, off, 2000, 1e-3)
	nearVec(t, "centre of mass", off.placement().P.Sub(off.placement().Q.Apply(d)), centre.placement().P, 1e-9)
	near(t, "attitude", angle(off.placement().Q, centre.placement().Q), 0, 1e-9)
	near(t, "energy", gauge(t, off, "kinetic_energy"), gauge(t, centre, "kinetic_energy"), 1e-8)
}

// A wrench from a topic does what the same load in the robot file does, in both frames.
func TestWrenchCommandIsALoad(t *testing.T) {
	const text = `{dynamics: inertial, solver: {method: cg4, step_s: 1e-3}, body: {shape: {ellipsoid_m: [2e-3, 1e-3, 1e-3]}, angular_velocity_rad_per_s: [5, 0, 2], %s}}`
	for frame, name := range []string{"world", "body"} {
		file := newModel(t, fmt.Sprintf(text, "load: {force_n: [1e-5, 2e-5, 0], moment_nm: [0, 1e-8, 2e-8], frame: "+name+"}"))
		topic := newModel(t, fmt.Sprintf(text, "load: {}"))
		command(t, topic, "external_wrench", 1e-5, 2e-5, 0, 0, 1e-8, 2e-8, float64(frame))
		steps(t, file, 200, 1e-3)
		steps(t, topic, 200, 1e-3)
		nearVec(t, name, topic.placement().P, file.placement().P, 1e-12)
		near(t, name+" attitude", angle(topic.placement().Q, file.placement().Q), 0, 1e-12)
	}
}

// A ball that falls on the floor stays there, its centre a radius above, with all methods:
// no rebound and no creeping. At rest the measured acceleration is 0, in free fall −g.
func TestInertialFloor(t *testing.T) {
	for _, s := range inertialSolvers {
		m := newModel(t, fmt.Sprintf(`{dynamics: inertial, solver: {%s, step_s: 1e-3}, walls: [{plane: {}}], gravity_m_per_s2: [0, 0, -9.81],
			body: {shape: {sphere_m: 0.01}, density_kg_per_m3: 7500, position_m: [0, 0, 0.015], velocity_m_per_s: [0.1, 0, 0]},
			fluid: {viscosity_pa_s: 1.8e-5, density_kg_per_m3: 1.2}}`, s.name))
		near(t, s.name+": falling", value(t, m, "measured_ca")[2], -9.81*(1-1.2/7500), 1e-3)
		steps(t, m, 200, 1e-3)
		near(t, s.name+": height", m.placement().P.Z, 0.01, 1e-9)
		v, a := value(t, m, "measured_cv"), value(t, m, "measured_ca")
		near(t, s.name+": speed", v[2], 0, 1e-12)
		near(t, s.name+": acceleration", a[2], 0, 1e-9)
		if v[0] < 0.099 || v[0] > 0.1 { // no friction
			t.Errorf("%s: sliding at %g m/s", s.name, v[0])
		}
		near(t, s.name+": gap", gauge(t, m, "wall_gap"), 0, 1e-12)
	}
}

// A sphere near a wall moves as Brenner's and Goldman's factors say, also with inertia: its
// terminal velocity is the overdamped one.
func TestDragNearAWall(t *testing.T) {
	const text = `{dynamics: %s, solver: {method: %s, step_s: 1e-4}, walls: [{plane: {}}], gravity_m_per_s2: [0, 0, 0],
		body: {shape: {sphere_m: 1e-4}, position_m: [0, 0, 1.5e-4], load: {force_n: [1e-9, 0, 0]}}}`
	want := spatial.VecAt(value(t, newModel(t, fmt.Sprintf(text, "overdamped", "rkmk4")), "measured_cv"))
	for _, solver := range []string{"rkmk4", "generalized-alpha"} {
		m := newModel(t, fmt.Sprintf(text, "inertial", solver))
		steps(t, m, 400, 1e-4) // 40 ms; the slowest of the drag times is 3 ms
		nearVec(t, solver, spatial.VecAt(value(t, m, "measured_cv")), want, 1e-5*want.Norm())
	}
}
