package robotfile_test

import (
	"math"
	"reflect"
	"testing"

	"sinew/pkg/sim/robotfile"
	"sinew/pkg/sim/spatial"
)

// mustParse reads a robot that has to be right.
func mustParse(t *testing.T, text string) *robotfile.Continuum {
	t.Helper()
	r, err := robotfile.Parse[robotfile.Continuum]("robot.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestExampleFilesParse(t *testing.T) {
	for _, file := range []string{"capstan", "catheter_in_tube", "gravity_cantilever", "guidewire_in_vessel", "magnetic_catheter", "nitinol_robot", "rod_on_table", "silicone_robot", "tapered_arm", "tendonforces_two_tendons"} {
		if _, err := robotfile.Parse[robotfile.Continuum](file, robotfile.ReadFile(t, "testdata/"+file+".yaml")); err != nil {
			t.Error(err)
		}
	}
	for _, file := range []string{"cube", "heavy_top", "rotating_sphere", "spheroid"} {
		if _, err := robotfile.Parse[robotfile.Microrobot](file, robotfile.ReadFile(t, "testdata/"+file+".yaml")); err != nil {
			t.Error(err)
		}
	}
}

func TestReferenceFileValues(t *testing.T) {
	got, err := robotfile.Parse[robotfile.Continuum]("f", robotfile.ReadFile(t, "testdata/tendonforces_two_tendons.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	limits := robotfile.TendonLimits{MaxTension: 20, MaxRate: 1000, MaxPullRate: 0.1}
	want := &robotfile.Continuum{
		Rod: robotfile.Rod{
			Length: 0.25, Radius: 0.0055, Density: 997.7, YoungsModulus: 16598637, ShearModulus: 7216880,
			ShearCorrection: 27.0 / 28, Elements: 20, Order: 2, MaterialLaw: robotfile.Linear, Damping: robotfile.Damping{PyElasticaNu: 0.1},
		},
		Base:    robotfile.Base{Direction: spatial.Vec{X: 1}, Normal: spatial.Vec{Z: 1}, Until: math.Inf(1)},
		Gravity: spatial.Vec{Z: -9.80665},
		Tendons: []robotfile.Tendon{
			{Name: "tendon_1", Offset: [2]float64{0.015, 0}, Disks: robotfile.Disks{Count: 4, First: 0.025, Last: 0.225, Mass: 0.002}, Tension: 3, Limits: limits},
			{Name: "tendon_2", Offset: [2]float64{0, 0.010}, Disks: robotfile.Disks{Count: 5, First: 0.025, Last: 0.125, Mass: 0.001}, Tension: 2, Limits: limits},
		},
		DiskForce: robotfile.FullDiskForce, InitialState: robotfile.Straight,
		Field:  robotfile.Field{Interpolation: robotfile.ZeroOrderHold, CoilMaxCurrent: robotfile.Forever, MaxField: 1, MaxGradient: 1e4, MaxFrequency: 1e6},
		Solver: robotfile.RodSolver{Method: robotfile.Reference, Step: 5e-5},
		Seed:   1, Hardware: plainHardware,
		Publish: robotfile.PublishRod{true, true, true, true, 10},
		Rates:   robotfile.Rates{Control: 1000, Publish: 200, Marker: 25}, CommandTimeout: 0.2, CommandPolicy: robotfile.ExclusiveCommander, AcceptStamps: robotfile.FreshStamps,
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
}

func TestBuiltinIsTheSiliconeRobot(t *testing.T) {
	want, err := robotfile.Parse[robotfile.Continuum]("f", robotfile.ReadFile(t, "testdata/silicone_robot.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	want.Solver.Step = 0.001 // of which the control period takes one
	if got := robotfile.Builtin[robotfile.Continuum](t, robotfile.BuiltinSilicone); !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
}

func TestAbsentKeys(t *testing.T) {
	for _, c := range []struct {
		name, text string
		got        func(*robotfile.Continuum) any
		want       any
	}{
		{"no tendons", "{}", func(r *robotfile.Continuum) any { return len(r.Tendons) }, 0},
		{"material of the default rod", "{}", func(r *robotfile.Continuum) any { return r.Rod.ShearModulus }, 7.216880e6},
		{"shear modulus beside E", "rod: {youngs_modulus_pa: 6e9}", func(r *robotfile.Continuum) any { return r.Rod.ShearModulus }, 2e9},
		{"no radius beside a section", "rod: {section: {area_m2: 1e-4, i1_m4: 1e-9, i2_m4: 2e-9, j_m4: 3e-9}}",
			func(r *robotfile.Continuum) any { return []any{r.Rod.Radius, *r.Rod.Section} }, []any{0.0, robotfile.Section{1e-4, 1e-9, 2e-9, 3e-9}}},
		{"load on the tip", "{rod: {length_m: 0.4}, loads: [{force_n: [0, 0, -1]}]}",
			func(r *robotfile.Continuum) any { return r.Loads }, []robotfile.RodLoad{{At: 0.4, Force: spatial.Vec{Z: -1}, Frame: robotfile.WorldAxes, Until: robotfile.Forever}}},
		{"limit admits the first tension", "tendons: [{name: a, offset_m: [0.01, 0], tension_n: 30}]",
			func(r *robotfile.Continuum) any { return r.Tendons[0].Limits.MaxTension }, 30.0},
		{"first hole serves the base plate", "tendons: [{name: a, offsets_m: [[0.01, 0], [0.02, 0]], disks: {positions_m: [0.1, 0.2]}}]",
			func(r *robotfile.Continuum) any { return r.Tendons[0].Offset }, [2]float64{0.01, 0}},
		{"one disk, last given", "tendons: [{name: a, offset_m: [0.01, 0], disks: {count: 1, last_m: 0.25}}]",
			func(r *robotfile.Continuum) any { return r.Tendons[0].Disks.ArcLengths() }, []float64{0.25}},
		{"output follows a slow loop", "rates: {control_hz: 10}", func(r *robotfile.Continuum) any { return r.Rates }, robotfile.Rates{10, 10, 10}},
		{"null is absent where something else can be", "tendons: [{name: a, offset_m: [0, 0], tension_n: 2, pull_m: null}]",
			func(r *robotfile.Continuum) any { return []any{r.Tendons[0].Pull, r.Tendons[0].Tension} }, []any{(*float64)(nil), 2.0}},
		{"empty blocks", "{tendons: , loads: , rod: }", func(r *robotfile.Continuum) any { return r.Rod.Length }, 0.25},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := c.got(mustParse(t, c.text)); !reflect.DeepEqual(got, c.want) {
				t.Errorf("got %v, want %v", got, c.want)
			}
		})
	}
}

func TestBaseIsMadeOrthonormal(t *testing.T) {
	r := mustParse(t, "base: {direction: [2, 0, 0], normal: [1e-7, 0, 3]}")
	if d := r.Base.Direction.Dot(r.Base.Normal); d != 0 {
		t.Errorf("direction . normal = %g", d)
	}
	if want := (spatial.Vec{X: 1}); r.Base.Direction != want {
		t.Errorf("direction %v, want %v", r.Base.Direction, want)
	}
}

func TestArcLengths(t *testing.T) {
	even := robotfile.Disks{Count: 3, First: 0.1, Last: 0.2}
	if got, want := even.ArcLengths(), []float64{0.1, 0.15000000000000002, 0.2}; !reflect.DeepEqual(got, want) {
		t.Errorf("even: %v, want %v", got, want)
	}
	listed := robotfile.Disks{Positions: []float64{0.1, 0.12}}
	got := listed.ArcLengths()
	got[0] = 7
	if listed.Positions[0] != 0.1 {
		t.Error("ArcLengths hands out the robot's own memory")
	}
}
