package microrobot

import (
	"math"

	"sinew/pkg/sim/spatial"
)

// contact pushes overlapping spheres apart with a force in proportion to the overlap.
type contact struct {
	diameter  float64 // m
	stiffness float64 // N/m
}

// soften makes the contact soft enough for substeps of h seconds in fluid of the given
// viscosity (Pa s): spheres come apart within a few substeps.
func (c *contact) soften(viscosity, h float64) {
	c.stiffness = 1.5 * math.Pi * viscosity * c.diameter / 2 / h // 6πηa/4h
}

// addForces adds to force what the spheres at x exert on one another. It does one part of
// the given number of parts of all pairs.
func (c *contact) addForces(force, x []spatial.Vec, part, parts int) {
	limit := c.diameter * c.diameter
	for i := part; i < len(x); i += parts {
		at := x[i]
		for j := range i {
			d := at.Sub(x[j])
			r2 := d.Norm2()
			if r2 >= limit || r2 == 0 {
				continue
			}
			gap := math.Sqrt(r2)
			f := d.Scale(c.stiffness * (c.diameter - gap) / gap)
			force[i] = force[i].Add(f)
			force[j] = force[j].Sub(f)
		}
	}
}
