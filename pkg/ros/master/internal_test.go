package master

import (
	"fmt"
	"net"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"go.uber.org/zap"

	"sinew/pkg/ros/xmlrpc"
)

// Tests of what has no exported name.

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
			t.Errorf("topic %s is kept without a node", name)
		}
	}
	for _, s := range m.graph.services {
		count(s.node)
	}
	for key, nodes := range m.graph.watchers {
		count(nodes...)
		if len(nodes) == 0 {
			t.Errorf("parameter %s is kept without a subscriber", key)
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

// TestQueuesAreBounded: as many slaves as maxQueues get an update at once, and no
// more; those with a call on the way get everything.
func TestQueuesAreBounded(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0") // no answer
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	last := "http://" + l.Addr().String() + "/"
	n := newNotifier(zap.NewNop())
	defer n.close()
	for i := range maxQueues - 1 {
		n.queues[fmt.Sprint("http://busy:", i)] = &queue{newest: map[subject]notice{}}
	}
	news := func(topic string) notice {
		return notice{method: "publisherUpdate", subject: topic, args: []any{"/master", topic, []any{}}}
	}
	n.post(last, news("/a"))
	n.post("http://127.0.0.1:9/", news("/a"))
	n.post("http://busy:0", news("/b"))
	n.mu.Lock()
	waiting, refused, slow := len(n.queues), n.queues["http://127.0.0.1:9/"], n.queues[last]
	busy := len(n.queues["http://busy:0"].order)
	n.mu.Unlock()
	if waiting != maxQueues || refused != nil || slow == nil || busy != 1 {
		t.Errorf("%d slaves are being told, the last among them: %t, one too many: %t; a busy one hears of %d", waiting, slow != nil, refused != nil, busy)
	}
}

// FuzzParams runs scripts of set and remove against the tree and a plain model
// of it, a map from leaf to value, and checks that the size stays exact.
func FuzzParams(f *testing.F) {
	f.Add("+a/b +a +a/b/c -a/b +/ -a +a{} +b +a{/x} -a/x")
	f.Add("+a{/b} +a/b/c/d -a/b/c +a/b +c{} -c +/{}")
	f.Fuzz(func(t *testing.T, script string) {
		p := newParams()
		for i, step := range strings.Fields(script) {
			step, braces, isMap := strings.Cut(step, "{")
			key := canonical(strings.TrimLeft(step, "+-"))
			before := p.root
			copied := clone(before)
			if strings.HasPrefix(step, "-") {
				removed := p.remove(key)
				if _, still := p.get(key); removed && still {
					t.Fatalf("%s is still there", key)
				}
			} else {
				var v any = i
				if isMap {
					v = map[string]any{strings.Trim(braces[:min(1, len(braces))], "/}") + "k": "v"}
				}
				if err := p.set(key, v); err == nil {
					if got, set := p.get(key); !set || !reflect.DeepEqual(got, v) {
						t.Fatalf("%s: got %v, %v; want %v", key, got, set, v)
					}
				}
			}
			if !reflect.DeepEqual(before, copied) {
				t.Fatalf("step %d changed a tree that a reply may still hold", i)
			}
			if want := size(p.root); p.size != want {
				t.Fatalf("step %d: size %d, want %d", i, p.size, want)
			}
			if levels := depth(p.root); levels > maxLevels {
				t.Fatalf("step %d: %d levels", i, levels)
			}
		}
		for _, name := range p.names() {
			if _, set := p.get(name); !set {
				t.Errorf("%s is listed, but not set", name)
			}
		}
	})
}

func clone(v any) any {
	m, isMap := v.(map[string]any)
	if !isMap {
		return v
	}
	c := map[string]any{}
	for name, item := range m {
		c[name] = clone(item)
	}
	return c
}

// TestParamsToTheByte: the parameters may take as much as the limit, and no more.
func TestParamsToTheByte(t *testing.T) {
	p := newParams()
	if err := p.set("/a", ""); err != nil {
		t.Fatal(err)
	}
	room := maxParams - p.size
	if err := p.set("/a", strings.Repeat("x", room+1)); err == nil {
		t.Error("a parameter is one byte too long: no error")
	}
	if err := p.set("/a", strings.Repeat("x", room)); err != nil || p.size != maxParams {
		t.Errorf("a parameter that just fits: %v, %d bytes, want %d", err, p.size, maxParams)
	}
}

// TestTextLength: a text argument may have as many bytes as a name, and no more.
func TestTextLength(t *testing.T) {
	whole := strings.Repeat("x", maxName)
	if v, err := text.check(whole, "/caller"); v != whole || err != nil {
		t.Errorf("%d bytes: %v", maxName, err)
	}
	if _, err := text.check(whole+"x", "/caller"); err == nil {
		t.Errorf("%d bytes: no error", maxName+1)
	}
}

// TestParamLevels: levels count through keys, dictionaries and arrays alike, up to the
// limit.
func TestParamLevels(t *testing.T) {
	for name, wrap := range map[string]func(any) any{
		"arrays":       func(v any) any { return []any{1, v} },
		"dictionaries": func(v any) any { return map[string]any{"a": 1, "b": v} },
	} {
		p := newParams()
		var v any = 1
		for range maxLevels - 1 {
			v = wrap(v)
		}
		if n := depth(v) - depth(1); n != maxLevels-1 {
			t.Errorf("%d %s nest %d levels", maxLevels-1, name, n)
		}
		over := wrap(wrap(v))
		if err := p.set("/a", over); err == nil {
			t.Errorf("%s of %d levels: no error", name, maxLevels+1)
		}
	}
}
