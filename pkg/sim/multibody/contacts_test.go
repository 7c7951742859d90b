package multibody_test

import (
	"math"
	"slices"
	"testing"

	"sinew/pkg/sim"
	"sinew/pkg/sim/spatial"
)

// listed is a contact of the port contacts.
type listed struct {
	label            string
	arc, gap, force  float64
	at, normal, slip spatial.Vec
}

// contactsOf returns what touches, and the head of the port.
func contactsOf(t testing.TB, m sim.Model) (all []listed, head []float64) {
	t.Helper()
	p, v := m.Ports()[portOf(t, m, "contacts", sim.Out)], value(t, m, "contacts")
	for c := v[sim.ContactHead:]; len(c) > 0 && c[0] >= 0; c = c[sim.ContactWidth:] {
		all = append(all, listed{p.Labels[int(c[0])], c[1], c[2], c[3], spatial.VecAt(c[4:]), spatial.VecAt(c[7:]), spatial.VecAt(c[10:])})
	}
	return all, v[:sim.ContactHead]
}

// sumOn returns the force of all contacts on a link.
func sumOn(link string, all []listed) (sum spatial.Vec) {
	for _, c := range all {
		if len(c.label) > len(link) && c.label[:len(link)+1] == link+"/" {
			sum = sum.Add(c.normal.Scale(c.force)).Add(c.slip)
		}
	}
	return sum
}

const pile = `
rods: [{name: log, length_m: 0.2, radius_m: 0.01, youngs_modulus_pa: 1e9, shear_modulus_pa: 4e8, density_kg_per_m3: 1000, elements: 8, start: {position_m: [-0.1, 0, 0.03], direction: [1, 0, 0], normal: [0, 0, 1]}}]
bodies: [{name: plank, mass_kg: 0.5, inertia_kg_m2: [0.001, 0.001, 0.001], position_m: [0, 0, 0.01], shapes: [{box: {size_m: [0.4, 0.1, 0.02]}}]}]
environment: {friction_coefficient: 0.5, shapes: [{name: floor, plane: {point_m: [0, 0, 0], normal: [0, 0, 1]}}]}
gravity_m_per_s2: [1, 0, -9]
solver: {step_s: 0.001}
`

// TestContactsCarryAPile: the contacts on each link are what keeps it at rest on a slope, those of two links are opposite, and the head
// tells of their number, their largest force and penetration.
func TestContactsCarryAPile(t *testing.T) {
	m := mustModel(t, parse(t, "pile", pile))
	march(t, m, nil, 0.001, 1500)
	all, head := contactsOf(t, m)
	log := 1000 * math.Pi * 0.01 * 0.01 * 0.2
	for link, want := range map[string]spatial.Vec{"log": {X: -log, Z: 9 * log}, "plank": {X: -0.5, Z: 9 * 0.5}} {
		if d := sumOn(link, all).Sub(want).Norm(); d > 0.01*want.Norm() {
			t.Errorf("contacts push %s by %v N, want %v N", link, sumOn(link, all), want)
		}
	}
	both := 0
	most, deepest := 0.0, 0.0
	for _, c := range all {
		most, deepest = max(most, c.force), max(deepest, -c.gap)
		if math.Abs(c.normal.Norm()-1) > 1e-9 || c.slip.Norm() > 0.5*c.force*1.01 {
			t.Errorf("a contact %+v", c)
		}
		switch c.label {
		case "log/plank":
			both++
			opposite := func(o listed) bool {
				return o.label == "plank/log" && o.at == c.at && o.force == c.force && o.normal == c.normal.Neg() && o.slip == c.slip.Neg()
			}
			if !slices.ContainsFunc(all, opposite) || math.Abs(c.at.Z-0.02) > 1e-3 || math.Abs(c.arc-(c.at.X+0.1)) > 5e-3 {
				t.Errorf("a contact of the log has no opposite one, or is elsewhere: %+v", c)
			}
		case "plank/log", "plank/floor":
		default:
			t.Errorf("a contact of %q", c.label)
		}
	}
	if both == 0 || head[0] != float64(len(all)-both) || head[1] != most || head[2] != deepest {
		t.Errorf("%d contacts, %d of both links: the head is %v", len(all), both, head)
	}
	scene := new(sim.Scene)
	m.Draw(scene)
	longest := 0.0
	for _, a := range scene.Arrows {
		if a.Name == "contact" {
			longest = max(longest, a.To.Sub(a.From).Norm())
		}
	}
	if r := m.Robot(); longest < 0.1*r.Size() || longest > 0.12*r.Size() { // friction is part of it
		t.Errorf("the longest arrow of a contact has %g m, want a tenth of %g m and what friction adds", longest, r.Size())
	}
}

// TestNothingToTouch: what has neither walls nor shapes has no contacts.
func TestNothingToTouch(t *testing.T) {
	for _, p := range mustModel(t, parse(t, "beam", beam)).Ports() {
		if p.Kind == sim.Contacts {
			t.Errorf("a beam alone has the port %s", p.Name)
		}
	}
}

// TestContactsAtTheBeginning: what touches at t = 0, without an equilibrium before, does so without friction.
func TestContactsAtTheBeginning(t *testing.T) {
	all, _ := contactsOf(t, mustModel(t, parse(t, "pile", pile)))
	if len(all) == 0 {
		t.Fatal("nothing touches")
	}
	for _, c := range all {
		if n := c.slip.Norm(); n > 1e-9*c.force {
			t.Errorf("%s: friction of %v N beside a normal force of %g N", c.label, c.slip, c.force)
		}
	}
}
