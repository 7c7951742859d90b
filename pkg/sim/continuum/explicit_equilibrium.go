package continuum

import (
	"fmt"

	"sinew/pkg/sim/integrate"
	"sinew/pkg/sim/rod/staggered"
)

// NotSettledError is the error of an equilibrium that was not found.
type NotSettledError struct {
	Residual float64 // largest force out of balance, N
	Steps    int
}

func (e *NotSettledError) Error() string {
	return fmt.Sprintf("no equilibrium found: %.3g N out of balance after %d steps; use solver.method implicit, fewer elements or smaller loads",
		e.Residual, e.Steps)
}

// Equilibrate finds the equilibrium, from the present shape, by dynamic relaxation
// with kinetic damping (Cundall 1976): a twin of the rod without its dampers moves
// freely and is stopped whenever its kinetic energy has peaked, until no force is
// out of balance.
func (e *explicit) Equilibrate(in *inputs) error {
	const (
		share = 0.7 // step over its stability limit
		most  = 5_000_000
	)
	twin := *e
	twin.rod = staggered.New(e.robot.rod, staggered.Options{
		Scheme: staggered.Corrected, Gravity: e.robot.file.Gravity, Attached: e.robot.attached(),
	})
	shape := make([]float64, e.rod.StateLen())
	e.rod.Save(shape)
	twin.rod.Restore(shape)
	twin.rod.Stop()
	twin.in = in

	dt := share * staggered.StepLimit(e.robot.rod, staggered.Damping{}, e.stiffening())
	goal := twin.roundoff(in)
	var before, residual float64
	for range most {
		integrate.PositionVerlet(&twin, dt)
		if k := twin.rod.NotFinite(); k >= 0 {
			return &UnstableError{Time: in.Time, Node: k}
		}
		now := twin.rod.KineticEnergy()
		if now >= before {
			before = now
			continue
		}
		before = 0
		twin.rod.Stop()
		twin.load(in)
		if residual = twin.rod.Unbalanced(); residual < goal {
			twin.rod.Save(shape)
			e.rod.Restore(shape)
			return nil
		}
	}
	return &NotSettledError{Residual: residual, Steps: most}
}

// roundoff is a force (N) that is nothing beside those that hold the robot's
// shape, and that their round-off still lets one see.
func (e *explicit) roundoff(in *inputs) float64 {
	const (
		small    = 1e-9
		floor    = 1e-14 // 45 ε, of the stretch stiffness
		bendOver = 3     // cantilever: force = 3 EI/L² times deflection/L
	)
	r := e.robot.rod
	s := bendOver * r.Stiffness.Bend.X / (r.Length * r.Length)
	for k, d := range in.Drives {
		s += e.Tension(k, d)
	}
	return small*(s+in.Tip.Force.Norm()) + floor*r.Stiffness.Shear.Z
}
