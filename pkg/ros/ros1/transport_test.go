package ros1_test

import (
	"net"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/bluenviron/goroslib/v2"
	ggeometry "github.com/bluenviron/goroslib/v2/pkg/msgs/geometry_msgs"

	"sinew/msgs"
	"sinew/msgs/geometry_msgs"
	"sinew/msgs/std_msgs"
	"sinew/pkg/ros"
	"sinew/pkg/ros/ros1"
)

func TestPublishAndSubscribe(t *testing.T) {
	t.Parallel()
	m := ros1.StartMaster(t)
	node, peer := m.Join("/lab/sim"), m.Peer("lab_tools")
	out := m.Advertise(node, ros1.PoseTopic("/lab/sim/measured_cp"))
	in := m.Command(node, "/lab/sim/tensions")

	got := &ros1.Collector[*ggeometry.PoseStamped]{}
	s, err := goroslib.NewSubscriber(goroslib.SubscriberConf{
		Node: peer, Topic: "/lab/sim/measured_cp", Callback: func(p *ggeometry.PoseStamped) { got.Add(p) },
	})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	ros1.Eventually(t, "a subscriber is seen", out.HasSubscribers)
	pose := &geometry_msgs.PoseStamped{Header: std_msgs.Header{Seq: 77, Stamp: msgs.At(1500 * time.Millisecond), FrameID: "world"}}
	pose.Pose.Position.X, pose.Pose.Orientation.W = 0.25, 1
	for range 3 {
		out.Publish(ros.NewSample(pose))
	}
	ros1.Eventually(t, "three poses", func() bool { return len(got.All()) == 3 })
	var seq []uint32
	for _, p := range got.All() {
		seq = append(seq, p.Header.Seq)
		if p.Pose.Position.X != 0.25 || p.Pose.Orientation.W != 1 || p.Header.FrameId != "world" || p.Header.Stamp.UnixNano() != 1.5e9 {
			t.Errorf("got %+v", p)
		}
	}
	if ros1.NoGaps(t, "peer", seq); pose.Header.Seq != 77 {
		t.Error("Publish changed the message")
	}

	send := m.Tensions(peer, "/lab/sim/tensions")
	ros1.Eventually(t, "a command", func() bool { send(4.5, 0); return len(in.All()) > 0 })
	if v := in.All()[0]; v != 4.5 {
		t.Errorf("got command %g, want 4.5", v)
	}
}

func TestWanted(t *testing.T) {
	t.Parallel()
	m := ros1.StartMaster(t)
	node := m.Join("/sim")
	out := m.Advertise(node, ros1.PoseTopic("/sim/measured_cp"))
	if out.HasSubscribers() {
		t.Error("wanted without a subscriber")
	}
	peers := 0
	meet := func() (slowest time.Duration) {
		peers++
		peer := m.Peer("viewer") // of the same name again
		defer peer.Close()
		s, err := goroslib.NewSubscriber(goroslib.SubscriberConf{
			Node: peer, Topic: "/sim/measured_cp", Callback: func(*ggeometry.PoseStamped) {},
		})
		if err != nil {
			t.Fatal(err)
		}
		begin := time.Now()
		ros1.Eventually(t, "wanted after a subscriber has come", out.HasSubscribers)
		slowest = time.Since(begin)
		s.Close()
		begin = time.Now()
		ros1.Eventually(t, "not wanted after it has left", func() bool { return !out.HasSubscribers() })
		return max(slowest, time.Since(begin))
	}
	meet()
	ros1.Promptly(t, "to meet a subscriber, or to miss it,", time.Second, meet)
}

func TestLatched(t *testing.T) {
	t.Parallel()
	m := ros1.StartMaster(t)
	topic := ros1.PoseTopic("/sim/operating_state")
	topic.Latched = true
	out := m.Advertise(m.Join("/sim"), topic)
	for range 1000 { // more than any queue holds: the last must survive
		out.Publish(ros.NewSample(&geometry_msgs.PoseStamped{}))
	}
	time.Sleep(50 * time.Millisecond)
	got := m.Poses(m.Peer("late"), topic.Name)
	ros1.Eventually(t, "the latched message", func() bool { return len(got.All()) > 0 })
	if seq := got.All(); !slices.Equal(seq, []uint32{1000}) {
		t.Errorf("a late subscriber got messages %d, want the last of 1000", seq)
	}
}

