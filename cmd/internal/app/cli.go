// Package app is the command line of both programs: the grammar of commands and flags, and
// the exit code.
package app

import (
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/alecthomas/kong"

	"sinew/cmd/internal/cli"
	"sinew/cmd/internal/compare"
	"sinew/cmd/internal/env"
	"sinew/cmd/internal/exitcode"
	"sinew/cmd/internal/identify"
	"sinew/cmd/internal/inspect"
	"sinew/cmd/internal/offline"
	"sinew/cmd/internal/program"
	"sinew/cmd/internal/run"
	"sinew/cmd/internal/shell"
	"sinew/cmd/internal/sweep"
	"sinew/cmd/internal/view"
	"sinew/pkg/ros/naming"
)

// grammar is the grammar of the command line. ROS arguments (a:=b, __name:=,
// _param:=, --ros-args …) are removed before kong parses the rest.
type grammar struct {
	Run      run.Cmd         `cmd:"" default:"withargs" group:"Simulate:" call:"run --config robot.yaml" help:"Run in real time as a ROS node (the default)."`
	Sim      offline.Sim     `cmd:"" group:"Simulate:" call:"sim --config robot.yaml --commands robot_commands.csv --duration 3s --out motion.csv" help:"Simulate as fast as possible, without clock or ROS, and write samples."`
	Sweep    sweep.Cmd       `cmd:"" group:"Simulate:" call:"sweep --vary ${example_range} --out samples.csv" help:"Simulate many samples with varied numbers of the robot file."`
	Merge    sweep.Merge     `cmd:"" group:"Simulate:" call:"merge part0.csv part1.csv --out samples.csv" help:"Join the shards of a sweep and check that they are complete."`
	Env      env.Cmd         `cmd:"" group:"Simulate:" call:"env --config robot.yaml --envs 64 --vary ${example_spread}" help:"Step many robots in lock-step for another program, such as a Python process."`
	View     view.Cmd        `cmd:"" group:"Hardware:" call:"view robot.mcap hardware.bag" help:"Show one or two recordings or CSVs in the browser."`
	Replay   offline.Replay  `cmd:"" group:"Hardware:" call:"replay bench.mcap --config robot.yaml --out replay.mcap" help:"Replay the commands of a recording on the simulated robot; write its motion."`
	Compare  compare.Cmd     `cmd:"" group:"Hardware:" call:"compare motion.csv measured.csv --config robot.yaml --align se3" help:"Compare simulation with hardware: errors, latency, report."`
	Identify identify.Cmd    `cmd:"" group:"Hardware:" call:"identify --config robot.yaml --free ${example_key} --out fitted.yaml measured.csv" help:"Identify parameters of the robot from measured motion."`
	Init     inspect.Init    `cmd:"" group:"Robot files:" call:"init" help:"Write a built-in robot's commented robot file, with commands for it."`
	Robots   inspect.Robots  `cmd:"" group:"Robot files:" call:"robots" help:"List the built-in robots."`
	Params   inspect.Params  `cmd:"" group:"Robot files:" call:"params" help:"Print the built-in robot: every key with unit, range, default and meaning."`
	Check    inspect.Check   `cmd:"" group:"Robot files:" call:"check robot.yaml" help:"Check a robot file and list all mistakes."`
	Version  inspect.Version `cmd:"" group:"Program:" call:"version" help:"Print the version, the commit and the Go version."`
	Complete shell.Complete  `cmd:"" name:"completion" group:"Program:" help:"Print a shell script that completes commands, flags and files."`
	Man      shell.Man       `cmd:"" group:"Program:" help:"Print the manual page."`
}

// Main runs the program of a robot with the process's arguments and returns the
// exit code.
func Main(robot program.Robot, args []string) int {
	err := Run(robot, args, os.Stdout, os.Stderr)
	if err != nil {
		fmt.Fprintf(os.Stderr, "%s: %v\n", robot.Name, err)
	}
	return exitcode.Code(err)
}

// Run parses the arguments and runs the command. Package exitcode derives the exit code from
// the error.
func Run(robot program.Robot, args []string, stdout, stderr io.Writer) error {
	rosArgs, err := naming.ParseArgs(args)
	if err != nil {
		return exitcode.Usage(err)
	}
	exited := false
	parser, err := newParser(robot, kong.Writers(stdout, stderr), kong.Exit(func(int) { exited = true }))
	if err != nil {
		return err
	}
	ctx, err := parser.Parse(rosArgs.Rest)
	if exited { // --help has been printed
		return nil
	}
	if err != nil {
		return exitcode.Usage(err)
	}
	if err := noneEmpty(ctx); err != nil {
		return err
	}
	return ctx.Run(&cli.Env{Robot: &robot, Args: rosArgs, Stdout: stdout, Stderr: stderr})
}

// newParser returns the parser of a program's command line.
func newParser(robot program.Robot, options ...kong.Option) (*kong.Kong, error) {
	vars := kong.Vars{
		"identify_groups": identify.GroupNames(robot.Shape != nil), "example_key": "youngs_modulus_pa",
		"example_range": "youngs_modulus_pa=linspace(1e6,2e6,9)", "example_spread": "youngs_modulus_pa=lognormal(60e9,0.1)",
	}
	if robot.Shape == nil { // no rod
		vars["example_key"] = "viscosity_pa_s"
		vars["example_range"], vars["example_spread"] = "viscosity_pa_s=linspace(0.1,0.5,9) --duration 1s", "viscosity_pa_s=lognormal(0.3,0.1)"
	}
	options = append(options,
		kong.Name(robot.Name),
		kong.Description(robot.Summary+"\n\nROS remappings (a:=b, __name:=, __ns:=, _param:=value, --ros-args -r … -p …) are accepted anywhere."),
		vars,
		kong.Help(helpPrinter(vars)),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true, WrapUpperBound: helpWidth}))
	if robot.Shape != nil {
		options = append(options, kong.DynamicCommand("static", "Find the equilibrium and write the pose of every node.", "Simulate:",
			&offline.Static{}, `call:"static --config robot.yaml --out shape.csv"`),
			kong.DynamicCommand("estimate", "Estimate pose, force and parameters from a recording with sensors.", "Hardware:",
				&offline.Estimate{}, `call:"estimate bench.mcap --config robot.yaml --out estimate.csv"`))
	}
	parser, err := kong.New(new(grammar), options...)
	if err == nil {
		arrangeHelp(parser.Model, vars)
		if robot.Shape == nil {
			hideFlags(parser.Model, ofRods...)
		}
	}
	return parser, err
}

// noneEmpty refuses flags and arguments with an empty value, such as that of an unset shell
// variable: without it, the program would ignore them silently.
func noneEmpty(ctx *kong.Context) error {
	for _, p := range ctx.Path {
		var value any
		name := ""
		switch {
		case p.Flag != nil:
			value, name = ctx.FlagValue(p.Flag), "--"+p.Flag.Name
		case p.Positional != nil:
			value, name = ctx.Value(p).Interface(), "<"+p.Positional.Name+">"
		}
		texts, _ := value.([]string)
		if text, ok := value.(string); ok {
			texts = []string{text}
		}
		if slices.Contains(texts, "") {
			return exitcode.Usagef("%s has an empty value; give a value, or check that the shell variable is set", name)
		}
	}
	return nil
}
