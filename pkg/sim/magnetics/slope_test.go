package magnetics

import (
	"math"
	"testing"

	"sinew/pkg/sim/spatial"
)

// kernels are those of the golden file of magnetic rods.
type kernels struct {
	Kernels []struct {
		Name  string
		Field struct {
			Uniform  [3]float64 `json:"uniform_t"`
			Gradient [5]float64 `json:"gradient_t_per_m"`
			Center   [3]float64 `json:"gradient_center_m"`
			Dipoles  []goldenDipole
		}
		Dipole goldenDipole
		Source []struct {
			Position  [3]float64 `json:"position_m"`
			Direction [3]float64
			A         []float64 `json:"a_coeff"`
			B         []float64 `json:"b_coeff"`
		}
		Point  [3]float64  `json:"point_m"`
		B      [3]float64  `json:"B_t"`
		BPer   [3]float64  `json:"B_t_per_a"`
		G      [9]float64  `json:"G_row_major"`
		H      [27]float64 `json:"H_ijk_row_major"`
		Turn   [3]float64  `json:"rotation_vector"`
		At     [3]float64  `json:"position_m"`
		Moment [3]float64  `json:"moment_a_m2"`
		Energy float64     `json:"energy_j"`
		Wrench [6]float64  `json:"wrench_body"`
		K      [36]float64 `json:"K_row_major"`
	}
}

type goldenDipole struct {
	Position [3]float64 `json:"position_m"`
	Moment   [3]float64 `json:"moment_a_m2"`
}

func (d goldenDipole) dipole() Dipole {
	return Dipole{Position: vec(d.Position), Moment: vec(d.Moment)}
}

func rows(m []float64) spatial.Mat3 {
	return spatial.FromRows(spatial.VecAt(m), spatial.VecAt(m[3:]), spatial.VecAt(m[6:]))
}

// axes are the unit vectors.
var axes = [3]spatial.Vec{{X: 1}, {Y: 1}, {Z: 1}}

// slopesNear compares slopes along the axes with H.
func slopesNear(t *testing.T, name string, slope func(a spatial.Vec) Gradient, h [27]float64, tolerance float64) {
	t.Helper()
	most := 0.0
	for _, x := range h {
		most = math.Max(most, math.Abs(x))
	}
	for k, a := range axes {
		var want [9]float64
		for i := range want {
			want[i] = h[3*i+k]
		}
		nearMat(t, name, slope(a).Mat(), rows(want[:]), tolerance*most)
	}
}

// Fields, gradients and slopes of single sources against derivatives of 40 digits.
func TestKernelsOfSources(t *testing.T) {
	const (
		exact       = 1e-12 // of the golden file, of the largest entry
		exactCoil   = 1e-11
		differences = 1e-7
	)
	var golden kernels
	read(t, "magnetic_kernels.json", &golden)
	tested := 0
	for i := range golden.Kernels {
		g := &golden.Kernels[i]
		p := vec(g.Point)
		switch g.Name {
		case "dipole_source":
			d := g.Dipole.dipole()
			b, grad := d.At(p)
			nearVec(t, g.Name, b, vec(g.B), exact*vec(g.B).Norm())
			nearMat(t, g.Name, grad.Mat(), rows(g.G[:]), exact*grad.Norm())
			slopesNear(t, g.Name, func(a spatial.Vec) Gradient { return d.SlopeAlong(p, a) }, g.H, exact)
			tested++
		case "multipole_source_per_ampere":
			s := g.Source[0]
			m := multipole{position: vec(s.Position), direction: vec(s.Direction).Unit()}
			for n, a := range s.A {
				m.terms = append(m.terms, term{n: n + 1, power: n + 1, c: a})
			}
			for n, b := range s.B {
				m.terms = append(m.terms, term{n: n + 1, power: -n - 2, c: b})
			}
			c := &Coils{names: []string{"coil"}, coils: [][]multipole{{m}}}
			b, grad := c.At(p, []float64{1})
			nearVec(t, g.Name, b, vec(g.BPer), exactCoil*vec(g.BPer).Norm())
			nearMat(t, g.Name, grad.Mat(), rows(g.G[:]), exactCoil*grad.Norm())
			slopesNear(t, g.Name, func(a spatial.Vec) Gradient { return c.SlopeAlong(p, a, []float64{1}) }, g.H, differences)
			tested++
		}
	}
	if tested != 2 {
		t.Fatalf("%d kernels of sources in the golden file, want 2", tested)
	}
}

// The slope of a field of all kinds of sources is the difference of its gradient, along any
// direction and in proportion to the way.
func TestSlopeIsDifferenceOfGradient(t *testing.T) {
	const h = 1e-6 // m
	f := Field{
		Linear:  Linear{B: spatial.Vec{X: 1e-3}, G: Gradient{XX: 0.1, YZ: -0.2}},
		Dipoles: []Dipole{{Position: spatial.Vec{X: 0.05, Z: 0.1}, Moment: spatial.Vec{X: 3, Y: -2, Z: 5}}, {Position: spatial.Vec{Y: -0.1}, Moment: spatial.Vec{Y: 4}}},
		Coils:   coils(t),
	}
	p, currents := spatial.Vec{X: 0.004, Y: -0.006, Z: 0.003}, []float64{3, -2}
	for _, a := range append(axes[:], spatial.Vec{X: 0.3, Y: -0.7, Z: 2}) {
		_, ahead := f.At(p.AddScaled(h, a), currents)
		_, behind := f.At(p.AddScaled(-h, a), currents)
		want := ahead.AddScaled(-1, behind).Mat().Scale(1 / (2 * h))
		got := f.SlopeAlong(p, a, currents)
		nearMat(t, "slope", got.Mat(), want, 1e-7*got.Norm())
	}
	if s := f.SlopeAlong(p, spatial.Vec{}, currents); s != (Gradient{}) {
		t.Errorf("slope along no way %v", s)
	}
	if n := testing.AllocsPerRun(100, func() { f.SlopeAlong(p, axes[0], currents) }); n != 0 {
		t.Errorf("%v allocations per slope", n)
	}
}
