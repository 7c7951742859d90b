package ros1

import (
	"net"
	"os"
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
)

func TestPublishAndSubscribe(t *testing.T) {
	t.Parallel()
	m := startMaster(t)
	node, peer := m.join("/lab/sim"), m.peer("lab_tools")
	out := m.advertise(node, poseTopic("/lab/sim/measured_cp"))
	in := m.command(node, "/lab/sim/tensions")

	got := &collector[*ggeometry.PoseStamped]{}
	s, err := goroslib.NewSubscriber(goroslib.SubscriberConf{
		Node: peer, Topic: "/lab/sim/measured_cp", Callback: func(p *ggeometry.PoseStamped) { got.add(p) },
	})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	eventually(t, "a subscriber is seen", out.Wanted)
	pose := &geometry_msgs.PoseStamped{Header: std_msgs.Header{Seq: 77, Stamp: msgs.At(1500 * time.Millisecond), FrameID: "world"}}
	pose.Pose.Position.X, pose.Pose.Orientation.W = 0.25, 1
	for range 3 {
		out.Publish(ros.NewSample(pose))
	}
	eventually(t, "three poses", func() bool { return len(got.all()) == 3 })
	var seq []uint32
	for _, p := range got.all() {
		seq = append(seq, p.Header.Seq)
		if p.Pose.Position.X != 0.25 || p.Pose.Orientation.W != 1 || p.Header.FrameId != "world" || p.Header.Stamp.UnixNano() != 1.5e9 {
			t.Errorf("got %+v", p)
		}
	}
	if noGaps(t, "peer", seq); pose.Header.Seq != 77 {
		t.Error("Publish changed the message")
	}

	send := m.tensions(peer, "/lab/sim/tensions")
	eventually(t, "a command", func() bool { send(4.5, 0); return len(in.all()) > 0 })
	if v := in.all()[0]; v != 4.5 {
		t.Errorf("got command %g, want 4.5", v)
	}
}

func TestWanted(t *testing.T) {
	t.Parallel()
	m := startMaster(t)
	node := m.join("/sim")
	out := m.advertise(node, poseTopic("/sim/measured_cp"))
	if out.Wanted() {
		t.Error("wanted without a subscriber")
	}
	peers := 0
	meet := func() (slowest time.Duration) {
		peers++
		peer := m.peer("viewer") // of the same name again
		defer peer.Close()
		s, err := goroslib.NewSubscriber(goroslib.SubscriberConf{
			Node: peer, Topic: "/sim/measured_cp", Callback: func(*ggeometry.PoseStamped) {},
		})
		if err != nil {
			t.Fatal(err)
		}
		begin := time.Now()
		eventually(t, "wanted after a subscriber has come", out.Wanted)
		slowest = time.Since(begin)
		s.Close()
		begin = time.Now()
		eventually(t, "not wanted after it has left", func() bool { return !out.Wanted() })
		return max(slowest, time.Since(begin))
	}
	meet()
	promptly(t, "to meet a subscriber, or to miss it,", time.Second, meet)
}

func TestLatched(t *testing.T) {
	t.Parallel()
	m := startMaster(t)
	topic := poseTopic("/sim/operating_state")
	topic.Latched = true
	out := m.advertise(m.join("/sim"), topic)
	for range 1000 { // more than any queue holds: the last must survive
		out.Publish(ros.NewSample(&geometry_msgs.PoseStamped{}))
	}
	time.Sleep(50 * time.Millisecond)
	got := m.poses(m.peer("late"), topic.Name)
	eventually(t, "the latched message", func() bool { return len(got.all()) > 0 })
	if seq := got.all(); !slices.Equal(seq, []uint32{1000}) {
		t.Errorf("a late subscriber got messages %d, want the last of 1000", seq)
	}
}

// TestLateMaster starts the node before its master.
func TestLateMaster(t *testing.T) {
	t.Parallel()
	m := startMaster(t)
	m.kill()
	var out ros.Publisher
	var node *Transport
	promptly(t, "starting without a master", time.Second, func() time.Duration {
		if node != nil {
			_ = node.Close()
		}
		begin := time.Now()
		node = m.join("/sim")
		out = m.advertise(node, poseTopic("/sim/measured_cp"))
		return time.Since(begin)
	})
	out.Publish(ros.NewSample(&geometry_msgs.PoseStamped{}))
	m.start()
	eventually(t, "the node is registered", func() bool { return m.lookup("/sim") != "" })
	got := m.poses(m.peer("viewer"), "/sim/measured_cp")
	eventually(t, "a pose", func() bool { out.Publish(ros.NewSample(&geometry_msgs.PoseStamped{})); return len(got.all()) > 0 })
}

