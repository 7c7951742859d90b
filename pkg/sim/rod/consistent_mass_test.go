package rod_test

import (
	"math"
	"testing"

	"sinew/pkg/sim/rod"
)

// The matrix of a uniform element is that of the cubic beam element.
func TestConsistentMassOfUniformElement(t *testing.T) {
	p := good()
	p.Order, p.Nodes = 4, []float64{0.5}
	r, err := rod.New(p)
	if err != nil {
		t.Fatal(err)
	}
	for e, l := range []float64{0.5, 1.5} {
		m, mass := r.ConsistentMass(e), 1000*0.01*l
		want := rod.ConsistentMass{
			{156, 22 * l, 54, -13 * l},
			{22 * l, 4 * l * l, 13 * l, -3 * l * l},
			{54, 13 * l, 156, -22 * l},
			{-13 * l, -3 * l * l, -22 * l, 4 * l * l},
		}
		for i := range m {
			for j := range m {
				if want := want[i][j] * mass / 420; !(math.Abs(m[i][j]-want) < 1e-13*mass) {
					t.Errorf("element %d: entry %d, %d is %g, want %g", e, i, j, m[i][j], want)
				}
			}
		}
	}
}

// The loads of tapered elements have the mass and the first moment of the rod, and do the work of the
// mass on a cubic.
func TestConsistentLoadOfTaperedElements(t *testing.T) {
	for _, elements := range []int{2, 3, 7} {
		r, err := rod.New(tapered(4, elements))
		if err != nil {
			t.Fatal(err)
		}
		fine, err := rod.New(tapered(4, 16*elements))
		if err != nil {
			t.Fatal(err)
		}
		integrals := func(r *rod.Rod) (sum [4]float64) {
			for e := range r.Lengths {
				m := r.ConsistentMass(e)
				mass, moment := m.Load()
				for k := range 2 {
					s := r.ArcLengths[e+k]
					for n := range sum {
						sum[n] += mass[k]*math.Pow(s, float64(n)) + moment[k]*float64(n)*math.Pow(s, float64(max(n-1, 0)))
					}
				}
			}
			return sum
		}
		got, want := integrals(r), integrals(fine)
		for n := range got {
			if !(math.Abs(got[n]/want[n]-1) < 1e-12) {
				t.Errorf("%d elements: moment %d is %.15g, with shorter elements %.15g", elements, n, got[n], want[n])
			}
		}
	}
}
