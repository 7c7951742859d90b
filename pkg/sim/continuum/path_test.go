package continuum_test

import (
	"errors"
	"fmt"
	"math"
	"testing"

	"sinew/pkg/sim"
	"sinew/pkg/sim/continuum"
	"sinew/pkg/sim/continuum/equilibrium"
	"sinew/pkg/sim/robotfile"
)

// uprightColumn is a column of 1 m and EI = 1 N m² that stands upright, of 20 elements, without weight.
const uprightColumn = `
rod: {length_m: 1, section: {area_m2: 1, i1_m4: 1e-6, i2_m4: 1.21e-6, j_m4: 2e-6}, density_kg_per_m3: 10, youngs_modulus_pa: 1e6, shear_modulus_pa: 1e9, elements: 20}
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
		if p.Event != equilibrium.Regular {
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

// TestBucklingLoads follows columns as their loads grow: the first bifurcation is where they buckle.
func TestBucklingLoads(t *testing.T) {
	for _, c := range []struct {
		name    string
		gravity float64
		rest    string
		full    float64 // the load at a share of 1
		want    float64
		event   equilibrium.Event
	}{
		{"clamped and free", 0, "loads: [{force_n: [0, 0, -4]}]", 4, math.Pi * math.Pi / 4, equilibrium.Bifurcation},
		{"under its weight (Greenhill)", -1, "", 10, 7.8373474, equilibrium.Bifurcation},
		{"under a follower force (Beck)", 0, "loads: [{force_n: [0, 0, -25], frame: body}]", 25, 20.0509, equilibrium.FlutterPoint},
	} {
		t.Run(c.name, func(t *testing.T) {
			text := fmt.Sprintf(uprightColumn, c.gravity, c.rest)
			events, _ := eventsOf(t, text)
			if len(events) == 0 || events[0].Event != c.event {
				t.Fatalf("events %v, want a %v first", events, c.event)
			}
			if got := events[0].Load * c.full; !(math.Abs(got/c.want-1) < 1e-4) {
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
