package app

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"sinew/pkg/ros/record"
)

// isRecording reports whether a file's name is that of a recording.
func isRecording(file string) bool {
	switch strings.ToLower(filepath.Ext(file)) {
	case ".mcap", ".bag":
		return true
	}
	return false
}

// recordingOptions describe a recording of a node that was made by these arguments
// of the program.
func (e *env) recordingOptions(made *Made, node string, args []string) record.Options {
	return record.Options{
		Node: node,
		Info: map[string]string{
			"program":      e.robot.Name,
			"version":      version,
			"commit":       commit(),
			"command_line": strings.Join(append([]string{e.robot.Name}, args...), " "),
			"node":         node,
		},
		Robot: made.Text(), RobotName: robotName,
	}
}

// withoutFlag are arguments without a flag and its value: the name of the
// output is no part of what is in it.
func withoutFlag(args []string, flag string) []string {
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

// startRecording begins the recording of --record, if there is one to be.
func (n *node) startRecording(file string, now time.Duration) error {
	if file == "" {
		return nil
	}
	o := n.env.recordingOptions(n.made, n.names.Node(), os.Args[1:])
	o.Created = now
	w, err := record.Create(file, o)
	if err != nil {
		return usage(err)
	}
	n.recorder = record.NewRecorder(w, file, n.log)
	return nil
}

// endRecording ends it and says what is in it.
func (n *node) endRecording() error {
	if n.recorder == nil {
		return nil
	}
	err := n.recorder.Close()
	dropped := "none dropped"
	if d := n.recorder.Dropped(); d > 0 {
		dropped = fmt.Sprintf("%d DROPPED", d)
	}
	fmt.Fprintf(n.env.stdout, "record   %s: %d messages, %s\n", n.recorder.Name(), n.recorder.Written(), dropped)
	if err != nil {
		err = fmt.Errorf("recording %s: %w", n.recorder.Name(), err)
	}
	return err
}
