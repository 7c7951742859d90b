package standing

import (
	"errors"
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"sinew/pkg/sim"
	"sinew/pkg/sim/continuum"
	"sinew/pkg/sim/robotfile"
	"sinew/pkg/sim/spatial"
	"sinew/test/testsize"
)

var (
	first = flag.Uint64("standing.first", 1, "first `seed`")
	count = flag.Int("standing.count", 0, "`number` of robots; 0: as many as the size of the tests says")
)

// apart is by how much tips of the same equilibrium may differ, in lengths of the rod: the motion has not quite ended.
const apart = 2e-3

func TestEquilibria(t *testing.T) {
	n := testsize.Of(8, 24, 60)
	if *count > 0 {
		n = *count
	}
	verdicts := map[string]int{}
	var took []float64
	for seed := *first; seed < *first+uint64(n); seed++ {
		r := New(seed)
		verdict, s, err := judge(r)
		verdicts[verdict]++
		if s > 0 {
			took = append(took, s)
		}
		if err != nil {
			t.Errorf("%d (%s): %s: %v", seed, r.Kind, verdict, err)
		}
	}
	slices.Sort(took)
	if len(took) > 0 {
		t.Logf("%v; a search takes %.3g ms in the median, %.3g at most", verdicts, 1e3*took[len(took)/2], 1e3*took[len(took)-1])
	}
}

// judge says how the equilibrium of a robot compares with the end of its motion. It fails where the search is wrong.
func judge(r *Robot) (verdict string, took float64, err error) {
	m, err := r.Model()
	if err != nil {
		return "no robot", 0, err
	}
	begin := time.Now()
	failed := m.Equilibrate()
	took = time.Since(begin).Seconds()
	found := make([]float64, m.StateLen())
	m.Save(found)
	shape := tipOf(m)

	moved, err := r.Model()
	if err != nil {
		return "no robot", 0, err
	}
	rests, stepErr := settle(r, moved)
	end := tipOf(moved)
	switch {
	case failed != nil && (!rests || stepErr != nil):
		return "neither", 0, nil
	case failed != nil && !stays(r, moved): // a straight rod does not buckle without a cause
		return "neither", 0, nil
	case failed != nil && errors.Is(failed, continuum.ErrBuckledBetweenDisks):
		return "buckled between disks", 0, nil
	case failed != nil:
		return "refused", 0, fmt.Errorf("the motion ends at %.4g m: %w", end, failed)
	}
	if r.Planar != nil {
		if err := r.isSolution(shape); err != nil {
			return "no solution of shooting", took, err
		}
	}
	if rests && stepErr == nil && end.Sub(shape).Norm() < apart*r.Length {
		return "same", took, nil
	}
	// From there, disturbed.
	if err := m.Restore(found); err != nil {
		return "", took, err
	}
	said, err := m.Stability()
	if err != nil {
		return "wrong", took, err
	}
	if err := disturb(r, m); err != nil {
		return "wrong", took, err
	}
	if rests, err = settle(r, m); err != nil {
		return "wrong", took, err
	}
	back := tipOf(m)
	switch leaves := back.Sub(shape).Norm() > 10*apart*r.Length; {
	case leaves && strings.Contains(said.Description, "unstable"):
		return "unstable, and reported so", took, nil
	case leaves:
		return "wrong", took, fmt.Errorf("tip at %.4g m; disturbed it goes to %.4g m (at rest: %v), the motion from the straight rod to %.4g m", shape, back, rests, end)
	}
	return "another stable one", took, nil
}

// isSolution checks that the tip is that of one of the solutions of shooting.
func (r *Robot) isSolution(tip spatial.Vec) error {
	near := math.Inf(1)
	all := r.Planar.Equilibria()
	for _, x := range all {
		near = min(near, math.Hypot(tip.X-x[0], tip.Z-x[1]))
	}
	// Ten elements of order 2 have errors of a few thousandths of the length in a strongly bent rod.
	if !(near < 0.02*r.Length) {
		return fmt.Errorf("tip at %.4g m, %.3g lengths from the nearest of the %d solutions", tip, near/r.Length, len(all))
	}
	return nil
}

