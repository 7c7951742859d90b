package robotfile

import (
	"math"
	"reflect"
	"strings"
	"testing"
)

// roundTrip prints and reads a robot.
func roundTrip[T Robot](t *testing.T, r *T) {
	t.Helper()
	text := Print(r)
	again, err := Parse[T]("printed.yaml", text)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	if !reflect.DeepEqual(again, r) {
		t.Errorf("got  %+v\nwant %+v\n%s", again, r, text)
	}
}

func TestPrintReadsBack(t *testing.T) {
	roundTrip(t, Example[Continuum]())
	roundTrip(t, Builtin[Continuum]())
	for _, text := range []string{
		"{}",
		"rod: {section: {area_m2: 1e-5, i1_m4: 1e-12, i2_m4: 3e-12, j_m4: 1e-9}, precurvature_per_m: [1, 0.1, -1e-7]}",
		"{loads: [{force_n: [1, 0, 0], frame: body, until_s: 0.1}, {at_m: 0.1}], command_timeout_s: .inf}",
		"tendons: [{name: null_, offset_m: [0.1, 0], pull_m: 0, stiffness_n_per_m: 3e10, limits: {max_rate_n_per_s: .inf}}]",
		"tendons: [{name: 'null', offsets_m: [[0.1, 0], [0.2, 0]], disks: {positions_m: [0.1, 0.1000000001]}}]",
		"{base: {direction: [0, 0, 1], normal: [1, 1, 0]}, rates: {control_hz: 50}}",
		"{rod: {youngs_modulus_pa: 6e9}, disk_force: transverse, initial_state: equilibrium, solver: {method: reference}}",
	} {
		roundTrip(t, mustParse(t, text))
	}
}

// uncommented is the printed example with its patterns made part of the file.
func TestPatternsAreValid(t *testing.T) {
	text := string(Print(Example[Continuum]()))
	text = strings.Replace(text, "loads: []", "#", 1)
	text = strings.Replace(text, "# loads:", "loads:", 1)
	text = strings.ReplaceAll(text, "\n#  ", "\n  ")
	text = strings.Replace(text, "  radius_m: 0.0055", "  #", 1)
	text = strings.Replace(text, "  section: null", "  #", 1)
	text = strings.ReplaceAll(text, "\n  # section:", "\n  section:")
	text = strings.ReplaceAll(text, "\n  #   ", "\n    ")
	r := mustParse(t, text)
	if len(r.Loads) != 1 || r.Rod.Section == nil || r.Rod.Section.J <= 0 {
		t.Errorf("got %+v", r)
	}
}

// TestPrintNamesEveryKey holds the promise of the params verb.
func TestPrintNamesEveryKey(t *testing.T) {
	printed := string(Print(Example[Continuum]()))
	eachField(reflect.TypeFor[Continuum](), "", func(path string, f *field) {
		line := ""
		for l := range strings.Lines(printed) {
			if strings.HasPrefix(strings.TrimLeft(l, " #-"), f.key+":") && strings.Contains(l, f.doc) {
				line = l
			}
		}
		switch {
		case line == "" && path != "rod.section" && path != "loads":
			t.Errorf("%s is not printed with its meaning", path)
		case f.unit != "" && f.unit != "1" && !strings.Contains(line, "# "+f.unit+", "+f.limits.text):
			t.Errorf("%s is printed without unit and range: %s", path, line)
		}
	})
}

func TestFormatNumber(t *testing.T) {
	for x, want := range map[float64]string{
		0: "0", 0.25: "0.25", 16598637: "16598637", 6e10: "6e+10", 1e-4: "0.0001", 1.5e-6: "1.5e-06",
		-9.80665: "-9.80665", math.Inf(1): ".inf", math.Inf(-1): "-.inf", 27.0 / 28: "0.9642857142857143",
	} {
		got := formatNumber(x)
		if got != want {
			t.Errorf("%g is written %s, want %s", x, got, want)
		}
		n, _ := read("", []byte(got))
		if back, ok := parseNumber(n); !ok || back != x {
			t.Errorf("%s reads back as %g", got, back)
		}
	}
}
