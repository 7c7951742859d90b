package mechanism

import (
	"fmt"
	"math"

	"sinew/pkg/sim/mechanism/blocks"
	"sinew/pkg/sim/mechanism/joint"
	"sinew/pkg/sim/spatial"
)

// law is a constraint on a coordinate q with a multiplier μ, an effort in N or N m that acts against
// the coordinate. It is either active, which is the row g(q) = 0, or the multiplier has a bound as its
// value. The projection
//
//	μ = Π(μ + g/s)  onto the set of allowed multipliers, with a scale s > 0,
//
// decides which, in every iteration: Newton's method of semismooth equations (Alart and Curnier, "A
// mixed formulation for frictional contact problems", CMAME 92 (1991) 353). A row that is not active
// keeps a diagonal entry, so that the pattern of the matrix does not change.
type law struct {
	kind       lawKind
	coordinate int
	limit      Limits
	friction   float64 // largest multiplier, N or N m

	anchor            float64 // where friction sticks: the coordinate at the start of the step; where it is prescribed, the command
	multiplier        float64 // μ
	isActive          bool
	wasActive         bool    // at the start of the step
	activity          float64 // scratch: isActive as it is saved, so that Save does not allocate
	hasChanged        bool    // in the last assembly: active or not, or the bound
	value             float64
	onParent, onChild spatial.Vec6
}

type lawKind int

const (
	limitLaw      lawKind = iota // min ≤ q ≤ max
	frictionLaw                  // |μ| ≤ friction, q = anchor below it
	prescribedLaw                // q = anchor
)

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
	return checkMotors(j)
}

// begin starts a step from the given coordinates the given share of the way to the commands.
func (l *laws) begin(coordinates, commands []float64, share float64) {
	for i := range l.list {
		o := &l.list[i]
		o.anchor, o.wasActive = coordinates[o.coordinate], o.isActive
		if o.kind == prescribedLaw {
			if o.anchor = commands[o.coordinate]; share < 1 {
				o.anchor = coordinates[o.coordinate] + share*(o.anchor-coordinates[o.coordinate])
			}
		}
	}
}

// update makes the law active or sets its multiplier to a bound at the coordinate q; s is the scale.
func (o *law) update(q, s float64) {
	was, multiplier := o.isActive, o.multiplier
	o.decide(q, s)
	o.hasChanged = was != o.isActive || !was && multiplier != o.multiplier
}

func (o *law) decide(q, s float64) {
	if o.kind == prescribedLaw {
		o.isActive, o.value = true, q-o.anchor
		return
	}
	if o.kind == frictionLaw {
		o.value = q - o.anchor
		trial := o.multiplier + o.value/s
		if o.isActive = math.Abs(trial) <= o.friction; !o.isActive {
			o.multiplier = math.Copysign(o.friction, trial)
		}
		return
	}
	over, under := q-o.limit.Max, q-o.limit.Min
	switch {
	case o.multiplier+over/s > 0:
		o.isActive, o.value = true, over
	case o.multiplier+under/s < 0:
		o.isActive, o.value = true, under
	default:
		o.isActive, o.multiplier = false, 0
	}
}

// assembleLaws adds the laws of a connection. Their second derivatives go to curvature.
func (c *connection) assembleLaws(w *World, curvature *joint.Curvature) {
	for k := range c.laws.list {
		o := &c.laws.list[k]
		parent, child := c.geometry.Gradient(o.coordinate, &c.relative)
		o.onParent, o.onChild = c.parent.onNode(&parent), c.child.onNode(&child)
		o.update(c.geometry.Coordinate(o.coordinate, &c.relative, c.coordinate[o.coordinate]), w.freeCompliance(c, &o.onParent, &o.onChild))
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

// lawsHaveChanged reports whether a law has changed in the last assembly.
func (w *World) lawsHaveChanged() bool {
	for _, c := range w.connections {
		for k := range c.laws.list {
			if c.laws.list[k].hasChanged {
				return true
			}
		}
	}
	return false
}

// hasImpact reports whether a limit has become active in the step.
func (w *World) hasImpact() bool {
	for _, c := range w.connections {
		for k := range c.laws.list {
			if o := &c.laws.list[k]; o.kind == limitLaw && o.isActive && !o.wasActive {
				return true
			}
		}
	}
	return false
}

// startLaws adds the laws to the equations of accelerations: friction acts against the present velocity, or
// sticks; prescribed coordinates are at rest; limits do not act.
func (w *World) startLaws(c *connection) {
	for k := range c.laws.list {
		o := &c.laws.list[k]
		parent, child := c.geometry.Gradient(o.coordinate, &c.relative)
		o.onParent, o.onChild = c.parent.onNode(&parent), c.child.onNode(&child)
		a, b := w.frameVelocity(&c.parent), w.frameVelocity(&c.child)
		rate := dot(&parent, &a) + dot(&child, &b)
		o.multiplier, o.isActive = 0, o.kind == prescribedLaw
		if o.kind == frictionLaw {
			if o.isActive = rate == 0; !o.isActive {
				o.multiplier = math.Copysign(o.friction, rate)
			}
		}
		w.addForce(c, -o.multiplier, &o.onParent, &o.onChild)
	}
	c.addLawRows(w)
}
