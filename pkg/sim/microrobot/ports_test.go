package microrobot

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"sinew/pkg/sim"
	"sinew/pkg/sim/magnetics"
	"sinew/pkg/sim/spatial"
)

const magnet = `{body: {shape: {sphere_m: 1e-4}, magnet: {moment_a_m2: [2e-10, 0, 0]}, position_m: [1e-3, 2e-3, 3e-3]},
  field: {rotating: {axis: [0, 0, 1], amplitude_t: 0.01, frequency_hz: 5}, uniform_t: [0, 0, 0.002],
    gradient_t_per_m: [0.1, 0.02, -0.03, -0.04, 0.05], gradient_center_m: [1e-3, 0, 0]}, gravity_m_per_s2: [0, 0, 0]}`

// What the robot file says adds up; G acts from its centre.
func TestFieldAtRobot(t *testing.T) {
	m := newModel(t, magnet)
	g := magnetics.Gradient{XX: 0.1, XY: 0.02, XZ: -0.03, YY: -0.04, YZ: 0.05}
	off := g.Apply(spatial.Vec{Y: 2e-3, Z: 3e-3})
	nearVec(t, "at the start", spatial.VecAt(value(t, m, "field_at_robot")), spatial.Vec{X: 0.01, Z: 0.002}.Add(off), 1e-17)
	w := value(t, m, "applied_wrench")
	nearVec(t, "force", spatial.VecAt(w), g.Apply(spatial.Vec{X: 2e-10}), 1e-24)
	nearVec(t, "torque", spatial.VecAt(w[3:]), spatial.Vec{X: 2e-10}.Cross(spatial.Vec{X: 0.01, Z: 0.002}.Add(off)), 1e-26)

	// a field command sets b, ends the rotation and leaves G
	command(t, m, "field", 0.001, 0.002, 0.003)
	nearVec(t, "after a field command", spatial.VecAt(value(t, m, "field_at_robot")), spatial.Vec{X: 0.001, Y: 0.002, Z: 0.003}.Add(off), 1e-17)
	command(t, m, "field_gradient", 0.004, 0, 0, 0, 0, 0, 0, 0)
	nearVec(t, "after a gradient command", spatial.VecAt(value(t, m, "field_at_robot")), spatial.Vec{X: 0.004}, 0)
	command(t, m, "field_gradient", 0.004, 0, 0, 0, 0, 0, 0, 0.1)
	command(t, m, "rotating_field", 0, 0, 2, 0.005, 10, 0.001)
	nearVec(t, "after a rotating field", spatial.VecAt(value(t, m, "field_at_robot")),
		spatial.Vec{X: 0.005, Y: 3e-4, Z: 0.001 + 2e-4}, 1e-17)
	command(t, m, "rotating_field", 0, 0, 0, 0.006, 10, 0.001) // no axis: the last one
	nearVec(t, "without an axis", spatial.VecAt(value(t, m, "field_at_robot")), spatial.Vec{X: 0.006, Y: 3e-4, Z: 0.001 + 2e-4}, 1e-17)
}

// The ambient field adds to whatever is commanded, and is no part of the setpoint.
func TestAmbientField(t *testing.T) {
	m := newModel(t, strings.Replace(magnet, "field: {", "field: {ambient_t: [1e-5, 0, -4e-5], ", 1))
	ambient := spatial.Vec{X: 1e-5, Z: -4e-5}
	for _, b := range []spatial.Vec{{X: 0.001, Y: 0.002, Z: 0.003}, {}} {
		command(t, m, "field_gradient", b.X, b.Y, b.Z, 0, 0, 0, 0, 0)
		nearVec(t, "field", spatial.VecAt(value(t, m, "field_at_robot")), b.Add(ambient), 1e-17)
		for i, p := range m.Ports() {
			if p.Name == "field_gradient" {
				set := make([]float64, p.Width())
				m.Setpoint(i, set)
				nearVec(t, "setpoint", spatial.VecAt(set), b, 0)
			}
		}
	}
}

// A change of frequency does not make the phase jump, nor does a pause of the rotation.
func TestPhaseGoesOn(t *testing.T) {
	m := newModel(t, magnet)
	command(t, m, "rotating_field", 0, 0, 1, 0.01, 5, 0)
	steps(t, m, 30, 1e-3)
	before := m.in.Uniform()
	command(t, m, "rotating_field", 0, 0, 1, 0.01, 9, 0)
	nearVec(t, "at the change", m.in.Uniform(), before, 0)
	command(t, m, "field", 0, 0, 0)
	command(t, m, "rotating_field", 0, 0, 1, 0.01, 5, 0)
	nearVec(t, "after a pause", m.in.Uniform(), before, 1e-17)
	s, c := math.Sincos(2 * math.Pi * 5 * 0.03)
	nearVec(t, "after 30 ms at 5 Hz", before, spatial.Vec{X: 0.01 * c, Y: 0.01 * s}, 1e-15)
}

