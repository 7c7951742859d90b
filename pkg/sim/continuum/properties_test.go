package continuum_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"sinew/pkg/sim/continuum/continuumtest"
	"sinew/pkg/sim/continuum/force"
	"sinew/pkg/sim/robotfile"
	"sinew/pkg/sim/spatial"
)

// thesisFile is the robot of contract/silicone_robot.yaml, whose long tendons skip
// disks of the short ones.
func thesisFile() *robotfile.Continuum {
	f := &robotfile.Continuum{
		Rod: robotfile.Rod{
			Length: 0.25, Radius: 0.0055, Density: 997.7, YoungsModulus: 16598637, ShearModulus: 7216880,
			ShearCorrection: 27. / 28, Elements: 20, MaterialLaw: robotfile.Linear,
			Damping: robotfile.Damping{KelvinVoigt: 0.01, Drag: 0.5},
		},
		Base:    robotfile.Base{Direction: spatial.Vec{X: 1}, Normal: spatial.Vec{Z: 1}},
		Gravity: spatial.Vec{Z: -9.80665}, DiskForce: robotfile.FullDiskForce,
		Solver: robotfile.RodSolver{Method: robotfile.Implicit, Step: 5e-4},
	}
	for i, o := range [][2]float64{{0.015, 0}, {0, -0.015}, {-0.008, 0}, {0, 0.008}} {
		d := robotfile.Disks{Count: 6, First: 0.0125, Last: 0.2375}
		if i >= 2 {
			d.Last = 0.075
		}
		if i%2 == 0 {
			d.Mass = 0.002 / float64(1+i/2)
		}
		f.Tendons = append(f.Tendons, robotfile.Tendon{
			Name: string(rune('a' + i)), Offset: o, Disks: d, Limits: robotfile.TendonLimits{MaxTension: 8},
		})
	}
	return f
}

// perturb moves the nodes by the body increments eta and recomputes the strains.
func perturb(e *continuumtest.Robot, eta []spatial.Vec6, scale float64) {
	pose := append([]spatial.Pose(nil), e.System.State.Pose...)
	for i := range eta {
		g := &pose[i+1]
		g.P = g.P.AddScaled(scale, g.R.Apply(eta[i].Linear()))
		g.R = g.R.Mul(spatial.ExpRot(eta[i].Angular().Scale(scale)))
	}
	for k := range e.System.State.Strain {
		e.System.State.Strain[k] = pose[k].Inv().Mul(pose[k+1]).Log()
	}
	e.System.State.UpdateKinematics()
	e.System.UpdateKinematics()
}

// lively puts the engine in the middle of a step, in a wild state.
func lively(t *testing.T, f *robotfile.Continuum, in *inputs) *continuumtest.Robot {
	t.Helper()
	e := implicitOf(t, f)
	for range 5 {
		if err := e.Step(1e-3, in); err != nil {
			t.Fatal(err)
		}
	}
	calm(e, f, in)
	perturbAll(e)
	tauten(e, f, in)
	return e
}

// perturbAll moves all nodes at random.
func perturbAll(e *continuumtest.Robot) {
	r := rand.New(rand.NewPCG(7, 8))
	eta := make([]spatial.Vec6, len(e.System.X))
	for i := range eta {
		for j := range eta[i] {
			eta[i][j] = 0.02 * r.NormFloat64() / map[bool]float64{true: 100, false: 1}[j < 3]
		}
	}
	perturb(e, eta, 1)
}

// tauten gives the tendons of a robot file that are under length control the tensions of their stretch.
func tauten(e *continuumtest.Robot, f *robotfile.Continuum, in *inputs) {
	tensions := e.Tendons.Multipliers()
	gap := make([]float64, len(tensions))
	e.Tendons.AddGaps(gap, 1)
	for k, d := range in.Setpoints {
		if d.Mode == force.LengthControl {
			tensions[k] = max(0, tensions[k]+f.Tendons[k].Stiffness*gap[k])
		}
	}
}

// betweenNodes are the loads of a robot file, which has nodes at them, moved to where it has none.
func betweenNodes(f *robotfile.Continuum) (all []force.PointLoad) {
	for _, l := range f.Loads {
		x := force.PointLoad{At: l.At + 0.004, Wrench: spatial.Wrench{Force: l.Force, Moment: l.Moment}, Until: l.Until}
		if l.Frame == robotfile.BodyAxes {
			x.Axes = force.BodyAxes
		}
		all = append(all, x)
	}
	return all
}

