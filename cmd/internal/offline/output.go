package offline

import (
	"fmt"

	"sinew/cmd/internal/program"
	"sinew/cmd/internal/verb"
)

// output takes what a simulation does.
type output interface {
	// write takes the state at time t (s) if the step is one that is sampled.
	write(t float64) error
	// command takes what is commanded on an In port at time t.
	command(t float64, port int, v []float64)
	finish() error
}

// newOutput opens the output of a simulation: a recording, or a CSV.
func newOutput(e *verb.Env, file string, made *program.Made) (output, error) {
	if verb.IsRecording(file) {
		return newSimRecording(e, file, made)
	}
	w, err := newSampleWriter(file, e.Stdout, made.Model, e.Robot.Samples(made.Model.Ports()))
	if err != nil {
		return nil, fmt.Errorf("--out %s: %w", file, err)
	}
	return w, nil
}
