package rod

import "sinew/pkg/sim/spatial"

// state is what changes from step to step.
type state struct {
	pos   []spatial.Vec // nodes, world axes
	vel   []spatial.Vec
	dir   []Directors   // elements
	omega []spatial.Vec // body axes
}

func newState(elements int) state {
	return state{
		pos: make([]spatial.Vec, elements+1), vel: make([]spatial.Vec, elements+1),
		dir: make([]Directors, elements), omega: make([]spatial.Vec, elements),
	}
}

func (s *state) copyFrom(a *state) {
	copy(s.pos, a.pos)
	copy(s.vel, a.vel)
	copy(s.dir, a.dir)
	copy(s.omega, a.omega)
}

// debt is the drift that positions and directors are behind their velocities.
type debt struct {
	owed   float64 // s
	drifts int     // that it is made of
}

// Mark keeps the present state for Rewind.
func (x *Explicit) Mark() {
	x.resume()
	x.marked.copyFrom(&x.state)
	x.marked.debt = x.debt
}

// Rewind makes the marked state the present one.
func (x *Explicit) Rewind() {
	x.looking = false
	x.state.copyFrom(&x.marked.state)
	x.debt = x.marked.debt
}

// NotFinite returns the first node at which, or at the element after which, a
// velocity is not finite; −1 if all are. Whatever goes wrong in a state shows in
// its velocities after the next Kick.
func (x *Explicit) NotFinite() int {
	var sum float64 // x−x is NaN for whatever is not finite, and 0 otherwise
	for _, v := range x.vel {
		sum += v.X + v.Y + v.Z
	}
	for _, w := range x.omega {
		sum += w.X + w.Y + w.Z
	}
	if sum-sum == 0 {
		return -1
	}
	for k, v := range x.vel {
		if !v.IsFinite() || k < len(x.omega) && !x.omega[k].IsFinite() {
			return k
		}
	}
	return -1 // finite, but for the sum
}

// StateLen is the number of values of Save: 6 per node, 12 per element and 2.
func (x *Explicit) StateLen() int { return 6*len(x.pos) + 12*len(x.dir) + 2 }

// Save writes the state to dst: the drift that is owed, then positions,
// velocities, directors, angular velocities.
func (x *Explicit) Save(dst []float64) {
	x.resume()
	dst = dst[:x.StateLen()]
	put := func(i int, v spatial.Vec) { dst[i], dst[i+1], dst[i+2] = v.X, v.Y, v.Z }
	dst[0], dst[1] = x.owed, float64(x.drifts)
	i := 2
	for k := range x.pos {
		put(i, x.pos[k])
		put(i+3, x.vel[k])
		i += 6
	}
	for e := range x.dir {
		d := &x.dir[e]
		put(i, d.D1)
		put(i+3, d.D2)
		put(i+6, d.D3)
		put(i+9, x.omega[e])
		i += 12
	}
}

// Restore makes src, written by Save of a rod with as many elements, the state.
func (x *Explicit) Restore(src []float64) {
	src = src[:x.StateLen()]
	at := func(i int) spatial.Vec { return spatial.Vec{X: src[i], Y: src[i+1], Z: src[i+2]} }
	x.looking, x.debt = false, debt{owed: src[0], drifts: int(src[1])}
	i := 2
	for k := range x.pos {
		x.pos[k], x.vel[k] = at(i), at(i+3)
		i += 6
	}
	for e := range x.dir {
		x.dir[e] = Directors{at(i), at(i + 3), at(i + 6)}
		x.omega[e] = at(i + 9)
		i += 12
	}
}

// NodePose returns the pose of the cross-section at node k: its axes are half-way
// between those of the elements on both sides. At the tip they are, in scheme
// Original, those of the last element, as PyElastica's users read them, and in
// scheme Corrected half an element further at the last curvature.
func (x *Explicit) NodePose(k int) spatial.Pose {
	x.look()
	p := x.pos[k]
	n := len(x.dir)
	if k == 0 {
		return spatial.Pose{R: x.Base.R, P: p}
	}
	last := x.dir[k-1].Rot()
	var theta spatial.Vec
	switch {
	case k < n:
		theta = between(&x.dir[k-1], &x.dir[k]).Scale(0.5)
	case x.opt.Scheme == Original:
	case n > 1:
		theta = between(&x.dir[n-2], &x.dir[n-1]).Scale(0.5)
	default:
		theta = between(&x.base, &x.dir[0])
	}
	return spatial.Pose{R: last.Mul(rotation(theta)), P: p}
}

// TipTwist returns the velocity of the last node and the angular velocity of the
// cross-section there, world axes, by the rule of NodePose.
func (x *Explicit) TipTwist() spatial.Twist {
	x.look()
	n := len(x.dir)
	w := x.dir[n-1].World(x.omega[n-1])
	switch {
	case x.opt.Scheme == Original:
	case n > 1:
		w = w.Scale(1.5).AddScaled(-0.5, x.dir[n-2].World(x.omega[n-2]))
	default:
		w = w.Scale(2)
	}
	return spatial.Twist{Linear: x.vel[n], Angular: w}
}
