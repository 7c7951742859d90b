package force

import (
	"fmt"
	"slices"

	"sinew/pkg/sim"
	"sinew/pkg/sim/contact"
	"sinew/pkg/sim/continuum/equations"
	"sinew/pkg/sim/robotfile"
	"sinew/pkg/sim/rod/strain"
	"sinew/pkg/sim/spatial"
)

// Contact is the contact of a rod with walls and with itself, see package contact.
type Contact struct {
	*contact.Contacts
	baseRadius float64 // of the surface of the rod at its base, m
	self       bool    // the rod may touch itself

	updates int // steps solved again because the normal forces in friction had changed
	most    int // most contacts at once

	from, to []spatial.Pose // of the walls, in a step that is divided
}

var (
	_ equations.Obstacle       = (*Contact)(nil)
	_ equations.Regularised    = (*Contact)(nil)
	_ equations.LowRank        = (*Contact)(nil)
	_ equations.Nonsmooth      = (*Contact)(nil)
	_ equations.Prescribed     = (*Contact)(nil)
	_ equations.Checked        = (*Contact)(nil)
	_ equations.Gauged         = (*Contact)(nil)
	_ equations.Differentiable = (*Contact)(nil)
)

// NewContact makes contacts an element. baseRadius is that of the surface of the rod at its base, m; self says
// whether the rod may touch itself.
func NewContact(c *contact.Contacts, baseRadius float64, self bool) *Contact {
	n := len(c.Walls)
	return &Contact{Contacts: c, baseRadius: baseRadius, self: self, from: make([]spatial.Pose, 0, n), to: make([]spatial.Pose, 0, n)}
}

// AssembleWrenches implements equations.Element, without contacts of the rod with itself, which need a tangent of
// their own.
func (c *Contact) AssembleWrenches(state *strain.State, q *strain.Equations) {
	c.Contacts.AddWrenches(state, q.Wrench)
}

// Potential implements equations.Element.
func (c *Contact) Potential(*strain.State) float64 { return c.Contacts.Potential() }

// HasPotential implements equations.Element.
func (c *Contact) HasPotential() bool { return true }

// MaxColumns implements equations.LowRank.
func (c *Contact) MaxColumns() int { return c.MaxRank() }

// AddColumns implements equations.LowRank: the tangent of contacts of the rod with itself.
func (c *Contact) AddColumns(state *strain.State, columns *equations.Columns, _ equations.Scope) {
	c.Contacts.AddColumns(state, columns.Counted)
}

// maxChordSize is the largest increment (rad) after which the method of chords is tried beside walls: after larger
// ones it seldom contracts enough.
const maxChordSize = 1e-2

// HasKinks implements equations.Nonsmooth.
func (c *Contact) HasKinks() bool { return true }

// IsSmooth implements equations.Nonsmooth.
func (c *Contact) IsSmooth() bool { return false }

// IsChordAllowed implements equations.Nonsmooth.
func (c *Contact) IsChordAllowed(size float64) bool { return c.Rank() == 0 && size <= maxChordSize }

// IsLinear implements equations.Nonsmooth.
func (c *Contact) IsLinear(state *strain.State, x []spatial.Vec6) bool {
	return !c.HasLinearisationError(state, x) && !c.HasStickSlipChange(state, x)
}

// BeginStep implements equations.Stateful.
func (c *Contact) BeginStep(_ *strain.State, s equations.Step, _ []spatial.Wrench) { c.Begin(s.Dt) }

// BeginEquilibrium implements equations.Stateful: without friction.
func (c *Contact) BeginEquilibrium(*strain.State) { c.BeginStatic() }

// Commit implements equations.Stateful.
func (c *Contact) Commit(state *strain.State) (impact bool) {
	impact = c.Contacts.Commit(state)
	c.most = max(c.most, c.Summary().Count)
	return impact
}

// CommitEquilibrium implements equations.Stateful.
func (c *Contact) CommitEquilibrium(state *strain.State) { c.CommitAtRest(state) }

// Revert implements equations.Stateful.
func (c *Contact) Revert(*strain.State) { c.Contacts.Revert() }

// Reset implements equations.Stateful.
func (c *Contact) Reset(state *strain.State) {
	c.updates, c.most = 0, 0
	c.Contacts.Reset(state)
}

// stateCounters is the number of values of a saved state before those of the contacts.
const stateCounters = 2

// StateLen implements equations.Stateful.
func (c *Contact) StateLen() int { return stateCounters + c.Contacts.StateLen() }

// Save implements equations.Stateful.
func (c *Contact) Save(dst []float64) {
	dst[0], dst[1] = float64(c.updates), float64(c.most)
	c.Contacts.Save(dst[stateCounters:])
}

// Restore implements equations.Stateful.
func (c *Contact) Restore(src []float64, state *strain.State) {
	c.updates, c.most = int(src[0]), int(src[1])
	c.Contacts.Restore(src[stateCounters:], state)
}

