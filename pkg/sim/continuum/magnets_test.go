package continuum_test

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"testing"

	"sinew/pkg/sim/continuum"
	"sinew/pkg/sim/continuum/continuumtest"
	"sinew/pkg/sim/robotfile"
	"sinew/pkg/sim/spatial"
)

// magneticCase is a case of testdata/magnetic_rod.json, which says of its own where it is from.
type magneticCase struct {
	Name     string
	Robot    json.RawMessage
	Expected struct {
		TipM       []float64 `json:"tip_m"`
		TipD1      []float64 `json:"tip_d1"`
		TipD3      []float64 `json:"tip_d3"`
		BaseForce  []float64 `json:"base_force_n"`
		BaseMoment []float64 `json:"base_moment_nm"`
		RootForce  []float64 `json:"root_force_n"`
		RootMoment []float64 `json:"root_moment_nm"`
		Stations   []struct {
			S float64   `json:"s_m"`
			P []float64 `json:"p_m"`
		}
	}
	Tolerance struct{ Any, N20, N40, N80 float64 }
}

// criticalField has the fields at which a straight rod becomes unstable.
type criticalField struct {
	Length        float64 `json:"length_m"`
	Dipole        float64 `json:"tip_dipole_m"`
	DipoleField   float64 `json:"tip_dipole_B_t"`
	Magnetization float64 `json:"distributed_M"`
	SpreadField   float64 `json:"distributed_B_t"`
}

func magneticGolden(t testing.TB) ([]magneticCase, criticalField) {
	t.Helper()
	var g struct {
		Cases    []magneticCase
		Critical []criticalField
	}
	b, err := os.ReadFile("testdata/magnetic_rod.json")
	if err == nil {
		err = json.Unmarshal(b, &g)
	}
	if err != nil || len(g.Cases) != 9 || len(g.Critical) != 1 {
		t.Fatalf("%d cases, %v", len(g.Cases), err)
	}
	return g.Cases, g.Critical[0]
}

// file is the robot of a case.
func (c *magneticCase) file(t testing.TB, n, order int) *robotfile.Continuum {
	t.Helper()
	f, err := robotfile.Parse[robotfile.Continuum](c.Name, c.Robot)
	if err != nil {
		t.Fatal(err)
	}
	f.Rod.Elements, f.Rod.Order = n, order
	return f
}

// at is the model of a file in equilibrium.
func inEquilibrium(t testing.TB, f *robotfile.Continuum) *continuum.Model {
	t.Helper()
	m := newModel(t, f)
	if err := m.Equilibrate(); err != nil {
		t.Fatal(err)
	}
	return m
}

// Tips, directors, stations and reactions of rods with magnets are those of the continuous
// rod, within the tolerances of the file, with elements of both orders.
func TestMagneticRods(t *testing.T) {
	cases, _ := magneticGolden(t)
	for i := range cases {
		c := &cases[i]
		for _, order := range orders() {
			var misses []float64
			for k, n := range []int{20, 40, 80} {
				tolerance := [...]float64{c.Tolerance.N20, c.Tolerance.N40, c.Tolerance.N80}[k]
				if c.Tolerance.Any > 0 {
					tolerance = c.Tolerance.Any
				}
				misses = append(misses, c.check(t, n, order, tolerance))
			}
			few, more := misses[1], misses[2]
			if order == 4 && more < 3e-8 { // what the force on a stretch shears between nodes is of order 2
				few, more = misses[0], misses[1]
			}
			if got := math.Log2(few / more); more > 1e-10 && !(got > float64(order)-0.1) {
				t.Errorf("%s, order %d: error of order %.2f in the length of the elements", c.Name, order, got)
			}
			t.Logf("%s, order %d: tip %.2g, %.2g, %.2g L off, order %.2f", c.Name, order, misses[0], misses[1], misses[2], math.Log2(misses[1]/misses[2]))
		}
	}
}

