package equations_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"sinew/pkg/sim/continuum/equations"
	"sinew/pkg/sim/rod"
	"sinew/pkg/sim/rod/strain"
	"sinew/pkg/sim/spatial"
)

// inert implements equations.Element without effect.
type inert struct{}

func (inert) UpdateKinematics(*strain.State)                    {}
func (inert) Assemble(*strain.State, *strain.Equations)         {}
func (inert) AssembleWrenches(*strain.State, *strain.Equations) {}
func (inert) Potential(*strain.State) float64                   { return 0 }
func (inert) HasPotential() bool                                { return true }
func (inert) BaseWrench(*strain.State) (w spatial.Wrench)       { return w }

// bed is a stiffness of either sign against the motion of each node, and wrenches.
type bed struct {
	inert
	stiffness, wrench []spatial.Vec6 // of the nodes from 1 on
}

func (b *bed) Assemble(state *strain.State, q *strain.Equations) {
	b.AssembleWrenches(state, q)
	for i := range b.stiffness {
		for c, k := range b.stiffness[i] {
			q.Diag[i+1][7*c] += k
		}
	}
}

func (b *bed) AssembleWrenches(_ *strain.State, q *strain.Equations) {
	for i := range b.wrench {
		w := &q.Wrench[i+1]
		w.Force, w.Moment = w.Force.Add(spatial.VecAt(b.wrench[i][:])), w.Moment.Add(spatial.VecAt(b.wrench[i][3:]))
	}
}

// row is a unilateral constraint on the nodes from 1 on.
type row struct {
	direction                          []spatial.Vec6
	gap, multiplier, limit, compliance float64
}

// constrained are rows that share compliance.
type constrained struct {
	inert
	rows                []row
	shared              []float64 // row-major, m/N
	increment           []float64
	multipliers, before []float64
}

var _ equations.Constrained = (*constrained)(nil)

func (e *constrained) MaxRows() int { return len(e.rows) }

func (e *constrained) AddRows(_ *strain.State, c *equations.Constraints, _ equations.Scope) {
	for k := range e.rows {
		r := c.Next(k)
		copy(r.B, e.rows[k].direction)
		copy(r.A, e.rows[k].direction)
	}
	e.UpdateRows(c)
	n := len(e.rows)
	for i, m := range e.shared {
		c.AddCompliance(i/n, i%n, m)
	}
}

func (e *constrained) UpdateRows(c *equations.Constraints) {
	all := c.Rows()
	for k := range all {
		r := &e.rows[all[k].ID]
		all[k].Gap, all[k].Multiplier, all[k].Max, all[k].Compliance = r.gap, r.multiplier, r.limit, r.compliance
	}
}

func (e *constrained) SetIncrement(c *equations.Constraints) {
	for _, r := range c.Rows() {
		e.increment[r.ID] = r.Increment
	}
}

func (e *constrained) Multipliers() []float64              { return e.multipliers }
func (e *constrained) MultiplierIncrements() []float64     { return e.increment }
func (e *constrained) MultiplierNames() []string           { return nil }
func (e *constrained) ClearMultipliers()                   {}
func (e *constrained) SquaredViolation() float64           { return 0 }
func (e *constrained) AddGaps([]float64, float64)          {}
func (e *constrained) AddBounds(_, _ []float64, _ float64) {}
func (e *constrained) IsConstrained() bool                 { return true }

func (e *constrained) Move(scale float64) {
	copy(e.before, e.multipliers)
	for k, f := range e.increment {
		e.multipliers[k] += scale * f
	}
}

func (e *constrained) Undo() { copy(e.multipliers, e.before) }

// violation is by how much increments x of the nodes and those of the multipliers fall short of a solution of the rows: by their
// bounds, N, and by their gaps between and at them, m.
func (e *constrained) violation(x []spatial.Vec6) (worst float64) {
	const near = 1e-9
	for p := range e.rows {
		r := &e.rows[p]
		after := r.multiplier + e.increment[p]
		gap := r.gap + equations.Inner(r.direction, x) - r.compliance*e.increment[p]
		for q, y := range e.increment {
			gap -= e.shared[p*len(e.rows)+q] * y
		}
		worst = max(worst, -after, after-r.limit)
		switch {
		case after < near:
			worst = max(worst, gap)
		case after > r.limit-near:
			worst = max(worst, -gap)
		default:
			worst = max(worst, math.Abs(gap))
		}
	}
	return worst
}

// wall is a linear law of a gap that is open at the iterate, so that the tangent knows nothing of it.
type wall struct {
	direction      []spatial.Vec6
	gap, stiffness float64 // m, N/m
	force          float64 // of the increment, N
	isSelected     bool
}

