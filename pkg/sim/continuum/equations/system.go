package equations

import (
	"math"

	"sinew/pkg/sim/integrate"
	"sinew/pkg/sim/rod"
	"sinew/pkg/sim/rod/strain"
	"sinew/pkg/sim/spatial"
)

// System is the equations of the nodes of one rod with its force elements, at an iterate. The
// symmetric part of the tangent K is in a block skyline but for Columns and Constraints; the skew
// part is left to iterative refinement.
type System struct {
	Rod         *rod.Rod      // constants
	State       *strain.State // of the rod, at the iterate
	Elements    []Element
	Columns     Columns
	Constraints Constraints

	// X is the right-hand side, then the increment, of the nodes 1 … n: body axes, m and rad.
	X []spatial.Vec6
	// Dx is the increment of the strains, m and rad.
	Dx []spatial.Twist
	// Size is the largest rotation (rad) or relative stretch of an element in the increment.
	Size float64
	// ByNodes makes increments move every node exactly by its own, at the cost of a logarithm per
	// element. Increments of the strains do that to first order only: the rest adds up along the
	// rod, and in short steps inertia magnifies it.
	ByNodes bool

	by            capabilities
	assembled     strain.Equations
	bare          strain.Equations // shares the wrenches of assembled; its blocks are scratch
	matrix        *integrate.Skyline
	correction    correction
	residual      []spatial.Vec6 // right-hand side during refinement
	unrefined     []spatial.Vec6 // increment before the last refinement
	unconstrained []spatial.Vec6 // increment at constant multipliers
	extra         []spatial.Wrench
	singular      int     // block row of the singular pivot, −1: none
	softness      float64 // L³/EI, m/N: violations of constraints count as forces by it
	limit         float64 // share of the increment that takes nothing through a wall
	endingSize    float64 // an increment below it ends the iteration of a step, rad
}

// capabilities are the elements by what else they are.
type capabilities struct {
	nonconservative []Nonconservative
	lowRank         []LowRank
	constrained     []Constrained
	regularised     []Regularised
	stateful        []Stateful
	loaded          []Loaded
	nonsmooth       []Nonsmooth
	historic        []HistoryDependent
	obstacles       []Obstacle
	prescribed      []Prescribed
	checked         []Checked
	gauged          []Gauged
	differentiable  []Differentiable
	eulerLoaded     []EulerLoaded
	stiff           []Stiff
}

// collect appends e to list if it is a T.
func collect[T any](list *[]T, e Element) {
	if x, ok := e.(T); ok {
		*list = append(*list, x)
	}
}

func capabilitiesOf(elements []Element) (c capabilities) {
	for _, e := range elements {
		collect(&c.nonconservative, e)
		collect(&c.lowRank, e)
		collect(&c.constrained, e)
		collect(&c.regularised, e)
		collect(&c.stateful, e)
		collect(&c.loaded, e)
		collect(&c.nonsmooth, e)
		collect(&c.historic, e)
		collect(&c.obstacles, e)
		collect(&c.prescribed, e)
		collect(&c.checked, e)
		collect(&c.gauged, e)
		collect(&c.differentiable, e)
		collect(&c.eulerLoaded, e)
		collect(&c.stiff, e)
	}
	return c
}

// New makes the equations of a rod, whose constants are mesh, and its elements. Wrenches add up in the
// order of the list. Increments below endingSize (rad) end the iteration of a step.
func New(state *strain.State, mesh *rod.Rod, endingSize float64, elements ...Element) (*System, error) {
	n := mesh.Elements
	s := &System{
		State: state, Rod: mesh, Elements: elements, by: capabilitiesOf(elements), endingSize: endingSize,
		X: make([]spatial.Vec6, n), Dx: make([]spatial.Twist, n),
		residual: make([]spatial.Vec6, n), unrefined: make([]spatial.Vec6, n), unconstrained: make([]spatial.Vec6, n), extra: make([]spatial.Wrench, n+1),
		softness: mesh.Length * mesh.Length * mesh.Length / mesh.Stiffness.Bend.X,
	}
	if err := s.allocateMatrix(); err != nil {
		return nil, err
	}
	columns := 0
	for _, e := range s.by.lowRank {
		columns += e.MaxColumns()
	}
	var rows []int
	for _, e := range s.by.constrained {
		rows = append(rows, e.MaxRows())
	}
	s.Columns.grow(columns, n)
	s.Constraints = newConstraints(n, rows...)
	if len(s.by.regularised) > 0 {
		s.correction = newCorrection(n, s.constraintCount())
	}
	return s, nil
}

