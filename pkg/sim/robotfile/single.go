package robotfile

import (
	"errors"
	"math"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// single reads a number, a word, a text or a truth value.
func (d *decoder) single(v reflect.Value, f *field, n *node, path string) {
	if n.kind != scalar || n.isNull() {
		d.failAt(n, path, f, Mistake{Problem: "must be " + f.article(), Allowed: f.allowed()})
		return
	}
	switch v.Kind() {
	case reflect.Float64, reflect.Int, reflect.Int64, reflect.Uint64:
		d.number(v, f, n, path)
	case reflect.Bool:
		if n.tag != "!!bool" {
			d.failAt(n, path, f, Mistake{Problem: "must be true or false"})
			return
		}
		v.SetBool(strings.EqualFold(n.text, "true"))
	case reflect.String:
		d.word(v, f, n, path)
	default:
		panic("robotfile: no way to read " + v.Type().String())
	}
}

// word reads a text, or one of the words of the field's enum.
func (d *decoder) word(v reflect.Value, f *field, n *node, path string) {
	if name, ok := renamedWarnings[n.text]; ok && v.Type() == warningType && slices.Contains(f.enum, string(name)) {
		d.warnAt(path, Mistake{Problem: "is the old name of a warning", Hint: "write " + string(name)})
		v.SetString(string(name))
		return
	}
	switch {
	case n.tag != "!!str" && f.enum == nil:
		d.failAt(n, path, f, Mistake{Problem: "must be text", Hint: "put it in quotes"})
	case f.enum != nil && !slices.Contains(f.enum, n.text):
		d.failAt(n, path, f, Mistake{
			Problem: "is not one of the words", Allowed: f.allowed(), Hint: didYouMean(n.text, f.enum),
		})
	case n.text == "" && !f.optional:
		d.failAt(n, path, f, Mistake{Problem: "is empty"})
	case v.Type() == fileNameType:
		v.SetString(resolvePath(n))
	default:
		v.SetString(n.text)
	}
}

// resolvePath returns the file name n relative to the directory of the file that contains it.
func resolvePath(n *node) string {
	if n.text == "" || n.line == 0 || filepath.IsAbs(n.text) {
		return n.text
	}
	return filepath.Join(filepath.Dir(n.file), n.text)
}

// decimal is the only way to write a number: YAML's octal, hexadecimal and
// underscored forms would read differently than they look to an engineer.
var decimal = regexp.MustCompile(`^[-+]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][-+]?[0-9]+)?$`)

// parseNumber reads a YAML number: decimal, .inf or .nan.
func parseNumber(n *node) (x float64, ok bool) {
	if n.tag != "!!int" && n.tag != "!!float" {
		return 0, false
	}
	switch strings.ToLower(strings.TrimLeft(n.text, "+-")) {
	case ".nan":
		return math.NaN(), true
	case ".inf":
		if n.text[0] == '-' {
			return math.Inf(-1), true
		}
		return math.Inf(1), true
	}
	if !decimal.MatchString(n.text) {
		return 0, false
	}
	x, err := strconv.ParseFloat(n.text, 64)
	return x, err == nil || errors.Is(err, strconv.ErrRange) // infinite, then
}

// number reads a number and checks its range.
func (d *decoder) number(v reflect.Value, f *field, n *node, path string) {
	x, ok := parseNumber(n)
	whole := v.Kind() != reflect.Float64
	switch {
	case !ok:
		d.failAt(n, path, f, Mistake{Problem: "must be " + f.article(), Allowed: f.allowed(), Hint: numberHint(n.text)})
	case math.IsNaN(x):
		d.failAt(n, path, f, Mistake{Problem: "is not a number", Allowed: f.allowed()})
	case !f.limits.contains(x):
		d.failAt(n, path, f, Mistake{Problem: "is out of range", Allowed: f.allowed(), Hint: unitHint(x, f)})
	case whole && x != math.Trunc(x):
		d.failAt(n, path, f, Mistake{Problem: "must be a whole number", Allowed: f.allowed()})
	case v.Kind() == reflect.Float64:
		v.SetFloat(x + 0) // + 0 turns -0 into 0
	case v.CanUint():
		v.SetUint(uint64(x))
	default:
		v.SetInt(int64(x))
	}
}
