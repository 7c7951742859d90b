package rtps

import (
	"container/heap"
	"math"
	"net/netip"
	"time"

	"sinew/pkg/ros/rtps/wire"
)

// group is the multicast group of discovery.
var group = netip.AddrFrom4(wire.SPDPGroup)

// engine is the state of a participant. The goroutine of run owns all of it; other goroutines use
// the channels.
type engine struct {
	opts      Options
	guid      GUID
	link      link
	id        int // participant identifier
	host      host
	announced []netip.Addr // addresses that announcements may have carried
	timers    timers
	now       time.Time  // time of the event that is being handled
	source    netip.Addr // where the datagram came from that is being handled
	tx        wire.Builder

	remotes   map[wire.Prefix]*remote
	endpoints int // number of endpoints of all remotes
	writers   map[wire.EntityID]*localWriter
	readers   map[wire.EntityID]*localReader
	lastKey   uint32 // last key of the allocated entity identifiers

	spdp     announcer
	departed departures
	sedp     [2]*localWriter        // the writers of SEDP: about writers and about readers
	buffered int                    // bytes of samples that wait in readers
	received uint64                 // samples delivered to readers
	survey   func(*host)            // passes the addresses of this host and of peers to the link
	join     func(netip.Addr) error // joins the group on one more interface
	part     func(netip.Addr)       // leaves it
	stats    *counters
	notifier *notifier

	packets chan *packet
	dirty   dirty
	calls   chan func()
	quit    chan struct{}
	left    bool // the good-bye was sent
}

// idle is how long the engine sleeps when nothing is due.
const idle = time.Hour

// run handles one event at a time until quit is closed.
func (e *engine) run() {
	timer := time.NewTimer(0)
	defer timer.Stop()
	due := time.Time{}
	for {
		select {
		case p := <-e.packets:
			e.wake(due)
			e.receive(p)
			p.release()
		case <-e.dirty.wake:
			e.wake(due)
			for _, w := range e.dirty.take() {
				e.flush(w)
			}
		case f := <-e.calls:
			e.wake(due)
			f()
		case <-timer.C:
			e.wake(due)
			due = time.Time{}
		case <-e.quit:
			return
		}
		if e.left {
			return // timers must not renew the announcements of a participant that has left
		}
		e.timers.run(e.now)
		next, ok := e.timers.next()
		if !ok {
			next = e.now.Add(idle)
		}
		if !next.Equal(due) {
			due = next
			timer.Reset(next.Sub(e.now))
		}
	}
}

// standstill is the delay of a timer after which the process counts as suspended.
const standstill = 100 * time.Millisecond

// wake sets the time after a sleep that should have ended by due, if due is not zero. A process
// that was suspended has received nothing in that time. wake extends the leases accordingly:
// messages of other participants are still to be read, or their host was suspended too.
func (e *engine) wake(due time.Time) {
	e.now = time.Now()
	if due.IsZero() || e.now.Sub(due) < standstill {
		return
	}
	for _, r := range e.remotes {
		r.heard = r.heard.Add(e.now.Sub(due))
	}
}

// after sets a timer d from now.
func (e *engine) after(d time.Duration, a *timer) { e.timers.set(a, e.now.Add(d)) }

// begin starts a message in e.tx for one participant.
func (e *engine) begin(to wire.Prefix) *wire.Builder {
	e.tx.Bytes = e.tx.Bytes[:0]
	e.tx.Header(wire.Header{Version: wire.ThisVersion, Vendor: wire.VendorUnknown, Prefix: e.guid.Prefix})
	if to != (wire.Prefix{}) {
		e.tx.InfoDestination(to)
	}
	return &e.tx
}

// takeBuffer reserves n bytes for a sample that has to wait; held is the number of bytes that its
// writer has reserved already.
func (e *engine) takeBuffer(n int, held *int) bool {
	limit := e.opts.Limits.BufferedBytes
	if n > limit/4-*held || n > limit-e.buffered {
		e.stats.add(refusedBuffers)
		return false
	}
	*held += n
	e.buffered += n
	return true
}

func (e *engine) releaseBuffer(n int, held *int) {
	*held -= n
	e.buffered -= n
}

// newEntity allocates an identifier that this participant has not used yet.
func (e *engine) newEntity(kind byte) (wire.EntityID, bool) {
	if e.lastKey == math.MaxUint32>>8 {
		return wire.EntityID{}, false
	}
	e.lastKey++
	k := e.lastKey
	return wire.EntityID{byte(k >> 16), byte(k >> 8), byte(k), kind}, true
}

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

// next returns the time at which run must be called; false if no timer is set.
func (a *timers) next() (time.Time, bool) {
	if len(a.heap) == 0 {
		return time.Time{}, false
	}
	return a.heap[0].at, true
}

// run fires the timers that are due at now. A timer that is set meanwhile fires in the next run.
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
