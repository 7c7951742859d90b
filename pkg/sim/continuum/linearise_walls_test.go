package continuum_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"sinew/pkg/sim/continuum"
	"sinew/pkg/sim/continuum/continuumtest"
	"sinew/pkg/sim/robotfile"
	"sinew/pkg/sim/spatial"
	"sinew/test/testsize"
)

// TestContactLinearisationAgainstDifferences is that of robots which press on a ball without friction.
func TestContactLinearisationAgainstDifferences(t *testing.T) {
	touched, of := 0, 0
	linearisedAsDifferences(t, func(t *testing.T, r *rand.Rand) (*continuumtest.Robot, *inputs) {
		e, in := touching(t, r)
		if of++; e.Contact != nil && e.Contact.Summary().Count > 0 {
			touched++
		}
		return e, in
	})
	if touched < of/2 {
		t.Errorf("%d of %d robots touch: too few", touched, of)
	}
}

// TestLinearisationBesideWallsThatMove is that of robots on a ball that moves on, and turns, in the step that is linearised.
func TestLinearisationBesideWallsThatMove(t *testing.T) {
	t.Parallel()
	linearisedAsDifferences(t, touching, func(m *continuum.Model) {
		if partsOf(m).Contact != nil {
			m.Command(port(t, m, "ball/pose"), []float64{2e-6, -1e-6, 3e-6, 0, 0, 1e-3, 1})
		}
	})
}

// touching draws a robot without friction that moves, and a ball in its way.
func touching(t *testing.T, r *rand.Rand) (*continuumtest.Robot, *inputs) {
	t.Helper()
	const dt = 1e-3
	f, in := randomRobot(r)
	e := frictionlessAt(t, f, in)
	k := 1 + r.IntN(len(e.System.State.Pose)-1)
	at := e.NodePose(k)
	for range 8 {
		if e.Step(dt, in) != nil {
			break
		}
	}
	way := at.R.ApplyT(e.NodePose(k).P.Sub(at.P))
	way.Z = 0
	radius := 0.01 + 0.02*r.Float64()
	center := at.P.AddScaled(radius+1.0005*e.System.Rod.Section.Radius(), at.R.Apply(way.Unit()))
	f.Environment.Shapes = []robotfile.EnvironmentShape{{Name: "ball", Sphere: &robotfile.Sphere{Center: center, Radius: radius}}}
	e = frictionlessAt(t, f, in)
	for range 5 {
		if e.Step(dt, in) != nil {
			break
		}
	}
	return e, in
}

// besideWalls is the increment of a column of a linearisation by which nothing moves farther than a tenth of the depth over
// which walls press smoothly.
func besideWalls(e *continuumtest.Robot, name string, matrix [][]float64, column int) float64 {
	most := 0.0
	for i := range 6 * (len(e.System.State.Pose) - 1) {
		if i%6 < 3 {
			most = max(most, math.Abs(matrix[i][column]))
		}
	}
	if strings.HasPrefix(name, "base") || strings.HasPrefix(name, "pose.") { // moves by itself
		most = max(most, map[bool]float64{true: e.System.Rod.Length, false: 1}[strings.Contains(name, ".r")])
	}
	return 5e-5 * e.System.Rod.Section.Radius() / most
}

// TestLineariseBesideWalls: a robot that presses on a wall which moves continues as one that was not linearised.
func TestLineariseBesideWalls(t *testing.T) {
	f := wire(12, 0, spatial.Vec{Z: -9.81}, 0, math.Pi)
	f.Environment.Shapes = []robotfile.EnvironmentShape{{Name: "ball", Sphere: &robotfile.Sphere{Center: spatial.Vec{X: 0.0106, Z: 0.12}, Radius: 0.01}}}
	a, b := newModel(t, f), newModel(t, f)
	touched := 0
	for i := range 60 {
		if i%10 == 5 {
			if _, err := a.Linearise(1e-3); err != nil {
				t.Fatal(err)
			}
		}
		for _, m := range []*continuum.Model{a, b} {
			command(t, m, "ball/pose", -1e-5*float64(i), 0, 0, 0, 0, 0, 1)
			if err := m.Step(1e-3); err != nil {
				t.Fatal(err)
			}
		}
		if partsOf(a).Contact.Summary().Count > 0 {
			touched++
		}
	}
	x, y := make([]float64, a.StateLen()), make([]float64, b.StateLen())
	a.Save(x)
	b.Save(y)
	if !slices.Equal(x, y) || touched < 10 {
		t.Errorf("equal %t, it touches in %d steps, the ball is at %v", slices.Equal(x, y), touched, partsOf(a).Contact.WallPose(0).P)
	}
}

