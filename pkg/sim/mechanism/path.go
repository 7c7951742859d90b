package mechanism

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"sinew/pkg/sim/continuation"
	"sinew/pkg/sim/spatial"
)

// PathPoint is a point of a path of equilibria, at which the mechanism is.
type PathPoint struct {
	// Point: its load is the share of weight, loads, tensions, pulls and efforts of motors.
	continuation.Point
	Motion string // of an event: the coordinate or the link that the mode moves most
}

// String says what the point is, at what load; empty for a regular point.
func (p *PathPoint) String() string { return p.Describe("a motion of "+p.Motion, "mechanism") }

// ErrPathHistory is the error, in the sense of errors.Is, of a path on which friction acts, which makes equilibria depend on what was before.
var ErrPathHistory = errors.New("a path of equilibria is not supported with friction, which makes equilibria depend on their history")

const (
	// largestCorrection is the largest rotation, or displacement over the length of the mechanism, of an iteration.
	largestCorrection = 0.5
	// mostCorrections is the largest number of iterations at the end of the path.
	mostCorrections = 12
	// loadDifference is the difference of loads by which their derivative is taken.
	loadDifference = 1e-2
	// largestDrift is the largest motion, in rad or lengths of the mechanism, that nothing but the least shift may resist.
	largestDrift = 1e-8
	// firstLoad is where the path of a mechanism begins that without load is neutral, as of links that hang.
	firstLoad = 1e-3
)

// path are the equations of a mechanism as a continuation.System, at rest under a share of the load.
type path struct {
	w      *World
	closed []spatial.Pose // of joints
	input  []spatial.Vec6 // how the equations change with the load
	shift  float64        // of the tangent of this step: leastShift, or neutral where nothing but a shift resists round-off
	// size and stiffness are those of the last correction, and last is the size of the one before.
	size, stiffness, last float64
}