// TestLateMaster starts the node before its master.
func TestLateMaster(t *testing.T) {
	t.Parallel()
	m := ros1.StartMaster(t)
	m.Kill()
	var out ros.Publisher
	var node *ros1.Transport
	ros1.Promptly(t, "starting without a master", time.Second, func() time.Duration {
		if node != nil {
			_ = node.Close()
		}
		begin := time.Now()
		node = m.Join("/sim")
		out = m.Advertise(node, ros1.PoseTopic("/sim/measured_cp"))
		return time.Since(begin)
	})
	out.Publish(ros.NewSample(&geometry_msgs.PoseStamped{}))
	m.Start()
	ros1.Eventually(t, "the node is registered", func() bool { return m.Lookup("/sim") != "" })
	got := m.Poses(m.Peer("viewer"), "/sim/measured_cp")
	ros1.Eventually(t, "a pose", func() bool { out.Publish(ros.NewSample(&geometry_msgs.PoseStamped{})); return len(got.All()) > 0 })
}

func TestRefused(t *testing.T) {
	t.Parallel()
	m := ros1.StartMaster(t)
	node := m.Join("/sim")
	m.Advertise(node, ros1.PoseTopic("/sim/twice"))
	m.Command(node, "/sim/in")
	for what, c := range map[string]struct {
		err  error
		want string
	}{
		"a topic twice":            {second(node.Advertise(ros1.PoseTopic("/sim/twice"))), "already published"},
		"a subscription twice":     {node.Subscribe(ros.Topic{Name: "/sim/in", Type: std_msgs.BoolType}, nil), "already subscribed"},
		"a relative name":          {second(node.Advertise(ros1.PoseTopic("sim"))), "not absolute"},
		"a private name":           {node.Subscribe(ros1.PoseTopic("~sim"), nil), "not absolute"},
		"an unknown type":          {second(node.Advertise(ros.Topic{Name: "/x", Type: &msgs.Type{Name: "a/B"}})), "a/B is not known"},
		"an unknown service":       {node.Serve("/x", &msgs.Service{Name: "a/C"}, nil), "a/C is not known"},
		"a node without namespace": {second(ros1.New(ros1.Options{Node: "sim"})), "not absolute"},
		"a node without a name":    {second(ros1.New(ros1.Options{Node: "/"})), "not absolute"},
	} {
		if c.err == nil || !strings.Contains(c.err.Error(), c.want) {
			t.Errorf("%s: error %v, want one with %q", what, c.err, c.want)
		}
	}
	defer func() {
		if recover() == nil {
			t.Error("a message of the wrong type was published")
		}
	}()
	m.Advertise(node, ros1.PoseTopic("/sim/typed")).Publish(ros.NewSample(&std_msgs.Bool{}))
}

func second[T any](_ T, err error) error { return err }

// TestClose checks that a node leaves the master and leaves no goroutine, and
// that everything is refused afterwards.
func TestClose(t *testing.T) {
	m := ros1.StartMaster(t)
	peer := m.Peer("viewer")
	before := runtime.NumGoroutine()
	ros1.Promptly(t, "Close", time.Second, func() time.Duration { return m.OpenAndClose(peer) })
	ros1.Eventually(t, "all goroutines have ended", func() bool { return runtime.NumGoroutine() <= before })
}

// TestCloseHanging closes a node whose master accepts connections but never
// answers.
func TestCloseHanging(t *testing.T) {
	t.Parallel()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	m := &ros1.Master{T: t, Address: l.Addr().String()}
	ros1.Promptly(t, "Close", 2*time.Second, func() time.Duration {
		node, err := ros1.New(ros1.Options{Node: "/sim", Master: m.RosMaster()})
		if err != nil {
			t.Fatal(err)
		}
		m.Advertise(node, ros1.PoseTopic("/sim/measured_cp"))
		time.Sleep(20 * time.Millisecond)
		begin := time.Now()
		_ = node.Close()
		return time.Since(begin)
	})
}
