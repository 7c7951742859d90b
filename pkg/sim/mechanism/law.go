package mechanism

import (
	"fmt"
	"math"

	"sinew/pkg/sim/mechanism/blocks"
	"sinew/pkg/sim/mechanism/joint"
	"sinew/pkg/sim/spatial"
)

// law is a stop, Coulomb friction or a prescribed motion: a complementarity condition between a coordinate q and a
// multiplier μ, an effort in N or N m that acts against the coordinate. It is either active, which is the row
// g(q) = 0, or the multiplier is at a bound. The projection
//
//	μ = Π(μ + g/s)  onto the set of allowed multipliers, with a scale s > 0,
//
// decides which, in every iteration. The scale is infinite: only a violated law changes, a multiplier outside its
// bounds goes to the bound, and a coordinate that has passed its stop or anchor makes the law active, but none goes from one
// bound to another at once. All laws change together, and after blockRounds the first one in the list alone,
// which ends where there is a unique solution (Júdice and Pires, "A block principal pivoting algorithm for
// large-scale strictly monotone linear complementarity problems", Computers & Operations Research 21 (1994) 587).
// A row that is not active keeps a diagonal entry, so that the pattern of the matrix does not change.
type law struct {
	kind       lawKind
	coordinate int
	limit      Limits
	friction   float64 // largest multiplier, N or N m

	anchor     float64 // where friction sticks: the coordinate at the start of the step; where it is prescribed, the command
	multiplier float64 // μ
	held       float64 // what it is near; see World.close
	isActive   bool
	isAtMax    bool     // of a limit: which of the stops is active
	was        struct { // see keep
		isActive, isAtMax bool
		multiplier        float64
	}
	activity          float64 // scratch: isActive and isAtMax as they are saved, so that Save does not allocate
	isPressed         bool    // at the start of the step the coordinate rests at the stop
	hasChanged        bool    // in the last assembly: active or not, or the bound
	free              float64 // compliance of the coordinate without the rest of the mechanism in the last solution
	value             float64
	onParent, onChild spatial.Vec6
}

// blockRounds are the iterations of a step or an equilibrium in which laws change together, before they change one by one.
const blockRounds = 8

type lawKind int

const (
	limitLaw      lawKind = iota // min ≤ q ≤ max
	frictionLaw                  // |μ| ≤ friction, q = anchor below it
	prescribedLaw                // q = anchor
	tensionLaw                   // a gap of 0; limit is that of the multiplier
)

func (k lawKind) String() string { return [...]string{"stop", "friction", "motor", "tendon"}[k] }

// laws are the laws of a joint, which share one unknown.
type laws struct {
	list                    []law
	unknown                 int
	parentPlace, childPlace blocks.Place
}

// newLaws returns the laws of a joint.
func newLaws(j *Joint) (l laws) {
	for i, x := range j.Limits {
		if !math.IsInf(x.Min, -1) || !math.IsInf(x.Max, 1) {
			l.list = append(l.list, law{kind: limitLaw, coordinate: i, limit: x})
		}
	}
	for i, m := range j.Motor {
		if m.Kind == PrescribedMotor {
			l.list = append(l.list, law{kind: prescribedLaw, coordinate: i})
		}
	}
	for i, f := range j.Friction {
		if f > 0 && !(j.Motor != nil && j.Motor[i].Kind == PrescribedMotor) {
			l.list = append(l.list, law{kind: frictionLaw, coordinate: i, friction: f})
		}
	}
	return l
}

