package mechanism

import (
	"errors"
	"fmt"
	"math"

	"sinew/pkg/sim/integrate"
)

const (
	// MaxIterations is the number of iterations of Newton's method after which an attempt at a step is given up, unless laws still change.
	// Three or four are usual.
	MaxIterations = 25
	// mostLawRounds is the number of further iterations while laws change: most are needed where they change one by one.
	mostLawRounds = 100
	// converged is the increment, in parts of the length of the mechanism and in rad, after which one
	// more solution with the last factors leaves nothing but round-off.
	converged = 1e-8
	// roundoff is the estimated increment, in the same parts, that counts as round-off.
	roundoff = 1e-12
	// largestTurn is the largest rotation of a node per iteration, rad: longer increments are scaled.
	largestTurn = 0.6
	// mostParts is the largest number of substeps into which a step that does not converge is divided.
	mostParts = 8
	// plasticSteps is the number of steps of order 1, of which that of an impact is the first.
	plasticSteps = 3
	// frictionChange is the change of a normal force, in parts of it, up to which friction has that of the step
	// before, and mostFrictionUpdates how often a step takes a newer one.
	frictionChange, mostFrictionUpdates = 0.2, 4
)

var errSingularStep = errors.New("mechanism: the equations of the step are singular; use a smaller solver.step_s")

// Step moves the mechanism by h seconds. A step that does not converge is divided into at most mostParts equal ones, one at whose start
// accelerations pass into growing ones.
// On an error the mechanism stays as it was.
func (w *World) Step(h float64) error {
	if !(h > 0) || math.IsInf(h, 1) {
		return fmt.Errorf("mechanism: a step of %g s; it needs to be finite and above 0", h)
	}
	if err := w.checkCommands(); err != nil {
		return err
	}
	if err := w.OpenJoint(); err != nil {
		return fmt.Errorf("mechanism: %w; use initial_state: equilibrium, which closes loops with rods", err)
	}
	w.iterations, w.parts = 0, 1
	w.saveStep()
	var lengths [mostParts]float64
	err := w.step(h, 1, false)
	if errors.Is(err, errPassing) {
		w.restoreStep()
		err = w.stepInParts(appendGrowing(lengths[:0], h))
		w.parts = 1 // of a step that converges
	}
	if err == nil {
		return nil
	}
	w.restoreStep()
	for parts := 2; parts <= mostParts; parts *= 2 {
		for i := range parts {
			lengths[i] = h / float64(parts)
		}
		inParts := w.stepInParts(lengths[:parts])
		if inParts == nil {
			return nil
		}
		if errors.As(inParts, new(*DiskCollisionError)) {
			err = inParts
		}
		w.restoreStep()
	}
	if e := w.contradictedMotor(); e != nil {
		return e
	}
	return err
}

// contradictedMotor returns an error for a motor whose prescribed coordinate the loops of bodies do not allow, after a step that has
// no end: what the motor is off by where they close nearest to all commands. The state stays.
func (w *World) contradictedMotor() error {
	var holds []hold
	for _, c := range w.connections {
		for i := range c.laws.list {
			if o := &c.laws.list[i]; o.kind == prescribedLaw {
				holds = append(holds, hold{c, o.coordinate, c.command[o.coordinate]})
			}
		}
	}
	if len(w.rods) > 0 || len(holds) == 0 {
		return nil
	}
	defer w.restoreStep()
	if w.closeJoints(holds) != nil && w.closeJoints(nil) != nil {
		return nil
	}
	var worst error
	most := 1.0
	for i := range holds {
		h := &holds[i]
		unit := w.unit(h.connection, h.index)
		q := h.geometry.Coordinate(h.index, &h.relative, h.at)
		if by := math.Abs(q - h.at); by > most*contradiction*unit {
			most = by / (contradiction * unit)
			worst = &ContradictionError{Joint: h.Name, By: by, coordinate: h.index, at: q, unit: h.unitName(h.index), allowed: contradiction * unit, what: prescribedLaw}
		}
	}
	return worst
}

