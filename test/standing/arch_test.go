package standing

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"sinew/pkg/sim"
	"sinew/pkg/sim/continuum"
	"sinew/pkg/sim/robotfile"
)

// text is the robot file of an arch under a load (N), with four elements of order 4 per tenth of its length. Out of its plane it is 100 times as stiff.
func (a *Arch) text(load float64) string {
	springs := ""
	angle := a.Curvature * a.Length
	tip := [2]float64{(1 - math.Cos(angle)) / a.Curvature, math.Sin(angle) / a.Curvature}
	for i, anchor := range a.Anchors {
		springs += fmt.Sprintf("  - {name: s%d, at_m: %g, point_m: [%.17g, 0, %.17g], stiffness_n_per_m: %g, rest_length_m: %.17g}\n", i, a.Length,
			anchor[0], anchor[1], a.Stiffness[i], math.Hypot(tip[0]-anchor[0], tip[1]-anchor[1]))
	}
	const young, correction = 1e6, 27. / 28
	area, second := a.Axial/young, a.Bend/young
	return fmt.Sprintf(`
rod: {length_m: %g, section: {area_m2: %g, i1_m4: %g, i2_m4: %g, j_m4: %[3]g}, density_kg_per_m3: 1000, youngs_modulus_pa: %[5]g, shear_modulus_pa: %g, elements: 40, precurvature_per_m: [0, %g, 0]}
base: {direction: [0, 0, 1], normal: [1, 0, 0]}
gravity_m_per_s2: [0, 0, 0]
loads: [{at_m: %g, force_n: [%.17g, 0, %.17g]}]
springs:
%s`, a.Length, area, 100*second, second, young, a.Shear/(correction*area), a.Curvature, a.At, load*a.Direction[0], load*a.Direction[1], springs)
}

// TestArchesSnapThrough follows arches that a force pushes through the line between their ends: the limit loads, at which they jump
// and jump back, are those of shooting.
func TestArchesSnapThrough(t *testing.T) {
	const tolerance = 1e-4
	inward := func(angle float64) [2]float64 { return [2]float64{math.Cos(angle), -math.Sin(angle)} }
	// A shallow arch that a force at its middle pushes in, its tip pinned; and half of one, as of a truss of two bars, whose
	// tip is pushed: the other half is a spring.
	pinned := Arch{
		Length: 1, Bend: 1, Axial: 1e5, Shear: 4e4, Curvature: 1.2, At: 0.5, Direction: inward(0.6),
		Anchors: [2][2]float64{{100, 0.7}, {0.3, 100}}, Stiffness: [2]float64{1e5, 1e5},
	}
	pushed := Arch{
		Length: 1, Bend: 1, Axial: 1e5, Shear: 4e4, Curvature: 0.2, At: 1, Direction: inward(0.1),
		Anchors: [2][2]float64{{0.4, 2}, {-10, 1}}, Stiffness: [2]float64{1e4, 1e-9},
	}
	for _, c := range []struct {
		name  string
		arch  Arch
		count int
	}{
		{"pinned tip", pinned, 4},
		{"pushed tip", pushed, 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			a := &c.arch
			want, err := a.LimitLoads(c.count)
			if err != nil {
				t.Fatal(err, want)
			}
			full := 1.1 * slices.Max(want)
			f, err := robotfile.Parse[robotfile.Continuum]("arch.yaml", []byte(a.text(full)))
			if err != nil {
				t.Fatal(err)
			}
			m, err := continuum.New(f)
			if err != nil {
				t.Fatal(err)
			}
			var got []float64
			if err := m.FollowPath(func(p *sim.PathPoint) error {
				var load float64
				if n, _ := fmt.Sscanf(p.Event, "limit point at load factor %g", &load); n == 1 {
					got = append(got, load*full)
				}
				return nil
			}); err != nil {
				t.Error(err)
			}
			t.Logf("limit loads %.7g N, by shooting %.7g N", got, want)
			if len(got) != len(want) {
				t.Fatalf("limit loads %g N, by shooting %g N", got, want)
			}
			for i := range want {
				if !(math.Abs(got[i]/want[i]-1) < tolerance) {
					t.Errorf("limit load %g N, by shooting %g N", got[i], want[i])
				}
			}
		})
	}
}
