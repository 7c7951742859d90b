package sim

// checkpoints are the states that a simulator can return to.
type checkpoints struct {
	initial *checkpoint
	saved   *checkpoint // by SaveState
	good    *checkpoint // at the last snapshot whose values were all finite

	restored uint64 // how often one of them has become the present state
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
func (l *loop) makeCheckpoints() {
	storage := func() *checkpoint {
		return &checkpoint{
			model:     make([]float64, l.model.StateLen()),
			drives:    newDrives(l.inputs.groups),
			watchdogs: make([]Watchdog, len(l.watchdogs.timers)),
		}
	}
	l.checkpoints = checkpoints{initial: storage(), saved: storage(), good: storage()}
	l.save(l.checkpoints.initial)
	l.save(l.checkpoints.good)
}

// save writes the present state to c. It does not allocate.
func (l *loop) save(c *checkpoint) {
	l.model.Save(c.model)
	copyDrives(c.drives, l.inputs.drives)
	copy(c.watchdogs, l.watchdogs.timers)
	c.step = l.time.step
	c.valid = true
}

// restore makes c the present state. It discards the commands that wait, because they were
// meant for another state. If the operating state requires safe actuation, the setpoints
// ramp to their safe values.
func (l *loop) restore(c *checkpoint) error {
	if err := l.model.Restore(c.model); err != nil {
		return err
	}
	copyDrives(l.inputs.drives, c.drives)
	copy(l.watchdogs.timers, c.watchdogs)
	l.time.step = c.step
	l.checkpoints.restored++
	l.snapshots.changed, l.state.stepFailed = true, false
	l.intake.discard()
	l.inputs.holdLimits()
	l.watchdogs.setTimeout(l.settings.Load().options.CommandTimeoutS)
	if l.state.current.safe() {
		l.makeSafe()
	}
	l.watchdogs.publish()
	return nil
}
