package offline

import (
	"encoding/json"
	"fmt"

	"sinew/cmd/internal/cli"
	"sinew/cmd/internal/output"
	"sinew/cmd/internal/program"
	"sinew/pkg/sim"
)

// linearisedStep recognizes the files of --linearise.
var linearisedStep = output.Text(`{"step_s":`, `"states":`)

// writeLinearisation writes a linearised step from the equilibrium, if it is requested.
func (c *Static) writeLinearisation(e *cli.Env, made *program.Instance, files *output.Set) error {
	if c.Linearise == "" {
		return nil
	}
	file, err := files.Create("--linearise", c.Linearise, linearisedStep)
	if err != nil {
		return err
	}
	bar := e.Progress("static --linearise", -1, "")
	l, err := lineariseAtRest(made.Model, made.Timing.StepS)
	bar.End()
	if err != nil {
		file.Discard()
		return fmt.Errorf("--linearise: %w", err)
	}
	fmt.Fprintf(e.Stderr, "%s: %s: a step of %g s with %d states, %d inputs and %d outputs\n", e.Robot.Name, c.Linearise, l.StepS, len(l.States), len(l.Inputs), len(l.Outputs))
	return json.NewEncoder(file).Encode(l)
}

// lineariseAtRest linearises the second step from the present state: the first one is of order 1, for want of a step before it.
func lineariseAtRest(m sim.Model, dt float64) (*program.LinearisedStep, error) {
	before := make([]float64, m.StateLen())
	m.Save(before)
	defer func() { _ = m.Restore(before) }() // which Save has written
	if err := m.Step(dt); err != nil {
		return nil, err
	}
	return program.Linearise(m, dt)
}
