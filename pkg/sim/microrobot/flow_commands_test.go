package microrobot

import (
	"math"
	"strings"
	"testing"

	"sinew/pkg/sim"
	"sinew/pkg/sim/commands"
)

// A table of commands moves the fluid, which carries and turns the body.
func TestFlowOfCommands(t *testing.T) {
	m := newModel(t, "body: {shape: {sphere_m: 1e-6}, density_kg_per_m3: 1000}\nfluid: {viscosity_pa_s: 1e-3, density_kg_per_m3: 1000}\nsolver: {step_s: 0.01}\n")
	table, err := commands.Read("c.csv", strings.NewReader("t,ambient_flow_vx,ambient_flow_vy,ambient_flow_wz\n0,2e-6,0,0\n1,0,-1e-6,0.5\n"), m.Ports())
	if err != nil {
		t.Fatal(err)
	}
	in, play := sim.NewInputs(m), table.Play()
	for k := range 100 {
		play.Apply(0.01*float64(k), in)
		in.Advance(0.01)
		if err := m.Step(0.01); err != nil {
			t.Fatal(err)
		}
	}
	pose := value(t, m, "measured_cp")
	if math.Abs(pose[0]-2e-6) > 1e-12 || math.Abs(pose[1]) > 1e-12 {
		t.Errorf("carried to %v m in 1 s, want 2e-6, 0, 0", pose[:3])
	}
	play.Apply(1, in)
	in.Advance(0.01)
	twist := value(t, m, "measured_cv")
	if math.Abs(twist[0]) > 1e-12 || math.Abs(twist[1]+1e-6) > 1e-12 || math.Abs(twist[5]-0.5) > 1e-9 {
		t.Errorf("moves with %v, want 0, -1e-6, 0 m/s and 0, 0, 0.5 rad/s", twist)
	}
}
