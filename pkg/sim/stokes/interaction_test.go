package stokes

import (
	"testing"

	"gonum.org/v1/gonum/mat"

	"sinew/pkg/sim/spatial"
)

// The sums over tiles are those of the definition, every sphere with every other by
// itself: of any number of spheres, in any number of parts.
func TestInteractionIsThatOfEveryPair(t *testing.T) {
	for _, n := range []int{1, 2, 3, 4, 5, 63, 64, 65, 150, 200} {
		for _, box := range []float64{3, 100} {
			s, x, loads := swarmOf(t, n, box)
			want := make([]spatial.Twist, n)
			for i := range x {
				want[i] = s.Alone(i, loads[i])
				for j := range x {
					if r := x[i].Sub(x[j]); i != j {
						p := newPair(r.Norm2(), s.radii[i], s.radii[j]).times(s.scale)
						want[i] = p.add(want[i], r, &loads[j])
					}
				}
			}
			for _, parts := range []int{1, 3, 4, 7} {
				got := make([]spatial.Twist, n)
				for i := range got {
					got[i] = s.Alone(i, loads[i])
				}
				for part := range parts {
					s.AddInteraction(got, x, loads, part, parts)
				}
				near(t, "motions", flatT(got), flatT(want), 1e-14)
			}
		}
	}
}

// The mobility that AddInteraction is the product with is symmetric and positive
// definite: more spheres than a tile holds, overlapping and not.
func TestAssembledMobility(t *testing.T) {
	for _, box := range []float64{1, 5, 100} {
		s, x, loads := swarmOf(t, 70, box)
		n := 6 * s.Len()
		m := mat.NewDense(n, n, nil)
		got := make([]spatial.Twist, s.Len())
		for k := range n {
			clear(loads)
			var unit [6]float64
			unit[k%6] = 1
			loads[k/6] = spatial.Wrench{Force: spatial.VecAt(unit[:]), Moment: spatial.VecAt(unit[3:])}
			s.Motions(got, x, loads)
			m.SetCol(k, flatT(got))
		}
		near(t, "transposed", mat.DenseCopyOf(m.T()).RawMatrix().Data, m.RawMatrix().Data, 1e-16)
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
