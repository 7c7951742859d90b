package continuum

import (
	"sinew/pkg/sim/integrate"
	"sinew/pkg/sim/spatial"
)

// border is what a factored matrix K leaves out, a change B C Aᵀ of low rank with
// diagonal C. Each column is an unknown of its own, the force λ = C Aᵀx with which
// it acts along B: the change of the tension of a taut tendon, of what a disk holds
// by friction. With y = K⁻¹r and G = Aᵀ K⁻¹ B the solution is exact (Woodbury):
//
//	(1 + C G) λ = C Aᵀ y,  x = y − K⁻¹B λ.
type border struct {
	b      [][]spatial.Vec6 // columns of B
	a      [][]spatial.Vec6 // columns of A, where they are not those of B
	same   []bool           // by column, whether A is B
	span   [][2]int         // by column, block rows [first, last) where A is not 0
	y      [][]spatial.Vec6 // columns of K⁻¹ B
	c      []float64        // diagonal of C
	g      []float64        // G, row-major
	system []float64        // 1 + C G, row-major
	lambda []float64
	rank   int
}

// grow makes room for a rank of at most n in a matrix of the given block rows.
func (w *border) grow(n, rows int) {
	for len(w.b) < n {
		w.b = append(w.b, make([]spatial.Vec6, rows))
		w.y = append(w.y, make([]spatial.Vec6, rows))
		w.a = append(w.a, make([]spatial.Vec6, rows))
		w.same = append(w.same, true)
		w.span = append(w.span, [2]int{})
	}
	if len(w.c) < n {
		w.g, w.system = make([]float64, n*n), make([]float64, n*n)
		w.c, w.lambda = make([]float64, n), make([]float64, n)
	}
}

// reset starts a change of the given rank with C = 0 and A = B = 0.
func (w *border) reset(rank int) {
	w.rank = rank
	clear(w.c[:rank])
	for p := range rank {
		clear(w.b[p])
		w.same[p] = true
	}
}

// left returns column p of A, cleared, which is then not that of B.
func (w *border) left(p int) []spatial.Vec6 {
	w.same[p] = false
	clear(w.a[p])
	return w.a[p]
}

// column returns column p of A.
func (w *border) column(p int) []spatial.Vec6 {
	if w.same[p] {
		return w.b[p]
	}
	return w.a[p]
}

// times returns the product of column p of A and x.
func (w *border) times(p int, x []spatial.Vec6) float64 {
	s := w.span[p]
	return inner(w.column(p)[s[0]:s[1]], x[s[0]:s[1]])
}

// prepare solves for the columns, once K is factored.
func (w *border) prepare(k *integrate.Skyline) {
	n := w.rank
	for p := range n {
		copy(w.y[p], w.b[p])
		k.Solve(w.y[p])
		w.span[p] = span(w.column(p))
	}
	for p := range n {
		for q := range n {
			w.g[p*n+q] = w.times(p, w.y[q])
		}
	}
}

// solve replaces the right-hand side x by the solution. It reports whether the
// changed matrix is regular.
func (w *border) solve(k *integrate.Skyline, x []spatial.Vec6) bool {
	k.Solve(x)
	n := w.rank
	if n == 0 {
		return true
	}
	lambda, a := w.lambda[:n], w.system[:n*n]
	for p, c := range w.c[:n] {
		lambda[p] = c * w.times(p, x)
		for r := range n {
			a[p*n+r] = c * w.g[p*n+r]
		}
		a[p*n+p]++
	}
	if !integrate.SolveDense(a, lambda) {
		return false
	}
	for p, f := range lambda {
		addScaled(x, -f, w.y[p])
	}
	return true
}

// addScaled adds f x to dst.
func addScaled(dst []spatial.Vec6, f float64, x []spatial.Vec6) {
	for i := range x {
		for j := range x[i] {
			dst[i][j] += f * x[i][j]
		}
	}
}

// span returns the first block of x that is not 0 and the one after the last.
func span(x []spatial.Vec6) (s [2]int) {
	for i := range x {
		if x[i] != (spatial.Vec6{}) {
			if s[1] == 0 {
				s[0] = i
			}
			s[1] = i + 1
		}
	}
	return s
}

func inner(a, b []spatial.Vec6) float64 {
	sum := 0.0
	for i := range a {
		x, y := &a[i], &b[i]
		sum += x[0]*y[0] + x[1]*y[1] + x[2]*y[2] + x[3]*y[3] + x[4]*y[4] + x[5]*y[5]
	}
	return sum
}
