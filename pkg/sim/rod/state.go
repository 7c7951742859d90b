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
	var sum float64 // not finite if a velocity is not
	for _, v := range x.vel {
		sum += v.X + v.Y + v.Z
	}
	for _, w := range x.omega {
		sum += w.X + w.Y + w.Z
	}
	if spatial.IsFinite(sum) {
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
	dst[0], dst[1] = x.owed, float64(x.drifts)
	i := 2
	for k := range x.pos {
		x.pos[k].Put(dst[i:])
		x.vel[k].Put(dst[i+3:])
		i += 6
	}
	for e := range x.dir {
		d := &x.dir[e]
		d.D1.Put(dst[i:])
		d.D2.Put(dst[i+3:])
		d.D3.Put(dst[i+6:])
		x.omega[e].Put(dst[i+9:])
		i += 12
	}
}

// Restore makes src, written by Save of a rod with as many elements, the state.
func (x *Explicit) Restore(src []float64) {
	src = src[:x.StateLen()]
	at := func(i int) spatial.Vec { return spatial.VecAt(src[i:]) }
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

// NodePose returns the pose of the cross-section at node k; see Carriers and
// EndTurn.
func (x *Explicit) NodePose(k int) spatial.Pose {
	x.look()
	p := x.pos[k]
	if k == 0 {
		return spatial.Pose{R: x.Base.R, P: p}
	}
	c := x.Carriers(k)
	r := x.dir[c.Right].Rot()
	if c.LeftShare != 0 {
		r = r.Mul(rotation(between(&x.dir[c.Left], &x.dir[c.Right]).Scale(-c.LeftShare)))
	}
	if k == len(x.dir) {
		r = r.Mul(x.EndTurn())
	}
	return spatial.Pose{R: r, P: p}
}

// TipTwist returns the velocity of the last node and the angular velocity of the
// cross-section there, world axes; see Carriers.
func (x *Explicit) TipTwist() spatial.Twist {
	x.look()
	n := len(x.dir)
	c := x.Carriers(n)
	w := x.dir[c.Right].World(x.omega[c.Right]).Scale(c.RightShare)
	w = w.AddScaled(c.LeftShare, x.dir[c.Left].World(x.omega[c.Left]))
	return spatial.Twist{Linear: x.vel[n], Angular: w}
}
