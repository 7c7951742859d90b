package app

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"sinew/pkg/sim/hil/fit"
	"sinew/pkg/sim/robotfile"
)

// free is what --free asks for: parameters, and how the robot file changes with
// them.
type free struct {
	parameters []fit.Parameter
	// assign gives the values in the file for parameters x, one for each.
	assign func(x []float64) []assignment
}

// assignment is a value in the robot file, as YAML.
type assignment struct{ path, value string }

// number writes x so that YAML reads the same bits.
func number(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }

// list writes numbers as a YAML list.
func list(x ...float64) string {
	texts := make([]string, len(x))
	for i := range x {
		texts[i] = number(x[i])
	}
	return "[" + strings.Join(texts, ", ") + "]"
}

// request is one --free, NAME[=MIN:MAX][:log|:lin].
type request struct {
	name     string
	bounded  bool
	min, max float64
	search   string // log, lin or empty
}

func parseRequest(text string) (r request, err error) {
	rest := text
	for _, s := range []string{"log", "lin"} {
		if cut, ok := strings.CutSuffix(rest, ":"+s); ok {
			rest, r.search = cut, s
		}
	}
	name, bounds, bounded := strings.Cut(rest, "=")
	r.name, r.bounded = strings.TrimSpace(name), bounded
	if bounded {
		low, high, ok := strings.Cut(bounds, ":")
		var err1, err2 error
		r.min, err1 = strconv.ParseFloat(low, 64)
		r.max, err2 = strconv.ParseFloat(high, 64)
		if !ok || err1 != nil || err2 != nil || !(r.min < r.max) || math.IsInf(r.min, 0) || math.IsInf(r.max, 0) {
			return r, fmt.Errorf("--free %s: %q are no bounds; write NAME=MIN:MAX with MIN below MAX, for example youngs_modulus_pa=1e6:1e8", text, bounds)
		}
	}
	if r.name == "" || strings.Contains(r.name, ":") {
		return r, fmt.Errorf("--free %s: write NAME[=MIN:MAX][:log|:lin]", text)
	}
	return r, nil
}

// apply lays what was asked for over the defaults of a parameter.
func (r *request) apply(p *fit.Parameter) error {
	if r.bounded {
		p.Min, p.Max = r.min, r.max
		p.Log = p.Log && p.Min > 0
		if p.Start < p.Min || p.Start > p.Max {
			return fmt.Errorf("--free %s: the robot file has %g %s, outside the bounds [%g, %g]", p.Name, p.Start, p.Unit, p.Min, p.Max)
		}
	}
	if r.search != "" {
		p.Log = r.search == "log"
	}
	switch {
	case math.IsNaN(p.Min) || math.IsNaN(p.Max):
		return fmt.Errorf("--free %s: it starts from %g %s, which says nothing about its size; give bounds, %s=MIN:MAX", p.Name, p.Start, p.Unit, p.Name)
	case p.Log && p.Min <= 0:
		return fmt.Errorf("--free %s: a logarithmic search needs a lower bound above 0, not %g %s", p.Name, p.Min, p.Unit)
	}
	return nil
}

// fileNumbers are the numbers of a robot file, to be found by name.
type fileNumbers []robotfile.Number

// at returns the number with a path.
func (n fileNumbers) at(path string) (float64, bool) {
	i := slices.IndexFunc(n, func(m robotfile.Number) bool { return m.Path == path })
	if i < 0 {
		return 0, false
	}
	return n[i].Value, true
}

// vector returns the components of a list of numbers, nil if there is none.
func (n fileNumbers) vector(path string) (v []float64) {
	for {
		x, ok := n.at(fmt.Sprintf("%s[%d]", path, len(v)))
		if !ok {
			return v
		}
		v = append(v, x)
	}
}

// dotted writes a path with dots only: a[0].b, a/0/b and a.0.b are the same.
func dotted(path string) string {
	return strings.NewReplacer("[", ".", "]", "", "/", ".").Replace(strings.Trim(path, "/~ "))
}

