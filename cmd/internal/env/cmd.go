package env

import (
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"
	"time"

	"sinew/cmd/internal/cli"
	"sinew/cmd/internal/exitcode"
	"sinew/cmd/internal/program"
	"sinew/pkg/sim"
	"sinew/pkg/sim/batch"
	"sinew/pkg/sim/robotfile"
)

// Cmd is the command env.
type Cmd struct {
	cli.RobotFiles

	Envs    int      `required:"" help:"Set the number of robots." placeholder:"N"`
	Action  []string `sep:"none" help:"Command this input by actions (repeatable; default: the main actuator)." detail:"The main actuator is the first input that drives the robot: tensions, motors or the field without its gradient; of a mechanism all tensions, efforts and motors." placeholder:"NAME"`
	Observe []string `sep:"none" help:"Observe this output (repeatable)." detail:"The default is measured_cp, measured_cv and measured_js; of a mechanism the poses of all links and measured_js." placeholder:"NAME"`
	Hz      *float64 `help:"Set the environment steps per simulated second (default: control_hz)."`
	Vary    []string `sep:"none" help:"Randomise a number of the robot file at each reset: NAME=uniform(1,2), …." detail:"NAME is a name as for identify --free. It takes uniform(FROM,TO), loguniform(FROM,TO), normal(MEAN,SIGMA), lognormal(MEDIAN,SIGMA) or choice(A,B,…). Repeat the flag for more numbers." placeholder:"NAME=KIND(…)"`
	Shm     string   `help:"Create the shared memory as this file (default: a file in /dev/shm)." placeholder:"FILE"`
	Workers int      `help:"Step this many robots in parallel (default: number of processors)." placeholder:"N"`
}

// Run steps robots until the caller ends.
func (c *Cmd) Run(e *cli.Env) error {
	signal.Ignore(syscall.SIGPIPE) // a caller that closes stdout is an error, after which the memory is removed
	return c.run(e, os.Stdin)
}

func (c *Cmd) run(e *cli.Env, in io.Reader) error {
	stop := cli.WatchInterrupt()
	defer stop.Stop()
	f, err := c.prepare(e, stop.Requested)
	if errors.Is(err, errInterrupted) {
		return nil
	}
	if err != nil {
		return err
	}
	defer f.batch.Close()
	begin, err := f.header.begin()
	if err != nil {
		return exitcode.Usage(err)
	}
	m, err := newMemory(c.Shm, begin, f.header.Bytes)
	if err != nil {
		return err
	}
	f.start(m.bytes)
	_, err = fmt.Fprintf(e.Stdout, "ready %s\n", m.path)
	if err == nil {
		err = f.serve(in, e.Stdout, stop)
	}
	return errors.Join(err, m.close())
}

// orphaned is the interval of checks that the caller is alive: a process that it has forked may
// keep the other end of stdin open.
const orphaned = time.Second

// serve answers requests until the caller ends or closes.
func (f *fleet) serve(in io.Reader, out io.Writer, stop *cli.Interrupt) error {
	asked, ended, end := make(chan string), make(chan error, 1), make(chan struct{})
	defer close(end)
	go func() { ended <- lines(in, asked, end) }()
	look := time.NewTicker(orphaned)
	defer look.Stop()
	for {
		select {
		case line := <-asked:
			r, err := parseRequest(line)
			var text []byte
			switch {
			case err != nil:
			case r.asksAboutRobot():
				text, err = f.describe(r.verb, r.robot)
			default:
				err = f.do(r)
			}
			if stop.Requested() {
				return nil
			}
			if _, err := io.WriteString(out, answer(r.number, text, err)); err != nil {
				return err
			}
			if err == nil && r.verb == closeRequest {
				return nil
			}
		case err := <-ended:
			return err
		case <-stop.Context().Done():
			return nil
		case <-look.C:
			if os.Getppid() != f.parent {
				return nil
			}
		}
	}
}

// errInterrupted ends the preparation when the end of the program is requested.
var errInterrupted = errors.New("interrupted")

// prepare makes the robots. It returns errInterrupted if interrupted.
func (c *Cmd) prepare(e *cli.Env, asked func() bool) (*fleet, error) {
	parent := os.Getppid() // who may end while robots are made
	if c.Envs < 1 || c.Envs > mostEnvs {
		return nil, exitcode.Usagef("--envs %d: want 1 to %d", c.Envs, mostEnvs)
	}
	if c.Workers < 0 {
		return nil, exitcode.Usagef("--workers %d: want 1 or more", c.Workers)
	}
	base, err := e.Draft(c.Config, nil)
	if err != nil {
		return nil, err
	}
	made, err := e.Make(base)
	if err != nil {
		return nil, err
	}
	f := &fleet{parent: parent, interrupted: asked, base: base, given: e.Args.Params, timing: made.Timing, header: &header{Program: e.Robot.Name, Version: cli.Version, Envs: c.Envs}}
	if err := c.choosePorts(f, made.Model, e.Robot.Shown, newScales(made.LengthM, made.Model.Ports())); err != nil {
		return nil, exitcode.Usage(err)
	}
	if err := c.choosePeriod(f); err != nil {
		return nil, exitcode.Usage(err)
	}
	f.isRandom = base.Has("fluid.brownian") || slices.ContainsFunc(made.Model.Ports(), func(p sim.Port) bool { return p.Samples > 0 })
	if err := f.setVary(c.Vary); err != nil {
		return nil, exitcode.Usage(err)
	}
	models, err := copies(made, base, c.Envs, asked)
	if err != nil {
		return nil, err
	}
	f.batch, err = batch.New(models, c.Workers)
	return f, err
}

