package continuum

import (
	"sinew/pkg/sim/continuum/force"
	"slices"
	"testing"
)

// Steps of regular motion begin at an extrapolation that nobody compares with staying: they end
// where those end that compare, where tensions jump too.
func TestRegularStepsBeginUntested(t *testing.T) {
	for _, order := range []int{2, 4} {
		f := wire(20, 0.0005, sideways, 0, 90, 180, 270)
		f.Rod.Order = order
		f.Rod.Damping.KelvinVoigt = 1e-3
		bold, wary := implicitOf(t, f), implicitOf(t, f)
		in := pulling(0, 0, 0, 0)
		untested, worst := 0, 0.0
		for k := range 600 {
			sweep(in, float64(k)*1e-3)
			if k%100 > 50 {
				in.Setpoints[k/100%4].Tension += 2
			}
			if bold.regular() {
				untested++
			}
			wary.told.Iterations = regularIterations + 1
			for _, e := range []*implicit{bold, wary} {
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
		if d := bold.tally.iterations; float64(d) > 1.02*float64(wary.tally.iterations) {
			t.Errorf("order %d: %d iterations, %d where all steps were tested", order, d, wary.tally.iterations)
		}
	}
}

// A step so long after the last that its formula is of order 1 begins where the merit is lowest:
// as regular as the motion was, extrapolated that far it may be anywhere.
func TestLongStepsAfterShortOnesAreTested(t *testing.T) {
	for _, order := range []int{2, 4} {
		f := wire(20, 0.0005, sideways, 0, 90, 180, 270)
		f.Rod.Order = order
		f.Rod.Damping.KelvinVoigt = 1e-3
		e := implicitOf(t, f)
		in := pulling(3, 0, 1, 0)
		for range 20 {
			if err := e.Step(1e-5, in); err != nil {
				t.Fatal(err)
			}
		}
		if !e.regular() {
			t.Fatalf("order %d: the short steps are not regular", order)
		}
		p := e.history.plan(0.05)
		e.begin(&p, in)
		e.system.UpdateKinematics()
		stay := e.system.Merit()
		e.predict(&p)
		ahead := e.system.Merit()
		e.abandon()
		if p.order != 1 || !(ahead <= stay) {
			t.Errorf("order %d: a long step of order %d begins at a merit of %.6g J, staying has %.6g J", order, p.order, ahead, stay)
		}
		if err := e.Step(0.05, in); err != nil || e.tally.divided > 0 {
			t.Errorf("order %d: a long step after short ones: error %v, %d divided", order, err, e.tally.divided)
		}
	}
}

// What is divided, rubs or is held by its length is compared with staying.
func TestWhatIsNotRegular(t *testing.T) {
	f := wire(20, 0.0005, sideways, 0, 90)
	e, in := implicitOf(t, f), pulling(0, 0)
	if err := e.Step(1e-3, in); err != nil || !e.regular() {
		t.Errorf("a rod at rest is not regular (error %v)", err)
	}
	e.system.ByNodes = true
	if e.regular() {
		t.Error("a part of a divided step is regular")
	}
	e.system.ByNodes, e.told.Rejects = false, 1
	if e.regular() {
		t.Error("a step after one that took an increment back is regular")
	}
	f.Tendons[0].Friction = 0.1
	if implicitOf(t, f).regular() {
		t.Error("a rod whose tendons rub is regular")
	}
	f.Tendons[0].Friction, f.Tendons[1].Stiffness = 0, 1e4
	e = implicitOf(t, f)
	if err := e.Step(1e-3, in); err != nil || !e.regular() {
		t.Errorf("a rod at rest is not regular (error %v)", err)
	}
	in.Setpoints[1] = force.Setpoint{Mode: force.LengthControl, Pull: 1e-4}
	if err := e.Step(1e-3, in); err != nil || e.regular() {
		t.Errorf("a rod with a tendon held by its length is regular (error %v)", err)
	}
}

// Slopes of elements that nothing damps follow from the strains: asking for what depends on them
// changes nothing, and saving them is no use.
func TestSlopesOfUndampedRodsAreNoState(t *testing.T) {
	f := wire(20, 0.0005, sideways, 0, 90, 180, 270)
	f.Rod.Order = 2
	length := implicitOf(t, f).StateLen()
	f.Rod.Order = 4
	silent, asked := implicitOf(t, f), implicitOf(t, f)
	a, b := make([]float64, silent.StateLen()), make([]float64, asked.StateLen())
	if len(a) != length {
		t.Errorf("a state of %d values, with order 2 %d", len(a), length)
	}
	in := pulling(0, 0, 0, 0)
	most := 0.0
	for k := range 100 {
		sweep(in, float64(k)*1e-3)
		for _, e := range []*implicit{silent, asked} {
			if err := e.Step(1e-3, in); err != nil {
				t.Fatal(err)
			}
		}
		most = max(most, asked.MaxStrain())
		asked.Energy()
		asked.BaseWrench(in)
	}
	silent.Save(a)
	asked.Save(b)
	if !slices.Equal(a, b) {
		t.Error("asking for strains and energy has changed the state")
	}
	silent.Restore(b)
	_, elastic := asked.Energy()
	if _, after := silent.Energy(); after != elastic || silent.MaxStrain() != asked.MaxStrain() || most == 0 {
		t.Errorf("elastic energy %g after a restore, %g before, strain up to %g", after, elastic, most)
	}
}
