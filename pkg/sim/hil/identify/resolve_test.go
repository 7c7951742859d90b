package identify_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"sinew/pkg/sim/hil/identify"
)

// A number of the rod goes to the sections that have none of their own.
func TestSectionsInherit(t *testing.T) {
	n := identify.NumbersOf(t, "rod: {youngs_modulus_pa: 3e6, sections: [{length_m: 0.1, radius_m: [0.002]}, {length_m: 0.1, radius_m: [0.001], youngs_modulus_pa: 5e6}]}\n")
	for free, want := range map[string]string{
		"rod.youngs_modulus_pa":                   "rod.sections[0].youngs_modulus_pa rod.youngs_modulus_pa",
		"rod.sections[0].youngs_modulus_pa":       "rod.sections[0].youngs_modulus_pa",
		"rod.damping.drag_per_s=0:1":              "rod.damping.drag_per_s rod.sections[0].damping.drag_per_s rod.sections[1].damping.drag_per_s",
		"rod.sections.density_kg_per_m3=500:2000": "rod.sections[0].density_kg_per_m3 rod.sections[1].density_kg_per_m3",
		"rod.precurvature_per_m[0]=-1:1":          "rod.precurvature_per_m[0] rod.sections[0].precurvature_per_m[0] rod.sections[1].precurvature_per_m[0]",
	} {
		frees, err := identify.Resolve([]string{free}, n, 0.2)
		if err != nil {
			t.Errorf("%s: %v", free, err)
			continue
		}
		paths := frees[0].Paths()
		slices.Sort(paths)
		if got := strings.Join(paths, " "); got != want {
			t.Errorf("%s decides about %s, want %s", free, got, want)
		}
	}
}

// TestSpringsOfSectionsAreFreeOneByOne frees one of two equal springs of a rod of two sections: it is that
// of the sections at the same place, and has a name of its own.
func TestSpringsOfSectionsAreFreeOneByOne(t *testing.T) {
	n := identify.NumbersOf(t, "rod: {bending_friction: [{stiffness_nm2: 1e-3, limit_nm: 1e-3}, {stiffness_nm2: 1e-3, limit_nm: 2e-3}], sections: [{length_m: 0.1, radius_m: [0.002]}, {length_m: 0.1, radius_m: [0.001]}]}\n")
	frees, err := identify.Resolve([]string{"rod.bending_friction[0].stiffness_nm2", "rod.bending_friction[1].stiffness_nm2"}, n, 0.2)
	if err != nil || len(frees) != 2 {
		t.Fatalf("%d parameters: %v", len(frees), err)
	}
	for i, f := range frees {
		paths := f.Paths()
		slices.Sort(paths)
		want := fmt.Sprintf("rod.bending_friction[%[1]d].stiffness_nm2 rod.sections[0].bending_friction[%[1]d].stiffness_nm2 rod.sections[1].bending_friction[%[1]d].stiffness_nm2", i)
		if got := strings.Join(paths, " "); got != want {
			t.Errorf("spring %d decides about %s, want %s", i, got, want)
		}
		if want := fmt.Sprintf("rod.bending_friction[%d].stiffness_nm2", i); f.Parameters[0].Name != want {
			t.Errorf("spring %d is called %s, want %s", i, f.Parameters[0].Name, want)
		}
	}
}

// TestMissingItem names the items that there are.
func TestMissingItem(t *testing.T) {
	n := identify.NumbersOf(t, identify.NamesFile)
	for path, want := range map[string]string{
		"tendons.top.friction_coefficient": "tendons.top.friction_coefficient: no such item top: tendons has up, side",
		"tendons[2].pull_m":                "tendons[2].pull_m: no such item 2: tendons has up, side",
		"tendons.up.pull_m":                "", "tendons[1].pull_m": "", "tip.mass_kg": "",
	} {
		if err := identify.MissingItem(n, path); want == "" && err != nil || want != "" && (err == nil || err.Error() != want) {
			t.Errorf("%s: %v instead of %s", path, err, want)
		}
	}
}

func TestFreeBounds(t *testing.T) {
	n := identify.NumbersOf(t, identify.NamesFile)
	for _, c := range []struct {
		free     string
		min, max float64
		log      bool
	}{
		{"youngs_modulus_pa", 2e5, 2e7, true},
		{"youngs_modulus_pa:lin", 2e5, 2e7, false},
		{"youngs_modulus_pa=1e6:3e6", 1e6, 3e6, true},
		{"youngs_modulus_pa=1e6:3e6:lin", 1e6, 3e6, false},
		{"tendons.side.friction_coefficient", 0, 1, false},
		{"tendons.side.friction_coefficient=0.01:0.5:log", 0.01, 0.5, true},
		{"base.position_m[0]", 0, 0.2, false},
		{"latency_s", -0.1, 0.5, false},
		{"latency_s=0:0.05", 0, 0.05, false},
		{"base_pose.x", -0.025, 0.025, false},
	} {
		frees, err := identify.Resolve([]string{c.free}, n, 0.25)
		if err != nil {
			t.Errorf("%s: %v", c.free, err)
			continue
		}
		if p := frees[0].Parameters[0]; math.Abs(p.Min-c.min) > 1e-12 || math.Abs(p.Max-c.max) > 1e-12*c.max || p.Log != c.log {
			t.Errorf("%s: [%g, %g], log %v", c.free, p.Min, p.Max, p.Log)
		}
	}
}

