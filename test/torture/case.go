package torture

import (
	"fmt"

	"sinew/pkg/sim"
	"sinew/pkg/sim/robotfile"
)

// Case is a generated robot with its commands.
type Case struct {
	Seed  uint64
	Title string // the robot in a line
	Text  []byte // the robot file

	Step     float64   // solver.step_s, s
	Period   float64   // of the commands, s
	Periods  int       // length of the run
	Commands []History // one per port

	// Margin (m) and the way of the robot make what distances are relative to.
	Margin float64
	// Limit is how far the run may be from the one at a quarter of the step.
	Limit Difference
	// Horizon is how many steps are compared; 0 is all. Undamped magnets are chaotic.
	Horizon int
	// Random tells that the run at a quarter of the step has noise of its own, so that
	// the two cannot be compared.
	Random bool
	// Skip are the checks that are left out.
	Skip Skip
	// Diameter is that of the beads of a swarm with interaction, m, else 0.
	Diameter float64
	// Extent is the largest one of the robot, m.
	Extent float64

	model func(step float64) (sim.Model, error)
	// Closes tells that the robot has loops, which can close, and has to find where they do.
	Closes bool
	// finer makes the robot with rods of elements of half the length; nil: it is not compared.
	finer func(step float64) (sim.Model, error)
}

// Skip names checks.
type Skip struct{ Resume bool }

// History is the commands of a port at the start of each period.
type History struct {
	Port string
	Rows [][]float64
}

// throughFile prints a generated robot and reads it back, so that it is one that a file
// can describe.
func throughFile[T robotfile.Robot](file *T) (text []byte, parsed *T, err error) {
	text = robotfile.Print(file)
	parsed, err = robotfile.Parse[T]("generated.yaml", text)
	if err != nil {
		return text, nil, fmt.Errorf("the generated file is not valid: %w", err)
	}
	return text, parsed, nil
}
