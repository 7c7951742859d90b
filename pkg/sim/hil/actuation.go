package hil

import (
	"math"
	"slices"

	"sinew/pkg/sim/trajectory"
)

// Quantity is a measured quantity of a tendon.
type Quantity string

// The quantities, with their units.
const (
	Pull    Quantity = "pull"    // m
	Tension Quantity = "tension" // N
)

// column returns the values of a tendon, nil if they are unknown.
func column(a *trajectory.Actuation, q Quantity, tendon string) []float64 {
	k := slices.Index(a.Names, tendon)
	rows := a.Tension
	if q == Pull {
		rows = a.Pull
	}
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
	i, where := trajectory.Locate(len(x), func(i int) float64 { return x[i] }, t, math.Inf(1))
	switch {
	case where == trajectory.Before:
		return y[0]
	case where == trajectory.After || x[i] == t:
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
func actuationErrors(sim, hw *trajectory.Actuation) []ActuationError {
	var out []ActuationError
	for _, q := range []Quantity{Pull, Tension} {
		for _, name := range sim.Names {
			a, b := column(sim, q, name), column(hw, q, name)
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
