package drive

import "math"

// Joint has the constants of a motor joint. The commanded angle u is delayed by the dead time, v(t)
// = u(t − DeadTime), and the motor follows it with a first-order lag,
//
//	Lag dφ/dt = v − φ.
//
// Without load the shaft is at Gain φ. The pulley follows the shaft with a backlash of width
// Backlash: it moves with the flanks and is at rest between them.
type Joint struct {
	DeadTime float64 // s
	Lag      float64 // s
	Gain     float64
	Backlash float64 // total width of the play, rad
	// Shortest is the least interval between commands in the queue, s. Of several commands within
	// it, the newest counts.
	Shortest float64
}

// State is the state of a joint. Its methods do not allocate.
type State struct {
	Joint
	now, before   angleState
	queue         []delayedCommand // ring buffer of delayed commands
	replaced      int              // index in queue that the last Advance replaced; −1: none
	replacedValue float64          // value there before that
}

// angleState is the state without the queue of delayed commands.
type angleState struct {
	command     float64 // commanded angle, rad
	sent        float64 // last command in the queue, rad
	delayed     float64 // v, rad
	angle       float64 // φ; angle of the shaft while it is measured, rad
	pulley      float64 // angle of the pulley without load, rad
	loadedAngle float64 // angle of the shaft under load at the end of the last step, rad
	rate        float64 // its rate in the last step, rad/s
	measured    bool    // the angle of the shaft is prescribed by a measurement

	head, count int     // of the ring buffer
	first, last float64 // time until the first and the last command in it arrive, s
}

// delayedCommand is a command in the queue; after is the time between its arrival and that of the
// one before, s.
type delayedCommand struct{ value, after float64 }

// arrivalTolerance is the time before the end of a step until which a command has to arrive to
// count in the step, s. It covers the round-off between decimal times and sums of steps.
const arrivalTolerance = 1e-9

// NewState returns the state of joint j at rest at a commanded angle (rad).
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

// Command sets the commanded angle from the next step on, rad. deflection is the present one of
// the shaft under load, rad: after a measurement, the motor is ahead of the shaft by it.
func (s *State) Command(angle, deflection float64) {
	if a := &s.now; a.measured { // the measured angle becomes that of the motor
		a.angle, a.pulley = s.Commanded(deflection), a.pulley+deflection
		a.measured, a.sent, a.delayed, a.count = false, a.angle, a.angle, 0
	}
	s.now.command = angle
}

// Measure prescribes the angle of the shaft from the next step on, rad, whatever the command.
// deflection is the present one of the shaft under load, rad, which a measured angle includes.
func (s *State) Measure(angle, deflection float64) {
	if !s.now.measured {
		s.now.measured, s.now.pulley = true, s.now.pulley-deflection
	}
	s.now.angle = angle
}

// Stop sets the command to the last one in the queue.
func (s *State) Stop() {
	if !s.now.measured {
		s.now.command = s.now.sent
	}
}

// Commanded returns the commanded angle, rad. While the shaft is measured, it is the command that
// would hold the shaft at the measured angle with the deflection under load (rad).
func (s *State) Commanded(deflection float64) float64 {
	if s.now.measured {
		return (s.now.angle + deflection) / s.Gain
	}
	return s.now.command
}

// Measured reports whether a measurement prescribes the angle of the shaft.
func (s *State) Measured() bool { return s.now.measured }

// Shaft returns the angle of the shaft without load, rad.
func (s *State) Shaft() float64 {
	if s.now.measured {
		return s.now.angle
	}
	return s.Gain * s.now.angle
}

// Pulley returns the angle of the pulley without load, rad.
func (s *State) Pulley() float64 { return s.now.pulley }

// Advance moves the joint by dt seconds. The lag within the step is exact.
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

// enqueue appends a changed command to the queue.
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

// dequeue makes the first command of the queue the delayed one.
func (s *State) dequeue() {
	a := &s.now
	a.delayed = s.queue[a.head].value
	a.last -= a.first
	a.head, a.count, a.first = (a.head+1)%len(s.queue), a.count-1, 0
	if a.count > 0 {
		a.first = s.queue[a.head].after
	}
}

// advanceLag lets the motor follow the delayed command for dt seconds.
func (s *State) advanceLag(dt float64) {
	a := &s.now
	if s.Lag == 0 {
		a.angle = a.delayed
	} else if a.angle != a.delayed {
		a.angle = a.delayed + (a.angle-a.delayed)*math.Exp(-dt/s.Lag)
	}
	s.updatePulley()
}

// updatePulley moves the pulley with the flanks of the backlash.
func (s *State) updatePulley() {
	half := s.Backlash / 2
	s.now.pulley = max(s.Shaft()-half, min(s.now.pulley, s.Shaft()+half))
}

// Undo reverts the last Advance.
func (s *State) Undo() {
	s.now = s.before
	if s.replaced >= 0 {
		s.queue[s.replaced].value = s.replacedValue
	}
	s.replaced = -1
}

// Settle sets the joint to its steady state: the queue is empty and the motor is at the command.
func (s *State) Settle() {
	a := &s.now
	if !a.measured {
		a.sent, a.delayed, a.angle, a.count = a.command, a.command, a.command, 0
	}
	s.updatePulley()
	s.before, s.replaced = s.now, -1
}

// SetLoadedAngle sets the angle of the shaft under load (rad) and its rate over dt seconds; dt = 0
// means at rest.
func (s *State) SetLoadedAngle(angle, dt float64) {
	s.now.rate = 0
	if dt > 0 {
		s.now.rate = (angle - s.now.loadedAngle) / dt
	}
	s.now.loadedAngle = angle
}

// Rate returns the rate of the shaft under load in the last step, rad/s.
func (s *State) Rate() float64 { return s.now.rate }