// TestSurroundings checks that neither the command line nor the environment
// reaches the names of the node.
func TestSurroundings(t *testing.T) {
	t.Setenv("ROS_NAMESPACE", "/elsewhere")
	args := os.Args
	os.Args = append(slices.Clone(args), "/sim/measured_cp:=/wrong", "sim:=wrong")
	defer func() { os.Args = args }()
	m := startMaster(t)
	node := m.join("/sim")
	out := m.advertise(node, poseTopic("/sim/measured_cp"))
	eventually(t, "the node is registered", func() bool { return m.lookup("/sim") != "" })
	if ns := os.Getenv("ROS_NAMESPACE"); ns != "/elsewhere" {
		t.Errorf("ROS_NAMESPACE is %q afterwards", ns)
	}
	os.Args = args
	os.Unsetenv("ROS_NAMESPACE")
	got := m.poses(m.peer("viewer"), "/sim/measured_cp")
	eventually(t, "a pose under the name given", func() bool { out.Publish(ros.NewSample(&geometry_msgs.PoseStamped{})); return len(got.all()) > 0 })

	// the name that peers see, in the reply to their header
	c := dial(t, node)
	h := subscriberHeader("/sim/measured_cp")
	if _, err := c.Write(h.append(nil)); err != nil {
		t.Fatal(err)
	}
	reply, err := readHeader(c)
	if err != nil || reply["callerid"] != "/sim" || reply["topic"] != "/sim/measured_cp" {
		t.Errorf("reply %v, %v", reply, err)
	}
}

// dial connects to a node's TCPROS port.
func dial(t *testing.T, node *Transport) net.Conn {
	t.Helper()
	c, err := net.Dial("tcp", node.server.listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c
}

// subscriberHeader is what a subscriber of PoseStamped sends first.
func subscriberHeader(topic string) header {
	return header{"callerid": "/raw", "topic": topic, "type": "geometry_msgs/PoseStamped", "md5sum": geometry_msgs.PoseStampedType.MD5}
}

func TestRefused(t *testing.T) {
	t.Parallel()
	m := startMaster(t)
	node := m.join("/sim")
	m.advertise(node, poseTopic("/sim/twice"))
	m.command(node, "/sim/in")
	for what, c := range map[string]struct {
		err  error
		want string
	}{
		"a topic twice":            {second(node.Advertise(poseTopic("/sim/twice"))), "already published"},
		"a subscription twice":     {node.Subscribe(ros.Topic{Name: "/sim/in", Type: std_msgs.BoolType}, nil), "already subscribed"},
		"a relative name":          {second(node.Advertise(poseTopic("sim"))), "not absolute"},
		"a private name":           {node.Subscribe(poseTopic("~sim"), nil), "not absolute"},
		"an unknown type":          {second(node.Advertise(ros.Topic{Name: "/x", Type: &msgs.Type{Name: "a/B"}})), "a/B is not known"},
		"an unknown service":       {node.Serve("/x", &msgs.Service{Name: "a/C"}, nil), "a/C is not known"},
		"a node without namespace": {second(New(Options{Node: "sim"})), "not absolute"},
		"a node without a name":    {second(New(Options{Node: "/"})), "not absolute"},
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
	m.advertise(node, poseTopic("/sim/typed")).Publish(ros.NewSample(&std_msgs.Bool{}))
}

func second[T any](_ T, err error) error { return err }

// TestClose checks that a node leaves the master and leaves no goroutine, and
// that everything is refused afterwards.
func TestClose(t *testing.T) {
	m := startMaster(t)
	peer := m.peer("viewer")
	before := runtime.NumGoroutine()
	promptly(t, "Close", time.Second, func() time.Duration { return m.openAndClose(peer) })
	eventually(t, "all goroutines have ended", func() bool { return runtime.NumGoroutine() <= before })
}

// openAndClose returns how long a node that has a subscriber takes to leave, after which the
// master does not know it and everything is refused.
func (m *testMaster) openAndClose(peer *goroslib.Node) time.Duration {
	t := m.T
	node, err := New(Options{Node: "/sim", Master: m.rosMaster()})
	if err != nil {
		t.Fatal(err)
	}
	out := m.advertise(node, poseTopic("/sim/measured_cp"))
	m.command(node, "/sim/tensions")
	s, err := goroslib.NewSubscriber(goroslib.SubscriberConf{
		Node: peer, Topic: "/sim/measured_cp", Callback: func(*ggeometry.PoseStamped) {},
	})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	eventually(t, "a subscriber", out.Wanted)
	begin := time.Now()
	err = node.Close()
	took := time.Since(begin)
	if err != nil && took < closeTime {
		t.Error(err)
	}
	if uri := m.lookup("/sim"); uri != "" {
		if took < goodbyeTime/2 {
			t.Errorf("still registered at %s", uri)
		}
		took += patience // the master was not in time, or was not asked
	}
	if again := node.Close(); again != err {
		t.Errorf("second Close: %v", again)
	}
	out.Publish(ros.NewSample(&geometry_msgs.PoseStamped{})) // is harmless
	if _, err := node.Advertise(poseTopic("/sim/x")); err == nil {
		t.Error("advertised after Close")
	}
	return took
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
	m := &testMaster{T: t, address: l.Addr().String()}
	promptly(t, "Close", 2*time.Second, func() time.Duration {
		node, err := New(Options{Node: "/sim", Master: m.rosMaster()})
		if err != nil {
			t.Fatal(err)
		}
		m.advertise(node, poseTopic("/sim/measured_cp"))
		time.Sleep(20 * time.Millisecond)
		begin := time.Now()
		_ = node.Close()
		return time.Since(begin)
	})
}
