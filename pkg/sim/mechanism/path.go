package mechanism

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"sinew/pkg/sim/spatial"
)

// PathEvent is what happens at a point of a path of equilibria.
type PathEvent int

// The events of a path: none; the load is largest or smallest, beyond which the mechanism jumps; another branch crosses, along which it
// buckles.
const (
	RegularPoint PathEvent = iota
	LimitPoint
	Bifurcation
)

// PathPoint is a point of a path of equilibria, at which the mechanism is.
type PathPoint struct {
	Load     float64 // share of the load: weight, loads, tensions, pulls and efforts of motors
	Unstable int     // number of modes in which the energy is largest
	Event    PathEvent
	Motion   string // of an event: the coordinate or the link that the mode moves most
}

// String says what the point is, at what load.
func (p *PathPoint) String() string {
	switch p.Event {
	case LimitPoint:
		return fmt.Sprintf("limit point at load factor %.6g, in a motion of %s: the mechanism jumps if the load increases further", p.Load, p.Motion)
	case Bifurcation:
		return fmt.Sprintf("bifurcation at load factor %.6g, in a motion of %s", p.Load, p.Motion)
	}
	return fmt.Sprintf("regular point at load factor %.6g", p.Load)
}

// ErrPathHistory is the error, in the sense of errors.Is, of a path on which friction acts, which makes equilibria depend on what was before.
var ErrPathHistory = errors.New("a path of equilibria is not supported with friction, which makes equilibria depend on their history")

const (
	// Steps along the path have a length from shortestArc to longestArc, at first firstArc: the root of the mean over nodes of the square
	// of rotations, rad, and of displacements over the length of the mechanism. One that needs at most easyCorrections doubles the next.
	firstArc, shortestArc, longestArc = 0.02, 1e-9, 0.1
	easyCorrections, mostCorrections  = 4, 12
	mostPathPoints                    = 5000
	// closestEvents is the step above which one over two or more changes of stability is halved.
	closestEvents = firstArc / 8
	// eventBisections is how often the step over an event is halved, and endSearch how often that to the end of the path.
	eventBisections, endSearch = 24, 20
	// branchCuts is the largest cut of a step along a mode.
	branchCuts = 64
	// largestCorrection is the largest rotation, or displacement over the length of the mechanism, of an iteration.
	largestCorrection = 0.5
	// loadDifference is the difference of loads by which their derivative is taken.
	loadDifference = 1e-2
	// firstLoad is where the path of a mechanism begins that without load is neutral, as of links that hang.
	firstLoad = 1e-3
	// endLoad is how near to the whole load the end of the path is sought.
	endLoad = 1e-6
)

var errPath = errors.New("mechanism: the path of equilibria ends")

// path is a continuation by arc length (Riks, "An incremental approach to the solution of snapping and buckling problems", International
// Journal of Solids and Structures 15 (1979) 529; Crisfield 1981).
type path struct {
	w      *World
	closed []spatial.Pose // of joints
	input  []spatial.Vec6 // how the equations change with the load
	fixed  []spatial.Vec6 // scratch: increment at a fixed load
}

// pathPoint is a converged point of a path with its tangent, of unit length with the slope.
type pathPoint struct {
	state    []float64
	load     float64
	tangent  []spatial.Vec6 // increments of all unknowns
	slope    float64        // of the load
	unstable int
}

