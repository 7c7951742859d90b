package continuum

// historyLen is the number of values of history and tally in a saved state.
const historyLen = 7

// StateLen implements engine.
func (e *implicit) StateLen() int {
	n := historyLen + e.rod.StateLen() + len(e.tendons.tensions)
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
	*(*[historyLen]float64)(dst) = [...]float64{
		h.last, float64(h.steps),
		float64(t.steps), float64(t.iterations), float64(t.maxIterations), float64(t.divided), float64(t.failed),
	}
	dst = dst[historyLen:]
	e.rod.Save(dst)
	dst = dst[e.rod.StateLen():]
	dst = dst[copy(dst, e.tendons.tensions):]
	for _, f := range e.tendons.friction {
		if f != nil {
			f.Save(dst)
			dst = dst[f.StateLen():]
		}
	}
}

// Restore implements engine.
func (e *implicit) Restore(src []float64) {
	e.history = history{last: src[0], steps: int(src[1])}
	e.tally = tally{uint64(src[2]), uint64(src[3]), uint64(src[4]), uint64(src[5]), uint64(src[6])}
	src = src[historyLen:]
	e.rod.Restore(src)
	src = src[e.rod.StateLen():]
	src = src[copy(e.tendons.tensions, src):]
	e.at.measure()
	for _, f := range e.tendons.friction {
		if f != nil {
			f.Restore(src)
			src = src[f.StateLen():]
		}
	}
}
