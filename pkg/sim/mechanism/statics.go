package mechanism

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"sinew/pkg/sim/spatial"
)

// ErrUnstable is the error, in the sense of errors.Is, of a search that finds no equilibrium but unstable ones: their energy has a
// maximum in some direction.
var ErrUnstable = errors.New("the equilibrium is unstable: its energy has a maximum in some direction")

const (
	// loopSteps is the number of equal steps of the path that closes joints which are open at t = 0.
	loopSteps = 12
	// shortestShare is the shortest step of the path, in parts of it, below which the search for equilibrium ends.
	shortestShare = 1e-4
	// staticIterations is the number of iterations of Newton's method after which a step of the path is given up.
	staticIterations = 60
	// leastShift keeps neutral motions, which nothing resists, where they are, in parts of the stiffness of their
	// nodes.
	leastShift = 1e-9
	// largestShift is the shift, in the same parts, above which none makes the tangent positive definite.
	largestShift = 1e8
)

// Equilibrate finds an equilibrium at rest, with all joints closed. Open joints close along a path of two parts. In the
// first, without loads and weight, the origins of the joints' frames move along straight lines from where the
// undeformed links have them to where they coincide, while the frames turn freely. In the second, the frames turn
// by the shortest rotations until they are aligned, while loads and weight grow. The path selects the equilibrium: a
// rod that is bent by less than half a turn becomes a ring, and not an eight. After an error the mechanism is at the
// last equilibrium on the path, where loads are less and joints are open, and cannot be stepped.
func (w *World) Equilibrate() error {
	return w.explainFree(w.equilibrate(func(share float64) float64 { return share }))
}

// explainFree adds to the error of a search which links only contact can hold, and names those that nothing holds instead.
func (w *World) explainFree(err error) error {
	free := w.freeLinks()
	if err == nil || len(free) == 0 {
		return err
	}
	names := strings.Join(free, ", ")
	const cure = "; add a joint, or use initial_state: straight and sim"
	if len(w.contacts.pairs) == 0 {
		return fmt.Errorf("mechanism: nothing holds %s: no joint or tendon connects it to the world"+cure, names)
	}
	return fmt.Errorf("%w; without contact nothing holds %s: no joint or tendon connects it to the world"+cure+" until it rests", err, names)
}

// freeLinks names the links that neither joints nor tendons connect, over others perhaps, to the world or to what is fixed in it.
func (w *World) freeLinks() (names []string) {
	held := map[link]bool{}
	for _, b := range w.bodies {
		held[b] = b.node < 0
	}
	spread := func(all []link) (hasSpread bool) { // nil is the world
		isHeld := slices.ContainsFunc(all, func(l link) bool { return l == nil || held[l] })
		for _, l := range all {
			if isHeld && l != nil && !held[l] {
				held[l], hasSpread = true, true
			}
		}
		return hasSpread
	}
	for hasSpread := true; hasSpread; {
		hasSpread = false
		for _, c := range w.connections {
			hasSpread = spread([]link{w.link(c.Parent.Link), w.link(c.Child.Link)}) || hasSpread
		}
		for _, t := range w.tendons {
			var through []link
			for _, h := range t.Route {
				through = append(through, w.link(h.Link))
			}
			hasSpread = spread(through) || hasSpread
		}
	}
	for _, l := range w.links {
		if name, _ := l.label(); !held[l] {
			names = append(names, fmt.Sprintf("%q", name))
		}
	}
	return names
}

