package simtest

import (
	"fmt"
	"math"
	"slices"

	"sinew/pkg/sim"
	"sinew/pkg/sim/spatial"
)

// handovers is how many ports of a group are in command one after another during a motion.
const handovers = 6

// run is a model that is moved.
type run struct {
	*Motion
	model sim.Model
	in    *sim.Inputs
	ports []sim.Port
	nth   []int       // place of each In port in its group
	many  []int       // number of ports of that group
	start [][]float64 // setpoints at the start, by port; nil of Out ports
	value []float64   // scratch
	step  int         // steps taken
}

// begin makes a model that newModel makes ready to be moved.
func (c *contract) begin() (*run, error) {
	m, err := c.newModel()
	if err != nil {
		return nil, err
	}
	return newRun(m, &c.Motion), nil
}

func newRun(m sim.Model, motion *Motion) *run {
	r := &run{Motion: motion, model: m, in: sim.NewInputs(m), ports: m.Ports()}
	n := len(r.ports)
	r.nth, r.many, r.start = make([]int, n), make([]int, n), make([][]float64, n)
	count, width := map[string]int{}, 0
	for i := range r.ports {
		p := &r.ports[i]
		width = max(width, p.Width())
		if p.Direction != sim.In {
			continue
		}
		r.start[i] = make([]float64, p.Width())
		m.Setpoint(i, r.start[i])
		for k, x := range r.start[i] {
			if !spatial.IsFinite(x) {
				r.start[i][k] = sim.Keep
			}
		}
		group := r.in.Group(i)
		r.nth[i] = count[group]
		count[group]++
	}
	for i := range r.ports {
		if r.ports[i].Direction == sim.In {
			r.many[i] = count[r.in.Group(i)]
		}
	}
	r.value = make([]float64, width)
	return r
}

// command commands all ports whose turn it is.
func (r *run) command() error {
	if r.Command == nil {
		return nil
	}
	turn := r.step * handovers / r.Steps
	for i := range r.ports {
		p := &r.ports[i]
		if p.Direction != sim.In || turn%r.many[i] != r.nth[i] {
			continue
		}
		v := r.value[:p.Width()]
		copy(v, r.start[i])
		if !r.Command(p, float64(r.step)/float64(r.Steps), v) {
			continue
		}
		if status := r.in.Set(i, v); !status.OK() {
			return fmt.Errorf("step %d: %s %v: %v", r.step, p.Name, v, status)
		}
	}
	return nil
}

// advance commands the model and steps it.
func (r *run) advance() error {
	if err := r.command(); err != nil {
		return err
	}
	r.in.Advance(r.Step)
	if err := r.model.Step(r.Step); err != nil {
		return fmt.Errorf("step %d: %w", r.step, err)
	}
	r.step++
	return nil
}

// advanceTo steps the model up to step n.
func (r *run) advanceTo(n int) error {
	for r.step < n {
		if err := r.advance(); err != nil {
			return err
		}
	}
	return nil
}

// checkpoint is the state of a run.
type checkpoint struct {
	state []float64
	in    *sim.Inputs
	step  int
}

// save returns the state of the run.
func (r *run) save() (c checkpoint) {
	c = checkpoint{state: r.state(), in: sim.NewInputs(r.model), step: r.step}
	c.in.CopyFrom(r.in)
	return c
}

// restore makes c, of a run of the same robot, the state.
func (r *run) restore(c checkpoint) error {
	if err := r.model.Restore(c.state); err != nil {
		return fmt.Errorf("a state of step %d is refused: %w", c.step, err)
	}
	r.in.CopyFrom(c.in)
	r.step = c.step
	return nil
}

// state returns the state of the model.
func (r *run) state() []float64 {
	s := make([]float64, r.model.StateLen())
	r.model.Save(s)
	return s
}

// observe returns everything that the model gives out: values of Out ports, setpoints, gauges, and its state.
func (r *run) observe() (all []float64) {
	for i := range r.ports {
		v := make([]float64, r.ports[i].Width())
		if r.ports[i].Direction == sim.Out {
			r.model.Value(i, v)
		} else {
			r.model.Setpoint(i, v)
		}
		all = append(all, v...)
	}
	g := make([]float64, len(r.model.Gauges()))
	r.model.Measure(g)
	return append(append(all, g...), r.state()...)
}

// name returns what number i of observe is.
func (r *run) name(i int) string {
	for k := range r.ports {
		p := &r.ports[k]
		if i < p.Width() {
			return fmt.Sprintf("%s[%d]", p.Name, i)
		}
		i -= p.Width()
	}
	gauges := r.model.Gauges()
	if i < len(gauges) {
		return gauges[i].Key
	}
	return fmt.Sprintf("value %d of the state", i-len(gauges))
}

// compare returns an error if two observations differ in a bit.
func (r *run) compare(got, want []float64, what string) error {
	if len(got) != len(want) {
		return fmt.Errorf("%s: %d numbers, want %d", what, len(got), len(want))
	}
	for i := range got {
		if math.Float64bits(got[i]) != math.Float64bits(want[i]) && !slices.Contains(r.Unrestored, r.name(i)) {
			return fmt.Errorf("%s: %s is %v, want %v", what, r.name(i), got[i], want[i])
		}
	}
	return nil
}

// recording is the motion of a model that nothing disturbs.
type recording struct {
	checkpoints  []checkpoint // before each step, and at the end
	observations [][]float64  // at the same instants
	err          error
}

// recorded returns the recording of the motion, which is made once.
func (c *contract) recorded() (*recording, error) {
	if c.reference == nil {
		c.reference = c.record()
	}
	return c.reference, c.reference.err
}

func (c *contract) record() *recording {
	r, err := c.begin()
	if err != nil {
		return &recording{err: err}
	}
	rec := &recording{}
	for {
		rec.checkpoints = append(rec.checkpoints, r.save())
		rec.observations = append(rec.observations, r.observe())
		if r.step == c.Steps {
			return rec
		}
		if rec.err = r.advance(); rec.err != nil {
			return rec
		}
	}
}
