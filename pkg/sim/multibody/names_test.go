package multibody_test

import (
	"strings"
	"testing"

	"sinew/pkg/sim/robotfile"
)

// TestNamesOfTheProgramAreReserved: no joint may have the name of a topic, of a gauge or of a column of energies.
func TestNamesOfTheProgramAreReserved(t *testing.T) {
	m := mustModel(t, read(t, "gripper_with_ball"))
	var names []string
	for _, p := range m.Ports() {
		switch {
		case p.Name == "energies":
			names = append(names, p.Labels...)
		case !p.Silent && !strings.Contains(p.Name, "/"):
			names = append(names, p.Name)
		}
	}
	for _, g := range m.Gauges() {
		names = append(names, g.Key)
	}
	if len(names) < 15 {
		t.Fatalf("names %q", names)
	}
	for _, name := range names {
		text := strings.Replace(handFile, "name: knuckle", "name: "+name, 1)
		if _, err := robotfile.Parse[robotfile.Mechanism]("hand.yaml", []byte(text)); err == nil || !strings.Contains(err.Error(), "\""+name+"\" is a reserved name") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
