package continuum_test

import (
	"math"
	"testing"

	"sinew/pkg/sim/continuum/continuumtest"
	"sinew/pkg/sim/continuum/equations"
	"sinew/pkg/sim/integrate"
	"sinew/pkg/sim/robotfile"
	"sinew/pkg/sim/rod"
	"sinew/pkg/sim/rod/strain"
	"sinew/pkg/sim/spatial"
	"sinew/pkg/sim/tendon"
)

// mini3 is the robot of three elements whose Newton iterations are recorded.
func mini3(t *testing.T) *continuumtest.Robot {
	f := wire(3, 0.0005, sideways, 0, 90)
	f.Rod.Length = 0.15
	f.Rod.Damping = robotfile.Damping{KelvinVoigt: 1e-4}
	f.Tendons[0].Disks = robotfile.Disks{Positions: []float64{0.05, 0.1, 0.15}, Mass: 0.0005}
	f.Tendons[1].Disks = robotfile.Disks{Positions: []float64{0.05, 0.1}}
	e := implicitOf(t, f)
	var disks []rod.AttachedBody
	for i := range e.System.Rod.Elements {
		d := tendon.Disk{Node: i + 1, Mass: 0.0005, Radius: 0.01}
		disks = append(disks, rod.AttachedBody{Node: d.Node, Mass: d.Mass, Inertia: d.Inertia()})
	}
	// in the recording the disks have drag too
	options := strain.Options{KelvinVoigt: []float64{1e-4, 1e-4, 1e-4}, Gravity: f.Gravity, Attached: disks}
	for i := range e.System.State.Pose {
		options.Drag = append(options.Drag, 0.2*e.System.State.NodeMass(i))
	}
	*e.System.State = *strain.New(e.System.Rod, options)
	return e
}

// incrementSystem is the equations of a step, of which every increment is one of Newton's method.
type incrementSystem struct {
	*equations.System
	refinements int
	sizes       []float64 // of the increments
}

// Increment implements integrate.System.
func (x *incrementSystem) Increment() (size float64, negative int, ok bool) {
	negative, ok = x.Factor()
	if !ok {
		return 0, negative, false
	}
	x.AddColumns(equations.StepScope)
	ok = x.Solve(x.refinements)
	size = x.TakeIncrement()
	x.sizes = append(x.sizes, size)
	return size, negative, ok
}

// begin starts a step of dt seconds under what acts, after one as long, by the formula of an order, from the present shape. The angular velocity in the
// gyroscopic moment is extrapolated by spin times its last change.
func begin(e *continuumtest.Robot, dt float64, order int, spin float64) {
	extra := e.System.BeginStep(equations.Step{Dt: dt})
	e.System.State.Begin(integrate.NewBDF(order, dt, dt), spin, extra)
	e.System.UpdateKinematics()
}

// abandon makes the state that of before begin.
func abandon(e *continuumtest.Robot) {
	e.System.State.Revert()
	e.System.Revert()
}

// stepByHand makes a step with the gyroscopic moment at the last angular velocity, and returns the sizes of its increments.
func stepByHand(t testing.TB, e *continuumtest.Robot, dt float64, order int, method integrate.Newton, refinements int) (sizes []float64) {
	t.Helper()
	begin(e, dt, order, 0)
	x := &incrementSystem{System: e.System, refinements: refinements}
	if r := method.Solve(x); !r.Converged() {
		t.Fatalf("%+v", r)
	}
	e.System.State.Commit()
	e.System.Commit()
	return x.sizes
}

func TestNewtonTraceOfThreeElements(t *testing.T) {
	g := readGolden(t).Mini3
	e := mini3(t)
	method, refinements := integrate.Newton{Tol: 1e-11, Cap: 20}, 12 // exact tangent: the recording has no iterative refinement
	e.Act(pulling(1.5, 0.8))

	for step, sizes := range [][]float64{g.T1.Step1, g.T1.Step2} {
		want := &g.Steps[step]
		order := min(step+1, 2)
		begin(e, 1e-3, order, 0)
		within(t, "Φ", []float64{e.System.Merit()}, []float64{want.First.Phi}, convergedTolerance)
		e.System.Assemble(0)
		within(t, "‖r‖", []float64{e.System.ResidualNorm()}, []float64{want.First.Norm}, convergedTolerance)
		for i, r := range want.First.Residual {
			w := spatial.Vec6Of(e.System.Wrenches()[i+1].Force, e.System.Wrenches()[i+1].Moment)
			within(t, "residual", w[:], r, 1e-8) // step 2 starts from states converged to 1e-9
		}
		if step == 0 {
			x := incrementSystem{System: e.System, refinements: refinements}
			x.Increment()
			for i, eta := range want.First.Eta {
				within(t, "η", e.System.X[i][:], eta, traceTolerance)
			}
		}
		abandon(e)

		got := stepByHand(t, e, 1e-3, order, method, refinements)
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
			x := spatial.Vec6Of(e.System.State.Strain[i].Linear, e.System.State.Strain[i].Angular)
			within(t, "strains", x[:], xi, convergedTolerance)
		}
	}
	stepByHand(t, e, 1e-3, 2, method, refinements)
	within(t, "tip after step 3", tip(e), g.Steps[2].TipAfter, convergedTolerance)
}

// converged makes e iterate until nothing is left but round-off, as the recordings did.
func converged(e *continuumtest.Robot) { e.Stepper.Refine(1e-12, 3) }

// lagged makes e step as most recordings do: with the gyroscopic moment at the last angular velocity, which is of first order.
func lagged(e *continuumtest.Robot) {
	converged(e)
	e.Stepper.LagSpin()
}

// gyrating runs 20 steps of the dynamics checkpoint.
func gyrating(t *testing.T, elements int, set func(*continuumtest.Robot), before func(e *continuumtest.Robot, time float64)) (tips [][]float64) {
	f := wire(elements, 0.0005, sideways, 0, 90, 180, 270)
	f.Rod.Damping.KelvinVoigt = 1e-4
	f.Rates.Control = 1000
	e := implicitOf(t, f)
	set(e)
	in := pulling(2, 1, 0.5, 0.5)
	for i := range 20 {
		if before != nil {
			before(e, float64(i+1)*1e-3)
		}
		if err := e.Step(1e-3, in); err != nil {
			t.Fatal(err)
		}
		tips = append(tips, tip(e))
	}
	return tips
}

func TestDynamicsCheckpoints(t *testing.T) {
	swing := func(e *continuumtest.Robot, time float64) {
		e.MoveBase(spatial.Pose{
			R: spatial.ExpRot(spatial.Vec{Y: 0.3 * math.Sin(2*math.Pi*5*time)}),
			P: spatial.Vec{Y: 0.01 * (1 - math.Cos(2*math.Pi*10*time))},
		})
	}
	// a step from rest is of order 1
	restart := func(e *continuumtest.Robot, _ float64) { e.Stepper.Restart() }
	for _, c := range []struct {
		name     string
		elements int
		set      func(*continuumtest.Robot)
		before   func(*continuumtest.Robot, float64)
	}{
		{"n10", 10, lagged, nil},
		{"n10_gyro_extrapolated", 10, converged, nil},
		{"n10_bdf1", 10, lagged, restart},
		{"n10_moving_base", 10, lagged, swing},
		{"n20_two_per_gap", 20, lagged, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			want := readGolden(t).Dynamics.Tips[c.name]
			got := gyrating(t, c.elements, c.set, c.before)
			for i := range want {
				within(t, "tip", got[i], want[i], convergedTolerance)
			}
		})
	}
}
