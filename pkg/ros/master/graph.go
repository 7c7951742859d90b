package master

import (
	"errors"
	"fmt"
	"slices"
)

// graph holds nodes, publications, subscriptions and services. It only stores them; the master
// notifies the slaves. Lists of nodes are in the order of registration.
type graph struct {
	nodes    map[string]*node
	topics   map[string]*topic
	services map[string]service
	watchers map[string][]string // nodes by the parameter key they subscribed to
	total    int                 // registrations
}

type node struct {
	uri  string // URI of the slave API
	uses int    // registrations; a node without any is removed
}

type topic struct {
	kind                    string // type of its messages; "*" or "" while unknown
	publishers, subscribers []string
}

type service struct {
	node string
	uri  string // rosrpc://...
}

// anyType is the type of a subscriber that takes any, such as rostopic.
const anyType = "*"

var errFull = fmt.Errorf("the master holds %d registrations or %d nodes and takes no more", maxRegistrations, maxNodes)

func newGraph() graph {
	return graph{
		nodes:    map[string]*node{},
		topics:   map[string]*topic{},
		services: map[string]service{},
		watchers: map[string][]string{},
	}
}

// admit returns an error if caller at uri may not register anything more.
func (g *graph) admit(caller, uri string) error {
	n, known := g.nodes[caller]
	if known && n.uri != uri {
		return errors.New("the node's earlier registrations must be removed first")
	}
	if g.total >= maxRegistrations || (!known && len(g.nodes) >= maxNodes) {
		return errFull
	}
	return nil
}

// use adds one registration of a node.
func (g *graph) use(caller, uri string) {
	if g.nodes[caller] == nil {
		g.nodes[caller] = &node{uri: uri}
	}
	g.nodes[caller].uses++
	g.total++
}

// unuse removes one registration of a node.
func (g *graph) unuse(caller string) {
	g.total--
	if n := g.nodes[caller]; n.uses > 1 {
		n.uses--
	} else {
		delete(g.nodes, caller)
	}
}

// add adds caller to a list of nodes unless it is there.
func (g *graph) add(list *[]string, caller, uri string) {
	if !slices.Contains(*list, caller) {
		*list = append(*list, caller)
		g.use(caller, uri)
	}
}

// drop removes caller from a list and reports whether it was there.
func (g *graph) drop(list *[]string, caller string) bool {
	i := slices.Index(*list, caller)
	if i < 0 {
		return false
	}
	*list = slices.Delete(*list, i, i+1)
	g.unuse(caller)
	return true
}

// at reports whether caller is registered with uri.
func (g *graph) at(caller, uri string) bool {
	n := g.nodes[caller]
	return n != nil && n.uri == uri
}

// uris returns the URIs of the slave APIs of nodes.
func (g *graph) uris(nodes []string) []string {
	uris := make([]string, len(nodes))
	for i, name := range nodes {
		uris[i] = g.nodes[name].uri
	}
	return uris
}

// topic returns a topic, which it makes if necessary.
func (g *graph) topic(name string) *topic {
	t := g.topics[name]
	if t == nil {
		t = &topic{}
		g.topics[name] = t
	}
	return t
}

func (g *graph) publish(name, kind, caller, uri string) *topic {
	t := g.topic(name)
	if kind != anyType || t.kind == "" {
		t.kind = kind // the type of a publisher takes precedence
	}
	g.add(&t.publishers, caller, uri)
	return t
}

func (g *graph) subscribe(name, kind, caller, uri string) *topic {
	t := g.topic(name)
	if kind != anyType && (t.kind == "" || t.kind == anyType) {
		t.kind = kind
	}
	g.add(&t.subscribers, caller, uri)
	return t
}

// unpublish removes a publication and reports whether caller published the topic. The returned
// topic lists the remaining publishers.
func (g *graph) unpublish(name, caller string) (*topic, bool) {
	t := g.topics[name]
	if t == nil || !g.drop(&t.publishers, caller) {
		return nil, false
	}
	g.sweep(name)
	return t, true
}

func (g *graph) unsubscribe(name, caller string) bool {
	t := g.topics[name]
	if t == nil || !g.drop(&t.subscribers, caller) {
		return false
	}
	g.sweep(name)
	return true
}

// sweep removes a topic without publishers and subscribers.
func (g *graph) sweep(name string) {
	if t := g.topics[name]; len(t.publishers)+len(t.subscribers) == 0 {
		delete(g.topics, name)
	}
}

// serve makes caller the one provider of a service.
func (g *graph) serve(name, uri, caller, slave string) {
	if old, taken := g.services[name]; taken {
		g.unuse(old.node)
	}
	g.services[name] = service{node: caller, uri: uri}
	g.use(caller, slave)
}

func (g *graph) unserve(name, uri, caller string) bool {
	if g.services[name] != (service{node: caller, uri: uri}) {
		return false
	}
	delete(g.services, name)
	g.unuse(caller)
	return true
}

func (g *graph) watch(key, caller, uri string) {
	list := g.watchers[key]
	g.add(&list, caller, uri)
	g.watchers[key] = list
}

func (g *graph) unwatch(key, caller string) bool {
	list := g.watchers[key]
	found := g.drop(&list, caller)
	if g.watchers[key] = list; len(list) == 0 {
		delete(g.watchers, key)
	}
	return found
}

// evict removes all registrations of a node and returns the topics that have lost it as a
// publisher, with the remaining ones.
func (g *graph) evict(caller string) map[string]*topic {
	lost := map[string]*topic{}
	for name := range g.topics {
		g.unsubscribe(name, caller)
	}
	for name := range g.topics {
		if t, published := g.unpublish(name, caller); published {
			lost[name] = t
		}
	}
	for name, s := range g.services {
		if s.node == caller {
			g.unserve(name, s.uri, caller)
		}
	}
	for key := range g.watchers {
		g.unwatch(key, caller)
	}
	return lost
}
