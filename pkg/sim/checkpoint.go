package sim

// checkpoint is everything that decides what a simulator computes next: the
// state of the model, the way of its setpoints, the age of its commands and the
// time.
type checkpoint struct {
	valid     bool
	model     []float64
	drives    [][]drive
	watchdogs []Watchdog
	step      uint64
}

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

// restore makes c the present. Commands that wait are of another past and are
// dropped; in a state that accepts none, actuation goes on towards safety.
func (s *Simulator) restore(c *checkpoint) error {
	if err := s.model.Restore(c.model); err != nil {
		return err
	}
	copyDrives(s.inputs.drives, c.drives)
	copy(s.watchdogs, c.watchdogs)
	s.step = c.step
	s.moved = true
	s.dropCommands()
	if !s.state.Accepts() {
		s.makeSafe()
	}
	s.showWatchdogs()
	return nil
}
