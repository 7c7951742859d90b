package strain

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"sinew/pkg/sim/integrate"
	"sinew/pkg/sim/rod"
	"sinew/pkg/sim/spatial"
)

// Tests of what has no exported name.

// The tangent is exact: the derivative of all wrenches, those of dead and follower loads, drag,
// gravity and inertia included.
func TestTangentIsTheDerivativeOfTheWrenches(t *testing.T) {
	OfOrders(t, testTangentIsTheDerivativeOfTheWrenches)
}

func testTangentIsTheDerivativeOfTheWrenches(t *testing.T, order int) {
	const h = 1e-5
	short, long := integrate.NewBDF(2, 0.01, 0.008), integrate.NewBDF(1, 1, 0)
	for _, c := range []struct {
		name string
		o    Options
		f    integrate.BDF
	}{
		{"everything", Everything, short}, {"off centre", EccentricOptions(), short}, {"a step of 1 s", Everything, long}, {"no drag", Options{Gravity: Gravity}, short},
		{"memory", HistoryDependent(), short}, {"memory in a long step", HistoryDependent(), long}, {"loads in the middles", Magnetised(), short}, {"linear drag", Options{Drag: Everything.Drag}, short}, {"quadratic drag", Options{Quadratic: Everything.Quadratic}, short},
	} {
		s := during(t, order, c.o, 1, c.f)
		random := rand.New(rand.NewPCG(2, 0))
		q := Assembled(s)
		for range 4 {
			eta := Increments(random, len(s.Strain), 1)
			before := slices.Clone(s.Strain)
			s.MoveNodes(eta, h)
			up := Assembled(s)
			s.Undo()
			s.MoveNodes(eta, -h)
			down := Assembled(s)
			s.Undo()
			if !slices.Equal(before, s.Strain) {
				t.Fatal("Undo does not return to where MoveNodes began")
			}
			for i, want := range q.resistance(eta) {
				a, b := up.Wrench[i+1], down.Wrench[i+1]
				fall := spatial.Wrench{Force: b.Force.Sub(a.Force), Moment: b.Moment.Sub(a.Moment)}
				Within(t, c.name+": force", Wrench6(fall)[:3], scaled(want[:3], 2*h), 1e-6)
				Within(t, c.name+": moment", Wrench6(fall)[3:], scaled(want[3:], 2*h), 1e-6)
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

// Every node moves by its increment in its own axes, the base does not move, and StrainIncrement is
// the first order of that.
func TestNodesMoveByTheirIncrements(t *testing.T) { OfOrders(t, testNodesMoveByTheirIncrements) }

func testNodesMoveByTheirIncrements(t *testing.T, order int) {
	const h = 1e-6
	s := Between(t, order, Everything, 5)
	random := rand.New(rand.NewPCG(6, 0))
	eta := Increments(random, len(s.Strain), 1)
	Assembled(s)
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
		Within(t, "increment of strain", change, Wrench6(spatial.Wrench{Force: d.Linear, Moment: d.Angular}), 1e-4)
		for _, x := range []float64{d.Linear.X, d.Linear.Y, d.Linear.Z} {
			mostStretch = math.Max(mostStretch, math.Abs(x)/0.1)
		}
		for _, x := range []float64{d.Angular.X, d.Angular.Y, d.Angular.Z} {
			mostTurn = math.Max(mostTurn, math.Abs(x))
		}
	}
	s.Undo()
	Within(t, "largest change", []float64{turn, stretch}, []float64{mostTurn, mostStretch}, 1e-12)

	s.AddStrainIncrement(dx, 0.25)
	for e := range dx {
		if s.elements[e].isLinear {
			want := addInextensible(&strain[e], &dx[e], 0.25)
			Within(t, "moved strain", sixOf(s.Strain[e]), sixOf(want), 1e-15)
			continue
		}
		Within(t, "moved strain", []float64{s.Strain[e].Angular.Y, s.Strain[e].Linear.Z},
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

// The shift is a positive diagonal with the units of the blocks: EI/l³ of an element, and the
// node's inertia in a step.
func TestAddShift(t *testing.T) { OfOrders(t, testAddShift) }

func testAddShift(t *testing.T, order int) {
	for _, static := range []bool{false, true} {
		s := Between(t, order, Everything, 7)
		beta := s.step.beta
		if static {
			s.BeginStatic()
			beta = 0
		}
		const shift, l = 3, 0.1
		plain, q := Assembled(s), Assembled(s)
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

// TransferWrenches converts wrenches of stresses at one shape to those of the same stresses at
// another.
func TestTransferredWrenchesKeepStresses(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 0))
	number := func() float64 { return 2*random.Float64() - 1 }
	vec := func() spatial.Vec { return spatial.Vec{X: number(), Y: number(), Z: number()} }
	const n = 7
	shape := func() StrainDisplacement {
		c := StrainDisplacement{strain: make([]spatial.Twist, n), even: make([]spatial.Even, n)}
		for e := range n {
			c.strain[e] = spatial.Twist{Linear: vec().Add(spatial.Vec{Z: 3}), Angular: vec()}
			c.even[e] = spatial.EvenOf(c.strain[e])
		}
		return c
	}
	here, there := shape(), shape()
	s := &State{Strain: here.strain, evenParts: here.even}
	force, moment := make([]spatial.Vec, n), make([]spatial.Vec, n)
	for e := range n {
		force[e], moment[e] = vec(), vec()
	}
	wrenches := func(c *StrainDisplacement) []spatial.Vec6 {
		all := make([]spatial.Wrench, n+1)
		for e := range n {
			a, b := nodalWrenches(&c.even[e], &c.strain[e], force[e], moment[e])
			all[e].Force, all[e].Moment = all[e].Force.Add(a.Force), all[e].Moment.Add(a.Moment)
			all[e+1].Force, all[e+1].Moment = all[e+1].Force.Add(b.Force), all[e+1].Moment.Add(b.Moment)
		}
		x := make([]spatial.Vec6, n)
		for i := range x {
			x[i] = spatial.Vec6Of(all[i+1].Force, all[i+1].Moment)
		}
		return x
	}
	got, want := wrenches(&here), wrenches(&there)
	there.TransferWrenches(s, got)
	for i := range want {
		for j := range want[i] {
			if !(math.Abs(got[i][j]-want[i][j]) < 1e-12) {
				t.Errorf("node %d: component %d is %v, want %v", i+1, j, got[i][j], want[i][j])
			}
		}
	}
}

// Constants of elements of 0.1, 0.3 and 0.6 m.
func TestUnequalElementsByHand(t *testing.T) {
	r, err := rod.New(rod.Params{
		Length: 1, Elements: 3, Nodes: []float64{0.1, 0.4}, Section: rod.Section{Area: 0.01, I1: 2e-4, I2: 3e-4, J: 4e-4},
		Material: rod.Material{YoungsModulus: 1e4, ShearModulus: 6e3, Density: 1000, ShearCorrection: 0.9}, Base: spatial.IdentityPose(),
	})
	if err != nil {
		t.Fatal(err)
	}
	c := newConstants(r, &Options{})
	for i, length := range []float64{0.05, 0.2, 0.45, 0.3} {
		if d := c.inertia[i].Sub(spatial.Vec{X: 0.2, Y: 0.3, Z: 0.5}.Scale(length)).Norm(); !(d < 1e-15) || !(math.Abs(c.mass[i]-10*length) < 1e-14) {
			t.Errorf("node %d: %g kg, %v kg m², want those of %g m", i, c.mass[i], c.inertia[i], length)
		}
		if want := []float64{0.1, 0.1, 0.3, 0.6}[i]; !(math.Abs(c.minSpacing[i]-want) < 1e-15) {
			t.Errorf("node %d: shorter element %g m, want %g", i, c.minSpacing[i], want)
		}
	}
	for e, l := range []float64{0.1, 0.3, 0.6} {
		if k := c.elements[e].linear.Z * l; !(math.Abs(k-100) < 1e-10) || !(math.Abs(c.elements[e].rest.Linear.Z-l) < 1e-15) {
			t.Errorf("element %d: stretch stiffness %g N, want 100", e, k)
		}
	}
}
