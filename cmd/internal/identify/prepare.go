package identify

import (
	"errors"
	"fmt"
	"math"

	"sinew/cmd/internal/program"
	"sinew/cmd/internal/verb"
	"sinew/pkg/sim/hil/identify"
)

// prepare reads robot, parameters and trials.
func (c *Cmd) prepare(e *verb.Env) (*fitting, error) {
	if !(c.RotationWeight >= 0) || math.IsInf(c.RotationWeight, 0) || c.Starts < 1 || !(c.MaxRmsePercent >= 0) {
		return nil, errors.New("--rotation-weight and --max-rmse-percent must be 0 or positive, --starts at least 1")
	}
	if len(c.Free) == 0 && c.Out != "" {
		return nil, errors.New("--out: nothing is free, so there is nothing to write")
	}
	if err := c.Check(e); err != nil {
		return nil, err
	}
	base, err := e.Draft(c.Config, nil)
	if err != nil {
		return nil, err
	}
	made, err := e.Make(base)
	if err != nil {
		return nil, err
	}
	f := &fitting{program: e.Robot.Name, config: c.Config, made: made, lengthM: made.LengthM}
	free, err := c.free(base, f.lengthM)
	if err != nil {
		return nil, err
	}
	newFile := func() identify.File { return file{e.Robot.File(), e.Robot.Shown} }
	if f.problem, err = identify.NewProblem(newFile, file{base, e.Robot.Shown}, free); err != nil {
		return nil, err
	}
	f.problem.RotationWeight = c.RotationWeight
	r := &trialReader{env: e, cmd: c, made: made}
	f.problem.Trials, err = r.readAll()
	return f, err
}

// free finds the parameters of --free.
func (c *Cmd) free(base program.File, lengthM float64) ([]identify.Free, error) {
	numbers, err := base.Numbers()
	if err != nil {
		return nil, err
	}
	free, err := identify.Resolve(c.Free, numbers, lengthM)
	var conflict *identify.ConflictError
	switch {
	case errors.As(err, &conflict):
		return nil, fmt.Errorf("--free %s and --free %s both decide about %s", conflict.First, conflict.Second, conflict.Path)
	case err != nil:
		return nil, fmt.Errorf("--free %w", err)
	}
	return free, nil
}

// file is a robot file as package identify takes it.
type file struct {
	program.File
	shown string
}

// Model implements identify.File.
func (f file) Model() (*identify.Model, error) {
	made, err := f.Make()
	if err != nil {
		return nil, err
	}
	return modelOf(made, f.shown), nil
}

func modelOf(m *program.Made, shown string) *identify.Model {
	return &identify.Model{Model: m.Model, Port: shown, Settled: m.Settled, StepS: m.Timing.StepS, Hardware: m.Hardware}
}
