package continuum_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"sinew/pkg/sim/continuum/continuumtest"
	"sinew/pkg/sim/continuum/force"
	"sinew/pkg/sim/robotfile"
	"sinew/pkg/sim/spatial"
)

// bending is a rod of silicone, straight up, without weight and next to no mass, which a moment at its tip
// bends uniformly.
func bending(order int) *robotfile.Continuum {
	f := silicone(6)
	f.Tendons = nil
	f.Base = robotfile.Base{Direction: spatial.Vec{Z: 1}, Normal: spatial.Vec{X: 1}}
	f.Gravity = spatial.Vec{}
	f.Rod.Density, f.Rod.Order = 1e-6, order
	f.Solver = robotfile.RodSolver{Method: robotfile.Implicit, Step: 1e-3}
	return f
}

// bendingStiffness is EI of the rod, N m².
func bendingStiffness(f *robotfile.Continuum) float64 {
	return f.Rod.YoungsModulus * math.Pi / 4 * math.Pow(f.Rod.Radius, 4)
}

// twistedBy are inputs of a moment about y at the tip.
func twistedBy(moment float64) *inputs {
	return &inputs{Tip: force.TipWrench{Wrench: spatial.Wrench{Moment: spatial.Vec{Y: moment}}}}
}

// angle is by how much the tip has turned about y.
func angle(e *continuumtest.Robot) float64 {
	z := e.NodePose(e.System.Rod.Elements).R.Col3()
	return math.Atan2(z.X, z.Z)
}

// forOrders runs a test with elements of both orders.
func forOrders(t *testing.T, test func(t *testing.T, order int)) {
	for _, order := range orders() {
		t.Run(fmt.Sprintf("order %d", order), func(t *testing.T) { test(t, order) })
	}
}

// TestCreep bends a rod of a standard linear solid by a moment that stays: the angle is
//
//	M L/EI (1 − g/(1+g) e^(−t/(τ(1+g)))).
func TestCreep(t *testing.T) { forOrders(t, testCreep) }

func testCreep(t *testing.T, order int) {
	const g, tau, moment, end = 0.8, 0.2, 0.02, 0.3
	f := bending(order)
	f.Rod.Viscoelasticity = []robotfile.MaxwellBranch{{ModulusRatio: g, RelaxationTime: tau}}
	elastic := moment * f.Rod.Length / bendingStiffness(f)
	want := elastic * (1 - g/(1+g)*math.Exp(-end/(tau*(1+g))))
	var off [2]float64
	for i, n := range []int{30, 60} {
		e := implicitOf(t, f)
		for range n {
			if err := e.Step(end/float64(n), twistedBy(moment)); err != nil {
				t.Fatal(err)
			}
		}
		off[i] = math.Abs(angle(e)/want - 1)
	}
	t.Logf("off by %.3g and %.3g", off[0], off[1])
	if !(off[0] < 1e-3 && off[0]/off[1] > 3.5) {
		t.Errorf("off by %g and, with half the step, by %g: want order 2", off[0], off[1])
	}
	e := implicitOf(t, f)
	equilibrate(t, e, twistedBy(moment))
	within(t, "angle when all has crept", []float64{angle(e)}, []float64{elastic}, 1e-9)
}

// TestRelaxation pulls an inextensible tendon and holds it: with two branches the tension falls
// as 1 + Σ g_i e^(−t/τ_i) to that of the lasting stiffness, while nothing moves, and the energy as
// 1 + Σ g_i e^(−2t/τ_i).
func TestRelaxation(t *testing.T) { forOrders(t, testRelaxation) }

func testRelaxation(t *testing.T, order int) {
	const end = 0.3
	branches := []robotfile.MaxwellBranch{{ModulusRatio: 0.8, RelaxationTime: 0.1}, {ModulusRatio: 0.5, RelaxationTime: 2}}
	f := bending(order)
	f.Tendons = []robotfile.Tendon{{
		Name: "a", Offset: [2]float64{0.015, 0}, Stiffness: math.Inf(1), Disks: robotfile.Disks{Count: 5, First: 0.05, Last: 0.25},
		Limits: robotfile.TendonLimits{MaxTension: 1000},
	}}
	f.Rod.Viscoelasticity = branches
	in := &inputs{Setpoints: []force.Setpoint{{Mode: force.LengthControl, Pull: 0.005}}}
	last := implicitOf(t, f)
	equilibrate(t, last, in)
	want := last.Tension(0, in.Setpoints[0])
	lasting := want
	_, stored := last.Energy()
	energy := stored
	for _, b := range branches {
		want += lasting * b.ModulusRatio * math.Exp(-end/b.RelaxationTime)
		energy += stored * b.ModulusRatio * math.Exp(-2*end/b.RelaxationTime)
	}
	var off [2]float64
	for i, n := range []int{30, 60} {
		e := implicitOf(t, f)
		for range n {
			if err := e.Step(end/float64(n), in); err != nil {
				t.Fatal(err)
			}
		}
		off[i] = math.Abs(e.Tension(0, in.Setpoints[0])/want - 1)
		if _, got := e.Energy(); !(math.Abs(got/energy-1) < 1e-3/float64(i+1)) {
			t.Errorf("%g J are stored, want %g J, of which %g J last", got, energy, stored)
		}
		if d := e.NodePose(e.System.Rod.Elements).P.Sub(last.NodePose(e.System.Rod.Elements).P).Norm(); !(d < 1e-6) {
			t.Errorf("the tip is %g m from where the lasting stiffness has it", d)
		}
	}
	t.Logf("off by %.3g and %.3g", off[0], off[1])
	if !(off[0] < 5e-3 && off[0]/off[1] > 3.5) {
		t.Errorf("tension off by %g and, with half the step, by %g: want order 2", off[0], off[1])
	}
}

