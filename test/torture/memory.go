package torture

import (
	"fmt"

	"sinew/pkg/sim/robotfile"
)

const memoryStream = 0x6d656d

// NewRemembering generates robot seed as NewRod does, with what remembers: branches of
// viscoelasticity, friction in the rod and of tendons, each of several springs, and drag on
// rotation, with elements of either order.
func NewRemembering(seed uint64) (*Case, error) {
	return newRod(seed, memoryStream, (*rodDraft).remember)
}

// remember gives the robot its memory.
func (d *rodDraft) remember() {
	r := &d.file.Rod
	r.Order = 2 + 2*d.IntN(2)
	for range d.IntN(4) {
		r.Viscoelasticity = append(r.Viscoelasticity, robotfile.MaxwellBranch{ModulusRatio: d.log(0.01, d.or(1, 20)), RelaxationTime: d.log(d.or(1e-3, 1e-9), d.or(1, 1e6))})
	}
	for range d.IntN(5) {
		k := d.bend * d.log(0.01, d.or(0.3, 3))
		r.BendingFriction = append(r.BendingFriction, robotfile.ElastoplasticSpring{Stiffness: k, Limit: k / r.Length * d.log(d.or(0.1, 1e-4), d.or(3, 100))})
	}
	if d.chance(0.3) {
		r.Damping.RotationalDrag = min(1e6, r.Damping.KelvinVoigt*d.bend/(r.Length*r.Length)*d.log(1e-3, d.or(0.1, 10)))
	}
	for i := range d.file.Tendons {
		t := &d.file.Tendons[i]
		for range d.IntN(4) {
			t.FrictionSprings = append(t.FrictionSprings, robotfile.FrictionSpring{Share: d.log(0.1, 10), Displacement: d.offset * d.log(d.or(1e-3, 1e-6), 0.1)})
		}
		if len(t.FrictionSprings) > 0 {
			t.Friction = max(t.Friction, d.between(0.02, d.or(0.3, 1)))
		}
	}
}

// Equilibria leads the robot through the equilibria under its commands, and back to each. It returns how
// many there are and the errors of those that are none.
func (c *Case) Equilibria() (count int, errs []error) {
	m, err := c.model(c.Step)
	if err != nil {
		return 0, []error{err}
	}
	p := newPlayer(c, m)
	for i := range 2 * c.Periods {
		p.command(min(i, 2*c.Periods-1-i))
		p.in.Advance(1e12)
		if err := m.(interface{ Equilibrate() error }).Equilibrate(); err != nil {
			errs = append(errs, err)
		}
		if p.check(); p.o.Faulty != "" {
			errs = append(errs, fmt.Errorf("%s: %s is not finite", c.Title, p.o.Faulty))
		}
		count++
	}
	return count, errs
}
