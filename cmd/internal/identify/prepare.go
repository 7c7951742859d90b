package identify

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"sinew/cmd/internal/cli"
	"sinew/cmd/internal/program"
	"sinew/pkg/ros"
	"sinew/pkg/ros/naming"
	"sinew/pkg/ros/record"
	"sinew/pkg/sim"
	"sinew/pkg/sim/hil/fit"
	"sinew/pkg/sim/hil/identify"
	"sinew/pkg/sim/robotfile"
	"sinew/pkg/sim/sensor"
)

// prepare reads robot, plan and trials.
func (c *Cmd) prepare(e *cli.Env) (*fitting, error) {
	if !(c.RotationWeight >= 0) || math.IsInf(c.RotationWeight, 0) || !(c.MaxRmsePercent >= 0) {
		return nil, errors.New("--rotation-weight and --max-rmse-percent must be 0 or positive")
	}
	if len(c.Free) == 0 && c.Plan == "" && (c.Out != "" || c.LeaveOneOut) {
		return nil, errors.New("--out and --leave-one-out: nothing is free, so there is nothing to find")
	}
	if err := checkReports(c.Report); err != nil {
		return nil, err
	}
	if err := c.Check(e); err != nil {
		return nil, err
	}
	plan, err := c.plan()
	if err != nil {
		return nil, err
	}
	base, origin, err := e.DraftRecorded(c.Config, plan.files()...)
	if err != nil {
		return nil, err
	}
	origin.Report(e)
	for _, name := range plan.files() {
		if record.IsRecording(name) {
			origin.WarnBuiltin(e, name)
		}
	}
	program.WithoutObserver(base)
	made, err := e.Make(base)
	if err != nil {
		return nil, err
	}
	shown := shownFor(e, made, c.HwTopic)
	f := &fitting{
		program: e.Robot.Name, config: origin.Files(), made: made, lengthM: made.LengthM, plan: plan, seed: c.Seed,
		newFile: func() identify.File { return file{e.Robot.File(), shown} }, base: file{base, shown},
	}
	r := &trialReader{env: e, cmd: c, made: made, shown: shown, plan: plan, headers: map[string][]string{}}
	if err := r.readAll(); err != nil {
		return nil, err
	}
	if err := r.remark(f.base); err != nil {
		return nil, err
	}
	if f.numbers, err = base.Numbers(); err != nil {
		return nil, err
	}
	for i := range plan.stages {
		s, err := r.stage(&plan.stages[i], f.numbers)
		if err != nil {
			return nil, err
		}
		free, err := resolve(s, f.numbers, f.lengthM)
		if err != nil {
			return nil, err
		}
		if err := refuseOverridden(e.Args.Params, free, f.numbers); err != nil {
			return nil, err
		}
		for k := range free {
			if err := program.RefuseOverridden(base, free[k].Paths()); err != nil {
				return nil, fmt.Errorf("%s: %w", cmp.Or(s.place, "--free"), err)
			}
		}
		if err := r.refuseSet(s, free); err != nil {
			return nil, err
		}
		if err := r.refuseCommanded(s, free, f.numbers); err != nil {
			return nil, err
		}
		if err := s.findBegins(f.base); err != nil {
			return nil, err
		}
		f.stages = append(f.stages, s)
	}
	return f, cmp.Or(r.refuseSeen(f.stages), f.refuseNoise(c.Noise))
}

// sensorOf is the pose sensor of the robot that publishes on a topic; nil: none does.
func sensorOf(made *program.Instance, topic string) *sim.Port {
	ports := made.Model.Ports()
	topic = strings.TrimSuffix(topic, ros.WithCovariance)
	for i := range ports {
		p := &ports[i]
		if p.Samples > 0 && p.Kind == sim.Pose && (topic == p.Name || strings.HasSuffix(topic, "/"+p.Name)) {
			return p
		}
	}
	return nil
}

// shownFor is the Out port with the pose that is measured on a topic: where the sensor is that publishes there; of a mechanism that of the
// link that has its name, or of the last rod or body.
func shownFor(e *cli.Env, made *program.Instance, topic string) string {
	if p := sensorOf(made, topic); p != nil {
		return sensor.FramePort(p.Name)
	}
	if m, ok := sim.As[sim.Mechanism](made.Model); ok {
		for _, l := range m.Links() {
			if l.Name == topic {
				return robotfile.TopicOf(l.Name) + "/measured_cp"
			}
		}
	}
	return e.Robot.ShownOf(made)
}

// refuseNoise refuses a standard deviation of the data that nothing is weighed by: a stage without
// priors that has residuals enough to tell it.
func (f *fitting) refuseNoise(flag string) error {
	used := false
	for _, s := range f.stages {
		free, err := resolve(s, f.numbers, f.lengthM)
		if err != nil {
			return err
		}
		numbers := 0
		weighs := false
		for i := range free {
			for k := range free[i].Parameters {
				numbers++
				weighs = weighs || free[i].Parameters[k].Prior != nil
			}
		}
		p := identify.Problem{Trials: s.trials, RotationWeight: s.rotationWeight}
		if weighs = weighs || p.Residuals() <= numbers; s.noise > 0 && !weighs && s.ownNoise {
			return fmt.Errorf("%s.noise_m: it has no effect: there are no priors that it would weigh against the data; leave it out, or give NAME=VALUE+-SIGMA", s.place)
		}
		used = used || weighs
	}
	if flag != "" && !used {
		return fmt.Errorf("--noise %s: it has no effect: there are no priors that it would weigh against the data; leave it out, or give --free NAME=VALUE+-SIGMA", flag)
	}
	return nil
}