// loops are springs that slip at curvatures of 0.5, 1.5 and 4 /m.
var loops = []robotfile.ElastoplasticSpring{{Stiffness: 2e-3, Limit: 1e-3}, {Stiffness: 2e-3, Limit: 3e-3}, {Stiffness: 1e-3, Limit: 4e-3}}

// masing is a model of one curvature: elastic stiffness beside springs that slip.
type masing struct {
	k     float64 // N m²
	bends []float64
}

// bend returns the curvature under a moment, by bisection, and lets the springs follow.
func (m *masing) bend(moment float64) float64 {
	low, high := -100., 100.
	pull := func(p robotfile.ElastoplasticSpring, i int, u float64) float64 {
		return max(-p.Limit, min(p.Limit, p.Stiffness*(u-m.bends[i])))
	}
	for range 200 {
		u, sum := (low+high)/2, 0.0
		for i, p := range loops {
			sum += pull(p, i, u)
		}
		if m.k*u+sum < moment {
			low = u
		} else {
			high = u
		}
	}
	for i, p := range loops {
		m.bends[i] = low - pull(p, i, low)/p.Stiffness
	}
	return low
}

// TestPathOfEquilibria bends a rod with friction inside to and fro, through inner loops, from
// equilibrium to equilibrium: each is that of the springs, and where the way returns to a turn,
// it is where it was then.
func TestPathOfEquilibria(t *testing.T) { forOrders(t, testPathOfEquilibria) }

func testPathOfEquilibria(t *testing.T, order int) {
	f := bending(order)
	f.Rod.BendingFriction = loops
	m := masing{bendingStiffness(f), make([]float64, len(loops))}
	e := implicitOf(t, f)
	random := rand.New(rand.NewPCG(1, 0))
	way := []float64{0.005, 0.03, -0.02, 0.01, -0.005, 0.01, -0.02, 0.03, 0.04, 0}
	for range 200 {
		way = append(way, 0.04*(2*random.Float64()-1))
	}
	var at []float64
	for i, moment := range way {
		equilibrate(t, e, twistedBy(moment))
		at = append(at, angle(e))
		within(t, fmt.Sprintf("angle in equilibrium %d", i), at[i:], []float64{m.bend(moment) * f.Rod.Length}, 1e-7)
	}
	within(t, "angle where the inner loop closes", at[5:6], at[3:4], 1e-9)
	within(t, "angle at its turn", at[6:7], at[2:3], 1e-9)
	within(t, "angle at the first turn", at[7:8], at[1:2], 1e-9)
	if !(math.Abs(at[9]) > 0.01) {
		t.Errorf("without load the tip rests at %g rad: there is no memory", at[9])
	}
}

// remembering is a robot with all that remembers, in sections.
func remembering(order int) *robotfile.Continuum {
	f := wire(20, 0.0005, sideways, 0, 90, 180, 270)
	f.Rod.Order = order
	f.Rod.Damping.RotationalDrag = 1e-7
	f.Rod.Viscoelasticity = []robotfile.MaxwellBranch{{ModulusRatio: 0.2, RelaxationTime: 0.02}, {ModulusRatio: 0.1, RelaxationTime: 1}}
	k := bendingStiffness(f)
	for i := range 4 { // a tenth of the stiffness, slipping from 1 to 8 /m
		s := k / 40
		f.Rod.BendingFriction = append(f.Rod.BendingFriction, robotfile.ElastoplasticSpring{Stiffness: s, Limit: s * float64(int(1)<<i)})
	}
	return f
}

// plain is that robot without memory.
func plain(order int) *robotfile.Continuum {
	f := remembering(order)
	f.Rod.Damping, f.Rod.Viscoelasticity, f.Rod.BendingFriction = robotfile.Damping{}, nil, nil
	return f
}

