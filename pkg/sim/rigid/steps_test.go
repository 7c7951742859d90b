package rigid

import (
	"testing"

	"sinew/pkg/sim/integrate"
	"sinew/pkg/sim/spatial"
)

// everyStepper returns all methods with all formulations for the heavy top.
func everyStepper(t testing.TB) (names []string, all []integrate.Stepper) {
	s := top(t, spatial.Vec{})
	for _, m := range methods {
		names, all = append(names, m.name), append(all, m.make(s))
	}
	for _, m := range implicitMethods {
		names, all = append(names, m.name), append(all, m.make(s.Body, s.Loads, spatial.Vec{}))
	}
	return names, all
}

func TestStepsDoNotAllocate(t *testing.T) {
	names, all := everyStepper(t)
	for i, m := range all {
		x := topMotion(spatial.Vec{})
		if n := testing.AllocsPerRun(100, func() { _, _ = m.Step(0, 1e-4, &x) }); n != 0 {
			t.Errorf("%s: %g allocations per step", names[i], n)
		}
	}
}

// A motion and a method's memory, saved and restored, go on bit by bit as before, also
// after other steps and in another stepper.
func TestSaveRestore(t *testing.T) {
	const h = 1e-4
	names, all := everyStepper(t)
	_, others := everyStepper(t)
	for i, m := range all {
		x := march(t, m, h, 50, topMotion(spatial.Vec{}))
		memory := make([]float64, m.StateLen())
		m.Save(memory)
		saved := x
		want := march(t, m, h, 50, x)
		for _, s := range []integrate.Stepper{m, others[i]} {
			s.Restore(memory, saved)
			if got := march(t, s, h, 50, saved); got != want {
				t.Errorf("%s: %v after restoring, want %v", names[i], got, want)
			}
		}
		m.Restart()
		if got := march(t, m, h, 50, saved); off(got, want) > 1e-2 {
			t.Errorf("%s: a restart is off by %.2g", names[i], off(got, want))
		}
	}
}

// What is no longer finite is an error, and the motion stays.
func TestNonFiniteIsRefused(t *testing.T) {
	names, all := everyStepper(t)
	for i, m := range all {
		x := topMotion(spatial.Vec{})
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
	names, all := everyStepper(b)
	for i, m := range all {
		b.Run(names[i], func(b *testing.B) {
			x := topMotion(spatial.Vec{})
			b.ReportAllocs()
			for range b.N {
				if _, err := m.Step(0, 1e-4, &x); err != nil {
					x = topMotion(spatial.Vec{}) // the angles reach their singularity
				}
			}
		})
	}
}
