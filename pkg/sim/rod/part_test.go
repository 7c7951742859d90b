package rod_test

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"sinew/pkg/sim/rod"
	"sinew/test/testsize"
)

// tapered returns parameters of a rod of a cone and a tube of another material, with a node between
// them.
func tapered(order, elements int) rod.Params {
	p := good()
	p.Length, p.Elements, p.Order, p.Nodes = 0.5, elements, order, []float64{0.3}
	second := p.Material
	second.YoungsModulus, second.Density = 3e6, 400
	p.Parts = []rod.Part{
		{Length: 0.3, Taper: &rod.Taper{Outer: [2]float64{0.02, 0.01}}, Material: p.Material},
		{Length: 0.2, Taper: &rod.Taper{Outer: [2]float64{0.008, 0.006}, Inner: [2]float64{0.004, 0.005}}, Material: second},
	}
	return p
}

// The compliance of a cone to constant forces and moments equals the integrals.
func TestStiffnessOfCone(t *testing.T) {
	p := good()
	p.Length, p.Elements, p.Nodes = 2, 1, nil
	e, g, c := p.Material.YoungsModulus, p.Material.ShearModulus, p.Material.ShearCorrection
	a, b := 0.03, 0.01
	p.Parts = []rod.Part{{Length: 2, Taper: &rod.Taper{Outer: [2]float64{a, b}}, Material: p.Material}}
	for _, order := range []int{2, 4} {
		p.Order = order
		r, err := rod.New(p)
		if err != nil {
			t.Fatal(err)
		}
		x, q := r.Properties[0], a*a+a*b+b*b
		bend := x.Stiffness.Bend
		if order == 4 { // with the slope of least energy
			bend = x.Bend.Mean.Sub(divide(x.Bend.Coupling.Mul(x.Bend.Coupling), x.Bend.Slope.Scale(12)))
		}
		for name, v := range map[string][2]float64{
			"EA": {x.Stiffness.Shear.Z, math.Pi * e * a * b}, "GA": {x.Stiffness.Shear.X, c * math.Pi * g * a * b},
			"EI": {bend.X, 3 * math.Pi / 4 * e * a * a * a * b * b * b / q}, "EI2": {bend.Y, 3 * math.Pi / 4 * e * a * a * a * b * b * b / q},
			"GJ": {bend.Z, 3 * math.Pi / 2 * g * a * a * a * b * b * b / q},
		} {
			if !(math.Abs(v[0]/v[1]-1) < 1e-11) {
				t.Errorf("order %d: %s %.15g, want %.15g", order, name, v[0], v[1])
			}
		}
		if r.Stiffness.Shear != x.Stiffness.Shear || x.Radius != a {
			t.Errorf("order %d: stiffness of the rod %v, of its only element %v; radius %g", order, r.Stiffness, x.Stiffness, x.Radius)
		}
	}
}

