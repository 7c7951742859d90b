package run

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"go.uber.org/zap"

	"sinew/cmd/internal/cli"
	"sinew/cmd/internal/exitcode"
	robots "sinew/cmd/internal/fleet"
	"sinew/cmd/internal/program"
	"sinew/cmd/internal/scheduling"
	"sinew/pkg/ros/manifest"
	"sinew/pkg/ros/master"
	"sinew/pkg/ros/ros2"
	"sinew/pkg/ros/viewer"
	"sinew/pkg/ros/wallclock"
	"sinew/pkg/sim"
)

// fleet is several robots in one program. Each is a node with its own topics, services, parameters
// and state. They share one participant of ROS 2 and the loops.
type fleet struct {
	env     *cli.Env
	log     *zap.Logger
	file    *robots.File
	names   []string // absolute, of the nodes
	members []*member
	loops   []*loop
	load    []float64 // of each loop, shares of a processor

	viewers    *viewer.Host    // serves the pages of the robots, nil without --view
	master     *master.Master  // embedded, or nil
	masterEnds <-chan struct{} // closed when a peer requests its shutdown
	context    *ros2.Context   // nil without ROS 2
	ending     atomic.Bool     // the whole fleet is shutting down
}

// member is a robot of a fleet.
type member struct {
	*node
	cmd       Cmd
	robot     robots.Robot
	loopIndex int // index of its loop
	stop      chan struct{}
	hasLeft   atomic.Bool // the node has shut down alone

	endLoop sync.Once
	leave   func() error // once
}

// refuseBesideFleet refuses options that only a single robot supports.
func (c *Cmd) refuseBesideFleet() error {
	for _, f := range []struct {
		given     bool
		flag, why string
	}{
		{len(c.Config) > 0, "--config", "the fleet file has the robot file of each robot"},
		{c.Lockstep, "--lockstep", "a robot that waits for commands would hold up the others"},
		{c.Clock, "--clock", "there is one /clock, and each robot has a time of its own"},
		{c.UseSimTime, "--use-sim-time", "only one robot can follow /clock"},
	} {
		if f.given {
			return exitcode.Usagef("%s and --robots: %s", f.flag, f.why)
		}
	}
	return nil
}

// newFleet reads the robot files and builds the fleet, as newNode does for one robot.
func newFleet(ctx context.Context, e *cli.Env, c *Cmd) (*fleet, error) {
	if err := c.refuseBesideFleet(); err != nil {
		return nil, err
	}
	growHeap()
	priority, err := parseRealtime(c.Realtime)
	if err != nil {
		return nil, err
	}
	own := *e
	own.Args = e.Args.Of("/" + e.Robot.Name)
	f := &fleet{env: e, log: own.Logger("/"+e.Robot.Name, nil)}
	if f.file, err = robots.Read(c.Robots); err != nil {
		return nil, exitcode.Usage(err)
	}
	if err := f.introduce(c); err != nil {
		return nil, exitcode.Usage(err)
	}
	if err = f.openViewers(c); err == nil {
		err = f.join(ctx, c)
	}
	if err == nil {
		err = f.build(ctx, c, priority)
	}
	if err == nil {
		err = f.assemble(ctx)
	}
	if err != nil && ctx.Err() != nil {
		err = errInterrupted
	}
	if err != nil {
		return nil, errors.Join(err, f.leave(time.Now().Add(exitGrace)))
	}
	return f, nil
}

