package continuum_test

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"sinew/pkg/sim"
	"sinew/pkg/sim/continuation"
	"sinew/pkg/sim/continuum"
	"sinew/pkg/sim/continuum/equilibrium"
	"sinew/pkg/sim/robotfile"
	"sinew/test/testsize"
)

// uprightColumn is a column of 1 m and EI = 1 N m² that stands upright, of 20 elements, without weight.
const uprightColumn = `
rod: {length_m: 1, section: {area_m2: 1, i1_m4: 1e-6, i2_m4: 1.21e-6, j_m4: 2e-6}, density_kg_per_m3: 10, youngs_modulus_pa: 1e6, shear_modulus_pa: 1e8, elements: 20}
base: {direction: [0, 0, 1], normal: [1, 0, 0]}
gravity_m_per_s2: [0, 0, %g]
%s
`

// eventsOf follows the path of a robot, and returns its points with events and the last one.
func eventsOf(t *testing.T, text string) (events []equilibrium.PathPoint, last equilibrium.PathPoint) {
	t.Helper()
	m := mustModelOf(t, text)
	parts, ok := m.Parts()
	if !ok {
		t.Fatal("the model has no parts")
	}
	if err := m.Equilibrate(); err != nil {
		t.Logf("equilibrium: %v", err)
	}
	err := parts.Solver.FollowPath(func(p equilibrium.PathPoint) error {
		if p.Event != continuation.Regular {
			t.Logf("%v", &p)
			events = append(events, p)
		}
		last = p
		return nil
	})
	if err != nil {
		t.Errorf("path: %v", err)
	}
	return events, last
}

// pinOf are springs that hold a section of a column at its place, aside but not along it: 1e7 EI/L³ stiff, and so long that they stay
// across it.
func pinOf(name string, at float64) string {
	return fmt.Sprintf("{name: %[1]s_x, at_m: %[2]g, point_m: [100, 0, %[2]g], stiffness_n_per_m: 1e7, rest_length_m: 100}, "+
		"{name: %[1]s_y, at_m: %[2]g, point_m: [0, 100, %[2]g], stiffness_n_per_m: 1e7, rest_length_m: 100}", name, at)
}

// guide is a magnet at the tip that keeps its direction: the field turns it back by up to 1e6 EI/L per radian.
const guide = "magnets: [{name: guide, at_m: 1, moment_a_m2: [0, 0, 1e6]}]\nfield: {uniform_t: [0, 0, 1]}\n"

// hingedColumn is the upright column of 1 m on a section of 0.1 m that is so thin that it is a hinge, which a pin and a spring below hold.
const hingedColumn = `
rod:
  sections:
    - {length_m: 0.1, section: {area_m2: 1e-9, i1_m4: 1e-13, i2_m4: 1e-13, j_m4: 1e-6}}
    - {length_m: 1, section: {area_m2: 1, i1_m4: 1e-6, i2_m4: 1.21e-6, j_m4: 2e-6}}
  density_kg_per_m3: 10
  youngs_modulus_pa: 1e6
  shear_modulus_pa: 1e8
  elements: 24
base: {direction: [0, 0, 1], normal: [1, 0, 0]}
gravity_m_per_s2: [0, 0, 0]
springs: [{name: below, at_m: 0.1, point_m: [0, 0, -99.9], stiffness_n_per_m: 1e7, rest_length_m: 100}, %s]
loads: [{force_n: [0, 0, -10.5]}]
`

// twoTendons are tendons on both sides of a column, each with half of a tension.
func twoTendons(tension float64, disks string) string {
	const tendon = "{name: %s, offset_m: [%g, 0], disks: {positions_m: [%s], mass_kg: 0}, tension_n: %g, limits: {max_tension_n: 1000}}"
	return "tendons: [" + fmt.Sprintf(tendon, "left", 0.01, disks, tension/2) + ", " + fmt.Sprintf(tendon, "right", -0.01, disks, tension/2) + "]"
}

// onElasticSupport is the load that buckles a clamped column of EI = L = 1 of which a spring of stiffness k holds the tip aside: u² of
// the lowest root of tan u = u (1 − u²/k), by bisection between the roots of k = 0 and of a pin.
func onElasticSupport(k float64) float64 {
	low, high := math.Pi/2, 4.4934095
	for range 60 {
		u := (low + high) / 2
		if math.Sin(u)-u*(1-u*u/k)*math.Cos(u) > 0 {
			low = u
		} else {
			high = u
		}
	}
	return low * low
}

