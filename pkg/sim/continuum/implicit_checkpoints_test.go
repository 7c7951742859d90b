package continuum

import (
	"math"
	"testing"

	"sinew/pkg/sim/integrate"
	"sinew/pkg/sim/robotfile"
	"sinew/pkg/sim/rod/strain"
	"sinew/pkg/sim/spatial"
)

// mini3 is the robot of three elements whose Newton iterations are recorded.
func mini3(t *testing.T) *implicit {
	f := wire(3, 0.0005, sideways, 0, 90)
	f.Rod.Length = 0.15
	f.Rod.Damping = robotfile.Damping{KelvinVoigt: 1e-4}
	f.Tendons[0].Disks = robotfile.Disks{Positions: []float64{0.05, 0.1, 0.15}, Mass: 0.0005}
	f.Tendons[1].Disks = robotfile.Disks{Positions: []float64{0.05, 0.1}}
	e := implicitOf(t, f)
	// in the recording the disks have drag too
	options := strain.Options{KelvinVoigt: []float64{1e-4, 1e-4, 1e-4}, Gravity: f.Gravity, Attached: e.robot.attached()}
	for i := range e.system.Rod.Pose {
		options.Drag = append(options.Drag, 0.2*e.system.Rod.NodeMass(i))
	}
	*e.system.Rod = *strain.New(e.system.Mesh, options)
	return e
}

// lagged plans a step as most recordings make it: with the gyroscopic moment at the
// last angular velocity, which is of first order.
func lagged(e *implicit, dt float64) plan {
	p := e.history.plan(dt)
	p.spin = 0
	return p
}

// laggedBDF1 plans a lagged step of first order throughout.
func laggedBDF1(e *implicit, dt float64) plan {
	p := lagged(e, dt)
	p.order, p.formula = 1, integrate.NewBDF(1, dt, 0)
	return p
}

func advance(t testing.TB, e *implicit, p plan, in *inputs) {
	t.Helper()
	if err := e.advance(p, in); err != nil {
		t.Fatal(err)
	}
}

// traced records the increments of a solve.
type traced struct {
	*motion
	sizes []float64
}

func (x *traced) Increment() (float64, int, bool) {
	size, negative, ok := x.motion.Increment()
	x.sizes = append(x.sizes, size)
	return size, negative, ok
}

// trace steps e by hand, by Newton's increments alone, with a recorder in between.
func trace(e *implicit, dt float64, in *inputs) []float64 {
	p := lagged(e, dt)
	e.begin(&p, in)
	e.system.UpdateKinematics()
	x := &traced{motion: &e.motion}
	e.stepper.Report() = report{Report: e.options.newton.Solve(struct{ integrate.System }{x}), order: p.order}
	e.accept(&p)
	return x.sizes
}

