package rod

import (
	"fmt"
	"math"

	"sinew/pkg/sim/spatial"
)

// Part is a stretch of a rod of one material. Its cross-section is the same everywhere, or
// it tapers.
type Part struct {
	Length       float64 // m
	Section      Section // where it does not taper
	Taper        *Taper  // nil: it does not
	Material     Material
	Precurvature spatial.Vec // as in Params, 1/m
}

// Taper is a circular cross-section whose radii change linearly from one end of a part to
// the other.
type Taper struct {
	Outer, Inner [2]float64 // at the ends, base first, m
}

// at returns the section at a share of the length of the part.
func (p *Part) sectionAt(share float64) Section {
	if p.Taper == nil {
		return p.Section
	}
	o, i := &p.Taper.Outer, &p.Taper.Inner
	return Ring(o[0]+share*(o[1]-o[0]), i[0]+share*(i[1]-i[0]))
}

// Piece are the constants of an element at rest.
type ElementProperties struct {
	Part         int                   // in Params.Parts; 0 where there are none
	Stiffness    Stiffness             // to a constant stress: its length over its compliance
	Shear, Bend  LinearStrainStiffness // to a strain that changes along it: of shear and stretch, N, and of curvature, N m²
	Precurvature spatial.Vec           // 1/m, body axes
	Radius       float64               // of the surface where it is largest, m
}

// Bow is the stiffness of an element to a strain that changes along it, of which elements of
// order 4 have the energy. With κ the mean of the strain less that at rest and l b/12 its
// first moment about the middle over l, so that b is by how much a linear strain grows from
// end to end, the energy per length is
//
//	½ κᵀ Mean κ + 1/12 κᵀ Coupling b + 1/24 bᵀ Slope b.
//
// It is that of the stress, linear along the element, that makes κ and b: with the moments
// c0, c1, c2 of the compliance of the section over s/l about the middle, and D = c0 c2 − c1²,
//
//	Mean = c2/D,  Coupling = −c1/D,  Slope = c0/(12 D).
//
// An element that is loaded at its ends alone deforms as it should whatever its taper.
type LinearStrainStiffness struct{ Mean, Coupling, Slope spatial.Vec }

// uniform is that of a section of stiffness k all along the element.
func uniformStiffness(k spatial.Vec) LinearStrainStiffness {
	return LinearStrainStiffness{Mean: k, Slope: k}
}

// newBow makes that of the moments of the compliance.
func newLinearStrainStiffness(c0, c1, c2 spatial.Vec) LinearStrainStiffness {
	d := divide(1, c0.Mul(c2).Sub(c1.Mul(c1)))
	return LinearStrainStiffness{Mean: c2.Mul(d), Coupling: c1.Mul(d).Neg(), Slope: c0.Mul(d).Scale(1. / 12)}
}

// Compliance returns the moments of the compliance that make it.
func (b *LinearStrainStiffness) Compliance() (c0, c1, c2 spatial.Vec) {
	d := divide(1, b.Mean.Mul(b.Slope).Scale(12).Sub(b.Coupling.Mul(b.Coupling)))
	return b.Slope.Mul(d).Scale(12), b.Coupling.Mul(d).Neg(), b.Mean.Mul(d)
}

// quadrature are points and weights of Gauss's rule of four points on 0 … 1, which is exact
// for polynomials of degree 7.
var quadrature = func() (q [4]struct{ at, weight float64 }) {
	for i, sign := range []float64{-1, 1} {
		root := math.Sqrt(6. / 5)
		inner, outer := math.Sqrt(3./7-2./7*root), math.Sqrt(3./7+2./7*root)
		q[2*i].at, q[2*i].weight = 0.5+0.5*sign*inner, (18+math.Sqrt(30))/72
		q[2*i+1].at, q[2*i+1].weight = 0.5+0.5*sign*outer, (18-math.Sqrt(30))/72
	}
	return q
}()

