package continuum_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"

	"sinew/pkg/sim/continuum"
	"sinew/pkg/sim/continuum/continuumtest"
	"sinew/pkg/sim/continuum/force"
	"sinew/pkg/sim/continuum/motion"
	"sinew/pkg/sim/spatial"
)

// storm makes every tendon jump to 0 or a random tension every 20 ms and the tip
// force every 0.4 s.
type storm struct {
	r       *rand.Rand
	highest float64 // N
	in      *inputs
}

func newStorm(seed uint64, highest float64) *storm {
	return &storm{rand.New(rand.NewPCG(seed, 1)), highest, pulling(0, 0, 0, 0)}
}

func (s *storm) blow(time float64) {
	every := func(period float64) bool { return math.Abs(math.Remainder(time, period)) < 1e-9 }
	if every(0.02) {
		for k := range s.in.Setpoints {
			s.in.Setpoints[k].Tension = 0
			if s.r.IntN(2) == 1 {
				s.in.Setpoints[k].Tension = s.highest * s.r.Float64()
			}
		}
	}
	if every(0.4) {
		s.in.Tip.Force = spatial.Vec{X: s.r.NormFloat64(), Y: s.r.NormFloat64(), Z: s.r.NormFloat64()}.Scale(0.1)
	}
}

// TestStress runs 1, 2 and 5 elements per gap with the solver that ships: realistic
// loads always converge, absurd ones have a shape that the model knows, or end in a
// named error, and are recovered from.
func TestStress(t *testing.T) {
	span := 1.0
	if testing.Short() {
		span = 0.4
	}
	told := stress(t, 4, span)
	stress(t, 2, 0.4*span)
	if !testing.Short() && runtime.GOARCH == "amd64" { // others round otherwise
		testDocument(t, "../../../docs/validation.md", strings.Join(told, "; "))
	}
}

// stress holds storms of so many seconds to their bounds, on elements of an order, and returns
// how they went.
func stress(t *testing.T, order int, span float64) (told []string) {
	for _, c := range []struct {
		highest float64 // N
		divided float64 // largest share of divided steps
		refused float64 // largest share of steps that end in an error
	}{{2, 0.001, 0}, {5, 0.01, 0}, {15, 0.1, 0.05}} {
		steps, refused, divided, iterations := 0, 0, uint64(0), 0
		for _, n := range []int{10, 20, 50} {
			for _, dt := range []float64{1e-3, 5e-4} {
				f := wire(n, 0.0005, sideways, 0, 90, 180, 270)
				f.Rod.Order = order
				e := implicitOf(t, f)
				s := newStorm(uint64(n), c.highest)
				for i := range int(span / dt) {
					s.blow(float64(i) * dt)
					if err := e.Step(dt, s.in); beyondModel(err) {
						refused++
						e.Reset() // as the service of that name does
					} else if err != nil {
						t.Fatal(err)
					}
					if p := e.NodePose(n).P; !p.IsFinite() || p.Norm() > 0.25 {
						t.Fatalf("tip at %v m", p)
					}
					steps++
					iterations += e.Stepper.Report().Iterations
				}
				divided += e.Stepper.Counters().Divided
				// it recovers: at rest again, every step converges
				before := e.Stepper.Counters().Divided
				calm := pulling(1, 0, 0, 0)
				for range 200 {
					if err := e.Step(dt, calm); err != nil {
						t.Fatal(err)
					}
				}
				if late := e.Stepper.Counters().Divided - before; late > 20 {
					t.Errorf("order %d, %g N, n = %d, %g s: %d steps divided after the storm", order, c.highest, n, dt, late)
				}
			}
		}
		t.Logf("order %d, up to %g N: of %d steps %d divided and %d refused, %.2f iterations per step", order, c.highest, steps, divided, refused, float64(iterations)/float64(steps))
		if float64(divided) > c.divided*float64(steps) || float64(refused) > c.refused*float64(steps) {
			t.Errorf("order %d, up to %g N: of %d steps %d divided and %d refused, want at most the shares %g and %g", order, c.highest, steps, divided, refused, c.divided, c.refused)
		}
		told = append(told, strings.ReplaceAll(fmt.Sprintf("up to %g N %d divided, %d refused", c.highest, divided, refused), " 0 ", " none "))
	}
	return told
}