func TestNewtonTraceOfThreeElements(t *testing.T) {
	g := readGolden(t).Mini3
	e := mini3(t)
	e.options.newton.Tol, e.options.newton.Cap = 1e-11, 20
	e.options.refinements = 12 // exact tangent: the recording has no iterative refinement
	in := pulling(1.5, 0.8)

	for step, sizes := range [][]float64{g.T1.Step1, g.T1.Step2} {
		want := &g.Steps[step]
		p := lagged(e, 1e-3)
		e.begin(&p, in)
		e.system.UpdateKinematics()
		within(t, "Φ", []float64{e.system.Merit()}, []float64{want.First.Phi}, convergedTolerance)
		e.system.Assemble(0)
		within(t, "‖r‖", []float64{e.system.ResidualNorm()}, []float64{want.First.Norm}, convergedTolerance)
		for i, r := range want.First.Residual {
			w := spatial.Vec6Of(e.system.Wrenches()[i+1].Force, e.system.Wrenches()[i+1].Moment)
			within(t, "residual", w[:], r, 1e-8) // step 2 starts from states converged to 1e-9
		}
		if step == 0 {
			e.motion.Increment()
			for i, eta := range want.First.Eta {
				within(t, "η", e.system.X[i][:], eta, traceTolerance)
			}
		}
		e.abandon()

		got := trace(e, 1e-3, in)
		if len(got) < 4 {
			t.Fatalf("step %d: %d iterations, want at least 4", step+1, len(got))
		}
		within(t, "first increment", got[:1], sizes[:1], traceTolerance)
		within(t, "second increment", got[1:2], sizes[1:2], traceTolerance)
		// the third is a difference of converged digits: 1e-8 of the first
		within(t, "third increment", append(got[2:3:3], got[0]), append(sizes[2:3:3], got[0]), traceTolerance)
		if got[3] > 1e-9 {
			t.Errorf("step %d: fourth increment %.3g, want quadratic convergence, below 1e-9", step+1, got[3])
		}
		within(t, "tip", tip(e), want.TipAfter, convergedTolerance)
		for i, xi := range want.XiAfter {
			x := spatial.Vec6Of(e.system.Rod.Strain[i].Linear, e.system.Rod.Strain[i].Angular)
			within(t, "strains", x[:], xi, convergedTolerance)
		}
	}
	trace(e, 1e-3, in)
	within(t, "tip after step 3", tip(e), g.Steps[2].TipAfter, convergedTolerance)
}

// planner plans the next step of an engine.
type planner func(e *implicit, dt float64) plan

// shipped plans as Step does.
func shipped(e *implicit, dt float64) plan { return e.history.plan(dt) }

// converged makes e iterate until nothing is left but round-off, as the recordings did.
func converged(e *implicit) {
	e.options.newton.Tol, e.options.newton.Cap, e.options.refinements = 1e-12, 20, 3
}

// gyrating runs 20 steps of the dynamics checkpoint.
func gyrating(t *testing.T, elements int, set func(*implicit), steps planner, move func(*implicit, float64)) (tips [][]float64, iterations []int) {
	f := wire(elements, 0.0005, sideways, 0, 90, 180, 270)
	f.Rod.Damping.KelvinVoigt = 1e-4
	e := implicitOf(t, f)
	set(e)
	in := pulling(2, 1, 0.5, 0.5)
	for i := range 20 {
		if move != nil {
			move(e, float64(i+1)*1e-3)
		}
		advance(t, e, steps(e, 1e-3), in)
		tips = append(tips, tip(e))
		iterations = append(iterations, e.stepper.Report().Iterations)
	}
	return tips, iterations
}

func TestDynamicsCheckpoints(t *testing.T) {
	swing := func(e *implicit, time float64) {
		e.system.Rod.Target = spatial.Pose{
			R: spatial.ExpRot(spatial.Vec{Y: 0.3 * math.Sin(2*math.Pi*5*time)}),
			P: spatial.Vec{Y: 0.01 * (1 - math.Cos(2*math.Pi*10*time))},
		}
	}
	for _, c := range []struct {
		name     string
		elements int
		steps    planner
		move     func(*implicit, float64)
	}{
		{"n10", 10, lagged, nil},
		{"n10_gyro_extrapolated", 10, shipped, nil},
		{"n10_bdf1", 10, laggedBDF1, nil},
		{"n10_moving_base", 10, lagged, swing},
		{"n20_two_per_gap", 20, lagged, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			want := readGolden(t).Dynamics.Tips[c.name]
			got, _ := gyrating(t, c.elements, converged, c.steps, c.move)
			for i := range want {
				within(t, "tip", got[i], want[i], convergedTolerance)
			}
		})
	}
}

func TestIterationsOfTheDynamicsCheckpoint(t *testing.T) {
	want := []int{3, 3, 3, 3, 3, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2}
	_, got := gyrating(t, 10, func(*implicit) {}, lagged, nil)
	for i := range want {
		if got[i] > want[i] {
			t.Errorf("step %d: %d iterations, want at most %d", i+1, got[i], want[i])
		}
	}
}
