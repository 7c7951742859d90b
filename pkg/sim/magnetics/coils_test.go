package magnetics_test

import (
	"fmt"
	"math"
	"testing"

	"sinew/pkg/sim/magnetics"
	"sinew/pkg/sim/spatial"
)

// calibration is a made-up system in the layout of ETH's MPEM files: a dipole, a
// coil with terms up to A_3 and B_3, and a constant field.
const calibration = `
System_Name: made_up
Coil_List: [North, East, Offset]
Workspace_Dimensions: [[-0.01, 0.01], [-0.02, 0.02], [-0.03, 0.03]]
North:
  Source_List: [Src_0]
  Src_0: {A_Coeff: ~, B_Coeff: [2.0e-7], Source_Direction: [0, 0, 2], Source_Position: [0, 0, 0.05]}
East:
  Source_List: [Src_0, Src_1]
  Src_1: {A_Coeff: [1.0e-3, 2.0e-2, -0.3], B_Coeff: ~, Source_Direction: [0.6, 0.8, 0], Source_Position: [0.02, 0.03, 0.01]}
  Src_0:
    A_Coeff: ~
    B_Coeff: [1.0e-7, -3.0e-9, 2.0e-11]
    Source_Direction: [1, 2, -2]
    Source_Position: [-0.04, 0.03, 0.02]
Offset:
  Source_List: [Src_0]
  Src_0: {A_Coeff: [-2.0e-5], B_Coeff: [], Source_Direction: [1, 0, 0], Source_Position: [1, 1, 1]}
`

