package staggered

import (
	"math"

	"sinew/pkg/sim/spatial"
)

// axisGuard is what PyElastica adds to an angle before it divides by it to get a
// unit axis. A rotation by θ falls short by 1e-14, which over 5e5 steps adds up to
// 7e-10 of the length: scheme Original keeps it.
const axisGuard = 1e-14

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
	x.endPeek()
	x.pending.time += h
	x.pending.count++
}

// CatchUp brings positions and directors up to date for the loads of a Kick.
func (x *State) CatchUp() {
	x.endPeek()
	if x.pending.count > 0 {
		x.motion.drift(x.pending.time, x.guard())
		x.pending = pendingDrift{}
	}
}

// guard is by how much the axes of rotation are short in the pending drifts, times
// the angle.
func (x *State) guard() float64 {
	if x.opt.Scheme == Original {
		return axisGuard * float64(x.pending.count)
	}
	return 0
}

// peek makes the motion the present one for reading, until endPeek.
func (x *State) peek() {
	if x.pending.count > 0 && !x.peeking {
		x.behind.copyFrom(&x.motion)
		x.motion.drift(x.pending.time, x.guard())
		x.peeking = true
	}
}

// endPeek takes the drift of peek back.
func (x *State) endPeek() {
	if x.peeking {
		x.motion.copyFrom(&x.behind)
		x.peeking = false
	}
}

// drift moves nodes and elements for h seconds.
func (s *motion) drift(h, guard float64) {
	pos, vel := s.pos, s.vel[:len(s.pos)]
	for k := range pos {
		p, v := &pos[k], &vel[k]
		p.X += h * v.X
		p.Y += h * v.Y
		p.Z += h * v.Z
	}
	dir, omega := s.dir, s.omega[:len(s.dir)]
	for e := range dir {
		dir[e].turn(omega[e].Scale(h), guard)
	}
}

// turn applies exp(−[u]×) to the directors, u in body axes, its axis shortened by
// the factor |u|/(|u| + guard).
func (d *Directors) turn(u spatial.Vec, guard float64) {
	xx, yy, zz := u.X*u.X, u.Y*u.Y, u.Z*u.Z
	s := xx + yy + zz
	var a, b float64
	if s < 1e-3 {
		// both series to 1e-17
		a = 1 - s*(1./6)*(1-s*(1./20)*(1-s*(1./42)))
		b = 0.5 * (1 - s*(1./12)*(1-s*(1./30)*(1-s*(1./56))))
	} else {
		a, b = rodrigues(s)
	}
	if guard > 0 && s > 0 {
		t := math.Sqrt(s)
		g := t / (t + guard)
		a *= g
		b *= g * g
	}
	// P = I − a [u]× + b [u]×²
	bxy, bxz, byz := b*u.X*u.Y, b*u.X*u.Z, b*u.Y*u.Z
	ax, ay, az := a*u.X, a*u.Y, a*u.Z
	pxx, pyy, pzz := 1-b*(yy+zz), 1-b*(xx+zz), 1-b*(xx+yy)
	d1, d2, d3 := d.D1, d.D2, d.D3
	d.D1 = spatial.Vec{
		X: pxx*d1.X + (bxy+az)*d2.X + (bxz-ay)*d3.X,
		Y: pxx*d1.Y + (bxy+az)*d2.Y + (bxz-ay)*d3.Y,
		Z: pxx*d1.Z + (bxy+az)*d2.Z + (bxz-ay)*d3.Z,
	}
	d.D2 = spatial.Vec{
		X: (bxy-az)*d1.X + pyy*d2.X + (byz+ax)*d3.X,
		Y: (bxy-az)*d1.Y + pyy*d2.Y + (byz+ax)*d3.Y,
		Z: (bxy-az)*d1.Z + pyy*d2.Z + (byz+ax)*d3.Z,
	}
	d.D3 = spatial.Vec{
		X: (bxz+ay)*d1.X + (byz-ax)*d2.X + pzz*d3.X,
		Y: (bxz+ay)*d1.Y + (byz-ax)*d2.Y + pzz*d3.Y,
		Z: (bxz+ay)*d1.Z + (byz-ax)*d2.Z + pzz*d3.Z,
	}
}
