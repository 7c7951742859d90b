package viewer_test

import (
	"encoding/binary"
	"fmt"
	"net"
	"runtime"
	"strings"
	"testing"
	"time"

	"sinew/pkg/ros/viewer"
)

// Of a message that is too large only a little more than what is allowed is taken, and the connection ends soon, however much the
// viewer continues to send.
func TestHugeFrame(t *testing.T) {
	const (
		announced = 1 << 30
		most      = 64 << 20 // with what the kernel holds on both sides
	)
	n := viewer.NewFakeNode(t)
	at := strings.TrimSuffix(strings.TrimPrefix(n.Socket(), "ws://"), "/")
	conn, err := net.Dial("tcp", at)
	viewer.Must(t, err)
	defer conn.Close()
	viewer.Must(t, conn.SetDeadline(time.Now().Add(viewer.Patience)))
	_, err = fmt.Fprintf(conn, "GET / HTTP/1.1\r\nHost: %s\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Protocol: %s\r\n\r\n", at, viewer.Subprotocols[0])
	viewer.Must(t, err)
	viewer.Until(t, "the viewer", func() bool { return n.Viewers() == 1 })
	head := binary.BigEndian.AppendUint64([]byte{0x82, 0xff}, announced)
	_, err = conn.Write(append(head, 0, 0, 0, 0)) // masked with zeros
	viewer.Must(t, err)
	chunk := make([]byte, 1<<20)
	sent := 0
	for err == nil && sent < announced {
		var k int
		k, err = conn.Write(chunk)
		sent += k
	}
	if err == nil || sent > most {
		t.Errorf("%d bytes were taken, then %v", sent, err)
	}
	viewer.Until(t, "the end of the viewer", func() bool { return n.Viewers() == 0 })
}

// What a viewer has sent takes no memory once it is done, however large it was.
func TestLargeMessagesAreForgotten(t *testing.T) {
	const viewers = 16
	n := viewer.NewFakeNode(t)
	var peers []*viewer.Peer
	for range viewers {
		peers = append(peers, n.Connect(t))
	}
	held := func() int {
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		return int(m.HeapAlloc)
	}
	large := strings.Repeat("[", viewer.MaxMessage-1)
	before := held()
	for _, p := range peers {
		p.Text(large)
		p.Told("no request")
	}
	if more := held() - before; more > viewers*viewer.MaxMessage/4 {
		t.Errorf("%d bytes are held after a message of %d bytes from each of %d viewers", more, len(large), viewers)
	}
	runtime.KeepAlive(peers)
}
