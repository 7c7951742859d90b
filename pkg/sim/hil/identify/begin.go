package identify

import (
	"fmt"
	"math"
	"slices"

	"sinew/pkg/sim"
	"sinew/pkg/sim/trajectory"
)

const (
	// nearerBy is the factor by which the first measurement must be nearer to the initial state of
	// the robot file than to the equilibrium under the first commands. It is large enough that
	// neither noise nor numbers which are still to be identified decide.
	nearerBy = 5
	// beginningS is until when a row may tell where a motion began, s. Where commands are not those of the rows, it may until
	// lateBeginningS as long as no further commands have come, as of hardware that is so much later.
	beginningS, lateBeginningS = 0.1, 1
)

// FindBegin finds where a motion begins, by the numbers of a robot file whose initial state is an equilibrium: under the
// first commands, where hardware mostly rests as its recording begins, or, if that was measured, without them, as
// motions of sim do, which jump to what is commanded at t = 0. It returns what is to be said of the latter.
func (tr *Trial) FindBegin(f File) (note string, err error) {
	if tr.Static || !tr.commandedAtOnce() {
		return "", nil
	}
	f = f.Clone()
	for _, s := range tr.Sets {
		f.Set(s.Path, number(s.Value), "set of a trial")
	}
	m, err := f.Model()
	if err != nil {
		return "", err
	}
	settler, ok := m.settler()
	if !ok || !m.InEquilibrium {
		return "", nil
	}
	row, at := tr.firstMeasured()
	if row == nil && tr.own {
		return "", nil
	}
	if row == nil {
		return fmt.Sprintf("%s is not measured until %.3g s after its first commands: it is predicted to begin in the equilibrium under them, while hardware that rested without them began elsewhere; measure from the first command on", tr.Name, at), nil
	}
	r, err := newRun(m)
	if err != nil {
		return "", err
	}
	if err := r.begin(tr); err != nil {
		return "", err
	}
	before := r.distance(tr, row)
	in, player := sim.NewInputs(m.Model), tr.commands.Play()
	player.Through = r.drive.command
	player.Apply(0, in)
	in.Advance(rampS)
	if settler.Equilibrate() != nil {
		return "", nil // the prediction reports the error
	}
	under := r.distance(tr, row)
	if tr.jumps = before*nearerBy < under; tr.jumps {
		note = fmt.Sprintf("%s was measured to begin %.3g mm from where the robot rests without commands, and %.3g mm from its equilibrium under the first ones: it is predicted to begin there, as sim does, and to jump to what is commanded", tr.Name, 1e3*before, 1e3*under)
	}
	return note, nil
}

// firstMeasured is the first row in which something was measured, nil where that is too late to tell
// how the motion began, and its time, s.
func (tr *Trial) firstMeasured() (first *trialRow, at float64) {
	until := beginningS
	next := slices.IndexFunc(tr.commands.T, func(t float64) bool { return t > trajectory.TimeTolerance })
	switch {
	case tr.own:
	case next < 0:
		until = lateBeginningS
	default:
		until = max(until, min(tr.commands.T[next], lateBeginningS))
	}
	for i := range tr.rows {
		if row := &tr.rows[i]; row.measured {
			if row.t > until {
				return nil, row.t
			}
			return row, row.t
		}
	}
	return nil, math.Inf(1)
}

// commandedAtOnce reports whether the motion begins with commands.
func (tr *Trial) commandedAtOnce() bool {
	if tr.commands == nil {
		return false
	}
	for i, t := range tr.commands.T {
		if t > trajectory.TimeTolerance {
			break
		}
		if len(tr.commands.Rows[i]) > 0 {
			return true
		}
	}
	return false
}

// distance is the rms distance of the measured points of a row from where they are now, m.
func (r *run) distance(tr *Trial, row *trialRow) float64 {
	r.look(tr)
	d := r.compare(tr, row, r.pose(), 1)
	sum, n := 0.0, 0
	if row.posed {
		sum, n = d.p.Dot(d.p), 1
		if tr.unplaced {
			sum = tr.AngleM * tr.AngleM * d.r.Dot(d.r)
		}
	}
	for _, p := range d.markers {
		if p.IsFinite() {
			sum, n = sum+p.Dot(p), n+1
		}
	}
	return math.Sqrt(sum / float64(n))
}
