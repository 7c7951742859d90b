package robotfile_test

import (
	"reflect"
	"strings"
	"testing"

	"sinew/pkg/sim/robotfile"
)

const tracked = "sensors: [{name: tracker, rate_hz: 100, pose: {}}, {name: base, rate_hz: 500, load_cell: {base: true}}]\n"

func TestObserver(t *testing.T) {
	r := mustParse(t, tracked+"observer: {force: {}}")
	if got := r.Observer.Sensors; !reflect.DeepEqual(got, []string{"tracker", "base"}) {
		t.Errorf("sensors %v, want all", got)
	}
	roundTrip(t, r)
	roundTrip(t, mustParse(t, tracked+"observer: {sensors: [base], rank: 20, stiffness: {deviation: 0.2}}\ntendons: [{name: a, offset_m: [0.1, 0]}]"))
}

func TestMistakesOfObserver(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"observer: {force: {}}", "f:1: observer: {...} has nothing to read: the robot has no sensors (add sensors)"},
		{tracked + "observer: {}", "observer: {...} knows everything; allowed: at least one of force, stiffness"},
		{tracked + "observer: {sensors: [trakcer], force: {}}", `observer.sensors[0]: "trakcer" is no sensor of the robot (did you mean tracker?)`},
		{tracked + "observer: {force: {}, update_hz: 5000}\nsolver: {step_s: 0.001}", "observer.update_hz: 5000 Hz is above one update in each step; allowed: at most 1/solver.step_s = 1000"},
		{tracked + "observer: {force: {}, rank: 2}", "observer.rank: 2 is too small for the unknowns; allowed: at least 9"},
		{tracked + "observer: {force: {}, elements: 21}\nrod: {elements: 20}", "observer.elements: 21 is above that of the robot; allowed: at most 20"},
		{tracked + "observer: {force: {}}\nsolver: {method: explicit}", "observer: {...} is supported by method implicit only"},
		{tracked + "observer: {force: {at_m: 0.1}}", "observer.force.at_m: unknown key"},
	} {
		_, err := robotfile.Parse[robotfile.Continuum]("f", []byte(c.text))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s:\ngot  %v\nwant %s", c.text, err, c.want)
		}
	}
	const text = "observer: {force: {}}"
	_, ofMechanism := robotfile.Parse[robotfile.Mechanism]("f", []byte(text))
	_, ofMicrorobot := robotfile.Parse[robotfile.Microrobot]("f", []byte(text))
	for want, err := range map[string]error{
		"f:1: observer: is not supported with rods, bodies or joints (remove it)": ofMechanism,
		"f:1: observer: is supported for robots of one rod only (remove it)":      ofMicrorobot,
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v\nwant %s", err, want)
		}
	}
}
