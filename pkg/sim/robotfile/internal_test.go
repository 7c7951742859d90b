package robotfile

import (
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// Tests of what has no exported name.

// TestReferenceHasEveryKey looks for a row for every key of the schema, and for the
// target of every link.
func TestReferenceHasEveryKey(t *testing.T) {
	text := string(Markdown())
	look := func(path string, f *field) {
		if !strings.Contains(text, "\n| `"+f.key+"` |") {
			t.Errorf("%s has no row", path)
		}
		if f.doc == "" {
			t.Errorf("%s has no meaning", path)
		}
	}
	eachField(reflect.TypeFor[Continuum](), "", look)
	eachField(reflect.TypeFor[Microrobot](), "", look)

	headings := map[string]bool{}
	for _, h := range regexp.MustCompile("(?m)^#+ (.*)$").FindAllStringSubmatch(text, -1) {
		slug := regexp.MustCompile("[^a-z0-9_ -]").ReplaceAllString(strings.ToLower(h[1]), "")
		slug = strings.ReplaceAll(slug, " ", "-")
		if headings[slug] {
			t.Errorf("two headings %q", h[1])
		}
		headings[slug] = true
	}
	for _, l := range regexp.MustCompile(`\]\(#([^)]*)\)`).FindAllStringSubmatch(text, -1) {
		if !headings[l[1]] {
			t.Errorf("a link leads to #%s, which is no heading", l[1])
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
		if first, ok := map[string]string{"walls": "", "tendons": "name: a\noffset_m: [0.01, 0]\n", "rod.sections": "length_m: 0.25\n", "environment.shapes": "name: a\n", "drives.joints": "name: a\npulley_radius_m: 0.01\n", "sensors": "name: a\nrate_hz: 100\n"}[parent]; ok { // items of a list
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
		if strings.HasPrefix(path, "sensors.") {
			if reflect.TypeFor[T]() == reflect.TypeFor[Microrobot]() {
				return // has no rod, tendons and markers
			}
			d.Set("markers", "[{name: m1}]", "test")
			d.Set("magnets", "[{name: tip, at_m: 0.25, moment_a_m2: [0, 0, 0.01]}]", "test")
			if parent == "sensors.strain" || parent == "sensors.strain.gratings" {
				d.Set("sensors", "[{name: a, rate_hz: 100, strain: {stations_m: [0.1], gratings: {radius_m: 35e-6, angles_rad: [0]}}}]", "test")
				parent = strings.Replace(parent, "sensors", "sensors[0]", 1)
			}
			if strings.HasPrefix(parent, "sensors.camera") {
				d.Set("sensors", "[{name: a, rate_hz: 100, camera: {width_px: 9, height_px: 9, fx_px: 9, markers: [{name: b}]}}]", "test")
				parent = strings.Replace(parent, "sensors", "sensors[0]", 1)
				parent = strings.Replace(parent, "camera.markers", "camera.markers[0]", 1)
			}
		}
		if strings.HasPrefix(path, "observer") {
			d.Set("sensors", "[{name: tracker, rate_hz: 100, pose: {}}]", "test")
			if path != "observer" {
				d.Set("observer.stiffness.deviation", "0.1", "test")
			} else {
				text = strings.Replace(text, "force: null", "force: {}", 1) // or it knows everything
			}
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
	for _, r := range []*Continuum{Example[Continuum](), Builtin[Continuum](t, BuiltinSilicone)} {
		testNamesEveryKey(t, string(Print(r)), reflect.TypeFor[Continuum]())
	}
	for _, r := range []*Microrobot{Example[Microrobot](), Builtin[Microrobot](t, BuiltinSwimmer)} {
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

// eachKey visits every key of both robot files.
func eachKey(visit func(path string, f *field)) {
	eachField(reflect.TypeFor[Continuum](), "", visit)
	eachField(reflect.TypeFor[Microrobot](), "", visit)
}

// eachField visits every key of a robot file, those of list items too.
func eachField(t reflect.Type, path string, visit func(path string, f *field)) {
	fields := fieldsOf(t)
	for i := range fields {
		f := &fields[i]
		at := join(path, f.key)
		visit(at, f)
		if e := element(f.typ); isBlock(e) {
			eachField(e, at, visit)
		}
	}
}

// unitInKey is how units are written at the end of keys.
var unitInKey = strings.NewReplacer(
	"kg m^2/s", "kg_m2_per_s", "kg m/s", "kg_m_per_s", "kg m^2", "kg_m2", "A m^2", "a_m2", "N m", "nm",
	"Pa s", "pa_s", "N s", "n_s", "/", "_per_", "^", "", "(", "", ")", "", "N", "n", "Pa", "pa", "Hz", "hz", "T", "t", "K", "k", "A", "a")

func TestEveryKeyIsDocumented(t *testing.T) {
	// dimensionless by nature, or named by others: PyElastica's nu
	unmarked := []string{"rod.damping.pyelastica_nu"}
	eachKey(func(path string, f *field) {
		e := element(f.typ)
		numeric := !isBlock(e) && e.Kind() != reflect.String && e.Kind() != reflect.Bool
		if len(f.doc) < 3 || strings.HasSuffix(f.doc, ".") {
			t.Errorf("%s: doc is %q", path, f.doc)
		}
		if !numeric {
			if f.unit != "" || f.limits.text != "" {
				t.Errorf("%s has a unit or a range, but no number", path)
			}
			return
		}
		if f.unit == "" || f.limits.text == "" {
			t.Errorf("%s has no unit or no range", path)
		}
		end := strings.TrimPrefix(unitInKey.Replace(f.unit), "1_")
		isWords := strings.Contains(f.unit, " or ") || strings.HasPrefix(f.unit, "of the ") // it depends on what the number is of
		if f.unit != "1" && !isWords && !strings.HasSuffix(f.key, "_"+end) && !slices.Contains(unmarked, path) {
			t.Errorf("%s does not end in its unit %s (_%s)", path, f.unit, end)
		}
	})
}

// TestDefaultsAreValid holds them against their own ranges.
func TestDefaultsAreValid(t *testing.T) {
	eachKey(func(path string, f *field) {
		for _, text := range []string{f.fallback, f.example} {
			if text == "" {
				continue
			}
			n, found := read("default", []byte(text))
			d := newDecoder(nil, n)
			d.value(reflect.New(f.typ).Elem(), f, n, path)
			for _, m := range append(found, d.found...) {
				t.Error(m)
			}
		}
	})
}

func TestInterval(t *testing.T) {
	for _, c := range []struct {
		text    string
		in, out []float64
	}{
		{"(0, 100]", []float64{1e-300, 100}, []float64{0, -1, 100.1}},
		{"[0, inf)", []float64{0, 1e300}, []float64{-1, Forever}},
		{"(0, inf]", []float64{Forever}, []float64{0, -Forever}},
		{"(-inf, inf)", []float64{-1e300, 0}, []float64{Forever, -Forever, Forever - Forever}},
	} {
		i, err := parseInterval(c.text)
		if err != nil {
			t.Fatal(err)
		}
		for _, x := range c.in {
			if !i.contains(x) {
				t.Errorf("%g is not in %s", x, c.text)
			}
		}
		for _, x := range c.out {
			if i.contains(x) {
				t.Errorf("%g is in %s", x, c.text)
			}
		}
	}
	for _, text := range []string{"", "[", "0, 1", "[1, 0]", "[0,1]", "[a, b]", "[0, 1"} {
		if _, err := parseInterval(text); err == nil {
			t.Errorf("%q counts as an interval", text)
		}
	}
}

func TestLiveKeys(t *testing.T) {
	eachKey(func(path string, f *field) {
		switch {
		case f.live != Fixed && f.live != LiveLoop && f.live != LiveModel:
			t.Errorf("%s: live is %q", path, f.live)
		case f.live != Fixed && (isBlock(element(f.typ)) || f.choice != ""):
			t.Errorf("%s is live, and not a single key", path)
		}
	})
}