// settle moves the robot until it rests.
func settle(r *Robot, m *continuum.Model) (rests bool, err error) {
	h := r.Period / 20
	last := tipOf(m)
	for i := range 12000 {
		if err := m.Step(h); err != nil {
			return false, err
		}
		if i%20 == 19 { // once in a period
			now := tipOf(m)
			if i > 400 && now.Sub(last).Norm() < 1e-6*r.Length {
				return true, nil
			}
			last = now
		}
	}
	return false, nil
}

// stays reports whether a robot that rests, disturbed, comes to rest again.
func stays(r *Robot, m *continuum.Model) bool {
	if disturb(r, m) != nil {
		return false
	}
	rests, err := settle(r, m)
	return rests && err == nil
}

// disturb pushes the tip for half a period.
func disturb(r *Robot, m *continuum.Model) error {
	h := r.Period / 20
	push := 1e-3 * r.bend / (r.Length * r.Length)
	for i := range 10 {
		setWrench(m, spatial.Vec{X: push, Y: 0.7 * push, Z: 0.3 * push})
		if err := m.Step(h); err != nil {
			return fmt.Errorf("step %d of the disturbance: %w", i, err)
		}
	}
	setWrench(m, spatial.Vec{})
	return nil
}

func port(m *continuum.Model, name string) int {
	return slices.IndexFunc(m.Ports(), func(p sim.Port) bool { return p.Name == name })
}

func setWrench(m *continuum.Model, f spatial.Vec) {
	p := port(m, "external_wrench")
	v := make([]float64, m.Ports()[p].Width())
	v[0], v[1], v[2] = f.X, f.Y, f.Z
	m.Command(p, v)
}

func tipOf(m *continuum.Model) spatial.Vec {
	p := port(m, "measured_cp")
	v := make([]float64, m.Ports()[p].Width())
	m.Value(p, v)
	return spatial.Vec{X: v[0], Y: v[1], Z: v[2]}
}

// TestNitinolRobots are four robots that the search once led to an unstable branch, or refused. Three have three equilibria each, of
// which shooting and damped motion give the stable one.
func TestNitinolRobots(t *testing.T) {
	for name, want := range map[string]spatial.Vec{
		"standing_moment":                 {X: 0.1334, Z: 0.1300},
		"standing_transverse":             {X: 0.1335, Z: 0.1299},
		"standing_tension_no_equilibrium": {X: 0.1335, Z: 0.1299},
		"static_refuses_sim_accepts":      {Y: 0.1561, Z: -0.0043},
	} {
		t.Run(name, func(t *testing.T) {
			text, err := os.ReadFile(filepath.Join("testdata", name+".yaml"))
			if err != nil {
				t.Fatal(err)
			}
			f, err := robotfile.Parse[robotfile.Continuum](name, text)
			if err != nil {
				t.Fatal(err)
			}
			m, err := continuum.New(f) // in the equilibrium
			if err != nil {
				t.Fatal(err)
			}
			if tip := tipOf(m); tip.Sub(want).Norm() > 1e-4 {
				t.Errorf("tip at %.4g m, want %.4g", tip, want)
			}
			s, err := m.Stability()
			if err != nil || !s.IsStable {
				t.Errorf("%s, error %v, want a stable equilibrium", s.Description, err)
			}
		})
	}
}

// TestVerdicts are those of a round column, whose bent shape may turn about its axis, and of one that is not round.
func TestVerdicts(t *testing.T) {
	for section, want := range map[string]string{
		"radius_m: 0.01": "neutral",
		"section: {area_m2: 3e-4, i1_m4: 8e-9, i2_m4: 7e-9, j_m4: 1.5e-8}": "stable",
	} {
		f, err := robotfile.Parse[robotfile.Continuum]("column", []byte("rod: {length_m: 1, "+section+`, density_kg_per_m3: 10, youngs_modulus_pa: 1e8, shear_modulus_pa: 4e7}
base: {direction: [0, 0, 1], normal: [1, 0, 0]}
gravity_m_per_s2: [0, 0, 0]
loads: [{force_n: [0, 0, -4]}]
initial_state: equilibrium`))
		if err != nil {
			t.Fatal(err)
		}
		m, err := continuum.New(f)
		if err != nil {
			t.Fatal(err)
		}
		before, after := make([]float64, m.StateLen()), make([]float64, m.StateLen())
		m.Save(before)
		if m.IsClearlyStable() != (want == "stable") {
			t.Errorf("%s: clearly stable: %v, want %s", section, m.IsClearlyStable(), want)
		}
		if m.Save(after); !slices.Equal(before, after) {
			t.Errorf("%s: IsClearlyStable changes the state", section)
		}
		s, err := m.Stability()
		if err != nil || s.IsStable != (want == "stable") || !strings.Contains(s.Description, "is "+want) || !strings.Contains(s.Description, "escaped an equilibrium that is unstable") {
			t.Errorf("%s: %q, error %v, want %s, and a shape that was left", section, s.Description, err, want)
		}
	}
}

