package integrate

import "sinew/pkg/sim/spatial"

// Gyro is a rigid body as Splitting and RKMK4Body see it: about its centre, which is the centre of
// mass of a free body and the fixed point of a top, rotation and translation separate.
type Gyro struct {
	Mass    float64      // kg; 0: the centre does not move
	Centre  spatial.Vec  // from the reference point, body axes, m
	Axes    spatial.Quat // principal axes of the inertia about the centre, to body axes
	Moments spatial.Vec  // principal moments about the centre, kg m²
	Inertia spatial.Mat3 // about the centre, body axes, kg m²
	Inverse spatial.Mat3 // of Inertia
}

// Loaded is a rigid body with loads.
type Loaded interface {
	Gyro() Gyro
	// Load returns the wrench on the body at x, about the reference point and in
	// body axes, without forces of inertia or of joints.
	Load(t float64, x Motion) spatial.Wrench
	// Speedless reports that Load never reads x.V. Splitting then takes half as many
	// loads; both give them a motion without V.
	Speedless() bool
}

// at is the place (world axes) and, unless it is fixed, the velocity (world axes) of the
// centre of the body at x.
func (g *Gyro) at(x *Motion) (c, v spatial.Vec) {
	c = x.P.Add(x.Q.Apply(g.Centre))
	if g.Mass > 0 {
		v = x.Q.Apply(x.V.Linear.Add(x.V.Angular.Cross(g.Centre)))
	}
	return c, v
}

// placement is that of the body with the attitude q and the centre c.
func (g *Gyro) placement(q spatial.Quat, c spatial.Vec) Placement {
	return Placement{Q: q, P: c.Sub(q.Apply(g.Centre))}
}

// motion is that of the body with the attitude q, its centre at c with the velocity v, both
// in world axes, and the angular velocity w in body axes.
func (g *Gyro) motion(q spatial.Quat, c, v, w spatial.Vec) Motion {
	x := Motion{Placement: g.placement(q, c)}
	x.V.Angular, x.V.Linear = w, g.Centre.Cross(w)
	if g.Mass > 0 {
		x.V.Linear = x.V.Linear.Add(q.Conj().Apply(v))
	}
	return x
}
