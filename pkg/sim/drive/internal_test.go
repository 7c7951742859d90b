package drive

import (
	"slices"
	"testing"
)

// Tests of what has no exported name.

// A restored state continues to the last bit, with its queue and the side of the play. An undone
// step leaves nothing, not even in the queue.
func TestSaveAndUndo(t *testing.T) {
	j := Joint{DeadTime: 7.3 * Step, Lag: 0.004, Gain: 0.9, Backlash: 0.2, Shortest: Step}
	a, b := NewState(j, 0), NewState(j, 1)
	Wander(a, 0, 23)
	state := make([]float64, a.StateLen())
	a.Save(state)
	if !b.IsState(state) {
		t.Fatal("what was saved is no state")
	}
	b.Restore(state)
	again := make([]float64, b.StateLen())
	if b.Save(again); !slices.Equal(again, state) {
		t.Errorf("saved again as %g, was %g", again, state)
	}
	b.Command(0.777, 0)
	b.Advance(Step / 8) // shorter than Shortest: the newest command in the queue is replaced
	b.Command(0.333, 0)
	b.Advance(Step / 8)
	b.Undo()
	b.Restore(state)
	b.Command(-0.5, 0)
	b.Advance(Step)
	b.Undo()
	b.now.command = a.now.command
	if got, want := Wander(b, 23, 50), Wander(a, 23, 50); !slices.Equal(got, want) {
		t.Errorf("goes on to %g, want %g", got, want)
	}
}
