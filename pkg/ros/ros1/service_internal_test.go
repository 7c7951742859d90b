package ros1

import (
	"bytes"
	"io"
	"maps"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/bluenviron/goroslib/v2/pkg/protocommon"
	"go.uber.org/zap"

	"sinew/msgs"
	"sinew/msgs/geometry_msgs"
	"sinew/msgs/std_srvs"
	"sinew/pkg/ros"
)

// Tests of what has no exported name.

// callService connects to a service as a client that is no goroslib.
func callService(t *testing.T, node *Transport, name string, h Header) (net.Conn, protocommon.HeaderRaw) {
	t.Helper()
	c := dial(t, node)
	h["callerid"], h["service"] = "/raw", name
	if _, err := c.Write(h.Append(nil)); err != nil {
		t.Fatal(err)
	}
	_ = c.SetDeadline(time.Now().Add(patience))
	reply, err := readHeader(c)
	if err != nil {
		t.Fatal(err)
	}
	return c, reply
}

// TestServiceWire checks what travels: the header, as one that only probes sees
// it, and the answers to requests that are good, malformed and too long.
func TestServiceWire(t *testing.T) {
	t.Parallel()
	node := StartMaster(t).Join("/sim")
	err := node.Serve("/sim/pause", std_srvs.SetBool, ros.Deferred(func(request msgs.Message) msgs.Message {
		return &std_srvs.SetBoolResponse{Success: request.(*std_srvs.SetBoolRequest).Data, Message: "ok"}
	}))
	if err != nil {
		t.Fatal(err)
	}
	probe, reply := callService(t, node, "/sim/pause", Header{"md5sum": "*", "probe": "1"})
	probe.Close()
	want := Header{
		"callerid": "/sim", "md5sum": std_srvs.SetBool.MD5, "type": "std_srvs/SetBool",
		"request_type": "std_srvs/SetBoolRequest", "response_type": "std_srvs/SetBoolResponse",
	}
	if !maps.Equal(reply, want) {
		t.Errorf("header %v, want %v", reply, want)
	}

	c, _ := callService(t, node, "/sim/pause", Header{"md5sum": std_srvs.SetBool.MD5, "persistent": "1"})
	good := "\x01" + Frame("\x01"+Frame("ok"))
	malformed := "\x00" + Frame("std_srvs/SetBoolRequest: 1 surplus bytes after byte 1")
	for _, call := range []struct{ request, answer string }{
		{Frame("\x01"), good}, {Frame("\x01\x02"), malformed}, {Frame("\x01"), good},
	} {
		if _, err := io.WriteString(c, call.request); err != nil {
			t.Fatal(err)
		}
		got := make([]byte, len(call.answer))
		if _, err := io.ReadFull(c, got); err != nil || string(got) != call.answer {
			t.Errorf("request %q: answer %q, %v; want %q", call.request, got, err, call.answer)
		}
	}
	for _, wrong := range []string{"\xff\xff\xff\xff", "\x01\x00"} { // too long, and never finished
		c, _ := callService(t, node, "/sim/pause", Header{"md5sum": "*"})
		if _, err := io.WriteString(c, wrong); err != nil {
			t.Fatal(err)
		}
		if _, err := c.Read(make([]byte, 1)); err != io.EOF {
			t.Errorf("after %q the connection stays: %v", wrong, err)
		}
	}
}

// wire is a connection that gives fixed bytes.
type wire struct {
	net.Conn
	in  io.Reader
	out bytes.Buffer
}

func (w *wire) Read(b []byte) (int, error)  { return w.in.Read(b) }
func (w *wire) Write(b []byte) (int, error) { return w.out.Write(b) }
func (w *wire) SetDeadline(time.Time) error { return nil }