func checkLaws(j *Joint, coordinates int) error {
	for _, n := range [...]struct {
		what  string
		count int
	}{{"positions", len(j.Position)}, {"springs", len(j.Spring)}, {"limits", len(j.Limits)}, {"friction efforts", len(j.Friction)}, {"motors", len(j.Motor)}} {
		if n.count != 0 && n.count != coordinates {
			return fmt.Errorf("mechanism: joint %q has %d %s; a %s joint has %d coordinates", j.Name, n.count, n.what, j.Type, coordinates)
		}
	}
	for i, x := range j.Limits {
		if !(x.Min < x.Max) {
			return fmt.Errorf("mechanism: joint %q, coordinate %d: limits from %g to %g; the first needs to be below the second", j.Name, i+1, x.Min, x.Max)
		}
	}
	for i, f := range j.Friction {
		if !(f >= 0) {
			return fmt.Errorf("mechanism: joint %q, coordinate %d: friction of %g; it needs 0 or more", j.Name, i+1, f)
		}
	}
	for i, s := range j.Spring {
		if !(s.Stiffness >= 0 && s.Damping >= 0) || !isFinite(s.Stiffness, s.Damping, s.Rest) {
			return fmt.Errorf("mechanism: joint %q, coordinate %d: spring with stiffness %g, damping %g, rest %g; the first two need 0 or more, and each a finite number", j.Name, i+1, s.Stiffness, s.Damping, s.Rest)
		}
	}
	return checkMotors(j)
}

// begin starts a step from the given coordinates, at whose end prescribed ones are at the given share between those and the commands.
func (l *laws) begin(coordinates, commands []float64, share float64) {
	for i := range l.list {
		o := &l.list[i]
		o.anchor = coordinates[o.coordinate]
		o.keep()
		if o.kind == prescribedLaw {
			if o.anchor = commands[o.coordinate]; share < 1 {
				o.anchor = coordinates[o.coordinate] + share*(o.anchor-coordinates[o.coordinate])
			}
		}
	}
}

// update makes the law active or sets its multiplier to a bound at the coordinate q, if that may change. The law stays as
// it is where its violation is below slack, a length or an angle that counts as round-off.
func (o *law) update(q, slack float64, mayChange bool) {
	was := *o
	o.decide(q, slack)
	o.hasChanged = was.isActive != o.isActive || !was.isActive && was.multiplier != o.multiplier
	if o.hasChanged && !mayChange {
		o.isActive, o.isAtMax, o.multiplier = was.isActive, was.isAtMax, was.multiplier
	}
	o.value = o.opening(q)
}

func (o *law) decide(q, slack float64) {
	least := 0.0 // violation of a bound of the multiplier
	if o.free > 0 {
		least = slack / o.free
	}
	switch o.kind {
	case prescribedLaw:
		o.isActive = true
	case frictionLaw:
		if !o.isActive && o.multiplier != 0 {
			o.isActive = o.multiplier*(q-o.anchor) < 0 && math.Abs(q-o.anchor) > slack
		} else if o.isActive = math.Abs(o.multiplier) <= o.friction+least; !o.isActive {
			o.multiplier = math.Copysign(o.friction, o.multiplier)
		}
	case tensionLaw:
		switch {
		case !o.isActive && o.isAtMax:
			o.isActive = q < -slack
		case !o.isActive:
			o.isActive = q > slack
		case o.multiplier > o.limit.Max+least:
			o.isActive, o.isAtMax, o.multiplier = false, true, o.limit.Max
		case o.multiplier < o.limit.Min-least:
			o.isActive, o.isAtMax, o.multiplier = false, false, o.limit.Min
		}
	case limitLaw:
		if !o.isActive {
			o.isAtMax = q-o.limit.Max > slack
			o.isActive = o.isAtMax || o.limit.Min-q > slack
		} else if o.isAtMax {
			o.isActive = o.multiplier >= -least
		} else {
			o.isActive = o.multiplier <= least
		}
		if !o.isActive {
			o.multiplier = 0
		}
	}
}

// opening returns by how much the coordinate q is off where the active law holds it.
func (o *law) opening(q float64) float64 {
	switch {
	case o.kind == tensionLaw:
		return q
	case o.kind != limitLaw:
		return q - o.anchor
	case o.isAtMax:
		return q - o.limit.Max
	}
	return q - o.limit.Min
}