// check compares a case and returns by how much of the length the tip is off.
func (c *magneticCase) check(t *testing.T, n, order int, tolerance float64) (miss float64) {
	t.Helper()
	m := inEquilibrium(t, c.file(t, n, order))
	e, length := continuumtest.Of(t, m), partsOf(m).System.Rod.Length
	tip, base := e.NodePose(partsOf(m).System.Rod.Elements), partsOf(m).System.Rod.Base.R
	want, what := &c.Expected, fmt.Sprintf("%s, order %d, %d elements: ", c.Name, order, n)
	miss = distance(numbers(tip.P), want.TipM) / length
	if !(miss <= tolerance) {
		t.Errorf("%stip %.3g L off, tolerance %g", what, miss, tolerance)
	}
	// directors turn by what the tip moves over the part that bends
	for name, d := range map[string]float64{"d1": distance(numbers(tip.R.Col1()), want.TipD1), "d3": distance(numbers(tip.R.Col3()), want.TipD3)} {
		if !(d <= 4*tolerance) {
			t.Errorf("%s%s of the tip %.3g off, tolerance %g", what, name, d, 4*tolerance)
		}
	}
	for _, s := range want.Stations {
		if d := distance(numbers(e.NodePose(e.System.Rod.NearestNode(s.S)).P), s.P) / length; !(d <= tolerance) {
			t.Errorf("%sstation at %g m %.3g L off, tolerance %g", what, s.S, d, tolerance)
		}
	}
	// elements of order 2 miss the force of a magnetised stretch by up to 1.4 times what they
	// miss the tip by, of which tolerance is three times
	if order == 2 {
		tolerance *= 2
	}
	w, force, moment := baseWrench(m), want.BaseForce, want.BaseMoment
	if force == nil {
		w, force, moment = e.System.State.BaseReaction(), scaled(want.RootForce, -1), scaled(want.RootMoment, -1)
	}
	size := math.Max(distance(force, nothing), distance(moment, nothing)/length)
	if d := distance(numbers(base.Apply(w.Force)), force); !(d <= tolerance*size) {
		t.Errorf("%sbase force %.3g N off, tolerance %.3g", what, d, tolerance*size)
	}
	if d := distance(numbers(base.Apply(w.Moment)), moment) / length; !(d <= tolerance*size) {
		t.Errorf("%sbase moment over the length %.3g N off, tolerance %.3g", what, d, tolerance*size)
	}
	return miss
}

// The tangent of the magnets is exact, with the slope of the field of a permanent magnet: near
// the solution the residual falls by the square.
func TestNewtonIsQuadraticAtMagnets(t *testing.T) {
	cases, _ := magneticGolden(t)
	for i := range cases {
		for _, order := range orders() {
			f := cases[i].file(t, 20, order)
			if len(f.Field.Dipoles) == 0 {
				continue
			}
			m := inEquilibrium(t, f)
			e := continuumtest.Of(t, m)
			rest := save(m)
			for name, kick := range map[string]float64{"far": 1e-3, "near": 1e-5} {
				if err := m.Restore(rest); err != nil {
					t.Fatal(err)
				}
				for k := range e.System.State.Strain {
					e.System.State.Strain[k].Angular.X += kick
					e.System.State.Strain[k].Angular.Y -= kick
				}
				e.System.State.UpdatePoses()
				e.System.UpdateKinematics()
				if err := m.Equilibrate(); err != nil {
					t.Fatal(err)
				}
				want := map[string]int{"far": 3, "near": 2}[name]
				if got := e.Stepper.Report().Iterations; got > want || got == 0 {
					t.Errorf("%s, order %d, %s: back in equilibrium after %d iterations, want at most %d", cases[i].Name, order, name, got, want)
				}
			}
		}
	}
}

// antiAligned is a straight rod with a moment along its tangent and the field against it.
func antiAligned(t *testing.T, magnet string, field float64, n, order int) *robotfile.Continuum {
	t.Helper()
	return parse(t, fmt.Sprintf(`{rod: {length_m: 0.05, radius_m: 0.0005, density_kg_per_m3: 1100, youngs_modulus_pa: 2e6, shear_modulus_pa: 7e5, elements: %d, element_order: %d},
  gravity_m_per_s2: [0, 0, 0], magnets: [{name: m, %s}], field: {uniform_t: [%.17g, 0, 0]}}`, n, order, magnet, -field))
}

