package viewer

import (
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"strings"
	"testing"

	"github.com/coder/websocket"
)

func TestAccess(t *testing.T) {
	local := access{addr: netip.MustParseAddrPort("127.0.0.1:8080")}
	for _, c := range []struct {
		host, origin string
		allowed      bool
	}{
		{"127.0.0.1:8080", "", true}, {"localhost:8080", "", true}, {"[::1]:8080", "", true}, {"LOCALHOST", "", true},
		{"127.0.0.1:8080", "http://127.0.0.1:8080", true}, {"127.0.0.1:8080", "http://localhost:3000", true}, {"127.0.0.1:8080", "https://[::1]", true},
		{"127.0.0.1:8080", "https://app.foxglove.dev", true}, {"127.0.0.1:8080", "file://", true},
		{"127.0.0.1:8080", "null", false}, {"127.0.0.1:8080", "http://app.foxglove.dev", false}, {"127.0.0.1:8080", "https://app.foxglove.dev.evil.com", false},
		{"127.0.0.1:8080", "http://evil.com", false}, {"127.0.0.1:8080", "http://127.0.0.1.evil.com", false}, {"127.0.0.1:8080", "ftp://localhost", false},
		{"127.0.0.1:8080", "http://localhost.evil.com", false},
		{"evil.com:8080", "http://evil.com:8080", false}, {"evil.com:8080", "", false}, {"10.0.0.5:8080", "", false}, {"", "", false},
	} {
		r := httptest.NewRequest(http.MethodGet, "/", nil)
		r.Host = c.host
		if c.origin != "" {
			r.Header.Set("Origin", c.origin)
		}
		if why := local.refuse(r); (why == "") != c.allowed {
			t.Errorf("host %q, origin %q: %q", c.host, c.origin, why)
		}
	}
	open := newAccess(addr("10.0.0.5:8080"))
	if len(open.token) < 26 || newAccess(addr("10.0.0.5:8080")).token == open.token || newAccess(addr("[::1]:8080")).token != "" {
		t.Errorf("token %q", open.token)
	}
	for token, allowed := range map[string]bool{open.token: true, "": false, open.token + "A": false, strings.ToLower(open.token): false} {
		r := httptest.NewRequest(http.MethodGet, "/?token="+url.QueryEscape(token), nil)
		r.Header.Set("Origin", "http://elsewhere.com")
		if why := open.refuse(r); (why == "") != allowed {
			t.Errorf("token %q: %q", token, why)
		}
	}
}

// The server asks access for the page and for viewers, and links have what it wants.
func TestLinks(t *testing.T) {
	s, err := New(Options{Address: "0.0.0.0:0", Node: "/robot"})
	must(t, err)
	defer s.Close()
	s.Start()
	get := func(link string) int {
		t.Helper()
		r, err := http.Get(link)
		must(t, err)
		r.Body.Close()
		return r.StatusCode
	}
	bare, _, _ := strings.Cut(s.Link(), "?")
	if a, b, c := get(s.Link()), get(bare), get(strings.Replace(s.Link(), "/?", "/x?", 1)); a != 200 || b != 403 || c != 404 {
		t.Errorf("%s: %d, without token %d, elsewhere %d", s.Link(), a, b, c)
	}
	if _, r, err := websocket.Dial(t.Context(), strings.Replace(bare, "http", "ws", 1), &websocket.DialOptions{Subprotocols: subprotocols}); err == nil || r.StatusCode != 403 {
		t.Errorf("a viewer without token: %v", err)
	}
	u, err := url.Parse(s.Foxglove())
	must(t, err)
	c, _, err := websocket.Dial(t.Context(), u.Query().Get("ds.url"), &websocket.DialOptions{Subprotocols: subprotocols[1:]})
	must(t, err)
	defer c.CloseNow()
	if c.Subprotocol() != "foxglove.websocket.v1" {
		t.Errorf("subprotocol %q", c.Subprotocol())
	}
	if _, r, err := websocket.Dial(t.Context(), s.Socket(), &websocket.DialOptions{Subprotocols: []string{"mqtt"}}); err == nil || r.StatusCode != 400 {
		t.Errorf("another subprotocol: %v", err)
	}
}

func TestListen(t *testing.T) {
	a, err := listen("127.0.0.1")
	must(t, err)
	defer a.Close()
	b, err := listen("127.0.0.1")
	must(t, err)
	defer b.Close()
	if a.Addr().String() == b.Addr().String() {
		t.Error("both at", a.Addr())
	}
	for address, want := range map[string]string{
		a.Addr().String(): "next free port", "127.0.0.1:70000": "65535", "a b": "HOST:PORT", "": "HOST:PORT", "127.0.0.1:http": "65535",
	} {
		if l, err := listen(address); err == nil {
			l.Close()
			t.Errorf("%q listens", address)
		} else if !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", address, err, want)
		}
	}
}

func addr(s string) net.Addr { return net.TCPAddrFromAddrPort(netip.MustParseAddrPort(s)) }
