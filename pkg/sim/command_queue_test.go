package sim

import "testing"

// The queue takes as many commands as it has places, whatever went through before, and
// gives them back in order.
func TestCommandQueueKeepsOrder(t *testing.T) {
	q := newCommandQueue(2)
	added, taken := 0, 0
	add := func() bool {
		ok := q.add(added%3, []float64{float64(added)})
		if ok {
			added++
		}
		return ok
	}
	take := func() {
		port, v, ok := q.peek()
		if !ok || port != taken%3 || len(v) != 1 || v[0] != float64(taken) {
			t.Fatalf("command %d: port %d, %v, %t", taken, port, v, ok)
		}
		q.drop()
		taken++
	}
	for range 3 * queueSize { // one at a time
		if !add() {
			t.Fatalf("command %d is refused by an empty queue", added)
		}
		take()
	}
	for range queueSize {
		if !add() {
			t.Fatalf("command %d is refused with %d waiting", added, added-taken)
		}
	}
	if add() {
		t.Error("a full queue takes a command")
	}
	if take(); !add() || add() {
		t.Error("a place that is free is not used once")
	}
	for taken < added {
		take()
	}
	if _, _, ok := q.peek(); ok || !q.empty() {
		t.Error("a queue that was emptied is not empty")
	}
	add()
	if q.clear(); !q.empty() {
		t.Error("a queue that was cleared is not empty")
	}
}
