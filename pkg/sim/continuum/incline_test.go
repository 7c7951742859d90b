package continuum_test

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"sinew/pkg/sim/continuum"
)

// massCase is one_node_on_incline of testdata/contact_rod.json.
type massCase struct {
	Name string
	Rows []struct {
		Mass  float64 `json:"mass_kg"`
		Mu    float64
		Angle float64 `json:"angle_deg"`
		Speed float64 `json:"v0_m_per_s"`
		Rate  float64 `json:"acceleration_m_per_s2"`
		Moved float64 `json:"displacement_at_0p2_s_m"`
	}
}

// onIncline is a mass on a plane, at the end of a thread that pulls it with less than a
// thousandth of its weight; gravity is tilted. Its inertia keeps it from rolling.
func onIncline(t *testing.T, mass, mu, angle float64) *continuum.Model {
	t.Helper()
	const g = 9.80665
	return mustModelOf(t, fmt.Sprintf(`
rod: {length_m: 0.05, radius_m: 0.0001, density_kg_per_m3: 1, youngs_modulus_pa: 100, shear_modulus_pa: 30, elements: 1}
base: {position_m: [0, 0, 0.0001], direction: [1, 0, 0], normal: [0, 0, 1]}
gravity_m_per_s2: [%.17g, 0, %.17g]
tip: {mass_kg: %g, inertia_kg_m2: [10, 10, 10]}
environment: {friction_coefficient: %g, stiffness_n_per_m: 1e5, shapes: [{name: slope, plane: {}}]}
solver: {step_s: 0.001}`, g*math.Sin(angle), -g*math.Cos(angle), mass, mu))
}

// TestMassOnAnIncline slides and holds one mass, thrown down the slope or let go: where it
// stops it stays.
func TestMassOnAnIncline(t *testing.T) {
	c := massCase{}
	for _, text := range goldenContacts(t) {
		if c = (massCase{}); json.Unmarshal(text, &c) == nil && c.Name == "one_node_on_incline" {
			break
		}
	}
	if len(c.Rows) != 4 {
		t.Fatalf("%d rows", len(c.Rows))
	}
	for i, row := range c.Rows {
		m := onIncline(t, row.Mass, row.Mu, row.Angle*math.Pi/180)
		x := func() float64 { return positionOf(t, m, 1).X }
		want := row.Moved
		if row.Speed > 0 { // it stops before 0.2 s
			v := throw(t, m, row.Mass, row.Speed-row.Rate*thrown)
			if want *= v * v / (row.Speed * row.Speed); math.Abs(v-row.Speed) > 0.1*row.Speed {
				t.Fatalf("row %d: thrown with %g m/s, want about %g", i, v, row.Speed)
			}
		}
		from := x()
		run(t, m, 0.2)
		if off := math.Abs(x() - from - want); off > max(5e-3*row.Moved, 2e-6) {
			t.Errorf("row %d: moved by %.6g m in 0.2 s, want %.6g", i, x()-from, want)
		}
		if row.Rate > 0 {
			continue // still slides
		}
		run(t, m, 0.1)
		at := x()
		run(t, m, 1)
		if creep := math.Abs(x() - at); creep > 1e-6 {
			t.Errorf("row %d: creeps by %.2g m in a second, allowed 1e-6", i, creep)
		}
	}
}

// thrown is how long a mass is pushed, s.
const thrown = 0.1

// throw gives the tip an impulse down the slope, mass times speed, without a jump of the force,
// and returns the speed that friction has left it.
func throw(t *testing.T, m *continuum.Model, mass, speed float64) float64 {
	t.Helper()
	const steps = 100
	for i := range steps {
		share := math.Sin(math.Pi * float64(i+1) / steps)
		command(t, m, "external_wrench", mass*speed/thrown*2*share*share, 0, 0, 0, 0, 0)
		run(t, m, thrown/steps)
	}
	return tipTwist(m).Linear.X
}

// TestMassesOnInclines lets masses go on slopes at random: each keeps to the closed form.
func TestMassesOnInclines(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 8))
	slid, held := 0, 0
	for range 40 {
		mass, mu, angle := 3e-3*math.Pow(30, random.Float64()), 1.2*random.Float64(), 1.2*random.Float64()
		rate := 9.80665 * max(0, math.Sin(angle)-mu*math.Cos(angle))
		m := onIncline(t, mass, mu, angle)
		run(t, m, 0.2)
		moved, want := positionOf(t, m, 1).X-0.05, 0.5*rate*0.04
		// at first friction holds by a spring, and while the mass settles on the slope it is not
		// quite that of its weight
		slack := mass*9.80665*(1+mu)/1e5 + 2e-6 + 3e-3*0.5*9.80665*mu*math.Cos(angle)*0.04
		if math.Abs(moved-want) > 5e-3*want+slack {
			t.Errorf("%.3g kg, friction %.3g, %.3g rad: moved by %.6g m, want %.6g", mass, mu, angle, moved, want)
		}
		if rate > 0 {
			slid++
			continue
		}
		held++
		run(t, m, 1)
		if creep := math.Abs(positionOf(t, m, 1).X - 0.05 - moved); creep > 1e-6 {
			t.Errorf("%.3g kg, friction %.3g, %.3g rad: creeps by %.2g m in a second, allowed 1e-6", mass, mu, angle, creep)
		}
	}
	if slid < 8 || held < 8 {
		t.Errorf("%d slid and %d were held: too few", slid, held)
	}
}
