package sweep

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Variation is a number of a robot that varies.
type Variation struct {
	Name string // as it was written
	Text string // how it varies, as it was written: "linspace(0,4,20)"

	kind *kind
	args []float64
}

// Parse reads NAME=KIND(ARGUMENTS), as in "tension.long_up=linspace(0,4,20)". Numbers are
// in the unit of what is varied. Errors begin with the text.
func Parse(text string) (Variation, error) {
	fail := func(format string, args ...any) (Variation, error) {
		return Variation{}, fmt.Errorf("%s: %s", text, fmt.Sprintf(format, args...))
	}
	name, call, ok := strings.Cut(text, "=")
	name, call = strings.TrimSpace(name), strings.TrimSpace(call)
	kindName, list, bracket := strings.Cut(call, "(")
	list, closed := strings.CutSuffix(list, ")")
	if strings.ContainsAny(name, ",\"\r\n#") {
		return fail("the name of a column has none of , # and quotes")
	}
	if !ok || name == "" || !bracket || !closed {
		return fail("want NAME=KIND(ARGUMENTS), where KIND is one of %s", kindNames())
	}
	i := slices.IndexFunc(kinds, func(k kind) bool { return k.name == strings.TrimSpace(kindName) })
	if i < 0 {
		return fail("%q is not a distribution or grid; allowed: %s", kindName, kindNames())
	}
	v := Variation{Name: name, Text: call, kind: &kinds[i]}
	for _, word := range strings.Split(list, ",") {
		x, err := strconv.ParseFloat(strings.TrimSpace(word), 64)
		if err != nil || math.IsNaN(x) || math.IsInf(x, 0) {
			return fail("%q is not a finite number", word)
		}
		v.args = append(v.args, x)
	}
	if v.kind.count > 0 && len(v.args) != v.kind.count {
		return fail("%d arguments, want %s(%s)", len(v.args), v.kind.name, v.kind.arguments)
	}
	if v.kind.check != nil {
		if why := v.kind.check(v.args); why != "" {
			return fail("%s", why)
		}
	}
	return v, nil
}

// points is how many points the grid has.
func (v *Variation) points() int { return v.kind.points(v.args) }

// Random reports whether the number is drawn from a distribution.
func (v *Variation) Random() bool { return v.kind.points == nil }

func kindNames() string {
	var names []string
	for i := range kinds {
		names = append(names, kinds[i].name+"("+kinds[i].arguments+")")
	}
	return strings.Join(names, ", ")
}
