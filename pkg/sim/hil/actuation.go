package hil

import (
	"fmt"
	"math"
	"slices"

	"sinew/pkg/sim/spatial"
)

// Actuation holds the pulls and tensions of the tendons over time. Pull and Tension
// have a row per stamp and a column per name; either may be nil if it is unknown.
type Actuation struct {
	Names   []string
	T       []float64   // s, ascending
	Pull    [][]float64 // m, positive shortens
	Tension [][]float64 // N
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

// validate returns an error for the first mistake: missing rows or values, stamps
// that do not ascend, values that are not finite. name stands in the error.
func (a *Actuation) validate(name string) error {
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

// Quantity is a measured quantity of a tendon.
type Quantity string

// The quantities, with their units.
const (
	Pull    Quantity = "pull"    // m
	Tension Quantity = "tension" // N
)

// rows returns the values of a quantity, nil if it is unknown.
func (a *Actuation) rows(q Quantity) [][]float64 {
	if q == Pull {
		return a.Pull
	}
	return a.Tension
}

// column returns the values of a tendon, nil if they are unknown.
func (a *Actuation) column(q Quantity, tendon string) []float64 {
	k := slices.Index(a.Names, tendon)
	rows := a.rows(q)
	if k < 0 || rows == nil {
		return nil
	}
	c := make([]float64, len(rows))
	for i := range rows {
		c[i] = rows[i][k]
	}
	return c
}

// sampleAt returns y, given at the stamps x, at t: linear between stamps, constant
// beyond the ends.
func sampleAt(x, y []float64, t float64) float64 {
	i, where := locate(len(x), func(i int) float64 { return x[i] }, t, math.Inf(1))
	switch {
	case where == before:
		return y[0]
	case where == after || x[i] == t:
		return y[i]
	}
	return y[i] + (t-x[i])/(x[i+1]-x[i])*(y[i+1]-y[i])
}

// span returns the difference of the largest and the smallest number.
func span(x []float64) float64 {
	if len(x) == 0 {
		return 0
	}
	return slices.Max(x) - slices.Min(x)
}

// moves reports whether a quantity changes by more than its usual resolution.
func moves(q Quantity, x []float64) bool {
	const (
		pull    = 1e-5 // m
		tension = 1e-3 // N
	)
	if q == Pull {
		return span(x) > pull
	}
	return span(x) > tension
}

// ActuationError is the difference between simulation and hardware in one quantity
// of a tendon.
type ActuationError struct {
	Tendon   string
	Quantity Quantity
	RMSE     float64 // m or N
	Max      float64 // m or N
}

// actuationErrors compares the tendons that are in both recordings, at the stamps
// of the hardware's tendons.
func actuationErrors(sim, hw *Actuation) []ActuationError {
	var out []ActuationError
	for _, q := range []Quantity{Pull, Tension} {
		for _, name := range sim.Names {
			a, b := sim.column(q, name), hw.column(q, name)
			if len(a) == 0 || len(b) == 0 || !moves(q, a) && !moves(q, b) {
				continue
			}
			var errs []float64
			for i, t := range hw.T {
				if t >= sim.T[0] && t <= sim.T[len(sim.T)-1] {
					errs = append(errs, math.Abs(sampleAt(sim.T, a, t)-b[i]))
				}
			}
			if len(errs) > 0 {
				out = append(out, ActuationError{name, q, rms(errs), slices.Max(errs)})
			}
		}
	}
	return out
}
