package continuum_test

import (
	"fmt"
	"math"
	"testing"

	"sinew/pkg/sim/continuum"
	"sinew/pkg/sim/robotfile"
	"sinew/pkg/sim/spatial"
)

// endedAt is the silicone robot with five disks from 5 mm on, the last one at the given
// arc length.
func endedAt(last float64, elements int, method robotfile.RodMethod) *robotfile.Continuum {
	f := silicone(elements)
	f.Solver.Method, f.Solver.Step, f.InitialState = method, 1e-6, robotfile.Equilibrium
	f.Tendons = f.Tendons[:1]
	f.Tendons[0].Disks = robotfile.Disks{Count: 5, First: 0.005, Last: last, Mass: 0.002}
	f.Tendons[0].Tension = 2
	return f
}

// TestDisksKeepTheirArcLengths: tips of robots whose last disks are 1 and 5 mm apart
// differ, converge at second order, and are right at a few elements. Disks at the nearest
// nodes gave the same tip for all three, 0.3 to 0.4 mm off at n = 20, and erratic.
func TestDisksKeepTheirArcLengths(t *testing.T) {
	var tips []spatial.Vec
	for _, last := range []float64{0.244, 0.245, 0.25} {
		at := func(n int) spatial.Vec { return tipPose(newModel(t, endedAt(last, n, robotfile.Implicit))).P }
		fine := at(640)
		e20, e40, e80 := at(20).Sub(fine).Norm(), at(40).Sub(fine).Norm(), at(80).Sub(fine).Norm()
		t.Logf("last disk at %g m: tip off by %.3g, %.3g, %.3g m at n = 20, 40, 80", last, e20, e40, e80)
		if !(e20 < 3e-5) || !(e40 < 0.3*e20) || !(e80 < 0.3*e40) {
			t.Errorf("last disk at %g m: tip off by %.3g, %.3g, %.3g m at n = 20, 40, 80: not of second order", last, e20, e40, e80)
		}
		tips = append(tips, fine)
	}
	for i, want := range []float64{8e-5, 4e-4} { // about 0.1 mm per mm
		if d := tips[i].Sub(tips[i+1]).Norm(); !(d > want) {
			t.Errorf("tips %d and %d are %g m apart, want above %g", i, i+1, d, want)
		}
	}
}

// TestDiskNextToTheBase is a disk that was once part of the base plate.
func TestDiskNextToTheBase(t *testing.T) {
	for _, method := range []robotfile.RodMethod{robotfile.Implicit, robotfile.Explicit} {
		r, err := continuum.NewRobot(endedAt(0.245, 20, method))
		if err != nil {
			t.Fatal(err)
		}
		route := r.Route(0)
		if route.OnBase || len(route.Nodes) != 5 {
			t.Fatalf("%s: the tendon passes %d disks", method, len(route.Nodes))
		}
		for i, k := range route.Nodes {
			if want := 0.005 + 0.06*float64(i); math.Abs(r.ArcLengths()[k]-want) > 1e-15 {
				t.Errorf("%s: disk %d at %g m, want %g", method, i+1, r.ArcLengths()[k], want)
			}
		}
		if n := len(r.ArcLengths()) - 1; n != 20 {
			t.Errorf("%s: %d elements, want 20", method, n)
		}
	}
	f := endedAt(0.245, 20, robotfile.Reference)
	f.InitialState = robotfile.Straight
	r, err := continuum.NewRobot(f)
	if err != nil {
		t.Fatal(err)
	}
	if !r.Route(0).OnBase || r.ArcLengths()[1] != 0.0125 {
		t.Errorf("reference: nodes at %g m", r.ArcLengths())
	}
}

// TestFewElementsForManyDisks has one element in every gap.
func TestFewElementsForManyDisks(t *testing.T) {
	m := newModel(t, endedAt(0.245, 3, robotfile.Implicit))
	if n := len(m.Robot().ArcLengths()) - 1; n != 6 {
		t.Errorf("%d elements, want 6", n)
	}
	fine := tipPose(newModel(t, endedAt(0.245, 300, robotfile.Implicit))).P
	if d := tipPose(m).P.Sub(fine).Norm(); !(d < 2e-3*0.25) {
		t.Errorf("tip off by %g m", d)
	}
}

// A load acts on a node of its own: the error at the tip falls in the order of the elements,
// though they have no border where it acts unless it makes one.
func TestLoadsAreAtNodes(t *testing.T) {
	at := func(n int, arc string) spatial.Vec {
		return tipPose(newModel(t, parse(t, fmt.Sprintf(`{rod: {length_m: 0.2, radius_m: 0.004, density_kg_per_m3: 1100, youngs_modulus_pa: 2e6, elements: %d}, initial_state: equilibrium,
  loads: [{at_m: %s, force_n: [0, 0.02, 0.02], moment_nm: [0.001, 0.002, -0.001]}, {at_m: 0.2, force_n: [0, 0.01, 0]}]}`, n, arc)))).P
	}
	for _, arc := range []string{"0.1337", "0.19", "0.061"} {
		limit := at(160, arc)
		e10, e20 := at(10, arc).Sub(limit).Norm(), at(20, arc).Sub(limit).Norm()
		t.Logf("load at %s m: tip off by %.3g and %.3g m at n = 10 and 20", arc, e10, e20)
		if !(e10 < 3e-5) || !(e20 < e10/8) {
			t.Errorf("load at %s m: tip off by %.3g and %.3g m at n = 10 and 20: not of fourth order", arc, e10, e20)
		}
	}
	n := len(newModel(t, parse(t, "{rod: {length_m: 0.2, elements: 10}, loads: [{at_m: 0.137, force_n: [0, 0.02, 0.02]}, {at_m: 0}]}")).Robot().ArcLengths())
	if n != 11 {
		t.Errorf("%d nodes, want 11", n)
	}
}
