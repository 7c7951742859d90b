package robotfile

import (
	"fmt"
	"math"

	"sinew/pkg/sim/spatial"
)

func (r *Microrobot) finalize(c *checker) {
	r.Body.finalize(c)
	r.finalizeMass(c)
	if r.Dynamics == Inertial {
		r.finalizeInertial(c)
	} else {
		r.finalizeOverdamped(c)
	}
	for i := range r.Walls {
		r.Walls[i].finalize(c, item("walls", i))
	}
	if f := r.Fluid.Flow.Poiseuille; f != nil {
		c.direction("fluid.flow.poiseuille.axis", f.Axis)
	}
	if f := r.Fluid.Flow.Pulsatile; f != nil {
		c.direction("fluid.flow.pulsatile.axis", f.Axis)
	}
	r.finalizeEnvironment(c)
	r.Field.finalize(c)
	r.finalizeSensors(c)
	r.Hardware.finalize(c, "hardware")
	c.warn("hardware.tendons", Mistake{Problem: "has no effect: the robot has no tendons"})
	r.Rates.finalize(c, "rates")
	r.warn(c)
}

func (w *Wall) finalize(c *checker, path string) {
	switch {
	case w.Plane != nil:
		c.direction(join(path, "plane.normal"), w.Plane.Normal)
	case w.Cylinder != nil:
		c.direction(join(path, "cylinder.axis"), w.Cylinder.Axis)
	case c.ok(path):
		c.fail(path, Mistake{Problem: "is not a wall", Allowed: "plane or cylinder"})
	}
}

// finalizeMass checks that mass and inertia are given where the shape does not determine them.
func (r *Microrobot) finalizeMass(c *checker) {
	if !c.ok("body", "fluid", "dynamics") {
		return
	}
	b := &r.Body
	drag := b.Shape != nil && r.Fluid.Viscosity > 0
	if r.Dynamics == Overdamped && !drag {
		c.fail("dynamics", Mistake{
			Value: string(Overdamped), Problem: "needs drag, which takes body.shape and fluid.viscosity_pa_s above 0",
			Allowed: string(Inertial),
		})
		return
	}
	if b.Shape != nil && b.Shape.Resistance == nil || r.Dynamics == Overdamped {
		return
	}
	if b.Mass == 0 {
		c.fail("body.mass_kg", Mistake{Unit: "kg", Problem: "is needed: the body has no volume to take it from", Allowed: "(0, 1e6]"})
	}
	if b.Inertia == nil {
		c.fail("body.inertia_kg_m2", Mistake{Problem: "is needed: the body has no volume to take it from", Allowed: "[Jxx, Jyy, Jzz, Jyz, Jxz, Jxy]"})
	}
}

// finalize checks the body by itself.
func (b *Body) finalize(c *checker) {
	c.unit("body.orientation_xyzw", &b.Orientation)
	if j := b.Inertia; j != nil && c.ok("body.inertia_kg_m2") {
		m := spatial.Mat3{XX: j[0], YY: j[1], ZZ: j[2], YZ: j[3], ZY: j[3], XZ: j[4], ZX: j[4], XY: j[5], YX: j[5]}
		c.positive("body.inertia_kg_m2", m)
	}
	s := b.Shape
	if s == nil || !c.ok("body.shape") {
		return
	}
	switch {
	case s.Resistance != nil:
		c.resistance("body.shape.resistance.trans_kg_per_s", s.Resistance.Trans)
		c.resistance("body.shape.resistance.rot_kg_m2_per_s", s.Resistance.Rot)
	case s.Helix != nil && s.Helix.WireRadius >= s.Helix.Radius:
		c.fail("body.shape.helix.wire_radius_m", Mistake{
			Unit: "m", Problem: "is not below radius_m", Allowed: "below " + formatNumber(s.Helix.Radius),
		})
	case s.Cuboid != nil:
		e := s.Cuboid.Edges
		c.slender("body.shape.cuboid.edges_m", min(e.X, e.Y, e.Z), max(e.X, e.Y, e.Z))
	case s.Cylinder != nil:
		length, diameter := s.Cylinder.Length, 2*s.Cylinder.Radius
		c.slender("body.shape.cylinder.length_m", min(length, diameter), max(length, diameter))
	case s.Helix == nil && s.Ellipsoid == nil && s.Sphere == nil:
		c.fail("body.shape", Mistake{Problem: "is not a shape", Allowed: "ellipsoid_m, sphere_m, cuboid, cylinder, helix or resistance"})
	}
}

