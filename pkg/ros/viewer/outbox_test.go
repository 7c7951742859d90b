package viewer

import (
	"fmt"
	"net"
	"testing"
	"time"

	"github.com/coder/websocket"

	"sinew/msgs"
	"sinew/pkg/ros"
)

// Who keeps up gets everything, in order; who does not gets the newest.
func TestOutbox(t *testing.T) {
	o := newOutbox()
	a, b := newSubscription(1, nil, o), newSubscription(2, nil, o)
	for i := range uint64(maxFrames) {
		o.put(a, frame{stamp: i})
	}
	for i := range uint64(maxFrames + 3) {
		o.put(b, frame{stamp: i})
	}
	var stamps [3][]byte
	for {
		m, _, ok := o.take(nil)
		if !ok {
			break
		}
		id := m.data[1]
		stamps[id] = append(stamps[id], m.data[5])
	}
	if want := "[0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15] [16 17 18]"; fmt.Sprint(stamps[1], stamps[2]) != want {
		t.Errorf("%v %v, want %s", stamps[1], stamps[2], want)
	}
	if o.dropped != maxFrames {
		t.Errorf("%d dropped", o.dropped)
	}
	for range 3 {
		o.put(a, frame{data: make([]byte, maxFrameBytes)})
		if n := a.frames.Len(); n != 1 {
			t.Errorf("%d large frames wait", n)
		}
	}
}

// What comes after frames were removed comes in its own order.
func TestRemoved(t *testing.T) {
	o := newOutbox()
	a, b := newSubscription(1, nil, o), newSubscription(2, nil, o)
	o.put(a, frame{stamp: 1})
	o.put(b, frame{stamp: 2})
	o.remove(a)
	o.remove(b)
	o.put(b, frame{stamp: 3})
	o.put(a, frame{stamp: 4})
	for _, want := range []byte{3, 4} {
		if m, _, ok := o.take(nil); !ok || m.data[5] != want {
			t.Errorf("%v, %v instead of %d", m.data, ok, want)
		}
	}
	if m, _, ok := o.take(nil); ok {
		t.Errorf("%v is left", m.data)
	}
}

// What is made with a picture is written with it, and the picture at once; other things, and what no picture follows, come soon.
func TestPicturesPress(t *testing.T) {
	lossy := &channel{topic: ros.Topic{Lossy: true}}
	fired := func(o *outbox) string {
		select {
		case <-o.now:
			return "now"
		case <-o.due.C:
			return "later"
		case <-time.After(Patience):
			return "not"
		}
	}
	of := func() (o *outbox, pose, picture *subscription) {
		o = newOutbox()
		pose, picture = newSubscription(1, lossy, o), newSubscription(2, lossy, o)
		picture.ends = true
		return o, pose, picture
	}
	o, pose, picture := of()
	o.countPictures(1)
	o.put(pose, frame{})
	if o.armed != unhurried || len(o.now) > 0 {
		t.Errorf("what a picture follows is of urgency %d", o.armed)
	}
	o.put(picture, frame{})
	if got := fired(o); got != "now" {
		t.Errorf("a picture is written %s", got)
	}
	o.begin()
	o.end() // leaves both, which are due again after a while
	if got := fired(o); got != "later" || time.Since(o.written) < batchPeriod {
		t.Errorf("what is left is written %s, %v after the last batch", got, time.Since(o.written))
	}
	o, pose, _ = of()
	o.countPictures(1)
	begun := time.Now()
	o.put(pose, frame{})
	if got := fired(o); got != "later" || time.Since(begun) < pictureDelay || time.Since(begun) > pictureDelay+Patience/10 {
		t.Errorf("what no picture follows is written %s, after %v", got, time.Since(begun))
	}
	o, pose, _ = of()
	o.countPictures(1)
	for range maxFrames/4 + 1 { // of a topic at 1 kHz, all of which are wanted
		o.put(pose, frame{})
	}
	if o.armed != soon {
		t.Errorf("a quarter of the room is taken, and what is there is of urgency %d", o.armed)
	}
	o, pose, _ = of()
	begun = time.Now()
	o.put(pose, frame{})
	if got := fired(o); got != "later" || time.Since(begun) < batchDelay {
		t.Errorf("without pictures a batch is written %s, after %v", got, time.Since(begun))
	}
	o.begin()
	o.reply(websocket.MessageText, nil)
	if o.armed != soon {
		t.Errorf("a reply is of urgency %d", o.armed)
	}
}

// Replies are not dropped: when there are too many no more are taken.
func TestReplies(t *testing.T) {
	o := newOutbox()
	n := 0
	for o.reply(websocket.MessageText, make([]byte, 1<<20)) {
		n++
	}
	if n != maxReplyBytes>>20 {
		t.Errorf("%d replies of 1 MiB", n)
	}
}

