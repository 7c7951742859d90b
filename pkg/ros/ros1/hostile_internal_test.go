package ros1

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"sinew/msgs/geometry_msgs"
	"sinew/msgs/std_msgs"
	"sinew/pkg/ros"
	"sinew/pkg/ros/xmlrpc"
)

// Tests of what has no exported name.

// publishBound is how long Publish may take on a loaded machine whose scheduler
// gives others their turn in between. A Publish that waits for a peer would take
// longer: handshakeTime, or cutAfter.
const (
	publishBound = 1500 * time.Millisecond
	cutAfter     = 5 * time.Second
)

// TestFrozenAndSlow has one subscriber that reads nothing and one that reads a
// quarter of what is sent, beside a healthy one: the slow one misses messages, but
// ends with the newest.
func TestFrozenAndSlow(t *testing.T) {
	t.Parallel()
	m := StartMaster(t)
	node := m.joinWith("/sim", cutAfter)
	big := ros.Topic{Name: "/sim/backbone", Type: geometry_msgs.PoseArrayType}
	out := m.Advertise(node, big)
	connect := func(who string) net.Conn {
		c := dial(t, node)
		h := Header{"callerid": "/" + who, "topic": big.Name, "type": "*", "md5sum": "*"}
		if _, err := c.Write(h.Append(nil)); err != nil {
			t.Fatal(err)
		}
		return c
	}
	frozen := connect("frozen")
	slow, healthy := connect("slow"), connect("healthy")

	// the headers' numbers, as messages arrive and may be read
	read := func(c net.Conn, may func() bool, seen func(seq uint32)) {
		in := bufio.NewReader(c)
		if _, err := readHeader(in); err != nil {
			return
		}
		for {
			for !may() {
				time.Sleep(time.Millisecond)
			}
			var size [8]byte
			if _, err := io.ReadFull(in, size[:]); err != nil {
				return
			}
			seen(binary.LittleEndian.Uint32(size[4:]))
			if _, err := io.CopyN(io.Discard, in, int64(binary.LittleEndian.Uint32(size[:]))-4); err != nil {
				return
			}
		}
	}
	const n = 1000
	all, late := &Collector[uint32]{}, &Collector[uint32]{}
	var published atomic.Uint32
	go read(healthy, func() bool { return true }, all.Add)
	go read(slow, func() bool { p := published.Load(); return p == n || 4*len(late.All()) < int(p) }, late.Add)
	Eventually(t, "three subscribers", func() bool { return node.server.publication(big.Name).wanted.Load() == 3 })

	// 50 poses of 56 bytes each: sockets and queues fill up soon
	message := &geometry_msgs.PoseArray{Poses: make([]geometry_msgs.Pose, 50)}
	var longest time.Duration
	for i := range uint32(n) {
		Eventually(t, "the healthy one reads", func() bool { return !lags(i, all) })
		begin := time.Now()
		out.Publish(ros.NewSample(message))
		longest = max(longest, time.Since(begin))
		published.Add(1)
		time.Sleep(time.Millisecond)
	}
	Eventually(t, "the healthy one has all", func() bool { return len(all.All()) == n })
	NoGaps(t, "healthy", all.All())
	if longest > publishBound {
		t.Errorf("Publish took %v", longest)
	}
	if node.Dropped() == 0 {
		t.Error("nothing was counted as dropped")
	}
	Eventually(t, "the slow one has the newest", func() bool { s := late.All(); return s[len(s)-1] == n })
	if got := len(late.All()); got >= n {
		t.Errorf("the slow one got %d messages of %d", got, n)
	}
	Eventually(t, "the frozen one is cut", func() bool { return node.server.publication(big.Name).wanted.Load() == 2 })
	frozen.Close()
	t.Logf("longest Publish %v; dropped %d; slow got %d of %d", longest, node.Dropped(), len(late.All()), n)
}

// TestHostilePeers lets peers misbehave on both ports while 1 kHz flows.
func TestHostilePeers(t *testing.T) {
	t.Parallel()
	m := StartMaster(t)
	node := m.Join("/sim")
	out := m.Advertise(node, PoseTopic("/sim/measured_cp"))
	seen := m.Poses(m.Peer("viewer"), "/sim/measured_cp")
	Eventually(t, "a subscriber", out.HasSubscribers)
	Eventually(t, "the node is registered", func() bool { return m.Lookup("/sim") != "" })
	slave := strings.Trim(strings.TrimPrefix(m.Lookup("/sim"), "http://"), "/")
	stop := Stream(out, seen)

	random := rand.New(rand.NewPCG(1, 2))
	garbage := func() []byte {
		b := make([]byte, 1+random.IntN(200))
		for i := range b {
			b[i] = byte(random.Uint32())
		}
		return b
	}
	for range 50 {
		for _, address := range []string{node.server.listener.Addr().String(), slave} {
			c, err := net.Dial("tcp", address)
			if err != nil {
				t.Fatal(err)
			}
			c.Write(garbage())
			c.Close()
		}
	}
	for range 100 { // each announces 16 MB and sends nothing
		c := dial(t, node)
		c.Write([]byte{0, 0, 0, 1, 0xf0, 0xff, 0xff, 0})
	}
	// half of the handshake, then nothing
	h := subscriberHeader("/sim/measured_cp").Append(nil)
	dial(t, node).Write(h[:len(h)/2])
	hugeBody(t, slave)

	if longest := stop(); longest > publishBound {
		t.Errorf("Publish took %v", longest)
	}
	n := len(seen.All())
	out.Publish(ros.NewSample(&geometry_msgs.PoseStamped{}))
	Eventually(t, "the viewer gets a message after all this", func() bool { return len(seen.All()) > n })
	NoGaps(t, "viewer", seen.All())
}