// FollowPath follows the equilibria of a mechanism that has not moved from the unloaded one as its load grows to the whole, by continuation
// in arc length, and visits its points: through limit points, and at bifurcations to the branch that is stable. A mechanism that is neutral
// without load begins at firstLoad. Position motors and prescribed coordinates have their commands from the start. At the end the
// mechanism is in the equilibrium under the whole load. The error is ErrPathHistory, that of visit, or that of a search.
func (w *World) FollowPath(visit func(PathPoint) error) error {
	if err := w.checkPathHistory(); err != nil {
		return err
	}
	defer w.setEffortScale(1)
	begin := 0.0
	for {
		w.setEffortScale(begin)
		if err := w.equilibrate(func(share float64) float64 { return share * begin }); err != nil {
			return err
		}
		if begin > 0 || w.NeutralMotion() == "" {
			break
		}
		begin = firstLoad
	}
	w.rowCompliance = staticCompliance
	defer func() { w.rowCompliance = compliance }()
	n := len(w.unknowns)
	p := &path{w: w, closed: slices.Repeat([]spatial.Pose{spatial.IdentityPose()}, len(w.connections)), input: make([]spatial.Vec6, n), fixed: make([]spatial.Vec6, n)}
	now, err := p.pointAt(begin, nil)
	if err != nil {
		return err
	}
	if err := visit(PathPoint{Load: begin, Unstable: now.unstable}); err != nil {
		return err
	}
	arc := firstArc
	for range mostPathPoints {
		next, corrections, err := p.step(now, arc)
		if errors.Is(err, ErrPathHistory) {
			return err
		}
		if err != nil || next.unstable > now.unstable+1 && arc > closestEvents {
			if arc /= 2; arc < shortestArc {
				return fmt.Errorf("%w at load factor %.6g: %w", errPath, now.load, err)
			}
			continue
		}
		from, length := now, arc
		if event := eventBetween(now, next); event != RegularPoint {
			at, load := p.locate(now, next, arc)
			if load < 1 {
				if err := visit(PathPoint{load, at.unstable, event, p.motion()}); err != nil {
					return err
				}
			}
			if event == Bifurcation && next.unstable > now.unstable && load < 1 {
				if a, b, l := p.branch(at, next); b != nil {
					from, next, length, arc = a, b, l, firstArc
				}
			}
		}
		if next.load >= 1 {
			return p.finish(from, next, length, visit)
		}
		p.moveTo(next)
		if err := visit(PathPoint{Load: next.load, Unstable: next.unstable}); err != nil {
			return err
		}
		if now = next; corrections <= easyCorrections {
			arc = min(2*arc, longestArc)
		}
	}
	return fmt.Errorf("%w at load factor %.6g after %d points", errPath, now.load, mostPathPoints)
}

// checkPathHistory refuses friction of joints and tendons.
func (w *World) checkPathHistory() error {
	for _, c := range w.connections {
		for k := range c.laws.list {
			if c.laws.list[k].kind == frictionLaw {
				return fmt.Errorf("%w; remove friction of joint %s", ErrPathHistory, c.Name)
			}
		}
	}
	for _, t := range w.tendons {
		if t.friction != nil {
			return fmt.Errorf("%w; remove friction_coefficient of tendon %s", ErrPathHistory, t.Name)
		}
	}
	return nil
}

// checkPathContacts refuses contact points with friction that act.
func (w *World) checkPathContacts() error {
	for _, c := range w.contacts.listed {
		if c.force != 0 && c.mu > 0 {
			return fmt.Errorf("%w; %s touches %s with a friction_coefficient of %g: make it 0", ErrPathHistory, c.a.name, c.b.name, c.mu)
		}
	}
	return nil
}

// setEffortScale scales the commands of effort motors.
func (w *World) setEffortScale(scale float64) {
	for _, c := range w.connections {
		c.effortScale = scale
	}
}

func eventBetween(a, b *pathPoint) PathEvent {
	switch {
	case a.slope*b.slope < 0:
		return LimitPoint
	case a.unstable != b.unstable:
		return Bifurcation
	}
	return RegularPoint
}

func (p *path) setLoad(load float64) {
	p.w.setPath(load, 1, p.closed)
	p.w.setEffortScale(load)
}

// moveTo makes a point the state.
func (p *path) moveTo(x *pathPoint) {
	p.w.Restore(x.state)
	p.setLoad(x.load)
}

