package contact

import (
	"errors"
	"fmt"
	"math"

	"sinew/pkg/sim/rod/strain"
	"sinew/pkg/sim/shape"
	"sinew/pkg/sim/spatial"
)

// Errors, in the sense of errors.Is.
var (
	// ErrInsideWall means that the rod penetrates a wall, or itself, by more than its radius. The
	// error is an *InsideWallError or a *SelfInsideError.
	ErrInsideWall = errors.New("the rod is inside a wall")
	// ErrContactSpeed means that a part of the rod moves so far within a step that it may pass
	// through a wall. The error is a *SpeedError.
	ErrContactSpeed = errors.New("too fast beside a wall")
)

// InsideWallError is the error of a rod that penetrates a wall by more than its radius.
type InsideWallError struct {
	Time      float64 // start of the step that leads into the wall, s; 0 for the initial state
	Wall      string
	ArcLength float64 // m
	Depth     float64 // penetration of the surface, m
	Allowed   float64 // m

	shape shape.Shape // the wall
	at    spatial.Vec // of the point, m
}

func (e *InsideWallError) Error() string {
	when := ""
	if e.Time > 0 {
		when = fmt.Sprintf(" at t = %.6g s", e.Time)
	} else if why := e.shape.ExplainSide(e.at, "the rod", e.Wall); why != "" {
		return fmt.Sprintf("%s (its surface at %.4g m is %.3g m deep, allowed: at most its radius there, %.3g m)", why, e.ArcLength, e.Depth, e.Allowed)
	}
	where := "inside " + e.Wall
	if e.shape.IsLumen() {
		where = "not inside " + e.Wall + " but in its wall"
	}
	return fmt.Sprintf("the rod is %s%s: its surface at %.4g m is %.3g m deep, allowed: at most its radius there, %.3g m; move base or shape, or raise environment.stiffness_n_per_m where it is soft", where, when, e.ArcLength, e.Depth, e.Allowed)
}

// Unwrap returns ErrInsideWall.
func (e *InsideWallError) Unwrap() error { return ErrInsideWall }

// SpeedError is the error of a step in which a part of the rod may pass through a wall.
type SpeedError struct {
	Time      float64 // start of the step, s
	ArcLength float64 // m
	Wall      string
	Distance  float64 // displacement in the step relative to the wall, m
	Allowed   float64 // m
}

func (e *SpeedError) Error() string {
	return fmt.Sprintf("contact_speed: the rod at %.4g m moves by %.3g m beside %s in a part of a step at t = %.6g s, allowed: %.3g m; use slower motions of base and shapes, or a smaller step_s",
		e.ArcLength, e.Distance, e.Wall, e.Time, e.Allowed)
}

// Unwrap returns ErrContactSpeed.
func (e *SpeedError) Unwrap() error { return ErrContactSpeed }

// maxTravel returns the largest displacement that cannot take the contact point through a wall, m,
// where the next wall is at the distance room. Of the penetration it allows half of what would make
// the other side of the wall the nearer one.
func (s *ContactPoint) maxTravel(room float64) float64 { return max(room, 0) + s.maxPenetrationPerStep }

// MaxIncrementFraction returns the largest fraction, at most 1, of the body increments eta of the
// nodes, node 1 first, that takes no contact point through a wall and no element through another.
func (c *Contacts) MaxIncrementFraction(rod *strain.State, eta []spatial.Vec6) float64 {
	c.activateApproaching(rod, eta)
	share := 1.0
	if c.self != nil {
		share = c.self.maxIncrementFraction(rod, eta, c.prevNodes)
	}
	for _, i := range c.near {
		for k, last := c.patches[i].nearPoints(); k < last; k++ {
			s := &c.Points[k]
			d := pointDisplacement(rod, s.Element, s.from, s.to, eta)
			if s.rim != nil {
				d = c.acrossRod(k, pointDisplacement(rod, s.Element, c.wallContacts[k].from, c.wallContacts[k].to, eta))
			}
			if d, most := d.Norm(), s.maxTravel(c.wallContacts[k].freeDistance(c.positions[k])); d*share > most {
				share = most / d
			}
		}
	}
	return share
}

// CheckSpeed returns a *SpeedError if a contact point may have passed through a wall since the
// start of the step, or an element through another, and an *InsideWallError if its path leads
// through a wall.
func (c *Contacts) CheckSpeed(time float64) error {
	for _, i := range c.near {
		for k, last := c.patches[i].nearPoints(); k < last; k++ {
			s, from := &c.Points[k], c.advectedPosition(k)
			displacement := c.positions[k].Sub(from)
			if s.rim != nil {
				displacement = c.acrossRod(k, displacement)
			}
			d, most := displacement.Norm(), s.maxTravel(c.wallContacts[k].prevFreeDistance)
			if d > most {
				return &SpeedError{Time: time, ArcLength: s.ArcLength, Wall: c.Walls[s.Wall].Name, Distance: d, Allowed: most}
			}
			if math.IsInf(c.wallContacts[k].gap, 1) && d <= s.Radius {
				continue // no wall is near, and the displacement is too short to cross one
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

// CheckCapacity returns a *SelfContactsError if self-contact has more pairs than it has room for.
func (c *Contacts) CheckCapacity() error {
	if c.self == nil {
		return nil
	}
	return c.self.checkCapacity(c.prevNodes)
}

// HasLinearisationError reports whether the linearised change of a contact force under the body
// increments eta of the nodes, node 1 first, is wrong by more than a thousandth of the largest
// force, in magnitude or in direction. The iterate at the end of the increments is then no solution
// yet.
func (c *Contacts) HasLinearisationError(rod *strain.State, eta []spatial.Vec6) bool {
	allowed := c.updateLinearisationErrors(rod, eta)
	for _, i := range c.near {
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

// curvatureError returns the error of the increments in the direction of the force at contact point
// k, N. Along a curved wall the normal rotates, and the tangent rotates the force of the iterate
// instead of the force at the end of the increment. The tangent of a deep penetration is far too
// stiff along the wall, and increments that are small for that reason do not mean convergence.
func (c *Contacts) curvatureError(rod *strain.State, k int, eta []spatial.Vec6) float64 {
	s, p := &c.Points[k], &c.wallContacts[k]
	if p.gap > s.alarmDistance() {
		return 0
	}
	d := pointDisplacement(rod, s.Element, p.from, p.to, eta)
	force, _ := p.ForceAt(&s.NormalLaw, p.gap+p.normal.Dot(d))
	if force == p.tangentForce {
		return 0
	}
	return math.Abs(force-p.tangentForce) * p.gapHessian.Apply(d).Norm()
}

// updateLinearisationErrors computes the linearisation error of each contact force under the
// increments, and returns the largest error that is allowed, N.
func (c *Contacts) updateLinearisationErrors(rod *strain.State, eta []spatial.Vec6) (allowed float64) {
	const share = 1e-3
	largest := 0.0
	for _, i := range c.near {
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
	return share*largest + roundoffForce*c.bendingForce
}

// updateLinearisationError computes the linearisation error of the force for a change of the gap
// (m), and returns the force at the changed gap, N.
func (c *NormalContact) updateLinearisationError(l *NormalLaw, change float64) (force float64) {
	before, _ := c.ForceAt(l, c.gap)
	force, _ = c.ForceAt(l, c.gap+change)
	c.linearisationError = force - (before - c.tangentStiffness*change + c.correctionForce)
	return force
}
