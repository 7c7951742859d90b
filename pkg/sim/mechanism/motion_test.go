package mechanism_test

import (
	"encoding/json"
	"fmt"
	"math"
	"testing"

	"sinew/pkg/sim/mechanism"
	"sinew/pkg/sim/spatial"
	"sinew/test/testsize"
)

// tableRow is a row of a table of poses and coordinates over time.
type tableRow map[string]json.RawMessage

// number returns a column of numbers.
func (r tableRow) number(t testing.TB, name string) (x float64) {
	t.Helper()
	decode(t, r[name], &x)
	return x
}

// goldenMotion is a case with the largest error over its table by step.
type goldenMotion struct {
	name string
	// deviation returns the error at a row.
	deviation func(t testing.TB, w *mechanism.World, row tableRow) float64
	steps     []float64
	// vibrates says that a vibration which these steps damp limits the error, so that it has no order.
	vibrates bool
}

var goldenMotions = []goldenMotion{
	{"double_pendulum", func(t testing.TB, w *mechanism.World, row tableRow) float64 {
		return max(math.Abs(w.Coordinates(0)[0]-row.number(t, "shoulder")), math.Abs(w.Coordinates(1)[0]-row.number(t, "elbow")))
	}, []float64{0.001, 0.0005}, false},
	{"spatial_double_pendulum", func(t testing.TB, w *mechanism.World, row tableRow) (most float64) {
		for i, name := range []string{"upper", "lower"} {
			most = max(most, w.BodyPose(i).P.Sub(row.pose(t, name).P).Norm())
		}
		return most
	}, []float64{0.001, 0.0005}, false},
	{"four_bar", crankError, []float64{0.001, 0.0005}, false},
	{"four_bar_redundant", crankError, []float64{0.001, 0.0005}, false},
	{"tumbling_body", func(t testing.TB, w *mechanism.World, row tableRow) float64 {
		var p [3]float64
		var q [4]float64
		decode(t, row["position_m"], &p)
		decode(t, row["orientation_xyzw"], &q)
		g, want := w.BodyPose(0), pose(p, &q)
		return max(g.R.TMul(want.R).Log().Norm(), g.P.Sub(want.P).Norm()/0.1)
	}, []float64{0.001, 0.0005, 0.00025}, false},
	{"two_masses", func(t testing.TB, w *mechanism.World, row tableRow) float64 {
		return max(math.Abs(w.Coordinates(0)[0]-row.number(t, "spring_1")), math.Abs(w.Coordinates(1)[0]-row.number(t, "spring_2")))
	}, []float64{0.001, 0.0005, 0.00025}, false},
	// the rod vibrates along its axis at 112 Hz, by 1e-4 of its length
	{"thrown_rod", func(t testing.TB, w *mechanism.World, row tableRow) float64 {
		nodes := w.NodePoses(0)
		return max(nodes[len(nodes)-1].P.Sub(row.point(t, "tip_m")).Norm(), nodes[0].P.Sub(row.point(t, "start_m")).Norm()) / 0.3
	}, []float64{0.001, 0.0005, 0.00025}, true},
	{"flexible_pendulum", func(t testing.TB, w *mechanism.World, row tableRow) float64 {
		// the angle may have ten times the error of the tip
		return max(tipError(t, w, row)/0.4, math.Abs(w.Coordinates(0)[0]-row.number(t, "hinge"))/10)
	}, []float64{0.001, 0.0005, 0.00025}, false},
	{"spin_up", func(t testing.TB, w *mechanism.World, row tableRow) float64 {
		return tipError(t, w, row) / 0.3
	}, []float64{0.001, 0.0005, 0.00025}, false},
}

// tipError is that of the end of the first rod, m.
func tipError(t testing.TB, w *mechanism.World, row tableRow) float64 {
	t.Helper()
	nodes := w.NodePoses(0)
	return nodes[len(nodes)-1].P.Sub(row.point(t, "tip_m")).Norm()
}

// crankError is that of the angle of the crank, which turns about −y and begins at 0.6 rad; the
// coordinate is 0 where the frames coincide.
func crankError(t testing.TB, w *mechanism.World, row tableRow) float64 {
	return math.Abs(-w.Coordinates(0)[0] - row.number(t, "crank_angle_rad"))
}

