package xmlrpc

import (
	"bytes"
	"errors"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
)

// TestFaultsRefused: a fault needs a number and a text.
func TestFaultsRefused(t *testing.T) {
	fault := func(members string) []byte {
		return []byte("<methodResponse><fault><value><struct>" + members + "</struct></value></fault></methodResponse>")
	}
	const code = "<member><name>faultCode</name><value><int>3</int></value></member>"
	const text = "<member><name>faultString</name><value>no</value></member>"
	var f *Fault
	if _, err := DecodeReply(fault(code + text)); !errors.As(err, &f) || f.Code != 3 || f.Message != "no" {
		t.Errorf("a whole fault: %v", err)
	}
	for _, members := range []string{"", code, text} {
		if _, err := DecodeReply(fault(members)); err == nil || errors.As(err, &f) {
			t.Errorf("%q passes for a fault: %v", members, err)
		}
	}
}

// TestShorten: text of 40 bytes is shown whole, longer text by its first 40.
func TestShorten(t *testing.T) {
	whole := strings.Repeat("x", 40)
	if got := shorten(whole); got != whole {
		t.Errorf("%q", got)
	}
	if got := shorten(whole + "y"); got != whole+"..." {
		t.Errorf("%q", got)
	}
}

// TestLargeRequestsWait: a large request that finds no room in time is told so.
func TestLargeRequestsWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &Server{large: make(chan struct{}, 1)}
		request := func() (int, error) {
			r, err := http.NewRequest(http.MethodPost, "/", bytes.NewReader(make([]byte, smallBody+1)))
			if err != nil {
				t.Fatal(err)
			}
			r.Header.Set("Content-Type", "text/xml")
			body, status, err := s.read(r)
			if err == nil && len(body) != smallBody+1 {
				t.Errorf("%d bytes were read", len(body))
			}
			return status, err
		}
		for range 2 { // each leaves its place
			if status, err := request(); status != 0 || err != nil {
				t.Errorf("with room: status %d, %v", status, err)
			}
		}
		s.large <- struct{}{}
		if status, err := request(); status != http.StatusServiceUnavailable || err == nil {
			t.Errorf("without room: status %d, %v", status, err)
		}
	})
}
