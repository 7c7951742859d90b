package mechanism

import "fmt"

// neutral is the stiffness of a motion, in parts of that of its nodes, below which the motion counts as neutral.
const neutral = 1e-6

// NeutralMotion names a motion of the last equilibrium that nothing resists and no load drives, such as
// the spin of a rod between two ball joints, or is empty. The equilibrium keeps the start's component along it.
func (w *World) NeutralMotion() string { return w.neutralMotion }

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
