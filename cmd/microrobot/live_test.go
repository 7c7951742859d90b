package main

import (
	"testing"

	"sinew/cmd/internal/apptest"
	"sinew/cmd/internal/program"
	"sinew/launch/robots"
)

// Every robot that comes with the program takes the keys that are live, and no others.
func TestLiveKeys(t *testing.T) {
	for _, r := range robots.Of("microrobot") {
		t.Run(r.Name, func(t *testing.T) {
			f := program.Files(build)()
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
