package rod

import (
	"math"
	"testing"
)

// Tests of what has no exported name.

// A refined mesh has the nodes of the coarse one, and between them elements of equal length.
func TestRefine(t *testing.T) {
	for _, nodes := range [][]float64{nil, {0.3, 1.1}} {
		p := Good()
		p.Elements, p.Nodes = 5, nodes
		coarse, err := New(p)
		if err != nil {
			t.Fatal(err)
		}
		p.Refine = 4
		fine, err := New(p)
		if err != nil || fine.Elements != 4*coarse.Elements {
			t.Fatalf("%d elements of %d, %v", fine.Elements, coarse.Elements, err)
		}
		for i, s := range coarse.ArcLengths {
			if math.Abs(fine.ArcLengths[4*i]-s) > 1e-15 {
				t.Errorf("nodes %v: node %d at %g m, want %g", nodes, 4*i, fine.ArcLengths[4*i], s)
			}
		}
		for e, l := range fine.Lengths {
			if math.Abs(l-coarse.Lengths[e/4]/4) > 1e-15 || math.Abs(fine.ArcLengths[e+1]-fine.ArcLengths[e]-l) > 1e-15 {
				t.Errorf("nodes %v: element %d of %g m", nodes, e, l)
			}
		}
		if even := fine.Mesh.uniformLength > 0; even != (nodes == nil) {
			t.Errorf("nodes %v: even %t", nodes, even)
		}
	}
}
