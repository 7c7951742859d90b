package continuum

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"sinew/pkg/sim"
	"sinew/pkg/sim/continuum/equations"
	"sinew/pkg/sim/continuum/force"
	"sinew/pkg/sim/robotfile"
	"sinew/pkg/sim/spatial"
)

// answer is pose of the tip, against a pose, and tensions of an equilibrium.
func answer(e *implicit, from spatial.Pose) []float64 {
	out := make([]float64, 6, 6+len(e.tendons.Multipliers()))
	tip := e.NodePose(len(e.system.Rod.Pose) - 1)
	tip.P.Sub(from.P).Put(out)
	tip.R.MulT(from.R).Log().Put(out[3:])
	return append(out, e.tendons.Multipliers()...)
}

// changed finds the equilibrium beside the present one with an input changed by h.
func changed(t *testing.T, e *implicit, in *inputs, input string, h float64) error {
	t.Helper()
	now, base := *in, e.system.Rod.Base
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
		e.system.Rod.Base = spatial.Pose{R: spatial.ExpRot(spatial.VecAt(v[3:])).Mul(base.R), P: base.P.Add(spatial.VecAt(v[:]))}
	case "tip_force", "tip_moment":
		v[strings.Index("xyz", name)] = h
		l := force.PointLoad{At: e.system.Mesh.Length, Axes: force.WorldAxes}
		if l.Force = spatial.VecAt(v[:]); kind == "tip_moment" {
			l.Force, l.Moment = spatial.Vec{}, l.Force
		}
		now.Loads = append(slices.Clone(in.Loads), l)
	}
	e.system.Rod.Target = e.system.Rod.Base
	e.system.Rod.UpdateKinematics()
	e.system.UpdateKinematics()
	if err := e.Equilibrate(&now); err != nil {
		return err
	}
	// two increments more, to round-off
	s := e.system
	s.Rod.BeginStatic()
	s.BeginEquilibrium(now.Time - now.Start)
	for range 2 {
		s.Assemble(0)
		if _, ok := s.Factor(); !ok {
			return errors.New("the tangent is singular")
		}
		s.AddColumns(equations.EquilibriumScope)
		if !s.Solve(0) {
			return errors.New("the tangent is singular")
		}
		s.TakeIncrement()
		s.Move(1)
	}
	return nil
}

// differentiated is the Jacobian of the equilibrium under in, in which it leaves the robot.
func differentiated(e *implicit, in *inputs) (*sim.Jacobian, error) {
	e.command(in)
	j, err := e.solver.Jacobian(in.Time-in.Start, nil)
	if err == nil {
		err = e.solver.Check(in.Time)
	}
	e.settle()
	return j, err
}

// inactive are the numbers of tendons under length control that are slack, and that yield.
func inactive(e *implicit) (n [2]int) {
	n[0], n[1] = e.tendons.Inactive()
	return n
}

// TestJacobianAgainstDifferences compares the Jacobian of 50 random robots without friction with
// differences of order 4 of their equilibria.
func TestJacobianAgainstDifferences(t *testing.T) {
	jacobianAsDifferences(t, randomRobot)
}

