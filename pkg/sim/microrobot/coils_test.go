package microrobot_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"sinew/pkg/sim"
	"sinew/pkg/sim/magnetics"
	"sinew/pkg/sim/microrobot"
	"sinew/pkg/sim/reference"
	"sinew/pkg/sim/spatial"
)

// coilSystem is a coil with a source 0.1 m below the origin, 0.2 mT/A there, and a field without current.
func coilSystem(t *testing.T, offset string) *magnetics.Coils {
	t.Helper()
	c, err := magnetics.ParseMPEM("test", []byte("Coil_List: [C, Offset]\nWorkspace_Dimensions: [[-0.01, 0.01], [-0.01, 0.01], [-0.01, 0.01]]\n"+
		"C: {Source_List: [S], S: {B_Coeff: [1.0e-7], Source_Direction: [0, 0, 1], Source_Position: [0, 0, -0.1]}}\n"+
		"Offset: {Source_List: [S], S: {"+offset+", Source_Direction: [1, 0, 0], Source_Position: [0, 0, 0]}}"))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

const inCoils = "body: {shape: {sphere_m: 1e-4}, magnet: {moment_a_m2: [0, 0, 1e-12]}, position_m: [%g, 0, %g]}\nfield: {coils: test}\ngravity_m_per_s2: [0, 0, 0]"

// A body at the place of a source without a pole moves in its field; one at a pole is refused.
func TestBodyAtASource(t *testing.T) {
	m, err := microrobot.New(microrobot.Parse(t, fmt.Sprintf(inCoils, 0., 0.)), coilSystem(t, "A_Coeff: [-2.0e-5]"))
	if err != nil {
		t.Fatal(err)
	}
	microrobot.Near(t, "field", microrobot.Value(t, m, "field_at_robot")[0], 2e-5, 1e-18)
	microrobot.StepsInTest(t, m, 10, 1e-3)
	_, err = microrobot.New(microrobot.Parse(t, fmt.Sprintf(inCoils, 0., 0.)), coilSystem(t, "B_Coeff: [-2.0e-12]"))
	if err == nil || !strings.Contains(err.Error(), "field.coils: a source of the field without current is at body.position_m") {
		t.Errorf("error %v", err)
	}
	_, err = microrobot.New(microrobot.Parse(t, fmt.Sprintf(inCoils, 0., -0.1)), coilSystem(t, "A_Coeff: [0]"))
	if err == nil || !strings.Contains(err.Error(), "field.coils: a source of coil C is at body.position_m = (0, 0, -0.1) m, where its field is infinite") {
		t.Errorf("a body at a coil: error %v", err)
	}
}

// A body moves in a map of the field of coils as in the field itself.
func TestBodyInAFieldMap(t *testing.T) {
	exact := coilSystem(t, "A_Coeff: [0]")
	var text strings.Builder
	text.WriteString("x_mm,y_mm,z_mm,C_Bx,C_By,C_Bz\n")
	for i := range 21 * 21 * 21 {
		p := spatial.Vec{X: float64(i/441 - 10), Y: float64(i/21%21 - 10), Z: float64(i%21 - 10)}
		b, _ := exact.PerAmpere(0, p.Scale(1e-3))
		fmt.Fprintf(&text, "%g,%g,%g,%g,%g,%g\n", p.X, p.Y, p.Z, b.X, b.Y, b.Z)
	}
	grid, err := magnetics.ParseCoils("test", []byte(text.String()))
	if err != nil {
		t.Fatal(err)
	}
	var end [2]spatial.Vec
	for k, coils := range []*magnetics.Coils{exact, grid} {
		m, err := microrobot.New(microrobot.Parse(t, fmt.Sprintf(inCoils, 0.002, -0.003)), coils)
		if err != nil {
			t.Fatal(err)
		}
		microrobot.Command(t, m, "coil_currents", 50)
		microrobot.StepsInTest(t, m, 300, 1e-3)
		end[k] = m.Placement().P.Sub(spatial.Vec{X: 0.002, Z: -0.003})
	}
	if d := end[1].Sub(end[0]).Norm(); !(d < 1e-3*end[0].Norm()) || !(end[0].Norm() > 1e-9) {
		t.Errorf("moved by %v m in the map, %v m in the field", end[1], end[0])
	}
}

// Currents that make more than 1 T in the middle of the workspace are refused, as those in mA are; a
// body that meets such a field elsewhere ends its step with an error.
func TestCurrentsInMilliampere(t *testing.T) {
	m, err := microrobot.New(microrobot.Parse(t, fmt.Sprintf(inCoils, 0., -0.009)), coilSystem(t, "A_Coeff: [0]"))
	if err != nil {
		t.Fatal(err)
	}
	in, port := sim.NewInputs(m), microrobot.Port(t, m, "coil_currents")
	for current, want := range map[float64]sim.CommandStatus{4999: sim.Accepted, 5001: sim.OutOfRange, -5001: sim.OutOfRange} {
		if got := in.Set(port, []float64{current}); got != want {
			t.Errorf("%g A: %v, want %v", current, got, want)
		}
	}
	microrobot.Command(t, m, "coil_currents", 4000) // 0.8 T in the middle, 1.06 T at the body
	before := m.Placement().P
	err = m.Step(1e-3)
	var strong *microrobot.FieldError
	if !errors.As(err, &strong) || m.Placement().P != before || !strings.Contains(err.Error(), "allowed: at most 1 T") || !strings.Contains(err.Error(), "5000 mA are 5") {
		t.Errorf("error %v", err)
	}
}

// A body outside of the calibrated workspace is reported with its distance, and a step that fails there
// by it. The step was reported as too long.
func TestWorkspaceIsLeft(t *testing.T) {
	for _, k := range []struct{ x, z, want float64 }{{0.01, 0.01, 0}, {0.013, 0.014, 0.005}, {0, -0.03, 0.02}} {
		m, err := microrobot.New(microrobot.Parse(t, fmt.Sprintf(inCoils, k.x, k.z)), coilSystem(t, "A_Coeff: [0]"))
		if err != nil {
			t.Fatal(err)
		}
		microrobot.Near(t, "distance", microrobot.Gauge(t, m, "outside_workspace"), k.want, 1e-15)
	}
	m, err := microrobot.New(microrobot.Parse(t, fmt.Sprintf(inCoils, 0., -0.0999)), coilSystem(t, "A_Coeff: [0]"))
	if err != nil {
		t.Fatal(err)
	}
	microrobot.Command(t, m, "coil_currents", 1)
	err = m.Step(1e-3)
	var left *reference.WorkspaceError
	if !errors.As(err, &left) || !errors.As(err, new(*microrobot.FieldError)) {
		t.Fatalf("error %v", err)
	}
	microrobot.Near(t, "distance", left.Distance, 0.0899, 1e-15)
	for _, want := range []string{"by 89.9 mm", "at (0, 0, -99.9) mm", "(-10, -10, -10) to (10, 10, 10) mm"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("the error %q lacks %q", err, want)
		}
	}
}
