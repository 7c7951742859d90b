package viewer

import (
	"bytes"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"strings"
	"testing"
)

// Tests of what has no exported name.

func TestAccess(t *testing.T) {
	local := newAccess("robot:8080", addr("127.0.1.1:8080"))
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
		{"robot:8080", "http://robot:8080", true}, {"Robot", "http://app.localhost:3000", true}, {"app.localhost:8080", "", true},
		{"robot.evil.com:8080", "", false}, {"localhost:8080", "http://robot.evil.com", false},
		{"evil.com:8080", "http://evil.com:8080", false}, {"evil.com:8080", "", false}, {"10.0.0.5:8080", "", false}, {"", "", false},
	} {
		r := httptest.NewRequest(http.MethodGet, "/", nil)
		r.Host = c.host
		if c.origin != "" {
			r.Header.Set("Origin", c.origin)
		}
		why := local.refuse(r)
		if (why == "") != c.allowed {
			t.Errorf("host %q, origin %q: %q", c.host, c.origin, why)
		}
		if c.host == "evil.com:8080" && !strings.Contains(why, `Host is "evil.com:8080"; allowed: localhost, loopback addresses and the host of --view: open http://127.0.1.1:8080/,`) {
			t.Errorf("host %q: %s", c.host, why)
		}
	}
	open := newAccess("", addr("10.0.0.5:8080"))
	if len(open.token) < 26 || newAccess("", addr("10.0.0.5:8080")).token == open.token || newAccess("", addr("[::1]:8080")).token != "" {
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

func addr(s string) net.Addr { return net.TCPAddrFromAddrPort(netip.MustParseAddrPort(s)) }

// FuzzBinary: what is read is what was written, and nothing else is taken.
func FuzzBinary(f *testing.F) {
	f.Add([]byte{})
	f.Add([]byte{opMessage, 1, 0, 0, 0, 0, 1, 0, 0})
	f.Add(AppendCall(1, 2, "cdr", 0, 1, 0, 0))
	f.Add([]byte{opCall, 0, 0, 0, 0, 0, 0, 0, 0, 255, 255, 255, 255})
	f.Fuzz(func(t *testing.T, b []byte) {
		m, err := parseBinary(b)
		if err != nil {
			return
		}
		again := b
		switch m := m.(type) {
		case published:
			again = append([]byte{opMessage, byte(m.channel), byte(m.channel >> 8), byte(m.channel >> 16), byte(m.channel >> 24)}, m.data...)
		case call:
			again = AppendCall(m.service, m.id, m.encoding, m.data...)
		}
		if !bytes.Equal(again, b) {
			t.Errorf("% x read as %+v", b, m)
		}
	})
}
