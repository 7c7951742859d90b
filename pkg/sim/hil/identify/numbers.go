package identify

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"sinew/pkg/sim/robotfile"
)

// fileNumbers are the numbers of a robot file, to be found by name.
type fileNumbers []robotfile.Number

// Find returns the numbers of a robot file that a name means: a key, its path or the end of
// that, with or without its unit. They have one key, which may stand in several items of a
// list and may be a vector; none is no error.
func Find(numbers []robotfile.Number, name string) ([]robotfile.Number, error) {
	return fileNumbers(numbers).find(name)
}

// Nearest says for people which numbers may have been meant by a name.
func Nearest(numbers []robotfile.Number, name string) string {
	return fileNumbers(numbers).nearest(name)
}

// MissingItem is the error of a path through an item that a list of the robot file does not have.
func MissingItem(numbers []robotfile.Number, path string) error {
	n, parts := fileNumbers(numbers), strings.Split(dotted(path), ".")
	for i := 1; i < len(parts); i++ {
		list, item := strings.Join(parts[:i], "."), parts[i]
		names := n.itemNames(list)
		for k, name := range names {
			if name == item || strconv.Itoa(k) == item {
				names = nil
				break
			}
		}
		if names != nil {
			return fmt.Errorf("%s: no such item %s: %s has %s", path, item, list, strings.Join(names, ", "))
		}
	}
	return nil
}

// at returns the number with a path.
func (n fileNumbers) at(path string) (float64, bool) {
	i := slices.IndexFunc(n, func(m robotfile.Number) bool { return m.Path == path })
	if i < 0 {
		return 0, false
	}
	return n[i].Value, true
}

// vector returns the components of a list of numbers, nil if there is none.
func (n fileNumbers) vector(path string) (v []float64) {
	for {
		x, ok := n.at(fmt.Sprintf("%s[%d]", path, len(v)))
		if !ok {
			return v
		}
		v = append(v, x)
	}
}

// dotted writes a path with dots only: a[0].b, a/0/b and a.0.b are the same.
func dotted(path string) string {
	return strings.NewReplacer("[", ".", "]", "", "/", ".").Replace(strings.Trim(path, "/~ "))
}

// find returns the numbers that a name means. They have one key, which may stand in
// several items of a list and may be a vector. A key may be given with its path
// or the end of that, with or without its unit.
func (n fileNumbers) find(name string) ([]robotfile.Number, error) {
	want := dotted(name)
	for _, match := range []func(*robotfile.Number) bool{
		func(m *robotfile.Number) bool { return under(dotted(m.Path), want) || under(dotted(m.Named), want) },
		func(m *robotfile.Number) bool { return ends(dotted(m.Key), want) },
		func(m *robotfile.Number) bool { return ends(withoutIndex(m.Key), want) },
		func(m *robotfile.Number) bool { return ends(withoutUnit(m), want) },
		func(m *robotfile.Number) bool { return endsIn(m.Path, want) || endsIn(m.Named, want) },
	} {
		var found []robotfile.Number
		for i := range n {
			if match(&n[i]) {
				found = append(found, n[i])
			}
		}
		if len(found) > 0 {
			return found, oneKey(name, found)
		}
	}
	return nil, nil
}

// under reports whether path is want or a component of it.
func under(path, want string) bool {
	rest, ok := strings.CutPrefix(path, want)
	if !ok {
		return false
	}
	_, err := strconv.Atoi(strings.TrimPrefix(rest, "."))
	return rest == "" || rest[0] == '.' && err == nil
}

// ends reports whether path ends in want, at the beginning of a part.
func ends(path, want string) bool {
	before, ok := strings.CutSuffix(path, want)
	return ok && (before == "" || strings.HasSuffix(before, "."))
}

// endsIn reports whether a path, or that of the vector whose component it is, ends in want.
func endsIn(path, want string) bool {
	if ends(dotted(path), want) {
		return true
	}
	i := strings.LastIndexByte(path, '[')
	return i > 0 && strings.HasSuffix(path, "]") && ends(dotted(path[:i]), want)
}

// withoutIndex drops the component of a vector.
func withoutIndex(key string) string {
	key, _, _ = strings.Cut(key, "[")
	return key
}

// withoutUnit drops the component and the unit from a key.
func withoutUnit(m *robotfile.Number) string {
	unit := strings.NewReplacer("/", "_per_", " ", "_", "^", "").Replace(strings.ToLower(m.Unit))
	return strings.TrimSuffix(withoutIndex(m.Key), "_"+strings.TrimPrefix(unit, "1_"))
}

// oneKey refuses a name that means different things.
func oneKey(name string, found []robotfile.Number) error {
	var keys []string
	for _, m := range found {
		if k := withoutIndex(m.Key); !slices.Contains(keys, k) {
			keys = append(keys, k)
		}
	}
	if len(keys) > 1 {
		return fmt.Errorf("%s may be %s; write the path", name, strings.Join(keys, " or "))
	}
	return nil
}

// nearest names what may have been meant.
func (n fileNumbers) nearest(name string) string {
	const most = 5
	type candidate struct {
		name     string
		distance int
	}
	var list []candidate
	add := func(full, bare string) {
		d := min(distance(name, full), distance(name, lastPart(full)), distance(name, lastPart(bare)))
		if !slices.ContainsFunc(list, func(c candidate) bool { return c.name == full }) {
			list = append(list, candidate{full, d})
		}
	}
	for i := range groups {
		add(groups[i].Name, groups[i].Name)
	}
	for i := range n {
		add(withoutIndex(n[i].Key), withoutUnit(&n[i]))
	}
	slices.SortStableFunc(list, func(a, b candidate) int { return cmp.Compare(a.distance, b.distance) })
	var names []string
	for _, c := range list[:min(most, len(list))] {
		names = append(names, c.name)
	}
	return "nearest are " + strings.Join(names, ", ")
}

func lastPart(path string) string { return path[strings.LastIndexByte(path, '.')+1:] }

// distance is how far a word is from what was written; what one contains of the
// other is near.
func distance(written, word string) int {
	if strings.Contains(word, written) || strings.Contains(written, word) {
		return 1
	}
	return robotfile.EditDistance(written, word)
}
