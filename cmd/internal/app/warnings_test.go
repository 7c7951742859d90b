package app_test

import (
	"bytes"
	"strings"
	"testing"

	"sinew/cmd/internal/app"
	"sinew/cmd/internal/apptest"
	"sinew/cmd/internal/program"
	"sinew/pkg/sim/robotfile"
)

// A key without effect gives a warning on stderr, once, and is no failure.
func TestWarnings(t *testing.T) {
	robot := apptest.Robot(&apptest.Integrator{})
	inner := robot.File
	robot.File = program.Files(func(*robotfile.Microrobot) (*program.Instance, error) {
		f := inner()
		f.Merge("silicone.yaml", robot.Builtin[0].File())
		return f.Make()
	})
	file := apptest.Write(t, "robot.yaml", "body: {shape: {sphere_m: 1e-6}}\nsolver: {spectral_radius: 0.5}\n")
	for _, args := range [][]string{{"check", file}, {"sim", "--config", file, "--duration", "0.1s"}} {
		var out, errs bytes.Buffer
		if err := app.Run(robot, args, &out, &errs); err != nil {
			t.Errorf("%s: %v", args[0], err)
		}
		want := "fakesim: warning: " + file + ":2: solver.spectral_radius: 0.5 has no effect"
		if n := strings.Count(errs.String(), want); n != 1 {
			t.Errorf("%s says %d times %q: %q", args[0], n, want, errs.String())
		}
	}
}