// TestRegularMotionIsCheap holds the bounds on the iterations of regular motion: it
// is what makes the method run in real time.
func TestRegularMotionIsCheap(t *testing.T) {
	for _, n := range []int{20, 100} {
		e := implicitOf(t, wire(n, 0.0005, sideways, 0, 90, 180, 270))
		in := pulling(0, 0, 0, 0)
		for i := range 1000 {
			sweep(in, float64(i)*1e-3)
			if err := e.Step(1e-3, in); err != nil {
				t.Fatal(err)
			}
		}
		mean := float64(e.Stepper.Counters().Iterations) / float64(e.Stepper.Counters().Steps)
		if !(mean <= 3) || e.Stepper.Counters().MaxIterations >= uint64(e.Stepper.IterationCap()) || e.Stepper.Counters().Divided > 0 {
			t.Errorf("n = %d: %.2f iterations on average, %d at most, %d steps unconverged; want at most 3, fewer than %d, none", n, mean, e.Stepper.Counters().MaxIterations, e.Stepper.Counters().Divided, e.Stepper.IterationCap())
		}
	}
}

// A step of regular motion mostly takes one iteration.
func TestRegularStepsTakeOneIteration(t *testing.T) {
	for _, order := range []int{2, 4} {
		f := wire(20, 0.0005, sideways, 0, 90, 180, 270)
		f.Rod.Order = order
		e := implicitOf(t, f)
		in := pulling(0, 0, 0, 0)
		iterations := 0
		for k := range 500 {
			sweep(in, float64(k)*1e-3)
			if err := e.Step(1e-3, in); err != nil {
				t.Fatal(err)
			}
			iterations += e.Stepper.Report().Iterations
		}
		t.Logf("order %d: %d iterations of 500 steps", order, iterations)
		if iterations > 600 {
			t.Errorf("order %d: %d iterations of 500 steps, want at most 600", order, iterations)
		}
	}
}

// TestToleranceIsTightEnough: errors of unfinished iterations add up in the
// velocities, and after a thousand steps are still nothing.
func TestToleranceIsTightEnough(t *testing.T) {
	end := func(set func(*continuumtest.Robot)) spatial.Vec {
		f := wire(20, 0.0005, sideways, 0, 90, 180, 270)
		f.Rod.Damping.KelvinVoigt = 1e-3
		e := implicitOf(t, f)
		set(e)
		in := pulling(0, 0, 0, 0)
		for i := range 1000 {
			sweep(in, float64(i)*1e-3)
			if err := e.Step(1e-3, in); err != nil {
				t.Fatal(err)
			}
		}
		return e.NodePose(20).P
	}
	if d := end(func(*continuumtest.Robot) {}).Sub(end(converged)).Norm(); !(d < 1e-7) {
		t.Errorf("%.3g m from the converged solution, want at most 1e-7", d)
	} else {
		t.Logf("%.3g m from the converged solution", d)
	}
}

