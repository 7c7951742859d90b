package lint

import (
	"fmt"
	"math"
	"slices"

	"sinew/pkg/sim/robotfile"
	"sinew/pkg/sim/spatial"
)

// maxStrain is the strain above which a linear material law is invalid; gauge max_strain has
// the same threshold.
const maxStrain = 0.2

// Continuum returns the suspicious values of a robot file of tendonsim. given has the numbers
// as written in the file, source where they are from; away are the largest distances of the shapes of the environment from
// the base (m).
func Continuum(r *robotfile.Continuum, given robotfile.Given, source robotfile.Source, away []float64) []robotfile.Mistake {
	var f findings
	f.rod(&r.Rod)
	f.strain(r)
	f.tendons(r)
	f.disks(r, source)
	f.payload(r)
	f.magnets(r)
	f.shapes(&r.Environment, away, lengthsAway*r.Rod.Length, "the base")
	f.quaternion(given, "hardware.orientation_xyzw")
	f.rates(given, r.Solver.Step, &r.Rates, r.CommandTimeout)
	return f
}

// segment is a section of the rod, or the whole rod if it is uniform.
type segment struct {
	key       string  // of its keys, ending in a point
	start     float64 // arc length, m
	area      float64 // where it is thinnest, m²
	second    float64 // least second moment of area there, m⁴
	radius    float64 // largest distance from the centreline there, m
	maxRadius float64 // the same where it is thickest, m
	*robotfile.Segment
}

// segments lists the sections of a rod.
func segments(r *robotfile.Rod) (all []segment) {
	start, stretches := 0.0, r.Segments()
	for i := range stretches {
		s := segment{key: "rod.", start: start, Segment: &stretches[i]}
		if len(r.Sections) > 0 {
			s.key = fmt.Sprintf("rod.sections[%d].", i)
		}
		if x := s.Section; x != nil {
			s.area, s.second = x.Area, min(x.I1, x.I2)
			s.radius = 2 * math.Sqrt(s.second/s.area) // of a circle; of others nearly
			s.maxRadius = s.radius
		} else {
			outer, inner := s.Radii()
			end := 0
			if outer[1] < outer[0] {
				end = 1
			}
			a, b := outer[end], inner[end]
			s.area, s.second, s.radius = math.Pi*(a*a-b*b), math.Pi/4*(a*a*a*a-b*b*b*b), a
			s.maxRadius = outer[1-end]
		}
		all = append(all, s)
		start += s.Length
	}
	return all
}

// rod finds sizes and materials in a wrong unit.
func (f *findings) rod(r *robotfile.Rod) {
	key, radius := "rod.radius_m", 0.0
	switch {
	case r.Section != nil:
		key = "rod.section"
	case len(r.Sections) > 0:
		key = "rod.sections"
	}
	for _, s := range segments(r) {
		radius = max(radius, s.maxRadius)
	}
	const slender = 5.0 // times its diameter; rod theory does not apply to shorter beams
	if r.Length < slender*2*radius {
		f.add(robotfile.Slenderness, key, "makes a rod of length %s m and diameter %s m; expected: a length of at least %g diameters, since rod theory does not apply to shorter bodies; is one of them in another unit?",
			about(r.Length), about(2*radius), slender)
	}
	const shortest, longest = 1e-3, 10
	if r.Length < shortest || r.Length > longest {
		f.add(robotfile.Size, "rod.length_m", "is an unusual length of a robot; expected: from 1 mm to 10 m; is it in metres?")
	}
	for _, s := range segments(r) {
		f.density(s.key+"density_kg_per_m3", s.Density)
		f.modulus(s.key+"youngs_modulus_pa", s.YoungsModulus, s.Density)
		// isotropic matter has -1 < nu <= 1/2, and all but foams made for it 0 or above
		const least, most = -0.05, 0.55
		if nu := s.YoungsModulus/(2*s.ShearModulus) - 1; nu < least || nu > most {
			f.add(robotfile.PoissonRatio, s.key+"shear_modulus_pa", "makes a Poisson ratio E/2G - 1 = %s with youngs_modulus_pa %s; expected: from 0 to 0.5, G from E/3 = %s to E/2 = %s Pa",
				about(nu), about(s.YoungsModulus), about(s.YoungsModulus/3), about(s.YoungsModulus/2))
		}
	}
}

// Young's moduli, Pa: of soft gels and of diamond.
const (
	softest = 5e3
	diamond = 1.3e12
)

