package ros1

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"go.uber.org/zap"

	"sinew/pkg/ros/masterclient"
	"sinew/pkg/ros/xmlrpc"
)

// TestSlaveAPI makes every call of the slave API over the network.
func TestSlaveAPI(t *testing.T) {
	t.Parallel()
	m := StartMaster(t)
	node := m.Join("/sim")
	out := m.Advertise(node, PoseTopic("/sim/measured_cp"))
	m.Command(node, "/sim/tensions")
	m.Poses(m.Peer("viewer"), "/sim/measured_cp")
	Eventually(t, "a subscriber", out.HasSubscribers)
	uri := m.Lookup("/sim")
	call := func(method string, args ...any) (any, error) {
		return masterclient.Call(context.Background(), uri, method, args...)
	}
	tcpros := port(node.server.listener)
	for _, c := range []struct {
		method string
		args   []any
		want   any
	}{
		{"getPid", []any{"/x"}, os.Getpid()},
		{"getMasterUri", []any{"/x"}, m.RosMaster().URI()},
		{"getPublications", []any{"/x"}, []any{[]any{"/sim/measured_cp", "geometry_msgs/PoseStamped"}}},
		{"getSubscriptions", []any{"/x"}, []any{[]any{"/sim/tensions", "std_msgs/Float64MultiArray"}}},
		{"requestTopic", []any{"/x", "/sim/measured_cp", []any{[]any{"UDPROS", 1}, []any{"TCPROS"}}}, []any{"TCPROS", "127.0.0.1", tcpros}},
		{"publisherUpdate", []any{"/x", "/sim/tensions", []any{"http://127.0.0.1:9/", "bad", "http://127.0.0.1:9/"}}, 0},
		{"getBusInfo", []any{"/x"}, []any{
			[]any{1, "/viewer", "o", "TCPROS", "/sim/measured_cp", true},
			[]any{2, "http://127.0.0.1:9/", "i", "TCPROS", "/sim/tensions", true},
		}},
		{"publisherUpdate", []any{"/x", "/sim/tensions", []any{}}, 0},
		{"publisherUpdate", []any{"/x", "/sim/unknown", []any{"http://127.0.0.1:9/"}}, 0},
		{"paramUpdate", []any{"/x", "/gain", 3}, 0},
	} {
		got, err := call(c.method, c.args...)
		if err != nil || !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s%v = %v, %v; want %v", c.method, c.args, got, err, c.want)
		}
	}
	for _, c := range []struct {
		want   string
		method string
		args   []any
	}{
		{"does not publish", "requestTopic", []any{"/x", "/sim/tensions", []any{[]any{"TCPROS"}}}},
		{"TCPROS only", "requestTopic", []any{"/x", "/sim/measured_cp", []any{[]any{"UDPROS"}, "TCPROS", []any{}}}},
		{"want a topic and a list", "requestTopic", []any{"/x", 5, "TCPROS"}},
		{"URI 0 is no string", "publisherUpdate", []any{"/x", "/sim/tensions", []any{5}}},
		{"want a topic and a list", "publisherUpdate", []any{"/x", "/sim/tensions", 5}},
		{"takes 1 arguments, not 0", "getPid", nil},
		{"is no string", "getPid", []any{5}},
		{"not supported", "getPID", []any{"/x"}},
	} {
		if _, err := call(c.method, c.args...); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s%v: error %v, want one with %q", c.method, c.args, err, c.want)
		}
	}
}

