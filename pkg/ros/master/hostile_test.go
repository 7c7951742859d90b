package master_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"strings"
	"testing"

	"sinew/pkg/ros/master"
	"sinew/pkg/ros/masterclient"
	"sinew/pkg/ros/xmlrpc"
)

func TestBadCalls(t *testing.T) {
	ctx := patiently(t)
	m := startMaster(t, master.Options{})
	const uri = "http://127.0.0.1:1/"
	long := strings.Repeat("x", 300)
	deep := any(1)
	for range 29 {
		deep = []any{deep}
	}
	for _, c := range []struct {
		want   string
		method string
		args   []any
	}{
		{"missing required caller_id", "getPid", nil},
		{"caller_id must be a string", "getPid", []any{1}},
		{"caller_id: empty name", "getPid", []any{""}},
		{"caller_id: name \"a b\"", "getPid", []any{"a b"}},
		{"300 bytes, more than 256", "getPid", []any{long}},
		{"1 arguments after caller_id, want 3", "registerPublisher", []any{"/c", "/t"}},
		{"argument 1 after caller_id: a Go int is no string", "getParam", []any{"/c", 5}},
		{"argument 1 after caller_id: empty name", "getParam", []any{"/c", ""}},
		{"301 bytes, more than 256", "setParam", []any{"/c", "/" + long, 1}},
		{"blank or control", "setParam", []any{"/c", "/a\nb", 1}},
		{"nest 30 levels, more than 29", "setParam", []any{"/c", "/a", deep}},
		{"nest 31 levels", "setParam", []any{"/c", strings.Repeat("/a", 31), 1}},
		{`"x" is no http://host:port`, "registerPublisher", []any{"/c", "/t", "a/B", "x"}},
		{"is no http://host:port", "registerPublisher", []any{"/c", "/t", "a/B", "http://"}},
		{"is no http://host:port", "registerPublisher", []any{"/c", "/t", "a/B", "file:///etc/passwd"}},
		{"is no http://host:port", "registerPublisher", []any{"/c", "/t", "a/B", "http://a:1/" + long}},
		{"is no rosrpc://host:port", "registerService", []any{"/c", "/s", uri, uri}},
		{"300 bytes", "registerPublisher", []any{"/c", "/t", long, uri}},
	} {
		_, err := masterclient.Call(ctx, m.URI(), c.method, c.args...)
		refuses(t, err, c.want)
	}
	for method, want := range map[string]string{"nope": `"nope" is not supported`, long: "is not supported", "system.multicall": "0 arguments"} {
		_, err := xmlrpc.Call(ctx, m.URI(), method)
		var f *xmlrpc.Fault
		if !errors.As(err, &f) || !strings.Contains(f.Message, want) {
			t.Errorf("%.20s: error %.100v, want %q", method, err, want)
		}
	}
	c := masterclient.Client{URI: m.URI(), Caller: "/c"}
	ok(t, c.SetParam(ctx, "/a", deep.([]any)[0])) // 28 levels and the key
	everything, _, err := c.Param(ctx, "/")
	ok(t, err)
	equal(t, "deep parameter", everything.(map[string]any)["a"], deep.([]any)[0])
}

func TestMulticall(t *testing.T) {
	ctx := patiently(t)
	m := startMaster(t, master.Options{})
	request, err := os.ReadFile("../xmlrpc/testdata/rospy_multicall.xml")
	ok(t, err)
	_, args, err := xmlrpc.DecodeCall(request)
	ok(t, err)
	const node = "/rostopic_20222_1795262762460"
	c := masterclient.Client{URI: m.URI(), Caller: node}
	_, err = c.RegisterPublisher(ctx, "/chatter", "std_msgs/String", "http://127.0.0.1:38649/")
	ok(t, err)
	ok(t, c.RegisterService(ctx, "~get_loggers", "rosrpc://127.0.0.1:37545", "http://127.0.0.1:38649/"))
	got, err := xmlrpc.Call(ctx, m.URI(), "system.multicall", args...)
	ok(t, err)
	equal(t, "replies", got, []any{
		[]any{[]any{1, "Unregistered [" + node + "] as publisher of [/chatter]", 1}},
		[]any{[]any{1, "Unregistered [" + node + "] as provider of [" + node + "/get_loggers]", 1}},
		[]any{[]any{1, "[" + node + "] is not registered for [" + node + "/set_logger_level]", 0}},
	})

	call := func(method string, params any) any { return map[string]any{"methodName": method, "params": params} }
	got, err = xmlrpc.Call(ctx, m.URI(), "system.multicall", []any{
		1, call("nope", []any{}), call("getPid", 1), call("getUri", []any{"/c"}), call("system.multicall", []any{[]any{}}),
	})
	ok(t, err)
	fault := func(text string) any { return map[string]any{"faultCode": 1, "faultString": text} }
	equal(t, "replies", got, []any{
		fault("call 0 has no methodName or no params"),
		fault(`method "nope" is not supported`),
		fault("call 2 has no methodName or no params"),
		[]any{[]any{1, "", m.URI()}},
		fault(`method "system.multicall" is not supported`),
	})
}