// A cantilever of one element of order 4, a cone three times as thick at the base, bends, shears
// and stretches under linear stresses as a beam does: mean and growth of the strain equal the
// integrals of (1, s)/EI, (1, s)/GA and (1, s)/EA.
func TestLinearStrainStiffnessOfCone(t *testing.T) {
	p := good()
	p.Length, p.Elements, p.Nodes, p.Order = 1, 1, nil, 4
	p.Parts = []rod.Part{{Length: 1, Taper: &rod.Taper{Outer: [2]float64{0.03, 0.01}}, Material: p.Material}}
	r, err := rod.New(p)
	if err != nil {
		t.Fatal(err)
	}
	x, young := r.Properties[0], p.Material.YoungsModulus
	for _, law := range []struct {
		name       string
		k, c, s    float64
		compliance float64 // at a radius of 1 m
		power      float64 // with which it falls
	}{
		{name: "curvature", k: x.Bend.Mean.X, c: x.Bend.Coupling.X, s: x.Bend.Slope.X, compliance: 4 / (young * math.Pi), power: 4},
		{name: "shear", k: x.Shear.Mean.X, c: x.Shear.Coupling.X, s: x.Shear.Slope.X, compliance: 1 / (p.Material.ShearCorrection * p.Material.ShearModulus * math.Pi), power: 2},
		{name: "stretch", k: x.Shear.Mean.Z, c: x.Shear.Coupling.Z, s: x.Shear.Slope.Z, compliance: 1 / (young * math.Pi), power: 2},
	} {
		// the stresses 1 and −s about the middle cause κ and b with κ Mean + b Coupling/12 = mean
		// stress, κ Coupling + b Slope = its first moment times 12
		solve := func(mean, grow float64) (kappa, b float64) { // σ = mean + grow s
			// stationary: the conjugate stresses are those that cause κ and b
			det := law.k*law.s/12 - law.c*law.c/144
			// energy conjugates: σ0 of κ and σ1/12 of b, with σ = σ0 + σ1 s
			return (mean*law.s/12 - grow/12*law.c/12) / det, (law.k*grow/12 - law.c/12*mean) / det
		}
		for _, m := range [][2]float64{{1, 0}, {0, 1}, {0.4, -0.7}} {
			kappa, b := solve(m[0], m[1])
			wantKappa, wantB := 0.0, 0.0
			const n = 200000
			for i := range n {
				at := (float64(i) + 0.5) / n
				u := (m[0] + m[1]*(at-0.5)) * law.compliance / math.Pow(0.03-0.02*at, law.power)
				wantKappa += u / n
				wantB += 12 * u * (at - 0.5) / n
			}
			if !(math.Abs(kappa-wantKappa) < 1e-8*math.Abs(wantKappa)) || !(math.Abs(b-wantB) < 1e-8*math.Abs(wantB)) {
				t.Errorf("%s under %g %+g s: mean %.12g and slope %.12g, want %.12g and %.12g", law.name, m[0], m[1], kappa, b, wantKappa, wantB)
			}
		}
	}
	// Compliance returns the moments
	c0, c1, c2 := x.Shear.Compliance()
	det := c0.Mul(c2).Sub(c1.Mul(c1))
	again := rod.LinearStrainStiffness{Mean: divide(c2, det), Coupling: divide(c1, det).Neg(), Slope: divide(c0, det.Scale(12))}
	if d := again.Coupling.Sub(x.Shear.Coupling).Norm() + again.Mean.Sub(x.Shear.Mean).Norm() + again.Slope.Sub(x.Shear.Slope).Norm(); !(d < 1e-10*x.Shear.Mean.Z) {
		t.Errorf("moments of the compliance make %v of %v", again, x.Shear)
	}
}

// Mass and rotary inertia of tapered parts equal the integrals at every order, and the weights of
// order 4 integrate smooth functions with order 4 across borders.
func TestNodesOfTaperedParts(t *testing.T) {
	cone := func(a, b, l float64) (volume, moment float64) { // about the thick end
		return math.Pi * l / 3 * (a*a + a*b + b*b), math.Pi * l * l / 12 * (a*a + 2*a*b + 3*b*b)
	}
	v1, m1 := cone(0.02, 0.01, 0.3)
	v2, m2 := cone(0.008, 0.006, 0.2)
	v3, m3 := cone(0.004, 0.005, 0.2)
	density := good().Material.Density
	mass := density*v1 + 400*(v2-v3)
	moment := density*m1 + 400*(m2-m3+0.3*(v2-v3))
	exact := 0.0 // ∫ρA sin(4s) ds
	const n = 100000
	for i := range n {
		s := (float64(i) + 0.5) / n * 0.5
		radius, bore, rho := 0.02-0.01*s/0.3, 0.0, density
		if s > 0.3 {
			radius, bore, rho = 0.008-0.002*(s-0.3)/0.2, 0.004+0.001*(s-0.3)/0.2, 400
		}
		exact += rho * math.Pi * (radius*radius - bore*bore) * math.Sin(4*s) * 0.5 / n
	}
	for order, least := range map[int]float64{2: 1.9, 4: 3.7} {
		before := 0.0
		for _, elements := range []int{10, 20, 40, 80} {
			r, err := rod.New(tapered(order, elements))
			if err != nil {
				t.Fatal(err)
			}
			m, s1, f := 0.0, 0.0, 0.0
			for i, w := range r.NodeMasses() {
				m += w
				s1 += w * r.ArcLengths[i]
				f += w * math.Sin(4*r.ArcLengths[i])
			}
			if !(math.Abs(m/mass-1) < 1e-12) || !(math.Abs(s1/moment-1) < 1e-12) {
				t.Errorf("order %d, %d elements: %.15g kg, first moment %.15g; want %.15g, %.15g", order, elements, m, s1, mass, moment)
			}
			miss := math.Abs(f - exact)
			if rate := math.Log2(before / miss); before > 0 && !(rate > least) {
				t.Errorf("order %d, %d elements: off by %.3g, order %.2f", order, elements, miss, rate)
			}
			before = miss
		}
	}
	r, err := rod.New(tapered(2, 5))
	if err != nil {
		t.Fatal(err)
	}
	sum := 0.0
	for _, j := range r.NodeInertias() {
		sum += j.X
		if j.X != j.Y || j.Z != j.X+j.Y && !(math.Abs(j.Z/(2*j.X)-1) < 1e-14) {
			t.Errorf("inertia %v of a round section", j)
		}
	}
	quartic := func(a, b, l float64) float64 {
		return math.Pi / 4 * l / 5 * (a*a*a*a + a*a*a*b + a*a*b*b + a*b*b*b + b*b*b*b)
	}
	if want := density*quartic(0.02, 0.01, 0.3) + 400*(quartic(0.008, 0.006, 0.2)-quartic(0.004, 0.005, 0.2)); !(math.Abs(sum/want-1) < 1e-12) {
		t.Errorf("rotary inertia %.15g, want %.15g", sum, want)
	}
}

