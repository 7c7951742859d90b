package fit

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"sinew/pkg/sim/spatial"
)

// linearModel is the linearised problem at a point: |J δ + r|² is |R δ + c|² and what
// no δ changes.
type linearModel struct {
	r      *mat.Dense // p × p, upper triangular
	c      []float64
	norms  []float64 // Euclidean norms of the columns of J
	cosine []float64 // between the columns of J and r: the gradient without units
}

// linearize reduces the Jacobian and residuals to p rows.
func linearize(j *mat.Dense, r []float64) *linearModel {
	n, p := j.Dims()
	l := &linearModel{r: mat.NewDense(p, p, nil), c: make([]float64, p), norms: make([]float64, p), cosine: make([]float64, p)}
	both := mat.NewDense(max(n, p+1), p+1, nil)
	both.Slice(0, n, 0, p).(*mat.Dense).Copy(j)
	length := math.Sqrt(sumOfSquares(r))
	for k, v := range r {
		both.Set(k, p, v)
	}
	for i := range p {
		column := mat.Col(nil, i, j)
		l.norms[i] = mat.Norm(mat.NewVecDense(n, column), 2)
		if product := l.norms[i] * length; product > 0 {
			l.cosine[i] = mat.Dot(mat.NewVecDense(n, column), mat.NewVecDense(n, r)) / product
		}
	}
	var qr mat.QR
	qr.Factorize(both)
	var upper mat.Dense
	qr.RTo(&upper)
	l.r.Copy(upper.Slice(0, p, 0, p))
	for i := range p {
		l.c[i] = upper.At(i, p)
	}
	return l
}

// value is |R δ + c|².
func (l *linearModel) value(delta []float64) (s float64) {
	for i, c := range l.c {
		for k := i; k < len(delta); k++ {
			c += l.r.At(i, k) * delta[k]
		}
		s += c * c
	}
	return s
}

// reduction is by how much δ lessens |J δ + r|².
func (l *linearModel) reduction(delta []float64) float64 {
	return sumOfSquares(l.c) - l.value(delta)
}

// solve returns the δ within lo and hi, which contain 0, that makes |R δ + c|² + μ
// |D δ|² least: the active set method of Stark & Parker (Bounded-variable least
// squares, 1995).
func (l *linearModel) solve(mu float64, d, lo, hi []float64) []float64 {
	p := len(l.c)
	delta, bound := make([]float64, p), make([]bool, p)
	for range 10 * (p + 1) { // ends long before; a bound against cycles of round-off
		l.solveActiveSet(mu, d, lo, hi, delta, bound)
		out := l.releaseBounds(mu, d, lo, hi, delta, bound)
		if out < 0 {
			break
		}
		bound[out] = false
	}
	return delta
}

// solveActiveSet moves δ to the solution of the components that are not on a bound. On the
// way each bound that is met takes a component out.
func (l *linearModel) solveActiveSet(mu float64, d, lo, hi, delta []float64, bound []bool) {
	for {
		var free []int
		for i, b := range bound {
			if !b {
				free = append(free, i)
			}
		}
		if len(free) == 0 {
			return
		}
		goal := l.solveFree(mu, d, delta, free)
		share, first := 1.0, -1 // fraction of the way that is free
		for _, i := range free {
			way := goal[i] - delta[i]
			limit := hi[i]
			if way < 0 {
				limit = lo[i]
			}
			if s := (limit - delta[i]) / way; way != 0 && s < share {
				share, first = s, i
			}
		}
		for _, i := range free {
			delta[i] = min(max(delta[i]+share*(goal[i]-delta[i]), lo[i]), hi[i])
		}
		if first < 0 {
			return
		}
		delta[first], bound[first] = hi[first], true
		if goal[first] < delta[first] {
			delta[first] = lo[first]
		}
	}
}

// releaseBounds returns the component on a bound that gains most by leaving it, or −1.
func (l *linearModel) releaseBounds(mu float64, d, lo, hi, delta []float64, bound []bool) int {
	const roundoff = 1e-12 // rounding error of the gradient, relative to its terms
	p := len(l.c)
	residual := make([]float64, p)
	for row := range p {
		residual[row] = l.c[row]
		for i := row; i < p; i++ {
			residual[row] += l.r.At(row, i) * delta[i]
		}
	}
	size := math.Sqrt(sumOfSquares(l.c))
	best, most := -1, roundoff
	for i, b := range bound {
		if !b {
			continue
		}
		slope := mu * d[i] * d[i] * delta[i]
		for row := range i + 1 {
			slope += l.r.At(row, i) * residual[row]
		}
		if delta[i] >= hi[i] && lo[i] < hi[i] {
			slope = -slope
		}
		// now a negative slope is a gain: the component moves off its bound
		if scale := l.norms[i] * size; scale > 0 && -slope/scale > most {
			best, most = i, -slope/scale
		}
	}
	return best
}

// solveFree solves for the free components with the others of δ given.
func (l *linearModel) solveFree(mu float64, d, delta []float64, free []int) []float64 {
	p, f := len(l.c), len(free)
	a, b := mat.NewDense(p+f, f, nil), mat.NewVecDense(p+f, nil)
	goal := append([]float64(nil), delta...)
	for k, i := range free {
		goal[i] = 0
		for row := range p {
			a.Set(row, k, l.r.At(row, i))
		}
		a.Set(p+k, k, math.Sqrt(mu)*d[i])
	}
	for row := range p {
		v := l.c[row]
		for i := row; i < p; i++ {
			v += l.r.At(row, i) * goal[i]
		}
		b.SetVec(row, -v)
	}
	var qr mat.QR
	qr.Factorize(a)
	x := mat.NewVecDense(f, nil)
	// a bad condition is only reported: μ keeps the matrix regular, and the model
	// itself rejects a useless step
	_ = qr.SolveVecTo(x, false, b)
	for k, i := range free {
		if v := x.AtVec(k); spatial.IsFinite(v) {
			goal[i] = v
		}
	}
	return goal
}
