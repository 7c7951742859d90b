package master

import (
	"maps"
	"os"
	"slices"
	"strings"

	"go.uber.org/zap"
)

// enter prepares a registration by caller at uri: a node with this name at another address is
// evicted and shut down.
func (m *Master) enter(caller, uri string) error {
	if old := m.graph.nodes[caller]; old != nil && old.uri != uri {
		m.log.Info("node replaced by one of the same name", zap.String("node", caller),
			zap.String("old", old.uri), zap.String("new", uri))
		for name, t := range m.graph.evict(caller) {
			m.announce(name, t)
		}
		m.notifier.post(old.uri, notice{"shutdown", "", []any{
			"/master", "[" + caller + "] Reason: new node registered with same name"}})
	}
	return m.graph.admit(caller, uri)
}

// announce notifies a topic's subscribers of the present publishers.
func (m *Master) announce(name string, t *topic) {
	publishers := m.graph.uris(t.publishers)
	for _, uri := range m.graph.uris(t.subscribers) {
		m.notifier.post(uri, notice{"publisherUpdate", name, []any{"/master", name, publishers}})
	}
}

func (m *Master) registerPublisher(caller string, a []any) reply {
	name, kind, uri := a[0].(string), a[1].(string), a[2].(string)
	if err := m.enter(caller, uri); err != nil {
		return refused(0, "ERROR: %v", err)
	}
	t := m.graph.publish(name, kind, caller, uri)
	m.announce(name, t)
	return done(m.graph.uris(t.subscribers), "Registered [%s] as publisher of [%s]", caller, name)
}

func (m *Master) unregisterPublisher(caller string, a []any) reply {
	name, uri := a[0].(string), a[1].(string)
	if m.graph.at(caller, uri) {
		if t, published := m.graph.unpublish(name, caller); published {
			m.announce(name, t)
			return done(1, "Unregistered [%s] as publisher of [%s]", caller, name)
		}
	}
	return notRegistered(caller, name)
}

func (m *Master) registerSubscriber(caller string, a []any) reply {
	name, kind, uri := a[0].(string), a[1].(string), a[2].(string)
	if err := m.enter(caller, uri); err != nil {
		return refused(0, "ERROR: %v", err)
	}
	t := m.graph.subscribe(name, kind, caller, uri)
	return done(m.graph.uris(t.publishers), "Subscribed to [%s]", name)
}

func (m *Master) unregisterSubscriber(caller string, a []any) reply {
	name, uri := a[0].(string), a[1].(string)
	if m.graph.at(caller, uri) && m.graph.unsubscribe(name, caller) {
		return done(1, "Unregistered [%s] as subscriber of [%s]", caller, name)
	}
	return notRegistered(caller, name)
}

func (m *Master) registerService(caller string, a []any) reply {
	name, uri, slave := a[0].(string), a[1].(string), a[2].(string)
	if err := m.enter(caller, slave); err != nil {
		return refused(0, "ERROR: %v", err)
	}
	m.graph.serve(name, uri, caller, slave)
	return done(1, "Registered [%s] as provider of [%s]", caller, name)
}

func (m *Master) unregisterService(caller string, a []any) reply {
	name, uri := a[0].(string), a[1].(string)
	if m.graph.unserve(name, uri, caller) {
		return done(1, "Unregistered [%s] as provider of [%s]", caller, name)
	}
	return notRegistered(caller, name)
}

// notRegistered returns a success that removed nothing.
func notRegistered(caller, name string) reply {
	return done(0, "[%s] is not registered for [%s]", caller, name)
}

func (m *Master) lookupService(_ string, a []any) reply {
	if s, known := m.graph.services[a[0].(string)]; known {
		return done(s.uri, "rosrpc URI: [%s]", s.uri)
	}
	return refused("", "no provider of [%s]", a[0])
}

func (m *Master) lookupNode(_ string, a []any) reply {
	if n := m.graph.nodes[a[0].(string)]; n != nil {
		return done(n.uri, "node api")
	}
	return refused("", "unknown node [%s]", a[0])
}

func (m *Master) getPublishedTopics(caller string, a []any) reply {
	namespace := "/"
	if a[0] != "" {
		var err error
		if namespace, err = resolve(a[0].(string), caller); err != nil {
			return refused([]any{}, "ERROR: %v", err)
		}
	}
	pairs := [][]string{}
	for _, name := range slices.Sorted(maps.Keys(m.graph.topics)) {
		if t := m.graph.topics[name]; len(t.publishers) > 0 && strings.HasPrefix(name, strings.TrimSuffix(namespace, "/")+"/") {
			pairs = append(pairs, []string{name, t.kind})
		}
	}
	return done(pairs, "current topics")
}

func (m *Master) getTopicTypes(string, []any) reply {
	pairs := [][]string{}
	for _, name := range slices.Sorted(maps.Keys(m.graph.topics)) {
		if kind := m.graph.topics[name].kind; kind != "" {
			pairs = append(pairs, []string{name, kind})
		}
	}
	return done(pairs, "current system state")
}

func (m *Master) getSystemState(string, []any) reply {
	publishers, subscribers, services := []any{}, []any{}, []any{}
	for _, name := range slices.Sorted(maps.Keys(m.graph.topics)) {
		t := m.graph.topics[name]
		publishers = appendUsers(publishers, name, t.publishers)
		subscribers = appendUsers(subscribers, name, t.subscribers)
	}
	for _, name := range slices.Sorted(maps.Keys(m.graph.services)) {
		services = appendUsers(services, name, []string{m.graph.services[name].node})
	}
	return done([]any{publishers, subscribers, services}, "current system state")
}

// appendUsers appends [name, [node, ...]]. The nodes are copied, for the reply is
// encoded after the lock is released.
func appendUsers(rows []any, name string, nodes []string) []any {
	if len(nodes) == 0 {
		return rows
	}
	return append(rows, []any{name, slices.Clone(nodes)})
}

func (m *Master) getURI(string, []any) reply { return done(m.uri, "") }

func (m *Master) getPID(string, []any) reply { return done(os.Getpid(), "") }

// shutdown requests the end of the program. The reply is sent before that.
func (m *Master) shutdown(caller string, a []any) reply {
	if m.options.Shutdown == nil {
		return refused(0, "this master ends with its program")
	}
	if !m.ending {
		m.ending = true
		m.log.Info("asked to shut down", zap.String("caller", caller), zap.Any("reason", a[0]))
		go m.options.Shutdown(a[0].(string))
	}
	return done(0, "shutdown")
}
