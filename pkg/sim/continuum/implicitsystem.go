package continuum

import (
	"math"

	"sinew/pkg/sim/integrate"
	"sinew/pkg/sim/rod"
	"sinew/pkg/sim/spatial"
	"sinew/pkg/sim/tendon"
)

// equations are the storage of one Newton iteration.
type equations struct {
	nodes   rod.Equations
	pair    []*spatial.Mat6 // by gap of the bundle
	matrix  *integrate.Skyline
	eta     []spatial.Vec6 // residual, then increment, of nodes 1 … n
	known   []spatial.Vec6 // right-hand side during refinement
	dx      []spatial.Twist
	columns [][]spatial.Vec6 // K⁻¹ ∂L/∂η of the taut tendons under length control
	slopes  [][]spatial.Vec6 // ∂L/∂η of the same
	taut    []int            // their numbers
	border  []float64
	rhs     []float64

	singular int // node before the one with a singular pivot
	scale    float64
	refine   int
}

// refinements is how often the increment is refined by the skew part of the
// tangent, which the symmetric factorisation leaves out: of the order of the
// residual, and of the rotary inertia times the rotation of the step. Once makes
// the convergence as good as quadratic down to angleTolerance squared.
const refinements = 1

func (q *equations) make(b *tendon.Bundle, n int) error {
	gaps := b.Gaps()
	var couplings [][2]int
	for _, g := range gaps {
		if g[0] > 0 {
			couplings = append(couplings, [2]int{g[0] - 1, g[1] - 1})
		}
	}
	m, err := integrate.NewSkyline(n, couplings)
	if err != nil {
		return err
	}
	q.matrix, q.scale, q.refine = m, 1, refinements
	q.nodes = rod.Equations{
		Wrench: make([]spatial.Wrench, n+1), Skew: make([]spatial.Wrench, n+1),
		Diag: make([]*spatial.Mat6, n+1), Next: make([]*spatial.Mat6, n+1),
	}
	for i := 1; i <= n; i++ {
		q.nodes.Diag[i] = m.Diag(i - 1)
		if i < n {
			q.nodes.Next[i] = m.Block(i-1, i)
		}
	}
	q.pair = make([]*spatial.Mat6, len(gaps))
	for i, g := range gaps {
		if g[0] > 0 {
			q.pair[i] = m.Block(g[0]-1, g[1]-1)
		}
	}
	q.eta, q.known, q.dx = make([]spatial.Vec6, n), make([]spatial.Vec6, n), make([]spatial.Twist, n)
	tendons := b.Tendons()
	for range tendons {
		q.columns = append(q.columns, make([]spatial.Vec6, n))
		q.slopes = append(q.slopes, make([]spatial.Vec6, n))
	}
	q.taut = make([]int, 0, tendons)
	q.border, q.rhs = make([]float64, tendons*tendons), make([]float64, tendons)
	return nil
}

// tighten sets the tensions that the drives and the present lengths give.
func (e *implicit) tighten() {
	e.taut = e.taut[:0]
	e.report.Slack = 0
	for k, d := range e.in.Drives {
		t := e.scale * e.tension(k, d)
		e.bundle.SetTension(k, t)
		switch {
		case d.Mode == tensionControl:
		case t > 0:
			e.taut = append(e.taut, k)
		default:
			e.report.Slack++
		}
	}
}

// Assemble is that of integrate.System.
func (e *implicit) Assemble(shift float64) {
	e.tighten()
	e.matrix.ZeroFar()
	e.rod.Elements(&e.nodes)
	e.bundle.Add(e.rod.Pose, &e.nodes, e.pair)
	e.rod.Nodes(&e.nodes)
	if e.rao {
		e.bundle.Transverse(e.rod.Pose, e.nodes.Wrench)
	}
	if shift > 0 {
		e.rod.Shift(&e.nodes, shift)
	}
}

// ResidualNorm is that of integrate.System, N: moments count as forces on an
// element's length.
func (e *implicit) ResidualNorm() float64 {
	sum, l := 0.0, e.robot.rod.ElementLength
	for i := range e.nodes.Wrench[1:] {
		w := &e.nodes.Wrench[i+1]
		sum += w.Force.Norm2() + w.Moment.Norm2()/(l*l)
	}
	return math.Sqrt(sum)
}

// Increment is that of integrate.System. The size is the largest rotation (rad)
// or relative stretch that the increment gives an element.
func (e *implicit) Increment() (size float64, negative int, ok bool) {
	for i := range e.eta {
		w := &e.nodes.Wrench[i+1]
		e.eta[i] = spatial.Vec6Of(w.Force, w.Moment)
	}
	negative, e.singular = e.matrix.Factor()
	if e.singular >= 0 {
		return 0, negative, false
	}
	e.makeBorder()
	refine := e.refine
	if e.rod.Beta == 0 {
		refine = 0 // in statics the skew part vanishes with the residual
	}
	if refine > 0 {
		copy(e.known, e.eta)
	}
	e.solve(e.eta)
	for range refine {
		e.nodes.SkewResidual(e.known, e.eta)
		e.solve(e.eta)
	}
	turn, stretch := e.rod.Increment(e.eta, e.dx)
	return max(turn, stretch), negative, true
}

// makeBorder prepares the correction of solve for the stiffness k_t of the taut
// tendons under length control, which add k_t ∂L ∂Lᵀ to the tangent.
func (e *implicit) makeBorder() {
	for p, k := range e.taut {
		clear(e.slopes[p])
		e.bundle.Gradient(k, e.rod.Pose, 1, e.slopes[p])
		copy(e.columns[p], e.slopes[p])
		e.matrix.Solve(e.columns[p])
	}
}

// solve replaces x by the solution of the symmetric tangent (Woodbury).
func (e *implicit) solve(x []spatial.Vec6) {
	e.matrix.Solve(x)
	n := len(e.taut)
	if n == 0 {
		return
	}
	a, b := e.border[:n*n], e.rhs[:n]
	for p, k := range e.taut {
		for q := range n {
			a[p*n+q] = inner(e.slopes[p], e.columns[q])
		}
		a[p*n+p] += 1 / (e.scale * e.stiffness(k))
		b[p] = inner(e.slopes[p], x)
	}
	integrate.SolveDense(a, b)
	for p := range n {
		c := e.columns[p]
		for i := range x {
			for j := range x[i] {
				x[i][j] -= b[p] * c[i][j]
			}
		}
	}
}

func inner(a, b []spatial.Vec6) float64 {
	sum := 0.0
	for i := range a {
		for j := range a[i] {
			sum += a[i][j] * b[i][j]
		}
	}
	return sum
}

// Move is that of integrate.System.
func (e *implicit) Move(scale float64) {
	e.rod.Move(e.dx, scale)
	e.measure()
}

// Undo is that of integrate.System.
func (e *implicit) Undo() {
	e.rod.Undo()
	e.measure()
}

// Merit is that of integrate.System, J.
func (e *implicit) Merit() float64 {
	sum := e.rod.Potential()
	for k, d := range e.in.Drives {
		if d.Mode == tensionControl {
			sum += e.scale * d.Tension * e.bundle.Reach(k)
		} else if s := e.stretch(k, d); s > 0 {
			sum += 0.5 * e.scale * e.stiffness(k) * s * s
		}
	}
	return sum
}
