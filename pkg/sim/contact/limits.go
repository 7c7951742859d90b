package contact

import (
	"errors"
	"fmt"
	"math"

	"sinew/pkg/sim/rod/strain"
	"sinew/pkg/sim/spatial"
)

// Errors, in the sense of errors.Is.
var (
	// ErrInsideWall: the rod is in a wall by more than its radius. The error is an
	// *InsideWallError.
	ErrInsideWall = errors.New("the rod is inside a wall")
	// ErrContactSpeed: a part of the rod moves so far in a step that it could pass through a
	// wall. The error is a *SpeedError.
	ErrContactSpeed = errors.New("too fast beside a wall")
)

// InsideWallError is the error of a rod in a wall.
type InsideWallError struct {
	Time      float64 // start of the step in which it comes there, s; 0 where it begins there
	Wall      string
	ArcLength float64 // m
	Depth     float64 // of the surface, m
	Allowed   float64 // m
}

func (e *InsideWallError) Error() string {
	when := ""
	if e.Time > 0 {
		when = fmt.Sprintf(" at t = %.6g s", e.Time)
	}
	return fmt.Sprintf("the rod is inside %s%s: its surface at %.4g m is %.3g m deep, allowed: at most its radius there, %.3g m; move base or shape, or raise environment.stiffness_n_per_m where it is soft", e.Wall, when, e.ArcLength, e.Depth, e.Allowed)
}

// Unwrap returns ErrInsideWall.
func (e *InsideWallError) Unwrap() error { return ErrInsideWall }

// SpeedError is the error of a step in which a part of the rod could pass through a wall.
type SpeedError struct {
	Time      float64 // start of the step, s
	ArcLength float64 // m
	Wall      string
	Distance  float64 // in the step beside the wall, which may have moved too, m
	Allowed   float64 // m
}

func (e *SpeedError) Error() string {
	return fmt.Sprintf("contact_speed: the rod at %.4g m moves by %.3g m beside %s in a part of a step at t = %.6g s, allowed: %.3g m; use slower motions of base and shapes, or a smaller step_s",
		e.ArcLength, e.Distance, e.Wall, e.Time, e.Allowed)
}

// Unwrap returns ErrContactSpeed.
func (e *SpeedError) Unwrap() error { return ErrContactSpeed }

// most is how far a station may move: to the nearest wall and half as far into it as it could
// go before the other side is nearer.
func (s *ContactPoint) maxTravel(room float64) float64 { return max(room, 0) + s.maxPenetrationPerStep }

// Clip returns the share of the increments of the nodes, which begin with node 1, that moves
// no station through a wall.
func (c *Contacts) MaxIncrementFraction(rod *strain.State, eta []spatial.Vec6) float64 {
	c.activatePatches(rod, eta)
	share := 1.0
	if c.self != nil {
		share = c.self.maxIncrementFraction(rod, eta, c.prevNodes)
	}
	for i := range c.patches {
		for k, last := c.patches[i].nearPoints(); k < last; k++ {
			s := &c.Points[k]
			if d, most := pointDisplacement(rod, s.Element, s.from, s.to, eta).Norm(), s.maxTravel(c.wallContacts[k].freeDistance(c.positions[k])); d*share > most {
				share = most / d
			}
		}
	}
	return share
}

// approachAll makes far patches near that the increments of the nodes may take there.
func (c *Contacts) activatePatches(rod *strain.State, eta []spatial.Vec6) {
	for i := range c.patches {
		if p := &c.patches[i]; !p.near && p.travel(rod)+p.incrementTravel(eta) >= p.travelLimit {
			c.activatePatch(p)
			c.queryPatch(p, rod)
		}
	}
}

