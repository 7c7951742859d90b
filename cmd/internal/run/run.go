// Package run is the verb run: the real-time node in the ROS networks.
package run

import (
	"context"
	"errors"
	"fmt"
	"time"

	"sinew/cmd/internal/cli"
	"sinew/cmd/internal/exitcode"
	"sinew/cmd/internal/output"
)

// Cmd is the verb run.
type Cmd struct {
	cli.RobotFiles
	output.Force

	Robots       string      `help:"Fleet file: several robots instead of one, each a node with a name, a namespace and a robot file of its own." placeholder:"FLEET.yaml"`
	Ros          string      `help:"Networks to serve: ros1, ros2, both or off; auto is both, with ROS 2 only where it can be had." default:"auto" enum:"auto,ros1,ros2,both,off" placeholder:"NET"`
	Master       string      `help:"ROS 1 master: auto starts one when none answers at a local ROS_MASTER_URI, embedded always starts one, external never does." default:"auto" enum:"auto,embedded,external" placeholder:"WHO"`
	Interface    []string    `help:"Network interface that ROS 2 uses beyond this host, by name or IPv4 address; again for more. All without. It never widens discovery." placeholder:"NAME|ADDRESS" sep:"none"`
	View         *string     `help:"Serve the page in the browser, and viewers such as Foxglove, at this address of this computer: HOST:PORT, or HOST with the first free port from 8080; beyond loopback with a token. Without it 127.0.0.1, if a port is free." placeholder:"HOST[:PORT]|off"`
	Record       string      `help:"Record all topics of the node, published and received; with --robots those of each in a file with its name, x.arms.left.mcap." placeholder:"FILE.mcap|.bag"`
	RecordDir    string      `help:"Folder of recordings that somebody begins while the node runs." default:"." placeholder:"DIR"`
	RecordFormat string      `help:"Format of recordings that somebody begins while the node runs." default:"mcap" enum:"mcap,bag" placeholder:"mcap|bag"`
	Duration     cli.Seconds `help:"End after this much wall time." placeholder:"D"`
	Demo         *bool       `help:"Move by itself until somebody commands; on without --config." negatable:""`
	Disabled     bool        `help:"Start DISABLED: no command acts before enable."`
	Lockstep     bool        `help:"One control period per command message instead of real time."`
	Realtime     string      `help:"SCHED_FIFO priority of the loop, from 1 to 98, and half of it for the other threads; auto is 10 where permitted, off is none." default:"auto" placeholder:"auto|off|N"`
	Clock        bool        `help:"Publish /clock and stamp in simulated time."`
	UseSimTime   bool        `help:"Follow /clock: time passes as another node says, as with the parameter use_sim_time."`
}

// Run simulates in real time until a signal, the duration's end, rosnode kill or
// a failure of the loop itself.
func (c *Cmd) Run(e *cli.Env) error {
	if c.Record != "" && !cli.IsRecording(c.Record) {
		return exitcode.Usagef("--record %s: a recording is a .mcap or .bag file", c.Record)
	}
	asked := cli.WatchInterrupt()
	defer asked.Stop()
	ctx := asked.Context()
	if c.Robots != "" {
		return c.runFleet(ctx, e)
	}
	n, err := newNode(ctx, e, c)
	if errors.Is(err, errInterrupted) {
		fmt.Fprintln(e.Stdout, err)
		return nil
	}
	if err != nil {
		return err
	}
	ctx, cancel := c.limit(ctx)
	defer cancel()
	err = n.run(ctx)
	return errors.Join(err, n.leave(time.Until(n.deadline)))
}

// limit ends a run after --duration.
func (c *Cmd) limit(ctx context.Context) (context.Context, context.CancelFunc) {
	if c.Duration > 0 {
		return context.WithTimeout(ctx, time.Duration(float64(c.Duration)*1e9))
	}
	return ctx, func() {}
}

// demoWanted tells whether the robot should move by itself: as asked, otherwise
// when nobody chose a robot and nobody waits for lock-step.
func (c *Cmd) demoWanted() bool {
	if c.Demo != nil {
		return *c.Demo
	}
	return len(c.Config) == 0 && !c.Lockstep && !c.Disabled
}

// demoAllowed tells whether the robot may be asked to move by itself: not in lock-step,
// where its commands would be periods, unless it was asked for.
func (c *Cmd) demoAllowed() bool {
	if c.Demo != nil {
		return *c.Demo
	}
	return !c.Lockstep
}

// errInterrupted ends a run before it has begun.
var errInterrupted = errors.New("interrupted before the robot was ready")

// errNetwork ends a run because the ROS network asked for it.
var errNetwork = errors.New("the ROS network asked this node to end")

// cleanEnd reports whether a run that ended for this cause went well.
func cleanEnd(cause error) bool {
	return cause == nil || errors.Is(cause, context.Canceled) || errors.Is(cause, context.DeadlineExceeded) || errors.Is(cause, errNetwork)
}

// welcome says what is running and how to reach it.
func (n *node) welcome() {
	fmt.Fprintf(n.env.Stdout, "%s %s: %s\n", n.env.Robot.Name, cli.Version, n.made.Describe)
	if after := n.made.Timing.CommandTimeoutS; n.made.Timing.ExpiresCommands() {
		fmt.Fprintf(n.env.Stdout, "commands are taken back unless they are renewed within %g s (command_timeout_s)\n", after)
	} else {
		fmt.Fprintln(n.env.Stdout, "commands are held until the next (command_timeout_s: .inf)")
	}
	n.net.welcome(n.env.Stdout)
	if n.viewer != nil {
		fmt.Fprintf(n.env.Stdout, "view     %s\n", n.viewer.Link())
	}
	if n.follows {
		fmt.Fprintln(n.env.Stdout, "time     follows /clock and stands until it begins")
	}
	if file := n.recordings.Running(); file != "" {
		fmt.Fprintf(n.env.Stdout, "record   all topics to %s\n", file)
	}
	if n.demo != nil && n.demo.moving.Load() {
		fmt.Fprintln(n.env.Stdout, "demo     moving by itself until somebody commands")
	}
}