// straighten makes the state that of the stress-free rod.
func straighten(e *continuumtest.Robot) {
	e.System.State.Reset()
	e.Stepper.Reset()
	e.System.Reset()
}

// TestJacobianOfTheBaseBesideWalls compares how robots that lean on a ball without friction answer small motions of their base with
// differences of order 4 of their equilibria, by steps over which what walls press is smooth. The tangent of what several places
// of a ball press is not exact.
func TestJacobianOfTheBaseBesideWalls(t *testing.T) {
	t.Parallel()
	robots, wanted, numbers := 0, testsize.Of(3, 10, 30), 0
	worst, several := 0.0, 0.0 // beside one place of a ball, and several
	for seed := uint64(0); robots < wanted && seed < 7*uint64(wanted); seed++ {
		r := rand.New(rand.NewPCG(seed, 53))
		f, in := randomRobot(r)
		for k := range f.Tendons {
			f.Tendons[k].Friction = 0
		}
		free := implicitOf(t, f)
		if free.Equilibrate(in) != nil {
			continue
		}
		n := len(free.System.State.Pose) - 1
		at, section := free.NodePose(n/2+r.IntN(n-n/2)), free.System.Rod.Section.Radius()
		away := at.R.Apply(spatial.Vec{X: r.NormFloat64(), Y: r.NormFloat64()}.Unit())
		radius, deep := 0.01+0.02*r.Float64(), f.Rod.Length*(0.002+0.01*r.Float64())
		f.Environment.Shapes = []robotfile.EnvironmentShape{{Name: "ball", Sphere: &robotfile.Sphere{Center: at.P.AddScaled(radius+section-deep, away), Radius: radius}}}
		f.InitialState = robotfile.Equilibrium // which pushes the rod out of the ball; else the model is refused
		m, err := continuum.New(f)
		if err != nil {
			continue
		}
		e := continuumtest.Of(t, m)
		straighten(e)
		if e.Equilibrate(in) != nil || e.Contact.Summary().Count == 0 || changed(t, e, in, "none", 0) != nil {
			continue
		}
		j, err := differentiated(e, in, loadsOf(e.Model)...) // from the equilibrium to round-off
		if err != nil {
			t.Fatal(err)
		}
		places := e.Contact.Summary().Count
		saved, slack, from := make([]float64, e.StateLen()), inactive(e)[0], e.NodePose(n)
		e.Save(saved)
		robots++
		for k, input := range j.Inputs {
			if !strings.HasPrefix(input, "base.") {
				continue
			}
			most, got, beyond := 1.0, make([]float64, len(j.Outputs)), false // m by one unit
			for i := range 3 {
				most = max(most, math.Abs(j.Values[i][k]), f.Rod.Length*math.Abs(j.Values[3+i][k]))
			}
			h := 1e-4 * section / most
			for _, side := range [...][2]float64{{1, 8. / 12}, {-1, -8. / 12}, {2, -1. / 12}, {-2, 1. / 12}} {
				e.Restore(saved)
				if beyond = changed(t, e, in, input, side[0]*h) != nil || inactive(e)[0] != slack; beyond { // a kink is between
					break
				}
				for i, x := range answer(e, from) {
					got[i] += side[1] * x / h
				}
			}
			if beyond {
				continue
			}
			size := sizes(e, got)
			for i, x := range got[:6] {
				numbers++
				most := &worst
				if places > 1 {
					most = &several
				}
				if d := math.Abs(j.Values[i][k]-x) / size[i/3]; d > *most {
					*most = d
					t.Logf("robot %d: %s by %s is %.9g, by differences %.9g: %.2g", seed, j.Outputs[i], input, j.Values[i][k], x, d)
				}
			}
		}
	}
	t.Logf("%d robots, %d numbers, worst %.2g, beside several places %.2g", robots, numbers, worst, several)
	if robots < wanted || numbers < 1000*wanted/30 || worst > 1e-4 || several > 3e-3 {
		t.Errorf("%d robots, %d numbers, worst %.2g, beside several places %.2g", robots, numbers, worst, several)
	}
}
