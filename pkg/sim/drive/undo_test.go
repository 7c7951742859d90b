package drive_test

import (
	"slices"
	"testing"

	"sinew/pkg/sim/drive"
)

// A restored state continues to the last bit, with its queue and the side of the play. An undone
// step leaves nothing, not even in the queue.
func TestSaveAndUndo(t *testing.T) {
	j := drive.Joint{DeadTime: 7.3 * step, Lag: 0.004, Gain: 0.9, Backlash: 0.2, Shortest: step}
	a, b := drive.NewState(j, 0), drive.NewState(j, 1)
	wander(a, 0, 23)
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
	b.Advance(step / 8) // shorter than Shortest: the newest command in the queue is replaced
	b.Command(0.333, 0)
	b.Advance(step / 8)
	b.Undo()
	b.Restore(state)
	b.Command(-0.5, 0)
	b.Advance(step)
	b.Undo()
	b.Command(a.Commanded(0), 0)
	if got, want := wander(b, 23, 50), wander(a, 23, 50); !slices.Equal(got, want) {
		t.Errorf("moves to %g, want %g", got, want)
	}
}
