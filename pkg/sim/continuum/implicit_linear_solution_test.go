package continuum

import (
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"sinew/pkg/sim/robotfile"
	"sinew/pkg/sim/spatial"
)

// denseTangent returns the assembled tangent, border and skew part included.
func denseTangent(e *implicit) *mat.Dense {
	e.system.Assemble(0)
	n := len(e.system.X)
	k := mat.NewDense(6*n, 6*n, nil)
	put := func(i, j int, m *spatial.Mat6, sign bool) {
		for a := range 6 {
			for b := range 6 {
				k.Set(6*i+a, 6*j+b, k.At(6*i+a, 6*j+b)+m[6*a+b])
				if sign {
					k.Set(6*j+b, 6*i+a, k.At(6*j+b, 6*i+a)+m[6*a+b])
				}
			}
		}
	}
	for i := range n {
		d, s := *e.at.linear.matrix.Diag(i), e.at.linear.nodes.SkewPart(i+1)
		for a := range 6 {
			for b := a + 1; b < 6; b++ {
				d[6*a+b] = d[6*b+a]
			}
		}
		put(i, i, &d, false)
		put(i, i, &s, false)
		for j := i + 1; j < n; j++ {
			if e.at.linear.matrix.Stored(i, j) {
				put(i, j, e.at.linear.matrix.Block(i, j), true)
			}
		}
	}
	add := func(stiffness float64, b []spatial.Vec6) {
		for p := range 6 * n {
			for q := range 6 * n {
				k.Set(p, q, k.At(p, q)+stiffness*b[p/6][p%6]*b[q/6][q%6])
			}
		}
	}
	for _, f := range e.tendons.friction {
		for j := 0; f != nil && j < f.PassedDisks(); j++ {
			if b := make([]spatial.Vec6, n); f.IsSticking(j) {
				f.AddDistalTensionWrenches(j, e.system.Rod.Pose, false, b)
				add(f.StickStiffness(j), b)
			}
		}
	}
	return k
}

func TestSolutionAgainstDense(t *testing.T) {
	in := pulling(3, 1, 2, 0.5)
	check := func(e *implicit, k mat.Matrix) {
		t.Helper()
		r := residual(e, &e.motion)
		var want mat.VecDense
		if err := want.SolveVec(k, mat.NewVecDense(len(r), r)); err != nil {
			t.Fatal(err)
		}
		if _, _, ok := e.motion.Increment(); !ok {
			t.Fatal("singular")
		}
		size := mat.Norm(&want, math.Inf(1))
		for i := range r {
			if d := math.Abs(e.system.X[i/6][i%6] - want.AtVec(i)); !(d < 1e-9*size) {
				t.Errorf("entry %d: %v, dense %v", i, e.system.X[i/6][i%6], want.AtVec(i))
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
	calm(e, in)
	e.options.refinements = 20
	check(e, denseTangent(e))
	// anywhere the factors are those of the symmetric part
	e = lively(t, thesisFile(), in)
	e.options.refinements = 0
	k := denseTangent(e)
	n, _ := k.Dims()
	symmetric := mat.NewDense(n, n, nil)
	symmetric.Add(k, k.T())
	symmetric.Scale(0.5, symmetric)
	check(e, symmetric)
}

// In statics friction, transverse forces and loads without a potential are part of
// the tangent: the increment takes the residual away, to first order.
func TestStaticIncrementAgainstDifferences(t *testing.T) {
	for _, force := range []robotfile.DiskForce{robotfile.FullDiskForce, robotfile.TransverseDiskForce} {
		t.Run(string(force)+", sliding", func(t *testing.T) { testStaticIncrement(t, force, sliding, 0) })
		for _, displacement := range []float64{1e-6, 0.02, 1} { // all disks slip, a few, none
			t.Run(fmt.Sprintf("%s, %g m", force, displacement), func(t *testing.T) { testStaticIncrement(t, force, gripping, displacement) })
		}
	}
}

func testStaticIncrement(t *testing.T, force robotfile.DiskForce, law frictionLaw, displacement float64) {
	f, in := everything()
	f.DiskForce = force
	f.Tendons[0].Friction = 0.3
	for k := range f.Tendons {
		f.Tendons[k].FrictionDisplacement = displacement
	}
	e := lively(t, f, in)
	e.tendons.past = law == gripping
	s := &e.statics
	s.begin(in)
	if e.tendons.law != law {
		t.Fatalf("law %d", e.tendons.law)
	}
	s.skipFriction = 0
	s.turning = s.turning[:0]
	for i := range e.system.X { // away from equilibrium the skew part counts everywhere
		s.turning = append(s.turning, i+1)
	}
	e.at.linear.border.grow(6*len(s.turning)+s.passed, len(e.system.X))
	s.Assemble(0)
	tauten(e)
	gap := func() float64 { // of the cable
		return e.tendons.stretch(0, in.Setpoints[0]) - e.tendons.Multipliers()[0]/e.tendons.actuators[0].stiffness
	}
	e.tendons.Multipliers()[0] *= 0.9
	tension, gap0 := e.tendons.Multipliers()[0], gap()
	want := residual(e, s)
	if _, _, ok := s.Increment(); !ok || !(tension > 0) || !(gap0 > 0) || s.passed != 4 {
		t.Fatalf("solved %v, tension %g N and gap %g m under length control, %d disks passed with friction", ok, tension, gap0, s.passed)
	}
	change := e.tendons.change[0]
	x, start := append([]spatial.Vec6(nil), e.system.X...), append([]spatial.Twist(nil), e.system.Rod.Strain...)
	const h, tolerance = 2e-6, 1e-7
	perturb(e, x, h)
	e.tendons.Multipliers()[0] = tension + h*change
	plus, gapPlus := residual(e, s), gap()
	copy(e.system.Rod.Strain, start)
	e.system.Rod.UpdateKinematics()
	perturb(e, x, -h)
	e.tendons.Multipliers()[0] = tension - h*change
	minus, gapMinus := residual(e, s), gap()
	within(t, string(force)+": change of the gap", []float64{(gapMinus - gapPlus) / (2 * h)}, []float64{gap0}, tolerance)
	for i := range plus {
		plus[i] = (minus[i] - plus[i]) / (2 * h)
	}
	within(t, string(force)+": change of the residual", plus, want, tolerance)
}
