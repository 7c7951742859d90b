// Package inspect holds the commands that do not simulate: init, robots, params, check and
// version.
package inspect

import (
	"fmt"
	"runtime"
	"slices"
	"strings"

	"sinew/cmd/internal/cli"
	"sinew/cmd/internal/exitcode"
	"sinew/cmd/internal/fleet"
	"sinew/cmd/internal/program"
	"sinew/pkg/sim/robotfile"
)

// Params is the command params.
type Params struct {
	Markdown bool `help:"Print the reference of all robot files, docs/robot-file.md."`
}

// Run prints the built-in robot with every key, overridden by single values of the command line,
// or the reference of all keys.
func (c *Params) Run(e *cli.Env) error {
	text := robotfile.Markdown()
	if !c.Markdown {
		file, err := e.Draft(nil, nil)
		if err != nil {
			return err
		}
		if text, err = file.Print(); err != nil {
			return exitcode.Usage(err)
		}
		r := e.Robot.Builtin[0]
		fmt.Fprintf(e.Stdout, "# The built-in robot %s, with every key. %s init writes it with the keys that it sets.\n", r.Name, e.Robot.Name)
	}
	_, err := e.Stdout.Write(text)
	return err
}

// Check is the command check.
type Check struct {
	Files  []string `arg:"" optional:"" name:"file" help:"Check this robot file or fleet file; later robot files override earlier ones." sep:"none"`
	Config []string `help:"Check this robot file, as an argument does, behind them." placeholder:"FILE" sep:"none"`
}

// Run checks that the file parses, that its robot can be made and that it takes its first steps, whose time
// it measures.
func (c *Check) Run(e *cli.Env) error {
	if c.Files = slices.Concat(c.Files, c.Config); len(c.Files) == 0 {
		return exitcode.Usagef("check: no robot file is given; want check FILE.yaml")
	}
	if fleet.Is(c.Files[0]) {
		return c.checkFleet(e)
	}
	made, err := e.Open(c.Files, nil)
	if err != nil {
		return err
	}
	if made.Probe == nil { // the gauges of a robot that is probed take as long as a step
		warnGauges(e, made)
	}
	files, cost := strings.Join(c.Files, " + "), cli.MeasureCost(made)
	if cost.Failed != nil {
		return fmt.Errorf("%s: %v", files, cost)
	}
	fmt.Fprintf(e.Stdout, "%s: ok: %s\n", files, made.Describe)
	for _, note := range made.MeshNotes {
		fmt.Fprintln(e.Stdout, note)
	}
	if cost.TooSlow() {
		fmt.Fprintf(e.Stderr, "%s: warning: %v\n", e.Robot.Name, cost)
	} else {
		fmt.Fprintf(e.Stdout, "%v\n", cost)
	}
	return nil
}

// warnGauges warns of suspicious values of the initial state that the file does not show:
// a robot outside of the range of its coils.
func warnGauges(e *cli.Env, made *program.Instance) {
	gauges := made.Model.Gauges()
	values := make([]float64, len(gauges))
	made.Model.Measure(values)
	for i := range gauges {
		g := &gauges[i]
		known := slices.ContainsFunc(made.Warnings, func(w robotfile.Mistake) bool { return string(w.Name) == g.Accept })
		if text := g.Warning(values[i]); text != "" && g.Accept != "" && !known {
			fmt.Fprintf(e.Stderr, "%s: warning: at t = 0, %s\n", e.Robot.Name, text)
		}
	}
}

// Version is the command version.
type Version struct{}

// Run prints version, commit and Go version.
func (*Version) Run(e *cli.Env) error {
	fmt.Fprintf(e.Stdout, "%s %s (commit %s, %s %s/%s)\n", e.Robot.Name, cli.Version, cli.Commit(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
	return nil
}
