package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"sinew/cmd/internal/exitcode"
	"sinew/cmd/internal/program"
	"sinew/pkg/ros/record"
	"sinew/pkg/sim/robotfile"
)

// RobotOrigin says where the robot of a verb that reads recordings comes from.
type RobotOrigin struct {
	Recording string   // the file whose robot file is the default; empty with --config and for the built-in robot
	Config    []string // of --config
	// Differences are sentences about the robot files of recordings that differ from the robot that is used.
	Differences []string
}

// IsBuiltin reports whether the robot is the built-in one.
func (o *RobotOrigin) IsBuiltin() bool { return o.Recording == "" && len(o.Config) == 0 }

// Files are the names of the robot files that are used, none of them for the built-in robot.
func (o *RobotOrigin) Files() []string {
	if o.Recording != "" {
		return []string{recordedPrefix + o.Recording}
	}
	return o.Config
}

// String says in a few words whose robot it is.
func (o *RobotOrigin) String() string {
	switch {
	case o.Recording != "":
		return "of the recording"
	case o.IsBuiltin():
		return "of the built-in robot"
	}
	return "of " + strings.Join(o.Config, " and ")
}

// name names the robot that is used within a sentence.
func (o *RobotOrigin) name(e *Env) string {
	name := strings.Join(o.Config, " and ")
	switch {
	case o.Recording != "":
		name = o.Recording
	case o.IsBuiltin():
		name = "built-in " + e.Robot.Builtin[0].Name
	}
	if len(e.Args.Params) > 0 {
		name += " with the values of the command line"
	}
	return name
}

// DraftRecorded is Draft for a verb that reads recordings, among other files: without robot files, the robot file that the
// first recording carries takes the place of the built-in robot.
func (e *Env) DraftRecorded(names []string, files ...string) (program.File, *RobotOrigin, error) {
	recorded, err := e.recordedRobots(files)
	if err != nil {
		return nil, nil, exitcode.Usage(err)
	}
	origin := &RobotOrigin{Config: names}
	var f program.File
	own := slices.IndexFunc(recorded, func(r recordedRobot) bool { return r.isOf(e) })
	if len(names) == 0 && own >= 0 {
		r := &recorded[own]
		origin.Recording = r.file
		f, err = e.override(r.draft(e), nil, nil)
	} else {
		f, err = e.Draft(names, nil)
	}
	if err != nil {
		return nil, nil, err
	}
	origin.compare(e, f, recorded)
	return f, origin, nil
}

// Report says on Stderr which robot is used, and in what it differs from that of a recording.
func (o *RobotOrigin) Report(e *Env) {
	if o.Recording != "" {
		fmt.Fprintf(e.Stderr, "%s: the robot is that of the robot file in %s; --config overrides it\n", e.Robot.Name, o.Recording)
	}
	for _, text := range o.Differences {
		fmt.Fprintf(e.Stderr, "%s: warning: %s\n", e.Robot.Name, text)
	}
}

// WarnBuiltin warns that a file without a robot file is read with the built-in robot.
func (o *RobotOrigin) WarnBuiltin(e *Env, file string) {
	if o.IsBuiltin() {
		fmt.Fprintf(e.Stderr, "%s: warning: %s carries no robot file of this program, so the robot is the built-in %s; give --config\n", e.Robot.Name, file, e.Robot.Builtin[0].Name)
	}
}

// recordedRobot is the robot file that a recording carries.
type recordedRobot struct {
	file    string // the recording
	program string // that made it; empty if unknown
	data    []byte
}

// recordedRobots reads the robot files of the recordings among files.
func (e *Env) recordedRobots(files []string) (list []recordedRobot, err error) {
	for _, file := range files {
		if !record.IsRecording(file) {
			continue
		}
		data, err := record.Attachment(file, RobotFile)
		if _, absent := errors.AsType[*fs.PathError](err); absent || err == nil && data == nil {
			continue // whoever reads the recording itself says that it is not there
		}
		if err != nil {
			return nil, err
		}
		info, err := record.Info(file)
		if err != nil {
			return nil, err
		}
		list = append(list, recordedRobot{file, info["program"], data})
	}
	return list, nil
}

// CarriesRobot reports whether a file is a recording that carries a robot file of this program.
func (e *Env) CarriesRobot(file string) bool {
	list, err := e.recordedRobots([]string{file})
	return err == nil && len(list) > 0 && list[0].isOf(e)
}

// isOf reports whether the robot file is one of the program.
func (r *recordedRobot) isOf(e *Env) bool { return r.program == "" || r.program == e.Robot.Name }

// draft is the robot file alone.
func (r *recordedRobot) draft(e *Env) program.File {
	f := e.Robot.File()
	f.Merge(recordedPrefix+r.file, r.data)
	return f
}

// recordedPrefix begins the name of a robot file that a recording carries, in messages.
const recordedPrefix = RobotFile + " of "

// isRecorded reports whether a robot file, by its name in messages, is one that a recording carries.
func isRecorded(name string) bool { return strings.HasPrefix(name, recordedPrefix) }

// compare finds in what the robot that is used differs from those of recordings. What is wrong with the robot that is used
// is an error when it is made.
func (o *RobotOrigin) compare(e *Env, used program.File, recorded []recordedRobot) {
	const most = 3 // keys in a sentence
	complete, err := used.Print()
	if err != nil {
		return
	}
	for i := range recorded {
		r := &recorded[i]
		if !r.isOf(e) {
			o.Differences = append(o.Differences, fmt.Sprintf("the robot file in %s is one of %s", r.file, r.program))
			continue
		}
		if i > 0 && bytes.Equal(r.data, recorded[i-1].data) {
			continue
		}
		own, err := r.draft(e).Print()
		if err != nil {
			o.Differences = append(o.Differences, fmt.Sprintf("the robot file in %s is not compared with the robot that is used: %v", r.file, err))
			continue
		}
		var keys []string
		found := robotfile.Differences(own, complete)
		for _, d := range found[:min(len(found), most)] {
			keys = append(keys, fmt.Sprintf("%s (%s there, %s here)", d.Path, d.A, d.B))
		}
		if n := len(found) - most; n > 0 {
			keys = append(keys, fmt.Sprintf("%d more", n))
		}
		if keys != nil {
			o.Differences = append(o.Differences, fmt.Sprintf("the robot file in %s differs from the robot that is used (%s) in %s", r.file, o.name(e), strings.Join(keys, ", ")))
		}
	}
}
