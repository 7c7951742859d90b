package compare

import (
	"fmt"

	"sinew/cmd/internal/cli"
	"sinew/cmd/internal/view"
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
	// differences are sentences about robot files in the recordings that differ from the robot.
	differences []string
}

// robot reads the robot file.
func (c *Cmd) robot(e *cli.Env) (comparedRobot, error) {
	f, origin, err := e.DraftRecorded(c.Config, c.Sim, c.Hardware)
	if err != nil {
		return comparedRobot{}, err
	}
	of := origin.String()
	made, err := e.MakeQuietly(f, "building the robot")
	if err != nil {
		return comparedRobot{}, err
	}
	if err := cli.RefuseMechanism(made, "compare", true, "it compares the tip of one rod, or one body, with hardware; compare the CSVs of sim yourself"); err != nil {
		return comparedRobot{}, err
	}
	r := comparedRobot{lengthM: made.LengthM, frame: made.Hardware.Frame, hardware: made.Hardware, differences: origin.Differences}
	for _, p := range made.Model.Ports() {
		if p.IsMotors() {
			r.motors = p.Labels
		}
	}
	if !origin.IsBuiltin() {
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
