// Package continuation follows the solutions of equations as a load grows, by continuation in arc length: E. Riks, "An incremental
// approach to the solution of snapping and buckling problems", International Journal of Solids and Structures 15 (1979) 529; M. A.
// Crisfield, "A fast incremental/iterative solution procedure that handles snap-through", Computers & Structures 13 (1981) 55.
//
// A path goes through limit points, and at bifurcations onto the branch that is stable. Its equations are a System, which counts
// unstable modes by the inertia of its tangent.
package continuation

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"sinew/pkg/sim/spatial"
)

const (
	// Steps along the path have a length from shortestArc to longestArc, at first firstArc: the root of the mean over nodes of the square
	// of rotations, rad, and of displacements in lengths of the system. One that needs at most easyCorrections doubles the next one.
	firstArc, shortestArc, longestArc = 0.02, 1e-9, 0.1
	easyCorrections, maxCorrections   = 4, 12
	// maxPoints bounds a path: steps of firstArc then turn the nodes by 100 rad.
	maxPoints = 5000
	// closestEvents is the step above which one over several events is halved.
	closestEvents = firstArc / 8
	// eventBisections is how often the step over an event is halved. Changes of stability that are closer are one event.
	eventBisections = 24
	// branchCuts is the largest cut of a step along a mode.
	branchCuts = 64
	// endSearch is how often a step to the end of the path is cut at the most, until its end is within endLoad of the whole load.
	endSearch, endLoad = 20, 1e-6
)

// Increment is a change of the unknowns.
type Increment struct {
	Nodes       []spatial.Vec6
	Multipliers []float64 // of which Nodes has none
}

// scale multiplies the increment.
func (x *Increment) scale(f float64) {
	for i := range x.Nodes {
		for k := range x.Nodes[i] {
			x.Nodes[i][k] *= f
		}
	}
	for i := range x.Multipliers {
		x.Multipliers[i] *= f
	}
}

// addScaled adds f times another increment.
func (x *Increment) addScaled(f float64, o *Increment) {
	for i := range x.Nodes {
		for k := range x.Nodes[i] {
			x.Nodes[i][k] += f * o.Nodes[i][k]
		}
	}
	for i := range x.Multipliers {
		x.Multipliers[i] += f * o.Multipliers[i]
	}
}

func (x *Increment) clone() Increment {
	return Increment{slices.Clone(x.Nodes), slices.Clone(x.Multipliers)}
}

// Stability is that of a solution.
type Stability struct {
	Unstable int  // number of modes that grow
	Flutters bool // one of them grows around the solution
}

// System are equations with an iterate, S being what a copy of the iterate is.
type System[S any] interface {
	// Save returns the iterate, and Restore returns to it and makes a share of the load act.
	Save() S
	Restore(state S, load float64)
	// Inner is the product of increments by which the path is measured: the mean over nodes, of rotations, rad, and of displacements in
	// lengths of the system.
	Inner(a, b *Increment) float64
	// Move moves the iterate by an increment, and makes a share of the load act. Its error is that of an increment that is too large.
	Move(x *Increment, load float64) error
	// Correct solves the equations linearised at the iterate: for the increment that the residual causes, and for the response to the
	// load, per unit of it. It returns true where the iterate is a solution already. corrections is how many the step has had.
	Correct(load float64, corrections int, fromResidual, response *Increment) (isSolution bool, err error)
	// Response sets the response to the load at a solution, and returns its stability.
	Response(load float64, response *Increment) (Stability, error)
	// Mode sets the increment to a mode that grows at the solution. It returns false where it finds none.
	Mode(load float64, mode *Increment) bool
	// Descend moves the iterate from an unstable solution to one of less energy under the same load. It returns false where it finds none.
	Descend(load float64, unstable int) bool
	// SolveAt makes the iterate the solution near to it at a load.
	SolveAt(load float64) error
	// EndsPath reports whether an error ends the path, however short a step is.
	EndsPath(err error) bool
}

// Event is what happens at a point of a path.
type Event uint8

// The events of a path: none; the load is largest or smallest, beyond which the system jumps; another branch crosses, along which it
// buckles; the solution begins to flutter.
const (
	Regular Event = iota
	LimitPoint
	Bifurcation
	Flutter
)

// Point is a point of a path, at which the iterate is.
type Point struct {
	Load     float64 // share of the load
	Unstable int     // number of modes that grow; at an event just beyond it
	Event    Event
	// Of an event:
	Changes int  // number of modes whose stability changes, of a bifurcation its multiplicity
	IsLower bool // the load of a limit point is smallest there, not largest
	Before  int  // Unstable before the event
	Beyond  int  // Unstable of the branch on which the path continues
	Jumps   bool // that branch does not begin at the bifurcation
}

// String returns the event in words.
func (e Event) String() string {
	return [...]string{"regular point", "limit point", "bifurcation", "onset of flutter"}[e]
}