// appendGrowing appends the lengths of the parts of a step of h seconds of which the first is of order 1: it is as short as a part may be,
// and the next ones grow as fast as order 2 allows, as codes with formulas of variable order begin. What light links pass on to one
// another moves with a high power of time at first, of which one step of order 1 makes many times as much.
func appendGrowing(parts []float64, h float64) []float64 {
	parts = append(parts, h/mostParts)
	for sum := parts[0]; sum < h; sum *= integrate.MaxBDF2Ratio {
		parts = append(parts, sum*(integrate.MaxBDF2Ratio-1))
	}
	return parts
}

// stepInParts makes a step in parts of the given lengths, s.
func (w *World) stepInParts(parts []float64) error {
	w.parts = len(parts)
	left := 0.0
	for _, h := range parts {
		left += h
	}
	for _, h := range parts {
		if err := w.step(h, h/left, true); err != nil {
			return err
		}
		left -= h
	}
	return nil
}

// errPassing is the error of a step that is no part of another one, and at whose start accelerations pass: it has to be divided.
var errPassing = errors.New("mechanism: accelerations pass within the step")

// step is Step in one part, at whose end prescribed coordinates are at the given share between their start and their
// commands. After an error only Restore makes sense.
func (w *World) step(h, share float64, isPart bool) error {
	passes, err := w.prepare(h, share)
	if err != nil {
		return err
	}
	if passes && !isPart {
		return errPassing
	}
	last := w.lastStep
	order := w.order()
	err = w.attempt(order, h)
	hasImpact := err == nil && (w.hasImpact() || order == 2 && w.hasContactImpact())
	if hasImpact {
		// BDF2 would turn the velocities of before into a rebound. After the first of three steps of order 1 the
		// speed is that which reaches the stop in one step, after the others it is 0. An impact at a stop within the
		// three steps of another one begins them anew.
		w.plastic = plasticSteps
		if order == 2 {
			w.revert()
			order = 1
			err = w.attempt(1, h)
		}
	}
	if err == nil {
		err = w.close(w.iterate)
	}
	if err == nil {
		err = w.checkDisks()
	}
	if err == nil {
		err = w.commitContacts()
	}
	if err != nil {
		return err
	}
	if hasImpact {
		w.impacts++
	}
	if w.plastic > 0 && w.isStopping() { // begins the steps of order 1 anew, as another impact does
		w.plastic = plasticSteps
	}
	w.estimateTimeError(order, h, last)
	w.plastic = max(0, w.plastic-1)
	for _, l := range w.links {
		l.commit()
	}
	for _, t := range w.tendons {
		t.commit(w)
	}
	for _, c := range w.connections {
		copy(c.past, c.start)
		c.readCoordinates()
	}
	w.lastStep = h
	w.time += h
	return nil
}

// prepare moves fixed bodies and sets loads to the end of a step, and sets the level before where there is none. It reports whether
// accelerations at that level pass within the step.
func (w *World) prepare(h, share float64) (passes bool, err error) {
	w.commandShare = share
	w.moveBodies(share, h)
	for _, t := range w.tendons {
		t.scale = 1
	}
	if w.endLoads(w.time + h) {
		w.lastStep = 0
	}
	if w.lastStep != 0 && h <= integrate.MaxBDF2Ratio*w.lastStep {
		return false, nil
	}
	if err := w.setLevelBefore(h); err != nil {
		return false, err
	}
	w.lastStep = h
	if passes = w.accelerationsPass(h); passes {
		w.plastic = max(w.plastic, 1)
	}
	if w.hasFreshFriction() {
		w.plastic = plasticSteps
	}
	return passes, nil
}

// order returns that of the formula of the next step.
func (w *World) order() int {
	if w.plastic > 0 {
		return 1
	}
	return 2
}

// attempt begins a step with a formula of the given order and iterates to its end.
func (w *World) attempt(order int, h float64) error {
	w.formula = integrate.NewBDF(order, h, w.lastStep)
	for _, l := range w.links {
		l.begin(&w.formula)
	}
	for _, c := range w.connections {
		c.begin(&w.formula, w.commandShare)
	}
	for _, t := range w.tendons {
		t.begin(w)
	}
	w.beginContacts(1 / h)
	if order == 2 && w.parts == 1 {
		w.predict(h / w.lastStep)
	}
	return w.iterate()
}

