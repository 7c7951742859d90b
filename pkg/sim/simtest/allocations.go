package simtest

import (
	"errors"
	"fmt"
	"testing"

	"sinew/pkg/sim"
)

// attempts is how often allocations are counted before they are the model's: the runtime makes some of its own.
const attempts = 3

// checkAllocations wants no allocation, in any step of the second half of the motion.
func (c *contract) checkAllocations() error {
	r, err := c.begin()
	if err != nil {
		return err
	}
	if err := r.advanceTo(c.Steps / 2); err != nil {
		return err
	}
	start := r.save()
	state, gauges, scene := r.state(), make([]float64, len(r.model.Gauges())), new(sim.Scene)
	r.model.Draw(scene)
	var failed error
	operations := []struct {
		name string
		run  func()
	}{
		{"Command and Step", func() {
			failed = errors.Join(failed, r.restore(start), r.advanceTo(c.Steps))
		}},
		{"Value and Setpoint", func() {
			for i := range r.ports {
				v := r.value[:r.ports[i].Width()]
				if r.ports[i].Direction == sim.Out {
					r.model.Value(i, v)
				} else {
					r.model.Setpoint(i, v)
				}
			}
		}},
		{"Measure", func() { r.model.Measure(gauges) }},
		{"Save", func() { r.model.Save(state) }},
		{"Restore", func() { failed = errors.Join(failed, r.model.Restore(state)) }},
		{"Draw", func() { r.model.Draw(scene) }},
	}
	if s, ok := sim.As[sim.Swarm](r.model); ok && s.Robots() > 0 {
		all := make([]float64, s.Robots()*len(r.value))
		operations = append(operations, struct {
			name string
			run  func()
		}{"ValueOfAll", func() {
			for i := range r.ports {
				if r.ports[i].Direction == sim.Out {
					s.ValueOfAll(i, all[:s.Robots()*r.ports[i].Width()])
				}
			}
		}})
	}
	for _, o := range operations {
		least := testing.AllocsPerRun(1, o.run)
		for range attempts - 1 {
			if least > 0 {
				least = min(least, testing.AllocsPerRun(1, o.run))
			}
		}
		if failed != nil {
			return failed
		}
		if least > 0 {
			return fmt.Errorf("%s: %g allocations", o.name, least)
		}
	}
	return nil
}
