package robotfile

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"
)

// decoder fills structs from trees and collects what is wrong. Values with a
// mistake keep their default, so that everything else can still be checked.
type decoder struct {
	checker
}

// newDecoder returns a decoder for the robot file of type t with the tree root.
func newDecoder(t reflect.Type, root *node) *decoder {
	return &decoder{checker{robot: t, root: root, given: map[string]*node{}, bad: map[string]bool{}, byDefault: map[string]bool{}}}
}

// block reads a mapping into the struct v. n may be nil: all keys are absent.
func (d *decoder) block(v reflect.Value, n *node, path string) {
	fields := fieldsOf(v.Type())
	if n != nil && n.kind != mapping && !n.isNull() {
		d.failAt(n, path, nil, Mistake{Problem: "must be a mapping of keys", Allowed: keyList(fields)})
		n = nil
	}
	if n == nil {
		n = &node{kind: mapping}
	}
	for _, p := range n.pairs {
		if find(fields, p.key) == nil {
			d.unknown(p, path, fields)
		}
	}
	sides := d.choose(fields, n, path)
	for i := range fields {
		f := &fields[i]
		if side, chosen := sides[f.choice]; chosen && side != f.side {
			continue // stays zero: another alternative is given
		}
		d.key(f.of(v), f, n, join(path, f.key))
	}
}

// choose says which alternative of each choice the file gives, if any.
func (d *decoder) choose(fields []field, n *node, path string) map[string]string {
	sides := map[string]string{}
	for i := range fields {
		f := &fields[i]
		given := n.get(f.key)
		if f.choice == "" || given == nil || given.isNull() {
			continue
		}
		side, taken := sides[f.choice]
		if taken && side != f.side {
			d.failAt(given, join(path, f.key), nil, Mistake{
				Problem: "excludes " + strings.Join(keysOf(fields, f.choice, side), ", ") + ", which is given too",
				Allowed: "one of the two",
			})
			continue
		}
		sides[f.choice] = f.side
	}
	return sides
}

// keysOf are the keys of one alternative of a choice.
func keysOf(fields []field, choice, side string) []string {
	var keys []string
	for i := range fields {
		if f := &fields[i]; f.choice == choice && f.side == side {
			keys = append(keys, f.key)
		}
	}
	return keys
}

// key reads one key of the mapping n, present or not.
func (d *decoder) key(v reflect.Value, f *field, n *node, path string) {
	c := n.get(f.key)
	switch {
	case c != nil && c.isNull() && !f.mayBeNull():
		d.failAt(c, path, f, Mistake{Problem: "has no value", Allowed: f.allowed()})
		c = nil
	case c != nil && c.isNull():
		c = nil
	case c != nil:
		d.given[path] = c
	case !f.optional:
		d.fail(path, Mistake{Problem: "is missing", Allowed: f.allowed(), Unit: f.unit})
	}
	d.fallback(v, f)
	if c == nil && !isBlock(f.typ) {
		return
	}
	fallback := v.Interface()
	d.value(v, f, c, path)
	if f.fallback != "" && reflect.DeepEqual(fallback, v.Interface()) {
		d.byDefault[path] = true
	}
}

// mayBeNull is true where an empty value means the same as no key.
func (f *field) mayBeNull() bool { return f.choice != "" || !isSingle(f.typ) }

// fallback sets the default of an absent key.
func (d *decoder) fallback(v reflect.Value, f *field) {
	if f.fallback == "" {
		return
	}
	own := newDecoder(nil, nil)
	own.value(v, f, defaultTree(f.fallback), f.key)
	if len(own.found) > 0 {
		panic("robotfile: " + own.found[0].String())
	}
}

// defaultTree is a default as it stands in its tag.
func defaultTree(text string) *node {
	if n, ok := defaultTrees.Load(text); ok {
		return n.(*node)
	}
	n, found := read("default", []byte(text))
	if len(found) > 0 {
		panic("robotfile: " + found[0].String())
	}
	defaultTrees.Store(text, n)
	return n
}

