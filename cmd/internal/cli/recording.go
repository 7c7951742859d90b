package cli

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"sinew/cmd/internal/program"
	"sinew/pkg/ros/record"
)

// IsRecording reports whether a file's name is that of a recording that is written. [record.IsRecording] knows those that are
// read.
func IsRecording(file string) bool {
	switch strings.ToLower(filepath.Ext(file)) {
	case ".mcap", ".bag":
		return true
	}
	return false
}

// RecordedTopics is the flag --record-all of verbs that write recordings.
type RecordedTopics struct {
	RecordAll bool `help:"Record paths and markers to an .mcap, too; a .bag always has them." detail:"They take most of the room. view derives them from the poses and the robot file in the recording; rviz needs them."`
}

// RobotFile is the name of the robot file inside a recording.
const RobotFile = "robot.yaml"

// RecordingOptions describes the recording of a node by a command with the program's arguments.
// watchdog reports whether commands expire.
func (e *Env) RecordingOptions(verb string, watchdog bool, made *program.Instance, node string, args []string) record.Options {
	return record.Options{
		Node: node,
		Info: map[string]string{
			"program":       e.Robot.Name,
			"version":       Version,
			"commit":        Commit(),
			"command_line":  strings.Join(append([]string{e.Robot.Name}, args...), " "),
			record.InfoNode: node,

			record.InfoVerb: verb, record.InfoWatchdog: onOff(watchdog),
		},
		Robot: made.Text(), RobotName: RobotFile,
	}
}

func onOff(b bool) string {
	if b {
		return "on"
	}
	return "off"
}

// WithoutFlag returns arguments without a flag and its value. A recording is
// described without its own name, so that it does not depend on that.
func WithoutFlag(args []string, flag string) []string {
	var rest []string
	for i := 0; i < len(args); i++ {
		switch {
		case args[i] == flag:
			i++
		case !strings.HasPrefix(args[i], flag+"="):
			rest = append(rest, args[i])
		}
	}
	return rest
}

// WarnIncomplete warns of a truncated recording, whose complete part is used, and returns every
// other error.
func (e *Env) WarnIncomplete(err error) error {
	if errors.Is(err, record.ErrIncomplete) {
		fmt.Fprintf(e.Stderr, "%s: warning: %v\n", e.Robot.Name, err)
		return nil
	}
	return err
}