// modulus finds a Young's modulus in MPa: below that of gels, or of matter that is as dense, in kg/m^3 or, by
// mistake, in g/cm^3. Rubber with magnetic powder is as dense as light metals; nothing soft is as
// dense as steel. Metals have at most 4e5 MPa.
func (f *findings) modulus(key string, e, density float64) {
	if density < lightest {
		density *= 1000
	}
	least, what := softest, "gels"
	for _, m := range []struct{ density, least float64 }{{2500, 2e5}, {5500, 1e6}} {
		if density >= m.density {
			least, what = m.least, fmt.Sprintf("matter of %.4g kg/m^3", density)
		}
	}
	switch {
	case e < least:
		f.add(robotfile.Modulus, key, "is less than that of %s; expected: from %s to %s Pa; is it in MPa? Then it is %s Pa", what, about(least), about(diamond), about(1e6*e))
	case e > diamond:
		f.add(robotfile.Modulus, key, "is more than that of diamond, the stiffest material; expected: from %s to %s Pa", about(least), about(diamond))
	}
}

// payload finds masses in g and lengths in mm at the tip: a mass that has the size of the robot even as
// water has no place there, nor has a centre of mass farther from the end of the rod than the rod is long.
func (f *findings) payload(r *robotfile.Continuum) {
	const (
		water = 1000 // kg/m^3
		share = 0.6  // of the length of the rod, the edge of a cube of water
	)
	edge := share * r.Rod.Length
	most := water * edge * edge * edge
	mass := func(key, what string, m float64) {
		known := slices.IndexFunc(*f, func(m robotfile.Mistake) bool { return m.Key == key && m.Name == robotfile.Strain })
		switch {
		case m <= most:
		case known >= 0:
			(*f)[known].Problem += fmt.Sprintf("; is it in g? Then it is %s kg", about(m/1000))
		default:
			f.add(robotfile.Payload, key, "is the mass of a cube of water of %s m, on a rod of %s m; expected: at most %s kg%s; is it in g? Then it is %s kg",
				about(math.Cbrt(m/water)), about(r.Rod.Length), about(most), what, about(m/1000))
		}
	}
	mass("tip.mass_kg", "", r.Tip.Mass)
	for i := range r.Tendons {
		for _, m := range r.DiskMasses(i) {
			if m > most {
				mass(fmt.Sprintf("tendons[%d].disks.mass_kg", i), " for a disk", m)
				break
			}
		}
	}
	if d := norm(r.Tip.Center); d > r.Rod.Length {
		f.add(robotfile.Size, "tip.center_of_mass_m", "is %s m from the end of a rod of %s m; expected: a fraction of the length; is it in mm? Then it is %s m", about(d), about(r.Rod.Length), about(d/1000))
	}
	if m := r.Tip.Mass; m > 0 {
		i := max(r.Tip.Inertia.X, r.Tip.Inertia.Y, r.Tip.Inertia.Z)
		if gyration := math.Sqrt(i / m); gyration > r.Rod.Length {
			f.add(robotfile.Size, "tip.inertia_kg_m2", "makes a radius of gyration of %s m with tip.mass_kg %s, on a rod of %s m; expected: a fraction of the length; is it in kg mm^2 or g mm^2?", about(gyration), about(m), about(r.Rod.Length))
		}
	}
	for i := range r.Markers {
		sum := 0.0
		for _, x := range r.Markers[i].Offset {
			sum += x * x
		}
		if d := math.Sqrt(sum); d > r.Rod.Length {
			f.add(robotfile.Size, fmt.Sprintf("markers[%d].offset_m", i), "is %s m from the centreline of a rod of %s m; expected: a fraction of the length; is it in mm? Then it is %s m", about(d), about(r.Rod.Length), about(d/1000))
		}
	}
}

// bending returns the curvature (1/m) under a transverse force at the distance arm from the
// base: F arm/EI for small deflections and √(2F/EI), that of the elastica, for large ones.
func bending(force, arm, stiffness float64) float64 {
	return min(force*arm/stiffness, math.Sqrt(2*force/stiffness))
}

// bendingShare returns the share of a weight that bends a rod: the transverse component for a
// hanging rod, and all of it for a standing rod, which buckles.
func bendingShare(gravity, direction spatial.Vec) float64 {
	size := norm(gravity) * norm(direction)
	if size == 0 || gravity.Dot(direction) <= 0 {
		return 1
	}
	return norm(gravity.Cross(direction)) / size
}

// strainUnder returns the strain of a section under an axial force and a transverse force at the
// distance arm from its start.
func (s *segment) strainUnder(stretching, across, arm float64) float64 {
	ea, ei := s.YoungsModulus*s.area, s.YoungsModulus*s.second
	return max(stretching/ea, s.radius*bending(across, max(arm, 0), ei))
}

