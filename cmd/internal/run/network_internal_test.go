package run

import (
	"bytes"
	"errors"
	"fmt"
	"net"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"go.uber.org/zap"

	"sinew/msgs/std_msgs"
	"sinew/pkg/ros"
	"sinew/pkg/ros/master"
	"sinew/pkg/ros/masterclient"
)

// Tests of what has no exported name.

// unusedPort is a port without a listener.
func unusedPort(t *testing.T) int {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port
}

// Whoever should run the master does: this node where none answers at an address of
// its own, unless it was told otherwise.
func TestMasterIsFoundOrStarted(t *testing.T) {
	running, err := master.Start("127.0.0.1:0", master.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer running.Close()
	at, err := strconv.Atoi(strings.Trim(running.URI()[strings.LastIndex(running.URI(), ":")+1:], "/"))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		who, host string
		online    bool
		starts    bool
		note      string // or error
	}{
		{"auto", "127.0.0.1", true, false, "master at http://127.0.0.1:"},
		{"external", "127.0.0.1", true, false, "master at http://127.0.0.1:"},
		{"embedded", "127.0.0.1", true, false, "a master already answers"},
		{"auto", "127.0.0.1", false, true, "(embedded: none answered there)"},
		{"auto", "localhost", false, true, "(embedded: none answered there)"},
		{"embedded", "127.0.0.1", false, true, "(embedded: none answered there)"},
		{"external", "127.0.0.1", false, false, "waiting for a master"},
		{"auto", "192.0.2.1", false, false, "waiting for a master"}, // an address of the documentation
	} {
		t.Run(fmt.Sprint(c.who, " ", c.host, " ", c.online), func(t *testing.T) {
			port := at
			if !c.online {
				port = unusedPort(t)
			}
			n, err := findMaster(t.Context(), NamesAt(t, c.host, port), &Cmd{Master: c.who}, zap.NewNop())
			if err != nil {
				if n != nil || !strings.Contains(err.Error(), c.note) {
					t.Errorf("error %v, want one with %q", err, c.note)
				}
				return
			}
			defer n.close()
			if (n.master != nil) != c.starts || n.online != (c.online || c.starts) || !strings.Contains(n.note, c.note) {
				t.Errorf("started %t, online %t, note %q", n.master != nil, n.online, n.note)
			}
			if n.answers(t.Context()) != n.online {
				t.Errorf("a master answers: %t, online: %t", n.answers(t.Context()), n.online)
			}
		})
	}
}

// The name of a node that lives is not taken; that of one that has died is. Its ends
// are logged.
func TestNameOfALivingNode(t *testing.T) {
	names := NamesAt(t, "127.0.0.1", unusedPort(t))
	first, err := findMaster(t.Context(), names, &Cmd{Master: "auto"}, zap.NewNop())
	if err != nil {
		t.Fatal(err)
	}
	defer first.close()
	again := func() error {
		_, err := findMaster(t.Context(), names, &Cmd{Master: "auto"}, zap.NewNop())
		return err
	}
	if err := again(); err != nil {
		t.Errorf("a name that no interface has: %v", err)
	}
	dead := fmt.Sprintf("http://127.0.0.1:%d/", unusedPort(t))
	if _, err := first.client().RegisterPublisher(t.Context(), "/x", "std_msgs/String", dead); err != nil {
		t.Fatal(err)
	}
	if err := again(); err != nil {
		t.Errorf("the name of a node that has died: %v", err)
	}
	if err := first.open(); err != nil {
		t.Fatal(err)
	}
	if _, err := first.transport.Advertise(ros.Topic{Name: "/y", Type: std_msgs.StringType}); err != nil {
		t.Fatal(err)
	}
	end := time.Now().Add(20 * time.Second)
	for err = again(); err == nil && time.Now().Before(end); err = again() {
		time.Sleep(20 * time.Millisecond)
	}
	if want := fmt.Sprintf("a node /robot already runs (process %d)", os.Getpid()); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("error %v, want %q", err, want)
	}

	all := &networks{ros1: first}
	if got := all.transports(); !slices.Equal(got, []ros.Transport{first.transport}) {
		t.Errorf("transports %v", got)
	}
	if _, err := masterclient.Call(t.Context(), first.uri(), "shutdown", "/rosnode", "maintenance"); err != nil {
		t.Error(err)
	}
	ended := func(what string, c <-chan struct{}) {
		t.Helper()
		select {
		case <-c:
		case <-time.After(20 * time.Second):
			t.Errorf("%s is not told", what)
		}
	}
	ended("that the master is to end", all.shutdown())
	if _, err := masterclient.Call(t.Context(), lookup(t, first), "shutdown", "/rosnode", "user request"); err != nil {
		t.Error(err)
	}
	ended("that the node is to end", all.done())
}

// lookup is where a node says that its own API is.
func lookup(t *testing.T, n *ros1Network) string {
	t.Helper()
	uri, err := n.client().LookupNode(t.Context(), n.names.Node())
	if err != nil {
		t.Fatal(err)
	}
	return uri
}

