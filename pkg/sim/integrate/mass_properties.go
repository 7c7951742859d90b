package integrate

import "sinew/pkg/sim/spatial"

// MassProperties are those of a rigid body about its centre: the centre of mass of a free body, or
// the fixed point of a body on a joint. About the centre, rotation and translation decouple.
type MassProperties struct {
	Mass    float64      // mass, kg; 0 if the centre is fixed
	Centre  spatial.Vec  // position of the centre from the reference point, body axes, m
	Axes    spatial.Quat // principal axes of the inertia about the centre, to body axes
	Moments spatial.Vec  // principal moments about the centre, kg m²
	Inertia spatial.Mat3 // inertia about the centre, body axes, kg m²
	Inverse spatial.Mat3 // inverse of Inertia
}

// LoadedBody is a rigid body with loads, which Splitting and RKMK4Body step.
type LoadedBody interface {
	MassProperties() MassProperties
	// Load returns the wrench on the body at x, about the reference point and in body axes, without
	// inertial and joint forces.
	Load(t float64, x Motion) spatial.Wrench
	// VelocityIndependent reports that Load never reads x.V. The methods then pass motions without
	// V, and Splitting evaluates half as many loads.
	VelocityIndependent() bool
}

// at returns the position and, unless it is fixed, the velocity of the centre of the body at x,
// both in world axes.
func (g *MassProperties) at(x *Motion) (c, v spatial.Vec) {
	c = x.P.Add(x.Q.Apply(g.Centre))
	if g.Mass > 0 {
		v = x.Q.Apply(x.V.Linear.Add(x.V.Angular.Cross(g.Centre)))
	}
	return c, v
}

// placement returns the placement of the body with the attitude q and the centre at c.
func (g *MassProperties) placement(q spatial.Quat, c spatial.Vec) Placement {
	return Placement{Q: q, P: c.Sub(q.Apply(g.Centre))}
}

// motion returns the motion of the body with the attitude q, the centre at c with the
// velocity v, both in world axes, and the angular velocity w in body axes.
func (g *MassProperties) motion(q spatial.Quat, c, v, w spatial.Vec) Motion {
	x := Motion{Placement: g.placement(q, c)}
	x.V.Angular, x.V.Linear = w, g.Centre.Cross(w)
	if g.Mass > 0 {
		x.V.Linear = x.V.Linear.Add(q.Conj().Apply(v))
	}
	return x
}
