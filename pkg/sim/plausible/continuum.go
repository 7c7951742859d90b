package plausible

import (
	"fmt"
	"math"

	"sinew/pkg/sim/robotfile"
	"sinew/pkg/sim/spatial"
)

// maxStrain is the strain beyond which a linear material law is no picture of any
// material; gauge max_strain warns above the same.
const maxStrain = 0.2

// Continuum returns what is hardly meant in a robot file of tendonsim. given has the
// numbers as they are written.
func Continuum(r *robotfile.Continuum, given robotfile.Given) []robotfile.Mistake {
	var f findings
	f.rod(&r.Rod)
	f.strain(r)
	f.tendons(r)
	f.quaternion(given, "hardware.orientation_xyzw")
	f.rates(given, r.Solver.Step, &r.Rates, r.CommandTimeout)
	return f
}

// section returns area, least second moment of area and largest distance from the
// centreline (m) of the rod's section.
func section(r *robotfile.Rod) (area, second, radius float64) {
	if s := r.Section; s != nil {
		area, second = s.Area, min(s.I1, s.I2)
		return area, second, 2 * math.Sqrt(second/area) // of a circle; of others nearly
	}
	a := r.Radius
	return math.Pi * a * a, math.Pi / 4 * a * a * a * a, a
}

// rod finds sizes and materials in a wrong unit.
func (f *findings) rod(r *robotfile.Rod) {
	_, _, radius := section(r)
	key := "rod.radius_m"
	if r.Section != nil {
		key = "rod.section"
	}
	const slender = 5.0 // times its diameter; shorter beams deform otherwise than rods
	if r.Length < slender*2*radius {
		f.add(robotfile.Slenderness, key, "makes a rod of length %s m and diameter %s m; expected: a length of at least %g diameters, for what is shorter is no rod; is one of them in another unit?",
			about(r.Length), about(2*radius), slender)
	}
	const shortest, longest = 1e-3, 10
	if r.Length < shortest || r.Length > longest {
		f.add(robotfile.Size, "rod.length_m", "is an unusual length of a robot; expected: from 1 mm to 10 m; is it in metres?")
	}
	f.density("rod.density_kg_per_m3", r.Density)
	// isotropic matter has -1 < nu <= 1/2, and all but foams made for it 0 or above
	const least, most = -0.05, 0.55
	if nu := r.YoungsModulus/(2*r.ShearModulus) - 1; nu < least || nu > most {
		f.add(robotfile.PoissonRatio, "rod.shear_modulus_pa", "makes a Poisson ratio E/2G - 1 = %s with youngs_modulus_pa %s; expected: from 0 to 0.5, G from E/3 = %s to E/2 = %s Pa",
			about(nu), about(r.YoungsModulus), about(r.YoungsModulus/3), about(r.YoungsModulus/2))
	}
}

// bending returns the curvature (1/m) to which a transverse force bends the rod that acts
// at the distance arm from the base: F arm/EI of a rod that is hardly bent and, of one that
// is bent until it gives way, √(2F/EI), the elastica's.
func bending(force, arm, stiffness float64) float64 {
	return min(force*arm/stiffness, math.Sqrt(2*force/stiffness))
}

// bendingShare returns the share of a weight that bends a rod: of one that hangs the part
// across it, for the rest only stretches; of one that stands all, which makes it give way.
func bendingShare(gravity, direction spatial.Vec) float64 {
	size := norm(gravity) * norm(direction)
	if size == 0 || gravity.Dot(direction) <= 0 {
		return 1
	}
	return norm(gravity.Cross(direction)) / size
}

// strain estimates the largest strain under what acts at t = 0.
func (f *findings) strain(r *robotfile.Continuum) {
	area, second, radius := section(&r.Rod)
	ea, ei := r.Rod.YoungsModulus*area, r.Rod.YoungsModulus*second
	tell := func(key string, strain float64, why string) {
		if strain > maxStrain {
			f.add(robotfile.Strain, key, "strains the rod by about %s %%, %s; expected: below %g %%, where the material law ends", about(100*strain), why, 100*maxStrain)
		}
	}
	for i, l := range r.Loads {
		at := fmt.Sprintf("loads[%d]", i)
		force := norm(l.Force)
		tell(at+".force_n", max(force/ea, radius*bending(force, l.At, ei)), fmt.Sprintf("with E A = %s N and E I = %s N m^2", about(ea), about(ei)))
		tell(at+".moment_nm", radius*norm(l.Moment)/ei, fmt.Sprintf("with E I = %s N m^2", about(ei)))
	}
	for i, t := range r.Tendons {
		at := fmt.Sprintf("tendons[%d].tension_n", i)
		arm := math.Hypot(t.Offset[0], t.Offset[1])
		tell(at, t.Tension/ea+radius*t.Tension*arm/ei, fmt.Sprintf("bent by %s N m with E I = %s N m^2", about(t.Tension*arm), about(ei)))
	}
	g, across := norm(r.Gravity), bendingShare(r.Gravity, r.Base.Direction)
	weight := r.Rod.Density * area * r.Rod.Length * g
	tell("gravity_m_per_s2", max(weight/ea, radius*bending(across*weight, r.Rod.Length/2, ei)), fmt.Sprintf("by a weight of %s N", about(weight)))
	tell("tip.mass_kg", max(r.Tip.Mass*g/ea, radius*bending(across*r.Tip.Mass*g, r.Rod.Length, ei)), fmt.Sprintf("by a weight of %s N", about(r.Tip.Mass*g)))
	disks := 0.0
	for i, t := range r.Tendons {
		if r.DiskCarrier(i) == i {
			disks += t.Disks.Mass * float64(len(t.Disks.ArcLengths())) * g
		}
	}
	tell("tendons", max(disks/ea, radius*bending(across*disks, r.Rod.Length/2, ei)), fmt.Sprintf("by disks that weigh %s N", about(disks)))
}

// tendons finds holes farther from the rod than it is long.
func (f *findings) tendons(r *robotfile.Continuum) {
	for i, t := range r.Tendons {
		if arm := math.Hypot(t.Offset[0], t.Offset[1]); arm > r.Rod.Length/2 {
			f.add(robotfile.TendonOffset, fmt.Sprintf("tendons[%d].offset_m", i), "is %s m from the centreline of a rod of %s m; expected: a fraction of the length; is it in metres?", about(arm), about(r.Rod.Length))
		}
	}
}
