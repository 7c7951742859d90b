package app

import (
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/alecthomas/kong"

	"sinew/pkg/ros/naming"
)

// cli is the grammar of the command line. ROS arguments (a:=b, __name:=,
// _param:=, --ros-args …) are taken out before kong sees it.
type cli struct {
	Run      runCmd      `cmd:"" default:"withargs" help:"Run in real time as a ROS node (the default)."`
	Sim      simCmd      `cmd:"" help:"Simulate as fast as possible, without clock or ROS, and write samples."`
	Replay   replayCmd   `cmd:"" help:"Give the commands of a recording to the simulated robot, and write what it does."`
	Compare  compareCmd  `cmd:"" help:"Compare simulation and hardware: errors, latency and a report."`
	Identify identifyCmd `cmd:"" help:"Find parameters of the robot with which it moves as measured."`
	Params   paramsCmd   `cmd:"" help:"Print the complete default robot file: every key with unit, range and meaning."`
	Check    checkCmd    `cmd:"" help:"Check a robot file and list every mistake."`
	Version  versionCmd  `cmd:"" help:"Print version, commit and Go version."`
}

// env is what a verb works with.
type env struct {
	robot          *Robot
	args           naming.Args
	stdout, stderr io.Writer
}

// Main runs the program for robot with the process's arguments and returns the
// exit code.
func Main(robot Robot, args []string) int {
	e := &env{robot: &robot, stdout: os.Stdout, stderr: os.Stderr}
	err := e.run(args)
	if err == nil {
		return exitOK
	}
	fmt.Fprintf(e.stderr, "%s: %v\n", robot.Name, err)
	var coded *codedError
	if errors.As(err, &coded) {
		return coded.code
	}
	return exitFailed
}

// run parses the arguments and runs the verb.
func (e *env) run(args []string) error {
	var err error
	if e.args, err = naming.ParseArgs(args); err != nil {
		return usage(err)
	}
	exited := false
	var c cli
	options := []kong.Option{
		kong.Name(e.robot.Name),
		kong.Vars{"identify_groups": groupNames()},
		kong.Description(e.robot.Summary + "\n\nROS remappings (a:=b, __name:=, __ns:=, _param:=value, --ros-args -r … -p …) are accepted anywhere."),
		kong.Writers(e.stdout, e.stderr),
		kong.Exit(func(int) { exited = true }),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true}),
	}
	if e.robot.Shape != nil {
		options = append(options, kong.DynamicCommand("static", "Find the equilibrium and write the pose of every node.", "", &staticCmd{}))
	}
	parser, err := kong.New(&c, options...)
	if err != nil {
		return err
	}
	ctx, err := parser.Parse(e.args.Rest)
	if exited { // --help has been printed
		return nil
	}
	if err != nil {
		return usage(err)
	}
	return ctx.Run(e)
}
