package identify

import (
	"fmt"
	"slices"

	"sinew/cmd/internal/offline"
	"sinew/pkg/ros/record"
	"sinew/pkg/sim/hil/identify"
	"sinew/pkg/sim/trajectory"
)

// remark warns of suspicious values in trials.
func (r *trialReader) remark(base identify.File) error {
	reach := 0.0
	if r.env.Robot.Shape != nil { // clamped at its base
		reach = 2 * r.made.LengthM
	}
	m, err := base.Model()
	if err != nil {
		return err
	}
	for _, tr := range r.trials {
		notes, err := tr.Remarks(m, reach)
		if err != nil {
			return err
		}
		for _, note := range notes {
			fmt.Fprintf(r.env.Stderr, "%s: warning: %s\n", r.env.Robot.Name, note)
		}
	}
	return nil
}

// warnOfSim warns of the commands in a CSV with the columns of sim, which sim writes as they were in the step that ends at
// a row, where those of a trial act from their row on.
func (r *trialReader) warnOfSim(file string) error {
	if record.IsRecording(file) {
		return nil
	}
	rows, err := offline.NewRows(r.made.Model, r.env.Robot)
	if err != nil {
		return err
	}
	header := r.headers[file]
	columns := trajectory.NewTargets(r.made.Model.Ports())
	isCommand := func(name string) bool { _, ok := columns.Of(name); return ok }
	if slices.Equal(header, rows.Columns()) && slices.ContainsFunc(header, isCommand) {
		fmt.Fprintf(r.env.Stderr, "%s: warning: %s has the columns of sim, which writes the commands of the step that ends at a row, where identify takes them from their row on: if sim wrote it, they act a row late; give --commands with the file that sim was given\n", r.env.Robot.Name, file)
	}
	return nil
}
