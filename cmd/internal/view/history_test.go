package view

import (
	"encoding/binary"
	"fmt"
	"io"
	"net/http"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"sinew/cmd/internal/program"
	"sinew/msgs"
	"sinew/msgs/geometry_msgs"
	"sinew/pkg/ros"
	"sinew/pkg/ros/record"
)

// past gets a history, or the text with which it is refused.
func (h *theatre) past(query string) (status int, body []byte) {
	h.t.Helper()
	r, err := http.Get(h.link + "history?" + query)
	must(h.t, err)
	defer r.Body.Close()
	body, err = io.ReadAll(r.Body)
	must(h.t, err)
	return r.StatusCode, body
}

// Whoever comes when a recording is over, or goes to a moment of it, gets what its plots show of the seconds before.
func TestHistory(t *testing.T) {
	h := play(t, moving(t, "sim.mcap", begin), moving(t, "hw.bag", 50*begin))
	const topics = "topic=/rod/measured_cp&topic=/overlay/rod/measured_cp"
	from, to := begin+4*time.Second, begin+6*time.Second
	status, body := h.past(fmt.Sprintf("%s&from=%d&to=%d", topics, from, to))
	if status != http.StatusOK {
		t.Fatalf("%d %s", status, body)
	}
	var counts [2]int
	last := [2]time.Duration{from, from}
	for len(body) > 0 {
		i, at, n := body[0], time.Duration(binary.LittleEndian.Uint64(body[1:])), binary.LittleEndian.Uint32(body[9:])
		var p geometry_msgs.PoseStamped
		must(t, p.ParseCDR(body[13:13+n]))
		body = body[13+n:]
		if at <= last[i] || at > to || p.Pose.Position.X*1e9-float64(at-begin) > 1e3 {
			t.Fatalf("topic %d: %v after %v has %g m", i, at, last[i], p.Pose.Position.X)
		}
		last[i] = at
		counts[i]++
	}
	if counts != [2]int{200, 200} || last != [2]time.Duration{to, to} {
		t.Errorf("%v messages until %v", counts, last)
	}
	// many messages are thinned out, and the last stays
	status, body = h.past(fmt.Sprintf("topic=/rod/measured_cp&from=%d&to=%d", begin-50*time.Second, begin+10*time.Second))
	if n := len(body) / len(body[:13+binary.LittleEndian.Uint32(body[9:])]); status != http.StatusOK || n < 80 || n > 100 {
		t.Errorf("%d: %d messages of 1001 in a sixth of a minute", status, n)
	}
	for query, want := range map[string]string{
		"topic=/rod/measured_cp&from=0&to=60000000001":              "1m0.000000001s from the beginning to the end; allowed: above 0 to 1m0s",
		"topic=/rod/measured_cp&from=5&to=5":                        "0s from the beginning",
		"topic=/rod/measured_cp&from=x&to=5":                        `from="x"; allowed: nanoseconds`,
		"topic=/rod/measured_cp&to=5":                               `from=""`,
		"from=0&to=5":                                               "0 topics; allowed: 1 to 16",
		strings.Repeat("topic=/rod/measured_cp&", 17) + "to=5":      "17 topics",
		"topic=/rod/none&from=0&to=5":                               "no topic /rod/none",
		"topic=/rod/measured_cp&topic=/rod/measured_cp&from=0&to=5": "twice",
	} {
		if status, body := h.past(query); status < 400 || !strings.Contains(string(body), want) {
			t.Errorf("%s: %d %s", query, status, body)
		}
	}
}

// A history of large messages is refused before it fills the memory.
func TestHistoryOfSwarm(t *testing.T) {
	file := filepath.Join(t.TempDir(), "swarm.mcap")
	w, err := record.Create(file, record.Options{Node: "/rod"})
	must(t, err)
	p, err := w.Advertise(ros.Topic{Name: "/rod/poses", Type: geometry_msgs.PoseArrayType})
	must(t, err)
	const bodies, bytes = 5000, 56 // of a pose
	for i := range maxHistoryBytes/bodies/bytes + 2 {
		s := ros.NewSample(&geometry_msgs.PoseArray{Poses: make([]geometry_msgs.Pose, bodies)})
		s.Time = msgs.At(begin + time.Duration(i)*time.Second/10)
		p.Publish(s)
	}
	must(t, w.Close())
	h := play(t, file)
	ask := func(to time.Duration) (int, []byte) {
		return h.past(fmt.Sprintf("topic=/rod/poses&from=%d&to=%d", begin-time.Second, begin+to))
	}
	if status, body := ask(10 * time.Second); status != http.StatusNotFound || !strings.Contains(string(body), "bytes of messages; allowed: up to 16777216") {
		t.Errorf("%d %.100s", status, body)
	}
	if status, body := ask(time.Second); status != http.StatusOK || len(body) < 10*bodies*bytes {
		t.Errorf("%d, %d bytes", status, len(body))
	}
}

// Of two robots in a recording the one is drawn whose pose is shown: the arrays of hardware are those of another.
func TestArraysBesideHardware(t *testing.T) {
	file := filepath.Join(t.TempDir(), "both.mcap")
	w, err := record.Create(file, record.Options{Node: "/rod"})
	must(t, err)
	publish := func(topic string, m msgs.Message) {
		p, err := w.Advertise(ros.Topic{Name: topic, Type: m.Type()})
		must(t, err)
		s := ros.NewSample(m)
		s.Time = msgs.At(begin)
		p.Publish(s)
	}
	line := func(y float64) *geometry_msgs.PoseArray {
		m := &geometry_msgs.PoseArray{Poses: make([]geometry_msgs.Pose, 2)}
		for i := range m.Poses {
			m.Poses[i] = geometry_msgs.Pose{Position: geometry_msgs.Point{X: float64(i), Y: y}, Orientation: geometry_msgs.Quaternion{W: 1}}
		}
		return m
	}
	publish("/rod/measured_cp", &geometry_msgs.PoseStamped{Pose: line(1).Poses[1]})
	publish("/rod/hardware/measured_cp", &geometry_msgs.PoseStamped{Pose: line(2).Poses[1]})
	publish("/rod/backbone", line(1))
	publish("/rod/hardware/backbone", line(2))
	must(t, w.Close())
	e := env()
	e.Robot.Shape = &program.Shape{}
	recordings, err := stack(e, Robot{}, []Layer{{File: file}, {File: file, Shown: "/rod/hardware/measured_cp"}})
	must(t, err)
	for i, r := range recordings {
		must(t, r.At(begin, r.take))
		s := r.scene()
		if len(s.Tubes) != 1 || s.Tubes[0].Points[0].Y != float64(i+1)*r.scale {
			t.Errorf("layer %d: %+v", i, s.Tubes)
		}
		must(t, r.Close())
	}
}
