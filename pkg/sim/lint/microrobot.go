package lint

import (
	"math"

	"sinew/pkg/sim/robotfile"
)

// Limits of matter, A/m: neodymium magnets have 1.2e6 at most, iron saturates at 1.7e6 and
// its alloys with cobalt, the maximum of all materials, at 2e6.
const (
	maxMagnetization = 1.6e6
	maxSaturation    = 2e6
)

// gas is a viscosity above that of gases, Pa s.
const gas = 1e-4

// Reynolds numbers, by half of the largest extent, above which Stokes drag is off by more
// than a few percent: 3/8 Re in translation and Re²/1200 in rotation. The gauges
// reynolds_number and spin_reynolds_number warn above the same.
const (
	maxReynolds     = 0.1
	maxSpinReynolds = 5
)

// Microrobot returns the suspicious values of a robot file of microrobot. given has the numbers
// as written in the file; away are the largest distances of the shapes of the environment from the body (m).
func Microrobot(r *robotfile.Microrobot, given robotfile.Given, away []float64) []robotfile.Mistake {
	var f findings
	s := sizeOf(r.Body.Shape)
	f.body(&r.Body, s)
	f.magnet(&r.Body, s)
	for i := range r.Field.Dipoles {
		d := &r.Field.Dipoles[i]
		f.dipole(i, d, norm(r.Body.Position.Sub(d.Position)), "body.position_m")
	}
	f.shapes(&r.Environment, away, max(dish, sizesAway*s.half), "body.position_m")
	f.reynolds(r, s)
	f.rotation(r)
	if t := r.Fluid.Temperature; r.Fluid.Brownian && (t < 240 || t > 480) {
		f.add(robotfile.Temperature, "fluid.temperature_k", "is not the temperature of a liquid in a dish; expected: from 240 to 480 K; is it in degrees Celsius?")
	}
	if d := r.Fluid.Density; r.Fluid.Viscosity > gas && d > 0 && d < lightest {
		f.add(robotfile.Density, "fluid.density_kg_per_m3", "is less than that of any liquid, with viscosity_pa_s %s; expected: from %g kg/m^3; is it in g/cm^3? Then it is %s kg/m^3", about(r.Fluid.Viscosity), lightest, about(1000*d))
	}
	f.quaternion(given, "body.orientation_xyzw")
	f.quaternion(given, "hardware.orientation_xyzw")
	f.rates(given, r.Solver.Step, &r.Rates, r.CommandTimeout)
	return f
}

// size is how large a body is.
type size struct {
	key    string
	half   float64 // of its largest extent, m; 0: not known
	least  float64 // half of the smallest, m
	volume float64 // m^3; 0: not known
}

func sizeOf(s *robotfile.Shape) size {
	switch {
	case s == nil:
		return size{}
	case s.Sphere != nil:
		a := *s.Sphere
		return size{"body.shape.sphere_m", a, a, 4 * math.Pi / 3 * a * a * a}
	case s.Ellipsoid != nil:
		e := s.Ellipsoid
		return size{"body.shape.ellipsoid_m", max(e.X, e.Y, e.Z), min(e.X, e.Y, e.Z), 4 * math.Pi / 3 * e.X * e.Y * e.Z}
	case s.Cuboid != nil:
		e := s.Cuboid.Edges
		return size{"body.shape.cuboid.edges_m", max(e.X, e.Y, e.Z) / 2, min(e.X, e.Y, e.Z) / 2, e.X * e.Y * e.Z}
	case s.Cylinder != nil:
		c := s.Cylinder
		return size{"body.shape.cylinder", max(c.Length/2, c.Radius), min(c.Length/2, c.Radius), math.Pi * c.Radius * c.Radius * c.Length}
	case s.Helix != nil:
		h := s.Helix
		wire := h.Length * math.Hypot(1, 2*math.Pi*h.Radius/h.Pitch)
		half := max(h.Length/2, h.Radius+h.WireRadius)
		return size{"body.shape.helix", half, h.WireRadius, math.Pi * h.WireRadius * h.WireRadius * wire}
	}
	return size{}
}

