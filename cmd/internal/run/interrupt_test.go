package run_test

import (
	"bytes"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"sinew/cmd/internal/app"
	"sinew/cmd/internal/apptest"
	"sinew/cmd/internal/program"
	"sinew/pkg/ros/record"
	"sinew/pkg/sim/robotfile"
	"sinew/test/subprocess"
)

// endsWithin is the time, as a subprocess.Stopwatch measures it, in which a run that is asked
// to end has ended.
const endsWithin = time.Second

// TestInterruptWhileBuilding: Ctrl-C is heard while a robot is built that takes for ever.
func TestInterruptWhileBuilding(t *testing.T) {
	robot := apptest.Robot(&apptest.Integrator{})
	goOn := make(chan struct{})
	defer close(goOn)
	building := make(chan struct{})
	robot.File = program.Files(func(*robotfile.Continuum) (*program.Instance, error) {
		close(building)
		<-goOn
		return nil, apptest.ErrFake
	})
	go func() {
		<-building
		_ = syscall.Kill(syscall.Getpid(), syscall.SIGINT)
	}()
	var out output
	var err error
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		err = app.Run(robot, []string{"run", "--ros", "off", "--realtime", realtimeOfTests}, &out, &out)
	}()
	<-building
	w := subprocess.NewStopwatch()
	defer w.Stop()
	if !w.Within(ended, endsWithin) {
		t.Fatal("still building")
	}
	if err != nil || !strings.Contains(out.String(), "interrupted before the robot was ready") {
		t.Errorf("%v, output %q", err, out.String())
	}
}

// hanging is an integrator whose Step hangs at the twentieth.
type hanging struct {
	apptest.Integrator
	steps atomic.Int64
	hangs chan struct{} // closed when it does
	goOn  chan struct{}
}

// Step implements sim.Model.
func (m *hanging) Step(dt float64) error {
	if m.steps.Add(1) == 20 {
		close(m.hangs)
		<-m.goOn
	}
	return m.Integrator.Step(dt)
}

// output is what a program writes from all its goroutines.
type output struct {
	mu sync.Mutex
	b  bytes.Buffer
}

// Write implements io.Writer.
func (o *output) Write(b []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.b.Write(b)
}

// String is all that was written.
func (o *output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.b.String()
}

// TestEndDuringAStep: a run ends on time in the middle of a step, with a whole recording
// of what came before it.
func TestEndDuringAStep(t *testing.T) {
	m := &hanging{hangs: make(chan struct{}), goOn: make(chan struct{})}
	defer close(m.goOn)
	robot := apptest.Robot(&m.Integrator)
	robot.File = program.Files(func(f *robotfile.Continuum) (*program.Instance, error) {
		return &program.Instance{Model: m, LengthM: 1, Describe: "a fake", Hardware: f.Hardware,
			Timing: program.Timing{StepS: 1.0 / 64, ControlHz: 64, PublishHz: 64, MarkerHz: 16}}, nil
	})
	file := filepath.Join(t.TempDir(), "x.mcap")
	var out output
	var err error
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		err = app.Run(robot, []string{"run", "--ros", "off", "--no-demo", "--realtime", realtimeOfTests, "--record", file}, &out, &out)
	}()
	<-m.hangs
	_ = syscall.Kill(syscall.Getpid(), syscall.SIGINT)
	w := subprocess.NewStopwatch()
	defer w.Stop()
	if !w.Within(ended, endsWithin) {
		t.Fatal("still running")
	}
	if err != nil {
		t.Error(err)
	}
	if !strings.Contains(out.String(), "left in the middle of a control period that had taken ") {
		t.Errorf("output %q", out.String())
	}
	poses := 0
	if err := record.Read(file, nil, func(m record.Message) error {
		if m.Topic == "/fakesim/measured_cp" {
			poses++
		}
		return nil
	}); err != nil || poses != 20 {
		t.Errorf("the recording has %d poses, %v; want the first and those of 19 steps", poses, err)
	}
}