func (w *wall) AddUnitWrench(dst []spatial.Vec6) (first int) {
	equations.AddScaled(dst, 1, w.direction)
	return 0
}

func (w *wall) depth(change float64) float64 { return max(0, -w.gap-change) }

func (w *wall) GapChange(x []spatial.Vec6) float64   { return equations.Inner(w.direction, x) }
func (w *wall) ResidualForce(change float64) float64 { return w.stiffness * w.depth(change) }
func (w *wall) Energy(change float64) (stored, taken float64) {
	return 0.5 * w.stiffness * w.depth(change) * w.depth(change), 0
}
func (w *wall) GapScale() float64            { return 1 }
func (w *wall) CorrectionForce() float64     { return w.force }
func (w *wall) SetCorrectionForce(f float64) { w.force = f }

func (w *wall) ResidualStiffness(change float64) float64 {
	if w.depth(change) > 0 {
		return -w.stiffness
	}
	return 0
}

// walls are an element.
type walls struct {
	inert
	all []wall
}

var _ equations.Regularised = (*walls)(nil)

func (e *walls) BeginCorrection(*strain.State, []spatial.Vec6) {
	for i := range e.all {
		e.all[i].force, e.all[i].isSelected = 0, false
	}
}

func (e *walls) SelectRows(_ *strain.State, x []spatial.Vec6, rows []equations.RegularisedRow) []equations.RegularisedRow {
	for i := range e.all {
		if w := &e.all[i]; !w.isSelected && w.depth(w.GapChange(x)) > 0 {
			w.isSelected = true
			rows = append(rows, w)
		}
	}
	return rows
}

// increment is an increment of the nodes of a soft rod of 1 m with rows and walls.
type increment struct {
	*equations.System
	bed     bed
	rows    constrained
	walls   walls
	tangent []float64 // the symmetric part of that of the nodes, dense
}

// newSystem makes the equations of a soft rod of 1 m on a bed, and returns the symmetric part of their tangent, dense.
func newSystem(t *testing.T, on *bed, elements ...equations.Element) (s *equations.System, tangent []float64) {
	t.Helper()
	n := 6 * len(on.stiffness)
	mesh, err := rod.New(rod.Params{
		Length: 1, Elements: len(on.stiffness), Section: rod.Ring(0.1, 0), Base: spatial.IdentityPose(),
		Material: rod.Material{YoungsModulus: 100, ShearModulus: 40, Density: 1, ShearCorrection: 0.9, Law: rod.Linear},
	})
	if err != nil {
		t.Fatal(err)
	}
	if s, err = equations.New(strain.New(mesh, strain.Options{}), mesh, 1e-5, append([]equations.Element{on}, elements...)...); err != nil {
		t.Fatal(err)
	}
	s.State.BeginStatic()
	full := s.FullTangent(equations.EquilibriumScope)
	for i := range full {
		tangent = append(tangent, 0.5*(full[i]+full[i%n*n+i/n]))
	}
	return s, tangent
}

// newIncrement makes the equations of a rod on a bed of such stiffness, N/m and N m.
func newIncrement(t *testing.T, stiffness, wrench []spatial.Vec6, rows constrained, all ...wall) *increment {
	t.Helper()
	x := &increment{bed: bed{stiffness: stiffness, wrench: wrench}, rows: rows, walls: walls{all: all}}
	for _, v := range []*[]float64{&x.rows.increment, &x.rows.multipliers, &x.rows.before} {
		*v = make([]float64, len(rows.rows))
	}
	x.System, x.tangent = newSystem(t, &x.bed, &x.rows, &x.walls)
	return x
}

// solve solves for the increment, without walls if withWalls is false. It returns the number of negative eigenvalues of the
// tangent with the constraints.
func (x *increment) solve(withWalls bool) (negative int, ok bool) {
	x.Assemble(0)
	negative, _ = x.Factor()
	x.AddColumns(equations.EquilibriumScope)
	ok = x.Solve(0)
	negative = x.Negative(negative)
	if withWalls {
		x.CorrectIncrement()
	}
	x.TakeIncrement()
	return negative, ok
}

