package motion_test

import (
	"math/rand/v2"
	"testing"

	"sinew/pkg/sim/continuum/continuumtest"
)

// TestDividedStepsDoNotAllocate takes steps in parts whose tensions jump so much that whole ones do not converge.
func TestDividedStepsDoNotAllocate(t *testing.T) {
	const dt, steps, highest, wanted = 1e-3, 400, 15.0, 3 // s, 1, N, 1
	e := continuumtest.New(t, continuumtest.Wire(50, 0.0005, continuumtest.Sideways, 0, 90, 180, 270))
	in := continuumtest.Pulling(0, 0, 0, 0)
	r := rand.New(rand.NewPCG(5, 1))
	before := e.State()
	found := 0
	for i := 0; i < steps && found < wanted; i++ {
		if i%20 == 0 {
			for k := range in.Setpoints {
				in.Setpoints[k].Tension = highest * r.Float64() * float64(r.IntN(2))
			}
		}
		e.Save(before)
		divided := e.Stepper.Counters().Divided
		if err := e.Step(dt, in); err != nil {
			t.Fatal(err)
		}
		if e.Stepper.Counters().Divided == divided {
			continue
		}
		found++
		n := testing.AllocsPerRun(2, func() {
			if err := e.Restore(before); err != nil {
				t.Error(err)
			}
			if err := e.Step(dt, in); err != nil {
				t.Error(err)
			}
		})
		if e.Stepper.Counters().Divided != divided+1 {
			t.Errorf("step %d is not divided again", i)
		}
		if n > 0 {
			t.Errorf("step %d, in parts: %g allocations", i, n)
		}
	}
	if found < wanted {
		t.Errorf("%d of %d steps are divided, want %d", found, steps, wanted)
	}
}
