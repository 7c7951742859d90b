package page_test

import (
	"encoding/json"
	"math"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"sinew/test/testbench"
)

// viewerClient is where Foxglove's libraries are installed.
const viewerClient = "../testdata/viewer"

// point is a geometry_msgs/Point.
type point struct{ X, Y, Z float64 }

// serviceAnswer is the response of a std_srvs/Trigger or SetBool.
type serviceAnswer struct {
	Success bool
	Message string
}

// viewedParameter is a parameter as viewers get it.
type viewedParameter struct {
	Name  string
	Value any
	Type  string
}

// viewed is what client.js tells.
type viewed struct {
	Fault    string
	Protocol string
	Info     struct {
		Name         string
		Capabilities []string
	}
	Time     float64 // ns
	Statuses []viewedStatus
	Services []string
	Channels map[string]struct{ Count, Unread, Backwards int }

	Before, Bent             point
	Paused, Resumed, Stopped serviceAnswer
	Still                    []point
	Parameters, Set, Fixed   []viewedParameter
	Update                   viewedParameter
	Asset                    struct{ Error string }
	Failure                  struct{ Message string }
	Graph                    struct {
		SubscribedTopics []struct{ Name string }
	}
}

// useViewer starts a program with viewers and has Foxglove's libraries do a task.
func useViewer(t *testing.T, program, subprotocol, node, task string, args ...string) (v viewed) {
	t.Helper()
	if _, err := exec.LookPath("node"); err != nil {
		t.Skip("needs node (Debian: nodejs)")
	}
	if _, err := os.Stat(viewerClient + "/node_modules/@foxglove/ws-protocol"); err != nil {
		t.Skip("needs @foxglove/ws-protocol: npm ci --prefix test/testdata/viewer")
	}
	n := testbench.NewNetwork(t, "http://127.0.0.1:1")
	p := n.Start(program, append([]string{"run", "--ros", "off", "--view", "127.0.0.1"}, args...)...)
	p.Expect("ENABLED")
	link := testbench.ViewerLink(t, p)
	out, err := exec.Command("node", testbench.Absolute(t, viewerClient+"/client.js"), "ws"+link, subprotocol, node, task).Output()
	if err == nil {
		err = json.Unmarshal(out, &v)
	}
	if err != nil || v.Fault != "" {
		t.Fatalf("%v\n%s\n%s\n%s", err, v.Fault, out, p.Output())
	}
	if code := p.End(2 * time.Second); code != 0 {
		t.Errorf("ended with %d:\n%s", code, p.Output())
	}
	return v
}

// decodes checks that what came is whole and in order, and that something came on some channels.
func (v *viewed) decodes(t *testing.T, on ...string) {
	t.Helper()
	if len(v.Channels) < 8 {
		t.Errorf("messages on %d channels", len(v.Channels))
	}
	for name, c := range v.Channels {
		if c.Count == 0 || c.Unread != 0 || c.Backwards != 0 {
			t.Errorf("%s: %d messages, %d bytes not decoded, %d stamps back in time", name, c.Count, c.Unread, c.Backwards)
		}
	}
	for _, name := range on {
		if v.Channels[name].Count == 0 {
			t.Errorf("nothing on %s", name)
		}
	}
}

// viewedStatus is what the program tells its viewer.
type viewedStatus struct {
	Level   int
	Message string
}

// TestViewer operates a robot with Foxglove's own client.
func TestViewer(t *testing.T) {
	v := useViewer(t, testbench.BuildTendonsim(t), "foxglove.websocket.v1", "/tendonsim", "operate", "--config", testbench.Absolute(t, testbench.TestRobot))
	v.decodes(t, "/tendonsim/operating_state", "/tendonsim/measured_cp", "/tf", "/tendonsim/markers", "/rosout")
	if v.Protocol != "foxglove.websocket.v1" || v.Info.Name != "/tendonsim" {
		t.Errorf("%q of %q", v.Protocol, v.Info.Name)
	}
	if d := math.Hypot(v.Bent.X-v.Before.X, math.Hypot(v.Bent.Y-v.Before.Y, v.Bent.Z-v.Before.Z)); d < 0.01 {
		t.Errorf("a tension of 3 N moved the tip by %g m, from %v to %v", d, v.Before, v.Bent)
	}
	for what, a := range map[string]serviceAnswer{"pause": v.Paused, "resume": v.Resumed, "e_stop": v.Stopped} {
		if !a.Success {
			t.Errorf("%s: %+v", what, a)
		}
	}
	if len(v.Still) != 2 || v.Still[0] != v.Still[1] {
		t.Errorf("while paused: %v", v.Still)
	}
	if len(v.Parameters) < 20 || v.Update != (viewedParameter{"command_timeout_s", 7.0, "float64"}) || len(v.Set) != 1 || v.Set[0] != v.Update {
		t.Errorf("%d parameters, then %+v and %+v", len(v.Parameters), v.Set, v.Update)
	}
	warned := slices.ContainsFunc(v.Statuses, func(s viewedStatus) bool { return strings.Contains(s.Message, "fixed while the robot runs") })
	if len(v.Fixed) != 1 || v.Fixed[0].Value == 0.7 || !warned {
		t.Errorf("a fixed parameter: %+v, %+v", v.Fixed, v.Statuses)
	}
	if v.Asset.Error == "" || !strings.Contains(v.Failure.Message, `allowed: "cdr"`) || len(v.Graph.SubscribedTopics) == 0 {
		t.Errorf("asset %+v, json %+v, graph %+v", v.Asset, v.Failure, v.Graph)
	}
}

// TestViewerOfMicrorobot: every channel of the other robot decodes, with simulated time.
func TestViewerOfMicrorobot(t *testing.T) {
	v := useViewer(t, testbench.BuildMicrorobot(t), "foxglove.sdk.v1", "/microrobot", "look", "--clock")
	v.decodes(t, "/microrobot/measured_cp", "/microrobot/operating_state", "/diagnostics", "/clock")
	if v.Protocol != "foxglove.sdk.v1" || v.Time == 0 || v.Time > 60e9 {
		t.Errorf("%q, simulated time %g ns", v.Protocol, v.Time)
	}
}
