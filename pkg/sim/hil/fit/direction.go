package fit

import "math"

// Direction is a combination of parameters that the data determine only weakly: a change of all
// Members by Steps, in their units, changes the residuals by one standard deviation of a single
// one.
type Direction struct {
	Members []int
	Steps   []float64
	// Weakness is how many times larger the steps are than those that do the same one at a
	// time, √(1/2) at least.
	Weakness float64
}

// findWeakDirections lists the directions in which several parameters are confounded: two with the
// correlation Confounded have a singular value of √(1 − Confounded).
func (s *search) findWeakDirections(result *Result, l *linearModel, free []int) {
	const member = 0.3 // least part of a unit vector
	least := math.Sqrt(1 - Confounded)
	values, v := l.singular(free)
	for q := len(values) - 1; q >= 0; q-- {
		if values[q] >= least || values[q] <= 0 {
			continue
		}
		d := Direction{Weakness: 1 / values[q]}
		for k, i := range free {
			part := v.At(k, q)
			if math.Abs(part) < member || l.norms[i] == 0 {
				continue
			}
			e, a := &result.Estimates[i], &s.axes[i]
			d.Members = append(d.Members, i)
			d.Steps = append(d.Steps, part/l.norms[i]*result.Deviation/values[q]*a.slope(e.Value))
		}
		if len(d.Members) > 1 {
			result.Weak = append(result.Weak, d)
		}
	}
}
