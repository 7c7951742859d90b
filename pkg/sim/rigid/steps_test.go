package rigid_test

import (
	"testing"

	"sinew/pkg/sim/integrate"
	"sinew/pkg/sim/rigid"
	"sinew/pkg/sim/spatial"
)

func TestStepsDoNotAllocate(t *testing.T) {
	names, all := rigid.EveryStepper(t)
	for i, m := range all {
		x := rigid.TopMotion(spatial.Vec{})
		if n := testing.AllocsPerRun(100, func() { _, _ = m.Step(0, 1e-4, &x) }); n != 0 {
			t.Errorf("%s: %g allocations per step", names[i], n)
		}
	}
}

// A motion and a method's memory, saved and restored, go on bit by bit as before, also
// after other steps and in another stepper.
func TestSaveRestore(t *testing.T) {
	const h = 1e-4
	names, all := rigid.EveryStepper(t)
	_, others := rigid.EveryStepper(t)
	for i, m := range all {
		x := rigid.March(t, m, h, 50, rigid.TopMotion(spatial.Vec{}))
		memory := make([]float64, m.StateLen())
		m.Save(memory)
		saved := x
		want := rigid.March(t, m, h, 50, x)
		for _, s := range []integrate.Stepper{m, others[i]} {
			s.Restore(memory, saved)
			if got := rigid.March(t, s, h, 50, saved); got != want {
				t.Errorf("%s: %v after restoring, want %v", names[i], got, want)
			}
		}
		m.Restart()
		if got := rigid.March(t, m, h, 50, saved); off(got, want) > 1e-2 {
			t.Errorf("%s: a restart is off by %.2g", names[i], off(got, want))
		}
	}
}

// What is no longer finite is an error, and the motion stays.
func TestNonFiniteIsRefused(t *testing.T) {
	names, all := rigid.EveryStepper(t)
	for i, m := range all {
		x := rigid.TopMotion(spatial.Vec{})
		x.V.Angular.X = 1e200
		before := x
		if _, err := m.Step(0, 1e-4, &x); err == nil {
			t.Errorf("%s: no error", names[i])
		}
		if x != before {
			t.Errorf("%s: the motion changed to %v", names[i], x)
		}
	}
}

func BenchmarkStep(b *testing.B) {
	names, all := rigid.EveryStepper(b)
	for i, m := range all {
		b.Run(names[i], func(b *testing.B) {
			x := rigid.TopMotion(spatial.Vec{})
			b.ReportAllocs()
			for range b.N {
				if _, err := m.Step(0, 1e-4, &x); err != nil {
					x = rigid.TopMotion(spatial.Vec{}) // the angles reach their singularity
				}
			}
		})
	}
}
