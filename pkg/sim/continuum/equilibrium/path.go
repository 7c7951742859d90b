package equilibrium

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"sinew/pkg/sim/continuum/equations"
	"sinew/pkg/sim/integrate"
	"sinew/pkg/sim/spatial"
)

// Event is what happens at a point of a path of equilibria.
type Event uint8

// The events of a path: none; the load is largest or smallest, beyond which the robot jumps; another branch crosses, along which a robot
// buckles; the shape begins to flutter, under loads without a potential.
const (
	Regular Event = iota
	LimitPoint
	Bifurcation
	FlutterPoint
)

// String returns the event in words.
func (e Event) String() string {
	return [...]string{"regular point", "limit point", "bifurcation", "onset of flutter"}[e]
}

// PathPoint is a point of a path of equilibria, at which the iterate of the solver is.
type PathPoint struct {
	Load     float64 // share of the load: weight, loads, tensions, pulls and field
	Unstable int     // number of modes that grow; of loads without a potential 1 for any
	Event    Event
	Mode     Mode // of a bifurcation or flutter; without a place where its modes are not found
}

// ErrPathHistory: equilibria with friction depend on more than the load.
var ErrPathHistory = errors.New("a path of equilibria is not supported with friction, which makes equilibria depend on their history; remove friction_coefficient and bending_friction")

const (
	// Steps along the path turn the elements by firstArc in the mean square (rad), between shortestArc and longestArc. One that needs at most
	// easyCorrections makes the next one longer, and one with more than maxCorrections is halved.
	firstArc, shortestArc, longestArc = 0.02, 1e-9, 0.1
	easyCorrections, maxCorrections   = 4, 10
	// maxPathPoints bounds a path: steps of firstArc then turn the elements by 100 rad.
	maxPathPoints = 5000
	// closestEvents is the step above which one over two or more changes of stability is halved. Events that are closer count as one.
	closestEvents = firstArc / 8
	// eventBisections is how often the step over an event is halved: to 1e-7 of it.
	eventBisections = 24
	// Of the step along a mode branchCuts is the largest cut.
	branchCuts = 64
	// endSearch is how often a step to the end of the path is cut at the most, until its end is within endLoad of the whole load.
	endSearch, endLoad = 20, 1e-6
	// loadDifference is the difference of the load by which its derivative is taken, exactly for loads that are proportional.
	loadDifference = 1e-2
)

// arcPoint is a converged point of a path with its tangent.
type arcPoint struct {
	at          equations.Point
	load        float64
	tangent     []spatial.Vec6 // increments of the nodes, of unit length with slope
	multipliers []float64      // their increments, by number
	slope       float64        // of the load
	unstable    int
	flutters    bool
}

// path is a continuation by arc length (Riks 1979; Crisfield 1981).
type path struct {
	s     *Solver
	input equations.Input
	a     []spatial.Vec6
	rows  []float64
}

// FollowPath follows the equilibria of the robot from the unloaded one as its load grows to the whole, by continuation in arc length, and
// visits its points: through limit points, and at bifurcations to the branch that is stable. At the end the iterate is the
// equilibrium under the whole load. The error is an *Error, ErrPathHistory or that of visit.
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
	p := &path{s: s, input: *q.NoInput(), a: make([]spatial.Vec6, len(q.X)), rows: make([]float64, len(q.NoInput().Gap))}
	p.input.Wrench = make([]spatial.Vec6, len(q.X))
	now, err := p.pointAt(0, nil)
	if err != nil {
		return err
	}
	arc := firstArc
	if err := visit(PathPoint{Unstable: now.unstable}); err != nil {
		return err
	}
	for range maxPathPoints {
		if s.isExhausted() {
			return s.failure(errExhausted)
		}
		next, corrections, err := p.step(now, arc)
		if err != nil || next.unstable > now.unstable+1 && arc > closestEvents {
			if arc /= 2; arc < shortestArc {
				return s.failure(integrate.ErrNotConverged)
			}
			continue
		}
		step := &arcStep{now, next, arc}
		if event := eventBetween(now, next); event != Regular {
			at, load := p.locate(now, next, arc)
			if load < 1 {
				if err := visit(p.eventAt(event, load)); err != nil {
					return err
				}
			}
			if event == Bifurcation && next.unstable > now.unstable && load < 1 {
				other, err := p.branch(at, next)
				if err != nil {
					return err
				}
				if other != nil {
					step, next, arc = other, other.to, firstArc
				}
			}
		}
		if next.load >= 1 {
			return p.finish(step, visit)
		}
		if err := visit(PathPoint{Load: next.load, Unstable: next.unstable}); err != nil {
			return err
		}
		now = next
		if corrections <= easyCorrections {
			arc = min(2*arc, longestArc)
		}
	}
	return s.failure(integrate.ErrNotConverged)
}