// CheckSpeed refuses an iterate at which a station may have passed through a wall, or the rod
// through itself, since the start of the step.
func (c *Contacts) CheckSpeed(time float64) error {
	for i := range c.patches {
		for k, last := c.patches[i].nearPoints(); k < last; k++ {
			s, from := &c.Points[k], c.advectedPosition(k)
			d, most := c.positions[k].Sub(from).Norm(), s.maxTravel(c.wallContacts[k].prevFreeDistance)
			if d > most {
				return &SpeedError{Time: time, ArcLength: s.ArcLength, Wall: c.Walls[s.Wall].Name, Distance: d, Allowed: most}
			}
			if math.IsInf(c.wallContacts[k].gap, 1) && d <= s.Radius {
				continue // nothing is near now, and there is no wall to jump over on so short a way
			}
			if err := c.checkPath(time, k, from, c.positions[k]); err != nil {
				return err
			}
		}
	}
	if c.self != nil {
		return c.self.checkSpeed(time, c.prevNodes)
	}
	return nil
}

// CheckRoom refuses a rod that is near itself at more places than there is room for.
func (c *Contacts) CheckCapacity() error {
	if c.self == nil {
		return nil
	}
	return c.self.checkCapacity(c.prevNodes)
}

// IsRough reports whether the increments of the nodes, which begin with node 1, change a
// force, or where it points, otherwise than they take into account, by more than a thousandth of the
// largest: then the iterate at their end is no solution yet.
func (c *Contacts) HasLinearisationError(rod *strain.State, eta []spatial.Vec6) bool {
	allowed := c.updateLinearisationErrors(rod, eta)
	for i := range c.patches {
		for k, last := c.patches[i].nearPoints(); k < last; k++ {
			if math.Abs(c.wallContacts[k].linearisationError) > allowed || c.curvatureError(rod, k, eta) > allowed {
				return true
			}
		}
	}
	if c.self == nil {
		return false
	}
	for _, q := range c.self.listed {
		if math.Abs(q.linearisationError) > allowed {
			return true
		}
	}
	return false
}

// swerve is by how much increments mistake where the force at station k points, N: along a curved wall its normal
// turns, and what turns with it is the force in the tangent, whatever the law makes of that. A tangent from deep in a
// wall holds the rod along the wall by far too much: increments that are small for that reason alone end no iteration.
func (c *Contacts) curvatureError(rod *strain.State, k int, eta []spatial.Vec6) float64 {
	s, p := &c.Points[k], &c.wallContacts[k]
	if p.gap > s.alarmDistance() {
		return 0
	}
	d := pointDisplacement(rod, s.Element, p.from, p.to, eta)
	force, _ := p.forceAt(&s.NormalLaw, p.gap+p.normal.Dot(d))
	if force == p.tangentForce {
		return 0
	}
	return math.Abs(force-p.tangentForce) * p.gapHessian.Apply(d).Norm()
}

// mistakable finds by how much increments mistake the force of each contact, and returns by
// how much they may.
func (c *Contacts) updateLinearisationErrors(rod *strain.State, eta []spatial.Vec6) (allowed float64) {
	const share, negligible = 1e-3, 1e-9 // N
	largest := 0.0
	for i := range c.patches {
		for k, last := c.patches[i].nearPoints(); k < last; k++ {
			s, p := &c.Points[k], &c.wallContacts[k]
			if p.linearisationError = 0; p.gap > s.alarmDistance() {
				continue
			}
			change := p.normal.Dot(pointDisplacement(rod, s.Element, p.from, p.to, eta))
			largest = max(largest, p.updateLinearisationError(&s.NormalLaw, change))
		}
	}
	if c.self != nil {
		for _, q := range c.self.listed {
			if q.linearisationError = 0; q.resolved {
				largest = max(largest, q.updateLinearisationError(&q.law, q.gapChange(rod, eta)))
			}
		}
	}
	return share*largest + negligible
}

// misjudge finds by how much a change of the gap mistakes the force, and returns the force.
func (c *normalContact) updateLinearisationError(l *NormalLaw, change float64) (force float64) {
	before, _ := c.forceAt(l, c.gap)
	force, _ = c.forceAt(l, c.gap+change)
	c.linearisationError = force - (before - c.tangentStiffness*change + c.correctionForce)
	return force
}
