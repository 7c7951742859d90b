package recording_test

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"sinew/msgs/diagnostic_msgs"
	"sinew/msgs/sinew_msgs"
	"sinew/pkg/ros/recording"
)

// What cannot be recorded is refused with the reason, and leaves nothing behind.
func TestRefusals(t *testing.T) {
	missing := filepath.Join(t.TempDir(), "none")
	file := filepath.Join(t.TempDir(), "file")
	recording.Must(t, os.WriteFile(file, nil, 0o600))
	forbidden := filepath.Join(t.TempDir(), "forbidden")
	recording.Must(t, os.Mkdir(forbidden, 0o500))
	if os.Getuid() == 0 && runtime.GOOS == "linux" {
		forbidden = "/sys" // which the superuser may not write to either
	}
	for what, c := range map[string]struct{ dir, service, want string }{
		"stop without a start": {t.TempDir(), "stop_recording", "nothing is being recorded; start_recording begins"},
		"no such folder":       {missing, "start_recording", "no such file or directory"},
		"a file as folder":     {file, "start_recording", "not a directory"},
		"no permission":        {forbidden, "start_recording", "permission denied"},
	} {
		n := recording.NewNode(t, c.dir, nil)
		if r := n.Net.Call(c.service); r.Success || !strings.Contains(r.Message, c.want) {
			t.Errorf("%s: %+v, want %q", what, r, c.want)
		}
		if n.Running() != "" || n.State().Active || n.State().File != "" {
			t.Errorf("%s: %+v", what, n.State())
		}
		if _, err := n.CloseWithin(time.Second); err != nil {
			t.Errorf("%s: at the end %v", what, err)
		}
	}
}

// A disk that is full ends the recording, which says so everywhere; there is no new one before there is
// room, and what is in the file can be read.
func TestFullDisk(t *testing.T) {
	dir := smallDisk(t, "1M")
	n := recording.NewNode(t, dir, nil)
	file := n.Net.Call("start_recording").Message
	recording.Say(n.Plain, "first", recording.Stamp)
	for range 40 {
		recording.Say(n.Plain, strings.Repeat("x", 100<<10), recording.Stamp)
	}
	s := n.Net.Shows(t, "the full disk", func(s *sinew_msgs.RecordingState) bool { return s.Reason != "" })
	if s.Active || !strings.Contains(s.Reason, "no space left on device") || s.File != file {
		t.Errorf("%+v", s)
	}
	if d := n.Status(); d.Level != diagnostic_msgs.DiagnosticStatusError {
		t.Errorf("diagnostics %+v", d)
	}
	filler := filepath.Join(dir, "filler") // what had to be given up of the recording has left room
	if err := os.WriteFile(filler, make([]byte, 2<<20), 0o600); err == nil {
		t.Fatal("the disk is not full")
	}
	if r := n.Net.Call("start_recording"); r.Success || !strings.Contains(r.Message, "no space left on device") {
		t.Errorf("started on a full disk: %+v", r)
	}
	if all := recording.Folder(t, dir); len(all) != 2 {
		t.Errorf("the refusal has left %q", all)
	}
	if d := n.Status(); d.Level != diagnostic_msgs.DiagnosticStatusWarn || !strings.Contains(d.Message, "off; recording "+file) {
		t.Errorf("diagnostics after the end: %+v", d)
	}
	if path, is := n.File(filepath.Base(file)); !is || path != file {
		t.Errorf("what there is of it is not offered: %q", path)
	}
	if got := recording.Texts(t, file)["/pose"]; len(got) > 0 && got[0] != "first" || len(got) > 20 {
		t.Errorf("%d messages in %d bytes", len(got), len(recording.Contents(t, file)))
	}
	recording.Must(t, os.Remove(filler))
	if r := n.Net.Call("start_recording"); !r.Success {
		t.Errorf("with room again: %+v", r)
	}
	if r := n.Net.Call("stop_recording"); !r.Success {
		t.Errorf("with room again: %+v", r)
	}
	// the end of the node tells of the first one all the same
	if _, err := n.CloseWithin(time.Second); err == nil || !strings.Contains(err.Error(), "messages are not in the file") {
		t.Errorf("at the end: %v", err)
	}
}

// The service that ends the recording reports what a disk that fails has lost.
func TestStopAfterFailure(t *testing.T) {
	n := recording.NewNode(t, smallDisk(t, "1M"), nil)
	file := n.Net.Call("start_recording").Message
	for range 40 {
		recording.Say(n.Plain, strings.Repeat("x", 100<<10), recording.Stamp)
	}
	r := n.Net.Call("stop_recording")
	if r.Success || !strings.HasPrefix(r.Message, "recording "+file+": ") || !strings.Contains(r.Message, "messages are not in the file") {
		t.Errorf("%+v", r)
	}
	s := n.Net.Shows(t, "the loss", func(s *sinew_msgs.RecordingState) bool { return !s.Active && s.Lost > 0 })
	if s.Reason != r.Message {
		t.Errorf("%+v", s)
	}
	if r := n.Net.Call("stop_recording"); r.Success || !strings.Contains(r.Message, "nothing is being recorded") {
		t.Errorf("stopped again: %+v", r)
	}
}
