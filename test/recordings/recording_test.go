package recordings_test

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/coder/websocket"
	"go.yaml.in/yaml/v3"

	"sinew/msgs/rcl_interfaces"
	"sinew/msgs/sinew_msgs"
	"sinew/msgs/std_srvs"
	"sinew/pkg/ros"
	"sinew/pkg/ros/record"
	"sinew/pkg/ros/ros2"
	"sinew/test/testbench"
)

// caller calls a service of the node by one network, and returns whether it was done and what
// was told.
type caller func(service string) (done bool, message string)

// TestRecordingOnRequest begins and ends recordings of the real program by both networks and by
// a viewer, while all see how it is doing. Each is whole, can be loaded from the server, and has what the
// node was when it began: parameters that were set before, and what is latched. One that
// runs at the end of the program is whole too.
func TestRecordingOnRequest(t *testing.T) {
	t.Parallel()
	testbench.Need(t, "rosservice")
	n, domain := testbench.NewROS2Network(t)
	dir := t.TempDir()
	p := n.Start(testbench.BuildTendonsim(t), "run", "--ros", "both", "--record-dir", dir, "--view", "127.0.0.1", "--no-demo")
	p.Expect("ENABLED")
	link := testbench.ViewerLink(t, p)
	a := testbench.NewViewerClient(t, "ws"+link)
	environment := map[string]string{"ROS_AUTOMATIC_DISCOVERY_RANGE": "LOCALHOST", "ROS_DOMAIN_ID": strconv.Itoa(domain)}
	discovery, err := ros2.ParseEnvironment(func(key string) (string, bool) { v, ok := environment[key]; return v, ok })
	if err != nil {
		t.Fatal(err)
	}
	peer, err := ros2.New(ros2.Options{Node: "/peer", Discovery: discovery})
	if err != nil {
		t.Fatal(err)
	}
	defer peer.Close()
	var shown atomic.Pointer[sinew_msgs.RecordingState]
	if err := peer.Subscribe(ros.Topic{Name: "/tendonsim/recording_state", Type: sinew_msgs.RecordingStateType, Latched: true}, func(got ros.Received) {
		shown.Store(got.Message.(*sinew_msgs.RecordingState))
	}); err != nil {
		t.Fatal(err)
	}
	n.WaitFor("the state", func() bool { s := shown.Load(); return s != nil && !s.Active })
	a.Say(map[string]any{"op": "setParameters", "id": "rate", "parameters": []any{map[string]any{"name": "rates.publish_hz", "value": 50}}})
	for { // until it is set: a recording that begins before has the robot file of then
		if kind, data := a.Read(); kind == websocket.MessageText && bytes.Contains(data, []byte(`"id":"rate"`)) {
			break
		}
	}

	callers := map[string]caller{
		"ROS 1": func(service string) (bool, string) {
			var r struct {
				Success bool
				Message string
			}
			if out := n.Run("rosservice", "call", "/tendonsim/"+service); yaml.Unmarshal([]byte(out), &r) != nil {
				t.Fatalf("rosservice: %s", out)
			}
			return r.Success, r.Message
		},
		"ROS 2": func(service string) (bool, string) {
			c, err := peer.NewClient("/tendonsim/"+service, std_srvs.Trigger)
			if err != nil {
				t.Fatal(err)
			}
			ctx, cancel := context.WithTimeout(t.Context(), testbench.WaitLimit)
			defer cancel()
			n.WaitFor(service, c.Ready)
			reply, err := c.Call(ctx, &std_srvs.TriggerRequest{})
			if err != nil {
				t.Fatal(err)
			}
			r := reply.(*std_srvs.TriggerResponse)
			return r.Success, r.Message
		},
		"viewer": a.Trigger,
	}
	var files []string
	for network, call := range callers {
		done, file := call("start_recording")
		if !done || filepath.Dir(file) != dir {
			t.Fatalf("%s: started: %t, %s", network, done, file)
		}
		files = append(files, file)
		for other, again := range callers {
			if done, why := again("start_recording"); done || !strings.Contains(why, "has been recorded for") {
				t.Errorf("%s: started once more by %s: %t, %s", network, other, done, why)
			}
		}
		n.WaitFor("a second of it", func() bool {
			s := shown.Load()
			return s.Active && s.File == file && s.Messages > 0 && s.Duration > 1
		})
		if done, why := call("stop_recording"); !done || !strings.HasPrefix(why, file+": ") {
			t.Errorf("%s: stopped: %t, %s", network, done, why)
		}
		if done, why := call("stop_recording"); done || !strings.Contains(why, "nothing is being recorded") {
			t.Errorf("%s: stopped once more: %t, %s", network, done, why)
		}
		n.WaitFor("its end", func() bool { s := shown.Load(); return !s.Active && len(s.Downloads) == len(files) })
		if s := shown.Load(); s.Lost > 0 || s.Reason != "" || s.Bytes == 0 {
			t.Errorf("%s: %+v", network, s)
		}
		r, err := http.Get("http" + link + shown.Load().Downloads[len(files)-1])
		if err != nil {
			t.Fatal(err)
		}
		loaded, err := io.ReadAll(r.Body)
		r.Body.Close()
		if err != nil || !bytes.Equal(loaded, []byte(testbench.ReadFile(t, file))) {
			t.Errorf("%s: loaded %d bytes, %s, %v", network, len(loaded), r.Status, err)
		}
		recordedWhole(t, file)
	}
	_, last := callers["ROS 2"]("start_recording")
	time.Sleep(500 * time.Millisecond)
	if code := p.End(testbench.WaitLimit); code != 0 {
		t.Errorf("ended with %d:\n%s", code, p.Output())
	}
	testbench.Contains(t, "the node", p.Output(), "record   "+last+": ", "none dropped")
	recordedWhole(t, last)
}

// recordedWhole checks a recording that was begun while the node ran, with another publishing rate than
// at its start.
func recordedWhole(t *testing.T, file string) {
	t.Helper()
	got := testbench.ReadMessages(t, file)
	for _, topic := range []string{"/tendonsim/measured_cp", "/tendonsim/operating_state", "/tendonsim/robot_description", "/parameter_events"} {
		if len(got[topic]) == 0 {
			t.Errorf("%s has nothing of %s", file, topic)
		}
	}
	if len(got["/tendonsim/recording_state"]) > 0 {
		t.Errorf("%s tells of itself", file)
	}
	rate := 0.0
	for _, m := range got["/parameter_events"] {
		for _, p := range m.Message.(*rcl_interfaces.ParameterEvent).NewParameters {
			if p.Name == "rates.publish_hz" {
				rate = p.Value.DoubleValue
			}
		}
	}
	robot, err := record.Attachment(file, "robot.yaml")
	if err != nil || rate != 50 || !strings.Contains(string(robot), "publish_hz: 50") {
		t.Errorf("%s: rate %g Hz, robot file %v:\n%s", file, rate, err, robot)
	}
}