// A viewer that does not read is disconnected, and until then costs a bounded memory and no other
// any time. Another gets everything meanwhile.
func TestSilentViewer(t *testing.T) {
	n := NewFakeNode(t)
	silent, p := n.Connect(t), n.Connect(t)
	for _, v := range []*Peer{silent, p} {
		v.Text(`{"op":"subscribe","subscriptions":[{"id":2,"channelId":2}]}`)
	}
	Until(t, "two subscriptions", func() bool { return n.Server.channels[1].wanted.Load() == 2 })
	big := string(make([]byte, 100<<10))
	for i := range 200 {
		begun := time.Now()
		Say(n.Stream, big, msgs.Time(i))
		if took := time.Since(begun); took > writeTimeout/2 { // who waits for a viewer waits for all of it
			t.Errorf("publishing took %v", took)
		}
		if _, data := p.Next(); len(data) < len(big) {
			t.Fatalf("%d bytes", len(data))
		}
	}
	held := 0
	n.each(func(c *client) {
		c.outbox.mu.Lock()
		defer c.outbox.mu.Unlock()
		for _, s := range c.outbox.ready {
			held += s.bytes
		}
	})
	if held > 2*maxFrameBytes {
		t.Errorf("%d bytes wait", held)
	}
	if testing.Short() {
		return
	}
	for deadline := time.Now().Add(writeTimeout + Patience); n.Viewers() > 1; time.Sleep(50 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("after %v the viewer is still there", writeTimeout)
		}
	}
}

// There are only so many viewers and connections; when one leaves the next may come.
func TestTooMany(t *testing.T) {
	n := NewFakeNode(t)
	var all []*Peer
	for range maxViewers {
		all = append(all, n.Connect(t))
	}
	conn, _, err := websocket.Dial(t.Context(), n.Socket(), &websocket.DialOptions{Subprotocols: subprotocols})
	Must(t, err)
	refused := &Peer{conn, t}
	if code, why := refused.Ended(); code != websocket.StatusTryAgainLater || why != "64 viewers are connected, the most allowed; close one" {
		t.Errorf("ended with %v, %q", code, why)
	}
	var idle []net.Conn
	for range 2 * maxConnections {
		c, err := net.Dial("tcp", n.host.access.addr.String())
		Must(t, err)
		idle = append(idle, c)
	}
	for _, c := range idle {
		c.Close()
	}
	Must(t, all[0].Close(websocket.StatusNormalClosure, ""))
	Until(t, "a place", func() bool {
		n.Server.mu.Lock()
		defer n.Server.mu.Unlock()
		return n.places < maxViewers
	})
	Until(t, "a connection", func() bool {
		c, _, err := websocket.Dial(t.Context(), n.Socket(), &websocket.DialOptions{Subprotocols: subprotocols})
		if err == nil {
			_, _, err = c.Read(t.Context())
			_ = c.CloseNow()
		}
		return err == nil
	})
}

// What a viewer has wait is bounded in bytes, over all services.
func TestWaitingBytes(t *testing.T) {
	c := new(client)
	one, other := &lane{held: &c.held}, &lane{held: &c.held}
	hold, done := make(chan struct{}), make(chan struct{})
	must := func(l *lane, bytes int, f func(), want bool) {
		t.Helper()
		if got := l.do(bytes, f); got != want {
			t.Fatalf("%d bytes more than %d: taken %v", bytes, c.held.Load(), got)
		}
	}
	must(one, maxWaitingBytes/2, func() { <-hold }, true)
	must(other, maxWaitingBytes/2, func() { <-hold; close(done) }, true)
	must(one, 1, nil, false)
	must(other, 0, func() {}, true)
	close(hold)
	<-done
	Until(t, "room", func() bool { return c.held.Load() == 0 })
	must(one, maxWaitingBytes, func() {}, true)
}

// Why a connection ends reaches the viewer also when it is said while a batch is collected.
func TestCloseWithinBatch(t *testing.T) {
	n := NewFakeNode(t)
	p := n.Connect(t)
	var c *client
	n.each(func(one *client) { c = one })
	c.batch.begin()
	go func() { _ = c.conn.Close(websocket.StatusGoingAway, "the node ends") }()
	Until(t, "a collected close frame", func() bool {
		c.batch.mu.Lock()
		defer c.batch.mu.Unlock()
		return len(c.batch.buf) > 0
	})
	c.status(warning, "too late") // cannot be written any more
	if code, why := p.Ended(); code != websocket.StatusGoingAway || why != "the node ends" {
		t.Errorf("told %v %q", code, why)
	}
}
