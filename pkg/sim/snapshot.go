package sim

import (
	"sync/atomic"
	"time"

	"sinew/pkg/sim/spatial"
)

// Snapshot holds the outputs of a model, and the state of its simulator, at the end
// of one control period.
type Snapshot struct {
	// Seq counts snapshots from 1; a gap means missed ones.
	Seq uint64
	// Period counts simulated control periods since the last reset. It does not
	// change while time stands still.
	Period uint64
	// SimTime is the simulated time since the last reset, s.
	SimTime float64
	// Restored counts how often Reset, RestoreState or a failure has replaced the state by an earlier one.
	Restored uint64
	// Stamp is Clock.Now at the end of the period. With Options.Follow it is the time
	// of that clock, and 0 before its first time.
	Stamp time.Duration
	// State is the operating state.
	State OperatingState
	// Reason is why the simulator is in State; it is empty when ENABLED.
	Reason string
	// Busy reports that setpoints have yet to reach their targets, or that a Step
	// request is running.
	Busy bool
	// Slow reports that the snapshot is due at the marker rate.
	Slow bool
	// Drawn reports that a scene was drawn with the snapshot.
	Drawn bool
	// Values holds the values of each Out port by port index, and nil for In ports.
	// Units, layout and frame are those of the Port.
	Values [][]float64
	// Setpoints holds Model.Setpoint of each port with Port.HasSetpoint by port index, and nil for
	// all other ports. A value that the model cannot tell is NaN.
	Setpoints [][]float64
	// Gauges holds the values that Model.Measure wrote, in SI units.
	Gauges []float64
}

// newSnapshot returns storage for the values of ports and gauges.
func newSnapshot(ports []Port, gauges []Gauge) *Snapshot {
	s := &Snapshot{Values: make([][]float64, len(ports)), Setpoints: make([][]float64, len(ports)), Gauges: make([]float64, len(gauges))}
	for i := range ports {
		switch p := &ports[i]; {
		case p.Direction == Out:
			s.Values[i] = make([]float64, p.Width())
		case p.HasSetpoint():
			s.Setpoints[i] = make([]float64, p.Width())
		}
	}
	return s
}

// copyTo copies s into the storage of dst.
func (s *Snapshot) copyTo(dst *Snapshot) {
	values, setpoints, gauges := dst.Values, dst.Setpoints, dst.Gauges
	*dst = *s
	dst.Values, dst.Setpoints, dst.Gauges = values, setpoints, gauges
	for i, v := range s.Values {
		copy(values[i], v)
	}
	for i, v := range s.Setpoints {
		copy(setpoints[i], v)
	}
	copy(gauges, s.Gauges)
}

// finite reports whether every value and gauge is a finite number.
func (s *Snapshot) finite() bool {
	for _, v := range s.Values {
		if !spatial.AllFinite(v) {
			return false
		}
	}
	return spatial.AllFinite(s.Gauges)
}

// ring passes snapshots from the loop to one reader in order. The loop never
// waits: when the ring is full it takes the place of the oldest one.
//
// Snapshots themselves move, not their contents: a slot names one of
// size + 2 buffers and the sequence number in it, packed in one word. The
// writer swaps its own full buffer for what is in the slot, the reader swaps its
// own empty one for what it expects there, so each buffer has one owner always.
type ring struct {
	slots   []atomic.Uint64 // sequence number << bufferBits | buffer
	size    uint64          // number of slots
	head    atomic.Uint64   // newest sequence number written
	missed  atomic.Uint64
	buffers []*Snapshot

	writer uint64        // buffer that the writer owns
	reader uint64        // buffer that the reader owns
	next   atomic.Uint64 // sequence number that the reader expects; only the reader changes it
}

// A ring has ringSize slots, half a second at 1 kHz: longer than a garbage collection
// or a burst of other work keeps a reader away. Where that would take more than
// ringBytes, which is the case from 2300 robots of a swarm on, it has fewer, but
// leastSlots.
const (
	ringSize   = 512
	ringBytes  = 64 << 20
	leastSlots = 8
	bufferBits = 10
	bufferMask = 1<<bufferBits - 1
)

func newRing(m Model) *ring {
	ports, gauges := m.Ports(), m.Gauges()
	size := slots(newSnapshot(ports, gauges).bytes())
	r := &ring{slots: make([]atomic.Uint64, size), size: size, buffers: make([]*Snapshot, size+2), writer: size, reader: size + 1}
	r.next.Store(1)
	for i := range r.buffers {
		r.buffers[i] = newSnapshot(ports, gauges)
	}
	for i := range r.slots {
		r.slots[i].Store(uint64(i))
	}
	return r
}

// slots returns the number of slots of a ring whose snapshots have so many bytes.
func slots(bytes int) uint64 { return uint64(min(ringSize, max(leastSlots, ringBytes/max(1, bytes)))) }

// bytes is the memory of the values of s.
func (s *Snapshot) bytes() int {
	n := len(s.Gauges)
	for _, values := range [][][]float64{s.Values, s.Setpoints} {
		for _, v := range values {
			n += len(v)
		}
	}
	return 8 * n
}

// back is the snapshot to fill before publish.
func (r *ring) back() *Snapshot { return r.buffers[r.writer] }

// publish numbers the snapshot of back and makes it the newest one.
func (r *ring) publish() {
	seq := r.head.Load() + 1
	r.buffers[r.writer].Seq = seq
	old := r.slots[seq%r.size].Swap(seq<<bufferBits | r.writer)
	r.writer = old & bufferMask
	if old>>bufferBits != 0 {
		r.missed.Add(1)
	}
	r.head.Store(seq)
}

// unread returns how many snapshots the reader has yet to take, as the writer counts them.
func (r *ring) unread() uint64 { return r.head.Load() + 1 - r.next.Load() }

// pop copies the oldest unread snapshot to dst.
func (r *ring) pop(dst *Snapshot) bool {
	for {
		head, next := r.head.Load(), r.next.Load()
		if next > head {
			return false
		}
		if head-next >= r.size {
			next = head - r.size + 1
			r.next.Store(next)
		}
		slot := &r.slots[next%r.size]
		full := slot.Load()
		if full>>bufferBits != next || !slot.CompareAndSwap(full, r.reader) {
			continue // overwritten meanwhile: the oldest one is a newer one
		}
		r.reader = full & bufferMask
		r.next.Store(next + 1)
		r.buffers[r.reader].copyTo(dst)
		return true
	}
}
