package robotfile

import (
	"reflect"
	"slices"
	"strings"
)

// checker collects mistakes and knows which keys the file gives.
type checker struct {
	robot reflect.Type     // the whole file, for hints
	given map[string]*node // by path; absent and null keys are not in it
	bad   map[string]bool  // paths with a mistake
	// byDefault has the paths of given keys whose values equal their defaults.
	byDefault map[string]bool
	root      *node
	found     []Mistake
	// warned holds warnings: keys without effect and suspicious values.
	warned []Mistake
}

// has reports whether the file gives the key.
func (c *checker) has(path string) bool { return c.given[path] != nil }

// ok reports whether the keys and everything below them are free of mistakes, so that rules that
// join them can be checked.
func (c *checker) ok(paths ...string) bool {
	for _, p := range paths {
		if c.bad[p] {
			return false
		}
	}
	return true
}

// markInvalid marks a path and all mappings and lists around it.
func (c *checker) markInvalid(path string) {
	for p := path; p != ""; p = parentPath(p) {
		c.bad[p] = true
	}
}

// parentPath is the path of the mapping or list that holds the key or item.
func parentPath(path string) string { return path[:max(0, strings.LastIndexAny(path, ".["))] }

// failAt records a mistake at a node; unit, value and place are filled in.
func (c *checker) failAt(n *node, path string, f *field, m Mistake) {
	m.Key, m.File, m.Line = path, n.file, n.line
	if f != nil {
		m.Unit = f.unit
	}
	if m.Problem != "is missing" && m.Value == "" {
		m.Value = n.brief()
	}
	c.markInvalid(path)
	c.found = append(c.found, m)
}

// fail records a mistake in a rule that joins several keys. Its file and line are
// those of the key or, if the file does not give it, of the nearest mapping around
// it.
func (c *checker) fail(path string, m Mistake) {
	c.markInvalid(path)
	c.found = append(c.found, c.locate(path, m))
}

// warn records that a key has no effect in combination with the others, if the file gives it
// without a mistake. m gives the reason and the remedy. A key at its default is not reported, since
// complete files, as Print writes them, give all keys.
func (c *checker) warn(path string, m Mistake) {
	if n := c.given[path]; n != nil && !c.isDefault(path, n) {
		c.warnEvenAtDefault(path, m)
	}
}

// isDefault reports whether a key with value n, and all keys in it, equal their defaults.
func (c *checker) isDefault(path string, n *node) bool {
	switch {
	case c.byDefault[path] || n.isNull():
		return true
	case n.kind == mapping:
		return !slices.ContainsFunc(n.pairs, func(p pair) bool { return !c.isDefault(join(path, p.key), p.value) })
	case n.kind == list:
		return len(n.items) == 0
	}
	return n.text == ""
}

// warnEvenAtDefault is warn for keys that mislead even at their default.
func (c *checker) warnEvenAtDefault(path string, m Mistake) {
	if c.has(path) && c.ok(path) {
		c.warnAt(path, m)
	}
}

// warnAt records a warning of a key, or of its absence. Its place is then that of the nearest
// mapping around it.
func (c *checker) warnAt(path string, m Mistake) { c.warned = append(c.warned, c.locate(path, m)) }

// locate returns m with key, value and place filled in.
func (c *checker) locate(path string, m Mistake) Mistake {
	m.Key = path
	n := c.given[path]
	if n != nil && m.Value == "" {
		m.Value = n.brief()
	}
	for p := path; n == nil && p != ""; n = c.given[p] {
		p = parentPath(p)
	}
	if n == nil {
		n = c.root
	}
	m.File, m.Line = n.file, n.line
	return m
}

// replacedKeys says what has taken the place of keys of earlier versions, by their paths.
var replacedKeys = map[string]string{
	"camera": "write sensors: [{name: camera, rate_hz: 100, latency_s: 0.004, pose: {position_error: {noise: 1e-5, resolution: 1e-6}, rotation_error: {noise: 1e-3}}}]; " +
		"its topic is sensors/camera, and measured_cp is exact",
}

// unknown records a key that the mapping does not have.
func (c *checker) unknown(p pair, path string, fields []field) {
	m := Mistake{File: p.value.file, Line: p.line, Key: join(path, p.key), Problem: "unknown key"}
	if hint := replacedKeys[join(path, p.key)]; hint != "" {
		m.Problem, m.Hint = "is a key of earlier versions", hint
		c.found = append(c.found, m)
		return
	}
	if p.key == "observer" && path == "" && c.robot == microrobotType {
		m.Problem, m.Hint = "is supported for robots of one rod only", "remove it"
		c.found = append(c.found, m)
		return
	}
	if problem, hint := mechanismHint(p.key); problem != "" && path == "" && c.robot == mechanismType {
		m.Problem, m.Hint = problem, hint
		c.found = append(c.found, m)
		return
	}
	if len(c.found) < maxMistakes { // further hints are not reported
		m.Hint = didYouMean(p.key, keyWords(fields))
		if at := findKeyPath(c.robot, p.key, ""); at != "" {
			m.Hint = "there is " + at
		}
	}
	if m.Hint == "" {
		m.Allowed = keyList(fields)
	}
	c.found = append(c.found, m)
}

// allowed says in a few words what a field may hold.
func (f *field) allowed() string {
	switch {
	case f.enum != nil:
		return strings.Join(f.enum, " | ")
	case f.limits.text != "":
		return f.limits.text
	}
	return ""
}

// article names the kind of value for "must be ...".
func (f *field) article() string {
	t := f.typ
	for t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice || t.Kind() == reflect.Array {
		t = t.Elem()
	}
	switch {
	case f.enum != nil:
		return "a word"
	case t.Kind() == reflect.String:
		return "text"
	case t.Kind() == reflect.Bool:
		return "true or false"
	case t.Kind() == reflect.Int:
		return "a whole number"
	}
	return "a number"
}

// keyWords are the keys of a mapping, in the order of the schema.
func keyWords(fields []field) []string {
	keys := make([]string, len(fields))
	for i := range fields {
		keys[i] = fields[i].key
	}
	return keys
}

func keyList(fields []field) string { return strings.Join(keyWords(fields), ", ") }
