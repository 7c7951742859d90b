package robotfile_test

import (
	"math"
	"reflect"
	"strings"
	"testing"

	"sinew/pkg/sim/robotfile"
)

// roundTrip prints and reads a robot.
func roundTrip[T robotfile.Robot](t *testing.T, r *T) {
	t.Helper()
	text := robotfile.Print(r)
	again, err := robotfile.Parse[T]("printed.yaml", text)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	if !reflect.DeepEqual(again, r) {
		t.Errorf("got  %+v\nwant %+v\n%s", again, r, text)
	}
}

func TestPrintReadsBack(t *testing.T) {
	roundTrip(t, robotfile.Example[robotfile.Continuum]())
	roundTrip(t, robotfile.Builtin[robotfile.Continuum](t, robotfile.BuiltinSilicone))
	roundTrip(t, robotfile.Example[robotfile.Microrobot]())
	roundTrip(t, robotfile.Builtin[robotfile.Microrobot](t, robotfile.BuiltinSwimmer))
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
		r, err := robotfile.Parse[robotfile.Microrobot](file, robotfile.ReadFile(t, "testdata/"+file+".yaml"))
		if err != nil {
			t.Fatal(err)
		}
		roundTrip(t, r)
	}
}

// A printed robot has every key, and none of them gives a warning as without effect.
func TestPrintWarnsOfNothing(t *testing.T) {
	printed(t, robotfile.Example[robotfile.Continuum]())
	printed(t, robotfile.Builtin[robotfile.Continuum](t, robotfile.BuiltinSilicone))
	printed(t, robotfile.Example[robotfile.Mechanism]())
	printed(t, robotfile.Example[robotfile.Microrobot]())
	printed(t, robotfile.Builtin[robotfile.Microrobot](t, robotfile.BuiltinSwimmer))
}

func printed[T robotfile.Robot](t *testing.T, r *T) {
	t.Helper()
	var d robotfile.Draft[T]
	d.Merge("printed.yaml", robotfile.Print(r))
	if _, err := d.Robot(); err != nil || len(d.Warnings()) > 0 {
		t.Errorf("%v, %v", err, d.Warnings())
	}
}

// Each value is printed with what it may be.
func TestPrintSaysWhatIsAllowed(t *testing.T) {
	text := string(robotfile.Print(robotfile.Builtin[robotfile.Continuum](t, robotfile.BuiltinSilicone)))
	for _, want := range []string{"# text: ", "# m, (0, 100]: ", "# dimensionless, ", "# implicit | explicit | reference: "} {
		if !strings.Contains(text, want) {
			t.Errorf("no value has the comment %q", want)
		}
	}
}

func TestFormatNumber(t *testing.T) {
	for x, want := range map[float64]string{
		0: "0", 0.25: "0.25", 16598637: "16598637", 6e10: "6e+10", 1e-4: "0.0001", 1.5e-6: "1.5e-06",
		-9.80665: "-9.80665", math.Inf(1): ".inf", math.Inf(-1): "-.inf", 27.0 / 28: "0.9642857142857143",
	} {
		got := robotfile.FormatNumber(x)
		if got != want {
			t.Errorf("%g is written %s, want %s", x, got, want)
		}
		n, _ := robotfile.Read("", []byte(got))
		if back, ok := robotfile.ParseNumber(n); !ok || back != x {
			t.Errorf("%s reads back as %g", got, back)
		}
	}
}
