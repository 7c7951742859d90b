package rigid

import (
	"sinew/pkg/sim/integrate"
	"sinew/pkg/sim/spatial"
)

// Output are the twelve quantities that Exudyn's rigid body offers of a body point.
// Vectors are in world axes, those named Local in body axes.
type Output struct {
	Position                 spatial.Vec  // m
	Displacement             spatial.Vec  // from its position in the reference placement, m
	Velocity                 spatial.Vec  // m/s
	VelocityLocal            spatial.Vec  // m/s
	RotationMatrix           spatial.Mat3 // body to world
	Rotation                 spatial.Vec  // Tait-Bryan angles x-y-z of it, rad
	AngularVelocity          spatial.Vec  // rad/s
	AngularVelocityLocal     spatial.Vec  // rad/s
	Acceleration             spatial.Vec  // m/s²
	AccelerationLocal        spatial.Vec  // m/s²
	AngularAcceleration      spatial.Vec  // rad/s²
	AngularAccelerationLocal spatial.Vec  // rad/s²
}

// OutputAt returns the quantities of the body point at point (m, body axes) of a body at
// x whose twist changes at the rate a, as Body.Acceleration returns it, and which is at
// ref when it is not displaced.
func OutputAt(x integrate.Motion, a spatial.Twist, ref integrate.Placement, point spatial.Vec) Output {
	r := x.Q.Rot()
	w, alpha := x.V.Angular, a.Angular
	v := x.V.Linear.Add(w.Cross(point))
	// a twist of constant components turns with the body: ω × v is its acceleration
	acc := a.Linear.Add(w.Cross(x.V.Linear)).Add(alpha.Cross(point)).Add(w.Cross(w.Cross(point)))
	p := x.P.Add(r.Apply(point))
	return Output{
		Position:                 p,
		Displacement:             p.Sub(ref.P.Add(ref.Q.Apply(point))),
		Velocity:                 r.Apply(v),
		VelocityLocal:            v,
		RotationMatrix:           r,
		Rotation:                 Angles(r),
		AngularVelocity:          r.Apply(w),
		AngularVelocityLocal:     w,
		Acceleration:             r.Apply(acc),
		AccelerationLocal:        acc,
		AngularAcceleration:      r.Apply(alpha),
		AngularAccelerationLocal: alpha,
	}
}