// TestRebinding: a web page whose name was pointed to 127.0.0.1 gives the node no publisher, whose commands it would take.
func TestRebinding(t *testing.T) {
	t.Parallel()
	m := StartMaster(t)
	node, err := New(Options{Node: "/sim", Master: m.RosMaster(), Host: "robot.localhost"})
	if err != nil {
		t.Fatal(err)
	}
	defer node.Close()
	m.Command(node, "/sim/tensions")
	Eventually(t, "the node is registered", func() bool { return m.Subscribes("/sim", "/sim/tensions") })
	address := strings.TrimPrefix(strings.Replace(m.Lookup("/sim"), "robot.localhost", "127.0.0.1", 1), "http://")
	for i, c := range []struct {
		host, origin string
		status       int
	}{
		{"evil.example", "", 421}, {"evil.example", "http://evil.example", 403}, {"localhost", "http://localhost", 403},
		{"localhost", "", 200}, {"robot.localhost", "", 200},
	} {
		publisher := fmt.Sprintf("http://127.0.0.1:%d/", i+1)
		body, err := xmlrpc.AppendCall(nil, "publisherUpdate", "/page", "/sim/tensions", []any{publisher})
		if err != nil {
			t.Fatal(err)
		}
		request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://"+address, bytes.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		request.Host = c.host
		request.Header.Set("Content-Type", "text/xml")
		if c.origin != "" {
			request.Header.Set("Origin", c.origin)
		}
		answer, err := http.DefaultClient.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		answer.Body.Close()
		known := slices.Contains(node.registrar.sources.all()["/sim/tensions"], publisher)
		if answer.StatusCode != c.status || known != (c.status == 200) {
			t.Errorf("host %s, origin %q: status %d, publisher known: %t; want %d", c.host, c.origin, answer.StatusCode, known, c.status)
		}
	}
}

// TestTooManyPublishers checks that a list of publishers cannot grow without
// bound: each has a goroutine.
func TestTooManyPublishers(t *testing.T) {
	t.Parallel()
	m := StartMaster(t)
	node := m.Join("/sim")
	m.Command(node, "/sim/tensions")
	Eventually(t, "the node is registered", func() bool { return m.Lookup("/sim") != "" })
	var many []string
	for i := range 3000 {
		many = append(many, fmt.Sprintf("http://127.0.0.1:%d/", 1+i))
	}
	if _, err := masterclient.Call(context.Background(), m.Lookup("/sim"), "publisherUpdate", "/x", "/sim/tensions", many); err != nil {
		t.Fatal(err)
	}
	if n := len(node.registrar.sources.all()["/sim/tensions"]); n != maxPublishers {
		t.Errorf("%d publishers are kept, want %d", n, maxPublishers)
	}
	if _, err := masterclient.Call(context.Background(), m.Lookup("/sim"), "publisherUpdate", "/x", "/sim/tensions", []any{}); err != nil {
		t.Fatal(err)
	}
}

// FuzzSlave checks that no request panics and that every reply can be sent.
func FuzzSlave(f *testing.F) {
	for _, c := range [][]any{
		{"getPid", "/x"}, {"getBusStats", "/x"}, {"shutdown", "/x"}, {"paramUpdate", "/x", "/k", 1},
		{"requestTopic", "/x", "/sim/out", []any{[]any{"TCPROS"}, 5, []any{}}},
		{"publisherUpdate", "/x", "/sim/in", []any{"http://127.0.0.1:9/", "::", 5}},
	} {
		body, err := xmlrpc.AppendCall(nil, c[0].(string), c[1:]...)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(body)
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		method, args, err := xmlrpc.DecodeCall(body)
		if err != nil {
			return
		}
		publishers := 0
		s := &slave{
			host: &host{name: "127.0.0.1"}, server: newServer("/sim", nil, 0, zap.NewNop()), shutdown: func(string) {},
			registrar: &registrar{
				list:    []*registration{{what: subscribes, name: "/sim/in"}},
				sources: newSources("/sim", func(_ string, uris, _ []string) { publishers = len(uris) }, zap.NewNop()),
			},
		}
		if err := s.server.addPublication(newPublication(PoseTopic("/sim/out"), s.server)); err != nil {
			t.Fatal(err)
		}
		s.registrar.sources.registered("/sim/in", nil, 0)
		reply, err := s.handle(context.Background(), method, args)
		if err != nil {
			return
		}
		if _, err := xmlrpc.AppendReply(nil, reply); err != nil || publishers > maxPublishers {
			t.Errorf("%s%v: reply %v, %v; %d publishers", method, args, reply, err, publishers)
		}
	})
}
