package identify_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"sinew/cmd/internal/apptest"
	"sinew/pkg/sim"
	"sinew/pkg/sim/microrobot"
	"sinew/pkg/sim/robotfile"
	"sinew/pkg/sim/spatial"
)

// A magnetic sphere of 2 mm in silicone oil: it sinks by a few mm/s, a gradient of
// 0.1 T/m pulls as hard, and a field of 1 mT turns it within 0.1 s.
const bodyFile = `
body: {shape: {sphere_m: 1e-3}, density_kg_per_m3: 7500, magnet: {moment_a_m2: [0, 0, %g]}}
fluid: {viscosity_pa_s: %g, density_kg_per_m3: 970}
solver: {step_s: 0.01}
`

const trueMoment, trueViscosity = 4.6e-3, 5.

// fieldTrial measures a body that sinks in a field which turns, with a gradient
// that comes and goes; every column after t is commanded or measured.
func fieldTrial(t *testing.T, text string, noise, turnNoise float64, seed uint64) string {
	t.Helper()
	f, err := robotfile.Parse[robotfile.Microrobot]("truth.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	r, err := microrobot.NewRobot(f, nil)
	if err != nil {
		t.Fatal(err)
	}
	m := r.NewModel()
	field, pose := -1, -1
	for i, p := range m.Ports() {
		switch {
		case p.Kind == sim.FieldGradient && p.Direction == sim.In:
			field = i
		case p.Name == "measured_cp":
			pose = i
		}
	}
	const stepS, every, rows = 0.01, 5, 120
	s := newSheet("t,bx,by,bz,gxx,gxy,gxz,gyy,gyz,x,y,z,qx,qy,qz,qw", seed)
	in := sim.NewInputs(m)
	value := make([]float64, 7)
	for k := range rows {
		at := float64(k*every) * stepS
		sin, cos := math.Sincos(3 * at)
		command := []float64{1e-3 * sin, 0, 1e-3 * cos, 0, 0, 0.1 * math.Sin(at), 0, 0}
		m.Value(pose, value)
		n := s.random.NormFloat64
		turned := spatial.ExpQuat(spatial.Vec{X: turnNoise * n(), Y: turnNoise * n(), Z: turnNoise * n()}).Mul(spatial.Quat{X: value[3], Y: value[4], Z: value[5], W: value[6]})
		numbers := append([]float64{at}, command...)
		numbers = append(numbers, value[0]+noise*n(), value[1]+noise*n(), value[2]+noise*n(), turned.X, turned.Y, turned.Z, turned.W)
		for i, v := range numbers {
			fmt.Fprintf(s, "%.17g%s", v, map[bool]string{true: "\n", false: ","}[i == len(numbers)-1])
		}
		in.Set(field, command)
		for range every {
			in.Advance(stepS)
			if err := m.Step(stepS); err != nil {
				t.Fatal(err)
			}
		}
	}
	return apptest.Write(t, "field.csv", s.String())
}

// TestFieldRoundTrip finds moment and viscosity from a motion, starting 50 % off.
func TestFieldRoundTrip(t *testing.T) {
	many(t)
	data := fieldTrial(t, fmt.Sprintf(bodyFile, trueMoment, trueViscosity), cameraNoise, 0.02, 1)
	start := apptest.Write(t, "start.yaml", fmt.Sprintf(bodyFile, 0.5*trueMoment, 1.5*trueViscosity))
	r := identified(t, bodyRobot(), "--config", start, "--free", "moment", "--free", "viscosity_pa_s", "--rotation-weight", "0.025", "--hold-out", "0.2", data)
	r.expect(t, "moment", trueMoment, 0.02)
	r.expect(t, "fluid.viscosity_pa_s", trueViscosity, 0.02)
}

// TestResistanceRoundTrip finds the factors of a resistance matrix that is 50 % off.
// The moment is known: a field cannot tell a stronger magnet from less drag.
func TestResistanceRoundTrip(t *testing.T) {
	many(t)
	const text = `
body:
  shape: {resistance: {trans_kg_per_s: [%g, %[1]g, %[1]g], rot_kg_m2_per_s: [%[2]g, %[2]g, %[2]g]}}
  mass_kg: 3e-5
  inertia_kg_m2: [1e-11, 1e-11, 1e-11, 0, 0, 0]
  magnet: {moment_a_m2: [0, 0, %[3]g]}
fluid: {viscosity_pa_s: 5, density_kg_per_m3: 970}
solver: {step_s: 0.01}
`
	trans, rot := 0.094, 1.26e-7
	data := fieldTrial(t, fmt.Sprintf(text, trans, rot, trueMoment), cameraNoise, 0.02, 3)
	start := apptest.Write(t, "start.yaml", fmt.Sprintf(text, 1.5*trans, 0.5*rot, trueMoment))
	r := identified(t, bodyRobot(), "--config", start, "--free", "resistance", "--rotation-weight", "0.025", "--starts", "1", data)
	r.expect(t, "resistance.trans", 1/1.5, 0.02)
	r.expect(t, "resistance.rot", 2, 0.1)

	// and with the moment free too, identify says what it cannot tell apart
	r = identified(t, bodyRobot(), "--config", start, "--free", "resistance", "--free", "moment", "--free", "body.mass_kg", "--rotation-weight", "0.025", "--starts", "1", data)
	if len(r.Confounded) == 0 || !strings.Contains(strings.Join(r.Notes, "\n"), "confounded: ") {
		t.Errorf("nothing is confounded: %+v", r.Confounded)
	}
}

// What drifts in a flow that the robot file lacks suggests numbers of a body, one of which mends it, and nothing of rods.
func TestEffectsOfABody(t *testing.T) {
	file := fmt.Sprintf(bodyFile, trueMoment, trueViscosity)
	flowing := strings.Replace(file, "density_kg_per_m3: 970}", "density_kg_per_m3: 970, flow: {uniform_m_per_s: [1e-3, 0, 0]}}", 1)
	data := fieldTrial(t, flowing, cameraNoise, 0.02, 5)
	start := apptest.Write(t, "start.yaml", file)
	const mended = "fluid.flow.uniform_m_per_s"
	r := identified(t, bodyRobot(), "--config", start, "--free", "moment", "--starts", "1", data)
	if len(r.Effects) == 0 || r.Effects[0].Effect != "hysteresis" || !strings.Contains(r.Effects[0].Text, mended) {
		t.Fatalf("a flow is left out: %+v", r.Effects)
	}
	for _, e := range r.Effects {
		if strings.Contains(e.Text, "rod.") || strings.Contains(e.Text, "tendon") {
			t.Errorf("of a body: %s", e.Text)
		}
	}
	r = identified(t, bodyRobot(), "--config", start, "--free", mended+"[0]=-0.01:0.01", "--starts", "1", data)
	if r.expect(t, mended+"[0]", 1e-3, 0.05); len(r.Effects) > 0 {
		t.Errorf("with the flow: %s", r.Effects[0].Text)
	}
}
