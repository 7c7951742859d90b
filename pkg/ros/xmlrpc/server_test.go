package xmlrpc

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"reflect"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// patience is how long what is to come may take, on a machine that does much else.
const patience = time.Minute

// start serves h on a free port of the loopback interface.
func start(t *testing.T, h Handler, tm timeouts) (address string) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	return startOn(t, l, h, tm)
}

func startOn(t *testing.T, l net.Listener, h Handler, tm timeouts) (address string) {
	t.Helper()
	s := serve(l, h, tm)
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Errorf("close: %v", err)
		}
	})
	return l.Addr().String()
}

func echo(_ context.Context, method string, args []any) (any, error) {
	switch method {
	case "fault":
		return nil, &Fault{Code: 7, Message: "seven"}
	case "error":
		return nil, errors.New("plain")
	case "panic":
		panic("boom")
	case "nil":
		return nil, nil
	}
	return append([]any{method}, args...), nil
}

func TestCall(t *testing.T) {
	url := "http://" + start(t, echo, usual) + "/"
	big := strings.Repeat("x", 1<<20)
	got, err := Call(context.Background(), url, "echo", 1, "<a>", map[string]any{"k": 2.5}, big)
	want := []any{"echo", 1, "<a>", map[string]any{"k": 2.5}, big}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got %.200v, %v", got, err)
	}
	for method, want := range map[string]*Fault{
		"fault": {7, "seven"},
		"error": {1, "plain"},
		"panic": {1, "panic: internal error: boom"},
		"nil":   {1, "xmlrpc: reply: XML-RPC has no type for a Go <nil>"},
	} {
		_, err := Call(context.Background(), url, method)
		var f *Fault
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
		limit := patience
		if name == "hung" {
			limit = 300 * time.Millisecond
		}
		ctx, cancel := context.WithTimeout(context.Background(), limit)
		_, err := Call(ctx, c.url, "m")
		cancel()
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %q", name, err, c.want)
		}
	}
	if _, err := Call(context.Background(), refused, "m", nil); err == nil || !strings.Contains(err.Error(), "argument 0") {
		t.Errorf("unencodable argument: error %v", err)
	}
}

// TestContentLength checks what roscpp depends on, for a reply larger than the
// buffer above which net/http would send chunks.
func TestContentLength(t *testing.T) {
	address := start(t, echo, usual)
	body, _ := AppendCall(nil, "echo", strings.Repeat("y", 100_000))
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
	address := start(t, func(ctx context.Context, m string, args []any) (any, error) {
		calls.Add(1)
		return 0, nil
	}, usual)
	good := "<methodCall><methodName>m</methodName></methodCall>"
	for name, c := range map[string]struct {
		request string
		status  int
	}{
		"GET":          {"GET / HTTP/1.1\r\nHost: a\r\n\r\n", 405},
		"web page":     {post1("text/plain", good), 415},
		"256 MB":       {"POST / HTTP/1.1\r\nHost: a\r\nContent-Type: text/xml\r\nContent-Length: 268435456\r\n\r\n<methodCall>", 413},
		"header":       {"POST / HTTP/1.1\r\nHost: a\r\nX: " + strings.Repeat("x", 40<<10) + "\r\n\r\n", 431},
		"garbage":      {"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n", 400},
		"bad chunk":    {"POST / HTTP/1.1\r\nHost: a\r\nContent-Type: text/xml\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n", 400},
		"good":         {post1("text/xml", good), 200},
		"good charset": {post1("text/xml; charset=utf-8", good), 200},
	} {
		if got := status(t, address, c.request); got != c.status {
			t.Errorf("%s: status %d, want %d", name, got, c.status)
		}
	}
	if calls.Load() != 2 {
		t.Errorf("%d calls were answered, want 2", calls.Load())
	}
}

func post1(kind, body string) string {
	return fmt.Sprintf("POST / HTTP/1.1\r\nHost: a\r\nContent-Type: %s\r\nContent-Length: %d\r\n\r\n%s", kind, len(body), body)
}

func status(t *testing.T, address, request string) int {
	t.Helper()
	c, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	c.SetDeadline(time.Now().Add(patience))
	io.WriteString(c, request)
	r, err := http.ReadResponse(bufio.NewReader(c), nil)
	if err != nil {
		t.Errorf("no reply: %v", err)
		return 0
	}
	r.Body.Close()
	return r.StatusCode
}

// TestSlowPeers holds connections open the slow way; each must be closed by its
// timeout, and a proper peer be served all the while.
func TestSlowPeers(t *testing.T) {
	quick := timeouts{header: 200 * time.Millisecond, read: 400 * time.Millisecond, write: time.Second, idle: 300 * time.Millisecond}
	address := start(t, echo, quick)
	for name, opening := range map[string]string{
		"silent": "",
		"header": "POST / HTTP/1.1\r\nHost: a\r\n",
		"body":   "POST / HTTP/1.1\r\nHost: a\r\nContent-Type: text/xml\r\nContent-Length: 1000\r\n\r\n<method",
		"idle":   post1("text/xml", "<methodCall><methodName>m</methodName></methodCall>"),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c, err := net.Dial("tcp", address)
			if err != nil {
				t.Fatal(err)
			}
			defer c.Close()
			io.WriteString(c, opening)
			began := time.Now()
			go func() { // a byte now and then must not help
				for {
					time.Sleep(50 * time.Millisecond)
					if _, err := io.WriteString(c, "x"); name == "idle" || err != nil {
						return
					}
				}
			}()
			// on a busy machine a proper peer may be too slow now and then
			_, err = Call(context.Background(), "http://"+address+"/", "m")
			for i := 0; i < 20 && err != nil; i++ {
				_, err = Call(context.Background(), "http://"+address+"/", "m")
			}
			if err != nil {
				t.Errorf("a proper call meanwhile: %v", err)
			}
			c.SetReadDeadline(time.Now().Add(patience))
			if _, err := io.Copy(io.Discard, c); errors.Is(err, context.DeadlineExceeded) || isTimeout(err) {
				t.Errorf("still open after %v", time.Since(began))
			}
		})
	}
}

func isTimeout(err error) bool {
	var e net.Error
	return errors.As(err, &e) && e.Timeout()
}

func TestConnectionLimit(t *testing.T) {
	address := start(t, echo, usual)
	var held []net.Conn
	for range maxConnections {
		c, err := net.Dial("tcp", address)
		if err != nil {
			t.Fatal(err)
		}
		held = append(held, c)
	}
	url := "http://" + address + "/"
	if _, err := Call(context.Background(), url, "m"); err == nil {
		t.Error("a connection above the limit was served")
	}
	for _, c := range held {
		c.Close()
	}
	deadline := time.Now().Add(patience)
	for {
		_, err := Call(context.Background(), url, "m")
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
		if _, _, err := DecodeCall(body); err != nil {
			b.Fatal(err)
		}
	}
}
