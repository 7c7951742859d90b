package mechanism

import "fmt"

// neutral is the stiffness of a motion, in parts of that of its nodes, below which the motion counts as neutral.
const neutral = 1e-6

// Stability says what an equilibrium does when it is disturbed a little, friction included.
type Stability struct {
	Unstable  int    // number of modes in which the energy is largest
	IsNeutral bool   // nothing resists Motion and no load drives it, such as the spin of a rod between two ball joints
	Motion    string // the coordinate or the link that moves most in the mode of least stiffness; empty where all are resisted
}

// Stability is that of the present shape, which is an equilibrium: the inertia of the tangent says how many modes are unstable. The state
// stays as it was.
func (w *World) Stability() (s Stability) {
	if len(w.pose) == 0 {
		return s
	}
	saved := make([]float64, w.StateLen())
	w.Save(saved)
	defer w.Restore(saved)
	w.rowCompliance = staticCompliance
	defer func() { w.rowCompliance = compliance }()
	w.scaleNodes()
	w.assembleAtRest()
	switch {
	case !w.factorShifted(neutral):
		s.Unstable = w.matrix.Negative() - w.rowCount()
		w.unstableMotion()
	case 1/w.softestMotion()-w.lastShift < neutral:
		s.IsNeutral = true
	default:
		return s
	}
	s.Motion = w.describeMotion()
	return s
}

// NeutralMotion names a motion of the last equilibrium that nothing resists and no load drives, or is empty. The equilibrium keeps the
// start's component along it.
func (w *World) NeutralMotion() string { return w.neutralMotion }

// LeftSaddle names the motion along which the last search for an equilibrium has left an unstable one, or is empty. Either side of it
// leads to an equilibrium, and where both are alike, round-off or the order of nodes chooses.
func (w *World) LeftSaddle() string { return w.leftSaddle }

// findNeutralMotion sets neutralMotion, by inverse iteration with the factors of the equilibrium.
func (w *World) findNeutralMotion() {
	w.neutralMotion = ""
	if len(w.pose) == 0 {
		return
	}
	growth := w.softestMotion()
	if stiffness := 1/growth - w.lastShift; stiffness < neutral {
		w.neutralMotion = w.describeMotion()
	}
}

// describeMotion names the coordinate or the link that the increment moves most.
func (w *World) describeMotion() (what string) {
	most := 0.0
	for _, c := range w.connections {
		for i := range c.coordinate {
			parent, child := c.geometry.Gradient(i, &c.relative)
			onParent, onChild := c.parent.onNode(&parent), c.child.onNode(&child)
			change := 0.0
			if c.parent.node >= 0 {
				change += dot(&onParent, &w.increment[c.parent.node])
			}
			if c.child.node >= 0 {
				change += dot(&onChild, &w.increment[c.child.node])
			}
			if !c.geometry.IsAngle(i) {
				change /= w.size
			}
			if change = max(change, -change); change > most {
				most, what = change, fmt.Sprintf("coordinate %d of joint %q", i+1, c.Name)
			}
		}
	}
	for _, l := range w.links {
		for _, x := range w.of(l, w.increment) {
			// a joint says more than the link that it lets move
			if change := 0.5 * max(x.Linear().Norm()/w.size, x.Angular().Norm()); change > most {
				name, _ := l.label()
				most, what = change, fmt.Sprintf("%q", name)
			}
		}
	}
	return what
}
