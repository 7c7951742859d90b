package sim

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
