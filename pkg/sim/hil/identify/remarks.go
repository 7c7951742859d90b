package identify

import (
	"fmt"
	"maps"
	"math"
	"path"
	"slices"

	"sinew/pkg/sim"
	"sinew/pkg/sim/trajectory"
)

const (
	// farFromRobot is the greatest distance of the first measurement from its prediction, relative
	// to the reach of the robot, that is not suspicious: beyond it positions are probably not in m.
	farFromRobot = 10
	// farFromBody is the greatest distance of a body in a fluid that is not suspicious, m.
	farFromBody = 1
	// manySteps is how many steps of a motion take so long to simulate that it may be meant in another unit.
	manySteps = 1e6
	// farBeyond is the greatest measured angle of a shaft, relative to its greatest command, that
	// is not suspicious: beyond it angles are probably not in rad.
	farBeyond = 3
	// longGap is how many median intervals between rows are a gap.
	longGap = 5
)

// Remarks returns warnings about suspicious values of a trial, such as measured positions that the
// robot cannot reach from its initial state. reach is the reach of the robot, m; 0 means that it
// is a free body.
func (tr *Trial) Remarks(m *Model, reach float64) (notes []string, err error) {
	add := func(text string) {
		if text != "" {
			notes = append(notes, text)
		}
	}
	r, err := newRun(m)
	if err != nil {
		return nil, err
	}
	r.take(tr)
	add(tr.far(r, reach))
	add(tr.turned(m.Ports()))
	if !tr.Static {
		add(tr.long(m))
		add(tr.unreached())
		add(tr.early())
		add(tr.gaps())
	}
	return notes, nil
}

// far tells of points that were mostly measured where no robot is.
func (tr *Trial) far(r *run, reach float64) string {
	place, at := r.model.Hardware.FramePoseOf(path.Base(tr.Name)), r.pose().P
	var away []float64
	for i := range tr.rows {
		row := &tr.rows[i]
		if row.posed && !tr.unplaced {
			away = append(away, place.Apply(row.pose.p).Sub(at).Norm())
		}
		for _, p := range row.markers {
			if p.IsFinite() {
				away = append(away, place.Apply(p).Sub(at).Norm())
			}
		}
	}
	if len(away) == 0 {
		return ""
	}
	slices.Sort(away)
	switch median := away[len(away)/2]; {
	case reach == 0 && median > farFromBody:
		return fmt.Sprintf("%s was measured %.3g m from where the body begins: are its positions in um or mm? They must be in m, in the frame of hardware", tr.Name, median)
	case reach > 0 && median > farFromRobot*reach:
		return fmt.Sprintf("%s was measured %.3g m from the robot, which reaches %.3g m: are its positions in mm? They must be in m, in the frame of hardware", tr.Name, median, reach)
	}
	return ""
}

// turned tells of shafts that were measured to turn where no motor goes, and of those that were not measured beside others.
func (tr *Trial) turned(ports []sim.Port) string {
	motors := slices.IndexFunc(ports, func(p sim.Port) bool { return p.IsMotors() })
	shafts := slices.IndexFunc(ports, func(p sim.Port) bool {
		return p.Direction == sim.In && p.Kind == sim.JointState && p.Unit == "rad" && p.Measured
	})
	if motors < 0 || shafts < 0 {
		return ""
	}
	p := &ports[motors]
	angle, known := make([]float64, len(p.Labels)), make([]bool, len(p.Labels)) // the largest of shafts, and whose are known at all
	see := func(row trajectory.Row) {
		for k, v := range row[shafts][:min(len(row[shafts]), len(known))] {
			if !sim.IsKeep(v) && (!known[k] || math.Abs(v) > math.Abs(angle[k])) {
				angle[k] = v
			}
			known[k] = known[k] || !sim.IsKeep(v)
		}
	}
	tr.eachCommand(see)
	measured := slices.Index(known, true)
	tr.eachCommand(func(row trajectory.Row) {
		for k, v := range row[motors][:min(len(row[motors]), len(known))] {
			known[k] = known[k] || !sim.IsKeep(v)
		}
	})
	for k, v := range angle {
		if p.Max != nil && p.Min != nil && math.Abs(v) > farBeyond*max(p.Max[k], -p.Min[k]) {
			return fmt.Sprintf("%s: the shaft of %s is measured at %.4g rad, which is commanded from %.4g to %.4g rad: is it in degrees?", tr.Name, p.Labels[k], v, p.Min[k], p.Max[k])
		}
	}
	if k := slices.Index(known, false); measured >= 0 && k >= 0 {
		return fmt.Sprintf("%s has the shaft of %s, but never that of %s, nor commands for it: it is predicted at rest", tr.Name, p.Labels[measured], p.Labels[k])
	}
	return ""
}

