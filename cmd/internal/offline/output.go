package offline

import (
	"strings"

	"sinew/cmd/internal/cli"
	"sinew/cmd/internal/output"
	"sinew/cmd/internal/program"
	"sinew/pkg/sim"
)

// sink takes what a simulation does.
type sink interface {
	// write takes the state at time t (s) if the step is one that is sampled.
	write(t float64) error
	// command takes what is commanded on an In port at time t.
	command(t float64, port int, v []float64)
	finish() error
}

// samplesOrRecording knows the files that sim and replay make under a name.
func samplesOrRecording(e *cli.Env, name string, ports []sim.Port) output.Recognizer {
	if cli.IsRecording(name) {
		return output.Recordings()
	}
	return output.Rows(strings.Join(fixedColumns(e.Robot.Samples(ports)), ","), ",", 0)
}

// fixedColumns are the columns of a CSV that any robot of the program has: further ones
// have names of the robot file.
func fixedColumns(columns []program.Samples) []string {
	names := []string{"t"}
	if len(columns) > 0 {
		names = append(names, columns[0].Columns...)
	}
	return names
}
