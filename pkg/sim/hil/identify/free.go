package identify

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"sinew/pkg/sim/hil/fit"
	"sinew/pkg/sim/robotfile"
)

// Free is what was asked to be free: parameters, and how the robot file changes
// with them.
type Free struct {
	Parameters []fit.Parameter
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

// common makes one parameter for numbers that have the same value, such as the
// friction of all tendons.
func common(name string, same []robotfile.Number) (Free, error) {
	first := same[0]
	for _, m := range same[1:] {
		if m.Value != first.Value {
			return Free{}, fmt.Errorf("%s: %s is %g, but %s is %g %s; free them one by one, or make them equal", name, first.Named, first.Value, m.Named, m.Value, m.Unit)
		}
	}
	p := fit.Parameter{Name: first.Key, Unit: first.Unit, Start: first.Value}
	if len(same) == 1 {
		p.Name = first.Named
	}
	p.Min, p.Max, p.Log = defaultBounds(&first)
	return Free{Parameters: []fit.Parameter{p}, assign: func(x []float64) (a []assignment) {
		for _, m := range same {
			a = append(a, assignment{m.Path, number(x[0])})
		}
		return a
	}}, nil
}

// within keeps the bounds within what the robot file allows.
func (f *Free) within(m *robotfile.Number) {
	for i := range f.Parameters {
		p := &f.Parameters[i]
		p.Min, p.Max = max(p.Min, m.Min), min(p.Max, m.Max)
	}
}

// Set lays the numbers with parameters x over a robot file; source says in error messages where they came from.
func (f *Free) Set(file interface {
	Set(path, value, source string)
}, x []float64, source string) {
	for _, a := range f.assign(x) {
		file.Set(a.path, a.value, source)
	}
}

// Paths lists the numbers of the robot file that the parameters decide about.
func (f *Free) Paths() (paths []string) {
	x := make([]float64, len(f.Parameters))
	for i, p := range f.Parameters {
		x[i] = (p.Min + p.Max) / 2
	}
	for _, a := range f.assign(x) {
		paths = append(paths, a.path)
	}
	return paths
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
