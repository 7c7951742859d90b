package ros1

import (
	"context"
	"slices"
	"sync"
	"time"

	"go.uber.org/zap"

	"sinew/pkg/ros/masterclient"
)

// sources are the publishers of the topics that this node subscribes to.
type sources struct {
	node string
	set  func(topic string, uris, before []string) // of subscription, by topic
	log  *zap.Logger

	mu     sync.Mutex
	topics map[string]*source
}

// source holds the publishers of one topic, by URI of their slave API.
type source struct {
	version int      // counts the updates from the master
	asked   bool     // the master has answered the registration
	listed  []string // by the master
	// kept are publishers that a restarted master does not list, but that still publish: most ROS
	// nodes never register again, and a working actuator must not be disconnected because the
	// master was restarted.
	kept []string
	// silent counts how often in a row a kept publisher has not answered in time.
	silent map[string]int
}

// mostSilent is how often in a row a kept publisher may fail to answer in time: one on a busy
// computer is sometimes slow, one whose computer has gone never answers.
const mostSilent = 10

func newSources(node string, set func(topic string, uris, before []string), log *zap.Logger) *sources {
	return &sources{node: node, set: set, log: log, topics: map[string]*source{}}
}

// version returns a number that changes with each update.
func (s *sources) version(topic string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.at(topic).version
}

func (s *sources) at(topic string) *source {
	x := s.topics[topic]
	if x == nil {
		x = &source{silent: map[string]int{}}
		s.topics[topic] = x
	}
	return x
}

// update receives the list of publishers that the master sends when it changes. A list that
// overtakes the answer to the registration is stored until then, because the answer has the earlier
// publishers.
func (s *sources) update(topic string, uris []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	x := s.at(topic)
	x.version++
	x.listed = s.valid(topic, uris)
	s.apply(topic, x, nil)
}

// registered receives the list in the answer to the registration of the topic. It is out of date if
// the master has sent another since version. Publishers of an earlier registration are kept.
func (s *sources) registered(topic string, uris []string, version int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	x := s.at(topic)
	x.asked = true
	x.kept = slices.Concat(x.kept, x.listed)
	if x.version == version {
		x.version++
		x.listed = s.valid(topic, uris)
	}
	s.apply(topic, x, uris)
}

// checkKept disconnects kept publishers that publish no longer.
func (s *sources) checkKept(ctx context.Context) {
	type pair struct{ topic, uri string }
	s.mu.Lock()
	var kept []pair
	for topic, x := range s.topics {
		for _, uri := range x.kept {
			kept = append(kept, pair{topic, uri})
		}
	}
	s.mu.Unlock()

	answers := make([]keptAnswer, len(kept))
	var all sync.WaitGroup
	for i, k := range kept {
		all.Go(func() { answers[i] = s.askKept(ctx, k.uri, k.topic) })
	}
	all.Wait()
	s.mu.Lock()
	defer s.mu.Unlock()
	if ctx.Err() != nil {
		return
	}
	for i, k := range kept {
		x := s.topics[k.topic]
		if answers[i] == stillPublishes {
			delete(x.silent, k.uri)
			continue
		}
		if x.silent[k.uri]++; answers[i] == noAnswer && x.silent[k.uri] < mostSilent {
			continue
		}
		delete(x.silent, k.uri)
		x.kept = slices.DeleteFunc(x.kept, func(uri string) bool { return uri == k.uri })
		s.apply(k.topic, x, nil)
	}
}

// keptAnswer is the answer of a kept publisher.
type keptAnswer int

const (
	stillPublishes keptAnswer = iota
	noAnswer                  // in time
	publishesNot              // or its port is closed
)

// keptPatience is the time that a kept publisher has for its answer.
const keptPatience = 500 * time.Millisecond

// askKept requests from a node whether it publishes a topic.
func (s *sources) askKept(ctx context.Context, uri, topic string) keptAnswer {
	ctx, cancel := context.WithTimeout(ctx, keptPatience)
	defer cancel()
	switch _, err := masterclient.Call(ctx, uri, "requestTopic", s.node, topic, []any{[]any{"TCPROS"}}); {
	case err == nil:
		return stillPublishes
	case ctx.Err() != nil:
		return noAnswer
	}
	return publishesNot
}

// apply connects to new publishers and disconnects from others.
func (s *sources) apply(topic string, x *source, before []string) {
	x.kept = slices.DeleteFunc(x.kept, func(uri string) bool { return slices.Contains(x.listed, uri) })
	if x.asked {
		s.set(topic, slices.Concat(x.listed, x.kept), before)
	}
}

// valid returns the URIs that may be called.
func (s *sources) valid(topic string, uris []string) []string {
	var out []string
	for _, uri := range uris {
		_, _, err := masterclient.CheckURI(uri, "http")
		switch {
		case err != nil:
			s.log.Warn("publisher ignored: invalid URI; allowed: http://HOST:PORT", zap.String("topic", topic), zap.String("uri", uri))
		case len(out) == maxPublishers:
			s.log.Warn("some publishers ignored: more than the limit", zap.String("topic", topic), zap.Int("taken", maxPublishers))
			return out
		case !slices.Contains(out, uri):
			out = append(out, uri)
		}
	}
	return out
}

// all returns the publishers to connect to, by topic.
func (s *sources) all() map[string][]string {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := make(map[string][]string, len(s.topics))
	for topic, x := range s.topics {
		out[topic] = slices.Concat(x.listed, x.kept)
	}
	return out
}
