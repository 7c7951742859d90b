package strain

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"sinew/pkg/sim/integrate"
	"sinew/pkg/sim/spatial"
)

// The tangent is exact: the derivative of all wrenches, those of dead and follower loads, drag,
// gravity and inertia included.
func TestTangentIsTheDerivativeOfTheWrenches(t *testing.T) {
	ofOrders(t, testTangentIsTheDerivativeOfTheWrenches)
}

func testTangentIsTheDerivativeOfTheWrenches(t *testing.T, order int) {
	const h = 1e-5
	short, long := integrate.NewBDF(2, 0.01, 0.008), integrate.NewBDF(1, 1, 0)
	for _, c := range []struct {
		name string
		o    Options
		f    integrate.BDF
	}{
		{"everything", everything, short}, {"off centre", eccentricOptions(), short}, {"a step of 1 s", everything, long}, {"no drag", Options{Gravity: gravity}, short},
		{"memory", historyDependent(), short}, {"memory in a long step", historyDependent(), long}, {"loads in the middles", magnetised(), short}, {"linear drag", Options{Drag: everything.Drag}, short}, {"quadratic drag", Options{Quadratic: everything.Quadratic}, short},
	} {
		s := during(t, order, c.o, 1, c.f)
		random := rand.New(rand.NewPCG(2, 0))
		q := assembled(s)
		for range 4 {
			eta := increments(random, len(s.Strain), 1)
			before := slices.Clone(s.Strain)
			s.MoveNodes(eta, h)
			up := assembled(s)
			s.Undo()
			s.MoveNodes(eta, -h)
			down := assembled(s)
			s.Undo()
			if !slices.Equal(before, s.Strain) {
				t.Fatal("Undo does not return to where MoveNodes began")
			}
			for i, want := range q.resistance(eta) {
				a, b := up.Wrench[i+1], down.Wrench[i+1]
				fall := spatial.Wrench{Force: b.Force.Sub(a.Force), Moment: b.Moment.Sub(a.Moment)}
				within(t, c.name+": force", wrench6(fall)[:3], scaled(want[:3], 2*h), 1e-6)
				within(t, c.name+": moment", wrench6(fall)[3:], scaled(want[3:], 2*h), 1e-6)
			}
		}
	}
}

func scaled(v []float64, by float64) []float64 {
	w := slices.Clone(v)
	for i := range w {
		w[i] *= by
	}
	return w
}

// At the configuration of FreezeLoads the wrenches, those of tendons included, are minus the
// gradient of the potential, in motion and in statics.
func TestWrenchesAreMinusTheGradientOfThePotential(t *testing.T) {
	ofOrders(t, testWrenchesAreMinusTheGradientOfThePotential)
}

func testWrenchesAreMinusTheGradientOfThePotential(t *testing.T, order int) {
	const h = 3e-5
	s, random := moving(t, order, everything, 3)
	tendons := make([]spatial.Wrench, len(s.Pose))
	for i := range tendons {
		tendons[i] = someWrench(random, 1, 0.1)
	}
	compare := func(what string, s *State, extra []spatial.Wrench) {
		t.Helper()
		q := assembled(s)
		for range 6 {
			eta := increments(random, len(s.Strain), 1)
			work := 0.0
			for i := range eta {
				w := q.Wrench[i+1]
				work += w.Force.Add(extra[i+1].Force).Dot(eta[i].Linear()) + w.Moment.Add(extra[i+1].Moment).Dot(eta[i].Angular())
			}
			s.MoveNodes(eta, h)
			fall := -s.Potential()
			s.Undo()
			s.MoveNodes(eta, -h)
			fall += s.Potential()
			s.Undo()
			within(t, what+": work", []float64{fall / (2 * h)}, []float64{work}, 1e-5)
		}
	}
	f := integrate.NewBDF(2, 0.01, 0.008)
	s.Begin(f, 0.7, tendons)
	compare("motion", s, tendons)
	for _, o := range []Options{{Drag: everything.Drag}, {Quadratic: everything.Quadratic}, {RotationalDrag: historyDependent().RotationalDrag}, eccentricOptions(), magnetised(), historyDependent()} {
		one, _ := moving(t, order, o, 4)
		one.Begin(f, 0.7, tendons)
		compare("drag of one kind", one, tendons)
	}

	none := make([]spatial.Wrench, len(s.Pose))
	s.BeginStatic()
	for i := range s.Loads {
		s.Loads[i] = NodeLoad{Force: s.Loads[i].Force}
	}
	s.ScaleGravity(0.3)
	compare("statics", s, none)
	s.FreezeLoads(tendons)
	compare("statics with tendons", s, tendons)
}

// Every node moves by its increment in its own axes, the base does not move, and StrainIncrement is
// the first order of that.
func TestNodesMoveByTheirIncrements(t *testing.T) { ofOrders(t, testNodesMoveByTheirIncrements) }

