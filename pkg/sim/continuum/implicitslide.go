package continuum

import (
	"slices"

	"sinew/pkg/sim/spatial"
)

// Equilibria with friction are those of tendons that slide one way, so that the
// tension falls, or rises, by the capstan law with the angle by which the tendon
// wraps each disk. That and the convention of transverse disk forces have no
// potential: the merit of an increment counts them as they were before it. Their
// tangent is of low rank. Most equilibria are found sooner without it, by more but
// cheaper iterations; with it the iteration converges quadratically.

// slopes says where in statics the border has the tangents of what has no
// potential.
type slopes struct {
	// turning are the nodes whose loads have none, loaded in number, and after them
	// those with transverse disk forces alone.
	turning []int
	loaded  int
	sliding int   // disks that tendons pass with friction
	column  []int // of the border, by node, where those of a turning node begin
	// patience is how many more iterations of this search leave out friction and
	// transverse forces.
	patience int
}

// staticPatience is the number of iterations that most equilibria need.
const staticPatience = 20

// freeFriction and settleFriction take the friction away before a search for
// equilibrium and hand what it found to the bristles.
func (e *implicit) freeFriction() {
	for k, f := range e.friction {
		e.offset[k] = 0
		if f != nil {
			f.Free()
		}
	}
}

func (e *implicit) settleFriction() {
	for k, f := range e.friction {
		if f != nil {
			f.Settle(e.Tension(k, e.in.Drives[k]))
		}
	}
}

// slide sets the shares of tendons with friction to those of the present shape.
func (e *implicit) slide() {
	for k, f := range e.friction {
		if f != nil {
			f.Slide(!e.release)
			e.offset[k] = e.bundle.Length(k) - e.bundle.Reach(k)
		}
	}
}

// passed is the number of disks that tendons pass with friction.
func (e *implicit) passed() (n int) {
	for _, f := range e.friction {
		if f != nil {
			n += f.Passed()
		}
	}
	return n
}

// findTurning lists the nodes whose loads have no potential: moments, what turns
// with the rod, and transverse forces of disks. It makes room in the border for
// them and for friction.
func (e *implicit) findTurning() {
	e.turning = e.turning[:0]
	for i := 1; i < len(e.rod.Loads); i++ {
		l := &e.rod.Loads[i]
		if l.Moment != (spatial.Vec{}) || l.Follower != (spatial.Wrench{}) {
			e.turning = append(e.turning, i)
		}
	}
	e.loaded = len(e.turning)
	for k := range e.robot.tendons {
		for _, i := range e.robot.tendons[k].route.Nodes {
			if e.rao && !slices.Contains(e.turning, i) {
				e.turning = append(e.turning, i)
			}
		}
	}
	e.sliding = e.passed()
	e.border.grow(len(e.in.Drives)+6*len(e.turning)+e.sliding, len(e.eta))
}

// addTurning puts the skew parts of the tangent at the nodes in the border, from
// column p on.
func (e *implicit) addTurning(nodes []int, p int) {
	w := &e.border
	for _, i := range nodes {
		e.column[i] = p
		skew := e.nodes.SkewPart(i)
		for r := range 6 {
			w.b[p][i-1][r] = 1
			copy(w.left(p)[i-1][:], skew[6*r:6*r+6])
			w.c[p*w.rank+p] = 1
			p++
		}
	}
}

// addTransverse adds the tangent of the transverse forces to the columns of the
// turning nodes.
func (e *implicit) addTransverse() {
	if !e.rao {
		return
	}
	w, slope := &e.border, e.known
	for part := range e.bundle.NormalParts() {
		clear(slope)
		i, push := e.bundle.NormalSlope(part, e.rod.Pose, slope)
		for r, f := range push {
			if f != 0 {
				addScaled(w.a[e.column[i]+r], f, slope)
			}
		}
	}
}

// addSticking puts the stiffness of the bristles that stick in the border, from
// column p on.
func (e *implicit) addSticking(p int) {
	w := &e.border
	for _, f := range e.friction {
		if f == nil {
			continue
		}
		for j := range f.Passed() {
			if f.Sticks(j) {
				f.PushBeyond(j, e.rod.Pose, false, w.b[p])
				w.c[p*w.rank+p] = f.Stiffness
				p++
			}
		}
	}
}

// sticking is the number of bristles that stick.
func (e *implicit) sticking() (n int) {
	for _, f := range e.friction {
		if f == nil {
			continue
		}
		for j := range f.Passed() {
			if f.Sticks(j) {
				n++
			}
		}
	}
	return n
}

// addSliding puts the tangent of friction in the border, from column p on: the
// tension beyond a disk follows the angle there.
func (e *implicit) addSliding(p int) {
	w, pose := &e.border, e.rod.Pose
	for k, f := range e.friction {
		if f == nil {
			continue
		}
		rate := f.Slide(!e.release)
		for j := range f.Passed() {
			f.PushBeyond(j, pose, e.rao, w.b[p])
			f.WrapSlope(j, pose, w.left(p))
			w.c[p*w.rank+p] = rate * e.bundle.TensionAt(k, 0)
			p++
		}
	}
}

// addScaled adds f x to dst.
func addScaled(dst []spatial.Vec6, f float64, x []spatial.Vec6) {
	for i := range x {
		for j := range x[i] {
			dst[i][j] += f * x[i][j]
		}
	}
}
