package robotfile

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

type nodeKind uint8

const (
	scalar nodeKind = iota
	list
	mapping
)

// node is a YAML value with its place, aliases resolved.
type node struct {
	kind  nodeKind
	text  string  // scalar
	tag   string  // scalar: !!str, !!int, !!float, !!bool, !!null ...
	items []*node // list
	pairs []pair  // mapping
	file  string
	line  int
}

type pair struct {
	key   string
	line  int
	value *node
}

func (n *node) isNull() bool { return n.kind == scalar && n.tag == "!!null" }

// clone copies the tree.
func (n *node) clone() *node {
	if n == nil {
		return nil
	}
	c := *n
	c.items, c.pairs = slices.Clone(n.items), slices.Clone(n.pairs)
	for i := range c.items {
		c.items[i] = c.items[i].clone()
	}
	for i := range c.pairs {
		c.pairs[i].value = c.pairs[i].value.clone()
	}
	return &c
}

// get returns the value of a key of a mapping, or nil.
func (n *node) get(key string) *node {
	for _, p := range n.pairs {
		if p.key == key {
			return p.value
		}
	}
	return nil
}

// brief shows the value on one short line.
func (n *node) brief() string {
	switch n.kind {
	case mapping:
		return "{...}"
	case list:
		return n.briefList()
	}
	switch n.tag {
	case "!!int", "!!float", "!!bool":
		return shorten(n.text)
	case "!!null":
		return "null"
	}
	return strconv.Quote(shorten(n.text))
}

func (n *node) briefList() string {
	const most = 9 // a 3x3 matrix
	var parts []string
	for i, e := range n.items {
		if i == most {
			parts = append(parts, "...")
			break
		}
		if e.kind == list {
			parts = append(parts, "[...]")
		} else {
			parts = append(parts, e.brief())
		}
	}
	return "[" + strings.Join(parts, ", ") + "]"
}

// shorten keeps messages readable whatever the file holds.
func shorten(s string) string {
	const most = 40
	if len(s) > most {
		s = strings.ToValidUTF8(s[:most], "") + "..."
	}
	return s
}

var plainKey = regexp.MustCompile(`^[A-Za-z0-9_.-]{1,40}$`)

// join appends a key to a path.
func join(path, key string) string {
	if !plainKey.MatchString(key) {
		key = strconv.Quote(shorten(key))
	}
	if path == "" {
		return key
	}
	return path + "." + key
}

// item appends an index to a path.
func item(path string, i int) string { return fmt.Sprintf("%s[%d]", path, i) }

// Bounds on what is read. The largest sensible file, 64 helical tendons through
// 200 disks each, has 40000 nodes.
const (
	maxBytes = 1 << 20
	maxNodes = 200_000
	maxDepth = 32
	maxKeys  = 256  // of one mapping
	maxItems = 2000 // of one list
)

// reader turns YAML text into a tree.
type reader struct {
	file   string
	data   []byte
	nodes  int
	found  []Mistake
	inside map[*yaml.Node]bool // anchors being expanded
}

// read returns the tree of one YAML document, or nil if there is none to use.
func read(file string, data []byte) (*node, []Mistake) {
	r := &reader{file: file, data: data, inside: map[*yaml.Node]bool{}}
	if len(data) > maxBytes {
		r.fail(0, "the file has %d bytes; at most %d are read", len(data), maxBytes)
		return nil, r.found
	}
	if format := foreignContent(data); format != "" {
		r.foreign(format)
		return nil, r.found
	}
	var doc, second yaml.Node
	dec := yaml.NewDecoder(bytes.NewReader(data))
	err := dec.Decode(&doc)
	if err == nil {
		if end := dec.Decode(&second); end == nil {
			r.fail(second.Line, "a second YAML document begins; a robot file is one document")
			return nil, r.found
		} else if !errors.Is(end, io.EOF) {
			err = end
		}
	}
	switch {
	case foreignName(file) != "" && (err != nil || doc.Kind == 0 || doc.Content[0].Kind != yaml.MappingNode):
		r.foreign(foreignName(file))
		return nil, r.found
	case errors.Is(err, io.EOF) || err == nil && doc.Kind == 0:
		r.fail(0, "the file is empty; a robot file is a mapping of keys to values")
		return nil, r.found
	case err != nil:
		r.syntax(err)
		return nil, r.found
	}
	return r.node(doc.Content[0], "", 0), r.found
}

