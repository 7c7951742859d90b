package sim_test

import (
	"strings"
	"testing"
	"time"

	"sinew/pkg/sim"
)

func TestDoBeforeRun(t *testing.T) {
	s, _, c := sim.NewFake(t, sim.FakeOptions())
	before := c.NowValue
	if r := s.Do(sim.Request{Verb: sim.Pause}); r.OK || r.Message != "the simulator is not running" {
		t.Errorf("%+v", r)
	}
	if waited := c.NowValue - before; waited != time.Second {
		t.Errorf("gave up after %v", waited)
	}
}

func TestLongStepsAreRefused(t *testing.T) {
	s, _, _ := sim.NewFake(t, sim.FakeOptions())
	r := s.Do(sim.Request{Verb: sim.Step, Steps: sim.MaxStepTime*sim.FakeHz + 1})
	if r.OK || !strings.Contains(r.Message, "step 15361 is 60.0039 s of simulated time; at most 60 s, which is step 15360") {
		t.Errorf("%+v", r)
	}
}

// In lock-step time stands in FAULT, so a ramp to the safe values would never come.
func TestEStopInLockstepIsSafeAtOnce(t *testing.T) {
	o := sim.FakeOptions()
	o.Lockstep = true
	s, m, _ := sim.NewFake(t, o)
	s.Post(sim.Source{}, sim.PortForce, []float64{9, 9})
	sim.Periods(s, 1)
	sim.Drain(s)
	sim.Ask(t, s, "e_stop")
	shots := sim.Drain(s)
	if last := shots[len(shots)-1]; m.U != [2]float64{1, 1} || last.State != sim.Fault || last.Values[sim.PortJoints][2] != 1 {
		t.Errorf("forces %v, shown %v", m.U, last.Values[sim.PortJoints])
	}
}