// body finds sizes and densities in a wrong unit.
func (f *findings) body(b *robotfile.Body, s size) {
	const smallest, largest = 10e-9, 25e-3 // m
	if s.half > largest || s.half > 0 && s.least < smallest {
		f.add(robotfile.Size, s.key, "makes a body of %s m by %s m; expected: from 20 nm to 50 mm; is it in metres?", about(2*s.half), about(2*s.least))
	}
	if b.Mass == 0 && s.volume > 0 {
		f.density("body.density_kg_per_m3", b.Density)
	}
	if d := norm(b.CenterOfMass); s.half > 0 && d > s.half {
		f.add(robotfile.Size, "body.center_of_mass_m", "is %s m from the reference point of a body whose half-width is %s m, outside of it; expected: within the body; is it in mm or um?", about(d), about(s.half))
	}
	if b.Mass > 0 && s.volume > 0 && s.key != "body.shape.helix" {
		if d := b.Mass / s.volume; d > osmium {
			f.add(robotfile.Density, "body.mass_kg", "makes a density of %s kg/m^3 in a volume of %s m^3; expected: below osmium's, %d kg/m^3; is it in g or mg?", about(d), about(s.volume), osmium)
		}
	}
}

// magnet finds magnets that are stronger than any material.
func (f *findings) magnet(b *robotfile.Body, s size) {
	if m := b.Magnet; m != nil && s.volume > 0 {
		if magnetization := norm(m.Moment) / s.volume; magnetization > maxMagnetization {
			f.add(robotfile.Magnetization, "body.magnet.moment_a_m2", "makes a magnetization of %s A/m in a volume of %s m^3; expected: at most %s A/m, a moment of %s A m^2, the maximum of magnetic materials",
				about(magnetization), about(s.volume), about(maxMagnetization), about(maxMagnetization*s.volume))
		}
	}
	m := b.Soft
	if m == nil {
		return
	}
	if m.Saturation > maxSaturation && !math.IsInf(m.Saturation, 1) {
		f.add(robotfile.Magnetization, "body.soft.saturation_a_per_m", "is above what any material reaches; expected: at most %s A/m, iron with cobalt", about(maxSaturation))
	}
	const slack = 1.001 // numbers of three digits
	if s.volume > 0 && m.Volume > slack*s.volume {
		f.add(robotfile.MagneticVolume, "body.soft.volume_m3", "is more than the body has; expected: at most %s m^3", about(s.volume))
	}
}

// pulse finds a pulsatile flow that oscillates so fast that the substeps of the model do not resolve it.
func (f *findings) pulse(rate float64, s *robotfile.BodySolver) {
	if most := robotfile.MaxSubsteps * s.MaxRotation(); rate*s.Step > most {
		f.add(robotfile.RotationPerStep, "fluid.flow.pulsatile.frequency_hz", "is a phase of %s rad in a step of %s s, of at most %d substeps; expected: at most %s rad with method %s, solver.step_s %s",
			about(rate*s.Step), about(s.Step), robotfile.MaxSubsteps, about(most), s.Method, about(most/rate))
	}
}

// rotation finds rotation that the steps of the method do not resolve.
func (f *findings) rotation(r *robotfile.Microrobot) {
	report := func(key string, rate float64, what string) {
		f.turning(key, what, rate, r.Solver.Step, r.Solver.MaxRotation(), string(r.Solver.Method))
	}
	if w := r.Field.Rotating; w != nil && w.Amplitude > 0 {
		report("field.rotating.frequency_hz", 2*math.Pi*w.Frequency, "the field")
	}
	if p := r.Fluid.Flow.Pulsatile; p != nil && p.Peak != 0 {
		f.pulse(2*math.Pi*p.Frequency, &r.Solver)
	}
	report("body.angular_velocity_rad_per_s", norm(r.Body.AngularVelocity), "the body")
	sum := 0.0
	for _, x := range r.Fluid.Flow.Gradient {
		sum += x * x
	}
	report("fluid.flow.gradient_per_s", math.Sqrt(sum/2), "the body")
}
