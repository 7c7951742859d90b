package robotfile

import (
	"reflect"
	"slices"
)

// Robot is the type of a robot file.
type Robot interface{ Continuum | Microrobot }

// robot is what every robot file has beside its tags.
type robot interface {
	// finalize checks the rules that join several keys and fills in the defaults
	// that depend on other keys.
	finalize(c *checker)
	// program is the name of the program that the file is for.
	program() string
	// about returns the heading of the printed file and the keys, as YAML, that
	// make an empty file a working example.
	about() (heading, example string)
}

// Draft is a robot file in the making: files over which later files and single
// values are laid. Mistakes are collected and reported by Robot, all at once. The
// zero value is an empty draft. It is not safe for concurrent use.
type Draft[T Robot] struct {
	root    *node
	sources []string
	found   []Mistake
	warned  []Mistake // by the last call of Robot
	checker *checker  // of the last call of Robot
}

// Merge lays a robot file over what the draft holds. Mappings are merged key by
// key, and lists whose items have names item by item, new names at the end; all
// other values are replaced. A key replaces the keys that it excludes.
func (d *Draft[T]) Merge(file string, data []byte) {
	n, found := read(file, data)
	d.source(file)
	d.found = append(d.found, found...)
	if n != nil {
		d.root = merge(reflect.TypeFor[T](), d.root, n)
	}
}

// Clone returns a draft with the same content, of which changes do not reach d.
func (d *Draft[T]) Clone() Draft[T] {
	return Draft[T]{root: d.root.clone(), sources: slices.Clone(d.sources), found: slices.Clone(d.found)}
}

func (d *Draft[T]) source(name string) {
	if !slices.Contains(d.sources, name) {
		d.sources = append(d.sources, name)
	}
}

// Robot returns the parameters with all defaults filled in, or an *Errors with
// every mistake of all that was merged and set.
func (d *Draft[T]) Robot() (*T, error) {
	d.warned = nil
	root := d.root
	if root == nil {
		root = &node{kind: mapping, file: "robot file"}
	}
	r := new(T)
	dec := newDecoder(reflect.TypeFor[T](), root)
	dec.block(reflect.ValueOf(r).Elem(), root, "")
	any(r).(robot).finalize(&dec.checker)
	d.checker = &dec.checker
	if err := report(slices.Concat(d.found, dec.found), d.sources); err != nil {
		return nil, err
	}
	d.warned = inOrder(dec.warned, d.sources)
	return r, nil
}

// Warnings returns what the last call of Robot, if it succeeded, found that is no mistake but
// hardly meant: keys that are given and have no effect beside the others, and what Judge
// has added. They are in the order of the sources and their lines.
func (d *Draft[T]) Warnings() []Mistake { return d.warned }

// Parse reads one robot file. The error is an *Errors.
func Parse[T Robot](file string, data []byte) (*T, error) {
	var d Draft[T]
	d.Merge(file, data)
	return d.Robot()
}

// merge lays top over base, both values of type t, and returns the result. It uses
// up both.
func merge(t reflect.Type, base, top *node) *node {
	t = element(t)
	switch {
	case base == nil:
		return top
	case base.kind == mapping && top.kind == mapping:
		for _, p := range top.pairs {
			put(t, base, p)
		}
		return base
	case isNamed(base) && isNamed(top):
		return mergeNamed(t, base, top)
	}
	return top
}

// element is the type of the values behind pointers and lists.
func element(t reflect.Type) reflect.Type {
	for t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice {
		t = t.Elem()
	}
	return t
}

// put merges one key into the mapping n.
func put(t reflect.Type, n *node, p pair) {
	var fields []field
	if isBlock(t) {
		fields = fieldsOf(t)
	}
	if f := find(fields, p.key); f != nil {
		t = f.typ
	}
	p.value = merge(t, n.get(p.key), p.value)
	store(fields, n, p)
}

// store replaces one key of the mapping n and removes the keys that it excludes.
func store(fields []field, n *node, p pair) {
	if f := find(fields, p.key); f != nil && f.choice != "" && !p.value.isNull() {
		n.pairs = slices.DeleteFunc(n.pairs, func(o pair) bool {
			g := find(fields, o.key)
			return g != nil && g.choice == f.choice && g.side != f.side
		})
	}
	for i := range n.pairs {
		if n.pairs[i].key == p.key {
			n.pairs[i] = p
			return
		}
	}
	n.pairs = append(n.pairs, p)
}

// isNamed tells lists of mappings that all have a name.
func isNamed(n *node) bool {
	return n.kind == list && len(n.items) > 0 &&
		!slices.ContainsFunc(n.items, func(e *node) bool { return nameOf(e) == "" })
}

func nameOf(n *node) string {
	if name := n.get("name"); name != nil && name.kind == scalar {
		return name.text
	}
	return ""
}

func mergeNamed(t reflect.Type, base, top *node) *node {
	for _, e := range top.items {
		i := slices.IndexFunc(base.items, func(b *node) bool { return nameOf(b) == nameOf(e) })
		if i < 0 {
			base.items = append(base.items, e)
		} else {
			base.items[i] = merge(t, base.items[i], e)
		}
	}
	return base
}
