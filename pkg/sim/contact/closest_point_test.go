package contact

import (
	"math"
	"testing"

	"sinew/pkg/sim/shape"
)

// TestClosestPointsBesideThinWalls presses thin wires across a thin rod of long elements, and
// checks that it touches at the closest point. Far from there the gap is nearly linear, and its
// derivatives hardly locate the point.
func TestClosestPointsBesideThinWalls(t *testing.T) {
	const radius, wire, deep = 5e-5, 2e-5, 1e-6
	r, s := bentRod(t, 4, 0.2)
	touching := 0
	for i := range 300 {
		e, x := i%3, float64(i/3)/100
		from, to := hermiteNodeOf(s, e), hermiteNodeOf(s, e+1)
		a, b := hermiteWeights(x, 0.01)
		d1, d2 := hermiteSlopes(x, 0.01)
		along := interpolate(d1, d2, &from, &to).Unit()
		aside := along.Perpendicular()
		across := along.Cross(aside)
		middle := interpolate(a, b, &from, &to).AddScaled(radius+wire-deep, aside)
		bar, err := shape.NewCapsule(middle.AddScaled(-0.01, across), middle.AddScaled(0.01, across), wire)
		if err != nil {
			t.Fatal(err)
		}
		c := New(r, Options{Walls: []Wall{{"bar", bar, 0}}, Radius: func(float64) float64 { return radius }})
		c.Reset(s)
		for k := range c.wallContacts {
			want := nearestBySearch(s, c, k)
			if want > c.Points[k].ActivationGap {
				continue
			}
			if want < -deep/2 {
				touching++
			}
			if got := c.wallContacts[k].gap; math.Abs(got-want) > 1e-9 {
				t.Errorf("wire at %.2g of element %d: contact point %d has the gap %.3g m, want %.3g", x, e, k, got, want)
			}
		}
	}
	if touching < 250 {
		t.Errorf("the rod touches wires %d times: too few", touching)
	}
}
