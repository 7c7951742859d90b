package rigid

import (
	"testing"

	"sinew/pkg/sim/integrate"
	"sinew/pkg/sim/spatial"
)

// Velocities and accelerations of a body point are what differences of its positions and
// attitudes over a small time say, on a motion under gravity with the centre of mass away
// from the reference point.
func TestOutputsAreDerivatives(t *testing.T) {
	const h = 1e-4
	s := free(t, lopsided(), 9.81)
	point := spatial.Vec{X: 0.3, Y: -0.5, Z: 0.7}
	start := tumble()
	ref := integrate.Placement{Q: spatial.ExpQuat(spatial.Vec{Z: 0.4}), P: spatial.Vec{X: 1}}
	at := func(x integrate.Motion) Output { return OutputAt(x, s.Acceleration(0, x), ref, point) }
	before, after := march(t, integrate.NewRKMK4(s), h, 1, reversed(start)), march(t, integrate.NewRKMK4(s), h, 1, start)
	a, o, b := at(reversed(before)), at(start), at(after)
	slope := func(from, to spatial.Vec) spatial.Vec { return to.Sub(from).Scale(1 / (2 * h)) }

	const tolerance = 1e-6 // h² times third derivatives
	nearVec(t, "velocity", o.Velocity, slope(a.Position, b.Position), tolerance)
	nearVec(t, "acceleration", o.Acceleration, slope(a.Velocity, b.Velocity), tolerance)
	nearVec(t, "angular acceleration", o.AngularAcceleration, slope(a.AngularVelocity, b.AngularVelocity), tolerance)
	turned := b.RotationMatrix.MulT(a.RotationMatrix).Log().Scale(1 / (2 * h))
	nearVec(t, "angular velocity", o.AngularVelocity, turned, tolerance)

	r := start.Q.Rot()
	nearVec(t, "position", o.Position, start.P.Add(r.Apply(point)), 1e-15)
	nearVec(t, "displacement", o.Displacement, o.Position.Sub(ref.P).Sub(ref.Q.Apply(point)), 1e-15)
	near(t, "rotation", angle(FromAngles(o.Rotation).Quat(), start.Q), 0, 1e-15)
	for _, pair := range [][2]spatial.Vec{
		{o.Velocity, o.VelocityLocal}, {o.Acceleration, o.AccelerationLocal},
		{o.AngularVelocity, o.AngularVelocityLocal}, {o.AngularAcceleration, o.AngularAccelerationLocal},
	} {
		nearVec(t, "local", r.ApplyT(pair[0]), pair[1], 1e-13)
	}
}

// reversed is the motion backwards in time: a conservative body retraces its way.
func reversed(x integrate.Motion) integrate.Motion {
	x.V = spatial.Twist{Linear: x.V.Linear.Neg(), Angular: x.V.Angular.Neg()}
	return x
}
