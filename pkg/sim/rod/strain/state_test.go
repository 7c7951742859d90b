package strain_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"sinew/pkg/sim/integrate"
	"sinew/pkg/sim/rod/strain"
	"sinew/pkg/sim/spatial"
)

// At the configuration of FreezeLoads the wrenches, those of tendons included, are minus the
// gradient of the potential, in motion and in statics.
func TestWrenchesAreMinusTheGradientOfThePotential(t *testing.T) {
	strain.OfOrders(t, testWrenchesAreMinusTheGradientOfThePotential)
}

func testWrenchesAreMinusTheGradientOfThePotential(t *testing.T, order int) {
	const h = 3e-5
	s, random := strain.Moving(t, order, strain.Everything, 3)
	tendons := make([]spatial.Wrench, len(s.Pose))
	for i := range tendons {
		tendons[i] = strain.SomeWrench(random, 1, 0.1)
	}
	compare := func(what string, s *strain.State, extra []spatial.Wrench) {
		t.Helper()
		q := strain.Assembled(s)
		for range 6 {
			eta := strain.Increments(random, len(s.Strain), 1)
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
			strain.Within(t, what+": work", []float64{fall / (2 * h)}, []float64{work}, 1e-5)
		}
	}
	f := integrate.NewBDF(2, 0.01, 0.008)
	s.Begin(f, 0.7, tendons)
	compare("motion", s, tendons)
	for _, o := range []strain.Options{{Drag: strain.Everything.Drag}, {Quadratic: strain.Everything.Quadratic}, {RotationalDrag: strain.HistoryDependent().RotationalDrag}, strain.EccentricOptions(), strain.Magnetised(), strain.HistoryDependent()} {
		one, _ := strain.Moving(t, order, o, 4)
		one.Begin(f, 0.7, tendons)
		compare("drag of one kind", one, tendons)
	}

	none := make([]spatial.Wrench, len(s.Pose))
	s.BeginStatic()
	for i := range s.Loads {
		s.Loads[i] = strain.NodeLoad{Force: s.Loads[i].Force}
	}
	s.ScaleGravity(0.3)
	compare("statics", s, none)
	s.FreezeLoads(tendons)
	compare("statics with tendons", s, tendons)
}

// maxAbs covers every component, both signs and NaN.
func TestMaxAbs(t *testing.T) {
	for _, c := range []struct {
		m    float64
		v    spatial.Vec
		want float64
	}{
		{0, spatial.Vec{X: -3, Y: 2, Z: 1}, 3}, {0, spatial.Vec{X: 1, Y: -3, Z: 2}, 3}, {0, spatial.Vec{X: 2, Y: 1, Z: -3}, 3},
		{4, spatial.Vec{X: 3, Y: -3, Z: 3}, 4}, {1, spatial.Vec{X: math.NaN()}, math.NaN()}, {1, spatial.Vec{Z: math.NaN()}, math.NaN()},
	} {
		if got := strain.MaxAbs(c.m, c.v); got != c.want && !(math.IsNaN(got) && math.IsNaN(c.want)) {
			t.Errorf("maxAbs(%g, %v) = %g, want %g", c.m, c.v, got, c.want)
		}
	}
}

// SkewResidual subtracts the product of SkewPart and x.
func TestSkewResidual(t *testing.T) { strain.OfOrders(t, testSkewResidual) }

func testSkewResidual(t *testing.T, order int) {
	s := strain.Between(t, order, strain.Everything, 8)
	q := strain.Assembled(s)
	random := rand.New(rand.NewPCG(9, 0))
	known, x := strain.Increments(random, len(s.Strain), 1), strain.Increments(random, len(s.Strain), 1)
	before := slices.Clone(x)
	q.SkewResidual(known, x)
	for i := range x {
		a := q.SkewPart(i + 1)
		y := a.Apply(&before[i])
		want := known[i]
		for k := range want {
			want[k] -= y[k]
		}
		strain.Within(t, "residual", x[i][:], want[:], 1e-12)
	}
}