// introduce resolves the names of the nodes and reads their parameters.
func (f *fleet) introduce(c *Cmd) error {
	e := f.env
	all, err := f.file.Nodes(e.Robot.Name, e.Args, os.LookupEnv)
	if err != nil {
		return err
	}
	base, err := f.file.Namespace(e.Robot.Name, e.Args, os.LookupEnv)
	if err != nil {
		return err
	}
	said := &oncePerLine{to: e.Stderr, said: map[string]bool{}}
	var errs []error
	for i, r := range f.file.Robots {
		n := all[i]
		env := *e
		env.Args = r.Args(e.Args, base).Of(n.Node())
		m := &member{cmd: *c, robot: r, stop: make(chan struct{}), node: &node{env: &env, names: n, asked: make(chan struct{}), several: true}}
		off := noView
		m.cmd.Config, m.cmd.View, m.cmd.Robots, m.cmd.Record = r.Config, &off, "", c.recordingOf(n.Node())
		m.leave = sync.OnceValue(func() error { return m.node.leave(robotGrace) })
		errs = append(errs, m.introduce(&m.cmd))
		env.Stderr = said // but for the log, whose lines have the name of the robot
		source, _ := m.cmd.simTime(&env)
		errs = append(errs, robots.CheckSimTime(source))
		f.members, f.names = append(f.members, m), append(f.names, n.Node())
	}
	for _, line := range e.Args.Strangers(append([]string{"/" + e.Robot.Name}, f.names...)) {
		f.log.Warn(line)
	}
	return robots.Join(errs)
}

// join opens the networks. The first robot finds or starts the master of ROS 1. The fleet owns this
// master, which outlives the robot.
func (f *fleet) join(ctx context.Context, c *Cmd) error {
	errs := make([]error, len(f.members))
	first := f.members[0]
	if first.net, errs[0] = joinNetworks(ctx, first.names, c, os.LookupEnv, f.log); errs[0] != nil {
		return errs[0]
	}
	rest := *c
	rest.Interface, rest.Ros = nil, "off" // the first robot has reported these, and the fleet shares them
	if one := first.net.ros1; one != nil {
		f.master, f.masterEnds, one.master, one.log = one.master, one.shutdown, nil, first.log
		rest.Ros, rest.Master = "ros1", "external"
		if source := first.net.simTime(ctx, false); source != "" {
			return exitcode.Usage(robots.CheckSimTime(source))
		}
	}
	var all sync.WaitGroup
	for i, m := range f.members[1:] {
		all.Go(func() {
			m.net, errs[i+1] = joinNetworks(ctx, m.names, &rest, os.LookupEnv, m.log)
			if two := first.net.ros2; two != nil && errs[i+1] == nil {
				m.net.ros2 = &ros2Network{names: m.names, log: m.log, optional: two.optional, discovery: two.discovery}
			}
		})
	}
	all.Wait()
	return errors.Join(errs...)
}

// build makes the robots, distributes them over the loops and makes their simulators.
func (f *fleet) build(ctx context.Context, c *Cmd, p scheduling.Priority) error {
	made, err := waitOrAbandon(ctx, f.log, f.makeAll)
	if err != nil {
		return err
	}
	costs, err := waitOrAbandon(ctx, f.log, func() ([]float64, error) { return f.measureAll(ctx, made), nil })
	if err != nil {
		return err
	}
	var of []int
	of, f.load = robots.Share(costs, runtime.NumCPU())
	for i := range f.load {
		l := newLoop(c.Realtime, p, i, len(f.load), f.log)
		l.clock = wallclock.New()
		f.loops = append(f.loops, l)
	}
	if text := robots.TooMany(of, f.load); text != "" {
		f.log.Warn(f.file.Name + ": " + text)
	}
	for i, m := range f.members {
		l := f.loops[of[i]]
		clock := l.clock.(wallclock.Clock)
		m.loopIndex, m.made, m.clock, m.stamps = of[i], made[i], clock, clock.Stamps()
		if m.sim, err = m.cmd.simulator(m.made, clock, false, nil); err != nil {
			return fmt.Errorf("%s: %s: %w", m.robot.Place, f.names[i], err)
		}
	}
	return nil
}

// measureAll measures the cost of each robot as a share of a processor. It ends with ctx.
func (f *fleet) measureAll(ctx context.Context, made []*program.Instance) []float64 {
	costs := make([]float64, len(made))
	for i, cost := range cli.MeasureCosts(ctx, made, f.file.Configs()) {
		if cost.Failed == nil {
			costs[i] = cost.Slowdown
		}
	}
	return costs
}

