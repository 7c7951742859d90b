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
	roundTrip(t, builtin[Continuum](t, builtinSilicone))
	roundTrip(t, Example[Microrobot]())
	roundTrip(t, builtin[Microrobot](t, builtinSwimmer))
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
	for _, file := range []string{"cube", "heavy_top", "rotating_sphere", "spheroid"} {
		r, err := Parse[Microrobot](file, readFile(t, "testdata/"+file+".yaml"))
		if err != nil {
			t.Fatal(err)
		}
		roundTrip(t, r)
	}
}

// A printed robot has every key, and none of them is told of as without effect.
func TestPrintWarnsOfNothing(t *testing.T) {
	printed(t, Example[Continuum]())
	printed(t, builtin[Continuum](t, builtinSilicone))
	printed(t, Example[Microrobot]())
	printed(t, builtin[Microrobot](t, builtinSwimmer))
}

func printed[T Robot](t *testing.T, r *T) {
	t.Helper()
	var d Draft[T]
	d.Merge("printed.yaml", Print(r))
	if _, err := d.Robot(); err != nil || len(d.Warnings()) > 0 {
		t.Errorf("%v, %v", err, d.Warnings())
	}
}

// Each value is printed with what it may be.
func TestPrintSaysWhatIsAllowed(t *testing.T) {
	text := string(Print(builtin[Continuum](t, builtinSilicone)))
	for _, want := range []string{"# text: ", "# m, (0, 100]: ", "# dimensionless, ", "# implicit | explicit | reference: "} {
		if !strings.Contains(text, want) {
			t.Errorf("no value has the comment %q", want)
		}
	}
}

// TestPatternsAreValid lays each pattern that Print shows over the example.
func TestPatternsAreValid(t *testing.T) {
	testPatterns[Continuum](t, 4)
	testPatterns[Microrobot](t, 10)
}

func testPatterns[T Robot](t *testing.T, want int) {
	eachField(reflect.TypeFor[T](), "", func(path string, f *field) {
		if isBlock(f.typ) {
			return // always printed in full
		}
		var p printer
		p.pattern(f, "")
		text := strings.ReplaceAll("\n"+p.out.String(), "\n# ", "\n")
		if p.out.Len() == 0 || path == "tendons" {
			return
		}
		want--
		parent := strings.TrimSuffix(strings.TrimSuffix(path, f.key), ".")
		if first, ok := map[string]string{"walls": "", "tendons": "name: a\noffset_m: [0.01, 0]\n", "rod.sections": "length_m: 0.25\n", "environment.shapes": "name: a\n", "drives.joints": "name: a\npulley_radius_m: 0.01\n"}[parent]; ok { // items of a list
			if parent == "rod.sections" && f.key != "section" {
				first += "radius_m: 0.005\n"
			}
			text = "- " + strings.ReplaceAll(strings.TrimSpace(first+strings.TrimSpace(text)), "\n", "\n  ")
		}
		var d Draft[T]
		d.Merge("example", Print(Example[T]()))
		if strings.HasPrefix(path, "drives.") { // tendons on pulleys need it
			d.Set("tendons[0].stiffness_n_per_m", "1e4", "test")
		}
		d.Set(parent, text, path)
		if _, err := d.Robot(); err != nil {
			t.Errorf("%v\n%s", err, text)
		}
	})
	if want > 0 {
		t.Errorf("%d patterns too few", want)
	}
}

// TestPrintNamesEveryKey holds the promise of the params verb.
func TestPrintNamesEveryKey(t *testing.T) {
	for _, r := range []*Continuum{Example[Continuum](), builtin[Continuum](t, builtinSilicone)} {
		testNamesEveryKey(t, string(Print(r)), reflect.TypeFor[Continuum]())
	}
	for _, r := range []*Microrobot{Example[Microrobot](), builtin[Microrobot](t, builtinSwimmer)} {
		testNamesEveryKey(t, string(Print(r)), reflect.TypeFor[Microrobot]())
	}
}

func testNamesEveryKey(t *testing.T, printed string, robot reflect.Type) {
	eachField(robot, "", func(path string, f *field) {
		comment := "# " // what the comment must begin with
		if f.unit != "" && f.unit != "1" {
			comment += f.unit + ", " + f.limits.text + ": "
		}
		for l := range strings.Lines(printed) {
			if strings.HasPrefix(strings.TrimLeft(l, " #-"), f.key+":") && strings.Contains(l, comment) && strings.Contains(l, f.doc) {
				return
			}
		}
		t.Errorf("%s is not printed with unit, range and meaning", path)
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
