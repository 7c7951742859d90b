package spatial

// Put writes v to the first 3 numbers of dst.
func (v Vec) Put(dst []float64) {
	_ = dst[2]
	dst[0], dst[1], dst[2] = v.X, v.Y, v.Z
}

// VecAt returns the vector that Put wrote to src.
func VecAt(src []float64) Vec {
	_ = src[2]
	return Vec{src[0], src[1], src[2]}
}

// Put writes q to the first 4 numbers of dst in the order of ROS: x, y, z, w.
func (q Quat) Put(dst []float64) {
	_ = dst[3]
	dst[0], dst[1], dst[2], dst[3] = q.X, q.Y, q.Z, q.W
}

// QuatAt returns the quaternion that Put wrote to src.
func QuatAt(src []float64) Quat {
	_ = src[3]
	return Quat{X: src[0], Y: src[1], Z: src[2], W: src[3]}
}

// Put writes g to the first 12 numbers of dst: the rows of the rotation matrix, then
// the position.
func (g *Pose) Put(dst []float64) {
	r, p := &g.R, &g.P
	*(*[12]float64)(dst) = [...]float64{r.XX, r.XY, r.XZ, r.YX, r.YY, r.YZ, r.ZX, r.ZY, r.ZZ, p.X, p.Y, p.Z}
}

// PoseAt returns the pose that Put wrote to src.
func PoseAt(src []float64) Pose {
	return Pose{R: FromRows(VecAt(src), VecAt(src[3:]), VecAt(src[6:])), P: VecAt(src[9:])}
}
