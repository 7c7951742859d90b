package ros1

import (
	"bytes"
	"io"
	"maps"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/bluenviron/goroslib/v2"
	gsrvs "github.com/bluenviron/goroslib/v2/pkg/msgs/std_srvs"
	"github.com/bluenviron/goroslib/v2/pkg/protocommon"
	"go.uber.org/zap"

	"sinew/msgs"
	"sinew/msgs/std_srvs"
	"sinew/pkg/ros"
)

// TestServe calls services that succeed, fail and break their contract: each
// call is answered.
func TestServe(t *testing.T) {
	t.Parallel()
	m := startMaster(t)
	node, peer := m.join("/sim"), m.peer("client")
	for name, c := range map[string]struct {
		handle  func(msgs.Message) msgs.Message
		success bool
		message string
	}{
		"good":    {func(msgs.Message) msgs.Message { return &std_srvs.TriggerResponse{Success: true, Message: "done"} }, true, "done"},
		"refused": {func(msgs.Message) msgs.Message { return &std_srvs.TriggerResponse{Message: "only while paused"} }, false, "only while paused"},
		"panics":  {func(msgs.Message) msgs.Message { panic("out of order") }, false, "internal error: out of order"},
		"nothing": {func(msgs.Message) msgs.Message { return nil }, false, "internal error: no std_srvs/TriggerResponse but <nil>"},
		"nil":     {func(msgs.Message) msgs.Message { return (*std_srvs.TriggerResponse)(nil) }, false, "internal error: no std_srvs/TriggerResponse"},
		"other":   {func(msgs.Message) msgs.Message { return &std_srvs.SetBoolResponse{} }, false, "but *std_srvs.SetBoolResponse"},
	} {
		if err := node.Serve("/sim/"+name, std_srvs.Trigger, ros.AnyOrder(c.handle)); err != nil {
			t.Fatal(err)
		}
		client, err := goroslib.NewServiceClient(goroslib.ServiceClientConf{Node: peer, Name: "/sim/" + name, Srv: &gsrvs.Trigger{}})
		if err != nil {
			t.Fatal(err)
		}
		defer client.Close()
		for range 2 { // the second on the same connection
			var response gsrvs.TriggerRes
			eventually(t, "service "+name+" answers", func() bool {
				return client.Call(&gsrvs.TriggerReq{}, &response) == nil
			})
			if response.Success != c.success || !strings.Contains(response.Message, c.message) {
				t.Errorf("%s: %+v, want %v, %q", name, response, c.success, c.message)
			}
		}
	}
}

func TestServeRequest(t *testing.T) {
	t.Parallel()
	m := startMaster(t)
	node, peer := m.join("/sim"), m.peer("client")
	err := node.Serve("/sim/pause", std_srvs.SetBool, ros.AnyOrder(func(request msgs.Message) msgs.Message {
		if request.(*std_srvs.SetBoolRequest).Data {
			return &std_srvs.SetBoolResponse{Success: true, Message: "paused"}
		}
		return &std_srvs.SetBoolResponse{Success: true, Message: "resumed"}
	}))
	if err != nil {
		t.Fatal(err)
	}
	client, err := goroslib.NewServiceClient(goroslib.ServiceClientConf{Node: peer, Name: "/sim/pause", Srv: &gsrvs.SetBool{}})
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	for data, want := range map[bool]string{true: "paused", false: "resumed"} {
		var response gsrvs.SetBoolRes
		eventually(t, "an answer", func() bool {
			return client.Call(&gsrvs.SetBoolReq{Data: data}, &response) == nil
		})
		if response.Message != want {
			t.Errorf("%v: %q, want %q", data, response.Message, want)
		}
	}

	wrong, err := goroslib.NewServiceClient(goroslib.ServiceClientConf{Node: peer, Name: "/sim/pause", Srv: &gsrvs.Trigger{}})
	if err != nil {
		t.Fatal(err)
	}
	defer wrong.Close()
	err = wrong.Call(&gsrvs.TriggerReq{}, &gsrvs.TriggerRes{})
	if err == nil || !strings.Contains(err.Error(), "/sim/pause is std_srvs/SetBool") {
		t.Errorf("a client of another type gets %v", err)
	}
}

// callService connects to a service as a client that is no goroslib.
func callService(t *testing.T, node *Transport, name string, h header) (net.Conn, protocommon.HeaderRaw) {
	t.Helper()
	c := dial(t, node)
	h["callerid"], h["service"] = "/raw", name
	if _, err := c.Write(h.append(nil)); err != nil {
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
	node := startMaster(t).join("/sim")
	err := node.Serve("/sim/pause", std_srvs.SetBool, ros.AnyOrder(func(request msgs.Message) msgs.Message {
		return &std_srvs.SetBoolResponse{Success: request.(*std_srvs.SetBoolRequest).Data, Message: "ok"}
	}))
	if err != nil {
		t.Fatal(err)
	}
	probe, reply := callService(t, node, "/sim/pause", header{"md5sum": "*", "probe": "1"})
	probe.Close()
	want := header{
		"callerid": "/sim", "md5sum": std_srvs.SetBool.MD5, "type": "std_srvs/SetBool",
		"request_type": "std_srvs/SetBoolRequest", "response_type": "std_srvs/SetBoolResponse",
	}
	if !maps.Equal(reply, want) {
		t.Errorf("header %v, want %v", reply, want)
	}

	c, _ := callService(t, node, "/sim/pause", header{"md5sum": std_srvs.SetBool.MD5, "persistent": "1"})
	good := "\x01" + frame("\x01"+frame("ok"))
	malformed := "\x00" + frame("std_srvs/SetBoolRequest: 1 surplus bytes after byte 1")
	for _, call := range []struct{ request, answer string }{
		{frame("\x01"), good}, {frame("\x01\x02"), malformed}, {frame("\x01"), good},
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
		c, _ := callService(t, node, "/sim/pause", header{"md5sum": "*"})
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
	f.Add([]byte(frame("\x01") + frame("")))
	f.Add([]byte("\xff\xff\xff\xff"))
	f.Add([]byte(frame("\x01\x02\x03") + "\x01\x00"))
	s := &service{name: "/sim/pause", kind: std_srvs.SetBool, log: zap.NewNop(), handle: ros.AnyOrder(func(m msgs.Message) msgs.Message {
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
