package identify

import (
	"fmt"
	"slices"
	"strings"

	"sinew/pkg/sim/hil/fit"
	"sinew/pkg/sim/robotfile"
)

// Resolve finds the parameters that are asked for as in RequestForm in a
// robot file, where NAME is a number's key, its path or the end of that, or a group.
// lengthM is the robot's length, m. Errors begin with the name, and are a
// *ConflictError where two decide about one number and else a *RequestError.
func Resolve(texts []string, numbers []robotfile.Number, lengthM float64) ([]Free, error) {
	n := fileNumbers(numbers)
	var frees []Free
	chosen := map[string][]request{} // requests by group
	for i, text := range texts {
		r, err := parseRequest(text)
		if err != nil {
			return nil, &RequestError{i, err}
		}
		r.index = i
		if g := groupOf(r.name); g != "" {
			chosen[g] = append(chosen[g], r)
			continue
		}
		made, err := n.resolve(r)
		if err != nil {
			return nil, &RequestError{i, err}
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

// RequestError is what is wrong with one of the texts that ask for free numbers.
type RequestError struct {
	Index int // of the text
	Err   error
}

// Error implements error.
func (e *RequestError) Error() string { return e.Err.Error() }

// Unwrap returns the error without its index.
func (e *RequestError) Unwrap() error { return e.Err }

func parameterNames(p []fit.Parameter) (names []string) {
	for i := range p {
		names = append(names, p[i].Name)
	}
	return names
}

// resolve finds the numbers of a name that is no group: a parameter for each
// component of a vector, common to the items of a list unless * stands for them.
func (n fileNumbers) resolve(r request) ([]Free, error) {
	if strings.Contains(r.name, "*") {
		return n.each(r)
	}
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
		same := slices.DeleteFunc(slices.Clone(found), other)
		f, err := common(r.name, n.inherited(same))
		if err != nil {
			return nil, err
		}
		if len(same) == 1 {
			f.Parameters[0].Name = same[0].Named
		}
		if err := r.within(&found[0]); err != nil {
			return nil, err
		}
		if err := r.apply(&f.Parameters[0]); err != nil {
			return nil, err
		}
		f.within(&found[0])
		frees = append(frees, f)
		found = slices.DeleteFunc(found, func(m robotfile.Number) bool { return !other(m) })
	}
	return frees, nil
}

// each makes a parameter of every number that a name with * means.
func (n fileNumbers) each(r request) (frees []Free, err error) {
	for i := range n {
		if !means(r.name, dotted(n[i].Named)) && !means(r.name, dotted(n[i].Path)) {
			continue
		}
		one := r
		one.name = n[i].Path
		f, err := n.resolve(one)
		if err != nil {
			return nil, err
		}
		frees = append(frees, f...)
	}
	if frees == nil {
		return nil, fmt.Errorf("%s: no such number in the robot file, * standing for one part between dots; %s", r.name, n.nearest(r.name))
	}
	return frees, nil
}

// inherited adds to numbers of the environment or of the rod those of the shapes or of the
// sections that have them by then, unless they have their own: in lists the one at the same place.
func (n fileNumbers) inherited(same []robotfile.Number) []robotfile.Number {
	all := slices.Clone(same)
	for _, m := range n {
		ancestor := ancestorOf(m.Path)
		if slices.ContainsFunc(same, func(one robotfile.Number) bool { return one.Path == ancestor && one.Value == m.Value }) {
			all = append(all, m)
		}
	}
	return all
}

// ancestorOf is the path of the number that the one at a path of a section or shape has unless it is
// given; empty if there is none.
func ancestorOf(path string) string {
	if rest, ok := strings.CutPrefix(path, "rod.sections["); ok {
		return "rod" + rest[strings.Index(rest, "]")+1:]
	}
	if strings.HasPrefix(path, "environment.shapes[") && lastPart(path) == "friction_coefficient" {
		return "environment.friction_coefficient"
	}
	return ""
}
