package staggered

import "sinew/pkg/sim/spatial"

// axisOffset is what PyElastica adds to an angle before it divides by it to get a
// unit axis. A rotation by θ falls short by 1e-14, which over 5e5 steps adds up to
// 7e-10 of the length: scheme Original keeps it.
const axisOffset = 1e-14

// Drift carries positions and directors along the present velocities for h
// seconds: x ← x + h v and, with ω in body axes, Q ← exp(−h [ω]×) Q for the
// matrix Q whose rows are the directors. Directors are not normalised; their
// error is that of accumulated round-off.
//
// The last half drift of a Verlet step and the first of the next have the same
// velocities, so Drift only adds up, and the next Kick moves by both at once.
// Readers in between see a copy that has moved, so that reading never changes what
// comes, not even in the last bit.
func (x *State) Drift(h float64) {
	x.endRead()
	x.pending.time += h
	x.pending.count++
}

// CatchUp brings positions and directors up to date for the loads of a Kick.
func (x *State) ApplyPendingDrift() {
	x.endRead()
	if x.pending.count > 0 {
		x.motion.drift(x.pending.time, x.offset())
		x.pending = pendingDrift{}
	}
}

// offset is by how much the axes of rotation are short in the pending drifts, times
// the angle.
func (x *State) offset() float64 {
	if x.opt.Scheme == Original {
		return axisOffset * float64(x.pending.count)
	}
	return 0
}

// peek makes the motion the present one for reading, until endPeek.
func (x *State) beginRead() {
	if x.pending.count > 0 && !x.isReading {
		x.undrifted.copyFrom(&x.motion)
		x.motion.drift(x.pending.time, x.offset())
		x.isReading = true
	}
}

// endPeek takes the drift of peek back.
func (x *State) endRead() {
	if x.isReading {
		x.motion.copyFrom(&x.undrifted)
		x.isReading = false
	}
}

// Mark keeps the present state for Rewind.
func (x *State) SaveCheckpoint() {
	x.endRead()
	x.checkpoint.motion.copyFrom(&x.motion)
	x.checkpoint.pending = x.pending
}

// Rewind makes the marked state the present one.
func (x *State) RestoreCheckpoint() {
	x.isReading = false
	x.motion.copyFrom(&x.checkpoint.motion)
	x.pending = x.checkpoint.pending
}

// NotFinite returns the first node at which, or at the element after which, a
// velocity is not finite; −1 if all are. Whatever goes wrong in a state shows in
// its velocities after the next Kick.
func (x *State) FirstNonFinite() int {
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