// eventBetween says what lies between two points.
func eventBetween(a, b *arcPoint) Event {
	switch {
	case a.slope*b.slope < 0:
		return LimitPoint
	case a.flutters != b.flutters:
		return FlutterPoint
	case a.unstable != b.unstable:
		return Bifurcation
	}
	return Regular
}

// finish ends the path, at the whole load, which lies on a step. It is sought by secants and bisection in turn, so that the end is on
// the path, not on another branch beside it.
func (p *path) finish(x *arcStep, visit func(PathPoint) error) error {
	s := p.s
	low, high, below, above := 0., x.length, x.from, x.to
	for i := 0; i < endSearch && above.load-1 > endLoad && 1-below.load > endLoad; i++ {
		at := (low + high) / 2
		if i%2 == 0 {
			at = low + (high-low)*(1-below.load)/(above.load-below.load)
		}
		middle, _, err := p.step(x.from, at)
		if err != nil {
			break
		}
		if middle.load < 1 {
			low, below = at, middle
		} else {
			high, above = at, middle
		}
	}
	end := above
	if 1-below.load < above.load-1 {
		end = below
	}
	p.moveTo(end)
	if err := s.solve(1, newtonCap); err != nil && !s.report.Converged() { // an unstable end is one
		return err
	}
	last, err := p.pointAt(1, end)
	if err != nil {
		return err
	}
	return visit(PathPoint{Load: 1, Unstable: last.unstable})
}

// moveTo makes a point the iterate.
func (p *path) moveTo(x *arcPoint) {
	p.s.setLoadFactor(x.load)
	p.s.system.MoveTo(x.at)
}

// inner is the product of increments of the nodes that measures a path: the mean over the nodes of rotations, and of translations in
// lengths of the rod.
func (p *path) inner(a, b []spatial.Vec6) (sum float64) {
	l := p.s.mesh.Length
	for i := range a {
		x, y := &a[i], &b[i]
		sum += (x[0]*y[0]+x[1]*y[1]+x[2]*y[2])/(l*l) + x[3]*y[3] + x[4]*y[4] + x[5]*y[5]
	}
	return sum / float64(len(a))
}

// setInput takes how the equations change with the load at the present iterate.
func (p *path) setInput(load float64) {
	s, x := p.s, &p.input
	clear(x.Wrench)
	clear(x.Gap)
	clear(x.Limit)
	d := equations.Derivatives{System: s.system, Assemble: func() { s.Assemble(0) }}
	for _, side := range [...]float64{1, -1} {
		s.setLoadFactor(load + side*loadDifference)
		d.AddEquations(x, side/(2*loadDifference))
	}
	s.setLoadFactor(load)
	s.system.UpdateKinematics()
}

// assemble assembles the equations, so little shifted that a robot which is neutral all along the path has a regular tangent.
func (p *path) assemble() { p.s.Assemble(p.s.neutral()) }

// pointAt makes the iterate, an equilibrium at a load, a point of the path. The path continues as it came to before, at first to
// more load.
func (p *path) pointAt(load float64, before *arcPoint) (*arcPoint, error) {
	s, q := p.s, p.s.system
	p.setInput(load)
	p.assemble()
	_, negative, ok := s.Increment()
	if ok {
		copy(q.X, p.input.Wrench)
		ok = q.SolveHeld(&p.input)
	}
	if !ok {
		return nil, s.failure(integrate.ErrSingularTangent)
	}
	x := &arcPoint{at: q.Present(), load: load, slope: 1, tangent: slices.Clone(q.X), multipliers: make([]float64, len(p.rows)), unstable: negative}
	q.Constraints.PutIncrements(x.multipliers)
	x.scale(1 / math.Sqrt(p.inner(x.tangent, x.tangent)+1))
	if before != nil && p.inner(x.tangent, before.tangent)+x.slope*before.slope < 0 {
		x.scale(-1)
	}
	if !q.HasPotential() {
		mode, err := s.stability(false)
		if err != nil {
			return nil, err
		}
		x.flutters = mode.Undamped == Flutter
		x.unstable = 0
		if mode.Undamped >= Flutter {
			x.unstable = 1
		}
	}
	return x, nil
}

// scale multiplies the tangent.
func (x *arcPoint) scale(f float64) {
	x.slope *= f
	for i := range x.tangent {
		for j := range x.tangent[i] {
			x.tangent[i][j] *= f
		}
	}
	for i := range x.multipliers {
		x.multipliers[i] *= f
	}
}

