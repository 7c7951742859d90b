package staggered

import "sinew/pkg/sim/spatial"

// motion is what changes from step to step.
type motion struct {
	pos   []spatial.Vec // nodes, world axes
	vel   []spatial.Vec
	dir   []Directors   // elements
	omega []spatial.Vec // body axes
}

func newMotion(elements int) motion {
	return motion{
		pos: make([]spatial.Vec, elements+1), vel: make([]spatial.Vec, elements+1),
		dir: make([]Directors, elements), omega: make([]spatial.Vec, elements),
	}
}

func (s *motion) copyFrom(a *motion) {
	copy(s.pos, a.pos)
	copy(s.vel, a.vel)
	copy(s.dir, a.dir)
	copy(s.omega, a.omega)
}

// pendingDrift is the time by which positions and directors are behind their
// velocities; see Drift.
type pendingDrift struct {
	time  float64 // s
	count int     // of the drifts that make up time
}

// Mark keeps the present state for Rewind.
func (x *State) Mark() {
	x.endPeek()
	x.marked.motion.copyFrom(&x.motion)
	x.marked.pending = x.pending
}

// Rewind makes the marked state the present one.
func (x *State) Rewind() {
	x.peeking = false
	x.motion.copyFrom(&x.marked.motion)
	x.pending = x.marked.pending
}

// NotFinite returns the first node at which, or at the element after which, a
// velocity is not finite; −1 if all are. Whatever goes wrong in a state shows in
// its velocities after the next Kick.
func (x *State) NotFinite() int {
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
func (x *State) StateLen() int { return 6*len(x.pos) + 12*len(x.dir) + 2 }

// Save writes the state to dst: the pending drift, then positions, velocities,
// directors, angular velocities.
func (x *State) Save(dst []float64) {
	x.endPeek()
	dst = dst[:x.StateLen()]
	dst[0], dst[1] = x.pending.time, float64(x.pending.count)
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
func (x *State) Restore(src []float64) {
	src = src[:x.StateLen()]
	at := func(i int) spatial.Vec { return spatial.VecAt(src[i:]) }
	x.peeking, x.pending = false, pendingDrift{time: src[0], count: int(src[1])}
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
func (x *State) NodePose(k int) spatial.Pose {
	x.peek()
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
func (x *State) TipTwist() spatial.Twist {
	x.peek()
	n := len(x.dir)
	c := x.Carriers(n)
	w := x.dir[c.Right].World(x.omega[c.Right]).Scale(c.RightShare)
	w = w.AddScaled(c.LeftShare, x.dir[c.Left].World(x.omega[c.Left]))
	return spatial.Twist{Linear: x.vel[n], Angular: w}
}
