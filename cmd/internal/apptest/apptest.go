// Package apptest has a program for tests of the verbs, whose robot has an exactly known motion.
package apptest

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"sinew/cmd/internal/app"
	"sinew/cmd/internal/program"
	"sinew/launch/robots"
	"sinew/pkg/sim"
	"sinew/pkg/sim/robotfile"
)

// Integrator is a model with an exact solution: each coordinate of its position grows at the rate
// of one commanded tension.
type Integrator struct {
	Tensions [3]float64 // N, commanded
	Fail     float64    // Step fails from this time on, s; 0 is never

	Takes time.Duration // by a step

	t float64
	x [3]float64
}

// Ports implements sim.Model.
func (m *Integrator) Ports() []sim.Port {
	labels := []string{"a", "b", "c"}
	return []sim.Port{
		{Name: "servo_jf", Kind: sim.Tension, Direction: sim.In, Labels: labels, Group: "tendons", Max: []float64{10, 10, 10}},
		{Name: "servo_jp", Kind: sim.TendonLength, Direction: sim.In, Labels: labels, Group: "tendons"},
		{Name: "measured_cp", Kind: sim.Pose, Direction: sim.Out, Frames: []string{sim.World}},
		{Name: "measured_js", Kind: sim.JointState, Direction: sim.Out, Labels: labels, Parts: sim.Position | sim.Velocity | sim.Effort},
	}
}

// Gauges implements sim.Model.
func (m *Integrator) Gauges() []sim.Gauge {
	return []sim.Gauge{{Key: "newton_iterations_mean"}, {Key: "something_else"}}
}

// Command implements sim.Model.
func (m *Integrator) Command(i int, v []float64) {
	for k := range m.Tensions {
		if i == 0 && !sim.IsKeep(v[k]) {
			m.Tensions[k] = v[k]
		}
	}
}

// Setpoint implements sim.Model.
func (m *Integrator) Setpoint(_ int, dst []float64) { copy(dst, m.Tensions[:]) }

// Value implements sim.Model.
func (m *Integrator) Value(i int, dst []float64) {
	switch i {
	case 2:
		copy(dst, []float64{m.x[0], m.x[1], m.x[2], 0, 0, 0, 1})
	case 3:
		copy(dst[6:], m.Tensions[:])
	}
}

// Measure implements sim.Model.
func (m *Integrator) Measure(dst []float64) { dst[0], dst[1] = 2.5, 1 }

// Draw implements sim.Model.
func (m *Integrator) Draw(*sim.Scene) {}

// ErrFake is the error of a Step after Integrator.Fail.
var ErrFake = errors.New("the fake model fails as requested")

// Step implements sim.Model.
func (m *Integrator) Step(dt float64) error {
	if m.Fail > 0 && m.t >= m.Fail {
		return fmt.Errorf("%w at t = %g s", ErrFake, m.t)
	}
	time.Sleep(m.Takes)
	for k := range m.x {
		m.x[k] += dt * m.Tensions[k]
	}
	m.t += dt
	return nil
}

// StateLen implements sim.Model.
func (m *Integrator) StateLen() int { return 1 }

// Save implements sim.Model.
func (m *Integrator) Save([]float64) {}

// Restore implements sim.Model.
func (m *Integrator) Restore([]float64) error { return nil }

// Robot returns a program with the integrator and a step of 1/64 s, which binary numbers represent
// exactly.
func Robot(m *Integrator) program.Robot {
	return program.Robot{
		Name: "fakesim", Summary: "A fake.", Shown: "measured_cp",
		File: program.Files(func(f *robotfile.Continuum) (*program.Instance, error) {
			return &program.Instance{Model: m, Describe: "a fake", Hardware: f.Hardware, Timing: program.Timing{StepS: 1.0 / 64, ControlHz: 64, PublishHz: 64, MarkerHz: 16, CommandTimeoutS: f.CommandTimeout}}, nil
		}),
		Builtin: robots.Of("tendonsim"),
		Samples: func([]sim.Port) []program.Samples {
			return []program.Samples{{Port: "measured_cp", Columns: []string{"x", "y", "z"}}, {Port: "measured_js", First: 6, Columns: []string{"a", "b", "c"}}}
		},
	}
}

// Command runs the program with arguments and returns what it printed.
func Command(t *testing.T, m *Integrator, args ...string) (stdout, stderr string, err error) {
	t.Helper()
	var out, errs bytes.Buffer
	err = app.Run(Robot(m), args, &out, &errs)
	return out.String(), errs.String(), err
}

// Write writes a file in a folder of its own and returns its path.
func Write(t *testing.T, name, text string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}
