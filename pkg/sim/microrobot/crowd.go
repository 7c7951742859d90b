package microrobot

import (
	"errors"
	"fmt"
	"math"

	"sinew/pkg/sim/integrate"
	"sinew/pkg/sim/robotfile"
	"sinew/pkg/sim/spatial"
)

// crowd is the state of a swarm: where all its robots are, the first of which is the
// robot that the other ports tell of.
type crowd struct {
	x     []integrate.Placement
	other []integrate.Placement // room for another state
	pairs *pairs                // nil: the robots take no notice of each other
	flock *flock                // nil: they do
}

// newCrowd places the robots of a swarm on a cubic lattice around the body's position,
// layer by layer; nil for a single robot.
func (r *Robot) newCrowd() *crowd {
	s := r.file.Swarm
	if s == nil {
		return nil
	}
	c := &crowd{x: make([]integrate.Placement, s.Count), other: make([]integrate.Placement, s.Count)}
	side := int(math.Ceil(math.Cbrt(float64(s.Count)) - 1e-9))
	middle := float64(side-1) / 2
	for i := range c.x {
		cell := spatial.Vec{X: float64(i % side), Y: float64(i / side % side), Z: float64(i / (side * side))}
		cell = cell.Sub(spatial.Vec{X: middle, Y: middle, Z: middle})
		c.x[i] = integrate.Placement{Q: r.file.Body.Orientation, P: r.file.Body.Position.AddScaled(s.Spacing, cell)}
	}
	if s.Interaction == robotfile.FullInteraction {
		c.pairs = r.newPairs()
	} else {
		c.flock = r.newFlock(s.Count)
	}
	return c
}

// maxCorrelated is how many robots can be shaken together: their covariance takes
// 288 n² bytes.
const maxCorrelated = 300

// checkSwarm refuses what a swarm cannot do.
func (r *Robot) checkSwarm() error {
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
	full := s.Interaction == robotfile.FullInteraction
	refuse(r.walls != nil && !r.wallsLeaveRoom(), "robots at spacing_m %g m are inside a wall", s.Spacing)
	if full {
		_, permanent := r.magnet.IsPermanent()
		a := r.body.Shape.Radius
		refuse(a == 0, "interaction full is for spheres; use interaction none")
		refuse(a > 0 && s.Spacing < 2*a, "spacing_m = %g m, must be at least the diameter %g m", s.Spacing, 2*a)
		refuse(!permanent, "interaction full is for permanent magnets; use interaction none")
		refuse(r.walls != nil, "interaction full is for fluid without walls; use interaction none")
		refuse(r.kT > 0 && s.Count > maxCorrelated, "count = %d, with Brownian motion and interaction full at most %d: the cost grows with its cube", s.Count, maxCorrelated)
		refuse(r.method == cg4 || r.method == cg4Rational, "solver.method %s takes robots one by one; with interaction full use rkmk4 or lie-euler", r.file.Solver.Method)
	}
	return errors.Join(errs...)
}

func (r *Robot) wallsLeaveRoom() bool {
	rot := r.file.Body.Orientation.Rot()
	extent := r.extent(&rot)
	free := *r
	swarm := *r.file.Swarm
	swarm.Interaction = robotfile.NoInteraction
	free.file.Swarm = &swarm
	for _, x := range free.newCrowd().x {
		if r.walls.Check(x.P, &extent) != nil {
			return false
		}
	}
	return true
}

// advanceCrowd moves the swarm by dt seconds. After an error it is where it was.
func (m *Model) advanceCrowd(dt float64, how division) error {
	c := m.crowd
	if c.flock != nil {
		if !c.flock.advance(&m.dyn, c.x, c.other, dt, how) {
			return &UnstableError{Time: m.time}
		}
		c.x, c.other = c.other, c.x
		return nil
	}
	copy(c.other, c.x)
	err := m.advancePairs(dt, how)
	if err == nil && !finite(c.x) {
		err = &UnstableError{Time: m.time}
	}
	if err != nil {
		copy(c.x, c.other)
	}
	return err
}

// finite reports whether no number is NaN or infinite.
func finite(x []integrate.Placement) bool {
	zero := 0.0
	for i := range x {
		p, q := &x[i].P, &x[i].Q
		zero += 0 * (p.X + p.Y + p.Z + q.X + q.Y + q.Z + q.W)
	}
	return zero == 0
}
