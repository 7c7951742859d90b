package staggered

import "sinew/pkg/sim/spatial"

// axisOffset is the number that PyElastica adds to an angle before the division that gives a unit
// axis. A rotation by θ is too small by 1e-14, which over 5e5 steps adds up to 7e-10 of the length.
// Scheme Original reproduces it.
const axisOffset = 1e-14

// Drift advances positions and directors at constant velocities for h seconds: x ← x + h v and,
// with ω in body axes, Q ← exp(−h [ω]×) Q. Directors are not normalised; their error is accumulated
// round-off.
//
// The last half drift of a Verlet step and the first one of the next have the same velocities, so
// Drift only adds up their time, and the next Kick applies both at once. Reads in between use a
// copy with the pending drift applied, so that they do not change the results, not even in the last
// bit.
func (x *State) Drift(h float64) {
	x.endRead()
	x.pending.time += h
	x.pending.count++
}

// ApplyPendingDrift advances positions and directors to the present time. Call it before the
// external loads of a Kick.
func (x *State) ApplyPendingDrift() {
	x.endRead()
	if x.pending.count > 0 {
		x.motion.drift(x.pending.time, x.offset())
		x.pending = pendingDrift{}
	}
}

// offset returns the axisOffset of the pending drifts.
func (x *State) offset() float64 {
	if x.opt.Scheme == Original {
		return axisOffset * float64(x.pending.count)
	}
	return 0
}

// beginRead makes the motion that of the present time for reading, until endRead.
func (x *State) beginRead() {
	if x.pending.count > 0 && !x.isReading {
		x.undrifted.copyFrom(&x.motion)
		x.motion.drift(x.pending.time, x.offset())
		x.isReading = true
	}
}

// endRead restores the motion before beginRead.
func (x *State) endRead() {
	if x.isReading {
		x.motion.copyFrom(&x.undrifted)
		x.isReading = false
	}
}

// SaveCheckpoint stores the present state for RestoreCheckpoint.
func (x *State) SaveCheckpoint() {
	x.endRead()
	x.checkpoint.motion.copyFrom(&x.motion)
	x.checkpoint.pending = x.pending
}

// RestoreCheckpoint restores the state of the last SaveCheckpoint.
func (x *State) RestoreCheckpoint() {
	x.isReading = false
	x.motion.copyFrom(&x.checkpoint.motion)
	x.pending = x.checkpoint.pending
}

// FirstNonFinite returns the first node at which, or at the element after which, a velocity is not
// finite; −1 if all are. Every other number that is not finite makes a velocity so in the next
// Kick.
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
	return -1 // only the sum overflows
}
