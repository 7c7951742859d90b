package identify

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"sinew/pkg/sim/hil/fit"
)

// planNode is a value of a plan and the path of its key.
type planNode struct {
	node *yaml.Node
	key  string
}

// place is where the value stands, as plan.yaml:7: stages[0].every.
func (n planNode) place(r *planReader) string {
	return fmt.Sprintf("%s:%d: %s", r.file, n.node.Line, n.key)
}

func (n planNode) fail(r *planReader, format string, args ...any) {
	r.found = append(r.found, fmt.Errorf("%s: "+format, append([]any{n.place(r)}, args...)...))
}

// keys reads a mapping: read takes a key, or says that it is none.
func (n planNode) keys(r *planReader, read func(key string, v planNode) bool, allowed ...string) {
	if n.node.Kind != yaml.MappingNode {
		n.fail(r, "is no mapping; allowed keys: %s", strings.Join(allowed, ", "))
		return
	}
	seen := map[string]int{}
	for i := 0; i+1 < len(n.node.Content); i += 2 {
		k := n.node.Content[i]
		v := planNode{n.node.Content[i+1], k.Value}
		if n.key != "plan" {
			v.key = n.key + "." + k.Value
		}
		if line := seen[k.Value]; line > 0 {
			v.fail(r, "occurs twice, first on line %d", line)
			continue
		}
		seen[k.Value] = k.Line
		if k.Kind != yaml.ScalarNode || !read(k.Value, v) {
			planNode{k, v.key}.fail(r, "unknown key; allowed: %s", strings.Join(allowed, ", "))
		}
	}
}

// items reads a list; a single value is a list of it.
func (n planNode) items(r *planReader) (list []planNode) {
	const most = 1000
	switch {
	case n.node.Kind == yaml.ScalarNode && n.node.Tag != "!!null":
		return []planNode{n}
	case n.node.Kind != yaml.SequenceNode || len(n.node.Content) == 0 || len(n.node.Content) > most:
		n.fail(r, "is no list of 1 to %d items", most)
		return nil
	}
	for i, item := range n.node.Content {
		list = append(list, planNode{item, fmt.Sprintf("%s[%d]", n.key, i)})
	}
	return list
}

// text reads a word.
func (n planNode) text(r *planReader) string {
	if n.node.Kind != yaml.ScalarNode || n.node.Tag == "!!null" || strings.TrimSpace(n.node.Value) == "" {
		n.fail(r, "is no text")
		return ""
	}
	return n.node.Value
}

func (n planNode) positive(r *planReader) float64 {
	v, err := strconv.ParseFloat(n.text(r), 64)
	if err != nil || !(v > 0) || math.IsInf(v, 0) {
		n.fail(r, "%q; allowed: a number above 0", n.node.Value)
	}
	return v
}

// settings reads numbers by the names of what they are in the robot file.
func (n planNode) settings(r *planReader) (list []planSetting) {
	if n.node.Kind != yaml.MappingNode || len(n.node.Content) == 0 {
		n.fail(r, "is no mapping of numbers of the robot file, such as {tip.mass_kg: 0.1}")
		return nil
	}
	for i := 0; i+1 < len(n.node.Content); i += 2 {
		k := n.node.Content[i].Value
		v := planNode{n.node.Content[i+1], n.key + "." + k}
		value, err := strconv.ParseFloat(v.text(r), 64)
		if err != nil || math.IsInf(value, 0) || math.IsNaN(value) {
			v.fail(r, "%q; allowed: a number", v.node.Value)
		}
		list = append(list, planSetting{v.place(r), k, value})
	}
	return list
}

func (n planNode) count(r *planReader) int {
	const most = 1_000_000
	v, err := strconv.Atoi(n.text(r))
	if err != nil || v < 1 || v > most {
		n.fail(r, "%q; allowed: a whole number from 1 to %d", n.node.Value, most)
		return 1
	}
	return v
}

// starts reads auto or a number of starts.
func (n planNode) starts(r *planReader) int {
	if n.node.Value == auto {
		return fit.Adaptive
	}
	return n.count(r)
}

func (n planNode) boolean(r *planReader) bool {
	var v bool
	if n.node.Kind != yaml.ScalarNode || n.node.Tag != "!!bool" || n.node.Decode(&v) != nil {
		n.fail(r, "%q; allowed: true or false", n.node.Value)
	}
	return v
}

// span reads FIRST:END, rows counted from 0, without END; either may be missing.
func (n planNode) span(r *planReader) (first, end int) {
	a, b, ok := strings.Cut(n.text(r), ":")
	number := func(text string) (v int) {
		if text == "" {
			return 0
		}
		v, err := strconv.Atoi(text)
		ok = ok && err == nil && v >= 0
		return v
	}
	first, end = number(a), number(b)
	if !ok || end != 0 && end <= first || b == "0" {
		n.fail(r, "%q; allowed: FIRST:END, rows counted from 0 up to but without END, such as \"0:200\" or \"200:\"", n.node.Value)
		return 0, 0
	}
	return first, end
}