// TestModelReports follows the report through the gauges of a model.
func TestModelReports(t *testing.T) {
	f := wire(20, 0.0005, sideways, 0, 90, 180, 270)
	f.Tendons[0].Tension = 2
	m, err := continuum.New(f)
	if err != nil {
		t.Fatal(err)
	}
	for range 3 {
		if err := m.Step(1e-3); err != nil {
			t.Fatal(err)
		}
	}
	values, r := make([]float64, len(m.Gauges())), map[string]float64{}
	m.Measure(values)
	for i, g := range m.Gauges() {
		r[g.Key] = values[i]
	}
	if r["unconverged_steps"] != 0 || r["newton_iterations"] < 1 || r["bdf_order"] != 2 || !(r["newton_increment"] < motion.AngleTolerance) {
		t.Errorf("gauges %v of a regular third step", r)
	}
	if want := 2 / (math.Pi * math.Pi * continuumtest.Of(t, m).System.Mesh.Stiffness.Bend.X / (0.02 * 0.02)); math.Abs(r["thrust_over_buckling_load"]-want) > 1e-12 {
		t.Errorf("total tension %g of the Euler load, want %g", r["thrust_over_buckling_load"], want)
	}
}

func TestLengthControlWithSlack(t *testing.T) {
	for _, k := range []float64{1e3, 1e4, 1e5} {
		f := wire(20, 0.0005, sideways, 0, 90, 180, 270)
		f.Rod.Damping.KelvinVoigt = 1e-3
		in := lengthControlled(f, k, 0)
		e := implicitOf(t, f)
		slack := 0
		for i := range 1000 {
			time := float64(i) * 1e-3
			x, y := 0.008*math.Sin(2*math.Pi*time), 0.008*math.Sin(3*math.Pi*time)
			for j, pull := range []float64{x, y, -x, -y} {
				in.Setpoints[j].Pull = pull
			}
			if err := e.Step(1e-3, in); err != nil {
				t.Fatal(err)
			}
			n, _ := e.Tendons.Inactive()
			slack += n
		}
		if e.Stepper.Counters().Divided > 0 || slack == 0 {
			t.Errorf("k = %g N/m: %d unconverged steps, want none; %d slack tendon-steps, want some", k, e.Stepper.Counters().Divided, slack)
		}
	}
}

func TestStepAllocatesNothing(t *testing.T) {
	f, in := everything()
	e := implicitOf(t, f)
	state := make([]float64, e.StateLen())
	gauges := make([]float64, len(e.Gauges()))
	if n := testing.AllocsPerRun(200, func() {
		if err := e.Step(1e-3, in); err != nil {
			t.Fatal(err)
		}
		e.Save(state)
		e.Restore(state)
		e.Measure(gauges)
		e.BaseWrench(in)
		e.Tendon(0)
	}); n != 0 {
		t.Errorf("%v allocations per step", n)
	}
}

func TestRestoreIsBitIdentical(t *testing.T) {
	f, in := everything()
	e := implicitOf(t, f)
	run := func(e *continuumtest.Robot, n int) []float64 {
		for i := range n {
			in.Setpoints[1].Tension = 3 + math.Sin(float64(i))
			if err := e.Step(1e-3, in); err != nil {
				t.Fatal(err)
			}
		}
		s := make([]float64, e.StateLen())
		e.Save(s)
		return s
	}
	saved := run(e, 37)
	want := run(e, 50)
	twin := implicitOf(t, f)
	twin.Restore(saved)
	for _, x := range []*continuumtest.Robot{twin, e} {
		if x == e {
			x.Restore(saved)
		}
		got := run(x, 50)
		for i := range want {
			if got[i] != want[i] {
				t.Fatalf("value %d of the state is %v, want exactly %v", i, got[i], want[i])
			}
		}
	}
}

