package robotfile

import "sinew/pkg/sim/spatial"

// settleOverdamped refuses what only bodies with inertia have.
func (r *Microrobot) settleOverdamped(c *checker) {
	switch r.Solver.Method {
	case Splitting, GeneralizedAlpha, Trapezoidal:
		c.fail("solver.method", Mistake{
			Problem: "integrates motion with inertia, and dynamics is " + string(Overdamped),
			Allowed: "lie-euler | rkmk4 | cg4 | cg4-rational, or dynamics inertial",
		})
	}
	b := &r.Body
	for _, k := range []struct {
		key   string
		given bool
	}{
		{"body.velocity_m_per_s", b.Velocity != spatial.Vec{}},
		{"body.angular_velocity_rad_per_s", b.AngularVelocity != spatial.Vec{}},
		{"body.pivot_m", b.Pivot != nil},
	} {
		if k.given && c.ok(k.key) {
			c.fail(k.key, Mistake{Problem: "is for a body with inertia", Allowed: "with dynamics inertial"})
		}
	}
}

// settleInertial refuses what a body with inertia does not do.
func (r *Microrobot) settleInertial(c *checker) {
	if r.Swarm != nil && c.ok("swarm") {
		c.fail("swarm", Mistake{Problem: "moves without inertia", Allowed: "dynamics overdamped, or one robot"})
	}
	if r.Fluid.Brownian && c.ok("fluid.brownian") {
		c.fail("fluid.brownian", Mistake{Problem: "is for motion without inertia: what the fluid shakes visibly has none to speak of", Allowed: "false, or dynamics overdamped"})
	}
	f := &r.Fluid.Flow
	flows := f.Uniform != spatial.Vec{} || f.Gradient != [9]float64{} || f.Poiseuille != nil || f.Pulsatile != nil
	if drag := r.Body.Shape != nil && r.Fluid.Viscosity > 0; flows && !drag && c.ok("fluid.flow", "body.shape", "fluid.viscosity_pa_s") {
		c.fail("fluid.flow", Mistake{Problem: "moves nothing without drag", Allowed: "with body.shape and fluid.viscosity_pa_s above 0"})
	}
	r.settlePivot(c)
}

// settlePivot checks that the body can turn about its pivot.
func (r *Microrobot) settlePivot(c *checker) {
	b := &r.Body
	if b.Pivot == nil || !c.ok("body.pivot_m") {
		return
	}
	if len(r.Walls) > 0 && c.ok("walls") {
		c.fail("walls", Mistake{Problem: "cannot be touched by a body on a pivot", Allowed: "walls or body.pivot_m"})
	}
	if len(r.Environment.Shapes) > 0 && c.ok("environment") {
		c.fail("environment", Mistake{Problem: "cannot be touched by a body on a pivot", Allowed: "environment or body.pivot_m"})
	}
	if !c.ok("body.velocity_m_per_s", "body.angular_velocity_rad_per_s", "body.orientation_xyzw") || b.Velocity == (spatial.Vec{}) {
		return
	}
	const slack = 1e-6 // of the speed: numbers of a few digits
	want := b.Orientation.Apply(b.Pivot.Cross(b.AngularVelocity))
	if b.Velocity.Sub(want).Norm() > slack*(want.Norm()+b.Velocity.Norm()) {
		c.fail("body.velocity_m_per_s", Mistake{
			Problem: "is not that of a body turning about its pivot",
			Allowed: "[" + formatNumber(rounded(want.X)) + ", " + formatNumber(rounded(want.Y)) + ", " + formatNumber(rounded(want.Z)) + "] m/s, or none: it follows from angular_velocity_rad_per_s",
		})
	}
}
