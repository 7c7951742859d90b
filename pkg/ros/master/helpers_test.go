package master_test

import (
	"context"
	"fmt"
	"net"
	"reflect"
	"strings"
	"testing"
	"time"

	"sinew/pkg/ros/master"
	"sinew/pkg/ros/masterclient"
	"sinew/pkg/ros/xmlrpc"
)

// patience is how long a test waits for what should come at once.
const patience = time.Minute

// quietTime is how long a test waits for what should not come.
const quietTime = 100 * time.Millisecond

func startMaster(t *testing.T, o master.Options) *master.Master {
	t.Helper()
	m, err := master.Start(":0", o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := m.Close(); err != nil {
			t.Errorf("close: %v", err)
		}
	})
	return m
}

func patiently(t *testing.T) context.Context {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	t.Cleanup(cancel)
	return ctx
}

// slave is a node's slave API that records its calls.
type slave struct {
	uri   string
	calls chan string // "method [arguments]"
}

// newSlave starts a slave. Its reply to each call waits for gate, if there is
// one.
func newSlave(t *testing.T, gate <-chan struct{}) *slave {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := &slave{uri: "http://" + l.Addr().String() + "/", calls: make(chan string, 1000)}
	server := xmlrpc.Serve(l, func(ctx context.Context, method string, args []any) (any, error) {
		s.calls <- fmt.Sprint(method, " ", args)
		if gate != nil {
			select {
			case <-gate:
			case <-ctx.Done():
			}
		}
		return []any{1, "", 0}, nil
	}, xmlrpc.Access{})
	t.Cleanup(func() { server.Close() })
	return s
}

// expect waits for exactly these calls, in this order.
func (s *slave) expect(t *testing.T, calls ...string) {
	t.Helper()
	for _, want := range calls {
		select {
		case got := <-s.calls:
			if got != want {
				t.Errorf("the slave was told\n%s, want\n%s", got, want)
			}
		case <-time.After(patience):
			t.Fatalf("the slave was not told %s", want)
		}
	}
	select {
	case got := <-s.calls:
		t.Errorf("the slave was told too much: %s", got)
	case <-time.After(quietTime):
	}
}

func ok(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func refuses(t *testing.T, err error, text string) {
	t.Helper()
	if !masterclient.Refuses(err) || !strings.Contains(err.Error(), text) {
		t.Errorf("error %v, want a refusal with %q", err, text)
	}
}

func equal(t *testing.T, what string, got, want any) {
	t.Helper()
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%s: got %#v, want %#v", what, got, want)
	}
}
