package identify

import (
	"math"
	"strconv"
	"strings"
	"testing"

	"sinew/pkg/sim/robotfile"
	"sinew/pkg/sim/spatial"
)

// bodyNumbers are those of a microrobot.
func bodyNumbers(t *testing.T, text string) fileNumbers {
	t.Helper()
	f, err := robotfile.Parse[robotfile.Microrobot]("robot.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return robotfile.Numbers(f)
}

// assigned resolves a name and returns what its parameters x make of the file.
func assigned(t *testing.T, n fileNumbers, name string, x ...float64) map[string]string {
	t.Helper()
	frees, err := Resolve([]string{name}, n, 0.25)
	if err != nil {
		t.Fatal(err)
	}
	if len(frees) != 1 || len(frees[0].Parameters) != len(x) {
		t.Fatalf("%s: %+v", name, frees)
	}
	all := map[string]string{}
	for _, a := range frees[0].assign(x) {
		all[a.path] = a.value
	}
	return all
}

// sameList compares YAML lists of numbers.
func sameList(t *testing.T, what, got string, want ...float64) {
	t.Helper()
	parts := strings.Split(strings.Trim(got, "[]"), ", ")
	ok := len(parts) == len(want)
	for i := 0; ok && i < len(want); i++ {
		v, err := strconv.ParseFloat(parts[i], 64)
		ok = err == nil && math.Abs(v-want[i]) < 1e-12*(1+math.Abs(want[i]))
	}
	if !ok {
		t.Errorf("%s: %s, want %g", what, got, want)
	}
}

// The members of a group together decide what they say.
func TestGroupsAssign(t *testing.T) {
	body := bodyNumbers(t, `
body:
  shape: {resistance: {trans_kg_per_s: [1, 2, 3], rot_kg_m2_per_s: [4, 5, 6], coupling_kg_m_per_s: [0.1, 0, 0, 0, 0.2, 0, 0, 0, 0.3]}}
  magnet: {moment_a_m2: [3, 0, 4]}
hardware: {position_m: [1, 2, 3], orientation_xyzw: [0, 0, 1, 0]}
`)
	a := assigned(t, body, "resistance", 4, 9)
	sameList(t, "translation", a["body.shape.resistance.trans_kg_per_s"], 4, 8, 12)
	sameList(t, "rotation", a["body.shape.resistance.rot_kg_m2_per_s"], 36, 45, 54)
	sameList(t, "coupling", a["body.shape.resistance.coupling_kg_m_per_s"], 0.6, 0, 0, 0, 1.2, 0, 0, 0, 1.8)

	a = assigned(t, body, "moment", 10)
	sameList(t, "moment", a["body.magnet.moment_a_m2"], 6, 0, 8)

	magnets := NumbersOf(t, "magnets: [{name: skin, from_m: 0.1, to_m: 0.2, magnetization_a_per_m: [0, 300, 400]}, {name: tip, at_m: 0.2, moment_a_m2: [3, 0, 4]}]")
	a = assigned(t, magnets, "moment", 1000, 10)
	sameList(t, "magnetization", a["magnets[0].magnetization_a_per_m"], 0, 600, 800)
	sameList(t, "moment of a magnet", a["magnets[1].moment_a_m2"], 6, 0, 8)

	a = assigned(t, body, "hardware_pose", 0.01, 0.02, 0.03, 0, 0, 0.2)
	sameList(t, "place", a["hardware.position_m"], 1.01, 2.02, 3.03)
	sin, cos := math.Sincos(math.Pi/2 + 0.1)
	sameList(t, "orientation", a["hardware.orientation_xyzw"], 0, 0, sin, cos)

	rod := NumbersOf(t, NamesFile)
	a = assigned(t, rod, "tendon_offsets", 0.015, 0, 0.03, math.Pi)
	if _, changed := a["tendons[0].offset_m"]; changed || len(a) != 1 {
		t.Errorf("a hole that stays is written: %v", a)
	}
	sameList(t, "hole", a["tendons[1].offset_m"], -0.03, 0)

	a = assigned(t, rod, "base_pose", 0, 0, 0, 0, 0, 0.1)
	turn := spatial.ExpRot(spatial.Vec{Z: 0.1}).Apply(spatial.Vec{X: 1})
	sameList(t, "direction", a["base.direction"], turn.X, turn.Y, turn.Z)
}

// Members start from the file, with bounds of the size of what they change.
func TestGroupMembers(t *testing.T) {
	body := bodyNumbers(t, "body: {shape: {resistance: {trans_kg_per_s: [1, 2, 3], rot_kg_m2_per_s: [4, 5, 6]}}, magnet: {moment_a_m2: [3, 0, 4]}}\nhardware: {latency_s: 0.2}\n")
	rod := NumbersOf(t, NamesFile)
	for _, c := range []struct {
		n               fileNumbers
		name            string
		start, min, max float64
		log             bool
	}{
		{body, "resistance.trans", 1, 0.1, 10, true}, {body, "resistance.rot", 1, 0.1, 10, true}, {body, "moment", 5, 0.5, 50, true},
		{body, "latency_s", 0.2, -0.1, 0.7, false}, {rod, "latency_s", 0, -0.1, 0.5, false},
		{body, "hardware_pose.y", 0, -0.025, 0.025, false}, {body, "hardware_pose.rz", 0, -0.35, 0.35, false},
		{rod, "tendon_offsets.side.radius_m", 0.02, 0.01, 0.03, false}, {rod, "tendon_offsets.side.azimuth_rad", math.Pi / 2, math.Pi/2 - 0.5, math.Pi/2 + 0.5, false},
		{rod, "tendon_offsets.up.azimuth_rad", 0, -0.5, 0.5, false},
	} {
		frees, err := Resolve([]string{c.name}, c.n, 0.25)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		p := frees[0].Parameters[0]
		near := func(a, b float64) bool { return math.Abs(a-b) < 1e-12 }
		if p.Name != c.name || !near(p.Start, c.start) || !near(p.Min, c.min) || !near(p.Max, c.max) || p.Log != c.log {
			t.Errorf("%+v, want %+v", p, c)
		}
	}
	// members that are not asked for stay
	a := assigned(t, body, "resistance.rot", 2)
	sameList(t, "translation", a["body.shape.resistance.trans_kg_per_s"], 1, 2, 3)
	sameList(t, "rotation", a["body.shape.resistance.rot_kg_m2_per_s"], 8, 10, 12)

	holes := NumbersOf(t, "rod: {length_m: 0.25}\ntendons: [{name: bow, offsets_m: [[0.01, 0], [0.02, 0]], disks: {positions_m: [0.1, 0.2]}}]\n")
	for name, c := range map[string]struct {
		n    fileNumbers
		want string
	}{
		"base_pose":                   {body, "the robot has no base"},
		"tendon_offsets":              {body, "the robot has no tendons"},
		"moment":                      {rod, "no permanent magnet"},
		"tendon_offsets.bow.radius_m": {holes, "offsets_m"},
	} {
		if _, err := Resolve([]string{name}, c.n, 0.25); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
	if len(Groups()) != 7 {
		t.Errorf("%d groups", len(Groups()))
	}
}
