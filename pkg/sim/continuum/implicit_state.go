package continuum

import "sinew/pkg/sim/integrate"

// historyLen is the number of values of history and tally in a saved state, reportLen that
// of what is told of the last step.
const (
	historyLen = 15
	reportLen  = 9
)

// What the last thing was that friction remembers, in a saved state; 0: there was none.
const savedStep, savedEquilibrium = 1, 2

// StateLen implements engine.
func (e *implicit) StateLen() int {
	n := historyLen + reportLen + e.rod.StateLen() + len(e.tendons.tensions)
	for _, f := range e.tendons.friction {
		if f != nil {
			n += f.StateLen()
		}
	}
	if e.at.contacts != nil {
		n += e.at.contacts.StateLen()
	}
	return n
}

// Save implements engine.
func (e *implicit) Save(dst []float64) {
	h, t := &e.history, &e.tally
	c := &h.contraction
	*(*[historyLen]float64)(dst) = [...]float64{
		h.last, h.before, float64(h.steps), float64(h.damped),
		float64(h.even), c.Share, c.Size, float64(c.Used), float64(t.repeats), float64(t.mostContacts),
		float64(t.steps), float64(t.iterations), float64(t.maxIterations), float64(t.divided), float64(t.failed),
	}
	dst = dst[historyLen:]
	e.saveReport(dst)
	dst = dst[reportLen:]
	e.rod.Save(dst)
	dst = dst[e.rod.StateLen():]
	dst = dst[copy(dst, e.tendons.tensions):]
	for _, f := range e.tendons.friction {
		if f != nil {
			f.Save(dst)
			dst = dst[f.StateLen():]
		}
	}
	if e.at.contacts != nil {
		e.at.contacts.Save(dst)
	}
}

// saveReport and restoreReport write and read what the gauges tell of the last step that
// did not fail.
func (e *implicit) saveReport(dst []float64) {
	r := &e.told
	*(*[reportLen]float64)(dst) = [...]float64{
		float64(r.Iterations), float64(r.Rejects), bounded(r.Residual), bounded(r.Size),
		float64(r.order), float64(r.Negative), float64(r.slack), float64(r.yields), 0,
	}
	switch t := e.tendons; {
	case t.law == stepping:
		dst[8] = savedStep
	case t.past:
		dst[8] = savedEquilibrium
	}
}

func (e *implicit) restoreReport(src []float64) {
	e.report = report{
		Report: integrate.Report{Iterations: int(src[0]), Rejects: int(src[1]), Residual: src[2], Size: src[3], Negative: int(src[5])},
		order:  int(src[4]),
	}
	e.tendons.slack, e.tendons.yields = int(src[6]), int(src[7])
	e.tendons.past = src[8] != 0
	if e.tendons.law = sliding; src[8] == savedStep {
		e.tendons.law = stepping
	}
	e.tell()
}

// tell keeps the report of a step that did not fail.
func (e *implicit) tell() { e.told = told{e.report, e.tendons.slack, e.tendons.yields} }

// Restore implements engine.
func (e *implicit) Restore(src []float64) {
	e.history = history{last: src[0], before: src[1], steps: int(src[2]), damped: int(src[3]), even: int(src[4])}
	e.history.contraction = integrate.Contraction{Share: src[5], Size: src[6], Used: int(src[7])}
	src = src[4:]
	e.tally = tally{
		repeats: uint64(src[4]), mostContacts: uint64(src[5]),
		steps: uint64(src[6]), iterations: uint64(src[7]), maxIterations: uint64(src[8]), divided: uint64(src[9]), failed: uint64(src[10]),
	}
	src = src[historyLen-4:]
	e.restoreReport(src)
	src = src[reportLen:]
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
	if e.at.contacts != nil {
		e.at.contacts.Restore(src, e.rod)
	}
}
