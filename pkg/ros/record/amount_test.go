package record_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"sinew/msgs/std_msgs"
	"sinew/msgs/tf2_msgs"
	"sinew/pkg/ros"
	"sinew/pkg/ros/record"
)

// TestCloseWithin: what a slow disk has not taken in time is counted and named.
func TestCloseWithin(t *testing.T) {
	d := &record.Disk{}
	w, err := record.NewWriter(d, record.NewMCAPEncoder(record.SampleOptions))
	record.Must(t, err)
	r := record.NewRecorder(w, "slow.mcap", nil)
	list := record.Story(1000)
	d.Gate.Lock()
	record.Tell(t, r, list)
	begun := time.Now()
	err = r.CloseWithin(50 * time.Millisecond)
	if took := time.Since(begun); took > time.Minute/2 {
		t.Errorf("took %v", took)
	}
	want := fmt.Sprintf("%d of %d messages are not in the file, 0 of them dropped", len(list), len(list))
	if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "slow.mcap: the disk is too slow") {
		t.Errorf("%v", err)
	}
	d.Gate.Unlock()
	record.Must(t, r.CloseWithin(time.Minute))
}

// TestRecordedQoS: what is recorded is played with the quality of service that it was
// published with.
func TestRecordedQoS(t *testing.T) {
	for _, c := range []struct {
		topic ros.Topic
		want  []string
	}{
		{ros.Topic{Type: std_msgs.StringType}, []string{"depth: 10", "reliability: 1", "durability: 2"}},
		{ros.Topic{Type: std_msgs.StringType, Lossy: true}, []string{"depth: 10", "reliability: 1", "durability: 2"}},
		{ros.Topic{Type: std_msgs.StringType, Latched: true}, []string{"depth: 1", "reliability: 1", "durability: 1"}},
		{ros.Topic{Type: tf2_msgs.TFMessageType}, []string{"depth: 100", "reliability: 1", "durability: 2"}},
	} {
		got := strings.Fields(strings.ReplaceAll(record.OfferedQoS(c.topic), ": ", ":"))
		for _, line := range c.want {
			if !slices.Contains(got, strings.ReplaceAll(line, " ", "")) {
				t.Errorf("%+v: no %q in\n%s", c.topic, line, record.OfferedQoS(c.topic))
			}
		}
	}
}
