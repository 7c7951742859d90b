package continuum

import (
	"math"

	"sinew/pkg/sim/contact"
	"sinew/pkg/sim/integrate"
	"sinew/pkg/sim/magnetics/attached"
	"sinew/pkg/sim/rod"
	"sinew/pkg/sim/rod/strain"
	"sinew/pkg/sim/spatial"
)

// linearSystem is the equations K x = r of the nodes at an iterate. The symmetric
// part of K is in a skyline but for what the border holds; the skew part is left to
// refinement.
type linearSystem struct {
	nodes         strain.Equations
	bare          strain.Equations // of the same wrenches, with a tangent that nobody reads
	pairs         []*spatial.Mat6  // by gap of the bundle, the block that couples its nodes; nil at the base
	matrix        *integrate.Skyline
	border        border
	cables        *cables
	magnets       *attached.Magnets // nil: none
	attractions   []*spatial.Mat6   // by pair of magnets that act on one another, the block that couples them; nil at the base
	contacts      *contact.Contacts // nil: the rod is alone
	x             []spatial.Vec6    // residual, then increment, of the nodes 1 … n
	residual      []spatial.Vec6    // right-hand side during refinement
	rough         []spatial.Vec6    // increment before the last refinement
	singular      int               // block row of the singular pivot, −1: none
	elementLength float64           // mean, m; moments count as forces on it
	length        float64           // of the rod, m
	arcLengths    []float64         // of the nodes, m
	softness      float64           // L³/EI, m/N: gaps of cables count as forces by it
}

func newLinearSystem(t *tendonSystem, r *rod.Rod, magnets *attached.Magnets) (*linearSystem, error) {
	n, gaps := r.Elements, t.bundle.Gaps()
	var couplings [][2]int
	for _, g := range gaps {
		if g[0] > 0 {
			couplings = append(couplings, [2]int{g[0] - 1, g[1] - 1})
		}
	}
	var pulls [][2]int
	if magnets != nil {
		pulls = magnets.Couplings()
	}
	for _, p := range pulls {
		if p[0] > 0 {
			couplings = append(couplings, [2]int{p[0] - 1, p[1] - 1})
		}
	}
	m, err := integrate.NewSkyline(n, couplings)
	if err != nil {
		return nil, err
	}
	q := &linearSystem{
		nodes: strain.Equations{
			Wrench: make([]spatial.Wrench, n+1), Skew: make([]spatial.Wrench, n+1),
			Diag: make([]*spatial.Mat6, n+1), Next: make([]*spatial.Mat6, n+1),
		},
		pairs: make([]*spatial.Mat6, len(gaps)), matrix: m,
		magnets: magnets, attractions: make([]*spatial.Mat6, len(pulls)),
		x: make([]spatial.Vec6, n), residual: make([]spatial.Vec6, n), rough: make([]spatial.Vec6, n),
		cables:        newCables(len(t.actuators), n),
		elementLength: r.ElementLength,
		length:        r.Length,
		arcLengths:    r.ArcLengths,
		softness:      r.Length * r.Length * r.Length / r.Stiffness.Bend.X,
	}
	for i := 1; i <= n; i++ {
		q.nodes.Diag[i] = m.Diag(i - 1)
		if i < n {
			q.nodes.Next[i] = m.Block(i-1, i)
		}
	}
	for i, g := range gaps {
		if g[0] > 0 {
			q.pairs[i] = m.Block(g[0]-1, g[1]-1)
		}
	}
	for i, p := range pulls {
		if p[0] > 0 {
			q.attractions[i] = m.Block(p[0]-1, p[1]-1)
		}
	}
	q.bare = strain.Equations{
		Wrench: q.nodes.Wrench, Skew: make([]spatial.Wrench, n+1),
		Diag: make([]*spatial.Mat6, n+1), Next: make([]*spatial.Mat6, n+1),
	}
	unread := new(spatial.Mat6)
	for i := 1; i <= n; i++ {
		q.bare.Diag[i], q.bare.Next[i] = unread, unread
	}
	q.border.grow(t.passed(), n)
	return q, nil
}

