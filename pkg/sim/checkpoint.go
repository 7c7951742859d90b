package sim

// checkpoints are the states that a simulator can return to.
type checkpoints struct {
	initial *checkpoint
	saved   *checkpoint // by SaveState
	good    *checkpoint // at the last snapshot whose values were all finite
}

// checkpoint holds everything that determines what a simulator computes next.
type checkpoint struct {
	valid     bool       // whether something was saved
	model     []float64  // state of the model
	drives    [][]drive  // setpoints and targets, by group and value
	watchdogs []Watchdog // age of the commands, by group
	step      uint64     // time steps since the last reset
}

// makeCheckpoints saves the initial state.
func (s *Simulator) makeCheckpoints() {
	storage := func() *checkpoint {
		return &checkpoint{
			model:     make([]float64, s.model.StateLen()),
			drives:    newDrives(s.inputs.groups),
			watchdogs: make([]Watchdog, len(s.watchdogs.timers)),
		}
	}
	s.checkpoints = checkpoints{initial: storage(), saved: storage(), good: storage()}
	s.save(s.checkpoints.initial)
	s.save(s.checkpoints.good)
}

// save writes the present state to c. It does not allocate.
func (s *Simulator) save(c *checkpoint) {
	s.model.Save(c.model)
	copyDrives(c.drives, s.inputs.drives)
	copy(c.watchdogs, s.watchdogs.timers)
	c.step = s.time.step
	c.valid = true
}

// restore makes c the present state. It discards the commands that wait, because they were
// meant for another state. If the operating state requires safe actuation, the setpoints
// ramp to their safe values.
func (s *Simulator) restore(c *checkpoint) error {
	if err := s.model.Restore(c.model); err != nil {
		return err
	}
	copyDrives(s.inputs.drives, c.drives)
	copy(s.watchdogs.timers, c.watchdogs)
	s.time.step = c.step
	s.snapshots.changed, s.state.stepFailed = true, false
	s.intake.discard()
	s.inputs.holdLimits()
	s.watchdogs.setTimeout(s.Options().CommandTimeoutS)
	if s.state.current.safe() {
		s.makeSafe()
	}
	s.watchdogs.publish()
	return nil
}
