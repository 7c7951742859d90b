package main

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"regexp"
	"slices"
)

// sample draws mutations, none twice.
type sample struct {
	random *rand.Rand
	kinds  []kind
	left   map[kind][]mutation
}

func newSample(all []mutation, seed uint64) *sample {
	s := &sample{random: rand.New(rand.NewPCG(seed, 0)), left: map[kind][]mutation{}}
	for _, m := range all {
		s.left[m.kind] = append(s.left[m.kind], m)
	}
	s.kinds = slices.Sorted(maps.Keys(s.left))
	return s
}

// next draws a kind, then a mutation of that kind. It reports false if none is left.
func (s *sample) next() (mutation, bool) {
	if len(s.kinds) == 0 {
		return mutation{}, false
	}
	k := s.kinds[s.random.IntN(len(s.kinds))]
	list := s.left[k]
	i := s.random.IntN(len(list))
	m := list[i]
	s.left[k] = slices.Delete(list, i, i+1)
	if len(list) == 1 {
		s.kinds = slices.DeleteFunc(s.kinds, func(o kind) bool { return o == k })
	}
	return m, true
}

// matching returns the mutations whose names, which are rows with a space between the
// columns, have a match of a regular expression.
func matching(all []mutation, expression string) ([]mutation, error) {
	wanted, err := regexp.Compile(expression)
	if err != nil {
		return nil, fmt.Errorf("-only: %w", err)
	}
	var list []mutation
	for _, m := range all {
		if wanted.MatchString(m.name()) {
			list = append(list, m)
		}
	}
	return list, nil
}