// The loop's view: commands supersede one another without a jump, single values may be
// kept, and a time-out takes field and gradient to 0.
func TestFieldGroup(t *testing.T) {
	m := newModel(t, magnet)
	in := sim.NewInputs(m)
	fg := port(t, m, "field_gradient")
	keep := sim.Keep
	if v := in.Set(fg, []float64{keep, 0.001, keep, keep, keep, keep, keep, keep}); v != sim.Accepted {
		t.Fatal(v)
	}
	in.Advance(1e-3)
	nearVec(t, "one value", m.in.Constant, spatial.Vec{X: 0.01, Y: 0.001, Z: 0.002}, 1e-17)
	if m.in.Rotating.Amplitude != 0 || m.in.Gradient.XX != 0.1 {
		t.Error("a field command must end the rotation and leave the gradient")
	}
	if v := in.Set(port(t, m, "rotating_field"), []float64{0, 0, 1, 0.01, 5, 0}); v != sim.Accepted {
		t.Fatal(v)
	}
	in.Advance(1e-3)
	in.Release("field")
	in.Advance(1e-3)
	if b := value(t, m, "field_at_robot"); spatial.VecAt(b) != (spatial.Vec{}) {
		t.Errorf("after a time-out the field is %v T", b)
	}
	for name, v := range map[string][]float64{
		"field":          {5, 0, 0},
		"field_gradient": {5, 0, 0, 0, 0, 0, 0, 0},
		"rotating_field": {0, 0, 1, 5, 10, 0},
	} {
		if got := in.Set(port(t, m, name), v); got != sim.OutOfRange {
			t.Errorf("5 mT given as 5 on %s: %v", name, got)
		}
		if p := m.Ports()[port(t, m, name)]; !strings.Contains(p.Hint, "tesla") {
			t.Errorf("%s does not say that its unit is tesla", name)
		}
	}
	if got := in.Set(port(t, m, "field"), []float64{math.NaN(), 0, 0}); got != sim.NotFinite {
		t.Errorf("NaN: %v", got)
	}
}

// Commands every 10 ms, interpolated: the field reaches each command when the next one
// comes, on a straight line, also inside a step.
func TestFirstOrderHold(t *testing.T) {
	const text = `{body: {shape: {sphere_m: 1e-4}}, gravity_m_per_s2: [0, 0, 0], field: {interpolation: linear}}`
	m := newModel(t, text)
	command(t, m, "field", 0.001, 0, 0) // the first one at once
	nearVec(t, "first command", spatial.VecAt(value(t, m, "field_at_robot")), spatial.Vec{X: 0.001}, 0)
	steps(t, m, 10, 1e-3)
	command(t, m, "field_gradient", 0.003, 0, 0, 0, 0, 0, 0, 1)
	near(t, "at the command", value(t, m, "field_at_robot")[0], 0.001, 0)
	setpoint := make([]float64, 8)
	m.Setpoint(port(t, m, "field_gradient"), setpoint)
	if setpoint[0] != 0.003 || setpoint[7] != 1 {
		t.Errorf("setpoint %v", setpoint)
	}
	steps(t, m, 4, 1e-3)
	near(t, "after 4 of 10 ms", value(t, m, "field_at_robot")[0], 0.0018, 1e-17)
	near(t, "gradient", m.in.Gradient.YZ, 0.4, 1e-15)
	m.prepare()
	b, _ := m.env.At(2.5e-3, m.placement().P)
	near(t, "2.5 ms into a step", b.X, 0.0018+0.0005, 1e-17)
	steps(t, m, 20, 1e-3)
	near(t, "there", value(t, m, "field_at_robot")[0], 0.003, 0)
	held := newModel(t, strings.Replace(text, "linear", "hold", 1))
	steps(t, held, 1, 1e-3)
	command(t, held, "field", 0.001, 0, 0)
	steps(t, held, 1, 1e-3)
	command(t, held, "field", 0.003, 0, 0)
	near(t, "held", value(t, held, "field_at_robot")[0], 0.003, 0)
}