// makeAll makes the robots, several at a time. It reports an error that several robots share once.
func (f *fleet) makeAll() ([]*program.Instance, error) {
	made, errs := make([]*program.Instance, len(f.members)), make([]error, len(f.members))
	var all sync.WaitGroup
	places := make(chan struct{}, runtime.NumCPU())
	for i, m := range f.members {
		all.Go(func() {
			places <- struct{}{}
			defer func() { <-places }()
			made[i], errs[i] = m.env.Open(m.cmd.Config, m.net.serverParameters)
			if errs[i] == nil {
				m.env.WarnOfStability(made[i])
			}
		})
	}
	all.Wait()
	return made, f.joinErrors(errs)
}

// joinErrors joins the errors of the robots, by index. It lists an error that several robots share
// once.
func (f *fleet) joinErrors(errs []error) error {
	var list []error
	for i, err := range errs {
		same := func(other error) bool { return other != nil && err != nil && other.Error() == err.Error() }
		if err == nil || slices.ContainsFunc(errs[:i], same) {
			continue
		}
		var who []string
		for k, other := range errs {
			if same(other) {
				who = append(who, f.names[k])
			}
		}
		list = append(list, fmt.Errorf("%s: %s: %w", f.file.Robots[i].Place, abbreviate(who), err))
	}
	return errors.Join(list...)
}

// assemble attaches monitors and sources of commands to each simulator.
func (f *fleet) assemble(ctx context.Context) error {
	if two := f.members[0].net.ros2; two != nil {
		var err error
		f.context, err = ros2.Join(ros2.Options{Node: "/" + f.env.Robot.Name, Discovery: two.discovery, Log: f.log})
		switch {
		case err == nil:
			f.context.Hold() // otherwise each topic of each robot would send the list of all
		case two.optional:
			f.log.Warn("running on without ROS 2", zap.Error(err))
		default:
			return fmt.Errorf("ROS 2: %w", err)
		}
	}
	for i, m := range f.members {
		if err := m.mayRecord(&m.cmd); err != nil { // before the first file is there
			return fmt.Errorf("%s: %s: %w", m.robot.Place, f.names[i], err)
		}
	}
	for i, m := range f.members {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if f.context == nil {
			m.net.ros2 = nil
		} else {
			m.net.ros2.context, m.net.ros2.ending = f.context, &f.ending
		}
		if err := m.assemble(&m.cmd); err != nil {
			return fmt.Errorf("%s: %s: %w", m.robot.Place, f.names[i], err)
		}
	}
	if f.viewers != nil {
		f.viewers.Start()
	}
	if f.context != nil {
		return f.context.Release()
	}
	return nil
}

// openViewers listens for viewers of all robots at one address, if one is given. Without --view a fleet has no page: its
// robots may be many, and each page costs its robot something.
func (f *fleet) openViewers(c *Cmd) (err error) {
	if c.View == nil || *c.View == noView {
		return nil
	}
	if f.viewers, err = viewer.Listen(*c.View, f.log); err != nil {
		return exitcode.Usagef("--view %s: %w", *c.View, err)
	}
	var pages []manifest.Robot
	for _, name := range f.names {
		pages = append(pages, manifest.Robot{Name: name, Path: name + "/"})
	}
	for _, m := range f.members {
		m.host, m.fleet = f.viewers, pages
	}
	return nil
}

// scheduled returns the simulators of a loop.
func (f *fleet) scheduled(of int) (all []sim.ScheduledSimulator) {
	for _, m := range f.members {
		if m.loopIndex == of {
			all = append(all, sim.ScheduledSimulator{Simulator: m.sim, Stop: m.stop})
		}
	}
	return all
}

// abbreviate writes the first names and the number of the others.
func abbreviate(names []string) string {
	const most = 5
	if len(names) <= most {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:most], ", "), len(names)-most)
}
