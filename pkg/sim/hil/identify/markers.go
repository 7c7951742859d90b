package identify

import (
	"cmp"
	"math"
	"slices"

	"sinew/pkg/sim/spatial"
	"sinew/pkg/sim/trajectory"
)

// Markers are the points that a robot has markers at: by name, with what their residuals are
// multiplied by.
type Markers struct {
	Names   []string
	Weights []float64
}

// marker is a marker of the robot that a trial measures.
type marker struct {
	name   string
	index  int // among those of the robot
	weight float64
}

func (m *Markers) at(k int) marker { return marker{m.Names[k], k, m.Weights[k]} }

// unseen is the position of a marker that was not measured.
var unseen = spatial.Vec{X: math.NaN(), Y: math.NaN(), Z: math.NaN()}

// addMarkers adds what was measured of the markers that the robot has, in rows of their times.
func (tr *Trial) addMarkers(all []trajectory.Marker, known Markers) {
	for i := range all {
		k := slices.Index(known.Names, all[i].Name)
		if k < 0 {
			continue
		}
		place := len(tr.markers)
		tr.markers = append(tr.markers, known.at(k))
		for j, t := range all[i].T {
			if t >= 0 {
				row := trialRow{t: t, measured: true, markers: slices.Repeat([]spatial.Vec{unseen}, place+1)}
				row.markers[place] = all[i].Pose[j].P
				tr.rows = append(tr.rows, row)
			}
		}
	}
	if len(tr.markers) == 0 {
		return
	}
	slices.SortStableFunc(tr.rows, func(a, b trialRow) int { return cmp.Compare(a.t, b.t) })
	merged := tr.rows[:0]
	for _, row := range tr.rows {
		for len(row.markers) < len(tr.markers) {
			row.markers = append(row.markers, unseen)
		}
		if n := len(merged); n == 0 || merged[n-1].t != row.t {
			merged = append(merged, row)
		} else {
			merged[n-1].join(&row)
		}
	}
	tr.rows = merged
}

// join adds what was measured in a row of the same time.
func (r *trialRow) join(o *trialRow) {
	if o.posed {
		r.posed, r.pose = true, o.pose
	}
	for k, p := range o.markers {
		if p.IsFinite() {
			r.markers[k] = p
		}
	}
}

// tip is the number of the tip among the points of a row; the markers have theirs from 0.
const tip = -1

// point is where a point was measured, or unseen.
func (r *trialRow) point(k int) spatial.Vec {
	switch {
	case k == tip && r.posed:
		return r.pose.p
	case k >= 0 && k < len(r.markers):
		return r.markers[k]
	}
	return unseen
}

// kind tells rows apart by what was measured in them: where tip and markers have stamps of their
// own, every second row is one of the tip.
func (r *trialRow) kind() string {
	seen := make([]byte, 0, 1+len(r.markers))
	for k := tip; k < len(r.markers); k++ {
		mark := byte('-')
		if r.point(k).IsFinite() {
			mark = '+'
		}
		seen = append(seen, mark)
	}
	return string(seen)
}

// residuals is the number of residuals of a row, those of the tip first.
func (p *Problem) residualsOfRow(tr *Trial, row *trialRow) (n int) {
	if row.posed {
		n = tr.coordinates()
		if p.fitsRotations(tr) {
			n += 3
		}
	}
	for k, x := range row.markers {
		if tr.markers[k].weight > 0 && x.IsFinite() {
			n += 3
		}
	}
	return n
}

// putMarkers writes the residuals of the markers of a row and returns what is left of dst.
func (tr *Trial) putMarkers(dst []float64, row *trialRow, d *deviation) []float64 {
	for k, x := range row.markers {
		if w := tr.markers[k].weight * tr.weight(); w > 0 && x.IsFinite() {
			dst[0], dst[1], dst[2] = w*d.markers[k].X, w*d.markers[k].Y, w*d.markers[k].Z
			dst = dst[3:]
		}
	}
	return dst
}

// PointErrors are the errors of one measured point of the robot over all trials.
type PointErrors struct {
	Name            string
	Fitted, HeldOut Errors
}

// errorsOf returns the errors of a point by its name, which it adds if they are the first.
func (s *Summary) errorsOf(name string, held bool) *Errors {
	k := slices.IndexFunc(s.Points, func(p PointErrors) bool { return p.Name == name })
	if k < 0 {
		k, s.Points = len(s.Points), append(s.Points, PointErrors{Name: name})
	}
	if held {
		return &s.Points[k].HeldOut
	}
	return &s.Points[k].Fitted
}

// tipName is how the point whose pose is measured is called among markers.
const tipName = "tip"

// add counts a row of a trial. A marker of no weight is predicted only.
func (s *Summary) add(one *TrialSummary, tr *Trial, row *trialRow, d *deviation) {
	count := func(d *deviation, rotations bool, held bool) {
		if held {
			s.HeldOut.add(d, rotations)
			one.HeldOut.add(d, rotations)
		} else {
			s.Fitted.add(d, rotations)
			one.Fitted.add(d, rotations)
		}
	}
	if row.posed && tr.unplaced {
		count := func(e *Errors) { e.Rotations++; e.angles += d.r.Dot(d.r) }
		if row.held {
			count(&s.HeldOut)
			count(&one.HeldOut)
		} else {
			count(&s.Fitted)
			count(&one.Fitted)
		}
	} else if row.posed {
		count(d, tr.rotations, row.held)
		if len(tr.markers) > 0 {
			s.errorsOf(tipName, row.held).add(d, tr.rotations)
		}
	}
	for k, x := range row.markers {
		if !x.IsFinite() {
			continue
		}
		point, held := deviation{p: d.markers[k]}, row.held || tr.markers[k].weight == 0
		count(&point, false, held)
		s.errorsOf(tr.markers[k].name, held).add(&point, false)
	}
}
