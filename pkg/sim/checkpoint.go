package sim

import (
	"sync/atomic"
	"time"
)

// checkpoint holds everything that decides what a simulator computes next.
type checkpoint struct {
	valid     bool       // whether something was saved
	model     []float64  // state of the model
	drives    [][]drive  // setpoints and targets, by group and value
	watchdogs []Watchdog // age of the commands, by group
	step      uint64     // time steps since the last reset
}

// newCheckpoint returns storage for save.
func (s *Simulator) newCheckpoint() *checkpoint {
	return &checkpoint{
		model:     make([]float64, s.model.StateLen()),
		drives:    newDrives(s.groups),
		watchdogs: make([]Watchdog, len(s.watchdogs)),
	}
}

// save writes the present to c. It does not allocate.
func (s *Simulator) save(c *checkpoint) {
	s.model.Save(c.model)
	copyDrives(c.drives, s.inputs.drives)
	copy(c.watchdogs, s.watchdogs)
	c.step = s.step
	c.valid = true
}

// restore makes c the present. It drops the commands that wait, because they were
// meant for another state. Where the state asks for safe actuation, that ramps to
// its safe values.
func (s *Simulator) restore(c *checkpoint) error {
	if err := s.model.Restore(c.model); err != nil {
		return err
	}
	copyDrives(s.inputs.drives, c.drives)
	copy(s.watchdogs, c.watchdogs)
	s.step = c.step
	s.moved, s.stuck = true, false
	s.dropCommands()
	s.inputs.holdLimits()
	s.setWatchdogLimits()
	if s.state.safe() {
		s.makeSafe()
	}
	s.showWatchdogs()
	return nil
}

// StateCopy is the state of the model at a snapshot.
type StateCopy struct {
	State   []float64     // as Model.Save writes it
	SimTime float64       // of the snapshot, s
	Stamp   time.Duration // the same
}

// stateCopy passes a StateCopy from the loop to a reader who has asked for it. There is one: it belongs to the
// loop from when it is wanted until it is in ready, and to the reader otherwise.
type stateCopy struct {
	wanted atomic.Bool
	of     StateCopy
	ready  chan *StateCopy // capacity 1
}

// WantState asks the loop for a copy of the state of the model at the next snapshot, which Copied receives. It is for
// one reader, who asks again only when the copy that came is no longer needed.
func (s *Simulator) WantState() { s.copied.wanted.Store(true) }

// Copied receives the copies of the state that WantState has asked for.
func (s *Simulator) Copied() <-chan *StateCopy { return s.copied.ready }

// copyState makes the copy that is asked for. It does not wait.
func (s *Simulator) copyState(shot *Snapshot) {
	c := &s.copied
	if !c.wanted.Load() {
		return
	}
	s.model.Save(c.of.State)
	c.of.SimTime, c.of.Stamp = shot.SimTime, shot.Stamp
	c.wanted.Store(false)
	select {
	case c.ready <- &c.of:
	default:
	}
}
