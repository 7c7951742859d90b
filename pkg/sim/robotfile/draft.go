package robotfile

import (
	"reflect"
	"slices"
)

// Robot is the type of a robot file.
type Robot interface {
	Continuum | Mechanism | Microrobot
}

// robot is implemented by every type of robot file.
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

// Draft is a robot file under construction: files and single values, of which later ones
// override earlier ones. Robot reports all mistakes at once. The zero value is an empty draft.
// It is not safe for concurrent use.
type Draft[T Robot] struct {
	root    *node
	sources []string
	found   []Mistake
	unread  bool      // a file has no values, because it is no YAML
	warned  []Mistake // by the last call of Robot
	checker *checker  // of the last call of Robot
}

// Merge overrides the draft with a robot file. It merges mappings key by key and lists of named
// items item by item, with new names at the end; it replaces all other values. A key replaces the
// keys that it excludes.
func (d *Draft[T]) Merge(file string, data []byte) {
	n, found := read(file, data)
	d.source(file)
	d.found = append(d.found, found...)
	d.unread = d.unread || n == nil && len(found) > 0
	if n != nil {
		d.root = merge(reflect.TypeFor[T](), d.root, n)
	}
}

// Clone returns a deep copy of the draft.
func (d *Draft[T]) Clone() Draft[T] {
	return Draft[T]{root: d.root.clone(), sources: slices.Clone(d.sources), found: slices.Clone(d.found), unread: d.unread}
}

func (d *Draft[T]) source(name string) {
	if !slices.Contains(d.sources, name) {
		d.sources = append(d.sources, name)
	}
}

// Robot returns the parameters with all defaults applied, or an *Errors with every mistake of
// the merged files and values.
func (d *Draft[T]) Robot() (*T, error) {
	d.warned = nil
	root := d.root
	if d.unread { // rules that join keys would be about defaults
		d.checker = &newDecoder(reflect.TypeFor[T](), &node{kind: mapping}).checker
		return nil, report(d.found, d.sources)
	}
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

// Warnings returns the warnings of the last successful call of Robot: keys without effect, and
// the findings that AddFindings has added, in the order of the sources and their lines.
func (d *Draft[T]) Warnings() []Mistake { return d.warned }

// Parse reads one robot file. The error is an *Errors.
func Parse[T Robot](file string, data []byte) (*T, error) {
	var d Draft[T]
	d.Merge(file, data)
	return d.Robot()
}

// merge overrides base with top, both values of type t, and returns the result. It modifies
// both.
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

// element returns the type of the values in pointers and lists.
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

// isNamed reports whether n is a list of mappings that all have a name.
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
