package rod_test

import (
	"math"
	"reflect"
	"testing"

	"sinew/pkg/sim/rod"
)

// A refined mesh has the nodes of the coarse one, and between them elements of equal length.
func TestRefine(t *testing.T) {
	for _, nodes := range [][]float64{nil, {0.3, 1.1}} {
		p := good()
		p.Elements, p.Nodes = 5, nodes
		coarse, err := rod.New(p)
		if err != nil {
			t.Fatal(err)
		}
		p.Refine = 4
		fine, err := rod.New(p)
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
		if equal := rod.NewMesh(p.Length, fine.Elements, nil); nodes == nil && !reflect.DeepEqual(fine.Mesh, equal) {
			t.Errorf("the refined mesh %v is not that of equal elements, %v", fine.Mesh, equal)
		}
	}
}
