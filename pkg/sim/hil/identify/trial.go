package identify

import (
	"errors"
	"fmt"
	"math"
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

	// Topic is where the poses of a recording are, if the trial has another one than others; Port is the Out port of the model that they
	// measure, empty for that of the model.
	Topic, Port string
	// PoseNoise is the stated standard deviation of each measured coordinate of the pose, m; 0: unknown. PoseWeight is of the residuals of
	// the pose, besides Weight; 0 is 1. See Balance.
	PoseNoise, PoseWeight float64

	// AngleM is how many metres 1 rad counts where only rotations were measured and the problem has no weight of them.
	AngleM float64

	rotations bool // whether rotations were measured too
	planar    bool // only x and y of positions were measured
	unplaced  bool // no positions were measured
	markers   []marker
	rows      []trialRow
	own       bool                 // the commands are columns of the rows
	start     float64              // time of the file at which the trial begins, s
	before    int                  // poses of a recording before its time 0, which are left out
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
	t        float64        // s since the beginning of the trial; unused where static
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

// NewTrial makes a trial of a trajectory of the hardware with the commands under which it was measured. Of the markers
// those count that the robot has: known. It fails if nothing was measured.
//
// The rows of a CSV, which is read with the layout of the robot, are those of the trial. It begins with the first one, or with
// the first command of [Trial.SetCommands] if that is earlier; without times each is an equilibrium. In a recording the robot began to move at time 0, and what was measured before is left out.
func NewTrial(t *trajectory.Trajectory, known Markers) (*Trial, error) {
	tr := &Trial{Name: t.File, Robots: t.Robots, rotations: t.Tip.Rotations, planar: t.Tip.Planar, unplaced: t.Tip.Unplaced, commands: t.Commands}
	if t.Stamped {
		if err := t.Tip.CheckOrder(t.Name); err != nil {
			return nil, err
		}
		for i := range t.Markers {
			if err := t.Markers[i].CheckOrder(t.Name + ": marker " + t.Markers[i].Name); err != nil {
				return nil, err
			}
		}
		tr.addPoses(&t.Tip)
		tr.addMarkers(t.Markers, known)
	} else {
		tr.addRows(t, known)
	}
	return tr, tr.checkPoses()
}

// addPoses adds the poses of a recording from time 0 on.
func (tr *Trial) addPoses(poses *trajectory.Poses) {
	for i, t := range poses.T {
		if t < 0 {
			tr.before++
		} else {
			tr.rows = append(tr.rows, trialRow{t: t, measured: true, posed: true, pose: tr.measuredPose(&poses.Pose[i])})
		}
	}
}

// measuredPose leaves out the rotation where none was measured.
func (tr *Trial) measuredPose(p *spatial.Pose) measuredPose {
	if !tr.rotations {
		return measuredPose{p: p.P}
	}
	return measuredPose{p.P, p.R}
}

// addRows adds the rows of a CSV, with times from 0.
func (tr *Trial) addRows(t *trajectory.Trajectory, known Markers) {
	var markers []*trajectory.Marker
	for i := range t.Markers {
		if k := slices.Index(known.Names, t.Markers[i].Name); k >= 0 {
			tr.markers, markers = append(tr.markers, known.at(k)), append(markers, &t.Markers[i])
		}
	}
	tr.Static, tr.own = t.Untimed, true
	if len(t.Lines) > 0 {
		tr.start = t.Commands.T[0]
	}
	tr.commands.Shift(tr.start)
	for i, at := range tr.commands.T {
		row := trialRow{t: at, commands: tr.commands.Rows[i]}
		if len(t.Tip.Pose) > 0 && (!t.Gap(i) || tr.unplaced && t.Tip.Pose[i].R != (spatial.Mat3{})) {
			row.measured, row.posed, row.pose = true, true, tr.measuredPose(&t.Tip.Pose[i])
		}
		for _, m := range markers {
			p := m.Pose[i].P
			row.markers = append(row.markers, p)
			row.measured = row.measured || p.IsFinite()
		}
		tr.rows = append(tr.rows, row)
	}
}

// Start is the time of the first row on the clock of the file, s; 0 in a recording.
func (tr *Trial) Start() float64 { return tr.start }

// SetCommands replaces what the trial's own columns command, with the same clock. The trial begins with the first command
// if that is earlier than the first row: what was measured later, such as by one latency, is measured under it.
func (tr *Trial) SetCommands(t *trajectory.Commands) {
	t.Shift(tr.start)
	tr.commands, tr.own = t, false
	if len(t.T) == 0 || t.T[0] >= 0 {
		return
	}
	first := t.T[0]
	t.Shift(first)
	for i := range tr.rows {
		tr.rows[i].t -= first
	}
	tr.start += first
}

// weight is what residuals are multiplied by.
func (tr *Trial) weight() float64 {
	if tr.Weight == 0 {
		return 1
	}
	return tr.Weight
}

// poseWeight is what residuals of the pose are multiplied by.
func (tr *Trial) poseWeight() float64 {
	if tr.PoseWeight == 0 {
		return tr.weight()
	}
	return tr.PoseWeight * tr.weight()
}

// Balance weighs the poses of trials with stated noise by its reciprocal, relative to the least noise of those that are fitted, so that
// the residual of each counts as its noise lets it: the sum of squares is then that of maximum likelihood. Trials of unknown noise weigh as
// those of the least; it returns whether such ones are fitted beside others.
func Balance(trials []*Trial) (areUnknown bool) {
	least := math.Inf(1)
	for _, tr := range trials {
		if tr.PoseNoise > 0 && tr.Fitted() > 0 {
			least = math.Min(least, tr.PoseNoise)
		}
	}
	for _, tr := range trials {
		tr.PoseWeight = 1
		switch {
		case math.IsInf(least, 1):
		case tr.PoseNoise > 0:
			tr.PoseWeight = least / tr.PoseNoise
		case tr.Fitted() > 0:
			areUnknown = true
		}
	}
	return areUnknown
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
// robot that has none, and a motion that takes too long, mostly because its
// time is in another unit.
func (tr *Trial) Check(m *Model) error {
	const maxSteps = 20_000_000
	last := tr.rows[len(tr.rows)-1].t
	if !tr.Static && last/m.StepS > maxSteps {
		return fmt.Errorf("%s: t covers %g s, which are %.3g steps of %g s; is t in s? --time-unit reads another unit", tr.Name, last, last/m.StepS, m.StepS)
	}
	if _, ok := m.settler(); tr.Static && !ok {
		return fmt.Errorf("%s: %w", tr.Name, errNoEquilibrium)
	}
	return nil
}
