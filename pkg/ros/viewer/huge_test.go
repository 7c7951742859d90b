package viewer

import (
	"encoding/binary"
	"fmt"
	"net"
	"runtime"
	"strings"
	"testing"
	"time"
)

// Of a message that is too large only a little more than what is allowed is taken, and the connection ends soon, however much the
// viewer goes on to send.
func TestHugeFrame(t *testing.T) {
	const (
		announced = 1 << 30
		most      = 64 << 20 // with what the kernel holds on both sides
	)
	n := newStation(t)
	at := strings.TrimSuffix(strings.TrimPrefix(n.Socket(), "ws://"), "/")
	conn, err := net.Dial("tcp", at)
	must(t, err)
	defer conn.Close()
	must(t, conn.SetDeadline(time.Now().Add(patience)))
	_, err = fmt.Fprintf(conn, "GET / HTTP/1.1\r\nHost: %s\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Protocol: %s\r\n\r\n", at, subprotocols[0])
	must(t, err)
	until(t, "the viewer", func() bool { return n.Viewers() == 1 })
	head := binary.BigEndian.AppendUint64([]byte{0x82, 0xff}, announced)
	_, err = conn.Write(append(head, 0, 0, 0, 0)) // masked with zeros
	must(t, err)
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
	until(t, "the end of the viewer", func() bool { return n.Viewers() == 0 })
}

// What a viewer has sent takes no memory once it is done, however large it was.
func TestLargeMessagesAreForgotten(t *testing.T) {
	const viewers = 16
	n := newStation(t)
	var peers []*peer
	for range viewers {
		peers = append(peers, n.connect(t))
	}
	held := func() int {
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		return int(m.HeapAlloc)
	}
	large := strings.Repeat("[", maxMessage-1)
	before := held()
	for _, p := range peers {
		p.text(large)
		p.told("no request")
	}
	if more := held() - before; more > viewers*maxMessage/4 {
		t.Errorf("%d bytes are held after a message of %d bytes from each of %d viewers", more, len(large), viewers)
	}
	runtime.KeepAlive(peers)
}
