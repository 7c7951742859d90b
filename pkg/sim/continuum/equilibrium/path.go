package equilibrium

import (
	"errors"
	"fmt"

	"sinew/pkg/sim/continuation"
	"sinew/pkg/sim/continuum/equations"
	"sinew/pkg/sim/integrate"
	"sinew/pkg/sim/spatial"
)

// PathPoint is a point of a path of equilibria, at which the iterate of the solver is.
type PathPoint struct {
	// Point: its load is the share of weight, loads, tensions, pulls and field. Under loads without a potential any number of modes that
	// grow counts as 1.
	continuation.Point
	Mode Mode // of an event; without a place where its modes are not found
}

// String says what the point is, at what load; empty for a regular point.
func (x *PathPoint) String() string { return x.Describe(x.Mode.direction(), "robot") }

// ErrPathHistory: equilibria with friction depend on more than the load.
var ErrPathHistory = errors.New("a path of equilibria is not supported with friction, which makes equilibria depend on their history; remove friction_coefficient and bending_friction")

// loadDifference is the difference of the load by which its derivative is taken, exactly for loads that are proportional.
const loadDifference = 1e-2

// maxCorrection is the largest rotation (rad) or stretch of an element by a step or its correction. It is below integrate.MaxIncrement,
// since no merit tests the corrections.
const maxCorrection = 0.5

// path are the equations of a robot at rest as a continuation.System.
type path struct {
	*Solver
	input equations.Input // how the equations change with the load
}

// FollowPath follows the equilibria of the robot from the unloaded one as its load grows to the whole, and visits its points; see package
// continuation. At the end the iterate is the equilibrium under the whole load. The error is an *Error, ErrPathHistory or that of visit.
func (s *Solver) FollowPath(visit func(PathPoint) error) error {
	q := s.system
	s.begin()
	if q.IsHistoryDependent() {
		return ErrPathHistory
	}
	defer func() {
		s.setLoadFactor(1)
		q.UpdateKinematics()
	}()
	s.skipFriction = 0
	s.straighten()
	if err := s.solve(0, newtonCap); err != nil {
		s.straighten()
		if in := s.checkInside(); in != nil {
			return fmt.Errorf("the path begins at the shape without load: %w", in)
		}
		return err
	}
	p := &path{s, *q.NoInput()}
	p.input.Wrench = make([]spatial.Vec6, len(q.X))
	unknowns := continuation.Increment{Nodes: make([]spatial.Vec6, len(q.X)), Multipliers: make([]float64, len(p.input.Gap))}
	return continuation.Follow(p, 0, unknowns, func(at continuation.Point) error {
		point := PathPoint{Point: at}
		if at.Event != continuation.Regular {
			if m, err := s.stability(false); err == nil {
				point.Mode = *m
			}
		}
		return visit(point)
	})
}

// Save implements continuation.System.
func (p *path) Save() equations.Point { return p.system.Present() }

// Restore implements continuation.System.
func (p *path) Restore(at equations.Point, load float64) {
	p.setLoadFactor(load)
	p.system.MoveTo(at)
}

// Inner implements continuation.System.
func (p *path) Inner(a, b *continuation.Increment) (sum float64) {
	l := p.mesh.Length
	for i := range a.Nodes {
		x, y := &a.Nodes[i], &b.Nodes[i]
		sum += x.Linear().Dot(y.Linear())/(l*l) + x.Angular().Dot(y.Angular())
	}
	return sum / float64(len(a.Nodes))
}

// Move implements continuation.System.
func (p *path) Move(x *continuation.Increment, load float64) error {
	q := p.system
	copy(q.X, x.Nodes)
	q.Constraints.TakeIncrements(x.Multipliers)
	if size := q.TakeIncrement(); !(size < maxCorrection) {
		return p.failure(integrate.ErrNotConverged)
	}
	p.setLoadFactor(load)
	q.Move(1)
	return nil
}

// takeIncrement copies the increment of the equations.
func (p *path) takeIncrement(x *continuation.Increment) {
	copy(x.Nodes, p.system.X)
	p.system.Constraints.PutIncrements(x.Multipliers)
}

// assemble takes how the equations change with the load at the present iterate, and assembles them, so little shifted that a robot which
// is neutral all along the path has a regular tangent.
func (p *path) assemble(load float64) {
	x := &p.input
	clear(x.Wrench)
	clear(x.Gap)
	clear(x.Min)
	clear(x.Max)
	d := equations.Derivatives{System: p.system, Assemble: func() { p.Assemble(0) }}
	for _, side := range [...]float64{1, -1} {
		p.setLoadFactor(load + side*loadDifference)
		d.AddEquations(x, side/(2*loadDifference))
	}
	p.setLoadFactor(load)
	p.system.UpdateKinematics()
	p.Assemble(p.neutral())
}

// respond sets the response to the load, with the last factors.
func (p *path) respond(response *continuation.Increment) error {
	copy(p.system.X, p.input.Wrench)
	if !p.system.SolveHeld(&p.input) {
		return p.failure(integrate.ErrSingularTangent)
	}
	p.takeIncrement(response)
	return nil
}

// Correct implements continuation.System.
func (p *path) Correct(load float64, corrections int, fromResidual, response *continuation.Increment) (isSolution bool, err error) {
	if p.isExhausted() {
		return false, p.failure(errExhausted)
	}
	p.assemble(load)
	method := p.method(0)
	if r := p.ResidualNorm(); r < method.ResidualTol || corrections > 2 && r < method.ResidualFloor && p.system.Size < 1e-9 {
		return true, nil
	}
	p.report.Iterations++
	if _, _, ok := p.Increment(); !ok {
		return false, p.failure(integrate.ErrSingularTangent)
	}
	p.takeIncrement(fromResidual)
	return false, p.respond(response)
}

// Response implements continuation.System.
func (p *path) Response(load float64, response *continuation.Increment) (x continuation.Stability, err error) {
	p.assemble(load)
	_, negative, ok := p.Increment()
	if !ok {
		return x, p.failure(integrate.ErrSingularTangent)
	}
	if err := p.respond(response); err != nil || p.system.HasPotential() {
		return continuation.Stability{Unstable: negative}, err
	}
	mode, err := p.stability(false)
	if err != nil {
		return x, err
	}
	x.Flutters = mode.Undamped == Flutter
	if mode.Undamped >= Flutter {
		x.Unstable = 1
	}
	return x, nil
}

// canDescend reports whether less energy decides where an unstable robot moves to.
func (p *path) canDescend() bool { return p.system.HasPotential() && !p.system.FollowsHistory() }

// Mode implements continuation.System.
func (p *path) Mode(_ float64, mode *continuation.Increment) bool {
	if !p.canDescend() || !p.findMode() {
		return false
	}
	copy(mode.Nodes, p.system.X)
	clear(mode.Multipliers)
	return true
}

// Descend implements continuation.System.
func (p *path) Descend(load float64, unstable int) bool {
	return p.canDescend() && p.EscapeSaddle(unstable) && p.solve(load, newtonCap) == nil
}

// SolveAt implements continuation.System.
func (p *path) SolveAt(load float64) error {
	if err := p.solve(load, newtonCap); err != nil && !p.report.Converged() { // an unstable end is one
		return err
	}
	return nil
}

// EndsPath implements continuation.System.
func (p *path) EndsPath(err error) bool { return errors.Is(err, errExhausted) }
