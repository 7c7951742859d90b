package main

import (
	"testing"

	"sinew/cmd/internal/apptest"
	"sinew/cmd/internal/program"
	"sinew/launch/robots"
)

// Every robot that comes with the program takes the keys that are live, and no others.
func TestLiveKeys(t *testing.T) {
	for _, r := range robots.Of("tendonsim") {
		t.Run(r.Name, func(t *testing.T) {
			f := program.Files(build)()
			f.Merge(r.Name, r.File())
			if r.Name == "tendonforces" { // method reference knows no payload
				apptest.LiveKeys(t, f, "tip.mass_kg", "tip.inertia_kg_m2")
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
	for _, name := range []string{"silicone", "servo"} {
		effects.Compare(t, func(key, value string) program.File {
			f := program.Files(build)()
			for _, r := range robots.Of("tendonsim") {
				if r.Name == name {
					f.Merge(r.Name, r.File())
				}
			}
			f.Set("", "{initial_state: straight, loads: [{force_n: [0, 0, -0.001], until_s: 0.02}], tip: {mass_kg: 0.001}}", "test")
			if key != "" {
				f.Set(key, value, "test")
			}
			return f
		}, "servo_jf")
	}
	effects.Check(t)
}
