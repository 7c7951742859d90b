package microrobot_test

import (
	"fmt"
	"math"
	"testing"

	"sinew/pkg/sim/microrobot"
)

// The Reynolds numbers are those of translation and of rotation at the radius of a sphere,
// and 0 where there is no fluid.
func TestReynoldsNumber(t *testing.T) {
	const radius, density, viscosity = 1e-3, 1200.0, 0.5
	for _, c := range []struct{ speed, spin, viscosity, want, spun float64 }{
		{0.3, 0, viscosity, density * radius * 0.3 / viscosity, 0},
		{0.3, 200, viscosity, density * radius * 0.3 / viscosity, density * radius * 0.2 / viscosity},
		{0.3, 400, viscosity, density * radius * 0.3 / viscosity, density * radius * 0.4 / viscosity},
		{0, 400, viscosity, 0, density * radius * 0.4 / viscosity},
		{0, 0, viscosity, 0, 0},
		{0.3, 400, 0, 0, 0},
	} {
		m := microrobot.NewModel(t, fmt.Sprintf(`{dynamics: inertial, gravity_m_per_s2: [0, 0, 0],
			body: {shape: {sphere_m: 1e-3}, density_kg_per_m3: 2500, velocity_m_per_s: [0, %g, 0], angular_velocity_rad_per_s: [0, 0, %g]},
			fluid: {viscosity_pa_s: %g, density_kg_per_m3: 1200}}`, c.speed, c.spin, c.viscosity))
		at := fmt.Sprintf("Reynolds number at %g m/s, %g rad/s, %g Pa s", c.speed, c.spin, c.viscosity)
		microrobot.Near(t, at, microrobot.Gauge(t, m, "reynolds_number"), c.want, 1e-12)
		microrobot.Near(t, "in rotation, "+at, microrobot.Gauge(t, m, "spin_reynolds_number"), c.spun, 1e-12)
	}
}

// A model tells the field's strength, and by how much the moment lags: nothing without
// a field.
func TestFieldAndLag(t *testing.T) {
	for _, c := range []struct{ x, z, lag float64 }{
		{0, 0.02, 0}, {0.02, 0, math.Pi / 2}, {0.03, 0.04, math.Atan2(3, 4)}, {0.03, -0.04, math.Pi - math.Atan2(3, 4)}, {0, 0, 0},
	} {
		m := microrobot.NewModel(t, fmt.Sprintf(`{body: {shape: {sphere_m: 1e-4}, magnet: {moment_a_m2: [0, 0, 2e-10]}},
			field: {uniform_t: [%g, 0, %g]}, gravity_m_per_s2: [0, 0, 0]}`, c.x, c.z))
		microrobot.Near(t, "strength", microrobot.Gauge(t, m, "field_strength"), math.Hypot(c.x, c.z), 1e-17)
		microrobot.Near(t, "lag", microrobot.Gauge(t, m, "lag_angle"), c.lag, 1e-15)
		if got := microrobot.Gauge(t, m, "step_out"); c.lag < 1.5 && got != 0 || c.lag > 1.6 && got != 1 {
			t.Errorf("step_out is %g at a lag of %g", got, c.lag)
		}
	}
}
