package continuum

import (
	"sinew/pkg/sim/integrate"
	"sinew/pkg/sim/spatial"
)

// border is a change B C Bᵀ of low rank of a factored matrix K, and the exact
// solution with it (Woodbury): x = y − K⁻¹B (1 + C BᵀK⁻¹B)⁻¹ C Bᵀy, y = K⁻¹r.
type border struct {
	b      [][]spatial.Vec6 // columns of B
	y      [][]spatial.Vec6 // K⁻¹ B
	c      []float64        // C, row-major, rank² numbers
	g      []float64        // Bᵀ K⁻¹ B
	system []float64        // 1 + C G
	bx, cx []float64
	rank   int
}

// grow makes room for a rank of at most n in a matrix of the given block rows.
func (w *border) grow(n, rows int) {
	for len(w.b) < n {
		w.b = append(w.b, make([]spatial.Vec6, rows))
		w.y = append(w.y, make([]spatial.Vec6, rows))
	}
	if len(w.bx) < n {
		w.c, w.g, w.system = make([]float64, n*n), make([]float64, n*n), make([]float64, n*n)
		w.bx, w.cx = make([]float64, n), make([]float64, n)
	}
}

// reset starts a change of the given rank with C = 0 and B = 0.
func (w *border) reset(rank int) {
	w.rank = rank
	clear(w.c[:rank*rank])
	for p := range rank {
		clear(w.b[p])
	}
}

// prepare solves for the columns, once K is factored.
func (w *border) prepare(k *integrate.Skyline) {
	n := w.rank
	for p := range n {
		copy(w.y[p], w.b[p])
		k.Solve(w.y[p])
	}
	for p := range n {
		for q := range n {
			w.g[p*n+q] = inner(w.b[p], w.y[q])
		}
	}
}

// solve replaces x by the solution. It reports whether the changed matrix is
// regular.
func (w *border) solve(k *integrate.Skyline, x []spatial.Vec6) bool {
	k.Solve(x)
	n := w.rank
	if n == 0 {
		return true
	}
	bx, cx, a := w.bx[:n], w.cx[:n], w.system[:n*n]
	for p := range n {
		bx[p] = inner(w.b[p], x)
	}
	for p := range n {
		cx[p] = 0
		for q := range n {
			c := w.c[p*n+q]
			cx[p] += c * bx[q]
			a[p*n+q] = 0
			for r := range n {
				a[p*n+q] += w.c[p*n+r] * w.g[r*n+q]
			}
		}
		a[p*n+p]++
	}
	if !integrate.SolveDense(a, cx) {
		return false
	}
	for p := range n {
		y, f := w.y[p], cx[p]
		for i := range x {
			for j := range x[i] {
				x[i][j] -= f * y[i][j]
			}
		}
	}
	return true
}

func inner(a, b []spatial.Vec6) float64 {
	sum := 0.0
	for i := range a {
		x, y := &a[i], &b[i]
		sum += x[0]*y[0] + x[1]*y[1] + x[2]*y[2] + x[3]*y[3] + x[4]*y[4] + x[5]*y[5]
	}
	return sum
}
