package program

import (
	"errors"
	"fmt"
	"strings"
	"sync/atomic"

	"sinew/cmd/internal/progress"
	"sinew/pkg/sim/robotfile"
)

// LiveFile is the robot file of a running robot; its live keys can be set. All methods but
// Text must be called from one goroutine at a time.
type LiveFile interface {
	// Text returns the complete robot file with the current values.
	Text() []byte
	// Settings lists all keys with their present values.
	Settings() []robotfile.Setting
	// Reconfigure returns the robot with other values of some keys; it changes nothing before
	// Reconfiguration.Commit. The error lists what is wrong with each key, as check does. Keys that are
	// not live cannot change.
	Reconfigure(values []Assignment) (*Reconfiguration, error)
}

// Assignment is a new value for the key at a path; both are as in robotfile.Setting.
type Assignment struct {
	Path  string
	Value any
}

// Reconfiguration is a robot with other values of some live keys.
type Reconfiguration struct {
	// Instance holds Timing, DisabledTopics, the warnings about the new values and, if a key of the
	// model changes, a Model that can replace the running one.
	Instance Instance
	// Commit makes the values those of the LiveFile.
	Commit func()
}

// typedLiveFile is a LiveFile of type T.
type typedLiveFile[T robotfile.Robot] struct {
	now    atomic.Pointer[T] // what it points to never changes
	timing Timing            // of the robot when it was made
	make   func(*T, *progress.Bar) (*Instance, error)
	// warned holds the warnings about now without their locations; nil before the first Reconfigure.
	warned map[string]bool
}

func newLiveFile[T robotfile.Robot](now *T, t Timing, make func(*T, *progress.Bar) (*Instance, error)) LiveFile {
	r := &typedLiveFile[T]{timing: t, make: make}
	r.now.Store(now)
	return r
}

// Text implements LiveFile.
func (r *typedLiveFile[T]) Text() []byte { return robotfile.Print(r.now.Load()) }

// Settings implements LiveFile.
func (r *typedLiveFile[T]) Settings() []robotfile.Setting { return robotfile.Settings(r.now.Load()) }

// Reconfigure implements LiveFile.
func (r *typedLiveFile[T]) Reconfigure(values []Assignment) (*Reconfiguration, error) {
	live := map[string]robotfile.Live{}
	for _, s := range r.Settings() {
		live[s.Path] = s.Live
	}
	d := draftOf(r.now.Load())
	model := false
	for _, v := range values {
		if live[v.Path] == robotfile.Fixed {
			return nil, fmt.Errorf("%s: is fixed while the robot runs", v.Path)
		}
		model = model || live[v.Path] == robotfile.LiveModel
		d.Set(v.Path, robotfile.Literal(v.Value), "parameter")
	}
	next, err := d.Robot()
	if err != nil {
		return nil, withoutLocations(err)
	}
	warnings := addLint(d, next, &Instance{})
	c := &Reconfiguration{Commit: func() {
		r.now.Store(next)
		r.warned = textSet(warnings)
	}}
	if model {
		made, err := r.make(withoutEquilibrium(next), nil)
		if err != nil {
			return nil, err
		}
		c.Instance = *made
	}
	if c.Instance.Warnings, err = r.newWarnings(warnings); err != nil {
		return nil, err
	}
	fixed := r.timing
	c.Instance.Timing, c.Instance.DisabledTopics = TimingOf(next), disabledTopics(next)
	c.Instance.Timing.StepS, c.Instance.Timing.ControlHz, c.Instance.Timing.EqualSteps = fixed.StepS, fixed.ControlHz, fixed.EqualSteps
	return c, nil
}

// draftOf returns a draft with the file of a running robot.
func draftOf[T robotfile.Robot](now *T) *robotfile.Draft[T] {
	d := new(robotfile.Draft[T])
	d.Merge("the robot that runs", robotfile.PrintValues(now))
	return d
}

// newWarnings returns the warnings that do not apply to the current robot.
func (r *typedLiveFile[T]) newWarnings(warnings []robotfile.Mistake) (news []robotfile.Mistake, err error) {
	if r.warned == nil {
		d := draftOf(r.now.Load())
		now, err := d.Robot()
		if err != nil {
			return nil, err
		}
		r.warned = textSet(addLint(d, now, &Instance{}))
	}
	for _, w := range warnings {
		if !r.warned[w.WithoutPlace()] {
			news = append(news, w)
		}
	}
	return news, nil
}

// textSet returns the texts of mistakes without their locations.
func textSet(list []robotfile.Mistake) map[string]bool {
	set := map[string]bool{}
	for _, m := range list {
		set[m.WithoutPlace()] = true
	}
	return set
}

// withoutEquilibrium returns a robot file of the same robot with initial state straight: the model
// takes over the state of another one and need not search for an equilibrium.
func withoutEquilibrium[T robotfile.Robot](r *T) *T {
	c := *r
	if file, ok := any(&c).(*robotfile.Continuum); ok {
		file.InitialState = robotfile.Straight
	}
	return &c
}

// TimingOf returns the timing of a robot file.
func TimingOf[T robotfile.Robot](r *T) (t Timing) {
	switch f := any(r).(type) {
	case *robotfile.Continuum:
		t = newTiming(f.Solver.Step, f.Rates, f.CommandTimeout, f.CommandPolicy, f.AcceptStamps)
		t.JacobianHz, t.EqualSteps = f.Publish.Jacobian, f.Solver.Method == robotfile.Reference
	case *robotfile.Mechanism:
		t = newTiming(f.Solver.Step, f.Rates, f.CommandTimeout, f.CommandPolicy, f.AcceptStamps)
	case *robotfile.Microrobot:
		t = newTiming(f.Solver.Step, f.Rates, f.CommandTimeout, f.CommandPolicy, f.AcceptStamps)
	}
	return t
}

func newTiming(stepS float64, rates robotfile.Rates, timeoutS float64, policy robotfile.CommandPolicy, stamps robotfile.StampPolicy) Timing {
	return Timing{
		StepS: stepS, ControlHz: rates.Control, PublishHz: rates.Publish, MarkerHz: rates.Marker, CommandTimeoutS: timeoutS,
		NewestCommander: policy == robotfile.NewestCommander, AnyStamps: stamps == robotfile.AnyStamps,
	}
}

// disabledTopics returns the topics that a robot file switches off.
func disabledTopics[T robotfile.Robot](r *T) []string {
	switch f := any(r).(type) {
	case *robotfile.Continuum:
		return f.Publish.DisabledTopics()
	case *robotfile.Mechanism:
		return f.DisabledTopics()
	case *robotfile.Microrobot:
		return f.Publish.DisabledTopics()
	}
	return nil
}

// withoutLocations removes the locations from mistakes, since the values are from no file.
func withoutLocations(err error) error {
	var e *robotfile.Errors
	if !errors.As(err, &e) {
		return err
	}
	lines := make([]string, len(e.Mistakes))
	for i, m := range e.Mistakes {
		lines[i] = m.WithoutPlace()
	}
	return errors.New(strings.Join(lines, "\n"))
}
