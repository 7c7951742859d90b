package bounded_test

import (
	"errors"
	"net"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"
	"go.uber.org/zap/zaptest/observer"

	"sinew/pkg/ros/bounded"
)

// failing is a listener whose Accept fails.
type failing struct {
	net.Listener
	err error
}

func (l *failing) Accept() (net.Conn, error) { return nil, l.err }

// TestLogErrors: what a listener cannot accept is logged, at once and then rarely; its end
// is not.
func TestLogErrors(t *testing.T) { synctest.Test(t, testLogErrors) }

func testLogErrors(t *testing.T) {
	const silence = 5 * time.Second // after an error that was logged
	core, logs := observer.New(zapcore.WarnLevel)
	f := &failing{err: &net.OpError{Op: "accept", Err: syscall.EMFILE}}
	l := bounded.LogErrors(f, "viewers", zap.New(core))
	for range 100 {
		if _, err := l.Accept(); !errors.Is(err, syscall.EMFILE) {
			t.Fatalf("error %v", err)
		}
	}
	time.Sleep(silence)
	_, _ = l.Accept()
	time.Sleep(silence)
	f.err = &net.OpError{Op: "accept", Err: net.ErrClosed}
	_, _ = l.Accept()
	all := logs.All()
	if len(all) != 2 {
		t.Fatalf("logged %v, want two lines", all)
	}
	for i, held := range []int64{0, 99} {
		fields := all[i].ContextMap()
		if all[i].Message != "connection not accepted" || fields["server"] != "viewers" ||
			fields["error"] != "accept: too many open files" || fields["unlogged_before"] != held {
			t.Errorf("line %d: %s %v, want %d held back", i, all[i].Message, fields, held)
		}
	}
}
