package integrate

import "math"

// SolveDense replaces b by the solution of a x = b by Gaussian elimination with partial pivoting. a
// is row-major with len(b)² numbers; the call overwrites it. It reports whether a is regular. It
// serves the few equations that border a Skyline.
func SolveDense(a, b []float64) bool {
	if !eliminate(a, len(b), nil, b) {
		return false
	}
	substitute(a, b)
	return true
}

// FactorDense replaces a, row-major with len(pivots)² numbers, by factors for SolveFactored. It
// reports whether a is regular.
func FactorDense(a []float64, pivots []int) bool { return eliminate(a, len(pivots), pivots, nil) }

// SolveFactored replaces b by the solution with the factors of FactorDense. The result equals that
// of SolveDense to the bit.
func SolveFactored(a []float64, pivots []int, b []float64) {
	n := len(pivots)
	for k, p := range pivots {
		b[k], b[p] = b[p], b[k]
		if b[k] == 0 {
			continue
		}
		for i := k + 1; i < n; i++ {
			b[i] -= a[i*n+k] * b[k]
		}
	}
	substitute(a, b)
}

// eliminate replaces a, with n rows, by its LU factors. It applies the row operations to b, if not
// nil, and stores the pivot rows in pivots, if not nil.
func eliminate(a []float64, n int, pivots []int, b []float64) bool {
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
		if pivots != nil {
			pivots[k] = p
		}
		if p != k {
			for j := k; j < n; j++ {
				a[k*n+j], a[p*n+j] = a[p*n+j], a[k*n+j]
			}
			if b != nil {
				b[k], b[p] = b[p], b[k]
			}
		}
		pivot := a[k*n+k+1 : (k+1)*n]
		for i := k + 1; i < n; i++ {
			f := a[i*n+k] / a[k*n+k]
			a[i*n+k] = f
			if f == 0 { // constraint rows are mostly zero
				continue
			}
			line := a[i*n+k+1 : (i+1)*n]
			line = line[:len(pivot)]
			for j, v := range pivot {
				line[j] -= f * v
			}
			if b != nil {
				b[i] -= f * b[k]
			}
		}
	}
	return true
}

// substitute solves with the upper factor.
func substitute(a, b []float64) {
	n := len(b)
	for k := n - 1; k >= 0; k-- {
		for j := k + 1; j < n; j++ {
			b[k] -= a[k*n+j] * b[j]
		}
		b[k] /= a[k*n+k]
	}
}
