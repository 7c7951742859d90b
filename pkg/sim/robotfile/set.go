package robotfile

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// Set overrides one value of the draft. path names the key, with . or / between its
// parts and the number or the name of a list item: solver.step_s,
// tendons[0].tension_n, tendons/long_up/tension_n. An empty path is the whole
// file. value is YAML as it would stand in a file; a mapping is merged as by Merge.
// source says where the value comes from, for messages.
func (d *Draft[T]) Set(path, value, source string) {
	d.source(source)
	if strings.TrimSpace(value) == "" {
		value = "null"
	}
	n, found := read(source, []byte(value))
	strip(n)
	parts, err := splitPath(path)
	if len(found) == 0 && err == nil && n != nil {
		d.root, err = set(reflect.TypeFor[T](), d.root, parts, "", n)
	}
	for _, m := range found {
		d.found = append(d.found, Mistake{File: source, Key: path, Value: shorten(value), Problem: m.Problem})
	}
	if err != nil {
		d.found = append(d.found, Mistake{File: source, Key: shorten(path), Problem: err.Error()})
	}
}

// Has reports whether path, written as for Set, is a key of the robot file. Items of lists
// need not exist.
func (d *Draft[T]) Has(path string) bool {
	known, _ := d.lookup(path)
	return known
}

// Hint suggests a key for an unknown path: "did you mean step_s?", or nothing if no key is
// similar.
func (d *Draft[T]) Hint(path string) string {
	_, hint := d.lookup(path)
	return hint
}

// lookup follows a path through the keys and suggests one for the first unknown key.
func (d *Draft[T]) lookup(path string) (known bool, hint string) {
	parts, err := splitPath(path)
	t := reflect.TypeFor[T]()
	for _, p := range parts {
		for t.Kind() == reflect.Pointer {
			t = t.Elem()
		}
		switch {
		case isBlock(t):
			fields := fieldsOf(t)
			f := find(fields, p)
			if f == nil {
				return false, didYouMean(p, keyWords(fields))
			}
			t = f.typ
		case t.Kind() == reflect.Slice || t.Kind() == reflect.Array:
			t = t.Elem()
		case t == vecType || t == quatType:
			t = reflect.TypeFor[float64]()
		default:
			return false, ""
		}
	}
	return err == nil, ""
}

// strip removes the line numbers of a value that is not from a file.
func strip(n *node) {
	if n == nil {
		return
	}
	n.line = 0
	for _, e := range n.items {
		strip(e)
	}
	for i := range n.pairs {
		n.pairs[i].line = 0
		strip(n.pairs[i].value)
	}
}

// splitPath takes a[0].b, a/0/b and /a/name/b apart.
func splitPath(path string) ([]string, error) {
	path = strings.Trim(path, "/~ ")
	if path == "" {
		return nil, nil
	}
	path = strings.NewReplacer("[", ".", "]", "", "/", ".").Replace(path)
	parts := strings.Split(path, ".")
	if slices.Contains(parts, "") {
		return nil, errors.New("not a path; write solver.step_s or tendons[0].tension_n")
	}
	return parts, nil
}

// set returns the tree n, of type t, with the value at the end of the path.
func set(t reflect.Type, n *node, parts []string, path string, value *node) (*node, error) {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	switch {
	case len(parts) == 0:
		return merge(t, n, value), nil
	case isBlock(t):
		return setKey(t, n, parts, path, value)
	case t.Kind() == reflect.Slice || components(reflect.New(t).Elem()) != nil:
		return setItem(t, n, parts, path, value)
	}
	return n, fmt.Errorf("%s is a single value", path)
}

func setKey(t reflect.Type, n *node, parts []string, path string, value *node) (*node, error) {
	fields := fieldsOf(t)
	f := find(fields, parts[0])
	if f == nil {
		if hint := didYouMean(parts[0], keyWords(fields)); hint != "" {
			return n, fmt.Errorf("unknown key (%s)", hint)
		}
		return n, fmt.Errorf("unknown key; allowed: %s", keyList(fields))
	}
	if n == nil || n.kind != mapping {
		n = &node{kind: mapping, file: value.file}
	}
	child, err := set(f.typ, n.get(f.key), parts[1:], join(path, f.key), value)
	if err == nil {
		store(fields, n, pair{f.key, 0, child})
	}
	return n, err
}

func setItem(t reflect.Type, n *node, parts []string, path string, value *node) (*node, error) {
	if n != nil && n.kind == scalar && t.Kind() == reflect.Slice { // one number for a list of it
		n = &node{kind: list, file: n.file, line: n.line, items: []*node{n}}
	}
	if n == nil || n.kind != list {
		return n, fmt.Errorf("%s is not given; set the whole list", path)
	}
	i, err := strconv.Atoi(parts[0])
	if err != nil {
		i = slices.IndexFunc(n.items, func(e *node) bool { return nameOf(e) == parts[0] })
	}
	if i < 0 || i >= len(n.items) {
		return n, fmt.Errorf("no such item: %s has %s", path, itemsOf(n))
	}
	e := reflect.TypeFor[float64]()
	if t.Kind() == reflect.Slice || t.Kind() == reflect.Array {
		e = t.Elem()
	}
	child, err := set(e, n.items[i], parts[1:], item(path, i), value)
	if err == nil {
		n.items[i] = child
	}
	return n, err
}

// itemsOf describes the number of items of a list and their names.
func itemsOf(n *node) string {
	var names []string
	for _, e := range n.items {
		if name := nameOf(e); name != "" {
			names = append(names, name)
		}
	}
	if len(names) == 0 || len(names) < len(n.items) {
		return plural(len(n.items), "item")
	}
	return plural(len(n.items), "item") + ": " + strings.Join(names, ", ")
}
