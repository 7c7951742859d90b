package rod_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"sinew/pkg/sim/rod"
)

// Given nodes that are in a uniform mesh keep it uniform, to the last bit.
func TestMeshStaysEqual(t *testing.T) {
	want := rod.NewMesh(0.25, 50, nil)
	var disks []float64
	for i := range 7 {
		disks = append(disks, 0.005+float64(i)*0.24/6)
	}
	got := rod.NewMesh(0.25, 50, disks)
	if !slices.Equal(got.Lengths, want.Lengths) || !slices.Equal(got.ArcLengths, want.ArcLengths) || got.Lengths[0] != 0.25/50 {
		t.Errorf("elements of %g m", got.Lengths)
	}
	if want.ArcLengths[50] != 0.25 || want.MinElementLength() != 0.005 {
		t.Errorf("%+v", want)
	}
}

// Between given nodes, no element can be shortened without another one becoming longer.
func TestMeshIsAsEvenAsCanBe(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 5))
	for range 300 {
		at := make([]float64, 1+r.IntN(12))
		for i := range at {
			at[i] = 0.01 + 0.98*r.Float64()
		}
		slices.Sort(at)
		elements := 1 + r.IntN(40)
		m := rod.NewMesh(1, elements, at)
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
	m := rod.NewMesh(1, 4, []float64{0.1, 0.4})
	if want := []float64{0, 0.1, 0.4, 0.7, 1}; !slices.Equal(m.ArcLengths, want) || m.MinElementLength() != 0.1 {
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
		e, share := m.ElementAt(c.s)
		if n := m.NearestNode(c.s); n != c.node || e != c.e || math.Abs(share-c.share) > 1e-12 {
			t.Errorf("%g m: node %d, %g of element %d; want node %d, %g of element %d", c.s, n, share, e, c.node, c.share, c.e)
		}
	}
	for i, want := range []float64{0.05, 0.2, 0.3, 0.3, 0.15} {
		if got := weights(t, m, 2)[i]; math.Abs(got-want) > 1e-15 {
			t.Errorf("%g m of rod belong to node %d, want %g", got, i, want)
		}
	}
}

func TestBadNodesAreRefused(t *testing.T) {
	for _, nodes := range [][]float64{{0}, {-0.1}, {2}, {0.5, 0.5}, {0.7, 0.5}, {math.NaN()}} {
		p := good()
		p.Nodes = nodes
		if _, err := rod.New(p); err == nil {
			t.Errorf("nodes at %g m of a rod of %g m were accepted", nodes, p.Length)
		}
	}
	p := good()
	p.Nodes = []float64{0.5, 1.75}
	r, err := rod.New(p)
	if err != nil || r.Elements != 3 {
		t.Fatalf("%v: %d elements, want 3", err, r.Elements)
	}
	if m, want := r.NodeMasses(), []float64{2.5, 8.75, 7.5, 1.25}; math.Abs(m[0]-want[0]) > 1e-12 || math.Abs(m[1]-want[1]) > 1e-12 || math.Abs(m[2]-want[2]) > 1e-12 || math.Abs(m[3]-want[3]) > 1e-12 {
		t.Errorf("masses %g kg, want %g", m, want)
	}
}

// The weights of order 4 are Simpson's for two equal elements and Gregory's for many. Their sum is
// the length, and integrals of smooth functions over slowly growing elements converge with order 4.
func TestWeights(t *testing.T) {
	for n, want := range map[int][]float64{
		1: {0.5, 0.5},
		2: {1. / 3, 4. / 3, 1. / 3},
		5: {3. / 8, 7. / 6, 23. / 24, 23. / 24, 7. / 6, 3. / 8},
		7: {3. / 8, 7. / 6, 23. / 24, 1, 1, 23. / 24, 7. / 6, 3. / 8},
	} {
		for i, w := range weights(t, rod.NewMesh(float64(n), n, nil), 4) {
			if !(math.Abs(w-want[i]) < 1e-14) {
				t.Errorf("%d elements, node %d: %g, want %g", n, i, w, want[i])
			}
		}
	}
	before := 0.0
	for _, n := range []int{16, 32, 64, 128} {
		m := rod.Mesh{ArcLengths: []float64{0}}
		for i := 1; i <= n; i++ { // elements that grow towards the middle
			x := float64(i) / float64(n)
			m.ArcLengths = append(m.ArcLengths, x-math.Sin(2*math.Pi*x)/16)
			m.Lengths = append(m.Lengths, m.ArcLengths[i]-m.ArcLengths[i-1])
		}
		sum := 0.0
		for i, w := range weights(t, m, 4) {
			sum += w * math.Exp(2*m.ArcLengths[i])
		}
		miss := math.Abs(sum - (math.Exp(2)-1)/2)
		if order := math.Log2(before / miss); before > 0 && !(order > 3.7) {
			t.Errorf("%d elements: off by %g, order %.2f", n, miss, order)
		}
		before = miss
	}
}

// No weight is negative for any elements, and linear functions are integrated exactly.
func TestWeightsArePositive(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 5))
	for range 2000 {
		at := make([]float64, r.IntN(8))
		for i := range at {
			at[i] = 0.001 + 0.998*r.Float64()
		}
		slices.Sort(at)
		m := rod.NewMesh(1, 1+r.IntN(30), at)
		sum, moment, least := 0.0, 0.0, 1.0
		half := weights(t, m, 2)
		for i, w := range weights(t, m, 4) {
			sum += w
			moment += w * m.ArcLengths[i]
			least = min(least, w/half[i])
		}
		if !(math.Abs(sum-1) < 1e-13) || !(math.Abs(moment-0.5) < 1e-13) || !(least > 0) {
			t.Fatalf("nodes %v: sum %g, moment %g, least %g of the trapezoidal rule's", m.ArcLengths, sum, moment, least)
		}
	}
}
