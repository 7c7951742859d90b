package record

import (
	"strings"
	"testing"

	"sinew/msgs/diagnostic_msgs"
	"sinew/msgs/std_msgs"
	"sinew/pkg/ros"
)

// Tests of what has no exported name.

// TestRecorderNeverWaits: publishing to a disk that stands still takes no time
// but fills the queue; then messages are dropped, counted and told of.
func TestRecorderNeverWaits(t *testing.T) {
	d := &Disk{}
	w, err := newWriter(d, newMCAPEncoder(SampleOptions))
	Must(t, err)
	r := NewRecorder(w, "x.mcap", nil)
	p, err := r.Advertise(ros.Topic{Name: "/note", Type: std_msgs.StringType})
	Must(t, err)
	d.Gate.Lock()
	// the writer may have as much as a chunk in hand
	note := Sample(&std_msgs.String{Data: strings.Repeat("x", 1000)}, Start)
	const published = queueMessages + 2*chunkBytes/1000
	for range published {
		p.Publish(note)
	}
	if got := r.Status(); got.Level != diagnostic_msgs.DiagnosticStatusWarn || !strings.Contains(got.Message, "dropped") {
		t.Errorf("status %d %q", got.Level, got.Message)
	}
	if got := r.Status(); got.Level != diagnostic_msgs.DiagnosticStatusOk {
		t.Errorf("status %d %q, though nothing was dropped since", got.Level, got.Message)
	}
	r.waiting.Add(queueBytes) // as if large ones waited
	before := r.Dropped()
	p.Publish(note)
	if r.Dropped() != before+1 {
		t.Error("more bytes wait than may")
	}
	r.waiting.Add(-queueBytes)
	d.Gate.Unlock()
	Must(t, r.Close())
	if r.Written()+r.Dropped() != published+1 || r.Dropped() == 0 {
		t.Errorf("%d written and %d dropped of %d", r.Written(), r.Dropped(), published+1)
	}
	got, err := ReadAll(d.Data.B)
	if err != nil || uint64(len(got)) != r.Written() {
		t.Errorf("the file has %d of %d messages, %v", len(got), r.Written(), err)
	}
}