// allocateMatrix makes the matrix with the blocks that the rod and its elements need.
func (s *System) allocateMatrix() error {
	n := s.Rod.Elements
	var pairs [][2]int
	for _, e := range s.Elements {
		if c, ok := e.(Coupler); ok {
			for _, p := range c.Couplings() {
				if p[0] > 0 {
					pairs = append(pairs, [2]int{p[0] - 1, p[1] - 1})
				}
			}
		}
	}
	m, err := integrate.NewSkyline(n, pairs)
	if err != nil {
		return err
	}
	s.matrix = m
	s.assembled = newEquations(n, make([]spatial.Wrench, n+1))
	s.bare = newEquations(n, s.assembled.Wrench)
	scratch := new(spatial.Mat6)
	for i := 1; i <= n; i++ {
		s.assembled.Diag[i] = m.Diag(i - 1)
		if i < n {
			s.assembled.Next[i] = m.Block(i-1, i)
		}
		s.bare.Diag[i], s.bare.Next[i] = scratch, scratch
	}
	for _, e := range s.Elements {
		if c, ok := e.(Coupler); ok {
			c.SetBlocks(s.blocksOf(c.Couplings()))
		}
	}
	return nil
}

func newEquations(n int, wrench []spatial.Wrench) strain.Equations {
	return strain.Equations{
		Wrench: wrench, Skew: make([]spatial.Wrench, n+1),
		Diag: make([]*spatial.Mat6, n+1), Next: make([]*spatial.Mat6, n+1),
	}
}

// blocksOf returns the blocks that couple pairs of nodes, nil at the base.
func (s *System) blocksOf(pairs [][2]int) []*spatial.Mat6 {
	blocks := make([]*spatial.Mat6, len(pairs))
	for i, p := range pairs {
		if p[0] > 0 {
			blocks[i] = s.matrix.Block(p[0]-1, p[1]-1)
		}
	}
	return blocks
}

// UpdateKinematics takes the kinematics of all elements from the present poses.
func (s *System) UpdateKinematics() {
	for _, e := range s.Elements {
		e.UpdateKinematics(s.State)
	}
}

// Assemble takes residual and tangent of everything that acts at the measured iterate, with shift
// times a positive diagonal added.
func (s *System) Assemble(shift float64) {
	s.matrix.ClearOffBand()
	s.State.AssembleElements(&s.assembled)
	for _, e := range s.Elements {
		e.Assemble(s.State, &s.assembled)
	}
	s.State.AssembleNodes(&s.assembled)
	for _, e := range s.by.nonconservative {
		e.AddNonconservative(s.State, s.assembled.Wrench)
	}
	if shift != 0 {
		s.State.AddShift(&s.assembled, shift)
	}
}

// LowestUnloadedEigenvalue is about the lowest eigenvalue of an unloaded cantilever, 12.4 EI/(m L³), in units of the shift matrix: 12/n⁴.
func (s *System) LowestUnloadedEigenvalue() float64 {
	n := float64(len(s.X))
	return 12 / (n * n * n * n)
}

// NeutralShift is the shift below which a shape counts as neutral: the given share of the lowest unloaded eigenvalue, or what round-off of the
// shear and stretch stiffness leaves. Both the round-off and the shift are of the stiffness of each element, so a soft section
// beside a stiff one does not raise it.
func (s *System) NeutralShift(share float64) float64 {
	l, ratio := s.Rod.ElementLength, 0.0
	for e := range s.Rod.Properties {
		k := &s.Rod.Properties[e].Stiffness
		ratio = max(ratio, max(k.Shear.X, k.Shear.Z)/k.Bend.X)
	}
	return max(share*s.LowestUnloadedEigenvalue(), 0x1p-52*ratio*l*l)
}

