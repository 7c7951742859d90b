package continuum_test

import (
	"errors"
	"math"
	"testing"

	"sinew/pkg/sim"
	"sinew/pkg/sim/contact"
	"sinew/pkg/sim/continuum"
	"sinew/pkg/sim/continuum/continuumtest"
	"sinew/pkg/sim/shape"
	"sinew/pkg/sim/spatial"
	"sinew/test/testsize"
)

// fallingRod is a rod whose far part falls onto a table, of the base as given.
func fallingRod(t *testing.T, order int, base, friction string) *continuum.Model {
	t.Helper()
	return mustModelOf(t, `
rod: {length_m: 0.3, radius_m: 0.002, density_kg_per_m3: 1100, youngs_modulus_pa: 1e7, shear_modulus_pa: 3.5e6, elements: 20, element_order: `+string(rune('0'+order))+`, damping: {kelvin_voigt_s: 0.002}}
base: `+base+`
environment: {friction_coefficient: `+friction+`, shapes: [{name: table, plane: {}}]}
solver: {step_s: 0.001}`)
}

// TestFallingRodsComeToRest drops rods onto a table: their energy never grows, they bounce by
// less than 0.3 of the speed of the impact, and they lie still within a second.
func TestFallingRodsComeToRest(t *testing.T) {
	for name, base := range map[string]string{
		"flat":      "{position_m: [0, 0, 0.03]}",
		"tilted up": "{position_m: [0, 0, 0.03], direction: [0.8, 0, 0.6], normal: [-0.6, 0, 0.8]}",
		"tip first": "{position_m: [0, 0, 0.25], direction: [0.6, 0, -0.8], normal: [0.8, 0, 0.6]}",
	} {
		for _, order := range orders() {
			m := fallingRod(t, order, base, "0.3")
			e := continuumtest.Of(t, m)
			start := energy(t, m, standard)
			before, fastest, bounce := start, 0.0, 0.0
			for i := range 2000 {
				touched := e.Contact.Summary().Count > 0
				if err := m.Step(1e-3); err != nil {
					t.Fatalf("%s: %v", name, err)
				}
				now := energy(t, m, standard)
				if now > before+1e-6*math.Abs(start) {
					t.Fatalf("%s, order %d: the energy grows from %.9g to %.9g J at %g s", name, order, before, now, 1e-3*float64(i+1))
				}
				before = now
				tip := tipTwist(m).Linear.Z
				if !touched {
					fastest = max(fastest, -tip)
				} else if i < 499 {
					bounce = max(bounce, tip)
				}
			}
			if bounce > 0.3*fastest {
				t.Errorf("%s, order %d: bounces with %.2g of the speed of the impact, allowed 0.3", name, order, bounce/fastest)
			}
			if v := tipTwist(m).Linear.Norm(); v > 1e-4 {
				t.Errorf("%s, order %d: still moves by %.2g m/s", name, order, v)
			}
			if f := e.Contact.Summary(); f.Count == 0 || f.RelativePenetration > deepest {
				t.Errorf("%s, order %d: %+v at rest", name, order, f)
			}
		}
	}
}

// TestContactForcesBalance demands that base and walls together carry the weight at rest.
func TestContactForcesBalance(t *testing.T) {
	for _, order := range orders() {
		m := fallingRod(t, order, "{position_m: [0, 0, 0.03], direction: [0.8, 0.6, 0], normal: [0, 0, 1]}", "0.3")
		run(t, m, 5)
		e := continuumtest.Of(t, m)
		weight := 0.0
		for i := range e.System.State.Pose {
			weight += 9.80665 * e.System.State.NodeMass(i)
		}
		sum := e.Contact.TotalWrench(basePose(m).P).Force.Add(baseForce(t, m))
		if off := sum.Sub(spatial.Vec{Z: weight}).Norm(); off > 1e-6*weight {
			t.Errorf("order %d: base and table carry %v N of a weight of %.9g N", order, sum, weight)
		}
	}
}

// TestNothingPassesThroughWalls pushes rods at bars, balls, tables and the walls of tubes as
// fast as a base is moved. The centre line of the rod stays on its side all the way: that no wall
// is deep in it says nothing of a rod that has come out on the other side.
func TestNothingPassesThroughWalls(t *testing.T) {
	testsize.SkipInShort(t)
	for name, shape := range map[string]string{
		"bar":   "capsule: {from_m: [0.05, -0.1, -0.0205], to_m: [0.05, 0.1, -0.0205], radius_m: 0.0005}",
		"ball":  "sphere: {center_m: [0.05, 0, -0.024], radius_m: 0.003}",
		"table": "plane: {point_m: [0, 0, -0.03]}",
		"tube":  "tube: {points_m: [[-0.1, 0, 0], [0.2, 0, 0]], radius_m: 0.03}",
	} {
		for _, speed := range []string{"0.2", "1"} {
			m := mustModelOf(t, `
rod: {length_m: 0.1, radius_m: 0.0005, density_kg_per_m3: 6450, youngs_modulus_pa: 1e10, shear_modulus_pa: 3.6e9, elements: 20, damping: {kelvin_voigt_s: 0.0005}}
base: {direction: [0.98, 0, -0.198997487421324], normal: [0.198997487421324, 0, 0.98], velocity_m_per_s: [0, 0, -`+speed+`], until_s: `+map[string]string{"0.2": "0.1", "1": "0.02"}[speed]+`}
gravity_m_per_s2: [0, 0, 0]
environment: {shapes: [{name: it, `+shape+`}]}
solver: {step_s: 0.001}`)
			e := continuumtest.Of(t, m)
			deepest, touched, before := 0.0, false, segments(continuumtest.Of(t, m), 8)
			for range 200 {
				if err := m.Step(1e-3); err != nil {
					t.Fatalf("%s at %s m/s: %v", name, speed, err)
				}
				after := segments(continuumtest.Of(t, m), 8)
				if d := leastOnTheWay(&e.Contact.Walls[0].Shape, before, after); !(d > 0) {
					t.Fatalf("%s at %s m/s: the centre line goes %.3g m deep through the wall", name, speed, -d)
				}
				before = after
				s := e.Contact.Summary()
				deepest, touched = max(deepest, s.RelativePenetration), touched || s.Count > 0
			}
			if !touched || deepest > 0.5 {
				t.Errorf("%s at %s m/s: touched %v, penetration of %.2g radii", name, speed, touched, deepest)
			}
			if d := e.Contact.Summary().RelativePenetration; d > 0.1 {
				t.Errorf("%s at %s m/s: penetration of %.2g radii at the end", name, speed, d)
			}
		}
	}
}