// eachCommand does f for every row of commands.
func (tr *Trial) eachCommand(f func(row trajectory.Row)) {
	for i := range tr.rows {
		f(tr.rows[i].commands)
	}
	if tr.commands != nil {
		for _, row := range tr.commands.Rows {
			f(row)
		}
	}
}

// long tells of a motion that takes long to simulate.
func (tr *Trial) long(m *Model) string {
	if last := tr.rows[len(tr.rows)-1].t; last/m.StepS > manySteps {
		return fmt.Sprintf("%s: t covers %g s, which are %.3g steps of %g s each time that it is simulated; is t in s? --time-unit reads another unit", tr.Name, last, last/m.StepS, m.StepS)
	}
	return ""
}

// unreached tells of commands that come behind the end of the motion, but for one row of them at the most.
func (tr *Trial) unreached() string {
	if tr.commands == nil {
		return ""
	}
	times, last := tr.commands.T, tr.rows[len(tr.rows)-1].t
	n := len(times)
	for n > 0 && times[n-1] > last+trajectory.TimeTolerance {
		n--
	}
	if len(times) < 2 || n > 1 || times[n] <= last+trajectory.MaxCommandDelay {
		return ""
	}
	return fmt.Sprintf("%s ends at %.6g s, and %d of its %d rows of commands act until then, the next at %.6g s: are both times in s, and on one clock?", tr.Name, tr.start+last, n, len(times), tr.start+times[n])
}

// early tells of what was measured before the first command: rows of a CSV, in which the robot is predicted at rest, and
// poses of a recording, which are left out.
func (tr *Trial) early() string {
	if tr.before > 0 {
		return fmt.Sprintf("%s: %d poses were measured before the robot of the recording began, and are left out", tr.Name, tr.before)
	}
	if tr.commands == nil || len(tr.commands.T) == 0 {
		return ""
	}
	first, n := tr.commands.T[0], 0
	for n < len(tr.rows) && tr.rows[n].t < first-trajectory.TimeTolerance {
		n++
	}
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("%s: %d of its %d rows precede the first command, by up to %.3g s: the robot is predicted in its initial state until then", tr.Name, n, len(tr.rows), first-tr.rows[0].t)
}

// gaps tells of rows that are missing while commands changed, of a motion whose rows have the commands.
func (tr *Trial) gaps() string {
	if !tr.own || len(tr.rows) < 4 {
		return ""
	}
	intervals := make([]float64, len(tr.rows)-1)
	for i := range intervals {
		intervals[i] = tr.rows[i+1].t - tr.rows[i].t
	}
	median := slices.Sorted(slices.Values(intervals))[len(intervals)/2]
	count, longest := 0, -1
	for i, dt := range intervals {
		same := maps.EqualFunc(tr.rows[i].commands, tr.rows[i+1].commands, sameValues)
		if dt <= longGap*median || len(tr.rows[i+1].commands) == 0 || same {
			continue
		}
		if count++; longest < 0 || dt > intervals[longest] {
			longest = i
		}
	}
	if count == 0 {
		return ""
	}
	many := "one gap"
	if count > 1 {
		many = fmt.Sprintf("%d gaps, the longest", count)
	}
	return fmt.Sprintf("%s has %s of %.3g s from t = %.6g s between rows that are mostly %.3g s apart, in which the commands before it are held: keep rows that are not to be used, with ok = 0, or give all commands by --commands", tr.Name, many, intervals[longest], tr.start+tr.rows[longest].t, median)
}

// sameValues reports whether values are equal, or both left as they are.
func sameValues(a, b []float64) bool {
	return slices.EqualFunc(a, b, func(x, y float64) bool { return x == y || math.IsNaN(x) && math.IsNaN(y) })
}
