package robotfile

import (
	"reflect"
	"slices"
	"strings"
	"testing"
)

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
		if f.unit != "1" && !strings.HasSuffix(f.key, "_"+end) && !slices.Contains(unmarked, path) {
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

func TestDidYouMean(t *testing.T) {
	for word, want := range map[string]string{
		"lenght_m": "length_m", "radius": "radius_m", "radius_mm": "radius_m", "densty_kg_per_m3": "density_kg_per_m3", "colour": "", "": "",
	} {
		got := didYouMean(word, []string{"length_m", "radius_m", "density_kg_per_m3"})
		if want != "" {
			want = "did you mean " + want + "?"
		}
		if got != want {
			t.Errorf("%q: got %q, want %q", word, got, want)
		}
	}
}
