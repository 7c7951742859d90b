package stokes_test

import (
	"testing"

	"gonum.org/v1/gonum/mat"

	"sinew/pkg/sim/spatial"
	"sinew/pkg/sim/stokes"
)

// The mobility that AddInteraction is the product with is symmetric and positive
// definite: more spheres than a tile holds, overlapping and not.
func TestAssembledMobility(t *testing.T) {
	for _, box := range []float64{1, 5, 100} {
		s, x, loads := stokes.SwarmOf(t, 70, box)
		n := 6 * s.Len()
		m := mat.NewDense(n, n, nil)
		got := make([]spatial.Twist, s.Len())
		for k := range n {
			clear(loads)
			var unit [6]float64
			unit[k%6] = 1
			loads[k/6] = spatial.Wrench{Force: spatial.VecAt(unit[:]), Moment: spatial.VecAt(unit[3:])}
			s.Motions(got, x, loads)
			m.SetCol(k, stokes.FlatT(got))
		}
		stokes.Near(t, "transposed", mat.DenseCopyOf(m.T()).RawMatrix().Data, m.RawMatrix().Data, 1e-16)
		sym := mat.NewSymDense(n, nil)
		for i := range n {
			for j := range i + 1 {
				sym.SetSym(i, j, m.At(i, j))
			}
		}
		var e mat.EigenSym
		if !e.Factorize(sym, false) || e.Values(nil)[0] <= 0 {
			t.Errorf("box %g: eigenvalues from %g", box, e.Values(nil)[0])
		}
	}
}
