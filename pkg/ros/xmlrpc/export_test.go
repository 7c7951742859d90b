package xmlrpc

import (
	"context"
	"errors"
	"fmt"
	"net"
	"testing"
	"time"
)

// Unexported names for the external tests.
const MaxConnections = maxConnections

var (
	Shorten = shorten
	Usual   = usual
)

// Patience is how long what is to come may take, on a machine that does much else.
const Patience = time.Minute

// Start serves h on a free port of the loopback interface.
func Start(t *testing.T, h Handler, tm timeouts) (address string) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	return startOn(t, l, h, tm)
}

func startOn(t *testing.T, l net.Listener, h Handler, tm timeouts) (address string) {
	t.Helper()
	s := serve(l, h, Access{}, tm)
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Errorf("close: %v", err)
		}
	})
	return l.Addr().String()
}

func Echo(_ context.Context, method string, args []any) (any, error) {
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

func Post1(kind, body string) string {
	return fmt.Sprintf("POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: %s\r\nContent-Length: %d\r\n\r\n%s", kind, len(body), body)
}
