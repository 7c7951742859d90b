package tendon_test

import (
	"errors"
	"math"
	"slices"
	"testing"

	"sinew/pkg/sim/rod"
	"sinew/pkg/sim/spatial"
	"sinew/pkg/sim/tendon"
)

// even returns count arc lengths from node first to node last, computed as in a robot file.
func even(r *rod.Rod, count, first, last int) []float64 {
	a, b := float64(first)*r.ElementLength, float64(last)*r.ElementLength
	s := make([]float64, count)
	for i := range s {
		s[i] = a + float64(i)*(b-a)/float64(count-1)
	}
	return s
}

// The nodes are those of TendonForces on PyElastica 0.3.2.
func TestDisksAreAtTheNodesOfTendonForces(t *testing.T) {
	for _, c := range []struct {
		elements, first, last int
		want                  []int
	}{
		{100, 2, 98, []int{2, 21, 40, 60, 79, 98}},
		{100, 2, 50, []int{2, 5, 9, 12, 16, 19, 23, 26, 29, 33, 36, 40, 43, 47, 50}},
		{100, 2, 30, []int{2, 5, 8, 11, 14, 18, 21, 24, 27, 30}},
		{20, 2, 12, []int{2, 4, 7, 10, 12}},
		{20, 1, 10, []int{1, 4, 7, 10}},
		{20, 2, 18, []int{2, 7, 13, 18}},
		{20, 2, 10, []int{2, 4, 6, 8, 10}},
	} {
		r := tendon.Rod(t, c.elements)
		route, err := tendon.NewRoute(r, even(r, len(c.want), c.first, c.last), tendon.Holes{Offset: [2]float64{0.01, 0}})
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(route.Nodes, c.want) {
			t.Errorf("%d disks from %d to %d: nodes %v, want %v", len(c.want), c.first, c.last, route.Nodes, c.want)
		}
	}
}

// Decimal positions half-way between nodes round to even.
func TestHalfWayRoundsToEven(t *testing.T) {
	r := tendon.Rod(t, 20)
	for s, want := range map[float64]int{0.01875: 2, 0.03125: 2, 0.04375: 4, 0.0375: 3, 0.25: 20, 0.0187501: 2, 0.03125001: 3, 0.0312499: 2} {
		if got := r.NearestNode(s); got != want {
			t.Errorf("%g m: node %d, want %d", s, got, want)
		}
	}
}

func TestHolesOfAHelixTurnFromD1ToD2(t *testing.T) {
	r := tendon.Rod(t, 20)
	route, err := tendon.NewRoute(r, []float64{0.05, 0.1}, tendon.Holes{Offset: [2]float64{0.01, 0}, Twist: 5 * math.Pi})
	if err != nil {
		t.Fatal(err)
	}
	c := 0.01 * math.Sqrt2 / 2
	for i, want := range []spatial.Vec{{X: c, Y: c}, {Y: 0.01}} {
		if d := route.Holes[i].Sub(want).Norm(); d > 1e-15 {
			t.Errorf("hole %d at %v, want %v", i, route.Holes[i], want)
		}
	}
	if route.Base != (spatial.Vec{X: 0.01}) {
		t.Errorf("hole of the base plate at %v", route.Base)
	}
}

func TestFirstDiskOnTheBasePlate(t *testing.T) {
	r := tendon.Rod(t, 20)
	h := tendon.Holes{Offset: [2]float64{0.01, 0}}
	on, err := tendon.NewRoute(r, []float64{0.001, 0.1, 0.2}, h)
	if err != nil {
		t.Fatal(err)
	}
	without, err := tendon.NewRoute(r, []float64{0.1, 0.2}, h)
	if err != nil {
		t.Fatal(err)
	}
	if !on.OnBase || without.OnBase {
		t.Errorf("on the base: %v and %v", on.OnBase, without.OnBase)
	}
	if !slices.Equal(on.Nodes, without.Nodes) || !slices.Equal(on.Holes, without.Holes) || on.Base != without.Base {
		t.Errorf("the route through the base plate %+v, without that disk %+v", on, without)
	}
}

