package robotfile_test

import (
	"fmt"
	"strings"
	"testing"

	"sinew/pkg/sim/robotfile"
)

// pairFile is a robot with two tendons, of which a joint may be laid over.
const pairFile = `
tendons:
  - {name: up, offset_m: [0.01, 0], stiffness_n_per_m: 1e4}
  - {name: down, offset_m: [-0.01, 0], stiffness_n_per_m: 1e4}
`

func parsePair(joints string) (*robotfile.Continuum, error) {
	return robotfile.Parse[robotfile.Continuum]("f", []byte(pairFile+joints))
}

// A joint has what the file says, and defaults that do nothing.
func TestJoints(t *testing.T) {
	r, err := parsePair(`
drives:
  shared_compliance_m_per_n: 1e-5
  joints:
    - {name: bend, pulley_radius_m: 0.01, angle_rad: 4, tendons: [{name: up, rest_pull_m: 1e-3}, {name: down, gain: -1}]}
`)
	if err != nil {
		t.Fatal(err)
	}
	j := r.Drives.Joints[0]
	if j.Gain != 1 || j.Lag != 0 || j.Backlash != 0 || j.Limits.Max != 4 || j.Limits.MaxRate != 10 || r.Drives.SharedCompliance != 1e-5 {
		t.Errorf("%+v", r.Drives)
	}
	if w := j.Tendons; w[0].Gain != 1 || w[0].RestPull != 1e-3 || w[1].Gain != -1 {
		t.Errorf("%+v", w)
	}
	for name, want := range map[string]int{"up": 0, "down": 0, "other": -1} {
		if got := r.Drives.JointOf(name); got != want {
			t.Errorf("joint of %s: %d, want %d", name, got, want)
		}
	}
}

// What cannot be is refused, with the place and what may be there.
func TestJointMistakes(t *testing.T) {
	const good = "pulley_radius_m: 0.01, tendons: [{name: up}]"
	joint := func(text string) string { return "drives: {joints: [{" + text + "}]}\n" }
	for _, c := range []struct{ text, want string }{
		{joint("name: up, " + good), "drives.joints[0].name: \"up\" is the name of tendons[0] too"},
		{joint("name: 1 2, " + good), "is not a valid name"},
		{joint(good), "drives.joints[0].name: is missing"},
		{joint("name: m, tendons: [{name: up}]"), "drives.joints[0].pulley_radius_m: is missing; allowed: (0, 10] m"},
		{joint("name: m, pulley_radius_m: 0, tendons: [{name: up}]"), "allowed: (0, 10]"},
		{joint("name: m, pulley_radius_m: 0.01, tendons: [{name: left}]"), "is not a tendon of the robot; allowed: up, down"},
		{joint("name: m, pulley_radius_m: 0.01, tendons: [{name: up}, {name: up}]"), "is on the pulley of drives.joints[0] too"},
		{"drives: {joints: [{name: m, " + good + "}, {name: n, " + good + "}]}\n", "drives.joints[1].tendons[0].name: \"up\" is on the pulley of drives.joints[0] too"},
		{"drives: {joints: [{name: m, " + good + "}, {name: m, pulley_radius_m: 1, tendons: [{name: down}]}]}\n", "is the name of drives.joints[0] too"},
		{joint("name: m, " + good + ", lag_s: -1"), "allowed: [0, 1000] s"},
		{joint("name: m, " + good + ", gain: 0"), "allowed: (0, 100]"},
		{joint("name: m, " + good + ", backlash_rad: .nan"), "drives.joints[0].backlash_rad"},
		{joint("name: m, " + good + ", dead_time_s: 9"), "drives.joints[0].dead_time_s: 9 s has too many steps of solver.step_s; allowed: at most 10000 steps"},
		{joint("name: m, " + good + ", limits: {min_rad: 1, max_rad: -1}"), "is above max_rad"},
		{joint("name: m, " + good + ", angle_rad: 2, limits: {max_rad: 1}"), "is beyond the limits of the joint; allowed: [-3.141592653589793, 1]"},
		{joint("name: m, "+good) + "solver: {method: explicit}\n", "drives.joints[0]: {...} is supported by method implicit only"},
		{"drives: {shared_compliance_m_per_n: 1e-5}\nsolver: {method: explicit}\n", "is supported by method implicit only"},
		{joint("name: m, "+good) + "hardware: {tendons: [{name: up}]}\n", "is moved by joint m, not by a tension"},
		{"drives: {joints: 3}\n", "drives.joints: 3 must be a list"},
		{"drives: [1]\n", "must be a mapping of keys; allowed: shared_compliance_m_per_n, joints"},
	} {
		_, err := parsePair(c.text)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v\nwant %s", c.text, err, c.want)
		}
	}
	for tendon, want := range map[string]string{
		"{name: up, offset_m: [0.01, 0]}":                                     "is a tendon without stiffness_n_per_m",
		"{name: up, offset_m: [0.01, 0], stiffness_n_per_m: 1, pull_m: 0}":    "tendons[0].pull_m: 0 excludes the joint",
		"{name: up, offset_m: [0.01, 0], stiffness_n_per_m: 1, tension_n: 1}": "tendons[0].tension_n: 1 excludes the joint",
	} {
		_, err := robotfile.Parse[robotfile.Continuum]("f", fmt.Appendf(nil, "tendons: [%s]\n%s", tendon, joint("name: m, "+good)))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v\nwant %s", tendon, err, want)
		}
	}
}

// A joint without tendons, and limits of tendons that joints move, say nothing: with a warning.
func TestJointWarnings(t *testing.T) {
	var d robotfile.Draft[robotfile.Continuum]
	d.Merge("f", []byte(pairFile+"drives: {joints: [{name: idle, pulley_radius_m: 0.01}, {name: m, pulley_radius_m: 0.01, tendons: [{name: up}]}]}"))
	d.Set("tendons[0].limits.pretension_n", "2", "set")
	if _, err := d.Robot(); err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, w := range d.Warnings() {
		all = append(all, w.String())
	}
	text := strings.Join(all, "\n")
	for _, want := range []string{"drives.joints[0]", "it moves no tendon", "tendons[0].limits.pretension_n", "a joint moves the tendon"} {
		if !strings.Contains(text, want) {
			t.Errorf("warnings %s\nwant %s", text, want)
		}
	}
}