// equilibrate is Equilibrate with the given load at a share of the second part of the path.
func (w *World) equilibrate(load func(share float64) float64) error {
	w.scaleNodes()
	w.leftSaddle = ""
	w.rowCompliance = staticCompliance
	defer func() { w.rowCompliance = compliance }()
	open := w.openPoses()
	step, apart := 1.0, false
	for _, c := range w.connections {
		c.turnsFreely = false
	}
	if worst, _ := w.openings(); worst > 1e-9 {
		step = 1. / loopSteps
		for i, c := range w.connections {
			c.turnsFreely = open[i].P.Norm()/w.size > 1e-9
			apart = apart || c.turnsFreely
		}
	}
	if apart {
		err := w.follow(step, func(share float64) { w.setPath(0, share, open) })
		if err != nil {
			for _, c := range w.connections {
				c.setParentFrame(c.parentFrame)
			}
			worst, at := w.openings()
			return fmt.Errorf("mechanism: the frames of joint %q on parent and child do not meet: they stay %.3g m apart: %w; move the joint, make links longer, or offset a joint that compresses a straight rod along its axis", at.Name, worst*w.size, err)
		}
		for _, c := range w.connections {
			c.turnsFreely = false
		}
		open = w.openPoses()
	}
	if err := w.follow(step, func(share float64) { w.setPath(load(share), share, open) }); err != nil {
		return fmt.Errorf("mechanism: %w", err)
	}
	if err := w.checkAxes(); err != nil {
		w.isOpen = true
		return err
	}
	w.findNeutralMotion()
	for _, l := range w.links {
		l.commitStatics()
	}
	for _, t := range w.tendons {
		t.commitStatics(w)
	}
	for _, c := range w.connections {
		c.update(w.pose)
	}
	w.readCoordinates()
	w.resetTimeError()
	w.isOpen, w.lastStep = false, 0
	return nil
}

// openPoses returns the pose of each joint's frame on the child relative to where the joint has it.
func (w *World) openPoses() []spatial.Pose {
	open := make([]spatial.Pose, len(w.connections))
	for i, c := range w.connections {
		c.setParentFrame(c.parentFrame)
		c.update(w.pose)
		for k := range c.coordinate {
			c.coordinate[k] = c.geometry.Coordinate(k, &c.relative, c.coordinate[k])
		}
		c.laws.begin(c.coordinate, c.command, 1)
		open[i] = c.relative.Mul(c.geometry.Place(c.coordinate).Inv())
	}
	return open
}

// follow finds the equilibria along a path in steps that halve where there is none, from 0, which it sets, to 1.
func (w *World) follow(step float64, set func(share float64)) error {
	set(0)
	for done := 0.0; done < 1; {
		next := min(1, done+step)
		if next > 1-1e-9 {
			next = 1
		}
		w.savePath()
		set(next)
		w.beginContacts(0)
		err := w.iterateStatics()
		if err == nil {
			err = w.close(w.iterateStatics)
		}
		if err == nil {
			err = w.checkDisks()
		}
		if err == nil {
			err = w.commitContacts()
		}
		if err == nil {
			done = next
			continue
		}
		set(done)
		w.restorePath()
		if step /= 2; step < shortestShare {
			w.isOpen = true
			return fmt.Errorf("the continuation of the equilibrium from open joints and no load (0) to closed joints and full load (1) ends at %.4g: %w", done, err)
		}
	}
	return nil
}

// setPath scales loads and weight by load, and moves the parents' frames of open joints to where they are at a share of the path.
func (w *World) setPath(load, share float64, open []spatial.Pose) {
	for _, l := range w.links {
		l.beginStatics(load)
	}
	for _, t := range w.tendons {
		t.scale = load
		t.beginStatics()
	}
	for i, c := range w.connections {
		c.gamma = 0
		g := &open[i]
		moved := spatial.Pose{R: spatial.ExpRot(g.R.Log().Scale(1 - share)), P: g.P.Scale(1 - share)}
		frame := c.parentFrame
		if share < 1 {
			frame = frame.Mul(moved)
		}
		c.setParentFrame(frame)
	}
}

// setParentFrame moves the parent's frame of a joint, which is open at other frames than parentFrame.
func (c *connection) setParentFrame(frame spatial.Pose) {
	was := c.parent
	c.parent = newSide(was.node, frame)
	c.parent.place, c.parent.velocity, c.parent.acceleration = was.place, was.velocity, was.acceleration
}

