package rod

import (
	"fmt"
	"math"

	"sinew/pkg/sim/spatial"
)

// Part is a section of a rod with one material and a uniform or tapered cross-section.
type Part struct {
	Length       float64 // m
	Section      Section // where Taper is nil
	Taper        *Taper  // nil: uniform
	Material     Material
	Precurvature spatial.Vec // as in Params, 1/m
}

// Taper is a circular cross-section whose radii change linearly along a part.
type Taper struct {
	Outer, Inner [2]float64 // at the ends, base first, m
}

// sectionAt returns the cross-section at a share of the length of the part.
func (p *Part) sectionAt(share float64) Section {
	if p.Taper == nil {
		return p.Section
	}
	o, i := &p.Taper.Outer, &p.Taper.Inner
	return Ring(o[0]+share*(o[1]-o[0]), i[0]+share*(i[1]-i[0]))
}

// ElementProperties are the constants of an element at rest.
type ElementProperties struct {
	Part         int                   // index in Params.Parts; 0 for a uniform rod
	Stiffness    Stiffness             // for a constant stress: the length over the compliance
	Shear, Bend  LinearStrainStiffness // for a linear strain: of shear and stretch, N, and of curvature, N m²
	Precurvature spatial.Vec           // 1/m, body axes
	Radius       float64               // largest radius of the surface, m
}

// LinearStrainStiffness is the stiffness of an element to a linear strain, which elements of order
// 4 use. With κ the mean of the strain minus that at rest, and l b/12 its first moment about the
// middle over l, so b is the growth of a linear strain from end to end, the energy per length is
//
//	½ κᵀ Mean κ + 1/12 κᵀ Coupling b + 1/24 bᵀ Slope b.
//
// It is the energy of the linear stress that causes κ and b. With the moments c0, c1, c2 of the
// compliance of the section over s/l about the middle, and D = c0 c2 − c1²,
//
//	Mean = c2/D,  Coupling = −c1/D,  Slope = c0/(12 D).
//
// An element that is loaded at its ends alone is exact for every taper.
type LinearStrainStiffness struct{ Mean, Coupling, Slope spatial.Vec }

// uniformStiffness returns that of a uniform section with stiffness k.
func uniformStiffness(k spatial.Vec) LinearStrainStiffness {
	return LinearStrainStiffness{Mean: k, Slope: k}
}

// newLinearStrainStiffness returns that with the moments c0, c1, c2 of the compliance.
func newLinearStrainStiffness(c0, c1, c2 spatial.Vec) LinearStrainStiffness {
	d := divide(1, c0.Mul(c2).Sub(c1.Mul(c1)))
	return LinearStrainStiffness{Mean: c2.Mul(d), Coupling: c1.Mul(d).Neg(), Slope: c0.Mul(d).Scale(1. / 12)}
}

// Compliance returns the moments c0, c1, c2 of the compliance.
func (b *LinearStrainStiffness) Compliance() (c0, c1, c2 spatial.Vec) {
	d := divide(1, b.Mean.Mul(b.Slope).Scale(12).Sub(b.Coupling.Mul(b.Coupling)))
	return b.Slope.Mul(d).Scale(12), b.Coupling.Mul(d).Neg(), b.Mean.Mul(d)
}

// quadrature has points and weights of Gauss's four-point rule on 0 … 1, which is exact for
// polynomials of degree 7.
var quadrature = func() (q [4]struct{ at, weight float64 }) {
	for i, sign := range []float64{-1, 1} {
		root := math.Sqrt(6. / 5)
		inner, outer := math.Sqrt(3./7-2./7*root), math.Sqrt(3./7+2./7*root)
		q[2*i].at, q[2*i].weight = 0.5+0.5*sign*inner, (18+math.Sqrt(30))/72
		q[2*i+1].at, q[2*i+1].weight = 0.5+0.5*sign*outer, (18-math.Sqrt(30))/72
	}
	return q
}()

// newElementProperties returns the constants of the element between the shares from and to of a
// part.
func newElementProperties(p *Part, from, to float64) ElementProperties {
	x := ElementProperties{Stiffness: stiffness(p.Material, p.sectionAt(0)), Precurvature: p.Precurvature, Radius: max(p.sectionAt(from).Radius(), p.sectionAt(to).Radius())}
	x.Shear, x.Bend = uniformStiffness(x.Stiffness.Shear), uniformStiffness(x.Stiffness.Bend)
	if p.Taper == nil {
		return x
	}
	// intervals make the quadrature error round-off where a radius changes threefold in an element.
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

// divide returns l over the components of v.
func divide(l float64, v spatial.Vec) spatial.Vec {
	return spatial.Vec{X: l / v.X, Y: l / v.Y, Z: l / v.Z}
}

// parts returns the parts of the rod; a uniform rod has one.
func (p *Params) parts() []Part {
	if len(p.Parts) > 0 {
		return p.Parts
	}
	return []Part{{Length: p.Length, Section: p.Section, Material: p.Material, Precurvature: p.Precurvature}}
}

// check returns an error for each parameter of a part that is not finite and positive. where is the
// prefix of each message.
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

// checkPositive returns an error if the value is not positive and finite.
func checkPositive(name string, value float64, unit string) error {
	if value > 0 && !math.IsInf(value, 1) {
		return nil
	}
	return fmt.Errorf("%s is %g %s, must be positive and finite", name, value, unit)
}