// leastOnTheWay is the least distance to a wall of points that move straight on.
func leastOnTheWay(wall *shape.Shape, from, to []spatial.Vec) float64 {
	const parts = 16
	least := math.Inf(1)
	for i := range from {
		for k := range parts {
			x := from[i].AddScaled(float64(k+1)/parts, to[i].Sub(from[i]))
			if at, ok := wall.At(x, new(shape.Hint)); ok {
				least = min(least, at.D)
			}
		}
	}
	return least
}

func TestRobotsThatBeginInsideAWallAreRefused(t *testing.T) {
	_, err := modelOf("environment: {shapes: [{name: table, plane: {point_m: [0, 0, 0.02]}}]}")
	var inside *contact.InsideWallError
	if !errors.As(err, &inside) || !errors.Is(err, contact.ErrInsideWall) {
		t.Fatalf("error is %v, want ErrInsideWall", err)
	}
	if inside.Wall != "table" || math.Abs(inside.Depth-0.0255) > 1e-12 || inside.ArcLength <= 0 {
		t.Errorf("%+v, want a depth of 0.0255 m in table", inside)
	}
}

// TestContactsAreTold demands that the port tell of the contacts that carry a rod on a table.
func TestContactsAreTold(t *testing.T) {
	m := fallingRod(t, 2, "{position_m: [0, 0, 0.03]}", "0.3")
	run(t, m, 3)
	for i, p := range m.Ports() {
		v := make([]float64, p.Width())
		switch p.Name {
		case "contacts":
			if m.Value(i, v); v[0] < 3 || v[0] > 20 || p.Labels[0] != "table" {
				t.Fatalf("%g contacts with %v", v[0], p.Labels)
			}
			sum, largest, count := 0.0, 0.0, 0.0
			for c := v[3:]; len(c) > 0 && c[0] >= 0; c = c[13:] {
				sum, largest, count = sum+c[3], max(largest, c[3]), count+1
				if c[0] != 0 || c[1] < 0.1 || math.Abs(c[6]) > 1e-5 || c[9] != 1 || math.Hypot(c[10], c[11]) > 0.31*c[3]+1e-12 {
					t.Errorf("a contact is %v", c[:13])
				}
			}
			if total := continuumtest.Of(t, m).Contact.TotalWrench(spatial.Vec{}).Force.Z; math.Abs(sum-total) > 1e-12 || largest != v[1] || count != v[0] {
				t.Errorf("%g contacts of %g N, the largest %g N; of %g N together", count, sum, largest, total)
			}
		case "base_wrench":
			if m.Value(i, v); math.Abs(v[2]-baseForce(t, m).Z) > 1e-15 || !p.Silent {
				t.Errorf("base_wrench is %v", v)
			}
		}
	}
}

// TestWallsAndContactForcesAreDrawn draws a rod on a table, each time into what was drawn.
func TestWallsAndContactForcesAreDrawn(t *testing.T) {
	m := fallingRod(t, 2, "{position_m: [0, 0, 0.03]}", "0.3")
	var s sim.Scene
	m.Draw(&s)
	if len(s.Meshes) != 1 || s.Meshes[0].Name != "table" || len(s.Meshes[0].Corners) != 6 {
		t.Fatalf("walls are %+v", s.Meshes)
	}
	run(t, m, 3)
	if n := testing.AllocsPerRun(3, func() { m.Draw(&s) }); n > 0 {
		t.Errorf("drawing again allocates %g times", n)
	}
	longest := 0.0
	for _, a := range s.Arrows {
		if d := a.To.Sub(a.From); a.Name == "contact" && d != (spatial.Vec{}) {
			longest = max(longest, d.Norm())
			if !(d.Z > 0) || math.Abs(a.From.Z) > 1e-4 {
				t.Errorf("a contact force is drawn as %+v", a)
			}
		}
	}
	if longest < 0.0299 || longest > 0.032 {
		t.Errorf("the largest contact force is drawn %g m long, want about 0.03", longest)
	}
}
