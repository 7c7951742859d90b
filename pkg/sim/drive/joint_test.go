package drive_test

import (
	"math"
	"slices"
	"testing"

	"sinew/pkg/sim/drive"
)

// plain is a joint without delay, lag and backlash.
var plain = drive.Joint{Gain: 1, Shortest: step}

// advance moves the joint by a number of steps.
func advance(s *drive.State, steps int) {
	for range steps {
		s.Advance(step)
	}
}

// Without delay, lag and backlash the pulley is at the commanded angle at the end of a step.
func TestPlainJointFollowsAtOnce(t *testing.T) {
	s := drive.NewState(plain, 0.3)
	if s.Pulley() != 0.3 || s.Shaft() != 0.3 || s.Commanded(0) != 0.3 {
		t.Fatalf("begins at %g, %g, %g", s.Pulley(), s.Shaft(), s.Commanded(0))
	}
	s.Command(-1.7, 0)
	if advance(s, 1); s.Pulley() != -1.7 {
		t.Errorf("pulley at %g", s.Pulley())
	}
}

// A command acts after the dead time, to the step, whatever comes between. At times between two
// steps the lag has the remaining part of the step.
func TestDeadTime(t *testing.T) {
	for _, steps := range []int{1, 2, 7, 1000} {
		j := plain
		j.DeadTime = float64(steps) * step
		s := drive.NewState(j, 0)
		var sent []float64
		for n := range 3 * steps {
			u := math.Sin(float64(n) * 0.7)
			if n%5 == 3 {
				u = sent[n-1] // pauses
			}
			sent = append(sent, u)
			s.Command(u, 0)
			s.Advance(step)
			want := 0.0
			if n >= steps {
				want = sent[n-steps]
			}
			if s.Pulley() != want {
				t.Fatalf("dead time of %d steps: %g at the end of step %d, want %g", steps, s.Pulley(), n, want)
			}
		}
	}
	const lag = 0.01
	s := drive.NewState(drive.Joint{DeadTime: 2.25 * step, Lag: lag, Gain: 1, Shortest: step}, 0)
	s.Command(1, 0)
	if advance(s, 2); s.Pulley() != 0 {
		t.Errorf("acts %g before the dead time is over", s.Pulley())
	}
	advance(s, 1)
	if want := -math.Expm1(-0.75 * step / lag); math.Abs(s.Pulley()-want) > 1e-15 {
		t.Errorf("%g, want %g", s.Pulley(), want)
	}
}

// The lag covers 1 − exp(−t/T) of the difference for any step lengths, and the gain scales it.
func TestLag(t *testing.T) {
	const lag, gain = 0.05, 0.8
	for _, dt := range []float64{step, 4 * step, 0.25 * step} {
		s := drive.NewState(drive.Joint{Lag: lag, Gain: gain, Shortest: dt}, 1)
		s.Command(3, 0)
		for n := 1; n <= 100; n++ {
			s.Advance(dt)
			want := gain * (3 - 2*math.Exp(-float64(n)*dt/lag))
			if math.Abs(s.Shaft()-want) > 1e-14 {
				t.Fatalf("step of %g s: %g after %d, want %g", dt, s.Shaft(), n, want)
			}
		}
	}
}

// The pulley follows the flanks of the backlash: the loop is an exact parallelogram in every cycle,
// and a small motion within the play does not move it.
func TestBacklashLoop(t *testing.T) {
	const half = 0.0625
	j := plain
	j.Backlash = 2 * half
	s := drive.NewState(j, 0)
	for round := range 3 {
		walk := func(from, to float64) {
			for k := 1; k <= 64; k++ {
				u := from + (to-from)*float64(k)/64
				s.Command(u, 0)
				s.Advance(step)
				want := u - math.Copysign(half, to-from)
				if math.Abs(u-from) < 2*half { // within the play, from the other flank
					want = from + math.Copysign(half, to-from)
					if from == 0 {
						want = 0
						if math.Abs(u) > half {
							want = u - math.Copysign(half, to-from)
						}
					}
				}
				if s.Pulley() != want {
					t.Fatalf("round %d, on the way from %g to %g: pulley at %g for %g, want %g", round, from, to, s.Pulley(), u, want)
				}
			}
		}
		if round == 0 {
			walk(0, 1)
		} else {
			walk(-1, 1)
		}
		walk(1, -1)
	}
}

// The shaft is at the measured angle, and the queue is empty when commands return.
func TestMeasuredShaft(t *testing.T) {
	s := drive.NewState(drive.Joint{DeadTime: 3 * step, Lag: 0.02, Gain: 0.5, Backlash: 0.1, Shortest: step}, 0)
	s.Command(1, 0)
	advance(s, 2)
	s.Measure(0.4, 0)
	advance(s, 1)
	if s.Shaft() != 0.4 || math.Abs(s.Pulley()-0.35) > 1e-15 || s.Commanded(0) != 0.8 {
		t.Errorf("shaft %g, pulley %g, command %g", s.Shaft(), s.Pulley(), s.Commanded(0))
	}
	s.Command(0.8, 0)
	if advance(s, 10); s.Shaft() != 0.4 {
		t.Errorf("the command that holds it moves it to %g", s.Shaft())
	}
}

