package viewer_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/coder/websocket"

	"sinew/pkg/ros/viewer"
)

// The server asks access for the page and for viewers, and links have what it wants.
func TestLinks(t *testing.T) {
	s, err := viewer.New(viewer.Options{Address: "0.0.0.0:0", Node: "/robot"})
	viewer.Must(t, err)
	defer s.Close()
	s.Start()
	get := func(link string) int {
		t.Helper()
		r, err := http.Get(link)
		viewer.Must(t, err)
		r.Body.Close()
		return r.StatusCode
	}
	bare, _, _ := strings.Cut(s.Link(), "?")
	if a, b, c := get(s.Link()), get(bare), get(strings.Replace(s.Link(), "/?", "/x?", 1)); a != 200 || b != 403 || c != 404 {
		t.Errorf("%s: %d, without token %d, elsewhere %d", s.Link(), a, b, c)
	}
	if _, r, err := websocket.Dial(t.Context(), strings.Replace(bare, "http", "ws", 1), &websocket.DialOptions{Subprotocols: viewer.Subprotocols}); err == nil || r.StatusCode != 403 {
		t.Errorf("a viewer without token: %v", err)
	}
	u, err := url.Parse(s.Foxglove())
	viewer.Must(t, err)
	c, _, err := websocket.Dial(t.Context(), u.Query().Get("ds.url"), &websocket.DialOptions{Subprotocols: viewer.Subprotocols[1:]})
	viewer.Must(t, err)
	defer c.CloseNow()
	if c.Subprotocol() != "foxglove.websocket.v1" {
		t.Errorf("subprotocol %q", c.Subprotocol())
	}
	if _, r, err := websocket.Dial(t.Context(), s.Socket(), &websocket.DialOptions{Subprotocols: []string{"mqtt"}}); err == nil || r.StatusCode != 400 {
		t.Errorf("another subprotocol: %v", err)
	}
}

func TestListen(t *testing.T) {
	a, err := viewer.ListenAt("127.0.0.1")
	viewer.Must(t, err)
	defer a.Close()
	b, err := viewer.ListenAt("127.0.0.1")
	viewer.Must(t, err)
	defer b.Close()
	if a.Addr().String() == b.Addr().String() {
		t.Error("both at", a.Addr())
	}
	for address, want := range map[string]string{
		a.Addr().String(): "next free port", "127.0.0.1:70000": "65535", "a b": "HOST:PORT", "": "HOST:PORT", "127.0.0.1:http": "65535",
	} {
		if l, err := viewer.ListenAt(address); err == nil {
			l.Close()
			t.Errorf("%q listens", address)
		} else if !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", address, err, want)
		}
	}
}