// step takes a step of a length along the path.
func (p *path) step(from *arcPoint, arc float64) (*arcPoint, int, error) {
	s, q := p.s, p.s.system
	p.moveTo(from)
	load := from.load + arc*from.slope
	for i := range q.X {
		for j := range q.X[i] {
			q.X[i][j] = arc * from.tangent[i][j]
		}
	}
	for k := range p.rows {
		p.rows[k] = arc * from.multipliers[k]
	}
	method := s.method(0)
	for corrections := range maxCorrections {
		q.Constraints.TakeIncrements(p.rows)
		if size := q.TakeIncrement(); !(size < maxCorrection) {
			break
		}
		s.setLoadFactor(load)
		q.Move(1)
		p.setInput(load)
		p.assemble()
		if s.ResidualNorm() < method.ResidualTol || corrections > 2 && s.ResidualNorm() < method.ResidualFloor && q.Size < 1e-9 {
			x, err := p.pointAt(load, from)
			return x, corrections, err
		}
		s.report.Iterations++
		if _, _, ok := s.Increment(); !ok {
			break
		}
		copy(p.a, q.X)
		q.Constraints.PutIncrements(p.rows)
		along := p.inner(from.tangent, p.a)
		copy(q.X, p.input.Wrench)
		if !q.SolveHeld(&p.input) {
			break
		}
		change := -along / (p.inner(from.tangent, q.X) + from.slope)
		load += change
		for i := range q.X {
			for j := range q.X[i] {
				q.X[i][j] = p.a[i][j] + change*q.X[i][j]
			}
		}
		other := make([]float64, len(p.rows))
		q.Constraints.PutIncrements(other)
		for k := range p.rows {
			p.rows[k] += change * other[k]
		}
	}
	return nil, 0, s.failure(integrate.ErrNotConverged)
}

// maxCorrection is the largest rotation (rad) or stretch of an element by a step or its correction. It is below integrate.MaxIncrement,
// since no merit tests the corrections.
const maxCorrection = 0.5

// locate finds the event on the step of a length from a point to the next: it makes the first point beyond the iterate, and returns
// it, and the load at the event.
func (p *path) locate(from, next *arcPoint, arc float64) (*arcPoint, float64) {
	low, high := 0., arc
	before, after := from, next
	for range eventBisections {
		middle, _, err := p.step(from, (low+high)/2)
		if err != nil {
			break // the tangent is singular where the event is
		}
		if eventBetween(from, middle) != Regular {
			high, after = (low+high)/2, middle
		} else {
			low, before = (low+high)/2, middle
		}
	}
	p.moveTo(after)
	return after, (before.load + after.load) / 2
}

// eventAt makes the point of an event at the present iterate.
func (p *path) eventAt(event Event, load float64) PathPoint {
	x := PathPoint{Load: load, Event: event}
	if m, err := p.s.stability(false); err == nil {
		x.Mode = *m
	}
	return x
}

// arcStep is a step of a path from a point, of a length, to another one.
type arcStep struct {
	from, to *arcPoint
	length   float64
}

// branch leaves an unstable path at a bifurcation, which is just before the point at, for the branch that is stable: by a step along the
// mode that grows; where that branch is not stable either, for what has less energy than beyond, a point farther on, to which the robot
// jumps. It returns nil where there is no such branch.
func (p *path) branch(at, beyond *arcPoint) (*arcStep, error) {
	s := p.s
	if !s.system.HasPotential() || s.system.FollowsHistory() {
		return nil, nil
	}
	if from := p.alongMode(at); from != nil {
		for arc := firstArc; arc > firstArc/branchCuts; arc /= 2 {
			if to, _, err := p.step(from, arc); err == nil && to.unstable < beyond.unstable {
				return &arcStep{from, to, arc}, nil
			}
		}
	}
	p.moveTo(beyond)
	if !s.EscapeSaddle(beyond.unstable) || s.solve(beyond.load, newtonCap) != nil {
		return nil, nil
	}
	to, err := p.pointAt(beyond.load, nil)
	if err != nil {
		return nil, err
	}
	if to.slope < 0 {
		to.scale(-1)
	}
	return &arcStep{to, to, 0}, nil
}

// alongMode returns a point with a mode that grows there as its tangent; nil where none is found.
func (p *path) alongMode(at *arcPoint) *arcPoint {
	p.moveTo(at)
	if !p.s.findMode() {
		return nil
	}
	x := &arcPoint{at: at.at, load: at.load, tangent: slices.Clone(p.s.system.X), multipliers: make([]float64, len(p.rows))}
	x.scale(1 / math.Sqrt(p.inner(x.tangent, x.tangent)))
	return x
}

// String says what the point is, at what load.
func (x *PathPoint) String() string {
	text := fmt.Sprintf("%v at load factor %.6g", x.Event, x.Load)
	switch x.Event {
	case LimitPoint:
		text += ": the robot jumps if the load increases further"
	case Bifurcation, FlutterPoint:
		text += fmt.Sprintf(": mode %s", x.Mode.direction())
	}
	return text
}
