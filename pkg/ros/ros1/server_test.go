package ros1

import (
	"io"
	"net"
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/zap"

	"sinew/msgs"
	"sinew/msgs/geometry_msgs"
	"sinew/msgs/std_srvs"
	"sinew/pkg/ros"
)

// TestConnectionLimit checks that connections beyond the limit are refused, and that
// one that ends makes room.
func TestConnectionLimit(t *testing.T) {
	s := newServer("/sim", nil, usual.frozen, zap.NewNop())
	var conns []net.Conn
	for range maxConnections {
		c, _ := net.Pipe()
		if !s.hold(c) {
			t.Fatalf("refused with %d connections, want %d", len(conns), maxConnections)
		}
		conns = append(conns, c)
	}
	more, _ := net.Pipe()
	if s.hold(more) {
		t.Errorf("more than %d connections are held", maxConnections)
	}
	s.release(conns[0])
	if !s.hold(more) {
		t.Error("refused although one connection has ended")
	}
}

// TestCloseDelivers checks that a subscriber gets all that was published before the
// end.
func TestCloseDelivers(t *testing.T) {
	p, conns := servePoses(t, 1)
	sample := ros.NewSample(&geometry_msgs.PoseStamped{})
	for range subscriberQueue {
		p.Publish(sample)
	}
	p.server.close()
	got, err := io.ReadAll(conns[0])
	if want := subscriberQueue * (4 + len(sample.ROS1())); err != nil || len(got) != want {
		t.Errorf("%d bytes arrived, error %v; want %d", len(got), err, want)
	}
}

// TestServiceOneCallAtATime checks that clients wait for each other.
func TestServiceOneCallAtATime(t *testing.T) {
	var running, most atomic.Int32
	s := &service{name: "/sim/reset", kind: std_srvs.Trigger, log: zap.NewNop(), handle: ros.Deferred(func(msgs.Message) msgs.Message {
		most.Store(max(most.Load(), running.Add(1)))
		time.Sleep(20 * time.Millisecond)
		running.Add(-1)
		return &std_srvs.TriggerResponse{}
	})}
	answered := make(chan []byte)
	const clients = 4
	for range clients {
		go func() { answered <- s.appendAnswer(nil, nil) }()
	}
	for range clients {
		if a := <-answered; len(a) == 0 || a[0] != 1 {
			t.Errorf("answer %v", a)
		}
	}
	if most.Load() != 1 {
		t.Errorf("%d calls at a time", most.Load())
	}
}

// TestIdleServiceClient checks that a client that stays may be silent for longer than
// a call may take.
func TestIdleServiceClient(t *testing.T) {
	t.Parallel()
	m := StartMaster(t)
	node := m.Join("/sim")
	err := node.Serve("/sim/reset", std_srvs.Trigger, ros.Deferred(func(msgs.Message) msgs.Message { return &std_srvs.TriggerResponse{} }))
	if err != nil {
		t.Fatal(err)
	}
	c, _ := callService(t, node, "/sim/reset", Header{"md5sum": std_srvs.Trigger.MD5, "persistent": "1"})
	answer := make([]byte, 1+4+1+4) // ok, length, success, empty text
	for i := range 2 {
		if i > 0 {
			time.Sleep(callTime + 200*time.Millisecond)
		}
		if _, err := c.Write(make([]byte, 4)); err != nil {
			t.Error(err)
		}
		_ = c.SetReadDeadline(time.Now().Add(patience))
		if _, err := io.ReadFull(c, answer); err != nil || answer[0] != 1 {
			t.Fatalf("call %d: %v, %v", i, answer, err)
		}
	}
}

// TestOneMessageAtATime checks that publishers of one topic wait for each other.
func TestOneMessageAtATime(t *testing.T) {
	var running, most, bad atomic.Uint64
	topic := PoseTopic("/sim/target")
	s := newSubscription("/sim", topic, func(ros.Received) {
		most.Store(max(most.Load(), running.Add(1)))
		time.Sleep(20 * time.Millisecond)
		running.Add(^uint64(0))
	}, &bad, zap.NewNop())
	body := (&geometry_msgs.PoseStamped{}).AppendROS1(nil)
	taken := make(chan error)
	const publishers = 4
	for range publishers {
		go func() { taken <- s.take(body, ros.Sender{}, false) }()
	}
	for range publishers {
		if err := <-taken; err != nil {
			t.Error(err)
		}
	}
	if most.Load() != 1 {
		t.Errorf("%d messages at a time", most.Load())
	}
}
