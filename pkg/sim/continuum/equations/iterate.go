package equations

import (
	"fmt"
	"slices"

	"sinew/pkg/sim"
	"sinew/pkg/sim/rod/strain"
	"sinew/pkg/sim/spatial"
)

// TakeIncrement turns the solution X into an increment of the strains, hands those of the multipliers to
// their elements, and returns the size.
func (s *System) TakeIncrement() (size float64) {
	s.setMultiplierIncrements(&s.Constraints)
	rotation, stretch := s.State.StrainIncrement(s.X, s.Dx)
	s.Size = max(rotation, stretch)
	s.limitIncrement()
	return s.Size
}

// SolveByChord replaces the right-hand side X by an increment with the factored tangent of an iterate before.
func (s *System) SolveByChord() (ok bool) {
	s.UpdateRows(&s.Constraints)
	ok = s.Solve(0)
	s.setMultiplierIncrements(&s.Constraints)
	return ok
}

// TakeIncrementIn turns the solution X into an increment of the strains in the shape of a chart, and returns the size.
func (s *System) TakeIncrementIn(chart *strain.StrainDisplacement) (size float64) {
	rotation, stretch := chart.StrainIncrement(s.State, s.X, s.Dx)
	return max(rotation, stretch)
}

// limitIncrement bounds the increment so that it takes nothing through a wall. One that brings contacts
// or takes them away, or makes friction stick or slip, does not end the iteration.
func (s *System) limitIncrement() {
	if len(s.by.obstacles) == 0 {
		return
	}
	s.limit = 1
	for _, e := range s.by.obstacles {
		s.limit = min(s.limit, e.MaxIncrementFraction(s.State, s.X))
	}
	if s.Size < s.endingSize && !s.IsLinear() {
		s.Size = s.endingSize
	}
}

// IsLinear reports whether the whole increment changes the wrenches as the tangent, with its
// corrections, says.
func (s *System) IsLinear() bool {
	if len(s.by.obstacles) > 0 && s.limit < 1 {
		return false
	}
	for _, e := range s.by.nonsmooth {
		if !e.IsLinear(s.State, s.X) {
			return false
		}
	}
	return true
}

// Move adds scale times the increment to the iterate, which Undo takes back.
func (s *System) Move(scale float64) {
	if len(s.by.obstacles) > 0 {
		scale *= s.limit
	}
	if s.ByNodes {
		s.State.MoveNodes(s.X, scale)
	} else {
		s.State.AddStrainIncrement(s.Dx, scale)
	}
	for _, e := range s.by.constrained {
		e.Move(scale)
	}
	s.UpdateKinematics()
}

// Undo returns to where the last Move began.
func (s *System) Undo() {
	s.State.Undo()
	for _, e := range s.by.constrained {
		e.Undo()
	}
	s.UpdateKinematics()
}

// Merit is the incremental potential of the rod and its elements, J.
func (s *System) Merit() float64 {
	sum := s.State.Potential()
	for _, e := range s.Elements {
		sum += e.Potential(s.State)
	}
	return sum
}

// BeginStep starts a step from the present state.
func (s *System) BeginStep(step Step) (extra []spatial.Wrench) {
	clear(s.extra)
	for _, e := range s.by.stateful {
		e.BeginStep(s.State, step, s.extra)
	}
	return s.extra
}

// BeginEquilibrium starts a search for an equilibrium.
func (s *System) BeginEquilibrium() {
	for _, e := range s.by.stateful {
		e.BeginEquilibrium(s.State)
	}
}

// Commit makes the iterate the state of the elements. It reports whether there was an impact.
func (s *System) Commit() (impact bool) {
	for _, e := range s.by.stateful {
		impact = e.Commit(s.State) || impact
	}
	return impact
}

// CommitEquilibrium makes the iterate, an equilibrium, the state of the elements.
func (s *System) CommitEquilibrium() {
	for _, e := range s.by.stateful {
		e.CommitEquilibrium(s.State)
	}
}

// Revert makes the state of the elements that of before BeginStep; the rod is reverted already.
func (s *System) Revert() {
	for _, e := range s.by.stateful {
		e.Revert(s.State)
	}
	s.UpdateKinematics()
}

// CommitAtRest makes the present shape, at rest, the one from which the next step begins.
func (s *System) CommitAtRest() {
	for _, e := range s.by.stateful {
		e.CommitAtRest(s.State)
	}
}

// Reset forgets all history; the rod is reset already.
func (s *System) Reset() {
	for _, e := range s.by.stateful {
		e.Reset(s.State)
	}
}

// StateLen is the number of values that Save writes.
func (s *System) StateLen() int {
	n := s.State.StateLen()
	for _, e := range s.by.stateful {
		n += e.StateLen()
	}
	return n
}

// Save writes the state of the rod and of its elements to dst.
func (s *System) Save(dst []float64) {
	s.State.Save(dst)
	dst = dst[s.State.StateLen():]
	for _, e := range s.by.stateful {
		e.Save(dst)
		dst = dst[e.StateLen():]
	}
}

