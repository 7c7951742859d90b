package staggered

import (
	"math"

	"sinew/pkg/sim/rod"
	"sinew/pkg/sim/spatial"
)

// Damping are the dissipative terms of the rod. They add up; the zero value is none.
type Damping struct {
	// Legacy is the damping_constant ν of PyElastica's AnalyticalLinearDamper and LegacyStep its
	// nominal time step (s). Each step, whatever its length, multiplies v by exp(−ν dt) and ω by
	// [exp(−ν dt m/J)]^e, with m the mass, J the rotary inertia and e the stretch of the element.
	// The second exponent is not dimensionless: m/J = A/I per axis.
	Legacy, LegacyStep float64
	// Drag is the decay rate of velocities by a drag proportional to mass, 1/s: to the mass of the
	// rod in scheme Corrected, to all mass in Original.
	Drag float64
	// DragRotations applies Drag to ω too, as the uniform damper of PyElastica 1.0 does.
	DragRotations bool
	// KelvinVoigt is the time constant of internal damping: stress = stiffness
	// (strain + KelvinVoigt d(strain)/dt), s. Scheme Corrected only.
	KelvinVoigt float64
	// Quadratic is the coefficient c of a drag −c |v| v per length, kg/m². Scheme
	// Corrected only.
	Quadratic float64
}

// damper is Damping with derived constants.
type damper struct {
	Damping
	drag       float64     // decay rate of translation, 1/s
	spin       float64     // decay rate of rotation, 1/s
	legacy     float64     // factor on v per step
	axis       spatial.Vec // ln of the factor on ω per step, at rest length
	isCircular bool        // axis.X = axis.Y = 2 axis.Z
	halfZ      float64     // exp(axis.Z)
}

func newDamper(r *rod.Rod, d Damping) damper {
	c := damper{Damping: d, drag: d.Drag, legacy: math.Exp(-d.Legacy * d.LegacyStep)}
	if d.DragRotations {
		c.spin = d.Drag
	}
	k, i := -d.Legacy*d.LegacyStep*r.ElementMass/r.ElementLength, r.LineInertia
	c.axis = spatial.Vec{X: k / i.X, Y: k / i.Y, Z: k / i.Z}
	c.isCircular = i.X == i.Y && math.Abs(i.Z-2*i.X) <= 1e-15*i.Z
	c.halfZ = math.Exp(c.axis.Z)
	return c
}

// translation returns the factor of velocities for a step of dt.
func (c *damper) translation(dt float64) float64 { return c.legacy * math.Exp(-c.drag*dt) }

// rotation returns the factor of ω for a step of dt, without the legacy damper.
func (c *damper) rotation(dt float64) float64 { return math.Exp(-c.spin * dt) }

// legacySpin returns the factor of ω by the legacy damper at stretch e.
func (c *damper) legacySpin(e float64) spatial.Vec {
	if !c.isCircular {
		return spatial.Vec{X: math.Exp(e * c.axis.X), Y: math.Exp(e * c.axis.Y), Z: math.Exp(e * c.axis.Z)}
	}
	// one exponential gives all axes; near e = 1 a series replaces it, with the next term 3e-16
	u := (e - 1) * c.axis.Z
	var z float64
	if u < 0.02 && u > -0.02 {
		z = c.halfZ * (1 + u*(1+u*(1./2)*(1+u*(1./3)*(1+u*(1./4)*(1+u*(1./5)*(1+u*(1./6)))))))
	} else {
		z = math.Exp(e * c.axis.Z)
	}
	return spatial.Vec{X: z * z, Y: z * z, Z: z}
}