// An external wrench acts in the axes of its frame, about the reference point.
func TestExternalWrench(t *testing.T) {
	const text = `{body: {shape: {sphere_m: 1e-4}, orientation_xyzw: [0, 0, 1, 1]}, gravity_m_per_s2: [0, 0, 0]}`
	mob, turn := 1/(6*math.Pi*8.5e-4*1e-4), 1/(8*math.Pi*8.5e-4*1e-12)
	for frame, want := range map[float64][2]spatial.Vec{
		0: {{X: 1e-12 * mob}, {Y: 1e-16 * turn}},
		1: {{Y: 1e-12 * mob}, {X: -1e-16 * turn}}, // a quarter turn about z
	} {
		m := newModel(t, text)
		command(t, m, "external_wrench", 1e-12, 0, 0, 0, 1e-16, 0, frame)
		v := value(t, m, "measured_cv")
		nearVec(t, "velocity", spatial.VecAt(v), want[0], 1e-12*want[0].Norm())
		nearVec(t, "angular velocity", spatial.VecAt(v[3:]), want[1], 1e-12*want[1].Norm())
		now := make([]float64, 7)
		m.Setpoint(port(t, m, "external_wrench"), now)
		if now[6] != frame || now[0] != 1e-12 {
			t.Errorf("setpoint %v", now)
		}
	}
}

// A free body goes with the commanded flow and turns with it, whatever its shape; in
// strain-free flow an ellipsoid does so exactly.
func TestAmbientFlow(t *testing.T) {
	m := newModel(t, `{body: {shape: {ellipsoid_m: [3e-4, 1e-4, 2e-4]}, orientation_xyzw: [0.1, 0.2, 0.3, 0.9]}, gravity_m_per_s2: [0, 0, 0]}`)
	command(t, m, "ambient_flow", 1e-3, -2e-3, 3e-3, 0.1, 0.2, -0.3)
	v := value(t, m, "measured_cv")
	nearVec(t, "velocity", spatial.VecAt(v), spatial.Vec{X: 1e-3, Y: -2e-3, Z: 3e-3}, 1e-17)
	nearVec(t, "angular velocity", spatial.VecAt(v[3:]), spatial.Vec{X: 0.1, Y: 0.2, Z: -0.3}, 1e-15)
}

// Currents are limited, and follow their commands with the coils' lag.
func TestCoils(t *testing.T) {
	coils, err := magnetics.ParseMPEM("test", []byte(`
Coil_List: [A, B]
A: {Source_List: [S], S: {B_Coeff: [1e-5], Source_Direction: [1, 0, 0], Source_Position: [-0.1, 0, 0]}}
B: {Source_List: [S], S: {B_Coeff: [1e-5], Source_Direction: [0, 1, 0], Source_Position: [0, 0.1, 0]}}
Workspace_Dimensions: [[-0.01, 0.01], [-0.01, 0.01], [-0.01, 0.01]]
`))
	if err != nil {
		t.Fatal(err)
	}
	m, err := New(parse(t, `{body: {shape: {sphere_m: 1e-4}, magnet: {}}, gravity_m_per_s2: [0, 0, 0],
  field: {coils: test, coil_max_current_a: 2, coil_time_constant_s: 0.01}}`), coils)
	if err != nil {
		t.Fatal(err)
	}
	in := sim.NewInputs(m)
	if v := in.Set(port(t, m, "coil_currents"), []float64{3, sim.Keep}); v != sim.Clamped {
		t.Fatal(v)
	}
	in.Advance(1e-3)
	steps(t, m, 10, 1e-3)
	want := 2 * (1 - math.Exp(-1)) * 2 * 1e-5 / 1e-3 // I · 2 B_1/r³
	near(t, "field after the time constant", value(t, m, "field_at_robot")[0], want, 1e-3*want)
	near(t, "current", m.in.Currents[0], 2*(1-math.Exp(-1)), 1e-12)
	if gauge(t, m, "outside_workspace") != 0 {
		t.Error("the robot is in the workspace")
	}
	if _, err := New(parse(t, "{body: {shape: {sphere_m: 1e-4}}, field: {coils: x.yaml}}"), nil); err == nil {
		t.Error("a file that names coils was taken without them")
	}
}

