package main_test

import (
	"slices"
	"strings"
	"testing"

	"sinew/cmd/internal/program"
	main "sinew/cmd/tendonsim"
	"sinew/pkg/sim"
)

const observed = `
sensors:
  - {name: tracker, rate_hz: 100, pose: {position_error: {noise: 3e-4}, rotation_error: {noise: 3e-3}}}
observer: {force: {walk_n: 0.3}, elements: 5}
`

// A robot file with an observer makes a model that has the robot's ports and derivatives, and an estimate of fewer nodes beside them; changed while it
// runs, too.
func TestObserverOfAFile(t *testing.T) {
	f := program.Files(main.Build)()
	f.Merge("robot.yaml", []byte(observed))
	made, err := f.Make()
	if err != nil {
		t.Fatal(err)
	}
	if want := "observer of a force at the tip from tracker"; !strings.Contains(made.Describe, want) {
		t.Errorf("%q does not say %s", made.Describe, want)
	}
	again, err := made.NewModel()
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range []sim.Model{made.Model, again} {
		ports := m.Ports()
		find := func(name string) *sim.Port {
			i := slices.IndexFunc(ports, func(p sim.Port) bool { return p.Name == name })
			if i < 0 {
				t.Fatalf("no port %s", name)
			}
			return &ports[i]
		}
		if got := len(find("estimate/backbone").Labels); got != 6 {
			t.Errorf("%d nodes of the estimate, want 6", got)
		}
		if got := len(find("backbone").Labels); got == 6 {
			t.Error("the robot has as few elements as the observer")
		}
		if _, ok := sim.As[sim.Differentiable](m); !ok {
			t.Error("the observer hides the derivatives of the robot")
		}
		for range 30 {
			if err := m.Step(0.001); err != nil {
				t.Fatal(err)
			}
		}
	}
	for _, c := range []struct{ text, want string }{
		{"sensors: [{name: tracker, rate_hz: 100, pose: {}}]\nobserver: {force: {}}", "robot.yaml:2: observer: the noise of value x of sensor tracker is 0"},
		{"sensors: [{name: eye, rate_hz: 100, camera: {points: [{name: a, at_m: 0.1}]}}]\nobserver: {force: {}}", "camera"},
	} {
		f := program.Files(main.Build)()
		f.Merge("robot.yaml", []byte(c.text))
		if _, err := f.Make(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", c.text, err)
		}
	}
}