// TestFlutter is that of Beck's column, at P L²/EI = 20.05 without damping, and at 10.94 with internal damping that is small (Bolotin and
// Zhinzher 1969); and that of a rod under a moment which does not turn, which damping suppresses.
func TestFlutter(t *testing.T) {
	beck := func(load, damping float64) string {
		return fmt.Sprintf(`rod: {length_m: 1, section: {area_m2: 1e-4, i1_m4: 1e-8, i2_m4: 1e-8, j_m4: 1e-8}, density_kg_per_m3: 1000, youngs_modulus_pa: 1e8, shear_modulus_pa: 1e13, elements: 40, damping: {kelvin_voigt_s: %g}}
base: {direction: [0, 0, 1], normal: [1, 0, 0]}
gravity_m_per_s2: [0, 0, 0]
loads: [{force_n: [0, 0, -%g], frame: body}]
initial_state: equilibrium`, damping, load)
	}
	moment := func(damping, drag float64) string {
		return fmt.Sprintf(`rod: {length_m: 0.2, radius_m: 0.0005, density_kg_per_m3: 6450, youngs_modulus_pa: 60e9, shear_modulus_pa: 23e9, elements: 20, damping: {kelvin_voigt_s: %g, drag_per_s: %g}}
base: {direction: [0, 0, -1], normal: [1, 0, 0]}
loads: [{at_m: 0.2, moment_nm: [0, 0.004, 0.002]}]
initial_state: equilibrium`, damping, drag)
	}
	for name, c := range map[string]struct {
		text, want string
		isStable   bool
	}{
		"undamped below":   {beck(19.9, 0), "stable; lowest undamped mode", true},
		"undamped above":   {beck(20.2, 0), "unstable, by flutter:", false},
		"damped below":     {beck(10.9, 1e-3), "stable; lowest undamped mode", true},
		"damped above":     {beck(10.98, 1e-3), "unstable, by flutter, which its damping causes", false},
		"moment, undamped": {moment(0, 0), "unstable, by flutter:", false},
		"moment, damped":   {moment(0.03, 20), "stable by its damping", true},
	} {
		t.Run(name, func(t *testing.T) {
			f, err := robotfile.Parse[robotfile.Continuum]("rod", []byte(c.text))
			if err != nil {
				t.Fatal(err)
			}
			m, err := continuum.New(f)
			if err != nil {
				t.Fatal(err)
			}
			if s, err := m.Stability(); err != nil || s.IsStable != c.isStable || !strings.Contains(s.Description, c.want) {
				t.Errorf("%q, stable: %v, error %v, want %q", s.Description, s.IsStable, err, c.want)
			}
		})
	}
}

// TestSaddlesBesideWalls finds equilibria of rods whose motion comes to rest on a saddle beside a wall. The search returned to it, and took
// 4400 to 15,000 iterations.
func TestSaddlesBesideWalls(t *testing.T) {
	const most = 2000 // iterations
	for _, seed := range []uint64{1190, 1197, 1202, 1521, 1589} {
		m, err := New(seed).Model()
		if err != nil {
			t.Fatal(err)
		}
		if err := m.Equilibrate(); err != nil {
			t.Errorf("%d: %v", seed, err)
			continue
		}
		parts, _ := m.Parts()
		if n := parts.Solver.Report().Iterations; n > most {
			t.Errorf("%d: %d iterations, want at most %d", seed, n, most)
		}
	}
}

// TestMomentsSettle finds the shape in which a rod under a moment, which has no potential, comes to rest in motion. It was refused as unstable.
func TestMomentsSettle(t *testing.T) {
	if verdict, _, err := judge(New(71)); verdict != "same" || err != nil {
		t.Errorf("%s: %v, want the end of the motion", verdict, err)
	}
}
