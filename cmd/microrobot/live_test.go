package main_test

import (
	"strings"
	"testing"

	"sinew/cmd/internal/apptest"
	"sinew/cmd/internal/program"
	main "sinew/cmd/microrobot"
	"sinew/launch/robots"
)

// Every robot that comes with the program takes the keys that are live, and no others.
func TestLiveKeys(t *testing.T) {
	for _, r := range robots.Of("microrobot") {
		t.Run(r.Name, func(t *testing.T) {
			f := program.Files(main.Build)()
			f.Merge(r.Name, r.File())
			if r.Name == "swarm" && testing.Short() {
				t.Skip("large")
			}
			var cannot []string
			if r.Name == "levitation" { // has inertia
				cannot = []string{"fluid.brownian"}
			}
			apptest.LiveKeys(t, f, cannot...)
		})
	}
}

// A suspicious value is warned of when it is set, as when it is in the
// file; what was so before is not said again with every set.
func TestLiveWarnings(t *testing.T) {
	f := program.Files(main.Build)()
	f.Set("", "{body: {shape: {sphere_m: 1e-6}, density_kg_per_m3: 5e4}, fluid: {brownian: true}}", "test")
	made, err := f.Make()
	if err != nil {
		t.Fatal(err)
	}
	if len(made.Warnings) == 0 {
		t.Fatal("the density is not warned of at the start")
	}
	for _, c := range []struct {
		path  string
		value float64
		want  string
	}{
		{"fluid.temperature_k", 300, ""}, {"rates.marker_hz", 20, ""}, {"fluid.temperature_k", 37, "degrees Celsius"},
		{"rates.marker_hz", 21, ""}, {"fluid.temperature_k", 38, "degrees Celsius"}, {"fluid.temperature_k", 310, ""},
	} {
		changed, err := made.Running.Reconfigure([]program.Assignment{{Path: c.path, Value: c.value}})
		if err != nil {
			t.Fatal(err)
		}
		changed.Commit()
		w := changed.Instance.Warnings
		if len(w) != len(c.want)/len("degrees Celsius") || len(w) == 1 && (w[0].Key != c.path || !strings.Contains(w[0].String(), c.want)) {
			t.Errorf("%s = %g: %v, want %q", c.path, c.value, w, c.want)
		}
	}
}

// Every live key does what it does in the robot file, and does something.
func TestLiveEffects(t *testing.T) {
	coils := apptest.Coil(t)
	const load = "body: {load: {force_n: [1e-12, 0, 0], moment_nm: [0, 1e-18, 0]}}"
	effects := apptest.Effects{}
	for _, c := range []struct{ robot, overlay, port string }{
		{"sphere", "{" + load + ", fluid: {brownian: true}, field: {interpolation: linear}, command_timeout_s: 0.01}", "field"},
		{"sphere", "{field: {coils: " + coils + ", coil_max_current_a: 0.02, coil_time_constant_s: 0.01}}", "coil_currents"},
		{"sphere", "{field: {gradient_t_per_m: [0.1, 0.02, -0.03, -0.04, 0.05]}}", ""},
		{"levitation", "{body: {load: {force_n: [1e-3, 0, 0]}}}", ""},
		{"swarm", "{" + load + ", swarm: {count: 8}, fluid: {brownian: true}}", ""},
	} {
		effects.Compare(t, func(key, value string) program.File {
			f := program.Files(main.Build)()
			for _, r := range robots.Of("microrobot") {
				if r.Name == c.robot {
					f.Merge(r.Name, r.File())
				}
			}
			f.Set("", c.overlay, "test")
			if key != "" {
				f.Set(key, value, "test")
			}
			return f
		}, c.port)
	}
	effects.Check(t)
}
