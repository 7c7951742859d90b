package app

import (
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"runtime/debug"
	"strings"
)

// maxRobotFile bounds what is read of a robot file (bytes).
const maxRobotFile = 4 << 20

// open reads the robot files, see draft, and makes the robot.
func (e *env) open(names []string, server func(File) []parameter) (*Made, error) {
	f, err := e.draft(names, server)
	if err != nil {
		return nil, err
	}
	return makeRobot(f)
}

// draft lays the robot files over one another, or takes the built-in robot when
// there are none, and lays over them the values of the parameter server and those
// of the command line. server, if not nil, reads the former.
func (e *env) draft(names []string, server func(File) []parameter) (File, error) {
	f := e.robot.File()
	if len(names) == 0 {
		f.MergeBuiltin()
	}
	for _, name := range names {
		if err := mergeFile(f, name); err != nil {
			return nil, usage(err)
		}
	}
	if server == nil { // offline: the node has the program's name
		if err := e.args.LoadParams("/"+e.robot.Name, os.ReadFile); err != nil {
			return nil, usage(err)
		}
	} else {
		for _, p := range server(f) {
			f.Set(p.path, p.value, "parameter server")
		}
	}
	for _, p := range e.args.Params {
		f.Set(p.Name, p.Value, "command line")
	}
	return f, nil
}

// makeRobot makes the robot of a file; all but a failure of its solver is the
// file's fault.
func makeRobot(f File) (*Made, error) {
	made, err := f.Make()
	var failed *SolverError
	if err != nil && !errors.As(err, &failed) {
		err = usage(err)
	}
	return made, err
}

// parameter is one value of the parameter server, as YAML.
type parameter struct{ path, value string }

func mergeFile(f File, name string) error {
	in, err := os.Open(name)
	if err != nil {
		return err
	}
	defer in.Close()
	data, err := io.ReadAll(io.LimitReader(in, maxRobotFile+1))
	if err != nil {
		return err
	}
	if len(data) > maxRobotFile {
		return fmt.Errorf("%s: larger than %d bytes; this is no robot file", name, maxRobotFile)
	}
	f.Merge(name, data)
	return nil
}

// paramsCmd is the verb params.
type paramsCmd struct{}

// Run prints the default robot file.
func (*paramsCmd) Run(e *env) error {
	_, err := e.stdout.Write(e.robot.Defaults())
	return err
}

// checkCmd is the verb check.
type checkCmd struct {
	Files []string `arg:"" name:"file" help:"Robot file; further files are laid over it." sep:"none"`
}

// Run checks that the file parses and that its robot can be made.
func (c *checkCmd) Run(e *env) error {
	made, err := e.open(c.Files, nil)
	if err != nil {
		return err
	}
	fmt.Fprintf(e.stdout, "%s: ok: %s\n", strings.Join(c.Files, " + "), made.Describe)
	return nil
}

// versionCmd is the verb version.
type versionCmd struct{}

// version is the release, in the manner of semantic versioning.
const version = "0.1.0"

// Run prints version, commit and Go version.
func (*versionCmd) Run(e *env) error {
	fmt.Fprintf(e.stdout, "%s %s (commit %s, %s %s/%s)\n", e.robot.Name, version, commit(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
	return nil
}

// commit is the revision that the binary was built from, where the Go tool
// recorded it.
func commit() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	rev, dirty := "unknown", ""
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision":
			rev = s.Value
		case s.Key == "vcs.modified" && s.Value == "true":
			dirty = "+changes"
		}
	}
	return rev + dirty
}
