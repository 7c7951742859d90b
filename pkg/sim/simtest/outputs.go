package simtest

import (
	"fmt"
	"math"
	"reflect"
	"regexp"
	"slices"

	"sinew/pkg/sim"
	"sinew/pkg/sim/spatial"
)

// snakeCase is what keys of gauges are like.
var snakeCase = regexp.MustCompile(`^[a-z][a-z0-9]*(_[a-z0-9]+)*$`)

// unwritten is a NaN with bits of its own, by which values that a model does not write are found.
var unwritten = math.Float64frombits(0x7ff8_7369_6d74_6573)

// checkWrites wants write to fill n values.
func checkWrites(what string, n int, write func(dst []float64)) error {
	v := make([]float64, n)
	for i := range v {
		v[i] = unwritten
	}
	write(v)
	for i, x := range v {
		if math.Float64bits(x) == math.Float64bits(unwritten) {
			return fmt.Errorf("%s: value %d of %d is not written", what, i, n)
		}
	}
	return nil
}

// checkPorts wants ports that do not change, and values of their width.
func (c *contract) checkPorts() error {
	r, err := c.begin() // whose Inputs refuse ports that break a rule
	if err != nil {
		return err
	}
	first := append([]sim.Port(nil), r.ports...)
	for _, n := range []int{0, 1, c.Steps} {
		if err := r.advanceTo(n); err != nil {
			return err
		}
		now := r.model.Ports()
		if !reflect.DeepEqual(now, first) {
			return fmt.Errorf("after %d steps the ports are others", n)
		}
		for i := range now {
			p := &now[i]
			if p.Width() <= 0 {
				return fmt.Errorf("port %s has no values", p.Name)
			}
			write := r.model.Value
			if p.Direction == sim.In {
				write = r.model.Setpoint
			}
			if err := checkWrites(p.Name, p.Width(), func(dst []float64) { write(i, dst) }); err != nil {
				return err
			}
		}
		if err := checkWrites("the state", r.model.StateLen(), r.model.Save); err != nil {
			return err
		}
	}
	return nil
}

// checkGauges wants gauges that do not change, with names of their own, and counts that never fall.
func (c *contract) checkGauges() error {
	r, err := c.begin()
	if err != nil {
		return err
	}
	first := append([]sim.Gauge(nil), r.model.Gauges()...)
	seen := map[string]bool{}
	for _, g := range first {
		if !snakeCase.MatchString(g.Key) {
			return fmt.Errorf("the key %q of a gauge is not in snake_case", g.Key)
		}
		if seen[g.Key] {
			return fmt.Errorf("two gauges are called %s", g.Key)
		}
		seen[g.Key] = true
	}
	last := make([]float64, len(first))
	now := make([]float64, len(first))
	for {
		if !reflect.DeepEqual(append([]sim.Gauge(nil), r.model.Gauges()...), first) {
			return fmt.Errorf("after %d steps the gauges are others", r.step)
		}
		if err := checkWrites("the gauges", len(first), r.model.Measure); err != nil {
			return err
		}
		r.model.Measure(now)
		for i, g := range first {
			if (g.Key == sim.DividedSteps || g.Key == sim.UnconvergedSteps) && now[i] < last[i] {
				return fmt.Errorf("%s falls from %g to %g in step %d", g.Key, last[i], now[i], r.step)
			}
		}
		last, now = now, last
		if r.step == c.Steps {
			return nil
		}
		if err := r.advance(); err != nil {
			return err
		}
	}
}

// checkExercised wants the gauges of Exercised to be positive in the middle of the motion.
func (c *contract) checkExercised() error {
	r, err := c.begin()
	if err != nil {
		return err
	}
	if err := r.advanceTo(c.Steps / 2); err != nil {
		return err
	}
	gauges := r.model.Gauges()
	values := make([]float64, len(gauges))
	r.model.Measure(values)
	for _, key := range c.Exercised {
		i := slices.IndexFunc(gauges, func(g sim.Gauge) bool { return g.Key == key })
		if i < 0 {
			return fmt.Errorf("there is no gauge %s", key)
		}
		if !(values[i] > 0) {
			return fmt.Errorf("%s is %g after %d steps, want more than 0", key, values[i], r.step)
		}
	}
	return nil
}

// checkFinite wants finite values, gauges, states and scenes throughout the motion.
func (c *contract) checkFinite() error {
	r, err := c.begin()
	if err != nil {
		return err
	}
	scene := new(sim.Scene)
	for {
		if err := r.finite(scene); err != nil {
			return fmt.Errorf("after %d steps %w", r.step, err)
		}
		if r.step == c.Steps {
			return nil
		}
		if err := r.advance(); err != nil {
			return err
		}
	}
}

// finite returns an error if anything that the model gives out is not finite; setpoints may be NaN.
func (r *run) finite(scene *sim.Scene) error {
	seen := r.observe()
	at := 0
	for i := range r.ports {
		p := &r.ports[i]
		for k, x := range seen[at : at+p.Width()] {
			if !spatial.IsFinite(x) && !(p.Direction == sim.In && math.IsNaN(x)) {
				return fmt.Errorf("%s[%d] is %g", p.Name, k, x)
			}
		}
		at += p.Width()
	}
	for i, x := range seen[at:] {
		if !spatial.IsFinite(x) {
			return fmt.Errorf("%s is %g", r.name(at+i), x)
		}
	}
	if err := r.finiteSwarm(); err != nil {
		return err
	}
	r.model.Draw(scene)
	return finiteScene(scene)
}

// finiteSwarm wants finite values of all robots of a swarm, of which the first one's are those of the port.
func (r *run) finiteSwarm() error {
	s, ok := sim.As[sim.Swarm](r.model)
	if !ok || s.Robots() == 0 {
		return nil
	}
	for i := range r.ports {
		p := &r.ports[i]
		if p.Direction != sim.Out {
			continue
		}
		all := make([]float64, s.Robots()*p.Width())
		if !s.ValueOfAll(i, all) {
			continue
		}
		if !spatial.AllFinite(all) {
			return fmt.Errorf("%s of all robots is not finite", p.Name)
		}
		one := make([]float64, p.Width())
		r.model.Value(i, one)
		if err := r.compare(all[:len(one)], one, p.Name+" of the first robot"); err != nil {
			return err
		}
	}
	return nil
}

// checkObservation wants nothing that reads the model to change it.
func (c *contract) checkObservation() error {
	want, err := c.recorded() // which reads all but the scene after each step
	if err != nil {
		return err
	}
	r, err := c.begin()
	if err != nil {
		return err
	}
	if err := r.advanceTo(c.Steps); err != nil {
		return err
	}
	if err := r.compare(r.observe(), want.observations[c.Steps], "after an unobserved motion"); err != nil {
		return err
	}
	before := r.observe()
	r.model.Draw(new(sim.Scene))
	return r.compare(r.observe(), before, "after Draw")
}
