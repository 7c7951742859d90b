package hil

import (
	"sinew/pkg/sim/spatial"

	"sinew/pkg/sim/trajectory"
)

// dynamics compares how both move: hysteresis, responses, spectra.
func (c *Comparison) dynamics(sim, hw *trajectory.Trajectory) {
	r := c.Removed
	// Both follow the same commands: where one recording lacks them, those of the
	// other one serve.
	a, b := &sim.Actuation, &hw.Actuation
	if len(a.T) == 0 {
		a = b
	}
	if len(b.T) == 0 {
		b = a
	}
	if len(sim.Actuation.T) > 0 && len(hw.Actuation.T) > 0 {
		c.ActuationErrors = actuationErrors(a, b)
	}
	if len(a.T) > 0 {
		c.Loops = loops(a, b, r)
		c.Responses = responses(a, r)
	}
	t, p, q := make([]float64, len(r.Pairs)), make([]spatial.Vec, len(r.Pairs)), make([]spatial.Vec, len(r.Pairs))
	for i := range r.Pairs {
		t[i], p[i], q[i] = r.Pairs[i].T, r.Pairs[i].Sim.P, r.Pairs[i].Hw.P
	}
	d := principal(p)
	c.SimMotion, c.HwMotion = motionOf(t, p, d), motionOf(t, q, d)
}
