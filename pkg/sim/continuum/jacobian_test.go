package continuum_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"sinew/pkg/sim"
	"sinew/pkg/sim/continuum"
	"sinew/pkg/sim/continuum/continuumtest"
	"sinew/pkg/sim/continuum/force"
	"sinew/pkg/sim/robotfile"
	"sinew/pkg/sim/spatial"
	"sinew/test/testsize"
)

// loadsOf are the loads of the robot file of a model.
func loadsOf(m *continuum.Model) (all []force.PointLoad) {
	for _, l := range m.Robot().File().Loads {
		x := force.PointLoad{At: l.At, Wrench: spatial.Wrench{Force: l.Force, Moment: l.Moment}}
		if l.Frame == robotfile.BodyAxes {
			x.Axes = force.BodyAxes
		}
		all = append(all, x)
	}
	return all
}

// act makes commands and loads act on the elements of a robot.
func act(e *continuumtest.Robot, in *inputs, loads []force.PointLoad) {
	e.Act(in)
	e.Loads.Points = loads
}

// changed finds the equilibrium beside the present one with an input changed by h.
func changed(t *testing.T, e *continuumtest.Robot, in *inputs, input string, h float64) error {
	t.Helper()
	now, base, loads := *in, e.System.State.Base, loadsOf(e.Model)
	now.Setpoints = append([]force.Setpoint(nil), in.Setpoints...)
	kind, name, _ := strings.Cut(input, ".")
	var v [6]float64
	switch kind {
	case "tension":
		now.Setpoints[name[0]-'a'].Tension += h
	case "pull":
		now.Setpoints[name[0]-'a'].Pull += h
	case "base":
		v[strings.Index("x y z rxryrz", name)/2] = h
		e.System.State.Base = spatial.Pose{R: spatial.ExpRot(spatial.VecAt(v[3:])).Mul(base.R), P: base.P.Add(spatial.VecAt(v[:]))}
	case "tip_force", "tip_moment":
		v[strings.Index("xyz", name)] = h
		l := force.PointLoad{At: e.System.Rod.Length, Axes: force.WorldAxes}
		if l.Force = spatial.VecAt(v[:]); kind == "tip_moment" {
			l.Force, l.Moment = spatial.Vec{}, l.Force
		}
		loads = append(loads, l)
	}
	e.System.State.Target = e.System.State.Base
	e.System.State.UpdateKinematics()
	e.System.UpdateKinematics()
	act(e, &now, loads)
	if err := solved(e, e.Solver.Solve()); err != nil {
		return err
	}
	return polish(e)
}

// solved makes the iterate at which a search ended with err the state, at rest, and returns why it is no equilibrium.
func solved(e *continuumtest.Robot, err error) error {
	if err == nil {
		err = e.Solver.Check(0)
	}
	e.System.UpdateKinematics()
	e.System.State.CommitEquilibrium()
	e.System.CommitEquilibrium()
	e.Stepper.RestartFrom(e.Solver.Report())
	return err
}

// differentiated is the Jacobian of the equilibrium under in and loads, in which it leaves the robot.
func differentiated(e *continuumtest.Robot, in *inputs, loads ...force.PointLoad) (*sim.Jacobian, error) {
	act(e, in, loads)
	j, err := e.Solver.Jacobian(nil)
	return j, solved(e, err)
}

// inactive are the numbers of tendons under length control that are slack, and that yield.
func inactive(e *continuumtest.Robot) (n [2]int) {
	n[0], n[1] = e.Tendons.Inactive()
	return n
}

// TestJacobianAgainstDifferences compares the Jacobian of random robots without friction with
// differences of order 4 of their equilibria.
func TestJacobianAgainstDifferences(t *testing.T) {
	t.Parallel()
	jacobianAsDifferences(t, randomRobot)
}

