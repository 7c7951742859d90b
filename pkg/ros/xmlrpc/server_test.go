package xmlrpc_test

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"reflect"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"sinew/pkg/ros/xmlrpc"
)

func TestCall(t *testing.T) {
	url := "http://" + xmlrpc.Start(t, xmlrpc.Echo, xmlrpc.Usual) + "/"
	big := strings.Repeat("x", 1<<20)
	got, err := xmlrpc.Call(context.Background(), url, "echo", 1, "<a>", map[string]any{"k": 2.5}, big)
	want := []any{"echo", 1, "<a>", map[string]any{"k": 2.5}, big}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got %.200v, %v", got, err)
	}
	for method, want := range map[string]*xmlrpc.Fault{
		"fault": {7, "seven"},
		"error": {1, "plain"},
		"panic": {1, "panic: internal error: boom"},
		"nil":   {1, "xmlrpc: reply: XML-RPC has no type for a Go <nil>"},
	} {
		_, err := xmlrpc.Call(context.Background(), url, method)
		var f *xmlrpc.Fault
		if !errors.As(err, &f) || *f != *want {
			t.Errorf("%s: error %v, want %v", method, err, want)
		}
	}
}

func TestCallFails(t *testing.T) {
	const refused = "http://127.0.0.1:1/" // a free port could be that of another test a moment later
	other := func(h http.HandlerFunc) string {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		s := &http.Server{Handler: h}
		go s.Serve(l)
		t.Cleanup(func() { s.Close() })
		return "http://" + l.Addr().String() + "/"
	}
	for name, c := range map[string]struct{ url, want string }{
		"refused":    {refused, "connection refused"},
		"hung":       {other(func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }), "deadline exceeded"},
		"status":     {other(http.NotFound), "HTTP status 404"},
		"redirected": {other(func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/x", 307) }), "HTTP status 307"},
		"garbage":    {other(func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "hi") }), "xmlrpc: reply"},
		"endless": {other(func(w http.ResponseWriter, r *http.Request) {
			for r.Context().Err() == nil {
				io.WriteString(w, strings.Repeat("x", 1<<16))
			}
		}), "larger than"},
		"no URL": {"::", "missing protocol scheme"},
	} {
		limit := xmlrpc.Patience
		if name == "hung" {
			limit = 300 * time.Millisecond
		}
		ctx, cancel := context.WithTimeout(context.Background(), limit)
		_, err := xmlrpc.Call(ctx, c.url, "m")
		cancel()
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %q", name, err, c.want)
		}
	}
	if _, err := xmlrpc.Call(context.Background(), refused, "m", nil); err == nil || !strings.Contains(err.Error(), "argument 0") {
		t.Errorf("unencodable argument: error %v", err)
	}
}

// TestContentLength checks what roscpp depends on, for a reply larger than the
// buffer above which net/http would send chunks.
func TestContentLength(t *testing.T) {
	address := xmlrpc.Start(t, xmlrpc.Echo, xmlrpc.Usual)
	body, _ := xmlrpc.AppendCall(nil, "echo", strings.Repeat("y", 100_000))
	r, err := http.Post("http://"+address+"/RPC2", "text/xml", strings.NewReader(string(body)))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	if r.ContentLength < 100_000 || r.TransferEncoding != nil {
		t.Errorf("Content-Length %d, transfer encoding %v", r.ContentLength, r.TransferEncoding)
	}
	if kind := r.Header.Get("Content-Type"); kind != "text/xml" {
		t.Errorf("content type %q", kind)
	}
}

func TestServerRefuses(t *testing.T) {
	var calls atomic.Int32
	address := xmlrpc.Start(t, func(ctx context.Context, m string, args []any) (any, error) {
		calls.Add(1)
		return 0, nil
	}, xmlrpc.Usual)
	good := "<methodCall><methodName>m</methodName></methodCall>"
	for name, c := range map[string]struct {
		request string
		status  int
	}{
		"GET":          {"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n", 405},
		"web page":     {xmlrpc.Post1("text/plain", good), 415},
		"256 MB":       {"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/xml\r\nContent-Length: 268435456\r\n\r\n<methodCall>", 413},
		"header":       {"POST / HTTP/1.1\r\nHost: localhost\r\nX: " + strings.Repeat("x", 40<<10) + "\r\n\r\n", 431},
		"garbage":      {"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n", 400},
		"bad chunk":    {"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/xml\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n", 400},
		"good":         {xmlrpc.Post1("text/xml", good), 200},
		"good charset": {xmlrpc.Post1("text/xml; charset=utf-8", good), 200},
	} {
		if got := status(t, address, c.request); got != c.status {
			t.Errorf("%s: status %d, want %d", name, got, c.status)
		}
	}
	if calls.Load() != 2 {
		t.Errorf("%d calls were answered, want 2", calls.Load())
	}
}

func status(t *testing.T, address, request string) int {
	t.Helper()
	c, r := send(t, address, request)
	if r == nil {
		return 0
	}
	r.Body.Close()
	c.Close()
	return r.StatusCode
}

// send sends a request as it is written and returns the connection and the answer, nil without one.
func send(t *testing.T, address, request string) (net.Conn, *http.Response) {
	t.Helper()
	c, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	c.SetDeadline(time.Now().Add(xmlrpc.Patience))
	io.WriteString(c, request)
	r, err := http.ReadResponse(bufio.NewReader(c), nil)
	if err != nil {
		c.Close()
		t.Errorf("no reply: %v", err)
		return nil, nil
	}
	return c, r
}

func TestConnectionLimit(t *testing.T) {
	address := xmlrpc.Start(t, xmlrpc.Echo, xmlrpc.Usual)
	var held []net.Conn
	for range xmlrpc.MaxConnections {
		c, err := net.Dial("tcp", address)
		if err != nil {
			t.Fatal(err)
		}
		held = append(held, c)
	}
	url := "http://" + address + "/"
	if _, err := xmlrpc.Call(context.Background(), url, "m"); err == nil {
		t.Error("a connection above the limit was served")
	}
	for _, c := range held {
		c.Close()
	}
	deadline := time.Now().Add(xmlrpc.Patience)
	for {
		_, err := xmlrpc.Call(context.Background(), url, "m")
		if err == nil {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("not served after the others left: %v", err)
		}
		time.Sleep(10 * time.Millisecond)
	}
}

func BenchmarkDecodeRegistration(b *testing.B) {
	body := golden(b, "rospy_multicall.xml")
	b.SetBytes(int64(len(body)))
	b.ReportAllocs()
	for b.Loop() {
		if _, _, err := xmlrpc.DecodeCall(body); err != nil {
			b.Fatal(err)
		}
	}
}
