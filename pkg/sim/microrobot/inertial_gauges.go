package microrobot

import (
	"sinew/pkg/sim"
	"sinew/pkg/sim/integrate"
)

// gauges are those that motion with inertia adds.
func (in *inertia) gauges() []sim.Gauge {
	g := []sim.Gauge{
		{Key: "kinetic_energy", Unit: "J"},
		{Key: "drag_time", Unit: "s"}, // in which drag far from walls slows the body at the fastest; 0: no drag
	}
	if in.solid.implicit {
		g = append(g,
			sim.Gauge{Key: "newton_iterations"}, // of the last solve
			sim.Gauge{Key: "newton_iterations_mean"},
			sim.Gauge{Key: "newton_iterations_max"},
			sim.Gauge{Key: "unconverged_steps"}, // always 0: a step that does not converge is an error
		)
	}
	return g
}

// measure writes the gauges of the body at x and returns their number.
func (in *inertia) measure(dst []float64, x integrate.Placement) int {
	dst[0], dst[1] = in.solid.body.KineticEnergy(integrate.Motion{Placement: x, V: in.twist}), 0
	if in.solid.decay > 0 {
		dst[1] = 1 / in.solid.decay
	}
	if !in.solid.implicit {
		return 2
	}
	c := &in.tally
	dst[2], dst[3], dst[4], dst[5] = c.last, 0, c.most, 0
	if c.steps > 0 {
		dst[3] = c.all / c.steps
	}
	return 6
}
