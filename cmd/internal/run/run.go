// Package run is the verb run: the real-time node in the ROS networks.
package run

import (
	"context"
	"errors"
	"fmt"
	"time"

	"sinew/cmd/internal/cli"
	"sinew/cmd/internal/exitcode"
	robots "sinew/cmd/internal/fleet"
	"sinew/cmd/internal/output"
)

// Cmd is the verb run.
type Cmd struct {
	cli.RobotFiles
	output.Force
	cli.RecordedTopics

	Robots       string      `help:"Run the robots of this fleet file, each as a separate node." placeholder:"FLEET.yaml"`
	Ros          string      `help:"Serve ros1, ros2, both or off; auto: both, ROS 2 only if available." default:"auto" enum:"auto,ros1,ros2,both,off" placeholder:"NET"`
	Master       string      `help:"Choose the ROS 1 master: auto, embedded (start one) or external." detail:"auto starts one if none answers at a local ROS_MASTER_URI." default:"auto" enum:"auto,embedded,external" placeholder:"WHO"`
	Interface    []string    `help:"Limit ROS 2 to this interface, by name or IPv4 address (repeatable)." detail:"The default is all interfaces. The flag limits traffic beyond this host and never widens discovery." placeholder:"NAME|ADDRESS" sep:"none"`
	View         *string     `help:"Serve browsers and Foxglove at HOST:PORT or HOST (default 127.0.0.1)." detail:"HOST alone takes the first free port from 8080. Addresses beyond loopback require the printed token. Without the flag the node serves 127.0.0.1 if a port is free." placeholder:"HOST[:PORT]|off"`
	Record       string      `help:"Record the topics of the node, published and received, to this file." detail:"With --robots every node records to a file with its name, such as x.arms.left.mcap." placeholder:"FILE.mcap|.bag"`
	RecordDir    string      `help:"Write recordings that are started by service to this directory." default:"." placeholder:"DIR"`
	RecordFormat string      `help:"Set the format of recordings that are started by service." default:"mcap" enum:"mcap,bag" placeholder:"mcap|bag"`
	Duration     cli.Seconds `help:"Stop after this wall time." placeholder:"D"`
	Demo         *bool       `help:"Run a demo motion until the first command (default without --config)." negatable:""`
	Disabled     bool        `help:"Start DISABLED: ignore commands until enable."`
	Lockstep     bool        `help:"Run one control period per command message instead of real time."`
	Realtime     string      `help:"Set the SCHED_FIFO priority of the loop: 1 to 98, auto or off." detail:"auto is 10 where permitted. The other threads have half the priority." default:"auto" placeholder:"auto|off|N"`
	Clock        bool        `help:"Publish /clock and stamp messages with simulated time."`
	UseSimTime   bool        `help:"Follow /clock of another node, as with the parameter use_sim_time."`
}

// Run simulates in real time until a signal, the end of the duration, rosnode kill or a failure of
// the loop itself.
func (c *Cmd) Run(e *cli.Env) error {
	if c.Record != "" && !cli.IsRecording(c.Record) {
		return exitcode.Usagef("--record %s: a recording is a .mcap or .bag file", c.Record)
	}
	asked := cli.WatchInterrupt()
	defer asked.Stop()
	ctx := asked.Context()
	if c.Robots == "" && len(c.Robot) == 1 && cli.IsRobotFile(c.Robot[0]) && robots.Is(c.Robot[0]) {
		c.Robots, c.Config = c.Robot[0], c.Config[1:]
	}
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

// demoWanted reports whether the demo starts: as requested, otherwise if the robot is the default
// one and the node is not in lock-step.
func (c *Cmd) demoWanted() bool {
	if c.Demo != nil {
		return *c.Demo
	}
	return len(c.Config) == 0 && !c.Lockstep && !c.Disabled
}

// demoAllowed reports whether the demo may be started later: not in lock-step, where each of its
// commands would advance a period, unless it was requested explicitly.
func (c *Cmd) demoAllowed() bool {
	if c.Demo != nil {
		return *c.Demo
	}
	return !c.Lockstep
}

// errInterrupted ends a run before it has begun.
var errInterrupted = errors.New("interrupted before the robot was ready")

// errNetwork ends a run because the ROS network asked for it.
var errNetwork = errors.New("shut down by a request from ROS (rosnode kill, another node of this name, lifecycle or simulation_interfaces)")

// cleanEnd reports whether a run that ended for this cause was successful.
func cleanEnd(cause error) bool {
	return cause == nil || errors.Is(cause, context.Canceled) || errors.Is(cause, context.DeadlineExceeded) || errors.Is(cause, errNetwork)
}

// welcome prints the robot that runs and the addresses of the node.
func (n *node) welcome() {
	fmt.Fprintf(n.env.Stdout, "%s %s: %s\n", n.env.Robot.Name, cli.Version, n.made.Describe)
	if after := n.made.Timing.CommandTimeoutS; n.made.Timing.ExpiresCommands() {
		fmt.Fprintf(n.env.Stdout, "commands expire after %g s (command_timeout_s): repeat them, or the inputs go to their safe values\n", after)
	} else {
		fmt.Fprintln(n.env.Stdout, "commands are held until the next (command_timeout_s: .inf)")
	}
	n.net.welcome(n.env.Stdout)
	if n.viewer != nil {
		fmt.Fprintf(n.env.Stdout, "view     %s\n", n.viewer.Link())
	}
	if n.follows {
		fmt.Fprintln(n.env.Stdout, "time     follows /clock; stopped until its first message")
	}
	if file := n.recordings.Running(); file != "" {
		fmt.Fprintf(n.env.Stdout, "record   all topics to %s: %s\n", file, n.recordedText())
	}
	if n.demo != nil && n.demo.isMoving() {
		fmt.Fprintln(n.env.Stdout, "demo     moves until the first command")
	}
}
