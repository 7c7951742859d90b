package robotfile

import (
	"fmt"
	"slices"
)

// Difference is a key to which two robot files give different values, A and B in short.
type Difference struct{ Path, A, B string }

// Differences returns the keys in which two complete robot files, as Print writes them, differ, in the order of
// the first. It returns none for a text that is not a robot file. Lists of unequal length differ as a whole.
func Differences(a, b []byte) []Difference {
	first, _ := read("a", a)
	second, _ := read("b", b)
	if first == nil || second == nil {
		return nil
	}
	return appendDifferences(nil, "", first, second)
}

// appendDifferences appends the keys below a path in which two values differ.
func appendDifferences(found []Difference, path string, a, b *node) []Difference {
	absent := &node{kind: scalar, tag: "!!null"}
	switch {
	case a.kind == mapping && b.kind == mapping:
		for _, p := range a.pairs {
			other := b.get(p.key)
			if other == nil {
				other = absent
			}
			found = appendDifferences(found, join(path, p.key), p.value, other)
		}
		for _, p := range b.pairs {
			if a.get(p.key) == nil {
				found = appendDifferences(found, join(path, p.key), absent, p.value)
			}
		}
	case a.kind == list && b.kind == list && len(a.items) == len(b.items) && a.isNested():
		for i := range a.items {
			found = appendDifferences(found, item(path, i), a.items[i], b.items[i])
		}
	case !a.equal(b):
		found = append(found, Difference{path, a.extent(), b.extent()})
	}
	return found
}

// equal reports whether two values that are not both mappings are the same.
func (n *node) equal(m *node) bool {
	return n.kind == m.kind && n.kind != mapping && n.isNull() == m.isNull() && n.text == m.text && slices.EqualFunc(n.items, m.items, (*node).equal)
}

// isNested reports whether a list has items that are no scalars.
func (n *node) isNested() bool {
	return slices.ContainsFunc(n.items, func(e *node) bool { return e.kind != scalar })
}

// extent is the value on one short line: of a list of mappings or lists the number of its items.
func (n *node) extent() string {
	if n.kind == list && n.isNested() {
		return fmt.Sprintf("%d items", len(n.items))
	}
	return n.brief()
}