// inner is the product of increments that measures a path: the mean over the nodes of rotations, and of displacements in lengths of the
// mechanism.
func (p *path) inner(a, b []spatial.Vec6) (sum float64) {
	l := p.w.size
	for i := range p.w.pose {
		x, y := &a[i], &b[i]
		sum += x.Linear().Dot(y.Linear())/(l*l) + x.Angular().Dot(y.Angular())
	}
	return sum / float64(len(p.w.pose))
}

// assemble assembles the equations at a load, with the shift that keeps neutral motions where they are.
func (p *path) assemble(load float64) {
	w := p.w
	p.setLoad(load)
	w.beginContacts(0)
	for _, c := range w.connections {
		c.laws.prescribe(c.command)
	}
	w.assemble()
	w.addPenalty()
}

// takeInput takes how the equations change with the load at the present state, with all laws as they are.
func (p *path) takeInput(load float64) {
	w := p.w
	w.keepsLaws = true
	clear(p.input)
	for _, side := range [...]float64{1, -1} {
		p.assemble(load + side*loadDifference)
		for i := range w.right {
			for k, r := range w.right[i] {
				p.input[i][k] += r * side / (2 * loadDifference)
			}
		}
	}
	w.keepsLaws = false
}

// pointAt makes the state, an equilibrium at a load, a point of the path. The path continues as it came to before, at first to more load.
func (p *path) pointAt(load float64, before *pathPoint) (*pathPoint, error) {
	w := p.w
	if err := w.checkPathContacts(); err != nil {
		return nil, err
	}
	p.takeInput(load)
	p.assemble(load)
	w.lastShift = leastShift
	w.addShift(leastShift)
	if !w.solve(1) {
		return nil, errors.New("the tangent is singular")
	}
	x := &pathPoint{state: make([]float64, w.StateLen()), load: load, slope: 1, unstable: w.matrix.Negative() - w.rowCount()}
	copy(w.right, p.input)
	w.solveAgain()
	x.tangent = slices.Clone(w.increment)
	x.scale(1 / math.Sqrt(p.inner(x.tangent, x.tangent)+1))
	if before != nil && p.inner(x.tangent, before.tangent)+x.slope*before.slope < 0 {
		x.scale(-1)
	}
	w.Save(x.state)
	return x, nil
}

func (x *pathPoint) scale(f float64) {
	x.slope *= f
	for i := range x.tangent {
		for k := range x.tangent[i] {
			x.tangent[i][k] *= f
		}
	}
}

// take moves all links and multipliers by the increment, and returns its size.
func (p *path) take() (size float64, err error) {
	w := p.w
	turn, length := w.incrementSize()
	if size = max(turn, length/w.size); !(size < largestCorrection) {
		return size, fmt.Errorf("an iteration moves %s too far", w.describeMotion())
	}
	w.move(1)
	w.addMultipliers(1)
	for _, c := range w.connections {
		c.update(w.pose)
		c.readCoordinates()
	}
	w.updateContacts()
	return size, nil
}

// step takes a step of a length along the path.
func (p *path) step(from *pathPoint, arc float64) (*pathPoint, int, error) {
	w := p.w
	p.moveTo(from)
	load := from.load + arc*from.slope
	for i := range w.increment {
		for k := range w.increment[i] {
			w.increment[i][k] = arc * from.tangent[i][k]
		}
	}
	w.lawRounds, w.hasChangedLaw = 0, false
	last := math.Inf(1)
	for corrections := range mostCorrections {
		size, err := p.take()
		if err != nil {
			return nil, 0, err
		}
		if isRoundOff := size < 1e-11 || size < 1e-8 && size > last/4; corrections > 0 && isRoundOff && !w.hasChangedLaw && !w.contacts.hasCoupled {
			x, err := p.pointAt(load, from)
			return x, corrections, err
		}
		last = size
		p.takeInput(load)
		p.assemble(load)
		w.lastShift = leastShift
		w.addShift(leastShift)
		if !w.solve(1) {
			break
		}
		copy(p.fixed, w.increment)
		copy(w.right, p.input)
		w.solveAgain()
		change := -p.inner(from.tangent, p.fixed) / (p.inner(from.tangent, w.increment) + from.slope)
		load += change
		for i := range w.increment {
			for k := range w.increment[i] {
				w.increment[i][k] = p.fixed[i][k] + change*w.increment[i][k]
			}
		}
	}
	return nil, 0, fmt.Errorf("Newton's method does not converge in %d corrections", mostCorrections)
}