// copies returns n models of a robot, the given one among them.
func copies(made *program.Instance, base program.File, n int, asked func() bool) ([]sim.Model, error) {
	models := []sim.Model{made.Model}
	for len(models) < n {
		if asked() {
			return nil, errInterrupted
		}
		var m sim.Model
		var err error
		if made.NewModel != nil {
			m, err = made.NewModel()
		} else if one, e := base.Clone().Make(); e == nil {
			m = one.Model
		} else {
			err = e
		}
		if err != nil {
			return nil, err
		}
		models = append(models, m)
	}
	return models, nil
}

// choosePeriod divides a step of the environment into equal steps of the model.
func (c *Cmd) choosePeriod(f *fleet) error {
	hz := f.timing.ControlHz
	if c.Hz != nil {
		hz = *c.Hz
	}
	const most = 1e6 // steps of the model in one of the environment
	if !(hz > 0 && hz <= 1e5) || 1/hz/f.timing.StepS > most {
		return fmt.Errorf("--hz %g: want a rate above 0 and up to 100000, with at most %g steps of %g s in a period", hz, float64(most), f.timing.StepS)
	}
	f.header.PeriodS = 1 / hz
	f.header.Steps = sim.Options{ControlHz: hz, StepS: f.timing.StepS}.StepsPerPeriod()
	f.header.StepS = f.header.PeriodS / float64(f.header.Steps)
	return nil
}

// choosePorts finds the commanded and the observed ports.
func (c *Cmd) choosePorts(f *fleet, m sim.Model, shown string, known *scales) error {
	ports, actions, observed := m.Ports(), c.Action, c.Observe
	if len(actions) == 0 {
		actions = mainInputs(m)
	}
	if len(observed) == 0 {
		observed = mainOutputs(m, shown)
	}
	groups := map[string]string{}
	f.header.Actions = []port{} // also where nothing drives the robot
	first := 0
	for _, name := range actions {
		i, err := find(ports, name, sim.In, "--action")
		if err != nil {
			return err
		}
		p := &ports[i]
		group := p.Group
		if group == "" {
			group = p.Name
		}
		if other, ok := groups[group]; ok {
			return fmt.Errorf("--action %s and --action %s drive the same actuators (%s); choose one of them", other, name, group)
		}
		groups[group] = name
		f.actions = append(f.actions, input{i, first, p.Width(), sim.NewLimits(p)})
		f.header.Actions = append(f.header.Actions, newPort(p, known))
		first += p.Width()
	}
	first = 0
	for k, name := range observed {
		i, err := find(ports, name, sim.Out, "--observe")
		if err != nil {
			return err
		}
		if slices.Contains(observed[:k], name) {
			return fmt.Errorf("--observe %s is given twice", name)
		}
		seen := newPort(&ports[i], known)
		f.observe = append(f.observe, output{i, first, seen.Width})
		f.header.Observations = append(f.header.Observations, seen)
		first += seen.Width
	}
	return nil
}

// mainInputs are the inputs of the main actuator: the first one that drives the robot, the field without its gradient; and of a
// mechanism all that drive its joints and tendons.
func mainInputs(m sim.Model) []string {
	ports := m.Ports()
	i := slices.IndexFunc(ports, drives)
	if _, ok := sim.As[sim.Mechanism](m); ok { // a wrench on a link is no actuator
		var all []string
		for k := range ports {
			if drives(ports[k]) {
				all = append(all, ports[k].Name)
			}
		}
		return all
	}
	if i >= 0 && ports[i].Kind == sim.FieldGradient { // a gradient without limits throws a body away
		i = slices.IndexFunc(ports, func(p sim.Port) bool {
			return p.Kind == sim.Field && p.Direction == sim.In && p.Group == ports[i].Group
		})
	}
	if i < 0 {
		i = slices.IndexFunc(ports, func(p sim.Port) bool { return p.Direction == sim.In })
	}
	if i < 0 {
		return nil
	}
	return []string{ports[i].Name}
}

// mainOutputs are pose, velocity and joints of the robot; of a mechanism the poses of all its links.
func mainOutputs(m sim.Model, shown string) (all []string) {
	wanted := []string{shown, "measured_cv", "measured_js"}
	if mechanism, ok := sim.As[sim.Mechanism](m); ok {
		for _, l := range mechanism.Links() {
			wanted = append(wanted, robotfile.TopicOf(l.Name)+"/measured_cp")
		}
	}
	for _, p := range m.Ports() {
		if p.Direction == sim.Out && slices.Contains(wanted, p.Name) {
			all = append(all, p.Name)
		}
	}
	return all
}

// drives reports whether a port commands the actuators of a robot. Ports that move its base are in the group of base_pose.
func drives(p sim.Port) bool {
	return p.Direction == sim.In && p.Kind != sim.Wrench && p.Kind != sim.Pose && p.Group != "base_pose"
}

// find returns the number of a port.
func find(ports []sim.Port, name string, d sim.Direction, flag string) (int, error) {
	var names []string
	for i := range ports {
		if p := &ports[i]; p.Direction == d {
			if p.Name == name {
				return i, nil
			}
			names = append(names, p.Name)
		}
	}
	return math.MinInt, fmt.Errorf("%s %s: the robot has no such input or output; it has %s", flag, name, strings.Join(names, ", "))
}