// calm puts the robot of a file, after steps of 1 ms, at the start of a step.
func calm(e *continuumtest.Robot, f *robotfile.Continuum, in *inputs) {
	e.Act(in)
	e.Loads.Points = betweenNodes(f)
	begin(e, 1e-3, 2, 1)
}

// beginEquilibrium starts a search for an equilibrium at the present shape.
func beginEquilibrium(e *continuumtest.Robot, f *robotfile.Continuum, in *inputs) {
	e.Act(in)
	e.Loads.Points = betweenNodes(f)
	e.System.State.BeginStatic()
	e.System.BeginEquilibrium()
}

// residual returns the assembled wrenches of the moving nodes.
func residual(e *continuumtest.Robot, q interface{ Assemble(shift float64) }) []float64 {
	q.Assemble(0)
	var r []float64
	for _, w := range e.System.Wrenches()[1:] {
		v := spatial.Vec6Of(w.Force, w.Moment)
		r = append(r, v[:]...)
	}
	return r
}

// everything is a robot with all that the implicit method knows and a potential.
func everything() (*robotfile.Continuum, *inputs) {
	f := thesisFile()
	f.Rod.Elements = 10
	f.Rod.Precurvature = spatial.Vec{X: 1, Y: -2, Z: 3}
	f.Rod.Damping = robotfile.Damping{KelvinVoigt: 0.01, Drag: 0.5, QuadraticDrag: 3}
	f.Tip = robotfile.Tip{Mass: 0.01, Inertia: spatial.Vec{X: 1e-6, Y: 2e-6, Z: 3e-6}}
	f.Tendons = f.Tendons[:2]
	f.Tendons[0].Disks = robotfile.Disks{Positions: []float64{0.025, 0.1, 0.25}, Mass: 0.002}
	f.Tendons[1].Disks = robotfile.Disks{Positions: []float64{0.05, 0.075, 0.15}}
	f.Tendons[0].Twist = 8
	f.Tendons[0].Stiffness, f.Tendons[1].Stiffness = 500, 500
	f.Tendons[1].Friction = 0.2
	in := &inputs{
		Setpoints: []force.Setpoint{{Mode: force.LengthControl, Pull: 0.02}, {Tension: 3}},
		Tip:       force.TipWrench{Wrench: spatial.Wrench{Force: spatial.Vec{X: 0.1, Y: 0.3, Z: -0.2}, Moment: spatial.Vec{X: 0.01, Y: 0.02}}},
	}
	f.Loads = []robotfile.RodLoad{
		{At: 0.11, Force: spatial.Vec{Y: 0.4}, Moment: spatial.Vec{Z: 0.02}, Frame: robotfile.BodyAxes, Until: math.Inf(1)},
		{At: 0.2, Force: spatial.Vec{Z: 0.5}, Frame: robotfile.WorldAxes, Until: math.Inf(1)},
	}
	return f, in
}

func TestTangentAgainstDifferences(t *testing.T) {
	f, in := everything()
	f.Tendons[1].FrictionDisplacement = 0.05 // sticks in this wild state
	e := lively(t, f, in)
	if !(e.Tendons.Multipliers()[0] > 0) {
		t.Fatal("the tendon under length control is slack")
	}
	k := fullTangent(e)
	if n := e.System.Columns.Len(); n != 2 {
		t.Fatalf("%d bristles stick, want 2", n)
	}
	start := append([]spatial.Twist(nil), e.System.State.Strain...)
	const h, tolerance = 1e-6, 1e-6
	n := len(e.System.X)
	for j := range 6 * n {
		eta := make([]spatial.Vec6, n)
		eta[j/6][j%6] = 1
		step := h
		if j%6 < 3 {
			step = h / 100
		}
		perturb(e, eta, step)
		plus := residual(e, e.System)
		copy(e.System.State.Strain, start)
		e.System.State.UpdateKinematics()
		perturb(e, eta, -step)
		minus := residual(e, e.System)
		copy(e.System.State.Strain, start)
		e.System.State.UpdateKinematics()
		e.System.UpdateKinematics()
		scale := 0.0
		for i := range plus {
			scale = math.Max(scale, math.Abs(k.At(i, j)))
		}
		for i := range plus {
			if d := -(plus[i] - minus[i]) / (2 * step); math.Abs(d-k.At(i, j)) > tolerance*scale {
				t.Errorf("K[%d][%d] of node %d, %d: %.9g, differences %.9g (column up to %.3g)", i%6, j%6, i/6+1, j/6+1, k.At(i, j), d, scale)
			}
		}
	}
}

