package identify

import (
	"fmt"
	"slices"
	"strings"

	"sinew/pkg/sim/hil/fit"
	"sinew/pkg/sim/robotfile"
)

// Resolve finds the parameters that are asked for by NAME[=MIN:MAX][:log|:lin] in a
// robot file, where NAME is a number's key, its path or the end of that, or a group.
// lengthM is the robot's length, m. Errors begin with the name, and are a
// *ConflictError where two decide about one number.
func Resolve(texts []string, numbers []robotfile.Number, lengthM float64) ([]Free, error) {
	n := fileNumbers(numbers)
	var frees []Free
	chosen := map[string][]request{} // requests by group
	for _, text := range texts {
		r, err := parseRequest(text)
		if err != nil {
			return nil, err
		}
		if g := groupOf(r.name); g != "" {
			chosen[g] = append(chosen[g], r)
			continue
		}
		made, err := n.resolve(r)
		if err != nil {
			return nil, err
		}
		frees = append(frees, made...)
	}
	for i := range groups {
		g := &groups[i]
		if rs := chosen[g.Name]; rs != nil {
			f, err := g.choose(rs, n, lengthM)
			if err != nil {
				return nil, err
			}
			frees = append(frees, f)
		}
	}
	return frees, refuseTwice(frees)
}

// ConflictError is the error of two parameters that decide about one number.
type ConflictError struct{ First, Second, Path string }

// Error implements error.
func (e *ConflictError) Error() string {
	return fmt.Sprintf("%s and %s both decide about %s", e.First, e.Second, e.Path)
}

// refuseTwice refuses parameters that decide about the same number.
func refuseTwice(frees []Free) error {
	type claim struct{ path, by string }
	var claims []claim
	for _, f := range frees {
		x := make([]float64, len(f.Parameters))
		for i, p := range f.Parameters {
			x[i] = (p.Min + p.Max) / 2
		}
		before := len(claims)
		for _, a := range f.assign(x) {
			mine := claim{a.path, f.Parameters[0].Name}
			for _, c := range claims[:before] {
				if mine.path == c.path || strings.HasPrefix(mine.path, c.path+"[") || strings.HasPrefix(c.path, mine.path+"[") {
					return &ConflictError{c.by, mine.by, mine.path}
				}
			}
			claims = append(claims, mine)
		}
	}
	return nil
}

func parameterNames(p []fit.Parameter) (names []string) {
	for i := range p {
		names = append(names, p[i].Name)
	}
	return names
}

// resolve finds the numbers of a name that is no group: a parameter for each
// component of a vector, common to the items of a list.
func (n fileNumbers) resolve(r request) ([]Free, error) {
	found, err := n.find(r.name)
	if err != nil {
		return nil, err
	}
	if found == nil {
		return nil, fmt.Errorf("%s: no such number in the robot file; %s", r.name, n.nearest(r.name))
	}
	var frees []Free
	for len(found) > 0 {
		key := found[0].Key
		other := func(m robotfile.Number) bool { return m.Key != key }
		f, err := common(r.name, slices.DeleteFunc(slices.Clone(found), other))
		if err != nil {
			return nil, err
		}
		if err := r.apply(&f.Parameters[0]); err != nil {
			return nil, err
		}
		frees = append(frees, f)
		found = slices.DeleteFunc(found, func(m robotfile.Number) bool { return !other(m) })
	}
	return frees, nil
}
