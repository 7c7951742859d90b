package cli

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"sinew/cmd/internal/exitcode"
)

// RobotFiles are the robot files of commands that simulate a robot: arguments and the flag --config, behind them.
type RobotFiles struct {
	Robot  []string `arg:"" optional:"" name:"robot" help:"Read the robot file, as by --config." sep:"none"`
	Config []string `help:"Read the robot file (default: built-in); later files override earlier ones." placeholder:"FILE" sep:"none"`
}

// AfterApply makes the arguments files of Config. It is called by kong.
func (r *RobotFiles) AfterApply() error {
	for _, name := range r.Robot {
		if _, err := os.Stat(name); err != nil && !IsRobotFile(name) && name != "" {
			return exitcode.Usagef("unexpected argument %s: it is neither a command (--help lists them) nor a robot file", name)
		}
	}
	r.Config = slices.Concat(r.Robot, r.Config)
	return nil
}

// IsRobotFile reports whether the name is that of a robot file.
func IsRobotFile(name string) bool {
	e := strings.ToLower(filepath.Ext(name))
	return e == ".yaml" || e == ".yml"
}

// TakeRobotFiles moves the names of robot files among those of other files to the front of config.
func TakeRobotFiles(files, config *[]string) {
	var robots, others []string
	for _, name := range *files {
		if IsRobotFile(name) {
			robots = append(robots, name)
		} else {
			others = append(others, name)
		}
	}
	*files, *config = others, slices.Concat(robots, *config)
}
