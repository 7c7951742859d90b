package robotfile_test

import (
	"reflect"
	"testing"

	"sinew/pkg/sim/robotfile"
)

const baseFile = `
rod: {length_m: 0.3, radius_m: 0.004}
gravity_m_per_s2: [0, 0, -1]
tendons:
  - {name: a, offset_m: [0.01, 0], tension_n: 1, limits: {max_tension_n: 5, pretension_n: 1}}
  - {name: b, offset_m: [0, 0.01], disks: {positions_m: [0.1, 0.2]}}
loads: [{force_n: [1, 0, 0]}, {force_n: [2, 0, 0]}]
`

// lay merges an overlay over baseFile.
func lay(t *testing.T, overlay string) *robotfile.Continuum {
	t.Helper()
	var d robotfile.Draft[robotfile.Continuum]
	d.Merge("base.yaml", []byte(baseFile))
	d.Merge("overlay.yaml", []byte(overlay))
	r, err := d.Robot()
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestOverlay(t *testing.T) {
	plain := lay(t, "{}")
	for _, c := range []struct {
		name, overlay string
		change        func(*robotfile.Continuum)
	}{
		{"nothing", "{}", func(*robotfile.Continuum) {}},
		{"one key", "rod: {radius_m: 0.005}", func(r *robotfile.Continuum) { r.Rod.Radius = 0.005 }},
		{"a vector is replaced", "gravity_m_per_s2: [0, 0, 0]", func(r *robotfile.Continuum) { r.Gravity.Z = 0 }},
		{"a list without names is replaced", "loads: [{force_n: [3, 0, 0]}]", func(r *robotfile.Continuum) {
			r.Loads = r.Loads[:1]
			r.Loads[0].Force.X = 3
		}},
		{"tendons merge by name", "tendons: [{name: b, tension_n: 2}, {name: a, limits: {max_tension_n: 6}}]", func(r *robotfile.Continuum) {
			r.Tendons[1].Tension = 2
			r.Tendons[0].Limits.MaxTension = 6
		}},
		{"a new name comes last", "tendons: [{name: c, offset_m: [-0.01, 0]}]", func(r *robotfile.Continuum) {
			c := mustParse(t, "tendons: [{name: c, offset_m: [-0.01, 0]}]").Tendons[0]
			r.Tendons = append(r.Tendons, c)
		}},
		{"a key replaces what it excludes", "rod: {section: {area_m2: 1, i1_m4: 1, i2_m4: 1, j_m4: 1}}", func(r *robotfile.Continuum) {
			r.Rod.Radius, r.Rod.Section = 0, &robotfile.Section{1, 1, 1, 1}
		}},
		{"one layout of disks replaces the other", "tendons: [{name: b, disks: {count: 2, first_m: 0.1, last_m: 0.3}}]", func(r *robotfile.Continuum) {
			r.Tendons[1].Disks = robotfile.Disks{Count: 2, First: 0.1, Last: 0.3, Mass: 0.002}
		}},
		{"null takes back", "{tendons: null, loads: null}", func(r *robotfile.Continuum) { r.Tendons, r.Loads = nil, nil }},
	} {
		t.Run(c.name, func(t *testing.T) {
			want := lay(t, "{}")
			c.change(want)
			if got := lay(t, c.overlay); !reflect.DeepEqual(got, want) {
				t.Errorf("got  %+v\nwant %+v", got, want)
			}
		})
	}
	if plain.Rod.Length != 0.3 {
		t.Errorf("length %g, want that of the base file", plain.Rod.Length)
	}
}

func TestOverlayMistakesSayWhichFile(t *testing.T) {
	var d robotfile.Draft[robotfile.Continuum]
	d.Merge("z.yaml", []byte("rod: {length_m: -1}\ntip: {mass_kg: -1}"))
	d.Merge("a.yaml", []byte("\n\nrod: {radius_m: -1}"))
	d.Set("solver/step_s", "fast", "_solver/step_s:=fast")
	_, err := d.Robot()
	want := `z.yaml:1: rod.length_m: -1 m is out of range; allowed: (0, 100] m
z.yaml:2: tip.mass_kg: -1 kg is out of range; allowed: [0, 1e6] kg
a.yaml:3: rod.radius_m: -1 m is out of range; allowed: (0, 10] m
_solver/step_s:=fast: solver.step_s: "fast" must be a number; allowed: (0, 1] s`
	if err == nil || err.Error() != want {
		t.Errorf("got\n%v\nwant\n%s", err, want)
	}
}

func TestSet(t *testing.T) {
	for _, c := range []struct {
		path, value string
		got         func(*robotfile.Continuum) any
		want        any
	}{
		{"rod.length_m", "0.35", func(r *robotfile.Continuum) any { return r.Rod.Length }, 0.35},
		{"rod/length_m", "0.35", func(r *robotfile.Continuum) any { return r.Rod.Length }, 0.35},
		{"/rod/length_m", "0.35", func(r *robotfile.Continuum) any { return r.Rod.Length }, 0.35},
		{"solver.method", "explicit", func(r *robotfile.Continuum) any { return r.Solver.Method }, robotfile.Explicit},
		{"tendons[1].tension_n", "3", func(r *robotfile.Continuum) any { return r.Tendons[1].Tension }, 3.0},
		{"tendons/1/tension_n", "3", func(r *robotfile.Continuum) any { return r.Tendons[1].Tension }, 3.0},
		{"tendons/b/tension_n", "3", func(r *robotfile.Continuum) any { return r.Tendons[1].Tension }, 3.0},
		{"tendons.a.offset_m", "[0.02, 0]", func(r *robotfile.Continuum) any { return r.Tendons[0].Offset }, [2]float64{0.02, 0}},
		{"tendons.a.offset_m[1]", "0.03", func(r *robotfile.Continuum) any { return r.Tendons[0].Offset }, [2]float64{0.01, 0.03}},
		{"gravity_m_per_s2[2]", "0", func(r *robotfile.Continuum) any { return r.Gravity.Z }, 0.0},
		{"tendons.a.limits", "{max_rate_n_per_s: 7}", func(r *robotfile.Continuum) any { return r.Tendons[0].Limits }, robotfile.TendonLimits{5, 7, 0.1, 1}},
		{"tendons.b.disks.count", "2", func(r *robotfile.Continuum) any { return r.Tendons[1].Disks.Positions }, []float64(nil)},
		{"", "{rod: {radius_m: 0.005}, command_timeout_s: .inf}", func(r *robotfile.Continuum) any { return []any{r.Rod.Length, r.Rod.Radius, r.CommandTimeout} }, []any{0.3, 0.005, robotfile.Forever}},
		{"loads", "", func(r *robotfile.Continuum) any { return len(r.Loads) }, 0},
	} {
		t.Run(c.path, func(t *testing.T) {
			var d robotfile.Draft[robotfile.Continuum]
			d.Merge("base.yaml", []byte(baseFile))
			if !d.Has(c.path) {
				t.Error("Has says that there is no such key")
			}
			d.Set(c.path, c.value, "command line")
			r, err := d.Robot()
			if err != nil {
				t.Fatal(err)
			}
			if got := c.got(r); !reflect.DeepEqual(got, c.want) {
				t.Errorf("got %v, want %v", got, c.want)
			}
		})
	}
}

func TestSetMistakes(t *testing.T) {
	for _, c := range []struct{ path, value, want string }{
		{"rod.length_m", "250", "cmd: rod.length_m: 250 m is out of range; allowed: (0, 100] m (it looks like millimetres: 0.25 m)"},
		{"rod.length_m", "", "cmd: rod.length_m: null has no value; allowed: (0, 100] m"},
		{"solver.stepp_s", "1", "cmd: solver.stepp_s: unknown key (did you mean step_s?)"},
		{"solver.wheels", "1", "cmd: solver.wheels: unknown key; allowed: method, step_s"},
		{"tendons[2].tension_n", "1", "cmd: tendons[2].tension_n: no such item: tendons has 2 items: a, b"},
		{"tendons.z.tension_n", "1", "cmd: tendons.z.tension_n: no such item: tendons has 2 items: a, b"},
		{"tip.inertia_kg_m2[1]", "1", "cmd: tip.inertia_kg_m2[1]: tip.inertia_kg_m2 is not given; set the whole list"},
		{"rod.length_m.x", "1", "cmd: rod.length_m.x: rod.length_m is a single value"},
		{"rod..length_m", "1", "cmd: rod..length_m: not a path; write solver.step_s or tendons[0].tension_n"},
		{"rod.length_m", "[1", "cmd: rod.length_m: [1 is not YAML: did not find expected ',' or ']'"},
		{"loads[0].at_m", "0.5", "cmd: loads[0].at_m: 0.5 m is beyond the end of the rod; allowed: at most rod.length_m = 0.3 m"},
	} {
		t.Run(c.path+"="+c.value, func(t *testing.T) {
			var d robotfile.Draft[robotfile.Continuum]
			d.Merge("base.yaml", []byte(baseFile))
			d.Set(c.path, c.value, "cmd")
			_, err := d.Robot()
			if err == nil || err.Error() != c.want {
				t.Errorf("got\n%v\nwant\n%s", err, c.want)
			}
		})
	}
}

func TestHas(t *testing.T) {
	var d robotfile.Draft[robotfile.Continuum]
	for path, want := range map[string]bool{
		"rod": true, "tendons[7].limits.max_tension_n": true, "~rod/section/j_m4": true,
		"use_sim_time": false, "rod.length": false, "rod.length_m.x": false, "rod..length_m": false,
	} {
		if got := d.Has(path); got != want {
			t.Errorf("Has(%q) = %v", path, got)
		}
	}
	for path, want := range map[string]string{
		"rod.length": "did you mean length_m?", "rates.contro_hz": "did you mean control_hz?", "use_sim_time": "", "rod.length_m": "",
	} {
		if got := d.Hint(path); got != want {
			t.Errorf("Hint(%q) = %q, want %q", path, got, want)
		}
	}
}
