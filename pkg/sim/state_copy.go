package sim

import (
	"sync/atomic"
	"time"
)

// StateCopy is the state of the model at a snapshot.
type StateCopy struct {
	State   []float64     // as Model.Save writes it
	SimTime float64       // of the snapshot, s
	Stamp   time.Duration // of the snapshot
}

// stateCopier passes copies of the state from the loop to one reader, who asks for each. It
// has one buffer, which belongs to the loop from when a copy is wanted until it is in ready,
// and to the reader otherwise.
type stateCopier struct {
	wanted atomic.Bool
	buffer StateCopy
	ready  chan *StateCopy // capacity 1
}

func newStateCopier(m Model) *stateCopier {
	return &stateCopier{buffer: StateCopy{State: make([]float64, m.StateLen())}, ready: make(chan *StateCopy, 1)}
}

// copy makes the copy that is wanted, if one is. It does not wait.
func (c *stateCopier) copy(m Model, shot *Snapshot) {
	if !c.wanted.Load() {
		return
	}
	m.Save(c.buffer.State)
	c.buffer.SimTime, c.buffer.Stamp = shot.SimTime, shot.Stamp
	c.wanted.Store(false)
	select {
	case c.ready <- &c.buffer:
	default:
	}
}