func jacobianAsDifferences(t *testing.T, random func(*rand.Rand) (*robotfile.Continuum, *inputs)) {
	t.Helper()
	robots, wanted, numbers, worst := 0, testsize.Of(6, 16, 50), 0, 0.0
	for seed := uint64(0); robots < wanted && seed < 4*uint64(wanted); seed++ {
		r := rand.New(rand.NewPCG(seed, 23))
		f, in := random(r)
		for k := range f.Tendons {
			f.Tendons[k].Friction = 0
		}
		e := implicitOf(t, f)
		j, err := differentiated(e, in, loadsOf(e.Model)...)
		if err != nil {
			continue
		}
		robots++
		saved := make([]float64, e.StateLen())
		e.Save(saved)
		slack, _ := e.Tendons.Inactive()
		from := e.NodePose(len(e.System.State.Pose) - 1)
		for k, input := range j.Inputs {
			got := make([]float64, len(j.Outputs))
			most := 0.0 // rad by one unit
			for i := range 3 {
				most = max(most, math.Abs(j.Values[i][k])/f.Rod.Length, math.Abs(j.Values[3+i][k]))
			}
			l, ei := f.Rod.Length, e.System.Rod.Stiffness.Bend.X
			h := 1e-3 * min(1/most, map[string]float64{"N": ei / (l * l), "N m": ei / l, "m": l, "rad": 1}[j.InputUnits[k]])
			beyond := false
			for _, side := range [...][2]float64{{1, 8. / 12}, {-1, -8. / 12}, {2, -1. / 12}, {-2, 1. / 12}} {
				e.Restore(saved)
				if surrounded(e, f, input, side[0]*h) != nil || changed(t, e, in, input, side[0]*h) != nil || inactive(e)[0] != slack { // a kink is between
					beyond = true
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
			for i, x := range got {
				numbers++
				if d := math.Abs(j.Values[i][k]-x) / size[min(i/3, 2)]; d > worst {
					worst = d
					t.Logf("robot %d: %s by %s is %.9g, by differences %.9g: %.2g", seed, j.Outputs[i], input, j.Values[i][k], x, d)
				}
			}
		}
	}
	t.Logf("%d robots, %d numbers, worst %.2g", robots, numbers, worst)
	if robots < wanted || numbers < 120*wanted || worst > 1e-6 {
		t.Errorf("%d robots, %d numbers, worst %.2g", robots, numbers, worst)
	}
}

// TestJacobianLeavesTheState takes the Jacobian of a model in motion: it continues as one that has none.
func TestJacobianLeavesTheState(t *testing.T) {
	f := wire(12, 0, spatial.Vec{Z: -9.81}, 0, math.Pi)
	a, b := newModel(t, f), newModel(t, f)
	var _ sim.Differentiable = a
	for i := range 60 {
		if i%20 == 5 {
			for _, of := range []func() (*sim.Jacobian, error){func() (*sim.Jacobian, error) { return a.Jacobian() }, a.Tangent} {
				if _, err := of(); err != nil {
					t.Fatal(err)
				}
			}
		}
		for _, m := range []*continuum.Model{a, b} {
			m.Command(0, []float64{1 + 0.01*float64(i), 0.2})
			if err := m.Step(1e-3); err != nil {
				t.Fatal(err)
			}
		}
	}
	x, y := make([]float64, a.StateLen()), make([]float64, b.StateLen())
	a.Save(x)
	b.Save(y)
	for i := range x {
		if x[i] != y[i] {
			t.Fatalf("value %d of the state is %g, without a Jacobian %g", i, x[i], y[i])
		}
	}
	f.Solver.Method, f.Solver.Step = robotfile.Explicit, 1e-7
	if _, err := newModel(t, f).Jacobian(); !errors.Is(err, continuum.ErrNoJacobian) {
		t.Error(err)
	}
	if _, err := newModel(t, f).Tangent(); !errors.Is(err, continuum.ErrNoJacobian) {
		t.Error(err)
	}
}

// unlike is the largest difference of two Jacobians of a robot.
func unlike(t *testing.T, e *continuumtest.Robot, a, b *sim.Jacobian) (worst float64) {
	t.Helper()
	if !slices.Equal(a.Inputs, b.Inputs) || !slices.Equal(a.Outputs, b.Outputs) || !slices.Equal(a.OutputUnits, b.OutputUnits) || !slices.Equal(a.InputUnits, b.InputUnits) {
		t.Fatalf("%v by %v, and %v by %v", a.Outputs, a.Inputs, b.Outputs, b.Inputs)
	}
	for k := range a.Inputs {
		column := make([]float64, len(a.Outputs))
		for i := range column {
			column[i] = a.Values[i][k]
		}
		size := sizes(e, column)
		for i := range column {
			if d := math.Abs(a.Values[i][k] - b.Values[i][k]); d > 0 {
				worst = max(worst, d/size[min(i/3, 2)])
			}
		}
	}
	return worst
}

// frictionless draws a robot without friction, and the commands under which it is.
func frictionless(t *testing.T, r *rand.Rand) (*continuumtest.Robot, *inputs) {
	t.Helper()
	f, in := randomRobot(r)
	return frictionlessAt(t, f, in), in
}

// frictionlessAt makes a robot without friction under commands.
func frictionlessAt(t *testing.T, f *robotfile.Continuum, in *inputs) *continuumtest.Robot {
	t.Helper()
	for k := range f.Tendons {
		f.Tendons[k].Friction = 0
	}
	e := implicitOf(t, f)
	e.Command(in)
	return e
}

// TestTangentAtRest compares the tangent of random robots in equilibrium with their Jacobian.
func TestTangentAtRest(t *testing.T) {
	t.Parallel()
	robots, wanted, worst := 0, testsize.Of(4, 12, 30), 0.0
	for seed := uint64(0); robots < wanted && seed < 7*uint64(wanted); seed++ {
		e, _ := frictionless(t, rand.New(rand.NewPCG(seed, 29)))
		m := e.Model
		if m.Equilibrate() != nil {
			continue
		}
		j, err := m.Jacobian()
		if err != nil {
			continue
		}
		robots++
		got, err := m.Tangent()
		if err != nil {
			t.Fatalf("robot %d: %v", seed, err)
		}
		if d := unlike(t, e, j, got); d > worst {
			worst = d
			t.Logf("robot %d: %.2g", seed, d)
		}
	}
	if robots < wanted || worst > 1e-7 {
		t.Errorf("%d robots, worst %.2g", robots, worst)
	}
}

// TestTangentInMotion compares the tangent of random robots in motion with the Jacobian of the
// equilibrium which what is out of balance makes their shape, as dead loads of all nodes.
func TestTangentInMotion(t *testing.T) {
	robots, wanted, apart, without, worst := 0, testsize.Of(4, 15, 30), 0, 0, 0.0
	for seed := uint64(0); robots < wanted && seed < 7*uint64(wanted); seed++ {
		e, in := frictionless(t, rand.New(rand.NewPCG(seed, 31)))
		m, loads := e.Model, loadsOf(e.Model)
		for range 40 {
			if m.Step(2e-4) != nil {
				break
			}
		}
		got, err := m.Tangent()
		if err != nil {
			t.Logf("robot %d: %v", seed, err)
			without++
			continue
		}
		state := make([]float64, m.StateLen())
		m.Save(state)
		act(e, in, loads)
		if _, err := e.Solver.Tangent(); err != nil { // which leaves what is out of balance as loads of the nodes
			t.Fatal(err)
		}
		held, from := slices.Clone(loads), e.NodePose(len(e.System.State.Pose)-1).P
		for i, l := range e.System.State.Loads {
			if i > 0 {
				held = append(held, force.PointLoad{At: e.System.Rod.ArcLengths[i], Wrench: spatial.Wrench{Force: l.Force, Moment: l.Moment}})
			}
		}
		for _, l := range loads { // which Loads of the rod has, too
			if l.Axes == force.WorldAxes {
				l.Force, l.Moment = l.Force.Scale(-1), l.Moment.Scale(-1)
				held = append(held, l)
			}
		}
		if in.Tip.Axes == force.WorldAxes {
			held = append(held, force.PointLoad{At: e.System.Rod.Length, Wrench: spatial.Wrench{Force: in.Tip.Force.Scale(-1), Moment: in.Tip.Moment.Scale(-1)}})
		}
		if err := m.Restore(state); err != nil {
			t.Fatal(err)
		}
		j, err := differentiated(e, in, held...)
		if tip := e.NodePose(len(e.System.State.Pose) - 1).P; err != nil || tip.Sub(from).Norm() > 1e-6*e.System.Rod.Length {
			continue // under the loads that hold it the shape is unstable, and the search has left it
		}
		robots++
		if d := unlike(t, e, j, got); d > worst {
			worst = d
			t.Logf("robot %d: %.2g", seed, d)
		}
		if err := m.Restore(state); err != nil {
			t.Fatal(err)
		}
		if j, err := m.Jacobian(); err == nil && unlike(t, e, j, got) > 0.01 {
			apart++
		}
	}
	t.Logf("%d robots, worst %.2g; %d of them are far from equilibrium", robots, worst, apart)
	if robots < wanted || apart < wanted/3 || without > robots/4 || worst > 1e-6 {
		t.Errorf("%d robots, worst %.2g; %d of them are far from equilibrium; %d have no tangent", robots, worst, apart, without)
	}
}
