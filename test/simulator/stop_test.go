package simulator_test

import (
	"slices"
	"strings"
	"testing"

	"sinew/pkg/sim"
	"sinew/pkg/sim/continuum"
	"sinew/pkg/sim/robotfile"
)

// TestStopEndsWays: whatever is on its way when e_stop or disable comes, a base, a magnet in the
// hand of an arm or a shape, stays where it is, and enable does not send it on.
func TestStopEndsWays(t *testing.T) {
	far := []float64{sim.Keep, sim.Keep, 5e3, sim.Keep, sim.Keep, sim.Keep, sim.Keep} // at 2 m/s; within a hundred times what there is
	for _, c := range []struct {
		name  string
		model func(*testing.T) sim.Model
		port  string
	}{
		{"base", around(""), "base_pose"},
		{"base that is inserted, too", around(""), "base_pose, servo_insertion"},
		{"magnet", around("magnets: [{name: tip, at_m: 0.1, moment_a_m2: [0, 0, 1e-6]}], field: {dipoles: [{name: hand, position_m: [1, 0, 0], moment_a_m2: [1, 0, 0]}]}"), "magnet_pose"},
		{"shape", around("environment: {shapes: [{name: ball, sphere: {center_m: [1, 0, 0], radius_m: 0.1}}]}"), "ball/pose"},
		{"shape around a microrobot", func(t *testing.T) sim.Model {
			return bodyModel(t, "{body: {shape: {sphere_m: 1e-4}}, environment: {shapes: [{name: ball, sphere: {center_m: [60, 0, 0], radius_m: 0.1}}]}}")
		}, "ball/pose"},
	} {
		for _, stop := range []sim.Verb{sim.EStop, sim.Disable} {
			t.Run(c.name+" "+stop.String(), func(t *testing.T) { stopsUnderWay(t, c.model(t), c.port, far, stop) })
		}
	}
}

// around makes a rod with something around it.
func around(what string) func(*testing.T) sim.Model {
	return func(t *testing.T) sim.Model {
		t.Helper()
		return rodModelOf(t, "{rod: {length_m: 0.1, radius_m: 0.001, density_kg_per_m3: 1500, youngs_modulus_pa: 1e9, shear_modulus_pa: 4e8, elements: 4},"+
			"base: {position_m: [60, 0, 0]}, gravity_m_per_s2: [0, 0, 0], solver: {step_s: 0.001}, "+what+"}")
	}
}

// rodModelOf is the model of a robot file.
func rodModelOf(t *testing.T, text string) sim.Model {
	t.Helper()
	f, err := robotfile.Parse[robotfile.Continuum]("rod.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	m, err := continuum.New(f)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// stopsUnderWay sends what follows a port far away, and stops it on the way.
func stopsUnderWay(t *testing.T, m sim.Model, port string, to []float64, stop sim.Verb) {
	s, err := sim.NewSimulator(m, &hastyClock{}, sim.Options{ControlHz: 1000, PublishHz: 50, MarkerHz: 1, StepS: 1e-3})
	if err != nil {
		t.Fatal(err)
	}
	end, ended := make(chan struct{}), make(chan error, 1)
	go func() { ended <- s.Run(end) }()
	named := func(name string) int {
		return slices.IndexFunc(s.Ports(), func(p sim.Port) bool { return p.Name == name })
	}
	pass := func() {
		since := s.Stats().Steps
		until(t, "100 steps", func() bool { return s.Stats().Steps >= since+100 })
	}
	command := func(i int, v []float64) {
		if verdict := s.Post(sim.Source{}, i, v); !verdict.OK() {
			t.Fatalf("command: %v", verdict)
		}
		pass()
	}
	port, other, more := strings.Cut(port, ", ")
	i := named(port)
	if command(i, to); more {
		command(named(other), []float64{sim.Keep, 0.1})
	}
	for _, v := range []sim.Verb{stop, sim.Enable} {
		if r := s.Do(sim.Request{Verb: v}); !r.OK {
			t.Fatalf("%v: %+v", v, r)
		}
	}
	pass()
	close(end)
	if err := <-ended; err != nil {
		t.Fatal(err)
	}
	at := make([]float64, 7)
	if m.Setpoint(i, at); at[2] <= 0 || at[2] >= to[2]/2 {
		t.Errorf("moves to z = %g m; it was stopped on the way to %g m", at[2], to[2])
	}
}
