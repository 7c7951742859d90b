package identify

import (
	"fmt"
	"math"
	"slices"
)

// Selection says which rows of a trial are fitted.
type Selection struct {
	First, End int     // rows of the file from 0, without End; 0 is all of them
	Every      int     // every so manieth of them, of those with the same points; 0 is 1
	MaxSpeed   float64 // m/s, of the measured point; 0: any
	Weight     float64 // of the residuals; 0 is 1
}

// Select returns the trial with only the selected rows measured. Commands stay.
func (tr *Trial) Select(s Selection) (*Trial, error) {
	t := *tr
	t.rows = slices.Clone(tr.rows)
	t.Weight = s.Weight
	if s.MaxSpeed > 0 && len(t.rows) > 1 && t.rows[len(t.rows)-1].t == 0 {
		return nil, fmt.Errorf("%s: there is no t, so that rows have no speed", tr.Name)
	}
	if s.First >= len(t.rows) || s.End > len(t.rows) {
		return nil, fmt.Errorf("%s: rows %d:%d; allowed: within the %d of the file", tr.Name, s.First, s.End, len(t.rows))
	}
	tipped := slices.ContainsFunc(t.rows, func(r trialRow) bool { return r.posed })
	count, left := map[string]int{}, 0 // rows by what was measured in them
	for i := range t.rows {
		row := &t.rows[i]
		if !row.measured {
			continue
		}
		row.measured = i >= s.First && (s.End == 0 || i < s.End) && (s.MaxSpeed == 0 || tr.speed(i, tipped) <= s.MaxSpeed)
		if !row.measured {
			continue
		}
		kind := row.kind()
		row.measured = count[kind]%max(1, s.Every) == 0
		count[kind]++
		if row.measured {
			left++
		}
	}
	if left == 0 {
		return nil, fmt.Errorf("%s: no measured row is selected", tr.Name)
	}
	return &t, nil
}

// Shared is the first row of a file that the trial measures and another selection of the same
// file fits; −1: none.
func (tr *Trial) Shared(other *Trial) int {
	for i := range tr.rows {
		if tr.rows[i].measured && other.rows[i].fitted() {
			return i
		}
	}
	return -1
}

// speed is how fast a point moves at a row, m/s, between the rows beside it in which that was
// measured: the tip, or where the trial has none the last marker that the row has. It is not
// known, infinite, of a row that nothing is beside.
func (tr *Trial) speed(i int, tipped bool) float64 {
	point := tip
	if !tipped {
		for k, p := range tr.rows[i].markers {
			if p.IsFinite() {
				point = k
			}
		}
	}
	a, b := &tr.rows[tr.beside(i, -1, point)], &tr.rows[tr.beside(i, 1, point)]
	way := b.point(point).Sub(a.point(point))
	if b.t <= a.t || !way.IsFinite() {
		return math.Inf(1)
	}
	return way.Norm() / (b.t - a.t)
}