func coils(t *testing.T) *magnetics.Coils {
	t.Helper()
	c, err := magnetics.ParseMPEM("made_up.yaml", []byte(calibration))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestParseMPEM(t *testing.T) {
	c := coils(t)
	if n := c.Names(); len(n) != 2 || n[0] != "North" || n[1] != "East" {
		t.Fatalf("coils %v", n)
	}
	if c.Upper != (spatial.Vec{X: 0.01, Y: 0.02, Z: 0.03}) || c.Lower != c.Upper.Neg() {
		t.Errorf("workspace %v to %v", c.Lower, c.Upper)
	}
	for _, k := range []struct {
		p    spatial.Vec
		want float64
	}{{spatial.Vec{Y: 0.015}, 0}, {spatial.Vec{X: 0.015}, 0.005}, {spatial.Vec{X: -0.013, Y: 0.024, Z: 0.01}, 0.005}} {
		if got := c.Outside(k.p); math.Abs(got-k.want) > 1e-15 {
			t.Errorf("%v is %g m outside of the workspace, want %g", k.p, got, k.want)
		}
	}
}

// Terms A of a source are polynomials in the position: field, gradient and slope at the place of the
// source are those a nanometre beside it, and the closed forms of the first three. They were NaN there.
func TestSourceAtItsOwnPlace(t *testing.T) {
	at := spatial.Vec{X: 0.01, Y: -0.02, Z: 0.03}
	d := spatial.Vec{X: 1, Y: 2, Z: -2}.Unit()
	for n, k := range []struct {
		coefficients string
		b            spatial.Vec // of the first two terms at the place of the source
		g            magnetics.Gradient
	}{
		{"[3.0e-3]", d.Scale(-3e-3), magnetics.Gradient{}},
		{"[0, 0.5]", spatial.Vec{}, magnetics.Gradient{XX: -1.5*d.X*d.X + 0.5, XY: -1.5 * d.X * d.Y, XZ: -1.5 * d.X * d.Z, YY: -1.5*d.Y*d.Y + 0.5, YZ: -1.5 * d.Y * d.Z}},
		{"[0, 0, 7]", spatial.Vec{}, magnetics.Gradient{}},
		{"[1, 2, 3, 4, 5]", d.Scale(-1), magnetics.Gradient{XX: 4 * (-1.5*d.X*d.X + 0.5), XY: -6 * d.X * d.Y, XZ: -6 * d.X * d.Z, YY: 4 * (-1.5*d.Y*d.Y + 0.5), YZ: -6 * d.Y * d.Z}},
	} {
		c, err := magnetics.ParseMPEM("f", fmt.Appendf(nil, "Coil_List: [C]\nC: {Source_List: [S], S: {A_Coeff: %s, Source_Direction: [1, 2, -2], Source_Position: [0.01, -0.02, 0.03]}}", k.coefficients))
		if err != nil {
			t.Fatal(err)
		}
		b, g := c.PerAmpere(0, at)
		magnetics.NearVec(t, "field of "+k.coefficients, b, k.b, 1e-15)
		magnetics.NearMat(t, "gradient of "+k.coefficients, g.Mat(), k.g.Mat(), 1e-14)
		beside := at.Add(spatial.Vec{X: 1e-9, Y: -2e-9})
		nb, ng := c.PerAmpere(0, beside)
		magnetics.NearVec(t, "field beside it", nb, b, 1e-7)
		magnetics.NearMat(t, "gradient beside it", ng.Mat(), g.Mat(), 1e-6)
		s, ns := c.SlopeAlong(at, spatial.Vec{Y: 1}, []float64{1}), c.SlopeAlong(beside, spatial.Vec{Y: 1}, []float64{1})
		magnetics.NearMat(t, fmt.Sprintf("slope of %d terms", n), s.Mat(), ns.Mat(), 1e-5)
	}
}

// The current that makes the largest field is taken in the middle of the workspace.
func TestMaxCurrent(t *testing.T) {
	c := coils(t)
	for i, name := range c.Names() {
		b, _ := c.PerAmpere(i, spatial.Vec{})
		if got, want := c.MaxCurrent(i), magnetics.MaxField/b.Norm(); math.Abs(got-want) > 1e-12*want {
			t.Errorf("coil %s: %g A, want %g", name, got, want)
		}
	}
}

// A source with B_1 alone is a dipole of moment 4π B_1/µ0; A_1 alone is a uniform
// field −A_1 along the direction.
func TestFirstTermsOfMPEM(t *testing.T) {
	c := coils(t)
	p := spatial.Vec{X: 0.003, Y: -0.004, Z: 0.006}
	d := magnetics.Dipole{Position: spatial.Vec{Z: 0.05}, Moment: spatial.Vec{Z: 4 * math.Pi * 2e-7 / magnetics.Mu0}}
	b, g := c.PerAmpere(0, p)
	wantB, wantG := d.At(p)
	magnetics.NearVec(t, "field", b, wantB, 1e-15*wantB.Norm())
	magnetics.NearMat(t, "gradient", g.Mat(), wantG.Mat(), 1e-14*wantG.Norm())

	b, g = c.At(p, []float64{0, 0})
	magnetics.NearVec(t, "offset", b, spatial.Vec{X: 2e-5}, 1e-20)
	near(t, "offset's gradient", g.Norm(), 0, 1e-18)
	b, g = c.At(p, []float64{3, 0})
	magnetics.NearVec(t, "3 A", b, wantB.Scale(3).Add(spatial.Vec{X: 2e-5}), 1e-15*wantB.Norm())
	magnetics.NearMat(t, "3 A", g.Mat(), wantG.Mat().Scale(3), 1e-13*wantG.Norm())
}

// Field and gradient of the whole expansion are −∇ψ and −∇∇ψ, with ψ written out from
// the explicit Legendre polynomials and differentiated numerically.
func TestExpansionOfMPEM(t *testing.T) {
	c := coils(t)
	potential := func(p spatial.Vec) float64 {
		part := func(pos, dir spatial.Vec, a, b [3]float64) float64 {
			x := p.Sub(pos)
			r := x.Norm()
			u := x.Dot(dir.Unit()) / r
			legendre := [3]float64{u, (3*u*u - 1) / 2, (5*u*u*u - 3*u) / 2}
			sum := 0.0
			for i, l := range legendre {
				n := float64(i + 1)
				sum += (a[i]*math.Pow(r, n) + b[i]*math.Pow(r, -n-1)) * l
			}
			return sum
		}
		return part(spatial.Vec{X: -0.04, Y: 0.03, Z: 0.02}, spatial.Vec{X: 1, Y: 2, Z: -2}, [3]float64{}, [3]float64{1e-7, -3e-9, 2e-11}) +
			part(spatial.Vec{X: 0.02, Y: 0.03, Z: 0.01}, spatial.Vec{X: 0.6, Y: 0.8}, [3]float64{1e-3, 2e-2, -0.3}, [3]float64{})
	}
	for _, p := range []spatial.Vec{{}, {X: 0.005, Y: -0.003, Z: 0.004}, {X: -0.008, Y: 0.009, Z: -0.01}} {
		b, g := c.PerAmpere(1, p)
		slope := derivative(func(q spatial.Vec) spatial.Vec { return spatial.Vec{X: potential(q)} }, p, 1e-4)
		magnetics.NearVec(t, "field", b, spatial.Vec{X: -slope.XX, Y: -slope.XY, Z: -slope.XZ}, 1e-9*b.Norm())
		want := derivative(func(q spatial.Vec) spatial.Vec { b, _ := c.PerAmpere(1, q); return b }, p, 1e-4)
		magnetics.NearMat(t, "gradient", g.Mat(), want, 1e-8*g.Norm())
		if _, err := magnetics.NewGradient(want); err != nil {
			t.Errorf("the field is not free of sources at %v: %v", p, err)
		}
	}
}

func TestMPEMMistakes(t *testing.T) {
	source := func(s string) string { return "Coil_List: [C]\nC:\n  Source_List: [S]\n  S: {" + s + "}\n" }
	for _, k := range []struct {
		text  string
		words []string
	}{
		{"a: [", []string{"made_up.yaml", "line 1"}},
		{"rod: {length_m: 1}", []string{"Coil_List is missing"}},
		{"Coil_List: [C]", []string{"C is in Coil_List but not in the file"}},
		{"Coil_List: [C]\nC: 3", []string{":2: ", "C"}},
		{"Coil_List: [C]\nC: {}", []string{":2: ", "Source_List is missing"}},
		{"Coil_List: [C]\nC: {Source_List: [S]}", []string{"source S is in Source_List"}},
		{"Coil_List: [C, C]\nC: {Source_List: [S]}", []string{"names C twice"}},
		{source("B_Coeff: [1], Source_Direction: [0, 0, 1], Source_Position: [0, 0]"), []string{":4: ", "C, S", "Source_Position = [0 0]", "3 finite"}},
		{source("B_Coeff: [1], Source_Direction: [0, 0, 0], Source_Position: [0, 0, 1]"), []string{"Source_Direction", "no direction"}},
		{source("B_Coeff: [.nan], Source_Direction: [0, 0, 1], Source_Position: [0, 0, 1]"), []string{"B_Coeff", "finite"}},
		{source("Source_Direction: [0, 0, 1], Source_Position: [0, 0, 1]"), []string{"neither A_Coeff nor B_Coeff"}},
		{source("B_Coeff: [one], Source_Direction: [0, 0, 1], Source_Position: [0, 0, 1]"), []string{":4: ", "one"}},
		{"Workspace_Dimensions: [[1, 0]]\n" + source("B_Coeff: [1], Source_Direction: [0, 0, 1], Source_Position: [0, 0, 1]"), []string{"Workspace_Dimensions", "xmin"}},
	} {
		_, err := magnetics.ParseMPEM("made_up.yaml", []byte(k.text))
		refused(t, k.text, err, k.words...)
	}
}

func FuzzParseMPEM(f *testing.F) {
	f.Add([]byte(calibration))
	f.Add([]byte("Coil_List: [C]\nC: {Source_List: [S]}"))
	f.Fuzz(func(t *testing.T, data []byte) {
		c, err := magnetics.ParseMPEM("fuzz", data)
		if err == nil {
			c.At(spatial.Vec{X: 1, Y: 2, Z: 3}, make([]float64, len(c.Names())))
		}
	})
}

// I' = (target − I)/τ: 63.2 % after τ, in one step or in ten.
func TestLag(t *testing.T) {
	const tau = 2e-3
	near(t, "one step", magnetics.Lag(1, 3, tau, tau), 3-2/math.E, 1e-15)
	i := 1.0
	for range 10 {
		i = magnetics.Lag(i, 3, tau/10, tau)
	}
	near(t, "ten steps", i, 3-2/math.E, 1e-14)
	near(t, "no lag", magnetics.Lag(1, 3, tau, 0), 3, 0)
}

func TestFieldDoesNotAllocate(t *testing.T) {
	f := magnetics.Field{
		Linear: magnetics.Linear{B: spatial.Vec{X: 1e-3}, G: magnetics.Gradient{XX: 0.1}},
		Coils:  coils(t), Dipoles: []magnetics.Dipole{{Position: spatial.Vec{Z: 0.1}, Moment: spatial.Vec{X: 1}}},
	}
	currents := []float64{1, -2}
	var sum spatial.Vec
	if n := testing.AllocsPerRun(100, func() { b, _ := f.At(sum, currents); sum = sum.Add(b) }); n != 0 {
		t.Errorf("%g allocations", n)
	}
}

func BenchmarkRotating(b *testing.B) {
	r, _ := magnetics.NewRotating(spatial.Vec{Z: 1}, 1e-3, 5, 0)
	var sum spatial.Vec
	for i := 0; i < b.N; i++ {
		sum = sum.Add(r.At(sum.X))
	}
}

func BenchmarkDipole(b *testing.B) {
	d := magnetics.Dipole{Moment: spatial.Vec{X: 1}, Position: spatial.Vec{Z: 1}}
	var sum spatial.Vec
	for i := 0; i < b.N; i++ {
		v, _ := d.At(sum)
		sum = sum.Add(v)
	}
}