// No node has a negative mass or rotary inertia, for any parts.
func TestInertiaOfPartsIsPositive(t *testing.T) {
	testsize.SkipInShort(t)
	random := rand.New(rand.NewPCG(3, 9))
	for range 3000 {
		p := good()
		p.Length, p.Elements, p.Order, p.Nodes = 0, 1+random.IntN(40), 4, nil
		radius := func() float64 { return 0.001 + 0.02*random.Float64() }
		for range 1 + random.IntN(4) {
			part := rod.Part{Length: 0.01 + random.Float64(), Material: p.Material, Taper: &rod.Taper{Outer: [2]float64{radius(), radius()}}}
			if p.Length > 0 {
				p.Nodes = append(p.Nodes, p.Length)
			}
			p.Length += part.Length
			p.Parts = append(p.Parts, part)
		}
		r, err := rod.New(p)
		if err != nil {
			t.Fatal(err)
		}
		inertia := r.NodeInertias()
		for i, m := range r.NodeMasses() {
			if !(m > 0) || !(inertia[i].X > 0) || !(inertia[i].Z > 0) {
				t.Fatalf("node %d of %d: %g kg, %v kg m², parts %+v", i, r.Elements, m, inertia[i], p.Parts)
			}
		}
	}
}

// Parts that do not make up the rod are refused with their reason.
func TestBadPartsAreRefused(t *testing.T) {
	for want, change := range map[string]func(p *rod.Params){
		"parts are 0.4 m long together":                   func(p *rod.Params) { p.Parts[1].Length = 0.1 },
		"no node between parts 1 and 2":                   func(p *rod.Params) { p.Nodes = []float64{0.31} },
		"part 1: area is 0":                               func(p *rod.Params) { p.Parts[0].Taper.Outer[1] = 0 },
		"part 2: inner radius is 0.008 m, must be from 0": func(p *rod.Params) { p.Parts[1].Taper.Inner[0] = 0.008 },
		"part 2: inner radius is -0.001 m":                func(p *rod.Params) { p.Parts[1].Taper.Inner[0] = -0.001 },
		"part 2: density is -1":                           func(p *rod.Params) { p.Parts[1].Material.Density = -1 },
		"part 1: precurvature":                            func(p *rod.Params) { p.Parts[0].Precurvature.X = math.NaN() },
		"part 1: length is 0":                             func(p *rod.Params) { p.Parts[0].Length = 0 },
	} {
		p := tapered(2, 10)
		change(&p)
		if _, err := rod.New(p); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v; want %s", err, want)
		}
	}
}
