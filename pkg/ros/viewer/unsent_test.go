package viewer_test

import (
	"context"
	"net"
	"net/http"
	"testing"
	"time"

	"github.com/coder/websocket"

	"sinew/msgs"
	"sinew/pkg/ros/viewer"
)

// A viewer behind a slow connection sees a past of a few frames, not one of all that the kernel could
// keep for it.
func TestSlowViewer(t *testing.T) {
	n := viewer.NewFakeNode(t)
	client := &http.Client{Transport: &http.Transport{DialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
		c, err := new(net.Dialer).DialContext(ctx, network, address)
		if err == nil {
			err = c.(*net.TCPConn).SetReadBuffer(64 << 10)
		}
		return c, err
	}}}
	conn, _, err := websocket.Dial(t.Context(), n.Socket(), &websocket.DialOptions{Subprotocols: viewer.Subprotocols, HTTPClient: client})
	viewer.Must(t, err)
	conn.SetReadLimit(64 << 20)
	p := &viewer.Peer{conn, t}
	t.Cleanup(func() { _ = conn.CloseNow() })
	for range 3 {
		p.Json()
	}
	p.Text(`{"op":"subscribe","subscriptions":[{"id":2,"channelId":2}]}`)
	viewer.Until(t, "the subscription", n.Stream.HasSubscribers)
	const count, size = 1000, 10_000
	text := string(make([]byte, size))
	for i := range msgs.Time(count) {
		viewer.Say(n.Stream, text, i)
		time.Sleep(500 * time.Microsecond)
	}
	got := 0
	for last := msgs.Time(-1); last < count-1; got++ {
		_, data := p.Next()
		_, at := viewer.TextOf(t, data, 2)
		if at <= last {
			t.Fatalf("%d after %d", at, last)
		}
		last = at
	}
	const most = (4*viewer.UnsentBytes+2*viewer.MaxFrameBytes)/size + viewer.MaxFrames
	t.Logf("%d of %d frames", got, count)
	if got > most {
		t.Errorf("%d of %d frames of the past, at most %d are wanted", got, count, most)
	}
}
