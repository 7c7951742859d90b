package continuum

// historyLen is the number of values of history and tally in a saved state.
const historyLen = 7

// StateLen implements engine.
func (e *implicit) StateLen() int {
	n := historyLen + e.rod.StateLen()
	for _, f := range e.tendons.friction {
		if f != nil {
			n += f.StateLen()
		}
	}
	return n
}

// Save implements engine.
func (e *implicit) Save(dst []float64) {
	h, t := &e.history, &e.tally
	failed := 0.0
	if h.failed {
		failed = 1
	}
	*(*[historyLen]float64)(dst) = [...]float64{
		h.last, float64(h.steps), failed,
		float64(t.steps), float64(t.iterations), float64(t.maxIterations), float64(t.unconverged),
	}
	dst = dst[historyLen:]
	e.rod.Save(dst)
	dst = dst[e.rod.StateLen():]
	for _, f := range e.tendons.friction {
		if f != nil {
			f.Save(dst)
			dst = dst[f.StateLen():]
		}
	}
}

// Restore implements engine.
func (e *implicit) Restore(src []float64) {
	e.history = history{last: src[0], steps: int(src[1]), failed: src[2] != 0}
	e.tally = tally{uint64(src[3]), uint64(src[4]), uint64(src[5]), uint64(src[6])}
	src = src[historyLen:]
	e.rod.Restore(src)
	src = src[e.rod.StateLen():]
	e.at.measure()
	for _, f := range e.tendons.friction {
		if f != nil {
			f.Restore(src)
			src = src[f.StateLen():]
		}
	}
}
