package microrobot

import "sinew/pkg/sim/spatial"

// isFree reports whether freely gives the motion: nothing but weight, constant loads
// and a field that is uniform or has a uniform gradient acts on a permanent magnet of
// diagonal mobility in fluid at rest.
func (d *dynamics) isFree() bool {
	r := d.robot
	_, permanent := r.magnet.IsPermanent()
	return permanent && r.simple && r.kT == 0 && !r.lopsided && !d.streaming && !d.local && d.moment == spatial.Vec{}
}

// freely is Velocity for the time d.now where isFree. It is the inner loop of single
// robots and of swarms alike, and written out because a rotation matrix goes through
// memory: that takes longer than what is done with it.
func (d *dynamics) freely(q spatial.Quat, p spatial.Vec) (v, w spatial.Vec) {
	r := d.robot
	b, f, m := d.uniform, d.force, r.moment

	// rows of the rotation matrix
	x2, y2, z2 := q.X+q.X, q.Y+q.Y, q.Z+q.Z
	xx, yy, zz := q.X*x2, q.Y*y2, q.Z*z2
	xy, xz, yz := q.X*y2, q.X*z2, q.Y*z2
	wx, wy, wz := q.W*x2, q.W*y2, q.W*z2
	r1 := spatial.Vec{X: 1 - (yy + zz), Y: xy - wz, Z: xz + wy}
	r2 := spatial.Vec{X: xy + wz, Y: 1 - (xx + zz), Z: yz - wx}
	r3 := spatial.Vec{X: xz - wy, Y: yz + wx, Z: 1 - (xx + yy)}

	if d.steep {
		g := &d.gradient
		c := p.Sub(d.center)
		mw := spatial.Vec{X: r1.Dot(m), Y: r2.Dot(m), Z: r3.Dot(m)}
		zz := -g.XX - g.YY
		b.X += g.XX*c.X + g.XY*c.Y + g.XZ*c.Z
		b.Y += g.XY*c.X + g.YY*c.Y + g.YZ*c.Z
		b.Z += g.XZ*c.X + g.YZ*c.Y + zz*c.Z
		f.X += g.XX*mw.X + g.XY*mw.Y + g.XZ*mw.Z
		f.Y += g.XY*mw.X + g.YY*mw.Y + g.YZ*mw.Z
		f.Z += g.XZ*mw.X + g.YZ*mw.Y + zz*mw.Z
	}
	bx := r1.X*b.X + r2.X*b.Y + r3.X*b.Z
	by := r1.Y*b.X + r2.Y*b.Y + r3.Y*b.Z
	bz := r1.Z*b.X + r2.Z*b.Y + r3.Z*b.Z
	t := &d.follower.Moment
	w = spatial.Vec{
		X: r.turn.X * (m.Y*bz - m.Z*by + t.X),
		Y: r.turn.Y * (m.Z*bx - m.X*bz + t.Y),
		Z: r.turn.Z * (m.X*by - m.Y*bx + t.Z),
	}
	if d.round { // the same drag along every axis
		return f.Scale(r.trans.X), w
	}
	a := &d.follower.Force
	fx := r.trans.X * (r1.X*f.X + r2.X*f.Y + r3.X*f.Z + a.X)
	fy := r.trans.Y * (r1.Y*f.X + r2.Y*f.Y + r3.Y*f.Z + a.Y)
	fz := r.trans.Z * (r1.Z*f.X + r2.Z*f.Y + r3.Z*f.Z + a.Z)
	v = spatial.Vec{
		X: r1.X*fx + r1.Y*fy + r1.Z*fz,
		Y: r2.X*fx + r2.Y*fy + r2.Z*fz,
		Z: r3.X*fx + r3.Y*fy + r3.Z*fz,
	}
	return v, w
}
