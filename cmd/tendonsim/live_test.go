package main_test

import (
	"testing"

	"sinew/cmd/internal/apptest"
	"sinew/cmd/internal/program"
	main "sinew/cmd/tendonsim"
	"sinew/launch/robots"
	"sinew/pkg/sim/robotfile"
)

// Every robot that comes with the program takes the keys that are live, and no others.
func TestLiveKeys(t *testing.T) {
	for _, r := range robots.Rods() {
		t.Run(r.Name, func(t *testing.T) {
			f := program.Files(main.Build)()
			f.Merge(r.Name, r.File())
			if r.Name == "tendonforces" { // method reference knows neither payload nor drives
				apptest.LiveKeys(t, f, "tip.mass_kg", "tip.inertia_kg_m2", "drives.shared_compliance_m_per_n")
				return
			}
			f.Set("", "{loads: [{force_n: [0, 0, -0.001]}], tip: {mass_kg: 0.001}}", "test")
			apptest.LiveKeys(t, f)
		})
	}
}

// Every live key does what it does in the robot file, and does something.
func TestLiveEffects(t *testing.T) {
	effects := apptest.Effects{}
	const rod = "{initial_state: straight, loads: [{force_n: [0, 0, -0.001], until_s: 0.02}], tip: {mass_kg: 0.001}}"
	const observedRod = "{initial_state: straight, sensors: [{name: tracker, rate_hz: 1000, pose: {position_error: {noise: 1e-4}, rotation_error: {noise: 1e-3}}}]," +
		" observer: {force: {walk_n: 0.1, steady_s: 0.1}, stiffness: {deviation: 0.1, walk: 0.1}}}"
	for _, c := range []struct{ robot, overlay, port string }{
		{"silicone", rod, "servo_jf"},
		{"servo", rod, "servo_jf"},
		{"silicone", observedRod, "servo_jf"},
		{"motors", rod, "servo_jp"},
		{"catheter", "{initial_state: straight, field: {interpolation: linear}, command_timeout_s: 0.01}", "field"},
		{"catheter", "{initial_state: straight, field: {uniform_t: [0, 0, 0], coils: " + apptest.Coil(t) + ", coil_max_current_a: 0.02, coil_time_constant_s: 0.01}}", "coil_currents"},
		{"catheter", "{initial_state: straight, field: {gradient_t_per_m: [0.1, 0.02, -0.03, -0.04, 0.05]}}", ""},
	} {
		effects.Compare(t, func(key, value string) program.File {
			f := program.Files(main.Build)()
			for _, r := range robots.Rods() {
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

// A set of a live key reads the robot file once: the suspicious values of the previous file are known.
func TestLiveSetReadsOnce(t *testing.T) {
	f := program.Files(main.Build)()
	f.Merge(robots.Rods()[0].Name, robots.Rods()[0].File())
	made, err := f.Make()
	if err != nil {
		t.Fatal(err)
	}
	const runs = 5
	file := made.Text()
	once := testing.AllocsPerRun(runs, func() {
		if _, err := robotfile.Parse[robotfile.Continuum]("robot.yaml", file); err != nil {
			t.Fatal(err)
		}
	})
	hz := 10.0
	set := testing.AllocsPerRun(runs, func() {
		hz++
		changed, err := made.Running.Reconfigure([]program.Assignment{{Path: "rates.marker_hz", Value: hz}})
		if err != nil {
			t.Fatal(err)
		}
		changed.Commit()
	})
	t.Logf("%g allocations to read the file, %g to set a key", once, set)
	if set > 2*once { // writing and listing the file take less than reading it; reading it twice does not fit
		t.Errorf("to set a key takes %g allocations, to read the file %g", set, once)
	}
}
