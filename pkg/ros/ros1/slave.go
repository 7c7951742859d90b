package ros1

import (
	"context"
	"fmt"
	"maps"
	"os"
	"slices"
	"sync/atomic"

	"sinew/pkg/ros/masterclient"
)

// slave answers the calls of the master and of other nodes.
type slave struct {
	master    string // URI
	host      *host
	tcpros    int // port
	server    *server
	registrar *registrar
	shutdown  func(reason string)
	// paramChanged is called when the master reports a change of a parameter; nil without a
	// watcher.
	paramChanged atomic.Pointer[func()]
}

// method is a method of the slave API: the number of its arguments, the caller's name included, and
// its implementation.
type method struct {
	args int
	do   func(s *slave, a []any) []any
}

// methods is the slave API, see https://wiki.ros.org/ROS/Slave_API.
var methods = map[string]method{
	"getPid":           {1, func(*slave, []any) []any { return success(os.Getpid()) }},
	"getMasterUri":     {1, func(s *slave, _ []any) []any { return success(s.master) }},
	"getPublications":  {1, func(s *slave, _ []any) []any { return success(list(s.registrar.names(publishes))) }},
	"getSubscriptions": {1, func(s *slave, _ []any) []any { return success(list(s.registrar.names(subscribes))) }},
	"getBusInfo":       {1, (*slave).busInfo},
	"getBusStats":      {1, (*slave).busStats},
	"requestTopic":     {3, (*slave).requestTopic},
	"publisherUpdate":  {3, (*slave).publisherUpdate},
	"paramUpdate":      {3, (*slave).paramUpdate},
	"shutdown":         {2, (*slave).end},
}

func success(value any) []any { return []any{masterclient.Success, "", value} }

func refuse(format string, args ...any) []any {
	return []any{masterclient.Refused, fmt.Sprintf(format, args...), 0}
}

// list returns pairs as a value that is an array even when it is empty.
func list(pairs [][]string) []any {
	out := []any{}
	for _, p := range pairs {
		out = append(out, p)
	}
	return out
}

func (s *slave) handle(_ context.Context, name string, args []any) (any, error) {
	m, ok := methods[name]
	if !ok {
		return nil, fmt.Errorf("method %q is not supported", name)
	}
	if name == "shutdown" && len(args) == 1 { // the reason may be missing
		args = append(args, "")
	}
	if len(args) != m.args {
		return refuse("%s takes %d arguments, not %d", name, m.args, len(args)), nil
	}
	if _, ok := args[0].(string); !ok {
		return refuse("%s: the caller's name is no string", name), nil
	}
	return m.do(s, args), nil
}

// requestTopic returns the TCPROS address of a topic to a subscriber.
func (s *slave) requestTopic(a []any) []any {
	topic, ok := a[1].(string)
	protocols, ok2 := a[2].([]any)
	if !ok || !ok2 {
		return refuse("requestTopic: want a topic and a list of protocols")
	}
	if s.server.publication(topic) == nil {
		return []any{masterclient.Failure, fmt.Sprintf("this node does not publish %.80s", topic), []any{}}
	}
	for _, p := range protocols {
		if p, _ := p.([]any); len(p) > 0 && p[0] == "TCPROS" {
			return success([]any{"TCPROS", s.host.advertised(), s.tcpros})
		}
	}
	return []any{masterclient.Failure, "this node speaks TCPROS only", []any{}}
}

// publisherUpdate receives the master's list of the publishers of a topic.
func (s *slave) publisherUpdate(a []any) []any {
	topic, ok := a[1].(string)
	items, ok2 := a[2].([]any)
	if !ok || !ok2 {
		return refuse("publisherUpdate: want a topic and a list of URIs")
	}
	uris := make([]string, len(items))
	for i, v := range items {
		if uris[i], ok = v.(string); !ok {
			return refuse("publisherUpdate: URI %d is no string", i)
		}
	}
	if !slices.ContainsFunc(s.registrar.names(subscribes), func(p []string) bool { return p[0] == topic }) {
		return success(0) // late, or for another node
	}
	s.registrar.sources.update(topic, uris)
	return success(0)
}

// paramUpdate receives the notification that a parameter has changed. It ignores the value, which
// may be late or not from the master; watchers read the parameter.
func (s *slave) paramUpdate([]any) []any {
	if f := s.paramChanged.Load(); f != nil {
		(*f)()
	}
	return success(0)
}

// end implements the call of rosnode kill. The reply is sent before the node ends.
func (s *slave) end(a []any) []any {
	s.shutdown(fmt.Sprintf("%.80v asks for it: %.200v", a[0], a[1]))
	return success(0)
}

// busInfo lists the connections: number, peer, direction, transport, topic, connected.
func (s *slave) busInfo([]any) []any {
	rows := []any{}
	last := 0
	for _, p := range s.server.allPublications() {
		for _, c := range p.connections() {
			last = max(last, c.id)
			rows = append(rows, []any{c.id, c.caller, "o", "TCPROS", p.topic.Name, true})
		}
	}
	sources := s.registrar.sources.all()
	for _, topic := range slices.Sorted(maps.Keys(sources)) {
		for _, uri := range sources[topic] {
			last++
			rows = append(rows, []any{last, uri, "i", "TCPROS", topic, true})
		}
	}
	return success(rows)
}

// busStats lists the bytes and messages sent per topic and connection. Received messages are not
// counted.
func (s *slave) busStats([]any) []any {
	sent := []any{}
	for _, p := range s.server.allPublications() {
		var rows []any
		total := 0
		for _, c := range p.connections() {
			bytes := clamp(c.bytes.Load())
			rows = append(rows, []any{c.id, bytes, clamp(c.sent.Load()), true})
			total = clamp(uint64(total + bytes))
		}
		if rows != nil {
			sent = append(sent, []any{p.topic.Name, total, rows})
		}
	}
	return success([]any{sent, []any{}, []any{}})
}

// clamp limits a count to what XML-RPC can express.
func clamp(n uint64) int { return int(min(n, 1<<31-1)) }