// defaultTrees caches the trees of defaults by their text; they are immutable.
var defaultTrees sync.Map

// value reads n into v, a field of kind f or an element of one.
func (d *decoder) value(v reflect.Value, f *field, n *node, path string) {
	t := v.Type()
	switch {
	case t.Kind() == reflect.Pointer:
		v.Set(reflect.New(t.Elem()))
		d.value(v.Elem(), f, n, path)
	case isBlock(t):
		if f.word != "" && n != nil && n.kind == scalar && !n.isNull() {
			if n.text != f.word {
				d.failAt(n, path, nil, Mistake{Problem: "is neither the word " + f.word + " nor a mapping of keys", Allowed: f.word + ", or {" + keyList(fieldsOf(t)) + ": ...}"})
			}
			n = nil
		}
		d.block(v, n, path)
	case t.Kind() == reflect.Slice:
		d.list(v, f, n, path)
	case t == vecType || t == quatType || t.Kind() == reflect.Array:
		d.vector(v, f, n, path)
	default:
		d.single(v, f, n, path)
	}
}

// anyLength among the admitted lengths of a list is for any other.
const anyLength = "any"

// list reads a list of any length, or of the lengths the field admits.
func (d *decoder) list(v reflect.Value, f *field, n *node, path string) {
	if n.kind == scalar && slices.Contains(f.lengths, "1") {
		n = &node{kind: list, file: n.file, line: n.line, items: []*node{n}}
	}
	if n.kind != list {
		d.failAt(n, path, f, Mistake{Problem: "must be a list"})
		return
	}
	if len(n.items) > maxItems {
		d.failAt(n, path, nil, Mistake{Problem: "has " + plural(len(n.items), "value"), Allowed: fmt.Sprintf("at most %d", maxItems)})
		return
	}
	count := fmt.Sprint(len(n.items))
	if f.lengths != nil && !slices.Contains(f.lengths, count) && !slices.Contains(f.lengths, anyLength) {
		d.failAt(n, path, nil, Mistake{
			Problem: "has " + plural(len(n.items), "value"),
			Allowed: "a list of " + strings.Join(f.lengths, " or "),
		})
		return
	}
	if len(n.items) == 0 {
		return
	}
	s := reflect.MakeSlice(v.Type(), len(n.items), len(n.items))
	for i, e := range n.items {
		at := item(path, i)
		if isBlock(s.Type().Elem()) && e.isNull() {
			d.failAt(e, at, nil, Mistake{Problem: "has no value", Allowed: keyList(fieldsOf(s.Type().Elem()))})
			continue
		}
		d.given[at] = e
		d.value(s.Index(i), f, e, at)
	}
	v.Set(s)
}

// vector reads a list of as many numbers as v has components, all or none.
func (d *decoder) vector(v reflect.Value, f *field, n *node, path string) {
	to := components(v)
	if n.kind != list || len(n.items) != len(to) {
		problem := "must be a list"
		if n.kind == list {
			problem = "has " + plural(len(n.items), "value")
		}
		d.failAt(n, path, nil, Mistake{
			Problem: problem,
			Allowed: fmt.Sprintf("a list of %d %s%s", len(to), componentName(v), suffix(", ", f.unit)),
		})
		return
	}
	fresh := reflect.New(v.Type()).Elem()
	before := len(d.found)
	for i, c := range components(fresh) {
		d.given[item(path, i)] = n.items[i]
		d.single(c, f, n.items[i], item(path, i))
	}
	if len(d.found) == before {
		v.Set(fresh)
	}
}

// componentName says what a vector has.
func componentName(v reflect.Value) string {
	if v.Kind() == reflect.Array && v.Type().Elem().Kind() == reflect.String {
		return "names"
	}
	return "numbers"
}

// suffix is the unit after a separator, or nothing where there is no unit.
func suffix(separator, unit string) string {
	if unit == "" || unit == "1" {
		return ""
	}
	return separator + unit
}

func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
