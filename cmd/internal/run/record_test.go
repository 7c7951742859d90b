package run_test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"sinew/cmd/internal/apptest"
	"sinew/msgs"
	"sinew/msgs/geometry_msgs"
	"sinew/pkg/ros"
	"sinew/pkg/ros/record"
	"sinew/pkg/ros/recording"
)

// TestRunRecords runs the node for a moment, without a network.
func TestRunRecords(t *testing.T) {
	file := filepath.Join(t.TempDir(), "x.bag")
	out, _, err := apptest.Command(t, &apptest.Integrator{}, "run", "--ros", "off", "--realtime", "off", "--no-demo", "--duration", "0.3s", "--record", file)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(out, "messages, none dropped") {
		t.Errorf("output %q", out)
	}
	got := map[string][]record.Message{}
	if err := record.Read(file, nil, func(m record.Message) error {
		got[m.Topic] = append(got[m.Topic], m)
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	poses := got["/fakesim/measured_cp"]
	if len(poses) < 2 || len(got["/fakesim/operating_state"]) == 0 {
		t.Errorf("%d poses, %d states", len(poses), len(got["/fakesim/operating_state"]))
	}
	for _, m := range poses {
		if m.Message.(*geometry_msgs.PoseStamped).Header.Stamp != msgs.At(m.Time) {
			t.Errorf("logged at %v: %+v", m.Time, m.Message)
		}
	}
	_, _, err = apptest.Command(t, &apptest.Integrator{}, "run", "--ros", "off", "--realtime", "off", "--duration", "0.3s", "--record", file)
	if err == nil || !strings.Contains(err.Error(), "exists already") {
		t.Errorf("error %v", err)
	}
}

// TestRecordAll: paths and markers, which other topics derive, are recorded by --record-all alone; the beginning says how much
// an hour takes.
func TestRecordAll(t *testing.T) {
	derived := func(args ...string) (topics []string) {
		t.Helper()
		file := filepath.Join(t.TempDir(), "x.mcap")
		out, _, err := apptest.Command(t, &apptest.Integrator{}, append([]string{"run", "--ros", "off", "--realtime", "off", "--no-demo", "--duration", "0.3s", "--record", file}, args...)...)
		if err != nil {
			t.Fatal(err)
		}
		// at 64 Hz 100 bytes and 8 of each of 7 + 9 values, of two topics
		if !strings.Contains(out, "about 76 MB per hour") {
			t.Errorf("output %q", out)
		}
		all, err := record.Topics(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, topic := range all {
			if recording.IsDerived(ros.Topic{Type: topic.Type}) {
				topics = append(topics, topic.Name)
			}
		}
		return topics
	}
	if topics := derived(); topics != nil {
		t.Errorf("without the flag: %q", topics)
	}
	if topics := derived("--record-all"); !slices.Contains(topics, "/fakesim/markers") {
		t.Errorf("with the flag: %q", topics)
	}
}
