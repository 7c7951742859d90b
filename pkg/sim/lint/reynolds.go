package lint

import (
	"fmt"
	"math"

	"sinew/pkg/sim/robotfile"
	"sinew/pkg/sim/spatial"
)

// magneticConstant is μ0/4π, T m/A.
const magneticConstant = 1e-7

// reynolds estimates the Reynolds numbers of the motion under the loads at t = 0, with the drag
// 6πηa v and 8πηa³ ω of the bounding sphere.
func (f *findings) reynolds(r *robotfile.Microrobot, s size) {
	eta, rho, a := r.Fluid.Viscosity, r.Fluid.Density, s.half
	if eta == 0 || a == 0 {
		return
	}
	report := func(key string, v, most float64, what string) {
		if re := rho * a * v / eta; re > most {
			f.add(robotfile.Reynolds, key, "%s, a Reynolds number of %s; expected: below %g, where Stokes drag holds", what, about(re), most)
		}
	}
	push := func(key string, force float64) {
		if v := force / (6 * math.Pi * eta * a); force > 0 {
			report(key, v, maxReynolds, fmt.Sprintf("moves the body at about %s m/s by %s N", about(v), about(force)))
		}
	}
	turn := func(key string, rate float64) {
		report(key, a*rate, maxSpinReynolds, fmt.Sprintf("turns the body at about %s rad/s", about(rate)))
	}
	b := &r.Body
	if r.Dynamics == robotfile.Inertial {
		// a body with inertia reaches its speed later; the gauge of the model measures it
		flow := &r.Fluid.Flow
		if flow.Poiseuille != nil || flow.Pulsatile != nil {
			return // nor does it know the flow here
		}
		g := &flow.Gradient
		at := b.Position
		slip := norm(b.Velocity.Sub(flow.Uniform).Sub(spatial.Vec{
			X: g[0]*at.X + g[1]*at.Y + g[2]*at.Z, Y: g[3]*at.X + g[4]*at.Y + g[5]*at.Z, Z: g[6]*at.X + g[7]*at.Y + g[8]*at.Z,
		}))
		report("body.velocity_m_per_s", slip, maxReynolds, fmt.Sprintf("is a speed of %s m/s through the fluid", about(slip)))
		vorticity := spatial.Vec{X: g[7] - g[5], Y: g[2] - g[6], Z: g[3] - g[1]}
		turn("body.angular_velocity_rad_per_s", norm(b.Orientation.Apply(b.AngularVelocity).AddScaled(-0.5, vorticity)))
		return
	}
	push("body.load.force_n", norm(b.Load.Force))
	mass, weighed := b.Density*s.volume, "body.density_kg_per_m3"
	if b.Mass > 0 {
		mass, weighed = b.Mass, "body.mass_kg"
	}
	push(weighed, math.Abs(mass-rho*s.volume)*norm(r.Gravity))

	turning := 1 / (8 * math.Pi * eta * a * a * a)
	turn("body.load.moment_nm", norm(b.Load.Moment)*turning)
	moment := momentOf(b)
	g := r.Field.Gradient
	push("field.gradient_t_per_m", moment*math.Sqrt(g[0]*g[0]+g[3]*g[3]+(g[0]+g[3])*(g[0]+g[3])+2*(g[1]*g[1]+g[2]*g[2]+g[4]*g[4])))
	for i, d := range r.Field.Dipoles {
		away := norm(b.Position.Sub(d.Position))
		push(fmt.Sprintf("field.dipoles[%d].moment_a_m2", i), 6*magneticConstant*moment*norm(d.Moment)/math.Pow(away, 4))
	}
	if w := r.Field.Rotating; w != nil { // limited by the magnetic torque
		turn("field.rotating.frequency_hz", min(2*math.Pi*math.Abs(w.Frequency), moment*w.Amplitude*turning))
	}
}

// momentOf returns the largest known magnetic moment of the body, A m².
func momentOf(b *robotfile.Body) float64 {
	switch {
	case b.Magnet != nil:
		return norm(b.Magnet.Moment)
	case b.Soft != nil && !math.IsInf(b.Soft.Saturation, 1):
		return b.Soft.Volume * b.Soft.Saturation
	}
	return 0
}