// assemble takes residual and tangent of everything that acts at its present
// shape and tensions, with shift times a positive diagonal added.
func (q *linearSystem) assemble(s *strain.State, t *tendonSystem, shift float64) {
	q.matrix.ZeroFar()
	s.Elements(&q.nodes)
	t.bundle.Add(s.Pose, &q.nodes, q.pairs)
	if q.magnets != nil {
		q.magnets.Add(s.Placed(), &q.nodes, q.attractions)
	}
	if q.contacts != nil {
		q.contacts.Add(s, &q.nodes)
	}
	s.Nodes(&q.nodes)
	if t.transverse {
		t.bundle.Transverse(s.Pose, q.nodes.Wrench)
	}
	if shift > 0 {
		s.Shift(&q.nodes, shift)
	}
}

// assembleResidual takes the residual of everything but contacts of the rod with itself and leaves
// the tangent that was assembled, or its factors.
func (q *linearSystem) assembleResidual(s *strain.State, t *tendonSystem) {
	*q.bare.Diag[1] = spatial.Mat6{}
	s.Stresses(q.bare.Wrench)
	t.bundle.AddWrenches(s.Pose, q.bare.Wrench)
	if q.magnets != nil {
		q.magnets.Add(s.Placed(), &q.bare, nil)
	}
	if q.contacts != nil {
		q.contacts.AddWrenches(s, q.bare.Wrench)
	}
	s.NodeWrenches(&q.bare)
	if t.transverse {
		t.bundle.Transverse(s.Pose, q.bare.Wrench)
	}
}

// residualNorm is the norm of the assembled residual, N.
func (q *linearSystem) residualNorm() float64 {
	sum, l := 0.0, q.elementLength
	for i := range q.nodes.Wrench[1:] {
		w := &q.nodes.Wrench[i+1]
		sum += w.Force.Norm2() + w.Moment.Norm2()/(l*l)
	}
	return math.Sqrt(sum)
}

// oppose makes the assembled residual the right-hand side.
func (q *linearSystem) oppose() {
	for i := range q.x {
		w := &q.nodes.Wrench[i+1]
		q.x[i] = spatial.Vec6Of(w.Force, w.Moment)
	}
}

// factor makes the assembled residual the right-hand side and factors the matrix.
// It returns the number of negative eigenvalues; ok is false where the matrix is
// singular.
func (q *linearSystem) factor() (negative int, ok bool) {
	q.oppose()
	negative, q.singular = q.matrix.Factor()
	return negative, q.singular < 0
}

// solve replaces the right-hand side by the increment, refined by the skew part of
// the tangent so often. It reports whether the matrix with the border is regular and
// the tensions of cables can be found.
func (q *linearSystem) solve(refinements int) (ok bool) {
	if refinements > 0 {
		copy(q.residual, q.x)
	}
	ok = q.border.solve(q.matrix, q.x)
	ok = q.cables.correct(q.x) && ok
	for range refinements {
		copy(q.rough, q.x)
		q.nodes.SkewResidual(q.residual, q.x)
		ok = q.border.solve(q.matrix, q.x) && ok
		ok = q.cables.correct(q.x) && ok
		if !q.refined() {
			copy(q.x, q.rough)
			break
		}
	}
	return ok
}

// amend makes the increment one by the law of contact. Beside tendons under length control it
// stays one by the tangent.
func (q *linearSystem) amend(s *strain.State) {
	if q.contacts != nil && len(q.cables.list) == 0 {
		q.contacts.Amend(s, q.x, q)
	}
}

// SolveFrom implements contact.Inverse, where no tendon is under length control.
func (q *linearSystem) SolveFrom(first int, x []spatial.Vec6) bool {
	return q.border.solveFrom(q.matrix, first, x)
}