// Describe says what the point is, at what load, and where the path continues; empty for a regular point. mode names the mode of the
// event, and system what jumps.
func (p *Point) Describe(mode, system string) string {
	text := fmt.Sprintf("%v at load factor %.6g: mode %s", p.Event, p.Load, mode)
	switch p.Event {
	case Regular:
		return ""
	case Bifurcation:
		way := "continues on"
		if p.Jumps {
			way = "jumps to"
		}
		return fmt.Sprintf("%s %s; the path %s %s", multiplicity(p.Changes), text, way, branch(p.Beyond))
	case LimitPoint:
		extreme, change := "largest", "increases"
		if p.IsLower {
			extreme, change = "smallest", "decreases"
		}
		text = fmt.Sprintf("%s; the load is %s there", text, extreme)
		if p.Before == 0 || p.Beyond == 0 {
			return fmt.Sprintf("%s: the %s jumps if it %s further", text, system, change)
		}
		return text + ", between unstable equilibria"
	}
	return text
}

func multiplicity(n int) string {
	switch n {
	case 1:
		return "simple"
	case 2:
		return "double"
	}
	return fmt.Sprintf("%d-fold", n)
}

func branch(unstable int) string {
	switch unstable {
	case 0:
		return "a stable branch"
	case 1:
		return "an unstable branch, with 1 unstable mode"
	}
	return fmt.Sprintf("an unstable branch, with %d unstable modes", unstable)
}

// solution is a point of a path with its tangent, of unit length with the slope.
type solution[S any] struct {
	Stability
	state   S
	load    float64
	tangent Increment
	slope   float64 // of the load
}

func (x *solution[S]) scale(f float64) {
	x.slope *= f
	x.tangent.scale(f)
}

// step is one of a length along the path. One to another branch by descent has no length.
type step[S any] struct {
	from, to *solution[S]
	length   float64
}

// path is a path of a system, with scratch.
type path[S any] struct {
	System[S]
	move, response Increment
	visit          func(Point) error
}

// Follow follows the path of a system from its iterate, a solution at a load, to the whole load, and visits its points. At the end the
// iterate is the solution under the whole load. unknowns has the shape of increments.
func Follow[S any](system System[S], load float64, unknowns Increment, visit func(Point) error) error {
	p := &path[S]{System: system, move: unknowns.clone(), response: unknowns.clone(), visit: visit}
	now, err := p.solutionAt(load, nil)
	if err != nil {
		return err
	}
	if err := p.visitAt(now, Point{Load: load, Unstable: now.Unstable}); err != nil {
		return err
	}
	arc := firstArc
	for range maxPoints {
		next, corrections, err := p.step(now, arc)
		if err != nil && p.EndsPath(err) {
			return err
		}
		if err != nil || hasSeveralEvents(now, next) && arc > closestEvents {
			if arc /= 2; arc < shortestArc {
				return fmt.Errorf("the path of equilibria ends at load factor %.6g: %w", now.load, err)
			}
			continue
		}
		taken := &step[S]{now, next, arc}
		if eventBetween(now, next) != Regular {
			other, err := p.passEvent(taken)
			if err != nil {
				return err
			}
			if other != nil {
				taken, arc = other, firstArc
			}
		}
		if next = taken.to; next.load >= 1 {
			return p.finish(taken)
		}
		if err := p.visitAt(next, Point{Load: next.load, Unstable: next.Unstable}); err != nil {
			return err
		}
		if now = next; corrections <= easyCorrections {
			arc = min(2*arc, longestArc)
		}
	}
	return fmt.Errorf("the path of equilibria ends at load factor %.6g: %w", now.load, errTooLong)
}

var errTooLong = fmt.Errorf("it has more than %d points", maxPoints)

// visitAt visits a point at a solution.
func (p *path[S]) visitAt(x *solution[S], at Point) error {
	p.Restore(x.state, x.load)
	return p.visit(at)
}

// eventBetween says what lies between two solutions.
func eventBetween[S any](a, b *solution[S]) Event {
	switch {
	case a.slope*b.slope < 0:
		return LimitPoint
	case a.Flutters != b.Flutters:
		return Flutter
	case a.Unstable != b.Unstable:
		return Bifurcation
	}
	return Regular
}

// changes is by how much the number of unstable modes of two solutions differs.
func changes[S any](a, b *solution[S]) int { return max(a.Unstable-b.Unstable, b.Unstable-a.Unstable) }

// hasSeveralEvents reports whether more than one event lies between two solutions: at a limit point one mode changes its stability, too.
func hasSeveralEvents[S any](a, b *solution[S]) bool {
	return changes(a, b) > 1 || eventBetween(a, b) == LimitPoint && changes(a, b) == 0
}

