package rtps

import (
	"container/heap"
	"time"
)

// timer calls fire once, at a time that can be moved.
type timer struct {
	fire func()

	at    time.Time
	place int // 1 + index in the heap; 0 when not set
}

// timers are the pending timers of one goroutine.
type timers struct {
	heap timerHeap
	now  time.Time // time of the present run; zero outside
}

func (a *timers) set(x *timer, at time.Time) {
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

func (a *timers) clear(x *timer) {
	if x.place > 0 {
		heap.Remove(&a.heap, x.place-1)
	}
}

// next is when run must be called; false when no timer is set.
func (a *timers) next() (time.Time, bool) {
	if len(a.heap) == 0 {
		return time.Time{}, false
	}
	return a.heap[0].at, true
}

// run fires the timers that are due at now. One that is set meanwhile for a
// time that has come is left for the next run.
func (a *timers) run(now time.Time) {
	a.now = now
	for len(a.heap) > 0 && !a.heap[0].at.After(now) {
		x := heap.Pop(&a.heap).(*timer)
		x.fire()
	}
	a.now = time.Time{}
}

type timerHeap []*timer

func (h timerHeap) Len() int           { return len(h) }
func (h timerHeap) Less(i, j int) bool { return h[i].at.Before(h[j].at) }
func (h timerHeap) Swap(i, j int) {
	h[i], h[j] = h[j], h[i]
	h[i].place, h[j].place = i+1, j+1
}

func (h *timerHeap) Push(x any) {
	*h = append(*h, x.(*timer))
	x.(*timer).place = len(*h)
}

func (h *timerHeap) Pop() any {
	old := *h
	x := old[len(old)-1]
	old[len(old)-1] = nil
	*h = old[:len(old)-1]
	x.place = 0
	return x
}
