package recording

import (
	"bytes"
	"fmt"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"sinew/msgs/diagnostic_msgs"
	"sinew/msgs/sinew_msgs"
	"sinew/pkg/ros/record"
)

var fileName = regexp.MustCompile(`^lab_left_\d{4}-\d\d-\d\d-\d\d-\d\d-\d\d(_2)?\.mcap$`)

// A recording has what is latched at its beginning, then what is published until it is ended, and
// nothing else; a second one has a file of its own. The topic tells of it, and it can be found.
func TestStartAndStop(t *testing.T) {
	dir := t.TempDir()
	n := newNode(t, dir, nil)
	if s := n.net.shows(t, "that nothing is recorded", func(*sinew_msgs.RecordingState) bool { return true }); s.Active || s.File != "" {
		t.Errorf("before: %+v", s)
	}
	say(n.latched, "old", stamp-2)
	say(n.latched, "present", stamp-1)
	say(n.brief, "an event", stamp-1)
	say(n.plain, "before", stamp-1)
	if n.plain.Wanted() {
		t.Error("messages are wanted though nothing is recorded")
	}
	var files []string
	for i := range 2 {
		r := n.net.call("start_recording")
		if !r.Success || filepath.Dir(r.Message) != dir || !fileName.MatchString(filepath.Base(r.Message)) || n.Running() != r.Message {
			t.Fatalf("started: %+v", r)
		}
		files = append(files, r.Message)
		if !n.plain.Wanted() || n.began != i+1 {
			t.Errorf("wanted %t, told %d times of a beginning", n.plain.Wanted(), n.began)
		}
		n.net.shows(t, "that it records", func(s *sinew_msgs.RecordingState) bool { return s.Active && s.File == files[i] })
		if _, is := n.File(filepath.Base(files[i])); is {
			t.Error("a file that is being written is offered")
		}
		say(n.plain, fmt.Sprint("during ", i), stamp+1)
		if r = n.net.call("stop_recording"); !r.Success || !strings.HasPrefix(r.Message, files[i]+": 2 messages") {
			t.Fatalf("stopped: %+v", r)
		}
		say(n.plain, "after", stamp+2)
		if lost := n.last.Dropped(); lost > 0 {
			t.Errorf("%d messages are lost that came after the end", lost)
		}
		want := map[string][]string{"/state": {"present"}, "/pose": {fmt.Sprint("during ", i)}}
		if got := texts(t, files[i]); !reflect.DeepEqual(got, want) {
			t.Errorf("recorded %q, want %q", got, want)
		}
		if robot, err := record.Attachment(files[i], "robot.yaml"); err != nil || string(robot) != "rod: {}\n" {
			t.Errorf("robot file %q, %v", robot, err)
		}
		s := n.net.shows(t, "that it is over", func(s *sinew_msgs.RecordingState) bool { return !s.Active && len(s.Downloads) == i+1 })
		if s.File != files[i] || s.Messages != 2 || s.Lost != 0 || s.Reason != "" || s.Bytes == 0 || s.Duration <= 0 || s.Downloads[i] != "recordings/"+filepath.Base(files[i]) {
			t.Errorf("after: %+v", s)
		}
		if path, is := n.File(filepath.Base(files[i])); !is || path != files[i] {
			t.Errorf("found %q, %t", path, is)
		}
	}
	if files[0] == files[1] || len(folder(t, dir)) != 2 {
		t.Errorf("files %q, in the folder %q", files, folder(t, dir))
	}
	for _, name := range []string{"", ".", "..", files[0], "../" + filepath.Base(files[0])} {
		if path, is := n.File(name); is {
			t.Errorf("%q is found at %q", name, path)
		}
	}
	if sum, err := n.CloseWithin(time.Second); sum != nil || err != nil {
		t.Errorf("at the end: %+v, %v", sum, err)
	}
}

// Two recordings that begin in one second do not share a file, nor does one take a file that is there.
func TestNewFile(t *testing.T) {
	dir := t.TempDir()
	n := newNode(t, dir, nil)
	now := time.Date(2026, 11, 22, 13, 4, 5, 0, time.Local)
	for i, want := range []string{"lab_left_2026-11-22-13-04-05.mcap", "lab_left_2026-11-22-13-04-05_2.mcap", "lab_left_2026-11-22-13-04-05_3.mcap"} {
		if got, err := n.newFile(now); err != nil || got != filepath.Join(dir, want) {
			t.Errorf("file %d: %q, %v", i, got, err)
		}
	}
	for range maxSameName - 3 {
		_, err := n.newFile(now)
		must(t, err)
	}
	if got, err := n.newFile(now); err == nil || !strings.Contains(err.Error(), "100 files") {
		t.Errorf("one more than there can be: %q, %v", got, err)
	}
}