// AssembleWrenches takes the residual alone and leaves the tangent that was assembled, or its factors.
func (s *System) AssembleWrenches() {
	*s.bare.Diag[1] = spatial.Mat6{}
	s.State.AssembleElementWrenches(s.bare.Wrench)
	for _, e := range s.Elements {
		e.AssembleWrenches(s.State, &s.bare)
	}
	s.State.AssembleNodeWrenches(&s.bare)
	for _, e := range s.by.nonconservative {
		e.AddNonconservative(s.State, s.bare.Wrench)
	}
}

// BendingEnergy is EI/L, J: the scale of the energy of a bend of the rod, by which round-off of the merit is negligible.
func (s *System) BendingEnergy() float64 { return s.Rod.Stiffness.Bend.X / s.Rod.Length }

// Wrenches are those of the last assembly, body axes, by node.
func (s *System) Wrenches() []spatial.Wrench { return s.assembled.Wrench }

// TangentBlock returns the block of the assembled tangent, before it is factored and without columns and constraints, of the
// wrenches on node i by the increments of node j, 1 ≤ i ≤ j. Those on node j by node i are its transpose for i < j. The block of a
// node itself is its symmetric part and its skew one. ok is false for nodes that nothing couples.
func (s *System) TangentBlock(i, j int) (symmetric, skew spatial.Mat6, ok bool) {
	if i == j {
		symmetric = *s.matrix.Diag(i - 1)
		symmetric.Mirror()
		return symmetric, s.assembled.SkewPart(i), true
	}
	if !s.matrix.Stored(i-1, j-1) {
		return symmetric, skew, false
	}
	return *s.matrix.Block(i-1, j-1), skew, true
}

// Extra returns the wrenches without a potential at the measured iterate, body axes, by node. The
// slice is overwritten by the next call.
func (s *System) Extra() []spatial.Wrench {
	clear(s.extra)
	for _, e := range s.by.nonconservative {
		e.AddNonconservative(s.State, s.extra)
	}
	return s.extra
}

// ResidualNorm is the norm of the assembled residual, N, in which moments count on the mean length of an
// element, and violated constraints as forces that bend the rod so far.
func (s *System) ResidualNorm() float64 {
	sum, l := 0.0, s.Rod.ElementLength
	for i := range s.assembled.Wrench[1:] {
		w := &s.assembled.Wrench[i+1]
		sum += w.Force.Norm2() + w.Moment.Norm2()/(l*l)
	}
	violation := 0.0
	for _, e := range s.by.constrained {
		violation += e.SquaredViolation()
	}
	return math.Hypot(math.Sqrt(sum), math.Sqrt(violation)/s.softness)
}

// LargestResidual returns the node with the largest residual and its size as in ResidualNorm, N.
func (s *System) LargestResidual() (node int, residual float64) {
	l := s.Rod.ElementLength
	for i := range s.X {
		w := &s.assembled.Wrench[i+1]
		if f := math.Hypot(w.Force.Norm(), w.Moment.Norm()/l); f > residual {
			node, residual = i+1, f
		}
	}
	return node, residual
}

// SingularNode is the node of the singular pivot of the last factorisation, 0 where there was none.
func (s *System) SingularNode() int { return s.singular + 1 }

// SetRightHandSide makes the assembled residual the right-hand side X.
func (s *System) SetRightHandSide() {
	for i := range s.X {
		w := &s.assembled.Wrench[i+1]
		s.X[i] = spatial.Vec6Of(w.Force, w.Moment)
	}
}

// Factor makes the assembled residual the right-hand side and factors the blocks of the tangent. It
// returns the number of their negative eigenvalues; ok is false where they are singular.
func (s *System) Factor() (negative int, ok bool) {
	s.SetRightHandSide()
	negative, s.singular = s.matrix.Factor()
	return negative, s.singular < 0
}

