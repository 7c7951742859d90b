package cli

import (
	"fmt"
	"slices"
	"strings"

	"sinew/cmd/internal/exitcode"
)

// RobotNumber is the flag --robot of commands that read CSVs of swarms.
type RobotNumber struct {
	Robot *int `help:"Read the rows of this robot from the CSV of a swarm, from 0 (default 0)." placeholder:"N"`
}

// Number returns the number of the robot.
func (n RobotNumber) Number() int {
	if n.Robot == nil {
		return 0
	}
	return *n.Robot
}

// Check refuses a number that no robot has.
func (n RobotNumber) Check(e *Env) error {
	switch {
	case n.Robot == nil:
		return nil
	case e.Robot.RobotColumn == "":
		return exitcode.Usagef("--robot %d: %s has no swarms", *n.Robot, e.Robot.Name)
	case *n.Robot < 0:
		return exitcode.Usagef("--robot %d: robots are numbered from 0", *n.Robot)
	}
	return nil
}

// ReportRobot reports on stderr which robot of the files is read by default, and returns an error
// for a number with files of single robots. counts are the numbers of robots, 0 for a file
// without the column.
func (n RobotNumber) ReportRobot(e *Env, files []string, counts []int) error {
	swarms := 0
	for i, count := range counts {
		if count == 0 {
			continue
		}
		swarms++
		if n.Robot == nil && count > 1 && !slices.Contains(files[:i], files[i]) {
			fmt.Fprintf(e.Stderr, "%s: %s has %d robots; reading robot 0, use --robot N for another\n", e.Robot.Name, files[i], count)
		}
	}
	if n.Robot != nil && swarms == 0 {
		return exitcode.Usagef("--robot %d: there is no column %s in %s", *n.Robot, e.Robot.RobotColumn, strings.Join(files, ", "))
	}
	return nil
}
