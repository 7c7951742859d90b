package identify

import (
	"errors"
	"fmt"
	"slices"

	"sinew/pkg/sim/spatial"
	"sinew/pkg/sim/trajectory"
)

// Trial is a series of commands and of poses measured under them.
type Trial struct {
	Name   string
	Static bool    // every row is an equilibrium; else rows have times
	Weight float64 // of its residuals; 0 is 1
	Robots int     // robots of the file, one of which the trial is of; 0: it has no numbers
	Sets   []Setting

	rotations bool // whether rotations were measured too
	markers   []marker
	rows      []trialRow
	own       bool                 // the commands are columns of the rows
	start     float64              // time of the first row in the file, s
	jumps     bool                 // the motion begins without commands, and jumps to the first ones; see FindBegin
	commands  *trajectory.Commands // what a motion is commanded, on the clock of rows
}

// Setting is a number of the robot file that a trial has of its own, such as its payload.
type Setting struct {
	Path  string
	Value float64
}

// trialRow is one row of a trial: what was commanded, and what was measured then.
type trialRow struct {
	t        float64        // s, 0 in the first row of a file; unused where static
	commands trajectory.Row // what an equilibrium is commanded
	measured bool           // anything
	held     bool           // held out of the fit, only predicted
	posed    bool           // pose is measured
	pose     measuredPose
	markers  []spatial.Vec // of those of the trial, in the frame that the hardware is measured in; NaN: not measured
}

// measuredPose is a pose in the frame that the hardware is measured in. r is zero
// where no rotation was measured.
type measuredPose struct {
	p spatial.Vec
	r spatial.Mat3
}

// NewTrial makes a trial of a motion from poses of the hardware and the commands,
// both on one clock (s). The robot began to move at 0; poses before are left out.
// Of the markers those count that the robot has: known.
func NewTrial(name string, poses *trajectory.Poses, markers []trajectory.Marker, known Markers, commanded *trajectory.Commands) (*Trial, error) {
	tr := &Trial{Name: name, rotations: poses.Rotations, commands: commanded}
	for i, t := range poses.T {
		row := trialRow{t: t, measured: true, posed: true, pose: measuredPose{p: poses.Pose[i].P}}
		if poses.Rotations {
			row.pose.r = poses.Pose[i].R
		}
		if t >= 0 {
			tr.rows = append(tr.rows, row)
		}
	}
	tr.addMarkers(markers, known)
	return tr, tr.checkPoses()
}

// SetCommands replaces what the trial's own columns command, with the same clock.
func (tr *Trial) SetCommands(t *trajectory.Commands) {
	t.Shift(tr.start)
	tr.commands, tr.own = t, false
}

// weight is what residuals are multiplied by.
func (tr *Trial) weight() float64 {
	if tr.Weight == 0 {
		return 1
	}
	return tr.Weight
}

// Hold keeps an evenly spread share of the measured rows out of the fit, of those of the tip as
// of those of each marker where they take turns.
func (tr *Trial) Hold(share float64) {
	const roundOff = 1e-9
	sum := map[string]float64{} // by what was measured
	for i := range tr.rows {
		if !tr.rows[i].measured {
			continue
		}
		kind := tr.rows[i].kind()
		if sum[kind] += share; sum[kind] >= 1-roundOff {
			sum[kind]--
			tr.rows[i].held = true
		}
	}
}

// Held returns the trial with every measured row held out.
func (tr *Trial) Held() *Trial {
	t := *tr
	t.rows = slices.Clone(tr.rows)
	t.Hold(1)
	return &t
}

// Fitted is the number of rows that are fitted.
func (tr *Trial) Fitted() (n int) {
	for i := range tr.rows {
		if tr.rows[i].fitted() {
			n++
		}
	}
	return n
}

// checkPoses refuses a trial without measurements.
func (tr *Trial) checkPoses() error {
	if !slices.ContainsFunc(tr.rows, func(r trialRow) bool { return r.measured }) {
		return fmt.Errorf("%s: nothing was measured", tr.Name)
	}
	return nil
}

var errNoEquilibrium = errors.New("rows without t are equilibria, which this robot does not have; add the column t")

// Check refuses a trial that cannot be predicted with a model: equilibria of a
// robot that has none, and a motion that nobody would wait for, mostly because its
// time is in another unit.
func (tr *Trial) Check(m *Model) error {
	const maxSteps = 20_000_000
	last := tr.rows[len(tr.rows)-1].t
	if !tr.Static && last/m.StepS > maxSteps {
		return fmt.Errorf("%s: t covers %g s, which are %.3g steps of %g s; is t in s?", tr.Name, last, last/m.StepS, m.StepS)
	}
	if _, ok := m.settler(); tr.Static && !ok {
		return fmt.Errorf("%s: %w", tr.Name, errNoEquilibrium)
	}
	return nil
}