// predict begins the iteration where velocities that change as in the step before end the step, which is right to third order of its
// length, unless something touches. A step that is divided has no such regular motion.
func (w *World) predict(extrapolate float64) {
	if w.hasActiveContact() {
		return
	}
	for _, l := range w.links {
		l.predict(extrapolate, w.pose[max(l.firstNode(), 0):])
	}
	if len(w.contacts.pairs) == 0 {
		return
	}
	w.updateContacts()
	if w.hasActiveContact() {
		for _, l := range w.links {
			l.revert(w.pose[max(l.firstNode(), 0):])
		}
	}
}

// endLoads sets the end of the step for the loads, and reports whether one of them has ended since the last
// step. BDF2 needs a new level before then: across a jump of the acceleration a it would add h a/2 to
// velocities.
func (w *World) endLoads(end float64) (hasEnded bool) {
	ends := func(until float64) bool { return isActive(until, w.time) && !isActive(until, end) }
	for _, b := range w.bodies {
		for i := range b.Loads {
			hasEnded = hasEnded || ends(b.Loads[i].Until)
		}
		b.time = end
	}
	for _, l := range w.rods {
		l.time = end
		for i := range l.Loads {
			hasEnded = hasEnded || ends(l.Loads[i].Until)
		}
		l.setLoads(1)
	}
	return hasEnded
}

// iterate is Newton's method. It ends after an increment whose contraction leaves no more than round-off for the following one, or
// after a solution with the last factors, unless a law has changed since.
func (w *World) iterate() error {
	isClose, updates, last := false, 0, 0.0
	w.lawRounds, w.hasChangedLaw = 0, false
	for n := 0; n < MaxIterations+min(w.lawRounds, mostLawRounds); n++ {
		w.iterations++
		if w.assemble(); isClose && !w.hasChangedLaw && !w.contacts.hasCoupled {
			if updates < mostFrictionUpdates && w.updateFriction(frictionChange) {
				updates++
				isClose, n, last = false, 0, 0
				w.assemble()
			}
		}
		if isClose && !w.hasChangedLaw && !w.contacts.hasCoupled {
			w.addCompliance(1)
			w.solveAgain()
			w.incrementSize()
			w.move(1)
			w.addMultipliers(1)
			return nil
		}
		if !w.solve(1) {
			return errSingularStep
		}
		if w.matrix.Negative() > w.rowCount() && w.hasActiveContact() {
			w.contacts.isConvex = true
			w.assemble()
			w.contacts.isConvex = false
			if !w.solve(1) {
				return errSingularStep
			}
		}
		turn, shift := w.incrementSize()
		most := turn // of what turns, and of what may touch; translations alone are exact
		if len(w.contacts.listed) > 0 {
			most = max(turn, shift/w.size)
		}
		scale := min(1, largestTurn/most, w.contactShare())
		w.move(scale)
		w.addMultipliers(scale)
		size := max(turn, shift/w.size)
		if scale == 1 && size*min(1, size/last) < roundoff && w.isSmooth() {
			return nil
		}
		isClose, last = size < converged, size
	}
	return w.notConverged()
}

// isSmooth reports whether nothing touches, at the last assembly and at the present poses, and no law would change at these.
func (w *World) isSmooth() bool {
	if w.hasActiveContact() || w.wouldChangeLaw() {
		return false
	}
	w.updateContacts()
	return !w.hasActiveContact()
}

// notConverged names the link whose last increment is the largest, or disks that collide.
func (w *World) notConverged() error {
	if err := w.checkDisks(); err != nil {
		return err
	}
	e, most := &NotConvergedError{Iterations: MaxIterations + min(w.lawRounds, mostLawRounds)}, -1.0
	for _, l := range w.links {
		shift, turn := 0.0, 0.0
		for _, x := range w.of(l, w.increment) {
			shift, turn = max(shift, x.Linear().Norm()), max(turn, x.Angular().Norm())
		}
		if size := max(shift/w.size, turn); size > most || math.IsNaN(size) {
			most, e.Shift, e.Rotation = size, shift, turn
			e.Link, _ = l.label()
		}
	}
	return e
}

// revert returns to the start of the step.
func (w *World) revert() {
	for _, c := range w.connections {
		for k := range c.laws.list {
			c.laws.list[k].revert()
		}
	}
	for _, l := range w.links {
		l.revert(w.pose[max(l.firstNode(), 0):])
	}
	for _, t := range w.tendons {
		t.revert()
	}
}