// locate finds the event on the step of a length from a point to the next: it makes the first point beyond the state, and returns it,
// and the load at the event.
func (p *path) locate(from, next *pathPoint, arc float64) (*pathPoint, float64) {
	low, high := 0., arc
	before, after := from, next
	for range eventBisections {
		middle, _, err := p.step(from, (low+high)/2)
		if err != nil {
			break // the tangent is singular where the event is
		}
		if eventBetween(from, middle) != RegularPoint {
			high, after = (low+high)/2, middle
		} else {
			low, before = (low+high)/2, middle
		}
	}
	p.moveTo(after)
	return after, (before.load + after.load) / 2
}

// mode sets the increment to the softest motion at the present state.
func (p *path) mode(load float64) {
	p.assemble(load)
	p.w.lastShift = leastShift
	p.w.addShift(leastShift)
	p.w.solve(1)
	p.w.softestMotion()
}

// motion names the motion at an event, which is the present state.
func (p *path) motion() string {
	p.w.softestMotion()
	return p.w.describeMotion()
}

// branch leaves an unstable path at a bifurcation, which is just before the point at, for the branch that is stable: by a step along the
// mode; where that branch is not stable either, for what has less energy than beyond, a point farther on, to which the mechanism jumps.
// It returns the step, with no end where there is no such branch.
func (p *path) branch(at, beyond *pathPoint) (from, to *pathPoint, length float64) {
	p.moveTo(at)
	p.mode(at.load)
	from = &pathPoint{state: at.state, load: at.load, tangent: slices.Clone(p.w.increment)}
	from.scale(1 / math.Sqrt(p.inner(from.tangent, from.tangent)))
	for arc := firstArc; arc > firstArc/branchCuts; arc /= 2 {
		if to, _, err := p.step(from, arc); err == nil && to.unstable < beyond.unstable {
			return from, to, arc
		}
	}
	p.moveTo(beyond)
	p.mode(beyond.load)
	turn, size := p.w.incrementSize()
	p.w.move(saddleStep / max(turn, size/p.w.size))
	p.assemble(beyond.load)
	if p.w.iterateStatics() != nil {
		return nil, nil, 0
	}
	to, err := p.pointAt(beyond.load, nil)
	if err != nil {
		return nil, nil, 0
	}
	if to.slope < 0 {
		to.scale(-1)
	}
	return to, to, 0
}

// finish ends the path, at the whole load, which lies on a step of a length. It is sought by secants and bisection in turn, so that the
// end is on the path, not on another branch beside it.
func (p *path) finish(from, to *pathPoint, length float64, visit func(PathPoint) error) error {
	low, high, below, above := 0., length, from, to
	for i := 0; i < endSearch && above.load-1 > endLoad && 1-below.load > endLoad; i++ {
		at := (low + high) / 2
		if i%2 == 0 {
			at = low + (high-low)*(1-below.load)/(above.load-below.load)
		}
		middle, _, err := p.step(from, at)
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
	last := math.Inf(1)
	for range mostCorrections {
		p.assemble(1)
		p.w.lastShift = leastShift
		p.w.addShift(leastShift)
		if !p.w.solve(1) {
			break
		}
		size, err := p.take()
		if err != nil {
			return err
		}
		if isRoundOff := size < 1e-11 || size < 1e-8 && size > last/4; isRoundOff && !p.w.hasChangedLaw {
			x, err := p.pointAt(1, end)
			if err != nil {
				return err
			}
			return visit(PathPoint{Load: 1, Unstable: x.unstable})
		}
		last = size
	}
	return fmt.Errorf("%w before the whole load: Newton's method does not converge", errPath)
}