// slender refuses bodies with edges that boundary elements would need too many panels for.
func (c *checker) slender(path string, least, most float64) {
	if c.ok(path) && most > MaxSlenderness*least {
		c.fail(path, Mistake{
			Problem: fmt.Sprintf("makes a body of %s m by %s m", formatNumber(most), formatNumber(least)),
			Allowed: fmt.Sprintf("a ratio of at most %d", MaxSlenderness), Hint: "use ellipsoid_m for a thinner body",
		})
	}
}

// resistance checks 3 diagonal or 9 row-major numbers.
func (c *checker) resistance(path string, r []float64) {
	switch len(r) {
	case 0:
		c.fail(path, Mistake{Problem: "is missing", Allowed: "3 or 9 numbers"})
	case 3:
		c.positive(path, spatial.Mat3{XX: r[0], YY: r[1], ZZ: r[2]})
	case 9:
		c.positive(path, spatial.Mat3{
			XX: r[0], XY: r[1], XZ: r[2],
			YX: r[3], YY: r[4], YZ: r[5],
			ZX: r[6], ZY: r[7], ZZ: r[8],
		})
	}
}

// positive reports matrices that are not symmetric positive definite (Sylvester's
// criterion on the matrix scaled to a unit diagonal).
func (c *checker) positive(path string, m spatial.Mat3) {
	const symmetry = 1e-9 // of the larger diagonal entries
	x, y, z := math.Sqrt(m.XX), math.Sqrt(m.YY), math.Sqrt(m.ZZ)
	asymmetric := math.Abs(m.XY-m.YX) > symmetry*x*y || math.Abs(m.XZ-m.ZX) > symmetry*x*z || math.Abs(m.YZ-m.ZY) > symmetry*y*z
	xy, xz, yz := m.XY/(x*y), m.XZ/(x*z), m.YZ/(y*z)
	det := 1 + 2*xy*xz*yz - xy*xy - xz*xz - yz*yz
	switch {
	case asymmetric:
		c.fail(path, Mistake{Problem: "is not symmetric"})
	case !(m.XX > 0 && m.YY > 0 && m.ZZ > 0 && xy*xy < 1 && det > 0):
		c.fail(path, Mistake{Problem: "is not positive definite"})
	}
}

// finalizeOverdamped reports keys that only bodies with inertia support.
func (r *Microrobot) finalizeOverdamped(c *checker) {
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
			c.fail(k.key, Mistake{Problem: "is supported for bodies with inertia only", Allowed: "with dynamics inertial"})
		}
	}
}

// finalizeInertial reports keys that bodies with inertia do not support.
func (r *Microrobot) finalizeInertial(c *checker) {
	if r.Swarm != nil && c.ok("swarm") {
		c.fail("swarm", Mistake{Problem: "is supported for overdamped motion only", Allowed: "dynamics overdamped, or one robot"})
	}
	if r.Fluid.Brownian && c.ok("fluid.brownian") {
		c.fail("fluid.brownian", Mistake{Problem: "is supported for overdamped motion only", Allowed: "false, or dynamics overdamped"})
	}
	f := &r.Fluid.Flow
	flows := f.Uniform != spatial.Vec{} || f.Gradient != [9]float64{} || f.Poiseuille != nil || f.Pulsatile != nil
	if drag := r.Body.Shape != nil && r.Fluid.Viscosity > 0; flows && !drag && c.ok("fluid.flow", "body.shape", "fluid.viscosity_pa_s") {
		c.fail("fluid.flow", Mistake{Problem: "has no effect without drag", Allowed: "with body.shape and fluid.viscosity_pa_s above 0"})
	}
	r.finalizePivot(c)
}

// finalizePivot checks that the body can turn about its pivot.
func (r *Microrobot) finalizePivot(c *checker) {
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
