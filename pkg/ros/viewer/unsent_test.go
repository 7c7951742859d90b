package viewer

import (
	"context"
	"net"
	"net/http"
	"testing"
	"time"

	"github.com/coder/websocket"

	"sinew/msgs"
)

// A viewer behind a slow connection sees a past of a few frames, not one of all that the kernel could
// keep for it.
func TestSlowViewer(t *testing.T) {
	n := newStation(t)
	client := &http.Client{Transport: &http.Transport{DialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
		c, err := new(net.Dialer).DialContext(ctx, network, address)
		if err == nil {
			err = c.(*net.TCPConn).SetReadBuffer(64 << 10)
		}
		return c, err
	}}}
	conn, _, err := websocket.Dial(t.Context(), n.Socket(), &websocket.DialOptions{Subprotocols: subprotocols, HTTPClient: client})
	must(t, err)
	conn.SetReadLimit(64 << 20)
	p := &peer{conn, t}
	t.Cleanup(func() { _ = conn.CloseNow() })
	for range 3 {
		p.json()
	}
	p.text(`{"op":"subscribe","subscriptions":[{"id":2,"channelId":2}]}`)
	until(t, "the subscription", n.stream.Wanted)
	const count, size = 1000, 10_000
	text := string(make([]byte, size))
	for i := range msgs.Time(count) {
		say(n.stream, text, i)
		time.Sleep(500 * time.Microsecond)
	}
	got := 0
	for last := msgs.Time(-1); last < count-1; got++ {
		_, data := p.next()
		_, at := textOf(t, data, 2)
		if at <= last {
			t.Fatalf("%d after %d", at, last)
		}
		last = at
	}
	const most = (4*unsentBytes+2*maxFrameBytes)/size + maxFrames
	t.Logf("%d of %d frames", got, count)
	if got > most {
		t.Errorf("%d of %d frames of the past, at most %d are wanted", got, count, most)
	}
}