// residual is by how much the nodes are out of balance after the increment, N and N m.
func (x *increment) residual() (worst float64) {
	n := len(x.X)
	left := make([]spatial.Vec6, n)
	copy(left, x.bed.wrench)
	for k, f := range x.rows.increment {
		equations.AddScaled(left, -f, x.rows.rows[k].direction)
	}
	for i := range x.walls.all {
		equations.AddScaled(left, x.walls.all[i].force, x.walls.all[i].direction)
	}
	for i := range 6 * n {
		r := left[i/6][i%6]
		for j := range 6 * n {
			r -= x.tangent[6*n*i+j] * x.X[j/6][j%6]
		}
		worst = max(worst, math.Abs(r))
	}
	return worst
}

// largest is the largest component of the increment, at least 1.
func (x *increment) largest() (size float64) {
	size = 1
	for i := range x.X {
		for _, c := range x.X[i] {
			size = max(size, math.Abs(c))
		}
	}
	return size
}

// lawError is by how much the force of a wall is off its law, N.
func (x *increment) lawError() (worst float64) {
	for i := range x.walls.all {
		w := &x.walls.all[i]
		worst = max(worst, math.Abs(w.force-w.ResidualForce(w.GapChange(x.X))))
	}
	return worst
}

// random draws increments of nodes in which half of the components are 0.
func random(r *rand.Rand, nodes int, scale float64) []spatial.Vec6 {
	x := make([]spatial.Vec6, nodes)
	for i := range x {
		for c := range x[i] {
			x[i][c] = scale * r.NormFloat64() * float64(r.IntN(2))
		}
	}
	return x
}

// randomRows draws rows of which some are at a bound, with own and shared compliance.
func randomRows(r *rand.Rand, count, nodes int) (e constrained) {
	e.shared = make([]float64, count*count)
	for range count {
		x := row{direction: random(r, nodes, 1), gap: 0.3 * r.NormFloat64(), limit: 0.1 + r.Float64(), compliance: []float64{0, 0.1, 1}[r.IntN(3)]}
		x.multiplier = x.limit * []float64{0, 0, r.Float64(), 1}[r.IntN(4)]
		e.rows = append(e.rows, x)
	}
	for range r.IntN(3) {
		share := make([]float64, count)
		for i := range share {
			share[i] = r.NormFloat64()
		}
		for i := range e.shared {
			e.shared[i] += share[i/count] * share[i%count]
		}
	}
	return e
}

// randomWalls draws up to three walls.
func randomWalls(r *rand.Rand, nodes int) (all []wall) {
	for range 1 + r.IntN(3) {
		all = append(all, wall{direction: random(r, nodes, 1), gap: 0.1 * r.Float64(), stiffness: math.Pow(10, 3*r.Float64())})
	}
	return all
}

// TestCorrectedIncrementsSolveAllLaws solves random stable rods with constraints, some of which share compliance, that touch walls: the
// nodes are in balance, each wall has the force of its law, and each multiplier that of its constraint.
func TestCorrectedIncrementsSolveAllLaws(t *testing.T) {
	const nodes, problems, tolerance = 2, 2000, 1e-8
	r := rand.New(rand.NewPCG(31, 7))
	changed := 0
	for k := range problems {
		stiffness := random(r, nodes, 1)
		for i := range stiffness {
			for c := range stiffness[i] {
				stiffness[i][c] = 0.5 + math.Abs(stiffness[i][c])
			}
		}
		x := newIncrement(t, stiffness, random(r, nodes, 1), randomRows(r, 1+r.IntN(4), nodes), randomWalls(r, nodes)...)
		if _, ok := x.solve(false); !ok {
			t.Fatalf("problem %d: no increment by the tangent", k)
		}
		without := slices.Clone(x.rows.increment)
		x.solve(true)
		if v := max(x.residual(), x.lawError(), x.rows.violation(x.X)); !(v <= tolerance) {
			t.Fatalf("problem %d: out of balance by %.3g N, force of a wall off its law by %.3g N, constraints off by %.3g, allowed: %g",
				k, x.residual(), x.lawError(), x.rows.violation(x.X), tolerance)
		}
		for i, f := range x.rows.increment {
			before, after := x.rows.rows[i].multiplier+without[i], x.rows.rows[i].multiplier+f
			if (before < tolerance) != (after < tolerance) {
				changed++
			}
		}
	}
	if changed < problems/20 {
		t.Errorf("walls release or load %d constraints, want at least %d", changed, problems/20)
	}
}

