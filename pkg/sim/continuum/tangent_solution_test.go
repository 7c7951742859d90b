package continuum_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"sinew/pkg/sim/continuum/continuumtest"
	"sinew/pkg/sim/continuum/equations"
	"sinew/pkg/sim/continuum/motion"
	"sinew/pkg/sim/robotfile"
	"sinew/pkg/sim/rod/strain"
	"sinew/pkg/sim/spatial"
)

// fullTangent is the tangent of a step, with its skew part and what sticks.
func fullTangent(e *continuumtest.Robot) *mat.Dense {
	n := 6 * len(e.System.X)
	return mat.NewDense(n, n, e.System.FullTangent(equations.StepScope))
}

func TestSolutionAgainstDense(t *testing.T) {
	in := pulling(3, 1, 2, 0.5)
	check := func(e *continuumtest.Robot, k mat.Matrix, refinements int) {
		t.Helper()
		r := residual(e, e.System)
		var want mat.VecDense
		if err := want.SolveVec(k, mat.NewVecDense(len(r), r)); err != nil {
			t.Fatal(err)
		}
		x := incrementSystem{System: e.System, refinements: refinements}
		if _, _, ok := x.Increment(); !ok {
			t.Fatal("singular")
		}
		size := mat.Norm(&want, math.Inf(1))
		for i := range r {
			if d := math.Abs(e.System.X[i/6][i%6] - want.AtVec(i)); !(d < 1e-9*size) {
				t.Errorf("entry %d: %v, dense %v", i, e.System.X[i/6][i%6], want.AtVec(i))
			}
		}
	}
	// near the solution the refined increment is that of the exact tangent
	e := implicitOf(t, thesisFile())
	for range 5 {
		if err := e.Step(1e-3, in); err != nil {
			t.Fatal(err)
		}
	}
	calm(e, thesisFile(), in)
	check(e, fullTangent(e), 20)
	// anywhere the factors are those of the symmetric part
	e = lively(t, thesisFile(), in)
	k := fullTangent(e)
	n, _ := k.Dims()
	symmetric := mat.NewDense(n, n, nil)
	symmetric.Add(k, k.T())
	symmetric.Scale(0.5, symmetric)
	check(e, symmetric, 0)
}

// In statics friction, transverse forces and loads without a potential are part of
// the tangent: the increment takes the residual away, to first order.
func TestStaticIncrementAgainstDifferences(t *testing.T) {
	for _, force := range []robotfile.DiskForce{robotfile.FullDiskForce, robotfile.TransverseDiskForce} {
		t.Run(string(force)+", sliding", func(t *testing.T) { testStaticIncrement(t, force, false, 0) })
		for _, displacement := range []float64{1e-6, 0.02, 1} { // all disks slip, a few, none
			t.Run(fmt.Sprintf("%s, %g m", force, displacement), func(t *testing.T) { testStaticIncrement(t, force, true, displacement) })
		}
	}
}

// skewRows is an element without wrenches that enters the skew part of the tangent at all nodes.
type skewRows struct{ nodes int }

func (skewRows) UpdateKinematics(*strain.State)                    {}
func (skewRows) Assemble(*strain.State, *strain.Equations)         {}
func (skewRows) AssembleWrenches(*strain.State, *strain.Equations) {}
func (skewRows) Potential(*strain.State) float64                   { return 0 }
func (skewRows) HasPotential() bool                                { return true }
func (skewRows) BaseWrench(*strain.State) (w spatial.Wrench)       { return w }
func (r skewRows) MaxColumns() int                                 { return 6 * r.nodes }
func (r skewRows) AddColumns(_ *strain.State, c *equations.Columns, _ equations.Scope) {
	for i := range r.nodes {
		c.Row(i+1, 0)
	}
}

// testStaticIncrement demands that of the first equilibrium, in which tendons slide, or of one with a predecessor.
func testStaticIncrement(t *testing.T, force robotfile.DiskForce, predecessor bool, displacement float64) {
	f, in := everything()
	f.DiskForce = force
	f.Tendons[0].Friction = 0.3
	for k := range f.Tendons {
		f.Tendons[k].FrictionDisplacement = displacement
	}
	e := implicitOf(t, f)
	if predecessor {
		e = lively(t, f, in)
	} else {
		in.Setpoints[0].Pull = 0.01 // of a robot that is straight
	}
	if e.Tendons.HasPredecessor() != predecessor {
		t.Fatalf("predecessor %t", !predecessor)
	}
	// away from equilibrium the skew part counts everywhere
	q, err := equations.New(e.System.State, e.System.Rod, motion.AngleTolerance, append(slices.Clone(e.System.Elements), skewRows{f.Rod.Elements})...)
	if err != nil {
		t.Fatal(err)
	}
	e.System = q
	beginEquilibrium(e, f, in)
	if !predecessor {
		perturbAll(e)
	}
	q.Assemble(0)
	tauten(e, f, in)
	gap := func() float64 { // of the tendon under length control
		all := make([]float64, len(in.Setpoints))
		e.Tendons.AddGaps(all, 1)
		return all[0]
	}
	e.Tendons.Multipliers()[0] *= 0.9
	tension, gap0 := e.Tendons.Multipliers()[0], gap()
	want := residual(e, q)
	_, ok := q.Factor()
	q.AddColumns(equations.EquilibriumScope)
	ok = q.Solve(0) && ok
	q.TakeIncrement()
	if passed := e.Tendons.MaxColumns(); !ok || !(tension > 0) || !(gap0 > 0) || passed != 4 {
		t.Fatalf("solved %v, tension %g N and gap %g m under length control, %d disks passed with friction", ok, tension, gap0, passed)
	}
	change := e.Tendons.MultiplierIncrements()[0]
	x, start := append([]spatial.Vec6(nil), q.X...), append([]spatial.Twist(nil), q.State.Strain...)
	const h, tolerance = 2e-6, 1e-7
	perturb(e, x, h)
	e.Tendons.Multipliers()[0] = tension + h*change
	plus, gapPlus := residual(e, q), gap()
	copy(q.State.Strain, start)
	q.State.UpdateKinematics()
	perturb(e, x, -h)
	e.Tendons.Multipliers()[0] = tension - h*change
	minus, gapMinus := residual(e, q), gap()
	within(t, string(force)+": change of the gap", []float64{(gapMinus - gapPlus) / (2 * h)}, []float64{gap0}, tolerance)
	for i := range plus {
		plus[i] = (minus[i] - plus[i]) / (2 * h)
	}
	within(t, string(force)+": change of the residual", plus, want, tolerance)
}