// newPiece makes the constants of the element that takes up the shares from … to of a part.
func newElementProperties(p *Part, from, to float64) ElementProperties {
	x := ElementProperties{Stiffness: stiffness(p.Material, p.sectionAt(0)), Precurvature: p.Precurvature, Radius: max(p.sectionAt(from).Radius(), p.sectionAt(to).Radius())}
	x.Shear, x.Bend = uniformStiffness(x.Stiffness.Shear), uniformStiffness(x.Stiffness.Bend)
	if p.Taper == nil {
		return x
	}
	// intervals are so many that round-off is left where a radius changes threefold in an
	// element.
	const intervals = 32
	var c [3]Stiffness // moments of the compliance
	for i := range intervals {
		for _, q := range quadrature {
			share := (float64(i) + q.at) / intervals
			k, w := stiffness(p.Material, p.sectionAt(from+share*(to-from))), q.weight/intervals
			shear, bend := divide(1, k.Shear), divide(1, k.Bend)
			for m := range c {
				c[m].Shear, c[m].Bend = c[m].Shear.AddScaled(w, shear), c[m].Bend.AddScaled(w, bend)
				w *= share - 0.5
			}
		}
	}
	x.Stiffness = Stiffness{Shear: divide(1, c[0].Shear), Bend: divide(1, c[0].Bend)}
	x.Shear, x.Bend = newLinearStrainStiffness(c[0].Shear, c[1].Shear, c[2].Shear), newLinearStrainStiffness(c[0].Bend, c[1].Bend, c[2].Bend)
	return x
}

// inverse returns l over the components of v.
func divide(l float64, v spatial.Vec) spatial.Vec {
	return spatial.Vec{X: l / v.X, Y: l / v.Y, Z: l / v.Z}
}

// parts returns the parts of the rod, one where it is uniform.
func (p *Params) parts() []Part {
	if len(p.Parts) > 0 {
		return p.Parts
	}
	return []Part{{Length: p.Length, Section: p.Section, Material: p.Material, Precurvature: p.Precurvature}}
}

// check names every parameter of a part that is not finite and positive. where begins each
// error.
func (p *Part) check(where string) (errs []error) {
	for _, q := range []struct {
		name  string
		value float64
		unit  string
	}{
		{"length", p.Length, "m"},
		{"density", p.Material.Density, "kg/m³"},
		{"Young's modulus", p.Material.YoungsModulus, "Pa"},
		{"shear modulus", p.Material.ShearModulus, "Pa"},
		{"shear correction", p.Material.ShearCorrection, ""},
	} {
		errs = append(errs, checkPositive(where+q.name, q.value, q.unit))
	}
	for _, share := range []float64{0, 1} {
		s := p.sectionAt(share)
		if share == 1 && p.Taper == nil {
			break
		}
		for _, q := range []struct {
			name  string
			value float64
			unit  string
		}{{"area", s.Area, "m²"}, {"second moment I1", s.I1, "m⁴"}, {"second moment I2", s.I2, "m⁴"}, {"torsion constant J", s.J, "m⁴"}} {
			errs = append(errs, checkPositive(where+q.name, q.value, q.unit))
		}
	}
	if t := p.Taper; t != nil {
		for i := range t.Outer {
			if !(t.Inner[i] >= 0 && t.Inner[i] < t.Outer[i]) {
				errs = append(errs, fmt.Errorf("%sinner radius is %g m, must be from 0 to below the outer, %g m", where, t.Inner[i], t.Outer[i]))
			}
		}
	}
	if !p.Precurvature.IsFinite() {
		errs = append(errs, fmt.Errorf("%sprecurvature %v 1/m is not finite", where, p.Precurvature))
	}
	return errs
}

// positive is the error of a value that is not positive and finite.
func checkPositive(name string, value float64, unit string) error {
	if value > 0 && !math.IsInf(value, 1) {
		return nil
	}
	return fmt.Errorf("%s is %g %s, must be positive and finite", name, value, unit)
}