// FullTangent returns the tangent at the measured iterate as a dense matrix, row-major, of the nodes from 1 on: with its skew part and
// the columns of low rank of a scope, without constraints. It is slow and allocates; the equations are assembled and factored after it.
func (s *System) FullTangent(scope Scope) []float64 {
	n := len(s.X)
	k := make([]float64, 36*n*n)
	at := func(i, j, r, c int) *float64 { return &k[(6*i+r)*6*n+6*j+c] }
	s.Assemble(0)
	for i := range n {
		for j := i; j < n; j++ {
			b, _, ok := s.TangentBlock(i+1, j+1)
			if !ok {
				continue
			}
			for r := range 6 {
				for c := range 6 {
					*at(i, j, r, c) = b[6*r+c]
					*at(j, i, c, r) = b[6*r+c]
				}
			}
		}
	}
	s.Factor()
	s.AddColumns(scope)
	for i := range n {
		if s.Columns.first[i+1] > 0 {
			continue // the columns of the node have it
		}
		skew := s.assembled.SkewPart(i + 1)
		for r := range 6 {
			for c := range 6 {
				*at(i, i, r, c) += skew[6*r+c]
			}
		}
	}
	for p, stiffness := range s.Columns.c[:s.Columns.rank] {
		b, a := s.Columns.b[p], s.Columns.column(p)
		for i := range k {
			row, column := i/(6*n), i%(6*n)
			k[i] += stiffness * b[row/6][row%6] * a[column/6][column%6]
		}
	}
	return k
}

// AddColumns enters what the factored blocks leave out: columns of low rank and the rows of constraints.
func (s *System) AddColumns(scope Scope) {
	s.Columns.reset(&s.assembled)
	for _, e := range s.by.lowRank {
		e.AddColumns(s.State, &s.Columns, scope)
	}
	s.Columns.prepare(s.matrix)
	s.Constraints.reset()
	for k, e := range s.by.constrained {
		s.Constraints.enter(k)
		e.AddRows(s.State, &s.Constraints, scope)
	}
	s.Constraints.prepare(s)
}

// Negative is the number of negative eigenvalues of the tangent with columns and constraints, given that
// of the factored blocks.
func (s *System) Negative(blocks int) int {
	if blocks == 0 && s.Columns.onlyStiffen() {
		return 0 // as constraints, they leave a positive definite matrix so
	}
	return blocks + s.Columns.negative() - s.Constraints.negative()
}

// Solve replaces the right-hand side X by the increment, refined by the skew part of the tangent so
// often. It reports whether the tangent is regular and the constraints have a solution.
func (s *System) Solve(refinements int) (ok bool) {
	if refinements > 0 {
		copy(s.residual, s.X)
	}
	ok = s.solveOnce()
	for range refinements {
		copy(s.unrefined, s.X)
		s.assembled.SkewResidual(s.residual, s.X)
		ok = s.solveOnce() && ok
		if !s.isRefined() {
			copy(s.X, s.unrefined)
			break
		}
	}
	return ok
}

func (s *System) solveOnce() (ok bool) {
	ok = s.Columns.solve(s.matrix, s.X)
	return s.Constraints.solve(s.X) && ok
}

// SolveTangent replaces x by the solution with the last tangent, with which the free rows hold.
func (s *System) SolveTangent(x []spatial.Vec6) (ok bool) {
	ok = s.Columns.solve(s.matrix, x)
	if n := len(s.Constraints.rows); n > 0 {
		ok = s.Constraints.hold(x, s.Constraints.held[:n]) && ok
	}
	return ok
}

// SolveFrom implements Inverse, without constraints.
func (s *System) SolveFrom(first int, x []spatial.Vec6) bool {
	return s.Columns.solveFrom(s.matrix, first, x)
}

// isRefined reports whether the last refinement was small beside the increment: far from the solution it
// may diverge, where the increment of the symmetric tangent is still a descent direction.
func (s *System) isRefined() bool {
	const small = 0.25
	l := s.Rod.ElementLength
	size, change := 0.0, 0.0
	for i := range s.X {
		x, y := &s.X[i], &s.unrefined[i]
		for j := range 3 {
			size = max(size, math.Abs(y[j])/l, math.Abs(y[j+3]))
			change = max(change, math.Abs(x[j]-y[j])/l, math.Abs(x[j+3]-y[j+3]))
		}
	}
	return change <= small*size
}
