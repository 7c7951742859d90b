package offline

import (
	"strings"

	"sinew/cmd/internal/cli"
	"sinew/cmd/internal/output"
	"sinew/cmd/internal/program"
	"sinew/pkg/sim"
)

// sink receives the results of a simulation.
type sink interface {
	// write receives the state at time t (s) if the step is sampled.
	write(t float64) error
	// command receives the command on an In port at time t.
	command(t float64, port int, v []float64)
	finish() error
}

// samplesOrRecording recognizes the files that sim and replay write under a name.
func samplesOrRecording(e *cli.Env, name string, ports []sim.Port) output.Recognizer {
	if cli.IsRecording(name) {
		return output.Recordings()
	}
	return output.Rows(strings.Join(fixedColumns(e.Robot.Samples(ports)), ","), ",", 0)
}

// fixedColumns returns the columns of a CSV that every robot of the program has. The others are
// named after parts of the robot file.
func fixedColumns(columns []program.Samples) []string {
	names := []string{"t"}
	if len(columns) > 0 {
		names = append(names, columns[0].Columns...)
	}
	return names
}
