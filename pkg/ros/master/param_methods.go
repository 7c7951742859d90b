package master

import (
	"strings"
)

func (m *Master) setParam(caller string, a []any) reply {
	key, v := a[0].(string), a[1]
	if err := m.params.set(key, v); err != nil {
		return refused(0, "ERROR: %v", err)
	}
	m.notifyParam(caller, key)
	return done(0, "parameter %s set", key)
}

func (m *Master) getParam(_ string, a []any) reply {
	v, set := m.params.get(a[0].(string))
	if !set {
		return refused(0, "Parameter [%s] is not set", a[0])
	}
	return done(v, "Parameter [%s]", a[0])
}

func (m *Master) hasParam(_ string, a []any) reply {
	_, set := m.params.get(a[0].(string))
	return done(set, "%s", a[0])
}

func (m *Master) deleteParam(_ string, a []any) reply {
	key := a[0].(string)
	if !m.params.remove(key) {
		return refused(0, "parameter [%s] is not set", key)
	}
	m.notifyParam("", key)
	return done(0, "parameter %s deleted", key)
}

func (m *Master) searchParam(caller string, a []any) reply {
	key := a[0].(string)
	if err := checkName(key); err != nil || key[0] == '~' || len(segments(key)) == 0 {
		return refused("", "ERROR: %q is no key to search", key)
	}
	found, ok := key, false
	if key[0] == '/' {
		_, ok = m.params.get(key)
	} else {
		found, ok = m.params.search(caller, key)
	}
	if !ok {
		return refused("", "Cannot find parameter [%s] in an upwards search", key)
	}
	return done(found, "Found [%s]", found)
}

func (m *Master) getParamNames(string, []any) reply {
	return done(m.params.names(), "Parameter names")
}

func (m *Master) subscribeParam(caller string, a []any) reply {
	uri, key := a[0].(string), a[1].(string)
	if err := m.enter(caller, uri); err != nil {
		return refused(map[string]any{}, "ERROR: %v", err)
	}
	m.graph.watch(key, caller, uri)
	return done(m.paramOrEmpty(key), "Subscribed to parameter [%s]", key)
}

func (m *Master) unsubscribeParam(caller string, a []any) reply {
	uri, key := a[0].(string), a[1].(string)
	if m.graph.at(caller, uri) && m.graph.unwatch(key, caller) {
		return done(1, "Unsubscribed from parameter [%s]", key)
	}
	return notRegistered(caller, key)
}

// paramOrEmpty returns a parameter, or the empty dictionary that represents an unset one in
// subscriptions.
func (m *Master) paramOrEmpty(key string) any {
	if v, set := m.params.get(key); set {
		return v
	}
	return map[string]any{}
}

// notifyParam sends the parameters that changed with key to the subscribers of those parameters, of
// a namespace around them, or of a parameter below; not to the node that made the change.
func (m *Master) notifyParam(author, key string) {
	for watched, nodes := range m.graph.watchers {
		changed := key
		switch {
		case under(key, watched):
		case under(watched, key):
			changed = watched
		default:
			continue
		}
		slashed := strings.TrimSuffix(changed, "/") + "/" // as rosmaster sends keys
		v := m.paramOrEmpty(changed)
		for i, uri := range m.graph.uris(nodes) {
			if nodes[i] != author {
				m.notifier.post(uri, notice{"paramUpdate", changed, []any{"/master", slashed, v}})
			}
		}
	}
}
