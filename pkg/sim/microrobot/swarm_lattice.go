package microrobot

import (
	"errors"
	"fmt"
	"math"

	"sinew/pkg/sim/integrate"
	"sinew/pkg/sim/robotfile"
	"sinew/pkg/sim/spatial"
)

// lattice places the robots of a swarm on a cubic lattice around the body's position,
// layer by layer.
func lattice(s *robotfile.Swarm, b *robotfile.Body) []integrate.Placement {
	x := make([]integrate.Placement, s.Count)
	side := int(math.Ceil(math.Cbrt(float64(s.Count)) - 1e-9))
	middle := float64(side-1) / 2
	for i := range x {
		cell := spatial.Vec{X: float64(i % side), Y: float64(i / side % side), Z: float64(i / (side * side))}
		cell = cell.Sub(spatial.Vec{X: middle, Y: middle, Z: middle})
		x[i] = integrate.Placement{Q: b.Orientation, P: b.Position.AddScaled(s.Spacing, cell)}
	}
	return x
}

// Part returns the robot with at most n of the robots of its swarm, and how many times as
// long a step of all of them takes: with the square of their number where every pair acts
// on one another. A robot that is not a swarm is its own part.
func (r *Robot) Part(n int) (part *Robot, times float64) {
	s := r.file.Swarm
	if s == nil || s.Count <= n {
		return r, 1
	}
	times = float64(s.Count) / float64(n)
	if s.Interaction == robotfile.FullInteraction {
		times *= times
	}
	smaller := *s
	smaller.Count = n
	r2 := *r
	r2.file.Swarm = &smaller
	return &r2, times
}

// maxCorrelated is the largest number of robots whose Brownian motion is correlated:
// their covariance takes 288 n² bytes.
const maxCorrelated = 300

// checkSwarm refuses what a swarm cannot do.
func checkSwarm(r *Robot) error {
	s := r.file.Swarm
	if s == nil {
		return nil
	}
	var errs []error
	refuse := func(bad bool, format string, args ...any) {
		if bad {
			errs = append(errs, fmt.Errorf("swarm: "+format, args...))
		}
	}
	refuse(!isLatticeFree(r), "robots at spacing_m %g m are inside a wall", s.Spacing)
	if s.Interaction == robotfile.FullInteraction {
		_, permanent := r.magnet.IsPermanent()
		a, method := r.body.Shape.Radius, r.file.Solver.Method
		oneByOne := method == robotfile.CG4 || method == robotfile.CG4Rational
		refuse(a == 0, "interaction full is for spheres; use interaction none")
		refuse(a > 0 && s.Spacing < 2*a, "spacing_m = %g m, must be at least the diameter %g m", s.Spacing, 2*a)
		refuse(!permanent, "interaction full is for permanent magnets; use interaction none")
		refuse(r.walls != nil, "interaction full is for fluid without walls; use interaction none")
		refuse(thermalEnergy(&r.file.Fluid) > 0 && s.Count > maxCorrelated, "count = %d, with Brownian motion and interaction full at most %d: the cost grows with its cube", s.Count, maxCorrelated)
		refuse(oneByOne, "solver.method %s takes robots one by one; with interaction full use rkmk4 or lie-euler", method)
	}
	return errors.Join(errs...)
}

// isLatticeFree reports whether no robot of the swarm starts inside a wall.
func isLatticeFree(r *Robot) bool {
	if r.walls == nil {
		return true
	}
	rot := r.file.Body.Orientation.Rot()
	hull := r.hull(&rot)
	for _, x := range lattice(r.file.Swarm, &r.file.Body) {
		if r.walls.Check(x.P, &hull) != nil {
			return false
		}
	}
	return true
}
