package robotfile

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"
)

// Number is one real number of a robot file.
type Number struct {
	// Path names it as Draft.Set does, with the numbers of list items:
	// tendons[0].offset_m[1].
	Path string
	// Named is the path with the names of list items that have one:
	// tendons.long_up.offset_m[1].
	Named string
	// Key is the path without the numbers of list items that are mappings, the
	// same for all of them: tendons.offset_m[1].
	Key      string
	Value    float64
	Unit     string  // SI; "1" is dimensionless
	Min, Max float64 // the allowed range
	Doc      string
}

// Numbers lists every real number of the robot, in the order of the printed file, without
// counts, absent alternatives and an environment without contact.
func Numbers[T Robot](r *T) []Number {
	var n numbers
	n.block(reflect.ValueOf(r).Elem(), place{})
	return n
}

// place is where a value stands, in the three ways of Number.
type place struct{ path, named, key string }

func (p place) child(key string) place {
	return place{join(p.path, key), join(p.named, key), join(p.key, key)}
}

// entry is item i of a list of mappings.
func (p place) entry(i int, name string) place {
	e := place{item(p.path, i), item(p.named, i), p.key}
	if name != "" {
		e.named = join(p.named, name)
	}
	return e
}

// component is item i of a list of numbers.
func (p place) component(i int) place {
	return place{item(p.path, i), item(p.named, i), item(p.key, i)}
}

type numbers []Number

func (n *numbers) block(v reflect.Value, at place) {
	fields := fieldsOf(v.Type())
	for i := range fields {
		f := &fields[i]
		if e, ok := f.of(v).Interface().(Environment); ok && !e.hasContact() || unused(v, fields, f) {
			continue
		}
		n.value(f.of(v), f, at.child(f.key))
	}
}

func (n *numbers) value(v reflect.Value, f *field, at place) {
	if c := components(v); c != nil {
		for i := range c {
			n.value(c[i], f, at.component(i))
		}
		return
	}
	switch {
	case v.Kind() == reflect.Pointer:
		if !v.IsNil() {
			n.value(v.Elem(), f, at)
		}
	case isBlock(v.Type()):
		n.block(v, at)
	case v.Kind() == reflect.Slice:
		for i := range v.Len() {
			if e := v.Index(i); isBlock(e.Type()) {
				n.block(e, at.entry(i, itemName(e)))
			} else {
				n.value(e, f, at.component(i))
			}
		}
	case v.Kind() == reflect.Float64:
		*n = append(*n, Number{
			Path: at.path, Named: at.named, Key: at.key, Value: v.Float(),
			Unit: f.unit, Min: f.limits.low, Max: f.limits.high, Doc: f.doc,
		})
	}
}

// itemName is the name of an item of a list of mappings, or empty.
func itemName(v reflect.Value) string {
	f := find(fieldsOf(v.Type()), "name")
	if f == nil || f.of(v).Kind() != reflect.String {
		return ""
	}
	return f.of(v).String()
}

// inside reports whether path is at or below a key or list item.
func inside(path, above string) bool {
	rest, ok := strings.CutPrefix(path, above)
	return ok && (rest == "" || rest[0] == '.' || rest[0] == '[')
}

// interval is the admitted set of a number. A closed end at infinity admits it.
type interval struct {
	low, high         float64
	openLow, openHigh bool
	text              string // as people read it
}

// parseInterval reads mathematical notation such as "(0, 100]".
func parseInterval(s string) (interval, error) {
	bad := fmt.Errorf("robotfile: %q is no interval", s)
	if len(s) < 2 || !strings.Contains("([", s[:1]) || !strings.Contains(")]", s[len(s)-1:]) {
		return interval{}, bad
	}
	low, high, _ := strings.Cut(s[1:len(s)-1], ", ")
	i := interval{openLow: s[0] == '(', openHigh: s[len(s)-1] == ')', text: s}
	var err1, err2 error
	i.low, err1 = strconv.ParseFloat(low, 64)
	i.high, err2 = strconv.ParseFloat(high, 64)
	if err1 != nil || err2 != nil || !(i.low < i.high) {
		return interval{}, bad
	}
	if s == "(-inf, inf)" {
		i.text = "finite"
	}
	return i, nil
}

// contains is false for NaN.
func (i interval) contains(x float64) bool {
	return (x > i.low || !i.openLow && x == i.low) && (x < i.high || !i.openHigh && x == i.high)
}