// FollowPath follows the equilibria of a mechanism that has not moved from the unloaded one as its load grows to the whole, and visits its
// points; see package continuation. A mechanism that is neutral without load begins at firstLoad. Position motors and prescribed
// coordinates have their commands from the start. At the end the mechanism is in the equilibrium under the whole load. The error is
// ErrPathHistory, that of visit, or that of a search.
func (w *World) FollowPath(visit func(PathPoint) error) error {
	if err := w.checkPathHistory(); err != nil {
		return err
	}
	defer w.setEffortScale(1)
	begin := 0.0
	for {
		w.setEffortScale(begin)
		if err := w.equilibrate(func(share float64) float64 { return share * begin }); err != nil {
			return w.explainFree(err)
		}
		if begin > 0 || w.NeutralMotion() == "" {
			break
		}
		begin = firstLoad
	}
	w.rowCompliance = staticCompliance
	defer func() { w.rowCompliance = compliance }()
	n := len(w.unknowns)
	p := &path{w: w, closed: slices.Repeat([]spatial.Pose{spatial.IdentityPose()}, len(w.connections)), input: make([]spatial.Vec6, n)}
	err := continuation.Follow[[]float64](p, begin, continuation.Increment{Nodes: make([]spatial.Vec6, n)}, func(at continuation.Point) error {
		point := PathPoint{Point: at}
		if at.Event != continuation.Regular {
			point.Motion = p.motion(&at)
		}
		return visit(point)
	})
	if err != nil {
		return fmt.Errorf("mechanism: %w", err)
	}
	return nil
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

func (p *path) setLoad(load float64) {
	p.w.setPath(load, 1, p.closed)
	p.w.setEffortScale(load)
}

// Save implements continuation.System.
func (p *path) Save() []float64 {
	state := make([]float64, p.w.StateLen())
	p.w.Save(state)
	return state
}

// Restore implements continuation.System.
func (p *path) Restore(state []float64, load float64) {
	p.w.Restore(state)
	p.setLoad(load)
	p.size, p.shift = math.Inf(1), leastShift
	p.w.lawRounds, p.w.hasChangedLaw = 0, false
}

// Inner implements continuation.System.
func (p *path) Inner(a, b *continuation.Increment) (sum float64) {
	l := p.w.size
	for i := range p.w.pose {
		x, y := &a.Nodes[i], &b.Nodes[i]
		sum += x.Linear().Dot(y.Linear())/(l*l) + x.Angular().Dot(y.Angular())
	}
	return sum / float64(len(p.w.pose))
}

// assemble assembles the equations at a load.
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

// factor assembles the equations at a load and solves them, with the shift that keeps neutral motions where they are.
func (p *path) factor(load float64) error {
	p.assemble(load)
	p.w.lastShift = p.shift
	p.w.addShift(p.shift)
	if !p.w.solve(1) {
		return errSingular
	}
	return nil
}

// correct is factor for a correction, with a larger shift if round-off moves the mechanism along a motion that only the shift resists.
func (p *path) correct(load float64) error {
	err := p.factor(load)
	if err != nil {
		return err
	}
	turn, length := p.w.incrementSize()
	if p.stiffness = p.w.incrementStiffness(); p.stiffness < 2*p.shift && max(turn, length/p.w.size) > largestDrift {
		p.shift = neutral
		err = p.factor(load)
		p.stiffness = p.w.incrementStiffness()
	}
	return err
}

var errSingular = errors.New("the tangent is singular")

// respond sets the increment to how the mechanism answers the load, with the last factors.
func (p *path) respond() {
	copy(p.w.right, p.input)
	p.w.solveAgain()
}

// takeInput takes how the equations change with the load at the present state, with all laws as they are.
func (p *path) takeInput(load float64) {
	w := p.w
	clear(p.input)
	w.keepsLaws = true
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

// Move implements continuation.System.
func (p *path) Move(x *continuation.Increment, _ float64) error {
	copy(p.w.increment, x.Nodes)
	return p.take()
}

// take moves all links and multipliers by the increment.
func (p *path) take() error {
	w := p.w
	turn, length := w.incrementSize()
	p.last = p.size
	if p.size = max(turn, length/w.size); !(p.size < largestCorrection) {
		return fmt.Errorf("an iteration moves %s too far", w.describeMotion())
	}
	w.move(1)
	w.addMultipliers(1)
	for _, c := range w.connections {
		c.update(w.pose)
		c.readCoordinates()
	}
	w.updateContacts()
	return nil
}

// hasConverged reports whether the last correction is round-off.
func (p *path) hasConverged() bool {
	isRoundOff := p.size < 1e-11 || isStalled(p.size, p.last, p.stiffness, p.shift)
	return isRoundOff && !p.w.hasChangedLaw && !p.w.contacts.hasCoupled
}

// Correct implements continuation.System.
func (p *path) Correct(load float64, corrections int, fromResidual, response *continuation.Increment) (isSolution bool, err error) {
	if corrections > 0 && p.hasConverged() {
		return true, nil
	}
	p.takeInput(load)
	if err := p.correct(load); err != nil {
		return false, err
	}
	copy(fromResidual.Nodes, p.w.increment)
	p.respond()
	copy(response.Nodes, p.w.increment)
	return false, nil
}

// Response implements continuation.System.
func (p *path) Response(load float64, response *continuation.Increment) (s continuation.Stability, err error) {
	if err := p.w.checkPathContacts(); err != nil {
		return s, err
	}
	p.takeInput(load)
	if err := p.factor(load); err != nil {
		return s, err
	}
	s.Unstable = p.w.matrix.Negative() - p.w.rowCount()
	p.respond()
	copy(response.Nodes, p.w.increment)
	return s, nil
}

// Mode implements continuation.System: the mode that grows most, or close to a bifurcation the softest one.
func (p *path) Mode(load float64, mode *continuation.Increment) bool {
	p.setLoad(load)
	if !p.w.unstableMotion() {
		if p.factor(load) != nil {
			return false
		}
		p.w.softestMotion()
	}
	copy(mode.Nodes, p.w.increment)
	return true
}

// motion names the motion at an event, which is the present state: where other modes grow already, the softest one.
func (p *path) motion(at *continuation.Point) string {
	if at.Event != continuation.Bifurcation || at.Before > 0 || !p.w.unstableMotion() {
		if p.factor(at.Load) != nil {
			return ""
		}
		p.w.softestMotion()
	}
	return p.w.describeMotion()
}

// Descend implements continuation.System.
func (p *path) Descend(load float64, _ int) bool {
	p.setLoad(load)
	return p.w.leaveSaddle() && p.w.iterateStatics() == nil
}

// SolveAt implements continuation.System.
func (p *path) SolveAt(load float64) error {
	p.size = math.Inf(1)
	for range mostCorrections {
		if err := p.correct(load); err != nil {
			return err
		}
		if err := p.take(); err != nil {
			return err
		}
		if p.hasConverged() {
			return nil
		}
	}
	return fmt.Errorf("Newton's method does not converge in %d corrections under the whole load", mostCorrections)
}

// EndsPath implements continuation.System.
func (p *path) EndsPath(err error) bool { return errors.Is(err, ErrPathHistory) }