// Without a network nothing ends the node, nothing is served, and leaving is no error.
func TestWithoutNetworks(t *testing.T) {
	n, err := joinNetworks(t.Context(), NamesAt(t, "127.0.0.1", unusedPort(t)), &Cmd{Ros: "off"}, environment("", ""), zap.NewNop())
	if err != nil {
		t.Fatal(err)
	}
	if n.ros1 != nil || n.ros2 != nil || n.done() != nil || n.shutdown() != nil || n.transports() != nil || n.serverParameters(nil) != nil || n.open() != nil || n.close() != nil {
		t.Errorf("networks %+v", n)
	}
	var out bytes.Buffer
	n.welcome(&out)
	if out.String() != "ROS      off\n" {
		t.Errorf("welcome %q", out.String())
	}
}

// Which networks are joined follows --ros; only auto does without ROS 2.
func TestNetworksThatAreAskedFor(t *testing.T) {
	for ros, want := range map[string][3]bool{ // ROS 1, ROS 2, ROS 2 is optional
		"auto": {true, true, true}, "both": {true, true, false}, "ros1": {true, false, false}, "ros2": {false, true, false},
	} {
		n, err := joinNetworks(t.Context(), NamesAt(t, "127.0.0.1", unusedPort(t)), &Cmd{Ros: ros, Master: "external"}, environment("", ""), zap.NewNop())
		if err != nil {
			t.Fatal(err)
		}
		got := [3]bool{n.ros1 != nil, n.ros2 != nil, n.ros2 != nil && n.ros2.optional}
		if got != want {
			t.Errorf("--ros %s: %v, want %v", ros, got, want)
		}
		var out bytes.Buffer
		n.welcome(&out)
		if strings.Contains(out.String(), "ROS 1") != want[0] || strings.Contains(out.String(), "ROS 2") != want[1] || strings.Contains(out.String(), "off") {
			t.Errorf("--ros %s: welcome %q", ros, out.String())
		}
	}
	_, err := joinNetworks(t.Context(), NamesAt(t, "127.0.0.1", unusedPort(t)), &Cmd{Ros: "ros2"}, environment("ROS_DOMAIN_ID", "none"), zap.NewNop())
	if err == nil || !strings.Contains(err.Error(), "ROS_DOMAIN_ID") {
		t.Errorf("error %v, want one that names ROS_DOMAIN_ID", err)
	}
}

// A node that is asked to join ROS 2 does, or says why not; where ROS 2 was not asked for
// by name it runs without.
func TestROS2IsJoined(t *testing.T) {
	open := func(c *Cmd, variable, value string) (*networks, error) {
		t.Helper()
		n := new(networks)
		var err error
		if n.ros2, err = newROS2Network(NamesAt(t, "127.0.0.1", 1), c, environment(variable, value), zap.NewNop()); err != nil {
			t.Fatal(err)
		}
		return n, n.open()
	}
	n, err := open(&Cmd{Ros: "ros2"}, "ROS_AUTOMATIC_DISCOVERY_RANGE", "LOCALHOST")
	if err != nil {
		t.Fatal(err)
	}
	if len(n.transports()) != 1 || n.ros2.failure != nil || !strings.Contains(n.ros2.note(), "node /robot") {
		t.Errorf("%d transports, %q", len(n.transports()), n.ros2.note())
	}
	if _, ok := n.ros2.transport.(lenient); ok {
		t.Error("topics are left out, though ROS 2 was asked for by name")
	}
	if err := n.close(); err != nil {
		t.Error(err)
	}
	for _, ros := range []string{"ros2", "auto"} { // a peer that does not resolve may do so later
		n, err := open(&Cmd{Ros: ros}, "ROS_STATIC_PEERS", "no.such.host.invalid")
		if err != nil || len(n.transports()) != 1 || !strings.Contains(n.ros2.note(), "this host and static peers (1)") {
			t.Fatalf("--ros %s: error %v, %v, %q", ros, err, n.transports(), n.ros2.note())
		}
		if err := n.close(); err != nil {
			t.Error(err)
		}
	}
	n.ros2.failure = errors.New("no sockets")
	if note := n.ros2.note(); note != "not available: no sockets" {
		t.Errorf("note %q", note)
	}
}

var errClosed = errors.New("no such topic here")

// refusing is a transport that opens nothing.
type refusing struct{ ros.Transport }

func (refusing) Advertise(ros.Topic) (ros.Publisher, error)    { return nil, errClosed }
func (refusing) Subscribe(ros.Topic, func(ros.Received)) error { return errClosed }

// A lenient transport opens what can be opened and passes over the rest.
func TestLenientTransport(t *testing.T) {
	l := lenient{refusing{}, zap.NewNop()}
	if p, err := l.Advertise(ros.Topic{Name: "/x"}); err != nil || p == nil || p.HasSubscribers() {
		t.Errorf("publisher %v, %v", p, err)
	}
	if err := l.Subscribe(ros.Topic{Name: "/x"}, nil); err != nil {
		t.Errorf("error %v", err)
	}
}