var syntaxError = regexp.MustCompile(`^yaml: (?:line (\d+): )?(.*)$`)

func (r *reader) syntax(err error) {
	line, text := 0, err.Error()
	if m := syntaxError.FindStringSubmatch(text); m != nil {
		line, _ = strconv.Atoi(m[1])
		text = m[2]
	}
	if tab := r.tabbed(); tab > 0 && strings.Contains(text, "cannot start any token") {
		line, text = tab, text+": the line is indented by a tab; YAML is indented by spaces"
	}
	r.fail(line, "is not YAML: %s", text)
}

// tabbed returns the first line that has a tab before its text, 0 if there is none.
func (r *reader) tabbed() int {
	for i, line := range bytes.Split(r.data, []byte("\n")) {
		if text := bytes.TrimLeft(line, " \t"); len(text) > 0 && bytes.ContainsRune(line[:len(line)-len(text)], '\t') {
			return i + 1
		}
	}
	return 0
}

// foreign refuses a file in another format.
func (r *reader) foreign(format string) {
	r.fail(0, "is %s; a robot file is YAML: %s", format, foreignCure(format))
}

func (r *reader) fail(line int, format string, args ...any) {
	r.found = append(r.found, Mistake{File: r.file, Line: line, Problem: fmt.Sprintf(format, args...)})
}

// node copies a YAML node, following aliases. It gives nil once the bounds on
// depth or size are passed, which is reported once.
func (r *reader) node(y *yaml.Node, path string, depth int) *node {
	if y.Kind == yaml.AliasNode {
		if r.inside[y.Alias] {
			r.fail(y.Line, "the alias *%s lies inside its own anchor", y.Value)
			return nil
		}
		y = y.Alias
	}
	if y.Anchor != "" {
		r.inside[y] = true
		defer delete(r.inside, y)
	}
	if r.nodes++; r.nodes == maxNodes {
		r.fail(y.Line, "the file has more than %d values, aliases expanded", maxNodes)
	}
	if depth == maxDepth {
		r.fail(y.Line, "values are nested more than %d deep", maxDepth)
	}
	if r.nodes >= maxNodes || depth >= maxDepth {
		return nil
	}
	n := &node{file: r.file, line: y.Line}
	switch y.Kind {
	case yaml.SequenceNode:
		n.kind = list
		for i, e := range y.Content {
			if c := r.node(e, item(path, i), depth+1); c != nil {
				n.items = append(n.items, c)
			}
		}
	case yaml.MappingNode:
		n.kind = mapping
		if len(y.Content) > 2*maxKeys {
			r.fail(y.Line, "a mapping with more than %d keys", maxKeys)
			return nil
		}
		r.pairs(n, y, path, depth)
	default:
		n.text, n.tag = y.Value, y.ShortTag()
		if n.tag == "!!str" && y.Style == 0 && decimal.MatchString(n.text) {
			n.tag = "!!float" // too large for the YAML package
		}
	}
	return n
}

// pairs copies the pairs of a mapping: keys are words and occur once; merge keys
// (<<) fill in what the mapping does not have itself.
func (r *reader) pairs(n *node, y *yaml.Node, path string, depth int) {
	var merges []*node
	for i := 0; i+1 < len(y.Content); i += 2 {
		k := y.Content[i]
		at := join(path, k.Value)
		c := r.node(y.Content[i+1], at, depth+1)
		switch {
		case c == nil:
		case k.Kind != yaml.ScalarNode:
			r.fail(k.Line, "a key must be a word")
		case k.ShortTag() == "!!merge":
			if c.kind == list {
				merges = append(merges, c.items...)
			} else {
				merges = append(merges, c)
			}
		case n.get(k.Value) != nil:
			m := Mistake{File: r.file, Line: k.Line, Key: at, Problem: "occurs twice"}
			m.Hint = fmt.Sprintf("first on line %d", n.get(k.Value).line)
			r.found = append(r.found, m)
		default:
			n.pairs = append(n.pairs, pair{k.Value, k.Line, c})
		}
	}
	for _, m := range merges {
		if m.kind != mapping {
			r.fail(m.line, "<< needs a mapping")
		}
		for _, p := range m.pairs {
			if n.get(p.key) == nil && len(n.pairs) < maxKeys {
				n.pairs = append(n.pairs, p)
			}
		}
	}
}
