package app

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"sinew/pkg/sim/hil/fit"
	"sinew/pkg/sim/robotfile"
)

// resolve turns the texts of --free into parameters of a robot.
func resolve(texts []string, numbers []robotfile.Number, lengthM float64) ([]free, error) {
	n := fileNumbers(numbers)
	var frees []free
	chosen := map[string][]request{} // by group
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
		if rs := chosen[g.name]; rs != nil {
			f, err := g.choose(rs, n, lengthM)
			if err != nil {
				return nil, err
			}
			frees = append(frees, f)
		}
	}
	return frees, refuseTwice(frees)
}

// refuseTwice refuses parameters that decide about the same number.
func refuseTwice(frees []free) error {
	type claim struct{ path, by string }
	var claims []claim
	for _, f := range frees {
		x := make([]float64, len(f.parameters))
		for i, p := range f.parameters {
			x[i] = (p.Min + p.Max) / 2
		}
		before := len(claims)
		for _, a := range f.assign(x) {
			mine := claim{a.path, f.parameters[0].Name}
			for _, c := range claims[:before] {
				if mine.path == c.path || strings.HasPrefix(mine.path, c.path+"[") || strings.HasPrefix(c.path, mine.path+"[") {
					return fmt.Errorf("--free %s and --free %s both decide about %s", c.by, mine.by, mine.path)
				}
			}
			claims = append(claims, mine)
		}
	}
	return nil
}

// groupOf is the group that a name or one of its members belongs to, or empty.
func groupOf(name string) string {
	first, _, _ := strings.Cut(dotted(name), ".")
	for i := range groups {
		if groups[i].name == first {
			return first
		}
	}
	return ""
}

// choose frees the members of a group that are asked for; the others stay.
func (g *group) choose(rs []request, n fileNumbers, lengthM float64) (free, error) {
	members, assign, reason := g.make(n, lengthM)
	if members == nil {
		return free{}, fmt.Errorf("--free %s: %s", g.name, reason)
	}
	all := make([]float64, len(members))
	for i := range members {
		all[i] = members[i].Start
	}
	var f free
	var index []int
	for _, r := range rs {
		found := false
		for i := range members {
			p := members[i]
			if p.Name != dotted(r.name) && (r.name != g.name || r.bounded && len(members) > 1) || slices.Contains(index, i) {
				continue
			}
			if err := r.apply(&p); err != nil {
				return free{}, err
			}
			found, index, f.parameters = true, append(index, i), append(f.parameters, p)
		}
		if !found {
			return free{}, fmt.Errorf("--free %s: no such parameter, one that is freed already, or bounds for several at once; %s has %s", r.name, g.name, strings.Join(parameterNames(members), ", "))
		}
	}
	f.assign = func(x []float64) []assignment {
		y := slices.Clone(all)
		for k, i := range index {
			y[i] = x[k]
		}
		return assign(y)
	}
	return f, nil
}

func parameterNames(p []fit.Parameter) (names []string) {
	for i := range p {
		names = append(names, p[i].Name)
	}
	return names
}

// resolve finds the numbers of a name that is no group: a parameter for each
// component of a vector, common to the items of a list.
func (n fileNumbers) resolve(r request) ([]free, error) {
	found, err := n.find(r.name)
	if err != nil {
		return nil, err
	}
	if found == nil {
		return nil, fmt.Errorf("--free %s: no such number in the robot file; %s", r.name, n.nearest(r.name))
	}
	var frees []free
	for len(found) > 0 {
		key := found[0].Key
		other := func(m robotfile.Number) bool { return m.Key != key }
		f, err := common(r.name, slices.DeleteFunc(slices.Clone(found), other))
		if err != nil {
			return nil, err
		}
		if err := r.apply(&f.parameters[0]); err != nil {
			return nil, err
		}
		frees = append(frees, f)
		found = slices.DeleteFunc(found, func(m robotfile.Number) bool { return !other(m) })
	}
	return frees, nil
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
		add(groups[i].name, groups[i].name)
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
