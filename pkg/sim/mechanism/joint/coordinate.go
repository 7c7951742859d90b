package joint

import (
	"math"

	"sinew/pkg/sim/spatial"
)

// coordinate is a length or a component of a rotation vector, which are sine, or an angle: scale
// times the angle of the vector (cosine, sine).
type coordinate struct {
	sine, cosine row
	isAngle      bool
	scale        float64 // ±1
}

// Coordinates returns the number of coordinates of the joint: revolute θ; prismatic x; cylindrical
// x, θ; universal first, second; spherical the rotation vector of the child in the parent's frame;
// planar x, y, θ. Angles are right-handed turns of the child about the axis. x and y of planar
// joints are along two directions normal to the axis: about z those of the parent's x and y, about x those of y and z, about
// y those of z and x, and otherwise the nearest.
func (j *Joint) Coordinates() int { return len(j.coordinates) }

// IsAngle reports whether coordinate i is in rad, and not in m.
func (j *Joint) IsAngle(i int) bool { return j.coordinates[i].sine.kind != position }

// Coordinate returns coordinate i at the pose g. An angle is the one nearest to the value near, so
// that turns count.
func (j *Joint) Coordinate(i int, g *spatial.Pose, near float64) float64 {
	c := &j.coordinates[i]
	y := c.sine.value(g)
	if !c.isAngle {
		return y
	}
	x := c.cosine.value(g)
	angle := c.scale * math.Atan2(y, x)
	return angle + 2*math.Pi*math.Round((near-angle)/(2*math.Pi))
}

// Gradient returns the derivatives of coordinate i with respect to the increments of the frames of
// parent and child.
func (j *Joint) Gradient(i int, g *spatial.Pose) (parent, child spatial.Vec6) {
	c := &j.coordinates[i]
	y, parent, child := c.sine.at(g)
	if !c.isAngle {
		return parent, child
	}
	x, cosineParent, cosineChild := c.cosine.at(g)
	s := c.scale / (x*x + y*y)
	for k := range parent {
		parent[k] = s * (x*parent[k] - y*cosineParent[k])
		child[k] = s * (x*child[k] - y*cosineChild[k])
	}
	return parent, child
}

// AddCoordinateCurvature adds the second derivative of coordinate i times effort to o.
func (j *Joint) AddCoordinateCurvature(i int, g *spatial.Pose, effort float64, o *Curvature) {
	c := &j.coordinates[i]
	if c.sine.kind == rotation {
		c.sine.addTurnedCurvature(g, effort, o)
		return
	}
	if !c.isAngle {
		c.sine.addCurvature(g, effort, o)
		return
	}
	y, sineParent, sineChild := c.sine.at(g)
	x, cosineParent, cosineChild := c.cosine.at(g)
	square := x*x + y*y
	s := effort * c.scale / square
	c.sine.addCurvature(g, s*x, o)
	c.cosine.addCurvature(g, -s*y, o)
	// second derivatives of atan2: −2 x y/r⁴ for (y, y), 2 x y/r⁴ for (x, x), (y² − x²)/r⁴ for (x, y)
	yy, xy := -2*x*y*s/square, (y*y-x*x)*s/square
	add := func(to *spatial.Mat6, sa, ca, sb, cb *spatial.Vec6) {
		for r := range 6 {
			for k := range 6 {
				to[6*r+k] += yy*(sa[r]*sb[k]-ca[r]*cb[k]) + xy*(sa[r]*cb[k]+ca[r]*sb[k])
			}
		}
	}
	add(&o.Parent, &sineParent, &cosineParent, &sineParent, &cosineParent)
	add(&o.ParentChild, &sineParent, &cosineParent, &sineChild, &cosineChild)
	add(&o.Child, &sineChild, &cosineChild, &sineChild, &cosineChild)
}

// Axis returns the direction of coordinate i of a joint other than spherical: along it the child moves, or about it it turns
// right-handed. It is in the axes of the parent's frame, that of the second coordinate of a universal joint in those of the child's.
func (j *Joint) Axis(i int) spatial.Vec {
	c := &j.coordinates[i]
	switch {
	case j.kind == Universal && i == 1:
		return j.coordinates[0].sine.b
	case c.isAngle:
		return c.cosine.a.Cross(c.sine.a)
	}
	return c.sine.a
}

// Place returns the pose of the child's frame in the parent's at which the joint has the given
// coordinates.
func (j *Joint) Place(q []float64) spatial.Pose {
	g := spatial.IdentityPose()
	switch j.kind {
	case Spherical:
		g.R = spatial.ExpRot(spatial.Vec{X: q[0], Y: q[1], Z: q[2]})
		return g
	case Universal:
		g.R = spatial.ExpRot(j.Axis(0).Scale(q[0])).Mul(spatial.ExpRot(j.Axis(1).Scale(q[1])))
		return g
	}
	for i, c := range j.coordinates {
		if c.isAngle {
			g.R = spatial.ExpRot(j.Axis(i).Scale(q[i]))
			continue
		}
		g.P = g.P.AddScaled(q[i], j.Axis(i))
	}
	return g
}
