package continuum_test

import (
	"math"
	"slices"
	"testing"

	"sinew/pkg/sim"
	"sinew/pkg/sim/continuum"
	"sinew/pkg/sim/continuum/force"
	"sinew/pkg/sim/robotfile"
	"sinew/pkg/sim/spatial"
)

// TestFrictionIsIndependentOfLimits moves a robot with friction below 4 N under limits
// from 20 N to 1e5 N: the bristles' stiffness once came from the limit, and the tips
// were 1 mm apart.
func TestFrictionIsIndependentOfLimits(t *testing.T) {
	var first []float64
	for _, limit := range []float64{20, 200, 2000, 1e5} {
		f := wire(20, 0.0005, sideways, 0, 90, 180, 270)
		for i := range f.Tendons {
			f.Tendons[i].Friction, f.Tendons[i].Limits.MaxTension = 0.2, limit
		}
		f.Rod.Damping.KelvinVoigt = 1e-3
		e := implicitOf(t, f)
		in := pulling(0, 0, 0, 0)
		for i := range 500 {
			in.Setpoints[0].Tension = 2 - 2*math.Cos(2*math.Pi*float64(i)/250)
			if err := e.Step(1e-3, in); err != nil {
				t.Fatal(err)
			}
		}
		if e.Stepper.Counters().Divided > 0 {
			t.Errorf("limit %g N: %d steps divided", limit, e.Stepper.Counters().Divided)
		}
		if first == nil {
			first = tip(e)
		}
		within(t, "tip", tip(e), first, 0)
	}
}

// TestDragLeavesThePayloadAlone lets a heavy tip swing on a light rod that drag
// damps: the payload, which has none, once decayed with the rate of the rod.
func TestDragLeavesThePayloadAlone(t *testing.T) {
	const rate, payload, dt = 2, 0.2, 5e-5 // 1/s, kg, s
	for _, method := range []robotfile.RodMethod{robotfile.Implicit, robotfile.Explicit} {
		decay := func(drag float64) float64 { // of the energy in a second, undamped rods lose none to drag
			f := silicone(4)
			f.Tendons = nil
			f.Solver.Method, f.Solver.Step = method, dt
			f.Gravity = spatial.Vec{}
			f.Rod.Damping = robotfile.Damping{Drag: drag}
			f.Tip = robotfile.Tip{Mass: payload, Inertia: spatial.Vec{X: 1e-5, Y: 1e-5, Z: 1e-5}}
			f.Loads = []robotfile.RodLoad{{At: f.Rod.Length, Force: spatial.Vec{Y: 0.2}, Until: 0.05}}
			m, err := continuum.New(f)
			if err != nil {
				t.Fatal(err)
			}
			energy := func() float64 {
				return gaugeOf(m, "kinetic_energy") + gaugeOf(m, "elastic_energy")
			}
			var before float64
			for i := range 21000 {
				if i == 1000 {
					before = energy()
				}
				if err := m.Step(dt); err != nil {
					t.Fatal(err)
				}
			}
			return -math.Log(energy() / before)
		}
		lost := decay(rate) - decay(0)
		// of the swinging mass about a quarter of the rod's 0.0237 kg is dragged: 2 rate · 0.03
		t.Logf("%s: %.4f", method, lost)
		if !(lost > 0.01 && lost < 0.25) {
			t.Errorf("%s: the swing loses %g (ln) of its energy in a second; with drag on the payload it is %d", method, lost, 2*rate)
		}
	}
}

// TestBaseFeelsTheDragOfItsNode carries a rod without elements to speak of through the
// fluid: what holds the base bears the drag of all of it.
func TestBaseFeelsTheDragOfItsNode(t *testing.T) {
	f := wire(4, 0, spatial.Vec{})
	f.Rod.Damping = robotfile.Damping{Drag: 50, KelvinVoigt: 1e-3}
	f.Rates.Control = 1000
	e := implicitOf(t, f)
	in := pulling()
	const speed, dt = 0.1, 1e-3 // along the rod
	for i := range 2000 {
		e.MoveBase(spatial.Pose{R: e.System.Rod.Base.R, P: spatial.Vec{Z: speed * dt * float64(i+1)}})
		if err := e.Step(dt, in); err != nil {
			t.Fatal(err)
		}
	}
	r := e.System.Rod
	want := 50 * r.ElementMass * float64(r.Elements) * speed
	if got := e.BaseWrench(in).Force.Z; math.Abs(got-want) > 1e-4*want {
		t.Errorf("the base holds %g N against the drag, want %g", got, want)
	}
}