func jacobianAsDifferences(t *testing.T, random func(*rand.Rand) (*robotfile.Continuum, *inputs)) {
	t.Helper()
	robots, numbers, worst := 0, 0, 0.0
	for seed := uint64(0); robots < 50 && seed < 200; seed++ {
		r := rand.New(rand.NewPCG(seed, 23))
		f, in := random(r)
		for k := range f.Tendons {
			f.Tendons[k].Friction = 0
		}
		e := implicitOf(t, f)
		j, err := differentiated(e, in)
		if err != nil {
			continue
		}
		robots++
		saved := make([]float64, e.StateLen())
		e.Save(saved)
		slack, _ := e.tendons.Inactive()
		from := e.NodePose(len(e.system.Rod.Pose) - 1)
		for k, input := range j.Inputs {
			got := make([]float64, len(j.Outputs))
			most := 0.0 // rad by one unit
			for i := range 3 {
				most = max(most, math.Abs(j.Values[i][k])/f.Rod.Length, math.Abs(j.Values[3+i][k]))
			}
			l, ei := f.Rod.Length, e.system.Mesh.Stiffness.Bend.X
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
	if robots < 50 || numbers < 6000 || worst > 1e-6 {
		t.Errorf("%d robots, %d numbers, worst %.2g", robots, numbers, worst)
	}
}

// TestJacobianLeavesTheState takes the Jacobian of a model in motion: it goes on as one that has none.
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
		for _, m := range []*Model{a, b} {
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
	if _, err := newModel(t, f).Jacobian(); !errors.Is(err, ErrNoJacobian) {
		t.Error(err)
	}
	if _, err := newModel(t, f).Tangent(); !errors.Is(err, ErrNoJacobian) {
		t.Error(err)
	}
}

// sizes are what counts as large in a column of a Jacobian: in translations, rotations and tensions.
func sizes(e *implicit, column []float64) (size [3]float64) {
	l, ei := e.system.Mesh.Length, e.system.Mesh.Stiffness.Bend.X
	for i, x := range column {
		size[min(i/3, 2)] = max(size[min(i/3, 2)], math.Abs(x))
	}
	size[0] = max(size[0], size[1]*l)
	size[1] = max(size[1], size[0]/l)
	size[2] = max(size[2], size[0]*ei/(l*l*l))
	return size
}

// unlike is the largest difference of two Jacobians of a robot.
func unlike(t *testing.T, m *Model, a, b *sim.Jacobian) (worst float64) {
	t.Helper()
	if !slices.Equal(a.Inputs, b.Inputs) || !slices.Equal(a.Outputs, b.Outputs) || !slices.Equal(a.OutputUnits, b.OutputUnits) || !slices.Equal(a.InputUnits, b.InputUnits) {
		t.Fatalf("%v by %v, and %v by %v", a.Outputs, a.Inputs, b.Outputs, b.Inputs)
	}
	for k := range a.Inputs {
		column := make([]float64, len(a.Outputs))
		for i := range column {
			column[i] = a.Values[i][k]
		}
		size := sizes(m.engine.(*implicit), column)
		for i := range column {
			if d := math.Abs(a.Values[i][k] - b.Values[i][k]); d > 0 {
				worst = max(worst, d/size[min(i/3, 2)])
			}
		}
	}
	return worst
}

// randomModel draws a robot without friction, and what acts on it.
func randomModel(t *testing.T, r *rand.Rand) *Model {
	t.Helper()
	f, in := randomRobot(r)
	return modelUnder(t, f, in)
}

// modelUnder makes a model of a robot without friction under what acts on it.
func modelUnder(t *testing.T, f *robotfile.Continuum, in *inputs) *Model {
	t.Helper()
	for k := range f.Tendons {
		f.Tendons[k].Friction = 0
	}
	for i := range in.Loads {
		in.Loads[i].Until = math.Inf(1)
	}
	m := newModel(t, f)
	m.robot.loads = in.Loads
	m.in.Tip = in.Tip
	copy(m.in.Setpoints, in.Setpoints)
	return m
}

// TestTangentAtRest compares the tangent of random robots in equilibrium with their Jacobian.
func TestTangentAtRest(t *testing.T) {
	robots, worst := 0, 0.0
	for seed := uint64(0); robots < 30 && seed < 200; seed++ {
		m := randomModel(t, rand.New(rand.NewPCG(seed, 29)))
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
		if d := unlike(t, m, j, got); d > worst {
			worst = d
			t.Logf("robot %d: %.2g", seed, d)
		}
	}
	if robots < 30 || worst > 1e-7 {
		t.Errorf("%d robots, worst %.2g", robots, worst)
	}
}

// TestTangentInMotion compares the tangent of random robots in motion with the Jacobian of the
// equilibrium which what is out of balance makes their shape, as dead loads of all nodes.
func TestTangentInMotion(t *testing.T) {
	robots, apart, without, worst := 0, 0, 0, 0.0
	for seed := uint64(0); robots < 30 && seed < 200; seed++ {
		m := randomModel(t, rand.New(rand.NewPCG(seed, 31)))
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
		e := m.engine.(*implicit)
		m.setLoads()
		e.command(&m.in)
		if _, err := e.solver.Tangent(); err != nil { // which leaves what is out of balance as loads of the nodes
			t.Fatal(err)
		}
		held := slices.Clone(m.in.Loads)
		for i, l := range e.system.Rod.Loads {
			if i > 0 {
				held = append(held, force.PointLoad{At: e.system.Mesh.ArcLengths[i], Wrench: spatial.Wrench{Force: l.Force, Moment: l.Moment}})
			}
		}
		for _, l := range m.in.Loads { // which Loads of the rod has, too
			if l.Axes == force.WorldAxes {
				l.Force, l.Moment = l.Force.Scale(-1), l.Moment.Scale(-1)
				held = append(held, l)
			}
		}
		if m.in.Tip.Axes == force.WorldAxes {
			held = append(held, force.PointLoad{At: m.robot.rod.Length, Wrench: spatial.Wrench{Force: m.in.Tip.Force.Scale(-1), Moment: m.in.Tip.Moment.Scale(-1)}})
		}
		if err := m.Restore(state); err != nil {
			t.Fatal(err)
		}
		now := m.in
		now.Loads = held
		j, err := differentiated(e, &now)
		if err != nil {
			continue
		}
		robots++
		if d := unlike(t, m, j, got); d > worst {
			worst = d
			t.Logf("robot %d: %.2g", seed, d)
		}
		if err := m.Restore(state); err != nil {
			t.Fatal(err)
		}
		if j, err := m.Jacobian(); err == nil && unlike(t, m, j, got) > 0.01 {
			apart++
		}
	}
	t.Logf("%d robots, worst %.2g; %d of them are far from equilibrium", robots, worst, apart)
	if robots < 30 || apart < 10 || without > robots/4 || worst > 1e-6 {
		t.Errorf("%d robots, worst %.2g; %d of them are far from equilibrium; %d have no tangent", robots, worst, apart, without)
	}
}