// A straight rod is stable below the critical field against its magnet, and an unstable
// equilibrium above.
func TestCriticalFields(t *testing.T) {
	_, g := magneticGolden(t)
	dipole := fmt.Sprintf("at_m: %g, moment_a_m2: [0, 0, %g]", g.Length, g.Dipole)
	spread := fmt.Sprintf("from_m: 0, to_m: %g, magnetization_a_per_m: [0, 0, %g]", g.Length, g.Magnetization)
	for _, c := range []struct {
		what, magnet string
		field        float64
		n            int
		tolerance    float64 // of the golden file
	}{
		{"dipole", dipole, g.DipoleField, 1, 1e-6},
		{"dipole", dipole, g.DipoleField, 20, 1e-6},
		{"spread", spread, g.SpreadField, 20, 1e-3},
		{"spread", spread, g.SpreadField, 80, 6e-5},
	} {
		for _, order := range orders() {
			for _, side := range []float64{-1, 1} {
				field := c.field * (1 + side*c.tolerance)
				m := newModel(t, antiAligned(t, c.magnet, field, c.n, order))
				err := m.Equilibrate()
				if left := len(continuumtest.Of(t, m).Solver.EscapedSaddles()); err != nil || (left > 0) != (side > 0) {
					t.Errorf("%s, order %d, %d elements, at %.8g of the critical field: the search has left %d unstable shapes, error %v", c.what, order, c.n, field/c.field, left, err)
				}
			}
		}
	}
}

// Robot, field, gravity and magnets turned together deform in the same way, in statics and
// in motion.
func TestMagneticRodIsFrameIndifferent(t *testing.T) {
	cases, _ := magneticGolden(t)
	turn, shift := spatial.ExpRot(spatial.Vec{X: 0.7, Y: -1.1, Z: 0.4}), spatial.Vec{X: 0.3, Y: -0.2, Z: 0.1}
	for i := range cases {
		plain := cases[i].file(t, 20, 2)
		plain.Rod.Damping.KelvinVoigt = 1e-3
		turned := *plain
		b, f := &turned.Base, &turned.Field
		b.Position, b.Direction, b.Normal = turn.Apply(b.Position).Add(shift), turn.Apply(b.Direction), turn.Apply(b.Normal)
		turned.Gravity, f.Uniform = turn.Apply(plain.Gravity), turn.Apply(f.Uniform)
		g := f.Gradient
		grad := turn.Mul(spatial.Mat3{XX: g[0], XY: g[1], XZ: g[2], YX: g[1], YY: g[3], YZ: g[4], ZX: g[2], ZY: g[4], ZZ: -g[0] - g[3]}).MulT(turn)
		f.Gradient, f.GradientCenter = [5]float64{grad.XX, grad.XY, grad.XZ, grad.YY, grad.YZ}, turn.Apply(f.GradientCenter).Add(shift)
		f.Dipoles = append([]robotfile.Dipole(nil), f.Dipoles...)
		for k := range f.Dipoles {
			d := &f.Dipoles[k]
			d.Position, d.Moment = turn.Apply(d.Position).Add(shift), turn.Apply(d.Moment)
		}
		for name, reach := range map[string]func(m *continuum.Model){
			"at rest": func(m *continuum.Model) { _ = m.Equilibrate() },
			"in motion": func(m *continuum.Model) {
				for range 50 {
					if err := m.Step(1e-3); err != nil {
						t.Fatal(err)
					}
				}
			},
		} {
			a, b := newModel(t, plain), newModel(t, &turned)
			reach(a)
			reach(b)
			x, y := continuumtest.Of(t, a).System.State.Strain, continuumtest.Of(t, b).System.State.Strain
			worst := 0.0
			for e := range x {
				worst = math.Max(worst, math.Max(x[e].Angular.Sub(y[e].Angular).Norm(), x[e].Linear.Sub(y[e].Linear).Norm()))
			}
			if !(worst < 1e-9) {
				t.Errorf("%s, %s: strains differ by %.3g", cases[i].Name, name, worst)
			}
		}
	}
}