// refined reports whether the last refinement was small beside the increment: far
// from the solution it may diverge, where the increment of the symmetric tangent
// still leads downhill.
func (q *linearSystem) refined() bool {
	const small = 0.25
	l := q.elementLength
	size, change := 0.0, 0.0
	for i := range q.x {
		x, y := &q.x[i], &q.rough[i]
		for j := range 3 {
			size = max(size, math.Abs(y[j])/l, math.Abs(y[j+3]))
			change = max(change, math.Abs(x[j]-y[j])/l, math.Abs(x[j+3]-y[j+3]))
		}
	}
	return change <= small*size
}

// iterate is rod and tendons at the present point of a Newton iteration, and the
// equations there.
type iterate struct {
	rod     *strain.State
	tendons *tendonSystem
	linear  *linearSystem
	dx      []spatial.Twist // increment of the strains
	size    float64         // largest rotation (rad) or relative stretch of an element in it

	contacts *contact.Contacts // nil where the rod is alone
	clip     float64           // share of the increment that takes nothing through a wall

	// byNodes makes increments move every node exactly by its own, at the cost of a
	// logarithm per element. Increments of the strains do that to first order only: the
	// rest adds up along the rod, and in short steps inertia magnifies it.
	byNodes bool
}

// joins is how many columns of the border contacts of the rod with itself have, which addJoins
// enters from column p on.
func (i *iterate) joins() int {
	if i.contacts == nil {
		return 0
	}
	return i.contacts.Rank()
}

func (i *iterate) addJoins(w *border, p int) {
	if i.contacts != nil {
		i.contacts.Columns(i.rod, w.b[p:], w.c[p:])
	}
}

// measure takes the lengths and directions of the tendons, and the gaps of contacts, from the
// poses.
func (i *iterate) measure() {
	i.tendons.bundle.Measure(i.rod.Pose)
	if i.contacts != nil {
		i.contacts.Measure(i.rod)
	}
}

// residualNorm is the norm of the residual, N, to which gaps of the constraints of
// cables count as forces that bend the rod so far.
func (i *iterate) residualNorm() float64 {
	return math.Hypot(i.linear.residualNorm(), i.tendons.violation()/i.linear.softness)
}

// increment turns the solution into an increment of the strains and returns its size.
func (i *iterate) increment() (size float64) {
	i.linear.cables.store(i.tendons)
	turn, stretch := i.rod.Increment(i.linear.x, i.dx)
	i.size = max(turn, stretch)
	if i.contacts != nil {
		i.touch()
	}
	return i.size
}

// touch bounds the increment so that it takes nothing through a wall, and makes it count as
// one that does not end the iteration where it brings contacts or takes them away, or makes
// friction stick or slip.
func (i *iterate) touch() {
	c, x := i.contacts, i.linear.x
	i.clip = c.Clip(i.rod, x)
	if i.size < angleTolerance && (i.clip < 1 || c.IsRough(i.rod, x) || c.IsGripRough(i.rod, x)) {
		i.size = angleTolerance
	}
}

// move adds scale times the increment and remembers where that began.
func (i *iterate) move(scale float64) {
	if i.contacts != nil {
		scale *= i.clip
	}
	if i.byNodes {
		i.rod.MoveNodes(i.linear.x, scale)
	} else {
		i.rod.Move(i.dx, scale)
	}
	i.tendons.move(scale)
	i.measure()
}

// undo returns to where the last move began.
func (i *iterate) undo() {
	i.rod.Undo()
	i.tendons.undo()
	i.measure()
}

// merit is the incremental potential of rod, tendons, magnets and contacts, J.
func (i *iterate) merit() float64 {
	sum := i.tendons.addPotential(i.rod.Potential())
	if m := i.linear.magnets; m != nil {
		sum += m.Potential(i.rod.Placed())
	}
	if i.contacts != nil {
		sum += i.contacts.Potential()
	}
	return sum
}