func TestBadRoutes(t *testing.T) {
	r := tendon.Rod(t, 20)
	for name, s := range map[string][]float64{
		"no disks":          {},
		"twice at the base": {0.001, 0.002, 0.1},
		"negative":          {-0.1, 0.1},
		"beyond the end":    {0.1, 0.27},
		"same node":         {0.1, 0.1001},
		"going back":        {0.2, 0.1},
		"not a number":      {math.NaN(), 0.1},
		"at the base only":  {0},
	} {
		if _, err := tendon.NewRoute(r, s, tendon.Holes{}); !errors.Is(err, tendon.ErrBadRoute) {
			t.Errorf("%s: error %v, want ErrBadRoute", name, err)
		}
	}
	for name, h := range map[string]tendon.Holes{
		"base hole not finite": {Offset: [2]float64{math.Inf(1), 0}, Each: make([][2]float64, 2)},
		"disk hole not finite": {Each: [][2]float64{{}, {0, math.NaN()}}},
	} {
		if _, err := tendon.NewRoute(r, []float64{0.1, 0.2}, h); !errors.Is(err, tendon.ErrBadRoute) {
			t.Errorf("%s: error %v, want ErrBadRoute", name, err)
		}
	}
	if _, err := tendon.NewRoute(r, []float64{0.1, 0.2}, tendon.Holes{Each: make([][2]float64, 3)}); !errors.Is(err, tendon.ErrBadRoute) {
		t.Errorf("a hole too many: error %v", err)
	}
}

func TestOriginalRefusesWhatTheModuleMishandles(t *testing.T) {
	r := tendon.Rod(t, 20)
	h := tendon.Holes{Offset: [2]float64{0.01, 0}}
	for name, c := range map[string]struct {
		s []float64
		h tendon.Holes
	}{
		"one disk":        {[]float64{0.1}, h},
		"disk at the tip": {[]float64{0.1, 0.25}, h},
		"helix":           {[]float64{0.1, 0.2}, tendon.Holes{Offset: h.Offset, Twist: 1}},
		"a hole each":     {[]float64{0.1, 0.2}, tendon.Holes{Offset: h.Offset, Each: [][2]float64{{0.01, 0}, {0.009, 0}}}},
	} {
		route, err := tendon.NewRoute(r, c.s, c.h)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := tendon.NewOriginal(route, r, 0); !errors.Is(err, tendon.ErrOriginal) {
			t.Errorf("%s: error %v, want ErrOriginal", name, err)
		}
	}
}

func TestDiskRadiusFollowsItsHole(t *testing.T) {
	r := tendon.Rod(t, 20)
	route, err := tendon.NewRoute(r, []float64{0.1, 0.2}, tendon.Holes{Offset: [2]float64{0.01, 0}, Each: [][2]float64{{0.008, 0}, {0, 0.004}}})
	if err != nil {
		t.Fatal(err)
	}
	disks := route.Disks(0.002, 0)
	if d := disks[1]; math.Abs(d.Radius-0.005) > 1e-15 || d.Node != 16 {
		t.Errorf("second disk %+v, want radius 5 mm at node 16", d)
	}
	i := route.Disks(0.002, 0.01)[0].Inertia()
	if want := (spatial.Vec{X: 5e-8, Y: 5e-8, Z: 1e-7}); i.Sub(want).Norm() > 1e-20 {
		t.Errorf("inertia %v, want %v", i, want)
	}
}

// The distance of the holes of a converging helix from the centre line decreases in proportion to
// arc length.
func TestSlopeOfRoute(t *testing.T) {
	r := tendon.Rod(t, 20)
	route, err := tendon.NewRoute(r, []float64{0.05, 0.1}, tendon.Holes{Offset: [2]float64{0.006, 0.008}, Slope: -0.04, Twist: 5 * math.Pi})
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []spatial.Vec{
		{X: (0.6 - 0.8) * math.Sqrt2 / 2 * 0.008, Y: (0.6 + 0.8) * math.Sqrt2 / 2 * 0.008}, // turned by 45 degrees
		{X: -0.8 * 0.006, Y: 0.6 * 0.006},                                                  // by 90
	} {
		if d := route.Holes[i].Sub(want).Norm(); d > 1e-12 {
			t.Errorf("hole %d at %v, want %v", i, route.Holes[i], want)
		}
	}
	if route.Base != (spatial.Vec{X: 0.006, Y: 0.008}) {
		t.Errorf("hole of the base plate at %v", route.Base)
	}
}
