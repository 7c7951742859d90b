package trajectory

import (
	"fmt"
	"slices"
	"time"

	"sinew/pkg/sim/spatial"
)

// Actuation holds the pulls and tensions of the tendons over time. Pull and Tension
// have a row per stamp and a column per name; either may be nil if it is unknown.
type Actuation struct {
	Names   []string
	T       []float64       // s, ascending
	Pull    [][]float64     // m, positive shortens
	Tension [][]float64     // N
	Stamps  []time.Duration // since 1970, of a trajectory that is stamped
}

// Without returns the actuation of the tendons that are not among names, and which of these it
// had.
func (a Actuation) Without(names []string) (rest Actuation, had []string) {
	var kept []int
	rest.T = a.T
	for k, name := range a.Names {
		if slices.Contains(names, name) {
			had = append(had, name)
		} else {
			kept = append(kept, k)
			rest.Names = append(rest.Names, name)
		}
	}
	if had == nil {
		return a, nil
	}
	if len(kept) == 0 {
		return Actuation{}, had
	}
	pick := func(rows [][]float64) (picked [][]float64) {
		for _, row := range rows {
			r := make([]float64, len(kept))
			for i, k := range kept {
				r[i] = row[k]
			}
			picked = append(picked, r)
		}
		return picked
	}
	rest.Pull, rest.Tension = pick(a.Pull), pick(a.Tension)
	return rest, had
}

// Validate returns an error for the first mistake: missing rows or values, stamps
// that do not ascend, values that are not finite. name stands in the error.
func (a *Actuation) Validate(name string) error {
	for _, rows := range [][][]float64{a.Pull, a.Tension} {
		if rows == nil {
			continue
		}
		if len(rows) != len(a.T) {
			return fmt.Errorf("%s: %d stamps, but %d rows of tendons", name, len(a.T), len(rows))
		}
		for i, row := range rows {
			if len(row) != len(a.Names) {
				return fmt.Errorf("%s: row %d (t = %.9g s) has %d values for %d tendons", name, i, a.T[i], len(row), len(a.Names))
			}
			for k, v := range row {
				if !spatial.IsFinite(v) {
					return fmt.Errorf("%s: row %d (t = %.9g s): the value of tendon %s is %g", name, i, a.T[i], a.Names[k], v)
				}
			}
		}
	}
	for i := 1; i < len(a.T); i++ {
		if !(a.T[i] > a.T[i-1]) {
			return fmt.Errorf("%s: tendons, row %d: time does not ascend, from %.9g s to %.9g s", name, i, a.T[i-1], a.T[i])
		}
	}
	return nil
}
