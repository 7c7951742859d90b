package compare

import (
	"fmt"
	"slices"

	"sinew/cmd/internal/cli"
	"sinew/cmd/internal/program"
	"sinew/cmd/internal/view"
	"sinew/pkg/sim"
	"sinew/pkg/sim/robotfile"
	"sinew/pkg/sim/trajectory"
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
	tendons  []string // of a mechanism; nil: all columns but those of motors
	// differences are sentences about robot files in the recordings that differ from the robot.
	differences []string
}

// robot reads the robot file.
func (c *Cmd) robot(e *cli.Env) (comparedRobot, error) {
	f, origin, err := e.DraftRecorded(c.Config, c.Sim, c.Hardware)
	if err != nil {
		return comparedRobot{}, err
	}
	program.WithoutObserver(f)
	of := origin.String()
	made, err := e.MakeQuietly(f, "building the robot")
	if err != nil {
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
	mechanism, isMechanism := sim.As[sim.Mechanism](made.Model)
	switch {
	case isMechanism:
		r.tendons = tendonsOf(made.Model, mechanism)
	case e.Robot.Shape != nil: // clamped at its base
		r.reachM = 2 * r.lengthM
	}
	r.text = fmt.Sprintf("length %.6g mm, %s", 1e3*r.lengthM, of)
	return r, nil
}

// tendonsOf are the names of the tendons of a mechanism: those of its joint states that are no coordinates.
func tendonsOf(m sim.Model, mechanism sim.Mechanism) []string {
	var coordinates []string
	for _, j := range mechanism.Joints() {
		coordinates = append(coordinates, j.CoordinateNames...)
	}
	tendons := []string{}
	for _, p := range m.Ports() {
		if p.Name == "measured_js" {
			tendons = slices.DeleteFunc(slices.Clone(p.Labels), func(name string) bool { return slices.Contains(coordinates, name) })
		}
	}
	return tendons
}

// withoutJoints returns the actuation of the tendons alone, and the names of the joints and of what else it had.
func (r *comparedRobot) withoutJoints(a trajectory.Actuation) (tendons trajectory.Actuation, joints []string) {
	others := r.motors
	if r.tendons != nil {
		others = slices.DeleteFunc(slices.Clone(a.Names), func(name string) bool { return slices.Contains(r.tendons, name) })
	}
	return a.Without(others)
}