// FuzzService checks that no requests panic, and that the answers are as many as
// the requests and well formed.
func FuzzService(f *testing.F) {
	f.Add([]byte(Frame("\x01") + Frame("")))
	f.Add([]byte("\xff\xff\xff\xff"))
	f.Add([]byte(Frame("\x01\x02\x03") + "\x01\x00"))
	s := &service{name: "/sim/pause", kind: std_srvs.SetBool, log: zap.NewNop(), handle: ros.Deferred(func(m msgs.Message) msgs.Message {
		if m.(*std_srvs.SetBoolRequest).Data {
			panic("out of order")
		}
		return &std_srvs.SetBoolResponse{}
	})}
	f.Fuzz(func(t *testing.T, requests []byte) {
		w := &wire{in: bytes.NewReader(requests)}
		s.serve(w, "/raw")
		in := bytes.NewReader(requests)
		for w.out.Len() > 0 {
			if _, err := readFrame(in, nil, maxRequest); err != nil {
				t.Fatalf("%q: more answers than requests", requests)
			}
			ok, _ := w.out.ReadByte()
			body, err := readFrame(&w.out, nil, maxMessage)
			if err == nil && ok == 1 {
				err = new(std_srvs.SetBoolResponse).ParseROS1(body)
			}
			if err != nil {
				t.Errorf("%q: answer %d %q: %v", requests, ok, body, err)
			}
		}
		if _, err := readFrame(in, nil, maxRequest); err == nil {
			t.Errorf("%q: fewer answers than requests", requests)
		}
	})
}

// TestOvertakenAnswer checks that a list of publishers that the master sends while it
// registers a topic counts for more than its answer, which is older, whereas a list
// from before the registration counts for less.
func TestOvertakenAnswer(t *testing.T) {
	const topic, old, young = "/sim/tensions", "http://127.0.0.1:1/", "http://127.0.0.1:2/"
	var publishers, before []string
	calls := 0
	s := newSources("/sim", func(_ string, uris, first []string) { publishers, before, calls = uris, first, calls+1 }, zap.NewNop())
	check := func(when string, n int, want, wantBefore []string) {
		t.Helper()
		if calls != n || !slices.Equal(publishers, want) || !slices.Equal(before, wantBefore) {
			t.Errorf("%s: told %d times, lastly of %v with %v before; want %d, %v, %v", when, calls, publishers, before, n, want, wantBefore)
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

// TestSurroundings checks that neither the command line nor the environment
// reaches the names of the node.
func TestSurroundings(t *testing.T) {
	t.Setenv("ROS_NAMESPACE", "/elsewhere")
	args := os.Args
	os.Args = append(slices.Clone(args), "/sim/measured_cp:=/wrong", "sim:=wrong")
	defer func() { os.Args = args }()
	m := StartMaster(t)
	node := m.Join("/sim")
	out := m.Advertise(node, PoseTopic("/sim/measured_cp"))
	Eventually(t, "the node is registered", func() bool { return m.Lookup("/sim") != "" })
	if ns := os.Getenv("ROS_NAMESPACE"); ns != "/elsewhere" {
		t.Errorf("ROS_NAMESPACE is %q afterwards", ns)
	}
	os.Args = args
	os.Unsetenv("ROS_NAMESPACE")
	got := m.Poses(m.Peer("viewer"), "/sim/measured_cp")
	Eventually(t, "a pose under the name given", func() bool { out.Publish(ros.NewSample(&geometry_msgs.PoseStamped{})); return len(got.All()) > 0 })

	// the name that peers see, in the reply to their header
	c := dial(t, node)
	h := subscriberHeader("/sim/measured_cp")
	if _, err := c.Write(h.Append(nil)); err != nil {
		t.Fatal(err)
	}
	reply, err := readHeader(c)
	if err != nil || reply["callerid"] != "/sim" || reply["topic"] != "/sim/measured_cp" {
		t.Errorf("reply %v, %v", reply, err)
	}
}

// dial connects to a node's TCPROS port.
func dial(t *testing.T, node *Transport) net.Conn {
	t.Helper()
	c, err := net.Dial("tcp", node.server.listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c
}

// subscriberHeader is what a subscriber of PoseStamped sends first.
func subscriberHeader(topic string) Header {
	return Header{"callerid": "/raw", "topic": topic, "type": "geometry_msgs/PoseStamped", "md5sum": geometry_msgs.PoseStampedType.MD5}
}