// TestMulticallCannotAmplify asks for one large parameter thousands of times in
// a small request.
func TestMulticallCannotAmplify(t *testing.T) {
	ctx := patiently(t)
	m := startMaster(t, master.Options{})
	c := masterclient.Client{URI: m.URI(), Caller: "/c"}
	ok(t, c.SetParam(ctx, "/big", strings.Repeat("x", 1<<20)))
	calls := make([]any, 4096)
	for i := range calls {
		calls[i] = map[string]any{"methodName": "getParam", "params": []any{"/c", "/big"}}
	}
	_, err := xmlrpc.Call(ctx, m.URI(), "system.multicall", calls)
	var f *xmlrpc.Fault
	if !errors.As(err, &f) || !strings.Contains(f.Message, "larger than") {
		t.Errorf("error %.200v, want a fault", err)
	}
	_, err = xmlrpc.Call(ctx, m.URI(), "system.multicall", append(calls, calls[0]))
	if !errors.As(err, &f) || !strings.Contains(f.Message, "at most 4096 calls") {
		t.Errorf("error %.200v, want a fault", err)
	}
}

// TestStorageIsBounded fills the master until it refuses, then sees that it
// still works and takes something new once there is room.
func TestStorageIsBounded(t *testing.T) {
	ctx := patiently(t)
	m := startMaster(t, master.Options{})
	c := masterclient.Client{URI: m.URI(), Caller: "/c"}
	chunk := strings.Repeat("x", 1<<20)
	var full error
	chunks := 0
	for ; full == nil && chunks < 100; chunks++ {
		full = c.SetParam(ctx, fmt.Sprint("/big", chunks), chunk)
	}
	refuses(t, full, "all parameters would take")
	equal(t, "chunks of 1 MB taken", chunks-1, 5)
	if _, set, err := c.Param(ctx, "/"); err != nil || !set {
		t.Errorf("all parameters cannot be read: %v", err)
	}
	ok(t, c.DeleteParam(ctx, "/big0"))
	ok(t, c.SetParam(ctx, "/big5", chunk))

	fill := func(from, to int, method string, args func(i int) []any) (refusals int) {
		var calls []any
		for i := from; i < to; i++ {
			calls = append(calls, map[string]any{"methodName": method, "params": args(i)})
		}
		reply, err := xmlrpc.Call(ctx, m.URI(), "system.multicall", calls)
		ok(t, err)
		for _, r := range reply.([]any) {
			if r.([]any)[0].([]any)[0] != 1 {
				refusals++
			}
		}
		return refusals
	}
	const uri = "http://127.0.0.1:1/"
	nodes := func(i int) []any {
		return []any{fmt.Sprint("/n", i), "/t", "*", fmt.Sprintf("http://127.0.0.1:%d/", i+1)}
	}
	equal(t, "nodes refused", fill(0, 1030, "registerPublisher", nodes), 1030-1024)
	topics := func(i int) []any { return []any{"/n0", fmt.Sprint("/t", i), "*", uri} }
	refused := 0
	for i := 0; i < 9000; i += 1000 {
		refused += fill(i, i+1000, "registerSubscriber", topics)
	}
	equal(t, "subscriptions refused", refused, 9000-(8192-1024))
	n0 := masterclient.Client{URI: m.URI(), Caller: "/n0"}
	ok(t, n0.UnregisterSubscriber(ctx, "/t0", uri))
	_, err := n0.RegisterSubscriber(ctx, "/other", "*", uri)
	ok(t, err)
	_, err = n0.RegisterSubscriber(ctx, "/another", "*", uri)
	refuses(t, err, "takes no more")
}

// TestRebinding: a web page whose name was pointed to 127.0.0.1 neither registers a publisher nor sets a parameter.
// Programs on this machine call the master by each name that it has for them.
func TestRebinding(t *testing.T) {
	m := startMaster(t, master.Options{Host: "robot.lab", Names: []string{"desk"}})
	address := strings.TrimSuffix(strings.Replace(m.URI(), "http://robot.lab", "127.0.0.1", 1), "/")
	for _, c := range []struct {
		host, origin string
		status       int
	}{
		{"evil.example", "http://evil.example:11311", 403}, {"evil.example", "", 421}, {"localhost", "http://evil.example:11311", 403},
		{"localhost", "", 200}, {"127.0.0.1", "", 200}, {"robot.lab", "", 200}, {"desk", "", 200},
	} {
		body, err := xmlrpc.AppendCall(nil, "setParam", "/page", "/key", c.host)
		ok(t, err)
		request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://"+address+"/RPC2", bytes.NewReader(body))
		ok(t, err)
		request.Host = c.host + ":11311"
		request.Header.Set("Content-Type", "text/xml")
		if c.origin != "" {
			request.Header.Set("Origin", c.origin)
		}
		answer, err := http.DefaultClient.Do(request)
		ok(t, err)
		answer.Body.Close()
		v, err := masterclient.Call(patiently(t), "http://"+address+"/", "getParam", "/c", "/key")
		if set := err == nil && v == c.host; answer.StatusCode != c.status || set != (c.status == 200) {
			t.Errorf("host %s, origin %q: status %d, parameter %v; want %d", c.host, c.origin, answer.StatusCode, v, c.status)
		}
	}
}

// TestCloseWithHangingSlave: the master ends at once even while a slave does
// not answer.
func TestCloseWithHangingSlave(t *testing.T) {
	m, err := master.Start("localhost:0", master.Options{})
	ok(t, err)
	hung := newSlave(t, make(chan struct{}))
	c := masterclient.Client{URI: m.URI(), Caller: "/c"}
	ctx := patiently(t)
	_, err = masterclient.Client{URI: m.URI(), Caller: "/w"}.SubscribeParam(ctx, "/", hung.uri)
	ok(t, err)
	ok(t, c.SetParam(ctx, "/a", 1))
	<-hung.calls
	ended := make(chan error)
	go func() { ended <- m.Close() }()
	select {
	case err := <-ended:
		ok(t, err)
	case <-ctx.Done():
		t.Fatal("Close hangs")
	}
	if _, err := c.PID(context.Background()); err == nil {
		t.Error("a closed master answers")
	}
}