// TestPullsAreSlewed commands 6 mm at once: the motor takes 60 ms at 0.1 m/s.
func TestPullsAreSlewed(t *testing.T) {
	f := wire(20, 0.0005, sideways, 0)
	f.Tendons[0].Stiffness = math.Inf(1)
	f.Tendons[0].Limits.MaxRate, f.Tendons[0].Limits.MaxPullRate = 1000, 0.1
	m, err := continuum.New(f)
	if err != nil {
		t.Fatal(err)
	}
	in := sim.NewInputs(m)
	for i, p := range m.Ports() {
		if p.Name == "servo_jp" {
			in.Set(i, []float64{0.006})
		}
	}
	pulls, pull := port(t, m, "servo_jp"), make([]float64, 1)
	for i := range 80 {
		in.Advance(1e-3)
		if err := m.Step(1e-3); err != nil {
			t.Fatal(err)
		}
		m.Setpoint(pulls, pull)
		if want, got := min(0.006, 1e-4*float64(i+1)), pull[0]; math.Abs(got-want) > 1e-12 {
			t.Fatalf("pull %g m after %d ms, want %g", got, i+1, want)
		}
	}
}

// TestDisksAreCountedOnce strings four tendons through disks of 2 g: they weighed 8 g.
func TestDisksAreCountedOnce(t *testing.T) {
	mass := func(masses ...float64) float64 {
		f := wire(20, 0, sideways, 0, 90, 180, 270)
		for i, m := range masses {
			f.Tendons[i].Disks.Mass = m
		}
		e, sum := implicitOf(t, f), 0.0
		for i := range e.System.State.Pose {
			sum += e.System.State.NodeMass(i)
		}
		return sum
	}
	within(t, "mass", []float64{mass(0.002, 0.002, 0.002, 0.002)}, []float64{mass(0.002, 0, 0, 0)}, 0)
	// two segments, whose tendons share the near five of ten disks, given in other words, and
	// a disk of the base plate
	near := wire(20, 0.002, sideways, 0, 90)
	near.Tendons[1].Disks = robotfile.Disks{Positions: []float64{1e-9, 0.02, 0.04, 0.06, 0.08 + 1e-10, 0.1, 0.11}, Mass: 0.002}
	on := map[int]float64{} // mass by node
	bare := *near
	bare.Tendons = slices.Clone(near.Tendons)
	for i := range bare.Tendons {
		bare.Tendons[i].Disks.Mass = 0
	}
	with, without := implicitOf(t, near).System.State, implicitOf(t, &bare).System.State
	for i := range with.Pose {
		if m := with.NodeMass(i) - without.NodeMass(i); m > 0 {
			on[i] = m
		}
	}
	if len(on) != 11 {
		t.Errorf("disks on %d nodes, want 11", len(on))
	}
	for node, m := range on {
		if !(math.Abs(m-0.002) < 1e-15) {
			t.Errorf("disk on node %d weighs %g kg, want 0.002", node, m)
		}
	}
	if two, one := mass(0.002, 0.001, 0, 0), mass(0.002, 0, 0, 0); !(two > one) {
		t.Errorf("other disks at the same places weigh nothing: %g kg, %g kg without them", two, one)
	}
}

func TestBaseBearsTheRobot(t *testing.T) {
	f := wire(20, 0.0005, sideways, 0, 90, 180, 270)
	in := pulling(2, 1, 0.5, 0.5)
	in.Tip = force.TipWrench{Wrench: spatial.Wrench{Force: spatial.Vec{X: 0.01, Y: 0.02}, Moment: spatial.Vec{Z: 0.001}}}
	e := implicitOf(t, f)
	e.Act(in)
	e.Loads.Points = []force.PointLoad{{At: 0.003, Wrench: spatial.Wrench{Force: spatial.Vec{Y: 0.05}}}, {At: 0.1, Wrench: spatial.Wrench{Moment: spatial.Vec{X: 1e-3}}}}
	if err := e.Solver.Solve(); err != nil {
		t.Fatal(err)
	}
	// everything else that acts on the robot, about the base origin
	force, moment := in.Tip.Force, in.Tip.Moment.Add(e.NodePose(20).P.Cross(in.Tip.Force))
	for i := range 21 {
		w := f.Gravity.Scale(e.System.State.NodeMass(i))
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
			p += c * share * math.Pow(e.System.State.NodeTwist(i).Linear.Norm(), 3)
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