// strain estimates the largest strain under the loads at t = 0.
func (f *findings) strain(r *robotfile.Continuum) {
	all := segments(&r.Rod)
	// report adds a finding for the section with the largest strain; why describes the cause
	report := func(key string, strain func(s *segment) float64, why func(ea, ei string) string) {
		worst, at := 0.0, 0
		for i := range all {
			if x := strain(&all[i]); x > worst {
				worst, at = x, i
			}
		}
		if s := &all[at]; worst > maxStrain {
			f.add(robotfile.Strain, key, "strains the rod by about %s %%, %s; expected: below %g %%, where the material law ends",
				about(100*worst), why(about(s.YoungsModulus*s.area), about(s.YoungsModulus*s.second)), 100*maxStrain)
		}
	}
	held := len(r.Environment.Shapes) > 0 // walls carry loads that would bend a free rod
	for i, l := range r.Loads {
		at := fmt.Sprintf("loads[%d]", i)
		force := norm(l.Force)
		across := force
		if held {
			across = 0
		}
		report(at+".force_n", func(s *segment) float64 {
			if l.At <= s.start {
				return 0
			}
			return s.strainUnder(force, across, l.At-s.start)
		}, func(ea, ei string) string { return fmt.Sprintf("with E A = %s N and E I = %s N m^2", ea, ei) })
		report(at+".moment_nm", func(s *segment) float64 {
			if l.At <= s.start {
				return 0
			}
			return s.radius * norm(l.Moment) / (s.YoungsModulus * s.second)
		}, func(_, ei string) string { return fmt.Sprintf("with E I = %s N m^2", ei) })
	}
	for i, t := range r.Tendons {
		at := fmt.Sprintf("tendons[%d].tension_n", i)
		arm, disks := math.Hypot(t.Offset[0], t.Offset[1]), t.Disks.ArcLengths()
		report(at, func(s *segment) float64 {
			if len(disks) > 0 && disks[len(disks)-1] <= s.start {
				return 0
			}
			return t.Tension/(s.YoungsModulus*s.area) + s.radius*t.Tension*arm/(s.YoungsModulus*s.second)
		}, func(_, ei string) string {
			return fmt.Sprintf("bent by %s N m with E I = %s N m^2", about(t.Tension*arm), ei)
		})
	}
	if !held {
		f.weights(r, all, report)
	}
}

// weights estimates the strain under weights.
func (f *findings) weights(r *robotfile.Continuum, all []segment, report func(key string, strain func(s *segment) float64, why func(ea, ei string) string)) {
	g, across := norm(r.Gravity), bendingShare(r.Gravity, r.Base.Direction)
	by := func(what string, weight float64) func(ea, ei string) string {
		return func(_, _ string) string { return fmt.Sprintf("by %s %s N", what, about(weight)) }
	}
	beyond := func(start float64) (weight float64) {
		for i := range all {
			if s := &all[i]; s.start >= start {
				weight += s.Density * s.area * s.Length * g
			}
		}
		return weight
	}
	report("gravity_m_per_s2", func(s *segment) float64 {
		w := beyond(s.start)
		return s.strainUnder(w, across*w, (r.Rod.Length-s.start)/2)
	}, by("a weight of", beyond(0)))
	tip := r.Tip.Mass * g
	report("tip.mass_kg", func(s *segment) float64 { return s.strainUnder(tip, across*tip, r.Rod.Length-s.start) }, by("a weight of", tip))
	disks := 0.0
	for i := range r.Tendons {
		for _, mass := range r.DiskMasses(i) {
			disks += mass * g
		}
	}
	report("tendons", func(s *segment) float64 { return s.strainUnder(disks, across*disks, (r.Rod.Length-s.start)/2) }, by("disks that weigh", disks))
}

// tendons finds holes farther from the rod than it is long.
func (f *findings) tendons(r *robotfile.Continuum) {
	for i, t := range r.Tendons {
		if arm := math.Hypot(t.Offset[0], t.Offset[1]); arm > r.Rod.Length/2 {
			f.add(robotfile.TendonOffset, fmt.Sprintf("tendons[%d].offset_m", i), "is %s m from the centreline of a rod of %s m; expected: a fraction of the length; is it in metres?", about(arm), about(r.Rod.Length))
		}
	}
}

// disks finds a rod that is much longer than what its tendons move: all disks are in its first half, or the length alone is
// given where they are the default's or those of another file, and more of the rod is behind the last of them than
// between any two.
func (f *findings) disks(r *robotfile.Continuum, source robotfile.Source) {
	const key = "rod.length_m"
	at, widest, path := 0.0, 0.0, ""
	for i := range r.Tendons {
		all := r.Tendons[i].Disks.ArcLengths()
		if end := all[len(all)-1]; end > at {
			at, widest, path = end, all[0], fmt.Sprintf("tendons[%d].disks", i)
			for k := range all[1:] {
				widest = max(widest, all[k+1]-all[k])
			}
		}
	}
	if path == "" {
		return
	}
	disks := source(path + ".positions_m")
	if disks == "" {
		disks = source(path + ".last_m")
	}
	rest, length := r.Rod.Length-at, source(key)
	if alone := length != "" && length != disks && rest > widest; !alone && rest <= r.Rod.Length/2 {
		return
	}
	if length != "" {
		path = key
	}
	f.add(robotfile.DiskRange, path, "leaves %s m of a rod of %s m behind the last disk of all tendons, which is at %s m; disks do not move with the length; expected: the last disk near the tip; give first_m and last_m, or positions_m, of the disks in proportion",
		about(rest), about(r.Rod.Length), about(at))
}
