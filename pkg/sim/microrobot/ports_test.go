package microrobot_test

import (
	"math"
	"strings"
	"testing"

	"sinew/pkg/sim/magnetics"
	"sinew/pkg/sim/microrobot"
	"sinew/pkg/sim/spatial"
)

// What the robot file says adds up; G acts from its centre.
func TestFieldAtRobot(t *testing.T) {
	m := microrobot.NewModel(t, microrobot.Magnet)
	g := magnetics.Gradient{XX: 0.1, XY: 0.02, XZ: -0.03, YY: -0.04, YZ: 0.05}
	off := g.Apply(spatial.Vec{Y: 2e-3, Z: 3e-3})
	microrobot.NearVec(t, "at the start", spatial.VecAt(microrobot.Value(t, m, "field_at_robot")), spatial.Vec{X: 0.01, Z: 0.002}.Add(off), 1e-17)
	w := microrobot.Value(t, m, "applied_wrench")
	microrobot.NearVec(t, "force", spatial.VecAt(w), g.Apply(spatial.Vec{X: 2e-10}), 1e-24)
	microrobot.NearVec(t, "torque", spatial.VecAt(w[3:]), spatial.Vec{X: 2e-10}.Cross(spatial.Vec{X: 0.01, Z: 0.002}.Add(off)), 1e-26)

	// a field command sets b, ends the rotation and leaves G
	microrobot.Command(t, m, "field", 0.001, 0.002, 0.003)
	microrobot.NearVec(t, "after a field command", spatial.VecAt(microrobot.Value(t, m, "field_at_robot")), spatial.Vec{X: 0.001, Y: 0.002, Z: 0.003}.Add(off), 1e-17)
	microrobot.Command(t, m, "field_gradient", 0.004, 0, 0, 0, 0, 0, 0, 0)
	microrobot.NearVec(t, "after a gradient command", spatial.VecAt(microrobot.Value(t, m, "field_at_robot")), spatial.Vec{X: 0.004}, 0)
	microrobot.Command(t, m, "field_gradient", 0.004, 0, 0, 0, 0, 0, 0, 0.1)
	microrobot.Command(t, m, "rotating_field", 0, 0, 2, 0.005, 10, 0.001)
	microrobot.NearVec(t, "after a rotating field", spatial.VecAt(microrobot.Value(t, m, "field_at_robot")),
		spatial.Vec{X: 0.005, Y: 3e-4, Z: 0.001 + 2e-4}, 1e-17)
	microrobot.Command(t, m, "rotating_field", 0, 0, 0, 0.006, 10, 0.001) // no axis: the last one
	microrobot.NearVec(t, "without an axis", spatial.VecAt(microrobot.Value(t, m, "field_at_robot")), spatial.Vec{X: 0.006, Y: 3e-4, Z: 0.001 + 2e-4}, 1e-17)
}

// The ambient field adds to whatever is commanded, and is no part of the setpoint.
func TestAmbientField(t *testing.T) {
	m := microrobot.NewModel(t, strings.Replace(microrobot.Magnet, "field: {", "field: {ambient_t: [1e-5, 0, -4e-5], ", 1))
	ambient := spatial.Vec{X: 1e-5, Z: -4e-5}
	for _, b := range []spatial.Vec{{X: 0.001, Y: 0.002, Z: 0.003}, {}} {
		microrobot.Command(t, m, "field_gradient", b.X, b.Y, b.Z, 0, 0, 0, 0, 0)
		microrobot.NearVec(t, "field", spatial.VecAt(microrobot.Value(t, m, "field_at_robot")), b.Add(ambient), 1e-17)
		for i, p := range m.Ports() {
			if p.Name == "field_gradient" {
				set := make([]float64, p.Width())
				m.Setpoint(i, set)
				microrobot.NearVec(t, "setpoint", spatial.VecAt(set), b, 0)
			}
		}
	}
}

// An external wrench acts in the axes of its frame, about the reference point.
func TestExternalWrench(t *testing.T) {
	const text = `{body: {shape: {sphere_m: 1e-4}, orientation_xyzw: [0, 0, 1, 1]}, gravity_m_per_s2: [0, 0, 0]}`
	mob, turn := 1/(6*math.Pi*8.5e-4*1e-4), 1/(8*math.Pi*8.5e-4*1e-12)
	for frame, want := range map[float64][2]spatial.Vec{
		0: {{X: 1e-12 * mob}, {Y: 1e-16 * turn}},
		1: {{Y: 1e-12 * mob}, {X: -1e-16 * turn}}, // a quarter turn about z
	} {
		m := microrobot.NewModel(t, text)
		microrobot.Command(t, m, "external_wrench", 1e-12, 0, 0, 0, 1e-16, 0, frame)
		v := microrobot.Value(t, m, "measured_cv")
		microrobot.NearVec(t, "velocity", spatial.VecAt(v), want[0], 1e-12*want[0].Norm())
		microrobot.NearVec(t, "angular velocity", spatial.VecAt(v[3:]), want[1], 1e-12*want[1].Norm())
		now := make([]float64, 7)
		m.Setpoint(microrobot.Port(t, m, "external_wrench"), now)
		if now[6] != frame || now[0] != 1e-12 {
			t.Errorf("setpoint %v", now)
		}
	}
}

// A free body goes with the commanded flow and turns with it, whatever its shape; in
// strain-free flow an ellipsoid does so exactly.
func TestAmbientFlow(t *testing.T) {
	m := microrobot.NewModel(t, `{body: {shape: {ellipsoid_m: [3e-4, 1e-4, 2e-4]}, orientation_xyzw: [0.1, 0.2, 0.3, 0.9]}, gravity_m_per_s2: [0, 0, 0]}`)
	microrobot.Command(t, m, "ambient_flow", 1e-3, -2e-3, 3e-3, 0.1, 0.2, -0.3)
	v := microrobot.Value(t, m, "measured_cv")
	microrobot.NearVec(t, "velocity", spatial.VecAt(v), spatial.Vec{X: 1e-3, Y: -2e-3, Z: 3e-3}, 1e-17)
	microrobot.NearVec(t, "angular velocity", spatial.VecAt(v[3:]), spatial.Vec{X: 0.1, Y: 0.2, Z: -0.3}, 1e-15)
}

// Whatever the contract with the loop asks for holds for a robot with everything.
const everything = `
body: {shape: {sphere_m: 2e-6}, magnet: {moment_a_m2: [0, 1e-15, 0]}, position_m: [0, 0, 5e-6], center_of_mass_m: [0, 0, 1e-7]}
fluid: {brownian: true, flow: {uniform_m_per_s: [1e-6, 0, 0], poiseuille: {axis: [1, 0, 0], radius_m: 1e-3, peak_m_per_s: 1e-3}}}
walls: [{plane: {}}, {cylinder: {axis: [1, 0, 0], radius_m: 1e-3}}]
sensors: [{name: camera, rate_hz: 1000, latency_s: 0.01, pose: {position_error: {noise: 1e-6}, rotation_error: {noise: 0.01}}}, {name: chip, rate_hz: 500, imu: {}}, {name: hall, rate_hz: 500, dropout: 0.1, field: {}}]
field: {rotating: {axis: [0, 1, 0], amplitude_t: 0.005, frequency_hz: 5, offset_t: 0.001}, gradient_t_per_m: [0.1, 0, 0, 0, 0], dipoles: [{position_m: [0, 0, 0.15], moment_a_m2: [0, 0, 20]}]}
`
