package master

import (
	"os"
	"path/filepath"
	"testing"

	"go.uber.org/zap"

	"sinew/pkg/ros/xmlrpc"
)

// FuzzHandle sends arbitrary requests, several in a row, to a master without a
// network. Whatever they do, the books must stay balanced and every reply must
// be one that can be sent.
func FuzzHandle(f *testing.F) {
	files, err := filepath.Glob("../xmlrpc/testdata/*.xml")
	if err != nil || len(files) == 0 {
		f.Fatalf("no corpus: %v", err)
	}
	var bodies [][]byte
	for _, name := range files {
		body, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		bodies = append(bodies, body)
	}
	for name, m := range methods {
		args := []any{"/caller"}
		for _, k := range m.args {
			args = append(args, map[kind]any{
				graphName: "~n", text: "a/B", slaveURI: "http://127.0.0.1:1/", rpcURI: "rosrpc://127.0.0.1:1", anything: 1}[k])
		}
		body, err := xmlrpc.AppendCall(nil, name, args...)
		if err != nil {
			f.Fatal(err)
		}
		bodies = append(bodies, body)
	}
	for i, body := range bodies {
		f.Add(body, bodies[(i+1)%len(bodies)], bodies[(i+2)%len(bodies)])
	}
	f.Fuzz(func(t *testing.T, a, b, c []byte) {
		m := &Master{log: zap.NewNop(), notifier: newNotifier(zap.NewNop()), graph: newGraph(), params: newParams()}
		m.notifier.cancel() // nothing leaves this test
		for _, body := range [][]byte{a, b, c, a} {
			method, args, err := xmlrpc.DecodeCall(body)
			if err != nil {
				continue
			}
			v, err := m.handle(t.Context(), method, args)
			if err == nil {
				_, err = xmlrpc.AppendReply(nil, v)
				if err != nil {
					t.Fatalf("%s: %v", method, err)
				}
			}
			m.balanced(t)
		}
	})
}

// balanced checks that nodes, registrations and sizes are what they are counted
// as.
func (m *Master) balanced(t *testing.T) {
	t.Helper()
	uses, total := map[string]int{}, 0
	count := func(nodes ...string) {
		for _, n := range nodes {
			uses[n]++
			total++
		}
	}
	for name, topic := range m.graph.topics {
		count(topic.publishers...)
		count(topic.subscribers...)
		if len(topic.publishers)+len(topic.subscribers) == 0 {
			t.Errorf("topic %s is kept for nobody", name)
		}
	}
	for _, s := range m.graph.services {
		count(s.node)
	}
	for key, nodes := range m.graph.watchers {
		count(nodes...)
		if len(nodes) == 0 {
			t.Errorf("parameter %s is watched by nobody", key)
		}
	}
	if total != m.graph.total || len(uses) != len(m.graph.nodes) {
		t.Errorf("%d registrations of %d nodes, counted as %d of %d", total, len(uses), m.graph.total, len(m.graph.nodes))
	}
	for name, n := range uses {
		if got := m.graph.nodes[name]; got == nil || got.uses != n {
			t.Errorf("%s has %d registrations, counted as %+v", name, n, got)
		}
	}
	if got := size(m.params.root); got != m.params.size {
		t.Errorf("parameters have size %d, counted as %d", got, m.params.size)
	}
}