// Restore makes src, written by Save, the state.
func (s *System) Restore(src []float64) {
	s.State.Restore(src)
	src = src[s.State.StateLen():]
	s.UpdateKinematics()
	for _, e := range s.by.stateful {
		e.Restore(src, s.State)
		src = src[e.StateLen():]
	}
}

// BaseWrench is the wrench that the base exerts on rod and elements, in its axes about it, N and N m.
func (s *System) BaseWrench() spatial.Wrench {
	w := s.State.BaseReaction()
	for _, e := range s.Elements {
		x := e.BaseWrench(s.State)
		w.Force, w.Moment = w.Force.Sub(x.Force), w.Moment.Sub(x.Moment)
	}
	return w
}

// HasPotential reports whether everything that acts has a potential, so that the merit decides.
func (s *System) HasPotential() bool {
	return !slices.ContainsFunc(s.Elements, func(e Element) bool { return !e.HasPotential() })
}

// SetLoadFactor multiplies weight and loads.
func (s *System) SetLoadFactor(factor float64) {
	s.State.ScaleGravity(factor)
	for _, e := range s.by.loaded {
		e.SetLoadFactor(s.State, factor)
	}
}

// HasKinks reports whether friction or contact can make the wrenches kink.
func (s *System) HasKinks() bool {
	return s.State.HasJenkinsElements() || slices.ContainsFunc(s.by.nonsmooth, Nonsmooth.HasKinks)
}

// IsSmooth reports whether the wrenches are smooth functions of the iterate under the present commands.
func (s *System) IsSmooth() bool {
	return !s.State.HasJenkinsElements() && s.areElementsSmooth()
}

func (s *System) areElementsSmooth() bool {
	return !slices.ContainsFunc(s.by.nonsmooth, func(e Nonsmooth) bool { return !e.IsSmooth() })
}

// IsSmoothButContact reports whether the wrenches of all elements but obstacles are smooth.
func (s *System) IsSmoothButContact() bool {
	return !slices.ContainsFunc(s.by.nonsmooth, func(e Nonsmooth) bool { _, is := e.(Obstacle); return !is && !e.IsSmooth() })
}

// IsChordAllowed reports whether the last tangent may serve once more.
func (s *System) IsChordAllowed() bool {
	return !slices.ContainsFunc(s.by.nonsmooth, func(e Nonsmooth) bool { return !e.IsChordAllowed(s.Size) })
}

// IsConstrained reports whether there are unilateral constraints under the present commands.
func (s *System) IsConstrained() bool {
	return slices.ContainsFunc(s.by.constrained, Constrained.IsConstrained)
}

// IsHistoryDependent reports whether an equilibrium depends on those before it.
func (s *System) IsHistoryDependent() bool {
	return s.State.HasJenkinsElements() || slices.ContainsFunc(s.by.historic, HistoryDependent.IsHistoryDependent)
}

// HasPredecessor reports whether history-dependent elements have been in an equilibrium or a step.
func (s *System) HasPredecessor() bool {
	return slices.ContainsFunc(s.by.historic, HistoryDependent.HasPredecessor)
}

// FollowsHistory reports whether an element's part of an equilibrium that is sought now depends on the one
// before.
func (s *System) FollowsHistory() bool {
	return slices.ContainsFunc(s.by.historic, func(e HistoryDependent) bool { return e.IsHistoryDependent() && e.HasPredecessor() })
}

// Obstacles are the elements that the rod cannot pass.
func (s *System) Obstacles() []Obstacle { return s.by.obstacles }

// Prescribed are the elements with parts that move as commanded.
func (s *System) Prescribed() []Prescribed { return s.by.prescribed }

// Gauges lists the gauges of all elements.
func (s *System) Gauges() (all []sim.Gauge) {
	for _, e := range s.by.gauged {
		all = append(all, e.Gauges()...)
	}
	return all
}

// MeasureGauges writes the values of Gauges.
func (s *System) MeasureGauges(dst []float64) {
	for _, e := range s.by.gauged {
		dst = dst[e.MeasureGauges(s.State, dst):]
	}
}

// Check refuses an iterate at a time (s) with a shape beyond the model.
func (s *System) Check(time float64, converged bool) error {
	for _, e := range s.by.checked {
		if err := e.Check(s.State, time, converged); err != nil {
			return err
		}
	}
	return nil
}

// maxRotation is the angle (rad) between the ends of an element: its strain is unique up to π only.
const maxRotation = 3.0

// CoarseMeshError is the error of an element that bends or twists by more than one element can.
type CoarseMeshError struct {
	Time    float64 // s
	Element int     // 0 at the base
	Angle   float64 // rad
}

func (e *CoarseMeshError) Error() string {
	return fmt.Sprintf("element %d turns by %.3g rad at t = %.6g s, allowed: at most %g; use more elements", e.Element, e.Angle, e.Time, maxRotation)
}

