package recording_test

import (
	"bytes"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"sinew/msgs/diagnostic_msgs"
	"sinew/pkg/ros/record"
	"sinew/pkg/ros/recording"
)

// What is recorded at the end is whole, and of what --record began there is a sum.
func TestEndOfTheNode(t *testing.T) {
	file := filepath.Join(t.TempDir(), "run.mcap")
	n := recording.NewNode(t, t.TempDir(), nil)
	recording.Must(t, n.Begin(file))
	if n.Running() != file || n.Began != 0 {
		t.Errorf("%q, told %d times", n.Running(), n.Began)
	}
	recording.Say(n.Plain, "one", recording.Stamp)
	n.Quit()
	if r := n.Net.Call("stop_recording"); r.Success || r.Message != "the node ends" {
		t.Errorf("a request at the end: %+v", r)
	}
	recording.Say(n.Plain, "two", recording.Stamp)
	sum, err := n.CloseWithin(5 * time.Second)
	if err != nil || sum == nil || *sum != (recording.Summary{file, 2, 0}) {
		t.Errorf("%+v, %v", sum, err)
	}
	if got := recording.Texts(t, file)["/pose"]; len(got) != 2 {
		t.Errorf("recorded %q", got)
	}
}

// stop_recording ends what --record began, which can then be loaded, and Begin replaces a file.
func TestStopOfRecord(t *testing.T) {
	file := filepath.Join(t.TempDir(), "run.mcap")
	n := recording.NewNode(t, t.TempDir(), nil)
	recording.Must(t, n.Begin(file))
	if r := n.Net.Call("start_recording"); r.Success || !strings.Contains(r.Message, file+" has been recorded for 0 s; stop_recording ends it") {
		t.Errorf("started: %+v", r)
	}
	if r := n.Net.Call("stop_recording"); !r.Success {
		t.Errorf("stopped: %+v", r)
	}
	if path, is := n.File("run.mcap"); !is || path != file {
		t.Errorf("found %q, %t", path, is)
	}
}

// Requests are done in the order in which they come, however many do not wait for one another.
func TestOrder(t *testing.T) {
	n := recording.NewNode(t, t.TempDir(), nil)
	for range 10 {
		start, stop, again := n.Net.Begin("start_recording"), n.Net.Begin("stop_recording"), n.Net.Begin("stop_recording")
		var all sync.WaitGroup
		for what, wait := range map[string]func() bool{
			"start": func() bool { return start().Success }, "stop": func() bool { return stop().Success }, "stop again": func() bool { return !again().Success },
		} {
			all.Go(func() {
				if !wait() {
					t.Errorf("%s was done in another order", what)
				}
			})
		}
		all.Wait()
	}
}

// A node that follows /clock records what is latched with the first time, and what has none not at all.
func TestFollowing(t *testing.T) {
	now := time.Duration(0)
	n := recording.NewNode(t, t.TempDir(), func(o *recording.Options) { o.Now, o.Follows = func() time.Duration { return now }, true })
	recording.Say(n.Latched, "waiting", 0)
	file := n.Net.Call("start_recording").Message
	recording.Say(n.Latched, "still waiting", 0)
	recording.Say(n.Plain, "no time", 0)
	recording.Say(n.Plain, "first", recording.Stamp)
	if r := n.Net.Call("stop_recording"); !r.Success {
		t.Fatal(r)
	}
	want := map[string][]string{"/state": {"still waiting"}, "/pose": {"first"}}
	if got := recording.Texts(t, file); !reflect.DeepEqual(got, want) {
		t.Errorf("%q", got)
	}
	recording.Must(t, record.Read(file, nil, func(m record.Message) error {
		if m.Time != recording.Stamp {
			t.Errorf("%s is of %v", m.Topic, m.Time)
		}
		return nil
	}))
}

// The format is that of the extension, and diagnostics tell whether it records.
func TestBag(t *testing.T) {
	n := recording.NewNode(t, t.TempDir(), func(o *recording.Options) { o.Extension = ".bag" })
	if s := n.Status(); s.Level != diagnostic_msgs.DiagnosticStatusOk || s.Message != "off" || s.Name != "recording" {
		t.Errorf("status %+v", s)
	}
	file := n.Net.Call("start_recording").Message
	if s := n.Status(); s.Message != "writing "+file {
		t.Errorf("status %+v", s)
	}
	recording.Say(n.Plain, "x", recording.Stamp)
	if r := n.Net.Call("stop_recording"); !r.Success {
		t.Fatal(r)
	}
	if !bytes.HasPrefix([]byte(recording.Contents(t, file)), []byte("#ROSBAG V2.0\n")) || len(recording.Texts(t, file)["/pose"]) != 1 {
		t.Errorf("%s holds %q", file, recording.Texts(t, file))
	}
}
