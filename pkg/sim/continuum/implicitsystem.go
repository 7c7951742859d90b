package continuum

import (
	"math"

	"sinew/pkg/sim/integrate"
	"sinew/pkg/sim/rod/strain"
	"sinew/pkg/sim/spatial"
	"sinew/pkg/sim/tendon"
)

// equations are the storage of one Newton iteration.
type equations struct {
	nodes  strain.Equations
	pair   []*spatial.Mat6 // by gap of the bundle
	matrix *integrate.Skyline
	eta    []spatial.Vec6 // residual, then increment, of nodes 1 … n
	known  []spatial.Vec6 // right-hand side during refinement
	rough  []spatial.Vec6 // increment before refinement
	dx     []spatial.Twist
	extra  []spatial.Wrench // without a potential, besides loads
	border border
	taut   []int // tendons under length control that are not slack
	slopes       // in statics

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
	q.nodes = strain.Equations{
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
	q.eta, q.known, q.rough = make([]spatial.Vec6, n), make([]spatial.Vec6, n), make([]spatial.Vec6, n)
	q.dx, q.extra = make([]spatial.Twist, n), make([]spatial.Wrench, n+1)
	q.taut = make([]int, 0, b.Tendons())
	q.column = make([]int, n+1)
	q.border.grow(b.Tendons(), n)
	return nil
}

// tighten sets the tensions that the drives and the present lengths give.
func (e *implicit) tighten() {
	e.taut = e.taut[:0]
	e.report.Slack = 0
	for k, d := range e.in.Drives {
		t := e.scale * e.tension(k, d)
		e.bundle.SetTension(k, t)
		if f := e.friction[k]; f != nil && e.rod.Moving() {
			f.Hold()
		}
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
	if !e.rod.Moving() {
		e.slide()
	}
	e.tighten()
	e.matrix.ZeroFar()
	e.rod.Elements(&e.nodes)
	e.bundle.Add(e.rod.Pose, &e.nodes, e.pair)
	e.rod.Nodes(&e.nodes)
	if e.rao {
		e.bundle.Transverse(e.rod.Pose, e.nodes.Wrench)
	}
	if !e.rod.Moving() && !e.hasPotential() {
		e.rod.Freeze(e.transverse())
	}
	if shift > 0 {
		e.rod.Shift(&e.nodes, shift)
	}
}

// transverse returns what the convention of transverse disk forces takes away from
// the wrenches on the nodes, body axes, at the measured tensions.
func (e *implicit) transverse() []spatial.Wrench {
	clear(e.extra)
	if e.rao {
		e.bundle.Transverse(e.rod.Pose, e.extra)
	}
	return e.extra
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
	if !e.rod.Moving() {
		// the skew part vanishes with the residual where loads have a potential, and
		// where they have none it is in the border
		refine = 0
		e.patience--
	}
	if refine > 0 {
		copy(e.known, e.eta)
	}
	ok = e.border.solve(e.matrix, e.eta)
	for range refine {
		copy(e.rough, e.eta)
		e.nodes.SkewResidual(e.known, e.eta)
		ok = e.border.solve(e.matrix, e.eta) && ok
		if !e.refined() {
			copy(e.eta, e.rough)
			break
		}
	}
	turn, stretch := e.rod.Increment(e.eta, e.dx)
	return max(turn, stretch), negative, ok
}

// refined reports whether the last refinement was small beside the increment: far
// from the solution it may diverge, where the increment of the symmetric tangent
// still leads downhill.
func (e *implicit) refined() bool {
	const small = 0.25
	l := e.robot.rod.ElementLength
	size, change := 0.0, 0.0
	for i := range e.eta {
		x, y := &e.eta[i], &e.rough[i]
		for j := range 3 {
			size = max(size, math.Abs(y[j])/l, math.Abs(y[j+3]))
			change = max(change, math.Abs(x[j]-y[j])/l, math.Abs(x[j+3]-y[j+3]))
		}
	}
	return change <= small*size
}

// makeBorder collects what the factored tangent leaves out: the stiffness k of
// the taut tendons under length control, k ∂L ∂Lᵀ, and of the friction that sticks
// in motion, and in statics the skew part
// of the tangent at nodes with loads that have no potential, friction and
// transverse forces.
func (e *implicit) makeBorder() {
	turning, sliding := e.turning, e.sliding
	if e.patience > 0 {
		turning, sliding = e.turning[:e.loaded], 0
	}
	exact := !e.rod.Moving() && e.patience <= 0
	n, sticking := len(e.taut)+6*len(turning)+sliding, 0
	if e.rod.Moving() {
		sticking = e.sticking()
		n += sticking
	}
	w := &e.border
	w.reset(n)
	if n == 0 {
		return
	}
	for p, k := range e.taut {
		e.bundle.Push(k, e.rod.Pose, e.rao && exact, w.b[p])
		if sliding > 0 {
			e.bundle.LengthSlope(k, e.rod.Pose, w.left(p))
		}
		w.c[p*n+p] = e.scale * e.stiffness(k)
	}
	e.addTurning(turning, len(e.taut))
	if sticking > 0 {
		e.addSticking(n - sticking)
	}
	if exact {
		e.addTransverse()
		e.addSliding(n - sliding)
	}
	w.prepare(e.matrix)
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
		if f := e.friction[k]; f != nil && e.rod.Moving() {
			sum += f.Energy()
		}
	}
	return sum
}
