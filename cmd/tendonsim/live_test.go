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