// The angle of a shaft under load does not jump at a change between commands and measurements.
func TestHandingOverUnderLoad(t *testing.T) {
	const deflection = 0.3
	s := drive.NewState(drive.Joint{Lag: 0.02, Gain: 0.5, Backlash: 0.1, Shortest: step}, 0)
	s.Command(1, 0)
	advance(s, 2)
	s.Command(2, 0)
	advance(s, 1000)
	pulley := s.Pulley() - deflection // with the load
	s.Measure(s.Shaft()-deflection, deflection)
	if advance(s, 1); math.Abs(s.Pulley()-pulley) > 1e-12 {
		t.Errorf("measured, the pulley goes from %g to %g", pulley, s.Pulley())
	}
	now := s.Commanded(deflection)
	if s.Command(now, deflection); math.Abs(now-2) > 1e-12 {
		t.Errorf("%g would hold it, want 2", now)
	}
	if advance(s, 10); math.Abs(s.Pulley()-deflection-pulley) > 1e-12 {
		t.Errorf("commanded, the pulley goes from %g to %g", pulley, s.Pulley()-deflection)
	}
}

// Undo removes a command that only a failed step has put in the queue.
func TestStop(t *testing.T) {
	s := drive.NewState(drive.Joint{DeadTime: 3 * step, Gain: 1, Shortest: step}, 0)
	s.Command(1, 0)
	advance(s, 1)
	s.Command(2, 0)
	s.Advance(step)
	s.Undo()
	s.Stop()
	if advance(s, 10); s.Commanded(0) != 1 || s.Pulley() != 1 {
		t.Errorf("goes to %g, commanded %g, want 1", s.Pulley(), s.Commanded(0))
	}
}

// After Settle nothing lags, and the pulley is where the backlash leaves it.
func TestSettle(t *testing.T) {
	s := drive.NewState(drive.Joint{DeadTime: 3 * step, Lag: 0.02, Gain: 2, Backlash: 0.5, Shortest: step}, 0)
	s.Command(1, 0)
	advance(s, 1)
	s.Settle()
	if s.Shaft() != 2 || s.Pulley() != 1.75 {
		t.Errorf("shaft %g, pulley %g", s.Shaft(), s.Pulley())
	}
	if advance(s, 20); s.Shaft() != 2 || s.Pulley() != 1.75 {
		t.Errorf("leaves its rest: shaft %g, pulley %g", s.Shaft(), s.Pulley())
	}
}

// Undo restores a replaced command in the queue.
func TestUndoOfReplaced(t *testing.T) {
	s := drive.NewState(drive.Joint{DeadTime: 4 * step, Gain: 1, Shortest: step}, 0)
	s.Command(1, 0)
	s.Advance(step / 8)
	before, after := make([]float64, s.StateLen()), make([]float64, s.StateLen())
	s.Command(2, 0)
	s.Save(before)
	s.Advance(step / 8)
	s.Undo()
	if s.Save(after); !slices.Equal(before, after) {
		t.Errorf("%g, was %g", after, before)
	}
}

// IsState refuses what Save cannot have written.
func TestBadStates(t *testing.T) {
	s := drive.NewState(drive.Joint{DeadTime: 4 * step, Gain: 1, Shortest: step}, 0)
	wander(s, 0, 9)
	withoutQueue := drive.NewState(plain, 0).StateLen()
	for at, x := range map[int]float64{7: 0.5, 8: 99, withoutQueue + 1: -1} {
		state := make([]float64, s.StateLen())
		s.Save(state)
		if state[at] = x; s.IsState(state) {
			t.Errorf("value %d is %g", at, x)
		}
	}
	state := make([]float64, s.StateLen())
	s.Save(state)
	if state[8] = 1.5; s.IsState(state) {
		t.Error("one and a half commands on their way")
	}
}

// No method that a step calls allocates.
func TestJointDoesNotAllocate(t *testing.T) {
	s := drive.NewState(drive.Joint{DeadTime: 7.3 * step, Lag: 0.004, Gain: 0.9, Backlash: 0.2, Shortest: step}, 0)
	state, n := make([]float64, s.StateLen()), 0.0
	if a := testing.AllocsPerRun(100, func() {
		n++
		s.Command(math.Sin(n), 0)
		s.Advance(step)
		s.Undo()
		s.Save(state)
		s.Restore(state)
	}); a != 0 {
		t.Errorf("%g allocations", a)
	}
}

// The matrix of a plate and a pulley has the displacements per newton of the other tendon.
func TestCoupling(t *testing.T) {
	c := drive.NewCoupling(3)
	const shared, r, give = 1e-5, 0.01, 0.3
	c.Reset(shared)
	for _, k := range []struct {
		at  int
		arm float64
	}{{0, r}, {2, -r}} {
		for _, l := range []struct {
			at  int
			arm float64
		}{{0, r}, {2, -r}} {
			c.Add(k.at, l.at, k.arm, l.arm, give)
		}
	}
	want := [3][3]float64{{shared + r*r*give, shared, shared - r*r*give}, {shared, shared, shared}, {shared - r*r*give, shared, shared + r*r*give}}
	for k := range want {
		for l := range want {
			if math.Abs(c.At(k, l)-want[k][l]) > 1e-20 {
				t.Errorf("%d, %d: %g, want %g", k, l, c.At(k, l), want[k][l])
			}
		}
	}
}