// passEvent finds the event on a step, visits it, and returns the step by which the path goes on: to the point just beyond the event if
// there is another one after it, or onto another branch; nil for the step itself.
func (p *path[S]) passEvent(x *step[S]) (other *step[S], err error) {
	isAfter := func(o *solution[S]) bool { return eventBetween(x.from, o) != Regular }
	event := eventBetween(x.from, x.to)
	isSingleLimit := event == LimitPoint && !hasSeveralEvents(x.from, x.to)
	if isSingleLimit { // of which the change of stability is part
		isAfter = func(o *solution[S]) bool { return eventBetween(x.from, o) == LimitPoint }
	}
	at, load, length := p.locate(x, isAfter)
	if load >= 1 {
		return nil, nil
	}
	beyond := at
	if isSingleLimit {
		beyond = x.to
	} else if event = eventBetween(x.from, at); eventBetween(at, x.to) != Regular {
		other = &step[S]{x.from, at, length}
	}
	point := Point{
		Load: load, Unstable: at.Unstable, Event: event, Changes: changes(x.from, beyond),
		IsLower: x.from.slope < 0, Before: x.from.Unstable, Beyond: beyond.Unstable,
	}
	if event == Bifurcation && at.Unstable > x.from.Unstable {
		if b := p.branch(x, at); b != nil {
			other, point.Beyond, point.Jumps = b, b.to.Unstable, b.from == b.to
		}
	}
	return other, p.visitAt(at, point)
}

// solutionAt makes the iterate, a solution at a load, a point of the path. The path continues as it came to before, at first to more load.
func (p *path[S]) solutionAt(load float64, before *solution[S]) (*solution[S], error) {
	stability, err := p.Response(load, &p.response)
	if err != nil {
		return nil, err
	}
	x := &solution[S]{Stability: stability, state: p.Save(), load: load, slope: 1, tangent: p.response.clone()}
	x.scale(1 / math.Sqrt(p.Inner(&x.tangent, &x.tangent)+1))
	if before != nil && p.Inner(&x.tangent, &before.tangent)+x.slope*before.slope < 0 {
		x.scale(-1)
	}
	return x, nil
}

var errNotConverged = errors.New("Newton's method does not converge")

// step takes a step of a length along the path.
func (p *path[S]) step(from *solution[S], arc float64) (*solution[S], int, error) {
	p.Restore(from.state, from.load)
	load := from.load + arc*from.slope
	p.move.scale(0)
	p.move.addScaled(arc, &from.tangent)
	for corrections := range maxCorrections {
		if err := p.Move(&p.move, load); err != nil {
			return nil, 0, err
		}
		isSolution, err := p.Correct(load, corrections, &p.move, &p.response)
		if err != nil {
			return nil, 0, err
		}
		if isSolution {
			x, err := p.solutionAt(load, from)
			return x, corrections, err
		}
		change := -p.Inner(&from.tangent, &p.move) / (p.Inner(&from.tangent, &p.response) + from.slope)
		load += change
		p.move.addScaled(change, &p.response)
	}
	return nil, 0, fmt.Errorf("%w in %d corrections", errNotConverged, maxCorrections)
}

// locate finds the first event on a step, after which isAfter is true: it returns the first point beyond, the load at the event, and the
// length to that point.
func (p *path[S]) locate(x *step[S], isAfter func(*solution[S]) bool) (after *solution[S], load, high float64) {
	low, high, before, after := 0., x.length, x.from, x.to
	for range eventBisections {
		middle, _, err := p.step(x.from, (low+high)/2)
		if err != nil {
			break // the tangent is singular where the event is
		}
		if isAfter(middle) {
			high, after = (low+high)/2, middle
		} else {
			low, before = (low+high)/2, middle
		}
	}
	return after, (before.load + after.load) / 2, high
}

// branch leaves an unstable path at a bifurcation on a step, which is just before the point at, for a branch that is as stable as the
// path was: by a step along the mode that grows; where that branch is less stable, for what has less energy than the end of the step, to
// which the system jumps. Where none is as stable, it returns the more stable one of these two, or nil where neither is more stable than
// the path.
func (p *path[S]) branch(x *step[S], at *solution[S]) (best *step[S]) {
	least := x.to.Unstable
	take := func(o *step[S]) bool {
		if o.to.Unstable < least {
			best, least = o, o.to.Unstable
		}
		return least <= x.from.Unstable
	}
	p.Restore(at.state, at.load)
	if from := (&solution[S]{state: at.state, load: at.load, tangent: at.tangent.clone()}); p.Mode(at.load, &from.tangent) {
		from.scale(1 / math.Sqrt(p.Inner(&from.tangent, &from.tangent)))
		for arc := firstArc; arc > firstArc/branchCuts; arc /= 2 {
			if to, _, err := p.step(from, arc); err == nil && take(&step[S]{from, to, arc}) {
				return best
			}
		}
	}
	p.Restore(x.to.state, x.to.load)
	if !p.Descend(x.to.load, x.to.Unstable) {
		return best
	}
	to, err := p.solutionAt(x.to.load, nil)
	if err != nil {
		return best
	}
	take(&step[S]{to, to, 0})
	return best
}

// finish ends the path, at the whole load, which lies on a step. It is sought by secants and bisection in turn, so that the end is on
// the path, not on another branch beside it.
func (p *path[S]) finish(x *step[S]) error {
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
	p.Restore(end.state, end.load)
	if err := p.SolveAt(1); err != nil {
		return err
	}
	last, err := p.solutionAt(1, end)
	if err != nil {
		return err
	}
	return p.visitAt(last, Point{Load: 1, Unstable: last.Unstable})
}
