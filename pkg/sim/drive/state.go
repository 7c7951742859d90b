package drive

// fixedLen is the number of values of a saved state without the queue.
const fixedLen = 11

// StateLen returns the number of values that Save writes.
func (s *State) StateLen() int { return fixedLen + 2*len(s.queue) }

// Save writes the state to dst.
func (s *State) Save(dst []float64) {
	a := &s.now
	measured := 0.0
	if a.measured {
		measured = 1
	}
	*(*[fixedLen]float64)(dst) = [...]float64{
		a.command, a.sent, a.delayed, a.angle, a.pulley, a.loadedAngle, a.rate, measured, float64(a.count), a.first, a.last,
	}
	dst = dst[fixedLen:s.StateLen()]
	clear(dst)
	for i := range a.count {
		w := s.queue[(a.head+i)%len(s.queue)]
		dst[2*i], dst[2*i+1] = w.value, w.after
	}
}

// IsState reports whether the finite values of src are a state that Save can write.
func (s *State) IsState(src []float64) bool {
	measured, count := src[7], src[8]
	if measured != 0 && measured != 1 || !(count >= 0 && count <= float64(len(s.queue))) || count != float64(int(count)) {
		return false
	}
	for i := range int(count) {
		if !(src[fixedLen+2*i+1] >= 0) {
			return false
		}
	}
	return true
}

// Restore makes src, written by Save, the state.
func (s *State) Restore(src []float64) {
	s.now = angleState{
		command: src[0], sent: src[1], delayed: src[2], angle: src[3], pulley: src[4], loadedAngle: src[5], rate: src[6],
		measured: src[7] == 1, count: int(src[8]), first: src[9], last: src[10],
	}
	for i := range s.now.count {
		s.queue[i] = delayedCommand{src[fixedLen+2*i], src[fixedLen+2*i+1]}
	}
	s.before, s.replaced = s.now, -1
}
