package ros1

import (
	"encoding/binary"
	"io"
	"net"
	"testing"
	"time"

	"go.uber.org/zap"

	"sinew/msgs/geometry_msgs"
	"sinew/pkg/ros"
)

// TestSharedBytes checks that all subscribers get the very bytes of the sample,
// which stay as they are.
func TestSharedBytes(t *testing.T) {
	p := newPublication(PoseTopic("/sim/measured_cp"), newServer("/sim", nil, usual.frozen, zap.NewNop()))
	var all []*subscriberConn
	for range 4 {
		c, _ := net.Pipe()
		s := newSubscriberConn(p, c, "/viewer")
		p.join(s)
		all = append(all, s)
	}
	sample := ros.NewSample(&geometry_msgs.PoseStamped{})
	sample.ROS1()[0] = 77 // seq, which is replaced on the way out only
	p.Publish(sample)
	for i, s := range all {
		if m, _ := s.queue.Take(); &m.body[0] != &sample.ROS1()[0] || m.seq != 1 || m.body[0] != 77 {
			t.Errorf("subscriber %d has message %d in bytes of its own", i, m.seq)
		}
	}
}

// TestLostMessages checks that what a slow subscriber has lost stays counted when it
// leaves, and that what it had yet to get is not.
func TestLostMessages(t *testing.T) {
	p := newPublication(PoseTopic("/sim/measured_cp"), newServer("/sim", nil, usual.frozen, zap.NewNop()))
	c, _ := net.Pipe()
	s := newSubscriberConn(p, c, "/viewer")
	p.join(s)
	const lost = 3
	for range subscriberQueue + lost {
		p.Publish(ros.NewSample(&geometry_msgs.PoseStamped{}))
	}
	if n := p.lost(); n != lost {
		t.Errorf("%d messages lost by a subscriber that is there, want %d", n, lost)
	}
	p.leave(s)
	if n := p.lost(); n != lost {
		t.Errorf("%d messages lost by a subscriber that has left, want %d", n, lost)
	}
}

// servePoses opens a topic of PoseStamped on a server alone, without a node around
// it, and connects subscribers.
func servePoses(t testing.TB, subscribers int) (*publication, []net.Conn) {
	t.Helper()
	l, err := listenOn(loopback)
	if err != nil {
		t.Fatal(err)
	}
	s := newServer("/sim", l, usual.frozen, zap.NewNop())
	s.start()
	t.Cleanup(s.close)
	p := newPublication(PoseTopic("/sim/measured_cp"), s)
	if err := s.addPublication(p); err != nil {
		t.Fatal(err)
	}
	var conns []net.Conn
	for range subscribers {
		c, err := net.Dial("tcp", l.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { c.Close() })
		if _, err := c.Write(subscriberHeader(p.topic.Name).Append(nil)); err != nil {
			t.Fatal(err)
		}
		if _, err := readHeader(c); err != nil {
			t.Fatal(err)
		}
		conns = append(conns, c)
	}
	for int(p.wanted.Load()) < subscribers {
		time.Sleep(time.Millisecond)
	}
	return p, conns
}

// TestPublishAllocations checks that nothing between Publish and four sockets
// allocates.
func TestPublishAllocations(t *testing.T) {
	p, conns := servePoses(t, 4)
	sample := ros.NewSample(&geometry_msgs.PoseStamped{})
	size := 4 + len(sample.ROS1())
	read := make(chan uint32, len(conns))
	for _, c := range conns {
		go func() {
			for message := make([]byte, size); ; {
				if _, err := io.ReadFull(c, message); err != nil {
					return
				}
				read <- binary.LittleEndian.Uint32(message[4:])
			}
		}()
	}
	const runs = 1000
	seq := uint32(0)
	allocations := testing.AllocsPerRun(runs, func() {
		p.Publish(sample)
		seq++
		for range conns {
			if got := <-read; got != seq {
				t.Fatalf("message %d arrived, want %d", got, seq)
			}
		}
	})
	if allocations != 0 {
		t.Errorf("%g allocations per published pose, want none", allocations)
	}
}

// BenchmarkPublish is the time of Publish with four subscribers that read.
func BenchmarkPublish(b *testing.B) {
	p, conns := servePoses(b, 4)
	for _, c := range conns {
		go io.Copy(io.Discard, c)
	}
	sample := ros.NewSample(&geometry_msgs.PoseStamped{})
	b.ReportAllocs()
	for b.Loop() {
		p.Publish(sample)
	}
}
