package drive

import "math"

// Joint is a motor joint without its state. The commanded angle u arrives after the dead time as
// v(t) = u(t − DeadTime), which the shaft follows with a lag,
//
//	Lag dφ/dt = v − φ,
//
// without load at Gain φ. The pulley is taken along by the sides of a play of width Backlash and
// else stays where it is.
type Joint struct {
	DeadTime float64 // s
	Lag      float64 // s
	Gain     float64
	Backlash float64 // rad
	// Shortest is the shortest step that tells commands on their way apart, s. Of several in a
	// shorter time the newest counts.
	Shortest float64
}

// State is a joint and what it does. Its methods do not allocate.
type State struct {
	Joint
	now, before   angleState
	queue         []delayedCommand // a ring
	replaced      int              // place in it whose value the last Advance has replaced, −1: none
	replacedValue float64          // that value
}

// angles is the state but for the commands on their way.
type angleState struct {
	command     float64 // what is commanded, rad
	sent        float64 // what was last sent on its way, rad
	delayed     float64 // v, rad
	angle       float64 // φ; where the shaft is measured, its angle; rad
	pulley      float64 // rad, without load
	loadedAngle float64 // angle of the shaft under load at the end of the last step, rad
	rate        float64 // of that in the last step, rad/s
	measured    bool    // the angle of the shaft is given

	head, count int     // of the queue
	first, last float64 // time until the first and the last command in it arrive, s
}

// waiting is a command on its way, and how long after the one before it arrives, s.
type delayedCommand struct{ value, after float64 }

// early is how much before the end of a step a command has to arrive to count in it, s: times
// in decimal and sums of steps in binary differ.
const arrivalTolerance = 1e-9

// NewState makes the state of a joint that has been commanded an angle (rad) for long.
func NewState(j Joint, angle float64) *State {
	cells := 0
	if j.DeadTime > 0 {
		cells = int(math.Ceil(j.DeadTime/j.Shortest)) + 2
	}
	s := &State{Joint: j, queue: make([]delayedCommand, cells), replaced: -1}
	s.now = angleState{command: angle, sent: angle, delayed: angle, angle: angle, pulley: j.Gain * angle, loadedAngle: j.Gain * angle}
	s.before = s.now
	return s
}

// Command sets the commanded angle from the next step on, rad. yield is by what angle the shaft
// gives way to its load now: where the shaft has been measured, the motor is ahead of it by that.
func (s *State) Command(angle, yield float64) {
	if a := &s.now; a.measured { // what was measured becomes where the motor is
		a.angle, a.pulley = s.Commanded(yield), a.pulley+yield
		a.measured, a.sent, a.delayed, a.count = false, a.angle, a.angle, 0
	}
	s.now.command = angle
}

// Measure sets the angle of the shaft from the next step on, rad, whatever is commanded. yield
// is by what angle it gives way to its load now, which what is measured has in it.
func (s *State) Measure(angle, yield float64) {
	if !s.now.measured {
		s.now.measured, s.now.pulley = true, s.now.pulley-yield
	}
	s.now.angle = angle
}

// Stop makes the angle that was last sent on its way the commanded one.
func (s *State) Stop() {
	if !s.now.measured {
		s.now.command = s.now.sent
	}
}

// Commanded is the commanded angle, rad: where the shaft is measured, the one that would hold it
// where it gives way by an angle yield to its load.
func (s *State) Commanded(yield float64) float64 {
	if s.now.measured {
		return (s.now.angle + yield) / s.Gain
	}
	return s.now.command
}

// Measured reports whether the angle of the shaft is given.
func (s *State) Measured() bool { return s.now.measured }

// Shaft is the angle of the shaft without load, rad.
func (s *State) Shaft() float64 {
	if s.now.measured {
		return s.now.angle
	}
	return s.Gain * s.now.angle
}

// Pulley is the angle of the pulley without load, rad.
func (s *State) Pulley() float64 { return s.now.pulley }

// Advance moves the joint by dt seconds. Within them the lag is solved exactly.
func (s *State) Advance(dt float64) {
	s.before, s.replaced = s.now, -1
	if s.now.measured {
		s.updatePulley()
		return
	}
	s.enqueue()
	left := dt
	for a := &s.now; a.count > 0 && a.first < left-arrivalTolerance; {
		wait := max(0, a.first)
		s.advanceLag(wait)
		left -= wait
		s.dequeue()
	}
	s.advanceLag(left)
	s.now.first -= left
	s.now.last -= left
}

// send puts a command on its way that is new.
func (s *State) enqueue() {
	a := &s.now
	if a.command == a.sent {
		return
	}
	a.sent = a.command
	if len(s.queue) == 0 {
		a.delayed = a.command
		return
	}
	after := s.DeadTime
	if a.count > 0 {
		after -= a.last
		if after < s.Shortest-arrivalTolerance || a.count == len(s.queue) {
			s.replaced = (a.head + a.count - 1) % len(s.queue)
			s.replacedValue = s.queue[s.replaced].value
			s.queue[s.replaced].value = a.command
			return
		}
	} else {
		a.first = s.DeadTime
	}
	s.queue[(a.head+a.count)%len(s.queue)] = delayedCommand{a.command, after}
	a.count++
	a.last = s.DeadTime
}

// arrive takes the first command that is on its way, as long before the next as that waits.
func (s *State) dequeue() {
	a := &s.now
	a.delayed = s.queue[a.head].value
	a.last -= a.first
	a.head, a.count, a.first = (a.head+1)%len(s.queue), a.count-1, 0
	if a.count > 0 {
		a.first = s.queue[a.head].after
	}
}

// approach lets the shaft follow what has arrived, for dt seconds.
func (s *State) advanceLag(dt float64) {
	a := &s.now
	if s.Lag == 0 {
		a.angle = a.delayed
	} else if a.angle != a.delayed {
		a.angle = a.delayed + (a.angle-a.delayed)*math.Exp(-dt/s.Lag)
	}
	s.updatePulley()
}

// follow lets the shaft take the pulley along.
func (s *State) updatePulley() {
	half := s.Backlash / 2
	s.now.pulley = max(s.Shaft()-half, min(s.now.pulley, s.Shaft()+half))
}

// Undo takes the last Advance back.
func (s *State) Undo() {
	s.now = s.before
	if s.replaced >= 0 {
		s.queue[s.replaced].value = s.replacedValue
	}
	s.replaced = -1
}

// Settle lets the joint come to rest: nothing is on its way and nothing lags.
func (s *State) Settle() {
	a := &s.now
	if !a.measured {
		a.sent, a.delayed, a.angle, a.count = a.command, a.command, a.command, 0
	}
	s.updatePulley()
	s.before, s.replaced = s.now, -1
}

// Show makes angle (rad) the one of the shaft under load, dt seconds after the last; 0: at rest.
func (s *State) SetLoadedAngle(angle, dt float64) {
	s.now.rate = 0
	if dt > 0 {
		s.now.rate = (angle - s.now.loadedAngle) / dt
	}
	s.now.loadedAngle = angle
}

// Rate is how fast the shaft turned in the last step, rad/s.
func (s *State) Rate() float64 { return s.now.rate }