// point returns a column of points.
func (r tableRow) point(t testing.TB, name string) spatial.Vec {
	t.Helper()
	var p [3]float64
	decode(t, r[name], &p)
	return vec(p)
}

// pose returns a column of poses.
func (r tableRow) pose(t testing.TB, name string) spatial.Pose {
	t.Helper()
	var g struct {
		Position    [3]float64 `json:"position_m"`
		Orientation [4]float64 `json:"orientation_xyzw"`
	}
	decode(t, r[name], &g)
	return pose(g.Position, &g.Orientation)
}

// TestMotionsMeetReferences and are of order 2 in the step.
func TestMotionsMeetReferences(t *testing.T) {
	for _, m := range goldenMotions {
		t.Run(m.name, func(t *testing.T) {
			c := golden(t, m.name)
			var expected struct{ Table []tableRow }
			decode(t, c.Expected, &expected)
			var tolerance map[string]json.RawMessage
			decode(t, c.Tolerance, &tolerance)
			last := 0.0
			for _, h := range m.steps {
				w := mustWorld(t, c.Robot.parameters(20))
				worst, now := 0.0, 0.0
				for _, row := range expected.Table {
					at := row.number(t, "t")
					march(t, w, h, now, at)
					now = at
					worst = max(worst, m.deviation(t, w, row))
				}
				var most float64
				decode(t, tolerance[fmt.Sprintf("step_%g", h)], &most)
				if !(worst <= most) {
					t.Errorf("step %g s: error %.3g, allowed %.3g", h, worst, most)
				}
				if last != 0 {
					order := math.Log2(last / worst)
					t.Logf("step %g s: error %.3g, order %.2f", h, worst, order)
					if !m.vibrates && (order < 1.7 || order > 2.4) {
						t.Errorf("step %g s: the error falls from %.3g to %.3g, with order %.2f", h, last, worst, order)
					}
				}
				last = worst
			}
		})
	}
}

// TestBladeStretchesAsItSpins: a damped rod on a spinning hub ends in the stretched shape of steady rotation, with the momentum that
// it began with. It swings on the hub for longer than that, so that the speed of the hub at the end says nothing.
func TestBladeStretchesAsItSpins(t *testing.T) {
	c := golden(t, "spinning_blade")
	var want struct {
		TipRadius float64 `json:"tip_radius_m"`
		Momentum  float64 `json:"angular_momentum"`
	}
	decode(t, c.Expected, &want)
	var tolerance struct{ N10, N20, N40 float64 }
	decode(t, c.Tolerance, &tolerance)
	for i, run := range []struct {
		elements      int
		step, allowed float64
	}{{10, 0.0005, tolerance.N10}, {20, 0.00025, tolerance.N20}, {40, 0.00025, tolerance.N40}} {
		if i >= testsize.Of(1, 2, 3) {
			break
		}
		w := mustWorld(t, c.Robot.parameters(run.elements))
		march(t, w, run.step, 0, c.Duration)
		nodes := w.NodePoses(0)
		_, momentum := w.Momentum()
		radius, spin := nodes[len(nodes)-1].P.Norm()/want.TipRadius-1, momentum.Z/want.Momentum-1
		t.Logf("%d elements, step %g s: radius of the tip off by %.2g, momentum by %.2g", run.elements, run.step, radius, spin)
		if !(math.Abs(radius) <= run.allowed && math.Abs(spin) <= run.allowed) {
			t.Errorf("%d elements, step %g s: the radius of the tip is off by %.3g, the momentum by %.3g, allowed %g", run.elements, run.step, radius, spin, run.allowed)
		}
		if turns := w.Coordinates(0)[0] / (2 * math.Pi); turns < 11 {
			t.Errorf("the hub has made %.3g turns in %g s", turns, c.Duration)
		}
	}
}

// TestSmoothStepsTakeTwoIterations: steps of smooth motions begin so near their ends that two increments reach them.
func TestSmoothStepsTakeTwoIterations(t *testing.T) {
	for _, name := range []string{"double_pendulum", "four_bar", "flexible_pendulum"} {
		c := golden(t, name)
		w := mustWorld(t, c.Robot.parameters(10))
		march(t, w, 0.001, 0, 0.05)
		for step := range 20 {
			march(t, w, 0.001, 0, 0.001)
			if n := w.Iterations(); n > 2 {
				t.Errorf("%s, step %d: %d iterations, allowed 2", name, step, n)
			}
		}
	}
}