// assembleLaws adds the laws of a connection. Their second derivatives go to curvature.
func (c *connection) assembleLaws(w *World, curvature *joint.Curvature) {
	for k := range c.laws.list {
		o := &c.laws.list[k]
		parent, child := c.geometry.Gradient(o.coordinate, &c.relative)
		o.onParent, o.onChild = c.parent.onNode(&parent), c.child.onNode(&child)
		q := c.geometry.Coordinate(o.coordinate, &c.relative, c.coordinate[o.coordinate])
		o.update(q, closed*w.unit(c, o.coordinate), w.mayChange())
		w.hasChangedLaw = w.hasChangedLaw || o.hasChanged
		c.geometry.AddCoordinateCurvature(o.coordinate, &c.relative, o.multiplier, curvature)
		w.addForce(c, -o.multiplier, &o.onParent, &o.onChild)
		w.right[c.laws.unknown][k] = 0
		if o.isActive {
			w.right[c.laws.unknown][k] = -o.value
		}
	}
}

// addLawRows adds the derivatives of active laws to the matrix, and the diagonal of the others.
func (c *connection) addLawRows(w *World) {
	if len(c.laws.list) == 0 {
		return
	}
	var parent, child spatial.Mat6
	for k := range c.laws.list {
		o := &c.laws.list[k]
		d := &w.matrix.Diagonal(c.laws.unknown)[7*k]
		if *d = 0; !o.isActive {
			*d = -1
			continue
		}
		copy(parent[6*k:], o.onParent[:])
		copy(child[6*k:], o.onChild[:])
	}
	if c.parent.node >= 0 {
		w.matrix.Add(c.laws.parentPlace, &parent)
	}
	if c.child.node >= 0 {
		w.matrix.Add(c.laws.childPlace, &child)
	}
}

// mayChange reports whether a law may become active or inactive in this assembly.
func (w *World) mayChange() bool {
	return !w.keepsLaws && (w.lawRounds < blockRounds || !w.hasChangedLaw)
}

// wouldChangeLaw reports whether a law would become active or inactive, or a motor saturated or not, at the present poses.
func (w *World) wouldChangeLaw() bool {
	w.keepsLaws, w.hasChangedLaw = true, false
	for _, c := range w.connections {
		if len(c.laws.list) == 0 && c.Motor == nil {
			continue
		}
		c.place(w.pose)
		for k := range c.laws.list {
			o := &c.laws.list[k]
			q := c.geometry.Coordinate(o.coordinate, &c.relative, c.coordinate[o.coordinate])
			o.update(q, closed*w.unit(c, o.coordinate), false)
			w.hasChangedLaw = w.hasChangedLaw || o.hasChanged
		}
		for i := range c.coordinate {
			c.saturate(w, i)
		}
	}
	for _, t := range w.tendons {
		if t.pulls {
			t.measure(w)
			t.law.update(t.gap(), closed*w.size, false)
			w.hasChangedLaw = w.hasChangedLaw || t.law.hasChanged
		}
	}
	would := w.hasChangedLaw
	w.keepsLaws, w.hasChangedLaw = false, false
	return would
}

// state returns whether the law is active, and at which bound, as a number.
func (o *law) state() float64 {
	if x := fromBool(o.isActive); o.isAtMax {
		return x + 2
	} else {
		return x
	}
}

func (o *law) setState(x float64) { o.isActive, o.isAtMax = int(x)&1 != 0, int(x)&2 != 0 }

// keep keeps the law for revert.
func (o *law) keep() {
	o.was.isActive, o.was.isAtMax, o.was.multiplier = o.isActive, o.isAtMax, o.multiplier
}

// revert makes the law what it was at the start of the step or of a part of the path to an equilibrium.
func (o *law) revert() {
	o.isActive, o.isAtMax, o.multiplier = o.was.isActive, o.was.isAtMax, o.was.multiplier
}

