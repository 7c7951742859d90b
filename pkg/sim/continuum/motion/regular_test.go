package motion_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"sinew/pkg/sim/continuum/continuumtest"
	"sinew/pkg/sim/continuum/motion"
)

// Steps of regular motion begin at an extrapolation that is not compared with staying: they end
// where those end that compare, where tensions jump too.
func TestRegularStepsBeginUntested(t *testing.T) {
	for _, order := range []int{2, 4} {
		f := continuumtest.Wire(20, 0.0005, continuumtest.Sideways, 0, 90, 180, 270)
		f.Rod.Order = order
		f.Rod.Damping.KelvinVoigt = 1e-3
		bold, wary := continuumtest.New(t, f), continuumtest.New(t, f)
		in := continuumtest.Pulling(0, 0, 0, 0)
		untested, worst := 0, 0.0
		for k := range 600 {
			continuumtest.Sweep(in, float64(k)*1e-3)
			if k%100 > 50 {
				in.Setpoints[k/100%4].Tension += 2
			}
			if bold.Stepper.IsRegular() {
				untested++
			}
			wary.Stepper.SetLast(motion.RegularIterations+1, 0)
			for _, e := range []*continuumtest.Robot{bold, wary} {
				if err := e.Step(1e-3, in); err != nil {
					t.Fatal(err)
				}
			}
			worst = max(worst, bold.NodePose(20).P.Sub(wary.NodePose(20).P).Norm())
		}
		t.Logf("order %d: %d of 600 steps untested, at most %.3g m from those that were tested", order, untested, worst)
		if untested < 550 || !(worst < 1e-7) {
			t.Errorf("order %d: %d of 600 steps untested, at most %.3g m from those that were tested; want at least 550, and at most 1e-7 m", order, untested, worst)
		}
		if d := bold.Stepper.Counters().Iterations; float64(d) > 1.02*float64(wary.Stepper.Counters().Iterations) {
			t.Errorf("order %d: %d iterations, %d where all steps were tested", order, d, wary.Stepper.Counters().Iterations)
		}
	}
}

// A step so long after the last that its formula is of order 1 begins where the merit is lowest:
// as regular as the motion was, extrapolated that far it may be anywhere.
func TestLongStepsAfterShortOnesAreTested(t *testing.T) {
	for _, order := range []int{2, 4} {
		f := continuumtest.Wire(20, 0.0005, continuumtest.Sideways, 0, 90, 180, 270)
		f.Rod.Order = order
		f.Rod.Damping.KelvinVoigt = 1e-3
		e := continuumtest.New(t, f)
		in := continuumtest.Pulling(3, 0, 1, 0)
		for range 20 {
			if err := e.Step(1e-5, in); err != nil {
				t.Fatal(err)
			}
		}
		if !e.Stepper.IsRegular() {
			t.Fatalf("order %d: the short steps are not regular", order)
		}
		e.Act(in)
		p := e.Stepper.Begin(0.05)
		e.System.UpdateKinematics()
		stay := e.System.Merit()
		e.Stepper.Predict(p)
		ahead := e.System.Merit()
		e.Stepper.Revert()
		if p.Order() != 1 || !(ahead <= stay) {
			t.Errorf("order %d: a long step of order %d begins at a merit of %.6g J, staying has %.6g J", order, p.Order(), ahead, stay)
		}
		if err := e.Step(0.05, in); err != nil || e.Stepper.Counters().Divided > 0 {
			t.Errorf("order %d: a long step after short ones: error %v, %d divided", order, err, e.Stepper.Counters().Divided)
		}
	}
}

// What is divided, rubs or is held by its length is compared with staying.
func TestWhatIsNotRegular(t *testing.T) {
	f := continuumtest.Wire(20, 0.0005, continuumtest.Sideways, 0, 90)
	e, in := continuumtest.New(t, f), continuumtest.Pulling(0, 0)
	if err := e.Step(1e-3, in); err != nil || !e.Stepper.IsRegular() {
		t.Errorf("a rod at rest is not regular (error %v)", err)
	}
	e.System.ByNodes = true
	if e.Stepper.IsRegular() {
		t.Error("a part of a divided step is regular")
	}
	e.System.ByNodes = false
	e.Stepper.SetLast(1, 1)
	if e.Stepper.IsRegular() {
		t.Error("a step after one that took an increment back is regular")
	}
	f.Tendons[0].Friction = 0.1
	if continuumtest.New(t, f).Stepper.IsRegular() {
		t.Error("a rod whose tendons rub is regular")
	}
	f.Tendons[0].Friction, f.Tendons[0].Stiffness, f.Tendons[1].Stiffness = 0, 1e4, 1e4
	e = continuumtest.New(t, f)
	if err := e.Step(1e-3, in); err != nil || !e.Stepper.IsRegular() {
		t.Errorf("a rod at rest is not regular (error %v)", err)
	}
	in.ControlLength(1, 1e-4)
	if err := e.Step(1e-3, in); err != nil || e.Stepper.IsRegular() {
		t.Errorf("a rod with a tendon held by its length is regular (error %v)", err)
	}
}

// Where something rubs or is held by its length, steps neither look far back nor end by what earlier ones left.
func TestRoughMotionIsIterated(t *testing.T) {
	for seed := range uint64(20) {
		r := rand.New(rand.NewPCG(seed, 20))
		f, in := continuumtest.RandomRobot(r)
		if len(f.Tendons) == 0 {
			continue
		}
		f.Tendons[0].Friction = 0.2
		if seed%2 == 0 {
			f.Tendons[0].Friction = 0
			in.ControlLength(0, in.Setpoints[0].Pull)
		}
		e, forgetful := continuumtest.New(t, f), continuumtest.New(t, f)
		set := continuumtest.Vary(r, in)
		for k := range 150 {
			set(k)
			forgetful.Stepper.Forget()
			if err, want := e.Step(1e-3, in), forgetful.Step(1e-3, in); err != nil || want != nil {
				break
			}
			a, b := e.StepperState()[motion.HistoryLen:], forgetful.StepperState()[motion.HistoryLen:]
			if e.Stepper.Contraction().Uses > 0 || !slices.Equal(a, b) {
				t.Fatalf("robot %d, step %d: a robot that remembers how its motion went moves otherwise than one that does not; %+v", seed, k, e.Stepper.Contraction())
			}
		}
	}
}

// A step that iterates before it fails does not forget how the steps before have contracted.
func TestFailedStepLeavesWhatIsKnownOfContraction(t *testing.T) {
	f, in := continuumtest.Wire(10, 0.0005, continuumtest.Sideways, 0, 90), continuumtest.Pulling(0.1, 0.2)
	f.Rod.Damping.Drag = 500
	e := continuumtest.New(t, f)
	for range 40 {
		if err := e.Step(1e-3, in); err != nil {
			t.Fatal(err)
		}
	}
	before := e.Stepper.Contraction()
	if !(before.Ratio > 0) || before.Uses == 0 {
		t.Errorf("%+v: too little is known to prove anything", before)
	}
	bad := continuumtest.Pulling(1e4, 0.2)
	if err := e.Step(1e-3, bad); err == nil {
		t.Fatal("no error")
	}
	if c := e.Stepper.Contraction(); c != before {
		t.Errorf("%+v after a step that failed, %+v before", c, before)
	}
}