// plan is the one of --plan, or of the other flags.
func (c *Cmd) plan() (*plan, error) {
	s := planStage{starts: int(c.Starts), rotationWeight: c.RotationWeight}
	var err error
	if s.loss, err = fit.ParseLoss(c.Loss); err != nil {
		return nil, fmt.Errorf("--loss %w", err)
	}
	if s.lossScale, err = length("--loss-scale", c.LossScale); err != nil {
		return nil, err
	}
	if s.noise, err = length("--noise", c.Noise); err != nil {
		return nil, err
	}
	switch {
	case s.loss == fit.Linear && s.lossScale != 0:
		return nil, fmt.Errorf("--loss-scale %s: the loss linear has no scale; give --loss huber or cauchy", c.LossScale)
	case s.loss != fit.Linear && s.lossScale == 0:
		return nil, fmt.Errorf("--loss %s: give --loss-scale, the distance from which on rows count less, such as 0.01m", s.loss)
	case c.Plan != "" && (len(c.Free) > 0 || len(c.Data) > 0 || len(c.HoldOut) > 0):
		return nil, errors.New("--plan: free numbers, data and what is held out are in the plan; leave out --free, --hold-out and the names of data")
	case c.Plan != "":
		return readPlan(c.Plan, s)
	case len(c.Data) == 0:
		return nil, errors.New("no data; name a recording or a CSV, or a plan with --plan")
	}
	p := &plan{}
	for _, text := range c.Free {
		s.free = append(s.free, planFree{"--free", text})
	}
	for i, name := range c.Data {
		if slices.Contains(c.Data[:i], name) {
			return nil, fmt.Errorf("%s is given twice; it would count twice", name)
		}
		s.data = append(s.data, planData{file: name})
	}
	for _, what := range c.HoldOut {
		v, err := strconv.ParseFloat(what, 64)
		switch {
		case err != nil:
			p.held = append(p.held, planData{file: what})
		case p.share != 0 || !(v > 0 && v < 1):
			return nil, fmt.Errorf("--hold-out %s: a share is between 0 and 1, and given once", what)
		default:
			p.share = v
		}
	}
	p.stages, p.data = []planStage{s}, s.data
	return p, nil
}

// length reads a distance above 0 in m, or with the unit mm, um or m; empty is 0.
func length(flag, text string) (float64, error) {
	if text == "" {
		return 0, nil
	}
	rest, unit := strings.TrimSpace(text), 1.0
	for _, u := range []struct {
		name string
		m    float64
	}{{"mm", 1e-3}, {"um", 1e-6}, {"µm", 1e-6}, {"m", 1}} {
		if cut, ok := strings.CutSuffix(rest, u.name); ok {
			rest, unit = strings.TrimSpace(cut), u.m
			break
		}
	}
	v, err := strconv.ParseFloat(rest, 64)
	if v *= unit; err != nil || !(v > 0) || math.IsInf(v, 0) {
		return 0, fmt.Errorf("%s %s: allowed: a distance above 0, such as 0.01m or 10mm", flag, text)
	}
	return v, nil
}

// resolve finds the parameters of a stage in a robot file.
func resolve(s *stage, numbers []robotfile.Number, lengthM float64) ([]identify.Free, error) {
	texts := make([]string, len(s.free))
	for i := range s.free {
		texts[i] = s.free[i].text
	}
	free, err := identify.Resolve(texts, numbers, lengthM)
	var conflict *identify.ConflictError
	var mistake *identify.RequestError
	switch {
	case errors.As(err, &conflict) && s.place == "":
		return nil, fmt.Errorf("--free %s and --free %s both decide about %s", conflict.First, conflict.Second, conflict.Path)
	case errors.As(err, &conflict):
		return nil, fmt.Errorf("%s: %w", s.place, err)
	case errors.As(err, &mistake) && s.place != "":
		return nil, fmt.Errorf("%s: %w", s.free[mistake.Index].place, err)
	case err != nil:
		return nil, fmt.Errorf("--free %w", err)
	}
	return free, nil
}

// refuseOverridden refuses a free number that the command line sets.
func refuseOverridden(params []naming.Param, free []identify.Free, numbers []robotfile.Number) error {
	for i := range free {
		for _, path := range free[i].Paths() {
			for _, p := range params {
				if p.Source == naming.CommandLine && identify.Sets(p.Name, p.Value, path, numbers) {
					return fmt.Errorf("_%s:=%s on the command line sets %s, which is free; leave one of them out (another start: a further --config; what is known of it: --free NAME=VALUE+-SIGMA)", p.Name, p.Value, path)
				}
			}
		}
	}
	return nil
}

// file is a robot file as package identify takes it.
type file struct {
	program.File
	shown string
}

// Clone implements identify.File.
func (f file) Clone() identify.File { return file{f.File.Clone(), f.shown} }

// Model implements identify.File.
func (f file) Model() (*identify.Model, error) {
	made, err := f.Make()
	if err != nil {
		return nil, err
	}
	return modelOf(made, f.shown), nil
}

func modelOf(m *program.Instance, shown string) *identify.Model {
	return &identify.Model{Model: m.Model, Port: shown, InEquilibrium: m.InEquilibrium, StepS: m.Timing.StepS, Hardware: m.Hardware}
}
