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
	span   [][2]extent      // by column, where A is not 0: between the two there is nothing
	y      [][]spatial.Vec6 // columns of K⁻¹ B
	c      []float64        // diagonal of C
	g      []float64        // G, row-major
	system []float64        // factors of 1 + C G, row-major
	pivots []int            // of these
	schur  []float64        // scratch of negative
	lambda []float64
	rank   int
	ok     bool // the changed matrix is regular
}

// extent is the block rows from first to before last.
type extent struct{ first, last int }

// grow makes room for a rank of at most n in a matrix of the given block rows.
func (w *border) grow(n, rows int) {
	for len(w.b) < n {
		w.b = append(w.b, make([]spatial.Vec6, rows))
		w.y = append(w.y, make([]spatial.Vec6, rows))
		w.a = append(w.a, make([]spatial.Vec6, rows))
		w.same = append(w.same, true)
		w.span = append(w.span, [2]extent{})
	}
	if len(w.c) < n {
		w.g, w.system, w.schur = make([]float64, n*n), make([]float64, n*n), make([]float64, n*n)
		w.c, w.lambda, w.pivots = make([]float64, n), make([]float64, n), make([]int, n)
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
	column, sum := w.column(p), 0.0
	for _, s := range w.span[p] {
		sum = addInner(sum, column[s.first:s.last], x[s.first:s.last])
	}
	return sum
}

// prepare solves for the columns, once K is factored, and factors 1 + C G.
func (w *border) prepare(k *integrate.Skyline) {
	n := w.rank
	for p := range n {
		copy(w.y[p], w.b[p])
		k.SolveFrom(span(w.b[p])[0].first, w.y[p])
		w.span[p] = span(w.column(p))
	}
	for p := range n {
		for q := range n {
			w.g[p*n+q] = w.times(p, w.y[q])
			w.system[p*n+q] = w.c[p] * w.g[p*n+q]
		}
		w.system[p*n+p]++
	}
	w.ok = integrate.FactorDense(w.system[:n*n], w.pivots[:n])
}

// solve replaces the right-hand side x by the solution. It reports whether the
// changed matrix is regular.
func (w *border) solve(k *integrate.Skyline, x []spatial.Vec6) bool { return w.solveFrom(k, 0, x) }

// solveFrom is solve where x is 0 before block row first.
func (w *border) solveFrom(k *integrate.Skyline, first int, x []spatial.Vec6) bool {
	k.SolveFrom(first, x)
	n := w.rank
	if !w.ok {
		return false
	}
	lambda := w.lambda[:n]
	for p, c := range w.c[:n] {
		lambda[p] = c * w.times(p, x)
	}
	integrate.SolveFactored(w.system[:n*n], w.pivots[:n], lambda)
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

// span returns the blocks of x from the first that is not 0 on to the next that is, and those
// from the next one that is not 0 on to the last.
func span(x []spatial.Vec6) (s [2]extent) {
	part, begun := 0, false
	for i := range x {
		if x[i] == (spatial.Vec6{}) {
			if begun && part == 0 {
				part, begun = 1, false
			}
			continue
		}
		if !begun {
			s[part].first, begun = i, true
		}
		s[part].last = i + 1
	}
	return s
}

// negative is by how many the matrix with columns from p on has more negative eigenvalues than
// without, if these are of A = B. (The inertia of the bordered matrix is that of K and of the
// Schur complement −C⁻¹ − G.)
func (w *border) negative(p int) (more int) {
	n := 0
	for _, c := range w.c[p:w.rank] {
		if c != 0 {
			n++
		}
		if c > 0 {
			more--
		}
	}
	m := w.schur[:n*n]
	i := 0
	for r := p; r < w.rank; r++ {
		if w.c[r] == 0 {
			continue
		}
		j := 0
		for q := p; q < w.rank; q++ {
			if w.c[q] == 0 {
				continue
			}
			m[i*n+j] = 0.5 * (w.g[r*w.rank+q] + w.g[q*w.rank+r])
			j++
		}
		m[i*n+i] += 1 / w.c[r]
		i++
	}
	return more + n - negativePivots(m, n)
}

// negativePivots eliminates the symmetric matrix m of n rows without exchange, and counts the
// negative pivots.
func negativePivots(m []float64, n int) (count int) {
	for k := range n {
		pivot := m[k*n+k]
		if pivot < 0 {
			count++
		}
		for i := k + 1; i < n; i++ {
			f := m[i*n+k] / pivot
			for j := k; j < n; j++ {
				m[i*n+j] -= f * m[k*n+j]
			}
		}
	}
	return count
}

func inner(a, b []spatial.Vec6) float64 { return addInner(0, a, b) }

// addInner returns sum plus the product of a and b.
func addInner(sum float64, a, b []spatial.Vec6) float64 {
	for i := range a {
		x, y := &a[i], &b[i]
		sum += x[0]*y[0] + x[1]*y[1] + x[2]*y[2] + x[3]*y[3] + x[4]*y[4] + x[5]*y[5]
	}
	return sum
}

// The tendons' columns of the border: each function fills those from p on. The
// tangent of the chords at constant tensions is in the skyline.

// addSticking enters the stiffness of the bristles that stick.
func (t *tendonSystem) addSticking(w *border, p int, pose []spatial.Pose) {
	for _, f := range t.friction {
		if f == nil {
			continue
		}
		for j := range f.Passed() {
			if f.Sticks(j) {
				f.PushBeyond(j, pose, false, w.b[p])
				w.c[p] = f.StiffnessAt(j)
				p++
			}
		}
	}
}

// sticking is the number of bristles that stick.
func (t *tendonSystem) sticking() (n int) {
	for _, f := range t.friction {
		if f == nil {
			continue
		}
		for j := range f.Passed() {
			if f.Sticks(j) {
				n++
			}
		}
	}
	return n
}

// addRubbing enters the friction of an equilibrium: the tension beyond a disk follows the angle
// there and, where bristles stick, the motion of the tendon. Unless it is asked for all, that is of the disks where they do.
func (t *tendonSystem) addRubbing(w *border, p int, pose []spatial.Pose, all bool) {
	for k, f := range t.friction {
		if f == nil {
			continue
		}
		for j := range f.Passed() {
			if !all && !f.Sticks(j) {
				continue
			}
			f.PushBeyond(j, pose, t.transverse, w.b[p])
			w.c[p] = t.bundle.TensionAt(k, 0)
			if t.law == gripping {
				f.GripSlope(j, pose, w.left(p))
			} else {
				w.c[p] *= f.SlideRate(!t.release)
				f.WrapSlope(j, pose, w.left(p))
			}
			p++
		}
	}
}

// passed is the number of disks that tendons pass with friction.
func (t *tendonSystem) passed() (n int) {
	for _, f := range t.friction {
		if f != nil {
			n += f.Passed()
		}
	}
	return n
}
