package spatial

// IsFinite reports whether x is neither NaN nor infinite.
func IsFinite(x float64) bool { return x-x == 0 } // NaN for what is not finite

// AllFinite reports whether all of x are finite.
func AllFinite(x []float64) bool {
	for _, v := range x {
		if !IsFinite(v) {
			return false
		}
	}
	return true
}

// IsFinite reports whether all components of v are finite.
func (v Vec) IsFinite() bool { return v.X-v.X+v.Y-v.Y+v.Z-v.Z == 0 }

// IsFinite reports whether all components of q are finite.
func (q Quat) IsFinite() bool { return q.W-q.W+q.X-q.X+q.Y-q.Y+q.Z-q.Z == 0 }

// IsFinite reports whether all entries of m are finite.
func (m Mat3) IsFinite() bool {
	return m.Col1().IsFinite() && m.Col2().IsFinite() && m.Col3().IsFinite()
}
