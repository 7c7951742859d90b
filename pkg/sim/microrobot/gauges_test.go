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

// Step-out is reported above the frequency at which the largest magnetic torque turns the body,
// 1.709 Hz here, and below it a lag that the torque can hold: of a soft body by the long way, and of a
// disc, whose plane follows. Saturation moves the largest torque away from an eighth of a turn.
func TestStepOutOfSoftBody(t *testing.T) {
	const text = `{body: {shape: {ellipsoid_m: [%s]}, density_kg_per_m3: 970, soft: {volume_m3: 8.37758e-12, susceptibility: 1000%s}},
		fluid: {viscosity_pa_s: 0.34, density_kg_per_m3: 970}, gravity_m_per_s2: [0, 0, 0],
		field: {rotating: {axis: [1, 0, 0], amplitude_t: %g, frequency_hz: %g}}}`
	const rod, disc, unlimited, saturated = "100e-6, 200e-6, 100e-6", "200e-6, 200e-6, 100e-6", "", ", saturation_a_per_m: 1e4"
	for _, c := range []struct {
		shape, saturation    string
		amplitude, frequency float64
		stepsOut             bool
	}{
		{rod, unlimited, 5e-3, 1, false}, {rod, unlimited, 5e-3, 1.70, false}, {rod, unlimited, 5e-3, 1.72, true}, {rod, unlimited, 5e-3, 2.5, true},
		{disc, unlimited, 5e-3, 0.5, false}, {disc, unlimited, 5e-3, 2.5, true},
		{rod, saturated, 5e-3, 0.6, false}, {rod, saturated, 5e-3, 2.5, true},
	} {
		m := microrobot.NewModel(t, fmt.Sprintf(text, c.shape, c.saturation, c.amplitude, c.frequency))
		turned, reported := 0.0, false
		for range 10000 {
			before := m.Placement().Q
			microrobot.StepsInTest(t, m, 1, 1e-3)
			turned += microrobot.Angle(before, m.Placement().Q)
			reported = reported || microrobot.Gauge(t, m, "step_out") == 1
		}
		follows := turned > 0.98*10*2*math.Pi*c.frequency
		if reported != c.stepsOut || follows == c.stepsOut {
			t.Errorf("%s, %s, %g T, %g Hz: step-out reported %v, follows %v; want step-out %v", c.shape, c.saturation, c.amplitude, c.frequency, reported, follows, c.stepsOut)
		}
	}
}

// The Reynolds numbers are those of the motion through the fluid: 0 of a sphere that a uniform flow or a
// rotating one carries along, and of the flow past a sphere that a wall holds. In shear, which no body
// follows, that of rotation is by half the shear rate.
func TestReynoldsNumberOfSlip(t *testing.T) {
	const radius, density, viscosity = 1e-4, 1000.0, 1e-3
	const unit = density * radius / viscosity
	const body = "gravity_m_per_s2: [0, 0, 0]\nbody: {shape: {sphere_m: 1e-4}, density_kg_per_m3: 1000%s}\nfluid: {viscosity_pa_s: 1e-3, density_kg_per_m3: 1000%s}\n"
	for _, c := range []struct {
		name, text, body, flow string
		command                []float64
		want, spun             float64
	}{
		{"carried by a uniform flow", "", "", ", flow: {uniform_m_per_s: [0.1, 0, 0]}", nil, 0, 0},
		{"carried by a commanded flow", "", "", "", []float64{0.1, 0, 0, 0, 0, 50}, 0, 0},
		{"carried in shear", "", "", ", flow: {gradient_per_s: [0, 60, 0, 0, 0, 0, 0, 0, 0]}", nil, 0, unit * radius * 30},
		{"carried in rotation", "", "", ", flow: {gradient_per_s: [0, -50, 0, 50, 0, 0, 0, 0, 0]}", nil, 0, 0},
		{"pushed in a flow", "", fmt.Sprintf(", load: {force_n: [%.17g, 0, 0]}", 6*math.Pi*viscosity*radius*0.02), ", flow: {uniform_m_per_s: [0.1, 0, 0]}", nil, unit * 0.02, 0},
		{"with inertia, with the flow", "dynamics: inertial", ", velocity_m_per_s: [0.1, 0, 0], angular_velocity_rad_per_s: [0, 0, 50]", ", flow: {uniform_m_per_s: [0.1, 0, 0], gradient_per_s: [0, -50, 0, 50, 0, 0, 0, 0, 0]}", nil, 0, 0},
		{"with inertia, at rest in a flow", "dynamics: inertial", "", ", flow: {uniform_m_per_s: [0.1, 0, 0]}", nil, unit * 0.1, 0},
		{"held by a wall", "walls: [{plane: {}}]", ", position_m: [0, 0, 1e-4]", ", flow: {uniform_m_per_s: [0, 0, -0.1]}", nil, unit * 0.1, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := microrobot.NewModel(t, fmt.Sprintf(body, c.body, c.flow)+c.text)
			if c.command != nil {
				microrobot.Command(t, m, "ambient_flow", c.command...)
			}
			if c.text == "walls: [{plane: {}}]" {
				microrobot.StepsInTest(t, m, 1, 1e-3)
			}
			microrobot.Near(t, "in translation", microrobot.Gauge(t, m, "reynolds_number"), c.want, 1e-12)
			microrobot.Near(t, "in rotation", microrobot.Gauge(t, m, "spin_reynolds_number"), c.spun, 1e-12)
		})
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
