package batch

import (
	"errors"
	"fmt"
	"slices"

	"sinew/pkg/sim"
)

// Batch holds instances of a model, each with its own state and inputs. They are models of one
// robot, which share its constants, or of robots whose numbers differ. The results are
// bitwise independent of the number of workers, since the instances are independent.
//
// One goroutine owns a Batch; Each documents the exceptions.
type Batch struct {
	ports     []sim.Port
	pristine  *sim.Inputs // as before the first command
	instances []instance
	pool      *workerPool

	// arguments of the current step
	dt   float64
	n    int
	step func(i int)
}

// instance is a model with its inputs.
type instance struct {
	model   sim.Model
	inputs  *sim.Inputs
	initial []float64 // the state that Reset restores
	err     error     // of the failed step; the instance does not advance after it
}

// New makes a batch of models in their current states. workers is the number of goroutines with
// the caller of Step; 0 is the number of processors. The models must have the same ports, except
// for limits. Close ends the workers.
func New(models []sim.Model, workers int) (*Batch, error) {
	if len(models) == 0 {
		return nil, errors.New("a batch of 0 models: want 1 or more")
	}
	if workers < 0 {
		return nil, fmt.Errorf("a batch with %d workers: want 1 or more, or 0 for as many as there are processors", workers)
	}
	b := &Batch{ports: models[0].Ports(), pristine: sim.NewInputs(models[0]), instances: make([]instance, len(models))}
	for i, m := range models {
		if err := b.Replace(i, m); err != nil {
			return nil, err
		}
	}
	b.step = func(i int) { _ = b.Advance(i, b.dt, b.n) } // made once: a method value would allocate in each step
	b.pool = newWorkerPool(len(models), workers)
	return b, nil
}

// Close ends the workers. A step after it panics.
func (b *Batch) Close() { b.pool.close() }

// Len returns the number of copies.
func (b *Batch) Len() int { return len(b.instances) }

// Ports returns the common ports, with the limits of the first copy.
func (b *Batch) Ports() []sim.Port { return b.ports }

// Model returns the model of copy i for reading.
func (b *Batch) Model(i int) sim.Model { return b.instances[i].model }

// Accepts returns an error if m cannot replace the model of copy i, because it has other ports.
func (b *Batch) Accepts(i int, m sim.Model) error {
	if err := checkSamePorts(b.ports, m.Ports()); err != nil {
		return fmt.Errorf("copy %d: %w", i, err)
	}
	return nil
}

// Replace replaces the model of copy i by m in its current state, such as a robot with other
// numbers. It returns an error, and changes nothing, if m has other ports.
func (b *Batch) Replace(i int, m sim.Model) error {
	if err := b.Accepts(i, m); err != nil {
		return err
	}
	c := instance{model: m, inputs: sim.NewInputs(m), initial: make([]float64, m.StateLen())}
	m.Save(c.initial)
	b.instances[i] = c
	return nil
}

// checkSamePorts returns an error if the ports of two models differ in more than limits.
func checkSamePorts(a, b []sim.Port) error {
	if len(a) != len(b) {
		return fmt.Errorf("%d ports, where the first copy has %d", len(b), len(a))
	}
	for i := range a {
		p, q := &a[i], &b[i]
		if p.Name != q.Name || p.Kind != q.Kind || p.Direction != q.Direction || p.Width() != q.Width() || !slices.Equal(p.Labels, q.Labels) {
			return fmt.Errorf("port %s with %d values, where the first copy has %s with %d", q.Name, q.Width(), p.Name, p.Width())
		}
	}
	return nil
}

// Command makes v the target of In port number port of copy i, within the limits of that copy.
// A verdict that is not OK changes nothing.
func (b *Batch) Command(i, port int, v []float64) sim.CommandStatus {
	return b.instances[i].inputs.Set(port, v)
}

// Value writes the present values of Out port number port of copy i to dst.
func (b *Batch) Value(i, port int, dst []float64) { b.instances[i].model.Value(port, dst) }

// Values writes to dst, which has Len times the port's width, the present values of Out port
// number port of one copy after another.
func (b *Batch) Values(port int, dst []float64) {
	w := b.ports[port].Width()
	for i := range b.instances {
		b.instances[i].model.Value(port, dst[i*w:(i+1)*w])
	}
}

// Step advances every copy by n steps of dt seconds and returns the number of copies with a
// failed step, now or before; Err returns the cause. It does not allocate.
func (b *Batch) Step(dt float64, n int) (failed int) {
	b.dt, b.n = dt, n
	b.Each(b.step)
	for i := range b.instances {
		if b.instances[i].err != nil {
			failed++
		}
	}
	return failed
}

// Each calls do for every copy, for several of them in parallel. do may command, advance, read,
// save, restore, reset and replace copy i, and no other. Each does not allocate.
func (b *Batch) Each(do func(i int)) { b.pool.run(do) }

// Advance advances copy i by n steps of dt seconds. If a step fails, the copy keeps the state
// before that step and does not advance until it is reset, restored or replaced.
func (b *Batch) Advance(i int, dt float64, n int) error {
	c := &b.instances[i]
	for k := 0; k < n && c.err == nil; k++ {
		c.inputs.Advance(dt)
		if err := c.model.Step(dt); err != nil {
			c.err = err
		}
	}
	return c.err
}

// Err returns the error of the failed step of copy i, or nil.
func (b *Batch) Err(i int) error { return b.instances[i].err }

// Reset restores the initial state of copy i and clears its commands.
func (b *Batch) Reset(i int) {
	if err := b.Restore(i, b.instances[i].initial); err != nil {
		panic("batch: a model does not take back its own state: " + err.Error())
	}
}

// StateLen returns the number of values of a state of copy i.
func (b *Batch) StateLen(i int) int { return b.instances[i].model.StateLen() }

// Save writes the state of copy i to dst, with the setpoints but not the targets that they
// approach.
func (b *Batch) Save(i int, dst []float64) { b.instances[i].model.Save(dst) }

// Restore sets the state of copy i to src, written by Save for a copy of the same robot. The
// setpoints become the targets. It returns an error, and changes nothing, if src has values
// that are not finite.
func (b *Batch) Restore(i int, src []float64) error {
	c := &b.instances[i]
	if err := c.model.Restore(src); err != nil {
		return err
	}
	c.inputs.CopyFrom(b.pristine)
	c.err = nil
	return nil
}
