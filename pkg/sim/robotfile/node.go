package robotfile

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
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
