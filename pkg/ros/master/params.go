package master

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// params is the tree of parameters: namespaces are map[string]any, everything
// else is a leaf. Maps are never changed once they are in the tree, only
// replaced, so that values taken from it stay as they are.
type params struct {
	root map[string]any
	size int // size(root)
}

// Sizes by which parameters are counted: not below what a value takes in a
// reply or, give or take a factor, in memory.
const (
	valueSize  = 64
	memberSize = 32
)

func size(v any) int {
	total := valueSize
	switch v := v.(type) {
	case string:
		total += len(v)
	case []byte:
		total += 2 * len(v)
	case []any:
		for _, item := range v {
			total += size(item)
		}
	case map[string]any:
		for key, item := range v {
			total += memberSize + len(key) + size(item)
		}
	}
	return total
}

func newParams() params {
	root := map[string]any{}
	return params{root, size(root)}
}

// get returns the parameter or namespace at an absolute key.
func (p *params) get(key string) (any, bool) {
	var v any = p.root
	for _, name := range segments(key) {
		namespace, ok := v.(map[string]any)
		if !ok {
			return nil, false
		}
		if v, ok = namespace[name]; !ok {
			return nil, false
		}
	}
	return v, true
}

// set replaces the parameter or namespace at an absolute key. Leaves on the way
// become namespaces.
func (p *params) set(key string, v any) error {
	path := segments(key)
	if levels := len(path) + depth(v); levels > maxLevels {
		return fmt.Errorf("%s would nest %d levels, more than %d", key, levels, maxLevels)
	}
	root, isMap := v.(map[string]any)
	grown := size(v) - p.size
	if len(path) > 0 {
		root, grown = with(p.root, path, v)
	} else if !isMap {
		return errors.New("the root of all parameters can only be a dictionary")
	}
	if p.size+grown > maxParams {
		return fmt.Errorf("all parameters would take %d bytes, more than %d", p.size+grown, maxParams)
	}
	p.root, p.size = root, p.size+grown
	return nil
}

// with returns a copy of ns in which v is at path, and how much its size grew.
func with(ns map[string]any, path []string, v any) (next map[string]any, grown int) {
	next = maps.Clone(ns)
	name, deeper := path[0], path[1:]
	old, had := ns[name]
	if inner, isMap := old.(map[string]any); isMap && len(deeper) > 0 {
		next[name], grown = with(inner, deeper, v)
		return next, grown
	}
	for _, outer := range slices.Backward(deeper) {
		v = map[string]any{outer: v}
	}
	next[name] = v
	if had {
		return next, size(v) - size(old)
	}
	return next, memberSize + len(name) + size(v)
}

// remove deletes the parameter or namespace at an absolute key and reports
// whether there was one.
func (p *params) remove(key string) bool {
	path := segments(key)
	if _, set := p.get(key); !set || len(path) == 0 {
		return false
	}
	var shrunk int
	p.root, shrunk = without(p.root, path)
	p.size -= shrunk
	return true
}

// without returns a copy of ns that lacks what is at path, and how much its
// size shrank. Everything on the path must exist.
func without(ns map[string]any, path []string) (next map[string]any, shrunk int) {
	next = maps.Clone(ns)
	name, deeper := path[0], path[1:]
	if len(deeper) > 0 {
		next[name], shrunk = without(ns[name].(map[string]any), deeper)
		return next, shrunk
	}
	delete(next, name)
	return next, memberSize + len(name) + size(ns[name])
}

// names returns the absolute names of all leaves, in order.
func (p *params) names() []string {
	var names []string
	var walk func(prefix string, ns map[string]any)
	walk = func(prefix string, ns map[string]any) {
		for name, v := range ns {
			if inner, isMap := v.(map[string]any); isMap {
				walk(prefix+name+"/", inner)
			} else {
				names = append(names, prefix+name)
			}
		}
	}
	walk("/", p.root)
	slices.Sort(names)
	return names
}

// search searches for a relative key in namespace ns and its parents. Only the first name in the
// key counts: "/a/b/robot" is found for "robot/gain" even if only "/robot/gain" is set, so that a
// namespace hides outer ones as a whole.
func (p *params) search(ns, key string) (found string, ok bool) {
	first := segments(key)[0]
	for ns = strings.TrimSuffix(ns, "/"); ; ns = parent(ns) {
		if _, set := p.get(ns + "/" + first); set {
			return canonical(ns + "/" + key), true
		}
		if ns == "" {
			return "", false
		}
	}
}

// depth returns how many levels of arrays and structs v has.
func depth(v any) int {
	deepest := 0
	switch v := v.(type) {
	case []any:
		for _, item := range v {
			deepest = max(deepest, 1+depth(item))
		}
	case map[string]any:
		for _, item := range v {
			deepest = max(deepest, 1+depth(item))
		}
	}
	return deepest
}