func testNodesMoveByTheirIncrements(t *testing.T, order int) {
	const h = 1e-6
	s := between(t, order, everything, 5)
	random := rand.New(rand.NewPCG(6, 0))
	eta := increments(random, len(s.Strain), 1)
	assembled(s)
	before, strain := slices.Clone(s.Pose), slices.Clone(s.Strain)
	s.MoveNodes(eta, 0.5)
	for i, g := range s.Pose {
		want := before[i]
		if i > 0 {
			want = want.Mul(spatial.Exp(spatial.Twist{Linear: eta[i-1].Linear().Scale(0.5), Angular: eta[i-1].Angular().Scale(0.5)}))
		}
		if d := want.Inv().Mul(g).Log(); !(d.Linear.Norm() < 1e-12 && d.Angular.Norm() < 1e-12) {
			t.Errorf("node %d is off by %v", i, d)
		}
	}
	s.Undo()

	dx := make([]spatial.Twist, len(s.Strain))
	turn, stretch := s.StrainIncrement(eta, dx)
	mostTurn, mostStretch := 0.0, 0.0
	s.MoveNodes(eta, h)
	for e, d := range dx {
		change := []float64{}
		for _, v := range []spatial.Vec{s.Strain[e].Linear.Sub(strain[e].Linear), s.Strain[e].Angular.Sub(strain[e].Angular)} {
			change = append(change, v.X/h, v.Y/h, v.Z/h)
		}
		within(t, "increment of strain", change, wrench6(spatial.Wrench{Force: d.Linear, Moment: d.Angular}), 1e-4)
		for _, x := range []float64{d.Linear.X, d.Linear.Y, d.Linear.Z} {
			mostStretch = math.Max(mostStretch, math.Abs(x)/0.1)
		}
		for _, x := range []float64{d.Angular.X, d.Angular.Y, d.Angular.Z} {
			mostTurn = math.Max(mostTurn, math.Abs(x))
		}
	}
	s.Undo()
	within(t, "largest change", []float64{turn, stretch}, []float64{mostTurn, mostStretch}, 1e-12)

	s.AddStrainIncrement(dx, 0.25)
	for e := range dx {
		if s.elements[e].isLinear {
			want := addInextensible(&strain[e], &dx[e], 0.25)
			within(t, "moved strain", sixOf(s.Strain[e]), sixOf(want), 1e-15)
			continue
		}
		within(t, "moved strain", []float64{s.Strain[e].Angular.Y, s.Strain[e].Linear.Z},
			[]float64{strain[e].Angular.Y + 0.25*dx[e].Angular.Y, strain[e].Linear.Z + 0.25*dx[e].Linear.Z}, 1e-15)
	}
	for k := range 6 {
		bad := slices.Clone(eta)
		bad[2][k] = math.NaN()
		if turn, stretch = s.StrainIncrement(bad, dx); !math.IsNaN(turn) || !math.IsNaN(stretch) {
			t.Errorf("component %d is NaN: turn %g, stretch %g", k, turn, stretch)
		}
	}
}

// maxAbs covers every component and both signs.
func TestMaxAbs(t *testing.T) {
	for _, c := range []struct {
		m    float64
		v    spatial.Vec
		want float64
	}{
		{0, spatial.Vec{X: -3, Y: 2, Z: 1}, 3}, {0, spatial.Vec{X: 1, Y: -3, Z: 2}, 3}, {0, spatial.Vec{X: 2, Y: 1, Z: -3}, 3},
		{4, spatial.Vec{X: 3, Y: -3, Z: 3}, 4}, {1, spatial.Vec{X: math.NaN(), Y: math.NaN(), Z: math.NaN()}, 1},
	} {
		if got := maxAbs(c.m, c.v); got != c.want {
			t.Errorf("worst(%g, %v) = %g", c.m, c.v, got)
		}
	}
}

// The shift is a positive diagonal with the units of the blocks: EI/l³ of an element, and the
// node's inertia in a step.
func TestAddShift(t *testing.T) { ofOrders(t, testAddShift) }

func testAddShift(t *testing.T, order int) {
	for _, static := range []bool{false, true} {
		s := between(t, order, everything, 7)
		beta := s.step.beta
		if static {
			s.BeginStatic()
			beta = 0
		}
		const shift, l = 3, 0.1
		plain, q := assembled(s), assembled(s)
		s.AddShift(q, shift)
		for i := 1; i < len(s.Pose); i++ {
			stiffest := max(s.rod.Properties[i-1].Stiffness.Bend.X, s.rod.Properties[min(i, len(s.Strain)-1)].Stiffness.Bend.X)
			d := shift * (s.NodeMass(i)*beta + stiffest/math.Pow(l, 3))
			for row := range 6 {
				for column := range row + 1 {
					want := 0.0
					if row == column {
						want = d * []float64{1, 1, 1, l * l, l * l, l * l}[row]
					}
					if got := q.Diag[i][6*row+column] - plain.Diag[i][6*row+column]; !(math.Abs(got-want) <= 1e-9*d) {
						t.Errorf("static %t, node %d: %g on place (%d, %d), want %g", static, i, got, row, column, want)
					}
				}
			}
		}
	}
}

// SkewResidual subtracts the product of SkewPart and x.
func TestSkewResidual(t *testing.T) { ofOrders(t, testSkewResidual) }

func testSkewResidual(t *testing.T, order int) {
	s := between(t, order, everything, 8)
	q := assembled(s)
	random := rand.New(rand.NewPCG(9, 0))
	known, x := increments(random, len(s.Strain), 1), increments(random, len(s.Strain), 1)
	before := slices.Clone(x)
	q.SkewResidual(known, x)
	for i := range x {
		a := q.SkewPart(i + 1)
		y := a.Apply(&before[i])
		want := known[i]
		for k := range want {
			want[k] -= y[k]
		}
		within(t, "residual", x[i][:], want[:], 1e-12)
	}
}
