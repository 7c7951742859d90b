package simulator_test

import (
	"errors"
	"math"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"sinew/pkg/sim"
	"sinew/pkg/sim/continuum"
	"sinew/pkg/sim/microrobot"
	"sinew/pkg/sim/robotfile"
	"sinew/test/testbench"
)

// hastyClock is a sim.Clock that does not sleep.
type hastyClock struct{ now atomic.Int64 }

// Now implements sim.Clock.
func (c *hastyClock) Now() time.Duration { return time.Duration(c.now.Load()) }

// SleepUntil implements sim.Clock.
func (c *hastyClock) SleepUntil(t time.Duration) {
	c.now.Store(max(c.now.Load(), int64(t)))
	runtime.Gosched()
}

// rodModel is the model of a robot file of the contract after a change.
func rodModel(t *testing.T, name string, change func(*robotfile.Continuum)) sim.Model {
	t.Helper()
	data, err := os.ReadFile(testbench.RobotFiles + name)
	if err != nil {
		t.Fatal(err)
	}
	f, err := robotfile.Parse[robotfile.Continuum](name, data)
	if err != nil {
		t.Fatal(err)
	}
	change(f)
	m, err := continuum.New(f)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// bodyModel is the model of a microrobot.
func bodyModel(t *testing.T, text string) sim.Model {
	t.Helper()
	f, err := robotfile.Parse[robotfile.Microrobot]("body.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	m, err := microrobot.New(f, nil)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// strong lets all tendons pull with anything.
func strong(f *robotfile.Continuum) {
	for k := range f.Tendons {
		f.Tendons[k].Limits.MaxTension = 1e4
	}
}

// is reports whether an error is of type T.
func is[T error](err error) bool {
	var e T
	return errors.As(err, &e)
}

// watched remembers the error of a model's last failed step.
type watched struct {
	sim.Model
	err atomic.Pointer[error]
}

// Step implements sim.Model.
func (w *watched) Step(dt float64) error {
	err := w.Model.Step(dt)
	if err != nil {
		w.err.Store(&err)
	}
	return err
}

// Hold implements sim.Holder.
func (w *watched) Hold(dt float64) { w.Model.(sim.Holder).Hold(dt) }

// TestEveryErrorIsAFaultThatEnableLeaves: whatever a step of the models that ship fails
// with is the reason of FAULT, at the first snapshot, and enable continues from there.
func TestEveryErrorIsAFaultThatEnableLeaves(t *testing.T) {
	const publishHz = 50 // a snapshot of its own tells of a failure
	nitinol := func(change func(*robotfile.Continuum)) func(t *testing.T) sim.Model {
		return func(t *testing.T) sim.Model {
			return rodModel(t, "nitinol_robot.yaml", func(f *robotfile.Continuum) {
				strong(f)
				change(f)
			})
		}
	}
	as := func(*robotfile.Continuum) {}
	none := math.NaN()
	for _, c := range []struct {
		name  string
		model func(t *testing.T) sim.Model
		hz    float64
		stepS float64
		port  string
		value []float64
		kind  func(error) bool
	}{
		{"disks collide", nitinol(as), 1000, 1e-3, "servo_jf", []float64{50, none, none, none}, is[*continuum.DiskCollisionError]},
		{"not converged", nitinol(as), 40, 0.025, "servo_jf", []float64{30, none, none, none}, is[*continuum.NotConvergedError]},
		{"coarse mesh", nitinol(func(f *robotfile.Continuum) { f.Rod.Elements, f.Tendons = 2, nil }), 1000, 1e-3, "external_wrench", []float64{0, 0, 0, 0, 0.15, 0, 0}, is[*continuum.CoarseMeshError]},
		{"not finite", nitinol(as), 1000, 1e-3, "external_wrench", []float64{1e300, 0, 0, 0, 0, 0, 0}, is[*continuum.UnstableError]},
		{"explicit, not finite", nitinol(func(f *robotfile.Continuum) { f.Solver.Method, f.Solver.Step = robotfile.Explicit, 2.6e-7 }), 1e4, 2.6e-7, "external_wrench", []float64{1e300, 0, 0, 0, 0, 0, 0}, is[*continuum.UnstableError]},
		{"overdamped, not finite", func(t *testing.T) sim.Model {
			return bodyModel(t, "{body: {shape: {sphere_m: 1e-4}}}")
		}, 1000, 1e-3, "external_wrench", []float64{1e308, 0, 0, 0, 0, 0, 0}, is[*microrobot.UnstableError]},
		{"inertial, not finite", func(t *testing.T) sim.Model {
			return bodyModel(t, "{dynamics: inertial, body: {shape: {sphere_m: 1e-4}}}")
		}, 1000, 1e-3, "external_wrench", []float64{1e308, 0, 0, 0, 0, 0, 0}, is[*microrobot.UnstableError]},
		{"inertial, stiff", func(t *testing.T) sim.Model {
			return bodyModel(t, "{dynamics: inertial, fluid: {viscosity_pa_s: 0}, body: {shape: {sphere_m: 1e-6}, magnet: {moment_a_m2: [1e-12, 0, 0]}}}")
		}, 1000, 1e-3, "field", []float64{0, 0.9, 0}, is[*microrobot.StiffError]},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := &watched{Model: c.model(t)}
			s, err := sim.NewSimulator(m, &hastyClock{}, sim.Options{ControlHz: c.hz, PublishHz: min(publishHz, c.hz), MarkerHz: 1, StepS: c.stepS})
			if err != nil {
				t.Fatal(err)
			}
			stop, ended := make(chan struct{}), make(chan error, 1)
			go func() { ended <- s.Run(stop) }()
			defer func() {
				close(stop)
				if err := <-ended; err != nil {
					t.Error(err)
				}
			}()
			port := slices.IndexFunc(s.Ports(), func(p sim.Port) bool { return p.Name == c.port })
			value := slices.Clone(c.value)
			for i, v := range value {
				if math.IsNaN(v) {
					value[i] = sim.Keep
				}
			}
			if v := s.Post(sim.Source{}, port, value); !v.OK() {
				t.Fatalf("command: %v", v)
			}
			shot := s.NewSnapshot()
			until(t, "FAULT", func() bool {
				for s.Next(shot) {
					if shot.State == sim.Fault {
						return true
					}
				}
				return false
			})
			failure := m.err.Load()
			if failure == nil || !c.kind(*failure) || shot.Reason != (*failure).Error() || !strings.Contains(shot.Reason, "t = ") {
				t.Fatalf("reason %q", shot.Reason)
			}
			stood := s.Stats().Steps
			if r := s.Do(sim.Request{Verb: sim.Enable}); !r.OK {
				t.Fatalf("enable: %+v", r)
			}
			until(t, "50 steps", func() bool { return s.Stats().Steps >= stood+50 || s.State() == sim.Fault })
			if s.State() != sim.Enabled {
				t.Errorf("%v again, %d steps after enable: %v", s.State(), s.Stats().Steps-stood, *m.err.Load())
			}
		})
	}
}

// until waits for a condition.
func until(t *testing.T, what string, reached func() bool) {
	t.Helper()
	for end := time.Now().Add(testbench.WaitLimit); !reached(); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("waited too long for %s", what)
		}
	}
}
