package integrate

import "math"

// SolveDense replaces b by the solution of a x = b by elimination with partial
// pivoting, a being row-major, len(b)² numbers, and destroyed. It reports whether
// a is regular. It is for the few equations that border a Skyline.
func SolveDense(a, b []float64) bool {
	n := len(b)
	for k := range n {
		p := k
		for i := k + 1; i < n; i++ {
			if math.Abs(a[i*n+k]) > math.Abs(a[p*n+k]) {
				p = i
			}
		}
		if d := a[p*n+k]; d == 0 || d != d {
			return false
		}
		if p != k {
			for j := k; j < n; j++ {
				a[k*n+j], a[p*n+j] = a[p*n+j], a[k*n+j]
			}
			b[k], b[p] = b[p], b[k]
		}
		pivot := a[k*n+k+1 : (k+1)*n]
		for i := k + 1; i < n; i++ {
			f := a[i*n+k] / a[k*n+k]
			if f == 0 { // constraints leave most of a zero
				continue
			}
			line := a[i*n+k+1 : (i+1)*n]
			line = line[:len(pivot)]
			for j, v := range pivot {
				line[j] -= f * v
			}
			b[i] -= f * b[k]
		}
	}
	for k := n - 1; k >= 0; k-- {
		for j := k + 1; j < n; j++ {
			b[k] -= a[k*n+j] * b[j]
		}
		b[k] /= a[k*n+k]
	}
	return true
}
