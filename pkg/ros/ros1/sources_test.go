package ros1

import (
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync/atomic"
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

// TestSlowPublisherIsKept checks that a publisher that a restarted master does not know is
// kept though it does not answer in time now and then, and is let go when it never does.
func TestSlowPublisherIsKept(t *testing.T) {
	t.Parallel()
	const topic = "/sim/tensions"
	var slow atomic.Bool
	p := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body) // then the server notices that the caller leaves
		if slow.Load() {
			<-r.Context().Done()
			return
		}
		_, _ = io.WriteString(w, `<?xml version="1.0"?><methodResponse><params><param><value><array><data><value><i4>1</i4></value>`+
			`<value>ready</value><value><array><data></data></array></value></data></array></value></param></params></methodResponse>`)
	}))
	defer p.Close()
	s := newSources("/sim", func(string, []string, []string) {}, zap.NewNop())
	s.registered(topic, []string{p.URL + "/"}, s.version(topic))
	s.registered(topic, nil, s.version(topic)) // by a master that does not know it
	look := func(n int, want int) {
		t.Helper()
		for range n {
			s.checkKept(t.Context())
		}
		if got := len(s.all()[topic]); got != want {
			t.Fatalf("%d publishers after %d looks, want %d", got, n, want)
		}
	}
	slow.Store(true)
	look(mostSilent-1, 1)
	slow.Store(false)
	for s.topics[topic].silent[p.URL+"/"] > 0 { // an answer may be late on a busy machine
		look(1, 1)
	}
	slow.Store(true)
	look(mostSilent-1, 1)
	look(1, 0)
}