func TestBaseBearsTheRobot(t *testing.T) {
	f := wire(20, 0.0005, sideways, 0, 90, 180, 270)
	in := pulling(2, 1, 0.5, 0.5)
	in.Tip = force.TipWrench{Wrench: spatial.Wrench{Force: spatial.Vec{X: 0.01, Y: 0.02}, Moment: spatial.Vec{Z: 0.001}}}
	e := implicitOf(t, f)
	e.Act(in)
	e.Loads.Points = []force.PointLoad{{At: 0.003, Wrench: spatial.Wrench{Force: spatial.Vec{Y: 0.05}}}, {At: 0.1, Wrench: spatial.Wrench{Moment: spatial.Vec{X: 1e-3}}}}
	if err := e.Solver.Solve(0); err != nil {
		t.Fatal(err)
	}
	// everything else that acts on the robot, about the base origin
	force, moment := in.Tip.Force, in.Tip.Moment.Add(e.NodePose(20).P.Cross(in.Tip.Force))
	for i := range 21 {
		w := f.Gravity.Scale(e.System.Rod.NodeMass(i))
		force, moment = force.Add(w), moment.Add(e.NodePose(i).P.Cross(w))
	}
	l := 0.01
	for i, part := range []float64{1 - 0.003/l, 0.003 / l} {
		w := e.Loads.Points[0].Force.Scale(part)
		force, moment = force.Add(w), moment.Add(e.NodePose(i).P.Cross(w))
	}
	moment = moment.Add(e.Loads.Points[1].Moment)
	got := e.System.BaseWrench()
	sum := append(numbers(got.Force.Add(force)), numbers(got.Moment.Add(moment))...)
	for i, x := range sum {
		if math.Abs(x) > 1e-9 {
			t.Errorf("component %d of the sum of all wrenches is %g, want 0", i, x)
		}
	}
}

// TestEnergyIsSpentByDrag compares the energy that a rod loses after a release with
// the work of quadratic drag.
func TestEnergyIsSpentByDrag(t *testing.T) {
	const c, dt = 2.0, 1e-4
	f := bare(1, 10, 1e6, 1e6, 1, 1)
	f.Rod.Damping.QuadraticDrag = c
	e := implicitOf(t, f)
	equilibrate(t, e, &inputs{Tip: force.TipWrench{Wrench: spatial.Wrench{Force: spatial.Vec{X: 0.3}}}})
	free := &inputs{}
	power := func() (p float64) { // c |v|³ per length
		for i := 1; i <= 10; i++ {
			share := 0.1
			if i == 10 {
				share = 0.05
			}
			p += c * share * math.Pow(e.System.Rod.NodeTwist(i).Linear.Norm(), 3)
		}
		return p
	}
	energy := func() float64 { k, u := e.Energy(); return k + u }
	start, spent, before := energy(), 0.0, 0.0
	for range 3000 {
		if err := e.Step(dt, free); err != nil {
			t.Fatal(err)
		}
		now := power()
		spent += dt * (before + now) / 2
		before = now
	}
	lost := start - energy()
	if lost < 0.05*start {
		t.Fatalf("only %g of %g J lost: nothing to compare", lost, start)
	}
	if math.Abs(lost-spent) > 0.01*lost {
		t.Errorf("%g J lost, drag took %g J", lost, spent)
	}
}

func TestVariableStepsAgree(t *testing.T) {
	run := func(steps []float64, times int) []float64 {
		e := implicitOf(t, thesisFile())
		in := pulling(0, 0, 0, 0)
		time := 0.0
		for range times {
			for _, dt := range steps {
				time += dt
				in.Setpoints[0].Tension = 3 * math.Pow(math.Sin(10*math.Pi*time), 2)
				if err := e.Step(dt, in); err != nil {
					t.Fatal(err)
				}
			}
		}
		return tip(e)
	}
	fine := run([]float64{1.25e-4}, 800)
	within(t, "unequal steps", run([]float64{1e-3, 5e-4, 5e-4}, 50), fine, 2e-3)
	within(t, "equal steps", run([]float64{5e-4}, 200), fine, 1e-3)
}

func TestImplicitRefusesWhatItHasNot(t *testing.T) {
	f := wire(20, 0, spatial.Vec{}, 0)
	f.Rod.Damping.PyElasticaNu = 0.1
	if _, err := continuum.New(f); !errors.Is(err, continuum.ErrNotInImplicit) {
		t.Errorf("pyelastica_nu: %v, want ErrNotInImplicit", err)
	}
}
