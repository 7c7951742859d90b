package cli

import (
	"errors"
	"fmt"
	"io"

	"sinew/cmd/internal/exitcode"
	"sinew/cmd/internal/program"
	"sinew/pkg/ros/naming"
)

// Env is what a verb runs with.
type Env struct {
	Robot          *program.Robot
	Args           naming.Args
	Stdout, Stderr io.Writer
}

// maxRobotFile bounds what is read of a robot file (bytes).
const maxRobotFile = 4 << 20

// Open reads the robot files as Draft does, makes the robot, and warns of keys without
// effect.
func (e *Env) Open(names []string, server func(program.File) []Parameter) (*program.Instance, error) {
	f, err := e.Draft(names, server)
	if err != nil {
		return nil, err
	}
	return e.Make(f)
}

// Draft merges the robot files, or the built-in robot if there are none, with the values of
// the parameter server and of the command line, where later ones override earlier ones. server,
// if not nil, reads the parameter server.
func (e *Env) Draft(names []string, server func(program.File) []Parameter) (program.File, error) {
	f := e.Robot.File()
	if len(names) == 0 {
		f.Merge("built-in "+e.Robot.Builtin[0].Name+".yaml", e.Robot.Builtin[0].File())
	}
	return e.override(f, names, server)
}

// override merges robot files and the values of the parameter server and of the command line into f, as Draft does.
func (e *Env) override(f program.File, names []string, server func(program.File) []Parameter) (program.File, error) {
	for _, name := range names {
		if err := mergeFile(f, name); err != nil {
			return nil, exitcode.Usage(err)
		}
	}
	if server == nil { // offline: the node has the program's name
		if err := e.Args.LoadParams("/"+e.Robot.Name, ReadParamFile); err != nil {
			return nil, exitcode.Usage(err)
		}
		e.warnOfNodeParameters()
	} else {
		for _, p := range server(f) {
			f.Set(p.Path, p.Value, "parameter server")
		}
	}
	own, foreign := splitParameters(f, e.Args.Params)
	for _, p := range own {
		f.Set(p.Name, p.Value, p.Source)
	}
	e.Args.Params = own
	for _, line := range foreign {
		fmt.Fprintf(e.Stderr, "%s: warning: %s\n", e.Robot.Name, line)
	}
	return f, nil
}

// warnOfNodeParameters warns on Stderr, once, of node parameters that have no effect without
// ROS.
func (e *Env) warnOfNodeParameters() {
	if e.Args.SimTime != "" {
		fmt.Fprintf(e.Stderr, "%s: warning: %s: use_sim_time has no effect without run\n", e.Robot.Name, e.Args.SimTime)
	}
	for _, line := range e.Args.Idle {
		fmt.Fprintf(e.Stderr, "%s: warning: %s\n", e.Robot.Name, line)
	}
	e.Args.SimTime, e.Args.Idle = "", nil
}

// Make makes the robot of a file as the function Make does, and writes its warnings on
// Stderr.
func (e *Env) Make(f program.File) (*program.Instance, error) {
	return e.MakeWarning(f, "building the robot")
}

// MakeWarning is Make, and shows the progress of what.
func (e *Env) MakeWarning(f program.File, what string) (*program.Instance, error) {
	made, err := e.MakeQuietly(f, what)
	if err == nil {
		for _, w := range made.Warnings {
			if isRecorded(w.File) && w.Name == "" {
				continue // a recorded robot file is complete: it gives keys that have no effect, too
			}
			fmt.Fprintf(e.Stderr, "%s: warning: %v\n", e.Robot.Name, w)
		}
	}
	return made, err
}

// MakeQuietly makes the robot of a file as the function Make does, shows the progress of what, and writes no warnings.
func (e *Env) MakeQuietly(f program.File, what string) (*program.Instance, error) {
	bar := e.Progress(what, -1, "")
	defer bar.End()
	f.Watch(bar)
	defer f.Watch(nil)
	return Make(f)
}

// WarnOfStability warns of a robot that begins in an equilibrium that is not stable.
func (e *Env) WarnOfStability(made *program.Instance) {
	bar := e.Progress("deciding whether the equilibrium is stable", -1, "")
	text := made.Stability()
	bar.End()
	if text != "" {
		fmt.Fprintf(e.Stderr, "%s: warning: initial_state: %s\n", e.Robot.Name, text)
	}
}

// Make makes the robot of a file. All errors but a failure of its solver are usage errors.
func Make(f program.File) (*program.Instance, error) {
	made, err := f.Make()
	var failed *program.SolverError
	if err != nil && !errors.As(err, &failed) {
		err = exitcode.Usage(err)
	}
	return made, err
}

// Parameter is one value of the parameter server, as YAML.
type Parameter struct{ Path, Value string }

// mergeFile overrides a robot file with another one.
func mergeFile(f program.File, name string) error {
	data, err := program.ReadFile(name, maxRobotFile)
	if err != nil {
		return err
	}
	f.Merge(name, data)
	return nil
}