// TestFreePriors reads priors, with and without a value and bounds.
func TestFreePriors(t *testing.T) {
	n := identify.NumbersOf(t, identify.NamesFile)
	for _, c := range []struct {
		free                  string
		mean, sigma, min, max float64
	}{
		{"youngs_modulus_pa=3e6+-10%", 3e6, 3e5, 2e5, 2e7},
		{"youngs_modulus_pa=+-10%", 2e6, 2e5, 2e5, 2e7},
		{"youngs_modulus_pa=±1e5", 2e6, 1e5, 2e5, 2e7},
		{"youngs_modulus_pa=1e6:3e6+-1e5:4e6", 3e6, 1e5, 1e6, 4e6},
		{"youngs_modulus_pa=1e6:+-10%:4e6", 2e6, 2e5, 1e6, 4e6},
		{"youngs_modulus_pa=1e8+-10%", 1e8, 1e7, 2e5, 1e8 * math.Exp(0.4)},
		{"base_pose.x=0.001+-0.002", 0.001, 0.002, -0.025, 0.025},
		{"base_pose.x=-0.1+-0.01", -0.1, 0.01, -0.14, 0.025},
		{"rod.damping.kelvin_voigt_s=0.05+-0.01", 0.05, 0.01, 0, 0.09},
		{"tendons.side.friction_coefficient=0.1+-0.05:lin", 0.1, 0.05, 0, 1},
	} {
		frees, err := identify.Resolve([]string{c.free}, n, 0.25)
		if err != nil {
			t.Errorf("%s: %v", c.free, err)
			continue
		}
		p := frees[0].Parameters[0]
		near := func(a, b float64) bool { return math.Abs(a-b) <= 1e-9*math.Abs(b)+1e-15 }
		if p.Prior == nil || !near(p.Prior.Mean, c.mean) || !near(p.Prior.Sigma, c.sigma) || !near(p.Min, c.min) || !near(p.Max, c.max) {
			t.Errorf("%s: %+v, prior %+v", c.free, p, p.Prior)
		}
	}
	// a pattern frees all that it matches, each about its own value
	frees, err := identify.Resolve([]string{"tendon_offsets.*.radius_m=+-15%", "tendon_offsets.up.azimuth_rad=-0.1:0.1"}, n, 0.25)
	if err != nil || len(frees) != 1 {
		t.Fatalf("%v %v", frees, err)
	}
	if p := frees[0].Parameters; len(p) != 3 || p[1].Name != "tendon_offsets.side.radius_m" || math.Abs(p[1].Prior.Sigma-0.15*0.02) > 1e-12 || p[2].Prior != nil {
		t.Errorf("%+v", p)
	}
}

func TestFreeMistakes(t *testing.T) {
	n := identify.NumbersOf(t, identify.NamesFile)
	for _, c := range []struct {
		free string
		want string
	}{
		{"youngs_modulos_pa", "nearest are rod.youngs_modulus_pa"},
		{"elements", "no such number in the robot file"},
		{"friction_coefficient", "tendons.up.friction_coefficient is 0, but tendons.side.friction_coefficient is 0.1"},
		{"mass_kg", "may be tendons.disks.mass_kg or tip.mass_kg; write the path"},
		{"kelvin_voigt_s", "give bounds, rod.damping.kelvin_voigt_s=MIN:MAX"},
		{"youngs_modulus_pa=3e6:1e7", "the robot file has 2e+06 Pa, outside the bounds"},
		{"youngs_modulus_pa=1e7:1e6", "are no bounds"},
		{"youngs_modulus_pa=5", "are no bounds"},
		{"youngs_modulus_pa:cubic", "write NAME[=MIN:MAX][:log|:lin]"},
		{"base.position_m[1]=-1:1:log", "needs a lower bound above 0"},
		{"moment", "no permanent magnet"},
		{"resistance", "viscosity_pa_s"},
		{"base_pose=-1:1", "bounds for several at once"},
		{"base_pose=+-0.1", "or a prior that is no share"},
		{"base_pose=+-10%", "base_pose.x: 10 % of 0 m is no standard deviation; give it in m"},
		{"youngs_modulus_pa=2e6+-0", `youngs_modulus_pa: "2e6+-0" is no prior`},
		{"youngs_modulus_pa=2e6+--5%", "is no prior"},
		{"youngs_modulus_pa=+-", "is no prior"},
		{"youngs_modulus_pa=1e6:x+-5%:1e8", "is no prior"},
		{"youngs_modulus_pa=1e6:2e6:1e8", "are no bounds"},
		{"youngs_modulus_pa=5e7+-10%", ""},
		{"youngs_modulus_pa=1e6:5e7+-10%:1e7", "the prior 5e+07 Pa lies outside the bounds [1e+06, 1e+07]"},
		{"youngs_modulus_pa=1e6:inf", "are no bounds"},
		{"youngs_modulus_pa=1:1e7", "rod.youngs_modulus_pa: the bounds [1, 1e+07] Pa; allowed: from 100 to 1e+13 Pa"},
		{"youngs_modulus_pa=10+-1", "rod.youngs_modulus_pa: the prior 10 Pa; allowed: from 100"},
		{"base_pose.w", "base_pose has base_pose.x"},
		{"latency_s, latency_s", "freed already"},
		{"base_pose, base.direction[0]", "both decide about base.direction"},
		{"youngs_modulus, youngs_modulus_pa", "both decide about rod.youngs_modulus_pa"},
	} {
		if _, err := identify.Resolve(strings.Split(c.free, ", "), n, 0.25); c.want == "" && err == nil {
			continue
		} else if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v; want %q", c.free, err, c.want)
		}
	}
}
