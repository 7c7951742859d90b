package multibody_test

import (
	"fmt"
	"math"
	"strings"
	"testing"
)

// clampedColumn is a column of 1 m and EI = 1 N m² about one axis and of EI = ratio about the other one, which a load pushes along it.
func clampedColumn(ratio, load float64, elements int) string {
	return fmt.Sprintf(`
rods: [{name: column, length_m: 1, section: {area_m2: 1, i1_m4: 1e-6, i2_m4: %.17ge-6, j_m4: 2e-6}, contact_radius_m: 0.001, density_kg_per_m3: 10, youngs_modulus_pa: 1e6, shear_modulus_pa: 1e8, elements: %d}]
joints: [{name: clamp, type: fixed, parent: {world: true}, child: {rod: column, at_m: 0}}]
gravity_m_per_s2: [0, 0, 0]
initial_state: equilibrium
loads: [{rod: column, at_m: 1, force_n: [0, 0, %.17g]}]
`, ratio, elements, -load)
}

// elastica returns how far the end of a clamped column is aside and above its foot, in lengths, under a share of the load of Euler above 1:
// of the modulus k of the complete elliptic integrals, K(k) = π/2 √share, it is 2 k/K aside and 2 E/K − 1 above.
func elastica(share float64) (aside, above float64) {
	low, high := 0.0, 1-1e-15
	integrals := func(k float64) (first, second float64) { // by the arithmetic-geometric mean
		a, b, power, sum := 1.0, math.Sqrt((1-k)*(1+k)), 0.5, k*k/2
		for range 10 {
			c := (a - b) / 2
			a, b, power = (a+b)/2, math.Sqrt(a*b), 2*power
			sum += power * c * c
		}
		return math.Pi / (2 * a), math.Pi / (2 * a) * (1 - sum)
	}
	for range 60 {
		if first, _ := integrals((low + high) / 2); first < math.Pi/2*math.Sqrt(share) {
			low = (low + high) / 2
		} else {
			high = (low + high) / 2
		}
	}
	first, second := integrals(low)
	return 2 * low / first, 2*second/first - 1
}

// TestRoundColumns, whose bifurcation is double and which lean to any side beyond it, are the elastica, and neutral. Rods
// compress, too, by 2.5e-6 of the length under the load of Euler.
func TestRoundColumns(t *testing.T) {
	for _, c := range []struct {
		share    float64
		elements int
		error    float64
	}{{0.99, 20, 0}, {1.001, 20, 1e-3}, {1.2, 20, 1e-5}, {3, 5, 1e-3}, {3, 37, 1e-5}, {10, 20, 1e-4}, {40, 40, 1e-4}} {
		m := mustModel(t, parse(t, "column", clampedColumn(1, c.share*math.Pi*math.Pi/4, c.elements)))
		s, err := m.Stability()
		if err != nil {
			t.Fatal(err)
		}
		poses := m.Links()[0].Poses
		end := poses[len(poses)-1].P
		aside, above := elastica(max(c.share, 1))
		if d := math.Hypot(math.Hypot(end.X, end.Y)-aside, end.Z-above); c.share > 1 && d > c.error {
			t.Errorf("%g of the load of Euler, %d elements: the end is %.3g m from the elastica", c.share, c.elements, d)
		}
		if isBuckled := c.share > 1; s.IsNeutral != isBuckled || s.IsStable == isBuckled || isBuckled != strings.Contains(s.Description, "escaped an equilibrium that is unstable") {
			t.Errorf("%g of the load of Euler: %+v", c.share, s)
		}
	}
}

// TestUnstableEquilibria: of two links that stand on hinges above each other, or hang, as many modes are unstable as stand.
func TestUnstableEquilibria(t *testing.T) {
	for _, c := range []struct {
		name         string
		lower, upper float64 // coordinates, rad: 0 hangs
		want         string
	}{
		{"both stand", math.Pi, 0, "the equilibrium is unstable: its energy decreases along 2 modes, most in a motion of "},
		{"the second stands", 0, math.Pi, "the equilibrium is unstable: its energy decreases along 1 mode, most in a motion of coordinate 1 of joint \"second\""},
		{"both hang", 0, 0, "the equilibrium is stable"},
	} {
		m := mustModel(t, parse(t, "links", fmt.Sprintf(`
bodies:
  - {name: lower, mass_kg: 1, inertia_kg_m2: [0.01, 0.01, 0.01], center_of_mass_m: [0, 0, -0.2]}
  - {name: upper, mass_kg: 1, inertia_kg_m2: [0.01, 0.01, 0.01], center_of_mass_m: [0, 0, -0.2]}
joints:
  - {name: first, type: revolute, axis: [0, 1, 0], parent: {world: true}, child: {body: lower}, position: %g}
  - {name: second, type: revolute, axis: [0, 1, 0], parent: {body: lower, position_m: [0, 0, -0.4]}, child: {body: upper}, position: %g}
`, c.lower, c.upper)))
		if s, err := m.Stability(); err != nil || !strings.HasPrefix(s.Description, c.want) || s.IsStable != (c.want == "the equilibrium is stable") {
			t.Errorf("%s: %+v, %v, want %q", c.name, s, err, c.want)
		}
	}
}

// TestFreeLinksAreNamed where a search for an equilibrium fails.
func TestFreeLinksAreNamed(t *testing.T) {
	const brick = "bodies: [{name: brick, mass_kg: 1, inertia_kg_m2: [1, 1, 1], shapes: [{sphere: {center_m: [0, 0, 0], radius_m: 0.1}}], position_m: [0, 0, 1]}, {name: held, motion: fixed, position_m: [5, 0, 0]}]\n"
	for what, c := range map[string]struct{ text, want string }{
		"a body that falls": {brick, `no equilibrium: mechanism: nothing holds "brick": no joint or tendon connects it to the world; add a joint, or use initial_state: straight and sim`},
		"a hoop in the air": {"", `; without contact nothing holds "hoop": no joint or tendon connects it to the world; add a joint, or use initial_state: straight and sim until it rests`},
	} {
		f := read(t, "thrown_ring")
		if c.text != "" {
			f = parse(t, "brick", c.text)
		}
		if err := mustModel(t, f).Equilibrate(); err == nil || !strings.HasSuffix(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", what, err, c.want)
		}
	}
}
