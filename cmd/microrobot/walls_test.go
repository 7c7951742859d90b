package main_test

import (
	"slices"
	"testing"

	main "sinew/cmd/microrobot"
	"sinew/pkg/sim"
	"sinew/pkg/sim/microrobot"
	"sinew/pkg/sim/robotfile"
)

// One robot among walls has columns of contact; those of a swarm are of each robot, and none of
// contact, which a swarm has as a whole.
func TestColumnsOfContact(t *testing.T) {
	const body = "body: {shape: {sphere_m: 1e-4}, position_m: [0, 0, 0.01]}\nenvironment: {shapes: [{name: table, plane: {}}]}\n"
	for text, want := range map[string]bool{body: true, body + "swarm: {count: 8, spacing_m: 1e-3, interaction: none}\n": false} {
		f, err := robotfile.Parse[robotfile.Microrobot]("test", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		m, err := microrobot.New(f, nil)
		if err != nil {
			t.Fatal(err)
		}
		got := false
		for _, s := range main.Samples(m.Ports()) {
			got = got || slices.Contains(s.Columns, "contact_count")
			i := slices.IndexFunc(m.Ports(), func(p sim.Port) bool { return p.Name == s.Port })
			if m.Robots() > 0 && !m.ValueOfAll(i, make([]float64, m.Robots()*m.Ports()[i].Width())) {
				t.Errorf("no values of %s of every robot", s.Port)
			}
		}
		if got != want {
			t.Errorf("%s columns of contact: %t", text, got)
		}
	}
}
