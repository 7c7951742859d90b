package torture

import (
	"fmt"
	"hash/fnv"
	"math"

	"sinew/pkg/sim"
)

// followed is how many steps after a saved state are repeated at most, and failed how many after one that has failed, of which
// most fail too.
const followed, failed = 60, 5

// witness notes a state within a run and what every bit of the robot was after each of the
// steps that followed.
type witness struct {
	steps       int // of the whole run
	first, last int // steps of the run that are repeated, the last one not
	state       []float64
	in          *sim.Inputs
	saved       fingerprint // when the state was saved
	after       []fingerprint
}

// fingerprint tells two instants of a robot apart.
type fingerprint struct {
	state, outputs, gauges uint64 // hashes of their bits
	err                    string
}

// newWitness chooses the steps: anywhere, also within ramps and contacts.
func newWitness(c *Case, perPeriod int) *witness {
	steps := c.Periods * perPeriod
	first := int(c.Seed*7919) % max(1, steps-1)
	return &witness{steps: steps, first: first, last: min(first+followed, steps)}
}

func (w *witness) begins(i int) bool  { return w != nil && i == w.first }
func (w *witness) follows(i int) bool { return w != nil && i >= w.first && i < w.last }

// save keeps the state before a step.
func (w *witness) save(p *player) {
	w.state = make([]float64, p.m.StateLen())
	p.m.Save(w.state)
	w.in = sim.NewInputs(p.m)
	w.in.CopyFrom(p.in)
	w.saved = p.fingerprint(nil)
}

// saveFailed keeps the state that a step which failed has left, and continues from there.
// Until then the gauges tell of that step, which is no part of the state.
func (w *witness) saveFailed(p *player) {
	w.first = p.at
	w.save(p)
	w.saved.gauges = 0
	for i := p.at; i < min(p.at+failed, w.steps); i++ {
		w.after = append(w.after, p.fingerprint(p.advance(i)))
	}
}

// note keeps what a step has given.
func (w *witness) note(p *player) { w.after = append(w.after, p.fingerprint(p.o.Err)) }

// resume goes back to the saved state, in a fresh model and in the one that has gone on from
// there, and returns where the same commands give anything else than before.
func (w *witness) resume(p *player) error {
	if w.state == nil { // an error has ended the run before
		w.saveFailed(p)
	}
	fresh, err := p.c.model(p.step)
	if err != nil {
		return err
	}
	for _, m := range []struct {
		name  string
		model sim.Model
	}{{"a fresh model", fresh}, {"the model itself", p.m}} {
		q := newPlayer(p.c, m.model)
		q.step, q.perPeriod = p.step, p.perPeriod
		q.in.CopyFrom(w.in)
		if err := m.model.Restore(w.state); err != nil {
			return fmt.Errorf("%s does not take the state: %w", m.name, err)
		}
		now := q.fingerprint(nil)
		if w.saved.gauges == 0 {
			now.gauges = 0
		}
		if now != w.saved {
			return fmt.Errorf("%s has other %s than when its state was saved", m.name, now.difference(w.saved))
		}
		for i, want := range w.after {
			if now := q.fingerprint(q.advance(w.first + i)); now != want {
				return fmt.Errorf("%s, restored before step %d, has other %s after step %d", m.name, w.first, now.difference(want), w.first+i)
			}
		}
	}
	return nil
}

// difference names what differs.
func (f fingerprint) difference(want fingerprint) string {
	switch {
	case f.err != want.err:
		return fmt.Sprintf("words of failure (%q instead of %q)", f.err, want.err)
	case f.state != want.state:
		return "bits of state"
	case f.outputs != want.outputs:
		return "outputs"
	default:
		return "gauges"
	}
}

// fingerprint takes that of the robot now.
func (p *player) fingerprint(err error) fingerprint {
	state := make([]float64, p.m.StateLen())
	p.m.Save(state)
	var outputs []float64
	for _, i := range p.outputs {
		v := p.value[:p.m.Ports()[i].Width()]
		p.m.Value(i, v)
		outputs = append(outputs, v...)
	}
	p.m.Measure(p.gauges)
	f := fingerprint{state: bits(state), outputs: bits(outputs), gauges: bits(p.gauges)}
	if err != nil {
		f.err = err.Error()
	}
	return f
}

// bits hashes the bits of numbers: 0 and -0 are two numbers.
func bits(v []float64) uint64 {
	h := fnv.New64a()
	for _, x := range v {
		var b [8]byte
		for i, u := 0, math.Float64bits(x); i < 8; i, u = i+1, u>>8 {
			b[i] = byte(u)
		}
		h.Write(b[:])
	}
	return h.Sum64()
}
