package compare

import (
	"fmt"
	"path/filepath"
	"strings"

	"sinew/cmd/internal/cli"
	"sinew/cmd/internal/exitcode"
	"sinew/cmd/internal/program"
	"sinew/cmd/internal/view"
	"sinew/pkg/ros/record"
	"sinew/pkg/sim/robotfile"
)

// comparedRobot is what a comparison must know of the robot.
type comparedRobot struct {
	text     string // describes the robot in the report
	lengthM  float64
	reachM   float64 // 0: unknown
	frame    string  // frame_id of the hardware
	hardware robotfile.Hardware
	drawn    view.Robot
	motors   []string // joints whose positions are angles, not pulls of tendons
}

// robot reads the robot file.
func (c *Cmd) robot(e *cli.Env) (comparedRobot, error) {
	f, of, err := c.robotFile(e)
	if err != nil {
		return comparedRobot{}, err
	}
	made, err := cli.Make(f)
	if err != nil {
		return comparedRobot{}, err
	}
	r := comparedRobot{lengthM: made.LengthM, frame: made.Hardware.Frame, hardware: made.Hardware}
	for _, p := range made.Model.Ports() {
		if p.IsMotors() {
			r.motors = p.Labels
		}
	}
	if of != builtin {
		r.drawn = view.Robot{Instance: made, Name: "the robot " + of}
	}
	if c.LengthM > 0 {
		r.lengthM, of = c.LengthM, "as given"
	}
	if e.Robot.Shape != nil { // clamped at its base
		r.reachM = 2 * r.lengthM
	}
	r.text = fmt.Sprintf("length %.6g mm, %s", 1e3*r.lengthM, of)
	return r, nil
}

// builtin says that nobody chose a robot file.
const builtin = "of the built-in robot"

// robotFile finds the robot file and says in a few words which it is.
func (c *Cmd) robotFile(e *cli.Env) (program.File, string, error) {
	if len(c.Config) == 0 {
		for _, file := range []string{c.Sim, c.Hardware} {
			if !strings.EqualFold(filepath.Ext(file), ".mcap") {
				continue
			}
			data, err := record.Attachment(file, cli.RobotFile)
			if err != nil {
				return nil, "", exitcode.Usage(err)
			}
			if data != nil {
				f := e.Robot.File()
				f.Merge(cli.RobotFile+" of "+file, data)
				return f, "of the recording", nil
			}
		}
	}
	f, err := e.Draft(c.Config, nil)
	if len(c.Config) == 0 {
		return f, builtin, err
	}
	return f, "of " + strings.Join(c.Config, " and "), err
}