// hasImpact reports whether a limit has become active in the step.
func (w *World) hasImpact() bool {
	for _, c := range w.connections {
		for k := range c.laws.list {
			if o := &c.laws.list[k]; o.kind == limitLaw && o.isActive && !(o.was.isActive && o.was.isAtMax == o.isAtMax) {
				return true
			}
		}
	}
	return false
}

// startRates sets the friction of what slides at the start of a step of h seconds, and finds the stops at which a coordinate rests: what
// slides moves within the step by more than round-off.
func (w *World) startRates(c *connection, h float64) {
	for k := range c.laws.list {
		o := &c.laws.list[k]
		o.multiplier, o.isPressed = 0, false
		if o.kind != frictionLaw && o.kind != limitLaw {
			continue
		}
		rate, _ := w.coordinateRate(c, o.coordinate)
		slides := math.Abs(rate)*h > closed*w.unit(c, o.coordinate)
		if o.isPressed = o.kind == limitLaw && !slides && (o.isActive || w.touches(c, o)); o.kind == frictionLaw && slides {
			o.multiplier = math.Copysign(o.friction, rate)
		}
	}
}

// touches reports whether a coordinate is at a stop, but for round-off, and makes that the stop that may act.
func (w *World) touches(c *connection, o *law) bool {
	q, roundoff := c.coordinate[o.coordinate], closed*w.unit(c, o.coordinate)
	o.isAtMax = q >= o.limit.Max-roundoff
	return o.isAtMax || q <= o.limit.Min+roundoff
}

// startLaws adds the laws to the equations of accelerations: friction acts against the present velocity, or sticks;
// prescribed coordinates accelerate to reach their command at the end of the step; coordinates that rest at stops stay there.
func (w *World) startLaws(c *connection, h float64) {
	for k := range c.laws.list {
		o := &c.laws.list[k]
		parent, child := c.geometry.Gradient(o.coordinate, &c.relative)
		o.onParent, o.onChild = c.parent.onNode(&parent), c.child.onNode(&child)
		w.addForce(c, -o.multiplier, &o.onParent, &o.onChild)
		w.right[c.laws.unknown][k] = 0
		if o.isActive = o.kind == prescribedLaw || o.kind == frictionLaw && o.multiplier == 0 || o.isPressed; o.isActive {
			clear(w.increment) // coordinateRate then returns what velocities make of the second derivative
			rate, second := w.coordinateRate(c, o.coordinate)
			want := 0.0
			if q := c.coordinate[o.coordinate]; o.kind == prescribedLaw {
				want = 2 * (w.commandShare*(c.command[o.coordinate]-q) - h*rate) / (h * h)
			}
			w.right[c.laws.unknown][k] = (want - second) / massScale
		}
	}
	c.addLawRows(w)
}

// leave lets coordinates leave the stops that would have to pull them, and reports whether there is one.
func (w *World) leave() (leaves bool) {
	for _, c := range w.connections {
		for k := range c.laws.list {
			o := &c.laws.list[k]
			pull := w.increment[c.laws.unknown][k]
			if o.isAtMax {
				pull = -pull
			}
			if o.isPressed && pull > 0 {
				o.isPressed, leaves = false, true
			}
		}
	}
	return leaves
}

// slide lets the law slide whose multiplier in the increment is furthest beyond its friction, and reports whether there is one.
func (w *World) slide() bool {
	var worst *law
	most, effort := 1.0, 0.0
	for _, c := range w.connections {
		for k := range c.laws.list {
			o, x := &c.laws.list[k], w.increment[c.laws.unknown][k]
			if share := math.Abs(x) / o.friction; o.kind == frictionLaw && o.isActive && share > most {
				worst, most, effort = o, share, x
			}
		}
	}
	if worst == nil {
		return false
	}
	worst.multiplier = math.Copysign(worst.friction, effort)
	return true
}
