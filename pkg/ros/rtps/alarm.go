package rtps

import (
	"container/heap"
	"time"
)

// alarm calls ring once, at a time that can be moved.
type alarm struct {
	ring func()

	at    time.Time
	place int // 1 + index in the heap; 0 when not set
}

// alarms are the pending alarms of one goroutine.
type alarms struct {
	heap alarmHeap
	now  time.Time // while run rings
}

func (a *alarms) set(x *alarm, at time.Time) {
	if !at.After(a.now) {
		at = a.now.Add(1) // not in this run, which would never end
	}
	x.at = at
	if x.place > 0 {
		heap.Fix(&a.heap, x.place-1)
	} else {
		heap.Push(&a.heap, x)
	}
}

func (a *alarms) clear(x *alarm) {
	if x.place > 0 {
		heap.Remove(&a.heap, x.place-1)
	}
}

// next is when run must be called; false when no alarm is set.
func (a *alarms) next() (time.Time, bool) {
	if len(a.heap) == 0 {
		return time.Time{}, false
	}
	return a.heap[0].at, true
}

// run rings the alarms that are due at now. One that is set meanwhile for a
// time that has come is left for the next run.
func (a *alarms) run(now time.Time) {
	a.now = now
	for len(a.heap) > 0 && !a.heap[0].at.After(now) {
		x := heap.Pop(&a.heap).(*alarm)
		x.ring()
	}
	a.now = time.Time{}
}

type alarmHeap []*alarm

func (h alarmHeap) Len() int           { return len(h) }
func (h alarmHeap) Less(i, j int) bool { return h[i].at.Before(h[j].at) }
func (h alarmHeap) Swap(i, j int) {
	h[i], h[j] = h[j], h[i]
	h[i].place, h[j].place = i+1, j+1
}

func (h *alarmHeap) Push(x any) {
	*h = append(*h, x.(*alarm))
	x.(*alarm).place = len(*h)
}

func (h *alarmHeap) Pop() any {
	old := *h
	x := old[len(old)-1]
	old[len(old)-1] = nil
	*h = old[:len(old)-1]
	x.place = 0
	return x
}