func TestResidualIsTheGradientOfTheMerit(t *testing.T) {
	f, in := everything()
	in.Tip.Moment, f.Loads = spatial.Vec{}, f.Loads[1:] // what has a potential
	e := implicitOf(t, f)
	s := e.Solver
	beginEquilibrium(e, f, in)
	perturbAll(e)
	want := residual(e, s)
	start := append([]spatial.Twist(nil), e.System.State.Strain...)
	scale := 0.0
	for _, x := range want {
		scale = math.Max(scale, math.Abs(x))
	}
	for j := range want {
		one := make([]spatial.Vec6, len(e.System.X))
		one[j/6][j%6] = 1
		const h = 1e-6
		perturb(e, one, h)
		plus := s.Merit()
		copy(e.System.State.Strain, start)
		e.System.State.UpdateKinematics()
		perturb(e, one, -h)
		minus := s.Merit()
		copy(e.System.State.Strain, start)
		e.System.State.UpdateKinematics()
		e.System.UpdateKinematics()
		if d := -(plus - minus) / (2 * h); math.Abs(d-want[j]) > 1e-6*scale {
			t.Errorf("node %d component %d: force %.9g, minus gradient %.9g", j/6+1, j%6, want[j], d)
		}
	}
}

func TestIndifferenceToTheFrame(t *testing.T) {
	turn := spatial.ExpRot(spatial.Vec{X: 0.7, Y: -1.1, Z: 2})
	run := func(r spatial.Mat3, shift spatial.Vec) []spatial.Twist {
		f, in := everything()
		f.Base.Direction, f.Base.Normal = r.Apply(f.Base.Direction), r.Apply(f.Base.Normal)
		f.Base.Position = shift
		f.Gravity = r.Apply(f.Gravity)
		world := func(w *spatial.Wrench) { w.Force, w.Moment = r.Apply(w.Force), r.Apply(w.Moment) }
		world(&in.Tip.Wrench)
		f.Loads[1].Force, f.Loads[1].Moment = r.Apply(f.Loads[1].Force), r.Apply(f.Loads[1].Moment)
		e := implicitOf(t, f)
		equilibrate(t, e, in)
		in.Tip.Force = in.Tip.Force.Scale(2)
		for range 20 {
			if err := e.Step(1e-3, in); err != nil {
				t.Fatal(err)
			}
		}
		return e.System.State.Strain
	}
	a, b := run(spatial.Identity3(), spatial.Vec{}), run(turn, spatial.Vec{X: 1, Y: -2, Z: 0.5})
	for i := range a {
		x, y := spatial.Vec6Of(a[i].Linear, a[i].Angular), spatial.Vec6Of(b[i].Linear, b[i].Angular)
		within(t, "strains", y[:], x[:], 1e-9)
	}
}

func TestSecondOrderInTime(t *testing.T) {
	end := func(steps int) spatial.Vec {
		f := thesisFile()
		f.Tendons = f.Tendons[:2]
		e := implicitOf(t, f)
		in := pulling(0, 0)
		const span = 0.1
		for i := range steps {
			now := float64(i+1) / float64(steps)
			in.Setpoints[0].Tension = 2 * math.Pow(math.Sin(math.Pi*now), 2)
			in.Setpoints[1].Tension = now * now * now
			if err := e.Step(span/float64(steps), in); err != nil {
				t.Fatal(err)
			}
		}
		return e.NodePose(20).P
	}
	a, b, c := end(100), end(200), end(400)
	if order := math.Log2(a.Sub(b).Norm() / b.Sub(c).Norm()); math.Abs(order-2) > 0.15 {
		t.Errorf("order %.3f in time, want 2", order)
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
