package page_test

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"sinew/test/testbench"
)

// useHands has a page used by hands.js, which tells what it saw.
func useHands(t *testing.T, seen any, program, task string, args ...string) {
	t.Helper()
	testbench.NeedChromium(t)
	out, err := exec.Command("node", append([]string{testbench.Absolute(t, testbench.PageClient+"/hands.js"), program, task}, args...)...).Output()
	var fault struct {
		Fault           string
		Foreign, Errors []string
	}
	if err == nil {
		err = json.Unmarshal(out, &fault)
	}
	if err == nil {
		err = json.Unmarshal(out, seen)
	}
	if err != nil || fault.Fault != "" || len(fault.Foreign) > 0 || len(fault.Errors) > 0 {
		t.Fatalf("%v\n%s\n%s", err, fault.Fault, out)
	}
	t.Logf("%s", out)
}

// TestPageLetsGo: a swimmer goes while a key or the stick is held, faster the further that is pushed, and stands still with
// the field as strong as before once it is let go, wherever the key comes up. A frequency that is set stays.
func TestPageLetsGo(t *testing.T) {
	type moment struct {
		Way                  float64 // in a while, m
		Frequency, Amplitude float64 // Hz, mT
	}
	var v struct {
		Held, Released, Half, Full, Set, Faster moment
		LetGo                                   moment `json:"let_go"`
	}
	useHands(t, &v, testbench.BuildMicrorobot(t), "drive")
	for name, m := range map[string]moment{"a key": v.Released, "the stick": v.LetGo} {
		if m.Way > 1e-6 || m.Frequency != 0 || m.Amplitude != 5 {
			t.Errorf("after %s was let go: %+v, before %+v", name, m, v.Held)
		}
	}
	const least = 3e-5 // of 2e-4 to 5e-4, on a machine that is busy
	for name, m := range map[string]struct {
		moment
		want float64
	}{"a key": {v.Held, 10}, "half of the stick's way": {v.Half, 5}, "the stick at its end": {v.Full, 10}, "a frequency that was set": {v.Set, 20}, "a key after that": {v.Faster, 20}} {
		if m.Way < least || math.Abs(m.Frequency-m.want) > 0.01 {
			t.Errorf("%s: %+v, want %g Hz", name, m.moment, m.want)
		}
	}
}

// TestPageByKeys: Tab reaches everything that can be used, shows where it is and comes round again. A key that is held
// pauses once. A number has a decimal point or comma; what may be two numbers, is none or is not allowed gives an error. A parameter that another client has set while it had the focus shows what it is.
func TestPageByKeys(t *testing.T) {
	var v struct {
		Reached, Usable  int
		Unmarked, Hidden []string
		State            string
		Typed            map[string]struct{ Value, Told string }
		Parameter        struct {
			Name     string
			Was, Now float64
		}
	}
	useHands(t, &v, testbench.BuildTendonsim(t), "keys")
	if v.Reached < 30 || v.Reached < v.Usable || len(v.Unmarked) > 0 || len(v.Hidden) > 0 {
		t.Errorf("%+v", v)
	}
	if v.State != "PAUSED" {
		t.Errorf("a held key made it %s", v.State)
	}
	for text, want := range map[string][2]string{
		"2,5": {"2.50", ""}, "1,000": {"2.50", "1,000: 1 or 1000? Write one of these."}, "soft": {"2.50", "not a number"},
		"1e3": {"2.50", "1000 N is outside the limits; allowed: 0.00 to 8.00 N"}, "0.125": {"0.13", ""},
	} {
		if got := v.Typed[text]; got.Value != want[0] || !strings.Contains(got.Told, want[1]) || (got.Told == "") != (want[1] == "") {
			t.Errorf("%q typed: %+v, want %q", text, got, want)
		}
	}
	if p := v.Parameter; p.Now != p.Was/2 {
		t.Errorf("%+v", p)
	}
}

// TestPageOfManyTendons: all of 40 tendons have a slider, and their tensions are all in what a plot draws and saves. What the stick
// drives is beside it, also where that is a field.
func TestPageOfManyTendons(t *testing.T) {
	const tendons = 40
	text, err := os.ReadFile("../../launch/robots/nitinol.yaml")
	if err != nil {
		t.Fatal(err)
	}
	head, rest, _ := strings.Cut(string(text), "tendons:\n")
	_, tail, _ := strings.Cut(rest, "initial_state:")
	for i := range tendons {
		a := 2 * math.Pi * float64(i) / tendons
		head += fmt.Sprintf("%s  - name: a_rather_long_name_%d\n    offset_m: [%.6f, %.6f]\n    disks: {count: 10, first_m: 0.02, last_m: 0.2, mass_kg: 0}\n    limits: {max_tension_n: 1, max_rate_n_per_s: 40, pretension_n: 0}\n",
			map[bool]string{true: "tendons:\n"}[i == 0], i, 0.008*math.Cos(a), 0.008*math.Sin(a))
	}
	file := filepath.Join(t.TempDir(), "many.yaml")
	if err := os.WriteFile(file, []byte(head+"initial_state:"+tail), 0o600); err != nil {
		t.Fatal(err)
	}
	var v struct {
		Sliders, Columns int
		Legend           string
		SVG              struct{ Lines, Out int } // lines that look different, words beyond the figure
		First            []string                 // controls beside the stick, of a robot that is driven by a field
	}
	useHands(t, &v, testbench.BuildTendonsim(t), "many", file, testbench.Absolute(t, "../../launch/worlds/guidewire.yaml"))
	if len(v.First) == 0 || v.First[0] != "amplitude" {
		t.Errorf("the stick is beside %q", v.First)
	}
	if v.Sliders != tendons || v.Columns != 1+tendons || !strings.Contains(v.Legend, "and 32 more") {
		t.Errorf("%+v", v)
	}
	if v.SVG.Out > 0 || v.SVG.Lines < 32 {
		t.Errorf("%+v", v.SVG)
	}
}
