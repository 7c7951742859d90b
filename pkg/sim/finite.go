package sim

// finite reports whether all of v are finite numbers: x-x is NaN for NaN and the
// infinities, and 0 otherwise.
func finite(v []float64) bool {
	for _, x := range v {
		if x-x != 0 {
			return false
		}
	}
	return true
}