// hugeBody sends an XML-RPC request of 256 MB and checks that it is not read.
func hugeBody(t *testing.T, address string) {
	t.Helper()
	c, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	const size = 256 << 20
	fmt.Fprintf(c, "POST /RPC2 HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/xml\r\nContent-Length: %d\r\n\r\n<?xml version=\"1.0\"?>", size)
	chunk := bytes.Repeat([]byte(" "), 1<<20)
	sent := 0
	_ = c.SetWriteDeadline(time.Now().Add(patience))
	for ; sent < size; sent += len(chunk) {
		if _, err := c.Write(chunk); err != nil {
			break
		}
	}
	// what the sockets hold comes on top of the limit
	if sent > 2*xmlrpc.MaxBody {
		t.Errorf("a body of 256 MB: %d bytes were taken", sent)
	}
}

// TestWrongSubscribers checks the replies to headers that cannot be served.
func TestWrongSubscribers(t *testing.T) {
	t.Parallel()
	m := StartMaster(t)
	node := m.Join("/sim")
	out := m.Advertise(node, PoseTopic("/sim/measured_cp"))
	for want, h := range map[string]Header{
		"/sim/measured_cp is geometry_msgs/PoseStamped with md5sum d3812c3c": {"callerid": "/x", "topic": "/sim/measured_cp", "type": "std_msgs/Bool", "md5sum": std_msgs.BoolType.MD5},
		"does not publish /sim/other":                                        {"callerid": "/x", "topic": "/sim/other", "md5sum": "*"},
		"does not offer /sim/measured_cp":                                    {"callerid": "/x", "service": "/sim/measured_cp", "md5sum": "*"},
		"names no topic and no service":                                      {"callerid": "/x"},
	} {
		c := dial(t, node)
		if _, err := c.Write(h.Append(nil)); err != nil {
			t.Fatal(err)
		}
		_ = c.SetReadDeadline(time.Now().Add(patience))
		reply, err := readHeader(c)
		if err != nil || !strings.Contains(reply["error"], want) {
			t.Errorf("%v: reply %v, %v; want an error with %q", h, reply, err, want)
		}
		if _, err := c.Read(make([]byte, 1)); err != io.EOF {
			t.Errorf("%v: the connection stays open: %v", h, err)
		}
	}
	if out.HasSubscribers() {
		t.Error("wanted by subscribers that were refused")
	}
}

// TestSameCaller connects twice under one name, as a node does that was cut off
// without notice.
func TestSameCaller(t *testing.T) {
	t.Parallel()
	m := StartMaster(t)
	node := m.Join("/sim")
	out := m.Advertise(node, PoseTopic("/sim/measured_cp"))
	for range 2 {
		if _, err := dial(t, node).Write(subscriberHeader("/sim/measured_cp").Append(nil)); err != nil {
			t.Fatal(err)
		}
	}
	Eventually(t, "both are served", func() bool { return node.server.publication("/sim/measured_cp").wanted.Load() == 2 })
	out.Publish(ros.NewSample(&geometry_msgs.PoseStamped{}))
	Eventually(t, "both are counted", func() bool {
		stats := node.slave.busStats(nil)[2].([]any)[0].([]any)
		return len(stats) == 1 && len(stats[0].([]any)[2].([]any)) == 2 && stats[0].([]any)[1].(int) > 0
	})
}

// TestTalkingSubscriber cuts a subscriber that sends without end, beside one that
// says a little.
func TestTalkingSubscriber(t *testing.T) {
	t.Parallel()
	node := StartMaster(t).Join("/sim")
	if _, err := node.Advertise(PoseTopic("/sim/measured_cp")); err != nil {
		t.Fatal(err)
	}
	connect := func() net.Conn {
		c := dial(t, node)
		if _, err := c.Write(subscriberHeader("/sim/measured_cp").Append(nil)); err != nil {
			t.Fatal(err)
		}
		return c
	}
	little, endless := connect(), connect()
	wanted := &node.server.publication("/sim/measured_cp").wanted
	Eventually(t, "two subscribers", func() bool { return wanted.Load() == 2 })
	if _, err := little.Write(make([]byte, 1000)); err != nil {
		t.Error(err)
	}
	_ = endless.SetWriteDeadline(time.Now().Add(patience))
	sent := 0
	for {
		n, err := endless.Write(make([]byte, 1<<20))
		if sent += n; errors.Is(err, os.ErrDeadlineExceeded) {
			t.Fatalf("still there after %d bytes", sent)
		} else if err != nil {
			break
		}
	}
	Eventually(t, "one subscriber", func() bool { return wanted.Load() == 1 })
}
