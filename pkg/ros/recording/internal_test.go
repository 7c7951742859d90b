package recording

import (
	"fmt"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"time"

	"sinew/msgs/sinew_msgs"
	"sinew/pkg/ros/record"
)

// Tests of what has no exported name.

var fileName = regexp.MustCompile(`^lab_left_\d{4}-\d\d-\d\d-\d\d-\d\d-\d\d(_2)?\.mcap$`)

// A recording has what is latched at its beginning, then what is published until it is ended, and
// nothing else; a second one has a file of its own. The topic tells of it, and it can be found.
func TestStartAndStop(t *testing.T) {
	dir := t.TempDir()
	n := NewNode(t, dir, nil)
	if s := n.Net.Shows(t, "that nothing is recorded", func(*sinew_msgs.RecordingState) bool { return true }); s.Active || s.File != "" {
		t.Errorf("before: %+v", s)
	}
	Say(n.Latched, "old", Stamp-2)
	Say(n.Latched, "present", Stamp-1)
	Say(n.brief, "an event", Stamp-1)
	Say(n.Plain, "before", Stamp-1)
	if n.Plain.HasSubscribers() {
		t.Error("messages are wanted though nothing is recorded")
	}
	var files []string
	for i := range 2 {
		r := n.Net.Call("start_recording")
		if !r.Success || filepath.Dir(r.Message) != dir || !fileName.MatchString(filepath.Base(r.Message)) || n.Running() != r.Message {
			t.Fatalf("started: %+v", r)
		}
		files = append(files, r.Message)
		if !n.Plain.HasSubscribers() || n.Began != i+1 {
			t.Errorf("wanted %t, told %d times of a beginning", n.Plain.HasSubscribers(), n.Began)
		}
		n.Net.Shows(t, "that it records", func(s *sinew_msgs.RecordingState) bool { return s.Active && s.File == files[i] })
		if _, is := n.File(filepath.Base(files[i])); is {
			t.Error("a file that is being written is offered")
		}
		Say(n.Plain, fmt.Sprint("during ", i), Stamp+1)
		if r = n.Net.Call("stop_recording"); !r.Success || !strings.HasPrefix(r.Message, files[i]+": 2 messages") {
			t.Fatalf("stopped: %+v", r)
		}
		Say(n.Plain, "after", Stamp+2)
		if lost := n.last.Dropped(); lost > 0 {
			t.Errorf("%d messages are lost that came after the end", lost)
		}
		want := map[string][]string{"/state": {"present"}, "/pose": {fmt.Sprint("during ", i)}}
		if got := Texts(t, files[i]); !reflect.DeepEqual(got, want) {
			t.Errorf("recorded %q, want %q", got, want)
		}
		if robot, err := record.Attachment(files[i], "robot.yaml"); err != nil || string(robot) != "rod: {}\n" {
			t.Errorf("robot file %q, %v", robot, err)
		}
		s := n.Net.Shows(t, "that it is over", func(s *sinew_msgs.RecordingState) bool { return !s.Active && len(s.Downloads) == i+1 })
		if s.File != files[i] || s.Messages != 2 || s.Lost != 0 || s.Reason != "" || s.Bytes == 0 || s.Duration <= 0 || s.Downloads[i] != "recordings/"+filepath.Base(files[i]) {
			t.Errorf("after: %+v", s)
		}
		if path, is := n.File(filepath.Base(files[i])); !is || path != files[i] {
			t.Errorf("found %q, %t", path, is)
		}
	}
	if files[0] == files[1] || len(Folder(t, dir)) != 2 {
		t.Errorf("files %q, in the folder %q", files, Folder(t, dir))
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
	n := NewNode(t, dir, nil)
	now := time.Date(2026, 11, 22, 13, 4, 5, 0, time.Local)
	for i, want := range []string{"lab_left_2026-11-22-13-04-05.mcap", "lab_left_2026-11-22-13-04-05_2.mcap", "lab_left_2026-11-22-13-04-05_3.mcap"} {
		if got, err := n.newFile(now); err != nil || got != filepath.Join(dir, want) {
			t.Errorf("file %d: %q, %v", i, got, err)
		}
	}
	for range maxSameName - 3 {
		_, err := n.newFile(now)
		Must(t, err)
	}
	if got, err := n.newFile(now); err == nil || !strings.Contains(err.Error(), "100 files") {
		t.Errorf("one more than there can be: %q, %v", got, err)
	}
}

// Too many requests are refused, not kept.
func TestTooManyRequests(t *testing.T) {
	n := NewNode(t, t.TempDir(), nil)
	block := make(chan struct{})
	n.requests <- func() { <-block }
	refused := 0
	for range maxRequests + 10 {
		wait := n.Net.Begin("stop_recording")
		if len(n.requests) == maxRequests {
			refused++
			defer func() { _ = wait() }()
		}
	}
	last := n.Net.Call("start_recording")
	close(block)
	if refused == 0 || last.Success || !strings.Contains(last.Message, "64 requests wait already") {
		t.Errorf("%d found it full, last %+v", refused, last)
	}
}

// A disk that hangs does not keep the node from ending in time, which tells of it.
func TestEndOnSlowDisk(t *testing.T) {
	n := NewNode(t, t.TempDir(), nil)
	file := n.Net.Call("start_recording").Message
	begins, block := make(chan struct{}), make(chan struct{})
	defer close(block)
	n.requests <- func() { close(begins); <-block } // as if it waited for the disk
	<-begins
	begun := time.Now()
	sum, err := n.CloseWithin(100 * time.Millisecond)
	if sum != nil || err == nil || !strings.Contains(err.Error(), "the disk is too slow: a request was not done within 100ms") {
		t.Errorf("%+v, %v", sum, err)
	}
	if took := time.Since(begun); took > 2*time.Second {
		t.Errorf("it took %v", took)
	}
	if n.Running() != file {
		t.Errorf("%q is recorded", n.Running())
	}
}
