package tendon

import "sinew/pkg/sim/spatial"

// What the tangent of the chords at constant tensions leaves out is of low rank:
// products of a wrench on the nodes and the derivative of a number, the length of
// a tendon, the angle by which it wraps a disk, or the part of a chord along the
// normal of a disk. The functions here add the two factors to vectors that start
// with node 1. Wrenches count with the opposite sign, as the derivative of a
// potential would; derivatives are with respect to body increments.

// slope adds the derivative of p·d to dst, with p a constant vector in world axes
// and d the vector of the chord.
func (c *chord) addGradient(pose []spatial.Pose, p spatial.Vec, dst []spatial.Vec6) {
	if c.a > 0 {
		u := pose[c.a].R.ApplyT(p).Neg()
		addToVec6(&dst[c.a-1], u, c.ra.Cross(u))
	}
	u := pose[c.b].R.ApplyT(p)
	addToVec6(&dst[c.b-1], u, c.rb.Cross(u))
}

// push adds scale times the wrenches of the chord at 1 N. Where transverse is set
// they are without the parts that Transverse drops.
func (c *chord) addWrenches(pose []spatial.Pose, scale float64, transverse bool, dst []spatial.Vec6) {
	if c.a > 0 {
		u := pose[c.a].R.ApplyT(c.dir).Scale(-scale)
		if transverse {
			u.Z = 0
		}
		addToVec6(&dst[c.a-1], u, c.ra.Cross(u))
	}
	u := pose[c.b].R.ApplyT(c.dir).Scale(scale)
	if transverse && !c.isEnd {
		u.Z = 0
	}
	addToVec6(&dst[c.b-1], u, c.rb.Cross(u))
}

// Push adds the wrenches of tendon k at 1 N at the base: the derivative of Reach,
// unless they are transverse; see Transverse.
func (b *Bundle) AddTensionWrenches(k int, pose []spatial.Pose, transverse bool, dst []spatial.Vec6) {
	for _, i := range b.order[k] {
		c := &b.chords[i]
		c.addWrenches(pose, c.share, transverse, dst)
	}
}

// LengthSlope adds the derivative of Length of tendon k.
func (b *Bundle) AddLengthGradient(k int, pose []spatial.Pose, dst []spatial.Vec6) {
	for _, i := range b.order[k] {
		c := &b.chords[i]
		c.addGradient(pose, c.dir, dst)
	}
}

// Passed returns how many disks the tendon passes.
func (f *Friction) PassedDisks() int { return len(f.startDistal) }

// PushBeyond adds the wrenches of the tendon beyond passed disk j at 1 N at the
// base; see Transverse.
func (f *Friction) AddDistalTensionWrenches(j int, pose []spatial.Pose, transverse bool, dst []spatial.Vec6) {
	for _, i := range f.bundle.order[f.tendon][j+1:] {
		c := &f.bundle.chords[i]
		c.addWrenches(pose, c.share, transverse, dst)
	}
}

// WrapSlope adds the derivative of the angle by which the tendon turns at passed
// disk j. That of a straight tendon has none; it counts as 0.
func (f *Friction) AddWrapAngleGradient(j int, pose []spatial.Pose, dst []spatial.Vec6) {
	f.addScaledWrapGradient(j, 1, pose, dst)
}

// wrapSlope adds scale times that.
func (f *Friction) addScaledWrapGradient(j int, scale float64, pose []spatial.Pose, dst []spatial.Vec6) {
	const straight = 1e-9
	o := f.bundle.order[f.tendon]
	u, v := &f.bundle.chords[o[j]], &f.bundle.chords[o[j+1]]
	sin, cos := u.dir.Cross(v.dir).Norm(), u.dir.Dot(v.dir)
	if sin < straight {
		return
	}
	// dβ = −e_u·du − e_v·dv, e the unit vector across each chord toward the other
	u.addGradient(pose, v.dir.AddScaled(-cos, u.dir).Scale(-scale/(sin*u.length)), dst)
	v.addGradient(pose, u.dir.AddScaled(-cos, v.dir).Scale(-scale/(sin*v.length)), dst)
}

// NormalParts returns how many parts of forces Transverse drops, at most.
func (b *Bundle) NormalForceCount() int { return 2 * len(b.chords) }

// NormalSlope is about part i of those that Transverse drops: it adds the
// derivative of the part at constant tension to dst, and returns the node and the
// wrench on it that is missing for 1 N, the opposite sign included. Node 0 is
// where nothing is dropped.
func (b *Bundle) AddNormalForceGradient(i int, pose []spatial.Pose, dst []spatial.Vec6) (node int, push spatial.Vec6) {
	c := &b.chords[i/2]
	node, r, tension := c.a, c.ra, c.tension
	if i%2 == 1 {
		node, r, tension = c.b, c.rb, -c.tension
		if c.isEnd {
			return 0, push
		}
	}
	if node == 0 {
		return 0, push
	}
	// the normal turns with the node, the direction with the chord
	g, n := &pose[node].R, spatial.Vec{Z: 1}
	z := g.Col3()
	c.addGradient(pose, z.AddScaled(-z.Dot(c.dir), c.dir).Scale(tension/c.length), dst)
	addToVec6(&dst[node-1], spatial.Vec{}, n.Cross(g.ApplyT(c.dir)).Scale(tension))
	return node, spatial.Vec6Of(n, r.Cross(n))
}
