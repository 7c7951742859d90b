package subprocess_test

import (
	"testing"
	"time"

	"sinew/test/subprocess"
)

// tick is what a stopwatch counts.
const tick = time.Millisecond

// A stopwatch counts what a probe sleeps, and never more than has passed.
func TestStopwatch(t *testing.T) {
	begun := time.Now()
	w := subprocess.NewStopwatch()
	for w.Read() < 50*tick {
		if time.Since(begun) > time.Minute {
			t.Fatalf("%v after a minute", w.Read())
		}
		time.Sleep(tick)
	}
	if w.Within(make(chan struct{}), w.Read()+20*tick) {
		t.Error("what never ends has ended")
	}
	ended := make(chan struct{})
	close(ended)
	if !w.Within(ended, 0) {
		t.Error("what has ended has not")
	}
	if took, passed := w.Stop(), time.Since(begun); took < 70*tick || took > passed {
		t.Errorf("%v of %v", took, passed)
	} else if took+w.Stood() > passed {
		t.Errorf("%v, and stood still for %v, of %v", took, w.Stood(), passed)
	}
}
