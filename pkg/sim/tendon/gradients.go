package tendon

import "sinew/pkg/sim/spatial"

// Variable tensions add terms of low rank to the tangent of the chords at constant tensions:
// products of the wrench of a unit force and the gradient of a scalar, which is the length of a
// tendon, the wrap angle at a disk, or the component of a chord's force along the normal of a disk.
// The functions here add the two factors to vectors that start with node 1. Wrenches have the
// opposite sign, that of the gradient of a potential. Gradients are with respect to body increments
// of the nodes.

// addGradient adds the gradient of p·d to dst, for a constant vector p (world axes) and the vector
// d of the chord.
func (c *chord) addGradient(pose []spatial.Pose, p spatial.Vec, dst []spatial.Vec6) {
	if c.a > 0 {
		u := pose[c.a].R.ApplyT(p).Neg()
		addToVec6(&dst[c.a-1], u, c.ra.Cross(u))
	}
	u := pose[c.b].R.ApplyT(p)
	addToVec6(&dst[c.b-1], u, c.rb.Cross(u))
}

// addWrenches adds scale times the wrenches of the chord at 1 N. With transverse, it leaves out
// what OmitNormalForces removes.
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

// AddTensionWrenches adds the wrenches of tendon k at 1 N at the base, which are the gradient of
// WeightedLength. With transverse, it leaves out what OmitNormalForces removes.
func (b *Bundle) AddTensionWrenches(k int, pose []spatial.Pose, transverse bool, dst []spatial.Vec6) {
	for _, c := range b.paths[k] {
		c.addWrenches(pose, c.share, transverse, dst)
	}
}

// AddLengthGradient adds the gradient of the length of tendon k.
func (b *Bundle) AddLengthGradient(k int, pose []spatial.Pose, dst []spatial.Vec6) {
	for _, c := range b.paths[k] {
		c.addGradient(pose, c.dir, dst)
	}
}

// PassedDisks returns the number of disks that the tendon passes.
func (f *Friction) PassedDisks() int { return len(f.startDistal) }

// AddDistalTensionWrenches adds the wrenches of the tendon beyond passed disk j at 1 N at the base.
// With transverse, it leaves out what OmitNormalForces removes.
func (f *Friction) AddDistalTensionWrenches(j int, pose []spatial.Pose, transverse bool, dst []spatial.Vec6) {
	for _, c := range f.path[j+1:] {
		c.addWrenches(pose, c.share, transverse, dst)
	}
}

// AddWrapAngleGradient adds the gradient of the wrap angle at passed disk j. At a straight tendon
// the angle is not differentiable, and it adds 0.
func (f *Friction) AddWrapAngleGradient(j int, pose []spatial.Pose, dst []spatial.Vec6) {
	f.addScaledWrapGradient(j, 1, pose, dst)
}

// addScaledWrapGradient adds scale times that gradient.
func (f *Friction) addScaledWrapGradient(j int, scale float64, pose []spatial.Pose, dst []spatial.Vec6) {
	before, after := f.WrapAngleGradient(j)
	f.path[j].addGradient(pose, before.Scale(scale), dst)
	f.path[j+1].addGradient(pose, after.Scale(scale), dst)
}

// WrapAngleGradient returns the gradient of the wrap angle at passed disk j with respect to the chords before and after it, 1/m. At a
// straight tendon it is 0.
func (f *Friction) WrapAngleGradient(j int) (before, after spatial.Vec) {
	const straight = 1e-9
	u, v := f.path[j], f.path[j+1]
	sin, cos := u.dir.Cross(v.dir).Norm(), u.dir.Dot(v.dir)
	if sin < straight {
		return before, after
	}
	// dβ = −e_u·du − e_v·dv, where e is the unit vector normal to each chord, toward the other one
	return v.dir.AddScaled(-cos, u.dir).Scale(-1 / (sin * u.length)), u.dir.AddScaled(-cos, v.dir).Scale(-1 / (sin * v.length))
}

// NormalForceCount returns the largest number of components that OmitNormalForces removes.
func (b *Bundle) NormalForceCount() int { return 2 * len(b.chords) }

// AddNormalForceGradient concerns component i of those that OmitNormalForces removes. It adds the
// gradient of the component at constant tension to dst, and returns the node and its missing wrench
// for 1 N, with the sign of the other wrenches. Node 0 means that nothing is removed.
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
	// the normal rotates with the node, the direction with the chord
	g, n := &pose[node].R, spatial.Vec{Z: 1}
	z := g.Col3()
	c.addGradient(pose, z.AddScaled(-z.Dot(c.dir), c.dir).Scale(tension/c.length), dst)
	addToVec6(&dst[node-1], spatial.Vec{}, n.Cross(g.ApplyT(c.dir)).Scale(tension))
	return node, spatial.Vec6Of(n, r.Cross(n))
}