// What is recorded at the end is whole, and of what --record began there is a sum.
func TestEndOfTheNode(t *testing.T) {
	file := filepath.Join(t.TempDir(), "run.mcap")
	n := newNode(t, t.TempDir(), nil)
	must(t, n.Begin(file))
	if n.Running() != file || n.began != 0 {
		t.Errorf("%q, told %d times", n.Running(), n.began)
	}
	say(n.plain, "one", stamp)
	n.Quit()
	if r := n.net.call("stop_recording"); r.Success || r.Message != "the node ends" {
		t.Errorf("a request at the end: %+v", r)
	}
	say(n.plain, "two", stamp)
	sum, err := n.CloseWithin(5 * time.Second)
	if err != nil || sum == nil || *sum != (Summary{file, 2, 0}) {
		t.Errorf("%+v, %v", sum, err)
	}
	if got := texts(t, file)["/pose"]; len(got) != 2 {
		t.Errorf("recorded %q", got)
	}
}

// stop_recording ends what --record began, which can then be loaded, and Begin replaces a file.
func TestStopOfRecord(t *testing.T) {
	file := filepath.Join(t.TempDir(), "run.mcap")
	n := newNode(t, t.TempDir(), nil)
	must(t, n.Begin(file))
	if r := n.net.call("start_recording"); r.Success || !strings.Contains(r.Message, file+" has been recorded for 0 s; stop_recording ends it") {
		t.Errorf("started: %+v", r)
	}
	if r := n.net.call("stop_recording"); !r.Success {
		t.Errorf("stopped: %+v", r)
	}
	if path, is := n.File("run.mcap"); !is || path != file {
		t.Errorf("found %q, %t", path, is)
	}
}

// Requests are done in the order in which they come, however many do not wait for one another.
func TestOrder(t *testing.T) {
	n := newNode(t, t.TempDir(), nil)
	for range 10 {
		start, stop, again := n.net.begin("start_recording"), n.net.begin("stop_recording"), n.net.begin("stop_recording")
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

// Too many requests are refused, not kept.
func TestTooManyRequests(t *testing.T) {
	n := newNode(t, t.TempDir(), nil)
	block := make(chan struct{})
	n.requests <- func() { <-block }
	refused := 0
	for range maxRequests + 10 {
		wait := n.net.begin("stop_recording")
		if len(n.requests) == maxRequests {
			refused++
			defer func() { _ = wait() }()
		}
	}
	last := n.net.call("start_recording")
	close(block)
	if refused == 0 || last.Success || !strings.Contains(last.Message, "64 requests wait already") {
		t.Errorf("%d found it full, last %+v", refused, last)
	}
}

// A node that follows /clock records what is latched with the first time, and what has none not at all.
func TestFollowing(t *testing.T) {
	now := time.Duration(0)
	n := newNode(t, t.TempDir(), func(o *Options) { o.Now, o.Follows = func() time.Duration { return now }, true })
	say(n.latched, "waiting", 0)
	file := n.net.call("start_recording").Message
	say(n.latched, "still waiting", 0)
	say(n.plain, "no time", 0)
	say(n.plain, "first", stamp)
	if r := n.net.call("stop_recording"); !r.Success {
		t.Fatal(r)
	}
	want := map[string][]string{"/state": {"still waiting"}, "/pose": {"first"}}
	if got := texts(t, file); !reflect.DeepEqual(got, want) {
		t.Errorf("%q", got)
	}
	must(t, record.Read(file, nil, func(m record.Message) error {
		if m.Time != stamp {
			t.Errorf("%s is of %v", m.Topic, m.Time)
		}
		return nil
	}))
}

// The format is that of the extension, and diagnostics tell whether it records.
func TestBag(t *testing.T) {
	n := newNode(t, t.TempDir(), func(o *Options) { o.Extension = ".bag" })
	if s := n.Status(); s.Level != diagnostic_msgs.DiagnosticStatusOk || s.Message != "off" || s.Name != "recording" {
		t.Errorf("status %+v", s)
	}
	file := n.net.call("start_recording").Message
	if s := n.Status(); s.Message != "writing "+file {
		t.Errorf("status %+v", s)
	}
	say(n.plain, "x", stamp)
	if r := n.net.call("stop_recording"); !r.Success {
		t.Fatal(r)
	}
	if !bytes.HasPrefix([]byte(contents(t, file)), []byte("#ROSBAG V2.0\n")) || len(texts(t, file)["/pose"]) != 1 {
		t.Errorf("%s holds %q", file, texts(t, file))
	}
}
