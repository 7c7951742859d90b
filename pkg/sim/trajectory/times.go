package trajectory

import (
	"fmt"
	"slices"
)

// CheckTimes refuses times of a CSV that look like ms, us or ns beside those of the other trajectory: it lasts about as many times
// longer, at intervals that no tracker and no simulation has.
func CheckTimes(sim, hw *Trajectory) error {
	const alike = 3 // ratio of durations in one unit
	for _, pair := range [][2]*Trajectory{{hw, sim}, {sim, hw}} {
		t, other := pair[0], pair[1]
		if t.Stamped || len(t.Tip.T) < MinSamples || len(other.Tip.T) < MinSamples {
			continue
		}
		lasts, otherLasts := t.Tip.End()-t.Tip.Start(), other.Tip.End()-other.Tip.Start()
		interval := medianInterval(t.Tip.T)
		for _, u := range epochUnits {
			if ratio := u.factor * lasts / otherLasts; ratio < 1./alike || ratio > alike || !t.IsSluggish() {
				continue
			}
			cure := fmt.Sprintf("name the column t_%s", u.name)
			if t == hw {
				cure = fmt.Sprintf("--time-unit %s reads them so, and so does the name t_%[1]s of the column", u.name)
			}
			return fmt.Errorf("%s: its times span %.6g s at intervals of %.3g s, those of %s %.6g s: they look like %s; %s", t.Name, lasts, interval, other.Name, otherLasts, u.name, cure)
		}
	}
	return nil
}

// IsSluggish reports whether the samples of a CSV are so far apart that they may be in another unit than s.
func (t *Trajectory) IsSluggish() bool {
	const sluggish = 0.5 // s between samples, of motions that are compared
	return !t.Stamped && len(t.Tip.T) >= MinSamples && medianInterval(t.Tip.T) >= sluggish
}

// medianInterval returns the median time between samples (s).
func medianInterval(t []float64) float64 {
	d := make([]float64, len(t)-1)
	for i := range d {
		d[i] = t[i+1] - t[i]
	}
	slices.Sort(d)
	return d[len(d)/2]
}
