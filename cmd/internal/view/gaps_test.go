package view_test

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"

	"sinew/cmd/internal/view"
	"sinew/msgs"
	"sinew/msgs/geometry_msgs"
	"sinew/msgs/sensor_msgs"
	"sinew/pkg/ros"
	"sinew/pkg/ros/record"
)

// A recording whose clock was set while it was made continues after years without messages, and viewers show that.
func TestGap(t *testing.T) {
	t.Parallel()
	const years = 50 * 365 * 24 * time.Hour
	for _, name := range []string{"x.mcap", "x.bag"} {
		file := filepath.Join(t.TempDir(), name)
		w, err := record.Create(file, record.Options{Node: "/rod"})
		view.Must(t, err)
		p, err := w.Advertise(ros.Topic{Name: "/rod/measured_cp", Type: geometry_msgs.PoseStampedType})
		view.Must(t, err)
		for i := range 100 {
			at := view.Begin + time.Duration(i)*10*time.Millisecond
			if i >= 50 {
				at += years
			}
			s := ros.NewSample(&geometry_msgs.PoseStamped{Pose: geometry_msgs.Pose{Position: geometry_msgs.Point{X: float64(i)}}})
			s.Time = msgs.At(at)
			p.Publish(s)
		}
		view.Must(t, w.Close())
		h := play(t, file)
		h.Ask(0, view.Begin+400*time.Millisecond, "play")
		h.Answered("play")
		status := ""
		for x := 0.0; x < 99; {
			kind, b := h.Read()
			var m struct{ Op, Message string }
			if kind == websocket.MessageText && json.Unmarshal(b, &m) == nil && m.Op == "status" {
				status = m.Message
			}
			if kind == websocket.MessageBinary && b[0] == 1 && h.IsOf(b, "/rod/measured_cp") {
				var pose geometry_msgs.PoseStamped
				view.Must(t, pose.ParseCDR(b[13:]))
				x = pose.Pose.Position.X
			}
		}
		if status != "Nothing was recorded from 0.49 s to 1.5768e+09 s: passed over." {
			t.Errorf("%s: told %q", name, status)
		}
	}
}

// Joints of others turn or slide: their unit is unknown.
func TestJointsOfOthers(t *testing.T) {
	file := filepath.Join(t.TempDir(), "arm.mcap")
	w, err := record.Create(file, record.Options{Node: "/rod"})
	view.Must(t, err)
	for topic, m := range map[string]msgs.Message{"/rod/measured_cp": new(geometry_msgs.PoseStamped), "/joint_states": new(sensor_msgs.JointState), "/rod/measured_js": new(sensor_msgs.JointState)} {
		p, err := w.Advertise(ros.Topic{Name: topic, Type: m.Type()})
		view.Must(t, err)
		s := ros.NewSample(m)
		s.Time = msgs.At(view.Begin)
		p.Publish(s)
	}
	view.Must(t, w.Close())
	manifest := play(t, file).Info.Metadata["panel"]
	for _, want := range []string{`{"name":"joint_states","topic":"/joint_states","schema":"sensor_msgs/msg/JointState","kind":"joint_state","in":false}`, `"name":"measured_js","topic":"/rod/measured_js","schema":"sensor_msgs/msg/JointState","kind":"joint_state","in":false,"unit":"m, m/s, N"`} {
		if !strings.Contains(manifest, want) {
			t.Errorf("no %s in %s", want, manifest)
		}
	}
}