// find returns the numbers that a name means: those of one key, which may stand
// in several items of a list and may be a vector. A key may be given with its path
// or the end of that, with or without its unit.
func (n fileNumbers) find(name string) ([]robotfile.Number, error) {
	want := dotted(name)
	for _, match := range []func(*robotfile.Number) bool{
		func(m *robotfile.Number) bool { return under(dotted(m.Path), want) || under(dotted(m.Named), want) },
		func(m *robotfile.Number) bool { return ends(dotted(m.Key), want) },
		func(m *robotfile.Number) bool { return ends(withoutIndex(m.Key), want) },
		func(m *robotfile.Number) bool { return ends(withoutUnit(m), want) },
	} {
		var found []robotfile.Number
		for i := range n {
			if match(&n[i]) {
				found = append(found, n[i])
			}
		}
		if len(found) > 0 {
			return found, oneKey(name, found)
		}
	}
	return nil, nil
}

// under reports whether path is want or a component of it.
func under(path, want string) bool {
	rest, ok := strings.CutPrefix(path, want)
	if !ok {
		return false
	}
	_, err := strconv.Atoi(strings.TrimPrefix(rest, "."))
	return rest == "" || rest[0] == '.' && err == nil
}

// ends reports whether path ends in want, at the beginning of a part.
func ends(path, want string) bool {
	before, ok := strings.CutSuffix(path, want)
	return ok && (before == "" || strings.HasSuffix(before, "."))
}

// withoutIndex drops the component of a vector.
func withoutIndex(key string) string {
	key, _, _ = strings.Cut(key, "[")
	return key
}

// withoutUnit drops the component and the unit from a key.
func withoutUnit(m *robotfile.Number) string {
	unit := strings.NewReplacer("/", "_per_", " ", "_", "^", "").Replace(strings.ToLower(m.Unit))
	return strings.TrimSuffix(withoutIndex(m.Key), "_"+strings.TrimPrefix(unit, "1_"))
}

// oneKey refuses a name that means different things.
func oneKey(name string, found []robotfile.Number) error {
	var keys []string
	for _, m := range found {
		if k := withoutIndex(m.Key); !slices.Contains(keys, k) {
			keys = append(keys, k)
		}
	}
	if len(keys) > 1 {
		return fmt.Errorf("--free %s may be %s; write the path", name, strings.Join(keys, " or "))
	}
	return nil
}

// common makes one parameter for numbers that have the same value, such as the
// friction of all tendons.
func common(name string, same []robotfile.Number) (free, error) {
	first := same[0]
	for _, m := range same[1:] {
		if m.Value != first.Value {
			return free{}, fmt.Errorf("--free %s: %s is %g, but %s is %g %s; free them one by one, or make them equal", name, first.Named, first.Value, m.Named, m.Value, m.Unit)
		}
	}
	p := fit.Parameter{Name: first.Key, Unit: first.Unit, Start: first.Value}
	if len(same) == 1 {
		p.Name = first.Named
	}
	p.Min, p.Max, p.Log = defaultBounds(&first)
	return free{parameters: []fit.Parameter{p}, assign: func(x []float64) (a []assignment) {
		for _, m := range same {
			a = append(a, assignment{m.Path, number(x[0])})
		}
		return a
	}}, nil
}

// fractions are keys whose values are of the order of 1, or 0.
var fractions = []string{"friction_coefficient", "shear_correction"}

// defaultBounds of a number: a decade either way where it is positive by nature,
// ± its size where not, and NaN where its value says nothing about its size.
func defaultBounds(m *robotfile.Number) (low, high float64, log bool) {
	const decade, whole = 10, 1
	key := lastPart(m.Key)
	switch {
	case slices.Contains(fractions, key):
		return max(0, m.Min), max(whole, m.Value), false
	case m.Value > 0 && m.Min >= 0:
		return max(m.Value/decade, m.Min), min(m.Value*decade, m.Max), true
	case m.Value != 0:
		size := math.Abs(m.Value)
		return max(m.Value-size, m.Min), min(m.Value+size, m.Max), false
	}
	return math.NaN(), math.NaN(), false
}