// TestIncrementsOfUnstableRods solves random rods of which most are unstable, so that there may be no forces of walls and constraints that
// hold them: whether or not the increment is corrected, the nodes are in balance and the constraints hold.
func TestIncrementsOfUnstableRods(t *testing.T) {
	const nodes, problems, tolerance = 2, 500, 1e-7
	r := rand.New(rand.NewPCG(31, 8))
	for k := range problems {
		x := newIncrement(t, random(r, nodes, 5), random(r, nodes, 1), randomRows(r, 1+r.IntN(3), nodes), randomWalls(r, nodes)...)
		if _, ok := x.solve(false); !ok {
			continue
		}
		x.solve(true)
		if v := max(x.residual(), x.rows.violation(x.X)); !(v <= tolerance*x.largest()) {
			t.Fatalf("problem %d: out of balance by %.3g N, constraints off by %.3g", k, x.residual(), x.rows.violation(x.X))
		}
	}
}

// TestMovesTakeMultipliersAlong moves an iterate by half of an increment, undoes that, and returns to it after a whole one: strains and
// multipliers are as before.
func TestMovesTakeMultipliersAlong(t *testing.T) {
	const nodes = 2
	r := rand.New(rand.NewPCG(31, 10))
	e := randomRows(r, 2, nodes)
	for i := range e.rows {
		e.rows[i].multiplier, e.rows[i].limit = 10, 20
	}
	x := newIncrement(t, make([]spatial.Vec6, nodes), random(r, nodes, 0.01), e)
	copy(x.rows.multipliers, []float64{10, 10})
	if _, ok := x.solve(false); !ok || x.rows.increment[0] == 0 || x.rows.increment[1] == 0 {
		t.Fatalf("increments of the multipliers %v, solved: %t", x.rows.increment, ok)
	}
	start := x.Present()
	is := func(when string) {
		t.Helper()
		if now := x.Present(); !slices.Equal(now.Strain, start.Strain) || !slices.Equal(now.Multipliers[0], start.Multipliers[0]) {
			t.Errorf("%s: the iterate is %+v, want %+v", when, now, start)
		}
	}
	x.Move(0.5)
	if want := 10 + 0.5*x.rows.increment[1]; x.rows.multipliers[1] != want || slices.Equal(x.Present().Strain, start.Strain) {
		t.Errorf("half of the increment: a multiplier of %g N, want %g N", x.rows.multipliers[1], want)
	}
	x.Undo()
	is("after Undo")
	x.Move(1)
	x.MoveTo(start)
	is("after MoveTo")
}

// TestConstraintsCountNegativeEigenvalues compares the number of negative eigenvalues of random tangents with free rows with
// that of the dense tangent to which these add the inverse of their compliance.
func TestConstraintsCountNegativeEigenvalues(t *testing.T) {
	const nodes = 2
	r := rand.New(rand.NewPCG(3, 31))
	changed := 0
	for k := range 500 {
		count := 1 + r.IntN(3)
		e := randomRows(r, count, nodes)
		for i := range e.rows { // far from their bounds
			e.rows[i].multiplier, e.rows[i].limit, e.rows[i].compliance = 1e6, 2e6, []float64{0.1, 1, 10}[r.IntN(3)]
		}
		x := newIncrement(t, random(r, nodes, 10), random(r, nodes, 1), e)
		n := 6 * nodes
		all := mat.NewSymDense(n, nil)
		for i := range n {
			for j := range i + 1 {
				all.SetSym(i, j, x.tangent[i*n+j])
			}
		}
		unconstrained := negativeEigenvalues(t, all)
		columns, compliance := mat.NewDense(n, count, nil), mat.NewDense(count, count, slices.Clone(e.shared))
		for p := range e.rows {
			for i := range n {
				columns.Set(i, p, e.rows[p].direction[i/6][i%6])
			}
			compliance.Set(p, p, compliance.At(p, p)+e.rows[p].compliance)
		}
		var solved, added mat.Dense
		if err := solved.Solve(compliance, columns.T()); err != nil {
			t.Fatal(err)
		}
		added.Mul(columns, &solved)
		for i := range n {
			for j := range i + 1 {
				all.SetSym(i, j, all.At(i, j)+0.5*(added.At(i, j)+added.At(j, i)))
			}
		}
		want := negativeEigenvalues(t, all)
		got, ok := x.solve(false)
		if ok && got != want {
			t.Errorf("problem %d: %d negative eigenvalues, want %d", k, got, want)
		}
		if want != unconstrained {
			changed++
		}
	}
	if changed < 30 {
		t.Errorf("%d sets of rows change the number", changed)
	}
}

func negativeEigenvalues(t *testing.T, m mat.Symmetric) (count int) {
	t.Helper()
	var e mat.EigenSym
	if !e.Factorize(m, false) {
		t.Fatal("no eigenvalues")
	}
	for _, x := range e.Values(nil) {
		if x < 0 {
			count++
		}
	}
	return count
}
