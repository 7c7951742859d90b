package magnetics

import (
	"math"
	"testing"

	"sinew/pkg/sim/spatial"
)

// Tests of what has no exported name.

func rows(m []float64) spatial.Mat3 {
	return spatial.FromRows(spatial.VecAt(m), spatial.VecAt(m[3:]), spatial.VecAt(m[6:]))
}

// slopesNear compares slopes along the axes with H.
func slopesNear(t *testing.T, name string, slope func(a spatial.Vec) Gradient, h [27]float64, tolerance float64) {
	t.Helper()
	most := 0.0
	for _, x := range h {
		most = math.Max(most, math.Abs(x))
	}
	for k, a := range Axes {
		var want [9]float64
		for i := range want {
			want[i] = h[3*i+k]
		}
		NearMat(t, name, slope(a).Mat(), rows(want[:]), tolerance*most)
	}
}

// Fields, gradients and slopes of single sources against derivatives of 40 digits.
func TestKernelsOfSources(t *testing.T) {
	const (
		exact       = 1e-12 // of the golden file, of the largest entry
		exactCoil   = 1e-11
		differences = 1e-7
	)
	var golden Kernels
	Read(t, "magnetic_kernels.json", &golden)
	tested := 0
	for i := range golden.Kernels {
		g := &golden.Kernels[i]
		p := Vec(g.Point)
		switch g.Name {
		case "dipole_source":
			d := g.Dipole.Dipole()
			b, grad := d.At(p)
			NearVec(t, g.Name, b, Vec(g.B), exact*Vec(g.B).Norm())
			NearMat(t, g.Name, grad.Mat(), rows(g.G[:]), exact*grad.Norm())
			slopesNear(t, g.Name, func(a spatial.Vec) Gradient { return d.SlopeAlong(p, a) }, g.H, exact)
			tested++
		case "multipole_source_per_ampere":
			s := g.Source[0]
			m := multipole{position: Vec(s.Position), direction: Vec(s.Direction).Unit()}
			for n, a := range s.A {
				m.terms = append(m.terms, term{n: n + 1, power: n + 1, c: a})
			}
			for n, b := range s.B {
				m.terms = append(m.terms, term{n: n + 1, power: -n - 2, c: b})
			}
			c := &Coils{names: []string{"coil"}, coils: [][]multipole{{m}}}
			b, grad := c.At(p, []float64{1})
			NearVec(t, g.Name, b, Vec(g.BPer), exactCoil*Vec(g.BPer).Norm())
			NearMat(t, g.Name, grad.Mat(), rows(g.G[:]), exactCoil*grad.Norm())
			slopesNear(t, g.Name, func(a spatial.Vec) Gradient { return c.SlopeAlong(p, a, []float64{1}) }, g.H, differences)
			tested++
		}
	}
	if tested != 2 {
		t.Fatalf("%d kernels of sources in the golden file, want 2", tested)
	}
}