// Whatever the contract with the loop asks for holds for a robot with everything.
const everything = `
body: {shape: {sphere_m: 2e-6}, magnet: {moment_a_m2: [0, 1e-15, 0]}, position_m: [0, 0, 5e-6], center_of_mass_m: [0, 0, 1e-7]}
fluid: {brownian: true, flow: {uniform_m_per_s: [1e-6, 0, 0], poiseuille: {axis: [1, 0, 0], radius_m: 1e-3, peak_m_per_s: 1e-3}}}
walls: [{plane: {}}, {cylinder: {axis: [1, 0, 0], radius_m: 1e-3}}]
camera: {rate_hz: 1000, latency_s: 0.01, position_noise_m: 1e-6, angle_noise_rad: 0.01}
field: {rotating: {axis: [0, 1, 0], amplitude_t: 0.005, frequency_hz: 5, offset_t: 0.001}, gradient_t_per_m: [0.1, 0, 0, 0, 0], dipoles: [{position_m: [0, 0, 0.15], moment_a_m2: [0, 0, 20]}]}
`

func TestSaveAndRestore(t *testing.T) {
	for name, text := range map[string]string{
		"everything": everything, "helix": fmt.Sprintf(helix, 8.), "spheroid": fmt.Sprintf(spheroid6DOF, "cg4"),
	} {
		m, twin := newModel(t, text), newModel(t, text)
		steps(t, m, 20, 1e-3)
		command(t, m, "external_wrench", 1e-15, 0, 0, 0, 0, 1e-20, 1)
		command(t, m, "ambient_flow", 1e-6, 0, 0, 0, 0.1, 0)
		command(t, m, "rotating_field", 0, 1, 0, 0.004, 7, 0)
		steps(t, m, 20, 1e-3)
		state := make([]float64, m.StateLen())
		m.Save(state)
		if err := twin.Restore(state); err != nil {
			t.Fatal(err)
		}
		for i := range m.Ports() {
			p := &m.Ports()[i]
			a, b := make([]float64, p.Width()), make([]float64, p.Width())
			if p.Direction == sim.Out {
				m.Value(i, a)
				twin.Value(i, b)
			} else {
				m.Setpoint(i, a)
				twin.Setpoint(i, b)
			}
			for k := range a {
				if a[k] != b[k] {
					t.Errorf("%s: %s[%d] is %v after restoring, was %v", name, p.Name, k, b[k], a[k])
				}
			}
		}
		steps(t, m, 50, 1e-3)
		steps(t, twin, 50, 1e-3)
		after, other := make([]float64, m.StateLen()), make([]float64, m.StateLen())
		m.Save(after)
		twin.Save(other)
		for i := range after {
			if after[i] != other[i] {
				t.Fatalf("%s: value %d is %v, its twin's %v", name, i, after[i], other[i])
			}
		}
		state[3] = math.NaN()
		if err := twin.Restore(state); err == nil {
			t.Errorf("%s: NaN was restored", name)
		}
		if err := twin.Restore(state[1:]); err == nil {
			t.Errorf("%s: a short state was restored", name)
		}
	}
}

func TestNothingAllocates(t *testing.T) {
	for name, text := range map[string]string{
		"everything": everything, "helix": fmt.Sprintf(helix, 8.), "cg4": fmt.Sprintf(spheroid6DOF, "cg4"),
		"lie-euler": fmt.Sprintf(spheroid6DOF, "lie-euler"), "rkmk4": fmt.Sprintf(spheroid6DOF, "rkmk4"),
		"linear":    `{body: {shape: {sphere_m: 1e-4}, magnet: {}}, field: {interpolation: linear}}`,
		"swarm":     `{body: {shape: {sphere_m: 1e-4}, magnet: {}}, swarm: {count: 5, spacing_m: 1e-3}}`,
		"following": strings.Replace(everything, "1e-15, 0]", "1e-9, 0]", 1),
	} {
		m := newModel(t, text)
		var scene sim.Scene
		m.Draw(&scene)
		buffer, gauges := make([]float64, m.StateLen()), make([]float64, len(m.Gauges()))
		n := testing.AllocsPerRun(100, func() {
			if err := m.Step(1e-3); err != nil {
				t.Fatal(err)
			}
			for i := range m.Ports() {
				v := buffer[:m.Ports()[i].Width()]
				if m.Ports()[i].Direction == sim.Out {
					m.Value(i, v)
				} else {
					m.Setpoint(i, v)
					m.Command(i, v)
				}
			}
			m.Measure(gauges)
			m.Draw(&scene)
			m.Save(buffer)
		})
		if n != 0 {
			t.Errorf("%s: %g allocations", name, n)
		}
		for i, g := range gauges {
			if g-g != 0 {
				t.Errorf("%s: gauge %s is %g", name, m.Gauges()[i].Key, g)
			}
		}
	}
}