// CheckMesh refuses an iterate at a time (s) of which an element bends or twists by more than one element can. The error is a
// *CoarseMeshError.
func (s *System) CheckMesh(time float64) error {
	e := s.coarseElement()
	if e < 0 {
		return nil
	}
	return &CoarseMeshError{Time: time, Element: e, Angle: s.State.Strain[e].Angular.Norm()}
}

// IsMeshCoarse reports whether CheckMesh refuses the iterate.
func (s *System) IsMeshCoarse() bool { return s.coarseElement() >= 0 }

// coarseElement is the first element that bends or twists by more than one element can, −1 if there is none.
func (s *System) coarseElement() int {
	return slices.IndexFunc(s.State.Strain, func(x spatial.Twist) bool { return x.Angular.Norm2() > maxRotation*maxRotation })
}

// EulerLoadRatio is the largest of the elements'; see EulerLoaded.
func (s *System) EulerLoadRatio() (ratio float64, nodes [2]int) {
	for _, e := range s.by.eulerLoaded {
		if r, n := e.EulerLoadRatio(); r > ratio {
			ratio, nodes = r, n
		}
	}
	return ratio, nodes
}

// MaxStiffness is the largest one of the rod in stretch and of the elements over its length, N.
func (s *System) MaxStiffness() float64 {
	stiffest := s.Rod.MaxStiffness()
	for _, e := range s.by.stiff {
		stiffest = max(stiffest, e.MaxStiffness()*s.Rod.Length)
	}
	return stiffest
}

// ClearMultipliers sets the multipliers of all constraints to 0.
func (s *System) ClearMultipliers() {
	for _, e := range s.by.constrained {
		e.ClearMultipliers()
	}
}

// Point is an iterate apart from its history: strains (m, rad) and multipliers (N).
type Point struct {
	Strain      []spatial.Twist
	Multipliers [][]float64
}

// Present returns the point at which the iteration is.
func (s *System) Present() (p Point) {
	s.PresentIn(&p)
	return p
}

// PresentIn makes p the point at which the iteration is, in the memory that it has.
func (s *System) PresentIn(p *Point) {
	p.Strain = append(p.Strain[:0], s.State.Strain...)
	if len(p.Multipliers) != len(s.by.constrained) {
		p.Multipliers = make([][]float64, len(s.by.constrained))
	}
	for i, e := range s.by.constrained {
		p.Multipliers[i] = append(p.Multipliers[i][:0], e.Multipliers()...)
	}
}

// MoveTo moves the iteration to a point, which may be that of a nearby robot with the same unknowns.
func (s *System) MoveTo(p Point) {
	copy(s.State.Strain, p.Strain)
	for i, e := range s.by.constrained {
		copy(e.Multipliers(), p.Multipliers[i])
	}
	s.State.UpdateKinematics()
	s.UpdateKinematics()
}

// AppendIncrement appends the increment to x: those of the strains, angular before linear, and from
// number strains on those of the multipliers.
func (s *System) AppendIncrement(x []float64) (list []float64, strains int) {
	for e := range s.Dx {
		a, l := &s.Dx[e].Angular, &s.Dx[e].Linear
		x = append(x, a.X, a.Y, a.Z, l.X, l.Y, l.Z)
	}
	strains = len(x)
	for _, e := range s.by.constrained {
		x = append(x, e.MultiplierIncrements()...)
	}
	return x, strains
}

// SetIncrement makes the increment x, as AppendIncrement lists it.
func (s *System) SetIncrement(x []float64) {
	for e := range s.Dx {
		s.Dx[e] = spatial.Twist{Angular: spatial.VecAt(x), Linear: spatial.VecAt(x[3:])}
		x = x[6:]
	}
	for _, e := range s.by.constrained {
		x = x[copy(e.MultiplierIncrements(), x):]
	}
}

// SolveNear solves the equations of s, a robot nearby with the same unknowns, for its right-hand side
// with the factored tangent of this one.
func (s *System) SolveNear(near *System) (ok bool) {
	ok = s.Columns.solve(s.matrix, near.X)
	near.UpdateRows(&s.Constraints)
	ok = s.Constraints.solve(near.X) && ok
	near.setMultiplierIncrements(&s.Constraints)
	return ok
}

// TakeNear turns the solution of a nearby robot with the same unknowns into an increment of this one.
func (s *System) TakeNear(near *System) {
	s.setMultiplierIncrements(&near.Constraints)
	copy(s.X, near.X)
	s.State.StrainIncrement(s.X, s.Dx)
}

// MultiplierNames are those of all multipliers.
func (s *System) MultiplierNames() (names []string) {
	for _, e := range s.by.constrained {
		names = append(names, e.MultiplierNames()...)
	}
	return names
}

// UpdateRows sets the scalars of rows, perhaps of a nearby robot, to those of the iterate.
func (s *System) UpdateRows(c *Constraints) {
	for k, e := range s.by.constrained {
		c.own = k
		e.UpdateRows(c)
	}
}

// setMultiplierIncrements hands the increments of the multipliers to the elements.
func (s *System) setMultiplierIncrements(c *Constraints) {
	for k, e := range s.by.constrained {
		c.own = k
		e.SetIncrement(c)
	}
}