// TestBucklingLoads follows columns as their loads grow: the first event is where they buckle. The columns of Euler are those of
// Timoshenko and Gere, Theory of Elastic Stability, chapter 2, as is that under its weight. A tendon through holes presses the
// rod together in each gap between disks and leaves disks free to move with it, so that each gap is a column that is pinned at both ends,
// with all tensions together as its load; it shortens before it buckles, by P/EA.
func TestBucklingLoads(t *testing.T) {
	testsize.SkipInShort(t)
	const pi2 = math.Pi * math.Pi
	column := func(elements int, gravity float64, rest string) string {
		return strings.Replace(fmt.Sprintf(uprightColumn, gravity, rest), "elements: 20", fmt.Sprintf("elements: %d", elements), 1)
	}
	force := func(f float64) string { return fmt.Sprintf("loads: [{force_n: [0, 0, -%g]}]\n", f) }
	shortened := func(p float64) float64 { return p * (1 + p/1e6) }
	for _, c := range []struct {
		name  string
		text  string
		full  float64 // the load at a share of 1
		want  float64
		event continuation.Event
	}{
		{"clamped and free", column(20, 0, force(4)), 4, pi2 / 4, continuation.Bifurcation},
		{"clamped and guided", column(20, 0, force(10.5)+guide), 10.5, pi2, continuation.Bifurcation},
		{"clamped and pinned", column(20, 0, force(21)+"springs: ["+pinOf("tip", 1)+"]"), 21, 20.1907286, continuation.Bifurcation},
		{"clamped at both ends", column(20, 0, force(41)+guide+"springs: ["+pinOf("tip", 1)+"]"), 41, 4 * pi2, continuation.Bifurcation},
		{"pinned at both ends", fmt.Sprintf(hingedColumn, pinOf("base", 0.1)+", "+pinOf("tip", 1.1)), 10.5, pi2, continuation.Bifurcation},
		{"clamped and on an elastic support", column(20, 0, force(16)+"springs: [{name: x, point_m: [1000, 0, 1], stiffness_n_per_m: 20, rest_length_m: 1000},"+
			" {name: y, point_m: [0, 1000, 1], stiffness_n_per_m: 20, rest_length_m: 1000}]"), 16, onElasticSupport(20), continuation.Bifurcation},
		{"under its weight (Greenhill)", column(20, -1, ""), 10, 7.8373474, continuation.Bifurcation},
		{"under a follower force (Beck)", column(20, 0, "loads: [{force_n: [0, 0, -25], frame: body}]"), 25, 20.0509, continuation.Flutter},
		{"under tendons through even disks", column(100, 0, twoTendons(260, "0.2, 0.4, 0.6, 0.8, 1")), 260, shortened(25 * pi2), continuation.Bifurcation},
		{"under tendons through uneven disks", column(50, 0, twoTendons(65, "0.2, 0.4, 0.8, 1")), 65, shortened(pi2 / (0.4 * 0.4)), continuation.Bifurcation},
	} {
		t.Run(c.name, func(t *testing.T) {
			events, _ := eventsOf(t, c.text)
			if len(events) == 0 || events[0].Event != c.event {
				t.Fatalf("events %v, want a %v first", events, c.event)
			}
			got := events[0].Load * c.full
			t.Logf("%.7g, want %.7g: %.1e", got, c.want, got/c.want-1)
			if !(math.Abs(got/c.want-1) < 1e-4) {
				t.Errorf("%v at %.7g, want %.7g", c.event, got, c.want)
			}
		})
	}
}

// TestPathsThatAreRefused are those of a robot with friction, and of another method: the error names the reason.
func TestPathsThatAreRefused(t *testing.T) {
	friction := rubbing()["parallel"]
	explicit := silicone(20)
	explicit.Solver.Method = robotfile.Explicit
	for name, c := range map[string]struct {
		file *robotfile.Continuum
		want error
	}{"friction": {friction, equilibrium.ErrPathHistory}, "explicit": {explicit, continuum.ErrNoStability}} {
		m, err := continuum.New(c.file)
		if err != nil {
			t.Fatal(err)
		}
		err = m.FollowPath(func(*sim.PathPoint) error { return nil })
		if !errors.Is(err, c.want) || errors.Is(err, continuum.ErrNoEquilibrium) {
			t.Errorf("%s: error %v, want %v", name, err, c.want)
		}
	}
}