// iterateStatics is Newton's method for the stationary points of the Lagrangian, energy plus λ φ, with the Hessian
// shifted until it is positive definite along the constraints, so that increments are descent directions and
// the equilibria stable.
func (w *World) iterateStatics() error {
	if err := w.startMultipliers(); err != nil {
		return err
	}
	w.lawRounds, w.hasChangedLaw = 0, false
	reach := w.size // largest displacement over largestTurn; doubles where increments are longer
	shift, saddles, updates, last := leastShift, 0, 0, math.Inf(1)
	var slipping *contactPoint // lately
	for n := range staticIterations {
		shift = max(leastShift, shift/16)
		for {
			if w.factorShifted(shift) {
				break
			}
			if shift = max(1e-4, 4*shift); shift > largestShift {
				return errors.New("the tangent stiffness is not positive definite, however it is shifted; give poses nearer to the equilibrium, or smaller loads")
			}
		}
		turn, length := w.incrementSize()
		size, stiffness := max(turn, length/w.size), w.incrementStiffness()
		if math.IsNaN(size) {
			return errors.New("Newton's method diverges: an increment is not a number; give poses nearer to the equilibrium, or smaller loads")
		}
		if length > largestTurn*reach && len(w.contacts.listed) == 0 {
			reach *= 2
		}
		scale := min(1, largestTurn/max(turn, length/reach), w.contactShare())
		w.move(scale)
		w.addMultipliers(1) // with less than those of the whole increment, light links fly off from what the multipliers lack
		for _, c := range w.connections {
			c.update(w.pose)
			c.readCoordinates()
		}
		w.updateContacts()
		hasFriction := w.updateFriction(frictionChange) // limits of the iterate, since the path to it is no motion
		if p := w.slippingPoint(); p != nil && n > staticIterations/2 {
			slipping = p
		}
		isRoundOff := size < 1e-11 || isStalled(size, last, stiffness, shift)
		if last = size; isRoundOff && w.hasSteadyShares() && scale == 1 && !w.hasChangedLaw && !w.contacts.hasCoupled {
			if updates < mostFrictionUpdates && hasFriction {
				updates++
				continue
			}
			if shift == leastShift || w.factorShifted(neutral) {
				return nil
			}
			if saddles++; saddles > mostSaddles || !w.leaveSaddle() {
				return ErrUnstable
			}
		}
	}
	turn, length := w.incrementSize()
	if max(turn, length/w.size) > largestTurn {
		return fmt.Errorf("nothing holds %s: it still moves after %d iterations; add a joint, spring, stop or friction that holds it", w.describeMotion(), staticIterations)
	}
	if p := slipping; p != nil {
		return fmt.Errorf("friction does not hold %q on %q: they still slip after %d iterations; raise the friction coefficient, which is %g, or what presses them together", p.a.name, p.b.name, staticIterations, p.mu)
	}
	return fmt.Errorf("Newton's method does not converge: the last of %d increments is %.3g m and %.3g rad; give poses nearer to the equilibrium, or smaller loads", staticIterations, length, turn)
}

// isStalled reports whether increments that no longer get smaller are round-off: their size is, or, along a motion that nothing but
// the shift resists, where round-off over that shift makes them large, the change of energy that they make. stiffness is as of
// incrementStiffness.
func isStalled(size, last, stiffness, shift float64) bool {
	return size > last/4 && (size < 1e-8 || stiffness-shift < leastShift && stiffness*size*size < 1e-8*1e-8)
}

// incrementStiffness returns the stiffness against the increment that the right-hand side causes, in parts of that of its nodes.
func (w *World) incrementStiffness() float64 {
	work, scale := 0.0, 0.0
	for i, k := range w.scale {
		x := &w.increment[i]
		work += dot(x, &w.right[i])
		scale += k.linear*x.Linear().Dot(x.Linear()) + k.angular*x.Angular().Dot(x.Angular())
	}
	return math.Abs(work) / scale
}

