package ros1

import (
	"slices"
	"testing"

	"go.uber.org/zap"
)

// TestOvertakenAnswer checks that a list of publishers that the master sends while it
// registers a topic counts for more than its answer, which is older, whereas a list
// from before the registration counts for less.
func TestOvertakenAnswer(t *testing.T) {
	const topic, old, young = "/sim/tensions", "http://127.0.0.1:1/", "http://127.0.0.1:2/"
	var told, before []string
	calls := 0
	s := newSources("/sim", func(_ string, uris, first []string) { told, before, calls = uris, first, calls+1 }, zap.NewNop())
	check := func(when string, n int, want, wantBefore []string) {
		t.Helper()
		if calls != n || !slices.Equal(told, want) || !slices.Equal(before, wantBefore) {
			t.Errorf("%s: told %d times, lastly of %v with %v before; want %d, %v, %v", when, calls, told, before, n, want, wantBefore)
		}
	}

	asked := s.version(topic)
	s.update(topic, []string{young})
	check("before the answer", 0, nil, nil)
	s.registered(topic, []string{old}, asked)
	check("after an answer that was overtaken", 1, []string{young}, []string{old})

	s.update(topic, []string{old})
	check("after a further list", 2, []string{old}, nil)
	asked = s.version(topic)
	s.registered(topic, []string{young}, asked)
	check("after another registration", 3, []string{young, old}, []string{young}) // the old one is kept until it has ended
	s.registered(topic, []string{old}, asked)
	check("after an answer that another overtook", 4, []string{young, old}, []string{old})
}
