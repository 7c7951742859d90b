package rod

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// Nodes that equal elements have anyhow leave them equal, to the last bit.
func TestMeshStaysEqual(t *testing.T) {
	want := NewMesh(0.25, 50, nil)
	var disks []float64
	for i := range 7 {
		disks = append(disks, 0.005+float64(i)*0.24/6)
	}
	got := NewMesh(0.25, 50, disks)
	if !slices.Equal(got.Lengths, want.Lengths) || !slices.Equal(got.ArcLengths, want.ArcLengths) || got.Lengths[0] != 0.25/50 {
		t.Errorf("elements of %g m", got.Lengths)
	}
	if want.ArcLengths[50] != 0.25 || want.Shortest() != 0.005 {
		t.Errorf("%+v", want)
	}
}

// Between nodes that are given, elements are such that none could be shorter but by making
// another one longer.
func TestMeshIsAsEvenAsCanBe(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 5))
	for range 300 {
		at := make([]float64, 1+r.IntN(12))
		for i := range at {
			at[i] = 0.01 + 0.98*r.Float64()
		}
		slices.Sort(at)
		elements := 1 + r.IntN(40)
		m := NewMesh(1, elements, at)
		if n := len(m.Lengths); n != max(elements, len(at)+1) || len(m.ArcLengths) != n+1 {
			t.Fatalf("%d elements, want %d in %d gaps", n, elements, len(at)+1)
		}
		ends, longest, shortened := append(at, 1), 0.0, math.Inf(1)
		e, start := 0, 0.0
		for _, end := range ends {
			n := 0
			for e < len(m.Lengths) && m.ArcLengths[e+1] <= end {
				if l := m.ArcLengths[e+1] - m.ArcLengths[e]; math.Abs(l-m.Lengths[e]) > 1e-15 {
					t.Fatalf("element %d is %g m long, not %g", e, l, m.Lengths[e])
				}
				e, n = e+1, n+1
			}
			if n == 0 || m.ArcLengths[e] != end {
				t.Fatalf("no node at %g m: %g", end, m.ArcLengths)
			}
			longest = max(longest, (end-start)/float64(n))
			if n > 1 {
				shortened = min(shortened, (end-start)/float64(n-1)) // with one element fewer
			}
			start = end
		}
		if shortened < longest*(1-1e-9) {
			t.Fatalf("elements of %g m where %g would do", longest, shortened)
		}
	}
}

func TestPlacesOnUnequalElements(t *testing.T) {
	m := NewMesh(1, 4, []float64{0.1, 0.4})
	if want := []float64{0, 0.1, 0.4, 0.7, 1}; !slices.Equal(m.ArcLengths, want) || m.Shortest() != 0.1 {
		t.Fatalf("nodes at %g, want %g", m.ArcLengths, want)
	}
	for _, c := range []struct {
		s       float64
		node, e int
		share   float64
	}{
		{-1, 0, 0, 0}, {0, 0, 0, 0}, {0.04, 0, 0, 0.4}, {0.06, 1, 0, 0.6}, {0.1, 1, 1, 0}, {0.24, 1, 1, 7. / 15},
		{0.26, 2, 1, 8. / 15}, {0.84, 3, 3, 7. / 15}, {0.86, 4, 3, 8. / 15}, {1, 4, 3, 1}, {2, 4, 3, 1},
	} {
		e, share := m.At(c.s)
		if n := m.Node(c.s); n != c.node || e != c.e || math.Abs(share-c.share) > 1e-12 {
			t.Errorf("%g m: node %d, %g of element %d; want node %d, %g of element %d", c.s, n, share, e, c.node, c.share, c.e)
		}
	}
	for i, want := range []float64{0.05, 0.2, 0.3, 0.3, 0.15} {
		if got := m.Tributary()[i]; math.Abs(got-want) > 1e-15 {
			t.Errorf("%g m of rod belong to node %d, want %g", got, i, want)
		}
	}
}

func TestBadNodesAreRefused(t *testing.T) {
	for _, nodes := range [][]float64{{0}, {-0.1}, {2}, {0.5, 0.5}, {0.7, 0.5}, {math.NaN()}} {
		p := good()
		p.Nodes = nodes
		if _, err := New(p); err == nil {
			t.Errorf("nodes at %g m of a rod of %g m were accepted", nodes, p.Length)
		}
	}
	p := good()
	p.Nodes = []float64{0.5, 1.75}
	r, err := New(p)
	if err != nil || r.Elements != 3 {
		t.Fatalf("%v: %d elements, want 3", err, r.Elements)
	}
	if m, want := r.NodeMasses(), []float64{2.5, 8.75, 7.5, 1.25}; math.Abs(m[0]-want[0]) > 1e-12 || math.Abs(m[1]-want[1]) > 1e-12 || math.Abs(m[2]-want[2]) > 1e-12 || math.Abs(m[3]-want[3]) > 1e-12 {
		t.Errorf("masses %g kg, want %g", m, want)
	}
}