// TestPathsInSpaceArePassive moves a robot by tendons and forces from equilibrium to equilibrium in space:
// the work of the loads at the end of each way is what is stored or more, and that of steadily growing
// loads is more with memory alone.
func TestPathsInSpaceArePassive(t *testing.T) { forOrders(t, testPathsInSpaceArePassive) }

func testPathsInSpaceArePassive(t *testing.T, order int) {
	without, with := lostOnTheWay(t, plain(order)), lostOnTheWay(t, remembering(order))
	t.Logf("%.3g J are lost with memory, %.3g J without", with, without)
	if !(with > 10*math.Abs(without)) {
		t.Errorf("%g J are lost with memory, %g J without", with, without)
	}
}

// lostOnTheWay is the work on a robot of loads that grow steadily from equilibrium to equilibrium, less what
// it stores of that.
func lostOnTheWay(t *testing.T, f *robotfile.Continuum) (lost float64) {
	e := implicitOf(t, f)
	random := rand.New(rand.NewPCG(2, 0))
	in := pulling(0, 0, 0, 0)
	n := e.System.Rod.Elements
	lengths := func() (all [4]float64) {
		for k := range all {
			all[k], _ = e.Tendon(k)
		}
		return all
	}
	stored := func() float64 {
		_, sum := e.Energy()
		for i := range e.System.State.Pose {
			sum -= e.System.State.NodeMass(i) * f.Gravity.Dot(e.System.State.Pose[i].P)
		}
		return sum
	}
	equilibrate(t, e, in)
	last, tip, start, work, steady := lengths(), e.NodePose(n).P, stored(), 0.0, 0.0
	for range 30 {
		var pull [4]float64
		for k := range pull {
			pull[k] = 3 * random.Float64()
		}
		force := spatial.Vec{X: random.NormFloat64(), Y: random.NormFloat64(), Z: random.NormFloat64()}.Scale(0.05)
		from, before, half := in.Tip.Force, slices.Clone(in.Setpoints), 1./40
		for i := 1; i <= 20; i++ {
			share := float64(i) / 20
			in.Tip.Force = from.AddScaled(share, force.Sub(from))
			for k := range pull {
				in.Setpoints[k].Tension = before[k].Tension + share*(pull[k]-before[k].Tension)
			}
			equilibrate(t, e, in)
			now, at := lengths(), e.NodePose(n).P
			for k, d := range in.Setpoints {
				work -= d.Tension * (now[k] - last[k])
				steady -= (d.Tension - half*(pull[k]-before[k].Tension)) * (now[k] - last[k])
			}
			work += in.Tip.Force.Dot(at.Sub(tip))
			steady += in.Tip.Force.AddScaled(-half, force.Sub(from)).Dot(at.Sub(tip))
			last, tip = now, at
			if gain := stored() - start; !(work >= gain-1e-12) {
				t.Fatalf("a work of %g J has stored %g J", work, gain)
			}
		}
	}
	return steady - (stored() - start)
}

// TestMotionLosesEnergy kicks a robot with memory and lets go of it: under loads that stay, its energy
// with theirs falls from one change of them to the next.
func TestMotionLosesEnergy(t *testing.T) { forOrders(t, testMotionLosesEnergy) }

func testMotionLosesEnergy(t *testing.T, order int) {
	for _, h := range []float64{1e-3, 3e-4} {
		f := remembering(order)
		e := implicitOf(t, f)
		random := rand.New(rand.NewPCG(4, 0))
		in := pulling(1, 0, 1, 0)
		energy := func() float64 {
			kinetic, elastic := e.Energy()
			sum := kinetic + elastic - in.Tip.Force.Dot(e.NodePose(e.System.Rod.Elements).P)
			for i := range e.System.State.Pose {
				sum -= e.System.State.NodeMass(i) * f.Gravity.Dot(e.System.State.Pose[i].P)
			}
			for k, d := range in.Setpoints {
				l, _ := e.Tendon(k)
				sum += d.Tension * (l - e.Tendons.RestLength(k))
			}
			return sum
		}
		for range 30 {
			in.Tip.Force = spatial.Vec{X: random.NormFloat64(), Y: random.NormFloat64()}.Scale(0.05)
			in.Setpoints[0].Tension = 2 * random.Float64()
			first := energy()
			for range 40 {
				if err := e.Step(h, in); err != nil {
					t.Fatal(err)
				}
			}
			if last := energy(); !(last <= first) {
				t.Fatalf("step %g s: %g J have become %g J", h, first, last)
			}
		}
		if e.Stepper.Counters().Divided > 0 {
			t.Errorf("step %g s: %d steps divided", h, e.Stepper.Counters().Divided)
		}
	}
}