// SelectRows implements equations.Regularised.
func (c *Contact) SelectRows(state *strain.State, x []spatial.Vec6, rows []equations.RegularisedRow) []equations.RegularisedRow {
	active := c.SelectActive(state, x)
	for i := len(rows); i < min(len(active), cap(rows)); i++ {
		rows = append(rows, &active[i])
	}
	return rows
}

// UpdateFriction implements equations.Obstacle. Friction of walls takes its normal forces from the iterate before: so it has a potential in a
// step, by which increments are judged, and its tangent is symmetric. A step is solved again where they have changed, which is one
// of fifty with a guidewire in a vessel, and one of five with a catheter that lies against it along its length.
func (c *Contact) UpdateFriction(state *strain.State) (changed bool) {
	if changed = c.Contacts.UpdateFriction(state); changed {
		c.updates++
	}
	return changed
}

// Radius implements equations.Obstacle.
func (c *Contact) Radius() float64 {
	if len(c.Points) == 0 {
		return 0
	}
	return c.Points[0].Radius
}

// Check implements equations.Checked.
func (c *Contact) Check(_ *strain.State, _ float64, converged bool) error {
	if !converged {
		return nil
	}
	return c.CheckCapacity()
}

// BeginDivision implements equations.Prescribed.
func (c *Contact) BeginDivision() {
	c.from, c.to = c.from[:0], c.to[:0]
	for w := range c.Walls {
		c.from, c.to = append(c.from, c.WallPose(w)), append(c.to, c.WallTarget(w))
	}
}

// SetDivision implements equations.Prescribed. Walls turn about their centres.
func (c *Contact) SetDivision(share float64) {
	for w := range c.to {
		c.SetWallTarget(w, c.from[w].Toward(c.to[w], share, c.Walls[w].Shape.Center()))
	}
}

// SetTargets implements equations.Prescribed.
func (c *Contact) SetTargets() {
	for w := range c.to {
		c.SetWallTarget(w, c.to[w])
	}
}

// Nonlinearisable implements equations.Differentiable.
func (c *Contact) Nonlinearisable() string {
	switch {
	case c.self:
		return "it may touch itself"
	case slices.ContainsFunc(c.Walls, func(w contact.Wall) bool { return w.Friction != 0 }):
		return "its walls have friction"
	}
	return ""
}

// Inputs implements equations.Differentiable: walls are no inputs.
func (c *Contact) Inputs(*equations.Derivatives) []equations.Input { return nil }

// contactGauges are those of every contact.
var contactGauges = []sim.Gauge{
	{Key: "contacts"},
	{Key: "contacts_max"},
	{Key: "contact_force_max", Unit: "N"},
	{Key: "penetration_over_radius", Warn: 0.1, Hint: "the rod goes visibly into a wall; raise environment.stiffness_n_per_m, or move base.position_m where base_penetration_over_radius is as large"},
	{Key: "contact_repeats", Hint: "steps solved again, for the normal force in friction had changed"},
	{Key: "penetration_between_points_over_radius", Warn: 0.1, Accept: string(robotfile.PenetrationBetweenPoints), Hint: "the elements are so long beside the curvature of the wall or of the rod that the rod may enter the wall between two contact points; use more elements"},
	{Key: "base_penetration_over_radius", Warn: contact.MaxBaseOffset, Accept: string(robotfile.BaseInWall)},
}

// Gauges implements equations.Gauged. That of the base names the wall in which it is now: who asks has just placed
// it.
func (c *Contact) Gauges() []sim.Gauge {
	all := slices.Clone(contactGauges)
	g := &all[len(all)-1]
	g.Hint = "the base is inside a wall, which bends the rod and adds to the forces of base and wall; move base.position_m out of the wall by that share of rod.radius_m"
	if depth, wall := c.BasePenetration(); depth > contact.MaxBaseOffset {
		m := depth * c.baseRadius
		g.Hint += fmt.Sprintf(": it begins %.3g m deep in %s, allowed: %.3g m", m, c.Walls[wall].Name, contact.MaxBaseOffset*m/depth)
	}
	return all
}

// MeasureGauges implements equations.Gauged.
func (c *Contact) MeasureGauges(state *strain.State, dst []float64) int {
	s := c.Summary()
	base, _ := c.BasePenetration()
	between, _ := c.PenetrationBetweenPoints(state)
	*(*[7]float64)(dst) = [...]float64{
		float64(s.Count), float64(c.most), s.Force, s.RelativePenetration, float64(c.updates), max(c.PenetrationBound, between), base,
	}
	return len(contactGauges)
}

// FrictionUpdates is how many steps were solved again because the normal forces in friction had changed.
func (c *Contact) FrictionUpdates() int { return c.updates }