// factorShifted solves at the present poses with the Hessian shifted, and reports whether that is positive definite along
// the constraints.
func (w *World) factorShifted(shift float64) bool {
	w.lastShift = shift
	w.assemble()
	w.addPenalty()
	w.addShift(shift)
	return w.solve(1) && w.matrix.Negative() == w.rowCount()
}

// rowCount returns the number of rows, which that of negative eigenvalues equals at a stable equilibrium.
func (w *World) rowCount() (n int) {
	for _, c := range w.connections {
		n += c.geometry.Size() + len(c.laws.list)
	}
	for _, t := range w.tendons {
		n += t.rowCount()
	}
	return n
}

// startMultipliers sets the multipliers to the least-squares balance of the wrenches. Without them the
// stiffness of a hanging pendulum, which is the geometric one of its reaction, is 0.
func (w *World) startMultipliers() error {
	for _, c := range w.connections {
		clear(c.lambda[:])
		for k := range c.laws.list {
			c.laws.list[k].multiplier = 0
		}
	}
	w.assemble()
	w.matrix.Zero()
	w.addShift(1)
	for _, c := range w.connections {
		c.addRows(w)
		c.addLawRows(w)
		w.right[c.unknown] = spatial.Vec6{}
		if len(c.laws.list) > 0 {
			w.right[c.laws.unknown] = spatial.Vec6{}
		}
	}
	for _, t := range w.tendons {
		t.clearRows(w)
	}
	if !w.solve(0) {
		return errors.New("the equations of the multipliers of joints are singular")
	}
	w.addMultipliers(1)
	return nil
}

// addPenalty adds ρ Gᵀ G of joints and active laws to the tangent, and what it makes of φ to the wrenches, so that the
// solution is the same. Links that only they hold have a singular tangent without it.
func (w *World) addPenalty() {
	for _, c := range w.connections {
		var pair spatial.Mat6
		k := w.jointStiffness(c)
		add := func(isAngle bool, value float64, a, b *spatial.Vec6) {
			rho := k.linear
			if isAngle {
				rho = k.angular
			}
			w.addForce(c, -rho*value, a, b)
			if c.parent.node >= 0 {
				addOuter(w.matrix.Diagonal(c.parent.node), rho, a, a)
			}
			if c.child.node >= 0 {
				addOuter(w.matrix.Diagonal(c.child.node), rho, b, b)
			}
			addOuter(&pair, rho, a, b)
		}
		for r := range c.geometry.Size() {
			add(c.geometry.LocksRotation(r), c.rows.Value[r], &c.onParent[r], &c.onChild[r])
		}
		for r := range c.laws.list {
			if o := &c.laws.list[r]; o.isActive {
				add(c.geometry.IsAngle(o.coordinate), o.value, &o.onParent, &o.onChild)
			}
		}
		if c.hasPair {
			w.matrix.Add(c.pair, &pair)
		}
	}
}

// addOuter adds s a bᵀ to o.
func addOuter(o *spatial.Mat6, s float64, a, b *spatial.Vec6) {
	for r := range 6 {
		for k := range 6 {
			o[6*r+k] += s * a[r] * b[k]
		}
	}
}

// savePath saves the last equilibrium on the path, and restorePath returns to it.
func (w *World) savePath() {
	for _, l := range w.links {
		l.savePath()
	}
	for _, c := range w.connections {
		copy(c.start, c.coordinate)
		copy(c.startSaturated, c.saturated)
		for k := range c.laws.list {
			c.laws.list[k].keep()
		}
	}
	for _, t := range w.tendons {
		t.law.keep()
	}
}

func (w *World) restorePath() {
	for _, l := range w.links {
		l.restorePath(w.pose[max(l.firstNode(), 0):])
	}
	for _, c := range w.connections {
		copy(c.coordinate, c.start)
		copy(c.saturated, c.startSaturated)
		for k := range c.laws.list {
			c.laws.list[k].revert()
		}
	}
	for _, t := range w.tendons {
		t.law.revert()
	}
}
